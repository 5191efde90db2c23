"""Three ways in which a person uses a page: by touch, by keys alone, and by touch where no script runs. What is pressed or written into
is found by its role and name, as a screen reader tells them; pages of others by a selector."""
import time

from . import checks

# `latency` is in milliseconds, the rest in bytes per second: a slow 3G.
SLOW = {"offline": False, "latency": 200, "downloadThroughput": 400 * 1024 // 8, "uploadThroughput": 400 * 1024 // 8}
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": True}


class Hand:
    """Counts what a person does. `shot` is called with each page that has come."""

    def __init__(self, tab, way):
        self.tab, self.way = tab, way
        self.taps = self.keys = self.characters = self.pages = 0
        self.found: list[str] = []
        tab.call("Emulation.setDeviceMetricsOverride", PHONE)
        tab.call("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
        tab.call("Network.emulateNetworkConditions", SLOW)
        for domain in ["Accessibility", "DOM"]:
            tab.call(f"{domain}.enable")
        if way == "without scripts":
            tab.call("Emulation.setScriptExecutionDisabled", {"value": True})

    # --- what a person does

    def open(self, url):
        self.taps += 1
        self.tab.open(url)
        self.slow_worker()
        self.pages += 1

    def press(self, role, name):
        """Presses a link or button that leads to another page."""
        self.tab.go(lambda: self.act(role, name))
        self.slow_worker()
        self.pages += 1

    def act(self, role, name):
        """Presses what leads nowhere."""
        node = self.find(role, name)
        if self.way == "by keys":
            self.tab_to(node, name)
            self.key("Enter" if role != "checkbox" else " ")
        else:
            self.tap(node, name)

    def write(self, name, text):
        """Writes into a field."""
        node = self.find("textbox", name)
        if self.way == "by keys":
            self.tab_to(node, name)
        else:
            self.tap(node, name)
        self.tab.type(text)
        self.characters += len(text)

    def choose(self, name, file):
        """Chooses a file: the button, the photo, and the word that ends it."""
        node = self.find("button", name)
        if self.way == "by keys":
            self.tab_to(node, name)
            self.keys += 3
        else:
            self.taps += 3
        self.tab.call("DOM.setFileInputFiles", {"backendNodeId": node, "files": [file]})

    # --- how

    def find(self, role, name):
        """The node with this role and name; where `role` is nothing, `name` is a selector. It may be a moment before it is there."""
        deadline = time.monotonic() + 30
        while True:
            if role == "":
                found = self.tab.call("Runtime.evaluate", {"expression": f"document.querySelector({name!r})"})["result"]
                if "objectId" in found:
                    return self.tab.call("DOM.describeNode", {"objectId": found["objectId"]})["node"]["backendNodeId"]
            else:
                root = self.tab.call("DOM.getDocument", {"depth": 0})["root"]["nodeId"]
                nodes = self.tab.call("Accessibility.queryAXTree", {"nodeId": root, "role": role})["nodes"]
                named = [node for node in nodes if not node["ignored"] and self.is_named(node, name)]
                if named:
                    return named[0]["backendDOMNodeId"]
            if time.monotonic() > deadline:
                names = [] if role == "" else [node.get("name", {}).get("value") for node in nodes]
                raise RuntimeError(f"no {role} {name} at {self.tab.evaluate('location.href')}, but {names}")
            time.sleep(0.1)

    @staticmethod
    def is_named(node, name):
        value = node.get("name", {}).get("value", "").strip()
        return value.startswith(name) and not value[len(name) :][:1].isalnum()

    def tap(self, node, name):
        self.tab.call("DOM.scrollIntoViewIfNeeded", {"backendNodeId": node})
        # Under the bar at the lower edge nothing is tapped.
        box = self.tab.call("DOM.getBoxModel", {"backendNodeId": node})["model"]["border"]
        if max(box[1::2]) > PHONE["height"] - 70:
            self.tab.evaluate(f"scrollBy({{ top: {max(box[1::2]) - PHONE['height'] / 2}, behavior: 'instant' }})")
            box = self.tab.call("DOM.getBoxModel", {"backendNodeId": node})["model"]["border"]
        point = {"x": sum(box[0::2]) / 4, "y": sum(box[1::2]) / 4}
        self.tab.call("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
        self.tab.call("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.taps += 1

    def tab_to(self, node, name, is_ours=True, most=150):
        for _ in range(most):
            self.key("Tab")
            found = self.tab.call("Runtime.evaluate", {"expression": "document.activeElement"})["result"]
            if self.tab.call("DOM.describeNode", {"objectId": found["objectId"]})["node"]["backendNodeId"] == node:
                if is_ours and not self.tab.evaluate(
                    "(() => { const style = getComputedStyle(document.activeElement), box = document.activeElement.getBoundingClientRect();"
                    " return style.outlineStyle !== 'none' && box.bottom > 0 && box.top < innerHeight; })()"):
                    self.found.append(f"the focus is not seen at {name}")
                return
        raise RuntimeError(f"Tab does not lead to {name}")

    def key(self, key):
        self.tab.press(key)
        self.keys += 1

    def slow_worker(self):
        """The service worker's own requests are slow too."""
        browser = self.tab.chromium
        for target in browser.call("Target.getTargets", {"filter": [{"type": "service_worker"}]})["targetInfos"]:
            if target["targetId"] not in browser.slowed:
                browser.slowed.add(target["targetId"])
                session = browser.call("Target.attachToTarget", {"targetId": target["targetId"], "flatten": True})["sessionId"]
                browser.call("Network.enable", session=session)
                browser.call("Network.emulateNetworkConditions", SLOW, session)

    def look(self, name):
        """What axe-core and the console say of the page; where no script may run, the console alone."""
        if self.way != "without scripts":
            self.found += [f"{name}: axe: {line}" for line in checks.violations(self.tab)]
        self.found += [f"{name}: console: {line}" for line in self.tab.complaints()]
        if wide := checks.overflow(self.tab):
            self.found.append(f"{name}: scrolls sideways, {wide}")
