#!/usr/bin/env bash
# A cell that is sheared through several remaps, then at a constant normal stress, stopped after some steps and resumed, equals the straight run in every bit, with one thread and two.
. "$(dirname "$0")/../support/cli.sh"
python=python3
for p in python3 /usr/bin/python3; do "$p" -c 'import vtkmodules' 2> /dev/null && { python=$p; break; }; done

cat > scene.lua <<'LUA'
return {
  params = { stop = -1 },
  world = { gravity = { 0, 0, 0 }, dt = 2e-3, solver = { iterations = 30 }, cell = { size = { 0.1, 0.1, 0.1 }, periodic = { true, true, true } } },
  setup = function(w)
    w:pair { "default", "default", mu = 0.4, restitution = 0.5 }
    w:fill { region = { min = { 0, 0, 0 }, max = { 0.1, 0.1, 0.1 } }, spacing = 0.0125, radius = 0.0052, radius_max = 0.006, jitter = 0.05 }
    for i = 0, 3 do w:capsule { radius = 0.003, length = 0.06, position = { 0.0187 + 0.025 * i, 0.05, 0.1125 }, orientation = { 0.8, 0.6, 0, 0 } } end
    w:cell():set_velocity_gradient { { 0, 3, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  end,
  after_step = function(w, p)
    if w:steps() == 150 then w:cell():set_velocity_gradient { { 0, 3, 1 }, { 0, 0, 0 }, { 0, 0, 0 } } end
    if w:steps() == 200 then w:cell():set_stress { { false, false, false }, { false, 0.5, false }, { false, false, 0.5 } } end
    if w:steps() == p.stop then os.execute "kill -TERM $PPID" end
  end,
  output = { trajectory = { every = 0.05, precision = "exact", fields = { "position", "orientation", "velocity", "spin", "contacts" } },
    series = { every = 0.01, values = function(w) local s = w:cell():stress() return { tilt = w:cell():matrix()[1][2], p = s[1][1] + s[2][2] + s[3][3] } end } },
  stop = { steps = 300 },
}
LUA
"$scree" run scene.lua -o straight --quiet --trust --threads 1 > out.txt 2>&1 || stop "the straight run: $(cat out.txt)"
grep -q '^0.34,-0.0' straight/series.csv || grep -q ',-0.0[0-9]*' straight/series.csv || stop "the cell was never remapped: $(tail -3 straight/series.csv)"

same() {
  [ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' "$1/run.json")" ] || stop "$1: another hash"
  cmp straight/series.csv "$1/series.csv" > diff.txt || stop "$1: $(cat diff.txt)"
  "$scree" diff straight/trajectory.scree "$1/trajectory.scree" > diff.txt || stop "$1: $(cat diff.txt)"
}
"$scree" run scene.lua -o two --quiet --trust --threads 2 > out.txt 2>&1 || stop "two threads: $(cat out.txt)"
same two
for at in 7 80 86 170 230; do
  "$scree" run scene.lua -o part_$at --quiet --trust --threads $((1 + at % 2)) stop=$at > out.txt 2>&1
  [ $? = 75 ] || stop "no stop after step $at: $(cat out.txt)"
  "$scree" resume part_$at --quiet --trust --threads 1 > out.txt 2>&1 || stop "resume after step $at: $(cat out.txt)"
  same part_$at
done
# exports carry the cell and wrap into it
for format in vtp dump xyz gsd csv; do "$scree" export straight --format $format -o $format > out.txt 2>&1 || stop "export $format: $(cat out.txt)"; done
zcat dump/*.gz | awk '/BOX BOUNDS/ { box = $0; getline; split($0, x); getline; split($0, y) } /^[0-9]+ [0-9]+ [0-9]+ / { n++
  if ($8 < -1e-9 || $8 > y[2] + 1e-9 || $7 < x[1] - 1e-9 || $7 > x[2] + 1e-9) out++; if ($10 != 0 || $11 != 0 || $12 != 0) moved++ }
  END { if (box !~ /xy xz yz pp pp pp/ || !n || out || !moved) { print box, n, out, moved; exit 1 } }' > out.txt || stop "dump: $(cat out.txt)"
"$python" "$source/tests/support/read_cell.py" . > out.txt 2>&1 || stop "where bodies went: $(cat out.txt)"
# frames read in Lua and in Python tell the cell that the engine had
cat > cells.lua <<'LUA'
local scree = require "scree"
for i, frame in scree.open("straight/trajectory.scree"):frames() do
  local c, line = frame.cell, {}
  for row = 1, 3 do for k = 1, 3 do line[#line + 1] = ("%.17g %.17g"):format(c.matrix[row][k], c.gradient[row][k]) end end
  print(i, table.concat(line, " "), ("%.17g %.17g %s"):format(c.origin[2], c.volume, c.periodic[1] and c.periodic[2] and c.periodic[3]))
end
LUA
"$scree" lua --trust cells.lua > lua.txt 2>&1 || stop "cells in Lua: $(cat lua.txt)"
PYTHONPATH=$source/tools "$python" - > python.txt 2>&1 <<'PYTHON' || stop "cells in Python: $(cat python.txt)"
from scree_reader import Trajectory
with Trajectory("straight/trajectory.scree") as run:
    for i, frame in enumerate(run):
        c = frame.cell
        line = " ".join(f"{c['matrix'][r][k]:.17g} {c['gradient'][r][k]:.17g}" for r in range(3) for k in range(3))
        print(i + 1, line, f"{c['origin'][1]:.17g} {c['volume']:.17g} {str(all(c['periodic'])).lower()}", sep="\t")
PYTHON
cmp lua.txt python.txt > out.txt || stop "cells in Lua and in Python: $(cat out.txt; head -3 lua.txt python.txt)"
[ "$(cut -f 2 lua.txt | awk '{ print $3 }' | sort -u | wc -l)" -gt 10 ] || stop "the cell of frames never moves: $(head -3 lua.txt)"
zcat xyz/*.gz | grep -q 'pbc="T T T"' || stop "xyz: no cell"
grep -q -a 'Name="cell"' vtp/frame_000001.vtp || stop "vtp: no cell"
"$scree" info straight | grep -q '^cell .*periodic along x, y, z' || stop "info: $("$scree" info straight)"
echo "restarts of a sheared cell equal the straight run"
