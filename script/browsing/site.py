"""Fills a Pics with what people would have in it: photos of a year, accounts, and some trouble."""
import re, threading, time
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import requests

from .photos import film, jpeg, landscape, transparent_png
from .programs import PASSWORD, Fakes, Person, Pics

LONG = """The lake lay still this morning, and for once nobody had told the geese. We walked from Långbro to the old mill \
(https://example.com/paths/langbro-mill?season=autumn&light=morning), five kilometres by the map and nine by the dog.

At the mill @alice@photos.example had set up a stove, and there was coffee. Somebody said that the water has not been \
this low since 1976; somebody else said that somebody says so every year. 🌫️🦆☕️

#lake #autumn #långbro #朝 — day 325 of 365, and the last of the roll. The long word of the day is \
Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft."""
JAPANESE = """朝の湖はとても静かで、霧がゆっくりと水面を流れていました。遠くの山には初雪。珈琲を飲みながら、ガンの群れを待つ。#朝 #湖 #写真

帰り道、古い水車小屋の前で友だちに会いました。「今年は水が少ないね」と毎年同じことを言っています。"""
ARABIC = """صباح هادئ على البحيرة، والضباب يتحرك ببطء فوق الماء. مشينا من Långbro إلى الطاحونة القديمة، ثم شربنا القهوة مع \
الأصدقاء. https://example.com/مسارات #بحيرة #خريف"""
HOSTILE = "<script>alert(1)</script> \u202eevil\u202c Z" + "\u0351" * 400 + "algo &amp; \"quotes\" " + "w" * 400
ALT = "A lake at dawn with fog over the water; layers of hills behind it, the sun low on the left."
SHORT = [
    "First frost.", "Window seat.", "The 7:14, for once on time.", "Rain, then not.", "Kungsholmen from the bridge #stockholm",
    "", "雪の匂い。", "Long exposure, short patience.", "Blue hour", "After the storm #sea",
]


