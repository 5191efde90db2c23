"""A client of server-sent events, which comes again with the last identifier that it has seen."""
import http.client, json, threading
from collections import defaultdict


class EventReader(threading.Thread):
    def __init__(self, fleet, ledger, owner, token, end):
        super().__init__(name=f"events of {owner}", daemon=True)
        self.fleet, self.ledger, self.owner, self.token, self.end = fleet, ledger, owner, token, end
        self.streams, self.last, self.breaks = 0, None, []
        # By photo: the stream, and what it said of a submission that is done.
        self.done = defaultdict(list)
        self.is_open = threading.Event()

    def run(self):
        while not self.end.is_set():
            try:
                self.follow()
                why = "ended"
            except (OSError, http.client.HTTPException) as error:
                why = "silent for 25 s" if isinstance(error, TimeoutError) else type(error).__name__
            if not self.end.is_set():
                self.ledger.error("events", why)
                self.breaks.append((self.ledger.now, why, self.last is None))
            self.end.wait(1)

    def follow(self):
        # A comment comes every 15 seconds.
        connection = http.client.HTTPConnection(self.fleet.base.split("/")[2], timeout=25)
        try:
            fields = {"Authorization": f"Bearer {self.token}", "Accept": "text/event-stream"}
            if self.last:
                fields["Last-Event-ID"] = self.last
            connection.request("GET", "/v1/events", headers=fields)
            answer = connection.getresponse()
            if answer.status != 200:
                self.ledger.error("events", f"{answer.status} {answer.read()[:100]!r}")
                self.end.wait(1)
                return
            self.streams += 1
            node, name, identifier = answer.headers.get("X-Node"), None, None
            while line := answer.readline():
                if line.startswith(b"retry:"):
                    self.ledger.success(self.name)
                    self.is_open.set()
                line = line.decode().rstrip("\n")
                if line.startswith("id: "):
                    identifier = line[4:]
                elif line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: "):
                    self.take(name, json.loads(line[6:]), node)
                elif not line:
                    # Only a whole event counts (HTML Living Standard, 9.2.6).
                    self.last = identifier or self.last
                    self.ledger.success(self.name)
                if self.end.is_set():
                    return
        finally:
            connection.close()

    def take(self, name, data, node):
        if name == "submission" and data["state"] == "done":
            self.done[data["photo"]].append((self.streams, self.ledger.now, node, json.dumps(data, sort_keys=True)))
