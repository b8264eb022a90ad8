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
echo "late calls warn"
