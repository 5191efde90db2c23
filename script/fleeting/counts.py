"""What became of everything that was acknowledged."""
import hashlib, http.client, re, time
from collections import Counter

from .clients import Client, Lost, Refused
from .fleet import NODES
from .network import until
from .store import BUCKET


# They are asked after a failure alone.
RARE = {"control", "upload offset", "upload state"}


class Counts:
    def __init__(self, fleet, ledger, readers):
        self.fleet, self.ledger, self.readers = fleet, ledger, readers
        self.clients = {owner: Client(fleet, ledger, token) for owner, token in fleet.tokens.items()}
        self.failures = []

    def fail(self, text):
        self.failures.append(text)
        print(f"  FAULT  {text}", flush=True)

    def get(self, owner, path, **options):
        """With patience: what is counted is what is there, not how fast it comes."""
        for _ in range(8):
            try:
                return self.clients[owner].get(path, **options)
            except Lost:
                time.sleep(1)
        return self.clients[owner].get(path, **options)

    def wait_for_queue(self, seconds=300):
        """Until no submission waits; the states then."""
        def states():
            rows = self.fleet.databases.sql("SELECT state, count(*) FROM submissions GROUP BY state")
            return dict(row.split("|") for row in rows.splitlines())
        found = {}
        def is_empty():
            nonlocal found
            found = states()
            return not set(found) & {"waiting", "running"}
        try:
            took = until(is_empty, "the queue", seconds, 0.5)
            print(f"the queue was empty {took:.0f} s after the load: {found}")
        except TimeoutError:
            self.fail(f"the queue is not empty after {seconds} s: {found}")
        return found

    def wait_for_pictures(self, quiet=30):
        """Until none is to be made any more, or nobody makes one."""
        count, since = None, time.monotonic()
        while time.monotonic() - since < quiet:
            now = self.fleet.databases.sql("SELECT count(*) FROM photos WHERE processing = 'pending'")
            if now == "0":
                return
            if now != count:
                count, since = now, time.monotonic()
            time.sleep(1)
        print(f"pictures of {count} photos are pending, and in {quiet} s nobody has made one")

    # --- photos

    def listed(self):
        """All photos by caption, as their owners' lists have them."""
        found = {}
        for owner in self.clients:
            path = "/v1/photos?limit=100"
            while path:
                page = self.get(owner, path).json
                for photo in page["items"]:
                    found.setdefault(photo["caption"], []).append(photo)
                path = f"/v1/photos?limit=100&cursor={page['next']}" if page.get("next") else None
        return found

    def photos(self):
        listed = self.listed()
        acknowledged = self.ledger.photos
        found, pending = 0, []
        for caption, photo in acknowledged.items():
            problems = self.look(caption, photo, pending)
            if problems:
                self.fail(f"lost: {caption} ({photo['id']}), acknowledged at {photo['at']:.1f} s: {'; '.join(problems)}")
            else:
                found += 1
        doubled = {caption: [photo["id"] for photo in photos] for caption, photos in listed.items() if len(photos) > 1}
        for caption, photos in doubled.items():
            self.fail(f"doubled: {caption} is {photos}")
        for caption, why in self.ledger.given_up.items():
            self.fail(f"never acknowledged: {caption}, {'which is there' if caption in listed else 'which is not there'}; the last answer was: {why}")
        for caption in pending:
            self.fail(f"its pictures stay pending: {caption} ({acknowledged[caption]['id']}), acknowledged at {acknowledged[caption]['at']:.1f} s")
        print(f"photos: {len(acknowledged)} acknowledged, {found} found (JSON, page, picture at all nodes, original in the bucket), "
              f"{len(acknowledged) - found} lost, {len(doubled)} doubled, {len(pending)} with pictures that are still pending; {len(self.ledger.given_up)} given up by their clients, of which "
              f"{sum(caption in listed for caption in self.ledger.given_up)} are there")
        return listed

    def look(self, caption, photo, pending):
        try:
            shown = self.get(photo["owner"], f"/v1/photos/{photo['id']}").json
            page = self.get(photo["owner"], f"/{shown['code']}", fields={"Accept": "text/html"})
        except Refused as error:
            return [str(error)]
        problems = []
        if shown["sha256"] != photo["sha256"] or shown["caption"] != caption:
            problems.append(f"it has the bytes {shown['sha256']} and the caption {shown['caption']}")
        if caption not in page.body.decode():
            problems.append("its page lacks the caption")
        status, original = self.fleet.store.request("GET", f"/{BUCKET}/blobs/{photo['sha256'][:2]}/{photo['sha256'][2:]}")
        if status == 404:
            status, original = self.fleet.store.request("GET", f"/{BUCKET}/blobs/{photo['sha256'][:2]}/{photo['sha256']}")
        if status != 200 or hashlib.sha256(original).hexdigest() != photo["sha256"]:
            problems.append(f"its original in the bucket: {status}, {len(original)} bytes")
        if shown["processing"] == "pending":
            pending.append(caption)
        elif shown["processing"] != "done":
            problems.append(f"its pictures are {shown['processing']}")
        problems += self.pictures(shown)
        return problems

    def pictures(self, shown):
        """Whether all nodes show one and the same picture, of the size that is told."""
        wanted = next((one for one in shown["renditions"] if one["media_type"] == "image/jpeg"), None)
        if not wanted:
            return ["it has no picture"]
        digests = {}
        for name in NODES:
            connection = http.client.HTTPConnection(self.fleet.network.addresses[name], 8080, timeout=60)
            try:
                connection.request("GET", wanted["url"].removeprefix(self.fleet.base), headers={
                    "Host": self.fleet.base.split("/")[2], "Accept": "image/*"})
                answer = connection.getresponse()
                body = answer.read()
            except OSError as error:
                return [f"its picture at {name}: {error!r}"]
            finally:
                connection.close()
            if answer.status != 200 or (wanted["width"], wanted["height"]) != jpeg_size(body):
                return [f"its picture at {name}: {answer.status}, {jpeg_size(body)}"]
            digests[name] = hashlib.sha256(body).hexdigest()
        return [] if len(set(digests.values())) == 1 else [f"its picture differs: {digests}"]

    # --- posts

    def posts(self, listed):
        texts = Counter(text for post in self.fleet.effects() for text in re.findall(rf"{self.fleet.tag} \S+ \d+", post["text"]))
        acknowledged = self.ledger.photos
        missing = [caption for caption in acknowledged if not texts[caption]]
        doubled = [caption for caption, times in texts.items() if times > 1]
        for caption in missing:
            states = [(one["state"], (one["problem"] or {}).get("code")) for photo in listed.get(caption, []) for one in photo["submissions"]]
            self.fail(f"not posted: {caption} {acknowledged[caption]['id']} {states}")
        for caption in doubled:
            self.fail(f"posted {texts[caption]} times: {caption}")
        unknown = [caption for caption in texts if caption not in listed]
        for caption in unknown:
            self.fail(f"posted, and not there: {caption}")
        print(f"posts: {sum(texts[caption] == 1 for caption in acknowledged)} of {len(acknowledged)} acknowledged photos exactly once, "
              f"{len(missing)} missing, {len(doubled)} doubled, {len(unknown)} of no photo")

    # --- likes

    def likes(self):
        acknowledged = lost = more = 0
        owners = {photo["id"]: photo["owner"] for photo in self.ledger.photos.values()}
        for photo, (attempted, confirmed) in self.ledger.likes.items():
            count = self.get(owners[photo], f"/v1/photos/{photo}").json["likes"]["own"]
            acknowledged += len(confirmed)
            lost += max(0, len(confirmed) - count)
            more += max(0, count - len(attempted))
            if not len(confirmed) <= count <= len(attempted):
                self.fail(f"likes of {photo}: {len(confirmed)} acknowledged of {len(attempted)}, {count} counted")
        rows = int(self.fleet.databases.sql("SELECT count(*) FROM visitor_likes"))
        summed = int(self.fleet.databases.sql("SELECT coalesce(sum(like_count), 0) FROM photos"))
        if rows != summed:
            self.fail(f"likes: {rows} rows, {summed} in the counts")
        print(f"likes: {acknowledged} acknowledged, {lost} lost, {more} too many; {rows} rows, {summed} in the counts")

    # --- events

    def events(self):
        missed, repeated, doubled, seen = [], 0, [], 0
        for reader in self.readers:
            for caption, photo in self.ledger.photos.items():
                if photo["owner"] != reader.owner:
                    continue
                told = reader.done.get(photo["id"], [])
                if not told:
                    missed.append((caption, photo, reader))
                    continue
                seen += 1
                for stream in {one[0] for one in told}:
                    same = [one for one in told if one[0] == stream]
                    if len(same) != len({one[3] for one in same}):
                        doubled.append((caption, same))
                repeated += len({one[0] for one in told}) - 1
        for caption, photo, reader in missed:
            row = self.fleet.databases.sql(
                f"SELECT state, updated_at, now() FROM submissions WHERE photo_id = '{photo['id']}'")
            self.fail(f"event missed: {caption} {photo['id']} {row}; breaks of the stream {[(round(at, 1), why) for at, why, _ in reader.breaks]}")
        for caption, same in doubled:
            self.fail(f"event doubled in one stream: {caption} {[(round(at, 1), node) for _, at, node, _ in same]}")
        print(f"events: {seen} of {len(self.ledger.photos)} photos told as done, {len(missed)} missed, {len(doubled)} twice in one stream, {repeated} "
              f"again after a reconnection; {sum(reader.streams for reader in self.readers)} streams of {len(self.readers)} clients")

    # --- time

    def times(self, begun, ended):
        print(f"\n{'':18}{'successes':>10}{'longest gap':>13}   what was broken then")
        for kind in sorted(self.ledger.successes):
            if kind in RARE:
                continue
            length, start, end = self.ledger.gap(kind, begun, ended)
            broken = self.ledger.broken(start, end)
            print(f"{kind:18}{len(self.ledger.successes[kind]):10}{length:11.1f} s   {broken} ({start:.0f} to {end:.0f} s)")
        print("\nerrors that clients saw, before they tried again")
        for (kind, what, fault), count in sorted(self.ledger.errors.items()):
            if kind != "control":
                print(f"  {kind:16}{count:6}  {what:30}{fault}")

        print("\nthe slowest requests")
        for seconds, kind, at, what in sorted(self.ledger.slow, reverse=True)[:15]:
            print(f"  {kind:16}{seconds:6.1f} s, begun at {at:6.1f} s: {what}; broken: {self.ledger.broken(at, at + seconds)}")

    def gaps_by_fault(self):
        """For each fault, the longest time without a success of every kind."""
        kinds = [kind for kind in sorted(self.ledger.successes) if kind not in RARE]
        print("\nlongest time without a success, for each fault, in seconds")
        print(f"  {'':66}" + "".join(f"{kind[:13]:>14}" for kind in kinds))
        for name, begun, ended in self.ledger.faults:
            gaps = [self.ledger.gap(kind, max(0, begun - 1), (ended or self.ledger.now) + 3)[0] for kind in kinds]
            print(f"  {name[:64]:66}" + "".join(f"{gap:14.1f}" for gap in gaps))


def jpeg_size(data):
    """Width and height in a JPEG's frame header."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        marker, length = data[at + 1], int.from_bytes(data[at + 2:at + 4], "big")
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7:at + 9], "big"), int.from_bytes(data[at + 5:at + 7], "big")
        at += 2 + length
    return None
