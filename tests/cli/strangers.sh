#!/usr/bin/env bash
# A run's directory from a stranger: damaged sections under sound checksums, links, limits; two processes in one directory.
. "$(dirname "$0")/../support/cli.sh"

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

# ---- sections: every one is refused with exit code 4 and a text, and nothing of the run is changed ----
# name, section, offset, and what goes there
cat > cases <<'CASES'
-1_columns run.files 40 i32 -1
2147483647_columns run.files 40 i32 2147483647
1000000_columns run.files 40 i32 1000000
65_columns run.files 40 i32 65
a_column_without_an_end run.files 44 fill A 4096
a_column_with_a_comma run.files 44 hex 612c6200
files_cut_off run.files 100 cut
frames_-1 run.files 0 i64 -1
series_-1 run.files 8 i64 -1
last_frame_nan run.files 16 f64 nan
last_row_inf run.files 24 f64 inf
precision_-1 run.files 32 f64 -1
time_nan run.how 0 f64 nan
first_time_-1 run.how 8 f64 -1
steps_-1 run.how 16 i64 -1
threads_1e9 run.how 32 i64 1000000000
threads_-5 run.how 32 i64 -5
trust_7 run.how 40 i32 7
parameters_5 run.how 48 i32 5
parameters_65 run.how 48 i32 65
parameters_-1 run.how 48 i32 -1
a_sum_without_an_end run.how 52 fill f 65
how_cut_off run.how 10 cut
a_scene_without_an_end run.scene 3 cut
a_sum_of_sources run.sources 0 hex 00
sources_cut_off run.sources 64 cut
since_inf run.stop_when 0 f64 inf
met_2 run.stop_when 8 i64 2
clocks_cut_off script.clocks 10 cut
a_clock_-1 script.clocks 0 i64 -1
a_state_of_the_script script.state 0 hex ff
a_state_cut_off script.state 20 cut
a_string_of_the_state script.state 2 i64 9223372036854775807
a_position_nan world.position 0 f64 nan
frames_2^62 run.files 0 i64 4611686018427387904
rows_that_are_not_there run.files 8 i64 1000000
CASES
mkdir damaged
python3 "$source/tests/support/sections.py" base/checkpoint.scree damaged < cases || stop "sections.py"
cp -r base before
cp -r base w
while read -r name _; do
  cp damaged/"$name" before/checkpoint.scree
  cp damaged/"$name" w/checkpoint.scree
  timeout 200 "$scree" resume w -q > out 2> err
  code=$?
  [ $code = 4 ] || fail "$name: exit code $code: $(cat err)"
  grep -qE 'damaged|announce|wrong size|other build|another build|bytes, not|has lost rows|frames' err || fail "$name: no reason in: $(cat err)"
  diff -r before w > err || { fail "$name: files have changed: $(cat err)"; rm -rf w; cp -r before w; }
done < cases

# trust is given by the user alone, and the same holds of the caps
rm -rf w && cp -r base w
echo "checkpoint.scree run.how 40 i32 1" | python3 "$source/tests/support/sections.py" base/checkpoint.scree w || stop "sections.py"
"$scree" resume w -q > out 2> err
[ $? = 2 ] && has err "resume it with --trust" || fail "trust from a checkpoint: $(cat err)"
"$scree" run base.lua loop=1 -q -o caps --callback-time 1000 --memory 4000 --wall 1e-9 > out 2> err
[ $? = 75 ] && has err "scree resume --memory 4000 --callback-time 1000 caps" || fail "a run with caps: $(cat err)"
timeout 200 "$scree" resume caps -q > out 2> err
[ $? = 3 ] && has err "more than 1.2 s of CPU time" || fail "caps from a checkpoint: $(cat err)"

