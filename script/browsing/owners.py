"""Whose the photos are that wait in a browser which several people use, and which other sites want to fill."""
import http.server, json, threading

from . import checks
from .outbox import Outbox
from .programs import PASSWORD

# Sends a form to the share target as soon as it is opened: a page of another site, which says where it is, or does not.
FOREIGN = """<!DOCTYPE html><meta name="referrer" content="%s">
<form method="post" action="%s/share" enctype="multipart/form-data"><input type="file" name="photo"><input name="text" value="foreign"></form>
<script>
const chosen = new DataTransfer();
chosen.items.add(new File(["foreign"], "foreign.jpg", { type: "image/jpeg" }));
document.forms[0].elements.photo.files = chosen.files;
document.forms[0].submit();
</script>"""


class Owners(Outbox):
    """Two people take turns at one browser."""

    def __init__(self, folder, pictures):
        super().__init__(folder)
        self.pictures = pictures
        pictures.mkdir(parents=True, exist_ok=True)
        base = self.base

        class Foreign(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                policy = "no-referrer" if self.path == "/quiet" else "unsafe-url"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write((FOREIGN % (policy, base)).encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        # Another site than 127.0.0.1.
        self.foreign = f"http://localhost:{self.server.server_address[1]}"

    def stop(self):
        self.server.shutdown()
        super().stop()

    def run(self):
        self.start_pics()
        self.pics.command("user", "add", "ben", "--time-zone", "Europe/Stockholm")
        for name in ["admin", "ben"]:
            self.pics.command("user", "passwd", name, entered=f"{PASSWORD}\n")
        self.open_browser()
        for step in [self.nobodys, self.another_persons, self.of_older_versions, self.foreign_shares, self.shares_are_bounded]:
            try:
                step()
            except RuntimeError as error:
                self.tab.picture(self.pictures / f"{step.__name__}.png")
                self.found.append(f"{step.__name__}: {error}")
                return self.found
        return self.found

    # --- the steps

    def nobodys(self):
        """What is written while nobody is signed in is nobody's until a person posts it."""
        self.become("admin")
        self.sign_out()
        self.tab.open(f"{self.base}/offline")
        self.expect(self.tab.evaluate("outbox.user()") is None, "the browser knows who has signed out")

        self.kill_pics()
        self.write_offline(0, "nobody's")
        self.tab.until("location.pathname === '/login'", "the way to sign in")
        self.until_listed("[data-unowned]", ["nobody's"])
        self.expect(self.is_shown("[data-nobody]") and not self.is_shown("[data-known]"), "the page says that it is sent")
        self.look("nobody.offline")

        self.start_pics()
        self.become("ben")
        self.expect(self.captions("ben") == [], "what nobody has written was posted as who signed in next")
        self.until_listed("[data-unowned]", ["nobody's"])
        self.expect(not self.is_shown("[data-outbox]"), "it is shown among their own")
        self.expect("Post as ben" in self.tab.evaluate("document.querySelector('[data-unowned]').innerText"), "it does not say as whom")
        self.look("nobody.signed-in")

        self.tab.go(lambda: self.tab.evaluate("document.querySelector('[data-unowned] [data-claim]').click()"))
        self.until_chosen(1)
        self.expect_untouched("nobody's")
        self.look("nobody.new")
        self.press_post()
        self.expect_photos_of("ben", ["nobody's"])
        self.expect(self.captions("admin") == [], "it was posted as somebody else")

    def another_persons(self):
        """A person's posts and drafts are neither listed for the next person, nor opened, nor sent; they wait for their owner."""
        self.become("ben")
        self.begin_share(1, "a draft of ben's")
        draft = self.tab.evaluate("location.search")
        self.kill_pics()
        self.write_offline(2, "ben's")
        self.until_listed("[data-outbox]", ["a draft of ben's", "ben's"])
        self.expect(self.is_shown("[data-known]") and not self.is_shown("[data-nobody]"), "the page does not say whose it is")
        self.look("known.offline")
        self.start_pics()
        # Before a page of ben's sends it.
        self.become("admin")
        self.expect(self.kept() == ["a draft of ben's", "ben's"], "something of ben's is gone")
        for section in ["[data-outbox]", "[data-unowned]"]:
            self.expect(not self.is_shown(section), "ben's photos are shown to another person")
        waiting = self.tab.evaluate("outbox.all().then((posts) => posts.find(({ state }) => state === 'waiting').key)")
        for query in [draft, f"?draft={waiting}"]:
            self.tab.open(f"{self.base}/new{query}")
            self.ask_server()
            opened = self.tab.evaluate("document.querySelectorAll('[data-chosen] li').length")
            self.expect(opened == 0, "ben's photo is opened by another person")
        self.expect(self.tab.evaluate(f"outbox.get({waiting!r}).then(({{ state }}) => state)") == "waiting", "ben's post waits no more")
        self.expect(self.captions("admin") == [], "ben's post was sent as another person")

        self.sign_out()
        self.become("ben")
        self.expect_photos_of("ben", ["ben's", "nobody's"])
        self.until_listed("[data-outbox]", ["a draft of ben's"])
        self.look("shared")
        self.clear()

    def of_older_versions(self):
        """Posts without an owner, as older versions kept them, wait for a person."""
        self.become("ben")
        self.put({"key": "a", "user": None, "state": "waiting", "caption": "of null"})
        self.put({"key": "b", "state": "waiting", "caption": "of undefined"})
        self.put({"key": "c", "user": None, "state": "draft", "caption": "an old draft"})
        # Of a post that may have been sent.
        self.put({"key": "d", "user": None, "state": "unknown", "caption": "unknown"})
        before = self.captions("ben")
        self.send_waiting()
        self.expect(self.captions("ben") == before, "an old post was sent by itself")
        self.until_listed("[data-unowned]", ["of null", "of undefined", "an old draft", "unknown"])
        self.look("older")
        for _ in range(4):
            self.expect(self.is_shown("[data-unowned] [data-claim]"), "it cannot be posted")
            left = len(self.kept())
            self.tab.evaluate("document.querySelector('[data-unowned] [data-discard]').click()")
            self.tab.until(f"document.querySelectorAll('[data-unowned] li').length === {left - 1}", "the removal")

    def foreign_shares(self):
        """A form of another site is not kept where the browser tells, and never goes up by itself."""
        self.become("ben")
        self.tab.open(f"{self.foreign}/loud")
        self.tab.until("location.pathname === '/new'", "the page of the share")
        self.expect(self.tab.evaluate("location.search") == "?share=again", "a form that says that it is foreign is kept")
        self.expect(self.kept() == [], "a form that says that it is foreign is on the device")

        self.tab.open(f"{self.foreign}/quiet")
        self.until_chosen(1)
        self.expect_untouched("foreign")
        # A person goes on with it.
        self.tab.evaluate("document.querySelector('[name=caption]').focus()")
        self.tab.type("!")
        self.wait_uploads()
        self.clear()

    def shares_are_bounded(self):
        """The newest 20 shared drafts stay, of a bounded size together, for 7 days; what a person has written stays."""
        self.become("ben")
        for number in range(22):
            self.put({"key": f"shared-{number}", "user": "ben", "shared": True, "state": "draft", "caption": f"{number}", "age": 23 - number})
        self.put({"key": "old", "user": "ben", "shared": True, "state": "draft", "caption": "a week ago", "age": 7 * 24 * 3600 * 1000 + 1})
        self.put({"key": "written", "user": "ben", "state": "draft", "caption": "written", "age": 30 * 24 * 3600 * 1000})
        self.tab.open(self.base)
        self.until_listed("[data-outbox]", ["written", *(f"{number}" for number in range(2, 22))])
        self.begin_share(0, "the newest")
        self.expect(self.kept() == sorted(["written", "the newest", *(f"{number}" for number in range(3, 22))]), f"kept are {self.kept()}")
        size = self.tab.evaluate("outbox.all().then((posts) => posts.at(-1).files[0].size)")
        self.tab.evaluate(f"outbox.keepShared(null, {size + 5})")
        self.expect(self.kept() == ["21", "the newest", "written"], f"kept are {self.kept()}")
        self.clear()

    # --- parts of steps

    def become(self, name):
        """Ends the session, without a word to the browser, signs in, and has the page send what it may."""
        self.pics.sql("DELETE FROM sessions")
        self.sign_in(name)
        self.send_waiting()

    def send_waiting(self):
        self.tab.open(self.base)
        # The page is loaded anew once something is sent.
        self.tab.until("outbox.send().then(() => true)", "the end of sending")
        self.tab.open(self.base)

    def sign_out(self):
        self.tab.open(f"{self.base}/settings")
        self.tab.go(lambda: self.tab.evaluate("document.querySelector('form[action=\"/logout\"] button').click()"))

    def write_offline(self, number, caption):
        """Writes a post as a person without the network does."""
        self.open_new()
        self.tab.choose("[data-new] [name=photo]", [self.files[number]])
        self.tab.evaluate(f"document.querySelector('[name=caption]').value = {caption!r}")
        self.press_post()

    def press_post(self):
        self.tab.go(lambda: self.tab.evaluate("document.querySelector('[data-new] > .actions button:not([name])').click()"))

    def put(self, facts):
        """Puts a post into the outbox, as an older version or another app has left it; `age` in milliseconds."""
        self.tab.evaluate(
            """(({ caption, age = 0, ...post }) => outbox.put({ ...post, at: Date.now() - age, fields: [["caption", caption]],
                files: [new File(["12345"], "a.jpg", { type: "image/jpeg" })] }))(%s)""" % json.dumps(facts))

    def clear(self):
        self.tab.evaluate("outbox.all().then((posts) => Promise.all(posts.map(({ key }) => outbox.remove(key))))")

    def kept(self):
        return sorted(self.tab.evaluate(
            "outbox.all().then((posts) => posts.map(({ fields }) => fields.find(([name]) => name === 'caption')[1]))"))

    def captions(self, name):
        """Of the photos of a user."""
        return self.pics.sql(
            f"SELECT caption FROM photos p JOIN users u ON u.id = p.owner_id WHERE u.name = '{name}' ORDER BY caption").split("\n")[:-1]

    def expect_photos_of(self, name, captions):
        self.tab.until("outbox.all().then((posts) => posts.every(({ state }) => state === 'draft'))", "the end of the outbox")
        self.expect(self.captions(name) == captions, f"{name} has {self.captions(name)}")

    def is_shown(self, selector):
        return self.tab.evaluate(f"Boolean(document.querySelector({selector!r})?.checkVisibility())")

    def until_listed(self, section, captions):
        listed = f"[...document.querySelectorAll('{section} li [data-caption]')].map((each) => each.textContent).sort().join()"
        self.tab.until(f"{listed} === {','.join(sorted(captions))!r}", f"the list of {captions} in {section}")

    def until_chosen(self, count):
        self.tab.until(f"document.querySelectorAll('[data-chosen] li').length === {count}", "the photos of the draft")

    def ask_server(self):
        """As much time as a page needs to ask the server for something thrice."""
        self.tab.evaluate("(async () => { for (let time = 0; time < 3; time++) await fetch('/new/session'); })()")

    def uploads(self):
        return [event["params"]["request"]["url"] for event in self.tab.events
                if event["method"] == "Network.requestWillBeSent" and "/new/uploads" in event["params"]["request"]["url"]]

    def wait_uploads(self):
        self.tab.wait(self.uploads, "the upload")

    def expect_untouched(self, caption):
        """Nothing of a draft that the page has opened is sent before a person does something."""
        self.tab.until(f"document.querySelector('[name=caption]').value === {caption!r}", "the caption")
        self.ask_server()
        self.tab.evaluate("1")
        self.expect(self.uploads() == [], "files go up before a person has done anything")

    def look(self, name):
        self.tab.picture(self.pictures / f"{name}.390.png")
        self.found += [f"{name}: axe: {line}" for line in checks.violations(self.tab)]
        if wide := checks.overflow(self.tab):
            self.found.append(f"{name}: scrolls sideways, {wide}")
