"""What people do: likes with and without JavaScript, and the settings by keyboard alone."""
from .programs import PASSWORD


class Flow:
    """Notes what was expected and did not happen."""

    def __init__(self, tab, base):
        self.tab, self.base, self.found = tab, base, []

    def expect(self, holds, what):
        if not holds:
            self.found.append(what)


def likes(tab, base, path, runs_scripts):
    """A stranger likes the photo, reloads, and takes it back."""
    flow = Flow(tab, base)
    tab.call("Emulation.setScriptExecutionDisabled", {"value": not runs_scripts})
    pressed = "document.querySelector('.like button').getAttribute('aria-pressed')"
    text = "document.querySelector('.like [role=status]').textContent"

    def press():
        click = lambda: tab.evaluate("document.querySelector('.like button').click()")
        if not runs_scripts:
            tab.go(click)
            return
        before = tab.evaluate("window.stays = true; " + text)
        click()
        tab.evaluate(
            f"new Promise(done => {{ const look = () => {text} === {before!r} ? setTimeout(look, 20) : done(1); look(); }})")
        flow.expect(tab.evaluate("window.stays === true"), "the page was loaded anew")

    tab.open(base + path)
    begin = tab.evaluate(text)
    flow.expect(tab.evaluate(pressed) == "false", "a stranger has liked before")
    press()
    liked = tab.evaluate(text)
    flow.expect(tab.evaluate(pressed) == "true" and liked != begin, f"the like is not shown: {begin!r}, {liked!r}")
    tab.open(base + path)
    flow.expect((tab.evaluate(pressed), tab.evaluate(text)) == ("true", liked), "a reload changed the likes")
    press()
    flow.expect((tab.evaluate(pressed), tab.evaluate(text)) == ("false", begin), "the like was not taken back")
    tab.call("Emulation.setScriptExecutionDisabled", {"value": False})
    return flow.found + tab.complaints()


def status_renews_itself(tab, base):
    """The status page is renewed in its place until its box is unchecked. Its clock is made fast."""
    flow = Flow(tab, base)
    hurry = "const usual = setInterval; window.setInterval = act => usual(act, 50);"
    tab.call("Page.addScriptToEvaluateOnNewDocument", {"source": hurry})
    tab.open(f"{base}/status")
    mark = "window.stays = true; document.querySelector('[data-live]').dataset.old = 'yes';"
    wait = "new Promise(done => { const look = () => document.querySelector('[data-live]').dataset.old ? %s : done(true); look(); })"
    renewed = tab.evaluate(mark + wait % "setTimeout(look, 20)")
    flow.expect(renewed and tab.evaluate("window.stays"), "the page was not renewed in its place")
    tab.evaluate("document.querySelector('[data-refresh] input').click()")
    # What was under way may still come.
    tab.evaluate("new Promise(done => setTimeout(done, 500))")
    tab.evaluate(mark)
    tab.evaluate("new Promise(done => setTimeout(done, 500))")
    flow.expect(tab.evaluate("document.querySelector('[data-live]').dataset.old"), "its box does not stop it")
    return flow.found + tab.complaints()


def neighbours(tab, base, path):
    """Arrow keys lead to the photos before and after, not out of a field; a photo fills the screen, and a click enlarges it."""
    flow = Flow(tab, base)
    where = "location.pathname"
    tab.open(base + path)
    tab.go(lambda: tab.press("ArrowLeft"))
    older = tab.evaluate(where)
    flow.expect(older != path, "the left arrow led nowhere")
    tab.go(lambda: tab.press("ArrowRight"))
    flow.expect(tab.evaluate(where) == path, "the right arrow did not lead back")
    tab.evaluate("document.querySelector('[data-link]').focus()")
    tab.press("ArrowLeft")
    tab.evaluate("new Promise(done => setTimeout(done, 300))")
    flow.expect(tab.evaluate(where) == path, "an arrow in a field led away")
    filled = "new Promise(done => document.addEventListener('fullscreenchange', () => done(document.fullscreenElement !== null), { once: true }))"
    flow.expect(tab.evaluate(f"document.querySelector('[data-full]').click(); {filled}"), "the screen was not filled")
    large = "(() => { const image = document.querySelector('.stage img'); image.click(); return image.matches('.large'); })()"
    flow.expect(tab.evaluate(large), "a click does not enlarge")
    flow.expect(not tab.evaluate(f"document.exitFullscreen(); {filled}"), "the screen stays filled")
    flow.expect(not tab.evaluate("document.querySelector('.stage img').matches('.large')"), "the photo stays large")
    return flow.found + tab.complaints()


