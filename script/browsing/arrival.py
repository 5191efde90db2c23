"""From an invitation to a photo at two services, as somebody does it who was never here: on a phone with a slow network, over HTTPS with a
certificate that Pics has got by ACME, at an address that is not loopback. By touch, by keys alone, and without JavaScript."""
import time

from .chromium import Chromium
from .hands import SLOW, Hand
from .network import ADDRESSES, APP_PASSWORD
from .photos import grainy, jpeg, landscape
from .programs import PASSWORD, Pics

WAYS = ["by touch", "by keys", "without scripts"]
# Twelve megapixels, as phones take them.
PHOTO = (4032, 3024)
# Characters a second of somebody who types on a phone (Palin et al., 2019: 36 words a minute).
TYPING = 3


class Arrival:
    def __init__(self, folder, network, pictures):
        folder.mkdir()
        folder.chmod(0o755)
        self.folder, self.network, self.pictures = folder, network, pictures
        self.rows = []
        self.photo = folder / "IMG_0001.jpg"
        self.photo.write_bytes(jpeg(grainy(landscape(3, *PHOTO)), camera=True))
        address = ADDRESSES["photos.test"]
        self.pics = Pics(
            folder, PICS_LISTEN=f"{address}:80", PICS_LISTEN_TLS=f"{address}:443", PICS_TLS_DOMAIN="photos.test",
            PICS_ACME_DIRECTORY="https://acme.test:14000/dir", PICS_ACME_CA_FILE=f"{network.folder}/ca.pem")
        self.pics.said(r"a certificate was issued")
        self.pics.base = self.base = "https://photos.test"

    def stop(self):
        self.pics.stop()

    def run(self):
        """The findings of all ways."""
        found = []
        for number, way in enumerate(WAYS):
            # The browser has nothing of an earlier one.
            chromium = Chromium(self.folder / f"chromium-{number}", environment={"HOME": str(self.network.home), "PATH": "/usr/bin:/bin"})
            chromium.slowed = set()
            try:
                hand = Hand(chromium.tab(width=390), way)
                try:
                    self.walk(hand, f"ann-{number}", number)
                except RuntimeError as error:
                    hand.found.append(str(error))
                    hand.tab.picture(self.pictures / f"{way.replace(' ', '-')}-end.png")
                found += [f"{way}: {line}" for line in hand.found]
            finally:
                chromium.stop()
        self.print_table()
        return found

    def walk(self, hand, name, number):
        link = self.pics.command("user", "invite").split("\n")
        link = next(word for line in link for word in line.split() if "/join?" in word)
        begun = time.monotonic()
        self.times = []

        hand.open(link)
        self.shot(hand, "invitation")
        hand.write("User name", name)
        hand.write("Password", PASSWORD)
        hand.write("Repeat the password", PASSWORD)
        hand.press("button", "Join")
        self.shot(hand, "photos")
        self.note("joined", begun)

        hand.press("link", "Connect an account")
        self.shot(hand, "services")
        hand.press("link", "Connect Mastodon")
        self.shot(hand, "mastodon")
        hand.write("Address of your server", self.network.social)
        hand.press("button", "Connect in the browser")
        self.shot(hand, "leaves")
        hand.press("link", "Continue to Mastodon")
        if self.network.is_real:
            self.agree(hand)
        self.shot(hand, "connected")
        self.note("one account connected, by OAuth", begun)

        hand.press("link", "Connected accounts")
        self.shot(hand, "services-again")
        hand.press("link", "Connect WebDAV")
        self.shot(hand, "webdav")
        (self.network.files / name).mkdir()
        hand.write("Address of your folder", f"https://files.test/{name}")
        hand.write("User name", "ann")
        hand.write("Password", APP_PASSWORD)
        hand.press("button", "Connect")
        self.shot(hand, "webdav-connected")
        self.note("two accounts connected", begun)

        hand.press("link", "New")
        hand.choose("Photos, or a video", str(self.photo))
        hand.write("Caption", "First frost on the jetty")
        self.shot(hand, "new")
        hand.press("button", "Post")
        self.note("posted", begun)
        self.shot(hand, "posted")
        states = self.ended(name)
        self.note("done at both", begun)
        if states != {"file": "done", "mastodon": "done", "webdav": "done"}:
            hand.found.append(f"it ended as {states}")
        if [file.stat().st_size for file in (self.network.files / name).rglob("*.jpg")] == []:
            hand.found.append("there is no photo at WebDAV")
        if hand.way != "without scripts":
            hand.tab.until("document.readyState === 'complete'", "the page")
        self.tell(hand)
        hand.open(f"{self.base}/{self.code(name)}")
        hand.tab.until("document.querySelector('.stage img').naturalWidth > 0", "the photo")
        self.shot(hand, "done")

    def agree(self, hand):
        """Signs in at the social network, and lets Pics post there. Its pages are not ours: no tool looks at them."""
        name = "input[name=username]"
        hand.find("", name)
        self.picture(hand, "social-sign-in")
        for selector, text in [(name, "ann@social.test"), ("input[name=password]", PASSWORD)]:
            node = hand.find("", selector)
            hand.tab_to(node, selector, is_ours=False) if hand.way == "by keys" else hand.tap(node, selector)
            hand.tab.type(text)
            hand.characters += len(text)
        hand.press("", "form .buttons button")
        self.picture(hand, "social-consent")
        hand.press("", "form .buttons button")

    # --- what became of it

    def ended(self, name):
        deadline = time.monotonic() + 180
        while True:
            rows = self.pics.sql(
                f"""SELECT c.service, s.state FROM submissions s JOIN connections c ON c.id = s.connection_id
                    JOIN users u ON u.id = c.owner_id WHERE u.name = '{name}';""").split()
            states = dict(row.split("|") for row in rows)
            if len(states) == 3 and not {"waiting", "running"} & set(states.values()):
                return states
            if time.monotonic() > deadline:
                raise RuntimeError(f"it does not end: {states}")
            time.sleep(0.2)

    def code(self, name):
        return self.pics.sql(
            f"SELECT code FROM short_links l JOIN photos p ON p.id = l.photo_id JOIN users u ON u.id = p.owner_id WHERE u.name = '{name}';"
        ).strip()

    def note(self, what, begun):
        self.times.append((what, time.monotonic() - begun))

    def tell(self, hand):
        """A column of the table."""
        self.rows.append(
            (hand.way, [f"{seconds:.0f} s" for _, seconds in self.times]
             + [f"{hand.characters / TYPING:.0f} s", hand.taps, hand.keys, hand.characters, hand.pages]))

    def print_table(self):
        if not self.rows:
            return
        size = self.photo.stat().st_size
        names = [what for what, _ in self.times] + [
            f"and for typing at {TYPING} characters a second", "taps", "keys", "characters", "pages"]
        print(f"a photo of {size:,} bytes over {SLOW['uploadThroughput'] * 8 // 1024} kbit/s with {SLOW['latency']} ms")
        print(f"{'':<46}" + "".join(f"{way:>18}" for way, _ in self.rows))
        for place, name in enumerate(names):
            print(f"{name:<46}" + "".join(f"{cells[place]:>18}" for _, cells in self.rows), flush=True)

    def shot(self, hand, name):
        hand.look(name)
        self.picture(hand, name)

    def picture(self, hand, name):
        if hand.way != "by keys":
            self.count = getattr(self, "count", 0) + 1
            hand.tab.picture(self.pictures / f"{self.count:02}-{name}.{hand.way.replace(' ', '-')}.png")
