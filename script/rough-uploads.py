"""Uploads files to a server that is killed, over connections that are cut; see script/rough-uploads."""

import argparse
import atexit
import hashlib
import json
import os
import random
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from tusclient.client import TusClient
from tusclient.exceptions import TusCommunicationError, TusUploadFailed

# A GIF of one pixel. What follows a picture's end belongs to the file and not to the picture, so noise may.
PICTURE = bytes.fromhex("47494638396101000100800000000000ffffff2c00000000010001000002024401003b")
PATIENCE = 60


def fail(text):
    sys.exit(f"rough-uploads: {text}")


class Server:
    """Pics with its own PostgreSQL in a folder of its own, at one port however often it is started."""

    def __init__(self, program, folder):
        self.program, self.folder, self.process = program, folder, None
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"

    def start(self):
        environment = {
            "PATH": os.environ["PATH"], "PICS_DATA_DIR": str(self.folder / "data"),
            "PICS_MIGRATIONS_DIR": str(Path("migrations").resolve()), "PICS_LISTEN": f"127.0.0.1:{self.port}",
            "PICS_UPLOAD_LIMIT": "8GiB", "PICS_UPLOAD_QUOTA": "16GiB", "PICS_UPLOAD_RATE": "0",
            "PICS_ADDRESS_RATE": "0", "PICS_TOKEN_RATE": "0",
        }
        with open(self.folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "serve"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        for line in self.process.stdout:
            if line.startswith(b"listening on "):
                break
        else:
            fail(f"Pics did not start, see its log:\n{(self.folder / 'log').read_text()[-2000:]}")
        token = self.folder / "data" / "admin-token"
        until(lambda: token.exists() and token.read_text().strip(), "a token")
        self.token = token.read_text().strip()

    def kill(self):
        self.process.kill()

    def ended(self):
        return self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()

    def json(self, path):
        request = Request(self.base + path, headers={"Authorization": f"Bearer {self.token}"})
        with urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def arrived(self, url):
        """The bytes of an upload that lie on the disk so far."""
        try:
            return (self.folder / "data" / "blobs" / "uploads" / name(url)).stat().st_size
        except FileNotFoundError:
            return 0


def name(url):
    return urlsplit(url).path.rsplit("/", 1)[-1]


def until(condition, what):
    """Asks again and again: what it waits for happens within milliseconds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            fail(f"waited in vain for {what}")
        time.sleep(0.001)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def make(path, size, chance):
    with open(path, "wb") as file:
        file.write(PICTURE)
        for start in range(len(PICTURE), size, 1 << 20):
            file.write(chance.randbytes(min(1 << 20, size - start)))
    return digest(path)


def compare(server, photo, path, expected):
    """What Pics says of a photo's bytes, and what it has on its disk, beside what was sent."""
    size = path.stat().st_size
    if (photo["sha256"], photo["bytes"]) != (expected, size):
        fail(f"sent {size} bytes {expected}, Pics says {photo['bytes']} bytes {photo['sha256']}")
    blobs = [file for file in (server.folder / "data" / "blobs").rglob(f"*{expected[2:]}*") if file.is_file()]
    stored = [file for file in blobs if file.stat().st_size == size and digest(file) == expected]
    if not stored:
        fail(f"no blob has the bytes {expected}")
    print(f"equal: {size} bytes, SHA-256 {expected}, as GET tells and as they lie on the disk", flush=True)


# tus, and kill -9 ---------------------------------------------------------------------------------------------------


def tus(server, path, kills, chance):
    size = path.stat().st_size
    expected = digest(path)
    client = TusClient(f"{server.base}/v1/uploads", headers={"Authorization": f"Bearer {server.token}"})
    details = {"caption": "by tus", "services": "none", "filename": "rough.gif"}
    # All that is left goes in one request: each kill hits bytes that are on their way.
    url = client.uploader(str(path), metadata=details).create_url()
    begun = time.monotonic()
    for number in range(kills):
        place = int(size * (number + chance.random()) / (kills + 1))
        uploader = client.uploader(str(path), url=url)
        start = uploader.offset

        def kill_in_mid_upload(place=max(place, start + 1)):
            until(lambda: server.arrived(url) >= place, f"{place} bytes")
            server.kill()

        killer = threading.Thread(target=kill_in_mid_upload)
        killer.start()
        try:
            uploader.upload()
            fail("the upload ended before the server was killed")
        except (TusUploadFailed, TusCommunicationError):
            pass
        killer.join()
        server.ended()
        written = server.arrived(url)
        restart = time.monotonic()
        server.start()
        restart = time.monotonic() - restart
        offset = client.uploader(str(path), url=url).offset
        if not start <= offset <= written:
            fail(f"{written} bytes were written, and it goes on at {offset}")
        print(f"kill {number + 1}: sent from {start}, killed at {written} of {size}, there again after "
              f"{restart:.1f} s, goes on at {offset}", flush=True)
    uploader = client.uploader(str(path), url=url)
    uploader.upload()
    upload = server.json(f"/v1/uploads/{name(url)}")
    print(f"tuspy {version('tuspy')}: {size} bytes, server killed {kills} times, {time.monotonic() - begun:.0f} s")
    compare(server, server.json(f"/v1/photos/{upload['photo']}"), path, expected)


# IETF, and cut connections ------------------------------------------------------------------------------------------


class Cutting:
    """An upload by the IETF's protocol, whose requests are cut off where we want."""

    def __init__(self, server, path, interop, chance):
        self.server, self.path, self.chance = server, path, chance
        self.size = path.stat().st_size
        self.common = {
            "Authorization": f"Bearer {server.token}", "Upload-Draft-Interop-Version": str(interop),
        }
        self.url = None
        self.offset = 0

    def fields(self):
        if self.url is None:
            return self.common | {
                "Content-Type": "image/gif", "Upload-Complete": "?1", "Upload-Length": str(self.size),
            }
        return self.common | {
            "Content-Type": "application/partial-upload", "Upload-Complete": "?1", "Upload-Offset": str(self.offset),
        }

    def target(self):
        return ("PATCH", self.url) if self.url else (
            "POST", f"{self.server.base}/v1/photos?services=none&caption=by+the+draft")

    def curl(self):
        """curl, which sends what it is fed, in chunks; the fields of answers go to its standard output."""
        method, url = self.target()
        fields = [word for field, value in self.fields().items() for word in ("-H", f"{field}: {value}")]
        return subprocess.Popen(
            ["curl", "-sS", "-X", method, "-T", "-", "-D", "-", "-o", str(self.path) + ".answer", *fields, url],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def cut_curl(self, end):
        """Kills curl in mid-body. False when it was refused, since an earlier request was still on its way after HEAD."""
        process = self.curl()

        def feed():
            with open(self.path, "rb") as file:
                file.seek(self.offset)
                left = end - self.offset
                try:
                    while left and (piece := file.read(min(left, 1 << 16))):
                        process.stdin.write(piece)
                        left -= len(piece)
                    process.stdin.flush()
                except OSError:
                    pass

        feeder = threading.Thread(target=feed)
        feeder.start()
        if self.url is None:
            for line in process.stdout:
                if line.lower().startswith(b"location: "):
                    self.url = line.split(b" ", 1)[1].strip().decode()
                    break
            else:
                fail("no 104 told where the upload is")
        place = self.chance.randint(self.offset + 1, end)
        until(lambda: self.server.arrived(self.url) >= place or process.poll() is not None, f"{place} bytes")
        is_cut = process.poll() is None
        process.kill()
        process.wait()
        feeder.join()
        answer = process.stdout.read().decode()
        process.stdout.close()
        try:
            process.stdin.close()
        except OSError:
            pass
        if not is_cut and "HTTP/1.1 409 " not in answer:
            fail(f"curl was answered before it was cut:\n{answer}")
        return is_cut

    def cut_socket(self, end):
        """Announces all that is left, sends a part of it, and closes or resets the connection; true."""
        method, url = self.target()
        lines = [f"{method} {urlsplit(url).path} HTTP/1.1", f"Host: {urlsplit(url).netloc}"]
        lines += [f"{field}: {value}" for field, value in self.fields().items()]
        lines += [f"Content-Length: {self.size - self.offset}", "", ""]
        with socket.create_connection(("127.0.0.1", self.server.port), PATIENCE) as connection:
            connection.sendall("\r\n".join(lines).encode())
            with open(self.path, "rb") as file:
                connection.sendfile(file, self.offset, end - self.offset)
            if self.chance.random() < 0.5:
                # The machine throws away what it has not sent yet.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return True

    def ask(self, sent):
        """Where to go on, as HEAD tells."""
        fields = [word for field, value in self.common.items() for word in ("-H", f"{field}: {value}")]
        answer = subprocess.run(
            ["curl", "-sS", "--head", *fields, self.url], capture_output=True, text=True, check=True).stdout
        told = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in answer.splitlines()[1:] if line}
        if not answer.startswith("HTTP/1.1 204 ") or told.get("upload-complete") != "?0":
            fail(f"HEAD was answered by\n{answer}")
        offset = int(told["upload-offset"])
        if not self.offset <= offset <= sent:
            fail(f"{self.offset} bytes were there, {sent} were sent, and it goes on at {offset}")
        self.offset = offset

    def finish(self):
        answer = "HTTP/1.1 409 "
        while "HTTP/1.1 409 " in answer:
            self.ask(self.size - 1)
            process = self.curl()
            try:
                with open(self.path, "rb") as file, process.stdin as pipe:
                    file.seek(self.offset)
                    shutil.copyfileobj(file, pipe, 1 << 16)
            except BrokenPipeError:
                pass
            answer = process.stdout.read().decode()
            process.stdout.close()
            status = process.wait()
        if status or "HTTP/1.1 201" not in answer or "\r\nupload-complete: ?1" not in answer.lower():
            fail(f"the last part was answered by\n{answer}")
        return json.loads(Path(str(self.path) + ".answer").read_text())


def newest_interop(server):
    """The highest number that the server echoes."""
    for number in range(30, 2, -1):
        request = Request(
            f"{server.base}/v1/uploads", method="POST", data=b"", headers={
                "Authorization": f"Bearer {server.token}", "Upload-Draft-Interop-Version": str(number),
                "Upload-Complete": "?0", "Content-Type": "image/gif",
            })
        with urlopen(request, timeout=PATIENCE) as answer:
            place, echoed = answer.headers["Location"], answer.headers["Upload-Draft-Interop-Version"]
        headers = {"Authorization": f"Bearer {server.token}", "Upload-Draft-Interop-Version": str(number)}
        urlopen(Request(place, method="DELETE", headers=headers), timeout=PATIENCE).close()
        if echoed == str(number):
            return number
    fail("the server knows no version of the draft")


def ietf(server, path, cuts, chance):
    expected = digest(path)
    interop = newest_interop(server)
    upload = Cutting(server, path, interop, chance)
    begun = time.monotonic()
    by_curl = 0
    for number, end in enumerate(sorted(chance.sample(range(2, upload.size - 1), cuts))):
        # A reset may have lost all that was sent; then more is left than was planned.
        if end <= upload.offset:
            end = upload.offset + 1
        cut = upload.cut_curl if number % 2 == 0 else upload.cut_socket
        by_curl += number % 2 == 0
        while not cut(end):
            upload.ask(end)
            end = max(end, upload.offset + 1)
        upload.ask(end)
        if (number + 1) % 50 == 0:
            print(f"cut {number + 1}: goes on at {upload.offset} of {upload.size}", flush=True)
    photo = upload.finish()
    print(f"curl and sockets, interop {interop}: {upload.size} bytes, cut {cuts} times ({by_curl} by a killed curl, "
          f"{cuts - by_curl} by a closed or reset socket), {time.monotonic() - begun:.0f} s")
    compare(server, photo, path, expected)


def count(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError("it must be 1 at least")
    return value


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--program", required=True)
    parser.add_argument("--kills", type=count, default=10)
    parser.add_argument("--cuts", type=count, default=200)
    parser.add_argument("--megabytes", type=count, default=500)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    chance = random.Random(options.seed)

    folder = Path(tempfile.mkdtemp(prefix="pics-rough-"))
    # Who runs PostgreSQL for root must be able to enter.
    folder.chmod(0o755)
    server = Server(options.program, folder)
    atexit.register(lambda: (server.stop(), shutil.rmtree(folder, ignore_errors=True)))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    server.start()

    file = folder / "file.gif"
    make(file, options.megabytes * 1_000_000, chance)
    tus(server, file, options.kills, chance)
    make(file, 64_000_000, chance)
    ietf(server, file, options.cuts, chance)


main()
