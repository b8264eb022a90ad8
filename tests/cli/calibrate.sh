#!/usr/bin/env bash
# scree calibrate: finds friction and rolling friction from figures that an independent seed made with known values, with the uncertainty that
# follows from theory; goes on after kill -9 with the same result; refuses wrong input with place and nearest name.
. "$(dirname "$0")/../support/cli.sh"

# Twelve balls start to slide with speeds from 0.9 to 1.1 m/s. While a ball slides, v - w R falls by 7/2 mu g t.
# Once it rolls, v falls by 5/7 g rolling/R t.
cat > balls.lua <<'LUA'
return {
  params = { mu = 0.3, rolling = 0.005, seed = 1, factor = 1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 2e-3 },
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu, rolling = p.rolling }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 12 do
      local speed = 0.9 + 0.2 * w:random()
      w:sphere { name = "ball " .. i, radius = 0.1, position = { 0, i, 0.1 }, velocity = { speed, 0, 0 } }
    end
  end,
  after_step = function(w)
    local function mean(f)
      local sum = 0
      for i = 1, 12 do sum = sum + f(w:find("ball " .. i)) / 12 end
      return sum
    end
    if w:steps() == 20 then
      w.state.slip = mean(function(b) return b:velocity() - 0.1 * select(2, b:spin()) end)
    elseif w:steps() == 100 then
      w.state.early = mean(function(b) return (b:velocity()) end)
    elseif w:steps() == 200 then
      w.state.loss = w.state.early - mean(function(b) return (b:velocity()) end)
    end
  end,
  output = { trajectory = false, series = false },
  stop = { steps = 200 },
  report = function(w, p) return { { "slip", w.state.slip * p.factor, "m/s" }, { "loss", w.state.loss, "m/s" } } end,
}
LUA
"$scree" run balls.lua mu=0.37 rolling=0.0062 seed=91 -q -o measured > out 2>&1 || stop "the measured run: $(cat out)"
figure() { sed -n "s/^$1 .* \([0-9.e-]*\)$/\1/p" out; }
slip=$(figure slip) loss=$(figure loss)
# the mean of twelve uniform speeds has the standard deviation 0.2/sqrt(144) = 0.0167 m/s; losses do not depend on the speed
cat > find.yaml <<YAML
scree: 1
scene: balls.lua
calibrate:
  vary: {params.mu: [0.2, 0.6], params.rolling: [0 m, 10 mm, 4 mm]}
  targets:
    slip: [$slip, 0.0167]
    loss: [$loss, 0.001]
  budget: 80
YAML
"$scree" calibrate find.yaml -o found -j 2 --json > found.json 2> err || stop "calibrate: exit code $?: $(cat found.json err)"
has err "least error"
[ -s found/calibrate.csv ] || fail "calibrate.csv is missing"
command -v python3 > /dev/null || skip "python3 is not installed"
cat > judge.py <<'X'
import json, sys
told = json.load(open(sys.argv[1]))
mu, rolling = told["parameters"]
assert told["converged"] and told["error"] < 0.1 and told["seeds"] == 3 and not told["failed_runs"], told
for found, true in ((mu, 0.37), (rolling, 0.0062)):
    assert abs(found["value"] - true) < 2.5 * found["uncertainty"], (found, true)
    assert not found["is_at_bound"] and not found["is_uncertain"], found
# the target's sigma alone, and with the mean over three seeds: sigma sqrt(1 + 1/3); three seeds scatter themselves
slope = 3.5 * 9.81 * 0.040
assert 1 <= mu["uncertainty"] / (0.0167 / slope) < 1.6, mu
# no seed changes the loss: sigma alone
slope = 5 / 7 * 9.81 / 0.1 * 0.2
assert abs(rolling["uncertainty"] / (0.001 / slope) - 1) < 0.02, rolling
X
python3 judge.py found.json || fail "the result: $(cat found.json)"
"$scree" calibrate find.yaml -o cma -j 2 -s calibrate.method=cma_es -s calibrate.budget=150 -s calibrate.tolerance=0.03 -q --json > cma.json 2> err || fail "cma_es: $(cat cma.json err)"
python3 judge.py cma.json || fail "cma_es: $(cat cma.json)"
[ -s err ] && fail "--quiet: $(cat err)"

