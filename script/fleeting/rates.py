"""Requests and jobs a second with one, two and three nodes, and whose the processors are then."""
import os, re, shutil, subprocess, threading, time
from uuid import uuid4

from .clients import Client
from .fleet import NODES
from .ledger import Ledger
from .network import run, until
from .pictures import Pictures

SECONDS, CONNECTIONS, USERS, JOBS = 8, 16, 6, 120
TICKS = os.sysconf("SC_CLK_TCK")


class Processors:
    """The processor time of the programs of each machine, and of everything."""

    def __init__(self, network):
        self.network = network

    def read(self):
        spent = {}
        for name in self.network.addresses:
            spent[name] = 0
            for process in run("ip", "netns", "pids", self.network.place(name)).split():
                try:
                    with open(f"/proc/{process}/stat") as file:
                        fields = file.read().rsplit(") ", 1)[1].split()
                except (FileNotFoundError, ProcessLookupError):
                    continue
                # Of itself, and of children that have ended.
                spent[name] += sum(map(int, fields[11:15])) / TICKS
        with open("/proc/stat") as file:
            ticks = list(map(int, file.readline().split()[1:9]))
        return spent, (sum(ticks) - ticks[3] - ticks[4]) / TICKS, time.monotonic()

    def shares(self, before):
        """In percent of all cores."""
        (spent, busy, at), (old, old_busy, begun) = self.read(), before
        whole = (at - begun) * os.cpu_count() / 100
        machines = {name: (spent[name] - old[name]) / whole for name in spent}
        machines["others"] = (busy - old_busy) / whole - sum(machines.values())
        return machines, (busy - old_busy) / whole


class Rates:
    def __init__(self, fleet, folder):
        self.fleet, self.folder, self.processors = fleet, folder, Processors(fleet.network)
        self.ledger, self.number = Ledger(), 0

    def prepare(self):
        for number in range(USERS):
            name = f"user{number}"
            token = self.fleet.tokens[name] = self.fleet.add_user(name)
            Client(self.fleet, self.ledger, token).once(
                "control", "POST", "/v1/connections", {"Content-Type": "application/json"},
                '{"service": "mastodon", "fields": {"base_url": "%s", "access_token": "mastodon-token"}}' % self.fleet.mastodon)
        self.pictures = Pictures(self.folder)
        self.photo = self.post("user0", "none")
        until(lambda: self.client("user0").get(f"/v1/photos/{self.photo['id']}").json["processing"] == "done", "pictures")

    def client(self, owner):
        return Client(self.fleet, self.ledger, self.fleet.tokens[owner])

    def post(self, owner, services):
        self.number += 1
        data, _ = self.pictures.take(self.number)
        path = f"/v1/photos?caption={self.fleet.tag}-{self.number}&services={services}&visibility=public"
        return self.client(owner).once(
            "whole photo", "POST", path, {"Content-Type": "image/jpeg", "Idempotency-Key": f'"{uuid4()}"'}, data).json

    def requests(self, path, *fields):
        """By wrk; a line with the rate and the shares of the processors."""
        before = self.processors.read()
        output = run("wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", *[word for field in fields for word in ("-H", field)],
                     self.fleet.base + path)
        wrong = re.search(r"Non-2xx or 3xx responses: \d+|Socket errors:.*", output)
        rate = float(re.search(r"Requests/sec:\s+([\d.]+)", output)[1])
        return rate, self.processors.shares(before), f"; {wrong[0]}" if wrong else ""

    def jobs(self):
        """Posts to the fake that wait, all at once."""
        self.fleet.command("queue", "pause")
        def send(owner):
            for _ in range(JOBS // USERS):
                self.post(owner, "mastodon")
        threads = [threading.Thread(target=send, args=[owner]) for owner in self.fleet.tokens]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        until(lambda: self.fleet.databases.sql("SELECT count(*) FROM photos WHERE processing = 'pending'") == "0", "pictures", 300, 0.5)
        done = len(self.fleet.effects())
        before = self.processors.read()
        self.fleet.command("queue", "resume")
        begun = time.monotonic()
        until(lambda: len(self.fleet.effects()) == done + JOBS, "posts", 300, 0.05)
        return JOBS / (time.monotonic() - begun), self.processors.shares(before), ""


def measure(fleet, folder, options):
    if not shutil.which("wrk"):
        raise SystemExit("fleet: --rates needs Debian's wrk")
    fleet.start(NODES[:1])
    rates = Rates(fleet, folder)
    rates.prepare()
    token = f"Authorization: Bearer {fleet.tokens['user0']}"
    picture = next(one["url"] for one in rates.photo["renditions"] if one["media_type"] == "image/jpeg").removeprefix(fleet.base)
    print(f"{os.cpu_count()} cores, {CONNECTIONS} connections, {JOBS} jobs of {USERS} accounts; processors in percent of all cores", flush=True)
    for count in range(1, len(NODES) + 1):
        if count > 1:
            fleet.nodes[NODES[count - 1]].start()
            fleet.wait_for(NODES[count - 1])
            until(lambda: len(fleet.in_service()) == count, "the balancer to know the node")
        for name, action in [
            ("photo as JSON", lambda: rates.requests(f"/v1/photos/{rates.photo['id']}", token)),
            ("caption page", lambda: rates.requests(f"/{rates.photo['code']}", "Accept: text/html")),
            ("picture", lambda: rates.requests(picture, "Accept: image/*")),
            ("jobs", rates.jobs),
        ]:
            rate, (machines, busy), wrong = action()
            shares = ", ".join(f"{machine} {share:.0f}" for machine, share in sorted(machines.items(), key=lambda item: -item[1]) if share >= 1)
            print(f"{count} nodes  {name:14}{rate:9.1f} /s   busy {busy:3.0f} %: {shares}{wrong}", flush=True)
    return 0
