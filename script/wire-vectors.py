"""Writes wire vectors of other people's implementations as JSON; see script/wire-vectors."""

import base64
import datetime
import hashlib
import json
import random
import sys
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote, urlencode

FOLDER = Path(sys.argv[1])
WEBHOOKS = Path(sys.argv[2])


def save(name, packages, vectors, folder=FOLDER):
    source = ", ".join(f"{package} {version(package)}" for package in packages)
    # A line each, so that a change of one shows as one.
    lines = ",\n".join(json.dumps(vector) for vector in vectors)
    (folder / f"{name}.json").write_text(f'{{"source": {json.dumps(source)}, "vectors": [\n{lines}\n]}}\n')
    print(f"{name}: {len(vectors)} vectors by {source}")


# OAuth 1.0a --------------------------------------------------------------------------------------------------------

WORDS = [
    "a", "b", "status", "föhn", "雪", "é", "e\u0301", "🏔️", "a b", "a+b", "100%", "x&y=z", "~", "-._", "!*'()", "", "%20",
    "a/b?c#d", "\"", "\\", "2", "10", "Ω", "\u00a0", "line\nbreak", "[]", "@:;,", "𝒳",
]
HOSTS = [
    "api.example.com", "API.Example.COM", "api.example.com:443", "api.example.com:8443", "photos.example.net:80",
    "xn--fhn-sna.example",
]
PATHS = ["/", "/2/tweets", "/services/rest/", "/1.1/media/upload.json", "/a%20b/c", "/f%C3%B6hn", "/~alice/x", "/a//b"]


def oauth1():
    from oauthlib.oauth1 import SIGNATURE_TYPE_AUTH_HEADER, Client
    from oauthlib.oauth1.rfc5849 import signature

    chance = random.Random("oauth 1.0a")
    vectors = []
    for number in range(80):
        scheme = chance.choice(["https", "https", "http"])
        host = chance.choice(HOSTS)
        query = [(chance.choice(WORDS) or "n", chance.choice(WORDS)) for _ in range(chance.randrange(5))]
        form = [(chance.choice(WORDS) or "n", chance.choice(WORDS)) for _ in range(chance.randrange(5))]
        if number % 3 == 0 and query:
            # The same name again: another value, the same one, and in both places.
            query += [(query[0][0], chance.choice(WORDS)), query[0]]
            form += [(query[0][0], query[0][1])]
        method = chance.choice(["POST", "PUT"]) if form else chance.choice(["GET", "POST", "DELETE"])
        spaces = chance.choice([quote, lambda text, safe="": quote(text, safe="").replace("%20", "+")])
        url = f"{scheme}://{host}{chance.choice(PATHS)}"
        if query:
            url += "?" + "&".join(f"{spaces(name, safe='')}={spaces(value, safe='')}" for name, value in query)
        kind = chance.choice(["token", "token", "token", "request", "access"])
        keys = {
            "consumer_key": f"key-{number}", "consumer_secret": chance.choice(["s3cret", "a&b%c", "schlüssel"]),
            "token": "" if kind == "request" else f"tok-{number}",
            "token_secret": "" if kind == "request" else chance.choice(["t0ken", "x+y/z=", "秘密"]),
        }
        extra = {}
        if kind == "request":
            extra["oauth_callback"] = "https://pics.example/auth/x/callback?state=a%20b&c=föhn"
        if kind == "access":
            extra["oauth_verifier"] = chance.choice(["4711", "v e+r/i="])
        nonce = "".join(chance.choices("0123456789abcdef", k=32))
        timestamp = str(1_795_000_000 + chance.randrange(10_000_000))
        client = Client(
            keys["consumer_key"], client_secret=keys["consumer_secret"],
            resource_owner_key=keys["token"] or None, resource_owner_secret=keys["token_secret"] or None,
            callback_uri=extra.get("oauth_callback"), verifier=extra.get("oauth_verifier"),
            signature_type=SIGNATURE_TYPE_AUTH_HEADER, nonce=nonce, timestamp=timestamp)
        body = urlencode(form) if form else None
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
        _, headers, _ = client.sign(url, http_method=method, body=body, headers=headers)
        header = headers["Authorization"]
        # Pics promises the parameters, not their order: RFC 5849, section 3.5.1, leaves it open.
        pairs = sorted(part.strip() for part in header.removeprefix("OAuth ").split(","))
        parameters = signature.collect_parameters(
            uri_query=url.partition("?")[2], body=form, headers={"Authorization": header}, exclude_oauth_signature=True)
        base = signature.signature_base_string(
            method, signature.base_string_uri(url), signature.normalize_parameters(parameters))
        vectors.append({
            "method": method, "url": url, "form": form, "extra": extra, **keys, "nonce": nonce, "timestamp": timestamp,
            "base": base, "header": pairs,
        })
    save("oauth1", ["oauthlib"], vectors)


