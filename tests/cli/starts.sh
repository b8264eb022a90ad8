#!/usr/bin/env bash
# What run and check say before and at the first step: an end before the first step, grains that were not placed, pairs of materials that
# were never defined, overlaps, grains across the surface of a mesh.
. "$(dirname "$0")/../support/cli.sh"

# An end before the end of the first step is an error of run, check and sweep.
cat > short.lua <<'LUA'
return {
  params = { mu = 0.5 },
  world = { dt = 5, gravity = { 0, 0, -9.81 } },
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { radius = 1, position = { 0, 0, 1 } }
  end,
  stop = { time = 1 },
}
LUA
for verb in run check; do
  "$scree" $verb short.lua > out 2> err; [ $? = 2 ] || fail "$verb of a run without a step: $(cat out err)"
  has err 'the stop time of 1 s is shorter than the step of 5 s'
done
[ ! -e runs ] || fail "a run without a step leaves files"
"$scree" run short.lua --time 5 > out 2> err || fail "a run of one step: $(cat err)"
printf 'scree: 1\nscene: short.lua\noutput: {dir: short}\nsweep: {grid: {params.mu: [0.1, 0.2]}}\n' > short.yaml
"$scree" sweep short.yaml > out 2> err; [ $? = 1 ] || fail "a sweep of runs without a step: $(cat out err)"
has err 'the stop time of 1 s is shorter than the step of 5 s'

# Grains that were not placed: one line for each world and verb.
cat > few.lua <<'LUA'
local n = 0
return {
  params = { count = 500, thin = 0 },
  world = { dt = 1e-4 },
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.5 }
    local box = { min = { 0, 0, 0 }, max = { 0.05, 0.05, 0.05 } }
    for i = 1, 2 do n = n + select(1, w:insert { region = box, count = p.count, radius = 0.005, attempts = 50 }) end
    if p.thin == 1 then
      assert(w:fill { region = { min = { 1, 0, 0 }, max = { 1.1, 0.1, 0.009 } }, spacing = 0.01, radius = 0.005 } == 0)
    end
  end,
  stop = { steps = 1 },
  report = function() return { { "placed", n } } end,
}
LUA
"$scree" run few.lua thin=1 -o few > out 2> err || fail "few.lua: $(cat err)"
placed=$(grep -o '"value": [0-9]*' few/run.json | head -1 | grep -o '[0-9]*$')
grep -q "w:insert placed [0-9]* of 500 grains: the next one found no room in 50 attempts" err || fail "insert: $(cat err)"
[ "$(grep -c 'w:insert' err)" = 1 ] || fail "more than one line: $(cat err)"
[ "$(grep -o 'placed [0-9]* of' err | grep -o '[0-9]*')" -le "$placed" ] || fail "the number placed ($placed): $(cat err)"
has err 'w:fill placed 0 grains: its region of 0.1 x 0.1 x 0.009 m has no place for grains of radius 0.005 m with a spacing of 0.01 m'
"$scree" run few.lua count=3 -o none > out 2> err || fail "few.lua: $(cat err)"
grep -q 'placed.*grains' err && fail "all grains were placed: $(cat err)"

# Pairs of materials that were never defined, and overlaps.
cat > deep.lua <<'LUA'
return {
  params = { gap = -0.002, defined = 0 },
  world = { dt = 1e-3 },
  setup = function(w, p)
    w:material { name = "steel", density = 7800 }
    if p.defined == 1 then w:pair { "steel", "steel", mu = 0.1 } end
    w:sphere { radius = 0.01, position = { 0, 0, 0 }, material = "steel" }
    w:sphere { radius = 0.01, position = { 0.02 + p.gap, 0, 0 }, material = "steel" }
  end,
  output = { series = { every = 0.001 } },
  stop = { steps = 40 },
}
LUA
"$scree" run deep.lua -o deep > out 2> err || fail "deep.lua: $(cat out err)"
has err 'warning: no w:pair defines the pair of materials "steel", "steel" (law coulomb, mu 0.5, restitution 0)'
has err 'warning: bodies overlap at the start in 1 place, at most by 0.002 m; 0.2 of half'
"$scree" check deep.lua > out 2> err || fail "check deep.lua: $(cat err)"
has out 'advice            bodies overlap at the start in 1 place, at most by 0.002 m; 0.2 of half'
"$scree" run deep.lua gap=-0.0005 defined=1 -o shallow > out 2> err || fail "shallow: $(cat out err)"
grep -q 'warning' err && fail "a small overlap, a pair that is defined: $(cat err)"
# overlap_max counts each row of the series from the 32nd step on; a ball that is moved into another one then makes the run invalid
sed 's/output = /before_step = function(w) if w:steps() == 37 then w:find("one"):set_position(0.017, 0, 0) end end,\n  output = /; s/w:sphere { radius = 0.01, position = { 0, 0, 0 }/w:sphere { name = "one", radius = 0.01, position = { 0, 0, 0 }/' deep.lua > moved.lua
"$scree" run moved.lua defined=1 gap=0.01 -o through > out 2> err; [ $? = 5 ] || fail "an overlap of 0.7: $(cat out err)"
"$scree" run deep.lua defined=1 gap=-0.006 -o start > out 2> err || fail "an overlap of 0.6 at the start: $(cat out err)"
has err 'warning: bodies overlap at the start in 1 place, at most by 0.006 m; 0.6 of half'
for run in deep shallow through start; do
  python3 - $run <<'PYTHON' || fail "overlap_max of $run: $(cat $run/series.csv)"
import csv, json, sys
r = json.load(open(sys.argv[1] + "/run.json"))["report"]
rows = list(csv.reader(l for l in open(sys.argv[1] + "/series.csv")))
k = [c.split(" ")[0] for c in rows[0]].index("overlap")
most = max(float(row[k]) for row in rows[1:] if int(row[1]) >= 32)
assert r["overlap_max"] >= most * (1 - 1e-9), (most, r["overlap_max"])
PYTHON
done

# Grains across the surface of a mesh that is a wall.
cat > across.lua <<'LUA'
return {
  params = { height = 0.002 },
  world = { dt = 1e-3, gravity = { 0, 0, 0 } },
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.5 }
    w:mesh { name = "plate", points = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } }
    for i = 1, 3 do w:sphere { radius = 0.01, position = { 0.1 * i, 0, p.height } } end
  end,
  stop = { steps = 1 },
}
LUA
"$scree" run across.lua -o across > out 2> err
has err "3 grains start across the surface of the mesh 'plate', the deepest by 0.8 of half its width"
"$scree" check across.lua > out 2> err || fail "check across.lua: $(cat err)"
has out "3 grains start across the surface of the mesh 'plate', the deepest by 0.8 of half its width"
"$scree" check across.lua height=0.0095 > out 2> err || fail "check across.lua: $(cat err)"
grep -q 'across the surface' out && fail "grains that touch the surface: $(cat out)"
exit $failed
