#!/usr/bin/env bash
# scree safety: factors of safety of a block on a plane, of wedges and of hanging balls against their closed
# forms; a search that was stopped goes on; mistakes are refused.
# arguments: program, source folder
scree=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() { echo "$1"; cat out err 2>/dev/null; exit 1; }
# check NAME EXPECTED ARGUMENTS...: the factor of safety is EXPECTED within 0.5 %
check() {
  local name=$1 expected=$2
  shift 2
  "$scree" safety "$@" -o "$name" --json >out 2>err || fail "$name: exit code $?"
  python3 - "$expected" <<'P' || fail "$name: wrong factor"
import json, math, sys
found, expected = json.load(open("out")), eval(sys.argv[1], vars(math))
print(found["factor"], expected)
assert abs(found["factor"] / expected - 1) < 0.005
assert found["stands"] < found["factor"] < found["fails"] <= found["stands"] * 1.002
P
}
check slope '0.8 / tan(radians(30))' "$source/scenes/blocks/slope.lua"
check steep '0.3 / tan(radians(40))' "$source/scenes/blocks/slope.lua" angle=40 mu=0.3
for w in "60 90 30" "100 60 35" "60 70 25"; do
  read -r opening bisector plunge <<<"$w"
  check "wedge$opening$bisector" "0.8 * sin(radians($bisector)) / sin(radians($opening / 2)) / tan(radians($plunge))" \
    "$source/scenes/blocks/wedge.lua" opening=$opening bisector=$bisector plunge=$plunge
