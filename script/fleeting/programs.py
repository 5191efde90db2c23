"""The programs of the fleet, each on a machine, with its log in a file."""
import os, re, shutil, signal, subprocess
from pathlib import Path

from .network import run, until


class Program:
    """A process that is started, killed and started again."""

    def __init__(self, network, machine, name, words, folder, environment=None, user=None):
        self.machine, self.name, self.log = machine, name, folder / f"{name}.log"
        become = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups", "--"] if user else []
        self.words = [str(word) for word in [*network.inside(machine), *become, *words]]
        self.environment = {"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"} | {key: str(value) for key, value in (environment or {}).items()}
        self.process, self.is_wanted = None, False

    def start(self):
        self.is_wanted = True
        with open(self.log, "ab") as log:
            # A group of its own: Ctrl-C is for the script, which then ends all.
            self.process = subprocess.Popen(
                self.words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=self.environment, cwd="/", start_new_session=True)
        return self

    @property
    def runs(self):
        return self.process is not None and self.process.poll() is None

    @property
    def has_failed(self):
        """Whether it has ended although nobody has ended it."""
        return self.is_wanted and self.process is not None and self.process.poll() is not None

    def kill(self):
        self.is_wanted = False
        if self.runs:
            self.process.kill()
            self.process.wait()

    def kill_all(self):
        """The process and all its children, as a machine that loses its power."""
        self.is_wanted = False
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        for process in [self.process.pid, *map(int, children)]:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()

    def terminate(self, seconds=90):
        """SIGTERM; its exit status, None when it had to be killed."""
        self.is_wanted = False
        if self.process is None:
            return None
        self.process.terminate()
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def tail(self, lines=20):
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    def said(self, pattern, seconds=60):
        """Waits until its log has a line with `pattern`."""
        def looks():
            if self.has_failed:
                raise SystemExit(f"fleet: {self.name} ended early:\n{self.tail()}")
            return re.search(pattern, self.log.read_text(errors="replace"))
        until(looks, f"{self.name} to say {pattern}", seconds)


class Databases:
    """PostgreSQL with a standby that has every commit before it is confirmed."""

    def __init__(self, network, folder):
        self.network, self.folder = network, folder / "postgres"
        self.bin = Path(max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name)))
        self.primary, self.standby = "first", "second"
        self.folder.mkdir()
        shutil.chown(self.folder, "postgres", "postgres")
        self.servers = {
            name: Program(
                network, name, f"postgres-{name}", [self.bin / "postgres", "-D", self.folder / name, "-k", "", "-h", "0.0.0.0"], folder,
                user="postgres")
            for name in ["first", "second"]
        }

    @property
    def address(self):
        hosts = ",".join(self.network.addresses[name] for name in ["first", "second"])
        return f"postgresql://pics@{hosts}/pics?target_session_attrs=read-write"

    def tool(self, machine, name, *words):
        return run(
            *self.network.inside(machine), "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--", self.bin / name, *words,
            cwd="/")

    def sql(self, statement, machine=None, seconds=20):
        machine = machine or self.primary
        return run(
            *self.network.inside(machine), "timeout", seconds, "psql", "-XqAt", "-v", "ON_ERROR_STOP=1", "-h", self.network.addresses[machine],
            "-U", "postgres", "pics", "-c", statement).strip()

    def start(self):
        self.tool("first", "initdb", "-D", self.folder / "first", "-U", "postgres", "-A", "trust", "--no-sync")
        with open(self.folder / "first/pg_hba.conf", "a") as rules:
            rules.write("host all all 10.78.0.0/24 trust\nhost replication all 10.78.0.0/24 trust\n")
        with open(self.folder / "first/postgresql.conf", "a") as settings:
            # A sender that hears nothing of its standby gives up soon; the log tells of waiting commits.
            settings.write("shared_buffers=64MB\nmax_connections=150\nlog_lock_waits=on\nwal_keep_size=256MB\n")
        self.servers["first"].start()
        self.wait_for("first")
        address = self.network.addresses["first"]
        for statement in ["CREATE ROLE pics LOGIN", "CREATE DATABASE pics OWNER pics"]:
            run(*self.network.inside("first"), "psql", "-Xq", "-h", address, "-U", "postgres", "postgres", "-c", statement)
        self.sql("GRANT pg_monitor TO pics")
        self.add_standby()

    def wait_for(self, name):
        until(
            lambda: self.servers[name].runs and self.is_ready(name), f"PostgreSQL of {name}:\n{self.servers[name].tail()}", 60)

    def is_ready(self, name):
        return subprocess.run([*self.network.inside(name), self.bin / "pg_isready", "-q", "-h", self.network.addresses[name]]).returncode == 0

    def add_standby(self):
        """A copy of the primary on the other machine, which from now on confirms every commit."""
        folder = self.folder / self.standby
        shutil.rmtree(folder, ignore_errors=True)
        self.tool(
            self.standby, "pg_basebackup", "-h", self.network.addresses[self.primary], "-U", "postgres", "-D", folder, "-R", "-X", "stream", "-c",
            "fast")
        self.servers[self.standby].start()
        self.wait_for(self.standby)
        self.sql("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.sql("SELECT pg_reload_conf()")
        until(lambda: "sync" in self.sql("SELECT sync_state FROM pg_stat_replication"), "the standby to be synchronous")

    def kill_primary(self):
        self.servers[self.primary].kill_all()

    def promote(self):
        self.primary, self.standby = self.standby, self.primary
        with open(self.folder / self.primary / "postgresql.auto.conf", "a") as settings:
            # It has none yet that could confirm.
            settings.write("synchronous_standby_names = ''\n")
        self.tool(self.primary, "pg_ctl", "-D", self.folder / self.primary, "-w", "promote")
        self.sql("SELECT pg_reload_conf()")

    def stop(self):
        for server in self.servers.values():
            if server.process is not None:
                server.kill_all()
