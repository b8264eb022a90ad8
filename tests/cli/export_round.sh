#!/bin/bash
# Round trips: a world is exported to every format that scree reads, read back, and compared. Formats of doubles give every bit, others
# their digits. The values are awkward: 1e-300, -0.0, the smallest double, many digits. Files for LAMMPS, LIGGGHTS and YADE are also
# parsed by Python, and read by these programs where they are installed.
. "$(dirname "$0")/../support/cli.sh"

cat >grains.lua <<'LUA'
return {
  { x = { 1e-300, 0.0, 0.1 }, v = { 1e-300, -0.0, 5e-324 }, w = { 0, -1e-300, 1 / 3 }, r = 0.01 },
  { x = { 1 / 3, 2 / 7, -1 / 9 }, v = { -1234567.890123456, 1e-17, 1e17 }, w = { 2 / 3, -0.0, 1e5 / 7 }, r = 0.1 / 3 },
  { x = { -10 / 7, 1.2345678901234567, 1e-5 }, v = { -0.0, 0, 0 }, w = { 0, 0, 0 }, r = 1e-3 / 7 },
  { x = { 5, 5 + 2 ^ -48, 5 - 2 ^ -48 }, v = { 1, 2, 3 }, w = { 4, 5, 6 }, r = 0.25 },
}
LUA
cat >scene.lua <<'LUA'
local grains = dofile "grains.lua"
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-30 },
  setup = function(w)
    w:material { name = "rock", density = 2500 }
    for i, g in ipairs(grains) do w:sphere { position = g.x, velocity = g.v, spin = g.w, radius = g.r, density = 1000 * i / 3, group = i } end
  end,
  output = { trajectory = { every = 1, precision = 0 } },
  stop = { steps = 1 },
}
LUA
inline="(function() $(tr '\n' ' ' <grains.lua) end)()"
sed -i "s|dofile \"grains.lua\"|$inline|" scene.lua
"$scree" run -q -o run scene.lua >out 2>&1 || stop "run: $(cat out)"
for f in csv npz lammps-data liggghts-data dump xyz gsd vtp yade-text; do
  "$scree" export -q run -f $f --frames 0 --fields position,orientation,velocity,spin -o $f >out 2>&1 || fail "$f: $(cat out)"
done
"$scree" export -q run -f gsd --frames 1 --fields position -o late >out 2>&1 || fail "gsd of frame 1: $(cat out)"

cat >back.lua <<'LUA'
local scree = require "scree"
local grains = dofile "grains.lua"
local same = function(a, b) return a == b and (a ~= 0 or 1 / a == 1 / b) end -- every bit
local function digits(n) -- to n digits, with the sign of 0
  return function(a, b) return same(a, b) or math.abs(a - b) <= 0.51 * 10 ^ (1 - n) * math.abs(b) end
end
local function single(a, b) -- of a float: half a unit of its last place, 0 below its smallest number
  return same(a, b) or math.abs(a - b) <= 2 ^ -24 * math.abs(b) or math.abs(b) < 2 ^ -149 and math.abs(a) == 0
