#!/usr/bin/env bash
# sweep --resume: a changed scene or module is named and refused without --force; finished runs that --only does not name keep their state;
# runs that go on after their sweep was killed are named.
. "$(dirname "$0")/../support/cli.sh"

mkdir place
cat > place/factor.lua <<'LUA'
return 1
LUA
cat > place/scene.lua <<'LUA'
local factor = require "factor"
return {
  params = { x = 1 },
  world = { dt = 1e-3, gravity = { 0, 0, -9.81 } },
  setup = function(w, p)
    w:sphere { radius = 0.05 }
    if p.x == 2 then -- a hammer drives a ball through a plate
      w:box { kind = "fixed", size = { 0.2, 0.2, 1e-3 }, position = { 1, 0, 1 } }
      w:sphere { radius = 0.01, position = { 1, 0, 1.02 } }
      w:sphere { radius = 0.2, mass = 1e6, position = { 1, 0, 1.24 }, velocity = { 0, 0, -200 } }
    end
  end,
  output = { trajectory = false, series = false },
  stop = { steps = 2 },
  report = function(w, p) return { { "figure", p.x * factor } } end,
}
LUA
printf 'scree: 1\nscene: place/scene.lua\nsweep: {grid: {params.x: [1, 2, 3]}}\n' > exp.yaml
"$scree" sweep exp.yaml -o swept > out 2> err
[ $? = 5 ] || stop "the sweep: $(cat out err)"
column() { cut -d, -f"$1" swept/results.csv | tail -n +2 | tr '\n' ' '; }
figure=$(head -1 swept/results.csv | tr , '\n' | grep -n '^figure$' | cut -d: -f1)
[ "$(column 2)" = 'completed invalid completed ' ] && [ "$(column "$figure")" = '1 2 3 ' ] || fail "the sweep: $(cat swept/results.csv)"

# runs that --only does not name stay what they are; the exit code is that of the runs which it names
rm -r swept/0003
"$scree" sweep exp.yaml --resume --only 3 -o swept > out 2> err || fail "--only 3: $(cat out err)"
[ "$(column 2)" = 'completed invalid completed ' ] && [ "$(column "$figure")" = '1 2 3 ' ] || fail "--only 3: $(cat swept/results.csv)"
rm -r swept/0003
"$scree" sweep exp.yaml --resume --only 2 -o swept > out 2> err
[ $? = 5 ] || fail "--only 2: $(cat out err)"
[ "$(column 2)" = 'completed invalid skipped ' ] || fail "--only 2: $(cat swept/results.csv)"

# a run.json with the same key twice is damaged, so its run is repeated
sed -i 's/^{/{ "a": 1, "a": 2,/' swept/0001/run.json
"$scree" sweep exp.yaml --resume --only 1 -o swept > out 2> err
grep -q '"a"' swept/0001/run.json && fail "a damaged run.json was taken: $(cat out err)"
[ "$(column 2)" = 'completed invalid skipped ' ] || fail "a damaged run.json: $(cat swept/results.csv)"

# code that has changed since runs were made
for file in place/factor.lua place/scene.lua; do
  cp "$file" kept
  if [ $file = place/factor.lua ]; then echo 'return 100' > $file; else sed -i 's/p.x \* factor/p.x * 100/' $file; fi
  cp swept/results.csv before.csv
  "$scree" sweep exp.yaml --resume -o swept > out 2> err
  [ $? = 2 ] || fail "$file has changed, and the sweep was resumed: $(cat out err)"
  has err "scree sweep: $file has changed since run 0001 was made"
  [ "$(grep -c 'has changed' err)" = 1 ] || fail "$file is named again: $(cat err)"
  has err '--force repeats them'
  cmp before.csv swept/results.csv && [ ! -e swept/0003 ] || fail "something was written"
  cp kept "$file"
done
"$scree" sweep exp.yaml --resume -o swept > out 2> err # as it was
[ $? = 5 ] && [ "$(column "$figure")" = '1 2 3 ' ] || fail "the scene as it was: $(cat out err)"
echo 'return 100' > place/factor.lua
"$scree" sweep exp.yaml --resume --force -o swept > out 2> err
[ $? = 5 ] && [ "$(column "$figure")" = '100 200 300 ' ] || fail "--force: $(cat out err swept/results.csv)"

# a sweep is killed while its run goes on: the run is named as the process that uses the directory
cat > slow.lua <<'LUA'
return {
  params = { x = 1 },
  world = { dt = 1e-3 },
  setup = function(w) w:sphere { radius = 0.1 } end,
  after_step = function(w)
    if w:steps() == 5 then io.open("DIR/at_work", "w"):close() end
    local file = io.open "DIR/go"
    while w:steps() == 5 and not file do file = io.open "DIR/go" end
  end,
  stop = { steps = 10 },
}
LUA
sed -i "s|DIR|$work|" slow.lua
printf 'scree: 1\nscene: slow.lua\nsweep: {grid: {params.x: [1]}}\n' > slow.yaml
"$scree" sweep slow.yaml --trust -o slow --callback-time 1000 > out 2>&1 &
process=$!
wait_for $process test -e at_work
child=$(cut -d' ' -f1 slow/0001/run.lock)
kill -9 $process
wait $process 2> /dev/null
kill -0 "$child" || stop "the run has ended with its sweep"
"$scree" sweep slow.yaml --trust --resume -o slow > out 2> err
[ $? = 2 ] && has err "slow/0001: in use by process $child on" || fail "the holder: $(cat out err)"
touch go
while kill -0 "$child" 2> /dev/null; do sleep 0.02; done
"$scree" sweep slow.yaml --trust --resume -o slow > out 2> err || fail "after the run: $(cat out err)"
grep -q '^1,completed,' slow/results.csv || fail "after the run: $(cat slow/results.csv)"
exit $failed
