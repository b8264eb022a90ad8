#!/bin/bash
# scree dump: the problem of a step after the fact has the bits it had in the run, from the start, from a checkpoint and for an experiment; problems
# that a solver fails on or leaves above the tolerance are written by themselves; errors carry their exit codes.
. "$(dirname "$0")/../support/cli.sh"
mkdir tmp && export TMPDIR=$work/tmp
fail() { stop "$@"; }

# the scene's random numbers and state, its callbacks and its values all change the course; `problem` writes step 60 on the way
cat > scene.lua <<'LUA'
return {
  params = { mu = 0.4, size = 1.0, where = { 0, 0, 0.05 }, problem = false, seed = 3 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:pair { "default", "default", law = "coulomb", mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 0, 8 do w:capsule { radius = 0.03 * p.size, length = 0.04, position = { p.where[1] + 0.05 * (i % 3), 0.05 * (i // 3), p.where[3] + 0.04 * i } } end
    w.state.drops = 0
  end,
  before_step = function(w, p)
    if w:steps() % 10 == 5 then
      w:sphere { radius = 0.02, position = { 0.1 * w:random(), 0.1 * math.random(), 0.6 + 0.005 * w:steps() } }
      w.state.drops = w.state.drops + 1
    end
    if p.problem and w:steps() == 59 then w:dump_problem "seen.prob" end
  end,
  output = { series = { every = 0.003, values = function(w) return { noise = w:random(), drops = w.state.drops } end } },
  stop = { time = 0.12 },
}
LUA
"$scree" run scene.lua problem=true mu=0.3 -o seen --quiet > /dev/null || fail "the run that writes on the way"
"$scree" run scene.lua mu=0.3 -o plain --quiet > /dev/null || fail "the plain run"
cp plain/run.json before.json
"$scree" dump plain --step 60 > out.txt || fail "dump: $(cat out.txt)"
cmp -s seen/seen.prob plain/step-60.prob || fail "the problem of step 60 differs from the one in the run"
cmp -s before.json plain/run.json || fail "the run was changed"
"$scree" solve plain/step-60.prob --tolerance 1e-8 --json | grep -q '"iterations"' || fail "solve"
"$scree" dump plain --step 1 -o first.prob > /dev/null && [ -s first.prob ] || fail "the first step"
"$scree" dump plain --step 120 > /dev/null || fail "the last step"
"$scree" dump plain --step 121 2> /dev/null; [ $? = 2 ] || fail "a step behind the end"

# from a checkpoint, of a run that was stopped in the middle; steps before it come from the start
cat > exp.yaml <<'YAML'
scree: 1
scene: scene.lua
params: {mu: 0.3}
output: {checkpoint: {every: 20 ms}}
YAML
"$scree" run exp.yaml -o stopped --quiet --wall 1e-9 > /dev/null 2>&1
[ $? = 75 ] || fail "the run did not stop"
"$scree" dump stopped --step 60 > out.txt || fail "dump from a checkpoint: $(cat out.txt)"
cmp -s seen/seen.prob stopped/step-60.prob || fail "from a checkpoint: another problem"
"$scree" dump stopped --step 1 -o again.prob > /dev/null && cmp -s first.prob again.prob || fail "a step before the checkpoint"
"$scree" run exp.yaml -o whole --quiet > /dev/null && "$scree" dump whole --step 60 > /dev/null && cmp -s seen/seen.prob whole/step-60.prob || fail "an experiment"

# errors
"$scree" dump plain > /dev/null 2>&1; [ $? = 2 ] || fail "no step"
"$scree" dump plain --step 0 > /dev/null 2>&1; [ $? = 2 ] || fail "step 0"
"$scree" dump nothing --step 1 > /dev/null 2>&1; [ $? = 4 ] || fail "no directory"
mkdir empty; "$scree" dump empty --step 1 > /dev/null 2>&1; [ $? = 4 ] || fail "no run"
sed -i 's/0.6 + 0.005/0.7 + 0.005/' scene.lua
"$scree" dump plain --step 60 2>&1 | grep -q "has changed since" || fail "another scene went unnoticed"
[ -z "$(ls tmp)" ] || fail "folders are left behind"

# a ray: a ball between two plates that close in
cat > ray.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, solver = { name = "lemke" } },
  setup = function(w)
    w:sphere { radius = 0.1, position = { 0, 0, 0 } }
    w:box { size = { 1, 1, 0.1 }, position = { 0, 0, -0.15 }, velocity = { 0, 0, 1 }, kind = "kinematic" }
    w:box { size = { 1, 1, 0.1 }, position = { 0, 0, 0.15 }, velocity = { 0, 0, -1 }, kind = "kinematic" }
  end,
  stop = { steps = 10 }, output = { trajectory = false, series = false },
}
LUA
"$scree" run ray.lua -o ray --quiet > out.txt 2>&1; [ $? = 1 ] || fail "a ray is an error"
grep -q "lemke ended in a ray.*its problem is in ray/step-1.prob" out.txt || fail "the error does not name the file: $(cat out.txt)"
"$scree" solve ray/step-1.prob --solver nbgs --iterations 50 > /dev/null; [ $? -le 1 ] || fail "the ray's problem"
"$scree" solve ray/step-1.prob --solver lemke > /dev/null 2>&1; [ $? = 1 ] || fail "the ray's problem ends in a ray again"

# above the tolerance: only where asked for
sed 's/dt = 1e-3/dt = 1e-3, solver = { iterations = 1, tolerance = 0, dump = "unmet" }/' scene.lua > unmet.lua
"$scree" run unmet.lua -o unmet --quiet > /dev/null || fail "the run above its tolerance"
[ "$(ls unmet/step-*.prob | wc -l)" = 10 ] || fail "ten problems of an unmet tolerance: $(ls unmet)"
sed 's/dump = "unmet"/dump = "never"/' unmet.lua > never.lua
"$scree" run never.lua -o never --quiet > /dev/null && ls never/step-*.prob > /dev/null 2>&1 && fail "never"
echo "dump: every step again"
