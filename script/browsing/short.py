"""The main journeys of one person on a phone, on a Pics of their own, in a minute or two: what CI runs."""
import re, time

from . import checks, flows
from .chromium import Chromium
from .flows import Flow
from .journey import free_port
from .photos import copies, jpeg, landscape
from .programs import PASSWORD, Fakes, Pics

WIDTH = 390
# More than three pages of one's photos.
PHOTOS = 200
# Where a signed-in admin's pages begin; the others are found by their links.
BEGINNINGS = ["/", "/?q=frost&visibility=public", "/new", "/activity", "/settings", "/status", "/u/admin", "/settings/account", "/offline"]
# Loads until nothing more follows, and gives what stands in the list then.
SCROLL = """
new Promise((done) => {
    const look = () => {
        scrollTo(0, document.body.scrollHeight);
        if (document.querySelector('[data-more] a[rel=next]')) return;
        observer.disconnect();
        done([...document.querySelectorAll('.shots > li > a')].map((link) => link.pathname));
    };
    const observer = new MutationObserver(look);
    observer.observe(document.querySelector('main'), { childList: true, subtree: true });
    look();
})
"""


class Short(Flow):
    """Each step notes what it did not find; one that cannot go on ends all."""

    def __init__(self, folder, pictures):
        folder.mkdir()
        folder.chmod(0o755)
        self.folder, self.pictures, self.port = folder, pictures, free_port()
        self.chromium = self.pics = self.fakes = None
        super().__init__(None, f"http://127.0.0.1:{self.port}")
        self.files = []
        for number in range(3):
            file = folder / f"frost-{number}.jpg"
            file.write_bytes(jpeg(landscape(number, 1200, 800)))
            self.files.append(str(file))

    is_away = False

    def stop(self):
        for each in [self.chromium, self.pics, self.fakes]:
            if each:
                each.stop()

    def run(self):
        for step in [
            self.start, self.sign_in, self.post, self.post_without_scripts, self.scroll, self.photo, self.offline, self.all_pages,
        ]:
            begun = time.monotonic()
            try:
                step()
                self.note_complaints()
            except RuntimeError as error:
                self.found.append(f"{step.__name__}: {error}")
                if self.tab:
                    self.tab.picture(self.pictures / f"{step.__name__}.png")
                return self.found
            print(f"{step.__name__.replace('_', ' ')}: {time.monotonic() - begun:.1f} s", flush=True)
        return self.found

    # --- the steps

    def start(self):
        self.fakes = Fakes()
        self.start_pics()
        self.chromium = Chromium(self.folder / "chromium")
        self.tab = self.chromium.tab(width=WIDTH)

    def start_pics(self):
        self.pics = Pics(self.folder, PICS_LISTEN=f"127.0.0.1:{self.port}")

    def sign_in(self):
        """By the link that the first start has printed."""
        self.tab.open(self.pics.said(r"(http\S+/join\?invitation=\S+)")[1])
        for name in ["new_password", "new_password_again"]:
            self.write(f"[name={name}]", PASSWORD)
        self.press("main form button")
        self.expect(self.tab.evaluate("location.pathname") == "/", "joining does not lead to the photos")
        self.expect(self.tab.evaluate("document.querySelectorAll('.steps li').length") == 3, "there are no first steps")
        self.tab.evaluate("navigator.serviceWorker.ready.then(() => true)")

    def post(self):
        self.pics.api("POST", "/v1/connections", json={
            "service": "mastodon", "fields": {"base_url": self.fakes.addresses["mastodon"], "access_token": "mastodon-token"}})
        self.tab.open(f"{self.base}/new")
        self.tab.choose("[data-new] [name=photo]", self.files[:1])
        self.write("[name=caption]", "Frost, with scripts")
        self.tab.until("[...document.querySelectorAll('[data-count]')].some((each) => each.textContent)", "the text of the account")
        self.send()
        self.arrives("Frost, with scripts", 1)

    def post_without_scripts(self):
        self.without_scripts(True)
        self.tab.open(f"{self.base}/new")
        self.tab.choose("main form [name=photo]", self.files[1:2])
        self.write("[name=caption]", "Frost, without scripts")
        self.press("main form[action='/new'] .actions button:not([name]):not([type])")
        self.without_scripts(False)
        self.arrives("Frost, without scripts", 2)

    def scroll(self):
        made = copies(self.pics, "Frost, with scripts", PHOTOS)
        expected = {f"/{item['code']}" for item in self.pics.api("GET", "/v1/photos?limit=100")["items"]} | made
        self.tab.open(self.base)
        found = self.tab.evaluate(SCROLL)
        self.expect(len(found) == len(set(found)), f"{len(found) - len(set(found))} photos are there twice")
        self.expect(set(found) >= expected and len(found) == PHOTOS + 2, f"{len(found)} photos instead of {PHOTOS + 2}")
        self.without_scripts(True)
        self.tab.open(self.base)
        self.press("[data-more] a[rel=next]")
        second = self.tab.evaluate("document.querySelectorAll('.shots > li').length")
        self.expect(second > 10, f"without scripts the second page has {second} photos")
        self.without_scripts(False)

    def photo(self):
        for runs_scripts in [True, False]:
            tab = self.chromium.tab(width=WIDTH)
            self.found += flows.likes(tab, self.base, self.code, runs_scripts)
        self.tab.open(self.base + self.code)
        self.tab.until("document.querySelector('.stage img').naturalWidth > 0", "the photo")
        self.expect("Mastodon" in self.tab.evaluate("document.body.innerText"), "the page does not tell of Mastodon")
        self.expect(self.tab.evaluate("!!document.querySelector('[data-posts]')"), "its owner has no tools")

    def offline(self):
        """Posted while Pics is away, it is sent once Pics is back."""
        self.tab.until("!!navigator.serviceWorker.controller", "the worker")
        self.pics.process.kill()
        self.pics.process.wait()
        self.is_away = True
        self.tab.open(f"{self.base}/new")
        self.tab.choose("[data-new] [name=photo]", self.files[2:])
        self.write("[name=caption]", "Frost, offline")
        self.send()
        self.tab.until("document.querySelectorAll('[data-outbox] li').length === 1", "the photo that waits")
        self.start_pics()
        self.tab.open(self.base)
        self.tab.until("outbox.all().then((posts) => posts.length === 0)", "the end of the outbox")
        self.note_complaints()
        self.is_away = False
        self.arrives("Frost, offline", 3)

    def all_pages(self):
        """Every kind of page that links lead to, checked by axe-core, light and dark."""
        self.tab.open(f"{self.base}/settings/gallery")
        self.press("form[action='/settings/gallery/open'] button")
        waiting, seen, kinds = [*BEGINNINGS, self.code], set(), 0
        while waiting:
            path = waiting.pop(0)
            kind = re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}|(?<=/connect/)[\w-]+|(?<=/keys/)[\w-]+|\d{4}(-\d\d){0,2}", "*", path)
            if kind in seen:
                continue
            seen.add(kind)
            kinds += 1
            self.tab.look(WIDTH, "light")
            self.tab.open(self.base + path)
            status, _, _ = self.tab.document()
            self.expect(status == 200, f"{path}: {status}")
            if wide := checks.overflow(self.tab):
                self.found.append(f"{path}: scrolls sideways, {wide}")
            self.found += [f"{path}: small target, {line}" for line in checks.small_targets(self.tab)]
            for scheme in ["light", "dark"]:
                self.tab.look(WIDTH, scheme)
                self.found += [f"{path}: axe, {scheme}: {line}" for line in checks.violations(self.tab)]
            self.found += [f"{path}: console: {line}" for line in self.tab.complaints()]
            waiting += self.tab.evaluate(
                """[...document.querySelectorAll('a[href]')].filter((each) => each.origin === location.origin && !each.download)
                    .map((each) => each.pathname)
                    .filter((path) => /^[/](settings|activity|new|status|u|logout)/.test(path)
                        && !/[/](export|tags|day|feed)|[.]/.test(path))""")
        print(f"{kinds} kinds of pages", flush=True)

    # --- parts of steps

    @property
    def code(self):
        """The page of the first photo."""
        return next(f"/{item['code']}" for item in self.items() if item["caption"] == "Frost, with scripts" and item["submissions"])

    def items(self):
        return self.pics.api("GET", "/v1/photos?limit=20")["items"]

    def arrives(self, caption, count):
        """Waits until a post is at the service, and is there once."""
        deadline = time.monotonic() + 120
        while True:
            found = [item for item in self.items() if item["caption"] == caption and item["submissions"]]
            states = [[each["state"] for each in item["submissions"] if each["service"] == "mastodon"] for item in found]
            if states == [["done"]]:
                break
            if time.monotonic() > deadline:
                raise RuntimeError(f"{caption} does not arrive: {states}")
            time.sleep(0.1)
        there = self.fakes.ask("mastodon", "effects")["count"]
        self.expect(there == count, f"the service has {there} posts instead of {count}")

    def write(self, selector, text):
        self.tab.evaluate(f"document.querySelector({selector!r}).focus()")
        self.tab.type(text)

    def press(self, selector):
        self.tab.go(lambda: self.tab.evaluate(f"document.querySelector({selector!r}).click()"))

    def send(self):
        """Presses the button that posts; the page stays, or leads on."""
        self.note_complaints()
        self.tab.evaluate("document.querySelector('[data-new] .actions > button:not([name]):not([type])').click()")

    def without_scripts(self, value):
        self.note_complaints()
        self.tab.call("Emulation.setScriptExecutionDisabled", {"value": value})

    def note_complaints(self):
        if self.tab:
            # The browser says of a server that is away that it is.
            expected = "ERR_CONNECTION_REFUSED" if self.is_away else None
            self.found += [f"console: {line}" for line in self.tab.complaints() if not (expected and expected in line)]
            self.tab.events.clear()
