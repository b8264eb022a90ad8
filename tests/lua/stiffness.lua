-- Contact stiffness against closed forms: a ball that bounces and rests, Hertz's collision, Newton's cradle, a box pushed below and above its friction limit.
local scree = require "scree"
local check = require "check"
local G, PI = 9.81, math.pi
local NONE = { 0, 0, 0 }

local function share(found, expected, bound, what) check.within(found, expected, bound * math.abs(expected), what) end
local function world(def, pair)
  def.gravity, def.dt = def.gravity or { 0, 0, -G }, def.dt or 1e-3
  local w = scree.world(def)
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  return w
end

-- Steps a ball that strikes a plane until it leaves. Returns errors of its speed, its depth and the time of contact, as shares of the closed form of an elastic spring.
local function bounce(dt, k, keys)
  local R, v0, pair = 0.01, 0.1, { mu = 0.5, contact_stiffness = k }
  for key, value in pairs(keys or {}) do pair[key] = value end
  local w = world({ gravity = NONE, dt = dt }, pair)
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = R, position = { 0, 0, R }, velocity = { 0, 0, -v0 }, density = 2500 }
  local omega, depth, time, last, before = math.sqrt(k / ball:mass()), 0, nil, R, nil
  for _ = 1, 10000 do
    w:step()
    local _, _, z = ball:position()
    depth, before, last = math.max(depth, R - z), last, z
    if z >= R then -- the time at which the surface is passed, by linear interpolation
      time = w:time() - dt * (z - R) / (z - before)
      break
    end
  end
  local _, _, v = ball:velocity()
  local r = w:report()
  check.within(r.kinetic + r.elastic + r.dissipated - r.correction, ball:mass() * v0 ^ 2 / 2, 1e-15, "energy of a bounce")
  return 1 - v / v0, 1 - depth * omega / v0, time * omega / PI - 1, omega
end

do -- first order: each halving of the step halves the errors of speed and depth
  local last
  for _, dt in ipairs { 4e-5, 2e-5, 1e-5, 5e-6 } do
    local speed, depth, time, omega = bounce(dt, 1e5)
    -- implicit Euler damps the oscillation by omega^2 dt/2: the rebound is exp(-pi omega dt/2), the depth exp(-pi omega dt/4) of the closed form
    share(1 - speed, math.exp(-PI * omega * dt / 2), 4 * (omega * dt) ^ 2, "rebound")
    share(1 - depth, math.exp(-PI * omega * dt / 4), 4 * (omega * dt) ^ 2, "depth")
    check.within(time, 0, omega * dt, "time of contact")
    if last then
      assert(last.speed / speed > 1.8 and last.speed / speed < 2.1, "order of the rebound")
      assert(last.depth / depth > 1.8 and last.depth / depth < 2.1, "order of the depth")
    end
    last = { speed = speed, depth = depth }
  end
  assert(last.speed < 0.03 and last.depth < 0.015, "the limit is elastic")
  -- a relaxation time T damps by omega T/2 more
  local speed, _, _, omega = bounce(2e-6, 1e5, { relaxation_time = 2e-5 })
  share(1 - speed, math.exp(-PI * omega * 2.2e-5 / 2), 0.01, "rebound with a relaxation time")
end

-- ---- rest ----

-- Overlap and elastic energy of a ball at rest on a plane.
local function rest(pair, def, mass)
  local R = 0.01
  def = def or {}
  def.solver = { tolerance = 1e-10, iterations = 1000 }
  local w = world(def, pair)
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = R, position = { 0, 0, R }, mass = mass or 0.01 }
  w:step(2000)
  local _, _, z = ball:position()
  return R - z, w:report().elastic
end
for _, def in ipairs { { dt = 1e-3 }, { dt = 2e-4 }, { dt = 1e-3, substeps = 4 }, { plane = { 0, 1, 0 } } } do
  local R, m, k, Y, nu = 0.01, 0.01, 1e5, 1e7, 0.3
  local E = Y / (2 * (1 - nu ^ 2))
  local function new()
    local copy = {}
    for key, value in pairs(def) do copy[key] = value end
    return copy
  end
  local depth, energy = rest({ contact_stiffness = "1e5 N/m" }, new())
  share(depth, m * G / k, 1e-6, "overlap at rest, m g/k")
  share(energy, (m * G) ^ 2 / (2 * k), 1e-6, "energy of a linear spring")
  share(rest({ contact_stiffness = k, relaxation_time = 2e-3 }, new()), m * G / k, 1e-6, "overlap with a relaxation time")
  share(rest({ young = "10 MPa", poisson = nu }, new()), m * G / (2 * E * R), 1e-6, "overlap with young, m g/(2 E* R)")
  local hertz = (3 * m * G / (4 * E * math.sqrt(R))) ^ (2 / 3)
  depth, energy = rest({ young = "10 MPa", poisson = nu, stiffness_law = "hertz" }, new())
  share(depth, hertz, 1e-6, "overlap by Hertz's law")
  share(energy, 0.4 * m * G * hertz, 1e-6, "energy by Hertz's law")
  -- hardness: k = 1e4 F/d with d = 4 R for the reduced radius R, here the ball's
  share(rest({ hardness = 1e4 }, new()), 4 * R / 1e4, 1e-6, "overlap by hardness")
  share(rest({ softness = 0.01 }, { dt = 1e-3 }), 0.01 * G * 1e-6, 1e-3, "overlap by softness, softness g dt^2")
