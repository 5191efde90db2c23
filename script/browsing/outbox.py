"""Photos that are posted without a server: they wait in the browser, and arrive later, once each."""
import hashlib, random, subprocess, time

from .chromium import Chromium
from .flows import Flow
from .journey import free_port
from .photos import jpeg, landscape
from .programs import PASSWORD, Pics


class Outbox(Flow):
    """A Pics of its own that is killed and started again, and a browser that is closed and opened again."""

    def __init__(self, folder):
        folder.mkdir()
        folder.chmod(0o755)
        self.folder, self.port = folder, free_port()
        self.files = []
        for number in range(5):
            file = folder / f"photo-{number}.jpg"
            file.write_bytes(jpeg(landscape(number)))
            self.files.append(str(file))
        self.chromium = self.pics = None
        super().__init__(None, f"http://127.0.0.1:{self.port}")

    def stop(self):
        if self.chromium:
            self.chromium.stop()
        if self.pics:
            self.pics.stop()

    def run(self):
        self.start_pics()
        self.pics.command("user", "passwd", "admin", entered=f"{PASSWORD}\n")
        self.open_browser()
        self.sign_in()

        self.kill_pics()
        for number in range(3):
            self.share(number)
        self.close_browser()
        self.start_pics()
        self.open_browser()
        self.tab.open(self.base)
        self.expect_photos(["shared 0", "shared 1", "shared 2"])

        # Pics is killed while the outbox sends.
        self.kill_pics()
        for number in range(5):
            self.post_offline(number)
        for sent in range(1, 4):
            self.start_pics()
            self.tab.open(self.base)
            self.pics.line(r"photo stored")
            self.kill_pics()
        self.start_pics()
        self.tab.open(self.base)
        self.expect_photos([*(f"shared {number}" for number in range(3)), *(f"posted {number}" for number in range(5))])
        self.post_film()
        return self.found

    # --- the steps

    def post_film(self):
        """A film of 30 MB goes on where it broke off, each time that Pics is killed in its midst."""
        film = self.folder / "film.mp4"
        subprocess.run(
            ["ffmpeg", "-loglevel", "error", "-f", "lavfi", "-i", "color=gray:s=1280x720:r=25,noise=alls=100:allf=t", "-t", "12",
             "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "22M", "-minrate", "20M", "-bufsize", "22M", "-pix_fmt", "yuv420p",
             str(film)], check=True)
        size = film.stat().st_size
        self.expect(size > 25_000_000, f"the film has {size} bytes only")
        self.kill_pics()
        self.open_new()
        self.tab.choose("[data-new] [name=photo]", [str(film)])
        self.tab.evaluate("document.querySelector('[name=caption]').value = 'a film'")
        self.send()
        cuts = sorted(random.sample(range(size // 100, size - size // 100), 10))
        uploads = self.folder / "data/blobs/uploads"
        begun = 0
        for cut in cuts:
            self.start_pics()
            self.tab.open(self.base)
            deadline = time.monotonic() + 60
            while max((file.stat().st_size for file in uploads.iterdir()), default=0) < cut:
                if time.monotonic() > deadline:
                    raise RuntimeError(f"the upload does not come to {cut} of {size} bytes")
                time.sleep(0.002)
            self.kill_pics()
            begun += sum("upload begun" in line for line in self.pics.log)
        self.start_pics()
        self.tab.open(self.base)
        self.tab.until("outbox.all().then((posts) => posts.length === 0)", "the end of the film")
        begun += sum("upload begun" in line for line in self.pics.log)
        self.expect(begun == 1, f"the film was begun {begun} times")
        items = [item for item in self.pics.api("GET", "/v1/photos?limit=100")["items"] if item["caption"] == "a film"]
        digest = hashlib.sha256(film.read_bytes()).hexdigest()
        self.expect([item["sha256"] for item in items] == [digest], "the film is not there once, as it was")

    def start_pics(self):
        self.pics = Pics(self.folder, PICS_LISTEN=f"127.0.0.1:{self.port}")

    def kill_pics(self):
        self.pics.process.kill()
        self.pics.process.wait()

    def open_browser(self):
        self.chromium = Chromium(self.folder / "chromium")
        self.tab = self.chromium.tab(keeps=True, width=390)

    def close_browser(self):
        self.chromium.close()

    def sign_in(self, name="admin"):
        self.tab.open(f"{self.base}/login")
        self.tab.evaluate(
            f"document.querySelector('[name=name]').value = {name!r}; document.querySelector('[name=password]').value = {PASSWORD!r}")
        self.tab.go(lambda: self.tab.evaluate("document.querySelector('main form').submit()"))
        self.tab.evaluate("navigator.serviceWorker.ready.then(() => true)")

    def share(self, number):
        self.begin_share(number, f"shared {number}")
        self.send()

    def begin_share(self, number, text):
        """As another app does it: the browser sends a form to the share target."""
        self.tab.open(f"{self.base}/?{number}")
        self.tab.evaluate(
            """
            (() => {
                const form = document.createElement("form");
                Object.assign(form, { id: "share", method: "post", action: "/share", enctype: "multipart/form-data" });
                for (const [type, name] of [["file", "photo"], ["text", "text"]]) {
                    form.append(Object.assign(document.createElement("input"), { type, name }));
                }
                document.body.append(form);
            })()
            """)
        self.tab.choose("#share [name=photo]", [self.files[number]])
        self.tab.evaluate(f"document.querySelector('#share [name=text]').value = {text!r}")
        self.tab.go(lambda: self.tab.evaluate("document.querySelector('#share').submit()"))
        self.tab.until("document.querySelectorAll('[data-chosen] li').length === 1", "the shared photo")
        self.expect(self.tab.evaluate("document.querySelector('[name=caption]').value") == text, "its text is lost")

    def post_offline(self, number):
        self.open_new()
        self.tab.choose("[data-new] [name=photo]", [self.files[number]])
        self.tab.evaluate(f"document.querySelector('[name=caption]').value = 'posted {number}'")
        self.send()

    def open_new(self):
        """Opens the page where photos are posted, also while the page before is loaded anew, since it has sent something."""
        while True:
            self.tab.open(f"{self.base}/new")
            self.tab.until("document.readyState === 'complete'", "the page")
            if self.tab.evaluate("location.pathname === '/new'"):
                return

    def send(self):
        before = self.tab.evaluate("outbox.all().then((posts) => posts.filter((post) => post.state === 'waiting').length)")
        self.tab.go(lambda: self.tab.evaluate("document.querySelector('[data-new] > .actions button:not([name])').click()"))
        self.tab.until("location.pathname === '/'", "the page of what waits")
        self.tab.until(f"document.querySelectorAll('[data-outbox] li').length === {before + 1}", "the photo that waits")

    def expect_photos(self, captions):
        self.tab.until("outbox.all().then((posts) => posts.length === 0)", "the end of the outbox")
        items = self.pics.api("GET", "/v1/photos?limit=100")["items"]
        found = sorted(item["caption"] for item in items)
        self.expect(found == sorted(captions), f"expected {sorted(captions)}, found {found}")
