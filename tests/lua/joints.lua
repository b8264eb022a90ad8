-- Joints against closed forms: drift, reactions, mechanisms, limits, motors, friction, gears; redundancy and conflicts; bad input.
local scree = require "scree"
local drive = require "scree.drive"
local check = require "check"
local sweep = require "sweep"
local fails, near = check.fails, check.within
local function world(more)
  local def = { gravity = { 0, 0, -9.81 }, dt = 1e-3, correct_joints = true, solver = { iterations = 200, tolerance = 1e-12 } }
  for k, v in pairs(more or {}) do def[k] = v end
  return scree.world(def)
end
local function bob(w, x, y, z, mass) return w:sphere { radius = 0.05, position = { x, y, z }, mass = mass or 1 } end

-- the length of a pendulum changes by less than 1e-8 over 1000 s (200 s in the quick tests), and its reaction is 3 m g at the bottom
do
  local w = world { dt = 1e-2 }
  local b = bob(w, 1, 0, 0)
  local hinge = w:hinge { a = b, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  local worst = 0
  for _ = 1, sweep.number(200, 1000) do
    w:step(100)
    local x, y, z = b:position()
    worst = math.max(worst, math.abs(math.sqrt(x * x + z * z) - 1), math.abs(y))
  end
  assert(worst < 1e-8, "drift " .. worst)
  local fine, most = world { dt = 1e-4 }, 0
  local c = bob(fine, 1, 0, 0)
  local pin = fine:ball { a = c, at = { 0, 0, 0 } }
  for _ = 1, 7000 do
    fine:step()
    local _, _, fz = pin:force()
    most = math.max(most, fz)
  end
  near(most, 3 * 9.81, 0.03, "force at the bottom")
  near(hinge:error(), 0, 1e-12, "error")
end

-- without correction errors are fed back: the drift stays bounded and small
do
  local w = world { correct_joints = false }
  local b = bob(w, 1, 0, 0)
  w:ball { a = b, at = { 0, 0, 0 } }
  w:step(5000)
  local x, y, z = b:position()
  near(math.sqrt(x * x + y * y + z * z), 1, 1e-4, "length by feedback")
end

-- every type of joint locks its directions and leaves the others free, with every solver
for _, solver in ipairs { "nbgs", "lemke", "apgd", "spg" } do
  local w = world { gravity = { 0, 0, 0 }, solver = { name = solver, iterations = 20000, tolerance = 1e-13 }, correct_joints = false }
  local function pair(x)
    local a = w:box { size = { 0.2, 0.1, 0.1 }, position = { x, 0, 0.5 }, velocity = { 0.1, 0.2, -0.3 }, spin = { 1, 2, -0.5 }, mass = 1 }
    local b = w:box { size = { 0.1, 0.2, 0.1 }, position = { x, 0, 0 }, velocity = { 0.3, -0.1, 0.2 }, spin = { -1, 0.5, 0.7 }, mass = 2 }
    return a, b
  end
  local kinds = { "ball", "hinge", "slider", "cylindrical", "universal", "fixed", "distance" }
  for i, kind in ipairs(kinds) do
    local a, b = pair(5 * i)
    w[kind](w, { a = a, b = b, at = { 5 * i, 0, 0.25 }, at_b = kind == "distance" and { 5 * i, 0, -0.25 } or nil, axis = { 0, 0, 1 }, axis_b = { 1, 0, 0 } })
  end
  w:step()
  local report = w:joints_report()
  assert(report.joints == 7 and report.rows == 3 + 5 + 5 + 4 + 4 + 6 + 1 and report.redundant == 0, "rows " .. report.rows)
  assert(report.velocity_error < 1e-8, solver .. " leaves " .. report.velocity_error)
  local momentum = w:report().momentum
  near(momentum[1], 7 * (0.1 + 0.6), 1e-9, "momentum")
end

-- slider-crank: at crank angle t the slider stands at r cos t + sqrt(l^2 - r^2 sin^2 t)
do
  local w = world { dt = 1e-3, gravity = { 0, 0, 0 } }
  local r, l = 0.2, 0.5
  local crank = w:box { size = { r, 0.02, 0.02 }, position = { r / 2, 0, 0 }, mass = 1 }
  local rod = w:box { size = { l, 0.02, 0.02 }, position = { r + l / 2, 0, 0 }, mass = 0.5 }
  local slider = w:box { size = { 0.1, 0.1, 0.1 }, position = { r + l, 0, 0 }, mass = 2 }
  local axle = w:hinge { a = crank, at = { 0, 0, 0 }, axis = { 0, -1, 0 }, motor = { speed = 5 } }
  w:hinge { a = rod, b = crank, at = { r, 0, 0 }, axis = { 0, 1, 0 } }
  w:ball { a = rod, b = slider, at = { r + l, 0, 0 } }
  w:slider { a = slider, at = { r + l, 0, 0 }, axis = { 1, 0, 0 } }
  for _ = 1, 30 do
    w:step(100)
    local t = axle:position()
    near(slider:position(), r * math.cos(t) + math.sqrt(l * l - (r * math.sin(t)) ^ 2), 1e-9, "slider")
  end
  near(axle:speed(), 5, 1e-6, "crank speed")
  assert(axle:position() > 2 * math.pi, "full turns are counted: " .. axle:position())
end

-- a double pendulum keeps its energy to first order in the step
do
  local function loss(dt)
    local w = world { dt = dt }
    local a, b = bob(w, 1, 0, 0), bob(w, 2, 0, 0)
    w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
    w:hinge { a = b, b = a, at = { 1, 0, 0 }, axis = { 0, 1, 0 } }
    local r = w:report()
    local start = r.kinetic + r.potential
    w:step(math.floor(1 / dt + 0.5))
    r = w:report()
    return math.abs(r.kinetic + r.potential - start)
  end
  local coarse, fine = loss(2e-3), loss(5e-4)
  assert(fine < 0.2 and coarse / fine > 2.8, string.format("energy error %g, %g", coarse, fine))
end

-- limits stop, motors reach their speed or their force, friction holds a torque below its bound
do
  local w = world()
  local b = bob(w, 1, 0, 0)
  local hinge = w:hinge { a = b, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, limits = { -0.1, 0.5 } }
  w:step(3000)
  near(hinge:position(), 0.5, 1e-6, "upper limit")
  near(hinge:speed(), 0, 1e-6, "speed at the limit")

  local free = world { gravity = { 0, 0, 0 } }
  local c = bob(free, 0, 0, 0, 2)
  local rail = free:slider { a = c, at = { 0, 0, 0 }, axis = { 1, 0, 0 }, motor = { speed = 3, force = 4 } }
  free:step(1000)
  near(rail:speed(), 2, 1e-9, "force-bound motor after 1 s: F t / m")
  free:step(1000)
  near(rail:speed(), 3, 1e-9, "target speed")
end
do
  local w = world { gravity = { 0, 0, 0 } }
  local c = bob(w, 0, 0, 0, 2)
  local rail = w:slider { a = c, at = { 0, 0, 0 }, axis = { 1, 0, 0 }, motor = { force = 3 } }
  w:step(1000)
  near(rail:speed(), 1.5, 1e-9, "a pure force")
  rail:set_motor { force = -3 }
  w:step(1000)
  near(rail:speed(), 0, 1e-9, "the opposite force")
  rail:set_motor { force = 0 }

  -- friction of 2 N m holds an arm of 0.1 kg m; 0.5 N m lets it fall
  for _, case in ipairs { { 2, true }, { 0.5, false } } do
    local arm = world()
    local b = bob(arm, 1, 0, 0, 0.1)
    local hinge = arm:hinge { a = b, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, friction = case[1] }
    arm:step(500)
    assert((math.abs(hinge:position()) < 1e-9) == case[2], "friction " .. case[1] .. ": " .. hinge:position())
  end
end

-- gear and rack, over many turns
do
  local w = world { gravity = { 0, 0, 0 } }
  local a, b, c = bob(w, 0, 0, 0), bob(w, 1, 0, 0), bob(w, 0, 0, 1)
  local one = w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, motor = { speed = 4 } }
  local two = w:hinge { a = b, at = { 1, 0, 0 }, axis = { 0, 1, 0 } }
  local rail = w:slider { a = c, at = { 0, 0, 1 }, axis = { 1, 0, 0 } }
  w:gear { a = a, b = b, axis = { 0, 1, 0 }, axis_b = { 0, 1, 0 }, ratio = 2 }
  w:rack { a = a, b = c, axis = { 0, 1, 0 }, axis_b = { 1, 0, 0 }, ratio = 0.1 }
  w:step(5000)
  near(one:position() + 2 * two:position(), 0, 1e-3, "gear") -- Cayley turns: (w dt)^3/12 a step
  near(two:speed(), -2, 1e-9, "gear speed")
  near(rail:speed(), 0.4, 1e-9, "rack speed")