end
for _, factor in ipairs { 0.01, 1, 100 } do share(rest({ hardness = 1e3 }, nil, 0.01 * factor), 0.04 / 1e3, 1e-6, "hardness follows the load") end

-- ---- Hertz's collision (Johnson 1985, 11.4) ----

do
  local last
  for _, dt in ipairs { 4e-7, 2e-7, 1e-7 } do
    local R, v, Y = 0.01, 1, 1e9
    local w = world({ gravity = NONE, dt = dt }, { mu = 0.3, young = Y, stiffness_law = "hertz" })
    local a = w:sphere { radius = R, position = { -R, 0, 0 }, velocity = { v / 2, 0, 0 }, density = 2500 }
    local b = w:sphere { radius = R, position = { R, 0, 0 }, velocity = { -v / 2, 0, 0 }, density = 2500 }
    local m, k = a:mass() / 2, 4 / 3 * (Y / 2) * math.sqrt(R / 2)
    local deepest, time = 0, nil
    for _ = 1, 10000 do
      w:step()
      local overlap = 2 * R - (b:position() - a:position())
      deepest = math.max(deepest, overlap)
      if overlap <= 0 then
        time = w:time()
        break
      end
    end
    local depth = (5 * m * v ^ 2 / (4 * k)) ^ 0.4 -- from m v^2/2 = 2/5 k depth^(5/2)
    local error = { depth = math.abs(deepest / depth - 1), time = math.abs(time / (2.94327 * depth / v) - 1), speed = math.abs(1 - (b:velocity() - a:velocity()) / v) }
    for what, value in pairs(error) do assert(value < 4 * dt / (2.94 * depth / v) + 1e-3, ("Hertz's collision at %g: %s is off by %g"):format(dt, what, value)) end
    if last then assert(last.depth / error.depth > 1.5 and last.speed / error.speed > 1.5, "order of Hertz's collision") end
    last = error
  end
end

-- ---- Newton's cradle of elastic balls ----

-- Balls in a row with small gaps and linear springs collide in turn, so the last one leaves with the whole momentum.
do
  local R, v, k, gap = 0.01, 0.1, 1e6, 5e-5
  local w = world({ gravity = NONE, dt = 2e-7 }, { mu = 0, contact_stiffness = k })
  local ball = {}
  for i = 1, 5 do ball[i] = w:sphere { radius = R, position = { (2 * R + gap) * (i - 1), 0, 0 }, velocity = { i == 1 and v or 0, 0, 0 }, density = 7800 } end
  for _ = 1, 200 do
    w:step(200)
    if ball[5]:position() > 4 * (2 * R + gap) + gap then break end
  end
  local p, m = 0, ball[1]:mass()
  for i = 1, 5 do
    local u = ball[i]:velocity()
    p = p + u
    if i < 5 then check.within(u, 0, 0.02 * v, "ball " .. i .. " of a cradle stays") end
  end
  share(ball[5]:velocity(), v, 0.03, "the last ball of a cradle leaves")
  check.within(p, v, 1e-12, "momentum of a cradle")
  local r = w:report()
  check.within(r.kinetic + r.elastic + r.dissipated - r.correction, m * v ^ 2 / 2, 1e-15, "energy of a cradle")
