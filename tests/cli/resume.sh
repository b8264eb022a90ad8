#!/usr/bin/env bash
# Runs that are stopped or killed and resumed equal runs that were left alone: hash, series, measurements, every frame.
. "$(dirname "$0")/../support/cli.sh"
fail() { stop "$@"; }

cat > scene.lua <<'LUA'
local inflow = require "scree.inflow"
return {
  params = { mu = 0.4, seed = 3 },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 20 } },
  setup = function(w, p)
    w:material { name = "glass", density = 2500 }
    w:pair { "glass", "glass", law = "coulomb", mu = p.mu }
    w:halfspace { name = "floor", normal = { 0, 0, 1 }, material = "glass" }
    w:fill { region = { min = { 0, 0, 0.026 }, max = { 0.06, 0.06, 0.066 } }, spacing = 0.012, radius = 0.004, radius_max = 0.005, jitter = 0.1, material = "glass" }
    w.state.notes = { list = { 1, 2.5, "three" }, flag = true }
    w.state.count = 0
    w.state.floor = w:find "floor"
    w:box { name = "gone", size = { 0.01, 0.06, 0.01 }, position = { 0, 0.03, 0.02 }, material = "glass", velocity = function(t) return 0.2 * math.cos(30 * t), 0, 0 end }
    w:box { name = "stirrer", size = { 0.01, 0.02, 0.01 }, position = { 0.03, 0.03, 0.005 }, material = "glass", spin = { { 0, { 0, 0, 0 } }, { "0.2 s", { 0, 0, "60 rpm" } } } }
  end,
  before_step = function(w, p)
    w.state.count = w.state.count + 1
    if w:steps() == 150 then w:find("gone"):remove() end
    if w:steps() % 40 == 0 then
      w:sphere { radius = 0.004, position = { 0.03 + 0.01 * math.random(), 0.03 + 0.01 * w:random(), 0.1 }, material = "glass" }
    end
    w:remove { region = { center = { 0.03, 0.03, 0.01 }, radius = 0.004 } }
  end,
  output = { trajectory = { every = 0.02, precision = "1e-4 d" }, series = { every = 0.005, values = function(w) return { count = w.state.count } end } },
  stop = { time = 0.3 },
  report = function(w) return { { "grains", w:count() }, { "count", w.state.count } } end,
}
LUA
cat > exp.yaml <<'YAML'
scree: 1
scene: scene.lua
params: {mu: 0.5}
output: {checkpoint: {every: 10 ms}}
YAML
measures >> exp.yaml

