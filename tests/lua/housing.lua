-- Gears, belts and racks in housings: momentum, closed forms, planetary gears, which housings are found and when, errors.
local scree = require "scree"

local Z = { 0, 0, 1 }
local function near(a, b, tolerance, what)
  if not (math.abs(a - b) <= tolerance) then error(("%s: %.17g, not %.17g"):format(what or "value", a, b), 2) end
end
local function fails(words, f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok, "no error: " .. words)
  assert(tostring(message):find(words, 1, true), tostring(message) .. " does not say " .. words)
end
local function world(def)
  def = def or {}
  def.gravity, def.dt = def.gravity or { 0, 0, 0 }, def.dt or 1e-3
  return scree.world(def)
end
local function body(w, at, mass, inertia, more)
  local def = { position = at, mass = mass, inertia = { inertia[1], 0, 0, inertia[2], 0, inertia[3] }, shapes = {} }
  for key, value in pairs(more or {}) do def[key] = value end
  return w:body(def)
end
local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function size(a) return math.sqrt(a[1] * a[1] + a[2] * a[2] + a[3] * a[3]) end
local function spin(b) return (select(3, b:spin())) end

-- A gearbox that is free in space: a motor between wheel and housing, wheels of ratio 2. With k the spin of b per spin of a against the
-- housing, I0 the inertia of the whole about its centre, M the torque: (I_a + k^2 I_b - (I_a + k I_b)^2 / I0) spin_a = M t.
local function gearbox(w, ratio, more)
  local frame = body(w, { 0, 0, 0 }, 10, { 1, 1, 1 })
  local a = body(w, { -0.2, 0, 0 }, 1, { 0.01, 0.01, 0.02 })
  local b = body(w, { 0.1, 0, 0 }, 1, { 0.01, 0.01, 0.005 })
  local gear = { a = a, b = b, axis = Z, axis_b = Z, ratio = ratio }
  for key, value in pairs(more or {}) do gear[key] = value end
  if more and more.frame == true then gear.frame = frame end
  local function hinges()
    w:hinge { a = a, b = frame, at = { -0.2, 0, 0 }, axis = Z, motor = { force = 0.1 } }
    w:hinge { a = b, b = frame, at = { 0.1, 0, 0 }, axis = Z }
  end
  if more and more.late then
    gear.late = nil
    local made = w:gear(gear)
    hinges()
    return frame, a, b, made
  end
  hinges()
  return frame, a, b, w:gear(gear)
end

local solvers = { "auto", "nbgs", "pgs", "newton", "lemke", "apgd", "spg" }
for _, solver in ipairs(solvers) do
  for _, ratio in ipairs { 0.5, -0.5, -3 } do -- wheels, belts
    local w = world { dt = 5e-3, solver = { name = solver, tolerance = 1e-13, iterations = 5000 } }
    local frame, a, b = gearbox(w, ratio)
    w:step(100)
    local r = w:report()
    near(size(r.angular_momentum), 0, 1e-12, solver .. ": angular momentum")
    near(size(r.momentum), 0, 1e-12, solver .. ": momentum")
    local k = -1 / ratio
    local I0 = 1 + 0.02 + 0.005 + 0.04 + 0.01 - 0.1 * 0.1 / 12
    local wanted = 0.1 * 0.5 / (0.02 + k * k * 0.005 - (0.02 + k * 0.005) ^ 2 / I0)
    near(spin(a) - spin(frame), wanted, 1e-6 * wanted, solver .. ": speed of the wheel")
    near(spin(b) - spin(frame), k * wanted, 1e-6 * math.abs(k * wanted), solver .. ": ratio")
  end
end

