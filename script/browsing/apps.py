"""An app that asks to be let in: where a browser goes from the page, whatever the app's address is."""
import http.server, threading
from urllib.parse import parse_qs, urlencode, urlsplit

import requests

from .flows import Flow

ALLOW = "document.querySelector('[name=decision][value=allow]')"


class AppServer:
    """A web app of another origin, which notes what comes back."""

    def __init__(self):
        self.came = came = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path != "/favicon.ico":
                    came.append((self.path, self.headers.get("Referer")))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!DOCTYPE html><title>App</title>")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.port = self.server.server_address[1]

    def codes(self):
        return [code for path, _ in self.came for code in parse_qs(urlsplit(path).query).get("code", [])]

    def stop(self):
        self.server.shutdown()


class Apps(Flow):
    def __init__(self, chromium, tab, site):
        super().__init__(tab, site.base)
        self.chromium, self.site, self.server = chromium, site, AppServer()
        # A line end that a field of a form would change.
        self.state = "a b&c\n%é"

    def run(self):
        try:
            # Another site, and another port of this one.
            for host in ["localhost", "127.0.0.1"]:
                self.leads_back(f"http://{host}:{self.server.port}/callback")
            self.leads_to_an_app("icecubesapp://")
            self.allowed_twice()
            self.in_a_window_of_its_own()
        finally:
            self.server.stop()
        return self.found

    def ask(self, redirect):
        """The app's secret, and the address that it sends a person to."""
        app, address = self.site.register_app(redirect, "read", token_endpoint_auth_method="client_secret_post")
        return app, f"{self.base}{address.replace('&state=x', '')}&{urlencode({'state': self.state})}"

    def works(self, app, redirect, code):
        answer = requests.post(f"{self.base}/oauth/token", timeout=60, data={
            "client_id": app["client_id"], "client_secret": app["client_secret"], "grant_type": "authorization_code",
            "code": code, "redirect_uri": redirect})
        return answer.ok

    def leads_back(self, redirect):
        self.server.came.clear()
        app, address = self.ask(redirect)
        self.tab.open(address)
        self.tab.go(lambda: self.tab.evaluate(f"{ALLOW}.click()"))
        self.expect(self.tab.evaluate("location.href").startswith(f"{redirect}?code="), f"{redirect} is not reached")
        came = [(parse_qs(urlsplit(path).query), referer) for path, referer in self.server.came]
        self.expect(len(came) == 1, f"{redirect} was asked {len(came)} times")
        if came:
            query, referer = came[0]
            self.expect(query.get("state") == [self.state], f"another state came back: {query.get('state')}")
            self.expect(not referer, f"the app learns where the person was: {referer}")
        # Back to the page, which the browser has kept or asks for anew; nothing is sent twice.
        self.tab.evaluate("history.back()")
        self.tab.until(f"!!{ALLOW}", "the page, going back")
        codes = self.server.codes()
        self.expect(len(codes) == 1 and self.works(app, redirect, codes[0]), f"{redirect}: the code is not good: {codes}")

    def leads_to_an_app(self, redirect):
        """No program of this machine opens it; the browser has to try."""
        _, address = self.ask(redirect)
        self.tab.open(address)
        self.tab.events.clear()
        self.tab.evaluate(f"{ALLOW}.click()")

        def led():
            return [
                event["params"]["headers"].get("location", event["params"]["headers"].get("Location", ""))
                for event in self.tab.events if event["method"] == "Network.responseReceivedExtraInfo"
                and event["params"]["statusCode"] == 303]

        self.tab.wait(led, "the way to the app")
        self.expect(led()[0].startswith(f"{redirect}?code="), f"the browser is sent to {led()}")
        self.expect(not [line for line in self.tab.complaints() if "policy" in line.lower()], f"{self.tab.complaints()}")

    def allowed_twice(self):
        """A double click lets the app in once."""
        self.server.came.clear()
        redirect = f"http://localhost:{self.server.port}/callback"
        app, address = self.ask(redirect)
        self.tab.open(address)
        box = self.tab.evaluate(f"(() => {{ const box = {ALLOW}.getBoundingClientRect(); return [box.x + 9, box.y + 9]; }})()")

        def press():
            for count in [1, 2]:
                for kind in ["mousePressed", "mouseReleased"]:
                    self.tab.call("Input.dispatchMouseEvent", {
                        "type": kind, "x": box[0], "y": box[1], "button": "left", "clickCount": count})

        self.tab.go(press)
        self.tab.until("location.pathname === '/callback'", "the app")
        codes = self.server.codes()
        self.expect(codes != [] and self.works(app, redirect, codes[-1]), f"after a double click the code is not good: {codes}")

    def in_a_window_of_its_own(self):
        """An app may wait for its window: it stays its own."""
        redirect = f"http://localhost:{self.server.port}/callback"
        _, address = self.ask(redirect)
        self.tab.open(f"http://localhost:{self.server.port}/app")
        self.tab.evaluate(f"void (window.popup = window.open({address!r}, 'login', 'width=400,height=700'))")
        found = []

        def opened():
            targets = self.chromium.call("Target.getTargets")["targetInfos"]
            found[:] = [target for target in targets if target["type"] == "page" and target["url"].startswith(f"{self.base}/oauth/")]
            return found

        self.tab.until("!window.popup.closed", "the window")
        while not opened():
            self.tab.evaluate("new Promise(done => setTimeout(done, 50))")
        popup = self.tab.attached(found[0]["targetId"])
        popup.until(f"!!{ALLOW}", "the page")
        popup.evaluate(f"{ALLOW}.click()")
        popup.until("location.pathname === '/callback'", "the app's page in the window")
        self.expect(popup.evaluate("!!window.opener"), "the window does not know who has opened it")
        self.expect(not self.tab.evaluate("window.popup.closed"), "who has opened the window believes it closed")
        popup.evaluate("window.close()")
