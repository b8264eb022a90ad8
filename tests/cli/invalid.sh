#!/usr/bin/env bash
# Runs that went wrong: status invalid, exit code 5, whole files, a message with number, limit and likely cause, also with -q, after a resume
# and for one of several variants; scripts warn. Runs that are right stay completed.
. "$(dirname "$0")/../support/cli.sh"

# a hammer drives a ball through a plate at time `strike` if it is fast enough
cat > strike.lua <<'LUA'
return {
  params = { speed = 200, dt = 1e-3 },
  variants = VARIANTS,
  world = function(p) return { gravity = { 0, 0, 0 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.5 }
    w:box { name = "plate", kind = "fixed", size = { 1, 1, 1e-3 } }
    w:sphere { radius = 0.01, position = { 0, 0, 0.02 } }
    w:sphere { radius = 0.2, mass = 1e6, position = { 0, 0, 0.24 + 2e-3 * p.speed }, velocity = { 0, 0, -p.speed } }
  end,
  output = { trajectory = { every = 1e-3 }, series = { every = 1e-3 } },
  stop = { time = 4e-3 },
  report = function(w) return { { "kinetic", w:report().kinetic, "J" } } end,
}
LUA
sed 's/VARIANTS/nil/' strike.lua > one.lua

"$scree" run -q -o bad one.lua > out 2> err
[ $? = 5 ] || fail "an invalid run must exit with 5: $(cat out err)"
has err 'scree: error: the run is invalid: bodies went into or through walls'
has err '(limit 0)'
has err 'likely cause: the step of 0.001 s is too long'
has out 'kinetic [J]'
[ "$(tail -1 out)" = 'written to bad' ] || fail "last line: $(tail -1 out)"
has bad/run.json '"status": "invalid"'
grep -q '"invalid": \[' bad/run.json && grep -q '{"name": "crossed", "value": [1-9][0-9]*, "limit": 0, "text": ".*", "cause": ".*"}' bad/run.json ||
  fail "run.json does not say why: $(head -8 bad/run.json)"
grep -q '"crossed": [1-9]' bad/run.json || fail "the report of run.json has no passages"
if command -v python3 > /dev/null; then python3 -m json.tool bad/run.json > /dev/null || fail "run.json is no JSON"; fi
"$scree" info bad/trajectory.scree > out 2>&1 || fail "trajectory: $(cat out)"
has out 'run        invalid: bodies went into or through walls'
"$scree" info bad > out 2>&1 && has out '(limit 0)'
"$scree" info --json bad > out 2>&1 && has out '"status": "invalid"'
if command -v python3 > /dev/null; then python3 -m json.tool out > /dev/null || fail "info --json is no JSON"; fi
if command -v gnuplot > /dev/null; then
  "$scree" plot bad kinetic -o bad.svg > out 2> err || fail "plot: $(cat err)"
  grep -q 'the run is invalid: bodies went into or through walls' bad.svg || fail "caption: $(grep -o '<text>[^<]*' bad.svg | tr '\n' ' ')"
fi
[ "$(wc -l < bad/series.csv)" -ge 5 ] || fail "series: $(cat bad/series.csv)"
[ -e bad/checkpoint.scree ] && fail "a checkpoint is left"

"$scree" run -q -o good one.lua speed=1 > out 2> err || fail "a slow hammer: $(cat err)"
has good/run.json '"status": "completed"'
! grep -q '"invalid"' good/run.json && [ ! -s err ] || fail "a good run complains: $(cat err)"

if command -v gnuplot > /dev/null; then
  "$scree" plot good kinetic -o good.svg > out 2> err && ! grep -q invalid good.svg || fail "a good run is marked: $(cat err)"
  "$scree" plot good bad kinetic -o both.svg > out 2> err && grep -q '<text>bad is invalid' both.svg || fail "two runs: $(cat err; grep -o '<text>[^<]*' both.svg | tr '\n' ' ')"
fi
"$scree" info good > out 2>&1 && ! grep -q '^run ' out || fail "info of a good run: $(cat out)"

# stopped before the strike and resumed
"$scree" run -q -o half --final-checkpoint one.lua --time 1e-3 > out 2> err || fail "half: $(cat err)"
"$scree" resume half -q --until 4e-3 > out 2> err
[ $? = 5 ] && has half/run.json '"status": "invalid"' || fail "resume: $(cat out err)"
has err 'the run is invalid'
[ "$(grep '"hash"' half/run.json)" = "$(grep '"hash"' bad/run.json)" ] || fail "a resumed run has another hash"

# one of two variants
sed 's/VARIANTS/function() return { { speed = 200 }, { speed = 1 } } end/' strike.lua > two.lua
"$scree" run -q -o both two.lua > out 2> err
[ $? = 5 ] || fail "variants: $(cat out err)"
has err 'the run both/200'
has both/200/run.json '"status": "invalid"'
has both/1/run.json '"status": "completed"'

# the cause is what the first warning said; advice leaves out what is in use
cat > inside.lua <<'LUA'
return {
  params = { dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w)
    w:box { name = "block", kind = "fixed", size = { 1, 1, 1 } }
    w:sphere { name = "stone", radius = 0.05, position = { 0, 0, 0.1 } }
    w:box { name = "lid", kind = "fixed", size = { 0.2, 0.2, 1e-3 }, position = { 5, 0, 1 } }
    w:sphere { radius = 0.01, position = { 5, 0, 1.02 } }
    w:sphere { radius = 0.2, mass = 1e6, position = { 5, 0, 1.44 }, velocity = { 0, 0, -200 } }
  end,
  stop = { steps = 4 },
}
LUA
"$scree" run -q -o inside inside.lua > out 2> err
[ $? = 5 ] || fail "a body inside a block: $(cat out err)"
has err "likely cause: 1 grain starts inside the box 'block'"
grep -q '"cause": "1 grain starts inside the box' inside/run.json || fail "run.json: $(grep '"cause"' inside/run.json)"

# grains squeezed out of a servo box
"$scree" run -q -o tri "$source/scenes/triaxial.lua" side=5 compression=40ms strain=0.1 rate=2 dt=5e-4 > out 2> err
[ $? = 5 ] && has tri/run.json '"status": "invalid"' || fail "triaxial: $(cat out err)"
grep -qE 'error: the run is invalid: [0-9]+ grains have left their servo box' err || fail "triaxial: $(cat err)"

# a plain script warns, and so it does of the former name of a field
cat > script.lua <<'LUA'
local scree = require "scree"
local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, erp = 0 }
for i = 0, 1 do w:sphere { radius = 0.1, position = { 0.04 * i, 0, 0 } } end
w:step(tonumber(arg[1]))
assert(w:report().overlap_most == w:report().overlap_max)
LUA
"$scree" lua script.lua 32 > out 2> err || fail "script: $(cat err)"
has err 'scree: warning: a world is invalid after 32 steps: bodies have passed into each other, by 1.6 of half'
has err 'scree: warning: overlap_most of w:report() is overlap_max now'
# a motor without a bound that starts gears does work in their impacts; the time step adds no energy
for steps in 3 30; do
  "$scree" run -q -o gears$steps "$source/scenes/gears.lua" --steps $steps > out 2> err || fail "gears stopped after $steps steps: $(cat err)"
done
"$scree" help > out
has out '5 run invalid'
exit $failed
