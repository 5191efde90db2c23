"""Contact sheets: many pages on one picture."""
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

# Width on the sheet, and how many stand side by side, by the width of the page.
COLUMNS = {390: (300, 6), 768: (460, 4), 1280: (620, 3)}
ROWS, GAP, LABEL = 2, 16, 22
TALLEST = 1.9


def contact_sheets(pictures: list[Path], width: int, folder: Path, name: str):
    """Puts the pictures of pages that are `width` px wide on sheets; those that are very tall are cut."""
    across, columns = COLUMNS[width]
    tallest = round(across * (TALLEST if width > 400 else 2.6))
    font = ImageFont.load_default(14)
    for number in range(0, len(pictures), columns * ROWS):
        tiles = []
        for path in pictures[number : number + columns * ROWS]:
            image = Image.open(path).convert("RGB")
            image = image.resize((across, max(1, round(image.height * across / image.width))), Image.LANCZOS)
            tiles.append((path.stem.rsplit(".", 3)[0], image.crop((0, 0, across, min(tallest, image.height)))))
        rows = [tiles[at : at + columns] for at in range(0, len(tiles), columns)]
        heights = [max(tile.height for _, tile in row) + LABEL + GAP for row in rows]
        sheet = Image.new("RGB", (columns * (across + GAP) + GAP, sum(heights) + GAP), (128, 128, 136))
        draw = ImageDraw.Draw(sheet)
        top = GAP
        for row, height in zip(rows, heights):
            for column, (label, tile) in enumerate(row):
                left = GAP + column * (across + GAP)
                draw.text((left, top), label, fill="white", font=font)
                sheet.paste(tile, (left, top + LABEL))
            top += height
        sheet.save(folder / f"{name}-{number // (columns * ROWS) + 1}.png")
