-- The energy balance: kinetic + potential + elastic + dissipated - work - correction is constant to rounding, whatever the world holds, and each term has the value of its closed form.
local scree = require "scree"
local check = require "check"
local G = 9.81

local function sum(r) return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction end
local function largest(r)
  local most = 0
  for _, term in ipairs { "kinetic", "potential", "elastic", "dissipated", "work", "correction" } do most = math.max(most, math.abs(r[term])) end
  return most
end

-- ---- the balance closes ----

-- Steps a world and checks the balance after each step: within 1e-12 of the largest term so far. each(step) acts between steps; energy that it brings from outside does not count.
local worst = { share = 0 }
local function closes(what, w, steps, each)
  local r = w:report()
  local start, scale = sum(r), largest(r)
  for step = 1, steps do
    if each then
      local before = sum(w:report())
      each(step)
      start = start + sum(w:report()) - before
    end
    w:step()
    r = w:report()
    scale = math.max(scale, largest(r))
    local share = scale > 0 and math.abs(sum(r) - start) / scale or 0
    if share > worst.share then worst.share, worst.what = share, what end
    if not (share <= 1e-12) then
      error(("%s, step %d: the balance is off by %.3g of its largest term (%.6g J); kinetic %.9g potential %.9g elastic %.9g dissipated %.9g work %.9g correction %.9g"):format(
        what, step, share, scale, r.kinetic, r.potential, r.elastic, r.dissipated, r.work, r.correction), 2)
    end
    if w.state.losses then
      local total = w:losses().joints + w:losses().sleep
      for _, pair in ipairs(w:losses()) do total = total + pair.energy end
      check.within(total, r.dissipated, 1e-12 * scale, what .. ": losses")
    end
  end
end

local function world(def)
  def.gravity, def.dt = def.gravity or { 0, 0, -G }, def.dt or 2e-3
  local w = scree.world(def)
  w.state.losses = def.losses
  return w
end

-- What moves by itself and touches things: a belt, a rotating drum's wall, a kinematic paddle, balls, boxes, a rod.
local function heap(w, pair)
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 }, surface_velocity = { 0.4, 0.1, 0 } }
  w:halfspace { normal = { -1, 0, 0 }, point = { 0.6, 0, 0 }, surface_velocity = { 0, 0.3, 0 } }
  w:cylinder { radius = 0.1, length = 0.3, position = { -0.2, 0, 0.12 }, orientation = { math.cos(0.8), math.sin(0.8), 0, 0 }, kind = "kinematic", spin = { 0, 5, 1 }, velocity = { 0, 0, 0.2 } }
  for i = 1, 4 do w:box { size = { 0.1, 0.08, 0.12 }, position = { 0.03 * (i % 3) + 0.1, 0.01 * (i % 4), 0.16 * i }, spin = { i, 2, 1 } } end
  for i = 1, 5 do w:sphere { radius = 0.05, position = { 0.3 + 0.01 * i, 0, 0.12 * i } } end
  w:capsule { radius = 0.03, length = 0.2, position = { -0.2, 0, 0.4 }, velocity = { 0, 0, -1 } }
end

local laws = {
  { mu = 0.3 }, { mu = 0.5, law = "max_dissipation" }, { mu = 0.5, law = "cone" }, { mu = 0.3, rolling = 0.002, torsion = 0.001 },
  { mu = 0.3, restitution = 0.6 }, { mu = 0.4, restitution = 0.5, restitution_law = "poisson" },
  { mu = 0.2, restitution = 0.9, restitution_law = "newton" }, { mu = 0.4, restitution = 0.7, tangential_restitution = 0.5 },
  { mu = 0.3, cohesion_law = "capillary", volume = 1e-8, tension = 0.5 },
}
for i, pair in ipairs(laws) do
  for _, substeps in ipairs { 1, 4 } do
    local w = world { substeps = substeps, losses = true }
    heap(w, pair)
    closes("heap, law " .. i .. ", substeps " .. substeps, w, 150)
  end
