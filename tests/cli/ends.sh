#!/usr/bin/env bash
# Declared parameters, ends of runs, generations of checkpoints, what info says of them, the schema.
# arguments: program, source folder
set -u
scree=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() { echo "FAILED: $*"; exit 1; }
has() { grep -qF -- "$2" "$1" || fail "no '$2' in: $(cat "$1")"; }
refused() { local text=$1; shift; "$scree" "$@" > out.txt 2> err.txt; [ $? = 2 ] || fail "$*: not refused: $(cat out.txt err.txt)"; has err.txt "$text"; }

cat > drop.lua <<'LUA'
return {
  params = {
    height = { default = "50 mm", unit = "m", min = 0.02, max = 1, doc = "of the drop" },
    law = { default = "coulomb", choices = { "coulomb", "cone" } },
    tilt = { default = 0, unit = "rad" },
    sizes = { default = { 1, 2 }, min = 0 },
    plain = 3,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { radius = 0.01, position = { 0, 0, p.height } }
    print(p.height, p.law, p.tilt, p.sizes[2], p.plain)
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 1e-3 } },
}
LUA

# ---- declared parameters ----
"$scree" run drop.lua --help > out.txt 2>&1 || fail "help: $(cat out.txt)"
has out.txt "height=0.05 m"
has out.txt "of the drop (0.02 to 1)"
has out.txt "(coulomb, cone)"
has out.txt "--trust"
"$scree" run drop.lua -q -o units --steps 1 height=60mm tilt="90 deg" sizes=3,4 > out.txt 2>&1 || fail "$(cat out.txt)"
has out.txt "0.06	coulomb	1.5707963267949	4	3"
refused "height: '60 s' has the wrong dimension" run drop.lua -q -o no --steps 1 height="60 s"
refused "height must be at least 0.02 m, not 0.01" run drop.lua -q -o no --steps 1 height=10mm
refused "law must be one of coulomb, cone, not 'kone'" run drop.lua -q -o no --steps 1 law=kone
refused "sizes must be at least 0, not -1" run drop.lua -q -o no --steps 1 sizes=-1,2
cat > bad.yaml <<'YAML'
scree: 1
scene: drop.lua
params: {height: 60 s, law: kone, tilt: 35 mm, sizes: [1, -2]}
run: {steps: 1, stop_when: "speed is low"}
YAML
refused "bad.yaml:4:28: run.stop_when: expected <, <=, > or >= at 'is low'" run bad.yaml -q
has err.txt "bad.yaml:3:18: params.height: 60 s has the wrong dimension"
has err.txt "bad.yaml:3:29: params.law must be one of coulomb, cone"
has err.txt "bad.yaml:3:41: params.tilt: 35 mm has the wrong dimension"
has err.txt "bad.yaml:3:55: params.sizes must be at least 0, not -2"
[ -e no ] && fail "a refused run left something behind"
for wrong in 'unit = "mm"' 'unit = "furlong"' 'min = 2' 'mix = 2' 'choices = 3'; do
  sed "s/default = 0, unit = \"rad\"/default = 0, $wrong/" drop.lua > wrong.lua
  refused "params.tilt" run wrong.lua -q -o no --steps 1
done

# ---- ends ----
refused "scene.stop is missing" run drop.lua -q -o no
"$scree" run drop.lua -q -o steps --steps 7 > /dev/null 2>&1 || fail "--steps"
has steps/run.json '"step": 7,'
"$scree" run drop.lua -q -o time --time 0.02 > /dev/null 2>&1 || fail "--time"
has time/run.json '"step": 20,'
cat > rest.yaml <<'YAML'
scree: 1
scene: drop.lua
run: {until: 10 s, stop_when: max_speed < 1 mm/s and contacts >= 1 for 20 ms}
output: {dir: rest, checkpoint: {every: 10 ms, keep: 3, final: true}}
YAML
"$scree" run rest.yaml -q > out.txt 2>&1 || fail "stop_when: $(cat out.txt)"
# the ball lands after sqrt(2 h / g) = 90.3 ms, in step 91, which closes the gap; then it rests for 20 ms from step 92 on
has rest/run.json '"step": 112,'
refused "stop_when: the series has no column max_sped; did you mean 'max_speed'?" run rest.yaml -q -o no1 --set 'run.stop_when=max_sped < 1'
refused "stop_when: max_speed is in m/s, not like 1 mm" run rest.yaml -q -o no2 --set 'run.stop_when=max_speed < 1 mm'

