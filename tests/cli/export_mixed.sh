#!/bin/bash
# Tests every export format of points with every choice of fields. The bodies have all shapes and two columns of the script, and some touch. One
# scene has a tilted cell that deforms, the other has walls. support/read_mixed.py compares each export with the CSV export. CSV has all bits of a
# number, and its positions are not wrapped.
. "$(dirname "$0")/../support/cli.sh"
export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/tests/support"

cat >scene.lua <<'LUA'
local scree = require "scree"
local tetra = { { 0, 0, 0 }, { 0.4, 0, 0 }, { 0, 0.4, 0 }, { 0, 0, 0.4 } }
local shapes = {
  { type = "sphere", radius = 0.2 }, { type = "capsule", radius = 0.1, length = 0.3 }, { type = "box", size = { 0.2, 0.3, 0.4 } }, { type = "cylinder", radius = 0.15, length = 0.5 },
  { type = "cone", radius = 0.2, length = 0.4 }, { type = "ellipsoid", size = { 0.3, 0.5, 0.4 } }, { type = "hull", points = tetra }, { type = "superellipsoid", size = { 0.3, 0.4, 0.5 } },
}
return {
  world = CELL,
  setup = function(w)
    w:material { name = "stone", density = 2000 }
    w:column { name = "heat", unit = "K", default = 3 }
    w:column { name = "wet", default = -1 }
    if IN_CELL then
      w:cell():set_matrix { { 4, 0.5, -0.7 }, { 0, 5, -0.6 }, { 0, 0, 6 } }
      w:cell():set_velocity_gradient { { 0, 0.3, 0 }, { 0, 0, -0.2 }, { 0, 0, 0.1 } }
    else
      w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -4 } }
      w:box { kind = "fixed", size = { 1, 1, 1 }, position = { 9, 0, 0 } }
      w:mesh { kind = "kinematic", points = tetra, triangles = { { 1, 3, 2 }, { 1, 2, 4 }, { 1, 4, 3 }, { 2, 3, 4 } }, position = { -9, 0, 0 }, velocity = { 0, 0, 1 } }
      w:sphere { kind = "fixed", radius = 0.3, position = { 4, 4, 4 }, group = 9 }
    end
    for k, s in ipairs(shapes) do
      local def = { position = { 1.3 * (k % 3) - 2.6, 1.7 * (k // 3) - 1.9, 2.1 * (k % 2) + 0.3 }, orientation = { 1, 0.1 * k, -0.2, 0.3 }, velocity = { 0.1 * k, -0.3, 0.2 * k }, spin = { -0.1 * k, 0.4, 1 }, group = k }
      for key, v in pairs(s) do if key ~= "type" then def[key] = v end end
      w[s.type](w, def)
    end
    w:body { position = { 3.5, 3.4, 3.3 }, velocity = { 1, 2, 3 }, spin = { 0, 0, 2 }, group = -5, shapes = { { type = "sphere", radius = 0.2, position = { -0.2, 0, 0 }, material = "stone" }, { type = "sphere", radius = 0.1, position = { 0.2, 0, 0 } } } }
    w:sphere { radius = 0.25, position = { 1, 4.9, 4 }, velocity = { 0, 1, 0 } } -- these two touch; the third touches the first across an edge of the cell
    w:sphere { radius = 0.25, position = { 1.48, 4.9, 4 } }
    w:sphere { radius = 0.25, position = { 0.02, -0.1, 4 } }
    local heat = w:view "heat"
    for row = 1, w:count() do heat:set(row, row / 7) end
  end,
  output = { trajectory = { every = 0.1, precision = 0, fields = { "position", "orientation", "velocity", "spin", "contacts" } } },
  stop = { steps = 6 },
}
LUA
sed 's/IN_CELL/true/; s/CELL/{ gravity = { 0, 0, 0 }, dt = 0.05, cell = { origin = { -0.5, 0.25, 1 }, size = { 4, 5, 6 }, periodic = { true, true, true } } }/' scene.lua >cell.lua
sed 's/IN_CELL/false/; s/CELL/{ gravity = { 0, 0, -1 }, dt = 0.05 }/' scene.lua >open.lua
for s in cell open; do
  "$scree" run -q -o run-$s $s.lua >out 2>&1 || stop "run $s: $(cat out)"
  for f in csv npz dump xyz gsd vtp; do
    contacts=--contacts
    case $f in gsd | dump | xyz) contacts= ;; esac
    "$scree" export -q run-$s -f $f $contacts --fields position,orientation,velocity,spin -o $s/all >out 2>&1 || fail "$s $f: $(cat out)"
    for fields in orientation velocity spin; do
      [ $s = cell ] && [ $fields != velocity ] && continue
      "$scree" export -q run-$s -f $f --fields position,$fields --frames 1:3:2 -o $s/$fields >out 2>&1 || fail "$s $f $fields: $(cat out)"
    done
    "$scree" export -q run-$s -f $f --groups 2,4 --ids 1,3 --frames 0 $contacts -o $s/chosen >out 2>&1 || fail "$s $f chosen: $(cat out)"
  done
  "$scree" export -q run-$s -f csv --fields position,orientation,velocity,spin --groups 2,4 --ids 1,3 --frames 0 -o $s/list >out 2>&1 || fail "$s list: $(cat out)"
  /usr/bin/env python3 "$source/tests/support/read_mixed.py" $s || fail "$s: values"
done
exit $failed
