#!/usr/bin/env bash
# Signals, one at a time: SIGUSR1 saves and goes on, SIGINT, SIGTERM, SIGHUP and SIGXCPU stop after the step with a checkpoint, a second one stops at
# once; directories that cannot be written; ends that a checkpoint is past.
. "$(dirname "$0")/../support/cli.sh"

# the scene sends itself the signal, or waits within a step for one from outside
cat > scene.lua <<'LUA'
return {
  params = { signal = "" },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { radius = 0.01, position = { 0, 0, 0.02 } }
  end,
  after_step = function(w, p)
    if w:steps() == 30 and p.signal ~= "" then os.execute("kill -" .. p.signal .. " $PPID") end
    if w:steps() == 40 and p.signal == "USR1" then print(io.open("checkpoint.scree") and "saved" or "not saved") end
    if w:steps() == 30 and p.signal == "" then
      io.open("here", "w"):close()
      while true do end
    end
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } },
  stop = { time = 0.1 },
}
LUA
# The directory of the run is not the current one of the scene.
sed -i "s|io.open(\"checkpoint.scree\")|io.open(\"$work/usr1/checkpoint.scree\")|; s|\"here\"|\"$work/here\"|" scene.lua

"$scree" run scene.lua -q --trust -o usr1 signal=USR1 > out.txt 2> err.txt || fail "SIGUSR1 ended the run: $(cat err.txt)"
has out.txt saved
grep -q "not saved" out.txt && fail "SIGUSR1 saved nothing"
has usr1/run.json '"step": 100,'

"$scree" run scene.lua -q --trust -o term signal=TERM > out.txt 2> err.txt
[ $? = 75 ] || fail "SIGTERM: $(cat err.txt)"
has err.txt "scree resume --trust term"
has term/run.json '"step": 30,'
"$scree" resume term -q --trust --until 0.01 > out.txt 2> err.txt
[ $? = 2 ] || fail "an end before the checkpoint is taken"
has err.txt "the checkpoint is of 0.03 s, past the end at 0.01 s"
"$scree" resume term -q --trust > out.txt 2>&1 || fail "resume: $(cat out.txt)"

# a terminal that is closed, a limit on CPU time that is reached; the tests themselves may run where SIGHUP is ignored
default=$(env --default-signal=HUP echo env --default-signal=HUP 2> /dev/null)
for signal in HUP XCPU; do
  $default "$scree" run scene.lua -q --trust -o by_$signal signal=$signal > out.txt 2> err.txt
  [ $? = 75 ] || fail "SIG$signal: $(cat err.txt)"
  has err.txt "scree resume --trust by_$signal"
  "$scree" resume by_$signal -q --trust > out.txt 2>&1 || fail "resume after SIG$signal: $(cat out.txt)"
  has by_$signal/run.json '"step": 100,'
done
(trap '' HUP; "$scree" run scene.lua -q --trust -o nohup signal=HUP) > out.txt 2> err.txt || fail "nohup: $(cat err.txt)"

# a second SIGINT does not wait for the step
"$scree" run scene.lua -q --trust -o twice > out.txt 2> err.txt &
process=$!
wait_for $process test -e here || fail "no step 30: $(cat err.txt)"
kill -INT $process
sleep 0.2
kill -0 $process 2> /dev/null || fail "the first SIGINT did not wait for the step"
# two of a kind that nobody has taken yet are one: again until it has ended
while kill -INT $process 2> /dev/null; do sleep 0.05; done
wait $process
[ $? = 130 ] || fail "the second SIGINT did not stop the run at once"
"$scree" info twice > out.txt 2>&1 || fail "after the second SIGINT: $(cat out.txt)"

# what cannot be written is said once, and nothing else
touch file
[ -d /proc/self ] && places="/proc/none file/below" || places=file/below
for place in $places; do
  "$scree" run scene.lua -q --trust -o $place signal=TERM > out.txt 2> err.txt
  [ $? = 4 ] || fail "$place: $(cat out.txt err.txt)"
  has err.txt "cannot create $place"
  [ $(cat out.txt err.txt | wc -l) = 1 ] || fail "$place: $(cat out.txt err.txt)"
done
exit $failed