end
do
  local w = world { losses = true, correction = "velocity" }
  heap(w, { mu = 0.3, restitution = 0.4 })
  closes("correction by velocities", w, 150)
  w = world { stepper = "stewart_trinkle", solver = { name = "lemke" } }
  w:pair { "default", "default", mu = 0.3 }
  w:halfspace { normal = { 0, 0, 1 }, surface_velocity = { 0.3, 0, 0 } }
  for i = 1, 3 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.03 * i, 0, 0.12 * i - 0.05 }, velocity = { 1, 0, 0 } } end
  closes("stewart_trinkle", w, 150)
  w = world { plane = { 0, 1, 0 }, losses = true }
  w:pair { "default", "default", mu = 0.3, restitution = 0.5 }
  w:halfspace { normal = { 0, 0, 1 }, surface_velocity = { 0.3, 0, 0 } }
  for i = 1, 3 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.03 * i, 0, 0.13 * i }, velocity = { 1, 0, 0 }, spin = { 0, i, 0 } } end
  closes("planar", w, 200)
  w = world { sleep = 0.05, losses = true }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, 4 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.01 * i, 0, 0.11 * i - 0.05 }, spin = { 0, 0, 0.1 } } end
  closes("sleep", w, 300)
end
for _, law in ipairs { "hooke", "hertz" } do
  local w = world { stepper = "penalty", dt = 2e-5, losses = true }
  w:pair { "default", "default", law = law, stiffness = law == "hooke" and 1e5 or nil, modulus = law == "hertz" and 1e7 or nil, damping = 0.1, mu = 0.4 }
  w:halfspace { normal = { 0, 0, 1 }, surface_velocity = { 0.5, 0, 0 } }
  local paddle = w:box { size = { 0.05, 0.4, 0.2 }, position = { -0.08, 0, 0.1 }, kind = "kinematic", velocity = { 0.5, 0, 0 } }
  local balls = {}
  for i = 1, 6 do balls[i] = w:sphere { radius = 0.05, position = { 0.09 * i, 0, 0.055 + 0.01 * (i % 2) }, velocity = { 1 - i % 2, 0, -1 }, spin = { 0, 9, 0 } } end
  closes("penalty, " .. law, w, 1500, function() balls[3]:apply { force = { 1, 2, 3 }, torque = { 0, 0.01, 0 } } end)
end

-- ---- joints ----