# Dropbox -----------------------------------------------------------------------------------------------------------

def dropbox_hash():
    from dropbox.content_hash import DropboxContentHasher

    block = DropboxContentHasher.BLOCK_SIZE
    vectors = []
    for count in [0, 1, 3, 65_536, block - 1, block, block + 1, 2 * block, 2 * block + 4711, 3 * block + 1]:
        hasher = DropboxContentHasher()
        # Byte i is (i * 31) >> 5, without what does not fit a byte.
        hasher.update(bytes((i * 31 >> 5) & 0xFF for i in range(count)))
        vectors.append({"bytes": count, "hash": hasher.hexdigest()})
    save("dropbox-content-hash", ["dropbox"], vectors)


# Evernote ----------------------------------------------------------------------------------------------------------

class Wire:
    """What the official client writes."""

    def __init__(self):
        self.bytes = b""

    def write(self, piece):
        self.bytes += piece

    def flush(self):
        pass


def thrift():
    from evernote.edam.notestore import NoteStore
    from evernote.edam.notestore.ttypes import NoteFilter, NotesMetadataResultSpec
    from evernote.edam.type import ttypes
    from evernote.edam.userstore import UserStore
    from thrift.protocol.TBinaryProtocol import TBinaryProtocol

    token = "S=s1:U=4711:E=fff:C=1:P=1:A=pics:V=2:H=0"
    guid = "01234567-89ab-cdef-0123-456789abcdef"
    picture = bytes(range(256)) * 3
    vectors = []

    def add(function, module, call, **inputs):
        wire = Wire()
        call(module.Client(TBinaryProtocol(wire)))
        vectors.append({"call": function, **inputs, "bytes": wire.bytes.hex()})

    add("getUser", UserStore, lambda client: client.send_getUser(token))
    # getUserUrls is younger than this SDK.
    add("revokeLongSession", UserStore, lambda client: client.send_revokeLongSession(token))
    add("listNotebooks", NoteStore, lambda client: client.send_listNotebooks(token))
    add("createNotebook", NoteStore,
        lambda client: client.send_createNotebook(token, ttypes.Notebook(name="Föhn 🏔️ & sea")), name="Föhn 🏔️ & sea")
    add("deleteNote", NoteStore, lambda client: client.send_deleteNote(token, guid))
    add("getNote", NoteStore, lambda client: client.send_getNote(token, guid, True, False, False, False))
    add("updateNote", NoteStore,
        lambda client: client.send_updateNote(
            token, ttypes.Note(guid=guid, title="Nebel", content="<en-note>Nebel 雪</en-note>")),
        title="Nebel", content="<en-note>Nebel 雪</en-note>")
    search = NoteFilter(order=4, ascending=False)
    result = NotesMetadataResultSpec(includeUpdated=True, includeAttributes=True)
    add("findNotesMetadata", NoteStore, lambda client: client.send_findNotesMetadata(token, search, 0, 100, result))
    for title, width, height, notebook, place in [
        ("Föhn", 4032, 3024, None, None), ("🏔️ <a> & \"b\"", 1, 32_767, guid, (47.5, -8.25)),
        ("wide", 40_000, 20, guid, None), ("far", None, None, None, (-0.0001, 179.999999)),
    ]:
        content = f"<en-note>{len(title)} é</en-note>"
        # A size that does not fit the protocol's 16 bits is left out.
        fits = width is not None and width < 32_768 and height < 32_768
        resource = ttypes.Resource(
            data=ttypes.Data(bodyHash=hashlib.md5(picture).digest(), size=len(picture), body=picture),
            mime="image/jpeg", width=width if fits else None, height=height if fits else None,
            attributes=ttypes.ResourceAttributes(fileName="Ab3dE9xZ.jpg"))
        attributes = ttypes.NoteAttributes(sourceApplication="pics:0198c2b0")
        if place:
            attributes.latitude, attributes.longitude = place
        note = ttypes.Note(
            title=title, content=content, created=1_795_290_120_123, notebookGuid=notebook, resources=[resource],
            attributes=attributes)
        add("createNote", NoteStore, lambda client: client.send_createNote(token, note), title=title, content=content,
            created=1_795_290_120_123, notebook=notebook, width=width, height=height, place=place)
    save("evernote-thrift", ["evernote3", "thrift"], vectors)


