#!/usr/bin/env bash
# Experiments and sweeps: every mistake at once, settings, includes, the resolved file reruns to the same bits, sweeps with failures.
. "$(dirname "$0")/../support/cli.sh"
fail() { stop "$@"; }

cat > scene.lua <<'LUA'
return {
  params = { mu = 0.4, height = 0.1, count = { default = 3, whole = true }, law = "coulomb", seed = 1 },
  world = function(p) return { dt = 1e-3, gravity = { 0, 0, -9.81 }, solver = { iterations = 10 } } end,
  setup = function(w, p)
    if p.mu > 0.75 then error("too rough for this scene") end
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, p.count do w:sphere { radius = 0.02, position = { 0.05 * i, 0, p.height + 0.01 * math.random() } } end
  end,
  stop = { time = 0.05 },
  report = function(w, p) return { { "kinetic", w:report().kinetic, "J" }, { "law", p.law } } end,
}
LUA
cat > base.yaml <<'YAML'
scree: 1
scene: scene.lua
params: {mu: 0.3, height: 50 mm}
run: {until: 30 ms}
solver: {iterations: 20}
YAML
printf 'include: base.yaml\nparams: {mu: 0.5}\noutput: {dir: out, every: 10 ms}\n' > exp.yaml

"$scree" run exp.yaml --quiet --set run.dt="0.5 ms" count=2 > out.txt 2>&1 || fail "$(cat out.txt)"
has out/experiment.yaml "mu: 0.5"
has out/experiment.yaml "height: 0.05"
has out/experiment.yaml "dt: 0.0005"
has out/experiment.yaml "count: 2"
has out/run.json '"step": 60'
"$scree" run out/experiment.yaml -o again --quiet > /dev/null 2>&1 || fail "the resolved experiment does not run"
[ "$(grep '"hash"' out/run.json)" = "$(grep '"hash"' again/run.json)" ] || fail "the resolved experiment gives another hash"
"$scree" run exp.yaml --quiet > out.txt 2>&1
[ $? = 2 ] || fail "a run was overwritten"

# every mistake at once, each with its place
cat > bad.yaml <<'YAML'
scree: 1
scene: scene.lua
sed: 7
params: {mu: fast, hight: 30 mm, count: 2.5}
run: {until: 100 mm, dt: -1}
solver: {iteration: 20}
measure: [{name: z, type: coordnation}]
YAML
"$scree" run bad.yaml > out.txt 2> err.txt
[ $? = 2 ] || fail "mistakes must exit with 2"
has err.txt "bad.yaml:3:1: sed is not a known key; did you mean 'seed'?"
has err.txt "bad.yaml:4:14: params.mu: expected a number as in the scene, not a text"
has err.txt "bad.yaml:4:20: params.hight is not a parameter of the scene scene.lua; did you mean 'height'?"
has err.txt "bad.yaml:4:41: params.count must be a whole number, not 2.5"
has err.txt "bad.yaml:5:14: run.until: 100 mm has the wrong dimension"
has err.txt "bad.yaml:5:26: run.dt must be greater than 0, not -1"
has err.txt "did you mean 'iterations'?"
has err.txt "did you mean 'coordination'?"
has err.txt "8 mistakes in the experiment"
ls | grep -q runs && fail "a bad experiment left something behind"

# check
"$scree" check exp.yaml > out.txt 2>&1 || fail "check: $(cat out.txt)"
has out.txt "of which 3 move"
"$scree" check exp.yaml --json > out.txt 2>&1 || fail "check --json"
has out.txt '"overlaps": 0'
"$scree" check bad.yaml > out.txt 2>&1
[ $? = 2 ] || fail "check takes a bad experiment"
"$scree" check exp.yaml --set params.mu=0.9 > out.txt 2>&1
[ $? = 2 ] || fail "check does not run setup"

# sweep: grid, zip, exclude, repeat; a failing point is named and takes nothing with it
cat > sweep.yaml <<'YAML'
include: base.yaml
output: {dir: swept}
sweep:
  grid: {params.mu: [0.2, 0.9], params.law: [coulomb, max_dissipation]}
  zip: {params.height: [20 mm, 40 mm], params.count: [1, 2]}
  exclude: [{params.mu: 0.9, params.law: max_dissipation}]
  repeat: 2
YAML
"$scree" sweep sweep.yaml --dry-run > out.txt 2>&1 || fail "dry run: $(cat out.txt)"
[ "$(grep -c waiting out.txt)" = 12 ] || fail "12 points: $(cat out.txt)"
[ -e swept ] && fail "a dry run wrote something"
"$scree" run sweep.yaml > out.txt 2>&1
[ $? = 2 ] || fail "run took a sweep"
has out.txt "scree sweep"
"$scree" sweep sweep.yaml -j 2 > out.txt 2> err.txt
[ $? = 1 ] || fail "a sweep with failures must exit with 1: $(cat out.txt err.txt)"
has out.txt "4 of 12 runs are left out of means and plots: 4 failed, 0 invalid"
has out.txt "0009 failed (exit code 3): "
has swept/results.csv "run,state,params.mu,params.law,params.height,params.count,seed,wall_seconds,hash,unbalanced_mean,overlap_max,residual_max,crossed,bodies_lost,softened,kinetic,law"
[ "$(grep -c completed swept/results.csv)" = 8 ] || fail "8 completed: $(cat swept/results.csv)"
has swept/0009.log "too rough for this scene"
# a run that fails says why
has err.txt "too rough for this scene (swept/0"
"$scree" sweep sweep.yaml > out.txt 2>&1
[ $? = 2 ] || fail "a sweep was overwritten"
rm -r swept/0003
before=$(stat -c %Y%i swept/0001/run.json)
"$scree" sweep sweep.yaml --resume --only 1-8 > out.txt 2>&1 || fail "resume: $(cat out.txt)"
[ "$before" = "$(stat -c %Y%i swept/0001/run.json)" ] || fail "a completed run was repeated"
[ -e swept/0003/run.json ] || fail "a missing run was not made"
hashes=$(cut -d, -f9 swept/results.csv | sed -n 2,9p | sort -u | wc -l)
[ "$hashes" = 4 ] || fail "spheres fall alike under both laws, and differently for other points: $(cat swept/results.csv)"

