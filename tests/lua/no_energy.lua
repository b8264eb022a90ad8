-- No step creates energy: bodies clamped by motors without gravity, loads that decrease suddenly, and the reports of such steps.
local scree = require "scree"

-- A box between two jaws that motors press together with F [N]. Forces cancel, so nothing may move.
local function vice(o)
  local axis, length = o.axis or 1, o.length or 1
  local function along(x)
    local v = { 0, 0, 0 }
    v[axis] = x * length
    return v
  end
  local function size(thick, wide, tall)
    local v = { wide * length, wide * length, tall * length }
    v[axis] = thick * length
    return v
  end
  local w = scree.world { gravity = o.gravity or { 0, 0, 0 }, dt = o.dt or 1e-3, solver = { name = o.solver } }
  w:pair { "default", "default", mu = o.mu or 0.1 }
  local held = w[o.shape or "box"](w, o.shape == "cylinder" and { radius = 0.05 * length, length = 0.1 * length, mass = 1 } or { size = size(0.1, 0.1, 0.1), mass = 1 })
  for _, s in ipairs { -1, 1 } do
    local jaw = w:box { size = size(0.02, 0.2, 0.06), mass = 0.2, position = along(s * 0.06) }
    w:slider { a = jaw, at = along(s * 0.08), axis = along(1), motor = { force = -s * o.force } }
  end
  return w, held
end

local function most_kinetic(w, steps)
  local most = 0
  for _ = 1, steps do
    w:step()
    most = math.max(most, w:report().kinetic)
  end
  return most
end

-- without gravity and with very little: compared with the energy that the motor gives a free jaw in a step, (F dt)^2 / 2 m
for _, o in ipairs {
  { force = 1 }, { force = 1, axis = 2 }, { force = 1, axis = 3 }, { force = 1e6 }, { force = 1e-6 }, { force = 1, solver = "nbgs" },
  { force = 1, solver = "newton" }, { force = 1, mu = 0 }, { force = 1, mu = 0.9 }, { force = 1, dt = 1e-2 }, { force = 1, dt = 1e-5 },
  { force = 1, shape = "cylinder", axis = 1 }, { force = 1, gravity = { 0, 0, -1e-9 }, mu = 0.5 }, { force = 1, length = 1e-3 }, { force = 1, length = 100 },
} do
  local w = vice(o)
  local free = (o.force * (o.dt or 1e-3)) ^ 2 / (2 * 0.2)
  local kinetic = most_kinetic(w, 20)
  assert(kinetic < 1e-12 * free, ("force %g: %g J of %g"):format(o.force, kinetic, free))
  assert(w:report().unbalanced < 1e-4 and w:report().unbalanced_most < 1e-3, w:report().unbalanced)
end

-- under gravity, from the vice's own weight to 10^10 times it
for e = 2, 10 do
  local w = vice { force = 10 ^ (e + 1), gravity = { 0, 0, -10 }, mu = 0.3 }
  local kinetic, free = most_kinetic(w, 30), (10 ^ (e + 1) * 1e-3) ^ 2 / (2 * 0.2)
  -- a millionth of m g 1 mm, or velocities of 1e-11 of those that the motors give
  assert(kinetic < math.max(1e-8, 1e-22 * free), ("F/(m g) = 1e%d: %g J"):format(e, kinetic))
end

-- A load on a column of balls grows, then drops to a share of itself. With hard contact nothing may move up.
local function unload(n, F, o)
  local dt, g, r = o.dt or 1e-3, 9.81, 0.01
  local axis = o.axis or 3
  local function at(x)
    local v = { 0, 0, 0 }
    v[axis] = x
    return v
  end
  local w = scree.world { dt = dt, gravity = at(-g), solver = o.solver }
  w:halfspace { normal = at(1) }
  local top
  for i = 1, n do top = w:sphere { radius = r, mass = 0.01, position = at((2 * i - 1) * r) } end
  for i = 1, 300 do
    top:apply { force = at(-F * math.min(1, i / 150)) }
    w:step()
  end
  local start = select(axis, top:position())
  local most, rise = 0, 0
  for _ = 1, 50 do
    if o.left then top:apply { force = at(-F * o.left) } end
    w:step()
    most = math.max(most, w:report().kinetic)
    rise = math.max(rise, select(axis, top:position()) - start)
  end
  -- the energy that gravity and the remaining load can add in a step, from rest
  local bound = n * 0.01 * (g * dt) ^ 2 / 2 + ((o.left or 0) * F * dt) ^ 2 / 0.02
  local r1 = w:report()
  assert(most <= 3 * bound, ("%d balls, %g N: %g J, bound %g J"):format(n, F, most, bound))
  assert(rise < 0.02 * r, ("%d balls, %g N: the top rises %g m"):format(n, F, rise))
  assert(r1.solved.gaining == 0, "steps that no second try mended")
  return r1
end

local again = 0
for _, n in ipairs { 1, 2, 5, 10, 20, 40 } do again = again + unload(n, 100, {}).solved.again end
assert(again > 0, "the columns need a second try")
unload(20, 1, {})
unload(20, 1000, {})
unload(20, 100, { left = 0.1 })
unload(20, 100, { dt = 1e-4 })
unload(20, 100, { dt = 5e-3 })
for _, name in ipairs { "nbgs", "newton", "apgd", "pgs" } do unload(20, 100, { solver = { name = name } }) end
unload(20, 100, { solver = { acceleration = true } })

-- The report contains the unbalanced share of a single step: the column's load drops once, in a step that is not one of every 32nd.
local function column()
  local w = scree.world { dt = 1e-3, solver = { name = "nbgs", iterations = 10 } }
  w:halfspace { normal = { 0, 0, 1 } }
  local top
  for i = 1, 20 do top = w:sphere { radius = 0.01, mass = 0.01, position = { 0, 0, 0.02 * i - 0.01 } } end
  return w, top
end
local w, top = column()
w:step(480)
local before, worst = w:report(), 0
assert(before.unbalanced_most >= before.unbalanced and before.unbalanced_most >= before.unbalanced_mean)
for i = 1, 10 do
  if i < 4 then top:apply { force = { 0, 0, -100 } } end
  w:step()
  worst = math.max(worst, w:report().unbalanced)
end
assert(worst > 10 * before.unbalanced_mean)
assert(w:report().unbalanced_most >= 0.5 * worst, w:report().unbalanced_most)

-- Without a load `unbalanced` is 0: balls touch without a force, or meet by less than rounding errors in a step.
local slow = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, solver = { name = "nbgs", iterations = 1 } }
for i = 1, 10 do slow:sphere { radius = 0.01, position = { 0.02 * i, 0, 0 }, velocity = { i < 6 and 1e-13 or -1e-13, 0, 0 } } end
slow:step()
assert(slow:report().unbalanced == 0, slow:report().unbalanced)
local still = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
for i = 1, 10 do still:sphere { radius = 0.01, position = { 0.02 * i, 0, 0 } } end
still:step(5)
assert(still:report().unbalanced == 0 and still:report().unbalanced_mean == 0 and still:report().kinetic == 0)
