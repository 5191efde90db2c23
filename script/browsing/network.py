"""Names and addresses that are not loopback, in the network namespace of script/browse --walk: a certificate authority that speaks ACME,
a WebDAV server, and the server of a social network."""
import json, os, ssl, subprocess, time, urllib.error, urllib.request
from pathlib import Path

from .programs import PASSWORD, Fakes

ADDRESSES = {"photos.test": "10.77.0.1", "social.test": "10.77.0.2", "files.test": "10.77.0.3", "acme.test": "10.77.0.4"}
APP_PASSWORD = "app-pass-word-1234"


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"browse: {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done.stdout


class Network:
    """Everything that Pics and the browser meet. `peer` is a program that serves the social network; without one a fake does."""

    def __init__(self, folder: Path, peer: str | None):
        self.folder, self.processes, self.fakes = folder, [], None
        run("ip", "link", "set", "lo", "up")
        # Kernels without further devices have this one.
        for address in ADDRESSES.values():
            run("ip", "address", "add", f"{address}/32", "dev", "lo")
        names = "".join(f"{address} {name}\n" for name, address in ADDRESSES.items())
        self.cover("/etc/hosts", "127.0.0.1 localhost\n" + names)
        self.own_authority()
        self.start_acme()
        self.trust()
        self.start_files()
        self.start_social(peer)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            process.wait(30)
        if self.fakes:
            self.fakes.stop()

    def cover(self, path, text):
        """Another content for a file of the system, in this namespace alone."""
        file = self.folder / Path(path).name
        file.write_text(text)
        file.chmod(0o644)
        run("mount", "--bind", file, path)

    def start(self, name, *words, **environment):
        log = open(self.folder / f"{name}.log", "wb")
        process = subprocess.Popen(
            [str(word) for word in words], stdout=log, stderr=log, env=os.environ | {key: str(value) for key, value in environment.items()})
        self.processes.append(process)
        return process

    # --- certificates

    def own_authority(self):
        ca = self.folder / "ca"
        run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=Walk",
            "-addext", "keyUsage=critical,keyCertSign", "-keyout", f"{ca}.key", "-out", f"{ca}.pem")
        for name in ADDRESSES:
            file = self.folder / name
            run("openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", f"/CN={name}", "-keyout",
                f"{file}.key", "-out", f"{file}.csr")
            extension = self.folder / f"{name}.ext"
            extension.write_text(f"subjectAltName=DNS:{name}\n")
            run("openssl", "x509", "-req", "-in", f"{file}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key", "-days", "2", "-extfile",
                extension, "-out", f"{file}.pem")

    def start_acme(self):
        address = ADDRESSES["acme.test"]
        settings = {"pebble": {
            "listenAddress": f"{address}:14000", "managementListenAddress": f"{address}:15000",
            "certificate": f"{self.folder}/acme.test.pem", "privateKey": f"{self.folder}/acme.test.key", "httpPort": 80, "tlsPort": 443,
            "ocspResponderURL": "", "externalAccountBindingRequired": False}}
        (self.folder / "pebble.json").write_text(json.dumps(settings))
        self.start(
            "names", "pebble-challtestsrv", "-dns01", f"{address}:8053", "-http01", "", "-https01", "", "-tlsalpn01", "", "-management",
            f"{address}:8055", "-defaultIPv6", "", "-defaultIPv4", ADDRESSES["photos.test"])
        self.start(
            "pebble", "pebble", "-config", self.folder / "pebble.json", "-dnsserver", f"{address}:8053", PEBBLE_VA_NOSLEEP="1")
        root = self.when(lambda: self.get("https://acme.test:15000/roots/0"), "pebble")
        (self.folder / "pebble-root.pem").write_bytes(root)

    def trust(self):
        """Every program here trusts the two authorities; the browser by a database of its own."""
        system = Path("/etc/ssl/certs/ca-certificates.crt")
        own = [self.folder / "ca.pem", self.folder / "pebble-root.pem"]
        self.cover(system, system.read_text() + "".join(file.read_text() for file in own))
        os.environ["REQUESTS_CA_BUNDLE"] = str(system)
        self.home = self.folder / "home"
        database = self.home / ".pki/nssdb"
        database.mkdir(parents=True)
        run("certutil", "-N", "-d", f"sql:{database}", "--empty-password")
        for file in own:
            run("certutil", "-A", "-d", f"sql:{database}", "-t", "C,,", "-n", file.stem, "-i", file)

    # --- servers

    def start_files(self):
        """WebDAV, with a password of its own for apps."""
        self.files = self.folder / "files"
        self.files.mkdir()
        self.start(
            "rclone", "rclone", "serve", "webdav", self.files, "--dir-cache-time", "0s", "--addr", f"{ADDRESSES['files.test']}:443",
            "--user", "ann", "--pass", APP_PASSWORD, "--cert", f"{self.folder}/files.test.pem", "--key", f"{self.folder}/files.test.key", HOME=self.folder)
        self.when(lambda: self.get("https://files.test/"), "rclone")

    def start_social(self, peer):
        if not peer:
            self.fakes = Fakes()
            self.social, self.is_real = self.fakes.addresses["mastodon"], False
            return
        self.social, self.is_real = "https://social.test", True
        self.start(
            "social", peer, PEER_HOST="social.test", PEER_ADDRESS=ADDRESSES["social.test"], PEER_USER="ann@social.test",
            PEER_PASSWORD=PASSWORD, PEER_CERTIFICATE=f"{self.folder}/social.test.pem", PEER_KEY=f"{self.folder}/social.test.key")
        self.when(lambda: self.get("https://social.test/api/v1/instance"), "the social network")

    def get(self, url):
        """What is at `url`, also where it wants a password first."""
        context = ssl.create_default_context(cafile=f"{self.folder}/ca.pem")
        try:
            return urllib.request.urlopen(url, context=context, timeout=10).read()
        except urllib.error.HTTPError as error:
            if error.code != 401:
                raise
            return error.read()

    def when(self, act, what, seconds=180):
        """What `act` gives as soon as it can."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return act()
            except (OSError, ValueError, SystemExit) as error:
                if time.monotonic() > deadline:
                    raise SystemExit(f"browse: {what} does not answer: {error}") from None
            time.sleep(0.2)
