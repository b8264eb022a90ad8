#!/usr/bin/env bash
# What a first user types wrong: numbers out of range, options that do not belong, files that are not there, disks that are full, two
# interrupts in a row. Each is refused with words that help, and nothing half done stays behind.
. "$(dirname "$0")/../support/cli.sh"

cat > scene.lua <<'LUA'
return {
  params = { grains = 10, mu = 0.3 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { iterations = 5 } },
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    w:fill { region = { min = { 0, 0, 0 }, max = { 0.02 * p.grains, 0.2, 0.2 } }, spacing = 0.02, radius = 0.01 }
  end,
  stop = { time = 0.02 },
}
LUA
printf 'scree: 1\nscene: scene.lua\n' > exp.yaml

# refuses CODE TEXT ARGUMENT ...: scree with these arguments ends with the code, says the text and makes no run
refuses() {
  local code=$1 text=$2
  shift 2
  "$scree" "$@" > out.txt 2> err.txt < /dev/null
  local got=$?
  [ $got = $code ] || fail "scree $*: exit code $got, not $code: $(cat out.txt err.txt)"
  has err.txt "$text"
  [ -e runs ] && fail "scree $*: made a run" && rm -r runs
}
for option in time steps wall keep memory callback-time; do
  refuses 2 "--$option must be greater than 0, not 0" run scene.lua --$option 0
  refuses 2 "--$option must be greater than 0, not -1" run scene.lua --$option -1
done
refuses 2 "option --time takes SECONDS, not 'nan'" run scene.lua --time nan
refuses 2 "--time must be finite, not inf" run scene.lua --time inf
refuses 2 "--checkpoint must be at least 0, not -1" run scene.lua --checkpoint -1
refuses 2 "--threads must lie in [1, 1024], or be 0 for all cores, not -1" run scene.lua -j -1
refuses 2 "--threads must lie in [1, 1024], or be 0 for all cores, not 1025" run scene.lua -j 1025
refuses 2 "--until must be greater than 0" resume nothing --until 0
refuses 2 "--output is empty" run scene.lua -o ""
refuses 2 "--set is for experiments; a scene takes its parameters as key=value" run scene.lua --set params.mu=1
refuses 2 "--set is for experiments" check scene.lua --set params.mu=1
refuses 2 "mu must be a number, not 'nan'" run scene.lua mu=nan
refuses 2 "mu must be a number, not 'nan'" check scene.lua mu=nan
refuses 2 "nu is not a parameter" check scene.lua nu=1
refuses 2 "'mu' is not key=value" check scene.lua mu
refuses 2 "which file?" check
refuses 2 "scene.lua is no experiment" sweep scene.lua
refuses 2 "one experiment at a time" sweep exp.yaml exp.yaml
refuses 4 "scree: cannot open nowhere.lua: No such file or directory" run nowhere.lua
refuses 4 "cannot open $work: Is a directory" run "$work"
refuses 4 "cannot open nowhere.lua: No such file or directory" lua nowhere.lua
"$scree" check scene.lua mu=0.1 grains=2 > out.txt 2> err.txt || fail "check with parameters: $(cat err.txt)"
"$scree" check exp.yaml mu=0.1 > out.txt 2> err.txt || fail "check of an experiment with parameters: $(cat err.txt)"

# -j 0 takes all cores, and says how many
"$scree" run scene.lua -j 0 -o all > out.txt 2> err.txt || fail "-j 0: $(cat err.txt)"
cores=$(nproc)
grep -qE "$cores threads?" out.txt err.txt || fail "-j 0 is not $cores threads: $(cat out.txt err.txt)"
"$scree" run scene.lua -q -o one > /dev/null
[ "$(grep '"hash"' all/run.json)" = "$(grep '"hash"' one/run.json)" ] || fail "-j 0 gives another result"

# runs that start in the same second have directories of their own
for _ in 1 2 3; do "$scree" run scene.lua -q > /dev/null 2> err.txt || fail "a run beside others: $(cat err.txt)"; done
[ "$(ls runs | wc -l)" = 3 ] || fail "three runs made $(ls runs)"
rm -r runs

# a full disk: the reason once for each file, no temporary files
if mkdir small && mount -t tmpfs -o size=16k tmpfs small 2> /dev/null; then
  "$scree" run scene.lua -q grains=50 -o small/run > out.txt 2> err.txt
  [ $? = 4 ] || fail "a full disk: $(cat out.txt err.txt)"
  has err.txt "No space left on device"
  ls -A small/run | grep -E '^\.|\.tmp$' && fail "temporary files stay on a full disk"
  umount small
fi

# a second interrupt while the checkpoint is written: at once, and no half of it stays. It may come too late: then the checkpoint is whole.
sed 's/stop = { time = 0.02 }/stop = { time = 1000 }, output = { trajectory = false, series = false }/' scene.lua > long.lua
code=0
for _ in $(seq 10); do
  rm -rf twice
  "$scree" run long.lua -q grains=1500 -o twice > out.txt 2> err.txt &
  process=$!
  wait_for $process test -e twice/run.json
  kill -INT $process
  until [ -e twice/checkpoint.scree.tmp ] || ! kill -0 $process 2> /dev/null; do :; done
  kill -INT $process 2> /dev/null
  wait $process
  code=$?
  [ -e twice/checkpoint.scree.tmp ] && fail "half a checkpoint stays"
  [ $code = 130 ] && break
  [ $code = 75 ] && "$scree" info twice/checkpoint.scree > /dev/null || fail "two interrupts: exit code $code: $(cat out.txt err.txt)"
done
[ $code = 130 ] || echo "no second interrupt came while a checkpoint was written"
exit $failed