# WSSE --------------------------------------------------------------------------------------------------------------

def wsse():
    from zeep.wsse.username import UsernameToken

    chance = random.Random("wsse")
    vectors = [{
        # Mark Pilgrim, "Atom Authentication", xml.com, 2003-12-17: the nonce's digits are hashed as they are.
        "username": "bob", "key": "taadtaadpstcsm", "nonce": "d36e316282959a9ed4c89851497a717f",
        "created": "2003-12-15T14:43:07Z", "digest": "quR/EWLAV4xLf9Zqyw4pDmfV9OY=",
        "nonce64": base64.b64encode(b"d36e316282959a9ed4c89851497a717f").decode(),
    }]
    for number in range(30):
        key = chance.choice(["atompub-key", "schlüssel", "鍵 & <key>", "x" * 200])
        nonce = "".join(chance.choices("abcdefghijklmnopqrstuvwxyzåß雪", k=chance.randrange(16, 40)))
        created = datetime.datetime(2026, 11, 21, tzinfo=datetime.timezone.utc) + datetime.timedelta(
            seconds=chance.randrange(10_000_000))
        token = UsernameToken(
            f"alice{number}", key, use_digest=True, nonce=nonce, created=created, zulu_timestamp=True)
        password, nonce64, stamp = token._create_password_digest()
        vectors.append({
            "username": f"alice{number}", "key": key, "nonce": nonce, "created": stamp.text, "digest": password.text,
            "nonce64": nonce64.text,
        })
    save("wsse", ["zeep"], vectors)


# Bluesky -----------------------------------------------------------------------------------------------------------

def facets():
    from atproto import client_utils

    chance = random.Random("facets")
    words = ["Föhn", "over", "the", "lake", "🏔️", "👩‍👩‍👧", "雪が降る", "é", "e\u0301", "𝒳", "🇨🇭", "and", "–"]
    links = ["https://example.com/a?b=c&d", "https://pics.example/Ab3dE9xZ", "https://example.org/föhn/%E9%9B%AA",
             "http://example.net/x_y-z~(1)"]
    tags = ["föhn", "雪", "photo", "365days", "Ωmega", "été"]
    handles = ["bob.bsky.social", "carol.example.org"]
    vectors = []
    for _ in range(60):
        builder = client_utils.TextBuilder()
        count = chance.randrange(2, 9)
        for index in range(count):
            kind = chance.randrange(6)
            if kind == 0:
                link = chance.choice(links)
                builder.link(link, link)
            elif kind == 1:
                tag = chance.choice(tags)
                builder.tag(f"#{tag}", tag)
            elif kind == 2:
                handle = chance.choice(handles)
                builder.mention(f"@{handle}", f"did:plc:{handle}")
            else:
                builder.text(chance.choice(words))
            if index + 1 < count:
                builder.text(chance.choice([" ", "  ", "\n"]))
        found = []
        for facet in builder.build_facets():
            feature = facet.features[0]
            value = getattr(feature, "uri", None) or getattr(feature, "tag", None) or feature.did
            found.append({
                "start": facet.index.byte_start, "end": facet.index.byte_end, "type": feature.py_type, "value": value,
            })
        vectors.append({"text": builder.build_text(), "facets": found})
    save("bluesky-facets", ["atproto"], vectors)


# mixi2 -------------------------------------------------------------------------------------------------------------