-- In space, tumbling about all axes, with axes of the wheels across each other; the gear is made before the axles or after them, its housing
-- is named or found. The turns against the housing keep the ratio.
for _, how in ipairs { {}, { late = true }, { frame = true }, { late = true, frame = true } } do
  local w = world { dt = 5e-4 }
  local frame = body(w, { 0, 0, 0 }, 3, { 0.2, 0.3, 0.4 }, { velocity = { 0.3, -0.2, 0.5 }, spin = { 2, -1, 3 } })
  local v = function(p) -- of a point of the housing
    return { 0.3 + (-1 * p[3] - 3 * p[2]), -0.2 + (3 * p[1] - 2 * p[3]), 0.5 + (2 * p[2] + p[1]) }
  end
  local pa, pb, d = { 0.3, 0.1, -0.2 }, { -0.2, 0.4, 0.1 }, { 0.6, 0, 0.8 }
  local a = body(w, pa, 1, { 0.02, 0.03, 0.03 }, { velocity = v(pa), spin = { 2, -1, 3 } })
  local b = body(w, pb, 0.5, { 0.01, 0.01, 0.01 }, { velocity = v(pb), spin = { 2, -1, 3 } })
  local one, two
  local function axles()
    one = w:hinge { a = a, b = frame, at = pa, axis = { 1, 0, 0 }, motor = { force = 0.05 } }
    two = w:hinge { a = b, b = frame, at = pb, axis = d }
  end
  local function gear() w:gear { a = a, b = b, axis = { 1, 0, 0 }, axis_b = d, ratio = 0.7, frame = how.frame and frame or nil } end
  if how.late then gear() axles() else axles() gear() end
  w:step(1)
  local before = w:report()
  local function kept(tolerance)
    local after = w:report()
    near(size(sub(after.angular_momentum, before.angular_momentum)), 0, tolerance * size(before.angular_momentum), "angular momentum in space")
    near(size(sub(after.momentum, before.momentum)), 0, tolerance * size(before.momentum), "momentum in space")
  end
  w:step(400)
  kept(1e-12)
  w:step(1600)
  kept(1e-9) -- the hinges by themselves, without a gear, keep it to 1e-10: where they are put right, bodies shift
  assert(math.abs(one:speed()) > 0.5)
  near(one:speed() + 0.7 * two:speed(), 0, 1e-10, "ratio of speeds in space")
  near(one:position() + 0.7 * two:position(), 0, 1e-10, "ratio of turns in space")
  assert(w:joints_report().homeless == 0)
end

-- A rack and its pinion on a cart: they ride along; a motor between cart and pinion pushes the rack one way and the cart the other way. With
-- m the mass of rack, M that of cart and pinion, r the ratio: relative acceleration u'' = (T / r) / (m M / (m + M) + I / r^2).
local function rack_on_cart(w, more)
  local speed = { 0.7, 0, 0 }
  local cart = body(w, { 0, 0, 0 }, 4, { 0.5, 0.5, 0.5 }, { velocity = speed })
  local pinion = body(w, { 0, 0.1, 0 }, 1, { 0.01, 0.01, 0.01 }, { velocity = speed })
  local rail = body(w, { 0.2, 0.2, 0 }, 2, { 0.02, 0.02, 0.02 }, { velocity = speed })
  w:hinge { a = pinion, b = cart, at = { 0, 0.1, 0 }, axis = Z, motor = { force = more.torque } }
  w:slider { a = rail, b = cart, at = { 0.2, 0.2, 0 }, axis = { 1, 0, 0 } }
  if more.track then w:slider { a = cart, at = { 0, 0, 0 }, axis = { 1, 0, 0 } } end
  w:rack { a = pinion, b = rail, axis = Z, axis_b = { 1, 0, 0 }, ratio = 0.1, frame = more.frame and cart or nil }
  return cart, rail
end
for _, solver in ipairs(solvers) do
  for _, named in ipairs { false, true } do
    local w = world { dt = 5e-3, solver = { name = solver, tolerance = 1e-13, iterations = 5000 } }
    local cart, rail = rack_on_cart(w, { torque = 0.02, track = true, frame = named })
    w:step(100)
    near(w:report().momentum[1], 7 * 0.7, 1e-12, solver .. ": momentum of a rack on a cart")
    local u = 0.02 / 0.1 * 0.5 / (2 * 5 / 7 + 0.01 / 0.1 ^ 2)
    near(rail:velocity() - cart:velocity(), u, 1e-8, solver .. ": speed of a rack on a cart")
  end
  local w = world { dt = 5e-3, solver = { name = solver, tolerance = 1e-13, iterations = 5000 } }
  rack_on_cart(w, { torque = 0.02 }) -- free to turn as well
  local before = w:report()
  w:step(100)
  local after = w:report()
  near(size(sub(after.momentum, before.momentum)), 0, 1e-12, solver .. ": momentum of a free cart")
  near(size(sub(after.angular_momentum, before.angular_momentum)), 0, 1e-12, solver .. ": angular momentum of a free cart")
end
do -- without a motor everything rides along
  local w = world()
  local cart, rail = rack_on_cart(w, { torque = 0 })
  w:step(1000)
  near(rail:velocity() - cart:velocity(), 0, 1e-12, "a rack that rides along")
end

-- A wheel that is braked in a turning housing turns with it, and so does its partner.
do
  local w = world()
  local housing = w:sphere { kind = "kinematic", radius = 0.1, position = { 0, 0, 0 }, spin = { 0, 0, 2 } }
  local a, b = body(w, { -0.2, 0, 0 }, 1, { 0.01, 0.01, 0.01 }), body(w, { 0.2, 0, 0 }, 1, { 0.01, 0.01, 0.01 })
  w:hinge { a = a, b = housing, at = { -0.2, 0, 0 }, axis = Z, motor = { speed = 0, force = 1e6 } }
  local free = w:hinge { a = b, b = housing, at = { 0.2, 0, 0 }, axis = Z }
  w:gear { a = a, b = b, axis = Z, axis_b = Z, ratio = 0.5 }
  w:step(300)
  near(free:speed(), 0, 1e-10, "partner of a braked wheel")
  near(spin(b), 2, 1e-10, "spin of the partner of a braked wheel")