local function arm(w, x, size) return w:box { size = size or { 0.4, 0.06, 0.1 }, position = { x, 0, 1 }, mass = 1 } end
local joints = {
  { "hinges", function(w)
    local a, b = arm(w, 0.2), arm(w, 0.6)
    w:hinge { a = a, at = { 0, 0, 1 }, axis = { 0, 1, 0 }, friction = 0.1 }
    w:hinge { a = b, b = a, at = { 0.4, 0, 1 }, axis = { 0, 1, 0.2 }, limits = { -0.6, 0.4 }, damping = 0.02, stiffness = 3 }
  end },
  { "motors", function(w)
    local a, b = arm(w, 0.2), arm(w, 0.6)
    w:hinge { a = a, at = { 0, 0, 1 }, axis = { 0, 1, 0 }, motor = { force = 6 } }
    w:hinge { a = b, b = a, at = { 0.4, 0, 1 }, axis = { 0, 1, 0 }, motor = { speed = 3, force = 2 } }
  end },
  { "a motor without a bound", function(w)
    w:hinge { a = arm(w, 0.2), at = { 0, 0, 1 }, axis = { 0, 1, 0 }, motor = { speed = 3, force = math.huge } }
  end },
  { "servos", function(w)
    local a, b = arm(w, 0.2), arm(w, 0.6)
    w:hinge { a = a, at = { 0, 0, 1 }, axis = { 0, 1, 0 }, servo = { position = -1, stiffness = 200, damping = 10, force = 20 } }
    w:slider { a = b, b = a, at = { 0.4, 0, 1 }, axis = { 1, 0, 0 }, servo = { speed = 0.3, damping = 50 }, limits = { -0.1, 0.1 } }
  end },
  { "a turn servo", function(w)
    w:ball { a = arm(w, 0.2), at = { 0, 0, 1 }, axis = { 1, 0, 0 }, swing = 1.5, turn_servo = { turn = { 0, 0.4, 0.7 }, stiffness = 200, damping = 6, torque = 20 } }
  end },
  { "sliders and universals", function(w)
    local a, b = arm(w, 0.2), arm(w, 0.6)
    w:cylindrical { a = a, at = { 0, 0, 1 }, axis = { 1, 0, 0.5 }, stiffness = 30, second = { motor = { force = 0.3 } } }
    w:universal { a = b, b = a, at = { 0.4, 0, 1 }, axis = { 0, 1, 0 }, axis_b = { 0, 0, 1 }, friction = 0.05 }
  end },
  { "ropes and distances", function(w)
    local a, b, c = arm(w, 0.2), arm(w, 0.8), w:sphere { radius = 0.05, position = { 1.2, 0, 1 } }
    w:ball { a = a, at = { 0, 0, 1 } }
    w:distance { a = b, b = a, at = { 0.6, 0, 1 }, at_b = { 0.4, 0, 1 } }
    w:distance { a = c, b = b, at = { 1.2, 0, 1 }, at_b = { 1, 0, 1 }, limits = { 0, 0.3 } }
  end },
  { "springs", function(w)
    local a, b, c = arm(w, 0.2), arm(w, 0.8), w:sphere { radius = 0.05, position = { 1.2, 0, 1 } }
    w:spring { a = a, at = { 0, 0, 1 }, at_b = { 0, 0, 1.2 }, stiffness = 300, damping = 0.4 }
    w:spring { a = b, b = a, at = { 0.6, 0, 1 }, at_b = { 0.4, 0, 1 }, stiffness = 1e6 }
    w:fixed { a = c, b = b, at = { 1, 0, 1 }, stiffness = 1e3, turn_stiffness = 2, turn_damping = 0.01, damping = 0.1 }
  end },
  { "a chain", function(w)
    local last
    for i = 1, 6 do
      local link = w:capsule { radius = 0.02, length = 0.1, position = { 0.1 * i, 0, 1 }, orientation = { math.cos(math.pi / 4), 0, math.sin(math.pi / 4), 0 }, velocity = { 0, 0.1 * i, 0 } }
      w:ball { a = link, b = last, at = { 0.1 * i - 0.05, 0, 1 } }
      last = link
    end
  end },
  { "a fixed joint between what moves", function(w)
    local a, b = arm(w, 0.2), arm(w, 0.8)
    a:set_velocity { 1, 0, 2 }
    b:set_velocity { -1, 1, 0 }
    w:fixed { a = a, b = b, at = { 0.5, 0, 1 } }
  end },
  { "gears", function(w)
    local a = w:cylinder { radius = 0.2, length = 0.05, position = { 0, 0, 1 }, orientation = { math.cos(math.pi / 4), math.sin(math.pi / 4), 0, 0 } }
    local b = w:cylinder { radius = 0.1, length = 0.05, position = { 0.3, 0, 1 }, orientation = { math.cos(math.pi / 4), math.sin(math.pi / 4), 0, 0 } }
    w:hinge { a = a, at = { 0, 0, 1 }, axis = { 0, 1, 0 }, motor = { force = 1 } }
    w:hinge { a = b, at = { 0.3, 0, 1 }, axis = { 0, 1, 0 }, friction = 0.1 }
    w:gear { a = a, b = b, axis = { 0, 1, 0 }, axis_b = { 0, 1, 0 }, ratio = 0.5 }
    local bar = w:box { size = { 1, 0.05, 0.05 }, position = { 0, 0, 1.3 } }
    w:slider { a = bar, at = { 0, 0, 1.3 }, axis = { 1, 0, 0 } }
    w:rack { a = a, b = bar, axis = { 0, 1, 0 }, axis_b = { 1, 0, 0 }, ratio = 0.2 }
  end },
  { "a crank that is driven", function(w)
    local crank = w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 1 }, kind = "kinematic", spin = { 0, 8, 0 }, velocity = { 0.2, 0, 0.1 } }
    local rod = w:box { size = { 0.3, 0.05, 0.05 }, position = { 0.2, 0, 1 } }
    w:ball { a = rod, b = crank, at = { 0.05, 0, 1 } }
    local bob = w:sphere { radius = 0.05, position = { 0.35, 0, 1 } }
    w:ball { a = bob, b = rod, at = { 0.35, 0, 1 } }
  end },
  { "joints that break", function(w)
    local a, b, c = arm(w, 0.2), arm(w, 0.6), arm(w, 1)
    w:fixed { a = a, at = { 0, 0, 1 }, break_torque = 12 }
    w:fixed { a = b, b = a, at = { 0.4, 0, 1 }, turn_stiffness = 40, break_torque = 3 }
    w:spring { a = c, b = b, at = { 0.9, 0, 1 }, at_b = { 0.8, 0, 1 }, stiffness = 50, break_energy = 0.05 }
  end },
}
local ground = function(w, z)
  w:pair { "default", "default", mu = 0.3, restitution = 0.5 }
  w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, z }, surface_velocity = { 0.5, 0, 0 } }
