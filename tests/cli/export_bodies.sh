#!/bin/bash
# Exports of loads, parts, contact forces, inertia and angular momentum: a clump and a ball on a plane, checked with Newton's laws
# and the scene's own numbers.
. "$(dirname "$0")/../support/cli.sh"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/tests/support"

cat >scene.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -10 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", law = "coulomb", mu = 0.5 }
    w:halfspace { normal = { 0, 0, 1 } }
    w:column { name = "heat", default = 3 }
    w:body { shapes = { { type = "sphere", radius = 0.2, position = { -0.3, 0, 0 } }, { type = "sphere", radius = 0.1, position = { 0.6, 0, -0.1 } } },
      mass = 3, inertia = { 0.2, 0.01, 0.02, 0.5, 0.03, 0.6 }, centre = { 0, 0, 0 }, position = { 0, 0, 0.25 }, spin = { 0, 0, 4 }, group = 7 }
    w:sphere { radius = 0.1, mass = 2, position = { 5, 0, 0.1 } }
    w:sphere { radius = 0.5, mass = 1, inertia = { 0.2, 0, 0, 0.2, 0, 0.2 }, position = { 9, 0, 4 }, velocity = { 1, 0, 0 }, spin = { 0, 5, 0 } }
  end,
  output = { trajectory = { every = 0.1, precision = 0, fields = { "position", "orientation", "velocity", "spin", "contacts" } } },
  stop = { time = 0.2 },
}
LUA
"$scree" run -q -o run scene.lua >out 2>&1 || stop "run: $(cat out)"
for f in csv npz vtp gsd dump xyz vtkhdf; do
  contacts=--contacts
  case $f in gsd | dump | xyz | vtkhdf) contacts= ;; esac
  "$scree" export -q run -f $f --loads $contacts -o bodies >out 2>&1 || [ $f = vtkhdf ] || fail "$f: $(cat out)"
  "$scree" export -q run -f $f --parts --loads $contacts -o parts >out 2>&1 || [ $f = vtkhdf ] || fail "$f: $(cat out)"
done
"$scree" export -q run -f gsd -o plain || fail "gsd"

/usr/bin/env python3 - <<'PY' || fail "values"
import csv, gzip, math, struct, zipfile
import gsd_file
def rows(path):
    with open(path, newline="") as file:
        return [{k: float(v) for k, v in r.items()} for r in csv.DictReader(file)]
def near(a, b, scale=1, tolerance=1e-9): assert abs(a - b) <= tolerance * scale, (a, b)
def rotate(q, v):
    w, x, y, z = q
    t = [2 * (y * v[2] - z * v[1]), 2 * (z * v[0] - x * v[2]), 2 * (x * v[1] - y * v[0])]
    return [v[0] + w * t[0] + y * t[2] - z * t[1], v[1] + w * t[1] + z * t[0] - x * t[2], v[2] + w * t[2] + x * t[1] - y * t[0]]
def cross(a, b): return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

bodies, contacts = rows("bodies/frame.csv"), rows("bodies/frame_contacts.csv")
dt = 1e-3
for b in bodies:
    mine = [(1 if c["body1"] == b["id"] else -1, c) for c in contacts if c["frame"] == b["frame"] and b["id"] in (c["body1"], c["body2"]) and (c["jx"], c["jy"], c["jz"]) != (0, 0, 0)]
    assert b["coordination"] == len(mine), (b, len(mine))
    for k, axis in enumerate("xyz"):
        near(b["f" + axis], sum(s * c["j" + axis] for s, c in mine) / dt, 100)
        arm = lambda s, c: [c["p" + a] - b[a] for a in "xyz"] if b["id"] < 3 else [-s * b["radius"] * c["n" + a] for a in "xyz"]
        near(b["tq" + axis], sum(s * cross(arm(s, c), [c["j" + a] for a in "xyz"])[k] for s, c in mine) / dt, 100)
for c in contacts:  # the force is the impulse over dt; its friction is at right angles to the normal
    n, ft, f = [c["n" + a] for a in "xyz"], [c["ft" + a] for a in "xyz"], [c["f" + a] for a in "xyz"]
    for k, a in enumerate("xyz"):
        near(f[k], c["j" + a] / dt, 100)
        near(f[k], c["fn"] * n[k] + ft[k], 100)
    near(sum(a * b for a, b in zip(n, ft)), 0, 100)
    assert c["fn"] >= 0 and math.hypot(*ft) <= 0.5 * c["fn"] * (1 + 1e-6)
last = {b["id"]: b for b in bodies if b["frame"] == 2}
near(last[3]["fz"], 20, 20), near(last[3]["coordination"], 1)  # a ball at rest carries its weight
assert last[4]["coordination"] == 0 and last[4]["fz"] == 0
assert any(c["body2"] == 2 or c["body1"] == 2 for c in contacts)

