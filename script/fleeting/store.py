"""An S3-compatible store: OpenStack Swift with s3api, one device on a folder."""
import hashlib, hmac, http.client, os, shutil
from datetime import datetime, timezone
from pathlib import Path

from .network import run, until
from .programs import Program

ACCESS_KEY, SECRET_KEY, BUCKET, REGION, PORT = "test:tester", "testing", "photos", "us-east-1", 8085
SERVERS = {"account": 6202, "container": 6201, "object": 6200}


def programs():
    """Where Swift is: Debian's, or a virtual environment's."""
    places = [os.environ.get("SWIFT_BIN", ""), "/opt/swift-venv/bin", "/usr/bin"]
    return next((Path(place) for place in places if place and (Path(place) / "swift-proxy-server").exists()), None)


class Store:
    def __init__(self, network, folder):
        self.network, self.folder, self.bin = network, folder / "swift", programs()
        self.host = network.addresses["store"]
        self.url = f"http://{self.host}:{PORT}"
        self.configure()
        self.programs = [
            Program(network, "store", f"swift-{name}", [self.bin / f"swift-{name}-server", self.folder / f"{name}.conf", "-v"], folder,
                    {"HOME": self.folder, "SWIFT_CONF_DIR": self.folder})
            for name in [*SERVERS, "proxy"]
        ]

    def configure(self):
        (self.folder / "devices/disk").mkdir(parents=True)
        (self.folder / "swift.conf").write_text("[swift-hash]\nswift_hash_path_prefix = fleet\nswift_hash_path_suffix = fleet\n"
                                                "[storage-policy:0]\nname = one\ndefault = yes\n")
        common = f"bind_ip = 127.0.0.1\nworkers = 0\nuser = root\nswift_dir = {self.folder}\nlog_level = INFO\n"
        for name, port in SERVERS.items():
            (self.folder / f"{name}.conf").write_text(
                f"[DEFAULT]\n{common}bind_port = {port}\ndevices = {self.folder}/devices\nmount_check = false\n"
                f"recon_cache_path = {self.folder}/recon\n"
                f"[pipeline:main]\npipeline = {name}-server\n[app:{name}-server]\nuse = egg:swift#{name}\n")
            ring = self.folder / f"{name}.builder"
            run(self.bin / "swift-ring-builder", ring, "create", 4, 1, 1)
            run(self.bin / "swift-ring-builder", ring, "add", "--region", 1, "--zone", 1, "--ip", "127.0.0.1", "--port", port, "--device", "disk",
                "--weight", 1)
            run(self.bin / "swift-ring-builder", ring, "rebalance")
        (self.folder / "proxy.conf").write_text(
            f"[DEFAULT]\n{common.replace('127.0.0.1', self.host)}bind_port = {PORT}\n"
            "[pipeline:main]\npipeline = catch_errors proxy-logging listing_formats s3api tempauth slo dlo proxy-server\n"
            "[app:proxy-server]\nuse = egg:swift#proxy\nallow_account_management = true\naccount_autocreate = true\n"
            "[filter:catch_errors]\nuse = egg:swift#catch_errors\n[filter:proxy-logging]\nuse = egg:swift#proxy_logging\n"
            "[filter:listing_formats]\nuse = egg:swift#listing_formats\n"
            f"[filter:s3api]\nuse = egg:swift#s3api\nlocation = {REGION}\ns3_acl = false\ncheck_bucket_owner = false\n"
            f"[filter:tempauth]\nuse = egg:swift#tempauth\nuser_test_tester = {SECRET_KEY} .admin\n"
            "[filter:slo]\nuse = egg:swift#slo\n[filter:dlo]\nuse = egg:swift#dlo\n")

    def start(self):
        for program in self.programs:
            program.start()
        until(self.is_ready, f"Swift:\n{self.programs[-1].tail()}", 60)

    def create_bucket(self):
        status, body = self.request("PUT", f"/{BUCKET}")
        if status not in (200, 409):
            raise SystemExit(f"fleet: the bucket: {status} {body[:500]!r}\n{self.programs[-1].tail()}")

    def is_ready(self):
        try:
            return self.request("GET", "/")[0] == 200
        except OSError:
            return False

    def kill(self):
        for program in self.programs:
            program.kill()

    def request(self, method, path, query=""):
        """Signed by AWS Signature Version 4; the caller is in a machine of the network."""
        now = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
        empty = hashlib.sha256(b"").hexdigest()
        fields = {"host": f"{self.host}:{PORT}", "x-amz-content-sha256": empty, "x-amz-date": now}
        names = ";".join(sorted(fields))
        canonical = "\n".join([method, path, query, *(f"{name}:{fields[name]}" for name in sorted(fields)), "", names, empty])
        scope = f"{now[:8]}/{REGION}/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", now, scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = b"AWS4" + SECRET_KEY.encode()
        for word in [*scope.split("/")]:
            key = hmac.new(key, word.encode(), "sha256").digest()
        signature = hmac.new(key, text.encode(), "sha256").hexdigest()
        fields["authorization"] = f"AWS4-HMAC-SHA256 Credential={ACCESS_KEY}/{scope}, SignedHeaders={names}, Signature={signature}"
        connection = http.client.HTTPConnection(self.host, PORT, timeout=30)
        try:
            connection.request(method, path + (f"?{query}" if query else ""), headers=fields)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    @property
    def settings(self):
        return {
            "PICS_STORAGE": "s3", "PICS_S3_URL": self.url, "PICS_S3_BUCKET": BUCKET, "PICS_S3_REGION": REGION, "PICS_S3_ACCESS_KEY": ACCESS_KEY,
            "PICS_S3_SECRET_KEY": SECRET_KEY,
        }
