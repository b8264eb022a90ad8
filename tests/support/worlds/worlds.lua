-- Small worlds that between them hold everything a checkpoint can: makers by name, each for a world a step or two old.
local scree = require "scree"
local function of_all_kinds()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, losses = true, sleep = 1e-4, solver = { name = "nbgs", iterations = 20 } }
  w:material { name = "glass", density = 2500 }
  w:material { name = "wet", density = 1000 }
  w:pair { "glass", "glass", law = "coulomb", mu = 0.4, restitution = 0.5 }
  w:pair { "glass", "wet", law = "coulomb", mu = 0.4, torsion = 1e-3, rolling = 1e-3, cohesion_law = "capillary", volume = 1e-7, tension = 0.07 }
  w:halfspace { name = "floor", normal = { 0, 0, 1 }, material = "glass" }
  w:sphere { name = "ball", radius = 0.1, position = { 0, 0, 0.099 }, velocity = { 0.1, 0, -1 }, material = "glass", sites = { top = { 0, 0, 0.1 }, side = { 0.1, 0, 0 } } }
  w:capsule { radius = 0.05, length = 0.2, position = { 0.1, 0.1, 0.049 }, orientation = { 0.7, 0, 0.7, 0 }, material = "wet", group = 3 }
  w:superellipsoid { size = { 0.1, 0.1, 0.1 }, e1 = 0.5, e2 = 0.8, position = { 0.6, 0, 0.0999 }, material = "glass" }
  w:hull { points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.1 } }, position = { 1, 0, 0.024 }, material = "glass" }
  w:mesh { kind = "fixed", position = { 2, 0, 0 }, points = { { 0, 0, 0.1 }, { 1, 0, 0.1 }, { 0, 1, 0.1 } }, triangles = { { 1, 2, 3 } } }
  w:body { position = { 2.2, 0.2, 0.19 }, shapes = { { type = "sphere", radius = 0.1 }, { type = "box", size = { 0.1, 0.1, 0.1 }, position = { 0.1, 0, 0.05 } } } }
  local belt = w:box { kind = "fixed", size = { 1, 1, 0.1 }, position = { 4, 0, 0 } }
  belt:set_surface_velocity(0.3, 0, 0)
  w:sphere { radius = 0.05, position = { 4, 0, 0.0999 }, layer = 1, avoids = { 2 } }
  w:sphere({ radius = 1, position = { 9, 9, 9 } }):remove()
  w:step(2)
  return w
end

local function of_joints()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, correct_joints = true }
  local last = w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 1 } }
  local function link(k) return w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.2 * k, 0, 1 }, spin = { 0, 0.1, 0 } } end
  w:hinge { a = last, at = { -0.1, 0, 1 }, axis = { 0, 1, 0 }, friction = 0.1, motor = { speed = 1, force = 2 } }
  local makers = {
    { "ball", axis = { 1, 0, 0 }, swing = 0.5, limits = { -0.5, 0.5 }, turn_stiffness = 2, turn_damping = 0.1 },
    { "hinge", axis = { 0, 1, 0 }, limits = { -1, 1 }, servo = { position = 0.1, stiffness = 5, damping = 0.1, force = 3 } },
    { "slider", axis = { 1, 0, 0 }, stiffness = 100, damping = 1, rest = 0.01, break_force = 1e4 },
    { "cylindrical", axis = { 1, 0, 0 }, friction = 0.2, second = { limits = { -0.1, 0.1 } } },
    { "universal", axis = { 0, 1, 0 }, axis_b = { 0, 0, 1 }, second = { stiffness = 4, damping = 0.1 }, break_torque = 1e4 },
    { "fixed", axis = { 1, 0, 0 }, stiffness = 1e4, turn_stiffness = 100, break_tension = 100, break_bending = 10, break_energy = 5 },
    { "distance", at_b = { 1.2, 0, 1 }, limits = { 0, 0.3 } },
    { "spring", at_b = { 1.4, 0, 1 }, stiffness = 1000, damping = 2 },
    { "fixed", break_force = 1e-6 },
  }
  for k, def in ipairs(makers) do
    local b, kind = link(k), table.remove(def, 1)
    def.a, def.b, def.at = b, last, { 0.2 * k - 0.1, 0, 1 }
    w[kind](w, def)
    last = b
  end
  local a, b = link(20), link(21)
  w:hinge { a = a, at = { 4, 0, 1 }, axis = { 0, 1, 0 } }
  w:slider { a = b, at = { 4.2, 0, 1 }, axis = { 1, 0, 0 } }
  w:rack { a = a, b = b, axis = { 0, 1, 0 }, axis_b = { 1, 0, 0 }, ratio = 0.1 }
  local cart, wheel, rail = link(23), link(24), link(25)
  w:rack { a = wheel, b = rail, axis = { 0, 1, 0 }, axis_b = { 1, 0, 0 }, ratio = 0.1 } -- finds its housing later
  w:hinge { a = wheel, b = cart, at = { 4.8, 0, 1 }, axis = { 0, 1, 0 }, motor = { force = 0.1 } }
  w:slider { a = rail, b = cart, at = { 5, 0, 1 }, axis = { 1, 0, 0 } }
  w:gear { a = a, b = wheel, axis = { 0, 1, 0 }, axis_b = { 0, 1, 0 }, frame = rail }
  w:gear { a = link(27), b = link(28), axis = { 0, 1, 0 }, axis_b = { 0, 1, 0 } } -- has none
  w:step(2)
  return w
