#!/usr/bin/env bash
# track.scree holds the chosen bodies alone, with the values of the whole trajectory, at intervals of its own. It survives kills, and a
# resumed run writes the bytes of a run that was never stopped.
. "$(dirname "$0")/../support/cli.sh"

cat > scene.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:halfspace { normal = { 0, 0, 1 } }
    w:fill { region = { min = { 0, 0, 0.01 }, max = { 0.06, 0.06, 0.05 } }, spacing = 0.012, radius = 0.004, group = 1 }
    w:box { name = "block", size = { 0.01, 0.02, 0.01 }, position = { 0.03, 0.03, 0.1 }, spin = { 5, 1, 2 } }
  end,
  before_step = function(w)
    if w:steps() == 30 then w:sphere { radius = 0.004, position = { 0.03, 0.03, 0.15 }, group = 7 } end
    if w:steps() == 70 then w:find("block"):remove() end
  end,
  output = {
    trajectory = { steps = 5, precision = "exact" },
    track = { steps = 5, ids = { 9, 4, 9 }, names = { "block", "nobody" }, groups = { 7 } },
    series = false,
  },
  stop = { steps = 100 },
}
LUA
"$scree" run scene.lua -o straight --quiet > out 2> err || stop "the run: $(cat out err)"
"$scree" info straight/track.scree > out 2> err || fail "info: $(cat err)"

# rows of the whole trajectory that the choice names; ids 4, 9, the box, the ball of group 7
"$scree" export straight --format csv -o whole -q && "$scree" export straight/track.scree --format csv -o part -q || stop "export"
head -1 part/frame.csv > names
id=$(tr , '\n' < names | grep -n '^id$' | cut -d: -f1)
box=$(awk -F, -v id="$id" 'NR > 1 && $id > m { m = $id } NR > 1 && $1 > 0.02 { exit } END { print m }' whole/frame.csv)
awk -F, -v id="$id" -v box="$box" 'NR == 1 || $id == 4 || $id == 9 || $id >= box' whole/frame.csv > wanted.csv
cmp wanted.csv part/frame.csv || fail "other rows: $(diff wanted.csv part/frame.csv | head -5)"
[ "$(wc -l < part/frame.csv)" -gt 60 ] || fail "too few rows: $(wc -l < part/frame.csv)"
# the box leaves and the ball comes
awk -F, -v id="$id" -v box="$box" 'NR > 1 && $id == box { a++ } NR > 1 && $id > box { b++ } END { exit !(a == 15 && b == 14) }' part/frame.csv ||
  fail "births and deaths: $(cut -d, -f"$id" part/frame.csv | sort | uniq -c)"

# export of chosen bodies from the whole trajectory
"$scree" export straight --format csv --ids 4,9,"$box" --groups 7 -o some -q || fail "export --ids"
cmp wanted.csv some/frame.csv || fail "export --ids: other rows"
"$scree" export straight --format csv --ids 2-4 --fields position -o few -q || fail "export --ids 2-4"
awk -F, -v id="$id" 'NR > 1 && $id >= 2 && $id <= 4' whole/frame.csv | cut -d, -f1-"$id" > a
tail -n +2 few/frame.csv | cut -d, -f1-"$id" > b
cmp a b && [ -s a ] || fail "--ids 2-4: $(diff a b | head -3)"
for format in vtp dump xyz gsd npz stl ply; do
  "$scree" export straight --format $format --ids "$box",4 --frames 0 -o formats -q || fail "export --ids to $format"
done
for bad in '' x 1, 5-3 1-99999999999 ' 1' 1:3 0 -1 99999999999999999999999 9223372036854775807 5-9223372036854775807; do
  "$scree" export straight --format csv --ids "$bad" -o bad -q > out 2> err && fail "--ids '$bad' was taken"
  has err '--ids '
done
bad=-9223372036854775808-9223372036854775807
"$scree" export straight --format csv --groups $bad -o bad -q > out 2> err && fail "--groups $bad was taken"
has err '--groups '
"$scree" export straight --format html --ids 3 -o bad.html > out 2> err && fail "html took --ids"
has err '--ids and --groups do not go with --format html'

# a track whose first frames have no bodies: each reader knows the fields that the track keeps
sed 's/track = {.*/track = { steps = 5, groups = { 7 }, fields = { "position", "velocity" } },/' scene.lua > late.lua
"$scree" run late.lua -o late --quiet > out 2> err || fail "the run with a late body: $(cat out err)"
"$scree" export late/track.scree --format csv -o late_csv -q || fail "export of a late body"
has late_csv/frame.csv 'mass,x,y,z,vx,vy,vz'
awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { exit !(NR == 15 && !bad) }' late_csv/frame.csv || fail "columns of a late body: $(head -3 late_csv/frame.csv)"
"$scree" export late/track.scree --format html -o late.html -q > out 2> err || fail "page of a late body: $(cat err)"
"$scree" plot late/track.scree snapshot --frame 0 -o late.png > out 2> err || fail "picture of a frame without bodies: $(cat err)"
"$scree" export late/track.scree --format vtkhdf -o late_vtk -q > out 2> err || grep -q 'need the HDF5 library' err || fail "vtkhdf of a late body: $(cat err)"

