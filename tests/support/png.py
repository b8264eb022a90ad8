"""Pictures as PNG files: reading and comparing; standard library only."""
import struct
import zlib


def read(data):
    """(width, height, rows) with rows of bytes r, g, b for each pixel; 8 bits, with or without opacity."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack_from(">IIBBBBB", data, at + 8)
            assert depth == 8 and colour in (2, 6) and not interlaced
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    step = 3 if colour == 2 else 4
    plain, before, rows = zlib.decompress(packed), bytes(width * step), []
    for y in range(height):
        start = y * (width * step + 1)
        before = unfilter(plain[start], bytearray(plain[start + 1:start + 1 + width * step]), before, step)
        rows.append(before if step == 3 else bytes(v for i, v in enumerate(before) if i % 4 != 3))
    return width, height, rows


def unfilter(kind, row, above, step):
    if kind == 2:
        return bytes((a + b) & 255 for a, b in zip(row, above))
    for i in range(len(row)) if kind else ():
        left, up, corner = (row[i - step] if i >= step else 0), above[i], (above[i - step] if i >= step else 0)
        if kind == 1:
            guess = left
        elif kind == 3:
            guess = (left + up) // 2
        else:
            far = [abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)]
            guess = (left, up, corner)[far.index(min(far))]
        row[i] = (row[i] + guess) & 255
    return bytes(row)


def blocks(picture, size):
    """Mean colours of squares of `size` pixels."""
    width, height, rows = picture
    out = []
    for y in range(0, height - size + 1, size):
        for x in range(0, width - size + 1, size):
            sums = [0, 0, 0]
            for row in rows[y:y + size]:
                part = row[3 * x:3 * (x + size)]
                for c in range(3):
                    sums[c] += sum(part[c::3])
            out.append([s / (size * size) for s in sums])
    return out


def difference(a, b, size=6):
    """(mean difference of the squares' colours, share of squares that differ by more than 24 of 255)."""
    if a[:2] != b[:2]:
        return 255.0, 1.0
    apart = [max(abs(p - q) for p, q in zip(one, other)) for one, other in zip(blocks(a, size), blocks(b, size))]
    return sum(apart) / len(apart), sum(x > 24 for x in apart) / len(apart)


def count(picture, wanted, tolerance=40):
    """Pixels whose hue is that of a colour, in light and in shade: r, g and b in like shares."""
    size = max(wanted)
    found = 0
    for row in picture[2]:
        for x in range(0, len(row), 3):
            most = max(row[x:x + 3])
            if most > 60 and all(abs(row[x + c] * 255 / most - wanted[c] * 255 / size) < tolerance for c in range(3)):
                found += 1
    return found