end
for _, case in ipairs(joints) do
  for _, ways in ipairs { {}, { substeps = 4 }, { correct_joints = false }, { stepper = "stewart_trinkle" } } do
    for _, floor in ipairs { false, true } do
      local name = ("%s%s%s%s%s"):format(case[1], floor and " on a floor" or "", ways.substeps and ", substeps" or "", ways.correct_joints == false and ", uncorrected" or "", ways.stepper and ", stewart_trinkle" or "")
      local def = {}
      for key, value in pairs(ways) do def[key] = value end
      def.losses = true
      local w = world(def)
      if floor then ground(w, ways.stepper and -10 or 0.85) end
      local takes, refusal = pcall(case[2], w)
      if not takes then check.fails("stepper semi_implicit", error, refusal) end
      if takes then closes(name, w, case.steps or 200) end
    end
  end
end

-- ---- bonds ----

for _, glue in ipairs { { young = "1 MPa", damping = 1e-3 }, { young = "10 GPa" }, { young = "1 MPa", exact = true }, {}, { young = "1 MPa", strength = "20 kPa" }, { young = "100 MPa", strength = "0.1 MPa", damping = 1e-4 } } do
  for _, substeps in ipairs { 1, 4 } do
    local R, row = 0.02, {}
    local w = world { substeps = substeps, losses = true, solver = { tolerance = 1e-12, iterations = 2000 } }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 6 do row[i] = w:sphere { radius = R, position = { 2 * R * i, 0, 0.05 }, velocity = { 0.3 * i, 0.1 * (i % 2), -1 }, kind = i == 1 and "kinematic" or nil } end
    local bond = { bodies = row, distance = "10 um" }
    for key, value in pairs(glue) do bond[key] = value end
    w:bond(bond)
    closes(("bonds of %s%s"):format(glue.young or "no give", glue.exact and ", exact" or ""), w, 150)
  end
end

-- ---- cells ----

for _, pair in ipairs { { mu = 0.4 }, { mu = 0.2, restitution = 0.7 } } do
  for _, substeps in ipairs { 1, 4 } do
    pair[1], pair[2] = "default", "default"
    local w = world { gravity = { 0, 0, 0 }, losses = true, substeps = substeps, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } }, solver = { tolerance = 1e-5, iterations = 200 } }
    w:pair(pair)
    w:fill { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0.25, radius = 0.1, radius_max = 0.12, jitter = 0.02 }
    local cell = w:cell()
    cell:set_velocity_gradient { { 0, 4, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
    closes("a sheared cell", w, 80)
    cell:set_stress { { 100, false, false }, { false, 100, false }, { false, false, 100 } }
    closes("a cell under stress", w, 100)
  end
end

print("the balance closes; worst", worst.share, worst.what)