end

local function of_bonds()
  local w = scree.world { dt = 1e-4, gravity = { 0, 0, 0 } }
  w:fill { region = { min = { 0, 0, 0 }, max = { 0.4, 0.2, 0.2 } }, spacing = 0.1, radius = 0.05, jitter = { 0.1, 0.1, 0.1 }, group = 1 }
  w:bond { group = 1, distance = 0.01, young = 1e7, ratio = 2, damping = 1e-4, strength = { edge_tension = "20 kPa", shear = "30 kPa", compression = "1 MPa" } }
  w:sphere { radius = 0.1, position = { -0.1, 0.1, 0.1 }, velocity = { 5, 0, 0 } }
  w:step(2)
  return w
end

local function of_springs()
  local w = scree.world { dt = 1e-5, stepper = "penalty" }
  w:pair { "default", "default", law = "hertz", modulus = 1e6, mu = 0.4, damping = 0.1, rolling_friction = 0.05 }
  w:halfspace { normal = { 0, 0, 1 } }
  for k = 1, 3 do w:sphere { radius = 0.1, position = { 0.199 * k, 0, 0.0999 }, spin = { 0, 1, 0 } } end
  w:step(3)
  return w
end

-- A bar that slides and a pendulum whose hinge may break, under the stepper that keeps poses and velocities of a step.
local function implicit()
  local w = scree.world { dt = 1e-3, stepper = "stewart_trinkle", gravity = { 0, 0, -9.81 } }
  w:pair { "default", "default", mu = 0.3 }
  w:halfspace { normal = { 0, 0, 1 } }
  w:box { size = { 0.4, 0.1, 0.1 }, position = { 0, 0, 0.05 }, velocity = { 1, 0, 0 } }
  w:hinge { a = w:sphere { radius = 0.1, position = { 1, 0, 1 } }, at = { 1.3, 0, 1 }, axis = { 0, 1, 0 }, break_tension = 1e3 }
  w:step(2)
  return w
end

local function pressed()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 }, cell = { size = { 0.4, 0.4, 0.4 }, periodic = { true, true, true } } }
  w:fill { region = { min = { 0, 0, 0 }, max = { 0.4, 0.4, 0.4 } }, spacing = 0.2, radius = 0.0999 }
  w:cell():set_stress({ { 10, false, false }, { false, 10, false }, { false, false, 10 } }, 1)
  w:hinge { a = w:body_of(1), b = w:body_of(2), at = { 0.2, 0.1, 0.1 }, axis = { 0, 0, 1 }, image = { 0, 0, 0 } }
  w:step(2)
  return w
end

-- A sheared cell of grains that liquid holds; friction that weakens with slip, a bond that breaks, layers.
local function wet_cell()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 }, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  w:pair { "default", "default", mu = 0.3, mu_static = 0.5, weakening_slip = 0.01, cohesion_law = "capillary", volume = 1e-6, tension = 0.07 }
  local a, b = w:sphere { radius = 0.1, position = { 0.3, 0, 0.5 } }, w:sphere { radius = 0.1, position = { 0.499, 0, 0.5 }, velocity = { 0, 0.3, 0 } }
  w:box { size = { 0.2, 0.2, 0.2 }, position = { 0.95, 0, 0.5 } }
  w:capsule { radius = 0.1, length = 0.2, position = { 0.1, 0, 0.5 }, layer = 1, avoids = { 3 } }
  w:fixed { a = a, b = b, at = { 0.4, 0, 0.5 }, axis = { 1, 0, 0 }, stiffness = 1e3, damping = 1, turn_stiffness = 10, turn_damping = 0.01,
    break_tension = 50, break_shear = 50, break_bending = 1 }
  w:cell():set_velocity_gradient({ { 0, 0.3, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }, false)
  w:step(3)
  return w
end

-- Laws with states: of the script, and the springs of hertz and hooke in the world of springs.
scree.law.define { name = "tired", base = "coulomb", params = { mu = 0.3, wear = 0.1 }, state = { "slip", "age" },
  refresh = function(p, s, c) s.slip, s.age = s.slip + c.slip_speed * c.dt, s.age + 1; p.mu = p.mu / (1 + p.wear * s.slip) end }
local function tired()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, losses = true, sleep = 1e-4 }
  w:pair { "default", "default", law = "tired" }
  w:halfspace { normal = { 0, 0, 1 } }
  for k = 1, 3 do w:box { size = { 0.2, 0.2, 0.2 }, position = { 0.199 * k, 0, 0.0999 }, velocity = { 1, 0, 0 } } end
  w:step(3)
  return w