end

-- a rope: free within its length, then taut
do
  local w = world()
  local b = bob(w, 0, 0, 0)
  w:distance { a = b, at = { 0, 0, 0 }, at_b = { 0, 0, 0.5 }, limits = { 0, 1 } }
  w:step(2000)
  local _, _, z = b:position()
  near(z, -0.5, 1e-6, "rope")
end

-- motors that follow a function and a table of time
do
  local w = world { gravity = { 0, 0, 0 } }
  local a, b = bob(w, 0, 0, 0), bob(w, 0, 0, 2)
  local one = drive.new(w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, motor = { speed = 0 } }, function(t) return math.sin(t) end)
  local two = drive.new(w:hinge { a = b, at = { 0, 0, 2 }, axis = { 0, 1, 0 }, motor = { speed = 0 } }, { { 0, 0 }, { 1, 2 }, { 2, 2 } })
  for _ = 1, 1500 do
    one:update(w)
    two:update(w)
    w:step()
  end
  near(one.joint:position(), 1 - math.cos(1.5), 1e-9, "way of a function of time")
  near(one.joint:speed(), (math.cos(1.499) - math.cos(1.5)) / 1e-3, 1e-9, "function of time, mean of the step")
  near(two.joint:speed(), 2, 1e-9, "table of time")
  near(two.joint:position(), 2, 1e-9, "way of the ramp")
