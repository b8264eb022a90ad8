"""Compares tools/scree_reader.py with the engine's reader bit for bit.

usage: read_trajectory.py READER_FOLDER FILE CSV CONTACTS_CSV [--no-numpy]; the CSV files are the engine's export of the same file.
Exit status 77: NumPy is wanted but not installed.
"""
import csv
import os
import sys

folder, path, reference, contacts = sys.argv[1:5]
sys.path.insert(0, folder)
import scree_reader  # noqa: E402

if "--no-numpy" not in sys.argv and scree_reader.np is None:
    sys.exit(77)
assert ("--no-numpy" in sys.argv) == (scree_reader.np is None)

rows = {}
with open(reference, newline="") as file:
    for row in csv.DictReader(file):
        rows.setdefault(int(row["frame"]), []).append(row)
touching = {}
with open(contacts, newline="") as file:
    for row in csv.DictReader(file):
        touching.setdefault(int(row["frame"]), []).append(row)


def same(a, b, what):
    assert float(a).hex() == float(b).hex(), (what, float(a), float(b))


def check(run, order):
    for i in order:
        frame, wanted = run[i], rows[i]
        assert len(frame.id) == len(wanted), (i, len(frame.id), len(wanted))
        same(frame.time, wanted[0]["time"], "time")
        assert frame.step == int(wanted[0]["step"])
        for r, w in enumerate(wanted):
            assert int(frame.id[r]) == int(w["id"]) and int(frame.group[r]) == int(w["group"]) and int(frame.kind[r]) == int(w["kind"])
            same(frame.radius[r], w["radius"], "radius")
            same(frame.mass[r], w["mass"], "mass")
            for field, keys in (("position", "x y z"), ("velocity", "vx vy vz"), ("spin", "wx wy wz"), ("orientation", "qw qx qy qz")):
                for k, key in enumerate(keys.split()):
                    same(getattr(frame, field)[r][k], w[key], (i, r, field, k))
        # one shape per grain, of the grain's radius; more for the others
        assert set(frame.shapes["body"]) == {int(w["id"]) for w in wanted}
        for body, kind, radius in zip(frame.shapes["body"], frame.shapes["type"], frame.shapes["radius"]):
            if kind == 0:
                same(radius, next(w["radius"] for w in wanted if int(w["id"]) == body), "shape")
        met = touching.get(i, [])
        assert len(frame.contacts["body1"]) == len(met)
        for c, w in enumerate(met):
            assert frame.contacts["body1"][c] == int(w["body1"]) and frame.contacts["body2"][c] == int(w["body2"])
            same(frame.contacts["gap"][c], w["gap"], "gap")
            for field, letter in (("point", "p"), ("normal", "n"), ("impulse", "j")):
                for k, axis in enumerate("xyz"):
                    same(frame.contacts[field][c][k], w[letter + axis], (i, c, field))


with scree_reader.Trajectory(path) as run:
    assert run.complete and len(run) == len(rows) > 0, (len(run), len(rows))
    assert run.meta == {"seed": 1} and run.source == "return {}\n"
    check(run, range(len(run)))
    check(run, [len(run) - 1, 0, len(run) // 2, 1])

# torn in the middle of the last frame and damaged in the middle: what is left is the same
data = open(path, "rb").read()
torn = path + ".torn"
with open(torn, "wb") as file:
    file.write(data[:run.frames[-1]["at"] + 100])
with scree_reader.Trajectory(torn) as run:
    assert not run.complete and run.damage and len(run) == len(rows) - 1
    check(run, range(len(run)))
hole = run.frames[3]["at"] + 80
with open(torn, "wb") as file:
    file.write(data[:hole] + bytes([data[hole] ^ 1]) + data[hole + 1:-40])
with scree_reader.Trajectory(torn) as run:
    numbers = [f["number"] for f in run.frames]
    assert 3 not in numbers and numbers[:3] == [0, 1, 2] and numbers[-1] == len(rows) - 1
os.remove(torn)
