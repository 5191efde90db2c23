"""Clients: phones that upload and try again, and people who look and like."""
import base64, http.client, json, random, threading, time
from urllib.parse import urlsplit
from uuid import uuid4

PATIENCE = 30
LATER = {408, 409, 423, 425, 429, 500, 502, 503, 504}


class Lost(Exception):
    """No answer, or one that says to come again."""

    def __init__(self, what, pause=None):
        super().__init__(what)
        self.pause = pause


class Refused(Exception):
    pass


class GivenUp(Exception):
    """The run is over, and it was in vain; with the last failure."""


class Answer:
    def __init__(self, answer, body):
        self.status, self.fields, self.body = answer.status, answer.headers, body

    @property
    def json(self):
        return json.loads(self.body)


class Client:
    """A program that speaks to the balancer, in a new connection for each request."""

    def __init__(self, fleet, ledger, token=None):
        self.fleet, self.ledger, self.token = fleet, ledger, token
        where = urlsplit(fleet.base)
        self.host, self.port = where.hostname, where.port

    def once(self, kind, method, path, fields=None, body=None, fine=(200, 201, 204)):
        """One request; throws Lost when it may be repeated and Refused when that is useless."""
        path = path.removeprefix(self.fleet.base)
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        begun = time.monotonic()
        self.ledger.under_way[threading.get_ident()] = self.ledger.now
        try:
            fields = {"Accept": "application/json"} | (fields or {})
            if self.token:
                fields.setdefault("Authorization", f"Bearer {self.token}")
            connection.request(method, path, body, fields)
            answer = connection.getresponse()
            answer = Answer(answer, answer.read())
        except (OSError, http.client.HTTPException) as error:
            what = "no answer within 30 s" if isinstance(error, TimeoutError) else type(error).__name__
            self.ledger.error(kind, what, time.monotonic() - begun)
            self.ledger.took(kind, time.monotonic() - begun, what)
            raise Lost(what) from None
        finally:
            self.ledger.under_way.pop(threading.get_ident(), None)
            connection.close()
        self.ledger.took(kind, time.monotonic() - begun, f"{answer.status} of {answer.fields.get('X-Node') or 'the balancer'}")
        if answer.status in fine:
            self.ledger.success(kind)
            return answer
        problem = self.problem(answer)
        self.ledger.error(kind, f"{answer.status} {problem}", time.monotonic() - begun)
        if answer.status in LATER:
            if answer.status == 500:
                self.ledger.note(f"500 of {answer.fields.get('X-Node')} to {method} {path}: {answer.body[:300]!r}")
            pause = answer.fields.get("Retry-After", "")
            raise Lost(f"{answer.status} {problem}", min(5.0, float(pause)) if pause.isdigit() else None)
        raise Refused(f"{method} {path}: {answer.status} {answer.body[:400]!r} of {answer.fields.get('X-Node')}")

    @staticmethod
    def problem(answer):
        try:
            return answer.json["type"].rsplit("/", 1)[-1]
        except (ValueError, KeyError, TypeError, AttributeError):
            return "of the balancer" if not answer.fields.get("X-Node") else "without a problem"

    def get(self, path, **options):
        return self.once("control", "GET", path, **options)


def persist(action, stop):
    """Repeats an action as a phone does, until it succeeds or the run is over."""
    pause = 0.5
    while True:
        try:
            return action()
        except Lost as error:
            if stop.is_set():
                raise GivenUp(str(error)) from None
            stop.wait(error.pause or pause)
            pause = min(pause * 2, 4)


class Worker(threading.Thread):
    """Does something again and again. `stop` ends its beginning new things, `end` also what it has begun."""

    def __init__(self, name, fleet, ledger, stop, end, seed, token=None, pause=0.3):
        super().__init__(name=name, daemon=True)
        self.fleet, self.ledger, self.stop, self.end, self.pause = fleet, ledger, stop, end, pause
        self.dice = random.Random(f"{seed} {name}")
        self.client = Client(fleet, ledger, token)

    def run(self):
        number = 0
        while not self.stop.is_set():
            try:
                self.act(number)
            except Refused as error:
                self.ledger.refuse(self.name, str(error))
            except GivenUp as error:
                self.gave_up(number, str(error))
            except Exception as error:
                self.ledger.refuse(self.name, f"script: {error!r}")
            number += 1
            self.stop.wait(self.pause * self.dice.uniform(0.5, 1.5))

    def gave_up(self, number, why):
        pass


class Phone(Worker):
    """Sends photos, whole or in parts."""

    def __init__(self, *arguments, owner, pictures, **options):
        super().__init__(*arguments, **options)
        self.owner, self.pictures = owner, pictures

    def caption(self, number):
        return f"{self.fleet.tag} {self.name} {number}"

    def gave_up(self, number, why):
        self.ledger.give_up(self.caption(number), why)


class WholePhotos(Phone):
    def act(self, number):
        caption, key = self.caption(number), str(uuid4())
        data, digest = self.pictures.take(number)
        limit = f"fleet{key}"
        parts = [f'--{limit}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode() for name, value in
                 {"caption": caption, "visibility": "public", "services": "mastodon"}.items()]
        parts.append(f'--{limit}\r\nContent-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n'
                     f"Content-Type: image/jpeg\r\n\r\n".encode() + data + f"\r\n--{limit}--\r\n".encode())
        body = b"".join(parts)
        fields = {"Content-Type": f"multipart/form-data; boundary={limit}", "Idempotency-Key": f'"{key}"'}
        answer = persist(lambda: self.client.once("whole photo", "POST", "/v1/photos", fields, body), self.end)
        self.ledger.acknowledge(caption, answer.json["id"], digest, self.owner, key)


