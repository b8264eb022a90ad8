-- Writes contact problems as files for `scree solve --table *.prob`.
--
--   scree lua --trust scenes/bench/problems.lua [DIRECTORY] [LAW]
--
-- The problems are a heap of capsules, a wall of boxes, a house of cards, towers with 100 times the weight on
-- top (balls, boxes), Painleve's rod, and a rope of links. Penetrations are corrected by velocities, so that
-- the problems have all kinds of biases.
local scree = require "scree"
local directory, law = arg and arg[1] or ".", arg and arg[2] or "coulomb"

local function world(dt, mu)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = dt, correction = "velocity", solver = { name = "nbgs", iterations = 200, tolerance = 1e-8 } }
  w:pair { "default", "default", law = law, mu = law ~= "frictionless" and (mu or 0.4) or nil }
  w:halfspace { normal = { 0, 0, 1 } }
  return w
end

-- a wall of boxes; successive layers are shifted by half a box
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

-- a heavy box on four light ones
local tower = world(1e-3)
for i = 0, 4 do tower:box { size = { 0.2, 0.2, 0.1 }, position = { 0.01 * i, 0, 0.05 + 0.1 * i }, mass = i == 4 and 100 or 1 } end
tower:step(20)
tower:dump_problem(directory .. "/tower.prob")

-- two pairs of leaning cards, a card across, and a pair on top, in the first step
local cards = world(1e-3, 0.6)
local lean = 0.35
local high, wide = 0.5 * math.cos(lean) + 0.01 * math.sin(lean), 0.5 * math.sin(lean) + 0.01 * math.cos(lean)
for k = 0, 2 do
  local x, z = k == 2 and 0.4 or 0.8 * k, k == 2 and 3 * high + 0.02 or high
  for side = -1, 1, 2 do
    cards:box { size = { 0.02, 0.6, 1 }, position = { x + side * wide, 0, z }, orientation = { math.cos(lean / 2), 0, -side * math.sin(lean / 2), 0 } }
  end
end
cards:box { size = { 1.2, 0.6, 0.02 }, position = { 0.4, 0, 2 * high + 0.01 } }
cards:step(10)
cards:dump_problem(directory .. "/cards.prob")

-- Painleve's rod above the threshold of friction: the tip slides into the plane and must stop at once
local rod, angle = world(1e-4, 1.5), math.rad(60)
rod:capsule { radius = 1e-3, length = 1, mass = 1, inertia = { 1 / 12, 0, 0, 1 / 12, 0, 1e-6 }, velocity = { -1, 0, 0 },
  position = { math.cos(angle) / 2, 0, math.sin(angle) / 2 + 1e-3 }, orientation = { math.cos((math.pi / 2 - angle) / 2), 0, math.sin((math.pi / 2 - angle) / 2), 0 } }
rod:dump_problem(directory .. "/painleve.prob")