def protobuf():
    from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

    # service.proto and post.proto of mixi2-api v1.2.0, as far as they are needed, and fields that Pics does not know.
    kinds = {"text": 9, "u64": 4, "enum": 5, "bool": 8, "float": 2, "double": 1, "fixed": 6, "sint": 17}
    messages = {
        "Upload": [("content_type", 1, "text"), ("data_size", 2, "u64"), ("media_type", 3, "enum"),
                   ("description", 4, "text")],
        "CreatePost": [("text", 1, "text"), ("media_id_list", 5, ["text"])],
        "Stamp": [("stamp", 1, "Image"), ("count", 2, "u64")],
        "Image": [("url", 1, "text"), ("height", 3, "u64"), ("duration", 9, "float")],
        "Post": [("post_id", 1, "text"), ("is_deleted", 2, "bool"), ("text", 4, "text"), ("visibility", 10, "enum"),
                 ("stamps", 12, ["Stamp"]), ("ratio", 2047, "double"), ("mark", 536870911, "fixed"),
                 ("offset", 16, "sint")],
        "Posts": [("posts", 1, ["Post"])],
    }
    file = descriptor_pb2.FileDescriptorProto(name="mixi2.proto", package="v", syntax="proto3")
    for name, fields in messages.items():
        message = file.message_type.add(name=name)
        for field, number, kind in fields:
            one = kind[0] if isinstance(kind, list) else kind
            added = message.field.add(name=field, number=number, label=3 if isinstance(kind, list) else 1)
            if one in kinds:
                added.type = kinds[one]
            else:
                added.type, added.type_name = 11, f".v.{one}"
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    types = {
        name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"v.{name}")) for name in messages
    }
    chance = random.Random("protobuf")
    vectors = []
    for size in [0, 1, 127, 128, 300, 16_383, 16_384, 15_000_000, 50_000_000, 2**31, 2**35 + 1, 2**56, 2**63 - 1]:
        video = chance.random() < 0.5
        values = {
            "content_type": "video/mp4" if video else "image/jpeg", "data_size": size, "media_type": 2 if video else 1,
            "description": chance.choice(WORDS) * chance.choice([1, 2, 200]),
        }
        vectors.append({"message": "Upload", **values, "bytes": types["Upload"](**values).SerializeToString().hex()})
    for _ in range(20):
        text = "".join(chance.choice(WORDS) for _ in range(chance.randrange(40)))
        media = f"media-{chance.randrange(10**9)}"
        made = types["CreatePost"](text=text, media_id_list=[media])
        vectors.append({"message": "CreatePost", "text": text, "media": media, "bytes": made.SerializeToString().hex()})
    for _ in range(20):
        posts, told = [], []
        for number in range(chance.randrange(4)):
            counts = [chance.choice([0, 1, 127, 128, 2**31]) for _ in range(chance.randrange(4))]
            post = types["Post"](
                post_id=f"post-{number}", is_deleted=chance.random() < 0.3, text=chance.choice(WORDS),
                visibility=chance.choice([0, 1, -1]), ratio=chance.choice([0.0, -1.5]),
                mark=chance.randrange(2**64), offset=chance.choice([0, -3]),
                stamps=[types["Stamp"](
                    stamp=types["Image"](url="https://img.example/1", height=64, duration=0.5), count=count)
                    for count in counts])
            posts.append(post)
            told.append({"id": post.post_id, "deleted": post.is_deleted, "text": post.text, "counts": counts})
        made = types["Posts"](posts=posts)
        vectors.append({"message": "Posts", "posts": told, "bytes": made.SerializeToString().hex()})
    save("mixi2-protobuf", ["protobuf"], vectors)


# Webhooks ----------------------------------------------------------------------------------------------------------


def webhooks():
    from standardwebhooks import Webhook

    chance = random.Random("standard webhooks")
    vectors = []
    for number in range(40):
        secret = "whsec_" + base64.b64encode(chance.randbytes(chance.choice([24, 32, 48, 64]))).decode()
        body = json.dumps({"type": chance.choice(WORDS), "data": {chance.choice(WORDS): chance.choice(WORDS)}},
                          ensure_ascii=chance.choice([True, False]))
        name = f"msg_{number}_{chance.randrange(10**15)}"
        timestamp = chance.randrange(2**31)
        time = datetime.datetime.fromtimestamp(timestamp, datetime.timezone.utc)
        vectors.append({
            "secret": secret, "id": name, "timestamp": timestamp, "body": body,
            "signature": Webhook(secret).sign(name, time, body),
        })
    save("standard-webhooks", ["standardwebhooks"], vectors, WEBHOOKS)


print("python", sys.version.split()[0])
oauth1()
dropbox_hash()
thrift()
wsse()
facets()
protobuf()
webhooks()
