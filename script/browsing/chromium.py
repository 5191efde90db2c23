"""Chromium, headless, by its DevTools protocol."""
import base64, itertools, json, shutil, subprocess, time
from pathlib import Path

import websocket

SCREENSHOT_HEIGHT = 3000
# Seconds for anything to happen, also where others use the processors.
PATIENCE = 120


class Chromium:
    """A running Chromium; `tab` opens pages in it."""

    def __init__(self, folder: Path, *further, environment=None):
        program = shutil.which("chromium")
        if not program:
            raise SystemExit("browse: there is no chromium")
        options = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-sandbox",
            "--force-color-profile=srgb", "--font-render-hinting=none", "--remote-debugging-port=0",
            "--remote-allow-origins=*", f"--user-data-dir={folder}", *further,
        ]
        # Of a browser that ran there before.
        port_file = folder / "DevToolsActivePort"
        port_file.unlink(missing_ok=True)
        self.log = open(folder.with_suffix(".log"), "ab")
        self.process = subprocess.Popen([program, *options], stdout=self.log, stderr=self.log, env=environment)
        deadline = time.monotonic() + 60
        while not port_file.exists() or "\n" not in port_file.read_text():
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit("browse: chromium did not start")
            time.sleep(0.05)
        port, path = port_file.read_text().split("\n")[:2]
        self.socket = websocket.create_connection(f"ws://127.0.0.1:{port}{path}", timeout=PATIENCE)
        self.numbers = itertools.count(1)
        self.events: dict[str | None, list] = {}

    def call(self, method, parameters=None, session=None):
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters or {}}
        if session:
            message["sessionId"] = session
        self.socket.send(json.dumps(message))
        while True:
            answer = self.read()
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def read(self):
        """The next message; an event is kept for its session too."""
        try:
            message = json.loads(self.socket.recv())
        except websocket.WebSocketTimeoutException:
            raise RuntimeError("the browser does not answer") from None
        if "method" in message:
            self.events.setdefault(message.get("sessionId"), []).append(message)
        return message

    def tab(self, keeps=False, **options):
        """A tab with cookies of its own, or with those that the browser keeps in its folder."""
        context = {} if keeps else self.call("Target.createBrowserContext")
        target = self.call("Target.createTarget", {"url": "about:blank", **context})["targetId"]
        session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        return Tab(self, session, **options)

    def close(self):
        """Closes it as a person does: what it keeps is on the disk."""
        self.call("Browser.close")
        self.process.wait(30)
        self.log.close()

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.log.close()


