"""Reads exports of points in all formats and compares them with CSV exports. The readers follow the manuals of the formats and use only the standard library.

usage: read_mixed.py FOLDER     with the exports of tests/cli/export_mixed.sh: all/, chosen/, and a folder for each field.
"""
import ast
import base64
import csv
import glob
import gzip
import os
import shlex
import struct
import sys
import xml.etree.ElementTree as tree
import zipfile
import zlib

import gsd_file

folder = sys.argv[1]
H0, ORIGIN = [[4, 0.5, -0.7], [0, 5, -0.6], [0, 0, 6]], [-0.5, 0.25, 1]
GRADIENT = [[0, 0.3, 0], [0, 0, -0.2], [0, 0, 0.1]]
# bodies in order: number of the shape, and half extents; for round bodies the whole length along z (docs/export.md)
SHAPES = [(0, None), (1, (0.1, 0.1, 0.3)), (3, (0.1, 0.15, 0.2)), (4, (0.15, 0.15, 0.5)), (5, (0.2, 0.2, 0.4)), (6, (0.15, 0.25, 0.2)), (7, None), (9, (0.15, 0.2, 0.25)), (10, None), (0, None), (0, None), (0, None)]
WALLS = [] if folder == "cell" else [(2, None), (3, (0.5, 0.5, 0.5)), (8, None), (0, None)]
NAMES = ["sphere", "capsule", "halfspace", "box", "cylinder", "cone", "ellipsoid", "hull", "mesh", "superellipsoid", "compound"]
FIELDS = {"velocity": ["vx", "vy", "vz"], "spin": ["wx", "wy", "wz"], "orientation": ["qw", "qx", "qy", "qz"]}
shape_of = dict(enumerate(WALLS + SHAPES, 1))


def near(a, b, tolerance, what):
    assert len(a) == len(b), (what, a, b)
    for x, y in zip(a, b):
        assert x == y or abs(x - y) <= tolerance * max(1, abs(y)), (what, list(a), list(b))


def table(path):
    with open(path, newline="") as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def split(rows):
    frames = {}
    for row in rows:
        frames.setdefault(row["frame"], []).append(row)
    return [frames[k] for k in sorted(frames)]


def vector(H, n):
    return [sum(H[i][k] * n[k] for k in range(3)) for i in range(3)]


def is_drawn(row):
    return row["kind"] == 0 or shape_of[int(row["id"])][0] == 0


# ---- readers: each returns frames with time, step, box, and rows of lists by name ----
def read_dump(where):
    with gzip.open(f"{folder}/{where}/frame.dump.gz", "rt") as file:
        lines = file.read().split("\n")
    assert lines[:2] == ["ITEM: UNITS", "si"] and lines[-1] == ""
    at, out = 2, []
    while at < len(lines) - 1:
        count = int(lines[at + 5])
        assert [lines[at], lines[at + 2], lines[at + 4]] == ["ITEM: TIME", "ITEM: TIMESTEP", "ITEM: NUMBER OF ATOMS"]
        title, names = lines[at + 6], lines[at + 10].split()
        assert names[:2] == ["ITEM:", "ATOMS"]
        rows = [dict(zip(names[2:], map(float, line.split()))) for line in lines[at + 11:at + 11 + count]]
        assert all(len(line.split()) == len(names) - 2 for line in lines[at + 11:at + 11 + count])
        out.append({"time": float(lines[at + 1]), "step": int(lines[at + 3]), "title": title, "names": names[2:], "rows": rows, "bounds": [[float(v) for v in line.split()] for line in lines[at + 7:at + 10]]})
        at += 11 + count
    return out


def read_xyz(where):
    with gzip.open(f"{folder}/{where}/frame.xyz.gz", "rt") as file:
        lines = file.read().split("\n")
    at, out = 0, []
    while at < len(lines) - 1:
        count, head = int(lines[at]), dict(item.split("=", 1) for item in shlex.split(lines[at + 1]))
        parts, rows = head["Properties"].split(":"), []
        for line in lines[at + 2:at + 2 + count]:
            words, row, column = line.split(), {}, 0
            for name, kind, width in zip(parts[::3], parts[1::3], parts[2::3]):
                row[name] = [w if kind == "S" else float(w) for w in words[column:column + int(width)]]
                column += int(width)
            assert column == len(words), line
            rows.append(row)
        out.append({"time": float(head["Time"]), "step": int(head["Step"]), "names": parts[::3], "rows": rows, "head": head})
        at += 2 + count
    return out


