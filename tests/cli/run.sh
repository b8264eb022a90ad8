#!/bin/bash
# scree run: exit codes, messages with file, line and nearest names, nothing half-written, and what a run leaves behind.
. "$(dirname "$0")/../support/cli.sh"

# help COMMAND is the help of that command
"$scree" help export > out.txt 2> err.txt || stop "help export: $(cat err.txt)"
grep -q "usage: scree export" out.txt || stop "help export: $(cat out.txt)"
"$scree" help exprot > out.txt 2> err.txt && stop "help of no command ends well"
grep -q "did you mean 'export'" err.txt || stop "help exprot: $(cat err.txt)"

# good.lua: a small scene that the cases below change by one line (sed)
cat > good.lua <<'SCENE'
local scree = require "scree"
return {
  title = "test",
  params = { mu = 0.4, law = "coulomb", fast = false, n = 3, size = { 1, 2, 3 } },
  world = {
    gravity = { 0, 0, -9.81 },
    dt = 1e-3,
    solver = { iterations = 20, tolerance = 1e-6 },
  },
  setup = function(w, p)
    w:material { name = "stone", density = 2000 }
    w:pair { "stone", "stone", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 }, material = "stone" }
    w:sphere { radius = 0.1, position = { 0, 0, 0.5 }, material = "stone", name = "ball" }
  end,
  before_step = function(w, p) end,
  after_step = function(w, p) end,
  every = { { time = 0.01, call = function(w, p) w.state.calls = (w.state.calls or 0) + 1 end } },
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } },
  stop = { time = 0.1 },
  report = function(w, p) return { { "calls", w.state.calls }, { "n", p.n }, { "law", p.law } } end,
}
SCENE

