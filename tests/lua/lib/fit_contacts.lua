-- Contacts and worlds as features that a stepper and a solver must support or refuse: each function builds a world by
-- `open(extra, pair)`, steps it by `run(w, seconds)` and asserts closed forms. `soft` is the depth that contacts may have [m].
local check = require "check"
local within = check.within
local contacts = {}

local function ground(w, extra)
  local def = { normal = { 0, 0, 1 } }
  for key, value in pairs(extra or {}) do def[key] = value end
  return w:halfspace(def)
end
local function height(body) return (select(3, body:position())) end
-- The body rests at height z and carries its weight of 1 kg.
local function rests(w, body, z, soft)
  within(height(body), z, soft + 1e-6, "height at rest")
  within(select(3, body:velocity()), 0, 1e-3, "speed at rest")
  within(w:forces_on(body)[3], 10, 0.02, "force of the ground")
end

-- each kind of shape rests on a half-space, a box and a mesh
local flat = { -0.1, 0.1 }
local function cube()
  local points = {}
  for _, x in ipairs(flat) do
    for _, y in ipairs(flat) do
      for _, z in ipairs(flat) do points[#points + 1] = { x, y, z } end
    end
  end
  return points
end
local across = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }
local shapes = {
  sphere = { "sphere", { radius = 0.1 }, 0.1 },
  box = { "box", { size = { 0.3, 0.2, 0.2 } }, 0.1 },
  capsule = { "capsule", { radius = 0.1, length = 0.2, orientation = across }, 0.1 },
  cylinder = { "cylinder", { radius = 0.1, length = 0.2 }, 0.1 },
  cone = { "cone", { radius = 0.15, length = 0.2 }, 0.05 },
  ellipsoid = { "ellipsoid", { size = { 0.3, 0.3, 0.2 } }, 0.1 },
  superellipsoid = { "superellipsoid", { size = { 0.3, 0.3, 0.2 }, e1 = 0.5, e2 = 0.5 }, 0.1 },
  hull = { "hull", { points = cube() }, 0.1 },
  clump = { "body", { shapes = {
    { type = "sphere", radius = 0.1, position = { -0.1, 0, 0 } }, { type = "sphere", radius = 0.1, position = { 0.1, -0.1, 0 } },
    { type = "sphere", radius = 0.1, position = { 0.1, 0.1, 0 } } } }, 0.1 },
}
local grounds = {
  halfspace = ground,
  box = function(w) return w:box { size = { 4, 4, 1 }, position = { 0, 0, -0.5 }, kind = "fixed" } end,
  mesh = function(w)
    return w:mesh { points = { { -2, -2, 0 }, { 3, -2, 0 }, { 3, 3, 0 }, { -2, 3, 0 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } }, kind = "fixed" }
  end,
}
for name, shape in pairs(shapes) do
  contacts["shape_" .. name] = function(open, run, soft)
    for under, lay in pairs(grounds) do
      if name ~= "hull" or under ~= "mesh" then
        local w = open()
        lay(w)
        local def = { mass = 1, position = { 0.1, 0.2, 0 } }
        for key, value in pairs(shape[2]) do def[key] = value end
        local body = w[shape[1]](w, def)
        body:set_position(0.1, 0.2, shape[3])
        run(w, soft > 1e-4 and 0.04 or 0.01)
        rests(w, body, shape[3], soft)
      end
    end
  end
end

-- a ball that slides at first rolls at 5/7 of its speed
function contacts.rolling_ball(open, run, soft)
  local w = open(nil, { mu = 0.5 })
  ground(w)
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 }, velocity = { 0.7, 0, 0 } }
  run(w, 0.3)
  within(ball:velocity(), 0.5, 2e-3, "speed of a ball that came to roll")
  within(height(ball), 0.1, soft + 1e-6, "height")
end

-- a box that slides stops after v^2 / (2 mu g)
function contacts.sliding_box(open, run, soft)
  local w = open(nil, { mu = 0.4 })
  ground(w)
  local block = w:box { size = { 0.4, 0.4, 0.1 }, mass = 1, position = { 0, 0, 0.05 }, velocity = { 0.4, 0, 0 } }
  run(w, 0.2)
  within((block:position()), 0.02, 5e-4, "way of a sliding box")
  within(block:velocity(), 0, 1e-3, "speed")
  within(height(block), 0.05, soft + 1e-4, "height")
end

function contacts.planar(open, run)
  local w = open({ plane = { 0, 1, 0 } }, { mu = 0.5 })
  ground(w)
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 }, velocity = { 0.7, 0, 0 } }
  run(w, 0.3, function() ball:apply { force = { 0, 5, 0 } } end)
  within(ball:velocity(), 0.5, 2e-3, "speed of a ball that came to roll")
  within(select(2, ball:position()), 0, 1e-12, "out of the plane")
