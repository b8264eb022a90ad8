#!/usr/bin/env bash
# Each width of SIMD corrects the positions of balls, and all give the same bits: one step leaves 1 - erp = 0.2 of an overlap.
. "$(dirname "$0")/../support/cli.sh"

cat > push.lua <<'LUA'
local scree = require "scree"
local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, correction = "position", erp = 0.8, solver = { name = "nbgs", iterations = 100, tolerance = 1e-13 } }
local pairs_of_balls = {}
for i = 1, 40 do
  pairs_of_balls[i] = { w:sphere { radius = 0.1, position = { i, 0, 0 } }, w:sphere { radius = 0.1, position = { i, 0.2 - 1e-5 * i, 0 } } }
end
w:step()
for i, pair in ipairs(pairs_of_balls) do
  local left = 0.2 - select(2, pair[2]:position()) + select(2, pair[1]:position())
  assert(math.abs(left - 0.2e-5 * i) < 1e-12, ("overlap %d: %.17g m"):format(i, left))
end
print(w:hash())
LUA
for width in scalar avx2 avx512; do
  SCREE_SIMD=$width "$scree" lua push.lua > $width 2> err || fail "$width: $(cat err)"
  cmp scalar $width || fail "$width has other bits"
done
exit $failed
