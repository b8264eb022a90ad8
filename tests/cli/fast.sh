#!/usr/bin/env bash
# scree check names bodies that are too fast for the thinnest wall, with the step that would do. A run with passages is invalid; one
# whose bodies are fast has none, also when it goes on from a checkpoint.
. "$(dirname "$0")/../support/cli.sh"

cat > strike.lua <<'LUA'
return {
  params = { fast = false, speed = 50, wait = 0 },
  world = { dt = 1e-3, gravity = { 0, 0, 0 } },
  setup = function(w, p)
    w:box { name = "floor", kind = "fixed", size = { 1, 1, 1 }, position = { 0, 0, -5 } }
    w:box { name = "wall", kind = "fixed", size = { 1, 1, 0.002 } }
    w:box { name = "plate", size = { 0.2, 0.2, 0.01 }, position = { 0, 0, 0.011 }, density = 1000, fast = p.fast }
    w:sphere { name = "hammer", radius = 0.05, position = { 0, 0, 0.08 + p.speed * p.wait }, mass = 1000, velocity = { 0, 0, -p.speed }, fast = p.fast }
    w:sphere { name = "dust", radius = 0.02, position = { 3, 0, 0 }, velocity = { 0, 0, 2 * p.speed } }
  end,
  stop = { time = 0.02 },
  report = function(w) return { { "plate", select(3, w:find("plate"):position()), "m" } } end,
}
LUA

# The plate is the narrowest: half its width and the wall are 0.007 m. The hammer goes 0.08 m a step, the dust 0.16 m: dt 0.04375 ms.
"$scree" check strike.lua speed=80 > out || fail "check ends with $?"
grep -q '2 bodies go further in a step than half the width of "plate" and the thinnest wall (0.002 m, "wall"): "dust" 0.16 m where 0.007 m are safe, "hammer" 0.08 m where 0.007 m are safe' out || fail "check: $(cat out)"
grep -q 'take dt <= 4.4e-05 s' out || fail "check names no step: $(cat out)"
grep -q 'fast = true for the bodies that must not pass, as "plate"' out || fail "check names no body for fast: $(cat out)"
"$scree" check strike.lua speed=5 > out; grep -q '1 body goes further' out || fail "one body: $(cat out)"
"$scree" check strike.lua speed=3 > out; grep -q 'thinnest wall' out && fail "slow bodies: $(cat out)"
# with plate and hammer fast the dust may still pass, alone or driven by the hammer
"$scree" check strike.lua speed=80 fast=true > out; grep -q '2 bodies go .*of "dust".*"dust" 0.16 m where 0.022 m are safe, "hammer" 0.08 m where 0.022' out || fail "fast bodies: $(cat out)"
"$scree" check --json strike.lua speed=80 > out; grep -q '"too_fast": 2, "thinnest_wall": 0.002, "fastest_way": 0.16' out || fail "json: $(cat out)"
# a kinematic body drives a ball through a wall; a thin plate that is dynamic is a wall; nothing may pass once the ball is fast
for wall in 'kind = "fixed"' 'mass = 1e3'; do
  cat > ram.lua <<LUA
return { params = { fast = false }, world = { dt = 1e-3, gravity = { 0, 0, 0 } }, setup = function(w, p)
  w:box { name = "wall", $wall, size = { 1, 1, 0.002 }, fast = [[$wall]] == "mass = 1e3" }
  w:sphere { name = "ball", radius = 0.02, position = { 0, 0, 0.1 }, mass = 0.01, fast = p.fast }
  w:sphere { name = "ram", kind = "kinematic", radius = 0.05, position = { 0, 0, 0.3 }, velocity = { 0, 0, -100 } }
end, stop = { steps = 3 } }
LUA
  "$scree" check ram.lua > out; grep -q '"ram" 0.1 m where 0.022 m are safe' out || fail "kinematic: $(cat out)"
  "$scree" check ram.lua fast=true > out; grep -q 'thinnest wall' out && fail "kinematic and fast: $(cat out)"
done

"$scree" run -o plain strike.lua 2> out
[ $? = 5 ] || fail "a run with a passage is valid"
grep -q 'went into or through walls 1 times' out || fail "no warning: $(cat out)"
grep -q 'passed walls: "plate"' out || fail "no name: $(cat out)"
# the plate does not pass; the hammer of 1000 kg ends inside the plate, which makes the run invalid for its overlap
"$scree" run -o guarded strike.lua fast=true 2> out
code=$?
[ $code = 0 ] || [ $code = 5 ] || fail "fast run ends with $code"
grep -q 'through walls' out && fail "fast bodies: $(cat out)"

# a body is fast after a checkpoint, too: the hammer strikes 10 ms after it
"$scree" run -q -o resumed strike.lua fast=true wait=0.01 -t 0.005 --final-checkpoint 2> out || fail "run ends with $?"
"$scree" resume resumed --until 0.02 2> out
code=$?
[ $code = 0 ] || [ $code = 5 ] || fail "resume ends with $code: $(cat out)"
grep -q 'through walls' out && fail "fast bodies after a checkpoint: $(cat out)"
"$scree" run -q -o resumed_plain strike.lua wait=0.01 -t 0.005 --final-checkpoint 2> out || fail "run ends with $?"
"$scree" resume resumed_plain --until 0.02 2> out
[ $? = 5 ] || fail "a resumed run with a passage is valid"
grep -q 'through walls' out || fail "without fast the plate passes after a checkpoint: $(cat out)"

# fast bodies in joints are named once
cat > tied.lua <<'LUA'
return { world = { dt = 1e-3, gravity = { 0, 0, 0 } }, setup = function(w)
  local a = w:box { name = "link", size = { 0.1, 0.1, 0.1 }, fast = true }
  w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
  w:sphere { radius = 0.1, position = { 1, 0, 0 }, fast = true }
end, stop = { steps = 3 } }
LUA
"$scree" run -q -o tied tied.lua 2> out || fail "tied run ends with $?"
[ "$(grep -c '1 fast body has joints: "link"' out)" = 1 ] || fail "fast bodies in joints: $(cat out)"
exit $failed
