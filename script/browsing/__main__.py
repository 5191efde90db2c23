"""Walks through Pics; script/browse starts it."""
import argparse, shutil, sys, time
from pathlib import Path

from . import checks, flows
from .apps import Apps
from .arrival import Arrival
from .chromium import Chromium
from .journey import WIDTHS as JOURNEY_WIDTHS
from .journey import Journey
from .network import Network
from .outbox import Outbox
from .owners import Owners
from .pages import pages
from .scroll import Scroll
from .short import Short
from .sheets import contact_sheets
from .site import Site

RESULTS = Path(".build/browse")
SCHEMES = ["light", "dark"]


class Walk:
    def __init__(self, site, chromium, options):
        self.site, self.options, self.chromium = site, options, chromium
        self.widths = [390] if options.quick else [390, 768, 1280]
        self.languages = ["en"] if options.quick else ["en", "ja"]
        self.found: list[tuple[str, str]] = []
        for name in ["html", "pages", "sheets", "journey"]:
            shutil.rmtree(RESULTS / name, ignore_errors=True)
            (RESULTS / name).mkdir(parents=True)

    def note(self, name, lines):
        for line in lines:
            self.found.append((name, line))
            print(f"  {name}: {line}", flush=True)

    def tab(self, who="stranger", language="en"):
        tab = self.chromium.tab(language=language)
        if who != "stranger":
            tab.call("Network.setCookies", {"cookies": getattr(self.site, who).cookies})
        return tab

    def pages(self):
        chosen = [page for page in pages(self.site) if (self.options.only or "") in page.name]
        for language in self.languages:
            tabs = {who: self.tab(who, language) for who in ["stranger", "alice", "admin"]}
            for page in chosen:
                try:
                    self.page(page, tabs[page.who], language)
                except RuntimeError as error:
                    self.note(f"{page.name}.{language}", [str(error)])
        for document, line in checks.markup(RESULTS / "html"):
            self.note(document, [f"markup: {line}"])
        if not self.options.quick:
            self.sheets()
        return len(chosen) * len(self.languages)

    def page(self, page, tab, language):
        name = f"{page.name}.{language}"
        tab.look(self.widths[0], "light")
        tab.open(self.site.base + page.path)
        if page.act:
            tab.go(lambda: tab.evaluate(page.act))
        status, _, text = tab.document()
        if status != page.status:
            self.note(name, [f"{status} instead of {page.status}"])
        (RESULTS / "html" / f"{name}.html").write_text(text)
        self.note(name, checks.microformats(page, text, self.site.base + page.path))
        tab.pictures_come()
        self.note(name, (f"console: {line}" for line in tab.complaints()))
        for width in sorted({*checks.WIDTHS, *self.widths}):
            tab.look(width, "light")
            if wide := checks.overflow(tab):
                self.note(name, [f"scrolls sideways at {width} px, {wide}"])
        tab.look(self.widths[0], "light")
        self.note(name, (f"small target, {line}" for line in checks.small_targets(tab)))
        for scheme in SCHEMES:
            for width in self.widths:
                tab.look(width, scheme)
                if not self.options.quick:
                    tab.pictures_come()
                    tab.picture(RESULTS / "pages" / f"{page.name}.{width}.{scheme}.{language}.png")
                # The widest looks as the narrowest in another language.
                if width == self.widths[0] or (width == self.widths[-1] and language == self.languages[0]):
                    self.note(name, (f"axe, {scheme}, {width} px: {line}" for line in checks.violations(tab)))

    def sheets(self):
        for width in self.widths:
            for scheme in SCHEMES:
                for language in self.languages:
                    # In the order in which they were taken.
                    pictures = sorted(
                        (RESULTS / "pages").glob(f"*.{width}.{scheme}.{language}.png"), key=lambda file: file.stat().st_mtime)
                    contact_sheets(pictures, width, RESULTS / "sheets", f"{width}-{scheme}-{language}")

    def first_view(self):
        path = f"/{self.site.codes['long']}"
        requests, size, beside = checks.first_view(self.tab(), self.site.base + path)
        print(f"first view of a caption page, beside the picture: {requests} requests, {size} bytes", flush=True)
        if requests > checks.MOST_REQUESTS or size > checks.MOST_BYTES:
            self.note("first view", [f"{requests} requests and {size} bytes: {beside}"])

    def flows(self):
        path = f"/{self.site.codes['long']}"
        for runs_scripts in [True, False]:
            name = f"likes {'with' if runs_scripts else 'without'} JavaScript"
            found = self.flow(name, lambda: flows.likes(self.tab(), self.site.base, path, runs_scripts))
            print(f"{name}: {'as expected' if found == [] else 'NOT as expected'}", flush=True)

        self.flow("neighbours", lambda: flows.neighbours(self.tab(), self.site.base, f"/{self.site.codes['portrait']}"))
        self.flow("apps", lambda: Apps(self.chromium, self.tab("admin"), self.site).run())
        self.flow("status", lambda: flows.status_renews_itself(self.tab(), self.site.base))

        def by_keyboard():
            tab = self.tab()
            found, stops = flows.settings_by_keyboard(tab, self.site.base, self.site.connections["mastodon"])
            print(f"settings by keyboard alone: {stops} stops", flush=True)
            return found

        self.flow("keyboard", by_keyboard)

    def outbox(self):
        """Photos that are posted while Pics is away, and whose they are."""
        folder = self.options.folder
        for name, make in [
            ("outbox", lambda: Outbox(folder / "outbox")), ("owners", lambda: Owners(folder / "owners", RESULTS / "outbox")),
        ]:
            outbox = make()
            try:
                found = self.flow(name, outbox.run)
            finally:
                outbox.stop()
            print(f"{name}: {'as expected' if found == [] else 'NOT as expected'}", flush=True)

    def journeys(self):
        """From a fresh start, in each language."""
        for language in self.languages:
            print(f"journey.{language}: {len(self.flow(f'journey.{language}', lambda: self.journey(language)))} findings", flush=True)
        for width in JOURNEY_WIDTHS:
            for language in self.languages:
                pictures = sorted((RESULTS / "journey").glob(f"*.{width}.light.{language}.png"))
                contact_sheets(pictures, width, RESULTS / "sheets", f"journey-{width}-{language}")

    def journey(self, language):
        journey = Journey(self.chromium, self.options.folder / f"journey-{language}", RESULTS / "journey", language)
        try:
            return journey.run()
        finally:
            journey.stop()

    def flow(self, name, run):
        try:
            found = run()
        except RuntimeError as error:
            found = [str(error)]
        self.note(name, found)
        return found


