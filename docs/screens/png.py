#!/usr/bin/env python3
"""A PPM of 24 bits a pixel from standard input, as PNG to standard output."""
import struct
import sys
import zlib


def chunk(kind, data):
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)


def png(ppm):
    magic, width, height, depth = ppm.split(maxsplit=4)[:4]
    assert magic == b"P6" and depth == b"255"
    width, height = int(width), int(height)
    pixels = ppm[len(ppm) - 3 * width * height:]
    rows = b"".join(b"\0" + pixels[at:at + 3 * width]
                    for at in range(0, len(pixels), 3 * width))
    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) +
            chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))



if __name__ == "__main__":
    sys.stdout.buffer.write(png(sys.stdin.buffer.read()))
