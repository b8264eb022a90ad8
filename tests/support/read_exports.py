"""Reads what scree exported with programs that are not scree's, and compares it with the CSV export, which has every bit.

usage: read_exports.py FOLDER CHECK, CHECK one of vtp vtkhdf dump xyz gsd npz stl.
Exit status 77: the reading library is not installed. Quaternion orders are pinned here: CSV, VTK, GSD and NumPy (w,x,y,z),
LAMMPS dump and extended XYZ (x,y,z,w).
"""
import csv
import gzip
import struct
import sys

folder, check = sys.argv[1], sys.argv[2]
FRAMES, STRIDE, BALL = 4, 2, 0


def reference():
    """Per exported frame the rows of the CSV file, as dictionaries of floats."""
    frames = {}
    with open(f"{folder}/csv.csv", newline="") as file:
        for row in csv.DictReader(file):
            frames.setdefault(int(row["frame"]), []).append({k: float(v) for k, v in row.items()})
    assert sorted(frames) == [i * STRIDE for i in range(FRAMES)], sorted(frames)
    return [frames[k] for k in sorted(frames)]


def grains(rows):
    return [r for r in rows if r["kind"] == 0]


def near(a, b, tolerance=1e-6):
    assert len(a) == len(b), (len(a), len(b))
    for x, y in zip(a, b):
        assert abs(x - y) <= tolerance * (abs(y) + 1e-3), (x, y)


def columns(rows, *names):
    return [[r[n] for n in names] for r in rows]


def vtp():
    try:
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
        from vtkmodules.util.numpy_support import vtk_to_numpy
    except ImportError:
        sys.exit(77)
    import xml.etree.ElementTree as tree
    listed = tree.parse(f"{folder}/vtp.pvd").getroot().findall("Collection/DataSet")
    frames = reference()
    assert len(listed) == FRAMES
    for entry, rows in zip(listed, frames):
        assert float(entry.get("timestep")) == rows[0]["time"]
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(f"{folder}/{entry.get('file')}")
        reader.Update()
        data, wanted = reader.GetOutput(), grains(rows)
        assert data.GetNumberOfPoints() == data.GetNumberOfVerts() == len(wanted)
        points = vtk_to_numpy(data.GetPoints().GetData())
        fields = {data.GetPointData().GetArrayName(i): vtk_to_numpy(data.GetPointData().GetArray(i)) for i in range(data.GetPointData().GetNumberOfArrays())}
        for i, r in enumerate(wanted):
            near(points[i], [r["x"], r["y"], r["z"]])
            near(fields["velocity"][i], [r["vx"], r["vy"], r["vz"]])
            near(fields["spin"][i], [r["wx"], r["wy"], r["wz"]])
            near(fields["orientation"][i], [r["qw"], r["qx"], r["qy"], r["qz"]])
            near([fields["radius"][i], fields["mass"][i]], [r["radius"], r["mass"]])
            assert fields["id"][i] == r["id"] and fields["group"][i] == r["group"] and fields["kind"][i] == r["kind"]
        assert vtk_to_numpy(data.GetFieldData().GetArray("TimeValue"))[0] == rows[0]["time"]
    # contacts: lines between centres with their forces
    with open(f"{folder}/csv_contacts.csv", newline="") as file:
        contacts = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(file)]
    listed = tree.parse(f"{folder}/vtp_contacts.pvd").getroot().findall("Collection/DataSet")
    for number, entry in enumerate(listed):
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(f"{folder}/{entry.get('file')}")
        reader.Update()
        data = reader.GetOutput()
        wanted = [c for c in contacts if c["frame"] == number * STRIDE]
        where = {r["id"]: [r["x"], r["y"], r["z"]] for r in frames[number]}
        assert data.GetNumberOfLines() == len(wanted) > 0
        cells = data.GetCellData()
        for i, c in enumerate(wanted):
            ends = data.GetCell(i).GetPoints()
            near(ends.GetPoint(0), where[c["body1"]])
            near(ends.GetPoint(1), where[c["body2"]])
            normal = c["jx"] * c["nx"] + c["jy"] * c["ny"] + c["jz"] * c["nz"]
            total = c["jx"] ** 2 + c["jy"] ** 2 + c["jz"] ** 2
            assert abs(cells.GetArray("impulse_n").GetValue(i) - normal) <= 1e-6 * abs(normal)
            assert abs(cells.GetArray("impulse_t").GetValue(i) ** 2 - (total - normal ** 2)) <= 1e-5 * total
            assert cells.GetArray("body1").GetValue(i) == c["body1"] and cells.GetArray("body2").GetValue(i) == c["body2"]