end
-- Touching balls: against the equations of motion of the springs, m x'' = k (overlaps), integrated here with a step five times smaller.
do
  local R, v, k, n, dt = 0.01, 0.1, 1e6, 5, 5e-7
  local w = world({ gravity = NONE, dt = dt }, { mu = 0, contact_stiffness = k })
  local ball, x, u = {}, {}, {}
  for i = 1, n do
    x[i], u[i] = 2 * R * (i - 1), i == 1 and v or 0
    ball[i] = w:sphere { radius = R, position = { x[i], 0, 0 }, velocity = { u[i], 0, 0 }, density = 7800 }
  end
  local m, h, steps = ball[1]:mass(), dt / 5, 4000
  for _ = 1, steps * 5 do -- velocity Verlet without damping
    for i = 1, n - 1 do
      local f = k * math.max(0, x[i] - x[i + 1] + 2 * R)
      u[i], u[i + 1] = u[i] - h * f / m, u[i + 1] + h * f / m
    end
    for i = 1, n do x[i] = x[i] + h * u[i] end
  end
  w:step(steps)
  assert(u[1] < -0.02 * v and u[5] > 0.9 * v, "touching balls share the velocity: a dispersive chain")
  for i = 1, n do check.within(ball[i]:velocity(), u[i], 0.02 * v, "ball " .. i .. " of touching elastic balls") end
end

-- ---- a box pushed ----

do
  local m, k, mu, F = 1, 1e5, 0.5, 3
  local w = world({ solver = { tolerance = 1e-10, iterations = 500 } }, { mu = mu, contact_stiffness = k })
  w:halfspace { normal = { 0, 0, 1 } }
  local box = w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.05 - m * G / (4 * k) }, mass = m }
  -- the torque moves the force to the floor, so that the box does not pitch
  local function push(force, steps)
    for _ = 1, steps do
      box:apply { force = { force, 0, 0 }, torque = { 0, -0.05 * force, 0 } }
      w:step()
    end
    return (box:position())
  end
  for i = 1, 500 do push(F * i / 500, 1) end
  local kt = 0.8 * k
  share(push(F, 200), F / (4 * kt), 1e-3, "a box below its friction limit moves by F/(4 k_t)")
  local start = push(F, 100)
  check.within(push(F, 10000), start, 1e-6 * start, "no creep in 10^4 steps")
  for i = 500, 0, -1 do push(F * i / 500, 1) end
  check.within(push(0, 300), 0, 1e-2 * start, "the box returns with the load")
  local steps, force = 500, 1.4 * mu * m * G
  push(force, 100) -- past the start
  local v0 = box:velocity()
  push(force, steps)
  share(box:velocity() - v0, (force / m - mu * G) * steps * 1e-3, 1e-6, "above the limit the box slides by Coulomb's law")
end

-- ---- inputs that are refused ----

for _, case in ipairs {
  { { contact_stiffness = 1, young = 1 }, "contact_stiffness, young, hardness, softness and kn all give the stiffness" },
  { { hardness = 1, softness = 1 }, "give one" }, { { poisson = 0.3 }, "poisson needs young" }, { { poisson = 0.3, contact_stiffness = 1 }, "poisson needs young" },
  { { young = 1, poisson = 0.6 }, "poisson must lie in [0, 0.5]" }, { { contact_stiffness = -1 }, "contact_stiffness must be at least 0" },
  { { contact_stiffness = math.huge }, "contact_stiffness is infinite" }, { { contact_stiffness = 0 / 0 }, "contact_stiffness is NaN" },
  { { stiffness_law = "hertz" }, "stiffness_law needs young" }, { { contact_stiffness = 1, stiffness_law = "hertz" }, "stiffness_law needs young" },
  { { stiffness_ratio = 1 }, "stiffness_ratio needs contact_stiffness" }, { { relaxation_time = 1 }, "relaxation_time needs contact_stiffness" },
  { { contact_stiffness = "1 Pa" }, "contact_stiffness" }, { { young = "1 N/m" }, "young" },
  { { contact_stiffness = 1, law = "hooke", stiffness = 1 }, 'law "hooke" has its own stiffness' },
  { { young = 1e9, law = "hertz", modulus = 1e9 }, 'law "hertz" has its own stiffness' },
  { { contact_stiffness = 1 }, 'under the stepper "second_order" contacts are rigid', "second_order" },
  { { softness = 1 }, 'under the stepper "stewart_trinkle" contacts are rigid', "stewart_trinkle" },
  { { hardness = 1, law = "hooke", stiffness = 1 }, 'law "hooke" has its own stiffness', "penalty" },
  { { hardness = 1 }, 'needs law "hooke" or "hertz"', "penalty" },
} do check.fails(case[2], world, { stepper = case[3] }, case[1]) end
do
  local pair = world({}, { contact_stiffness = 1e5 }):get_pair("default", "default")
  assert(pair.contact_stiffness == 1e5 and pair.young == 0 and pair.stiffness_law == "linear", "get_pair shows the stiffness")
end
