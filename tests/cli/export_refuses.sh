#!/bin/bash
# What scree export and trajectory:export refuse: tables of a run are not replaced, links and devices are not removed, contents that a
# format does not have, wrong frames, names, details and fields with the nearest that exists.
. "$(dirname "$0")/../support/cli.sh"

cat >scene.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = function(w) for i = 1, 5000 do w:sphere { radius = 0.1, position = { i, 0, 0 } } end end,
  output = { trajectory = { every = 1e-3 }, series = { every = 1e-3, values = function(w) return { n = 1 } end } },
  stop = { steps = 4 },
}
LUA
"$scree" run -q -o run scene.lua >out 2>&1 || stop "run: $(cat out)"
cp run/series.csv series

# refuse WORDS OPTION...: the export fails with exit code 2 and says WORDS
refuse() {
  local words=$1
  shift
  "$scree" export -q run "$@" >out 2>&1
  [ $? = 2 ] || fail "$*: not refused: $(cat out)"
  has out "$words"
}
refuse "run/series.csv is no table of an export; give another name or folder" -f csv -o run --name series
cmp -s series run/series.csv || fail "the series of the run was replaced"
"$scree" export -q run -f csv -o run --name grains && "$scree" export -q run -f csv -o run --name grains || fail "a table of an export is not replaced"
refuse "frames 2 to 9 are not in 0 to 4; the nearest are 2 to 4" -f csv -o x --frames 2:9
refuse "frames 7 to 7 are not in 0 to 4; the nearest are 4 to 4" -f csv -o x --frames 7
refuse "name 'a/b' has a slash; name the folder by --output (Lua: directory), and the files 'b'" -f csv -o x --name a/b
refuse "not 50; the nearest is 48" -f ply -o x --detail 50
refuse "not -3; the nearest is 8" -f ply -o x --detail -3
refuse "not 10; the nearest is 12" -f stl -o x --detail 10
refuse "csv has no triangles, ply and stl do; leave detail out" -f csv -o x --detail 8
refuse "did you mean 'position'?" -f csv -o x --fields velocity,positon
refuse "xyz has no contacts; csv, npz and vtp do; leave contacts out" -f xyz -o x --contacts
refuse "single is for npz, not for gsd; leave it out" -f gsd -o x --single
refuse "the trajectory keeps no contacts" -f csv -o x --contacts

# a link to a device without space, and the device's own name if this machine allows to make one
for format in csv:.csv dump:.dump.gz gsd:.gsd npz:_000000.npz vtp:_000000.vtp vtkhdf:.vtkhdf; do
  mkdir -p full && rm -f full/*
  ln -s /dev/full "full/frame${format#*:}"
  "$scree" export -q run -f "${format%%:*}" -o full >out 2>&1
  code=$?
  grep -q "HDF5" out && [ $code != 4 ] && continue # a build without HDF5
  [ $code = 4 ] || fail "$format on a full device ends with $code: $(cat out)"
  [ -L "full/frame${format#*:}" ] || fail "$format: the link was removed"
done
ln -s /dev/full page.html
"$scree" export -q run -f html -o page.html >out 2>&1 && fail "html on a full device"
[ -L page.html ] || fail "html: the link was removed"
if [ "$(id -u)" = 0 ] && rm -f full/* && mknod full/frame.csv c 1 7 2>/dev/null; then
  "$scree" export -q run -f csv -o full >out 2>&1 && fail "csv on a full device"
  [ -c full/frame.csv ] || fail "the device was removed"
fi

cat >refuse.lua <<'LUA'
local scree = require "scree"
local t = scree.open "run/trajectory.scree"
local function refused(words, def)
  local fine, text = pcall(t.export, t, def)
  assert(not fine and tostring(text):find(words, 1, true), tostring(text))
end
refused("gsd has no contacts; csv, npz and vtp do", { format = "gsd", contacts = true, directory = "x" })
refused("the trajectory keeps no contacts", { format = "csv", contacts = true, directory = "x" })
refused("run/series.csv is no table of an export", { format = "csv", directory = "run", name = "series" })
refused("the nearest is 12", { format = "ply", detail = 10, directory = "x" })
LUA
"$scree" lua --trust refuse.lua >out 2>&1 || fail "$(cat out)"
cmp -s series run/series.csv || fail "the series of the run was replaced from Lua"

# a report exports twice into one folder, and not through a link to a folder
cat >twice.lua <<'LUA'
return {
  world = { dt = 1e-3 },
  setup = function(w) w:sphere { radius = 0.1 } end,
  output = { trajectory = { every = 1e-3 } },
  stop = { steps = 3 },
  report = function()
    local t = require("scree").open "trajectory.scree"
    t:export { format = "csv" }
    t:export { format = "npz" }
  end,
}
LUA
"$scree" run -q -o twice twice.lua >out 2>&1 || fail "two exports: $(cat out)"
[ -f twice/export/frame.csv ] && [ -f twice/export/frame_000000.npz ] || fail "two exports: $(ls twice/export)"
mv twice/export elsewhere && ln -s "$PWD/elsewhere" twice/export && rm elsewhere/frame.csv
"$scree" run -q -f -o twice twice.lua >out 2>&1 && grep -q "is a link or no folder" out || [ ! -e elsewhere/frame.csv ] ||
  fail "an export went through a link"
exit $failed