def vtkhdf():
    """VTK reads the frames; before 9.3 it knows no steps and reads the first one."""
    try:
        from vtkmodules.vtkIOHDF import vtkHDFReader
        from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
        from vtkmodules.util.numpy_support import vtk_to_numpy
    except ImportError:
        sys.exit(77)
    reader, frames = vtkHDFReader(), reference()
    reader.SetFileName(f"{folder}/vtkhdf.vtkhdf")
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    assert times is None or list(times) == [rows[0]["time"] for rows in frames], times
    for number in range(1 if times is None else FRAMES):
        reader.Update() if times is None else reader.UpdateTimeStep(times[number])
        data, wanted = reader.GetOutput(), grains(frames[number])
        assert data.GetNumberOfPoints() == data.GetNumberOfCells() == len(wanted)
        assert all(data.GetCellType(i) == 1 and data.GetCell(i).GetPointId(0) == i for i in range(len(wanted)))
        points = vtk_to_numpy(data.GetPoints().GetData())
        fields = {data.GetPointData().GetArrayName(i): vtk_to_numpy(data.GetPointData().GetArray(i)) for i in range(data.GetPointData().GetNumberOfArrays())}
        for i, r in enumerate(wanted):
            near(points[i], [r["x"], r["y"], r["z"]])
            near(fields["velocity"][i], [r["vx"], r["vy"], r["vz"]])
            near(fields["spin"][i], [r["wx"], r["wy"], r["wz"]])
            near(fields["orientation"][i], [r["qw"], r["qx"], r["qy"], r["qz"]])
            near([fields["radius"][i], fields["mass"][i]], [r["radius"], r["mass"]])
            assert fields["id"][i] == r["id"] and fields["group"][i] == r["group"] and fields["kind"][i] == r["kind"] and fields["shape"][i] == BALL


def dump():
    with gzip.open(f"{folder}/dump.dump.gz", "rt") as file:
        lines = file.read().split("\n")
    assert lines[:2] == ["ITEM: UNITS", "si"]
    at = 2
    for rows in reference():
        wanted = grains(rows)
        assert lines[at] == "ITEM: TIME" and float(lines[at + 1]) == rows[0]["time"]
        assert lines[at + 2] == "ITEM: TIMESTEP" and int(lines[at + 3]) == rows[0]["step"]
        assert lines[at + 4] == "ITEM: NUMBER OF ATOMS" and int(lines[at + 5]) == len(wanted)
        assert lines[at + 6] == "ITEM: BOX BOUNDS ff ff ff"
        low_high = [[float(v) for v in lines[at + 7 + k].split()] for k in range(3)]
        names = lines[at + 10].split()[2:]
        assert lines[at + 10].startswith("ITEM: ATOMS id type group mass radius x y z ")
        for line, r in zip(lines[at + 11:], wanted):
            v = dict(zip(names, map(float, line.split())))
            assert v["id"] == r["id"] and v["type"] == 1 and v["group"] == r["group"]
            near([v[n] for n in ("x", "y", "z", "vx", "vy", "vz", "radius", "mass")], [r[n] for n in ("x", "y", "z", "vx", "vy", "vz", "radius", "mass")])
            near([v[n] for n in ("omegax", "omegay", "omegaz")], [r[n] for n in ("wx", "wy", "wz")])
            near([v[n] for n in ("quati", "quatj", "quatk", "quatw")], [r[n] for n in ("qx", "qy", "qz", "qw")])
            for k, n in enumerate("xyz"):
                assert low_high[k][0] <= r[n] <= low_high[k][1]
        at += 11 + len(wanted)
    assert lines[at:] == [""]


def xyz():
    import shlex
    with gzip.open(f"{folder}/xyz.xyz.gz", "rt") as file:
        lines = file.read().split("\n")
    at = 0
    for rows in reference():
        wanted = grains(rows)
        assert int(lines[at]) == len(wanted)
        head = dict(item.split("=", 1) for item in shlex.split(lines[at + 1]))
        assert float(head["Time"]) == rows[0]["time"] and head["pbc"] == "F F F" and len(head["Lattice"].split()) == 9
        names = head["Properties"].split(":")
        spans, column = {}, 0
        for name, _, count in zip(names[::3], names[1::3], names[2::3]):
            spans[name] = slice(column, column + int(count))
            column += int(count)
        for line, r in zip(lines[at + 2:], wanted):
            v = line.split()
            assert len(v) == column and v[spans["species"]] == ["sphere"] and int(v[0]) == r["id"]
            def of(name):
                return [float(x) for x in v[spans[name]]]
            near(of("pos") + of("velo") + of("radius"), [r[n] for n in ("x", "y", "z", "vx", "vy", "vz", "radius")])
            near(of("orientation"), [r[n] for n in ("qx", "qy", "qz", "qw")])
            near(of("omega"), [r[n] for n in ("wx", "wy", "wz")])
        at += 2 + len(wanted)
    assert lines[at:] == [""]