# ---- generations, and going on with a completed run ----
for file in checkpoint.scree checkpoint.scree.previous checkpoint.scree.previous.2; do [ -e rest/$file ] || fail "no $file"; done
[ -e rest/checkpoint.scree.previous.3 ] && fail "a fourth generation"
"$scree" info rest/checkpoint.scree > out.txt 2>&1 || fail "info: $(cat out.txt)"
grep -q '^scene  .*/drop\.lua$' out.txt || fail "info names another scene: $(cat out.txt)"
if command -v python3 > /dev/null; then
  sections=$(python3 "$source/tests/support/sections.py" rest/checkpoint.scree | wc -l)
  [ "$sections" -gt 1 ] && has out.txt "a checkpoint of $sections sections, "
fi
has out.txt "time       0.112 s, step 112 of 0.001 s"
has out.txt "bodies     2 with 2 shapes, 0 joints, 1 contacts"
"$scree" info --json rest/checkpoint.scree.previous > out.txt 2>&1 || fail "info --json"
has out.txt '"step": 110'
"$scree" run drop.lua -q -o long --time 0.2 > /dev/null 2>&1
"$scree" run drop.lua -q -o first --time 0.053 --final-checkpoint > /dev/null 2>&1 || fail "--final-checkpoint"
"$scree" resume first -q --until 0.2 > out.txt 2>&1 || fail "going on with a completed run: $(cat out.txt)"
cmp -s long/series.csv first/series.csv || fail "a run in two parts has another series"
"$scree" diff long first > out.txt 2>&1 || fail "a run in two parts: $(cat out.txt)"
[ -e first/checkpoint.scree ] && fail "a completed run keeps a checkpoint nobody asked for"
# every generation but the oldest damaged
"$scree" run rest.yaml -q -o torn > /dev/null 2>&1
for file in torn/checkpoint.scree torn/checkpoint.scree.previous; do printf 'x' | dd of=$file bs=1 seek=300 conv=notrunc 2> /dev/null; done
"$scree" resume torn -q > out.txt 2> err.txt || fail "third generation: $(cat err.txt)"
has err.txt "damaged"
"$scree" diff rest torn > out.txt 2>&1 || fail "third generation: $(cat out.txt)"

# ---- trust is not taken from a file ----
"$scree" run drop.lua --trust -q -o trusted --time 0.2 --wall 0.000001 > /dev/null 2> err.txt
[ $? = 75 ] || fail "the wall limit"
has err.txt "scree resume --trust trusted"
refused "resume it with --trust, too" resume trusted -q
"$scree" resume --trust trusted -q > /dev/null 2> err.txt || fail "resume --trust: $(cat err.txt)"

# ---- a full disk: the limit on the size of files stands in for it ----
cat > long.lua <<'LUA'
return {
  world = { dt = 1e-3 }, setup = function(w) w:sphere { radius = 0.1 } end,
  output = { trajectory = false, series = { steps = 1 } }, stop = { steps = 20000 },
}
LUA
( ulimit -f 64; "$scree" run long.lua -q -o full > out.txt 2> err.txt )
[ $? = 4 ] || fail "a full disk: exit code $?: $(cat out.txt err.txt)"
has err.txt "series.csv: File too large"
has full/run.json "series.csv: File too large"
# the state is saved: the resumed run has the rows of a run that was left alone, but for the one that was cut off
"$scree" run long.lua -q -o whole > /dev/null || fail "long.lua"
has err.txt "go on with: scree resume full"
lost=$(sed -n 's/.*the row of series.csv at \([0-9.]*\) s is lost/\1/p' err.txt)
"$scree" resume full -q > /dev/null 2> err.txt || fail "resume after a full disk: $(cat err.txt)"
[ -n "$lost" ] && grep -v "^$lost," whole/series.csv | cmp - full/series.csv || fail "rows after a full disk, lost: $lost"

