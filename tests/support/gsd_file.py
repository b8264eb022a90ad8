"""Reads GSD files by their specification (file layer 2, HOOMD schema 1), with the standard library alone.

read(path) returns a list of frames, each a dictionary of chunk names and flat tuples of numbers. A frame without a chunk has that of
frame 0 if both frames have as many particles, else the default of the schema. "chunks" are the names that the frame stores itself.
"""
import json
import struct

KINDS = {1: "B", 3: "I", 4: "Q", 5: "b", 7: "i", 9: "f", 10: "d"}
DEFAULTS = {"particles/typeid": (0,), "particles/diameter": (1.0,), "particles/mass": (1.0,), "particles/position": (0.0,) * 3,
            "particles/orientation": (1.0, 0.0, 0.0, 0.0), "particles/velocity": (0.0,) * 3, "particles/image": (0,) * 3}
GLOBAL = ("configuration/", "particles/N", "particles/types", "particles/type_shapes", "log/")   # from frame 0 whatever N is


def stored(data):
    """The chunks of each frame as the index lists them."""
    magic, index, entries, names, blocks, schema, version = struct.unpack_from("<QQQQQII", data)
    assert magic == 0x65DF65DF65DF65DF and version >> 16 == 2 and data[112:118] == b"hoomd\0", (hex(magic), version)
    names = [n.decode() for n in data[names:names + 64 * blocks].split(b"\0") if n]
    frames, before = [], (0, -1)
    for k in range(entries):
        frame, rows, at, columns, name, kind, flags = struct.unpack_from("<QQqIHBB", data, index + 32 * k)
        if not at:
            break
        assert (frame, name) > before and flags == 0, (frame, name, before)   # the index is sorted
        before = (frame, name)
        frames += [{} for _ in range(frame + 1 - len(frames))]
        frames[frame][names[name]] = (columns, struct.unpack_from(f"<{rows * columns}{KINDS[kind]}", data, at))
    return frames


def texts(columns, values):
    raw = bytes(v & 255 for v in values)
    return [raw[i:i + columns].split(b"\0")[0].decode() for i in range(0, len(raw), columns)]


def read(path):
    with open(path, "rb") as file:
        frames = stored(file.read())
    names, first, out = {n for f in frames for n in f}, frames[0], []
    for own in frames:
        frame = {"chunks": set(own)}
        count = own.get("particles/N", first.get("particles/N"))[1][0]
        alike = count == first["particles/N"][1][0]
        for name in names | set(DEFAULTS):
            if name in own:
                columns, values = own[name]
            elif name in first and (alike or name.startswith(GLOBAL)):
                columns, values = first[name]
            elif name in DEFAULTS:
                columns, values = 1, DEFAULTS[name] * count
            else:
                continue
            frame[name] = texts(columns, values) if name in ("particles/types", "particles/type_shapes") else values
        frame["particles/type_shapes"] = [json.loads(t) for t in frame["particles/type_shapes"]]
        out.append(frame)
    return out


def rows(values, columns):
    return [list(values[i:i + columns]) for i in range(0, len(values), columns)]
