#!/usr/bin/env bash
# scree info, diff, plot and calibrate show in which runs rigid contacts became springs (solver.soften).
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"

cat > pile.lua <<'LUA'
return {
  params = { iterations = 30, steps = 520, seed = 1 },
  world = function(p) return { dt = 1e-3, solver = { iterations = math.floor(p.iterations) } } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.3 }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 0, 59 do w:sphere { name = "ball" .. i, radius = 0.01, density = 2500, position = { 0, 0, 0.01 + 0.02 * i } } end
  end,
  output = { trajectory = { every = 0.26 }, series = false },
  stop = function(w, p) return w:steps() >= p.steps end,
  report = function(w) return { { "height", select(3, w:find("ball9"):position()), "m" } } end,
}
LUA
for iterations in 10 30 40; do
  "$scree" run -q --final-checkpoint -o "with$iterations" pile.lua iterations=$iterations > out 2> err || fail "run: $(cat err)"
done
grep -q '"softened": 512' with30/run.json || fail "run.json: $(grep -o '"softened.*' with30/run.json)"

# the trajectory of a run, and its checkpoint
"$scree" info with30 > out 2> err || fail "info: $(cat err)"
has out 'contacts   springs of softness 0.01 after step 512 (solver.soften)'
"$scree" info with10 > out 2> err && ! grep -q springs out || fail "info of rigid contacts: $(cat out err)"
"$scree" info with30/checkpoint.scree > out 2> err && has out 'contacts   springs of softness 0.01 after step 512 (solver.soften)'
"$scree" info with10/checkpoint.scree > out 2> err && ! grep -q springs out || fail "info of a rigid checkpoint: $(cat out err)"
"$scree" info --json with30/checkpoint.scree > out && python3 -c 'import json; assert json.load(open("out"))["softened"] == 512' || fail "info --json: $(cat out)"
"$scree" info --json with10/checkpoint.scree > out && python3 -c 'import json; assert json.load(open("out"))["softened"] == 0' || fail "info --json: $(cat out)"

# two runs
"$scree" diff with10 with30 > out 2> err
[ $? = 1 ] && has out 'rigid contacts became springs (solver.soften): never in A, after step 512 in B' || fail "diff: $(cat out err)"
"$scree" diff with30/trajectory.scree with10/trajectory.scree > out 2> err
has out 'rigid contacts became springs (solver.soften): after step 512 in A, never in B'
"$scree" diff with30 with40 > out 2> err
[ $? = 1 ] && ! grep -q springs out || fail "diff of runs with springs from the same step: $(cat out err)"
"$scree" diff with30 with30 > out 2> err && ! grep -q springs out || fail "diff of one run: $(cat out err)"
"$scree" diff --json with10 with30 > out
python3 -c 'import json; told = json.load(open("out")); assert (told["softened_a"], told["softened_b"]) == (0, 512), told' || fail "diff --json: $(cat out)"

# the caption of a sweep
if command -v gnuplot > /dev/null; then
  printf 'scree: 1\nscene: pile.lua\nsweep: {grid: {params.iterations: [10, 30, 60]}}\n' > exp.yaml
  "$scree" sweep exp.yaml -o swept > out 2> err || fail "sweep: $(cat err)"
  "$scree" plot swept height -o swept.svg > out 2> err || fail "plot: $(cat err)"
  grep -q 'n = 3 of 3 runs, 1 with contacts that became springs' swept.svg || fail "caption: $(grep -o '<text>[^<]*' swept.svg | tr '\n' ' ')"
  sed -i 's/10, 30, 60/10, 60/' exp.yaml
  "$scree" sweep exp.yaml -o still > out 2> err && "$scree" plot still height -o still.svg > out 2> err && ! grep -q springs still.svg || fail "still: $(cat out err)"
fi

# a calibration
cat > find.yaml <<'YAML'
scree: 1
scene: pile.lua
calibrate:
  vary: {params.iterations: [20, 70]}
  targets: {height: [0.19, 0.001]}
  budget: 4
  seeds: 1
YAML
"$scree" calibrate find.yaml -o found > out 2> err
softened=$(cat found/0*/results.csv | awk -F, '$1 == "run" { for (i = 1; i <= NF; i++) if ($i == "softened") k = i; next } $k > 0 { n++ } END { print n + 0 }')
runs=$(cat found/0*/results.csv | grep -cv '^run,')
[ "$softened" -gt 0 ] && [ "$softened" -lt "$runs" ] || fail "calibrate: $softened of $runs runs have springs: $(cat out err)"
has out "in $softened of $runs runs rigid contacts became springs (solver.soften)"
"$scree" calibrate find.yaml -o found --json > out 2> err
python3 - "$softened" <<'PYTHON' || fail "calibrate --json: $(cat out)"
import json, sys
assert json.load(open("out"))["softened_runs"] == int(sys.argv[1])
PYTHON
exit $failed
