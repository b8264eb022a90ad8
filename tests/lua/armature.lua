-- Armature: the inertia of a rotor behind a gear, which a free direction of a joint feels. Expected values are closed forms, or joint-space equations of
-- motion M(q) q'' = f with the armature on the diagonal of M, integrated by Runge-Kutta here.
local scree = require "scree"

local function near(a, b, within, what)
  local error_bound = (within or 1e-9) * math.max(1, math.abs(b))
  assert(math.abs(a - b) <= error_bound, ("%s: %.15g is not %.15g"):format(what or "?", a, b))
end
local function world(def)
  def = def or {}
  def.dt = def.dt or 1e-3
  def.gravity = def.gravity or { 0, 0, 0 }
  return scree.world(def)
end
local function body(w, x, mass, I, more)
  local def = { position = x, mass = mass, inertia = { I[1], 0, 0, I[2], 0, I[3] }, shapes = {} }
  for key, value in pairs(more or {}) do def[key] = value end
  return w:body(def)
end
local function balance(w)
  local r = w:report()
  return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction
end

-- A motor turns an arm: T = (J + I) q''. The energy of the rotor is part of the kinetic energy.
do
  local w = world()
  local arm = body(w, { 0.5, 0, 0 }, 2, { 0.1, 0.3, 0.4 })
  local joint = w:hinge { a = arm, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, motor = { force = 3 }, armature = 0.6 }
  local J = 0.4 + 2 * 0.25
  w:step(1000)
  near(joint:speed(), 3 / (J + 0.6), 1e-9, "speed of an arm")
  near(joint:position(), 3 / (J + 0.6) / 2, 1e-3, "angle of an arm")
  near(w:report().kinetic, (J + 0.6) / 2 * joint:speed() ^ 2, 1e-9, "energy of an arm")
  near(w:report().work, (J + 0.6) / 2 * joint:speed() ^ 2, 1e-6, "work of a motor")
  near(balance(w), 0, 1e-12, "balance of an arm")
  -- a velocity from outside sets the speed of the rotor, too
  arm:set_velocity(0, 0, 0) arm:set_spin(0, 0, 0) joint:set_force(0)
  w:step(10)
  near(joint:speed(), 0, 1e-12, "a stopped rotor")
end

-- A slider falls slower: m g = (m + I) q''. A cylindrical joint has an armature of each direction, a universal joint too.
do
  local w = world { gravity = { 0, 0, -10 } }
  local one = body(w, { 0, 0, 0 }, 2, { 1, 1, 1 })
  local joint = w:slider { a = one, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, armature = 3 }
  local two = body(w, { 5, 0, 0 }, 2, { 3, 3, 4 })
  local both = w:cylindrical { a = two, at = { 5, 0, 0 }, axis = { 0, 0, 1 }, armature = 1, second = { armature = 6, motor = { force = 5 } } }
  local three = body(w, { 9, 0, 0 }, 2, { 1, 2, 3 })
  local cross = w:universal { a = three, at = { 9, 0, 0 }, axis = { 1, 0, 0 }, axis_b = { 0, 1, 0 }, armature = 4,
    second = { armature = 8, motor = { force = 5 } }, motor = { force = 0 } }
  w:step()
  near(joint:speed(), -1e-3 * 2 * 10 / 5, 1e-12, "a slider")
  local slide, turn = both:speed()
  near(slide, -1e-3 * 20 / 3, 1e-12, "a cylindrical joint")
  near(turn, 1e-3 * 5 / 10, 1e-9, "its turn")
  local _, tilt = cross:speed()
  near(tilt, 1e-3 * 5 / (2 + 8), 1e-6, "a universal joint")
  w:step(999)
  near(joint:position(), -4 / 2, 1e-9, "the way of a slider")
end

-- Between two free bodies: T = (J1 J2 / (J1 + J2) + I) q'', and the angular momentum of the bodies stays 0.
do
  local w = world()
  local a, b = body(w, { 0, 0, 0 }, 2, { 1, 1, 0.5 }), body(w, { 0, 0, 1 }, 3, { 1, 1, 2 })
  local joint = w:hinge { a = a, b = b, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, motor = { force = 1 }, armature = 0.3 }
  w:step(500)
  near(joint:speed(), 0.5 / (0.5 * 2 / 2.5 + 0.3), 1e-9, "relative speed")
  local _, _, wa = a:spin()
  local _, _, wb = b:spin()
  near(0.5 * wa + 2 * wb, 0, 1e-12, "angular momentum")
end

