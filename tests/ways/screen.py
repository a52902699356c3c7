"""Reads what stands on a screen: VGA text from its memory, a framebuffer from its picture."""
import re
from pathlib import Path

FONT = Path(__file__).parents[2] / "kernel/console/font.c"
CELL_WIDTH, CELL_HEIGHT, GLYPH_TOP = 6, 12, 2  # dots; kernel/console/fb.c
BRIGHT = 128


def font():
    """The nine rows of dots of a glyph -> its character."""
    text = FONT.read_text().split("] = {", 1)[1]
    rows = re.findall(r"\{((?: 0x[0-9a-f]{2},?){9}) \}", text)
    return {bytes(int(b, 16) for b in re.findall(r"0x(..)", row)): chr(ord(" ") + n)
            for n, row in reversed(list(enumerate(rows)))}


def text_rows(memory):
    """80 by 25 cells, a character and an attribute each."""
    cells = memory[::2].decode("cp437")
    return [cells[i:i + 80].rstrip() for i in range(0, 2000, 80)]


def picture(ppm):
    """Width, height and, for each pixel, how bright its brightest colour is."""
    fields = re.match(rb"P6\s(?:#.*\n)?(\d+)\s(\d+)\s255\s", ppm)
    colors = ppm[fields.end():]
    return int(fields[1]), int(fields[2]), bytes(map(max, colors[::3], colors[1::3], colors[2::3]))


def read_scaled(width, height, pixels, scale, glyphs):
    """The rows of text if a dot is `scale` pixels wide and high, and how many cells are readable."""
    rows, known = [], 0
    for top in range(0, height - CELL_HEIGHT * scale + 1, CELL_HEIGHT * scale):
        lines = [pixels[(top + y * scale) * width:][:width:scale]
                 for y in range(GLYPH_TOP, GLYPH_TOP + 9)]
        text = ""
        for left in range(0, len(lines[0]) - CELL_WIDTH + 1, CELL_WIDTH):
            glyph = bytes(sum((line[left + x] > BRIGHT) << (4 - x) for x in range(5))
                          for line in lines)
            text += glyphs.get(glyph, "\0")
        known += sum(c not in " \0" for c in text)
        rows.append(text.rstrip())
    return rows, known


def picture_rows(ppm):
    width, height, pixels = picture(ppm)
    glyphs = font()
    return max((read_scaled(width, height, pixels, n, glyphs) for n in range(1, 5)),
               key=lambda read: read[1])[0]
