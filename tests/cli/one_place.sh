#!/bin/bash
# Many bodies at one place: check and run refuse files and scenes of such bodies at once, at every scale. The message has their number and names.
# Without the check 20 000 such bodies need more memory than the limit of this test.
. "$(dirname "$0")/../support/cli.sh"
# sanitizers reserve terabytes of addresses
grep -q '^SCREE_SANITIZE:.*=.' "$3/CMakeCache.txt" || ulimit -v 4000000

cat >scene.lua <<'LUA'
return {
  params = { n = 20000, shape = "sphere", scale = 1, spread = 0, file = "", seed = 1 },
  world = function(p)
    local cell = p.shape == "periodic" and { size = { 4 * p.scale, 4 * p.scale, 4 * p.scale }, periodic = { true, true, true } } or nil
    return { gravity = { 0, 0, 0 }, dt = 1e-3, cell = cell }
  end,
  setup = function(w, p)
    local r = 0.01 * p.scale
    if p.file ~= "" then return w:read_grains { file = p.file } end
    w:sphere { radius = r, position = { 0.5 * p.scale, 0, 0 } }
    for i = 1, p.n do
      local at = {}
      for k = 1, 3 do at[k] = 2 * r * p.spread * math.random() end
      if p.shape == "box" then w:box { size = { r, r, r }, position = at }
      elseif p.shape == "clump" then
        w:body { shapes = { { type = "sphere", radius = r, position = { -r, 0, 0 } }, { type = "sphere", radius = r, position = { r, 0, 0 } } }, position = at }
      else w:sphere { radius = r, position = at } end
    end
  end,
  stop = { steps = 2 },
}
LUA
# refused TEXT ARGUMENT...: check and run refuse a scene with this text
refused() {
  local text=$1
  shift
  timeout 60 "$scree" check scene.lua "$@" >out 2>&1 && fail "check accepts $*: $(cat out)"
  has out "$text"
  timeout 60 "$scree" run -q -o run --force scene.lua "$@" >out 2>&1 && fail "run accepts $*: $(cat out)"
  has out "$text"
}
for shape in sphere box clump periodic; do
  refused "body 2 at (0, 0, 0) shares its place with 19999 other bodies (3, 4, 5, 6, ...)" shape=$shape
done
refused "shares its place with 149 other bodies (3, 4, 5, 6, ...)" n=150
refused "shares its place with 149 other bodies" n=150 scale=1e-6
refused "shares its place with 149 other bodies" n=150 scale=1e6
# the centres lie within a quarter of a diameter, so each centre lies inside every ball
refused "shares its place with 19999 other bodies" spread=0.25

# files: the message names the rows of the grains at one place, although grains that are apart precede them
{ echo "x y z radius"; for i in 1 2 3; do echo "$i 0 0 0.1"; done; for i in $(seq 20000); do echo "0 0 5 0.1"; done; } >heap.txt
refused "heap.txt: the grain in row 4 at (0, 0, 5) shares its place with 19999 others (rows 5, 6, 7, 8, ...)" file=heap.txt
has out "columns and units"
awk 'NR == 1 { print; next } NR < 160 { print $1 * 1e-9, $2, $3 * 1e-9, $4 * 1e-9 }' heap.txt >small.txt
refused "small.txt: the grain in row 4 at (0, 0, 5e-09) shares its place with 154 others" file=small.txt

# accepted: few bodies at one place, a large body with many small bodies inside, and a bed of random points
timeout 60 "$scree" check scene.lua n=101 >out 2>&1 || fail "101 balls: $(cat out)"
has out "initial overlaps  5050"
timeout 60 "$scree" check scene.lua n=5000 spread=20 >out 2>&1 || fail "random points: $(cat out)"
awk 'BEGIN { print "x y z radius\n0 0 0 1"; for (i = 0; i < 512; i++) print i % 8 / 8 - 0.4, int(i / 8) % 8 / 8 - 0.4, int(i / 64) / 8 - 0.4, 0.01 }' >inside.txt
timeout 60 "$scree" check scene.lua file=inside.txt >out 2>&1 || fail "small balls in a large one: $(cat out)"
has out "initial overlaps  512"
exit $failed