end

function contacts.belt(open, run)
  local w = open(nil, { mu = 0.3 })
  w:box { kind = "fixed", size = { 4, 4, 0.2 }, position = { 0, 0, -0.1 }, surface_velocity = { 0.5, 0, 0 } }
  local block = w:box { size = { 0.2, 0.2, 0.1 }, mass = 1, position = { 0, 0.5, 0.05 } }
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, -0.5, 0.1 } }
  run(w, 0.1)
  within(block:velocity(), 0.3, 3e-3, "a box slides on a belt")
  within(ball:velocity(), 1 / 7, 2e-3, "a ball rolls on a belt")
  run(w, 0.1)
  within(block:velocity(), 0.5, 1.5e-3, "a box rides on a belt")
end

function contacts.spinning_surface(open, run)
  local w = open(nil, { mu = 1 })
  w:cylinder { kind = "fixed", radius = 2, length = 0.2, position = { 0, 0, -0.1 }, surface_spin = { 0, 0, 0.5 } }
  local block = w:box { size = { 0.1, 0.1, 0.1 }, mass = 1, position = { 1, 0, 0.05 } }
  run(w, 0.3)
  within(select(2, block:velocity()), 0.5 * math.cos(0.15), 0.03, "speed of a box on a turning table")
  within(select(3, block:spin()), 0.5, 0.02, "spin of a box on a turning table")
end

function contacts.kinematic(open, run, soft)
  local w = open(nil, { mu = 0.5 })
  local plate = w:box { kind = "kinematic", size = { 2, 2, 0.2 }, position = { 0, 0, -0.1 }, velocity = { 0.2, 0, 0.1 } }
  local block = w:box { size = { 0.2, 0.2, 0.1 }, mass = 1, position = { 0, 0, 0.05 } }
  run(w, 0.5)
  within((plate:position()), 0.1, 1e-9, "way of the plate")
  within(block:velocity(), 0.2, 2e-3, "speed of a box on the plate")
  within(height(block), 0.1, soft + 1e-4, "height of a box on a rising plate")
end

-- bodies meet through the faces of a periodic cell
function contacts.cell(open, run)
  local w = open { gravity = { 0, 0, 0 }, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  local a = w:sphere { radius = 0.1, mass = 1, position = { 0.15, 0.5, 0.5 }, velocity = { -1, 0, 0 } }
  local b = w:sphere { radius = 0.1, mass = 1, position = { 0.85, 0.5, 0.5 }, velocity = { 1, 0, 0 } }
  run(w, 0.3)
  assert(a:velocity() > -0.2 and b:velocity() < 0.2, "balls stop each other at the faces")
  within(a:velocity() + b:velocity(), 0, 1e-9, "momentum")
end

-- a ball touches an image that moves relative to it by 1 m/s per metre of height, and slides on the image
function contacts.sheared_cell(open, run)
  local w = open({ gravity = { 0, 0, 0 }, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }, { mu = 0.02 })
  local low = w:sphere { radius = 0.1, mass = 1, position = { 0.5, 0.11, 0.5 }, velocity = { 0, -1, 0 } }
  local high = w:sphere { radius = 0.1, mass = 1, position = { 0.5, 0.89, 0.5 }, velocity = { 0, 1, 0 } }
  w:cell():set_velocity_gradient { { 0, 1, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  local struck
  run(w, 0.05, nil, function()
    for _, c in ipairs(w:contacts()) do
      local p, n = c.impulse, c.normal
      local push = p[1] * n[1] + p[2] * n[2] + p[3] * n[3]
      local drag = (p[1] - push * n[1]) * (c.body1 == high and 1 or -1)
      if push > 0.1 then
        struck = push
        within(drag, 0.02 * push, 1e-4, "friction of the image that moves")
      end
    end
  end)
  within(struck, 1, 0.02, "impulse of the impact")
  within(low:velocity() + high:velocity(), 0, 1e-9, "momentum")
end

-- two balls in a cell are a body-centred crystal, which carries the stress
function contacts.stressed_cell(open, run)
  local edge = 0.4 / math.sqrt(3) + 0.0005
  local w = open { gravity = { 0, 0, 0 }, cell = { size = { edge, edge, edge }, periodic = { true, true, true } } }
  for i = 0, 1 do w:sphere { radius = 0.1, mass = 1, position = { i * edge / 2, i * edge / 2, i * edge / 2 } } end
  w:cell():set_stress { { 100, false, false }, { false, 100, false }, { false, false, 100 } }
  run(w, 0.3)
  for k = 1, 3 do within(w:cell():stress()[k][k], 100, 1, "stress of a crystal") end
end

-- two balls drawn apart
function contacts.cohesion(open, run)
  local w = open({ gravity = { 0, 0, 0 } }, { mu = 0.3, cohesion = 10 })
  w:sphere { radius = 0.1, position = { 0, 0, 0 }, kind = "fixed" }
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0.2, 0, 0 } }
  run(w, 0.1, function() ball:apply { force = { 9, 0, 0 } } end)
  within((ball:position()), 0.2, 1e-3, "cohesion of 10 N holds against 9 N")
  run(w, 0.1, function() ball:apply { force = { 14, 0, 0 } } end)
  assert(ball:position() > 0.21, "cohesion of 10 N yields to 14 N")
end

-- contacts with torsional and rolling friction: decay of spin about the normal and of rolling
function contacts.torsion(open, run)
  local w = open(nil, { mu = 0.5, torsion = 0.01 })
  ground(w)
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 }, spin = { 0, 0, 20 } }
  run(w, 0.1)
  within(select(3, ball:spin()), 20 - 0.01 * 10 / 0.004 * 0.1, 0.05, "spin that torsional friction slows down")