def ended(name, found, begun):
    for line in found:
        print(f"  {line}", flush=True)
    print(f"{name}: {len(found)} findings, {time.monotonic() - begun:.0f} s", flush=True)
    sys.exit(1 if found else 0)


def fresh(name):
    """An empty folder for pictures."""
    folder = RESULTS / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def arrive(folder, peer):
    """From an invitation to a photo at two services."""
    begun = time.monotonic()
    network = arrival = None
    try:
        network = Network(folder, peer)
        print(f"the social network is {'a real server' if network.is_real else 'a fake'}", flush=True)
        arrival = Arrival(folder / "arrival", network, fresh("walk"))
        found = arrival.run()
    finally:
        if arrival:
            arrival.stop()
        if network:
            network.stop()
    ended("the walk", found, begun)


def scroll(folder):
    """A gallery of many photos to its end."""
    begun = time.monotonic()
    walk = Scroll(folder / "scroll")
    try:
        found = walk.run()
    finally:
        walk.stop()
    ended("the gallery", found, begun)


def short(folder):
    """The form for CI."""
    begun = time.monotonic()
    walk = Short(folder / "short", fresh("ci"))
    try:
        found = walk.run()
    finally:
        walk.stop()
    ended("the short walk", found, begun)


def main():
    parser = argparse.ArgumentParser(prog="script/browse")
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only")
    parser.add_argument("--journey", action="store_true")
    parser.add_argument("--outbox", action="store_true")
    parser.add_argument("--ci", action="store_true")
    parser.add_argument("--walk", action="store_true")
    parser.add_argument("--peer")
    parser.add_argument("--scroll", action="store_true")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    if options.ci:
        short(options.folder)
    if options.scroll:
        scroll(options.folder)
    if options.walk:
        arrive(options.folder, options.peer)
    begun = time.monotonic()
    site = chromium = None
    try:
        chromium = Chromium(options.folder / "chromium")
        if options.journey or options.outbox:
            walk = Walk(None, chromium, options)
            if options.journey:
                walk.journeys()
            else:
                walk.outbox()
            sys.exit(1 if walk.found else 0)
        site = Site(options.folder)
        print(f"Pics at {site.base} is full after {time.monotonic() - begun:.0f} s", flush=True)
        walk = Walk(site, chromium, options)
        count = walk.pages()
        walk.first_view()
        walk.flows()
        walk.outbox()
        walk.journeys()
        print(f"{count} pages, {len(walk.found)} findings, {time.monotonic() - begun:.0f} s", flush=True)
        if options.keep:
            input(f"Pics is at {site.base}; Enter stops it. ")
    finally:
        if chromium:
            chromium.stop()
        if site:
            site.stop()
    sys.exit(1 if walk.found else 0)


if __name__ == "__main__":
    main()
