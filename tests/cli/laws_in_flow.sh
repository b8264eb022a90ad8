#!/bin/bash
# Both friction laws on the same steps of a flow: the same for balls, different for icosahedra. All grains have the volume of a ball.
. "$(dirname "$0")/../support/cli.sh"

figure() { grep "^$1" "$2" | sed 's/.* //'; }
for shape in sphere icosahedron; do
  "$scree" run --trust -q -o $shape "$source/scenes/channel_laws.lua" shape=$shape scale=0.1 time=0.012 obstacle=false >$shape.out 2>err || fail "$shape: $(cat err)"
done
# a ball's tangential block is a multiple of the unit matrix, so both laws give the same impulses
awk -v d="$(figure 'difference of friction' sphere.out)" -v a="$(figure 'anisotropy' sphere.out)" 'BEGIN { exit !(d >= 0 && d < 1e-9 && a < 1e-3) }' ||
  fail "balls: $(cat sphere.out)"
# Coulomb's friction opposes the slip, that of maximum dissipation does not
awk -v c="$(figure 'angle between friction and slip, coulomb' icosahedron.out)" -v m="$(figure 'angle between friction and slip, max' icosahedron.out)" \
  -v d="$(figure 'difference of friction' icosahedron.out)" 'BEGIN { exit !(c >= 0 && m > 1 && c < m / 4 && d > 1e-3) }' || fail "icosahedra: $(cat icosahedron.out)"

cat > volumes.lua <<'LUA'
local shapes = require "grain_shapes"
local w = require("scree").world {}
w:material { name = "grain", density = 1000 }
for _, name in ipairs { "sphere", "capsule", "icosahedron", "box", "clump" } do
  local template, width, length = shapes.make(w, name, 0.01, "grain")
  local ratio = template.mass / (1000 * 4 / 3 * math.pi * 0.01 ^ 3)
  assert(math.abs(ratio - 1) < 1e-9, name .. ": " .. ratio)
  assert(width > 0 and length >= width * 0.7)
end
assert(not pcall(shapes.make, w, "cube", 0.01, "grain"))
LUA
mkdir lib && cp "$source/scenes/lib/grain_shapes.lua" lib/
"$scree" lua volumes.lua >out 2>err || fail "volumes: $(cat err)"
exit $failed
