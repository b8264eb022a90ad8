#!/usr/bin/env bash
# check, run and the first step of a script name bodies that start inside a solid mesh; the same mesh as a wall holds them without a word.
. "$(dirname "$0")/../support/cli.sh"

cat > vessel.lua <<'LUA'
return {
  params = { solid = false, inwards = false },
  world = { dt = 1e-3, gravity = { 0, 0, -9.81 } },
  setup = function(w, p)
    local points, triangles = {}, { { 1, 3, 4 }, { 1, 4, 2 }, { 5, 6, 8 }, { 5, 8, 7 }, { 1, 2, 6 }, { 1, 6, 5 }, { 3, 7, 8 }, { 3, 8, 4 },
      { 1, 5, 7 }, { 1, 7, 3 }, { 2, 4, 8 }, { 2, 8, 6 } }
    for k = 0, 7 do points[k + 1] = { k % 2, k // 2 % 2, k // 4 } end
    if p.inwards then for _, t in ipairs(triangles) do t[2], t[3] = t[3], t[2] end end
    w:pair { "default", "default", mu = 0.5 }
    w:mesh { name = "drum", points = points, triangles = triangles, solid = p.solid }
    w:fill { region = { min = { 0.1, 0.1, 0.1 }, max = { 0.9, 0.9, 0.3 } }, spacing = 0.1, radius = 0.04 }
  end,
  stop = { time = 0.3 },
  report = function(w) return { { "held", w:count { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } } } }, { "all", w:count() } } end,
}
LUA
grains=$("$scree" run -o wall vessel.lua 2> err | awk '/^all/ { print $2 }')
[ -n "$grains" ] && [ "$grains" -gt 50 ] || fail "no grains"
grep -q warning err && fail "a wall is warned of: $(cat err)"
"$scree" run -o inwards vessel.lua inwards=true 2> err | grep -q "^held *$grains\$" || fail "a wall whose triangles look inwards holds not all"
grep -q warning err && fail "a wall is warned of: $(cat err)"
words="$grains grains start inside the solid mesh 'drum'; without solid = true it would be a wall"
"$scree" run -o solid vessel.lua solid=true > out 2> err
grep -qF "scree: warning: $words" err || fail "run: $(cat err)"
"$scree" check vessel.lua solid=true > out || fail "check ends with $?"
grep -qF "advice            $words" out || fail "check: $(cat out)"
"$scree" check vessel.lua > out; grep -q "advice" out && fail "check of a wall: $(cat out)"
"$scree" check --json vessel.lua solid=true inwards=true > out || fail "check --json ends with $?"
grep -qF "\"start\": [\"$words" out || fail "json: $(cat out)"
grep -qF "12 of 12 triangles of the solid mesh 'drum' were turned to look outwards" out || fail "turned: $(cat out)"

cat > plain.lua <<'LUA'
local w = require "scree".world { dt = 1e-3 }
w:box { name = "block", kind = "fixed", size = { 1, 1, 1 } }
w:sphere { radius = 0.1, position = { 0.25, -0.125, 0 } }
w:step(2)
w:step(2)
LUA
"$scree" lua plain.lua 2> err || fail "lua ends with $?"
[ "$(grep -c "1 grain starts inside the box 'block'" err)" = 1 ] || fail "lua: $(cat err)"
has err "(first: body 2 at (0.25, -0.125, 0))"
sed -i 's/radius = 0.1,/radius = 0.1, name = "ball",/' plain.lua
"$scree" lua plain.lua 2> err || fail "lua ends with $?"
has err "(first: 'ball' at (0.25, -0.125, 0))"
exit $failed
