-- Rays per second on a mesh of 1e5 triangles: processor time of w:rays less that of the same rays in a world that holds nothing, each the
-- shortest of 25 calls (others' work on the machine makes some of them longer).
-- usage: scree lua --trust tests/bench/rays.lua [threads=N]       N, C in the environment: the terrain's side in squares, rays a call
local scree = require "scree"
local obstacle = require "scree.obstacle"
local threads = tonumber((arg and arg[1] or ""):match "threads=(%d+)") or 1
local n, count = tonumber(os.getenv "N") or 224, tonumber(os.getenv "C") or 50000
local function height(x, y) return 0.05 * math.sin(20 * x) * math.cos(17 * y) + 0.002 * math.random() end
local from, direction = {}, {}
for i = 1, count do
  from[i] = { math.random(), math.random(), 0.5 }
  direction[i] = { math.random() - 0.5, math.random() - 0.5, -0.5 }
end
local function time(mesh)
  local w = scree.world { gravity = { 0, 0, 0 }, threads = threads }
  if mesh then obstacle.terrain(w, { min = { 0, 0 }, max = { 1, 1 }, squares = n, height = height }) end
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
print(("%d triangles, %d rays, %d met: %.2e rays a second of processor time (%.2e with the tables of Lua)"):format(2 * n * n, count, met, count / (full - empty), count / full))
