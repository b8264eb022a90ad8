"""Unwrapped places of bodies in a cell, from exports: position + H image is where the CSV export, which wraps nothing, has them.

usage: read_cell.py FOLDER     with vtp/, dump/, gsd/ and csv/ in it. vtp is left out where VTK is not installed.
"""
import csv
import glob
import gzip
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import gsd_file

folder = sys.argv[1]


def reference():
    """Per frame the places by id."""
    frames = {}
    with open(glob.glob(f"{folder}/csv/*.csv")[0], newline="") as file:
        for row in csv.DictReader(file):
            frames.setdefault(int(row["frame"]), {})[int(row["id"])] = [float(row[k]) for k in "xyz"]
    return [frames[k] for k in sorted(frames)]


def compare(kind, frames, found, tolerance):
    """found: per frame a list of (id, position, image) and H."""
    moved = 0
    assert len(found) == len(frames), (kind, len(found), len(frames))
    for wanted, (rows, H) in zip(frames, found):
        assert len(rows) == len(wanted)
        for body, position, image in rows:
            moved += any(image)
            for k in range(3):
                at = position[k] + sum(H[k][m] * image[m] for m in range(3))
                assert abs(at - wanted[body][k]) < tolerance * (abs(wanted[body][k]) + H[0][0]), (kind, body, at, wanted[body][k])
    assert moved > 10, (kind, moved)


def dump():
    out, rows, H, names, left = [], [], None, None, 0
    with gzip.open(glob.glob(f"{folder}/dump/*.gz")[0], "rt") as file:
        lines = iter(file)
        for line in lines:
            if line.startswith("ITEM: BOX"):
                b = [[float(x) for x in next(lines).split()] for _ in range(3)]
                xy, xz, yz = b[0][2], b[1][2], b[2][2]
                tilt = [0, xy, xz, xy + xz]
                H = [[b[0][1] - max(tilt) - b[0][0] + min(tilt), xy, xz], [0, b[1][1] - max(0, yz) - b[1][0] + min(0, yz), yz], [0, 0, b[2][1] - b[2][0]]]
            elif line.startswith("ITEM: NUMBER"):
                left = int(next(lines))
            elif line.startswith("ITEM: ATOMS"):
                names, rows = line.split()[2:], []
                for _ in range(left):
                    r = dict(zip(names, (float(x) for x in next(lines).split())))
                    rows.append((int(r["id"]), [r[k] for k in "xyz"], [int(r[k]) for k in ("ix", "iy", "iz")]))
                out.append((rows, H))
    return out


def gsd(origin):
    out = []
    for number, f in enumerate(gsd_file.read(glob.glob(f"{folder}/gsd/*.gsd")[0])):
        constant = {"particles/N", "particles/types", "particles/diameter", "particles/mass", "particles/typeid", "log/particles/id"} & f["chunks"]
        assert len(constant) == (0 if number else 6), (number, constant)   # no body comes or goes: these lie in frame 0 alone
        x, y, z, xy, xz, yz = f["configuration/box"]
        H = [[x, xy * y, xz * z], [0, y, yz * z], [0, 0, z]]
        middle = [origin[i] + sum(H[i]) / 2 for i in range(3)]
        split = lambda v, i: list(v[3 * i:3 * i + 3])
        ids, places, images = f["log/particles/id"], f["particles/position"], f["particles/image"]
        out.append(([(b, [p + m for p, m in zip(split(places, i), middle)], split(images, i)) for i, b in enumerate(ids)], H))
    return out


def vtp():
    from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
    out = []
    for name in sorted(glob.glob(f"{folder}/vtp/frame_[0-9]*.vtp")):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(name)
        reader.Update()
        data = reader.GetOutput()
        edges, points = data.GetFieldData().GetArray("cell"), data.GetPointData()
        H = [[edges.GetTuple3(m)[k] for m in range(3)] for k in range(3)]
        out.append(([(int(points.GetArray("id").GetTuple1(i)), data.GetPoint(i), [int(n) for n in points.GetArray("image").GetTuple3(i)])
                     for i in range(data.GetNumberOfPoints())], H))
    return out


frames = reference()
compare("dump", frames, dump(), 1e-7)
compare("gsd", frames, gsd((0, 0, 0)), 1e-5)
try:
    compare("vtp", frames, vtp(), 1e-5)
except ImportError:
    print("VTK is not installed: vtp was not read")
