-- Structures stand with the default solver "auto": towers, a heavy box on top, a slab on balls, a brick wall; most of their steps change
-- nothing; the same bits with any number of threads; tolerance 0 means exactly the given number of sweeps.
local scree = require "scree"
local mu = 0.5

local function world(options)
  options = options or {}
  options.solver = options.solver or { name = "auto" }
  options.dt = options.dt or 1e-3
  local w = scree.world(options)
  w:pair { "default", "default", mu = mu }
  w:halfspace { normal = { 0, 0, 1 } }
  return w
end

local stacks = require "stacks"
local tower, slab, wall = stacks.tower, stacks.slab, stacks.wall

-- the farthest that any body has moved, the steps above the tolerance, and those that needed new impulses
local function stand(w, bodies, length, steps)
  local start, farthest, unmet, solved = {}, 0, 0, 0
  for i, b in ipairs(bodies) do start[i] = { b:position() } end
  for _ = 1, steps do
    w:step()
    local r = w:report()
    if r.residual > 1.001e-6 * 9.81e-3 then unmet = unmet + 1 end
    if r.iterations > 0 then solved = solved + 1 end
  end
  for i, b in ipairs(bodies) do
    local x, y, z = b:position()
    local s = start[i]
    farthest = math.max(farthest, ((x - s[1]) ^ 2 + (y - s[2]) ^ 2 + (z - s[3]) ^ 2) ^ 0.5)
  end
  return farthest / length, unmet, solved
end

for _, case in ipairs {
  { "tower of 10", tower, 10, 1, 500 }, { "tower of 20", tower, 20, 1, 200 }, { "top 100 times heavier", tower, 5, 100, 300 },
  { "top 10000 times heavier", tower, 5, 1e4, 500 }, { "slab of 10000 kg on balls", slab, 1e4, nil, 300 }, { "wall", wall, 5, 5, 200 }, { "wall of 100 bricks", wall, 10, 10, 300 },
} do
  local w = world()
  local bodies, length = case[2](w, case[3], case[4])
  local moved, unmet, solved = stand(w, bodies, length, case[5])
  assert(moved < 1e-6, string.format("%s: moved by %.2g", case[1], moved))
  assert(unmet == 0, string.format("%s: %d steps above the tolerance", case[1], unmet))
  -- under a very heavy top, what is lighter tips within a few steps where impulses stay as they are
  assert(solved <= (case[4] == 1e4 and 0.5 or 0.1) * case[5], string.format("%s: %d steps at rest needed new impulses", case[1], solved))
end

-- the same bits on one thread and four
local hash
for _, threads in ipairs { 1, 4 } do
  local w = world { threads = threads }
  tower(w, 8, 3)
  w:sphere { radius = 0.05, position = { 1, 0, 0.3 } }
  w:step(100)
  assert(not hash or hash == w:hash(), "bits depend on threads")
  hash = w:hash()
end

-- tolerance 0: exactly the sweeps, and the bits of sweeps alone
local function swept(name)
  local w = world { solver = { name = name, iterations = 7, tolerance = 0 } }
  tower(w, 4, 1)
  w:step(20)
  assert(w:report().iterations == 7)
  return w:hash()
end
assert(swept("auto") == swept("nbgs"), "tolerance 0 means sweeps")

-- a law that newton does not support is solved by sweeps
local w = world()
w:pair { "default", "default", mu = mu, law = "max_dissipation" }
tower(w, 3, 1)
w:step(5)

-- A heap of balls in a corner, the top one heavy. Islands contain only balls, and sweeps do not converge on them.
do
  local heap = world { solver = { name = "auto", iterations = 20 } }
  heap:halfspace { normal = { 1, 0, 0.5 } }
  heap:halfspace { normal = { 0, 1, 0.5 } }
  for i = 0, 11 do heap:sphere { radius = 0.05, position = { 0.06 + 0.09 * (i % 2), 0.06 + 0.09 * (i // 2 % 2), 0.06 + 0.09 * (i // 4) }, mass = i == 11 and 1000 or 1 } end
  heap:step(200)
  local r = heap:report()
  assert(r.penetration < 1e-4 and r.residual < 1e-4, "a heap in a corner")
end

-- position problems of shapes other than balls get at least 40 sweeps, for any number of iterations
local function shaken(corrections)
  local w = world { solver = { name = "auto", iterations = 20, correction_iterations = corrections } }
  w:pair { "default", "default", mu = 0.1, mu_static = 0.2 } -- which newton does not take
  for i = 0, 26 do w:capsule { radius = 0.02, length = 0.03, position = { 0.04 * (i % 3), 0.04 * (i // 3 % 3), 0.03 + 0.05 * (i // 9) }, orientation = { math.cos(i), math.sin(i), 0, 0 } } end
  w:step(60)
  return w:hash()
end
assert(shaken(4) == shaken(40) and shaken(4) ~= shaken(80), "sweeps of positions")

-- a wall at rest next to poured grains is not swept with them: it does not move, on any number of threads
hash = nil
for _, threads in ipairs { 1, 3 } do
  local w = world { threads = threads }
  local bricks = wall(w, 4, 4)
  w:step(3)
  for i = 0, 19 do w:sphere { radius = 0.02, position = { 0.045 * (i % 3), 1 + 0.045 * (i // 3 % 3), 0.03 + 0.05 * (i // 9) }, velocity = { 0.05 * math.sin(i), 0, 0 } } end
  local moved = stand(w, bricks, 0.2, 100)
  assert(moved < 1e-9, "a wall beside grains")
  assert(not hash or hash == w:hash(), "bits depend on threads")
  hash = w:hash()
end

-- many towers stand, too, whose contacts are in bundles: each tower is an island
do
  local w, boxes = world(), {}
  for i = 0, 1049 do
    for _, b in ipairs(tower(w, 5, 1, 0.3 * (i % 35), 0.3 * (i // 35))) do boxes[#boxes + 1] = b end
  end
  local moved = stand(w, boxes, 0.1, 5)
  local r = w:report()
  assert(r.contacts > 20000 and r.solved.newton == 1050 and r.solved.untouched == 4, "islands of a large problem")
  assert(moved < 1e-9, "1050 towers")
end

-- a wall of 790 bricks, 20 layers of half a metre that hang together in one island, in steps of 1/60 s: the first step finds its forces, later ones keep
-- them; sweeps alone let it sway
do
  local w, bricks = world { dt = 1 / 60 }, {}
  for z = 0, 19 do
    for i = 0, 39 - z % 2 do bricks[#bricks + 1] = w:box { size = { 1, 0.5, 0.5 }, position = { i * 1.01 + z % 2 * 0.5, 0, 0.25 + 0.5 * z } } end
  end
  local moved = stand(w, bricks, 1, 20)
  assert(moved < 1e-9, "a large wall moved by " .. moved)
  assert(w:report().solved.newton >= 1 and w:report().solved.untouched >= 15, "a large wall is solved anew")
end
