-- Winches: motors, servos, friction and armatures along the distance of a distance joint. Expected values are closed forms, or equations of motion that
-- are integrated by Runge-Kutta here.
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
local function ball(w, x, mass, more)
  local def = { position = x, mass = mass, inertia = { 1, 0, 0, 1, 0, 1 }, shapes = {} }
  for key, value in pairs(more or {}) do def[key] = value end
  return w:body(def)
end
local function balance(w)
  local r = w:report()
  return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction
end
-- Integrates x'' = f(x, v) in the plane by Runge-Kutta.
local function integrate(x, y, u, v, time, f)
  local s, n = { x, y, u, v }, 20000
  local h = time / n
  local function rate(t)
    local a, b = f(t[1], t[2], t[3], t[4])
    return { t[3], t[4], a, b }
  end
  local function plus(t, k, by) return { t[1] + by * k[1], t[2] + by * k[2], t[3] + by * k[3], t[4] + by * k[4] } end
  for _ = 1, n do
    local a = rate(s)
    local b = rate(plus(s, a, h / 2))
    local c = rate(plus(s, b, h / 2))
    local d = rate(plus(s, c, h))
    for i = 1, 4 do s[i] = s[i] + h / 6 * (a[i] + 2 * b[i] + 2 * c[i] + d[i]) end
  end
  return s
end

-- A force pulls two free bodies together; momentum is conserved, the motor's work is their kinetic energy.
do
  local w = world()
  local a, b = ball(w, { 0, 0, 0 }, 1), ball(w, { 3, 0, 0 }, 2)
  local joint = w:distance { a = a, b = b, at = { 0, 0, 0 }, at_b = { 3, 0, 0 }, motor = { force = -3 } }
  w:step(100)
  near(select(1, a:velocity()), 0.3, 1e-9, "pulled")
  near(select(1, b:velocity()), -0.15, 1e-9, "pulled back")
  near(joint:speed(), -0.45, 1e-9, "speed")
  near(joint:effort(), -3, 1e-9, "effort")
  near(w:report().work, 0.5 * 0.3 ^ 2 + 0.15 ^ 2, 1e-9, "work")
  near(balance(w), 0, 1e-9, "balance")
end

-- A body circles a point while a constant force pulls it in: an orbit in a field of constant strength.
do
  local w = world { dt = 2e-4 }
  local a = ball(w, { 1, 0, 0 }, 2, { velocity = { 0, 1.5, 0 } })
  w:distance { a = a, at = { 1, 0, 0 }, at_b = { 0, 0, 0 }, motor = { force = -5 } }
  w:step(5000)
  local x, y = a:position()
  local s = integrate(1, 0, 0, 1.5, 1, function(X, Y)
    local r = math.sqrt(X * X + Y * Y)
    return -2.5 * X / r, -2.5 * Y / r
  end)
  near(x, s[1], 1e-4, "orbit")
  near(y, s[2], 1e-4, "orbit")
  near(balance(w), 2.25, 1e-6, "balance of an orbit") -- the kinetic energy at the start
end

-- A winch reels in a load at its speed, and stops at the limit.
do
  local w = world { gravity = { 0, 0, -10 } }
  local a = ball(w, { 0, 0, -2 }, 3)
  local rope = w:distance { a = a, at = { 0, 0, -2 }, at_b = { 0, 0, 0 }, motor = { speed = -0.5, force = 1e6 }, limits = { 1, 2 } }
  w:step(1000)
  near(rope:speed(), -0.5, 1e-9, "winch")
  near(rope:position(), 1.5, 1e-6, "reeled in")
  near(rope:effort(), -30, 1e-9, "load of the winch")
  w:step(2000)
  near(rope:position(), 1, 1e-6, "stops at the limit")
  -- too weak: the load falls with g - f / m
  rope:set_motor { speed = -0.5, force = 12 }
  w:step(1)
  near(rope:speed(), 1e-3 * (10 - 12 / 3), 1e-9, "a weak winch")
end

-- A servo of the distance is a spring with a bound.
do
  local w = world { gravity = { 0, 0, -10 } }
  local one, two = ball(w, { 0, 0, -1 }, 1), ball(w, { 5, 0, -1 }, 1)
  w:distance { a = one, at = { 0, 0, -1 }, at_b = { 0, 0, 0 }, servo = { position = 1, stiffness = 400, damping = 3 } }
  w:distance { a = two, at = { 5, 0, -1 }, at_b = { 5, 0, 0 }, rest = 1, stiffness = 400, damping = 3 }
  w:step(321)
  near(select(3, one:position()), select(3, two:position()), 1e-9, "servo and spring")
  local joint = w:distance { a = one, b = two, at = { one:position() }, at_b = { two:position() }, servo = { position = 0, stiffness = 1e4, force = 0.25 } }
  w:step(1)
  near(joint:effort(), -0.25, 1e-9, "bound of a servo")
end

-- Friction of a pulley holds what weighs less than its bound, and brakes what weighs more.
do
  local w = world { gravity = { 0, 0, -10 } }
  local light, heavy = ball(w, { 0, 0, -1 }, 1), ball(w, { 5, 0, -1 }, 2)
  w:distance { a = light, at = { 0, 0, -1 }, at_b = { 0, 0, 0 }, friction = 15 }
  w:distance { a = heavy, at = { 5, 0, -1 }, at_b = { 5, 0, 0 }, friction = 15 }
  w:step(200)
  near(select(3, light:velocity()), 0, 1e-12, "held by friction")
  near(select(3, heavy:velocity()), -0.2 * (10 - 15 / 2), 1e-9, "braked by friction")
  near(balance(w), -30, 1e-9, "balance of friction") -- the potential energy at the start
end

-- Armature: the drum of a winch. (m + I) r'' = m g - T along the rope, and across it the body moves as on a rope.
do
  local w = world { gravity = { 0, 0, -10 } }
  local a = ball(w, { 0, 0, -1 }, 2)
  local rope = w:distance { a = a, at = { 0, 0, -1 }, at_b = { 0, 0, 0 }, armature = 3 }
  w:step(1)
  near(rope:speed(), 1e-3 * 20 / 5, 1e-9, "a drum")
  w:step(99)
  near(rope:speed(), 0.1 * 20 / 5, 1e-9, "a drum turns")
  near(w:report().kinetic, 2.5 * rope:speed() ^ 2, 1e-9, "energy of a drum")
  local v = world { dt = 2e-4 }
  local b = ball(v, { 1, 0, 0 }, 2, { velocity = { 0, 1.5, 0 } })
  v:distance { a = b, at = { 1, 0, 0 }, at_b = { 0, 0, 0 }, armature = 3 }
  v:step(5000)
  local x, y = b:position()
  -- (m + I) r'' = m r q'^2; the angular momentum is constant
  local s = integrate(1, 0, 0, 1.5, 1, function(X, Y, U, V)
    local r = math.sqrt(X * X + Y * Y)
    local turn = (X * V - Y * U) / (r * r)
    local pull = -3 * (2 * r * turn * turn / 5) / 2 -- tension of the drum per mass of the body
    return pull * X / r, pull * Y / r
  end)
  near(x, s[1], 1e-3, "orbit of a drum")
  near(y, s[2], 1e-3, "orbit of a drum")
  near(balance(v), 2.25, 1e-4, "balance of a drum")
end
