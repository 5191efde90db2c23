"""A gallery of many photos, scrolled to its end as a person does it, while new ones arrive."""
import collections, threading, time

from .chromium import Chromium
from .photos import copies, jpeg, landscape
from .programs import PASSWORD, Pics

PHOTOS = 10_000
# Seconds between photos that arrive.
PACE = 3
# The longest that the walk to the end may take.
MOST_SECONDS = 900
# A screen further, once the pictures of this one are there; gives the end of the list, its length, and whether more follow.
STEP = """
new Promise((done) => {
    const isSeen = (image) => {
        const box = image.getBoundingClientRect();
        return box.bottom > 0 && box.top < innerHeight;
    };
    const waiting = [...document.querySelectorAll('.shots img:not([data-there])')].filter((image) => isSeen(image) && !image.complete);
    const next = () => {
        const before = scrollY;
        scrollBy({ top: innerHeight * .9, behavior: 'instant' });
        done([scrollY > before, !!document.querySelector('[data-more] a[rel=next]')]);
    };
    if (waiting.length === 0) return next();
    let left = waiting.length;
    for (const image of waiting) image.onload = image.onerror = () => { if (--left === 0) next(); };
})
"""


class Scroll:
    def __init__(self, folder):
        folder.mkdir()
        folder.chmod(0o755)
        self.folder, self.found, self.arrived = folder, [], 0
        self.photo = jpeg(landscape(5, 1200, 800))
        self.chromium = None
        self.pics = Pics(folder)
        self.pics.command("user", "passwd", "admin", entered=f"{PASSWORD}\n")
        self.ends = threading.Event()

    def stop(self):
        self.ends.set()
        if self.chromium:
            self.chromium.stop()
        self.pics.stop()

    def post(self, caption):
        self.pics.api("POST", "/v1/photos", files={"photo": ("a.jpg", self.photo, "image/jpeg")}, data={"caption": caption, "services": "none"})

    def post_more(self):
        while not self.ends.wait(PACE):
            self.post(f"New {self.arrived}")
            self.arrived += 1

    def run(self):
        self.post("The first")
        expected = copies(self.pics, "The first", PHOTOS - 1)
        expected |= {f"/{item['code']}" for item in self.pics.api("GET", "/v1/photos?limit=100")["items"]}
        self.chromium = Chromium(self.folder / "chromium")
        tab = self.chromium.tab(width=390)
        tab.open(f"{self.pics.base}/login")
        tab.evaluate(
            f"document.querySelector('[name=name]').value = 'admin'; document.querySelector('[name=password]').value = {PASSWORD!r}")
        tab.go(lambda: tab.evaluate("document.querySelector('main form').submit()"))
        tab.open(self.pics.base)
        threading.Thread(target=self.post_more, daemon=True).start()
        begun, screens = time.monotonic(), 0
        counts, sizes, kinds = collections.Counter(), collections.Counter(), {}
        while True:
            moved, more = tab.evaluate(STEP)
            screens += 1
            self.count(tab, counts, sizes, kinds)
            if not moved and not more:
                break
            if time.monotonic() - begun > MOST_SECONDS:
                self.found.append(f"the end does not come within {MOST_SECONDS} s")
                break
        seconds = time.monotonic() - begun
        self.ends.set()
        there = tab.evaluate("[...document.querySelectorAll('.shots > li > a')].map((link) => link.pathname)")
        twice, missing = len(there) - len(set(there)), len(expected - set(there))
        if twice or missing:
            self.found.append(f"{twice} photos are there twice, {missing} are missing")
        self.found += [f"console: {line}" for line in tab.complaints()]
        megabytes = tab.evaluate("performance.memory.usedJSHeapSize") / 1e6
        print(
            f"{len(there)} photos on {screens} screens of 390 px in {seconds:.0f} s, {self.arrived} arrived meanwhile; twice {twice}, missing {missing};"
            f" {tab.evaluate('document.querySelectorAll(`*`).length')} elements, {megabytes:.0f} MB of the script's heap", flush=True)
        for kind in sorted(counts):
            print(f"  {kind}: {counts[kind]} requests, {sizes[kind]:,} bytes, {sizes[kind] / counts[kind]:,.0f} each", flush=True)
        print(f"  together: {sum(counts.values())} requests, {sum(sizes.values()):,} bytes", flush=True)
        return self.found

    @staticmethod
    def count(tab, counts, sizes, kinds):
        """Takes what the network has done since, and forgets it."""
        kept = []
        for event in tab.events:
            facts = event["params"]
            if event["method"] == "Network.responseReceived":
                kinds[facts["requestId"]] = facts["type"]
            elif event["method"] == "Network.loadingFinished":
                kind = kinds.pop(facts["requestId"], "Other")
                counts[kind] += 1
                sizes[kind] += facts["encodedDataLength"]
            elif not event["method"].startswith("Network."):
                kept.append(event)
        tab.events[:] = kept
