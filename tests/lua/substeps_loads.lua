-- Loads act in all substeps of a step, on bodies, mechanisms, bonded bodies and islands that they wake. Expected values follow from Newton's
-- laws.
local bond = require "scree.bond"
local check = require "check"
local near = check.near
local substeps = require "substep_worlds"
local world, name, COUNTS, G = substeps.world, substeps.name, substeps.COUNTS, substeps.G
local function vector(...) return { ... } end

local STEPPERS = { {}, { reuse_contacts = true }, { stepper = "stewart_trinkle" }, { stepper = "penalty" }, { sleep = 1e-3 }, { losses = true } }

for _, n in ipairs(COUNTS) do
  for _, options in ipairs(STEPPERS) do
    local what = name(n, options)
    -- a free ball and a free box; the load is gone in the step that follows
    local w = world(n, options)
    w:set_gravity { 0, 0, 0 }
    local ball, box = w:sphere { radius = 0.1, mass = 2 }, w:box { size = { 0.2, 0.2, 0.2 }, mass = 3, position = { 5, 0, 0 } }
    ball:apply { force = { 100, 0, 0 }, torque = { 0, 0, 1 } }
    box:apply { force = { 0, -30, 0 }, torque = { 0.5, 0, 0 } }
    for _ = 1, 2 do
      w:step()
      near((ball:velocity()), 100 / 2 * 4e-3, 1e-12, what .. "ball pushed")
      near(select(3, ball:spin()), 4e-3 / (0.4 * 2 * 0.01), 1e-12, what .. "ball turned")
      near(select(2, box:velocity()), -30 / 3 * 4e-3, 1e-12, what .. "box pushed")
      near((box:spin()), 0.5 * 4e-3 / (3 * 0.04 / 6), 1e-12, what .. "box turned")
    end
    -- a box hovers if its load equals its weight
    local h = world(n, options)
    local hover = h:box { size = { 1, 1, 1 }, mass = 7, position = { 0, 0, 3 } }
    for _ = 1, 20 do
      hover:apply { force = { 0, 0, 7 * G } }
      h:step()
    end
    near(select(3, hover:position()), 3, 1e-12, what .. "hovers")
  end
end

for _, n in ipairs(COUNTS) do
  -- a load wakes a sleeping body and pushes it for the whole step, with and without a cell
  local w = world(n, { sleep = 0.01 })
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  local box = w:box { size = { 1, 1, 1 }, mass = 10, position = { 0, 0, 0.5 } }
  w:step(200)
  assert(w:report().asleep == 1, "the box sleeps")
  for k = 1, 5 do
    box:apply { force = { 80, 0, 0 } }
    w:step()
    near((box:velocity()), k * (80 - 0.5 * 10 * G) / 10 * 4e-3, 1e-9, name(n) .. "woken and pushed")
  end
  local c = world(n, { gravity = { 0, 0, 0 }, cell = { size = { 4, 4, 4 }, periodic = { true, true, true } } })
  local one = c:sphere { radius = 0.1, mass = 2 }
  one:apply { force = { 100, 0, 0 } }
  c:step()
  near((one:velocity()), 0.2, 1e-12, name(n) .. "in a cell")

  -- work of loads: the energy balance closes
  local r = w:report()
  local before = r.kinetic + r.potential + r.dissipated - r.work - r.correction
  for _ = 1, 10 do
    box:apply { force = { 90, 0, 0 } }
    w:step()
  end
  r = w:report()
  near(r.kinetic + r.potential + r.dissipated - r.work - r.correction, before, 1e-11, name(n) .. "energy balance")
end

-- mechanisms: a wheel on an axle, a chain of balls that nothing touches, a pendulum that a contact touches, bonded balls
for _, n in ipairs(COUNTS) do
  for _, options in ipairs { {}, { stepper = "stewart_trinkle" }, { correct_joints = false } } do
    local what = name(n, options)
    local w = world(n, options)
    w:set_gravity { 0, 0, 0 }
    local wheel = w:cylinder { radius = 0.5, length = 0.2, mass = 4 }
    w:hinge { a = wheel, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
    local slider = w:box { size = { 1, 1, 1 }, mass = 5, position = { 9, 0, 0 } }
    local rail = w:slider { a = slider, at = { 9, 0, 0 }, axis = { 0, 1, 0 } }
    for k = 1, 10 do
      wheel:apply { torque = { 0, 0, 3 } }
      slider:apply { force = { 11, 10, 0 } }
      w:step()
      near(select(3, wheel:spin()), k * 3 * 4e-3 / (0.5 * 4 * 0.25), 1e-9, what .. "wheel")
      near(select(2, slider:velocity()), k * 10 * 4e-3 / 5, 1e-9, what .. "slider")
      near((rail:force()), -11, 1e-9, what .. "the rail holds the load")
    end
  end
  local w = world(n, { gravity = { 0, 0, 0 } })
  local links, total = {}, 0
  for i = 1, 4 do links[i] = w:sphere { radius = 0.1, mass = i, position = { 0.2 * i, 0, 0 } } end
  for i = 1, 3 do w:ball { a = links[i], b = links[i + 1], at = { 0.2 * i + 0.1, 0, 0 } } end
  local row = {}
  for i = 1, 3 do row[i] = w:sphere { radius = 0.1, mass = i, position = { 0.2 * i, 3, 0 } } end
  bond.create(w, { bodies = row, distance = 1e-6, young = 1e6, radius = 0.5 })
  for k = 1, 10 do
    links[2]:apply { force = { 0, 6, 0 } }
    row[3]:apply { force = { 0, 6, 1 } }
    w:step()
    total = 0
    for i = 1, 4 do total = total + i * select(2, links[i]:velocity()) end
    near(total, k * 6 * 4e-3, 1e-9, name(n) .. "momentum of a chain")
    total = 0
    for i = 1, 3 do total = total + i * select(2, row[i]:velocity()) end
    near(total, k * 6 * 4e-3, 1e-9, name(n) .. "momentum of bonded balls")
  end
end
