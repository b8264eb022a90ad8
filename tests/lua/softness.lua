-- solver.softness: a spring in every contact whose pair has no stiffness.
local scree = require "scree"
local G, DT = 9.81, 1e-3

local function world(softness, more)
  local def = { gravity = { 0, 0, -G }, dt = DT, solver = { softness = softness } }
  for key, value in pairs(more or {}) do def[key] = value end
  return scree.world(def)
end

-- A ball at rest overlaps by m g/k with k = m/(s dt^2): by s g dt^2.
for _, s in ipairs { 0.01, 0.1 } do
  local w = world(s)
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, position = { 0, 0, 0.1 } }
  w:step(400)
  local _, _, z = ball:position()
  local overlap = (0.1 - z) / (s * G * DT ^ 2)
  assert(math.abs(overlap - 1) < 1e-3, overlap)
end

-- A load of 1e6 weights: the stiffness is 3000 F/(4 R), so the overlap is 4 R/3000 and not 1e6 s g dt^2 = 0.1 m.
do
  local w = world(0.01)
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, position = { 0, 0, 0.1 } }
  local load = 1e6 * G * ball:mass()
  for _ = 1, 2000 do
    ball:apply { force = { 0, 0, -load } }
    w:step()
  end
  local _, _, z = ball:position()
  local overlap = (0.1 - z) / (4 * 0.1 / 3000)
  assert(math.abs(overlap - 1) < 1e-2, overlap)
end

-- The stiffness of a pair is stronger than the softness of the world.
do
  local w = world(0.5)
  w:pair { "default", "default", contact_stiffness = 1e6 }
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, position = { 0, 0, 0.1 } }
  w:step(2000)
  local _, _, z = ball:position()
  local overlap = (0.1 - z) / (ball:mass() * G / 1e6)
  assert(math.abs(overlap - 1) < 1e-3, overlap)
end

-- Grains that are pressed between walls: with the same sweeps, soft contacts balance at least three times better.
local function unbalanced(softness, threads)
  local w = world(softness, { gravity = { 0, 0, 0 }, dt = 1e-4, threads = threads })
  local servo = require "scree.servo"
  w:material { name = "wall" }
  w:pair { "wall", "default", mu = 0 }
  w:pair { "wall", "wall", mu = 0 }
  w:fill { region = { min = { 0, 0, 0 }, max = { 0.0131, 0.0131, 0.0131 } }, spacing = 2.6e-3, radius = 0.75e-3, radius_max = 1.25e-3, jitter = 0.1 }
  servo.box(w, { name = "cell", min = { 0, 0, 0 }, max = { 0.0131, 0.0131, 0.0131 }, stress = 1e4, speed = 0.3, material = "wall" })
  for _ = 1, 600 do
    servo.update(w)
    w:step()
  end
  return w:report().unbalanced_mean, w:hash()
end
local rigid = unbalanced(0)
local soft, hash = unbalanced(0.01)
assert(soft < rigid / 3, ("%g %g"):format(soft, rigid))
local _, parallel = unbalanced(0.01, 3)
assert(hash == parallel)

-- A stepper with rigid contacts refuses the key.
local ok, message = pcall(world, 0.01, { stepper = "stewart_trinkle" })
assert(not ok and message:match "softness" and message:match "semi_implicit", message)

-- A block 10 000 times as heavy as each of nine pebbles lands on them: nothing passes into anything, and no energy comes from nowhere.
do
  local w = world(0.01)
  w:halfspace { normal = { 0, 0, 1 } }
  for i = -1, 1 do
    for j = -1, 1 do w:sphere { radius = 0.01, position = { 0.04 * i, 0.04 * j, 0.01 }, density = 1000 } end
  end
  local pebble = 1000 * 4 / 3 * math.pi * 0.01 ^ 3
  local block = w:box { size = { 0.12, 0.12, 0.02 }, position = { 0, 0, 0.0301 }, mass = 1e4 * pebble }
  local start, deepest, fastest = w:report().energy, 0, 0
  for _ = 1, 500 do
    w:step()
    local r = w:report()
    deepest, fastest = math.max(deepest, r.penetration), math.max(fastest, r.max_speed)
  end
  local speed = math.sqrt(2 * G * 1e-4)
  assert(deepest < 0.2 * 0.01, deepest)
  assert(fastest < 2 * speed, fastest / speed)
  assert(w:report().energy < start + 1e-6 * 1e4 * pebble)
end

-- Hardness: a ball that lands after a flight stops, and does not sink into the ground.
for _, speed in ipairs { 1, 5, 15 } do
  local w = scree.world { gravity = { 0, 0, -G }, dt = DT }
  w:pair { "default", "default", mu = 0, hardness = 1e4 }
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.01, density = 2500, position = { 0, 0, 0.0101 } }
  w:step(50)
  ball:set_velocity { 0, 0, speed }
  local deepest, rebound = 0, 0
  local flight = math.floor(2 * speed / G / DT) - 5
  w:step(flight)
  for _ = 1, 200 do
    w:step()
    deepest, rebound = math.max(deepest, w:report().penetration), math.max(rebound, select(3, ball:velocity()))
  end
  assert(deepest < 0.02 * 0.01, ("%g: %g"):format(speed, deepest))
  assert(rebound < 0.05 * speed, ("%g: %g"):format(speed, rebound))
end

-- The overlap of bodies that were not pressed together is no elastic energy: they part as rigid bodies do, at most at max_correction.
for _, way in ipairs { "placed", "released" } do
  local w = world(0.01, { gravity = { 0, 0, 0 }, max_correction = 1e-3 })
  local a = w:sphere { radius = 0.01, position = { 0, 0, 0 } }
  local b = w:sphere { radius = 0.01, position = { 0.0125, 0, 0 } }
  local joint = way == "released" and w:fixed { a = a, b = b, at = { 0.00625, 0, 0 } }
  -- a load makes the springs: without a load contacts are rigid
  w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, -1 } }
  local pressed = w:sphere { radius = 0.01, position = { 0.5, 0, -0.99 } }
  for step = 1, 100 do
    pressed:apply { force = { 0, 0, -1 } }
    w:step()
    if joint and step == 20 then joint:remove() end
  end
  local x = b:position()
  assert(a:velocity() == 0 and w:report().kinetic < 1e-12, way)
  local parted = x - a:position() - 0.0125
  local steps = joint and 80 or 100
  assert(math.abs(parted / (1e-3 * DT * steps) - 1) < 0.02, ("%s %g"):format(way, parted / (1e-3 * DT)))
end

-- A shorter step makes the springs stiffer, 1/dt^2, and adds no energy: a ball under its weight stays at rest.
do
  local w = world(0.1)
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, position = { 0, 0, 0.1 } }
  w:step(400)
  local most = 0
  w:set_dt(DT / 100)
  for _ = 1, 1000 do
    w:step()
    local _, _, speed = ball:velocity()
    most = math.max(most, math.abs(speed))
  end
  local _, _, z = ball:position()
  assert(most < G * DT / 100, most)
  assert(math.abs((0.1 - z) / (0.1 * G * (DT / 100) ^ 2) - 1) < 1e-2, 0.1 - z)
end
