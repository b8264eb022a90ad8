#!/usr/bin/env bash
# A run's directory from a stranger: damaged sections under sound checksums, links, limits; two processes in one directory.
. "$(dirname "$0")/../support/cli.sh"
edit() { python3 "$source/tests/support/sections.py" "$@" || fail "sections.py $*"; }

cat > base.lua <<'LUA'
return {
  params = { loop = 0 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 3 do w:sphere { radius = 0.01, position = { 0.03 * i, 0, 0.01 + 0.002 * i } } end
    w.state = { list = { 1, 2.5, "text", true }, body = w:sphere { radius = 0.01, position = { 0, 0, 0.1 } } }
  end,
  after_step = function(w, p) if w:steps() > 1 and p.loop == 1 then while true do end end end,
  every = { { time = 0.01, call = function(w) end } },
  output = { trajectory = { every = 0.01 }, series = { every = 0.01, values = function() return { first = 1, second = 2 } end } },
  stop_when = "max_speed < 1 um/s for 1 s",
  report = function(w, p, out) out:write("f.csv", "report\n") end,
  stop = { time = 0.03 },
}
LUA
"$scree" run base.lua -q -o base --wall 1e-9 > out 2> err
[ $? = 75 ] || stop "the run that all begins with: $(cat err)"
cp base/checkpoint.scree sound.scree

# ---- sections: every one is refused with exit code 4 and a text, and nothing of the run is changed ----
damaged() {
  local what=$1
  shift
  rm -rf w && cp -r base w && edit w/checkpoint.scree "$@"
  cp -r w before
  timeout 20 "$scree" resume w -q > out 2> err
  local code=$?
  [ $code = 4 ] || fail "$what: exit code $code: $(cat err)"
  grep -qE 'damaged|announce|wrong size|other build|another build|bytes, not' err || fail "$what: no reason in: $(cat err)"
  diff -r before w > /dev/null || fail "$what: files have changed"
  rm -rf before
}
for count in 65 1000000 2147483647 -1; do damaged "$count columns" run.files 40 i32 $count; done
damaged "a column without an end" run.files 44 fill A 4096
damaged "a column with a comma" run.files 44 hex 612c6200
damaged "files cut off" run.files 100 cut
damaged "frames -1" run.files 0 i64 -1
damaged "series -1" run.files 8 i64 -1
damaged "last frame nan" run.files 16 f64 nan
damaged "last row inf" run.files 24 f64 inf
damaged "precision -1" run.files 32 f64 -1
damaged "time nan" run.how 0 f64 nan
damaged "first time -1" run.how 8 f64 -1
damaged "steps -1" run.how 16 i64 -1
damaged "threads 1e9" run.how 32 i64 1000000000
damaged "threads -5" run.how 32 i64 -5
damaged "trust 7" run.how 40 i32 7
damaged "parameters 5" run.how 48 i32 5
damaged "parameters 65" run.how 48 i32 65
damaged "parameters -1" run.how 48 i32 -1
damaged "a sum without an end" run.how 52 fill f 65
damaged "how cut off" run.how 10 cut
damaged "a scene without an end" run.scene 3 cut
damaged "a sum of sources" run.sources 0 hex 00
damaged "sources cut off" run.sources 64 cut
damaged "since inf" run.stop_when 0 f64 inf
damaged "met 2" run.stop_when 8 i64 2
damaged "clocks cut off" script.clocks 10 cut
damaged "a clock -1" script.clocks 0 i64 -1
damaged "a state of the script" script.state 0 hex ff
damaged "a state cut off" script.state 20 cut
damaged "a string of the state" script.state 2 i64 9223372036854775807
damaged "a position nan" world.position 0 f64 nan

# frames and rows that are not there
rm -rf w && cp -r base w && edit w/checkpoint.scree run.files 0 i64 4611686018427387904
"$scree" resume w -q > out 2> err
[ $? = 4 ] || fail "frames 2^62: $(cat err)"
rm -rf w && cp -r base w && edit w/checkpoint.scree run.files 8 i64 1000000
"$scree" resume w -q > out 2> err
[ $? = 4 ] && has err "has lost rows" || fail "rows that are not there: $(cat err)"

# trust is given by the user alone, and the same holds of the caps
rm -rf w && cp -r base w && edit w/checkpoint.scree run.how 40 i32 1
"$scree" resume w -q > out 2> err
[ $? = 2 ] && has err "resume it with --trust" || fail "trust from a checkpoint: $(cat err)"
"$scree" run base.lua loop=1 -q -o caps --callback-time 1000 --memory 4000 --wall 1e-9 > out 2> err
[ $? = 75 ] && has err "scree resume --memory 4000 --callback-time 1000 caps" || fail "a run with caps: $(cat err)"
timeout 30 "$scree" resume caps -q > out 2> err
[ $? = 3 ] && has err "more than 1.2 s of CPU time" || fail "caps from a checkpoint: $(cat err)"

# ---- links: nothing outside is written ----
head -c 5000 /dev/zero | tr '\0' x > victim.orig
linked() {
  local name=$1 code
  rm -rf w && cp -r base w && cp victim.orig victim
  rm -f "w/$name" && ln -s ../victim "w/$name"
  timeout 20 "$scree" resume w -q > out 2> err
  code=$?
  cmp -s victim victim.orig || fail "$name: the file behind the link has changed"
  echo $code
}
for name in series.csv trajectory.scree run.lock; do
  [ "$(linked $name)" = 4 ] || fail "resume with $name as a link: $(cat err)"
done
[ "$(linked f.csv)" = 4 ] && has err "is not written through" || fail "a report through a link: $(cat err)"
# what the run writes anew takes the place of a link
for name in run.json .run.json checkpoint.scree.tmp; do
  [ "$(linked $name)" = 0 ] || fail "resume with $name as a link: $(cat err)"
done
[ -L w/run.json ] && fail "run.json is still a link"
rm -rf w && cp -r base w && cp victim.orig victim && rm w/series.csv && mkfifo w/series.csv
timeout 10 "$scree" resume w -q > out 2> err
[ $? = 4 ] || fail "series.csv as a pipe: $(cat err)"
rm -rf forced && mkdir forced
for name in series.csv trajectory.scree run.json experiment.yaml checkpoint.scree; do ln -s ../victim "forced/$name"; done
"$scree" run base.lua -q --force -o forced > out 2> err || fail "run --force over links: $(cat err)"
cmp -s victim victim.orig || fail "run --force has written through a link"

# ---- one process at a time ----
cat > live.lua <<'LUA'
return {
  world = { dt = 1e-3 },
  setup = function(w) w:sphere { radius = 0.1 } end,
  output = { trajectory = false, series = { every = 1 } },
  stop = { steps = 1000000000 },
}
LUA
cat > live.yaml <<'YAML'
scree: 1
scene: live.lua
sweep: {repeat: 2}
run: {steps: 10}
YAML
"$scree" run live.lua -q -o live > live.out 2>&1 &
live=$!
for _ in $(seq 100); do [ -s live/run.lock ] && [ -s live/run.json ] && break; sleep 0.05; done
in_use="live: in use by process $live on $(hostname)"
"$scree" run base.lua -q --force -o live > out 2> err
[ $? = 2 ] && has err "$in_use" || fail "run --force in a live directory: $(cat err)"
cp base/checkpoint.scree live/
"$scree" resume live -q > out 2> err
[ $? = 2 ] && has err "$in_use" || fail "resume in a live directory: $(cat err)"
rm live/checkpoint.scree
"$scree" sweep live.yaml --force -o live > out 2> err
[ $? = 2 ] && has err "$in_use" || fail "sweep in a live directory: $(cat err)"
kill $live
wait $live
[ $? = 75 ] || fail "the live run: $(cat live.out)"
[ -e live/run.lock ] && fail "the lock is still there"
# a lock that a killed process has left holds nobody up
echo "1 nowhere" > live/run.lock
timeout 60 "$scree" resume live -q --wall 1e-9 > out 2> err
[ $? = 75 ] || fail "resume over an old lock: $(cat err)"
exit $failed