# steps of its own, without a trajectory
sed 's/trajectory = {.*/trajectory = false,/; s/track = { steps = 5/track = { steps = 1/' scene.lua > alone.lua
"$scree" run alone.lua -o alone --quiet > out 2> err || fail "without a trajectory: $(cat out err)"
[ ! -e alone/trajectory.scree ] || fail "there is a trajectory"
"$scree" info alone/track.scree --json > out 2> err || fail "info: $(cat err)"
grep -Eq '"frames": *101' out || fail "101 frames: $(cat out)"

# an experiment; fields and precision
cat > exp.yaml <<'YAML'
scree: 1
scene: scene.lua
output: {track: {every: 2 ms, ids: [5], fields: [position], precision: 1 um}, checkpoint: {every: 7 ms}}
YAML
"$scree" run exp.yaml -o exp --quiet > out 2> err || fail "the experiment: $(cat out err)"
"$scree" info exp/track.scree --json > out 2> err
grep -Eq '"frames": *51' out && grep -q '1e-06\|1e-6\|9.9999999999999995e-07' out || fail "the experiment's track: $(cat out)"
"$scree" schema | grep -q 'frames of chosen bodies\|"groups"' || fail "the schema lacks the track"

# stopped and killed
"$scree" run exp.yaml -o wall --quiet --wall 1e-9 > out 2> err
[ $? = 75 ] || fail "the wall limit did not stop the run: $(cat out err)"
"$scree" resume wall --quiet --wall 1e-9 > out 2>&1
"$scree" resume wall --quiet > out 2>&1 || fail "resume: $(cat out)"
"$scree" diff exp/track.scree wall/track.scree > out || fail "resumed: $(cat out)"
sed -i 's/stop = { steps = 100 }/stop = { steps = 1500 }/' scene.lua
sed -i 's/every: 7 ms/every: 100 ms/' exp.yaml
"$scree" run exp.yaml -o long --quiet > out 2> err || fail "the long run: $(cat out err)"
"$scree" run exp.yaml -o killed --quiet > /dev/null 2>&1 &
process=$!
wait_for $process test -e killed/checkpoint.scree
kill -9 $process 2> /dev/null
wait $process 2> /dev/null
"$scree" info killed/track.scree > out 2> err || fail "info of a killed run: $(cat err)"
if [ -e killed/checkpoint.scree ]; then
  # a checkpoint without the track's file is refused
  mv killed/track.scree kept && "$scree" resume killed --quiet > out 2> err && fail "resumed without track.scree"
  mv kept killed/track.scree
  "$scree" resume killed --quiet > out 2> err || fail "resume of a killed run: $(cat out err)"
fi
"$scree" diff long/track.scree killed/track.scree > out || fail "killed and resumed: $(cat out)"

# what is refused
refuses() {
  sed "s/track = {.*/track = $1,/" scene.lua > bad.lua
  "$scree" run bad.lua -o bad --quiet > out 2> err && fail "$1 was taken"
  has err "$2"
  [ ! -e bad ] || fail "$1: files were written"
}
refuses '{ every = 1 }' 'output.track must choose bodies'
refuses '{ ids = 3 }' 'output.track.ids must be a list'
refuses '{ ids = { 1.5 } }' 'output.track.ids[1]'
refuses '{ ids = { 0 } }' 'output.track.ids[1]'
refuses '{ group = 3 }' "did you mean 'groups'"
refuses '{ ids = { 1 }, fields = { "contacts" } }' 'output.track.fields[1]'
refuses '{ ids = { 1 }, precision = "fine" }' 'output.track.precision must be'
for bad in 'ids: 5' 'ids: [a]' 'groups: [1.5]' 'names: [3]' 'fields: [contacts]' 'precision: 3 s' 'bodies: [1]'; do
  printf 'scree: 1\nscene: scene.lua\noutput: {track: {%s}}\n' "$bad" > bad.yaml
  "$scree" run bad.yaml -o bad --quiet > out 2> err && fail "$bad was taken"
  has err 'output.track.'
done

# the Python reader
if command -v python3 > /dev/null; then
  PYTHONPATH=$source/tools python3 - straight/track.scree part/frame.csv <<'PY' || fail "the Python reader"
import csv, sys
from scree_reader import Trajectory
rows = list(csv.DictReader(open(sys.argv[2])))
with Trajectory(sys.argv[1]) as run:
    got = [(f.time, int(i), float(p[2])) for f in run for i, p in zip(f.id, f.position)]
keys = {k: k for k in rows[0]}
z = next(k for k in keys if k in ("z", "position_z"))
want = [(float(r["time"]), int(r["id"]), float(r[z])) for r in rows]
sys.exit(got != want or not want)
PY
fi
exit $failed