-- M(q) q'' + M' terms for a planar double pendulum of two point-like links, with armatures.
local function double_pendulum(I1, I2, time)
  local m, l, J, g = 1, 1, 0.1, 10
  -- angles q1 and q2 (relative) from the vertical; centres in the ends of rods of length l
  local function rates(s)
    local q1, q2, u1, u2 = s[1], s[2], s[3], s[4]
    local c2, s2 = math.cos(q2), math.sin(q2)
    local M11 = m * l * l + J + 2 * m * l * l * (1 + c2) + J
    local M12, M22 = J + m * l * l * (1 + c2), J + m * l * l
    local h = m * l * l * s2
    local f1 = h * u2 * (2 * u1 + u2) - m * g * l * math.sin(q1) - m * g * (l * math.sin(q1) + l * math.sin(q1 + q2))
    local f2 = -h * u1 * u1 - m * g * l * math.sin(q1 + q2)
    M11, M22 = M11 + I1, M22 + I2
    local det = M11 * M22 - M12 * M12
    return { u1, u2, (M22 * f1 - M12 * f2) / det, (M11 * f2 - M12 * f1) / det }
  end
  local s, n = { 1, 0.5, 0, 0 }, 20000
  local h = time / n
  local function plus(p, d, k) local r = {} for i = 1, 4 do r[i] = p[i] + k * d[i] end return r end
  for _ = 1, n do
    local k1 = rates(s)
    local k2 = rates(plus(s, k1, h / 2))
    local k3 = rates(plus(s, k2, h / 2))
    local k4 = rates(plus(s, k3, h))
    for i = 1, 4 do s[i] = s[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) end
  end
  return s
end
do
  local right, errors = double_pendulum(2, 0.7, 2), {}
  for k, dt in ipairs { 2e-3, 1e-3 } do
    local w = world { dt = dt, gravity = { 0, 0, -10 } }
    local function hang(q, from)
      return { from[1] + math.sin(q), 0, from[3] - math.cos(q) }
    end
    local p1 = hang(1, { 0, 0, 0 })
    local p2 = hang(1.5, p1)
    local one, two = body(w, p1, 1, { 0.1, 0.1, 0.1 }), body(w, p2, 1, { 0.1, 0.1, 0.1 })
    local a = w:hinge { a = one, at = { 0, 0, 0 }, axis = { 0, -1, 0 }, armature = 2 }
    local b = w:hinge { a = two, b = one, at = p1, axis = { 0, -1, 0 }, armature = 0.7 }
    local start = balance(w)
    w:step(math.floor(2 / dt + 0.5))
    errors[k] = math.max(math.abs(a:position() - (right[1] - 1)), math.abs(b:position() - (right[2] - 0.5)))
    near(balance(w), start, 1e-9, "balance of a double pendulum")
    local r = w:report()
    near(r.kinetic + r.potential, start, 1e-4, "energy of a double pendulum")
  end
  assert(errors[2] < 1e-4, "double pendulum: " .. errors[2])
  assert(errors[1] / errors[2] > 3.7 and errors[1] / errors[2] < 4.3, ("the error is not of second order: %g %g"):format(errors[1], errors[2]))
end

-- A wheel rolls: T / r = (m + (J + I) / r^2) x''. The contact is solved with the rotor, by every solver that has friction.
for _, solver in ipairs { "auto", "nbgs", "pgs", "newton", "apgd", "spg" } do
  local w = world { gravity = { 0, 0, -10 }, solver = { name = solver, iterations = 2000, tolerance = 1e-10 } }
  w:halfspace { normal = { 0, 0, 1 } }
  w:pair { "default", "default", mu = 1 }
  local wheel = w:body { shapes = { { type = "sphere", radius = 0.5 } }, position = { 0, 0, 0.5 }, mass = 2, inertia = { 0.2, 0, 0, 0.2, 0, 0.2 } }
  local rail, frame = body(w, { 0, 0, 0.5 }, 0.1, { 0.1, 0.1, 0.1 }), body(w, { 0, 0, 0.5 }, 0.1, { 0.1, 0.1, 0.1 })
  w:slider { a = rail, at = { 0, 0, 0.5 }, axis = { 1, 0, 0 } }
  w:slider { a = frame, b = rail, at = { 0, 0, 0.5 }, axis = { 0, 0, 1 } }
  w:hinge { a = wheel, b = frame, at = { 0, 0, 0.5 }, axis = { 0, 1, 0 }, motor = { force = 1 }, armature = 0.3 }
  w:step(50)
  local start = balance(w)
  near((wheel:velocity()), 0.05 * (1 / 0.5) / (2.2 + (0.2 + 0.3) / 0.25), 1e-4, "a rolling wheel by " .. solver)
  w:step(50)
  near(balance(w), start, 1e-8, "balance of a wheel by " .. solver)
end

-- An impact: a ball of 1 kg hits an arm at the distance 2 from its hinge. The arm has the mass (J + I) / 4 there.
do
  local w = world()
  w:pair { "default", "default", restitution = 1, mu = 0 }
  local arm = w:body { shapes = { { type = "sphere", radius = 0.1 } }, position = { 2, 0, 0 }, mass = 1, inertia = { 0.5, 0, 0, 0.5, 0, 0.5 } }
  local joint = w:hinge { a = arm, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, armature = 5 }
  local ball = w:body { shapes = { { type = "sphere", radius = 0.1 } }, position = { 2, -0.25, 0 }, mass = 1, inertia = { 0.01, 0, 0, 0.01, 0, 0.01 } }
  ball:set_velocity(0, 1, 0)
  w:step(100)
  local M = (0.5 + 4 + 5) / 4
  local _, v = ball:velocity()
  near(v, (1 - M) / (1 + M), 1e-6, "the ball after an impact")
  near(joint:speed() * 2, 2 / (1 + M), 1e-6, "the arm after an impact")
  near(w:report().kinetic, 0.5, 1e-9, "energy after an impact")
