#!/usr/bin/env bash
# scree check prints a line for each mesh, and asks about the unit of one that does not suit the grains.
. "$(dirname "$0")/../support/cli.sh"

cat > cube.obj <<'OBJ'
v 0 0 0
v 100 0 0
v 0 100 0
v 100 100 0
v 0 0 100
v 100 0 100
v 0 100 100
v 100 100 100
v 100.0001 100 100
f 1 3 2
f 2 3 4
f 5 6 7
f 6 9 7
f 1 2 5
f 2 6 5
f 3 7 4
f 4 7 8
f 1 5 3
f 3 5 7
f 2 4 6
f 4 8 6
f 8 9 8
OBJ
cat > scene.lua <<'LUA'
return {
  params = { unit = "mm", radius = 0.002 },
  world = { dt = 1e-4 },
  setup = function(w, p)
    w:mesh { name = "vessel", file = "cube.obj", unit = p.unit }
    w:mesh { name = "floor", points = { { -1, -1, 0 }, { 1, -1, 0 }, { 0, 1, 0 } }, triangles = { { 1, 2, 3 } } }
    w:sphere { radius = p.radius, position = { 0.3, 0.3, 0.3 } }
  end,
  stop = { steps = 1 },
}
LUA
"$scree" check scene.lua > fits.txt || fail "check: $(cat fits.txt)"
grep -qE '"vessel": 12 triangles, 0\.1 x 0\.1 x 0\.1 m, closed, volume 0\.001 m3' fits.txt || fail "vessel: $(cat fits.txt)"
has fits.txt '1 corners welded; 1 triangles without area left out'
has fits.txt '"floor": 1 triangles, 2 x 2 x 0 m, open, wall'
grep -q question fits.txt && fail "a question about a mesh that fits: $(cat fits.txt)"
# a vessel in millimetres that is read in metres; what to do about it stands there
"$scree" check scene.lua unit=m > large.txt || fail "check unit=m"
has large.txt '"vessel" is 2.5e+04 times as long as the widest body that moves (0.004 m): is its unit mm? then use unit = "mm"'
[ "$(grep -c question large.txt)" = 1 ] || fail "questions: $(cat large.txt)"
# one in metres that is read as micrometres
"$scree" check scene.lua unit=um > small.txt || fail "check unit=um"
has small.txt '"vessel" is shorter than every body that moves (by a factor of 40): is its unit m?'
"$scree" check --json scene.lua unit=m > found.json || fail "check --json"
python3 - <<'PY' || fail "json: $(cat found.json)"
import json
found = json.load(open("found.json"))["meshes"]
assert [m["name"] for m in found] == ["vessel", "floor"]
v = found[0]
assert v["triangles"] == 12 and v["closed"] and v["welded"] == 1 and v["dropped"] == 1 and v["suspect"] == 1
assert abs(v["volume"] - 1e6) < 10 and all(abs(x - 100) < 1e-3 for x in v["size"])
assert found[1]["suspect"] == 0 and not found[1]["closed"]
PY
exit $failed