end

-- a floor that shakes by a function of time, a paddle that turns by a table
do
  local w = world { gravity = { 0, 0, -9.81 } }
  local plate = w:box { size = { 1, 1, 0.1 }, position = { 0, 0, -0.05 }, kind = "kinematic" }
  local paddle = w:box { size = { 1, 0.1, 0.1 }, position = { 0, 0, 3 }, kind = "kinematic" }
  local ball = bob(w, 0, 0, 0.05)
  local shake = drive.body(plate, { 0, 0, 2 }, function(t) return 0.1 * math.cos(5 * t) end)
  local turn = drive.body(paddle, { 0, 0, 1 }, { { 0, 0 }, { 1, 3 } }, true)
  for _ = 1, 600 do
    shake:update(w)
    turn:update(w)
    w:step()
  end
  local mean = 0.2 * (math.sin(3) - math.sin(2.995)) / 0.005
  near(({ plate:velocity() })[3], mean, 1e-12, "shaken plate")
  near(({ plate:position() })[3], -0.05 + 0.2 * math.sin(3) / 5, 1e-12, "way of a shaken plate")
  near(({ ball:velocity() })[3], mean, 1e-9, "what stands on it")
  near(({ paddle:spin() })[3], 1.8 - 1.5e-3, 1e-12, "paddle")
  fails("times must rise", drive.body, plate, { 0, 0, 1 }, { { 1, 0 }, { 0, 1 } })
  fails("drive.body takes a table second, not a number", drive.body, plate, 3, { { 1, 0 } })
end

-- a door on two hinges has redundant rows and swings; conflicting joints do not make the world unstable, and the report shows the conflict
do
  local w = world()
  local door = w:box { size = { 1, 0.05, 2 }, position = { 0.5, 0, 1 }, mass = 10, spin = { 0, 0, 1 }, velocity = { 0, 0.5, 0 } }
  local lower = w:hinge { a = door, at = { 0, 0, 0.2 }, axis = { 0, 0, 1 } }
  local upper = w:hinge { a = door, at = { 0, 0, 1.8 }, axis = { 0, 0, 1 } }
  w:step(500)
  local report = w:joints_report()
  assert(report.rows == 10 and report.redundant == 5, "redundant " .. report.redundant)
  near(lower:position(), 0.5, 1e-3, "the door swings")
  near(report.error, 0, 1e-9, "the door stays in its hinges")
  local _, _, f1 = lower:force()
  local _, _, f2 = upper:force()
  near(f1 + f2, 98.1, 1e-6, "both carry the weight")

  local torn = world()
  local b = bob(torn, 0, 0, 0)
  torn:distance { a = b, at = { 0, 0, 0 }, at_b = { 1, 0, 0 }, length = 0.5 }
  torn:distance { a = b, at = { 0, 0, 0 }, at_b = { -1, 0, 0 }, length = 0.5 }
  torn:step(200)
  local x, _, z = b:position()
  assert(math.abs(x) < 1.6 and math.abs(z) < 1.6, "blown up to " .. x .. ", " .. z)
  assert(torn:joints_report().error > 0.1, "a conflict must show")
end

