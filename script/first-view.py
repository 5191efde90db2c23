"""How soon a photo is seen: posts photos one after the other, each shown on a phone in Chromium as soon as it is answered.

usage: first-view.py ADDRESS TOKEN PHOTO COUNT FOLDER

Prints for each the milliseconds from the answer 201 until its picture is painted, the same for a second visit with nothing in the
browser's cache, and the name of the picture.
"""
import http.client, json, sys, time
from pathlib import Path

from browsing.chromium import Chromium

PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 3, "mobile": True}
# The time of day at which a picture was painted, and its name; none until then.
PAINTED = """
    new Promise(done => new PerformanceObserver((list, observer) => {
        for (const entry of list.getEntries()) {
            if (!entry.element || !entry.element.matches('.u-photo')) continue;
            observer.disconnect();
            done([performance.timeOrigin + entry.startTime, entry.url.split('/').pop()]);
        }
    }).observe({type: 'largest-contentful-paint', buffered: true}))
"""


def numbered(jpeg, number):
    """The same picture as a file of its own, by a comment behind the first marker."""
    return jpeg[:2] + b"\xff\xfe\x00\x12" + f"{number:<16}".encode() + jpeg[2:]


def view(chromium, url):
    """When its picture is painted, in seconds since 1970, and which it is."""
    tab = chromium.tab()
    tab.call("Emulation.setDeviceMetricsOverride", PHONE)
    tab.call("Page.navigate", {"url": url})
    # The script waits in the page that comes, not in the one that goes.
    tab.wait(lambda: any(event["method"] == "Page.frameNavigated" for event in tab.events), "the page")
    moment, name = tab.evaluate(PAINTED)
    tab.call("Page.close")
    return moment / 1000, name


def main():
    address, token, photo, count, folder = sys.argv[1:]
    jpeg = Path(photo).read_bytes()
    server = http.client.HTTPConnection(address)
    chromium = Chromium(Path(folder) / "chromium")
    for number in range(int(count) + 1):
        # As an app that has the connection already.
        server.request(
            "POST", "/v1/photos?services=none&caption=A+morning", numbered(jpeg, number),
            {"Authorization": f"Bearer {token}", "Content-Type": "image/jpeg"})
        answer = server.getresponse()
        body = json.loads(answer.read())
        answered = time.time()
        assert answer.status == 201, body
        fresh, name = view(chromium, body["url"] if "url" in body else f"http://{address}/{body['code']}")
        again = time.time()
        later, _ = view(chromium, f"http://{address}/{body['code']}")
        # The first one is the browser's.
        if number > 0:
            print(f"{(fresh - answered) * 1000:.1f} {(later - again) * 1000:.1f} {name}", flush=True)
    chromium.stop()


main()
