"""Small JPEGs, each with bytes of its own."""
import hashlib, os, subprocess


class Pictures:
    """`count` pictures that ffmpeg draws; what is taken of them differs in a comment."""

    def __init__(self, folder, count=8):
        subprocess.run(
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=640x480:rate=1,noise=alls=12:allf=t",
             "-frames:v", str(count), "-q:v", "4", folder / "picture-%d.jpg"], check=True)
        self.bases = [path.read_bytes() for path in sorted(folder.glob("picture-*.jpg"))]

    def take(self, number, size=0):
        """A picture that nobody else has, of at least `size` bytes; with its digest."""
        base = self.bases[number % len(self.bases)]
        segments, missing = [], max(64, size - len(base))
        while missing > 0:
            content = os.urandom(min(missing, 60_000))
            segments.append(b"\xff\xfe" + (len(content) + 2).to_bytes(2, "big") + content)
            missing -= len(content)
        # Behind SOI; a JPEG may have any number of comments.
        data = base[:2] + b"".join(segments) + base[2:]
        return data, hashlib.sha256(data).hexdigest()
