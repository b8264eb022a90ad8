#!/usr/bin/env bash
# scree.open in the sandbox reaches the run's own folder and nothing else; what a run wrote can be told, exported and compared.
# arguments: program, source folder
set -e
program=$1 source=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
for name in /etc/passwd ../x .hidden a/../../b trajectory.scree; do
  echo "require('scree').open '$name'" > probe.lua
  if "$program" lua probe.lua > out.txt 2>&1; then echo "opened $name"; exit 1; fi
  grep -q "a script in the sandbox opens files in the folder of its run" out.txt || { cat out.txt; exit 1; }
done
"$program" run "$source/scenes/hello.lua" -o a -q --time 0.1 > /dev/null
"$program" run "$source/scenes/hello.lua" -o b -q --time 0.1 > /dev/null
"$program" run "$source/scenes/hello.lua" -o c -q --time 0.1 height=0.6 > /dev/null
echo 'local open = require("scree").open; assert(#open "a" > 1 and #open "a" == #open "a/trajectory.scree")' > folder.lua
"$program" lua --trust folder.lua
"$program" info a | grep -q '^title      a ball on a floor$'
"$program" info a --json --verify | grep -q '"complete": true'
"$program" diff a b | grep -q '^same: '
if "$program" diff a c > out.txt; then echo "a and c differ"; exit 1; fi
grep -q '^first:   frame 0, body [0-9]*, position\[3\]: .*, apart by 0.1$' out.txt || { cat out.txt; exit 1; }
# frames are compared by time: another interval of frames leaves the common ones
for every in 0.02 0.03; do
  printf 'return { world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 }, setup = function(w) w:sphere { radius = 0.1, position = { 0, 0, 1 } } end, output = { trajectory = { every = %s } }, stop = { time = 0.12 } }' $every > every.lua
  "$program" run every.lua -o every$every -q > /dev/null
done
if "$program" diff every0.02 every0.03 > out.txt; then echo "files with other frames are the same"; exit 1; fi
grep -q '^frames: 7 in A, 5 in B, 3 of the same time$' out.txt && grep -q '^the 3 frames that both have are the same$' out.txt || { cat out.txt; exit 1; }
"$program" export a --format vtp -o out --frames 0:-1:2 > /dev/null
test -f out/frame.pvd
test -f out/frame_000000.vtp
# no room: a clear message, exit code 4, every whole frame readable
cat > fill.lua <<'END'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w) w:fill { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0.2, radius = 0.05 } end,
  output = { trajectory = { every = 0.001 }, series = false }, stop = { time = 0.2 },
}
END
code=0
(trap '' XFSZ; ulimit -f 40; "$program" run fill.lua -o full -q) > out.txt 2>&1 || code=$?
[ $code = 4 ] || { echo "exit code $code without room"; cat out.txt; exit 1; }
grep -q "full/trajectory.scree: File too large ([0-9]* frames are whole)" out.txt || { cat out.txt; exit 1; }
"$program" info full | grep -q "recovered [1-9][0-9]* frames" || { "$program" info full; exit 1; }
"$program" export full --format csv -o out2 > /dev/null
if ! "$program" doctor | grep -q "missing *HDF5"; then # a VTKHDF file that is not whole is removed
  code=0
  (ulimit -f 8; "$program" export full --format vtkhdf -o out3) > out.txt 2>&1 || code=$?
  [ $code = 4 ] && grep -q "out3/frame.vtkhdf: HDF5 cannot write the file: File too large" out.txt && [ ! -e out3/frame.vtkhdf ] ||
    { echo "exit code $code for VTKHDF without room"; cat out.txt; exit 1; }
  "$program" export full --format vtkhdf -o out3 > /dev/null && test -s out3/frame.vtkhdf
fi