same() {
  [ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' "$1/run.json")" ] || fail "$1: another hash"
  for file in series.csv g.csv field.csv; do cmp -s straight/$file "$1/$file" || fail "$1: $file differs"; done
  "$scree" diff straight/trajectory.scree "$1/trajectory.scree" > diff.txt || fail "$1: $(cat diff.txt)"
}

"$scree" run exp.yaml -o straight --quiet > /dev/null || fail "the straight run"
[ -e straight/checkpoint.scree ] && fail "a completed run keeps a checkpoint"

# a wall limit stops with a checkpoint; resume goes on, again and again
"$scree" run exp.yaml -o wall --quiet --wall 1e-9 > out.txt 2> err.txt
[ $? = 75 ] || fail "the wall limit did not stop the run: $(cat out.txt err.txt)"
grep -q "scree resume wall" err.txt || fail "no word of how to resume"
for _ in 1 2; do "$scree" resume wall --quiet --wall 1e-9 > out.txt 2>&1; [ $? = 75 ] || fail "$(cat out.txt)"; done
"$scree" resume wall --progress loud > out.txt 2>&1 && fail "resume took --progress loud"
grep -q "progress is auto, fancy, plain or none" out.txt || fail "no word of what --progress takes: $(cat out.txt)"
"$scree" resume wall --quiet --threads 2 --profile > out.txt 2>&1 || fail "resume: $(cat out.txt)"
grep -q "^solve " out.txt || fail "resume --profile tells nothing: $(cat out.txt)"
same wall

# kills a run soon after its first checkpoint, and some time later; a run that ends before the kill is repeated
for checkpoints in 1 3; do
  for _ in $(seq 50); do
    rm -rf killed
    "$scree" run exp.yaml -o killed --quiet > /dev/null 2>&1 &
    process=$!
    for _ in $(seq $checkpoints); do
      wait_for $process test -e killed/checkpoint.scree && stamp=$(stat -c %Y.%i killed/checkpoint.scree 2> /dev/null)
      [ $checkpoints = 1 ] || wait_for $process sh -c "[ \"\$(stat -c %Y.%i killed/checkpoint.scree)\" != $stamp ]"
    done
    kill -9 $process 2> /dev/null
    wait $process 2> /dev/null
    [ $? = 137 ] && break
  done
  ls killed/checkpoint.scree* > /dev/null 2>&1 || fail "no run was killed after $checkpoints checkpoints"
  "$scree" resume killed --quiet > out.txt 2>&1 || fail "after kill -9: $(cat out.txt)"
  same killed
done

# SIGTERM: finish the step, checkpoint, 75; SIGUSR1: checkpoint and go on
"$scree" run exp.yaml -o term --quiet > /dev/null 2>&1 &
process=$!
wait_for $process test -e term/checkpoint.scree # it steps
kill -USR1 $process 2> /dev/null
kill -TERM $process 2> /dev/null
wait $process
code=$?
if [ $code = 75 ]; then "$scree" resume term --quiet > out.txt 2>&1 || fail "after SIGTERM: $(cat out.txt)"; else [ $code = 0 ] || fail "SIGTERM: exit code $code"; fi
same term

# a damaged checkpoint falls back to the one before; a scene that changed is refused
"$scree" run exp.yaml -o torn --quiet --wall 1e-9 > /dev/null 2>&1
"$scree" resume torn --quiet --wall 1e-9 > /dev/null 2>&1
[ -e torn/checkpoint.scree.previous ] || fail "no second generation"
printf 'x' | dd of=torn/checkpoint.scree bs=1 seek=300 conv=notrunc 2> /dev/null
"$scree" resume torn --quiet > out.txt 2> err.txt || fail "second generation: $(cat err.txt)"
grep -q "one before" err.txt || fail "no word of the damaged checkpoint"
same torn
"$scree" run exp.yaml -o changed --quiet --wall 1e-9 > /dev/null 2>&1
cat > module.lua <<'LUA'
return { height = 0.05 }
LUA
cat > modular.lua <<'LUA'
local module = require "module"
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w) w:sphere { radius = 0.01, position = { 0, 0, module.height } } end,
  stop = { time = 1 },
}
LUA
"$scree" run modular.lua -o modular --quiet --wall 1e-9 > /dev/null 2>&1
[ $? = 75 ] || fail "the wall limit did not stop the run of two files"
cp -r modular again
sed -i 's/0.05/0.06/' module.lua
"$scree" resume modular --quiet > out.txt 2> err.txt
[ $? = 2 ] && grep -q "module.lua has changed" err.txt || fail "a changed module was resumed: $(cat err.txt)"
sed -i 's/0.06/0.05/' module.lua
"$scree" resume again --quiet > out.txt 2> err.txt || fail "a module that is as it was: $(cat err.txt)"
echo "-- changed" >> scene.lua
"$scree" resume changed --quiet > out.txt 2> err.txt
[ $? = 2 ] && grep -q "has changed" err.txt || fail "a changed scene was resumed: $(cat err.txt)"
"$scree" resume nowhere > /dev/null 2> err.txt
[ $? = 2 ] && grep -q "no checkpoint" err.txt || fail "$(cat err.txt)"