class Keyboard(Flow):
    """Goes through a page by the keyboard; where the focus comes to, it must be seen."""

    stops = 0

    def tab_to(self, selector, most=120):
        for _ in range(most):
            self.tab.press("Tab")
            self.stops += 1
            self.look()
            if self.tab.evaluate(f"document.activeElement.matches({selector!r})"):
                return
        raise RuntimeError(f"Tab does not lead to {selector}")

    def look(self):
        hidden = self.tab.evaluate(
            """
            (() => {
                const each = document.activeElement;
                if (each === document.body) return null;
                const look = getComputedStyle(each), box = each.getBoundingClientRect();
                const ring = look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 2;
                const seen = box.bottom > 0 && box.top < innerHeight && box.width > 0;
                return ring && seen && each.matches(':focus-visible') ? null : each.outerHTML.slice(0, 120);
            })()
            """)
        self.expect(not hidden, f"the focus is not seen at {hidden}")

    def go(self, key):
        self.tab.go(lambda: self.tab.press(key))

    def at(self, path):
        here = self.tab.evaluate("location.pathname + location.search")
        self.expect(here == path, f"expected to be at {path}, is at {here}")


def settings_by_keyboard(tab, base, account):
    """Signs in, makes a token, changes a choice of an account, and signs out. Nothing but keys."""
    keyboard = Keyboard(tab, base)
    tab.open(f"{base}/settings")
    keyboard.expect(tab.evaluate("document.activeElement.matches('[name=name]')"), "the sign-in page does not begin in its first field")
    keyboard.look()
    tab.type("admin")
    keyboard.tab_to("[name=password]")
    tab.type(PASSWORD)
    keyboard.go("Enter")
    keyboard.at("/settings")
    tab.press("Tab")
    keyboard.expect(tab.evaluate("document.activeElement.matches('.skip')"), "the first stop does not skip to the content")
    keyboard.look()

    keyboard.tab_to("a[href='/settings/tokens']")
    keyboard.go("Enter")
    keyboard.tab_to("[name=name]")
    tab.type("by keyboard")
    keyboard.tab_to("[name=scope]")
    tab.press("ArrowDown")
    keyboard.look()
    keyboard.expect(tab.evaluate("document.activeElement.value") == "read", "the arrow does not choose what a token may")
    keyboard.tab_to("form[action='/settings/tokens'] button")
    keyboard.go(" ")
    keyboard.expect(tab.evaluate("!!document.querySelector('.shown code')"), "no token is shown")

    keyboard.tab_to("a[href='/settings/connections']")
    keyboard.go("Enter")
    keyboard.tab_to(f"a[href='/settings/connections/{account}']")
    keyboard.go("Enter")
    box = "document.querySelector('[name=auto_enhance]').checked"
    before = tab.evaluate(box)
    keyboard.tab_to("[name=auto_enhance]")
    tab.press(" ")
    keyboard.tab_to(f"form[action='/settings/connections/{account}'] button")
    keyboard.go("Enter")
    keyboard.at(f"/settings/connections/{account}?done=kept")
    keyboard.expect(tab.evaluate(box) == (not before), "the choice was not kept")

    keyboard.tab_to("a[href='/logout'], form[action='/logout'] button")
    keyboard.go("Enter")
    if tab.evaluate("location.pathname") == "/logout":
        keyboard.tab_to("main form[action='/logout'] button")
        keyboard.go("Enter")
    tab.open(f"{base}/settings")
    keyboard.expect(tab.evaluate("location.pathname") == "/login", "still signed in")
    return keyboard.found, keyboard.stops