# a track that is cut off: the resumed run writes the frames of a run that was left alone
cat > tracked.lua <<'LUA'
return {
  world = { dt = 1e-3 }, setup = function(w) w:sphere { radius = 0.1 } end,
  output = { trajectory = false, series = false, track = { every = 0.001, ids = { 1 } } }, stop = { steps = 5000 },
}
LUA
( ulimit -f 64; "$scree" run tracked.lua -q -o cut > out.txt 2> err.txt )
[ $? = 4 ] || fail "a full disk under a track: exit code $?: $(cat out.txt err.txt)"
has err.txt "go on with: scree resume cut"
"$scree" run tracked.lua -q -o uncut > /dev/null || fail "tracked.lua"
"$scree" resume cut -q > /dev/null 2> err.txt || fail "resume after a full disk under a track: $(cat err.txt)"
"$scree" diff uncut/track.scree cut/track.scree > out.txt || fail "a track after a full disk: $(cat out.txt)"

# ---- a small disk: the second folder takes the state, and the run goes on from there with the same bits ----
mkdir small spare
if mount -t tmpfs -o size=200k small small 2> /dev/null; then
  trap 'umount small 2> /dev/null; rm -rf "$work"' EXIT
  cat > balls.lua <<'LUA'
return {
  world = { dt = 1e-3, gravity = { 0, 0, 0 } },
  setup = function(w)
    w:fill { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0.1, radius = 0.04, velocity = { 0.1, 0, 0 }, jitter = 0.5 }
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } }, stop = { steps = 200 },
}
LUA
  "$scree" run balls.lua -q -o balls > /dev/null || fail "balls.lua"
  "$scree" run balls.lua -q -o small/run > /dev/null 2> err.txt
  [ $? = 4 ] || fail "a small disk: $(cat err.txt)"
  grep -qE "the state at 0\.[0-9]+ s is lost" err.txt || fail "no lost state in: $(cat err.txt)"   # the writer is a thread: it may notice a step later
  has err.txt "--checkpoint-dir DIR names a second place"
  "$scree" run balls.lua -q -f -o small/run --checkpoint-dir spare > /dev/null 2> err.txt
  [ $? = 4 ] || fail "a small disk and a second folder: $(cat err.txt)"
  has err.txt "go on with: scree resume --from spare/small-run.scree small/run"
  mount -o remount,size=20m small
  "$scree" resume --from spare/small-run.scree small/run -q > /dev/null 2> err.txt || fail "resume --from: $(cat err.txt)"
  cmp balls/series.csv small/run/series.csv || fail "rows after a small disk"
  "$scree" diff balls small/run > out.txt; has out.txt "frames that both have are the same"

  # a checkpoint that finds no room is no reason to end a run that has room for its rows
  mount -o remount,size=40k small 2> /dev/null || { umount small; mount -t tmpfs -o size=40k small small; }
  sed -i 's/trajectory = { every = 0.01 }/trajectory = false, checkpoint = nil/' balls.lua
  "$scree" run balls.lua -q -f -o small/rows --checkpoint 0.001 > /dev/null 2> err.txt || fail "no room for checkpoints: $(cat err.txt)"
  has err.txt "the last good one stays"
  umount small
fi

# ---- the schema, against a validator that is not ours ----
"$scree" schema > schema.json || fail "schema"
if python3 -c 'import jsonschema, yaml' 2> /dev/null; then
  python3 - "$source" <<'PY' || fail "the schema"
import json, sys, glob, yaml, jsonschema
schema = json.load(open("schema.json"))
jsonschema.Draft7Validator.check_schema(schema)
check = jsonschema.Draft7Validator(schema)
good = glob.glob(sys.argv[1] + "/scenes/*.yaml") + ["rest.yaml"]
for path in good:
    for problem in check.iter_errors(yaml.safe_load(open(path))):
        sys.exit(f"{path}: {problem.message}")
for text in ("{scree: 1}", "{scree: 2, scene: a.lua}", "{scree: 1, scene: a.lua, sed: 3}", "{scree: 1, scene: a.lua, run: {dt: -1}}",
             "{scree: 1, scene: a.lua, measure: [{name: z, type: coordnation}]}", "{scree: 1, scene: a.lua, output: {checkpoint: {keep: 0}}}"):
    if check.is_valid(yaml.safe_load(text)): sys.exit("the schema takes " + text)
assert len(good) > 1
PY
else echo "without python3-jsonschema and python3-yaml the schema is not checked"; fi
echo "ends, generations and parameters behave"
