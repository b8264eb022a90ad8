"""Edits a section of a checkpoint and puts the checksums right again, as a stranger would.

usage: sections.py FILE list
       sections.py FILE SECTION OFFSET i32|i64|f64|hex VALUE      overwrites bytes of the section's data
       sections.py FILE SECTION OFFSET cut                        cuts it off there
       sections.py FILE SECTION OFFSET fill LETTER COUNT
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


def main(path, section, *how):
    with open(path, "rb") as file:
        raw = file.read()
    chunks, found = read(raw), False
    for chunk in chunks:
        if chunk[0] != b"SECT":
            continue
        name, data = split(chunk[6])
        if section == "list":
            print(name, len(data))
        elif name == section:
            data, found = change(data, int(how[0]), how[1], how[2:]), True
            chunk[6] = struct.pack("<H", len(name)) + name.encode() + bytes(data)
    if section != "list":
        if not found:
            sys.exit(f"there is no section {section}")
        write(path, raw[:32], chunks)


main(*sys.argv[1:])
