"""Makes small files that ask for much, or that are two things at once.

    hostile.py FOLDER

    large.gif      some 60 KB; 16384x6100 pixels, 24 pictures
    text.png       some 190 KB; a picture of 64x48 with a compressed text of 192 MB
    profile.png    the same as a colour profile
    text.apng      the same text in an animation's head
    two.gif        a GIF's first bytes, then a session description (SDP) that names another machine
"""

import os
import struct
import sys
import zlib

FOLDER = sys.argv[1]


def write(name, data):
    with open(os.path.join(FOLDER, name), "wb") as file:
        file.write(data)


def lzw(count):
    """GIF's LZW code of so many pixels of colour 0, with two colours."""
    bits, filled, out = 0, 0, bytearray()

    def put(code, size):
        nonlocal bits, filled
        bits |= code << filled
        filled += size
        while filled >= 8:
            out.append(bits & 255)
            bits >>= 8
            filled -= 8

    # Codes 0 to 3 are colours, 4 clears, 5 ends; entry n from 6 on stands for n - 4 pixels.
    put(4, 3)
    put(0, 3)
    count -= 1
    next_code, size = 6, 3
    while count > 0:
        length = next_code - 4
        if next_code < 4095 and length <= count:
            put(next_code, size)
            count -= length
            next_code += 1
            if next_code == 1 << size and size < 12:
                size += 1
        else:
            longest = min(count, next_code - 1 - 4)
            put(longest + 4 if longest > 1 else 0, size)
            count -= longest
            if next_code < 4095:
                next_code += 1
                if next_code == 1 << size and size < 12:
                    size += 1
    put(5, size)
    put(0, 7)
    return bytes(out)


def blocks(data):
    parts = [data[start : start + 255] for start in range(0, len(data), 255)]
    return b"".join(bytes([len(part)]) + part for part in parts) + b"\0"


def gif(width, height, pictures):
    head = b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + b"\x40\x40\x40\xff\xff\xff"
    pause = b"\x21\xf9\x04" + struct.pack("<BHB", 4, 4, 0) + b"\0"

    def picture(columns, rows):
        return pause + b"\x2c" + struct.pack("<HHHHB", 0, 0, columns, rows, 0) + b"\x02" + blocks(lzw(columns * rows))

    return head + picture(width, height) + picture(1, 1) * (pictures - 1) + b"\x3b"


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def deflated(megabytes):
    packer = zlib.compressobj(9)
    block = bytes(1 << 20)
    return b"".join(packer.compress(block) for _ in range(megabytes)) + packer.flush()


def png(*before, after=()):
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 48, 8, 2, 0, 0, 0))
    rows = zlib.compress(b"".join(b"\0" + bytes([40, 80, 120]) * 64 for _ in range(48)))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(before) + chunk(b"IDAT", rows) + b"".join(after) + chunk(b"IEND", b"")


large = deflated(192)
text = chunk(b"zTXt", b"Comment\0\0" + large)
control = chunk(b"acTL", struct.pack(">II", 1, 0))
frame = chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 64, 48, 0, 0, 1, 25, 0, 0))
write("large.gif", gif(16384, 6100, 24))
write("text.png", png(text))
write("profile.png", png(chunk(b"iCCP", b"profile\0\0" + large)))
write("text.apng", png(text, control, frame))
session = "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=video 5004 RTP/AVP 33\r\n"
write("two.gif", b"GIF8\r\n" + session.encode())