def read_npz(where):
    out = []
    for path in sorted(glob.glob(f"{folder}/{where}/frame_*.npz")):
        arrays = {}
        with zipfile.ZipFile(path) as archive:
            assert archive.testzip() is None
            for name in archive.namelist():
                data = archive.read(name)
                assert data[:8] == b"\x93NUMPY\1\0" and data[9 + struct.unpack_from("<H", data, 8)[0]:][:1] == b"\n" and (10 + struct.unpack_from("<H", data, 8)[0]) % 64 == 0
                length = struct.unpack_from("<H", data, 8)[0]
                head = ast.literal_eval(data[10:10 + length].decode())
                count = 1
                for n in head["shape"]:
                    count *= n
                values = struct.unpack(f"<{count}" + {"<f8": "d", "<i8": "q", "<u8": "Q", "|u1": "B"}[head["descr"]], data[10 + length:])
                arrays[name[:-4]] = (head["shape"], values)
        out.append(arrays)
    return out


def read_vtp(path):
    root = tree.parse(path).getroot()
    assert root.get("compressor") == "vtkZLibDataCompressor" and root.get("header_type") == "UInt64" and root.get("byte_order") == "LittleEndian"
    out = {"piece": root.find("PolyData/Piece").attrib}
    for section in ["PolyData/FieldData"] + ["PolyData/Piece/" + s for s in ("Points", "PointData", "CellData", "Verts", "Lines", "Polys")]:
        for array in root.findall(section + "/DataArray"):
            kind, width = array.get("type"), int(array.get("NumberOfComponents", 1))
            if array.get("format") == "ascii":
                values = [float(v) for v in array.text.split()]
            else:
                text = array.text.strip()
                blocks = struct.unpack("<Q", base64.b64decode(text[:12])[:8])[0]
                head_size = (8 * (3 + blocks) + 2) // 3 * 4
                head = struct.unpack_from(f"<{3 + blocks}Q", base64.b64decode(text[:head_size]))
                packed, data = base64.b64decode(text[head_size:]), b""
                for number, size in enumerate(head[3:]):
                    block = zlib.decompress(packed[:size])
                    packed = packed[size:]
                    assert len(block) == (head[2] if head[2] and number + 1 == blocks else head[1])
                    data += block
                assert not packed
                letter = {"Float32": "f", "Int32": "i", "Int64": "q"}[kind]
                values = struct.unpack(f"<{len(data) // struct.calcsize(letter)}{letter}", data)
            out[section.split("/")[-1] + "/" + array.get("Name")] = [list(values[i:i + width]) for i in range(0, len(values), width)]
    return out


def collection(path):
    return [(float(e.get("timestep")), e.get("file")) for e in tree.parse(path).getroot().findall("Collection/DataSet")]


# ---- comparisons ----
def check_place(r, position, image, number, tolerance, what, velocity=None):
    """Checks that a position in a cell is wrapped: it lies inside, a whole number of edges from the CSV position."""
    if folder != "cell":
        near(position, [r[k] for k in "xyz"], tolerance, what)
        if velocity:
            near(velocity, [r[k] for k in FIELDS["velocity"]], tolerance, what)
        return
    H = boxes[number]
    shift = vector(H, image)
    near([p + s for p, s in zip(position, shift)], [r[k] for k in "xyz"], tolerance, what)
    d = [p - o for p, o in zip(position, ORIGIN)]
    s = [0, 0, d[2] / H[2][2]]
    s[1] = (d[1] - H[1][2] * s[2]) / H[1][1]
    s[0] = (d[0] - H[0][1] * s[1] - H[0][2] * s[2]) / H[0][0]
    assert all(-1e-6 <= v < 1 + 1e-6 for v in s), (what, s)
    if velocity:
        near([v + g for v, g in zip(velocity, vector(GRADIENT, shift))], [r[k] for k in FIELDS["velocity"]], tolerance, what)


