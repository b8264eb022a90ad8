#!/usr/bin/env bash
# scree check names bodies that are too fast for the thinnest wall, with the step that would do. A run with passages ends with a warning; one
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

# the hammer goes 0.08 m a step where half its width and the wall are 0.052 m; the dust 0.16 m where 0.022 m are safe: dt 0.1375 ms
"$scree" check strike.lua speed=80 > out || fail "check ends with $?"
grep -q '2 bodies go further in a step than half their width and the thinnest wall (0.002 m, "wall"): "dust" 0.16 m where 0.022 m are safe, "hammer" 0.08 m where 0.052 m are safe' out || fail "check: $(cat out)"
grep -q 'take dt <= 0.00014 s' out || fail "check names no step: $(cat out)"
"$scree" check strike.lua speed=30 > out; grep -q '1 body goes further' out || fail "one body: $(cat out)"
"$scree" check strike.lua speed=5 > out; grep -q 'thinnest wall' out && fail "slow bodies: $(cat out)"
"$scree" check strike.lua speed=80 fast=true > out; grep -q '1 body goes .*"dust"' out || fail "fast bodies are left out: $(cat out)"
"$scree" check --json strike.lua speed=80 > out; grep -q '"too_fast": 2, "thinnest_wall": 0.002, "fastest_way": 0.16' out || fail "json: $(cat out)"

"$scree" run -o plain strike.lua 2> out || fail "run ends with $?"
grep -q 'went into or through walls 1 times' out || fail "no warning: $(cat out)"
"$scree" run -o guarded strike.lua fast=true 2> out || fail "fast run ends with $?"
grep -q 'through walls' out && fail "fast bodies: $(cat out)"

# a body is fast after a checkpoint, too: the hammer strikes 10 ms after it
"$scree" run -q -o resumed strike.lua fast=true wait=0.01 -t 0.005 --final-checkpoint 2> out || fail "run ends with $?"
"$scree" resume resumed --until 0.02 2> out || fail "resume ends with $?: $(cat out)"
grep -q 'through walls' out && fail "fast bodies after a checkpoint: $(cat out)"
"$scree" run -q -o resumed_plain strike.lua wait=0.01 -t 0.005 --final-checkpoint 2> out || fail "run ends with $?"
"$scree" resume resumed_plain --until 0.02 2> out || fail "resume ends with $?"
grep -q 'through walls' out || fail "without fast the plate passes after a checkpoint: $(cat out)"
exit $failed
