#!/usr/bin/env bash
# What a script may use: CPU time of the engine is not the script's, plain scripts have no cap unless asked, bodies are counted.
. "$(dirname "$0")/../support/cli.sh"

# setup fills a world: many times the script's cap in CPU time, all of it the engine's
cat > fill.lua <<'LUA'
return {
  world = { dt = 1e-4 },
  setup = function(w)
    local placed = 0
    for i = 0, 3 do
      placed = placed + w:fill { region = { min = { 0, 0, 100 * i }, max = { 60, 60, 100 * i + 60 } }, spacing = 1, radius = 0.4, limit = 125000 }
    end
    assert(placed == 500000, placed)
  end,
  stop = { steps = 1 },
}
LUA
"$scree" check --callback-time 0.04 fill.lua > out 2> err || fail "fill in setup: $(cat err)"
grep -q 'bodies  *500000' out || fail "bodies of fill: $(cat out)"

# bodies one by one, each by a verb
cat > spheres.lua <<'LUA'
return { world = { dt = 1e-3 }, stop = { steps = 1 }, setup = function(w) for i = 1, 30000 do w:sphere { radius = 0.1, position = { i, 0, 0 } } end end }
LUA
"$scree" check --callback-time 0.2 spheres.lua > out 2> err || fail "spheres one by one: $(cat err)"

# the module that cuts meshes: its work in Lua counts as the engine's
cat > cut.lua <<'LUA'
local n, points, triangles = 24, {}, {}
local function at(i, j) return (i % n) * n + j % n + 1 end
for i = 0, n - 1 do
  for j = 0, n - 1 do
    local a, b = 2 * math.pi * i / n, 2 * math.pi * j / n
    local r = 1 + 0.4 * math.cos(b)
    points[#points + 1] = { r * math.cos(a), r * math.sin(a), 0.4 * math.sin(b) }
    triangles[#triangles + 1] = { at(i, j), at(i + 1, j), at(i + 1, j + 1) }
    triangles[#triangles + 1] = { at(i, j), at(i + 1, j + 1), at(i, j + 1) }
  end
end
return {
  world = { dt = 1e-3 },
  setup = function(w) require "scree.decompose".body(w, { points = points, triangles = triangles, parts = 24, tolerance = 0.001 }) end,
  stop = { steps = 1 },
}
LUA
"$scree" check --callback-time 0.1 cut.lua > out 2> err || fail "decompose in setup: $(cat err)"

# a plain script has no cap unless asked; the script's own time still counts in a scene
echo 'local x = 0 for i = 1, 400000000 do x = x + i end print(x)' > long.lua
"$scree" lua long.lua > out 2> err || fail "a long plain script: $(cat err)"
"$scree" lua --callback-time 0.1 long.lua > out 2> err; [ $? = 3 ] || fail "--callback-time of a plain script: $(cat out err)"
echo 'return { world = { dt = 1e-3 }, stop = { steps = 1 }, setup = function(w) while true do w:time() end end }' > loop.lua
"$scree" check --callback-time 0.1 loop.lua > out 2> err
grep -q 'the script used more than 0.1 s' err || fail "a loop in setup: $(cat err)"

# an error inside a verb does not leave the script's own time uncounted
cat > leave.lua <<'LUA'
local w = scree.world {}
pcall(w.sphere, w, setmetatable({}, { __index = function() error("no", 0) end, __pairs = error }))
pcall(w.step, w, "x")
while true do end
LUA
"$scree" lua --callback-time 0.1 leave.lua > out 2> err
grep -q 'the script used more than 0.1 s' err || fail "after an error in a verb: $(cat err)"

exit $failed