def check_dump(where, frames, fields):
    found = read_dump(where)
    assert len(found) == len(frames)
    in_cell = folder == "cell"
    for f, rows in zip(found, frames):
        number, wanted = f["step"] // 2, [r for r in rows if is_drawn(r)]
        any_axes = any(shape_of[int(r["id"])][1] for r in wanted)
        names = ["id", "type", "group", "mass", "radius", "x", "y", "z"] + (["ix", "iy", "iz"] if in_cell else [])
        for field, own in (("velocity", ["vx", "vy", "vz"]), ("spin", ["omegax", "omegay", "omegaz"]), ("orientation", ["quati", "quatj", "quatk", "quatw"])):
            names += own if field in fields else []
        assert f["names"] == names + ["heat", "wet"] + (["shapex", "shapey", "shapez"] if any_axes else []), f["names"]
        assert f["time"] == rows[0]["time"] and f["step"] == rows[0]["step"] and len(f["rows"]) == len(wanted)
        if in_cell:
            assert f["title"] == "ITEM: BOX BOUNDS xy xz yz pp pp pp"
            H = boxes[number]
            corners = [[ORIGIN[i] + v for i, v in enumerate(vector(H, (n & 1, n >> 1 & 1, n >> 2)))] for n in range(8)]
            for k in range(3):
                near(f["bounds"][k], [min(c[k] for c in corners), max(c[k] for c in corners), (H[0][1], H[0][2], H[1][2])[k]], 6e-9, "bounds")
        else:
            assert f["title"] == "ITEM: BOX BOUNDS ff ff ff"
            for k, a in enumerate("xyz"):
                near(f["bounds"][k], [min(r[a] - r["radius"] for r in wanted), max(r[a] + r["radius"] for r in wanted)], 6e-9, "bounds")
        for v, r in zip(f["rows"], wanted):
            shape, axes = shape_of[int(r["id"])]
            assert v["id"] == r["id"] and v["type"] == shape + 1 and v["group"] == r["group"]
            near([v["radius"], v["mass"], v["heat"], v["wet"]], [r["radius"], r["mass"] if r["mass"] < 1e300 else 0, r["heat"], r["wet"]], 6e-9, "dump")
            check_place(r, [v[k] for k in "xyz"], [v.get(k, 0) for k in ("ix", "iy", "iz")], number, 1e-8, "dump", [v[k] for k in ("vx", "vy", "vz")] if "velocity" in fields else None)
            if "spin" in fields:
                near([v[k] for k in ("omegax", "omegay", "omegaz")], [r[k] for k in FIELDS["spin"]], 6e-9, "spin")
            if "orientation" in fields:
                near([v[k] for k in ("quatw", "quati", "quatj", "quatk")], [r[k] for k in FIELDS["orientation"]], 6e-9, "orientation")
            if any_axes:
                near([v[k] for k in ("shapex", "shapey", "shapez")], [2 * a for a in axes] if axes else [0, 0, 0], 1e-9, "axes")