class PartedPhotos(Phone):
    PARTS = 5

    def act(self, number):
        caption, key = self.caption(number), str(uuid4())
        data, digest = self.pictures.take(number, 600_000)
        described = {"caption": caption, "visibility": "public", "services": "mastodon", "filename": "photo.jpg"}
        metadata = ",".join(f"{name} {base64.b64encode(value.encode()).decode()}" for name, value in described.items())
        tus = {"Tus-Resumable": "1.0.0"}
        begin = tus | {"Upload-Length": str(len(data)), "Upload-Metadata": metadata, "Idempotency-Key": f'"{key}"'}
        answer = persist(lambda: self.client.once("upload begun", "POST", "/v1/uploads", begin), self.end)
        url, offset, told, answer = answer.fields["Location"], 0, 0, None
        size = -(-len(data) // self.PARTS)
        while offset < len(data):
            part = tus | {"Upload-Offset": str(offset), "Content-Type": "application/offset+octet-stream"}
            try:
                answer = self.client.once("upload part", "PATCH", url, part, data[offset:offset + size])
                offset = int(answer.fields["Upload-Offset"])
                self.fleet.last_part = (answer.fields.get("X-Node"), self.ledger.now, offset < len(data))
            except (Lost, Refused) as error:
                if isinstance(error, Refused) and ": 409 " not in str(error):
                    raise
                answer = None
                self.end.wait(0.7)
                head = persist(lambda: self.client.once("upload offset", "HEAD", url, tus), self.end)
                offset = int(head.fields["Upload-Offset"])
            if offset < told:
                self.ledger.refuse("upload part", f"{url}: {told} bytes were acknowledged, now it goes on at {offset}")
            told = max(told, offset)
            self.stop.wait(self.dice.uniform(0.05, 0.5))
        # All bytes are acknowledged: from here on the photo is Pics' duty, whatever the client does.
        photo = (answer.fields.get("Link") or "") if answer else ""
        if 'rel="item"' in photo:
            photo = photo.split("<")[1].split(">")[0].rsplit("/", 1)[-1]
        else:
            photo = self.made(url)
        self.ledger.acknowledge(caption, photo, digest, self.owner, key)

    def made(self, url):
        """The photo that the upload has become, as a client asks whose last answer was lost."""
        def ask():
            answer = self.client.once("upload state", "GET", url)
            if not answer.json["photo"]:
                self.ledger.error("upload state", f"{answer.json['state']} without a photo")
                raise Lost("no photo yet", 1)
            return answer.json["photo"]
        return persist(ask, self.end)


class Viewer(Worker):
    def shown(self):
        """Some photo as its owner's app sees it; None before the first."""
        photo = self.ledger.choice(self.dice)
        if photo is None:
            return None
        fields = {"Authorization": f"Bearer {self.fleet.tokens[photo['owner']]}"}
        return persist(lambda: self.client.once("photo as JSON", "GET", f"/v1/photos/{photo['id']}", fields), self.stop).json


class Reader(Viewer):
    """Opens pages of photos."""

    def act(self, number):
        if not (shown := self.shown()):
            return
        page = persist(lambda: self.client.once("caption page", "GET", f"/{shown['code']}", {"Accept": "text/html"}), self.stop)
        if shown["caption"] not in page.body.decode():
            self.ledger.refuse("caption page", f"/{shown['code']} lacks the caption")


class Looker(Viewer):
    """Looks at pictures."""

    def act(self, number):
        if not (shown := self.shown()):
            return
        picture = self.dice.choice([one for one in shown["renditions"] if one["media_type"] == "image/jpeg"])
        got = persist(lambda: self.client.once("picture", "GET", picture["url"], {"Accept": "image/*"}), self.stop)
        if got.body[:2] != b"\xff\xd8":
            self.ledger.refuse("picture", f"{picture['url']} begins with {got.body[:8]!r}")


class Liker(Viewer):
    """Likes photos in browsers, whose cookies were there before the trouble."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.visitors = []

    def like(self, code, cookie):
        fields = {"Origin": self.fleet.base, "Content-Type": "application/x-www-form-urlencoded"} | ({"Cookie": cookie} if cookie else {})
        return self.client.once("like", "POST", f"/{code}/like", fields, b"")

    def meet(self, photo, code, count=6):
        """Makes visitors, by a like of theirs."""
        for number in range(count):
            answer = self.like(code, None)
            self.visitors.append(answer.fields["Set-Cookie"].split(";")[0])
            for is_acknowledged in [False, True]:
                self.ledger.like(photo["id"], number, is_acknowledged)

    def act(self, number):
        if not (shown := self.shown()):
            return
        visitor = self.dice.randrange(len(self.visitors))
        self.ledger.like(shown["id"], visitor, False)
        persist(lambda: self.like(shown["code"], self.visitors[visitor]), self.end)
        self.ledger.like(shown["id"], visitor, True)