end
function contacts.rolling(open, run)
  local w = open(nil, { mu = 0.5, rolling = 0.01 })
  ground(w)
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 }, velocity = { 1, 0, 0 }, spin = { 0, 10, 0 } }
  run(w, 0.1)
  -- m v' = -M / (7/5 R), M = rolling m g
  within(ball:velocity(), 1 - 0.01 * 10 / (1.4 * 0.1) * 0.1, 2e-3, "speed that rolling friction slows down")
end
function contacts.rolling_capsule(open, run, soft)
  local w = open(nil, { mu = 0.5, rolling = 0.05 })
  ground(w)
  local log = w:capsule { radius = 0.1, length = 0.4, mass = 1, position = { 0, 0, 0.1 }, orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 } }
  run(w, 0.1, function() log:apply { force = { 2, 0, 0 } } end) -- rolling friction holds up to 0.05 10 / 0.1 = 5 N
  within((log:position()), 0, soft + 1e-6, "a log that rolling friction holds")
end

function contacts.restitution(open, run)
  local w = open({ gravity = { 0, 0, 0 } }, { mu = 0, restitution = 0.5 })
  ground(w)
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.15 }, velocity = { 0, 0, -1 } }
  run(w, 0.1)
  within(select(3, ball:velocity()), 0.5, 1e-6, "speed of rebound")
end
function contacts.tangential_restitution(open, run)
  local w = open({ gravity = { 0, 0, 0 } }, { mu = 10, restitution = 1, tangential_restitution = 1 })
  ground(w)
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.15 }, velocity = { 1, 0, -1 } }
  run(w, 0.1)
  within(select(3, ball:velocity()), 1, 1e-6, "speed of rebound")
  within(({ ball:velocity() })[1] + 0.1 * ({ ball:spin() })[2] * -1, -1, 1e-2, "slip of a superball turns round")
end

function contacts.sleep(open, run)
  local w = open { sleep = 1e-3 }
  ground(w)
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 } }
  run(w, 0.1)
  assert(w:report().asleep == 1, "a ball at rest falls asleep")
  run(w, 0.1, function() ball:apply { force = { 5, 0, 0 } } end)
  within(ball:velocity(), 5 / 1.4 * 0.1, 0.02, "a ball that was woken rolls off")
end

-- the losses of contacts contain the energy that a sliding box loses
function contacts.losses(open, run)
  local w = open({ losses = true }, { mu = 0.4 })
  ground(w)
  w:box { size = { 0.4, 0.4, 0.1 }, mass = 1, position = { 0, 0, 0.05 }, velocity = { 0.4, 0, 0 } }
  local sum = 0
  run(w, 0.2, nil, function()
    for _, c in ipairs(w:contacts()) do sum = sum + c.lost end
  end)
  within(sum, 0.5 * 0.4 ^ 2, 0.01 * 0.08, "energy that contacts took")
end

function contacts.reuse_contacts(open, run, soft)
  local w = open({ substeps = 4, reuse_contacts = true }, { mu = 0.4 })
  ground(w)
  local block = w:box { size = { 0.4, 0.4, 0.1 }, mass = 1, position = { 0, 0, 0.05 }, velocity = { 0.2, 0, 0 } }
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 1, 0.105 } }
  run(w, 0.08)
  within((block:position()), 0.005, 2.5e-4, "way of a sliding box")
  within(height(block), 0.05, soft + 1e-4, "height of the box")
  within(height(ball), 0.1, soft + 1e-3, "height of the ball")
end

return contacts
