"""What is broken, one after the other, while clients go on."""
import random, time

from .fleet import NODES
from .network import until


class Faults:
    """Each method breaks one thing and mends it; the first line of its text is what people read."""

    def __init__(self, fleet, ledger, stop, seed):
        self.fleet, self.ledger, self.stop, self.dice = fleet, ledger, stop, random.Random(seed)

    # How long the network of a node is cut, in seconds.
    CUT = 20
    NAMES = [
        "node_killed", "uploader_lost", "store_killed", "target_killed", "primary_killed", "database_deaf", "database_cut", "store_cut",
        "standby_cut", "rolling",
    ]

    def run(self, names, seconds):
        """All of them in the order of the seed, again from the front until the time is over."""
        order = list(names)
        self.dice.shuffle(order)
        self.ledger.say(f"order: {', '.join(order)}")
        turn = 0
        while order and self.ledger.now < seconds and (turn < len(order) or self.ledger.now < seconds - 30):
            self.one(order[turn % len(order)])
            turn += 1
        return [name for name in order[turn:]]

    def one(self, name):
        action = getattr(self, name)
        begun = self.ledger.now
        record = [action.__doc__.splitlines()[0].rstrip("."), begun, None]
        self.ledger.faults.append(record)
        try:
            action(record)
        except (SystemExit, TimeoutError) as error:
            self.ledger.refuse("script", f"{name}: {error}")
        finally:
            self.fleet.network.mend()
        mended = self.ledger.now
        self.recover()
        whole = self.ledger.now
        # What still waits because of it is not for the next one to answer for.
        try:
            until(lambda: all(at > mended for at in list(self.ledger.under_way.values())), "old requests", 60)
        except TimeoutError:
            self.ledger.refuse("recovery", "a request of that time has no answer after 60 s")
        record[2] = self.ledger.now
        self.ledger.say(f"mended after {mended - begun:.1f} s, all nodes in service {whole - mended:.1f} s later, "
                        f"the last request of that time ended {record[2] - mended:.1f} s later")
        self.stop.wait(4)

    def recover(self):
        """Waits until every node is in service; one that has ended by itself is told and started again."""
        def is_whole():
            for program in self.fleet.crashed():
                self.ledger.refuse("crash", f"{program.name} ended by itself ({program.process.returncode}):\n{program.tail(12)}")
                program.start()
            return self.fleet.in_service() == set(NODES)
        try:
            until(is_whole, "all nodes", 90, 0.2)
        except TimeoutError:
            self.ledger.refuse("recovery", f"in service are only {sorted(self.fleet.in_service())} after 90 s")

    def say(self, record, detail):
        record[0] = f"{record[0]} ({detail})"
        self.ledger.say(f"{record[0]}")

    def pause(self, seconds):
        self.stop.wait(seconds)

    def pause_without(self, name, seconds):
        """The same, and tells when the balancer leaves the node out, if it does."""
        begun, is_out = self.ledger.now, False
        while self.ledger.now - begun < seconds and not self.stop.is_set():
            if not is_out and name not in self.fleet.in_service():
                is_out = True
                self.ledger.say(f"the balancer leaves {name} out after {self.ledger.now - begun:.1f} s")
            time.sleep(0.1)
        if not is_out:
            self.ledger.say(f"the balancer has kept {name}")

    def some_node(self):
        return self.dice.choice(NODES)

    # --- what breaks

    def node_killed(self, record):
        """kill -9 of a node"""
        self.kill_and_start(record, self.some_node())

    def target_killed(self, record):
        """kill -9 of the node that the balancer is asking"""
        self.kill_and_start(record, self.fleet.target())

    def kill_and_start(self, record, name):
        self.say(record, name)
        self.fleet.nodes[name].kill()
        self.pause(5)
        self.fleet.nodes[name].start()

    def uploader_lost(self, record):
        """loss of the node that has just taken a part of an upload, with its disk"""
        deadline, since = time.monotonic() + 15, self.ledger.now
        node = None
        while time.monotonic() < deadline and not node:
            name, at, is_partial = self.fleet.last_part
            node = name if at > since and is_partial else None
            time.sleep(0.002)
        node = node or self.some_node()
        self.fleet.nodes[node].kill_all()
        self.say(record, node)
        self.fleet.forget_disk(node)
        self.pause(10)
        self.ledger.say(f"a new machine with an empty disk takes the place of {node}")
        self.fleet.nodes[node].start()

    def store_killed(self, record):
        """kill -9 of the store"""
        self.say(record, "8 s")
        self.fleet.store.kill()
        self.pause(8)
        self.fleet.store.start()

    def primary_killed(self, record):
        """loss of PostgreSQL's primary"""
        self.say(record, self.fleet.databases.primary)
        self.fleet.databases.kill_primary()
        self.pause(3)
        self.fleet.databases.promote()
        self.ledger.say(f"the standby was promoted: {self.fleet.databases.primary}")
        self.pause(10)
        self.fleet.databases.add_standby()
        self.ledger.say("it has a standby again")

    def database_deaf(self, record):
        """a node gets nothing from PostgreSQL, one way"""
        name = self.some_node()
        self.say(record, f"{name}, {self.CUT} s")
        self.fleet.network.cut(name, self.fleet.databases.primary, one_way=True)
        self.pause_without(name, self.CUT)

    def database_cut(self, record):
        """no network between a node and PostgreSQL"""
        name = self.some_node()
        self.say(record, f"{name}, {self.CUT} s")
        self.fleet.network.cut(name, self.fleet.databases.primary)
        self.pause_without(name, self.CUT)

    def store_cut(self, record):
        """no network between a node and the store"""
        name = self.some_node()
        self.say(record, f"{name}, {self.CUT} s")
        self.fleet.network.cut(name, "store")
        self.pause_without(name, self.CUT)

    def standby_cut(self, record):
        """no network between PostgreSQL's primary and its standby: commits wait"""
        self.say(record, "10 s")
        self.fleet.network.cut(self.fleet.databases.primary, self.fleet.databases.standby)
        self.pause(10)

    def rolling(self, record):
        """one node after the other is stopped by SIGTERM and started again"""
        self.ledger.say(record[0])
        for name in self.dice.sample(NODES, len(NODES)):
            begun = time.monotonic()
            status = self.fleet.nodes[name].terminate()
            stopped = time.monotonic() - begun
            if status != 0:
                self.ledger.refuse("drain", f"{name} ended with {status}:\n{self.fleet.nodes[name].tail(8)}")
            self.fleet.nodes[name].start()
            self.fleet.wait_for(name)
            self.ledger.say(f"{name} drained in {stopped:.1f} s, ready again after {time.monotonic() - begun:.1f} s")
            until(lambda: name in self.fleet.in_service(), f"{name} in the balancer", 30)