def gsd():
    import gsd_file
    # the default export of balls leaves out their orientation and spin, and what does not change since frame 0
    frames, named = gsd_file.read(f"{folder}/gsd.gsd"), gsd_file.read(f"{folder}/gsd_named.gsd")
    assert len(frames) == len(named) == FRAMES
    for number, (short, full, rows) in enumerate(zip(frames, named, reference())):
        wanted = grains(rows)
        compare_gsd(short, wanted, rows[0])
        compare_gsd(full, wanted, rows[0])
        for i, r in enumerate(wanted):
            near(gsd_file.rows(full["particles/orientation"], 4)[i], [r["qw"], r["qx"], r["qy"], r["qz"]])
            near(gsd_file.rows(full["log/particles/spin"], 3)[i], [r["wx"], r["wy"], r["wz"]])
        assert not {"particles/orientation", "log/particles/spin"} & short["chunks"], short["chunks"]
        if number:   # every frame has as many balls
            assert not {"particles/N", "particles/types", "particles/type_shapes", "particles/typeid"} & short["chunks"], short["chunks"]
        same = [r["id"] for r in wanted] == [r["id"] for r in grains(reference()[0])]
        if number and same:
            assert short["chunks"] <= {"configuration/step", "configuration/box", "particles/position", "particles/velocity", "log/time"}, short["chunks"]
    import os
    try:
        import gsd.hoomd
    except ImportError:
        return
    with gsd.hoomd.open(f"{folder}/gsd_named.gsd", "rb") as file:   # the library of HOOMD finds the same
        assert len(file) == FRAMES
        for snap, full in zip(file, named):
            p = snap.particles
            assert p.N == full["particles/N"][0] and snap.configuration.step == full["configuration/step"][0]
            assert p.types == full["particles/types"] and p.type_shapes == full["particles/type_shapes"]
            for name in ("typeid", "diameter", "mass", "position", "velocity", "orientation"):
                assert getattr(p, name).ravel().tolist() == list(full["particles/" + name]), name
            for name in ("time", "particles/id", "particles/spin"):
                assert snap.log[name].ravel().tolist() == list(full["log/" + name]), name


def compare_gsd(f, wanted, head):
    """What every GSD file of balls tells, with or without --fields."""
    import gsd_file
    assert f["particles/N"][0] == len(wanted) and f["configuration/step"][0] == head["step"] and f["log/time"][0] == head["time"]
    assert f["particles/types"][0] == "sphere" and f["particles/type_shapes"][0]["type"] == "Sphere"
    position, velocity = gsd_file.rows(f["particles/position"], 3), gsd_file.rows(f["particles/velocity"], 3)
    for i, r in enumerate(wanted):
        near(position[i], [r["x"], r["y"], r["z"]])
        near(velocity[i], [r["vx"], r["vy"], r["vz"]])
        near([f["particles/diameter"][i], f["particles/mass"][i]], [2 * r["radius"], r["mass"]])
        assert f["log/particles/id"][i] == r["id"] and f["particles/typeid"][i] == 0
        for k, n in enumerate("xyz"):
            assert abs(r[n]) <= f["configuration/box"][k] / 2


def npz():
    try:
        import numpy
    except ImportError:
        sys.exit(77)
    for number, rows in enumerate(reference()):
        data = numpy.load(f"{folder}/npz_{number:06d}.npz")
        assert data["time"] == rows[0]["time"] and data["step"] == rows[0]["step"] and data["time"].shape == ()
        for name, keys in (("position", "x y z"), ("velocity", "vx vy vz"), ("spin", "wx wy wz"), ("orientation", "qw qx qy qz")):
            assert (data[name] == numpy.array(columns(rows, *keys.split()))).all()
        for name in ("id", "group", "kind", "radius", "mass"):
            assert (data[name] == numpy.array([r[name] for r in rows])).all()
        assert data["contact_normal"].shape == (len(data["contact_body1"]), 3) and len(data["contact_gap"]) > 0
    # the same in one file: rows of all frames behind each other
    whole = numpy.load(f"{folder}/npz.npz")
    single = [numpy.load(f"{folder}/npz_{number:06d}.npz") for number in range(len(whole["time"]))]
    assert len(single) > 1 and whole["first"][0] == 0 and whole["first"][-1] == len(whole["id"])
    for name in single[0].files:
        if name in ("time", "step"):
            assert (whole[name] == numpy.array([d[name] for d in single])).all()
        else:
            assert (whole[name] == numpy.concatenate([d[name] for d in single])).all() and whole[name].dtype == single[0][name].dtype
        for number, data in enumerate(single):
            first = whole["contact_first" if name.startswith("contact") else "first"]
            assert data[name].ndim == 0 or (whole[name][first[number]:first[number + 1]] == data[name]).all()