done
# a ball of 0.01 kg hangs by a cohesion of 0.25 N
cat >hang.lua <<'L'
return {
  world = { gravity = { 0, 0, -10 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", cohesion = 0.25 }
    w:sphere { kind = "fixed", radius = 0.01, position = { 0, 0, 0 } }
    w:sphere { radius = 0.01, mass = 0.01, position = { 0, 0, -0.02 } }
  end,
  stop = { time = 0.2 },
}
L
check hang 0.25/0.1 hang.lua --reduce cohesion
check hang_both 0.25/0.1 hang.lua --reduce both --settle 0.05
# friction does not hold the ball
"$scree" safety hang.lua -q -o free >out 2>err
[ $? = 1 ] && grep -q 'stands for all F' err || fail "a scene without friction has no factor"
"$scree" safety hang.lua -q -o free --json >out 2>err
[ $? = 1 ] || fail "a scene without friction has no factor in JSON"
python3 - <<'P' || fail "JSON without a factor"
import json
found = json.load(open("out"))
assert found["factor"] is None and found["fails"] is None and found["stands"] == 1024 and len(found["trials"]) == 11, found
P
# the block of the slope on ground that moves: it starts fast enough, turns, and the factor is that of the ground at rest
cat >moving.lua <<'L'
local beta = math.rad(30)
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", mu = 0.8 }
    local q = { math.cos(beta / 2), 0, math.sin(beta / 2), 0 }
    local x, z = math.sin(beta), math.cos(beta)
    w:box { name = "ground", kind = "kinematic", size = { 20, 4, 1 }, position = { -0.5 * x, 0, -0.5 * z }, orientation = q, velocity = { 3, 1, 0.5 } }
    w:box { size = { 1, 1, 0.4 }, position = { 0.2 * x, 0, 0.2 * z }, orientation = q, velocity = { 3, 1, 0.5 }, density = 2500 }
  end,
  stop = { time = 0.5 },
}
L
check moving '0.8 / tan(radians(30))' moving.lua --ground ground
"$scree" safety moving.lua -q -o absolute >out 2>err && fail "in the axes of the world the block moves with the ground"
"$scree" safety moving.lua -q -o no --ground grond >out 2>err
[ $? = 2 ] && grep -q "did you mean .ground" err || fail "a wrong name of the ground must be refused: $(cat err)"
# experiments, and a search that was stopped after three trials
printf 'scree: 1\nscene: %s\nparams: {angle: 40, mu: 0.3}\n' "$source/scenes/blocks/slope.lua" >slope.yaml
check experiment '0.3 / tan(radians(40))' slope.yaml
cp out first; cp experiment/safety.csv all
head -4 all >experiment/safety.csv; printf '0.5,1' >>experiment/safety.csv
check experiment '0.3 / tan(radians(40))' slope.yaml
[ "$(grep -c 'scree safety: F' err)" = "$(($(wc -l <all) - 1))" ] || fail "every trial has its line"
[ "$(cut -d, -f1,2 all)" = "$(cut -d, -f1,2 experiment/safety.csv)" ] || fail "the continued search has other trials"
check experiment '0.3 / tan(radians(40))' slope.yaml
# a search of another version of the scene, of a module or of the experiment's scene is not continued
echo 'return 0.25' >strength.lua
sed 's/cohesion = 0.25/cohesion = require "strength"/' hang.lua >parts.lua
printf 'scree: 1\nscene: parts.lua\n' >parts.yaml
for scene in parts.lua parts.yaml; do
  echo 'return 0.25' >strength.lua
  check "of_$scene" 0.25/0.1 $scene --reduce cohesion
  check "of_$scene" 0.25/0.1 $scene --reduce cohesion # the same search goes on
  echo 'return 0.5' >strength.lua
  "$scree" safety $scene --reduce cohesion -o "of_$scene" >out 2>err
  [ $? = 2 ] && grep -q 'another version of the scene' err || fail "$scene: a changed module must be noticed"
  check "new_of_$scene" 0.5/0.1 $scene --reduce cohesion
done
echo '-- changed' >>parts.lua
"$scree" safety parts.yaml --reduce cohesion -o new_of_parts.yaml >out 2>err
[ $? = 2 ] && grep -q 'another version of the scene' err || fail "a changed scene of an experiment must be noticed"
# a module that a trial loads after the scene is built is part of the scene, also if only a later trial loads the module
sed 's/stop = /before_step = function(w) if w:steps() == 3 then require "later" end end,\n  stop = /' hang.lua >lazy.lua
echo 'return 1' >later.lua
check lazy 0.25/0.1 lazy.lua --reduce cohesion
check lazy 0.25/0.1 lazy.lua --reduce cohesion # continues the same search
echo 'return 2' >later.lua
"$scree" safety lazy.lua --reduce cohesion -o lazy >out 2>err
[ $? = 2 ] && grep -q 'lazy holds a search with another version of ./later.lua' err || fail "a changed late module must be noticed: $(cat err)"
rm later.lua
"$scree" safety lazy.lua --reduce cohesion -o lazy >out 2>err
[ $? = 2 ] && grep -q 'another version of ./later.lua' err || fail "a late module that is gone must be noticed: $(cat err)"
# a block that is placed later, on the slope of a block that stands: only --late judges it
cat >late.lua <<'L'
return {
  world = { gravity = { 9.81 * math.sin(math.pi / 6), 0, -9.81 * math.cos(math.pi / 6) }, dt = 1e-3 },
  setup = function(w)
    w:material { name = "rough" }
    w:pair { "rough", "default", mu = 0.8 }
    w:pair { "default", "default", mu = 80 }
    w:halfspace { normal = { 0, 0, 1 } }
    w:box { size = { 1, 1, 0.4 }, position = { 0, 0, 0.2 } }
  end,
  before_step = function(w)
    if w:steps() == 100 then w:box { size = { 0.2, 0.2, 0.1 }, position = { 3, 0, 0.05 }, material = "rough" } end
  end,
  stop = { time = 1.5 },
}
L
"$scree" safety late.lua --late --displacement 0.02 -q --json -o late >out 2>err || fail "--late fails"
python3 - <<'P' || fail "--late: wrong factor"
import json, math
found = json.load(open("out"))["factor"]
print(found)
assert abs(found / (0.8 / math.tan(math.pi / 6)) - 1) < 0.005
P
"$scree" safety late.lua --displacement 0.02 -q --json -o early >out 2>err || fail "without --late"
python3 -c 'import json; assert json.load(open("out"))["factor"] > 100' || fail "without --late the block that stands is judged"
"$scree" safety late.lua --displacement 0.02 -o late >out 2>err
[ $? = 2 ] && grep -q 'other settings' err || fail "a search with and without --late must differ"
# a late body that swings by about 15 hundredths of its radius about the place at which it was added stays within 20 hundredths of it, whatever the factor
cat >swing.lua <<'L'
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = function(w)
    w:sphere { radius = 0.1 }
    w:pair { "default", "default", mu = 0.5 }
  end,
  before_step = function(w)
    if w:steps() == 100 then w:sphere { name = "late", radius = 0.1, position = { 1, 0, 0 } } end
    if w:steps() > 100 then w:find("late"):set_velocity(0, 0.015 * 20 * math.cos(20 * (w:time() - 0.1)), 0) end
  end,
  stop = { time = 1 },
}
L
"$scree" safety swing.lua --late --displacement 0.2 -q --json -o swing >out 2>err
[ $? = 1 ] || fail "--late with a body that swings: $(cat err)"
python3 -c 'import json; f = json.load(open("out")); assert f["factor"] is None and f["stands"] > 100' || fail "a late body is judged by another place than its first: $(cat out)"
# what is refused
"$scree" safety "$source/scenes/blocks/slope.lua" mu=0.9 -o slope >out 2>err
[ $? = 2 ] && grep -q 'other settings' err || fail "a folder of another search must be refused"
"$scree" safety hang.lua --reduce frction -o no >out 2>err
[ $? = 2 ] && grep -q 'friction, cohesion or both' err || fail "a wrong word must be refused"
"$scree" safety hang.lua --settle 1 -o no >out 2>err
[ $? = 2 ] && grep -q 'not below the time' err || fail "a late start must be refused"
"$scree" safety hang.lua mass=2 -o no >out 2>err; [ $? = 2 ] || fail "an unknown parameter must be refused"
"$scree" safety >out 2>err; [ $? = 2 ] || fail "a missing scene must be refused"
"$scree" safety gone.lua -o no >out 2>err; [ $? = 4 ] || fail "a scene that does not exist must be refused"
printf 'scree: 1\nscene: hang.lua\nparms: {a: 1}\n' >wrong.yaml
"$scree" safety wrong.yaml -o no >out 2>err
[ $? = 2 ] && grep -q "wrong.yaml:3:1: parms is not a known key; did you mean 'params'" err || fail "a mistake in the experiment must be named"
printf 'scree: 1\nscene: hang.lua\nsweep: {grid: {seed: [1, 2]}}\n' >two.yaml
"$scree" safety two.yaml -o no >out 2>err; [ $? = 2 ] && grep -q 'two.yaml has a sweep' err || fail "a sweep must be refused"
sed 's/stop = .*/stop = function() return false end,/' hang.lua >endless.lua
"$scree" safety endless.lua -o no >out 2>err; [ $? = 2 ] && grep -q -- '--time' err || fail "a scene without an end must be refused"
[ -e no ] && fail "refused calls must write nothing"
exit 0
