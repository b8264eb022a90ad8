"""Edits sections of a checkpoint and puts the checksums right again, as a stranger would.

usage: sections.py FILE                        lists sections with their sizes
       sections.py FILE FOLDER < EDITS         one edited copy of FILE for each line: NAME SECTION OFFSET EDIT

EDIT is one of: i32 N, i64 N, f64 X, hex BYTES, fill LETTER COUNT (bytes that go there), cut (the section ends there).
"""
import struct
import sys
import zlib


def read(raw):
    """[header fields, payload] of every chunk but the index."""
    chunks, at = [], 32
    while raw[at : at + 4] == b"CHNK":
        kind, codec, flags, stored, size, number, value, crc, extra = struct.unpack_from("<4sHHQQQQII", raw, at + 8)
        payload = raw[at + 56 : at + 56 + stored]
        if kind != b"INDX":
            chunks.append([kind, codec, flags, number, value, extra, zlib.decompress(payload) if codec else payload])
        at += 56 + (stored + 7) // 8 * 8
    return chunks


def pack(at, kind, codec, flags, number, value, extra, payload):
    stored = zlib.compress(payload, 1) if codec else payload
    head = struct.pack("<4sHHQQQQII", kind, codec, flags, len(stored), len(payload), number, value, zlib.crc32(stored), extra)
    chunk = b"CHNK" + struct.pack("<I", zlib.crc32(head)) + head + stored + b"\0" * (-len(stored) % 8)
    return chunk, struct.pack("<Q", at) + head


def write(path, header, chunks):
    out, index = bytearray(header), b""
    for chunk in chunks:
        text, entry = pack(len(out), *chunk)
        out += text
        index += entry
    at = len(out)
    out += pack(at, b"INDX", 1, 0, len(chunks), 0, 0, index)[0]
    tail = b"SCREEEND" + struct.pack("<QQI", at, len(chunks), 0)
    out += tail + struct.pack("<I", zlib.crc32(tail))
    with open(path, "wb") as file:
        file.write(out)


def split(payload):
    """Name and data of a section."""
    length = struct.unpack_from("<H", payload)[0]
    return payload[2 : 2 + length].decode(), bytearray(payload[2 + length :])


def change(data, offset, how, rest):
    if how == "cut":
        return data[:offset]
    new = {
        "i32": lambda: struct.pack("<i", int(rest[0])),
        "i64": lambda: struct.pack("<q", int(rest[0])),
        "f64": lambda: struct.pack("<d", float(rest[0])),
        "hex": lambda: bytes.fromhex(rest[0]),
        "fill": lambda: rest[0].encode() * int(rest[1]),
    }[how]()
    if offset + len(new) > len(data):
        sys.exit(f"the section has only {len(data)} bytes")
    data[offset : offset + len(new)] = new
    return data


def edited(chunks, section, offset, how, *rest):
    out, found = [list(chunk) for chunk in chunks], False
    for chunk in out:
        name, data = split(chunk[6]) if chunk[0] == b"SECT" else ("", b"")
        if name != section:
            continue
        data, found = change(data, int(offset), how, rest), True
        chunk[6] = struct.pack("<H", len(name)) + name.encode() + bytes(data)
    return out if found else sys.exit(f"there is no section {section}")


def main(path, folder=None):
    with open(path, "rb") as file:
        raw = file.read()
    chunks = read(raw)
    if not folder:
        for name, data in (split(chunk[6]) for chunk in chunks if chunk[0] == b"SECT"):
            print(name, len(data))
        return
    for line in sys.stdin:
        name, *edit = line.split()
        write(f"{folder}/{name}", raw[:32], edited(chunks, *edit))


main(*sys.argv[1:])
