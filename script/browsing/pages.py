"""Every page of Pics, with who opens it and what it must be."""
from dataclasses import dataclass, field

from .programs import PASSWORD


@dataclass(frozen=True)
class Page:
    name: str
    path: str
    # Whose browser: a stranger's, or that of somebody who has signed in.
    who: str = "stranger"
    status: int = 200
    # What is done on the page to get to the one that is meant: a script that sends a form.
    act: str = ""
    # The types of microformats that it must have, and properties of the first that must not be empty.
    microformats: tuple = field(default=())
    properties: tuple = field(default=())


def send(action, **values):
    """A script that fills the form with this action and sends it."""
    fill = "".join(
        f"form.querySelector('[name=\"{name}\"]').{'checked = ' if value is True else 'value = '}"
        f"{'true' if value is True else repr(value)};" for name, value in values.items())
    return f"(() => {{ const form = document.querySelector('form[action=\"{action}\"]'); {fill} form.submit(); }})()"


# A photo has no name of its own: a caption is its content.
ENTRY = {"microformats": ("h-entry",), "properties": ("photo", "content", "author", "published", "url", "uid")}
FEED = {"microformats": ("h-feed",), "properties": ("name", "author", "url")}


def pages(site):
    """All of them."""
    code = {name: f"/{code}" for name, code in site.codes.items()}
    account = {name: f"/settings/connections/{id}" for name, id in site.connections.items()}
    connect = "/settings/connections/connect"
    photos = [
        Page("caption-long", code["long"], microformats=("h-entry",), properties=(*ENTRY["properties"], "syndication")),
        Page("caption-japanese", code["japanese"], **ENTRY),
        Page("caption-arabic", code["arabic"], **ENTRY),
        Page("caption-portrait", code["portrait"], **ENTRY),
        Page("caption-panorama", code["panorama"], **ENTRY),
        Page("caption-small", code["small"], microformats=("h-entry",), properties=("photo", "author", "published", "url")),
        Page("caption-transparent", code["transparent"], **ENTRY),
        Page("caption-hostile", code["hostile"], **ENTRY),
        Page(
            "caption-video", code["video"], microformats=("h-entry",),
            properties=("video", "content", "author", "published", "url")),
        Page("caption-unlisted", code["unlisted"], **ENTRY),
        Page("caption-private", code["private"], "admin", **ENTRY),
        Page("caption-of-its-owner", code["long"], "admin", **ENTRY),
        Page("caption-liked", code["portrait"], "admin", **ENTRY),
        Page("caption-several", code["several"], **ENTRY),
        Page("caption-several-of-its-owner", code["several"], "admin", **ENTRY),
        Page("report", code["long"] + "/report"),
        Page("report-sent", code["long"] + "/report", act=send(f"{code['long']}/report", reason=True, text="It is mine.")),
        Page("caption-draft", code["draft"], "admin"),
        Page("caption-scheduled", code["scheduled"], "admin"),
        Page("caption-without-picture", code["words"]),
        Page("caption-refused-of-its-owner", code["refused-0"], "admin", **ENTRY),
        Page("caption-delete", code["several"] + "/delete", "admin"),
        Page("picture", code["several"] + "/picture", "admin"),
        Page("draft", code["draft"] + "/draft", "admin"),
        Page("visits", code["long"] + "/visits", "admin"),
        Page("visits-none", code["private"] + "/visits", "admin"),
        Page("visits-to-others", code["long"] + "/visits", "alice", status=404),
        Page("caption-private-to-others", code["private"], status=404),
        Page("caption-gone", code["gone"], status=410),
        Page("caption-deleted-of-its-owner", code["deleted"], "admin", status=410),
    ]
    gallery = [
        Page("gallery", "/u/admin", **FEED),
        Page("gallery-older", "/u/admin", act="document.querySelector('main a[rel=next], main a[rel=prev]').click()", **FEED),
        Page("gallery-days", "/u/admin/days/2026"),
        Page("gallery-day", "/u/admin/day/2026-11-20", **FEED),
        Page("gallery-albums", "/u/admin/albums"),
        Page("gallery-album", "/u/admin?album=Every+day".replace("+", "%20"), **FEED),
        Page("gallery-tag", "/u/admin/tags/panorama", **FEED),
        Page("gallery-days-without-photos", "/u/admin/days/1999", status=404),
        Page("gallery-day-without-photos", "/u/admin/day/1999-11-20", status=404),
        Page("gallery-empty", "/u/alice"),
        Page("gallery-albums-empty", "/u/alice/albums"),
        Page("gallery-closed", "/u/emil", status=404),
        Page("gallery-of-nobody", "/u/nobody", status=404),
    ]
    own = [
        Page("photos", "/", "admin"),
        Page("photos-filtered", "/?q=a&visibility=public&state=sent", "admin"),
        Page("photos-none-found", "/?q=nothing+like+it", "admin"),
        Page("photos-none", "/", "alice"),
        Page("photos-filter-unreadable", "/?state=lost", "admin", status=400),
        Page("new", "/new", "admin"),
        Page("offline", "/offline", "admin"),
        Page("activity", "/activity", "admin"),
        Page("activity-none", "/activity", "alice"),
        Page("activity-responses", "/activity/responses", "admin"),
        Page("activity-responses-waiting", "/activity/responses?state=pending", "admin"),
        Page("activity-responses-none", "/activity/responses", "alice"),
        Page("timeline", "/timeline", "admin"),
        Page("timeline-photos", "/timeline?media=photos", "admin"),
        Page("timeline-none", "/timeline", "alice"),
        Page("photos-deleted", f"/?done=deleted&photo={site.codes['deleted']}", "admin"),
    ]
    people = [
        Page("front", "/"),
        Page("sign-in", "/login"),
        Page("sign-in-refused", "/login", status=422, act=send("/login", name="admin", password="wrong")),
        Page("join", f"/join{site.invitation}"),
        Page("join-ended", "/join?invitation=none", status=410),
        Page("problem-not-found", "/nothing", status=404),
        Page("problem-no-such-address", "/no/such/address", status=404),
        Page("problem-forbidden", "/settings/people", "alice", status=403),
        Page("sign-out", "/logout", "admin"),
    ]
    settings = [
        Page("settings", "/settings", "admin"),
        Page("settings-done", "/settings?done=time-zone", "admin"),
        Page("settings-security", "/settings/security", "admin"),
        Page("settings-refused", "/settings/security", "admin", 422, act=send("/settings/password", password="wrong")),
        Page("settings-connections", "/settings/connections", "admin"),
        Page("settings-connections-empty", "/settings/connections", "alice"),
        Page("settings-account", account["mastodon"], "admin"),
        Page("settings-account-login", account["bluesky"], "admin"),
        Page("settings-account-paused", account["webdav"], "admin"),
        Page("settings-account-flickr", account["flickr"], "admin"),
        Page("settings-account-albums", f"{account['flickr']}/albums", "admin"),
        Page("settings-disconnect", f"{account['mastodon']}/disconnect", "admin"),
        Page("settings-connect-mastodon", f"{connect}/mastodon", "admin"),
        Page("settings-connect-bluesky", f"{connect}/bluesky", "admin"),
        Page("settings-connect-without-keys", f"{connect}/dropbox", "admin"),
        Page("settings-connect-flickr", f"{connect}/flickr", "admin"),
        Page(
            "settings-connect-refused", f"{connect}/mastodon", "admin", 422,
            act=send(f"{connect}/mastodon", base_url=site.fakes.addresses["mastodon"], access_token="wrong")),
        Page(
            "settings-connect-continue", f"{connect}/mastodon", "admin",
            act=send(f"{connect}/mastodon/browser", base_url=site.fakes.addresses["mastodon"])),
        Page("settings-callback-elsewhere", "/auth/mastodon/callback?code=x&state=y", status=400),
        Page("settings-keys", "/settings/keys", "admin"),
        Page("settings-keys-of-flickr", "/settings/keys/flickr", "admin"),
        Page("settings-tokens", "/settings/tokens", "admin"),
        Page("settings-token-made", "/settings/tokens", "admin", act=send("/settings/tokens", name="my phone")),
        Page("settings-apps", "/settings/apps", "admin"),
        Page("settings-apps-empty", "/settings/apps", "alice"),
        Page("settings-webhooks", "/settings/webhooks", "alice"),
        Page("settings-webhook-made", "/settings/webhooks", "admin", act=send("/settings/webhooks", url="https://example.org/pics")),
        Page("settings-sessions", "/settings/sessions", "admin"),
        Page("settings-second-factor", "/settings/second-factor", "alice"),
        Page("settings-second-factor-begun", "/settings/second-factor", "alice", act=send("/settings/second-factor/begin", password=PASSWORD)),
        Page("settings-passkeys", "/settings/passkeys", "alice"),
        Page("settings-import", "/settings/import", "admin"),
        Page("settings-audit", "/settings/audit", "admin"),
        Page("settings-security-activity", "/settings/security-activity", "alice"),
        Page("settings-reports", "/settings/reports", "admin"),
        Page("settings-person-storage", f"/settings/people/{site.person('alice')}/storage", "admin"),
        Page("settings-gallery", "/settings/gallery", "admin"),
        Page("settings-album", "/settings/gallery/album?album=Every%20day", "admin"),
        Page("settings-profile", "/settings/profile", "admin"),
        Page("settings-profile-refused", "/settings/profile", "admin", 422, act=send("/settings/profile", display_name="x" * 101)),
        Page("settings-notifications", "/settings/notifications", "admin"),
        Page("settings-leaving", "/settings/account", "admin"),
        Page("settings-people", "/settings/people", "admin"),
        Page("settings-delete-person", f"/settings/people/{site.person('alice')}/delete", "admin"),
        Page("settings-invited", "/settings/people", "admin", act=send("/settings/people/invite", name="")),
    ]
    apps = [
        Page("app", site.apps["web"], "admin"),
        Page("app-on-this-device", site.apps["phone"], "admin"),
        Page("app-that-gets-nothing", site.apps["nothing"], "admin"),
        Page("app-of-another-account", f"{site.apps['web']}&force_login=true", "alice"),
        Page("app-code", site.apps["typed"], "admin", act="document.querySelector('[name=decision][value=allow]').click()"),
        Page("app-refused", site.apps["web"].replace("response_type=code", "response_type=token"), "admin", status=400),
        Page("app-unknown", "/oauth/authorize?client_id=nobody", "admin", status=400),
    ]
    status = [Page("status", "/status"), Page("status-of-an-admin", "/status", "admin")]
    return own + photos + gallery + people + settings + apps + status
