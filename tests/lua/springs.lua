-- Springs, dampers, servos, limits of twist and swing, joints that break: against closed forms, between solvers, over a restart; bad input.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.within
local function world(more)
  local def = { gravity = { 0, 0, 0 }, dt = 1e-3 }
  for k, v in pairs(more or {}) do def[k] = v end
  return scree.world(def)
end

-- returns the mean period of the function `speed`, from its changes of sign
local function clock(w, steps, speed)
  local dt, turns, last = w:dt(), {}, speed()
  for _ = 1, steps do
    w:step()
    local v = speed()
    if last * v < 0 then turns[#turns + 1] = w:time() - dt + dt * last / (last - v) end
    last = v
  end
  return #turns > 2 and 2 * (turns[#turns] - turns[1]) / (#turns - 1) or nil
end
local function balance(w)
  local r = w:report()
  return r.energy + r.dissipated - r.work - r.correction
end

-- a ball on a spring at 1 ms: the period within (w dt)^2/12 and the energy where the step resolves it, quiet where it does not; by
-- RATTLE and, without corrections of joints, in the step's problem
for _, correct in ipairs { true, false } do
  for _, k in ipairs { 1, 1e2, 1e4, 1e5, 1e6, 1e8, 1e10, 1e12 } do
    local w = world { correct_joints = correct }
    local b = w:sphere { radius = 0.05, mass = 1, position = { 1.1, 0, 0 } }
    local s = w:spring { a = b, at = { 1.1, 0, 0 }, at_b = { 0, 0, 0 }, stiffness = k, length = 1 }
    local start, full, rate = balance(w), w:report().energy, math.sqrt(k) * 1e-3
    near(full, k * 0.01 / 2, 1e-12 * full, "stored")
    local period = clock(w, k == 1 and 16000 or 1500, function() return (b:velocity()) end)
    near(balance(w), start, 1e-9 * full, "account")
    local left = w:report().energy / full
    if rate <= 0.1 then
      near(period / (2 * math.pi / math.sqrt(k)), 1, rate * rate / 12 * 1.05 + 1e-6, "period at " .. k)
      near(left, 1, correct and 1e-8 or rate, "energy at " .. k)
    elseif rate > 0.5 then
      assert(left < 0.1, "a mode that is not resolved dies: " .. k)
    end
    assert(math.abs(b:position() - 1) < 0.1 + 1e-6, "never beyond the start: " .. k)
    assert(s:type() == "distance")
  end
end

-- damping: the envelope of c = 20 at k = 1e4 after ten whole periods
do
  local k, c = 1e4, 20
  local w = world()
  local b = w:sphere { radius = 0.05, mass = 1, position = { 1.1, 0, 0 } }
  w:spring { a = b, at = { 1.1, 0, 0 }, at_b = { 0, 0, 0 }, stiffness = k, damping = c, length = 1 }
  local start, most = balance(w), 0
  local from = math.floor(20 * math.pi / math.sqrt(k - c * c / 4) / 1e-3) - 4
  w:step(from)
  for _ = 1, 9 do
    w:step()
    most = math.max(most, b:position() - 1)
  end
  near(most / 0.1, math.exp(-c / 2 * 20 * math.pi / math.sqrt(k - c * c / 4)), 2e-5, "envelope")
  near(balance(w), start, 1e-9, "account of a damper")
  near(w:report().dissipated, start - w:report().energy, 0.01 * start, "what the damper took")
end

-- a block on a floor without friction on a spring: touched in every step, the energy stays within 1 % over ten periods
do
  local w = world { gravity = { 0, 0, -9.81 } }
  w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, 0 } }
  w:pair { "default", "default", mu = 0 }
  local b = w:box { size = { 0.2, 0.2, 0.2 }, mass = 1, position = { 1.1, 0, 0.1 } }
  w:spring { a = b, at = { 1.1, 0, 0.1 }, at_b = { 0, 0, 0.1 }, stiffness = 400, length = 1 }
  local start = balance(w)
  local period = clock(w, 3142, function() return (b:velocity()) end)
  near(period, 2 * math.pi / 20, 1e-4, "period on the floor")
  near(balance(w), start, 1e-9, "account on the floor")
  local vx = b:velocity()
  near(vx * vx / 2 + 200 * (b:position() - 1) ^ 2, 2, 0.02, "energy on the floor")
end

-- torsional spring of a hinge: a bar about its end
do
  local w = world()
  local b = w:box { size = { 1, 0.1, 0.1 }, mass = 1, position = { 0.5, 0, 0 } }
  local h = w:hinge { a = b, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, stiffness = 100, rest = 0.3 }
  near(h:energy(), 4.5, 1e-12, "energy of the spring")
  local I = (1 + 0.01) / 12 + 0.25
  near(clock(w, 3000, function() return h:speed() end), 2 * math.pi * math.sqrt(I / 100), 1.2e-5, "torsional period")
  near(w:report().energy, 4.5, 1e-4, "energy")
end

