-- Writes stored problems for `scree solve --table *.prob`: a heap of capsules, a leaning wall of boxes, spheres 100:1, a rope of
-- links. Run with `scree lua --trust scenes/bench/problems.lua [DIRECTORY] [LAW]`.
local scree = require "scree"
local directory, law = arg and arg[1] or ".", arg and arg[2] or "coulomb"

local function world(dt)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = dt, solver = { iterations = 200, tolerance = 1e-8 } }
  w:pair { "default", "default", law = law, mu = law ~= "frictionless" and 0.4 or nil }
  w:halfspace { normal = { 0, 0, 1 } }
  return w
end

-- boxes in a wall, half a box apart from layer to layer
local wall = world(1e-3)
for layer = 1, 4 do
  for i = 1, 3 do wall:box { size = { 0.2, 0.2, 0.1 }, position = { 0.2 * i + 0.1 * (layer % 2), 0, 0.1 * layer - 0.05 } } end
end
wall:step(10)
wall:dump_problem(directory .. "/wall.prob")

-- a heap of capsules in free fall onto each other
local heap = world(1e-3)
for i = 0, 47 do
  heap:capsule { radius = 0.05, length = 0.1, position = { 0.13 * (i % 3), 0.26 * (i // 3 % 2), 0.1 + 0.13 * (i // 6) }, orientation = { 0.6, 0.8 * (i % 2), 0.8 * (1 - i % 2), 0 } }
end
heap:step(600)
heap:dump_problem(directory .. "/heap.prob")

-- a heavy ball on light ones
local stack = world(1e-3)
for i = 0, 8 do stack:sphere { radius = 0.1, position = { 0.21 * (i % 3), 0.21 * (i // 3), 0.1 }, mass = 1 } end
stack:sphere { radius = 0.3, position = { 0.21, 0.21, 0.48 }, mass = 100 }
stack:step(200)
stack:dump_problem(directory .. "/stack.prob")

-- links on a rope whose end drags on the floor
local rope, before = world(1e-3), nil
for i = 1, 12 do
  local link = rope:capsule { radius = 0.02, length = 0.06, position = { 0.1 * i, 0, 0.5 }, orientation = { 0.7071067811865476, 0, 0.7071067811865476, 0 } }
  rope:ball { a = link, b = before, at = { 0.1 * i - 0.05, 0, 0.5 } }
  before = link
end
rope:step(500)
rope:dump_problem(directory .. "/rope.prob")
