#!/bin/bash
# Problems of contacts with stiffness: the file has the compliance, bias and impulse of the springs, and all solvers solve it.
. "$(dirname "$0")/../support/cli.sh"
fail() { stop "$@"; }

# A ball strikes a plane at 1 m/s with k = 3 m/dt^2. After one step the velocity is -1/4, the gap -dt/4, and the impulse 3/4 m. The law sees u + E x + gap/dt in the
# next step: -1/2 from no impulse (-1/4 without the bias), and from the last impulse 1/2 + E x - 1/4 = 1/2 with E = 1/(3 m) (1/4 without the compliance).
cat > strike.lua <<'LUA'
local scree = require "scree"
local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
w:pair { "default", "default", mu = 0.5, contact_stiffness = 6e6 }
w:halfspace { normal = { 0, 0, 1 } }
w:sphere { radius = 0.1, mass = 2, position = { 0, 0, 0.1 }, velocity = { 0, 0, -1 } }
w:step()
w:dump_problem "strike.prob"
LUA
"$scree" lua --trust strike.lua || fail "the script"
for solver in nbgs newton apgd spg pgs auto; do
  for start in "" --warm; do
    "$scree" solve strike.prob --solver $solver $start --json > out.txt || fail "$solver $start: $(cat out.txt)"
    sed 's/.*"start_residual": \([^,]*\),.*/\1/' out.txt | awk '{ exit !($1 > 0.4999999 && $1 < 0.5000001) }' || fail "$solver $start: $(cat out.txt)"
  done
done

# boxes with and without springs side by side, all overlapping: corrections of positions have the same bits at every width of vectors
cat > mixed.lua <<'LUA'
local scree = require "scree"
local w = scree.world { dt = 1e-3, solver = { name = "nbgs", iterations = 20 } }
w:material { name = "soft" }
for _, other in ipairs { "soft", "default" } do w:pair { "soft", other, contact_stiffness = 1e4 } end
w:halfspace { normal = { 0, 0, 1 } }
for i = 0, 47 do
  w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.0999 * (i % 4), 0.0999 * (i // 4 % 4), 0.0499 + 0.0998 * (i // 16) }, material = i % 3 == 0 and "soft" or "default" }
end
w:step(5)
assert(w:report().correction > 0)
print(w:hash())
LUA
for width in scalar avx2 avx512; do SCREE_SIMD=$width "$scree" lua --trust mixed.lua || fail "boxes at width $width"; done > hashes.txt
[ "$(sort -u hashes.txt | wc -l)" = 1 ] || fail "the widths differ: $(cat hashes.txt)"
echo "stiffness: dumped problems have their springs"
