"""Pictures that look like somebody's photos, made from numbers, and a film."""
import io, math, random, subprocess
from datetime import datetime
from pathlib import Path

from PIL import Image, ImageChops, ImageDraw, ImageFilter

SKIES = [
    ((252, 176, 120), (86, 96, 160)), ((180, 214, 240), (64, 124, 190)), ((244, 208, 196), (148, 120, 170)),
    ((20, 30, 62), (90, 110, 150)), ((226, 232, 236), (150, 168, 182)), ((255, 220, 150), (210, 90, 80)),
]


def landscape(seed: int, width=1800, height=1200) -> Image.Image:
    """Hills in front of a sky, others for each seed."""
    dice = random.Random(seed)
    low, high = SKIES[seed % len(SKIES)]
    sky = Image.new("RGB", (1, height))
    for y in range(height):
        part = y / height
        sky.putpixel((0, y), tuple(round(h + (l - h) * part) for l, h in zip(low, high)))
    image = sky.resize((width, height))
    draw = ImageDraw.Draw(image)
    radius = min(width, height) // 12
    x, y = dice.randrange(radius, width - radius), round(height * dice.uniform(0.18, 0.45))
    draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=tuple(min(255, c + 30) for c in low))
    image = image.filter(ImageFilter.GaussianBlur(radius / 10))
    draw = ImageDraw.Draw(image)
    layers = 5
    for layer in range(layers):
        depth = (layer + 1) / layers
        ground = height * (0.45 + 0.4 * depth * 0.9)
        waves = [(dice.uniform(0.5, 6) / width, dice.uniform(0, 7), dice.uniform(10, 70)) for _ in range(5)]
        top = [
            (x, ground + sum(math.sin(x * pace * 6.3 + at) * size * height / 1200 for pace, at, size in waves) * (1.2 - depth))
            for x in range(0, width + 8, 8)
        ]
        shade = tuple(round(c * (1 - depth) * 0.8 + t * depth) for c, t in zip(low, (24, 44, 40)))
        draw.polygon([(0, height), *top, (width, height)], fill=shade)
    grain = Image.effect_noise((width // 2, height // 2), 18).resize((width, height)).convert("RGB")
    return Image.blend(image, grain, 0.05)


def jpeg(image: Image.Image, taken: datetime | None = None, camera=False) -> bytes:
    exif = Image.Exif()
    if camera:
        exif[0x010F], exif[0x0110] = "FUJIFILM", "X100V"
    details = exif.get_ifd(0x8769)
    if taken:
        details[0x9003] = taken.strftime("%Y:%m:%d %H:%M:%S")
        details[0x9011] = "+09:00"
    if camera:
        details[0x829A], details[0x829D], details[0x8827], details[0x920A] = 0.004, 5.6, 320, 23.0
        details[0xA434] = "23mm F2"
    file = io.BytesIO()
    image.save(file, "JPEG", quality=82, exif=exif)
    return file.getvalue()


def grainy(image: Image.Image) -> Image.Image:
    """As a sensor gives it: a JPEG of it has as many bytes as a photo."""
    grain = Image.effect_noise(image.size, 10)
    return ImageChops.add(image, Image.merge("RGB", (grain, grain, grain)), 1, -128)


def transparent_png() -> bytes:
    image = Image.new("RGBA", (800, 800))
    ImageDraw.Draw(image).ellipse((80, 80, 720, 720), fill=(200, 60, 90, 255))
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def film(folder: Path) -> bytes:
    """Two seconds of hills that move, with sound."""
    still = folder / "film.jpg"
    still.write_bytes(jpeg(landscape(77, 1600, 720)))
    path = folder / "film.mp4"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-loglevel", "error", "-loop", "1", "-i", still, "-f", "lavfi", "-i", "sine=440",
         "-vf", "crop=1280:720:x='t*100':y=0,format=yuv420p", "-t", "2", "-r", "12", "-c:v", "libx264", "-preset",
         "ultrafast", "-c:a", "aac", "-movflags", "+faststart", "-y", path], check=True)
    return path.read_bytes()


def copies(pics, caption: str, count: int, begin: int = 0) -> set[str]:
    """Older copies of the photo with this caption, as rows of the database alone; the paths of their pages."""
    digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    code = " || ".join(
        f"substr('{digits}', (n / {len(digits) ** place}) % {len(digits)} + 1, 1)" for place in reversed(range(5)))
    output = pics.sql(
        f"""
        CREATE TEMPORARY TABLE made AS
            SELECT n, ('00000000-0000-7000-8000-' || lpad(to_hex(1000000 - n), 12, '0'))::uuid AS id, 'zzz' || {code} AS code,
                   created_at - n * interval '1 minute' AS at
              FROM photos, generate_series({begin}::int, {begin + count - 1}::int) n
             WHERE caption = '{caption}' AND deleted_at IS NULL;
        INSERT INTO photos
            SELECT (jsonb_populate_record(photos, jsonb_build_object(
                       'id', made.id, 'created_at', at, 'published_at', at, 'caption', 'Copy ' || n, 'like_count', 0))).*
              FROM photos, made WHERE caption = '{caption}' AND deleted_at IS NULL;
        INSERT INTO short_links (code, photo_id) SELECT code, id FROM made;
        ANALYZE photos, short_links;
        SELECT code FROM made;
        """)
    return {f"/{code}" for code in output.split()}
