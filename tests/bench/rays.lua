-- Rays per second on a mesh of 1e5 triangles: processor time of w:rays less that of the same rays in a world that holds nothing, each the
-- shortest of 25 calls (others' work on the machine makes some of them longer).
-- usage: scree lua --trust tests/bench/rays.lua [threads=N]       N, C in the environment: the terrain's side in squares, rays a call
local scree = require "scree"
local threads = tonumber((arg and arg[1] or ""):match "threads=(%d+)") or 1
local n, count = tonumber(os.getenv "N") or 224, tonumber(os.getenv "C") or 50000
local points, triangles = {}, {}
for j = 0, n do
  for i = 0, n do points[#points + 1] = { i / n, j / n, 0.05 * math.sin(20 * i / n) * math.cos(17 * j / n) + 0.002 * math.random() } end
end
for j = 0, n - 1 do
  for i = 0, n - 1 do
    local a = j * (n + 1) + i + 1
    triangles[#triangles + 1] = { a, a + 1, a + n + 2 }
    triangles[#triangles + 1] = { a, a + n + 2, a + n + 1 }
  end
end
local from, direction = {}, {}
for i = 1, count do
  from[i] = { math.random(), math.random(), 0.5 }
  direction[i] = { math.random() - 0.5, math.random() - 0.5, -0.5 }
end
local function time(mesh)
  local w = scree.world { gravity = { 0, 0, 0 }, threads = threads }
  if mesh then w:mesh { points = points, triangles = triangles } end
  local best, met = math.huge, 0
  for _ = 1, 25 do
    local start = os.clock()
    local distance = w:rays { from = from, direction = direction }
    best = math.min(best, os.clock() - start)
    met = 0
    for i = 1, count do if distance[i] < math.huge then met = met + 1 end end
  end
  return best, met
end
local full, met = time(true)
local empty = time(false)
print(("%d triangles, %d rays, %d met: %.2e rays a second of processor time (%.2e with the tables of Lua)"):format(#triangles, count, met, count / (full - empty), count / full))
