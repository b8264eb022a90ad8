-- Grippers in a world without solver settings: the load is shared by redundant contacts, so that friction
-- holds up to its limit, for every cap of the sweeps.
local scree = require "scree"
local check = require "check"

local G, DT = 9.81, 1e-3

-- A box of 1 kg between two fingers that motors press with `factor` times the holding force.
local function drop_of_box(factor, solver, steps)
  local w = scree.world { gravity = { 0, 0, -G }, dt = DT, solver = solver }
  w:pair { "default", "default", mu = 0.5 }
  local load = w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.2 }, mass = 1 }
  for _, side in ipairs { -1, 1 } do
    local finger =
      w:box { size = { 0.02, 0.08, 0.2 }, position = { 0.06 * side, 0, 0.2 }, mass = 0.2 }
    w:slider {
      a = finger,
      at = { 0.06 * side, 0, 0.2 },
      axis = { -side, 0, 0 },
      motor = { force = factor * G },
    }
  end
  w:step(steps)
  local _, _, z = load:position()
  return 0.2 - z
end

for _, cap in ipairs { false, 20, 100, 500 } do
  local solver = cap and { iterations = cap } or nil
  for _, factor in ipairs { 1.001, 1.01 } do
    check.within(drop_of_box(factor, solver, 1000), 0, 1e-8, "holds at " .. factor)
  end
  -- the net acceleration is (1 - 0.98) g; velocities change at the beginning of a step
  local time, slow = 0.4, 0.02 * G
  check.within(drop_of_box(0.98, solver, 400), slow * time * (time + DT) / 2, 1e-5, "slides at 0.98")
end

-- A capsule that lies between two pads. `share` of the friction limit is needed.
local function fall_of_capsule(share)
  local w = scree.world { gravity = { 0, 0, -10 }, dt = DT }
  w:pair { "default", "default", mu = 0.5 }
  local floor = w:box { kind = "fixed", size = { 1, 1, 0.1 }, position = { 0, 0, -0.1 } }
  local half = math.sqrt(0.5)
  local load =
    w:capsule { radius = 0.05, length = 0.2, mass = 1, orientation = { half, half, 0, 0 } }
  for _, side in ipairs { -1, 1 } do
    local pad = w:box { size = { 0.02, 0.2, 0.06 }, mass = 0.2, position = { side * 0.08, 0, 0 } }
    local force = 10 / 2 / 0.5 / share
    w:slider { a = pad, at = { side * 0.08, 0, 0 }, axis = { 1, 0, 0 }, motor = { force = -side * force } }
  end
  w:step(500)
  local before = select(3, load:position())
  floor:remove()
  w:step(500)
  return before - select(3, load:position())
end

for _, share in ipairs { 0.7, 0.95, 0.99 } do
  check.within(fall_of_capsule(share), 0, 1e-8, "a capsule is held at " .. share)
end