class Tab:
    """One page at a time, as wide, bright and foreign as it is told to be."""

    def __init__(self, chromium, session, language="en", width=1440, scheme="light"):
        self.chromium, self.session = chromium, session
        for domain in ["Page", "Runtime", "Network", "Log", "Audits"]:
            self.call(f"{domain}.enable")
        # Where a page has the focus, it looks as in a window that is in front.
        self.call("Emulation.setFocusEmulationEnabled", {"enabled": True})
        self.speak(language)
        self.look(width, scheme)

    def call(self, method, parameters=None):
        return self.chromium.call(method, parameters, self.session)

    def attached(self, target):
        """A window that a page of this one has opened."""
        session = self.chromium.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        return Tab(self.chromium, session)

    @property
    def events(self):
        return self.chromium.events.setdefault(self.session, [])

    def speak(self, language):
        self.call("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": language}})

    def look(self, width, scheme, height=None):
        height = height or (780 if width < 700 else 1000)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 700}
        self.call("Emulation.setDeviceMetricsOverride", size)
        features = [
            {"name": "prefers-color-scheme", "value": scheme}, {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.call("Emulation.setEmulatedMedia", {"media": "screen", "features": features})

    def evaluate(self, script):
        answer = self.call(
            "Runtime.evaluate", {"expression": script, "awaitPromise": True, "returnByValue": True, "userGesture": True})
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{script[:80]}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def choose(self, selector, files):
        """Chooses files for an input."""
        found = self.call("Runtime.evaluate", {"expression": f"document.querySelector({json.dumps(selector)})"})["result"]
        self.call("DOM.setFileInputFiles", {"objectId": found["objectId"], "files": files})

    # --- going somewhere

    def open(self, url):
        """Opens an address; what was told of other pages is forgotten."""
        self.go(lambda: self.call("Page.navigate", {"url": url}))

    def go(self, act):
        """Does what leads to another page, and waits until that is there."""
        self.events.clear()
        act()
        self.wait(self.has_come, "a page")

    def has_come(self):
        """Whether another document has come, with all that it loads."""
        names = [
            event["method"] for event in self.events
            if event["method"] != "Page.frameNavigated" or "parentId" not in event["params"]["frame"]
        ]
        return "Page.frameNavigated" in names and "Page.loadEventFired" in names[names.index("Page.frameNavigated") :]

    def wait(self, holds, what, seconds=PATIENCE):
        deadline = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > deadline:
                raise RuntimeError(f"{what} did not come")
            self.chromium.read()

    def until(self, holds, what, seconds=PATIENCE):
        """Waits until a script says yes, also across pages."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                if self.evaluate(holds):
                    return
            except RuntimeError:
                # The page was just left.
                pass
            if time.monotonic() > deadline:
                raise RuntimeError(f"{what} did not come: {self.evaluate('location.href')}")
            time.sleep(0.1)

    # --- what it has

    def document(self):
        """The last document that came: its status and its text as it was sent."""
        answers = [event["params"] for event in self.events if event["method"] == "Network.responseReceived"]
        document = [answer for answer in answers if answer["type"] == "Document"][-1]
        body = self.call("Network.getResponseBody", {"requestId": document["requestId"]})
        text = base64.b64decode(body["body"]).decode() if body["base64Encoded"] else body["body"]
        return document["response"]["status"], document["response"]["headers"], text

    def complaints(self):
        """What the console, the policy and the browser's own checks have said."""
        self.evaluate("1")
        found = []
        for event in self.events:
            facts = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(facts["exceptionDetails"]["text"])
            elif event["method"] == "Runtime.consoleAPICalled" and facts["type"] in ("error", "warning"):
                found.append(str([value.get("value") for value in facts["args"]]))
            elif event["method"] == "Log.entryAdded" and facts["entry"]["level"] in ("error", "warning"):
                entry = facts["entry"]
                # That a page is a problem, its status says.
                if not (entry["source"] == "network" and "status of" in entry["text"]
                        and entry.get("url") == self.evaluate("location.href")):
                    found.append(entry["text"])
            elif event["method"] == "Audits.issueAdded" and "ContentSecurityPolicy" in facts["issue"]["code"]:
                found.append(f"policy: {facts['issue']['details']}")
        return found

    def pictures_come(self):
        """Has pictures that load late load now, and waits for all."""
        self.evaluate(
            """
            Promise.race([Promise.all([...document.images].map(image => {
                image.loading = 'eager';
                return image.complete ? 0 : new Promise(done => image.onload = image.onerror = done);
            })).then(() => document.fonts.ready).then(() => 0), new Promise(done => setTimeout(done, 15000))])
            """)

    def picture(self, path):
        """Keeps what the page looks like, down to `SCREENSHOT_HEIGHT`, as a PNG."""
        box = self.call("Page.getLayoutMetrics")["cssContentSize"]
        width = self.evaluate("innerWidth")
        clip = {"x": 0, "y": 0, "width": width, "height": min(box["height"], SCREENSHOT_HEIGHT), "scale": 1}
        shot = self.call("Page.captureScreenshot", {"format": "png", "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True})
        path.write_bytes(base64.b64decode(shot["data"]))

    # --- the keyboard

    def press(self, key, shift=False):
        code, number, text = {
            "Tab": ("Tab", 9, ""), "Enter": ("Enter", 13, "\r"), " ": ("Space", 32, " "), "ArrowDown": ("ArrowDown", 40, ""),
            "ArrowLeft": ("ArrowLeft", 37, ""), "ArrowRight": ("ArrowRight", 39, ""),
        }[key]
        facts = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": 8 if shift else 0}
        self.call("Input.dispatchKeyEvent", {"type": "keyDown" if text else "rawKeyDown", "text": text, **facts})
        self.call("Input.dispatchKeyEvent", {"type": "keyUp", **facts})

    def type(self, text):
        self.call("Input.insertText", {"text": text})
