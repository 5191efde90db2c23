"""A network of its own: a namespace for each machine, and a switch between them. Nothing of the host's network is touched."""
import ctypes, os, signal, subprocess, time

MACHINES = ["clients", "balancer", "one", "two", "three", "first", "second", "store", "mastodon"]
CLONE_NEWNET = 0x40000000


def run(*words, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if done.returncode:
        raise SystemExit(f"fleet: {' '.join(map(str, words))}: {done.stdout}{done.stderr}")
    return done.stdout


class Network:
    def __init__(self):
        self.tag = f"fleet-{os.getpid()}"
        self.addresses = {name: f"10.78.0.{10 + number}" for number, name in enumerate(MACHINES)}
        self.cuts = []

    def build(self):
        switch = self.place("switch")
        run("ip", "netns", "add", switch)
        run("ip", "-n", switch, "link", "add", "switch", "type", "bridge")
        run("ip", "-n", switch, "link", "set", "switch", "up")
        for name, address in self.addresses.items():
            place = self.place(name)
            run("ip", "netns", "add", place)
            run("ip", "-n", switch, "link", "add", name, "type", "veth", "peer", "name", "eth0", "netns", place)
            run("ip", "-n", switch, "link", "set", name, "master", "switch", "up")
            run("ip", "-n", place, "address", "add", f"{address}/24", "dev", "eth0")
            for device in ["lo", "eth0"]:
                run("ip", "-n", place, "link", "set", device, "up")

    def place(self, name):
        return f"{self.tag}-{name}"

    def enter(self, name):
        """Lets this thread, and those that it starts, speak from the machine."""
        with open(f"/run/netns/{self.place(name)}") as space:
            libc = ctypes.CDLL(None, use_errno=True)
            if libc.setns(space.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")

    def inside(self, name):
        """What a command begins with that runs on the machine."""
        return ["nsenter", f"--net=/run/netns/{self.place(name)}", "--"]

    def forward_to_loopback(self, name, port):
        """Leads a port of the machine to a program that listens on 127.0.0.1 alone."""
        run(*self.inside(name), "sysctl", "-qw", "net.ipv4.conf.eth0.route_localnet=1")
        run(*self.inside(name), "iptables", "-w", "-t", "nat", "-A", "PREROUTING", "-i", "eth0", "-p", "tcp", "--dport", port, "-j", "DNAT",
            "--to-destination", f"127.0.0.1:{port}")

    def cut(self, name, other, one_way=False):
        """Loses what `name` gets from `other`, and unless `one_way` also what it sends there."""
        rules = [["INPUT", "-s", self.addresses[other], "-j", "DROP"]]
        if not one_way:
            rules.append(["OUTPUT", "-d", self.addresses[other], "-j", "DROP"])
        for chain, *rule in rules:
            run(*self.inside(name), "iptables", "-w", "-I", chain, *rule)
            self.cuts.append((name, chain, rule))

    def mend(self):
        for name, chain, rule in self.cuts:
            run(*self.inside(name), "iptables", "-w", "-D", chain, *rule)
        self.cuts = []

    def remove(self):
        """Ends what still runs in these namespaces, and removes them."""
        for name in [*self.addresses, "switch"]:
            place = self.place(name)
            if not os.path.exists(f"/run/netns/{place}"):
                continue
            for process in run("ip", "netns", "pids", place).split():
                # The script itself is one of them.
                if int(process) != os.getpid():
                    try:
                        os.kill(int(process), signal.SIGKILL)
                    except ProcessLookupError:
                        pass
            subprocess.run(["ip", "netns", "del", place], check=False)


def until(condition, what, seconds=60, pause=0.1):
    """Asks again and again; the time it took."""
    begun = time.monotonic()
    while not condition():
        if time.monotonic() - begun > seconds:
            raise TimeoutError(f"waited {seconds} s for {what}")
        time.sleep(pause)
    return time.monotonic() - begun