# results are there while the sweep still runs; its directory, or the experiment alone, is enough to go on; seconds are those of all parts
cat > slow.lua <<'LUA'
return {
  params = { mu = 0 },
  world = { dt = 1e-3 },
  setup = function(w, p) w:pair { "default", "default", mu = p.mu } w:sphere { radius = 0.1 } end,
  after_step = function(w, p)
    local until_ = os.clock() + 0.01
    while os.clock() < until_ do end
    if p.mu == 0.5 and w:steps() == 30 and not io.open "DIR/second" then io.open("DIR/second", "w"):close() os.execute "kill -9 $PPID" end
  end,
  stop = { steps = 60 },
  report = function(w, p) return { { "mu", p.mu } } end,
}
LUA
sed -i "s|DIR|$work|g" slow.lua
printf 'scree: 1\nscene: slow.lua\noutput: {dir: "slow-{n}", checkpoint: {wall: 0.05}}\nsweep: {grid: {params.mu: [0.25, 0.5]}}\n' > slow.yaml
"$scree" sweep slow.yaml --trust > out.txt 2> err.txt
[ $? = 1 ] && [ "$(grep -c completed slow-0001/results.csv)" = 1 ] || fail "a run was killed: $(cat out.txt err.txt)"
has slow-0001/results.csv "2,failed,0.5"
"$scree" sweep --resume slow-0001 --trust > out.txt 2> err.txt || fail "sweep --resume DIR: $(cat out.txt err.txt)"
[ "$(grep -c completed slow-0001/results.csv)" = 2 ] || fail "both are done: $(cat slow-0001/results.csv)"
awk -F, 'NR == 3 { exit !($4 > 0.55) }' slow-0001/results.csv || fail "seconds of both parts: $(cat slow-0001/results.csv)"
awk '/of wall time in all runs/ { found = $1 > 1.1 } END { exit !found }' out.txt || fail "wall time of all runs: $(cat out.txt)"
"$scree" sweep slow.yaml --resume --trust > out.txt 2>&1 || fail "sweep EXP --resume: $(cat out.txt)"
[ "$(grep -c completed out.txt)" = 2 ] && [ ! -e slow-0002 ] || fail "the last directory is taken: $(cat out.txt)"
"$scree" sweep --resume > out.txt 2>&1
[ $? = 2 ] && has out.txt "scree sweep --resume DIR" || fail "sweep --resume without a directory"

# values that are spread
printf 'include: base.yaml\nsweep: {grid: {params.mu: {linear: [0.1, 0.3, 3]}, seed: {range: [1, 4]}, params.height: {log: [0.01, 0.1, 2]}}}\n' > spread.yaml
"$scree" sweep spread.yaml --dry-run > out.txt 2>&1 || fail "$(cat out.txt)"
[ "$(grep -c waiting out.txt)" = 24 ] || fail "24 points: $(cat out.txt)"
ls -d spread-* > /dev/null 2>&1 && fail "--dry-run leaves files: $(ls -d spread-*)"
printf 'include: base.yaml\nsweep: {grid: {params.mu: 3, params.x: [1]}, zip: {a: [1, 2], b: [1]}}\n' > badsweep.yaml
"$scree" sweep badsweep.yaml --dry-run > out.txt 2>&1
[ $? = 2 ] || fail "a bad sweep was taken"
has out.txt "sweep.grid.params.mu: expected a list of values"

# names and values of a sweep are held against the scene before anything runs
for sweep in 'params.muu: [0.1, 0.2]' 'params.count: [1, many]'; do
  printf 'include: base.yaml\nsweep: {grid: {%s}}\n' "$sweep" > point.yaml
  for verb in check 'sweep --dry-run'; do
    "$scree" $verb point.yaml > out.txt 2>&1
    [ $? = 2 ] || fail "$verb takes a sweep over $sweep: $(cat out.txt)"
    grep -qE "point.yaml:2:.*(did you mean 'mu'|expected a number as in the scene)" out.txt || fail "$verb, $sweep: $(cat out.txt)"
  done
done
printf 'include: base.yaml\nsweep: {grid: {mu: [0.1, 0.2]}}\n' > point.yaml
"$scree" check point.yaml > out.txt 2>&1
[ $? = 2 ] && has out.txt "did you mean 'params.mu'?" || fail "check takes a sweep over mu"

# check: conditions, and every finding as JSON
printf 'include: base.yaml\nrun: {stop_when: max_sped < 1}\n' > condition.yaml
"$scree" check condition.yaml > out.txt 2>&1
[ $? = 2 ] && has out.txt "did you mean 'max_speed'?" || fail "check takes a condition without a column"
for file in condition.yaml point.yaml missing.lua; do
  "$scree" check --json "$file" > out.json 2>err2.txt
  [ $? = 2 ] && has out.json '{"fine": false, "message": "' || fail "check --json $file: $(cat out.json)"
done

"$scree" schema > schema.json || fail "schema"
if command -v python3 > /dev/null; then python3 -c 'import json; json.load(open("schema.json"))' || fail "the schema is no JSON"; fi
echo "experiments behave"