def stl():
    import os
    written = sorted(n for n in os.listdir(folder) if n.startswith("stl_"))
    assert written == ["stl_000000.stl", "stl_walls.pvd", "stl_walls_000000.vtp"], written  # nothing moves: one file
    with open(f"{folder}/{written[0]}", "rb") as file:
        data = file.read()
    count = struct.unpack_from("<I", data, 80)[0]
    assert len(data) == 84 + 50 * count
    volume, plane = 0.0, 0
    for i in range(count):
        v = struct.unpack_from("<12f", data, 84 + 50 * i)
        n, a, b, c = v[0:3], v[3:6], v[6:9], v[9:12]
        u, w = [b[k] - a[k] for k in range(3)], [c[k] - a[k] for k in range(3)]
        cross = [u[1] * w[2] - u[2] * w[1], u[2] * w[0] - u[0] * w[2], u[0] * w[1] - u[1] * w[0]]
        assert sum(cross[k] * n[k] for k in range(3)) > 0
        if abs(a[2]) < 1e-9 and abs(b[2]) < 1e-9 and abs(c[2]) < 1e-9 and i < 2:
            plane += 1  # the half-space z = 0
            continue
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    # a box of 1 x 2 x 3 cm and a cylinder of radius 1 cm and height 2 cm (48 sides), seen from outside
    import math
    wanted = 6e-6 + 24 * math.sin(math.tau / 48) * 1e-4 * 0.02
    assert plane == 2 and abs(volume - wanted) < 1e-3 * wanted, (plane, volume, wanted)
    # the same triangles for ParaView, at the times of all frames
    import xml.etree.ElementTree as tree
    listed = tree.parse(f"{folder}/stl_walls.pvd").getroot().findall("Collection/DataSet")
    assert [float(e.get("timestep")) for e in listed] == [rows[0]["time"] for rows in reference()]
    assert {e.get("file") for e in listed} == {"stl_walls_000000.vtp"}
    try:
        from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
        from vtkmodules.util.numpy_support import vtk_to_numpy
    except ImportError:
        return
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(f"{folder}/stl_walls_000000.vtp")
    reader.Update()
    walls = reader.GetOutput()
    assert walls.GetNumberOfPolys() == count and walls.GetNumberOfPoints() == 3 * count
    corners = vtk_to_numpy(walls.GetPoints().GetData()).reshape(count, 9)
    for i in range(count):
        assert tuple(corners[i]) == struct.unpack_from("<9f", data, 84 + 50 * i + 12)


def solids():
    """Grains that are no balls: GSD types with corners in the body's frame; a mesh wall in STL."""
    import gsd_file
    (p,) = gsd_file.read(f"{folder}/solids.gsd")
    assert p["particles/types"] == ["sphere", "hull1", "box2", "capsule3"] and list(p["particles/typeid"]) == [1, 2, 3], p
    assert p["particles/orientation"] == (1.0, 0.0, 0.0, 0.0) * 3 and "particles/orientation" not in p["chunks"], p   # the default
    hull, box, capsule = p["particles/type_shapes"][1:]
    assert sorted(map(tuple, hull["vertices"])) == sorted((x, y, z) for x in (-.001, .001) for y in (-.001, .001) for z in (-.001, .001))
    for k, (low, high) in enumerate(((0.0, 0.001), (-0.001, 0.001), (-0.0015, 0.0015))):
        near([min(v[k] for v in box["vertices"]), max(v[k] for v in box["vertices"])], [low, high])
    assert capsule["rounding_radius"] == 0.001 and sorted(v[2] for v in capsule["vertices"]) == [-0.002, 0.002]
    with open(f"{folder}/solids_000000.stl", "rb") as file:
        data = file.read()
    assert struct.unpack_from("<I", data, 80)[0] == 4
    volume = 0.0
    for i in range(4):
        a, b, c = (struct.unpack_from("<3f", data, 84 + 50 * i + 12 * (k + 1)) for k in range(3))
        volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6
    near([volume], [1 / 6])


{"solids": solids, "vtp": vtp, "vtkhdf": vtkhdf, "dump": dump, "xyz": xyz, "gsd": gsd, "npz": npz, "stl": stl}[check]()