-- soft bushing: a weight sags by m g / k and tilts by its moment over the turn stiffness
do
  local w = world { gravity = { 0, 0, -10 } }
  local b = w:sphere { radius = 0.1, mass = 2, position = { 0.3, 0, 0 } }
  w:fixed { a = b, at = { 0, 0, 0 }, stiffness = 1e4, damping = 300, turn_stiffness = 500, turn_damping = 30 }
  w:step(4000)
  local x, _, z = b:position()
  local tilt = math.atan(-(z + 2e-3), x)
  near(500 * tilt, 20 * 0.3 * math.cos(tilt), 1e-5, "moment of the bushing")
end

-- all solvers agree on springs, servos and bushings beside a contact
do
  local places
  for _, solver in ipairs { "nbgs", "newton", "lemke", "apgd", "spg", "pgs", "auto" } do
    local w = world { gravity = { 0, 0, -9.81 }, correct_joints = false, solver = { name = solver, iterations = 20000, tolerance = 1e-12 } }
    w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, 0 } }
    local a = w:box { size = { 0.4, 0.4, 0.2 }, mass = 2, position = { 0, 0, 0.1 } }
    local b = w:box { size = { 0.2, 0.2, 0.2 }, mass = 1, position = { 0.3, 0, 0.6 }, spin = { 0, 1, 0 } }
    local c = w:box { size = { 0.2, 0.1, 0.1 }, mass = 1, position = { 0.6, 0, 0.6 } }
    w:spring { a = b, b = a, at = { 0.3, 0, 0.6 }, at_b = { 0, 0, 0.1 }, stiffness = 3000, damping = 20 }
    w:hinge { a = c, b = b, at = { 0.4, 0, 0.6 }, axis = { 0, 1, 0 }, servo = { position = 0.5, stiffness = 50, damping = 1, force = 3 }, stiffness = 5 }
    w:fixed { a = b, at = { 0.3, 0, 0.6 }, stiffness = 1e4, damping = 10, turn_stiffness = 100 }
    w:step(40)
    local now = { c:position() }
    places = places or now
    for k = 1, 3 do near(now[k], places[k], 1e-8, solver .. " against nbgs") end
  end
end

-- a servo reaches its target within its torque, and carries a load with the deflection of its stiffness; a servo with damping only keeps a speed
do
  local w = world { gravity = { 0, 0, -10 } }
  local b = w:box { size = { 1, 0.1, 0.1 }, mass = 1, position = { 0.5, 0, 0 } }
  local h = w:hinge { a = b, at = { 0, 0, 0 }, axis = { 0, -1, 0 }, servo = { position = 1, stiffness = 1000, damping = 60, force = 20 } }
  local most = 0
  for _ = 1, 3000 do
    w:step()
    most = math.max(most, math.abs(h:effort()))
  end
  near(most, 20, 1e-9, "torque at its bound")
  near(h:effort(), 5 * math.cos(h:position()), 1e-6, "torque at rest")
  near(h:position(), 1 - h:effort() / 1000, 1e-9, "sag")
  h:servo { feed = 5 * math.cos(1) }
  w:step(2000)
  near(h:position(), 1, 1e-6, "without sag by feeding the load")
  local wheel = w:sphere { radius = 0.1, mass = 1, position = { 5, 0, 0 } }
  local axle = w:hinge { a = wheel, at = { 5, 0, 0 }, axis = { 0, 1, 0 }, servo = { speed = 7, damping = 2 } }
  w:step(1000)
  near(axle:speed(), 7, 1e-9, "speed servo")
end

-- ball: twist within limits, swing within a cone; positions are those that were turned; a motor of the twist
do
  local w = world { gravity = { 0, 0, -9.81 } }
  local b = w:box { size = { 0.1, 0.2, 1 }, mass = 1, position = { 0, 0, 0.5 }, spin = { 0.1, 0.2, 3 } }
  local j = w:ball { a = b, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, limits = { -0.4, 0.5 }, swing = 0.7 }
  local most, twist = 0, 0
  for _ = 1, 4000 do
    w:step()
    local t, s = j:position()
    assert(t > -0.4 - 1e-6 and t < 0.5 + 1e-6, "twist " .. t)
    most, twist = math.max(most, s), math.max(twist, t)
  end
  near(most, 0.7, 1e-6, "swing")
  near(twist, 0.5, 1e-6, "twist")
  local spun = world()
  local c = spun:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0 } }
  local k = spun:ball { a = c, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, motor = { speed = 2, force = 10 } }
  spun:step(1000)
  near(k:position(), 2, 1e-3, "twist by a motor")
end