end
local near = digits(15)
assert(scree.read_grains { file = "late/frame.gsd" }.time == 1e-30) -- one step
local formats = {
  { "csv/frame.csv", same, mass = near }, { "npz/frame_000000.npz", same, mass = near },
  { "lammps-data/frame_000000.data", same, mass = near, group = false }, { "liggghts-data/frame_000000.data", same, mass = near, group = false },
  { "dump/frame.dump.gz", digits(9), mass = digits(8) }, { "xyz/frame.xyz.gz", digits(9), mass = false },
  { "gsd/frame.gsd", single, mass = single, group = false }, { "vtp/frame_000000.vtp", single, mass = single },
  { "yade-text/frame_000000.txt", same, mass = false, group = false, motion = false },
}
for _, format in ipairs(formats) do
  local file, equal = format[1], format[2]
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 } -- a world per file
  local count = w:read_grains { file = file, density = format.mass == false and 1000 or nil, columns = { type = false } }
  assert(count == #grains, file .. " " .. count)
  local x, v, s, r, m, ids = w:view "position":totable(), w:view "velocity":totable(), w:view "spin":totable(), w:view "radius":totable(), w:view "mass":totable(), format.motion ~= false and w:view("source_id"):totable()
  for i, g in ipairs(grains) do
    local function check(what, ok, a, b) assert(ok(a, b), ("%s: %s of grain %d: %.17g instead of %.17g"):format(file, what, i, a, b)) end
    for k = 1, 3 do
      check("position", equal, x[3 * i - 3 + k], g.x[k])
      if format.motion ~= false then
        check("velocity", equal, v[3 * i - 3 + k], g.v[k])
        check("spin", equal, s[3 * i - 3 + k], g.w[k])
      end
    end
    check("radius", equal, r[i], g.r)
    if format.mass ~= false then check("mass", format.mass, m[i], 1000 * i / 3 * 4 / 3 * math.pi * g.r ^ 3) end
    if format.motion ~= false then check("id", same, ids[i], i) end
  end
end
LUA
sed -i "s|dofile \"grains.lua\"|$inline|" back.lua
"$scree" lua --trust back.lua >out 2>&1 || fail "round trip: $(cat out)"

# an independent reading of the files for other programs, by their manuals: the same bits as the CSV export
/usr/bin/env python3 - <<'PY' || fail "Python reads other values"
import csv, math, struct
bits = lambda v: struct.pack("<d", v)
rows = [{k: float(v) for k, v in r.items()} for r in csv.DictReader(open("csv/frame.csv"))]
for name, title in (("lammps-data", "Atoms # sphere"), ("liggghts-data", "Atoms")):
    lines = open(f"{name}/frame_000000.data").read().split("\n")
    assert "4 atoms" in lines and "1 atom types" in lines, lines[:6]
    box = {l.split()[2][0]: [float(v) for v in l.split()[:2]] for l in lines if l.endswith("hi")}
    atoms, speeds = lines.index(title), lines.index("Velocities")
    table = {int(l.split()[0]): l.split() for l in lines[atoms + 2:atoms + 6]}
    motion = {int(l.split()[0]): [float(v) for v in l.split()[1:]] for l in lines[speeds + 2:speeds + 6]}
    for r in rows:
        atom = [float(v) for v in table[int(r["id"])]]
        assert len(atom) == 7 and atom[1] == 1 and bits(atom[2]) == bits(2 * r["radius"])
        assert abs(atom[3] * 4 / 3 * math.pi * r["radius"] ** 3 / r["mass"] - 1) < 1e-14
        for k, axis in enumerate("xyz"):
            assert bits(atom[4 + k]) == bits(r[axis]) and box[axis][0] <= r[axis] < box[axis][1]
            assert bits(motion[int(r["id"])][k]) == bits(r["v" + axis]) and bits(motion[int(r["id"])][3 + k]) == bits(r["w" + axis])
lines = open("yade-text/frame_000000.txt").read().splitlines()
assert lines[0] == "#format x_y_z_r"
assert [[bits(float(v)) for v in l.split("\t")] for l in lines[1:]] == [[bits(r[k]) for k in ("x", "y", "z", "radius")] for r in rows]
PY

# clumps ball by ball, other shapes refused, a ball that is fixed
cat >mixed.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 4, 4, 4 }, periodic = { true, true, true } } },
  setup = function(w)
    for _, name in ipairs { "unused", "glass", "steel" } do w:material { name = name, density = 1000 } end
    w:body { position = { 3.9, 1, 1 }, shapes = { { type = "sphere", radius = 0.2, material = "steel" }, { type = "sphere", radius = 0.1, position = { 0.3, 0, 0 }, material = "steel" } } }
    w:sphere { radius = 0.1, position = { 2, 2, 2 }, material = "glass" }
    w:sphere { radius = 0.1, position = { 3, 3, 3 }, kind = "fixed" }
    if BOX then w:box { size = { 0.1, 0.1, 0.1 }, position = { 1, 3, 3 }, group = 5 } end
  end,
  output = { trajectory = { every = 1, precision = 0 } },
  stop = { steps = 1 },
}
LUA
sed 's/if BOX then \(.*\) end$/\1/' mixed.lua >box.lua
sed -i 's/if BOX.*//' mixed.lua
"$scree" run -q -o mixed mixed.lua >out 2>&1 || fail "mixed: $(cat out)"
"$scree" run -q -o box box.lua >out 2>&1 || fail "box: $(cat out)"
for f in lammps-data liggghts-data yade-text; do
  "$scree" export -q mixed -f $f --frames 0 -o x >out 2>&1 && fail "a clump is taken as one ball by $f"
  has out "--parts writes clumps ball by ball"
  "$scree" export -q box -f $f --parts --frames 0 -o x >out 2>&1 && fail "a box is taken as a ball by $f"
  has out "is a box, but"
  "$scree" export -q mixed -f $f --parts --frames 0 -o clump-$f >out 2>&1 || fail "$f: $(cat out)"
