#!/usr/bin/env python3
# Makes the pictures and the sound of the demo (image.demo, audio.demo): prints one line of base64 for each. Run it again to change them.
import base64, math, struct, zlib

W, H = 64, 48
SKY, CLOUD, SUN, SEA, WAVE, HULL, MAST, SAIL, SHADE = range(9)
COLOURS = ["8ecae6", "eaf4f8", "ffd166", "1d6fa3", "4a9cc9", "8b4a2b", "5a3a22", "fdfaf0", "d8d2bd"]

def colour(x, y):
    surface = 34 + math.sin(x / 4) * 0.8
    if 30 <= y <= 36 and 14 + (y - 30) <= x <= 50 - (y - 30):
        return HULL
    if y > surface:
        return WAVE if (x * 3 + y * 5 + int(3 * math.sin(x / 3))) % 13 < 3 else SEA
    if x in (31, 32) and 6 <= y < 30:
        return MAST
    if 8 <= y <= 27 and 33 <= x <= 33 + (y - 8) * 0.8:
        return SAIL
    if 11 <= y <= 27 and 30 - (y - 11) * 0.7 <= x <= 30:
        return SHADE
    if (x - 54) ** 2 + (y - 9) ** 2 <= 25:
        return SUN
    if any(((x - cx) / 7) ** 2 + ((y - cy) / 2.5) ** 2 <= 1 for cx, cy in ((8, 8), (14, 10))):
        return CLOUD
    return SKY

def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

# Squares of `size` pixels have the colour of their middle.
def picture(size):
    rows = b""
    for y in range(H):
        line = [colour(x - x % size + size // 2, y - y % size + size // 2) for x in range(W)]
        rows += b"\0" + bytes(line[x] << 4 | line[x + 1] for x in range(0, W, 2))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", W, H, 4, 3, 0, 0, 0)) +
            chunk(b"PLTE", bytes.fromhex("".join(COLOURS))) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))

# Three notes, 8 bits, 8 kHz.
def sound():
    rate, each = 8000, 1600
    samples = bytearray()
    for note in (523.25, 659.26, 783.99):
        for i in range(each):
            loud = min(1, i / 80, (each - i) / 400)
            samples.append(128 + round(60 * loud * math.sin(2 * math.pi * note * i / rate)))
    return (b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate, 1, 8) +
            b"data" + struct.pack("<I", len(samples)) + bytes(samples))

for name, data in (("partial", picture(8)), ("partial", picture(4)), ("data", picture(1)), ("data", sound())):
    print(name, base64.b64encode(data).decode())