end

-- Planetary gears, sun of 20 teeth, ring of 60 fixed to the ground, planet of 20: the carrier turns by 20 / (20 + 60) of the sun's turns
-- (Willis 1841). The planet runs on the carrier, which is named for the sun and found for the ring.
for _, ring in ipairs { "ground", "body" } do
  local w = world()
  local carrier, sun = body(w, { 0, 0, 0 }, 1, { 0.1, 0.1, 0.1 }), body(w, { 0, 0, 0 }, 1, { 0.1, 0.1, 0.1 })
  local planet = body(w, { 1, 0, 0 }, 1, { 0.1, 0.1, 0.1 })
  local fixed = ring == "body" and w:sphere { kind = "fixed", radius = 0.1, position = { 0, 0, 0 } } or nil
  w:hinge { a = carrier, b = fixed, at = { 0, 0, 0 }, axis = Z }
  w:hinge { a = sun, at = { 0, 0, 0 }, axis = Z, motor = { speed = 4, force = 1e4 } }
  w:hinge { a = planet, b = carrier, at = { 1, 0, 0 }, axis = Z }
  w:gear { a = sun, b = planet, axis = Z, axis_b = Z, ratio = 1, frame = carrier }
  w:gear { a = planet, b = fixed, axis = Z, axis_b = Z, ratio = -3 }
  w:step(200)
  near(spin(sun), 4, 1e-9, "sun")
  near(spin(carrier), 4 * 20 / (20 + 60), 1e-9, "carrier with ring on the " .. ring)
  assert(w:joints_report().homeless == 0)
end

-- Gears with absolute motion: axles in the ground, wheels without axles, frame = "ground".
do
  local w = world()
  local frame, a, b = gearbox(w, 0.5, { frame = "ground" })
  w:step(200)
  near(spin(a) + 0.5 * spin(b), 0, 1e-12, "ratio against the ground")
  assert(math.abs(spin(frame)) > 1e-3 and w:joints_report().homeless == 0)
end
do -- each wheel in a body of its own
  local w = world()
  local a, b = body(w, { 0, 0, 0 }, 1, { 1, 1, 1 }), body(w, { 1, 0, 0 }, 1, { 1, 1, 1 })
  local one, two = body(w, { 0, 1, 0 }, 1, { 1, 1, 1 }), body(w, { 1, 1, 0 }, 1, { 1, 1, 1 })
  w:gear { a = a, b = b, axis = Z, axis_b = Z }
  assert(w:joints_report().homeless == 0)
  w:hinge { a = a, b = one, at = { 0, 0, 0 }, axis = Z }
  assert(w:joints_report().homeless == 1)
  w:hinge { a = b, b = two, at = { 1, 0, 0 }, axis = Z }
  assert(w:joints_report().homeless == 1)
  w:hinge { a = one, b = b, at = { 1, 0, 0 }, axis = Z, collide = true }
  assert(w:joints_report().homeless == 0) -- `one` carries both
end

-- A housing is held like any joined body, goes with `joined = "release"`, and is in checkpoints.
do
  local w = world()
  local a, b, frame = body(w, { 0, 0, 0 }, 1, { 1, 1, 1 }), body(w, { 1, 0, 0 }, 1, { 1, 1, 1 }), body(w, { 9, 0, 0 }, 1, { 1, 1, 1 })
  local gear = w:gear { a = a, b = b, axis = Z, axis_b = Z, frame = frame }
  fails("joint", frame.remove, frame)
  assert(w:remove { region = { min = { 8, -1, -1 }, max = { 10, 1, 1 } }, joined = "keep" } == 0)
  assert(w:remove { region = { min = { 8, -1, -1 }, max = { 10, 1, 1 } }, joined = "release" } == 1)
  fails("removed", gear.remove, gear)
end

-- Mistakes.
do
  local w, other = world(), world()
  local a, b = body(w, { 0, 0, 0 }, 1, { 1, 1, 1 }), body(w, { 1, 0, 0 }, 1, { 1, 1, 1 })
  local function gear(frame) w:gear { a = a, b = b, axis = Z, axis_b = Z, frame = frame } end
  fails("gear.frame must be a third body", gear, a)
  fails("gear.frame must be a third body", gear, b)
  fails('gear.frame must be a body or "ground", not "wheel"', gear, "wheel")
  fails("gear.frame must be a body, not a number", gear, 3)
  fails("gear.frame is a body of another world", gear, body(other, { 0, 0, 0 }, 1, { 1, 1, 1 }))
  fails("hinge.frame: only gears and racks have a housing", w.hinge, w, { a = a, b = b, at = { 0, 0, 0 }, axis = Z, frame = a })
end