# parts: the two balls of the clump where the pose puts them, with the velocities of these points and the mass of the body
parts = rows("parts/frame.csv")
for b in bodies:
    own = [p for p in parts if p["clump"] == b["id"] and p["frame"] == b["frame"]]
    assert len(own) == (2 if b["id"] == 2 else 1) and all(p["heat"] == 3 and p["group"] == b["group"] and p["fz"] == b["fz"] for p in own)
    if b["id"] != 2:
        assert all(own[0][k] == b[k] or math.isnan(b[k]) for k in b if k not in ("id",)), (own, b)
        continue
    assert [p["radius"] for p in own] == [0.2, 0.1]
    near(sum(p["mass"] for p in own), 3), near(own[0]["mass"] / own[1]["mass"], 8, 8)
    q, spin = [b[k] for k in ("qw", "qx", "qy", "qz")], [b[k] for k in ("wx", "wy", "wz")]
    for p, offset in zip(own, ((-0.3, 0, 0), (0.6, 0, -0.1))):
        arm = rotate(q, offset)
        extra = cross(spin, arm)
        for k, a in enumerate("xyz"):
            near(p[a], b[a] + arm[k]), near(p["v" + a], b["v" + a] + extra[k]), near(p["w" + a], b["w" + a])
assert len({(p["frame"], p["id"]) for p in parts}) == len(parts)

# GSD: principal moments, orientation of the principal axes, angular momentum
tensor = {2: (0.2, 0.01, 0.02, 0.5, 0.03, 0.6), 3: (0.4 * 2 * 0.01, 0, 0, 0.4 * 2 * 0.01, 0, 0.4 * 2 * 0.01), 4: (0.2, 0, 0, 0.2, 0, 0.2)}
def momentum(t, q, w):  # R I R^T w
    back = rotate([q[0], -q[1], -q[2], -q[3]], w)
    xx, xy, xz, yy, yz, zz = t
    return rotate(q, [xx * back[0] + xy * back[1] + xz * back[2], xy * back[0] + yy * back[1] + yz * back[2], xz * back[0] + yz * back[1] + zz * back[2]])
for number, frame in enumerate(gsd_file.read("plain/frame.gsd")):
    ids = frame["log/particles/id"]
    assert ids == (2, 3, 4), ids
    for i, body in enumerate(ids):
        b = next(b for b in bodies if b["frame"] == number and b["id"] == body)
        t, I = tensor[body], frame["particles/moment_inertia"][3 * i:3 * i + 3]
        near(sum(I), t[0] + t[3] + t[5], 1, 1e-6)
        near(sum(v * v for v in I), t[0] ** 2 + t[3] ** 2 + t[5] ** 2 + 2 * (t[1] ** 2 + t[2] ** 2 + t[4] ** 2), 1, 1e-6)
        q, P = frame["particles/orientation"][4 * i:4 * i + 4], frame["particles/angmom"][4 * i:4 * i + 4]
        w = [b[k] for k in ("wx", "wy", "wz")]
        L = momentum(t, [b[k] for k in ("qw", "qx", "qy", "qz")], w)
        # HOOMD: P = 2 q (0, L in the axes of q); L = conj(q) P / 2
        a, v = [q[0], -q[1], -q[2], -q[3]], P
        own = [0.5 * x for x in (a[0] * v[1] + a[1] * v[0] + a[2] * v[3] - a[3] * v[2], a[0] * v[2] + a[2] * v[0] + a[3] * v[1] - a[1] * v[3], a[0] * v[3] + a[3] * v[0] + a[1] * v[2] - a[2] * v[1])]
        for x, y in zip(rotate(q, own), L): near(x, y, 3, 1e-6)
        # and the principal frame itself: I w in its axes
        back = rotate([q[0], -q[1], -q[2], -q[3]], w)
        for k in range(3): near(I[k] * back[k], own[k], 3, 1e-6)
two = gsd_file.read("parts/frame.gsd")[-1]
assert "particles/moment_inertia" not in two["chunks"] and two["log/particles/clump"] == (2, 2, 3, 4), two["log/particles/clump"]

# the names elsewhere
names = zipfile.ZipFile("bodies/frame_000002.npz").namelist()
assert {"force.npy", "torque.npy", "coordination.npy", "contact_force.npy", "contact_force_n.npy", "contact_friction.npy", "contact_moment.npy"} <= set(names), names
assert "clump.npy" in zipfile.ZipFile("parts/frame_000002.npz").namelist()
vtp = open("bodies/frame_contacts_000002.vtp", "rb").read()
assert all(b'Name="%s"' % n in vtp for n in (b"force", b"force_n", b"friction", b"moment"))
assert b'Name="torque" NumberOfComponents="3"' in open("parts/frame_000002.vtp", "rb").read()
assert "group clump mass" in gzip.open("parts/frame.dump.gz", "rt").read() and " tqx tqy tqz coordination" in gzip.open("parts/frame.dump.gz", "rt").read()
assert ":clump:I:1:heat:R:1:fx:R:1" in gzip.open("parts/frame.xyz.gz", "rt").read()
PY

