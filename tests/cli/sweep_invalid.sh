#!/usr/bin/env bash
# A sweep of nine runs of which one is invalid and one ends in an error: exit code, summary, results.csv, the plot and its caption say so. A
# sweep whose experiment has changed is not resumed without --force.
. "$(dirname "$0")/../support/cli.sh"

cat > drop.lua <<'LUA'
return {
  params = { mu = 0.5, seed = 1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { radius = 0.01, position = { 0, 0, 0.012 } }
    if p.mu == 0.5 and w:seed() == 2 then -- a hammer drives a ball through a plate
      w:box { kind = "fixed", size = { 0.2, 0.2, 1e-3 }, position = { 1, 0, 1 } }
      w:sphere { radius = 0.01, position = { 1, 0, 1.02 } }
      w:sphere { radius = 0.2, mass = 1e6, position = { 1, 0, 1.24 }, velocity = { 0, 0, -200 } }
    end
  end,
  after_step = function(w, p) if p.mu == 0.75 and w:seed() == 3 then error "boom" end end,
  output = { trajectory = false, series = false },
  stop = { steps = 2 },
  report = function(w, p) return { { "figure", 10 * p.mu + w:seed() } } end,
}
LUA
sed -i 's/w:seed()/p.seed/g' drop.lua
cat > nine.yaml <<'YAML'
scree: 1
scene: drop.lua
output: {dir: swept}
sweep:
  grid: {params.mu: [0.25, 0.5, 0.75]}
  repeat: 3
YAML
"$scree" sweep nine.yaml > out 2> err
[ $? = 1 ] || fail "exit code of a sweep with a crash: $(cat out err)"
has out '2 of 9 runs are left out of means and plots: 1 failed, 1 invalid'
has out '0005 invalid (exit code 5): bodies went into or through walls 1 times (limit 0)'
has out '0009 failed (exit code 3): '
has err 'run 0005 invalid after'
head -1 swept/results.csv | grep -q ',wall_seconds,hash,unbalanced_mean,overlap_max,residual_max,crossed,bodies_lost,softened,figure$' || fail "columns: $(head -1 swept/results.csv)"
grep -q '^5,invalid,0.5,2,' swept/results.csv && grep -q '^9,failed,0.75,3,' swept/results.csv || fail "states: $(cat swept/results.csv)"
[ "$(grep -c ',completed,' swept/results.csv)" = 7 ] || fail "7 completed: $(cat swept/results.csv)"
awk -F, 'NR == 6 { exit !($10 > 0 && $11 == 0 && $12 == 0 && $13 == 7) }' swept/results.csv || fail "crossed, bodies_lost, softened, figure: $(sed -n 6p swept/results.csv)"
awk -F, 'NR == 2 { exit !($7 != "" && $8 != "" && $9 != "" && $10 == 0 && $11 == 0) }' swept/results.csv || fail "figures of accuracy: $(sed -n 2p swept/results.csv)"

if command -v gnuplot > /dev/null; then
  "$scree" plot swept figure -o swept.svg > out 2> err || fail "plot swept: $(cat err)"
  grep -qF 'n = 7 of 9 runs, 2 to 3 a point; left out: 1 invalid, 1 failed' swept.svg || fail "caption: $(grep -o '<text>[^<]*' swept.svg | tr '\n' ' ')"
fi

# invalid alone
"$scree" sweep nine.yaml --only 1-6 -o six > out 2> err
[ $? = 5 ] || fail "exit code of a sweep with an invalid run: $(cat out err)"
has out '1 of 9 runs is left out of means and plots: 0 failed, 1 invalid'
# resumed: the invalid run is kept, and still counts
before=$(stat -c %Y%i six/0005/run.json)
"$scree" sweep nine.yaml --only 1-6 -o six --resume > out 2> err
[ $? = 5 ] && [ "$before" = "$(stat -c %Y%i six/0005/run.json)" ] || fail "an invalid run was repeated, or forgotten: $(cat out err)"

# a changed experiment
sed 's/0.25, 0.5/0.3, 0.5/; s/^scene:/run: {dt: 1e-3}\nscene:/' nine.yaml > changed.yaml
"$scree" sweep changed.yaml -o six --resume > out 2> err
[ $? = 2 ] || fail "a changed experiment was resumed: $(cat out err)"
has err 'the experiment has changed: sweep.grid.params.mu was [0.25, 0.5, 0.75] and is [0.3, 0.5, 0.75]'
has err 'the experiment has changed: run was nothing and is'
has err '--force goes on with this one'
has six/sweep.yaml '0.25'
"$scree" sweep changed.yaml -o six --resume --force --only 1 > out 2> err || fail "--force: $(cat out err)"
has six/sweep.yaml '0.3'
sed 's/^sweep:/sweep:\n  jobs: 2/' nine.yaml > jobs.yaml
"$scree" sweep jobs.yaml -o swept --resume --only 1-4 > out 2> err || fail "another number of jobs: $(cat out err)"

# commands that need one run say that this is a sweep; here no run has a trajectory
for command in 'export swept --format vtp' 'info swept' 'film swept -o x.mp4' 'plot swept snapshot' 'plot swept scene -o x.png'; do
  "$scree" $command > out 2> err
  [ $? = 4 ] || fail "$command: exit code"
  has err 'swept is the folder of a sweep, and none of its runs has a trajectory'
done
"$scree" info swept/0001 > out 2> err
[ $? = 4 ] || fail "info of a run without a trajectory: $(cat out)"
has err 'the run in swept/0001 has no trajectory: its output had trajectory = false'

# the plot
printf 'run,state,mu,seed,wall_seconds,hash,y\n1,completed,1,1,1,a,1\n2,completed,1,2,1,a,3\n3,invalid,1,3,1,a,1000\n4,completed,2,1,1,a,1\n5,completed,2,2,1,a,3\n6,failed,2,3,1,a,\n' > results.csv
if command -v gnuplot > /dev/null; then
  "$scree" plot results.csv y -o y.svg > out 2> err || fail "plot: $(cat err)"
  grep -q '1000' y.svg && fail "an invalid run is averaged"
  for words in 'n = 4 of 6 runs, 2 a point; left out: 1 invalid, 1 failed' '<text>left out</text>'; do
    grep -qF "$words" y.svg || fail "the plot lacks '$words': $(grep -o '<text>[^<]*' y.svg | tr '\n' ' ')"
  done
fi
exit $failed
