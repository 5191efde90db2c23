"""The programs that are walked through: Pics and the fake services, each until it is stopped."""
import os, queue, re, subprocess, threading
from pathlib import Path

import requests

BUILT = Path(".build/debug").resolve()
PASSWORD = "correct horse battery"


class Program:
    """A process whose lines can be waited for."""

    def __init__(self, arguments, environment=None):
        self.process = subprocess.Popen(
            [str(BUILT / arguments[0]), *arguments[1:]], env=environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.lines: queue.Queue = queue.Queue()
        self.log: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.log.append(line)
            self.lines.put(line)
        self.lines.put(None)

    def line(self, pattern, seconds=90):
        """What `pattern` finds in the next line that has it."""
        while True:
            line = self.lines.get(timeout=seconds)
            if line is None:
                raise SystemExit(f"browse: a program ended early:\n{''.join(self.log[-20:])}")
            if found := re.search(pattern, line):
                return found

    def said(self, pattern):
        """What `pattern` finds in a line that has come, or in the next one that has it."""
        return next(filter(None, (re.search(pattern, line) for line in list(self.log))), None) or self.line(pattern)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Fakes(Program):
    """The fake services, by name with their addresses."""

    def __init__(self):
        super().__init__(["fake-services"])
        self.addresses = {}
        while True:
            found = self.line(r"^(\S+) at (http\S+)|^fakes are (ready)")
            if found[3]:
                break
            self.addresses[found[1]] = found[2]

    def fail(self, service, route, times=1, **fault):
        answer = requests.post(
            f"{self.addresses[service]}/_control/faults", json={"route": route, "times": times, **fault}, timeout=30)
        answer.raise_for_status()

    def talk(self, service, **words):
        """Lets somebody else say something there."""
        answer = requests.post(f"{self.addresses[service]}/_control/conversation", json=words, timeout=30)
        answer.raise_for_status()

    def ask(self, service, what):
        """What a fake tells of itself: `effects`, `albums` or `requests`."""
        answer = requests.get(f"{self.addresses[service]}/_control/{what}", timeout=30)
        answer.raise_for_status()
        return answer.json()


class Pics(Program):
    """A Pics with its own PostgreSQL in `folder`; `settings` are variables of its own."""

    def __init__(self, folder: Path, **settings):
        self.folder = folder
        # Its own settings alone.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PICS_")} | {
            "PICS_DATA_DIR": str(folder / "data"), "PICS_LISTEN": "127.0.0.1:0", "PICS_PRIVATE_SERVERS": "true",
            "PICS_CONTACT": "mailto:operator@pics.example", "PICS_CONFIG": os.devnull,
        }
        for rate in ["ADDRESS", "TOKEN", "UPLOAD", "PICTURE", "LIKE", "VISITOR"]:
            self.environment[f"PICS_{rate}_RATE"] = "0"
        self.environment |= settings
        super().__init__(["pics", "serve"], self.environment)
        self.base = self.line(r"listening on (http\S+)")[1]
        self.token = (folder / "data/admin-token").read_text().strip()

    def command(self, *words, entered=""):
        done = subprocess.run(
            [str(BUILT / "pics"), *words], env=self.environment, input=entered, text=True, capture_output=True)
        if done.returncode:
            raise SystemExit(f"browse: pics {' '.join(words)}: {done.stdout}{done.stderr}")
        return done.stdout

    def sql(self, statements):
        """Runs statements in its own PostgreSQL, as its superuser."""
        facts = (self.folder / "data/postgres/postmaster.pid").read_text().split("\n")
        done = subprocess.run(
            ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", facts[4], "-p", facts[3], "-U", "pics", "pics"],
            input=statements, text=True, capture_output=True)
        if done.returncode:
            raise SystemExit(f"browse: psql: {done.stderr}")
        return done.stdout

    def visit(self, path, agent):
        """Opens a page as a program of this name."""
        requests.get(self.base + path, headers={"Accept": "text/html", "User-Agent": agent}, timeout=60).raise_for_status()

    def api(self, method, path, **options):
        answer = requests.request(
            method, self.base + path, headers={"Authorization": f"Bearer {self.token}"}, timeout=120, **options)
        if not answer.ok:
            raise SystemExit(f"browse: {method} {path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content else None


class Person:
    """Somebody with a browser that only sends forms."""

    def __init__(self, pics: Pics, name: str):
        self.pics, self.name, self.session = pics, name, requests.Session()
        self.send("/login", {"name": name, "password": PASSWORD}, page="/login")

    def open(self, path):
        return self.session.get(self.pics.base + path, headers={"Accept": "text/html"}, timeout=60).text

    def send(self, path, form, page="/settings"):
        token = re.search(r'name="form_token" value="([^"]+)"', self.open(page))[1]
        answer = self.session.post(
            self.pics.base + path, data={"form_token": token, **form}, headers={"Accept": "text/html"}, timeout=60)
        if not answer.ok:
            log = "".join(self.pics.log[-5:])
            raise SystemExit(f"browse: {path}: {answer.status_code} {answer.text[:2000]}\n{log}")
        return answer.text

    @property
    def cookies(self):
        return [{"name": cookie.name, "value": cookie.value, "url": self.pics.base} for cookie in self.session.cookies]
