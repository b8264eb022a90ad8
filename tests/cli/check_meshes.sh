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
has fits.txt 'scene.lua: fine'
# a vessel in millimetres that is read in metres; what to do about it stands there
"$scree" check scene.lua unit=m > large.txt || fail "check unit=m"
has large.txt '"vessel" is 2.5e+04 times as long as the widest body that moves (0.004 m): is its unit mm? then use unit = "mm"'
[ "$(grep -c question large.txt)" = 1 ] || fail "questions: $(cat large.txt)"
has large.txt 'scene.lua: 1 note'
grep -q ': fine' large.txt && fail "fine in spite of a question"
# one in metres that is read as micrometres
"$scree" check scene.lua unit=um > small.txt || fail "check unit=um"
has small.txt '"vessel" is shorter than every body that moves (by a factor of 40): unit = "um" scales it by 1e-06; is that right?'
"$scree" check --json scene.lua unit=m > found.json || fail "check --json"
python3 - <<'PY' || fail "json: $(cat found.json)"
import json
found = json.load(open("found.json"))
assert found["fine"] and len(found["questions"]) == 1 and found["questions"][0].startswith('"vessel" is 2.5e+04 times')
found = found["meshes"]
assert [m["name"] for m in found] == ["vessel", "floor"]
v = found[0]
assert v["triangles"] == 12 and v["closed"] and v["welded"] == 1 and v["dropped"] == 1 and v["suspect"] == 1
assert abs(v["volume"] - 1e6) < 10 and all(abs(x - 100) < 1e-3 for x in v["size"])
assert found[1]["suspect"] == 0 and not found[1]["closed"]
PY
# grains that a fill or feed asks for count, and hulls are asked about; the question goes to the one that does not suit
cat > grains.lua <<'LUA'
local feed = require "scree.feed"
return {
  params = { case = "" },
  world = { dt = 1e-4 },
  setup = function(w, p)
    local function vessel(def)
      def.name, def.file = "vessel", "cube.obj"
      w:mesh(def)
    end
    local function stone(def)
      def.name, def.file, def.position = "stone", "cube.obj", { 0, 0, 400 }
      w:hull(def)
    end
    local region = { min = { 0, 0, 0.03 }, max = { 0.01, 0.01, 0.04 } }
    if p.case == "feed" then
      vessel {}
      feed.create(w, { region = region, rate = 1000, total = 50, radius = "2 mm" })
    elseif p.case == "sizes" then
      vessel {}
      feed.create(w, { region = region, rate = 1000, total = 50, sizes = { by = "mass", distribution = "uniform", min = 3e-3, max = 4e-3 } })
    elseif p.case == "capsules" then -- 8 mm long with their ends
      vessel {}
      feed.create(w, { region = region, rate = 1000, total = 50, shape = { type = "capsule", radius = 1e-3, length = 6e-3 } })
    elseif p.case == "fits" then
      vessel { unit = "mm" }
      feed.create(w, { region = region, rate = 1000, total = 50, radius = "2 mm" })
    elseif p.case == "hull" then -- the hull alone moves
      vessel { unit = "mm" }
      stone {}
    elseif p.case == "mesh" then
      vessel {}
      stone { unit = "um" }
    elseif p.case == "both" then
      vessel { unit = "mm" }
      stone { unit = "km" }
    elseif p.case == "hull and ball" then
      vessel { unit = "mm" }
      stone {}
      w:sphere { radius = 0.002 }
    elseif p.case == "fixed hull" then
      stone { kind = "fixed" }
      w:sphere { radius = 0.002 }
    elseif p.case == "fed hulls" then
      vessel { unit = "mm" }
      feed.create(w, { region = region, rate = 1000, total = 50, shape = { type = "hull", file = "cube.obj" } })
    elseif p.case == "place" then
      vessel { unit = "mm", place = { { "scale", 1000 }, { "move", { 0, 0, "1 m" } } } }
      w:sphere { radius = 0.002, position = { 0, 0, -1 } }
    elseif p.case == "read" then -- the grains of a file
      vessel {}
      w:read_grains { file = "grains.csv", density = 2500 }
    end
  end,
  stop = { steps = 1 },
}
LUA
ask() { # CASE WORDS: one question with these words; without words none
  "$scree" check grains.lua "case=$1" > out.txt || fail "check $1: $(cat out.txt)"
  if [ -z "$2" ]; then
    grep -q question out.txt && fail "$1: $(cat out.txt)"
  else
    has out.txt "question          $2"
    [ "$(grep -c question out.txt)" = 1 ] || fail "$1: $(cat out.txt)"
  fi
}
ask feed '"vessel" is 2.5e+04 times as long as the widest grain of a fill or feed (0.004 m): is its unit mm? then use unit = "mm"'
ask sizes '"vessel" is 2.5e+04 times as long as the widest grain of a fill or feed (0.004 m): is its unit mm?'
ask capsules '"vessel" is 1.2e+04 times as long as the widest grain of a fill or feed (0.008 m): is its unit mm?'
printf 'x,y,z,radius\n0.1,0.1,0.1,0.001\n0.1,0.1,0.2,0.002\n' > grains.csv
ask read '"vessel" is 2.5e+04 times as long as the widest body that moves (0.004 m): is its unit mm?'
ask fits ''
ask hull 'the hull of "stone" (100 m) is 1e+03 times as long as the mesh of "vessel" (0.1 m): is its unit mm? then use unit = "mm"'
ask mesh '"vessel" is 1e+06 times as long as the widest body that moves (0.0001 m): is its unit mm?'
ask both '"vessel" (0.1 m long) does not suit the hull of "stone" (1e+05 m): is the unit of one of them wrong?'
ask 'hull and ball' '"stone" is 2.5e+04 times as long as the widest body that moves (0.004 m): is its unit mm?'
ask 'fixed hull' '"stone" is 2.5e+04 times as long as the widest body that moves (0.004 m): is its unit mm?'
ask 'fed hulls' 'the hull of the grains of a fill or feed (100 m) is 1e+03 times as long as the mesh of "vessel" (0.1 m): is its unit mm?'
ask place '"vessel" is 2.5e+04 times as long as the widest body that moves (0.004 m): unit = "mm" and place scale it by 1; is that right?'
exit $failed