# the gsd module of HOOMD reads the file, if it is installed
/usr/bin/python3 - <<'PY'
import sys
try: import gsd.hoomd
except ImportError: sys.exit(0)
last = gsd.hoomd.open("plain/frame.gsd", "rb")[-1]
assert last.particles.moment_inertia.shape == (3, 3) and last.particles.angmom.shape == (3, 4)
assert abs(last.particles.moment_inertia[2] - 0.2).max() < 1e-6, last.particles.moment_inertia
PY
[ $? = 0 ] || fail "the gsd module"

# the clump read back is one body with the ball's sizes
cat >back.lua <<'LUA'
local scree = require "scree"
local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
local n = w:read_grains { file = "parts/frame.dump.gz" }
assert(n == 3, n)
local masses = w:view "mass":totable()
assert(math.abs(masses[1] - 3) < 1e-8 and math.abs(masses[2] - 2) < 1e-8, table.concat(masses, " "))
LUA
"$scree" lua --trust back.lua >out 2>&1 || fail "read back: $(cat out)"

# rolling friction: its moment is in the torque of the body
cat >rolling.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -10 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", law = "coulomb", mu = 0.5, rolling = 0.002 }
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { radius = 0.1, mass = 2, position = { 0, 0, 0.1 }, velocity = { 1, 0, 0 }, spin = { 0, 10, 0 } }
  end,
  output = { trajectory = { every = 1e-3, precision = 0, fields = { "position", "velocity", "spin", "contacts" } } },
  stop = { time = 0.05 },
}
LUA
"$scree" run -q -o rolling rolling.lua >out 2>&1 || fail "rolling: $(cat out)"
"$scree" export -q rolling -f csv --loads --contacts -o rolling >out 2>&1 || fail "rolling: $(cat out)"
/usr/bin/env python3 - <<'PY' || fail "Newton's laws with rolling friction"
import csv
ball = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open("rolling/frame.csv")) if r["id"] == "2"]
I = 0.4 * 2 * 0.01
for a, b in zip(ball[10:], ball[11:]):  # dv = F dt / m + g dt, dw = T dt / I
    assert abs((b["vx"] - a["vx"]) - b["fx"] * 1e-3 / 2) < 1e-9, (a, b)
    assert abs(b["fz"] - 20) < 1e-6
    assert abs((b["wy"] - a["wy"]) - b["tqy"] * 1e-3 / I) < 1e-8, (b["wy"] - a["wy"], b["tqy"] * 1e-3 / I)
contacts = list(csv.DictReader(open("rolling/frame_contacts.csv")))
assert abs(abs(float(contacts[-1]["my"])) - 0.002 * 20) < 1e-6, contacts[-1]  # the ball rolls: the moment is at its bound
PY

# the Python reader: inertia, dt and moments, with and without NumPy
for python in python3 /usr/bin/python3; do
  PYTHONPATH="$source/tools" $python - <<'PY' || fail "$python reads other values"
import scree_reader
for frame in scree_reader.Trajectory("run/trajectory.scree"):
    assert frame.dt == 1e-3
    table = {int(i): [float(v) for v in row] for i, row in zip(frame.id, frame.inertia)}
    assert table == {1: [0] * 6, 2: [0.2, 0.01, 0.02, 0.5, 0.03, 0.6], 3: [0] * 6, 4: [0.2, 0, 0, 0.2, 0, 0.2]}, table
frame = list(scree_reader.Trajectory("rolling/trajectory.scree"))[-1]
assert frame.inertia is None and abs(abs(frame.contacts["moment"][0][1]) - 0.002 * 20 * 1e-3) < 1e-9, frame.contacts
PY
done

# refusals
refuse() { # refuse TEXT COMMAND ...
  local text=$1
  shift
  "$@" >out 2>&1 && fail "taken: $*"
  has out "$text"
}
sed -e 's/, "contacts"//' rolling.lua >bare.lua
"$scree" run -q -o bare bare.lua >out 2>&1 || fail "bare: $(cat out)"
refuse "keeps no contacts, which loads need" "$scree" export bare -f csv --loads -o x
refuse "ply draws every shape and has no parts" "$scree" export run -f ply --parts -o x
refuse "stl has no further values of bodies" "$scree" export run -f stl --loads -o x
sed -e 's/"heat"/"fx"/' scene.lua >taken.lua
"$scree" run -q -o taken taken.lua >out 2>&1 || fail "taken: $(cat out)"
refuse "the script has a column 'fx'" "$scree" export taken -f csv --loads -o x
exit $failed
