"""Three nodes of Pics behind haproxy, with a database, a bucket and a service to post to."""
import base64, http.client, json, os, re, secrets, shutil, socket, subprocess, urllib.request
from pathlib import Path

from .network import until
from .programs import Databases, Program
from .store import Store

NODES = ["one", "two", "three"]
PORT, MASTODON_PORT = 8080, 9101
SETTINGS = {
    "PICS_CONFIG": os.devnull, "PICS_PRIVATE_SERVERS": "true", "PICS_DRAIN_DELAY": "3s", "PICS_CONTACT": "mailto:operator@pics.example",
} | {f"PICS_{rate}_RATE": "0" for rate in ["ADDRESS", "TOKEN", "UPLOAD", "PICTURE", "LIKE", "VISITOR"]}


class Fleet:
    def __init__(self, network, folder, options):
        self.network, self.folder, self.options = network, folder, options
        self.tag, self.tokens, self.last_part = f"fleet-{options.seed}", {}, (None, 0, False)
        self.base = f"http://{network.addresses['balancer']}:{PORT}"
        self.databases, self.store = Databases(network, folder), Store(network, folder)
        self.fakes = Program(
            network, "mastodon", "fake-services", [options.fakes, "--mastodon", MASTODON_PORT], folder)
        self.mastodon = f"http://{network.addresses['mastodon']}:{MASTODON_PORT}"
        self.nodes = {name: self.node(name) for name in NODES}
        self.balancer = Program(
            network, "balancer", "haproxy", ["haproxy", "-db", "-f", folder / "global.cfg", "-f", folder / "haproxy.cfg"], folder)

    def node(self, name):
        return Program(self.network, name, name, [self.options.pics, "serve"], self.folder, self.environment(name))

    def environment(self, name):
        kept = {key: os.environ[key] for key in ["PICS_MIGRATIONS_DIR"] if key in os.environ}
        return kept | SETTINGS | self.store.settings | {
            "PICS_DATA_DIR": self.folder / f"data-{name}", "PICS_SECRET_KEY_FILE": self.folder / "secret.key", "PICS_BASE_URL": self.base,
            "PICS_DATABASE_URL": self.databases.address, "PICS_LISTEN": f"0.0.0.0:{PORT}",
            "PICS_TRUSTED_PROXIES": self.network.addresses["balancer"],
        }

    # --- starting

    def start(self, nodes=NODES):
        (self.folder / "secret.key").write_text(base64.b64encode(secrets.token_bytes(32)).decode() + "\n")
        (self.folder / "secret.key").chmod(0o600)
        self.configure_balancer()
        self.databases.start()
        self.store.start()
        self.store.create_bucket()
        self.network.forward_to_loopback("mastodon", MASTODON_PORT)
        self.fakes.start().said("fakes are ready")
        for name in nodes:
            # The first one migrates the database and writes the token.
            self.nodes[name].start()
            self.wait_for(name)
        self.balancer.start()
        until(lambda: self.in_service() == set(nodes), "the balancer to know the nodes")
        self.admin = (self.folder / f"data-{nodes[0]}/admin-token").read_text().strip()

    def configure_balancer(self):
        """The repository's file with addresses in place of names, which nobody resolves here; answers say which node has given them."""
        text = Path("config/haproxy.cfg").read_text()
        for name in NODES:
            text = text.replace(f"{name}:{PORT}", f"{self.network.addresses[name]}:{PORT}")
        text = text.rstrip("\n") + "\n    http-response set-header X-Node %s\n"
        (self.folder / "haproxy.cfg").write_text(text)
        (self.folder / "global.cfg").write_text(f"global\n    stats socket {self.folder}/haproxy.sock mode 600\n    log stderr format raw local0\n")

    def wait_for(self, name, seconds=90):
        """Until the node says that it is ready."""
        def is_ready():
            if self.nodes[name].has_failed:
                raise SystemExit(f"fleet: node {name} ended early:\n{self.nodes[name].tail()}")
            return self.probe(name) == 200
        return until(is_ready, f"node {name}:\n{self.nodes[name].tail(5)}", seconds)

    def probe(self, name, path="/readyz"):
        """The status of an answer from a node itself; None without one."""
        connection = http.client.HTTPConnection(self.network.addresses[name], PORT, timeout=10)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    # --- looking

    def balancer_says(self, command):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(5)
            connection.connect(str(self.folder / "haproxy.sock"))
            connection.sendall(f"{command}\n".encode())
            text = b""
            while piece := connection.recv(65536):
                text += piece
        return text.decode()

    def servers(self):
        """What the balancer counts of each node."""
        lines = self.balancer_says("show stat").lstrip("# ").splitlines()
        names = lines[0].split(",")
        rows = [dict(zip(names, line.split(","))) for line in lines[1:] if line]
        return {row["svname"]: row for row in rows if row["pxname"] == "nodes" and row["svname"] in NODES}

    def in_service(self):
        if not (self.folder / "haproxy.sock").exists():
            return set()
        return {name for name, row in self.servers().items() if row["status"].startswith("UP")}

    def target(self):
        """The node with most of the requests that are under way."""
        return max(self.servers().items(), key=lambda item: (item[1]["status"].startswith("UP"), int(item[1]["scur"]), int(item[1]["rate"])))[0]

    def effects(self):
        with urllib.request.urlopen(f"{self.mastodon}/_control/effects", timeout=60) as answer:
            return json.load(answer)["posts"]

    def crashed(self):
        return [program for program in [*self.nodes.values(), self.balancer, self.fakes, *self.store.programs, *self.databases.servers.values()]
                if program.has_failed]

    # --- acting

    def command(self, *words, node="one", entered=""):
        environment = {"PATH": os.environ["PATH"]} | {key: str(value) for key, value in self.environment(node).items()}
        done = subprocess.run(
            [*self.network.inside(node), str(self.options.pics), *words], env=environment, input=entered, text=True, capture_output=True, cwd="/")
        if done.returncode:
            raise RuntimeError(f"pics {' '.join(words)}: {done.returncode} {done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def add_user(self, name):
        """A user; their token."""
        self.command("user", "add", name, entered="correct horse battery\n")
        return re.search(r"\bpics_\S+|\S{30,}", self.command("token", "create", name))[0]

    def forget_disk(self, name):
        shutil.rmtree(self.folder / f"data-{name}", ignore_errors=True)

    def stop(self):
        for program in [self.balancer, *self.nodes.values()]:
            program.is_wanted = False
        for node in self.nodes.values():
            node.kill()
        self.balancer.kill()
        self.fakes.kill()
        self.store.kill()
        self.databases.stop()
