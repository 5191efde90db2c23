"""What clients have seen, for the counts in the end."""
import threading, time
from collections import Counter, defaultdict


class Ledger:
    def __init__(self):
        self.lock = threading.Lock()
        self.begun = time.monotonic()
        self.successes = defaultdict(list)
        self.slow = []
        self.errors = Counter()
        self.photos = {}
        self.given_up = {}
        # Requests that have no answer yet, by thread with their begin.
        self.under_way = {}
        self.refused = []
        self.likes = defaultdict(lambda: (set(), set()))
        self.faults = []
        self.notes = []

    @property
    def now(self):
        return time.monotonic() - self.begun

    def success(self, kind):
        with self.lock:
            self.successes[kind].append(self.now)

    def took(self, kind, seconds, what):
        """What a request took, whether it succeeded or not; `what` says which node answered and how."""
        with self.lock:
            self.slow.append((seconds, kind, self.now - seconds, what))
            if len(self.slow) > 1000:
                self.slow = sorted(self.slow, reverse=True)[:40]

    def error(self, kind, what, seconds=0):
        """A failure that a client saw, after so many seconds; with the fault that was there when the request began, or came then."""
        now = self.now
        faults = [name for name, start, end in self.faults if start < now and (end or now) > now - seconds - 0.5]
        with self.lock:
            self.errors[(kind, what, faults[0] if faults else "nothing")] += 1

    def acknowledge(self, caption, photo, digest, owner, key):
        with self.lock:
            self.photos[caption] = {"id": photo, "sha256": digest, "owner": owner, "key": key, "at": self.now}

    def give_up(self, caption, why):
        with self.lock:
            self.given_up[caption] = why

    def refuse(self, kind, text):
        with self.lock:
            self.refused.append((round(self.now, 1), kind, text))
        self.say(f"refused: {kind} {text}")

    def like(self, photo, visitor, is_acknowledged):
        with self.lock:
            self.likes[photo][1 if is_acknowledged else 0].add(visitor)

    def say(self, text):
        print(f"{self.now:7.1f} s  {text}", flush=True)

    def note(self, text):
        with self.lock:
            self.notes.append((round(self.now, 1), text))
        self.say(text)

    def choice(self, dice):
        """Some acknowledged photo; None before the first."""
        with self.lock:
            return dice.choice(list(self.photos.values())) if self.photos else None

    def gap(self, kind, begun, ended):
        """The longest time without a success: its length, begin and end."""
        times = [begun, *sorted(at for at in self.successes[kind] if begun <= at <= ended), ended]
        return max(((after - before, before, after) for before, after in zip(times, times[1:])), default=(0, 0, 0))

    def broken(self, begun, ended):
        """The faults of that time, in words."""
        names = Counter(name for name, start, end in self.faults if start < ended and (end or self.now) > begun)
        return ", ".join(name if times == 1 else f"{times} times {name}" for name, times in names.items()) or "nothing"