# killed, and called again: finished runs stay, and the result has the same bits
"$scree" calibrate find.yaml -o killed --json > /dev/null 2>&1 &
process=$!
wait_for $process test -e killed/0003/0001/run.json
child=$(cat /proc/$process/task/$process/children)
kill -9 $process
wait $process 2> /dev/null
while [ -n "$child" ] && kill -0 $child 2> /dev/null; do sleep 0.02; done
[ -e killed/calibrate.csv ] && fail "it was killed too late for this test"
touch -d '2001-01-01' killed/0001/*/run.json
"$scree" calibrate find.yaml -o killed --json > again.json 2> err || fail "after the kill: $(cat again.json err)"
cmp found.json again.json || fail "after the kill the result differs: $(cat again.json)"
[ -z "$(find killed/0001 -name run.json -newermt 2002-01-01)" ] || fail "finished runs were repeated"
# a larger budget goes on, too; another calibration does not
"$scree" calibrate find.yaml -o killed -s calibrate.seeds=2 > out 2> err; [ $? = 2 ] || fail "a folder of another calibration is taken"
has err "runs of another calibration"

# a search that ends early, a parameter without effect, and a figure that chance hides
"$scree" calibrate find.yaml -o few -s calibrate.budget=3 -q > out 2> err; [ $? = 1 ] || fail "a small budget has converged: $(cat out)"
has out "has not converged: a larger budget"
printf 'scree: 1\nscene: balls.lua\ncalibrate: {vary: {params.factor: [1, 2]}, targets: {loss: [1, 0.1]}, budget: 3}\n' > blind.yaml
"$scree" calibrate blind.yaml -o blind -q > out 2> err; [ $? = 1 ] || fail "a parameter without effect is found: $(cat out)"
has out "not determined by the targets"
"$scree" calibrate blind.yaml -o blind -q --json > out 2> err
python3 -c 'import json; assert json.load(open("out"))["parameters"][0]["uncertainty"] is None' || fail "$(cat out)"
# rounding errors are no influence, and the other parameter keeps its error: figure = 3 x, so +- is sigma/3
cat > noise.lua <<'LUA'
return {
  params = { x = 0, y = 0, seed = 1 },
  world = { dt = 1 },
  setup = function(w) w:sphere { radius = 1 } end,
  output = { trajectory = false, series = false },
  stop = { steps = 1 },
  report = function(w, p)
    local sum = 3 * p.x -- rounding errors that depend on y
    for i = 1, 1000 do sum = sum + math.sin(i + 1e3 * p.y * p.seed) - math.sin(i + 1e3 * p.y * p.seed) end
    for i = 1, 1000 do sum = (sum + 0.1 * p.y) * (1 + p.y) / (1 + p.y) - 0.1 * p.y end
    return { { "figure", sum } }
  end,
}
LUA
for seeds in 1 3; do
  printf 'scree: 1\nscene: noise.lua\ncalibrate: {vary: {params.x: [0, 1], params.y: [0, 1]}, targets: {figure: [1.5, 0.03]}, seeds: %s}\n' $seeds > noise.yaml
  "$scree" calibrate noise.yaml -o noise$seeds -q > out 2> err; [ $? = 1 ] || fail "rounding errors are an influence: $(cat out err)"
  grep -q 'params.y .* - *not determined by the targets: no figure depends on it' out || fail "the parameter without influence is not named: $(cat out)"
  grep -qE 'params.x +0\.5 +0\.01$' out || fail "the error of the other parameter: $(cat out)"
done
# figures x/3 and x + y with errors of 0.01: x has the error 0.03, y = sum - x has 0.01 sqrt(10), and their correlation is -3/sqrt(10) = -0.949;
# figures x/3 and y are independent
sed 's|{ { "figure", sum } }|{ { "third", p.x / 3 }, { "sum", p.x + p.y }, { "other", p.y } }|' noise.lua > both.lua
for other in sum other; do
  printf 'scree: 1\nscene: both.lua\ncalibrate: {vary: {params.x: [0, 1], params.y: [0, 1]}, targets: {third: [0.1, 0.01], %s: [0.8, 0.01]}, seeds: 1}\n' $other > both.yaml
  "$scree" calibrate both.yaml -o both-$other -q > out 2> err
  grep -qE 'params.x +0\.3 +0\.03$' out || fail "the error of x: $(cat out err)"
  if [ $other = sum ]; then has out "The errors of params.x and params.y go together: correlation -0.95."
  else grep -q "go together" out && fail "independent parameters go together: $(cat out)"; fi
done
printf 'scree: 1\nscene: balls.lua\ncalibrate: {vary: {params.mu: [0.2, 0.6]}, targets: {slip: [0.5, 0.01]}, step: 1e-4}\n' > step.yaml
"$scree" calibrate step.yaml -o step -q > out 2> err; code=$?
# the seeds are common to both sides, so that chance cancels here: the slope is known
[ $code = 0 ] || fail "common seeds: $(cat out err)"
# without common seeds it is not: the figure is mostly chance
cat > chance.lua <<'LUA'
return {
  params = { x = 0, seed = 1 },
  world = { dt = 1 },
  setup = function(w) w:sphere { radius = 1 } end,
  output = { trajectory = false, series = false },
  stop = { steps = 1 },
  report = function(w, p)
    local chance = math.sin(1e4 * p.x * p.seed + 77 * p.seed ^ 2) -- another number for each place and seed
    return { { "figure", 0.01 * p.x + chance } }
  end,
}
LUA
printf 'scree: 1\nscene: chance.lua\ncalibrate: {vary: {params.x: [0, 1]}, targets: {figure: [0, 0.1]}, seeds: 5, budget: 20}\n' > chance.yaml
"$scree" calibrate chance.yaml -o chance -q > out 2> err; [ $? = 1 ] || fail "chance is told from change: $(cat out err)"
has out "no figure tells its change from chance"
# runs that fail: the reason is named
sed 's/stop = /every = { { steps = 1, call = function() error "no luck" end } }, stop = /' chance.lua > fails.lua
sed 's/chance.lua/fails.lua/' chance.yaml > fails.yaml
"$scree" calibrate fails.yaml -o fails -q > out 2> err; [ $? = 0 ] && fail "all runs fail, and nobody says so"
has err "no luck"

# wrong input: all mistakes with their places; nothing is written
printf 'scree: 1\nscene: balls.lua\ncalibrate:\n  vary: {mu: [1, 2], params.mu: [2, 1], seed: [1, 2]}\n  targets: {slip: [1, 0]}\n  mehtod: x\n' > wrong.yaml
"$scree" calibrate wrong.yaml -o no > out 2> err; [ $? = 2 ] || fail "wrong input is taken"
has err "wrong.yaml:4:10: calibrate.vary.mu is no place in an experiment; did you mean 'params.mu'?"
has err "calibrate.vary.params.mu: expected [low, high] or [low, high, start] with low <= start <= high"
has err "calibrate.vary.seed cannot be varied"
has err "calibrate.targets.slip: expected [value, sigma]"
has err "calibrate.mehtod is not a known key; did you mean 'method'?"
printf 'scree: 1\nscene: balls.lua\ncalibrate: {vary: {params.muu: [1, 2]}, targets: {slip: [1, 1]}}\n' > name.yaml
"$scree" calibrate name.yaml -o no > out 2> err; [ $? = 2 ] || fail "a wrong parameter is taken"
has err "name.yaml:3:33: params.muu is not a parameter"
has err "did you mean 'mu'?"
"$scree" calibrate find.yaml -o no -s calibrate.jobs=0 > out 2> err; [ $? = 2 ] || fail "no jobs"
"$scree" calibrate balls.lua -o no > out 2> err; [ $? = 2 ] || fail "a scene is taken"
"$scree" calibrate > out 2> err; [ $? = 2 ] || fail "nothing is taken"
[ -e no ] && fail "refused calls must write nothing"
"$scree" calibrate find.yaml -o figure -s 'calibrate.targets={slop: [1, 1]}' > out 2> err; [ $? = 2 ] || fail "a wrong figure is taken"
has err "the runs report no figure 'slop'; the figures are: slip, loss"
"$scree" schema | python3 -c '
import json, sys
table = json.load(sys.stdin)["allOf"][0]["properties"]["calibrate"]
assert set(table["required"]) == {"vary", "targets"} and table["properties"]["method"]["enum"] == ["nelder_mead", "cma_es"], table' || fail "the schema"
exit $failed
