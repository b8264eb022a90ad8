-- The work that separates a liquid bridge is the integral of the bridge's force, with each stepper of hard contacts. This also holds if other
-- contacts of the body open and close.
local scree = require "scree"
local near = require("check").within

local R, VOLUME, TENSION, ANGLE, SPEED = 0.01, 1e-9, 0.07, 0.3, 0.01
local RUPTURE = (1 + ANGLE / 2) * (VOLUME ^ (1 / 3) + VOLUME ^ (2 / 3) / (20 * R))

local function exact()
  local sum, n = 0, 20000
  for i = 1, n do
    local s = RUPTURE * (i - 0.5) / n * math.sqrt(2 * R / VOLUME)
    sum = sum + 4 * math.pi * R * TENSION * math.cos(ANGLE) / (1 + 1.05 * s + 2.5 * s * s) * RUPTURE / n
  end
  return sum
end

-- Returns the work of a plate that leaves a heavy ball, and the dissipated energy. floor: the ball lies on a wet floor.
local function separate(stepper, dt, floor)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt, stepper = stepper }
  w:pair { "default", "default", cohesion_law = "capillary", volume = VOLUME, tension = TENSION, contact_angle = ANGLE }
  if floor then w:halfspace { normal = { 0, 0, 1 } } end
  w:sphere { radius = R, mass = 1e6, position = { 0, 0, R } }
  local plate = w:halfspace { kind = "kinematic", normal = { 0, 0, -1 }, position = { 0, 0, 2 * R } }
  w:step(2)
  local before = w:report()
  plate:set_velocity(0, 0, SPEED)
  w:step(math.floor(1.1 * RUPTURE / SPEED / dt))
  local r = w:report()
  return r.work - before.work, r.dissipated - before.dissipated
end

local work = exact()
for _, stepper in ipairs { "semi_implicit", "second_order", "stewart_trinkle" } do
  for _, floor in ipairs { false, true } do
    local name, errors = stepper .. (floor and ", on a floor" or ", alone"), {}
    for i, dt in ipairs { 1e-3, 2.5e-4 } do
      local found, lost = separate(stepper, dt, floor)
      errors[i] = math.abs(found / work - 1)
      near(lost / found, 1, 1e-6, name .. ": dissipated energy over work")
    end
    assert(errors[1] < (stepper == "second_order" and 1e-3 or 0.04), name .. ": the work is off by " .. errors[1])
    assert(errors[2] < errors[1] / 2, name .. ": a quarter of the step has the error " .. errors[2] .. " after " .. errors[1])
  end
end