end

-- A spinning turntable carries a plate on a radial axis; the plate's products of inertia turn it. M(q): J + I on the diagonal of the second joint.
do
  local Jz, A, B, C, I = 2, 0.4, 0.6, 0.3, 0.4 -- table about z; plate about x (axis), y, z
  local errors = {}
  local function rates(s)
    local q, u1, u2 = s[2], s[3], s[4]
    local c, n = math.cos(q), math.sin(q)
    local D, dD = Jz + B * n * n + C * c * c, 2 * (B - C) * n * c
    return { u1, u2, -dD * u1 * u2 / D, 0.5 * dD * u1 * u1 / (A + I) }
  end
  local s, n = { 0, 0.3, 3, 0 }, 20000
  local h = 1 / n
  local function plus(p, d, k) local r = {} for i = 1, 4 do r[i] = p[i] + k * d[i] end return r end
  for _ = 1, n do
    local k1 = rates(s)
    local k2 = rates(plus(s, k1, h / 2))
    local k3 = rates(plus(s, k2, h / 2))
    local k4 = rates(plus(s, k3, h))
    for i = 1, 4 do s[i] = s[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) end
  end
  local function run(dt, more)
    local w = world { dt = dt, gravity = { 0, 0, more and -10 or 0 } }
    local table_ = body(w, { 0, 0, 0 }, 1, { 1, 1, Jz })
    local plate = body(w, { 0, 0, 0 }, 1, { A, B, C }, { orientation = { math.cos(0.15), math.sin(0.15), 0, 0 } })
    w:hinge { a = table_, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
    local joint = w:hinge { a = plate, b = table_, at = { 0, 0, 0 }, axis = { 1, 0, 0 }, armature = I }
    if more then -- a smooth ball that lies on the table: the mechanism is solved with a contact
      w:pair { "default", "default", mu = 0 }
      local pan = w:body { shapes = { { type = "box", size = { 0.2, 0.2, 0.02 } } }, position = { 0, 0, 1 }, mass = 1e-6, inertia = { 1e-9, 0, 0, 1e-9, 0, 1e-9 } }
      w:fixed { a = pan, b = table_, at = { 0, 0, 1 } }
      w:body { shapes = { { type = "sphere", radius = 0.1 } }, position = { 0, 0, 1.11 }, mass = 1e-6, inertia = { 1e-9, 0, 0, 1e-9, 0, 1e-9 } }
      pan:set_spin(0, 0, 3)
    end
    table_:set_spin(0, 0, 3) plate:set_spin(0, 0, 3)
    w:step(math.floor(1 / dt + 0.5))
    if more then assert(w:report().contacts > 0) end
    return math.abs(joint:position() - (s[2] - 0.3))
  end
  errors[1], errors[2] = run(2e-3), run(1e-3)
  assert(errors[2] < 1e-5 and errors[1] / errors[2] > 3.7, ("a turntable: %g %g"):format(errors[1], errors[2]))
  errors[1], errors[2] = run(2e-3, true), run(5e-4, true)
  assert(errors[2] < 5e-3 and errors[1] / errors[2] > 3, ("a turntable with a contact: %g %g"):format(errors[1], errors[2]))
end

-- A checkpoint continues with the same bits.
do
  local function make(w)
    local arm = body(w, { 0.5, 0, 0 }, 2, { 0.1, 0.3, 0.4 })
    return w:hinge { a = arm, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, armature = 0.6 }
  end
  local w = world { gravity = { 0, 0, -10 } }
  local joint = make(w)
  w:step(100)
  local state = w:save()
  w:step(100)
  local hash = w:hash()
  w:restore(state)
  w:step(100)
  assert(w:hash() == hash, "a checkpoint of a rotor")
end

-- Refused.
local function refused(text, call, ...)
  local fine, why = pcall(call, ...)
  assert(not fine and tostring(why):find(text, 1, true), tostring(why))
end
do
  local w = world()
  local arm = body(w, { 0.5, 0, 0 }, 2, { 0.1, 0.3, 0.4 })
  refused("hinge.armature must be at least 0", w.hinge, w, { a = arm, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, armature = -1 })
  refused("armature", w.ball, w, { a = arm, at = { 0, 0, 0 }, armature = 1 })
  refused("armature", w.fixed, w, { a = arm, at = { 0, 0, 0 }, armature = 1 })
  local other = scree.world { dt = 1e-3, stepper = "stewart_trinkle" }
  local one = body(other, { 0.5, 0, 0 }, 2, { 0.1, 0.3, 0.4 })
  refused("need the stepper semi_implicit", other.hinge, other, { a = one, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, armature = 1 })
end