# bad NAME CODE MESSAGE SED [arguments]: the changed scene fails so, and leaves nothing behind
bad() {
  local name=$1 code=$2 message=$3 change=$4
  shift 4
  sed -E "$change" good.lua > "$name.lua"
  cmp -s good.lua "$name.lua" && [ $# = 0 ] && fail "$name: the scene is unchanged"
  "$scree" run -o "out_$name" "$name.lua" "$@" >out 2>err
  local status=$?
  [ $status = "$code" ] || fail "$name: exit code $status instead of $code: $(cat err)"
  grep -qE -- "$message" err || fail "$name: no '$message' in: $(cat err)"
  [ -e "out_$name" ] && fail "$name: something was written"
}
bad key 2 "key.lua:10: scene.setpu is not a known key; did you mean 'setup'" 's/setup =/setpu =/'
bad duration 2 "duration.lua:20: scene.duration is not a known key; did you mean 'stop' \(duration: " 's/stop = \{ time = 0.1 \}/duration = 0.1/'
bad series 2 "series.lua:19: scene.series is not a known key; did you mean 'output'" 's/output = .*/series = {},/'
bad made_world 2 "world must be the table that scree.world would take" 's/world = \{/world = scree.world {/'
bad world_key 2 "world_key.lua:6: world.gravty is not a known key; did you mean 'gravity'" 's/gravity =/gravty =/'
bad solver_key 2 "solver_key.lua:8: world.solver.iteratons is not a known key; did you mean 'iterations'" 's/iterations =/iteratons =/'
bad output_key 2 "output_key.lua:19: output.trajectory.evry is not a known key; did you mean 'every'" 's/trajectory = \{ every/trajectory = { evry/'
bad every_key 2 "every_key.lua:18: every\[1\].cal is not a known key; did you mean 'call'" 's/call =/cal =/'
bad stop_key 2 "stop_key.lua:20: stop.tim is not a known key; did you mean 'time'" 's/stop = \{ time/stop = { tim/'
bad shape_key 2 "shape_key.lua:14: sphere.radus is not a known key; did you mean 'radius'" 's/radius =/radus =/'
bad pair_key 2 "pair_key.lua:12: pair.muu is not a known key; did you mean 'mu'" 's/mu = p.mu/muu = p.mu/'
bad method 2 "method.lua:13: a world has no 'halfspce'; did you mean 'halfspace'" 's/w:halfspace/w:halfspce/'
bad param 2 "params.m is not a parameter of this scene; did you mean 'mu'" 's/p\.mu/p.m/'
bad nan 2 'world.gravity\[3\] is NaN' 's/-9.81/0\/0/'
bad infinite 2 'world.gravity\[3\] is infinite' 's/-9.81/-1\/0/'
bad negative_radius 2 'negative_radius.lua:14: sphere.radius must be greater than 0, not -0.1' 's/radius = 0.1/radius = -0.1/'
bad nan_radius 2 'nan_radius.lua:14: sphere.radius is NaN' 's/radius = 0.1/radius = 0\/0/'
bad zero_dt 2 'zero_dt.lua:7: world.dt must be greater than 0, not 0' 's/dt = 1e-3/dt = 0/'
bad plane_mass 2 'plane_mass.lua:13: halfspace.mass' 's/normal = \{ 0, 0, 1 \}/normal = { 0, 0, 1 }, mass = 1/'
bad duplicate_name 2 'duplicate_name.lua:14: sphere: .*ball' 's/(w:sphere.*)$/\1 w:sphere { radius = 0.1, name = "ball" }/'
bad duplicate_material 2 'duplicate_material.lua:11: .*stone' 's/(w:material.*)$/\1 w:material { name = "stone" }/'
bad type 2 'type.lua:7: world.dt must be a number, not a string' 's/dt = 1e-3/dt = "1e-3"/'
bad hook 2 'hook.lua:16: before_step must be a function, not a number' 's/before_step = function\(w, p\) end/before_step = 5/'
bad no_world 2 'no_world.lua:[0-9]+: scene.world is missing' 's/^  world = \{/  world = nil, setup = {/'
bad no_stop 2 'scene.stop is missing' 's/stop = \{ time = 0.1 \}/stop = nil/'
bad override 2 "mue is not a parameter of this scene; did you mean 'mu'" 's/x/x/' mue=1
bad override_unknown 2 "friction is not a parameter of this scene; known are .*, mu" 's/x/x/' friction=1
bad override_type 2 "mu must be a number, not 'high'" 's/x/x/' mu=high
bad override_boolean 2 "fast must be true or false, not 'yes'" 's/x/x/' fast=yes
bad override_form 2 "'mu' is not key=value" 's/x/x/' mu
bad override_value 2 'override_value.lua:12: pair.mu must' 's/x/x/' mu=-1
bad syntax 3 "syntax.lua:10: .* near" 's/setup = function\(w, p\)/setup = function(w p)/'
bad not_a_table 3 'must return a table' 's/^return \{/return 5, {/'
bad setup_error 3 "setup_error.lua:13: attempt to call a nil value" 's/w:halfspace.*/local f = nil; f()/'
grep -q 'traceback' err && grep -q 'setup_error.lua:13: in' err || fail "no traceback with scene lines: $(cat err)"

# wrong command lines
wrong() {
  local message=$1
  shift
  "$scree" "$@" >out 2>err
  local status=$?
  [ $status = 2 ] || fail "$*: exit code $status instead of 2"
  grep -qE -- "$message" err || fail "$*: no '$message' in: $(cat err)"
}
wrong 'did you mean .run.' rnu
wrong 'which scene' run
wrong 'unknown option --outputs; did you mean --output' run --outputs x good.lua
wrong 'option -o needs DIR' run good.lua -o
wrong '--time takes SECONDS' run --time soon good.lua
wrong '--time must be greater than 0' run --time -1 good.lua
wrong '--threads' run --threads -1 good.lua
"$scree" run nowhere.lua >out 2>err
[ $? = 4 ] || fail "a missing scene must end with 4"
grep -q 'cannot open nowhere.lua' err || fail "a missing scene: $(cat err)"

# a good run
"$scree" run -o good good.lua mu=0.3 n=7 law=max_dissipation size=4,5 fast=true >out 2>err || fail "good: $(cat err)"
for file in trajectory.scree series.csv run.json; do [ -s "good/$file" ] || fail "good/$file is missing"; done
grep -qE '^calls +10$' out && grep -qE '^n +7$' out && grep -qE '^law +max_dissipation$' out || fail "figures: $(cat out)"
grep -q '"status": "completed"' good/run.json || fail "status"
grep -q '"parameters": {"fast": true, "law": "max_dissipation", "mu": 0.29999999999999999, "n": 7, "seed": 1, "size": \[4, 5\]}' good/run.json || fail "parameters: $(cat good/run.json)"
grep -q "\"sha256\": \"$(sha256sum < good.lua | cut -c1-64)\"" good/run.json || fail "hash of the scene"
python3 -c 'import json,sys; d = json.load(open("good/run.json")); assert d["report"]["step"] == 100 and d["seed"] == 1' || fail "run.json is not JSON"
[ "$(wc -l < good/series.csv)" = 12 ] || fail "series.csv has $(wc -l < good/series.csv) lines"
[ "$(head -1 good/series.csv | cut -d, -f1-3)" = "time,step,bodies" ] || fail "header of series.csv"
grep -qE '^0.1,100,2,' good/series.csv || fail "last row of series.csv"

# nothing is overwritten without --force
wrong 'good/trajectory.scree exists already; --force overwrites it' run -o good good.lua
"$scree" run -o good --force -q good.lua >out 2>err || fail "--force: $(cat err)"
[ -s err ] && fail "--quiet is not quiet: $(cat err)"
mkdir empty && "$scree" run -q -o empty good.lua >/dev/null || fail "an empty directory is no obstacle"
( "$scree" run -q good.lua && ls runs/good-*/run.json ) >/dev/null 2>&1 || fail "default directory"

# --time, --threads, same bits
"$scree" run -q -o short --time 0.05 good.lua >/dev/null || fail "--time"
grep -q '"step": 50' short/run.json || fail "--time does not stop at 50 steps"
hash_of() { grep -o '"hash": "[0-9a-f]*"' "$1/run.json"; }
"$scree" run -q -o one good.lua >/dev/null && "$scree" run -q -o two --threads 2 good.lua >/dev/null || fail "--threads"
[ "$(hash_of one)" = "$(hash_of two)" ] || fail "the hash depends on threads"

# the profile table
"$scree" run -q -o profile --profile good.lua >out || fail "--profile"
grep -qE "^neighbour lists built [0-9]+, bundle fill [0-9.]+ %, bytes per body [0-9]+, bytes per contact [0-9]+$" out || fail "no counts in the profile"
for stage in broad narrow solve integrate lua output total; do grep -qE "^$stage " out || fail "no $stage in the profile"; done

# an error in a callback: traceback, exit 3, whole frames, and run.json says failed
sed 's/after_step = function(w, p) end/after_step = function(w, p) if w:steps() == 55 then error("boom") end end/' good.lua > boom.lua
"$scree" run -q -o boom boom.lua >out 2>err
[ $? = 3 ] || fail "boom: exit code"
grep -q 'boom.lua:17: boom' err && grep -q 'traceback' err && grep -q 'after_step' err || fail "boom: $(cat err)"
grep -q '"status": "failed"' boom/run.json && grep -q '"trouble": "boom.lua:17: boom"' boom/run.json || fail "boom: run.json"
[ "$(wc -l < boom/series.csv)" = 7 ] || fail "boom: series.csv"

# stop may be a function; a value beyond its type in setup leaves nothing; a world as a function of p
sed 's/stop = { time = 0.1 }/stop = function(w, p) return w:steps() == 30 end/' good.lua > until.lua
"$scree" run -q -o until until.lua >/dev/null || fail "stop as a function"
grep -q '"step": 30' until/run.json || fail "stop as a function: $(grep step until/run.json)"
sed -E 's/world = \{/world = function(p) return {/; s/^  \},$/  } end,/' good.lua > function.lua
"$scree" run -q -o function function.lua >out 2>err || fail "world as a function: $(cat err)"

# the report may write files, but only plain names
sed 's/report = function(w, p) return/report = function(w, p, out) out:write("note.txt", "hello") return/' good.lua > write.lua
"$scree" run -q -o write write.lua >/dev/null && [ "$(cat write/note.txt)" = hello ] || fail "out:write"
sed 's/report = function(w, p) return/report = function(w, p, out) out:write("..\/note.txt", "hello") return/' good.lua > escape.lua
"$scree" run -q -o escape escape.lua >out 2>err
[ $? = 3 ] && [ ! -e note.txt ] || fail "out:write leaves the directory"

# further columns in the series
sed 's/series = { every = 0.01 }/series = { every = 0.01, values = function(w, p) return { z = w:steps(), a = 2 } end }/' good.lua > columns.lua
"$scree" run -q -o columns columns.lua >out 2>err || fail "columns: $(cat err)"
head -1 columns/series.csv | grep -q ',a,z$' || fail "columns: $(head -1 columns/series.csv)"
tail -1 columns/series.csv | grep -q ',2,100$' || fail "columns: $(tail -1 columns/series.csv)"

# what a report and the series' values get wrong is named
sed 's/return { { "calls", w.state.calls }, /return { { "calls", true }, /' good.lua > figure.lua
"$scree" run -q -o figure figure.lua >out 2>err
[ $? = 3 ] && has err "report: entry 1, 'calls', of the list has a value that is neither a number nor a text" || fail "a figure that is true"
# a figure that the run did not come to is none
sed 's/return { { "calls", w.state.calls }, /return { { "calls", nil }, /' good.lua > nofigure.lua
"$scree" run -q -o nofigure nofigure.lua >out 2>err || fail "a figure without a value: $(cat err)"
has nofigure/run.json '"name": "calls", "value": null' && grep -qE '^calls +-$' out || fail "a figure without a value: $(cat out)"
sed 's/return { { "calls", w.state.calls }.*} end/return { calls = 3 } end/' good.lua > named.lua
"$scree" run -q -o named named.lua >out 2>err
[ $? = 3 ] && has err "report must return a list of tables {name, value, unit}" || fail "a report without a list"
sed 's/series = { every = 0.01 }/series = { every = 0.01, values = function() return { z = "high" } end }/' good.lua > high.lua
"$scree" run -q -o high high.lua >out 2>err
[ $? = 3 ] && has err "output.series.values must return a number as 'z' every time, not a string" || fail "a value of the series that is a text"
# a value that comes after the first row is no column: the run says so
sed 's/series = { every = 0.01 }/series = { every = 0.01, values = function(w) return { one = 1, late = w:steps() > 0 and 2 or nil } end }/' good.lua > late.lua
"$scree" run -q -o late late.lua >out 2>err
[ $? = 3 ] && has err "'late' was nil in the first; 0/0 stands for no value" || fail "a value of the series that comes late"
sed 's/or nil }/or 0\/0 }/' late.lua > stands.lua
"$scree" run -q -o stands stands.lua >out 2>err || fail "a value that is not a number: $(cat err)"

# an error that is no text has no address, and a message without frames no headline of a traceback
sed 's/before_step = .*$/before_step = function() error({}) end,/' good.lua > object.lua
"$scree" run -q -o object object.lua >out 2>err
has err 'the error is a table, not a text'
echo 'return {' > broken.lua
"$scree" run broken.lua >out 2>err
[ $? = 3 ] && ! grep -q traceback err || fail "a headline without a traceback: $(cat err)"

# the end on the command line sets the intervals of output that the scene leaves open, and they stay when the run is resumed
sed 's/^  output = .*$//; s/stop = { time = 0.1 }/stop = { time = 1000 }/' good.lua > open.lua
"$scree" run -q -o open -t '50 ms' --final-checkpoint open.lua >out 2>err || fail "open: $(cat err)"
"$scree" info open | grep -q '^frames  *51, from 0 s to 0.05' || fail "frames by --time: $("$scree" info open)"
[ $(wc -l < open/series.csv) = 52 ] || fail "rows by --time: $(wc -l open/series.csv)"
"$scree" resume -q open --until 0.1 >out 2>err || fail "open, resumed: $(cat err)"
"$scree" info open | grep -q '^frames  *101, ' || fail "frames after --until: $("$scree" info open)"
sed 's/stop = { time = 1000 }/stop = { steps = 200 }/' open.lua > steps.lua
"$scree" run -q -o steps steps.lua >out 2>err
"$scree" info steps | grep -q '^frames  *101, ' || fail "frames by stop.steps: $("$scree" info steps)"
wrong "option --time takes SECONDS, not '5 mm'" run -t '5 mm' good.lua

# what cannot be printed is told
if [ -w /dev/full ]; then
  "$scree" schema >/dev/full 2>err
  [ $? = 4 ] && has err 'cannot write to the standard output' || fail "a full disk under the output"
fi
"$scree" schema | head -c 1 >/dev/null
[ ${PIPESTATUS[0]} != 4 ] || fail "a reader that stops is no failure"

# a condition that names no column is refused before anything is written
sed 's/stop = { time = 0.1 },/stop = { time = 0.1 }, stop_when = "max_sped < 1",/' good.lua > condition.lua
"$scree" run -q -o condition condition.lua >out 2>err
[ $? = 2 ] && [ ! -e condition ] && has err "did you mean 'max_speed'?" || fail "a wrong condition leaves files"

# steps that end far above the tolerance are counted
sed 's/iterations = 20, tolerance = 1e-6/iterations = 1, tolerance = 1e-9/; s/stop = { time = 0.1 }/stop = { time = 0.3 }/
  s/w:sphere.*$/for i = 1, 20 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.1 * i - 0.05 }, material = "stone", mass = 2 ^ i } end/' good.lua > tower.lua
"$scree" run --progress none -o tower tower.lua >out 2>err
has err "scree: warning: forces are off by"
has tower/run.json '"steps_unmet": 2'

# variants: one command, several runs, one table
sed 's/title = "test",/title = "test", variants = function(p) if p.n == 3 then return { { law = "coulomb" }, { law = "max_dissipation", mu = 0.1 } } end end,/' good.lua > variants.lua
"$scree" run -q -o variants variants.lua >out 2>err || fail "variants: $(cat err)"
grep -qE '^law +coulomb +max_dissipation$' out || fail "variants: $(cat out)"
[ -s variants/coulomb/run.json ] && grep -q '"mu": 0.1' variants/max_dissipation-0.1/run.json || fail "variants: $(ls variants)"
wrong 'exists already' run -o variants variants.lua
"$scree" run -q -o novariants variants.lua n=4 >out 2>err && [ -s novariants/run.json ] || fail "without variants: $(cat err)"

# a directory that cannot be made
touch file
wrong 'is not a directory' run -o file good.lua
"$scree" run -q -o file/below good.lua >out 2>err
[ $? = 4 ] || fail "below a file: exit code"

[ $failed = 0 ] && echo "all cases as they should be"
exit $failed