# ---- links: nothing outside is written ----
head -c 5000 /dev/zero | tr '\0' x > victim.orig
linked() {
  local name=$1 code
  rm -rf w && cp -r base w && cp victim.orig victim
  rm -f "w/$name" && ln -s ../victim "w/$name"
  timeout 200 "$scree" resume w -q > out 2> err
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
timeout 200 "$scree" resume w -q > out 2> err
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
  stop = { steps = 1000000000000000 },
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
wait_for $live test -s live/run.json || stop "the live run: $(cat live.out)"
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
timeout 200 "$scree" resume live -q --wall 1e-9 > out 2> err
[ $? = 75 ] || fail "resume over an old lock: $(cat err)"

# ---- a directory that is moved while a run works there: files and lock follow it, another run in its place is left alone ----
"$scree" run live.lua -q -o place > first.out 2>&1 &
first=$!
wait_for $first test -s place/run.json || stop "the run that is moved: $(cat first.out)"
mv place moved
"$scree" run live.lua -q -o place > second.out 2>&1 &
second=$!
wait_for $second test -s place/run.json || stop "the run in its place: $(cat second.out)"
kill $first
wait $first
[ $? = 75 ] || fail "the moved run: $(cat first.out)"
[ -e moved/checkpoint.scree ] && [ ! -e place/checkpoint.scree ] || fail "the checkpoint of a moved run: $(ls place moved)"
[ -e place/run.lock ] && [ ! -e moved/run.lock ] || fail "the locks after a moved run: $(ls place moved)"
has first.out "scree resume $work/moved"
"$scree" run base.lua -q --force -o place > out 2> err
[ $? = 2 ] && has err "place: in use by process $second" || fail "run in the place of a moved run: $(cat err)"
kill $second
wait $second
[ $? = 75 ] && [ -e place/checkpoint.scree ] || fail "the run in the place of a moved one: $(cat second.out)"
# a lock file that another process has put in place of the own one stays
"$scree" run live.lua -q -o swapped > first.out 2>&1 &
first=$!
wait_for $first test -s swapped/run.json || stop "the run whose lock is replaced: $(cat first.out)"
rm swapped/run.lock && echo "1 nowhere" > swapped/run.lock
kill $first
wait $first
[ -e swapped/run.lock ] || fail "a lock of another process was removed"
# what the script writes follows, too: its report and its own files; a completed run forgets its own checkpoint only
cat > waits.lua <<'LUA'
return {
  world = { dt = 1e-3 },
  setup = function(w) w:sphere { radius = 0.1 } end,
  after_step = function(w)
    while w:steps() == 1 and not io.open("WORK/go") do os.execute("sleep 0.02") end
    if w:steps() == 2 then require("scree").plot { file = "own.txt", panels = { { series = { { x = { 0, 1 }, y = { 0, 1 } } } } } } end
  end,
  output = { trajectory = { every = 1 }, series = { every = 1 } },
  report = function(w, p, out) out:write("told.txt", out.directory) end,
  stop = { steps = 3 },
}
LUA
sed -i "s|WORK|$work|" waits.lua
"$scree" run waits.lua --trust -q -o there > first.out 2>&1 &
first=$!
wait_for $first test -s there/run.json || stop "a run that waits: $(cat first.out)"
mv there gone && mkdir there && touch there/checkpoint.scree go
wait $first || fail "a run that was moved does not end well: $(cat first.out)"
[ "$(ls there)" = checkpoint.scree ] || fail "a moved run has written to its old name: $(ls there)"
[ "$(cat gone/told.txt)" = "$work/gone" ] && [ -s gone/own.txt ] || fail "a moved run's own files: $(ls gone)"
has gone/run.json '"status": "completed"'
# a sweep
rm go
printf 'scree: 1\nscene: waits.lua\nsweep: {repeat: 2}\n' > waits.yaml
"$scree" sweep waits.yaml --trust -o swept > first.out 2>&1 &
first=$!
wait_for $first test -s swept/0001/run.json || stop "a sweep that waits: $(cat first.out)"
mv swept gone-swept && mkdir swept && touch go
wait $first || fail "a sweep that was moved: $(cat first.out)"
[ -z "$(ls -A swept)" ] && [ "$(grep -c completed gone-swept/results.csv)" = 2 ] && [ ! -e gone-swept/run.lock ] ||
  fail "a sweep that was moved: $(ls -A swept gone-swept)"

# ---- pipes and devices where files are wanted: nobody waits for their end ----
mkdir -p odd/lib && cd odd
mkfifo pipe.lua lib/inner.lua pipe.yaml pipe.stl pipe.csv trajectory.scree pipe.prob
ln -s /dev/zero zero.lua
ln -s /dev/zero zero.stl
cp ../live.lua ../live.yaml .
odd() {
  local code=$1 text=$2
  shift 2
  timeout 200 "$scree" "$@" > out 2> err
  local got=$?
  [ $got = $code ] && grep -qF -- "$text" err || fail "scree $*: exit code $got instead of $code: $(cat err)"
}
odd 4 'pipe.lua: it is not a regular file' lua pipe.lua
odd 4 'zero.lua: it is not a regular file' lua zero.lua
odd 4 'pipe.lua' run pipe.lua
echo 'require "inner"' > outer.lua
odd 3 'inner' lua outer.lua
printf 'include: pipe.yaml\nscree: 1\nscene: live.lua\n' > including.yaml
odd 2 'pipe.yaml: it is not a regular file' check including.yaml
for name in pipe.stl zero.stl; do
  echo "require('scree').geometry.mesh { file = '$name' }" > mesh.lua
  odd 4 'not a regular file' lua --trust mesh.lua
done
odd 4 'not a regular file' info .
odd 4 'not a regular file' solve pipe.prob
odd 4 'pipe.csv' plot pipe.csv x
cd ..

# ---- links that lead out of the folder of a script ----
mkdir -p house/lib && echo 'return "outside"' > outside.lua && ln -s ../../outside.lua house/lib/away.lua && ln -s ../outside.lua house/far.lua
printf 'solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid x\n' > outside.stl
ln -s ../outside.stl house/shape.stl
cp outside.stl house/own.stl
for name in away far; do
  echo "print(require '$name')" > house/asks.lua
  odd 3 'leads out of the folder of the script' lua house/asks.lua
  "$scree" lua --trust house/asks.lua > out 2>&1 || fail "a link and --trust: $(cat out)"
done
echo 'require("scree").geometry.mesh { file = "shape.stl" }' > house/asks.lua
odd 2 'leads out of the folder' lua house/asks.lua
echo 'require("scree").geometry.mesh { file = "own.stl" }' > house/asks.lua
"$scree" lua house/asks.lua > out 2>&1 || fail "a mesh of the own folder: $(cat out)"

# ---- includes stay in the folder of the experiment: what they say ends up in run.json and experiment.yaml ----
mkdir -p house/part && echo 'title: SECRET' > outside.yaml && ln -s ../outside.yaml house/away.yaml && cp live.lua house/
for name in ../outside.yaml part/../../outside.yaml away.yaml ../none.yaml; do
  printf 'scree: 1\nscene: live.lua\nrun: {steps: 2}\ninclude: %s\n' "$name" > house/asks.yaml
  odd 2 "include: '$name' leads out of the folder of the experiment" run house/asks.yaml -q -o told --force
  odd 2 "include: '$name' leads out of the folder of the experiment" check house/asks.yaml
done
[ -e told ] && grep -rq SECRET told && fail "an experiment pulled in a file from outside of its folder"
sed -i 's/none/outside/' house/asks.yaml
"$scree" run house/asks.yaml -q --trust -o told > out 2>&1 && grep -q SECRET told/experiment.yaml || fail "an include and --trust: $(cat out)"
echo SECRET > house/word.yaml
printf 'scree: 1\nscene: live.lua\ninclude: word.yaml\n' > house/asks.yaml
odd 2 "an included file must hold a map" check house/asks.yaml

# ---- names of the run's own files, and what a series cannot head its columns with ----
named() {
  local text=$1
  shift
  printf 'scree: 1\nscene: live.lua\nrun: {steps: 2}\nmeasure:\n  - {name: %s, type: coordination}\n' "$1" > named.yaml
  timeout 200 "$scree" check named.yaml > out 2> err
  [ $? = 2 ] && grep -qF -- "$text" err || fail "measure named $1: $(cat err)"
}
named "series.csv is a file of the run's own" series
named "at most 40 letters" "$(printf 'x%.0s' $(seq 41))"
for name in trajectory.scree run.lock checkpoint.scree.previous.2 .run.json; do
  sed "s/f.csv/$name/" base.lua > taken.lua
  "$scree" run taken.lua -q -o taken --force > out 2> err
  [ $? = 3 ] && has err "one of the run's own" || fail "a report that writes $name: $(cat err)"
done
for column in 'a,b' 'a\"b' 'kinetic' 'a\nb' "$(printf 'x%.0s' $(seq 64))"; do
  refusal="without comma or quote"
  [ "$column" = kinetic ] && refusal="the series has a column with this name"
  printf '%s' "return { world = { dt = 1e-3 }, setup = function(w) w:sphere { radius = 1 } end, output = { series = { every = 1e-3, values = function() return { [\"$column\"] = 1 } end } }, stop = { time = 0.01 } }" > heads.lua
  "$scree" run heads.lua -q -o heads --force > out 2> err
  [ $? = 3 ] && has err "$refusal" || fail "a column $column: $(cat err)"
  "$scree" check heads.lua > out 2> err
  [ $? != 0 ] && has err "$refusal" || fail "check of a column $column: $(cat err)"
done

# ---- numbers that are none, maps and lists without end ----
printf 'scree: 1\nscene: live.lua\nrun: {until: "1e400 s"}\n' > huge.yaml
odd 2 'the number in "1e400 s" is out of range' check huge.yaml
{ printf 'scree: 1\nscene: live.lua\nparams:\n'; seq -f '  k%.0f: 1' 200000; } > keys.yaml
{ printf 'scree: 1\nscene: live.lua\nmeasure:\n'; seq -f '  - {name: z%.0f, type: coordination}' 20000; } > measures.yaml
for what in 'keys:more than 10000 keys in one map' 'measures:at most 1000 measurements, not 20000'; do
  (ulimit -t 5; "$scree" check "${what%%:*}.yaml" > out 2> err)
  [ $? = 2 ] && has err "${what#*:}" || fail "${what%%:*}.yaml: $(head -c 300 err)"
done

# ---- files: what is no problem has no table; damage of the header and the padding is told; texts that unpack to gigabytes ----
odd 4 'is not a scree file' solve --table live.lua
"$scree" run base.lua -q -o sound > out 2>&1 || fail "a sound run: $(cat out)"
python3 - sound/trajectory.scree <<'PY' || fail "cannot damage a trajectory"
import struct, sys, zlib


def damage(how, target, size=0):
    raw = bytearray(open(sys.argv[1], "rb").read())
    if how == "header":
        raw[16] ^= 1
    elif how == "padding":
        at = 32
        while raw[at : at + 4] == b"CHNK":
            stored = struct.unpack_from("<Q", raw, at + 16)[0]
            if stored % 8:
                raw[at + 56 + stored] = 1
                break
            at += 56 + (stored + 7) // 8 * 8
        else:
            sys.exit("no padding")
    else:  # a META of so many MiB of spaces before all others, without index
        packer = zlib.compressobj(1)
        text = b"".join(packer.compress(b" " * 2**20) for _ in range(size)) + packer.flush()
        head = struct.pack("<4sHHQQQQII", b"META", 1, 0, len(text), size * 2**20, 0, 0, zlib.crc32(text), 0)
        raw[32:32] = b"CHNK" + struct.pack("<I", zlib.crc32(head)) + head + text + b"\0" * (-len(text) % 8)
        raw = raw[:-32]
    open(target, "wb").write(raw)


damage("header", "header.scree")
damage("padding", "padding.scree")
damage("meta", "large.scree", 500)
PY
verify() {
  "$scree" info --verify "$1.scree" > out 2> err
  has out "$2"
}
verify header "damaged file header"
verify padding "padding that is not zero"
# sanitizers take address space of their own
([ -e "$3/tests/libfail_malloc.so" ] && ulimit -v 400000; timeout 200 "$scree" info large.scree) > out 2> err || fail "a META of 500 MB: $(cat err)"
[ "$(wc -c < out)" -lt 10000 ] || fail "a META of 500 MB is printed"

# ---- the scripts of the tools use no names that others can foresee ----
grep -nE '[^$({]/tmp/' "$source/tools/setup.sh" "$source/tools/quickstart" "$source/tools/test" && fail "a predictable name in the shared temporary folder"
exit $failed
