#!/usr/bin/env bash
# Columns of a script's own in series.csv: units in the header, plots, conditions, and what is refused. The count of bodies that left the domain
# in run.json, results.csv and the series.
. "$(dirname "$0")/../support/cli.sh"

cat > fall.lua <<'LUA'
return {
  params = { balls = 3, late = "mm", stop = "" },
  world = { gravity = { 0, 0, -10 }, dt = 1e-3, domain = { min = { -1, -1, -1 }, max = { 1, 1, 1 } } },
  setup = function(w, p)
    w:sphere { name = "ball", radius = 0.01, position = { 0, 0, 0 }, velocity = { 0, 0, 2 } }
    for k = 1, p.balls do w:sphere { radius = 0.01, position = { 0.1 * k, 0, 0 }, velocity = { 0, 0, -20 } } end
  end,
  output = {
    series = { every = 0.01, values = function(w, p)
      local _, _, z = w:find("ball"):position()
      return { height = { 1000 * z, w:time() < 0.05 and "mm" or p.late }, plain = w:steps(), bodies_lost = w:report().bodies_lost }
    end },
  },
  stop = { time = 0.1 },
  report = function(w) return { { "left", w:report().bodies_lost }, { "last height", select(3, w:find("ball"):position()), "m" } } end,
}
LUA
"$scree" run -q fall.lua -o fall > out 2> err || fail "run: $(cat err)"
[ "$(head -1 fall/series.csv | sed 's/.*,overlap,//')" = 'bodies_lost,height [mm],plain' ] || fail "header: $(head -1 fall/series.csv)"
# after 0.1 s the ball is at 2 m/s * 0.1 s - 10 m/s2 / 2 * (0.1 s)^2 = 150 mm, and the three others are below -1 m
tail -1 fall/series.csv | awk -F, '{ n = split($0, v, ","); exit !(v[n - 2] == 3 && v[n - 1] > 149.4 && v[n - 1] < 150.6 && v[n] == 100) }' ||
  fail "values: $(tail -1 fall/series.csv)"
grep -q '"bodies_lost": 3,' fall/run.json || fail "run.json does not count the lost bodies: $(grep -o '"crossed.*' fall/run.json)"

# a resumed run keeps the header and the columns
"$scree" run -q fall.lua -o again --time 0.04 --final-checkpoint > out 2> err || fail "first part: $(cat err)"
"$scree" resume again --until 0.1 -q > out 2> err || fail "resume: $(cat err)"
cmp fall/series.csv again/series.csv || fail "the resumed series differs"

# what is refused
"$scree" run -q fall.lua -o late late=cm > out 2> err
[ $? = 3 ] || fail "a unit that changes: $(cat err)"
has err "must return 'height' in the same unit in every row; in the first row the unit was 'mm'"
sed "s/{ 1000 \* z, .* }, plain/{ \"x\", \"mm\" }, plain/" fall.lua > word.lua
"$scree" run -q word.lua -o word > out 2> err
[ $? = 3 ] || fail "a word as a value: $(cat err)"
has err "must return a number or { number, \"unit\" } as 'height' every time"
sed 's/"mm" or p.late/"m,m" or p.late/' fall.lua > comma.lua
"$scree" run -q comma.lua -o comma > out 2> err
[ $? = 3 ] || fail "a unit with a comma: $(cat err)"

# names that read as another column, in series.csv and in results.csv
for names in '["kinetic [J]"] = 1' '["a [m]"] = 1, a = { 2, "m" }' '["a [m]"] = 1, ["a [s]"] = 2'; do
  sed "s/return { height = /return { $names, height = /" fall.lua > twice.lua
  "$scree" run -q twice.lua -o twice -f > out 2> err
  [ $? = 3 ] || fail "$names: $(cat err)"
  has err "without its unit it is the name of another column"
done
sed 's/return { height = /return { ["b [parsec]"] = 1, height = /' fall.lua > once.lua
"$scree" run -q once.lua -o once > out 2> err || fail "a unit in a name: $(cat err)"
printf 'scree: 1\nscene: fall.lua\nsweep: {grid: {params.balls: [1, 2]}}\n' > names.yaml
"$scree" sweep names.yaml -o names > out 2> err || fail "a sweep: $(cat err)"
for name in $(head -1 names/results.csv | tr ' ' _ | tr , ' '); do
  case $name in left | last_height) continue ;; esac
  sed "s/{ \"left\", /{ \"$name\", 7 }, &/" fall.lua > taken.lua
  sed 's/fall.lua/taken.lua/' names.yaml > taken.yaml
  "$scree" sweep taken.yaml --only 1 -o "taken $name" > out 2> err
  [ $? = 1 ] || fail "a figure with the name $name: $(cat out err)"
  has out "report: entry 1, '$name', of the list has the name of another column of results.csv"
