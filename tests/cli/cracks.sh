#!/usr/bin/env bash
# scree.cracks: warnings with numbers if cracks.watch or blocks come late.
. "$(dirname "$0")/../support/cli.sh"
cat > late.lua <<'LUA'
local scree = require "scree"
local cracks = require "scree.cracks"
local function make_world()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 } }
  w:box { kind = "fixed", size = { 2, 2, 1 }, position = { 0, 0, -0.5 } }
  w:box { size = { 0.2, 0.2, 0.2 }, position = { 0, 0, 0.1 } }
  return w
end
local w = make_world()
cracks.watch(w)
w:step(2)
cracks.update(w)
print "no warning so far"
w = make_world()
w:step(300)
cracks.watch(w)
w = make_world()
cracks.watch(w)
w:box { size = { 0.2, 0.2, 0.2 }, position = { 0.5, 0, 0.1 } }
w:step(3)
cracks.update(w)
assert(#cracks.list(w) == 1)
LUA
"$scree" lua late.lua > out.txt 2>&1 || stop "late calls: $(cat out.txt)"
head -n 1 out.txt | grep -qx "no warning so far" || stop "a watch in time warns: $(cat out.txt)"
has out.txt "warning: cracks.watch came after 300 steps"
has out.txt "warning: 1 block came after cracks.watch, and the first update in step 3"
# a face across the boundary of a cell, in a plot: block b drifts away from the image of block a and turns by 0.1
cat > cell.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 4, 5, 6 }, periodic = { true, true, true } } },
  setup = function(w)
    w:pair { "default", "default", mu = 0.5 }
    w:box { size = { 1, 2, 2 }, position = { 0.5, 2, 2 } }
    w:box { size = { 1, 2, 2 }, position = { 3.5, 2, 2 }, name = "b" }
  end,
  before_step = function(w)
    if w:steps() == 100 then
      w:find("b"):set_velocity(-0.6, 0, 0)
      w:find("b"):set_spin(0, 0, 0.5)
    end
  end,
  output = { trajectory = { every = 0.05, fields = { "position", "orientation", "contacts" } } },
  stop = { time = 0.3 },
}
LUA
# runs $1.lua and checks the text $2 of its plot; without gnuplot, the message of scree plot must say so
shows() {
  "$scree" run "$1.lua" -o "$1" --quiet > out.txt 2>&1 || stop "the run of $1: $(cat out.txt)"
  if "$scree" plot "$1" cracks -o "$1.svg" > out.txt 2>&1; then
    grep -q "$2" "$1.svg" || stop "opening and slip of $1: $(grep -o 'largest.*' "$1.svg")"
  else grep -q gnuplot out.txt || stop "the plot of $1: $(cat out.txt)"
  fi
}
# the centre has moved by 0.12 m. The corner of b at x = 4, y = 3 has moved by (-0.12 + 0.5 cos 0.1 - sin 0.1 - 0.5,
# 0.5 sin 0.1 + cos 0.1 - 1): 220 mm along the mean normal, at 0.05 rad to x, and 56 mm across it
shows cell "largest opening 220 mm, largest slip 56 mm"
# blocks that are 50 mm apart in frame 0, touch, and are pulled 200 mm apart: the joint opens by 150 mm since frame 0
cat > meet.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", mu = 0.5 }
    w:box { size = { 1, 2, 2 }, position = { 1.55, 0, 0 }, velocity = { -0.5, 0, 0 }, name = "b" }
    w:box { size = { 1, 2, 2 }, position = { 0.5, 0, 0 }, kind = "fixed" }
  end,
  before_step = function(w)
    if w:steps() == 200 then w:find("b"):set_velocity(1, 0, 0) end
  end,
  output = { trajectory = { every = 0.05, fields = { "position", "orientation", "contacts" } } },
  stop = { time = 0.4 },
}
LUA
shows meet "largest opening 150 mm,"
[ ! -e meet.svg ] || has out.txt "warning: no faces in frame 0"
echo "late calls warn"
