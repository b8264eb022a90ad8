#!/usr/bin/env bash
# What large runs cost to write and to look at: one figure a line, as "NAME VALUE UNIT". docs/benchmarks.md has the figures; tests/slow/large.sh
# checks those that do not depend on the speed of the machine.
# usage: tests/bench/large.sh PROGRAM SOURCE [GRAINS [FRAMES [ROWS [RUNS]]]]     (100000 grains, 500 frames of 20000 grains, 10^6 rows, 1000 runs)
set -- "$(realpath "$1")" "$(realpath "$2")" "${@:3}"
. "$2/tests/support/cli.sh"
grains=${3:-100000} frames=${4:-500} rows=${5:-1000000} runs=${6:-1000}
row() { printf '%-34s %10.4g %s\n' "$1" "$2" "$3"; }
calc() { awk "BEGIN { print $1 }"; }
# used COMMAND ...: sets $cpu [s], $memory and $read [MB]
used() { read -r cpu memory read < <(python3 "$source/tests/support/used.py" "$@" 2> err) || stop "$*: $(cat err)"; }
bytes() { stat -c %s "$1"; }

# balls that move and turn but do not touch, so that steps are cheap
cat > grains.lua <<'LUA'
return {
  params = { count = 100, frames = 5 },
  world = { dt = 1e-3, solver = { iterations = 1 } },
  setup = function(w, p)
    local edge = 0.01 * math.ceil(p.count ^ (1 / 3))
    w:fill { region = { min = { 0, 0, 0 }, max = { edge, edge, edge } }, spacing = 0.01, radius = 0.003, limit = p.count, jitter = 0.2 }
    local id = w:view "id"
    for i = 1, #id do w:body_of(id[i]):set_spin(w:random(-9, 9), w:random(-9, 9), w:random(-9, 9)) end
  end,
  output = { trajectory = { steps = 1, precision = "1e-4 d" }, track = { steps = 1, ids = { 77 } }, series = false },
  stop = { steps = 5 },
}
LUA
used "$scree" run grains.lua --trust -q -o few && base=$memory
used "$scree" run grains.lua --trust -q -o many count="$grains"
row 'writing, memory a grain' "$(calc "($memory - $base) * 1048.576 / $grains")" kB
row 'file, a grain and frame' "$(calc "$(bytes many/trajectory.scree) / 6 / $grains")" bytes
used "$scree" info many
row 'info, CPU' "$cpu" s
row 'info, memory' "$memory" MB
used python3 -c "import sys; sys.path.insert(0, '$source/tools')
from scree_reader import Trajectory
with Trajectory('many/trajectory.scree') as run: print(run[len(run) - 1].position[0])"
row 'Python reader, last frame, CPU' "$cpu" s
row 'Python reader, memory a grain' "$(calc "$memory * 1048.576 / $grains")" kB
used "$scree" export many --format ply --frames -1 -o out -q
row 'PLY, a ball' "$(calc "$(bytes out/frame_*.ply) / $grains")" bytes
row 'PLY, memory a grain' "$(calc "($memory - $base) * 1048.576 / $grains")" kB
rm -r out
used "$scree" export many --format gsd -o out -q
row 'GSD, a grain and frame' "$(calc "$(bytes out/frame.gsd) / 6 / $grains")" bytes
rm -r out

# a film reads each frame once, beside the pass over key frames
"$scree" film many -o pictures --size 64x48 -q > /dev/null 2> err || stop "film: $(cat err)"
used "$scree" film many -o pictures2 --size 64x48 -q
row 'film, read over the size of the file' "$(calc "$read * 1e6 / $(bytes many/trajectory.scree)")" times
rm -r pictures pictures2 many

