-- The scenes of the golden hashes: small worlds that between them pass through every law, stepper, shape and joint, the first-order solvers and lemke.
-- Each is a table: name, world, setup(w), and where it needs one update(w, step) before each step. The `threaded` scene is large
-- enough for every stage to use the threads it is given, and short, because threads without cores of their own wait for each other;
-- the others use threads only when run.lua is told to.
local scree = require "scree"
local inflow = require "scree.inflow"
local obstacle = require "scree.obstacle"

local list = {}
local function scene(name, world, setup, update, steps)
  world.gravity = world.gravity or { 0, 0, -9.81 }
  list[#list + 1] = { name = name, world = world, setup = setup, update = update, steps = steps or 500 }
end

-- A tray with walls on four sides, and one pair for everything in it.
local function tray(w, side, pair)
  pair = pair or {}
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  obstacle.walls(w, { min = { 0, 0, 0 }, max = { side, side, 1 }, open = { "+z" } })
end

-- Grains on a lattice with random velocities; n of them along each edge of the tray.
local function pour(w, n, layers, more)
  local def = { region = { min = { 0, 0, 0 }, max = { 0.01 * n, 0.01 * n, 0.01 * layers } }, spacing = 0.01, radius = 0.0045, jitter = { 0.2, 0.2, 0.2 } }
  for key, value in pairs(more or {}) do def[key] = value end
  return w:fill(def)
end

local function solver(name, iterations, tolerance) return { name = name, iterations = iterations, tolerance = tolerance or 1e-9 } end

-- ---- beds of grains ----

scene("threads", { dt = 5e-4, solver = solver("nbgs", 2) }, function(w)
  tray(w, 0.12, { mu = 0.4 })
  pour(w, 12, 8, { radius = 0.0048, radius_max = 0.00499, spacing = 0.01 })
end)
list[1].threaded, list[1].steps = true, 100

scene("spheres", { dt = 5e-4, solver = solver("nbgs", 10) }, function(w)
  tray(w, 0.06, { mu = 0.4 })
  pour(w, 6, 5, { radius = 0.004, radius_max = 0.0048 })
end)

scene("wet_spheres", { dt = 5e-4, solver = solver("nbgs", 10) }, function(w)
  tray(w, 0.06, { mu = 0.4, cohesion_law = "capillary", volume = 2e-9, contact_angle = 0.3, tension = 0.07 })
  pour(w, 6, 4, { radius = 0.003, radius_max = 0.0048 })
end)

scene("capsules", { dt = 5e-4, solver = solver("nbgs", 8) }, function(w)
  tray(w, 0.06, { mu = 0.5 })
  pour(w, 6, 3, { shape = { type = "capsule", radius = 0.0025, length = 0.004 } })
end)

scene("polydisperse", { dt = 5e-4, solver = solver("nbgs", 8) }, function(w)
  tray(w, 0.06, { mu = 0.3 })
  for k = 1, 3 do w:sphere { radius = 0.01, position = { 0.015 * k, 0.02 + 0.007 * k, 0.05 } } end
  pour(w, 6, 3, { radius = 0.001, radius_max = 0.0045 })
end)

scene("rolling_spheres", { dt = 5e-4, solver = solver("nbgs", 10) }, function(w)
  tray(w, 0.06, { mu = 0.4, rolling = 0.0004, torsion = 0.0002 })
  pour(w, 6, 4, { radius = 0.003, radius_max = 0.0048, velocity = { 0.5, 0.2, 0 } })
end)

scene("in_and_out", { dt = 2e-4, solver = solver("nbgs", 10) }, function(w)
  w:pair { "default", "default", law = "max_dissipation", mu = 0.3 }
  obstacle.walls(w, { min = { 0, 0, 0 }, max = { 0.012, 0.004, 0.003 }, open = { "-x", "+x" } })
  obstacle.half_round(w, { position = { 0.006, 0.002, 0.0015 }, radius = 0.001, height = 0.003 })
  inflow.create(w, { min = { 0, 0, 0 }, max = { 0, 0.004, 0.003 }, spacing = 1e-3, radius = 0.4e-3, radius_max = 0.47e-3, speed = 0.4, jitter = 0.2 })
end, function(w, step)
  inflow.update(w)
  if step % 20 == 0 then w:remove { region = { min = { 0.012, -1, -1 } } } end
end)

-- ---- laws, on bodies whose contacts couple normal and tangent ----

local function rods(w, pair)
  tray(w, 0.05, pair)
  pour(w, 4, 2, { spacing = 0.012, shape = { type = "capsule", radius = 0.003, length = 0.005 } })
  w:body {
    position = { 0.025, 0.025, 0.04 }, spin = { 3, 1, 0 },
    shapes = { { type = "sphere", radius = 0.005, position = { -0.008, 0, 0 } }, { type = "capsule", radius = 0.002, length = 0.01, position = { 0.006, 0, 0 } } },
  }
end

for _, law in ipairs { "coulomb", "max_dissipation", "cone", "polyhedral", "frictionless", "decoupled" } do
  local pair = law == "frictionless" and { law = law } or { law = law, mu = 0.4 }
  scene("law_" .. law, { dt = 5e-4, solver = solver("nbgs", 10) }, function(w) rods(w, pair) end)
end

scene("law_weakening", { dt = 5e-4, solver = solver("nbgs", 10) }, function(w)
  rods(w, { law = "coulomb", mu = 0.2, mu_static = 0.6, weakening_speed = 0.1, weakening_slip = 0.01 })
end)

scene("law_anisotropic", { dt = 5e-4, solver = solver("nbgs", 10) }, function(w)
  rods(w, { law = "coulomb", mu = 0.2, mu2 = 0.5, cohesion = 0.001, cohesion_range = 1e-4 })
end)

scene("law_rolling", { dt = 5e-4, solver = solver("nbgs", 8) }, function(w)
  tray(w, 0.03, { law = "coulomb", mu = 0.4, torsion = 0.001, rolling = 0.0005 })
  pour(w, 2, 1, { spacing = 0.012, shape = { type = "capsule", radius = 0.003, length = 0.005 } })
  w:sphere { radius = 0.004, position = { 0.015, 0.015, 0.03 }, spin = { 3, 1, 20 } }
end)

scree.law.define {
  name = "golden_solve", params = { mu = 0.4 },
  solve = function(p, Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo)
    if bn <= 0 then return 0, 0, 0 end
    local xn, b = bn / Ann, math.sqrt(bt * bt + bo * bo)
    local cut = b > 0 and math.min(1 / Att, p.mu * xn / b) or 0
    return xn, bt * cut, bo * cut
  end,
}
scree.law.define {
  name = "golden_refresh", base = "coulomb", params = { mu = 0.3, mu_peak = 0.7, distance = 0.002 }, state = { "slip" },
  refresh = function(p, s, c)
    s.slip = s.slip + c.slip_speed * c.dt
    p.mu = math.max(p.mu, p.mu_peak + (p.mu - p.mu_peak) * s.slip / p.distance)
  end,
}
scene("law_lua_solve", { dt = 5e-4, solver = solver("nbgs", 5) }, function(w)
  tray(w, 0.03, { law = "golden_solve", mu = 0.3 })
  pour(w, 3, 1)
end)
scene("law_lua_refresh", { dt = 5e-4, solver = solver("nbgs", 8) }, function(w)
  tray(w, 0.03, { law = "golden_refresh" })
  pour(w, 3, 2)
end)

scene("bouncing", { dt = 5e-4, solver = solver("nbgs", 10) }, function(w)
  tray(w, 0.05, { mu = 0.3, restitution = 0.7 })
  pour(w, 4, 1, { jitter = { 1, 1, 1 } })
  w:capsule { radius = 0.004, length = 0.01, position = { 0.025, 0.025, 0.06 }, spin = { 5, 3, 1 } }
end)

-- ---- steppers and solvers ----

for _, law in ipairs { "hooke", "hertz" } do
  local pair = law == "hooke" and { stiffness = 1000 } or { modulus = 1e6 }
  pair.law, pair.mu, pair.damping, pair.rolling_friction = law, 0.4, 0.1, 0.05
  scene("penalty_" .. law, { dt = 5e-5, stepper = "penalty" }, function(w)
    tray(w, 0.05, pair)
    pour(w, 5, 2, { radius = 0.0049, velocity = { 0, 0, -0.5 } })
  end)
end

local function capsule_on_balls(law)
  return function(w)
    tray(w, 0.03, { law = law, mu = 0.4 })
    pour(w, 3, 2)
    w:capsule { radius = 0.003, length = 0.008, position = { 0.015, 0.015, 0.03 }, spin = { 1, 2, 3 } }
  end
end

for name, iterations in pairs { pgs = 10, apgd = 20, spg = 20 } do
  scene("solver_" .. name, { dt = 5e-4, solver = solver(name, iterations) }, capsule_on_balls "cone")
end
for name, iterations in pairs { auto = 20, newton = 40 } do
  scene("solver_" .. name, { dt = 1e-3, solver = solver(name, iterations) }, capsule_on_balls "cone", nil, 100)
end

scene("solver_lemke", { dt = 2e-3, solver = { name = "lemke", directions = 4 } }, function(w)
  w:halfspace { normal = { 0, 0, 1 } }
  for k = 1, 3 do w:sphere { radius = 0.01, position = { 0.0195 * k, 0.001 * k, 0.02 }, velocity = { -0.1, 0, 0 } } end
end)

scene("stewart_trinkle", { dt = 2e-3, stepper = "stewart_trinkle", solver = solver("nbgs", 50) }, function(w)
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  w:capsule { radius = 0.05, length = 0.4, position = { 0, 0, 0.4 }, orientation = { 0.9, 0, 0.3, 0.1 }, spin = { 0, 1, 0 } }
  w:sphere { radius = 0.05, position = { 0.2, 0, 0.3 } }
end)

scene("second_order", { dt = 2e-3, stepper = "second_order", solver = solver("nbgs", 50) }, function(w)
  w:pair { "default", "default", mu = 0.5, restitution = 0.3 }
  w:halfspace { normal = { 0, 0, 1 } }
  local block = w:box { size = { 0.1, 0.1, 0.4 }, position = { 0, 0, 0.21 }, orientation = { 0.99, 0, 0.08, 0 } }
  local bob = w:sphere { radius = 0.05, position = { 0.3, 0, 0.3 } }
  w:hinge { a = bob, b = block, at = { 0.06, 0, 0.35 }, axis = { 0, 1, 0 }, friction = 0.001 }
  w:capsule { radius = 0.03, length = 0.2, position = { -0.3, 0, 0.3 }, spin = { 0, 4, 1 } }
end)

scene("substeps", { dt = 2e-3, substeps = 3, drift_time = 0.01, solver = solver("nbgs", 8) }, function(w)
  tray(w, 0.04, { mu = 0.4 })
  pour(w, 4, 2)
end)

-- blocks of bonded balls of two sizes that hit a tray and each other, and lose bonds
scene("bonds", { dt = 5e-4 }, function(w)
  tray(w, 0.3, { mu = 0.4 })
  for block = 0, 1 do
    w:fill { region = { min = { 0.02, 0.02, 0.02 + 0.15 * block }, max = { 0.12, 0.12, 0.12 + 0.15 * block } }, spacing = 0.02, radius = 0.01 - 0.001 * block,
      velocity = { 0.1, 0.05, -2 }, group = block + 1 }
    w:bond { group = block + 1, distance = "2.1 mm", young = 1e8, ratio = 2, damping = 1e-4, strength = { edge_tension = "20 kPa", edge_shear = "30 kPa", compression = "0.2 MPa" } }
  end
end, nil, 200)

-- ---- shapes and joints ----

scene("boxes", { dt = 2e-3, solver = solver("nbgs", 20) }, function(w)
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  for k = 0, 4 do w:box { size = { 0.1, 0.08, 0.05 }, position = { 0.004 * k, 0, 0.026 + 0.052 * k }, orientation = { 1, 0, 0, 0.02 * k } } end
  w:box { size = { 0.04, 0.04, 0.04 }, position = { -0.3, 0, 0.12 }, velocity = { 1.5, 0, 0 }, spin = { 1, 2, 3 } }
end)

scene("solids", { dt = 1e-3, solver = solver("nbgs", 10) }, function(w)
  tray(w, 0.2, { mu = 0.4 })
  local function at(k) return { 0.05 + 0.04 * (k % 3), 0.05 + 0.035 * (k // 3), 0.05 + 0.01 * k } end
  w:cylinder { radius = 0.015, length = 0.03, position = at(0), spin = { 3, 0, 1 } }
  w:cone { radius = 0.02, length = 0.03, position = at(1), spin = { 0, 2, 1 } }
  w:ellipsoid { size = { 0.02, 0.012, 0.01 }, position = at(2), spin = { 1, 0, 2 } }
  local corners = { { 0.02, 0, 0 }, { -0.01, 0.017, 0 }, { -0.01, -0.017, 0 }, { 0, 0, 0.028 }, { 0.01, 0.01, 0.02 } }
  w:hull { points = corners, position = at(3), spin = { 2, 2, 0 } }
  w:box { size = { 0.02, 0.03, 0.02 }, position = at(4), spin = { 1, 1, 1 } }
  w:sphere { radius = 0.012, position = at(5) }
  w:mesh { kind = "fixed", position = { 0.1, 0.1, 0 }, points = { { -0.2, -0.2, 0.01 }, { 0.2, -0.2, 0.02 }, { 0.2, 0.2, 0 }, { -0.2, 0.2, 0.015 } },
           triangles = { { 1, 2, 3 }, { 1, 3, 4 } } }
end)

scene("capsules_on_boxes", { dt = 1e-3, solver = solver("nbgs", 10) }, function(w)
  tray(w, 0.12, { mu = 0.5 })
  for k = 0, 8 do
    local x, y = 0.02 + 0.04 * (k % 3), 0.02 + 0.04 * (k // 3)
    w:box { size = { 0.03, 0.02, 0.014 }, position = { x, y, 0.02 }, spin = { 0.5 * k, 1, 0 } }
    w:capsule { radius = 0.006, length = 0.016, position = { x, y, 0.045 }, orientation = { 0.7, 0, 0.7, 0.1 * k }, spin = { 0, 1, k - 4 } }
    w:capsule { radius = 0.004, length = 0.03, position = { x + 0.003, y - 0.002, 0.065 }, spin = { k - 4, 2, 0 } }
  end
end)

scene("joints", { dt = 1e-3, solver = solver("nbgs", 30) }, function(w)
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  local last
  for k = 1, 5 do
    local link = w:capsule { radius = 0.01, length = 0.05, position = { 0.07 * k, 0, 0.3 }, orientation = { 0.7, 0, 0.7, 0 } }
    if last then w:ball { a = link, b = last, at = { 0.07 * k - 0.035, 0, 0.3 } }
    else w:hinge { a = link, at = { 0.035, 0, 0.3 }, axis = { 0, 1, 0 }, friction = 0.001 } end
    last = link
  end
  local hand = w:box { size = { 0.05, 0.05, 0.02 }, position = { 0, 0.2, 0.1 } }
  w:slider { a = hand, at = { 0, 0.2, 0.1 }, axis = { 1, 0, 0 }, motor = { speed = 0.3, force = 5 }, limits = { -0.1, 0.05 } }
  w:universal { a = w:box { size = { 0.03, 0.03, 0.03 }, position = { 0, 0.2, 0.04 } }, b = hand, at = { 0, 0.2, 0.07 }, axis = { 1, 0, 0 }, axis_b = { 0, 1, 0 } }
end)

scene("springs", { dt = 1e-3, solver = solver("nbgs", 30) }, function(w)
  w:halfspace { normal = { 0, 0, 1 } }
  local a = w:box { size = { 0.4, 0.4, 0.2 }, mass = 2, position = { 0, 0, 0.15 } }
  local b = w:box { size = { 0.2, 0.2, 0.2 }, mass = 1, position = { 0.3, 0, 0.6 }, spin = { 0, 1, 0 } }
  local c = w:capsule { radius = 0.05, length = 0.2, mass = 1, position = { 0.6, 0, 0.6 } }
  local d = w:box { size = { 0.1, 0.1, 0.3 }, mass = 1, position = { 2, 0, 1 }, spin = { 3, 1, 2 } }
  local e = w:box { size = { 0.1, 0.1, 0.3 }, mass = 1, position = { 2, 0, 0.6 } }
  w:spring { a = b, b = a, at = { 0.3, 0, 0.6 }, at_b = { 0, 0, 0.1 }, stiffness = 3000, damping = 20 }
  w:hinge { a = c, b = b, at = { 0.4, 0, 0.6 }, axis = { 0, 1, 0 }, servo = { position = 0.5, stiffness = 50, damping = 1, force = 3 }, stiffness = 5 }
  w:fixed { a = b, at = { 0.3, 0, 0.6 }, stiffness = 1e4, damping = 10, turn_stiffness = 100 }
  w:ball { a = d, at = { 2, 0, 1.2 }, axis = { 0, 0, 1 }, limits = { -0.4, 0.5 }, swing = 0.7 }
  w:universal { a = e, b = d, at = { 2, 0, 0.8 }, axis = { 1, 0, 0 }, axis_b = { 0, 1, 0 }, limits = { -0.6, 0.6 }, second = { stiffness = 4, damping = 0.05 }, break_force = 60 }
end)

scene("turn_servos", { dt = 1e-3, solver = solver("nbgs", 30) }, function(w)
  w:halfspace { normal = { 0, 0, 1 } }
  local trunk = w:box { size = { 0.2, 0.3, 0.4 }, mass = 10, position = { 0, 0, 0.6 }, spin = { 0.3, 0.2, 1 } }
  for side = -1, 1, 2 do
    local arm = w:capsule { radius = 0.04, length = 0.3, mass = 2, position = { 0, 0.35 * side, 0.75 }, orientation = { 0.7, 0.7, 0, 0 } }
    w:ball { a = arm, b = trunk, at = { 0, 0.16 * side, 0.75 }, axis = { 0, side, 0 }, swing = 1.2,
      turn_servo = { turn = { 0.5, 0.2, 0.4 * side }, stiffness = 60, damping = 2, torque = side < 0 and 5 or nil } }
    local leg = w:box { size = { 0.1, 0.1, 0.3 }, mass = 3, position = { 0, 0.1 * side, 0.25 } }
    w:universal { a = leg, b = trunk, at = { 0, 0.1 * side, 0.4 }, axis = { 1, 0, 0 }, axis_b = { 0, 1, 0 },
      servo = { position = 0.3 * side, stiffness = 100, damping = 5, force = 20 }, second = { servo = { position = -0.2, stiffness = 100, damping = 5 } } }
  end
end)

-- across several remaps of the tilted cell
scene("sheared_cell", { dt = 1e-3, gravity = { 0, 0, 0 }, cell = { size = { 0.04, 0.04, 0.04 }, periodic = { true, true, true } },
  solver = solver("nbgs", 20) }, function(w)
  w:pair { "default", "default", mu = 0.4 }
  pour(w, 4, 4, { region = { min = { 0, 0, 0 }, max = { 0.04, 0.04, 0.04 } }, spacing = 0.01, radius = 0.0045, radius_max = 0.005 })
  w:capsule { radius = 0.003, length = 0.01, position = { 0.02, 0.02, 0.05 }, spin = { 1, 2, 3 } }
  w:cell():set_velocity_gradient { 0, 0, 8, 0, 0, 0, 0, 0, -0.2 }
end)

-- what stands, under the solver that worlds have by default
scene("brick_wall", { dt = 1e-3 }, function(w)
  w:pair { "default", "default", mu = 0.6 }
  w:halfspace { normal = { 0, 0, 1 } }
  for row = 0, 3 do
    for column = 0, 3 - row % 2 do
      w:box { size = { 0.2, 0.1, 0.1 }, position = { 0.2 * column + 0.1 * (row % 2), 0, 0.05 + 0.1 * row } }
    end
  end
  w:sphere { radius = 0.05, position = { -0.5, 0, 0.25 }, velocity = { 3, 0, 0 } }
end, nil, 300)

scene("joints_corrected", { dt = 2e-3, correct_joints = true, solver = solver("nbgs", 30) }, function(w)
  local crank = w:box { size = { 0.1, 0.02, 0.02 }, position = { 0.05, 0, 0 } }
  local rod = w:box { size = { 0.3, 0.02, 0.02 }, position = { 0.25, 0.03, 0 } }
  local ball = w:sphere { radius = 0.03, position = { 0.4, 0.03, 0 } }
  w:hinge { a = crank, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, motor = { speed = 8, force = 2 } }
  w:hinge { a = rod, b = crank, at = { 0.1, 0, 0 }, axis = { 0, 1, 0 } }
  w:slider { a = ball, at = { 0.4, 0.03, 0 }, axis = { 1, 0, 0 } }
  w:ball { a = ball, b = rod, at = { 0.4, 0.03, 0 } }
  w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -0.2 } }
  w:sphere { radius = 0.03, position = { 0.5, 0.03, 0 } }
end)

-- trees of ball joints, which go on in lanes: nine hang, others lie on the ground
scene("trees", { dt = 5e-3, solver = solver("nbgs", 20) }, function(w)
  w:halfspace { normal = { 0, 0, 1 } }
  for k = 1, 12 do
    local x = 0.5 * k
    local trunk = w:box { size = { 0.1, 0.06, 0.14 }, position = { x, 0, 0.6 }, spin = { k, 2, -k } }
    local ball = w:sphere { radius = 0.05, position = { x, 0, 0.45 } }
    local arm = w:capsule { radius = 0.02, length = 0.1, position = { x, 0.1, 0.6 }, spin = { 0, 0, 3 * k } }
    w:ball { a = ball, b = trunk, at = { x, 0, 0.5 } }
    w:ball { a = trunk, b = arm, at = { x, 0.05, 0.65 } }
    if k < 10 then w:ball { a = trunk, at = { x, 0, 0.7 } } end
  end
end, nil, 120)

-- contacts with stiffness: balls, boxes and a capsule, of all bundles
scene("stiff", { dt = 1e-3, solver = solver("nbgs", 30) }, function(w)
  w:material { name = "hard" }
  w:pair { "default", "default", mu = 0.4, contact_stiffness = 2e4, relaxation_time = 1e-3 }
  w:pair { "default", "hard", mu = 0.5, young = 1e6, poisson = 0.3, stiffness_law = "hertz" }
  w:pair { "hard", "hard", mu = 0.3, rolling = 1e-3, torsion = 1e-3, contact_stiffness = 1e4 }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, 12 do w:sphere { radius = 0.02, material = i % 3 == 0 and "hard" or nil, position = { 0.025 * (i % 3), 0.03 * (i % 2), 0.03 + 0.042 * (i // 3) } } end
  for i = 1, 10 do w:box { size = { 0.04, 0.05, 0.03 }, position = { 0.15 + 0.045 * (i % 3), 0.04 * (i % 2), 0.03 + 0.05 * (i // 3) }, spin = { i, 1, 2 } } end
  w:capsule { radius = 0.015, length = 0.08, position = { 0.1, 0.02, 0.25 }, spin = { 1, 0, 3 } }
end, nil, 200)

return list
