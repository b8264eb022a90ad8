#!/usr/bin/env bash
# The scenes of docs/blocks.md against their closed forms, and a joint in a run that was stopped and resumed.
# arguments: program, source folder
scree=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() { echo "$1"; cat out err 2>/dev/null; exit 1; }
# compare NAME BOUND: figures 1, 3, ... of the report of a run are those behind them within the share BOUND
compare() {
  python3 - "$1" "$2" <<'P' || fail "$1: wrong figures"
import json, sys
rows = [l.rsplit(None, 1) for l in open("out") if not l.startswith("written")]
values = [float(r[1]) for r in rows if len(r) == 2]
assert values and len(values) % 2 == 0, rows
for found, expected in zip(values[::2], values[1::2]):
    print(found, expected)
    assert abs(found / expected - 1) < float(sys.argv[2]), (found, expected)
P
}
for case in "shear 0.002" "tower 0.007 dt=2e-3" "newmark 0.006" "arch 0.003 dt=2e-3" "quarter 0.005 dt=2e-3" "flat 0.004" "flat 0.004 height=0.3" \
  "rocking 2e-4" "rocking 2e-4 columns=2" "rocking 2e-4 columns=2 lintel_mass=0.5 start=0.8" "spectrum 0.002 dt=2e-3" \
  "toppling 1e-5" "toppling 1e-5 height=5 mu=0.36"; do
  read -r name bound params <<<"$case"
  "$scree" run "$source/scenes/blocks/$name.lua" $params -q --force -o "$name" >out 2>err || fail "$name $params fails"
  compare "$name $params" "$bound"
done
[ -s shear/shear.png ] || fail "the figure of the shear test is missing"
"$scree" run "$source/scenes/blocks/newmark.lua" dt=1e-4 -q -o fine >out 2>err || fail "newmark fails"
compare fine 0.001
"$scree" safety "$source/scenes/blocks/rock.lua" --reduce both --settle 0.4 -q --json -o rock >out 2>err || fail "rock fails"
python3 - <<'P' || fail "rock: wrong factor"
import json, math
W, beta = 2500 * 2 * 9.81, math.radians(50)
found, expected = json.load(open("out"))["factor"], (3e4 + W * math.cos(beta) * math.tan(math.radians(35))) / (W * math.sin(beta))
print(found, expected)
assert abs(found / expected - 1) < 0.005
P
"$scree" safety "$source/scenes/blocks/uplift.lua" --time 1 -q --json -o uplift >out 2>err || fail "uplift fails"
python3 - <<'P' || fail "uplift: wrong factor"
import json, math
W, U, beta = 2500 * 0.4 * 9.81, 1000 * 9.81 * 0.2, math.radians(30)
found, expected = json.load(open("out"))["factor"], (W * math.cos(beta) - U) * 0.8 / (W * math.sin(beta))
print(found, expected)
assert abs(found / expected - 1) < 0.002
P
# five hinges, their table, and the same moves after a resume
"$scree" run "$source/scenes/blocks/hinges.lua" -q -o hinges >out 2>err || fail "hinges fails"
[ "$(grep -c opens out)" = 5 ] && [ "$(grep -c ',open,' hinges/cracks.csv)" = 5 ] && [ -s hinges/cracks.vtk ] || fail "five hinges"
head -1 hinges/series.csv | grep -q v8_turn || fail "the displacement of the crown is missing"
"$scree" run "$source/scenes/blocks/hinges.lua" -q -t 0.04 --final-checkpoint -o half_hinges >err 2>&1 || fail "half of the hinges"
"$scree" resume half_hinges --until 0.35 -q >resumed 2>err || fail "the hinges cannot be resumed"
[ "$(grep opens resumed)" = "$(grep opens out)" ] || { cat resumed; fail "other moves after a resume"; }
# a joint that slipped is still slipped after a resume, and the rest of the run is the same
cat >joint.lua <<'L'
return {
  world = { gravity = { 0, 0, -10 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", law = "joint", kn = 1e9, friction = "35 deg", cohesion = 1e4, residual_cohesion = 5e3 }
    w:box { kind = "fixed", size = { 3, 3, 1 }, position = { 0, 0, -0.5 } }
    w:box { name = "block", size = { 1, 1, 0.4 }, position = { 0, 0, 0.2 }, density = 2500 }
    w:box { name = "late", size = { 0.5, 0.5, 0.5 }, position = { -1.1, 0, 0.3 }, density = 2500 }
  end,
  before_step = function(w)
    w:find("block"):apply { force = { w:time() < 0.2 and 1.1e5 * w:time() or 1.5e4, 0, 0 }, at = { 0, 0, 0 } }
  end,
  output = { trajectory = { every = 0.05 } },
  stop = { time = 0.5 },
  report = function(w)
    local states = {}
    for _, face in ipairs(require("scree.faces").list(w)) do states[#states + 1] = face.joint .. " " .. string.format("%.12g", face.slip) end
    return { { "joints", table.concat(states, ", ") } }
  end,
}
L
"$scree" run joint.lua -q -o whole >whole.out 2>err || fail "the joint fails"
cp whole.out out
grep -q 'slipped' out && grep -q 'open' out || fail "one joint has slipped, and the late block has none"
"$scree" run joint.lua -q -t 0.25 --final-checkpoint -o half >out 2>err || fail "half of the run fails"
"$scree" resume half --until 0.5 -q >out 2>err || fail "the run cannot be resumed"
[ "$(grep joints out)" = "$(grep joints whole.out)" ] || fail "the resumed run has other joints"
"$scree" diff whole half >out 2>err || fail "the resumed run differs"
exit 0