# a picture of hulls
cat > hulls.lua <<'LUA'
local scree = require "scree"
local points = {}
for i = 0, 39 do
  local z, a = 1 - (2 * i + 1) / 40, 2.399963 * i
  local r = math.sqrt(1 - z * z)
  points[#points + 1] = { r * math.cos(a), r * math.sin(a), z }
end
local stone = scree.geometry.hull { points = points, scale = 0.01 }
return {
  world = { dt = 1e-3 },
  setup = function(w)
    for i = 0, 1999 do w:hull { geometry = stone, position = { 0.03 * (i % 20), 0.03 * (i // 20 % 10), 0.03 * (i // 200) } } end
  end,
  output = { series = false },
  stop = { steps = 1 },
}
LUA
"$scree" run hulls.lua --trust -q -o hulls > /dev/null 2> err || stop "hulls: $(cat err)"
used "$scree" plot hulls scene -o hulls.png --threads 1
row 'picture of 2000 hulls, CPU' "$cpu" s

# one grain over all frames
used "$scree" run grains.lua --trust -q -o long count=20000 --steps "$frames"
used "$scree" export long --format csv --ids 77 -o one -q
row 'one grain, export --ids, CPU' "$cpu" s
used "$scree" export long --format csv --ids 77 --fields position -o place -q
row 'one grain, only position, CPU' "$cpu" s
used "$scree" export long/track.scree --format csv -o track -q
row 'one grain, track.scree, CPU' "$cpu" s
row 'one grain, track.scree, memory' "$memory" MB
row 'track.scree, a frame of one grain' "$(calc "$(bytes long/track.scree) / ($frames + 1)")" bytes
[ "$(wc -l < one/frame.csv)" = "$(wc -l < track/frame.csv)" ] && [ "$(wc -l < track/frame.csv)" = $((frames + 2)) ] || stop "rows of one grain"
rm -r long one place track

# a series of many rows: what gnuplot is given, and what the plot costs
awk -v rows="$rows" 'BEGIN {
  printf "time"; for (k = 0; k < 20; k++) printf ",c%d", k; print ""
  for (i = 0; i < rows; i++) { printf "%.10g", i * 1e-5; x = (i * 7919) % 1000 * 1.000000001e-3; for (k = 0; k < 20; k++) printf ",%.10g", x + k * 0.123456789; print "" } }' > series.csv
mkdir fake
printf '#!/bin/sh\ncat > "%s/gnuplot.in"\nexit 1\n' "$work" > fake/gnuplot
chmod +x fake/gnuplot
PATH="$work/fake:$PATH" "$scree" plot series.csv c3 -x time -o fake.svg > /dev/null 2>&1
row 'plot, points given to gnuplot' "$(grep -cE '^ *-?[0-9][^ ]* +-?[0-9]' gnuplot.in)" rows
if command -v gnuplot > /dev/null; then
  used "$scree" plot series.csv c3 -x time -o series.svg
  row 'plot, CPU' "$cpu" s
fi
used "$scree" plot series.csv --list
row 'plot --list, CPU' "$cpu" s
row 'plot --list, memory over the table' "$(calc "$memory * 1048576 / $(bytes series.csv)")" times
rm series.csv

# a sweep of short runs
cat > ball.lua <<'LUA'
return {
  params = { height = 1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p) w:sphere { radius = 0.05, position = { 0, 0, p.height } } end,
  output = { trajectory = false, series = false },
  stop = { steps = 5 },
  report = function(w) return { { "speed", w:report().max_speed, "m/s" } } end,
}
LUA
printf 'scree: 1\nscene: ball.lua\nsweep: {grid: {params.height: {linear: [1, 2, %d]}}}\n' "$runs" > sweep.yaml
used "$scree" sweep sweep.yaml -o swept
row 'sweep, CPU a run' "$(calc "1000 * $cpu / $runs")" ms
row 'sweep, folder a run' "$(calc "$(du -sb swept | cut -f 1) / $runs")" bytes
used "$scree" sweep sweep.yaml -o swept --resume
row 'sweep --resume of all, CPU a run' "$(calc "1000 * $cpu / $runs")" ms
exit $failed