class Site:
    """A running Pics that is full, and its fakes. `codes` are short links by what they show."""

    def __init__(self, folder):
        self.folder = folder
        self.fakes = Fakes()
        self.pics = Pics(folder, PICS_FRONT="newest")
        self.codes, self.ids, self.connections = {}, {}, {}
        self.let_in()
        self.connect()
        self.post_specials()
        self.post_year()
        self.introduce()
        self.respond()
        self.allow_apps()
        self.make_trouble()
        self.visit()
        self.settle()

    def stop(self):
        self.pics.stop()
        self.fakes.stop()

    @property
    def base(self):
        return self.pics.base

    def let_in(self):
        pics = self.pics
        for name in ["alice", "emil"]:
            pics.command("user", "add", name, "--time-zone", "Europe/Stockholm")
        for name in ["admin", "alice"]:
            pics.command("user", "passwd", name, entered=f"{PASSWORD}\n")
        self.admin, self.alice = Person(pics, "admin"), Person(pics, "alice")
        self.admin.send("/settings/time-zone", {"time_zone": "Asia/Tokyo"})
        self.admin.send("/settings/camera", {"show_camera": "yes"})
        for person in [self.admin, self.alice]:
            person.send("/settings/gallery/open", {"open": "yes"}, page="/settings/gallery")
        invited = self.admin.send("/settings/people/invite", {"name": ""}, page="/settings/people")
        self.invitation = invited.split("<code>")[1].split("</code>")[0].split("/join")[1].replace("&amp;", "&")

    def connect(self):
        address = self.fakes.addresses
        for service, fields in {
            "mastodon": {"access_token": "mastodon-token"},
            "bluesky": {"identifier": "alice.test", "password": "app-pass-word-1234"},
            "webdav": {"username": "alice", "password": "app-password"},
        }.items():
            base = address[service] + ("/dav" if service == "webdav" else "")
            made = self.pics.api("POST", "/v1/connections", json={"service": service, "fields": {"base_url": base, **fields}})
            self.connections[service] = made["id"]
        keys = {"consumer_key": "consumer-key", "consumer_secret": "consumer-secret", "base_url": address["flickr"]}
        self.admin.send("/settings/keys/flickr", keys, page="/settings/keys/flickr")
        made = self.pics.api(
            "POST", "/v1/connections",
            json={"service": "flickr", "fields": keys | {"access_token": "access-token", "access_token_secret": "access-token-secret"}})
        self.connections["flickr"] = made["id"]
        self.connections["file"] = next(
            c["id"] for c in self.pics.api("GET", "/v1/connections")["items"] if c["service"] == "file")

    def post(self, name, data, kind="image/jpeg", **fields):
        fields.setdefault("services", "")
        made = self.pics.api("POST", "/v1/photos", data=fields, files={"photo": (f"{name}.bin", data, kind)})
        self.codes[name], self.ids[name] = made["code"], made["id"]
        return made

    def post_specials(self):
        taken = datetime(2026, 11, 20, 7, 52)
        self.post(
            "long", jpeg(landscape(1, 2400, 1600), taken, camera=True), caption=LONG, alt_text=ALT,
            services="mastodon,flickr,file", album="Lakes & rivers")
        self.post("japanese", jpeg(landscape(2), taken), caption=JAPANESE, alt_text="霧の湖。", services="mastodon")
        self.post("arabic", jpeg(landscape(3), taken), caption=ARABIC, alt_text="بحيرة عند الفجر")
        self.post("portrait", jpeg(landscape(4, 1200, 1800), taken, camera=True), caption="Up.", alt_text="Hills, upright")
        self.post("panorama", jpeg(landscape(5, 3000, 700), taken), caption="All of it #panorama", alt_text="A wide view")
        self.post("small", jpeg(landscape(6, 240, 160)), caption="", alt_text="")
        self.post("transparent", transparent_png(), "image/png", caption="A circle", alt_text="A red circle")
        self.post("hostile", jpeg(landscape(7, 900, 600)), caption=HOSTILE, alt_text=HOSTILE[:300], album="<i>Album</i>")
        self.post("private", jpeg(landscape(8, 900, 600)), caption="Only mine", visibility="private")
        self.post("unlisted", jpeg(landscape(9, 900, 600)), caption="By link only", visibility="unlisted")
        self.post("gone", jpeg(landscape(10, 300, 200)), caption="Soon gone")
        self.pics.api("DELETE", f"/v1/photos/{self.ids['gone']}")
        self.post("video", film(self.folder), "video/mp4", caption="The hills move.", alt_text="A slow pan over hills")
        self.pics.api("PUT", f"/v1/photos/{self.ids['portrait']}/like")
        several = [("photo", (f"{n}.jpg", jpeg(landscape(40 + n, *sides), taken), "image/jpeg"))
                   for n, sides in enumerate([(1500, 1000), (1000, 1500), (1600, 700)])]
        made = self.pics.api(
            "POST", "/v1/photos", files=several, data=[
                ("caption", "Three views of one lake #lake"), ("services", "mastodon"), ("alt_text", "From the shore"),
                ("alt_text", "From the tower"), ("alt_text", "From the air")])
        self.codes["several"], self.ids["several"] = made["code"], made["id"]
        self.post("draft", jpeg(landscape(43, 900, 600)), caption="Not yet", draft="true", album="Every day", services="mastodon")
        later = (datetime.now() + timedelta(days=9)).strftime("%Y-%m-%dT08:00:00Z")
        self.post("scheduled", jpeg(landscape(44, 900, 600)), caption="Next week", scheduled_at=later, services="mastodon")
        made = self.pics.api("POST", "/v1/photos", json={
            "caption": "Posted by the phone itself, with words that are worth a page of their own.",
            "posted": [{"service": "mastodon", "remote_id": "109999", "url": f"{self.fakes.addresses['mastodon']}/@alice/109999"}]})
        self.codes["words"], self.ids["words"] = made["code"], made["id"]

    def post_year(self):
        """More than a page of a gallery, over the days of two years, with days that have none."""
        day = datetime(2026, 11, 19, 14, 30)
        for number in range(64):
            sides = [(900, 600), (600, 900), (800, 800), (1200, 600)][number % 4]
            self.post(
                f"year-{number}", jpeg(landscape(100 + number, *sides), day), caption=SHORT[number % len(SHORT)],
                alt_text="Hills", **({"album": "Every day"} if number % 3 == 0 else {}))
            day -= timedelta(days=[1, 1, 0, 2, 9][number % 5])

    def introduce(self):
        """Who somebody is, and what an album is."""
        self.admin.send(
            "/settings/profile", {
                "display_name": "Ann Lindqvist", "about": "Lakes, trains and frost, mostly before breakfast.\nLångbro, Sweden.",
                "link": "https://ann.example/photos"}, page="/settings/profile")
        self.admin.send("/settings/profile/picture", {"picture": self.codes["portrait"]}, page="/settings/profile")
        self.admin.send(
            "/settings/gallery/album", {"album": "Every day", "about": "One a day, for a year.", "order": "oldest"},
            page="/settings/gallery/album?album=Every%20day")

    def respond(self):
        """Pages of another site that answer a photo; one waits for its owner."""
        target = f"{self.base}/{self.codes['long']}"
        face = jpeg(landscape(60, 300, 300))
        entry = '<div class="h-entry"><a class="{}" href="{}">photo</a><a class="p-author h-card" href="/{}"><img src="/face.jpg" alt="{}"></a><div class="e-content">{}</div></div>'
        pages = {
            "ben": ("u-in-reply-to", "Ben Okafor", "<p>The light at the mill! Was that the <a href='https://example.com/mill'>old wheel</a>?</p><p>We were there in May.</p>"),
            "eve": ("u-in-reply-to", "Eve &lt;b&gt;" + "w" * 60, "&lt;script&gt;alert(1)&lt;/script&gt; \u202eevil " + "long" * 80),
            "cleo": ("u-like-of", "Cleo", ""), "dan": ("u-like-of", "Dan", ""), "fumi": ("u-repost-of", "文", ""),
            "gil": ("u-in-reply-to", "Gil", "Buy cheap lenses"),
        }

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self):
                name = self.path.strip("/")
                kind, person, words = pages.get(name, ("", "", ""))
                body = face if name == "face.jpg" else entry.format(kind, target, name, person, words).encode()
                self.send_response(200)
                self.send_header("Content-Type", "image/jpeg" if name == "face.jpg" else "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for name in pages:
            requests.post(f"{self.base}/webmention", timeout=60, data={
                "source": f"http://127.0.0.1:{server.server_port}/{name}", "target": target}).raise_for_status()
        read = []
        while len(read) < len(pages):
            time.sleep(0.2)
            read = self.pics.api("GET", "/v1/responses")["items"]
        for response in read:
            if response["author"]["name"] != "Gil":
                self.pics.api("PATCH", f"/v1/responses/{response['id']}", json={"state": "shown"})
        self.admin.send("/activity/responses", {"show": "yes", "webmentions": "yes"}, page="/activity/responses")
        # A comment of somebody who is here, and an answer to it.
        self.alice.send(f"/{self.codes['long']}/comments", {"text": "Is that the mill below Långbro?"}, page=f"/{self.codes['long']}")
        said = self.pics.api("GET", "/v1/responses")["items"][0]
        self.pics.api("POST", f"/v1/responses/{said['id']}/reply", json={"text": "It is! We walked there from the station."})
        while not any(response["author"]["picture_url"] for response in read):
            time.sleep(0.2)
            read = self.pics.api("GET", "/v1/responses")["items"]
        # Those whom an account follows, with pictures of the other site.
        address = f"http://127.0.0.1:{server.server_port}"
        for ago, words, extra in [
            (7200, "Frost on the reeds this morning. 12 degrees below, and not a breath of wind.", {"picture": f"{address}/face.jpg"}),
            (5400, LONG, {}), (3600, "<script>alert(1)</script> \u202eevil " + "w" * 90, {}),
            (1800, "The 6:40 over the bridge #trains", {"picture": f"{address}/face.jpg", "reposted_by": "ben"}),
        ]:
            self.fakes.talk("mastodon", text=words, by="ann", ago=ago, **extra)
        self.post("deleted", jpeg(landscape(61, 300, 200)), caption="A mistake")
        self.pics.api("DELETE", f"/v1/photos/{self.ids['deleted']}")

    def register_app(self, redirect, scope, **members):
        """An app that has registered itself, and the address of its request to be let in."""
        answer = requests.post(f"{self.base}/oauth/register", timeout=60, json={
            "client_name": "Quill for Photographers", "client_uri": "https://quill.example/about", "redirect_uris": [redirect],
            "scope": scope, **members})
        answer.raise_for_status()
        app = answer.json()
        query = urlencode({"response_type": "code", "client_id": app["client_id"], "redirect_uri": redirect, "scope": scope, "state": "x"})
        return app, f"/oauth/authorize?{query}"

    def allow_apps(self):
        """Apps that somebody has let in, and some that ask."""
        app, address = self.register_app("https://quill.example/callback", "read write")
        self.apps = {"web": address}
        page = self.admin.open(address)
        asked = re.search(r'name="request" value="([^"]*)"', page)[1].replace("&amp;", "&")
        back = self.admin.session.post(
            f"{self.base}/oauth/authorize", headers={"Accept": "text/html"}, allow_redirects=False, timeout=60, data={
                "request": asked, "decision": "allow", "form_token": re.search(r'name="form_token" value="([^"]+)"', page)[1]})
        code = parse_qs(urlsplit(back.headers["Location"]).query)["code"]
        requests.post(
            f"{self.base}/oauth/token", timeout=60, auth=(app["client_id"], app["client_secret"]), data={
                "grant_type": "authorization_code", "code": code, "redirect_uri": "https://quill.example/callback"}).raise_for_status()
        self.apps["phone"] = self.register_app("quill.app://callback", "write:media", client_name="写真<Quill>" + "w" * 80)[1]
        self.apps["typed"] = self.register_app("urn:ietf:wg:oauth:2.0:oob", "read", client_uri="")[1]
        self.apps["nothing"] = self.register_app("https://quill.example/callback", "follow")[1]

    def visit(self):
        """People and programs that open a page."""
        for agent, count in [("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", 23), ("Googlebot/2.1", 6)]:
            for _ in range(count):
                self.pics.visit(f"/{self.codes['long']}", agent)

    def person(self, name):
        """What the addresses of a user's pages have."""
        page = self.admin.open("/settings/people")
        row = next(row for row in page.split("<li")[1:] if f">{name}<" in row)
        return re.search(r"/settings/people/([0-9a-f-]{36})/delete", row)[1]

    def make_trouble(self):
        """Submissions that failed for good, wait for a login, are tried again, and are held back."""
        refusal = {"fault": "status", "status": 400, "body": '{"error":"InvalidRequest","message":"The picture is too <large>."}'}
        self.fakes.fail("bluesky", "POST /xrpc/com.atproto.repo.uploadBlob", times=3, **refusal)
        for number in range(3):
            self.post(f"refused-{number}", jpeg(landscape(20 + number, 600, 400)), caption="Refused", services="bluesky", visibility="unlisted")
        self.settle()
        self.fakes.fail("flickr", "POST /services/upload/", times=50, fault="status", status=503, retry_after=3600)
        self.post("late", jpeg(landscape(30, 600, 400)), caption="Later", services="flickr", visibility="unlisted")
        self.fakes.fail("bluesky", "POST /xrpc/com.atproto.repo.uploadBlob", times=50, fault="status", status=401)
        self.fakes.fail("bluesky", "POST /xrpc/com.atproto.server.createSession", times=50, fault="status", status=401)
        self.fakes.fail("bluesky", "POST /xrpc/com.atproto.server.refreshSession", times=50, fault="status", status=401)
        self.post("login", jpeg(landscape(31, 600, 400)), caption="Login", services="bluesky", visibility="unlisted")
        self.admin.send(f"/settings/connections/{self.connections['webdav']}/pause", {}, page=f"/settings/connections/{self.connections['webdav']}")
        self.post("held", jpeg(landscape(32, 600, 400)), caption="Held", services="webdav", visibility="unlisted")

    def settle(self, seconds=30):
        """Waits until what can be sent has been, or was tried."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            status = self.pics.api("GET", "/status")
            self.status = status
            if not any(state in ("running",) for state in self.states()):
                return
            time.sleep(0.2)

    def states(self):
        names = ["long", "japanese", "refused-0", "refused-1", "refused-2", "late", "login"]
        for name in names:
            if name not in self.ids:
                continue
            for submission in self.pics.api("GET", f"/v1/photos/{self.ids[name]}/submissions")["items"]:
                untried = submission["state"] == "waiting" and submission["attempts"] == 0
                yield "running" if untried else submission["state"]