# a new end in time replaces an end in steps, of the command line and of the scene, and lasts
cat > steps.lua <<'LUA'
return { world = { dt = 1e-3 }, setup = function(w) w:sphere { radius = 0.01 } end, output = { trajectory = { steps = 10 } }, stop = { steps = 40 } }
LUA
for given in "--steps 20" ""; do
  rm -rf longer
  "$scree" run steps.lua $given --final-checkpoint -o longer --quiet > /dev/null || fail "a run of steps"
  "$scree" resume longer --until 0.1 --final-checkpoint --quiet > /dev/null || fail "resume --until after a run of steps"
  tail -1 longer/series.csv | grep -q '^0.1,100,' || fail "resume --until 0.1 after '$given' ends at: $(tail -1 longer/series.csv)"
  "$scree" resume longer --until 0.15 --wall 1e-9 --quiet > /dev/null 2>&1
  "$scree" resume longer --quiet > /dev/null || fail "resume of what was resumed"
  tail -1 longer/series.csv | grep -q '^0.15,150,' || fail "a resumed end in time is forgotten: $(tail -1 longer/series.csv)"
done

# an infinite end is refused; a checkpoint that has one goes on with a finite one
for end in inf nan 1e400 -1; do
  "$scree" resume longer --until $end --quiet > out.txt 2> err.txt
  [ $? = 2 ] || fail "resume --until $end: $(cat out.txt err.txt)"
done
"$scree" run steps.lua --final-checkpoint -o endless --quiet > /dev/null || fail "a run of steps"
if command -v python3 > /dev/null; then
  echo "checkpoint.scree run.how 0 f64 inf" | python3 "$source/tests/support/sections.py" endless/checkpoint.scree endless || fail "sections.py"
  timeout 60 "$scree" resume endless --quiet > out.txt 2> err.txt
  [ $? = 2 ] && grep -q "infinite end; give a finite end with --until" err.txt || fail "an infinite end: $(cat out.txt err.txt)"
  "$scree" resume endless --until 0.06 --quiet > out.txt 2>&1 || fail "a finite end after an infinite one: $(cat out.txt)"
  tail -1 endless/series.csv | grep -q '^0.06,60,' || fail "the finite end: $(tail -1 endless/series.csv)"
fi

# the count of bodies that left the domain goes on, with the same bits
cat > lost.lua <<'LUA'
return {
  world = { dt = 1e-3, gravity = { 0, 0, -9.81 }, domain = { min = { -1, -1, -0.1 }, max = { 1, 1, 2 } } },
  setup = function(w) for k = 1, 8 do w:sphere { radius = 0.01, position = { 0.1 * k, 0, 0.1 * k } } end end,
  output = { trajectory = false, series = { every = 0.01, values = function(w) return { lost = w:report().bodies_lost } end } },
  stop = { time = 0.34 },
}
LUA
"$scree" run lost.lua -o through --quiet --final-checkpoint > /dev/null || fail "a run that loses bodies"
"$scree" run lost.lua -o parts --quiet --time 0.25 --final-checkpoint > /dev/null || fail "its first part"
tail -1 parts/series.csv | grep -q ',2$' || fail "not two bodies are lost: $(tail -1 parts/series.csv)"
"$scree" resume parts --quiet --until 0.34 > /dev/null || fail "its second part"
cmp through/series.csv parts/series.csv || fail "lost bodies over a checkpoint"
tail -1 parts/series.csv | grep -q ',4$' || fail "not four bodies are lost: $(tail -1 parts/series.csv)"

# what is not plain data is named
sed -i 's/flag = true/flag = print/' scene.lua
"$scree" run exp.yaml -o odd --quiet --wall 1e-9 > out.txt 2> err.txt
[ $? = 3 ] && grep -q "w.state.notes.flag" err.txt || fail "a function in w.state: $(cat err.txt)"
"$scree" run exp.yaml -o odd2 --quiet > out.txt 2> err.txt || fail "a state that cannot be saved ended the run: $(cat err.txt)"
grep -q "goes on without checkpoints" err.txt || fail "$(cat err.txt)"
echo "resumed runs equal straight runs"