-- the speed of each free direction is the rate of its position
do
  local w = world()
  local a = w:box { size = { 0.3, 0.2, 0.1 }, mass = 1, position = { 0, 0, 0 }, spin = { 0.5, -0.4, 0.8 } }
  local b = w:box { size = { 0.3, 0.2, 0.4 }, mass = 1, position = { 0, 0, 1 }, spin = { -0.7, 0.9, 0.3 } }
  local c = w:box { size = { 0.3, 0.2, 0.4 }, mass = 1, position = { 1, 0, 0 }, spin = { 0.3, 0.4, 0.6 } }
  local all = { w:ball { a = b, b = a, at = { 0, 0, 0.5 }, axis = { 0, 0.1, 1 } }, w:universal { a = c, b = a, at = { 0.5, 0, 0 }, axis = { 0, 1, 0 }, axis_b = { 0, 0, 1 } } }
  w:step(200)
  for i, joint in ipairs(all) do
    local before, speed = { joint:position() }, { joint:speed() }
    assert(#before == 2 and #speed == 2)
    w:step(1)
    local now, later = { joint:position() }, { joint:speed() }
    for k = 1, 2 do near((now[k] - before[k]) / 1e-3, (speed[k] + later[k]) / 2, 1e-4, "rate of joint " .. i .. ", direction " .. k) end
  end
end

-- universal: both turns have limits, motors and springs of their own
do
  local w = world()
  local b = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0 } }
  local j = w:universal {
    a = b, at = { 0, 0, 0 }, axis = { 1, 0, 0 }, axis_b = { 0, 1, 0 }, motor = { speed = 1, force = 5 }, limits = { -1, 0.3 },
    second = { stiffness = 10, damping = 1, rest = 0.2 },
  }
  w:step(4000)
  local one, two = j:position()
  near(one, 0.3, 1e-9, "first turn at its limit")
  near(two, 0.2, 1e-6, "second turn at rest")
end

-- a joint breaks in the step in which its load exceeds its strength, not before; its record has this time
do
  local w = world { gravity = { 0, 0, 0 } }
  local b = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0 } }
  local j = w:fixed { a = b, at = { 0, 0, 0 }, break_force = 10 }
  local broke
  for i = 1, 200 do
    b:apply { force = { 0, 0, 0.1 * i } }
    w:step()
    if j:broken() then broke = broke or i end
  end
  assert(broke == 101, "broke in step " .. tostring(broke))
  local what = j:broken()
  near(what.force, 10.1, 1e-9, "load")
  near(what.time, 0.101, 1e-9, "time")
  assert(what.type == "fixed" and #w:broken_joints() == 1 and w:joints_report().broken == 1)
  fails("has been removed", j.force, j)
  local s = w:sphere { radius = 0.1, mass = 1, position = { 5, 0, 0 } }
  w:spring { a = s, at = { 5, 0, 0 }, at_b = { 4, 0, 0 }, stiffness = 100, break_energy = 1 }
  s:set_velocity(2, 0, 0)
  local start = w:report()
  w:step(400)
  assert(#w:broken_joints() == 2)
  near(w:broken_joints()[2].energy, 1, 0.05, "energy")
  near(w:report().dissipated - start.dissipated, w:broken_joints()[2].energy, 0.01, "what it stored is lost")
  near(s:velocity(), math.sqrt(4 - 2 * w:broken_joints()[2].energy), 1e-3, "velocity that is left")
end

-- bad input
do
  local w = world()
  local a = w:sphere { radius = 0.1, position = { 0, 0, 0 } }
  local at = { 0, 0, 0 }
  fails("needs a stiffness or a damping", w.spring, w, { a = a, at = at, at_b = { 1, 0, 0 } })
  fails("spring.k is not a known key; did you mean 'stiffness'", w.spring, w, { a = a, at = at, at_b = { 1, 0, 0 }, k = 1 })
  fails("spring.at_b is missing", w.spring, w, { a = a, at = at, stiffness = 1 })
  fails("a motor and a servo", w.hinge, w, { a = a, at = at, axis = { 0, 0, 1 }, motor = { speed = 1 }, servo = { stiffness = 1 } })
  fails("needs a stiffness", w.hinge, w, { a = a, at = at, axis = { 0, 0, 1 }, servo = { position = 1 } })
  fails("stiffnes", w.hinge, w, { a = a, at = at, axis = { 0, 0, 1 }, stiffnes = 1 })
  fails("no direction for a spring", w.gear, w, { a = a, axis = { 0, 0, 1 }, axis_b = { 0, 0, 1 }, stiffness = 1 })
  fails("no second direction for a motor", w.ball, w, { a = a, at = at, axis = { 0, 0, 1 }, second = { motor = { speed = 1 } } })
  fails("hinge.second has no effect in joints of the type hinge", w.hinge, w, { a = a, at = at, axis = { 0, 0, 1 }, second = { limits = { 0, 1 } } })
  fails("only ball and fixed joints", w.hinge, w, { a = a, at = at, axis = { 0, 0, 1 }, turn_stiffness = 1 })
  fails("must be above 0", w.fixed, w, { a = a, at = at, break_force = 0 })
  fails("hinge.stiffness", w.hinge, w, { a = a, at = at, axis = { 0, 0, 1 }, stiffness = -1 })
  local other = world { stepper = "stewart_trinkle" }
  local b = other:sphere { radius = 0.1, position = { 0, 0, 0 } }
  fails("need the stepper semi_implicit", other.spring, other, { a = b, at = at, at_b = { 1, 0, 0 }, stiffness = 1 })
end

print("springs: ok")