def check_xyz(where, frames, fields):
    found = read_xyz(where)
    assert len(found) == len(frames)
    for f, rows in zip(found, frames):
        number, wanted, head = f["step"] // 2, [r for r in rows if is_drawn(r)], f["head"]
        names = ["id", "species", "pos"] + ["velo"] * ("velocity" in fields) + ["radius"] + ["orientation"] * ("orientation" in fields) + ["aspherical_shape"] + ["omega"] * ("spin" in fields)
        assert f["names"] == names + ["group", "heat", "wet"], f["names"]
        assert f["time"] == rows[0]["time"] and f["step"] == rows[0]["step"] and len(f["rows"]) == len(wanted)
        lattice, origin = [float(v) for v in head["Lattice"].split()], [float(v) for v in head["Origin"].split()]
        if folder == "cell":
            near(lattice, [boxes[number][k % 3][k // 3] for k in range(9)], 6e-9, "lattice")
            near(origin, ORIGIN, 0, "origin")
            assert head["pbc"] == "T T T"
        else:
            low = [min(r[a] - r["radius"] for r in wanted) for a in "xyz"]
            near(origin, low, 6e-9, "origin")
            size = [max(r[a] + r["radius"] for r in wanted) - b for a, b in zip("xyz", low)]
            near(lattice, [size[0], 0, 0, 0, size[1], 0, 0, 0, size[2]], 6e-9, "lattice")
            assert head["pbc"] == "F F F"
        for v, r in zip(f["rows"], wanted):
            shape, axes = shape_of[int(r["id"])]
            assert v["id"] == [r["id"]] and v["species"] == [NAMES[shape]] and v["group"] == [r["group"]]
            near(v["radius"] + v["heat"] + v["wet"], [r["radius"], r["heat"], r["wet"]], 6e-9, "xyz")
            near(v["aspherical_shape"], axes or [0, 0, 0], 1e-9, "axes")
            if folder != "cell":
                check_place(r, v["pos"], [0, 0, 0], number, 6e-9, "xyz", v.get("velo"))
            if "spin" in fields:
                near(v["omega"], [r[k] for k in FIELDS["spin"]], 6e-9, "spin")
            if "orientation" in fields:
                near([v["orientation"][3]] + v["orientation"][:3], [r[k] for k in FIELDS["orientation"]], 6e-9, "orientation")


def check_npz(where, frames, fields, contacts):
    found = read_npz(where)
    assert len(found) == len(frames)
    for f, rows in zip(found, frames):
        n = len(rows)
        bodies = {"time", "step", "id", "group", "kind", "radius", "mass", "position", "heat", "wet"} | set(fields)
        assert {k for k in f if not k.startswith("contact")} == bodies, sorted(f)
        assert f["time"] == ((), (rows[0]["time"],)) and f["step"] == ((), (rows[0]["step"],))
        for name, keys in [("position", ["x", "y", "z"])] + list(FIELDS.items()) + [(k, [k]) for k in ("id", "group", "kind", "radius", "mass", "heat", "wet")]:
            if name in f:
                assert f[name] == ((n,) if len(keys) == 1 else (n, len(keys)), tuple(r[k] for r in rows for k in keys)), name
        own = [c for c in contacts if c["time"] == rows[0]["time"]]
        columns = {"contact_body1": ["body1"], "contact_body2": ["body2"], "contact_point": ["px", "py", "pz"], "contact_normal": ["nx", "ny", "nz"], "contact_gap": ["gap"], "contact_impulse": ["jx", "jy", "jz"],
                   "contact_force": ["fx", "fy", "fz"], "contact_force_n": ["fn"], "contact_friction": ["ftx", "fty", "ftz"], "contact_moment": ["mx", "my", "mz"]}
        if folder == "cell" and own:
            columns["contact_image"] = ["ix", "iy", "iz"]
        if contacts:
            assert {k for k in f if k.startswith("contact")} == set(columns), sorted(f)
            for name, keys in columns.items():
                assert f[name][1] == tuple(c[k] for c in own for k in keys), name


def check_vtp(where, frames, fields, contacts):
    listed = collection(f"{folder}/{where}/frame.pvd")
    assert listed == [(rows[0]["time"], f"frame_{k:06d}.vtp") for k, rows in enumerate(frames)], listed
    for (time, name), rows in zip(listed, frames):
        f, wanted, number = read_vtp(f"{folder}/{where}/{name}"), [r for r in rows if is_drawn(r)], int(rows[0]["step"]) // 2
        n = len(wanted)
        assert f["piece"] == {"NumberOfPoints": str(n), "NumberOfVerts": str(n), "NumberOfLines": "0", "NumberOfStrips": "0", "NumberOfPolys": "0"}
        arrays = {"radius", "mass", "id", "group", "kind", "shape", "heat", "wet"} | set(fields) | ({"image"} if folder == "cell" else set())
        assert {k.split("/")[1] for k in f if k.startswith("PointData/")} == arrays, sorted(f)
        assert f["FieldData/TimeValue"] == [[time]]
        assert [v[0] for v in f["Verts/connectivity"]] == list(range(n)) and [v[0] for v in f["Verts/offsets"]] == list(range(1, n + 1))
        if folder == "cell":
            near([v[0] for v in f["FieldData/cell"]] if len(f["FieldData/cell"]) == 12 else sum(f["FieldData/cell"], []), [boxes[number][k % 3][k // 3] for k in range(9)] + ORIGIN, 1e-8, "cell")
        for i, r in enumerate(wanted):
            def of(name):
                return f["PointData/" + name][i]
            assert of("id") == [r["id"]] and of("group") == [r["group"]] and of("kind") == [r["kind"]] and of("shape") == [shape_of[int(r["id"])][0]]
            near(of("radius") + of("heat") + of("wet"), [r["radius"], r["heat"], r["wet"]], 1e-7, "vtp")
            assert of("mass")[0] == r["mass"] or abs(of("mass")[0] - r["mass"]) < 1e-7 * r["mass"]
            check_place(r, f["Points/Points"][i], of("image") if folder == "cell" else None, number, 1e-6, "vtp", of("velocity") if "velocity" in fields else None)
            for field in set(fields) & {"spin", "orientation"}:
                near(of(field), [r[k] for k in FIELDS[field]], 1e-7, field)
    if not contacts:
        return
    listed = collection(f"{folder}/{where}/frame_contacts.pvd")
    assert listed == [(rows[0]["time"], f"frame_contacts_{k:06d}.vtp") for k, rows in enumerate(frames)], listed
    for (time, name), rows in zip(listed, frames):
        f, own = read_vtp(f"{folder}/{where}/{name}"), [c for c in contacts if c["time"] == time]
        n = len(own)
        assert f["piece"]["NumberOfPoints"] == str(2 * n) and f["piece"]["NumberOfLines"] == str(n) and f["piece"]["NumberOfVerts"] == "0"
        assert [v[0] for v in f["Lines/connectivity"]] == list(range(2 * n)) and [v[0] for v in f["Lines/offsets"]] == list(range(2, 2 * n + 2, 2))
        names = {"impulse", "normal", "gap", "impulse_n", "impulse_t", "force", "force_n", "friction", "moment", "body1", "body2"}
        assert {k.split("/")[1] for k in f if k.startswith("CellData/")} == names, sorted(f)
        places = {r["id"]: r for r in rows}
        for i, c in enumerate(own):
            j, normal = [c["j" + a] for a in "xyz"], [c["n" + a] for a in "xyz"]
            along = sum(a * b for a, b in zip(j, normal))
            across = sum((a - along * b) ** 2 for a, b in zip(j, normal)) ** 0.5
            for name, wanted in (("impulse", j), ("normal", normal), ("gap", [c["gap"]]), ("impulse_n", [along]), ("impulse_t", [across]), ("force", [c["fx"], c["fy"], c["fz"]]), ("force_n", [c["fn"]]),
                                 ("friction", [c["ftx"], c["fty"], c["ftz"]]), ("moment", [c["mx"], c["my"], c["mz"]]), ("body1", [c["body1"]]), ("body2", [c["body2"]])):
                scale = max(map(abs, wanted)) or 1
                near([v / scale for v in f["CellData/" + name][i]], [v / scale for v in wanted], 1e-6, name)
            # from centre to centre, or to the point at a wall; in a cell the line is moved by whole edges
            for end, body in ((0, "body1"), (1, "body2")):
                r = places.get(c[body])
                if folder == "open" and r:
                    near(f["Points/Points"][2 * i + end], [r[k] for k in "xyz"] if r["kind"] == 0 else [c["p" + k] for k in "xyz"], 1e-6, "line")
            if folder == "cell" and c["body1"] in places and c["body2"] in places:
                a, b = places[c["body1"]], places[c["body2"]]
                shift = vector(boxes[int(rows[0]["step"]) // 2], [c["ix"], c["iy"], c["iz"]])
                near([q - p for p, q in zip(f["Points/Points"][2 * i], f["Points/Points"][2 * i + 1])], [b[k] + s - a[k] for k, s in zip("xyz", shift)], 1e-5, "line")


def check_gsd(where, frames, fields):
    found = gsd_file.read(f"{folder}/{where}/frame.gsd")
    assert len(found) == len(frames)
    for f, rows in zip(found, frames):
        number, wanted = int(rows[0]["step"]) // 2, [r for r in rows if is_drawn(r)]
        assert f["particles/N"] == (len(wanted),) and f["configuration/step"] == (rows[0]["step"],) and f["log/time"] == (rows[0]["time"],)
        assert f["log/particles/id"] == tuple(r["id"] for r in wanted)
        assert ("log/particles/spin" in f) == ("spin" in fields), sorted(f)
        box, middle = f["configuration/box"], [0, 0, 0]
        if folder == "cell":
            H = boxes[number]
            near(box, [H[0][0], H[1][1], H[2][2], H[0][1] / H[1][1], H[0][2] / H[2][2], H[1][2] / H[2][2]], 1e-6, "box")
            middle = [o + s for o, s in zip(ORIGIN, vector(H, (0.5, 0.5, 0.5)))]
        else:
            near(box, [2.0001 * max(max(abs(r[a] - r["radius"]), abs(r[a] + r["radius"])) for r in wanted) for a in "xyz"] + [0, 0, 0], 1e-6, "box")
        types = f["particles/types"]
        for i, r in enumerate(wanted):
            kind = shape_of[int(r["id"])][0]
            label = types[f["particles/typeid"][i]]
            assert label.rstrip("0123456789") == NAMES[kind], (label, kind)
            near([f["particles/diameter"][i], f["particles/mass"][i], f["log/particles/heat"][i], f["log/particles/wet"][i]], [2 * r["radius"], r["mass"] if r["mass"] < 1e300 else 0, r["heat"], r["wet"]], 1e-6, "gsd")
            position = [p + m for p, m in zip(gsd_file.rows(f["particles/position"], 3)[i], middle)]
            velocity = gsd_file.rows(f["particles/velocity"], 3)[i]
            check_place(r, position, gsd_file.rows(f["particles/image"], 3)[i], number, 2e-6, "gsd", velocity if "velocity" in fields else None)
            if "spin" in fields:
                near(gsd_file.rows(f["log/particles/spin"], 3)[i], [r[k] for k in FIELDS["spin"]], 1e-6, "spin")


everything = split(table(f"{folder}/all/frame.csv"))
assert len(everything) == 4 and len(everything[0]) == len(shape_of)
boxes = {}
if folder == "cell":
    # the edges of each frame: from the lattice of XYZ, and compared with the deformation dH/dt = L H to second order in dt
    for f in read_xyz("all"):
        lattice = [float(v) for v in f["head"]["Lattice"].split()]
        boxes[f["step"] // 2] = [[lattice[3 * k + i] for k in range(3)] for i in range(3)]
    near(sum(boxes[0], []), sum(H0, []), 1e-9, "first box")
    for k in range(3):
        H = boxes[k]
        for _ in range(2):
            rate = [[sum(GRADIENT[i][m] * H[m][j] for m in range(3)) for j in range(3)] for i in range(3)]
            H = [[H[i][j] + 0.05 * rate[i][j] for j in range(3)] for i in range(3)]
        near(sum(boxes[k + 1], []), sum(H, []), 1e-8, "box")
contacts = table(f"{folder}/all/frame_contacts.csv")
assert contacts and all(c["frame"] == round(c["time"] / 0.1) for c in contacts)
all_fields = list(FIELDS)
check_dump("all", everything, all_fields), check_xyz("all", everything, all_fields), check_npz("all", everything, all_fields, contacts)
check_vtp("all", everything, all_fields, contacts), check_gsd("all", everything, all_fields)
for field in FIELDS:
    if os.path.exists(f"{folder}/{field}"):
        names = list(table(f"{folder}/{field}/frame.csv")[0])
        assert names == ["frame", "time", "step", "id", "group", "kind", "radius", "mass", "x", "y", "z"] + FIELDS[field] + ["heat", "wet"], names
        two = [everything[1], everything[3]]
        for own, rows in zip(split(table(f"{folder}/{field}/frame.csv")), two):
            assert [{k: r[k] for k in names} for r in rows] == own, field
        check_dump(field, two, [field]), check_xyz(field, two, [field]), check_npz(field, two, [field], []), check_vtp(field, two, [field], []), check_gsd(field, two, [field])
# chosen bodies: bodies of a group or with an id, and contacts of these bodies
chosen = [r for r in everything[0] if r["group"] in (2, 4) or r["id"] in (1, 3)]
assert 3 <= len(chosen) <= 4
assert split(table(f"{folder}/list/frame.csv")) == [chosen]
ids = {r["id"] for r in chosen}
check_dump("chosen", [chosen], all_fields), check_xyz("chosen", [chosen], all_fields), check_gsd("chosen", [chosen], all_fields)
check_npz("chosen", [chosen], all_fields, [c for c in contacts if c["frame"] == 0 and {c["body1"], c["body2"]} & ids])
print(f"{folder}: the same bodies in all formats")