-- bad input
do
  local w = world()
  local a, b = bob(w, 0, 0, 0), bob(w, 1, 0, 0)
  local floor = w:halfspace { normal = { 0, 0, 1 } }
  local at, axis = { 0, 0, 0 }, { 0, 1, 0 }
  fails("a body cannot be joined to itself", w.ball, w, { a = a, b = a, at = at })
  fails("hinge.axis has length zero", w.hinge, w, { a = a, at = at })
  fails("limits are crossed", w.hinge, w, { a = a, at = at, axis = axis, limits = { 1, -1 } })
  fails("no direction for a motor", w.fixed, w, { a = a, b = b, at = at, motor = { speed = 1 } })
  fails("ball.axis is missing", w.ball, w, { a = a, b = b, at = at, limits = { 0, 1 } })
  fails("no direction for limits", w.fixed, w, { a = a, b = b, at = at, limits = { 0, 1 } })
  fails("one of the two bodies must be dynamic", w.fixed, w, { a = floor, at = at })
  fails("did you mean", w.hinge, w, { a = a, at = at, axsi = axis })
  fails("hinge.at is missing", w.hinge, w, { a = a, axis = axis })
  fails("must be a body", w.ball, w, { a = 7, at = at })
  fails("friction", w.hinge, w, { a = a, at = at, axis = axis, friction = -1 })
  fails("of another world", w.ball, w, { a = bob(world(), 0, 0, 0), at = at })
  local joint = w:ball { a = a, b = b, at = at }
  fails("the body is held by a joint", a.remove, a)
  fails("1 of the selected bodies is held by joints", w.remove, w, { region = { min = { -0.1, -1, -1 }, max = { 0.1, 1, 1 } } })
  fails("2 of the selected bodies are held by joints", w.remove, w, {})
  assert(w:count() == 2 and w:remove { joined = "keep" } == 0 and w:count() == 2)
  joint:remove()
  fails("has been removed", joint.force, joint)
  a:remove()
  fails("removed", w.ball, w, { a = a, b = b, at = at })
  local c = bob(w, 2, 0, 0)
  local tie = w:ball { a = b, b = c, at = at }
  assert(w:remove { region = { min = { 1.5, -1, -1 } }, joined = "release" } == 1 and w:joints_report().joints == 0)
  fails("has been removed", tie.force, tie)
  fails("'hold'", w.remove, w, { joined = "hold" })
end
print "joints: all closed forms hold"

-- a slider between two bodies that move: the line turns with b, however far a has gone along it
do
  local w = world { gravity = { 0.3, 0, -9.81 } }
  local b = w:box { size = { 0.5, 0.1, 0.08 }, mass = 1, position = { 0.25, 0, 0.5 } }
  local c = w:box { size = { 0.2, 0.06, 0.05 }, mass = 0.5, position = { 0.6, 0.02, 0.5 } }
  w:hinge { a = b, at = { 0, 0, 0.5 }, axis = { 0, 1, 0.2 } }
  local slider = w:slider { a = c, b = b, at = { 0.5, 0, 0.5 }, axis = { 1, 0.1, 0 } }
  local r = w:report()
  local start = r.energy - r.correction
  w:step(300)
  local before, speed = slider:position(), slider:speed()
  assert(before > 0.2 and slider:error() < 1e-12)
  r = w:report()
  near(r.energy, start, 1e-3, "energy of an arm with a slide")
  w:step(1)
  near((slider:position() - before) / 1e-3, (speed + slider:speed()) / 2, 1e-4, "speed is the rate of the position")
end
print "a slide on a moving arm: ok"

-- jointed bodies have no contacts while the joint exists, unless collide = true; with two joints, until both are removed
do
  local w = world()
  local a, b = bob(w, 0, 0, 0), bob(w, 0.01, 0, 0)
  local function contacts() w:step() return w:report().contacts end
  assert(contacts() == 1)
  local joint = w:ball { a = a, b = b, at = { 0, 0, 0 } }
  assert(contacts() == 0 and w:report().penetration == 0)
  local second = w:distance { a = a, b = b, at = { 0, 0, 0 }, at_b = { 0.01, 0, 0 } }
  joint:remove()
  assert(contacts() == 0)
  second:remove()
  assert(contacts() == 1)
  w:distance { a = a, b = b, at = { 0, 0, 0 }, at_b = { 0.01, 0, 0 }, collide = true }
  assert(contacts() == 1)
  w:ball { a = b, b = a, at = { 0, 0, 0 } }
  assert(contacts() == 0)
end
print "tied bodies have no contacts: ok"