end

-- Names, places and rest, and balls that have just bounced, without a hull or mesh.
local function bounced()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, sleep = 1e-4 }
  w:material { name = "glass", density = 2500 }
  w:pair { "glass", "glass", restitution = 0.5 }
  w:halfspace { normal = { 0, 0, 1 }, material = "glass" }
  w:sphere { name = "ball", radius = 0.1, position = { 0, 0, 0.0999 }, velocity = { 0, 0, -1 }, material = "glass", sites = { top = { 0, 0, 0.1 } } }
  w:box { name = "block", size = { 0.2, 0.2, 0.2 }, position = { 0.5, 0, 0.0999 }, material = "glass", sites = { side = { 0.1, 0, 0 } } }
  w:step(1)
  return w
end

-- What is asked of a world takes memory, too.
local function measured()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 } }
  w:halfspace { normal = { 0, 0, 1 } }
  w:fill { region = { min = { 0, 0, 0 }, max = { 0.4, 0.4, 0.2 } }, spacing = 0.1, radius = 0.04, radius_max = 0.05 }
  w:insert { region = { min = { 0, 0, 0.3 }, max = { 0.4, 0.4, 0.6 } }, count = 5, radius = 0.04 }
  w:box { size = { 0.1, 0.1, 0.1 }, position = { 1, 0, 0.049 }, group = 4 }
  local moved = w:displacement {}
  moved:add()
  w:step(30)
  moved:add()
  moved:get()
  local box = { min = { 0, 0, 0 }, max = { 0.4, 0.4, 0.4 } }
  local profile = w:profile { region = box, cells = { 2, 2, 2 } }
  profile:add()
  profile:get "velocity"
  w:fields { region = box, cells = { 3, 3, 3 }, width = 0.2 }
  w:rdf { region = box, reach = 0.2, bins = 10 }
  w:stress { region = box }
  w:coordination {}
  w:force_distribution { bins = 5 }
  w:contacts()
  w:view("position"):totable()
  w:rays { from = { 0.2, 0.2, 3 }, direction = { { 0, 0, -1 }, { 0.1, 0, -1 } } }
  w:compatible_forces { }
  w:count { region = { center = { 0, 0, 0 }, radius = 0.2 } }
  return w
end

local function solved()
  local last
  for _, name in ipairs { "pgs", "apgd", "spg", "newton", "ipm", "lemke", "auto" } do
    local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, solver = { name = name } }
    w:pair { "default", "default", mu = 0.4 }
    w:halfspace { normal = { 0, 0, 1 } }
    for k = 0, 2 do w:box { size = { 0.2, 0.2, 0.1 }, position = { 0.02 * k, 0, 0.05 + 0.0999 * k } } end
    w:sphere { radius = 0.1, position = { 0.8, 0, 0.0999 }, velocity = { 0.1, 0, 0 } }
    w:step(1)
    last = w
  end
  return last
end

local function of_surfaces()
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 } }
  local p = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0.9, 0.9, 0.9 } }
  local hull = scree.geometry.hull { points = p }
  hull:spheres { count = 3, samples = 100 }
  local points, triangles = hull:lists()
  local mesh = scree.geometry.mesh { points = points, triangles = triangles, solid = true }
  w:mesh { kind = "fixed", geometry = mesh }
  w:hull { geometry = hull, position = { 0.1, 0.1, 1 } }
  w:sphere { radius = 0.1, position = { 0.3, 0.3, 0.95 } }
  require("scree.clump").from_mesh { geometry = mesh, spheres = 4 }
  w:step(2)
  return w
end

return { measured = measured, solved = solved, of_surfaces = of_surfaces, of_all_kinds = of_all_kinds, of_joints = of_joints, of_bonds = of_bonds, of_springs = of_springs, pressed = pressed, implicit = implicit,
  wet_cell = wet_cell, tired = tired, bounced = bounced }