done
has clump-lammps-data/frame_000000.data "types: materials 3 4, balls that are not dynamic"
has clump-lammps-data/frame_000000.data "3 atom types"
[ "$(grep -c "_clumpId\|	1$" clump-yade-text/frame_000000.txt)" = 3 ] || fail "clumps in: $(cat clump-yade-text/frame_000000.txt)"
# the ball beyond the edge of the cell is wrapped, with its image
awk '/^Atoms/ { getline; for (i = 0; i < 4; i++) { getline; n[$1] = NF; x[$1] = $5; image[$1] = $8 } } END { exit !(n[1] == 10 && x[2] > 0.19 && x[2] < 0.21 && image[2] == 1 && image[1] == 0) }' clump-lammps-data/frame_000000.data ||
  fail "images in: $(cat clump-lammps-data/frame_000000.data)"

# the programs themselves, where they are installed: they print what they have read, with 17 digits
cat >in.lammps <<'EOF'
units si
boundary f f f
ATOMS
comm_modify vel yes
read_data FILE
pair_style gran/hertz/history 1e6 NULL 1e2 NULL 0.5 0
pair_coeff * *
fix 1 all nve/sphere
timestep 1e-30
dump d all custom 1 PROGRAM.dump id radius x y z vx vy vz omegax omegay omegaz
FORMAT
run 0
EOF
compare() { # compare PROGRAM: its dump against the CSV export
  /usr/bin/env python3 - "$1" <<'PY' || fail "$1 reads other values"
import csv, struct, sys
rows = {int(r["id"]): r for r in csv.DictReader(open("csv/frame.csv"))}
lines = open(sys.argv[1] + ".dump").read().splitlines()
table = [l.split() for l in lines[9:]]
assert len(table) == len(rows)
for t in table:
    r = rows[int(t[0])]
    for k, name in enumerate(("radius", "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz")):
        assert float(t[1 + k]) == float(r[name]), (t[0], name, t[1 + k], r[name])
PY
}
if command -v lmp >/dev/null; then
  sed -e 's/ATOMS/atom_style sphere/' -e 's|FILE|lammps-data/frame_000000.data|' -e 's/PROGRAM/lammps/' -e 's/FORMAT/dump_modify d format float %.17g/' in.lammps >in.lmp
  timeout 100 lmp -in in.lmp >out 2>&1 </dev/null || fail "LAMMPS: $(tail -5 out)"
  compare lammps
else echo "LAMMPS is not installed"; fi
if command -v liggghts >/dev/null; then
  sed -e 's/ATOMS/atom_style granular\natom_modify map array\nnewton off/' -e 's/^comm_modify/communicate single/' -e 's|FILE|liggghts-data/frame_000000.data|' -e 's/PROGRAM/liggghts/' \
    -e 's/pair_style .*/fix a all property\/global youngsModulus peratomtype 5e6\nfix b all property\/global poissonsRatio peratomtype 0.4\nfix c all property\/global coefficientRestitution peratomtypepair 1 0.5\nfix d all property\/global coefficientFriction peratomtypepair 1 0.5\npair_style gran model hertz tangential history/' \
    -e 's/FORMAT/dump_modify d format "%d %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g"/' -e 's/dump d all/dump e all/' -e 's/dump_modify d/dump_modify e/' in.lammps >in.lig
  timeout 100 liggghts -in in.lig >out 2>&1 </dev/null || fail "LIGGGHTS: $(tail -5 out)"
  compare liggghts
else echo "LIGGGHTS is not installed"; fi
if [ "${SCREE_TEST_YADE:-}" ] && command -v yade >/dev/null; then # starting YADE takes half a minute
  cat >read.py <<'EOF'
from yade import ymport
import os
with open("yade.out", "w") as file:
    for b in ymport.text("yade-text/frame_000000.txt"):
        file.write("%r %r %r %r\n" % (*b.state.pos, b.shape.radius))
    file.write("%d\n" % len(ymport.textClumps("clump-yade-text/frame_000000.txt")))
os._exit(0)
EOF
  timeout 200 yade -n -x read.py >out 2>&1 </dev/null
  /usr/bin/env python3 - <<'PY' || fail "YADE reads other values: $(tail -3 out)"
import csv
rows = [[float(r[k]) for k in ("x", "y", "z", "radius")] for r in csv.DictReader(open("csv/frame.csv"))]
lines = open("yade.out").read().splitlines()
assert [[float(v) for v in l.split()] for l in lines[:-1]] == rows and lines[-1] == "3", lines
PY
fi
exit $failed