done
sed 's/{ "left", /{ "left", 7 }, &/' fall.lua > doubled.lua
"$scree" run -q doubled.lua -o doubled > out 2> err
[ $? = 3 ] || fail "two figures of one name: $(cat out err)"
has err "report: entry 2, 'left', of the list has the name of an entry before it"

# one figure in two units
sed 's/position()), "m" }/position()), p.balls == 1 and "mm" or "m" }/; s/report = function(w)/report = function(w, p)/' fall.lua > mixed.lua
sed 's/fall.lua/mixed.lua/' names.yaml > mixed.yaml
"$scree" sweep mixed.yaml -o mixed > out 2> err || fail "units: $(cat err)"
has err "scree: warning: the figure 'last height' is in mm in some runs and in m in others"
"$scree" sweep names.yaml -o names --resume > out 2> err || fail "one unit: $(cat err)"
! grep -q warning err || fail "one unit: $(cat err)"

# conditions: a number is in the unit of the column, a quantity is converted, another dimension is refused
for height in 100 '10 cm' '100 mm'; do
  sed "s/^  stop = .*/  stop = { time = 0.1 }, stop_when = \"height > $height\",/" fall.lua > when.lua
  "$scree" run -q when.lua -o "when $height" > out 2> err || fail "stop_when height > $height: $(cat err)"
  # 2 t - 5 t^2 = 0.1 at t = 0.0586
  tail -1 "when $height/series.csv" | awk -F, '{ exit !($1 > 0.055 && $1 < 0.065) }' || fail "height > $height: $(tail -1 "when $height/series.csv")"
done
sed 's/^  stop = .*/  stop = { time = 0.1 }, stop_when = "height > 100 s",/' fall.lua > when.lua
"$scree" run -q when.lua -o wrong > out 2> err
[ $? = 2 ] || fail "a condition in another dimension: $(cat err)"
has err 'stop_when: height is in mm, not like 100 s'

# a sweep
cat > sweep.yaml <<'YAML'
scree: 1
scene: fall.lua
output: {dir: swept}
sweep: {grid: {params.balls: [1, 5]}}
YAML
"$scree" sweep sweep.yaml > out 2> err || fail "sweep: $(cat err)"
lost=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "bodies_lost") k = i } NR > 1 { printf "%s ", $k }' swept/results.csv)
[ "$lost" = "1 5 " ] || fail "bodies_lost of a sweep: $lost"
# commands that need one run name one of the sweep
for command in 'export swept --format vtp' 'export swept/ --format html -o x.html' 'info swept' 'view swept'; do
  "$scree" $command > out 2> err
  [ $? = 4 ] || fail "$command: exit code"
  has err 'is the folder of several runs; name one of them, such as swept/0001'
done
mkdir empty
"$scree" info empty > out 2> err
[ $? = 4 ] || fail "info of an empty folder: exit code"
has err 'empty is not the folder of a run: it has no trajectory.scree'

if command -v gnuplot > /dev/null; then
  "$scree" plot fall height -o height.svg 2> err || fail "plot: $(cat err)"
  grep -qF '<text>height [mm]</text>' height.svg || fail "the axis has no unit"
  for place in swept swept/results.csv; do
    "$scree" plot $place 'last height' left -o sweep.svg 2> err || fail "plot of a sweep: $(cat err)"
    grep -qF '<text>last height [m]</text>' sweep.svg && grep -qF '<text>left</text>' sweep.svg || fail "axes of a sweep: $(grep -o '<text>[^<]*' sweep.svg | tr '\n' ' ')"
  done
  (cd swept && "$scree" plot results.csv 'last height' -o sweep.svg && grep -qF '<text>last height [m]</text>' sweep.svg) || fail "axes of results.csv alone"
  "$scree" plot fall 'height [mm],plain' -o both.svg 2> err || fail "plot with the name in the file: $(cat err)"
fi

# a body that leaves the domain ends the run: one number for the step, that of the state that is left
sed 's/max = { 1, 1, 1 }/max = { 1, 1, 1 }, lost = "error"/' fall.lua > error.lua
"$scree" run -q error.lua -o error > out 2> err
[ $? = 1 ] || fail "lost = error: $(cat out err)"
# 1 m at 20 m/s and 10 m/s2: after 0.04939 s, so in step 50
has err 'scree: step 50: body '
has err 'left the domain in step 50,'

# numbers of a sweep as one writes them
printf 'scree: 1\nscene: fall.lua\nrun: {until: 5 ms}\nsweep: {grid: {params.balls: {linear: [10, 100, 2]}}}\n' > tens.yaml
"$scree" sweep tens.yaml -o tens > out 2> err || fail "whole numbers from a range: $(cat out err)"
has tens/results.csv '1,completed,10,'
has tens/results.csv '2,completed,100,'
exit $failed
