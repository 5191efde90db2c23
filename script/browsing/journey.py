"""From a fresh start: two accounts are connected, a photo is posted into their albums, and they are let go again."""
import json, socket, subprocess, time

import requests

from .flows import Flow
from .photos import jpeg, landscape
from .programs import PASSWORD, Fakes, Pics

WIDTHS = [390, 1280]
CAPTION = "First frost on the jetty #lake"


class Journey(Flow):
    """A Pics that nobody has used yet, fakes, and a browser; each step leaves pictures in `pictures`."""

    def __init__(self, chromium, folder, pictures, language):
        folder.mkdir()
        folder.chmod(0o755)
        self.folder, self.pictures, self.language = folder, pictures, language
        self.fakes = Fakes()
        self.pics = None
        try:
            # Another site than the fakes': a browser comes back with the cookies that it sends across sites, and no others.
            port = free_port()
            self.pics = Pics(folder, PICS_LISTEN=f"127.0.0.1:{port}", PICS_BASE_URL=f"http://localhost:{port}")
            super().__init__(chromium.tab(language=language, width=WIDTHS[0]), f"http://localhost:{port}")
        except BaseException:
            self.stop()
            raise
        self.count = 0

    def stop(self):
        if self.pics:
            self.pics.stop()
        self.fakes.stop()

    def run(self):
        self.sign_in()
        self.passkey()
        photos = self.connect("flickr", {"consumer_key": "consumer-key", "consumer_secret": "consumer-secret"})
        files = self.connect("dropbox", {"client_id": "client-id", "client_secret": "client-secret"})
        self.choose_album(photos)
        self.make_album(files)
        self.post_with_curl()
        token = self.good_token()
        self.expect(token, "no token of the account is good at Dropbox")
        self.disconnect(files, "dropbox")
        self.expect(self.asked("dropbox")[-1] == ("POST /2/auth/token/revoke", 200), "Dropbox was not told of the end")
        self.expect(not self.is_good(token), "the token is still good at Dropbox")
        self.expect(not self.good_token(), "another token is still good at Dropbox")
        self.disconnect(photos, "flickr")
        return self.found

    # --- the steps

    def sign_in(self):
        self.pics.command("user", "passwd", "admin", entered=f"{PASSWORD}\n")
        self.open("/settings/connections")
        self.at("/login?next=%2Fsettings%2Fconnections")
        self.picture("sign-in")
        self.fill("/login", name="admin", password=PASSWORD)
        self.at("/settings/connections")
        self.picture("nothing-connected")

    def passkey(self):
        """An authenticator of Chromium's own gets a passkey, and signs in with it."""
        self.tab.call("WebAuthn.enable")
        self.tab.call("WebAuthn.addVirtualAuthenticator", {"options": {
            "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True,
        }})
        self.open("/settings/security")
        self.follow("/settings/passkeys")
        self.picture("no-passkeys")
        self.fill("/settings/passkeys", name="Phone")
        self.at("/settings/passkeys?done=added")
        self.picture("passkey-added")
        self.go(lambda: self.click('form[action="/logout"] button'))
        # Whether the browser offers the passkey by itself, or waits for the button, is its own choice.
        self.tab.open(self.base + "/login?next=%2Fsettings%2Fconnections")
        self.tab.evaluate("document.querySelector('[data-passkey] button')?.click()")
        self.wait_for(
            lambda: self.tab.evaluate("location.pathname") == "/settings/connections", "the passkey does not sign in")
        self.tab.call("WebAuthn.disable")

    def connect(self, service, keys):
        """The path of the new account."""
        self.open("/settings/connections")
        self.follow(f"/settings/connections/connect/{service}")
        self.picture(f"{service}-keys-are-missing")
        self.follow(f"/settings/keys/{service}")
        self.fill(f"/settings/keys/{service}", **keys, base_url=self.fakes.addresses[service])
        self.picture(f"{service}-keys-are-kept")
        self.open(f"/settings/connections/connect/{service}")
        self.picture(f"{service}-begin")
        self.fill(f"/settings/connections/connect/{service}/browser")
        self.picture(f"{service}-leads-away")
        # The fake agrees at once.
        self.go(lambda: self.click("a.button[rel=noreferrer]"))
        path, query = self.tab.evaluate("[location.pathname, location.search]")
        self.expect(path.startswith("/settings/connections/") and query == "?done=connected", f"at {path}{query}")
        self.picture(f"{service}-connected")
        return path

    def choose_album(self, account):
        self.open(account)
        self.follow(f"{account}/albums")
        self.picture("albums")
        self.tab.evaluate(
            "[...document.querySelectorAll('label.choice')].find(each => each.innerText.trim() === 'Lakes').click()")
        self.fill(f"{account}/albums")
        self.at(f"{account}?done=album")
        self.picture("album-chosen")

    def make_album(self, account):
        self.open(f"{account}/albums")
        self.fill(f"{account}/albums/new", name="Harbour")
        self.at(f"{account}?done=album")
        self.picture("album-made")

    def post_with_curl(self):
        self.open("/settings/tokens")
        self.fill("/settings/tokens", name="curl")
        token = self.tab.evaluate("document.querySelector('.shown code').textContent")
        photo = self.folder / "frost.jpg"
        photo.write_bytes(jpeg(landscape(12, 1800, 1200)))
        posted = subprocess.run(
            ["curl", "--silent", "--show-error", "--fail-with-body", "--header", f"Authorization: Bearer {token}", "--form",
             f"photo=@{photo}", "--form", f"caption={CAPTION}", "--form", "alt_text=Hills", f"{self.base}/v1/photos"],
            capture_output=True, text=True, check=True)
        code = json.loads(posted.stdout)["code"]
        self.wait_for(
            lambda: all(self.counts(service) == 1 == len(self.albums(service)) for service in ["flickr", "dropbox"]),
            "the photo has not arrived in the albums")
        self.expect(self.albums("flickr") == ["Lakes"], f"at Flickr it lies in {self.albums('flickr')}")
        self.expect(self.albums("dropbox") == ["Harbour"], f"at Dropbox it lies in {self.albums('dropbox')}")
        words = self.fakes.ask("flickr", "effects")["posts"][0]["text"]
        self.expect(words == CAPTION, f"at Flickr it says {words!r}")
        # A file without a shared link is its owner's alone: the page tells of Flickr.
        self.wait_for(lambda: self.is_told_on(f"/{code}", "Flickr"), "the page does not tell of Flickr")
        self.picture("posted")

    def disconnect(self, account, service):
        self.open(account)
        self.follow(f"{account}/disconnect")
        self.picture(f"{service}-disconnect")
        self.fill(f"{account}/disconnect")
        done = "disconnected-and-revoked" if service == "dropbox" else "disconnected"
        self.at(f"/settings/connections?done={done}")
        self.picture(f"{service}-disconnected")
        before = len(self.asked(service))
        posted = self.pics.api(
            "POST", "/v1/photos", data={"caption": "After"}, files={"photo": ("after.jpg", jpeg(landscape(13, 600, 400)), "image/jpeg")})
        self.expect(service not in [each["service"] for each in posted["submissions"]], f"{service} still gets photos")
        self.expect(len(self.asked(service)) == before, f"{service} is still asked")

    # --- the fakes

    def counts(self, service):
        return self.fakes.ask(service, "effects")["count"]

    def albums(self, service):
        return self.fakes.ask(service, "albums")

    def asked(self, service):
        return [(request["route"], request["status"]) for request in self.fakes.ask(service, "requests")]

    def good_token(self):
        """The access token that the fake lets in; it numbers them."""
        names = [f"dropbox-access-{number}" for number in range(1, 10)]
        return next((token for token in names if self.is_good(token)), None)

    def is_good(self, token):
        answer = requests.post(
            f"{self.fakes.addresses['dropbox']}/2/users/get_current_account", headers={"Authorization": f"Bearer {token}"},
            timeout=30)
        return answer.status_code == 200

    def is_told_on(self, path, name):
        self.open(path)
        return self.tab.evaluate(f"document.body.innerText.includes({name!r})")

    def wait_for(self, holds, what, seconds=60):
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                raise RuntimeError(what)
            time.sleep(0.1)

    # --- the browser

    def open(self, path):
        self.note_complaints()
        self.tab.open(self.base + path)

    def go(self, act):
        self.note_complaints()
        self.tab.go(act)

    def note_complaints(self):
        for line in self.tab.complaints():
            self.expect(False, f"console: {line}")

    def click(self, selector):
        self.tab.evaluate(f"document.querySelector({selector!r}).click()")

    def follow(self, path):
        """Clicks the link that leads to a page."""
        self.go(lambda: self.click(f'main a[href="{path}"]'))

    def fill(self, action, **values):
        """Types into the form with this action, and sends it with its button."""
        form = f'form[action="{action}"]'
        for name, value in values.items():
            self.tab.evaluate(f"""document.querySelector('{form} [name="{name}"]').select()""")
            self.tab.type(value)
        self.go(lambda: self.click(f"{form} button"))

    def at(self, path):
        here = self.tab.evaluate("location.pathname + location.search")
        self.expect(here == path, f"expected to be at {path}, is at {here}")

    def picture(self, name):
        self.count += 1
        for width in WIDTHS:
            self.tab.look(width, "light")
            self.tab.pictures_come()
            self.tab.picture(self.pictures / f"{self.count:02}-{name}.{width}.light.{self.language}.png")
        self.tab.look(WIDTHS[0], "light")


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]
