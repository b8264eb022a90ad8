-- The stepper second_order: motion with contacts whose errors are of second order in the step. Expectations are closed forms or quadratures of them.
local scree = require "scree"
local check = require "check"
local near, fails = check.within, check.fails
local function order(coarse, fine, ratio) return math.log(math.abs(coarse / fine)) / math.log(ratio) end
local function balance(r) return r.kinetic + r.potential + r.dissipated - r.work - r.correction end
local function world(dt, more)
  local def = { gravity = { 0, 0, -9.81 }, dt = dt, stepper = "second_order" }
  for key, value in pairs(more or {}) do if key ~= "mu" then def[key] = value end end
  local w = scree.world(def)
  w:pair { "default", "default", mu = more and more.mu or 0.8 }
  return w
end

-- ---- a rocking block (Housner 1963): peaks and times at which it is upright, from the integral of energy ----
local function housner(b, h, share, count)
  local alpha, R = math.atan(b, h), 0.5 * math.sqrt(b * b + h * h)
  local p2, keeps = 3 * 9.81 / (4 * R), 1 - 1.5 * math.sin(alpha) ^ 2
  local function fall(top) -- from rest at top to upright; angle = top (1 - x^2) takes the root out of the integrand
    local sum, n = 0, 2000
    for i = 1, n do
      local x = (i - 0.5) / n
      sum = sum + 2 * top * x / n / math.sqrt(2 * p2 * (math.cos(alpha - top) - math.cos(alpha - top * (1 - x * x))))
    end
    return sum
  end
  local angle, time, crossings, peaks = share * alpha, fall(share * alpha), {}, {}
  for i = 1, count do
    crossings[i] = time
    local rate2 = 2 * p2 * (math.cos(alpha - angle) - math.cos(alpha)) * keeps ^ 2
    angle = alpha - math.acos(math.cos(alpha) + rate2 / 2 / p2)
    peaks[i] = angle / alpha
    time = time + 2 * fall(angle)
  end
  return crossings, peaks
end
local function rock(dt, b, h, share, count, flat, floor)
  local alpha, R = math.atan(b, h), 0.5 * math.sqrt(b * b + h * h)
  local w = world(dt, { plane = flat and { 0, 1, 0 } or nil })
  if floor == "box" then w:box { kind = "fixed", size = { 4, 4, 1 }, position = { 0, 0, -0.5 } } else w:halfspace { normal = { 0, 0, 1 } } end
  local angle = share * alpha
  local block = w:box { size = { b, 0.4, h }, position = { b / 2 - R * math.sin(alpha - angle), 0, R * math.cos(alpha - angle) },
    orientation = { math.cos(angle / 2), 0, math.sin(angle / 2), 0 } }
  local last, rate, crossings, peaks, before = angle, 0, {}, {}, balance(w:report())
  while #peaks < count do
    w:step()
    local q = { block:orientation() }
    local now, spin = 2 * math.atan(q[3], q[1]), select(2, block:spin())
    if last * now < 0 then -- time upright between two steps: the motion from the earlier step with its acceleration
      local pull = 3 * 9.81 / (4 * R) * math.sin(alpha - math.abs(last))
      local speed, way = math.abs(rate), math.abs(last)
      crossings[#crossings + 1] = w:time() - dt + 2 * way / (speed + math.sqrt(speed * speed + 2 * pull * way))
    end
    -- the peak between two steps, from the parabola through angle and rate at the later step
    if rate * spin < 0 then peaks[#peaks + 1] = math.abs(now + spin * spin * dt / (rate - spin) / 2) / alpha end
    last, rate = now, spin
    assert(w:time() < 9, "the block does not rock")
  end
  near(balance(w:report()), before, 1e-9, "energy of a rocking block")
  return crossings, peaks
end
for _, case in ipairs {
  { 0.2, 1, 0.5, true }, { 0.2, 1, 0.5, false }, { 0.2, 1, 0.9, true, "box" }, { 1 / 3, 1, 0.5, true }, { 0.1, 0.3, 0.4, false, "box" },
} do
  local b, h, share, flat, floor = table.unpack(case)
  local times, heights = housner(b, h, share, 4)
  local worst = {}
  for i, dt in ipairs { 2e-3, 1e-3, 5e-4 } do
    local crossings, peaks = rock(dt, b, h, share, 4, flat, floor)
    worst[i] = 0
    for k = 1, 4 do worst[i] = math.max(worst[i], math.abs(crossings[k] - times[k]), math.abs(peaks[k] - heights[k])) end
  end
  local what = ("block of %g by %g from %g: %.2e %.2e %.2e"):format(b, h, share, worst[1], worst[2], worst[3])
  assert(worst[1] < 200 * 4e-6 and worst[3] < 200 * 2.5e-7 and worst[3] < worst[2] and worst[2] < worst[1] and order(worst[1], worst[3], 4) > 1.5, what)
end

-- ---- a cone that rolls to and fro on a slope about its tip: period by the arithmetic-geometric mean; its tip does not creep, its energy stays ----
local function mean(k)
  local a, b = 1, math.sqrt(1 - k * k)
  for _ = 1, 30 do a, b = (a + b) / 2, math.sqrt(a * b) end
  return math.pi / 2 / a
end
local function roll(dt, alpha, beta, start, floor)
  local h, g = 0.2, 9.81
  local R = h * math.tan(alpha)
  local w = world(dt, { gravity = { g * math.sin(beta), 0, -g * math.cos(beta) }, mu = 1 })
  if floor == "box" then w:box { kind = "fixed", size = { 4, 4, 1 }, position = { 0, 0, -0.5 } } else w:halfspace { normal = { 0, 0, 1 } } end
  local ux, uy, uz = math.cos(start) * math.cos(alpha), math.sin(start) * math.cos(alpha), math.sin(alpha)
  local qw = math.sqrt((1 - uz) / 2)
  local cone = w:cone { radius = R, length = h, position = { ux * h / 2, uy * h / 2, uz * h / 2 }, orientation = { qw, uy / (2 * qw), -ux / (2 * qw), 0 } }
  local m = cone:mass()
  local I = 0.3 * m * R * R * math.cos(alpha) ^ 2 + 0.6 * m * (h * h + R * R / 4) * math.sin(alpha) ^ 2
  local s = 0.75 * h * math.cos(alpha)
  local swing = m * g * math.sin(beta) * s
  local period = 4 * mean(math.sin(start / 2)) / math.sqrt(swing / (I / math.tan(alpha) ^ 2))
  local before, last, crossings = w:report(), start, {}
  while #crossings < 3 do
    w:step()
    local x, y = cone:position()
    local angle = math.atan(y, x)
    if last * angle < 0 then crossings[#crossings + 1] = w:time() - dt + dt * last / (last - angle) end
    last = angle
  end
  local r = w:report()
  local x, y, z = cone:point(0, 0, h / 2)
  near(balance(r), balance(before), 1e-10 * swing + 1e-12, "balance of a rolling cone")
  return { math.abs((crossings[3] - crossings[1]) / period - 1), math.abs(r.kinetic + r.potential - before.kinetic - before.potential) / (swing * (1 - math.cos(start))),
    math.sqrt(x * x + y * y + z * z) }
end
for _, case in ipairs { { 15, 10, 20 }, { 15, 10, -20, "box" }, { 30, 15, 60 } } do
  local a, b, c = math.rad(case[1]), math.rad(case[2]), math.rad(case[3])
  local coarse, fine = roll(2e-3, a, b, c, case[4]), roll(5e-4, a, b, c, case[4])
  for k, what in ipairs { "period", "energy", "tip" } do
    assert(coarse[k] < 1e-4 and fine[k] < 6e-6 and order(coarse[k], fine[k], 4) > 1.7,
      ("cone of %g degrees, %s: %.2e at 2 ms, %.2e at 0.5 ms"):format(case[1], what, coarse[k], fine[k]))
  end
end

-- ---- tables (kinematic, with a running surface, and heavy on a hinge): a box that the table carries, and a ball that rolls ----
local function add_table(w, kind, om)
  if kind == "surface" then return w:cylinder { kind = "fixed", radius = 1.5, length = 0.2, position = { 0, 0, -0.1 }, surface_spin = { 0, 0, om } } end
  if kind == "driven" then return w:box { kind = "kinematic", size = { 3, 3, 0.2 }, position = { 0, 0, -0.1 }, spin = { 0, 0, om } } end
  local t = w:cylinder { radius = 1.5, length = 0.2, mass = 1e6, position = { 0, 0, -0.1 }, spin = { 0, 0, om } }
  w:hinge { a = t, at = { 0, 0, -0.1 }, axis = { 0, 0, 1 } }
end
for _, kind in ipairs { "driven", "surface", "heavy" } do
  local off, circle = {}, {}
  for i, dt in ipairs { 4e-3, 1e-3 } do
    local w = world(dt)
    add_table(w, kind, 3)
    local box = w:box { size = { 0.1, 0.1, 0.02 }, mass = 1, position = { 0.5, 0, 0.01 }, velocity = { 0, 1.5, 0 }, spin = { 0, 0, 3 } }
    w:step(math.floor(3 / dt + 0.5))
    local x, y = box:position()
    off[i] = math.abs(math.sqrt(x * x + y * y) - 0.5)
    w = world(dt, { mu = 5 })
    add_table(w, kind, 7)
    local ball = w:sphere { radius = 0.05, mass = 1, position = { 0.5, 0, 0.05 }, velocity = { 0, 0.3, 0 }, spin = { (3.5 - 0.3) / 0.05, 0, 0 } }
    circle[i] = 0
    for _ = 1, math.floor(3 / dt + 0.5) do
      w:step()
      x, y = ball:position()
      circle[i] = math.max(circle[i], math.abs(math.sqrt((x - 0.35) ^ 2 + y * y) - 0.15))
    end
  end
  assert(off[2] < 4e-6 and order(off[1], off[2], 4) > 1.7, ("box on a %s table: %.2e, %.2e"):format(kind, off[1], off[2]))
  assert(circle[2] < 4e-6 and order(circle[1], circle[2], 4) > 1.7, ("ball on a %s table: %.2e, %.2e"):format(kind, circle[1], circle[2]))
end

-- ---- a ball that bounces: Newton's law at the instant of each impact, exact at any step ----
for _, e in ipairs { 0, 0.5, 0.8, 1 } do
  for _, dt in ipairs { 2e-2, 1e-3 } do
    for _, drift in ipairs { 0, 0.7 } do
      local w = world(dt, { mu = 0 })
      w:pair { "default", "default", mu = 0, restitution = e }
      w:halfspace { normal = { 0, 0, 1 } }
      local ball = w:sphere { radius = 0.1, position = { 0, 0, 1.1 }, velocity = { drift, 0, 0 } }
      local before = balance(w:report())
      w:step(math.floor(1 / dt + 0.5))
      local fall = math.sqrt(2 / 9.81)
      local t, v, z = 1 - fall, e * 9.81 * fall, 0
      while v > 0 and t > 2 * v / 9.81 do t, v = t - 2 * v / 9.81, e * v end
      if v > 0 then z = v * t - 9.81 * t * t / 2 end
      local x, _, height = ball:position()
      near(height, 0.1 + z, 1e-8, ("bounce of %g at dt %g"):format(e, dt))
      near(x, drift, 1e-12, "drift")
      near(balance(w:report()), before, 1e-10, "balance of a bounce")
      if e == 1 then near(w:report().dissipated, 0, 1e-9, "nothing is lost") end
    end
  end
end

-- ---- a box that slides to rest, and one pushed by a load: constant friction, distances in closed form ----
for _, case in ipairs { { "sphere", 2 / 7 }, { "box", 1 } } do
  local shape, share = table.unpack(case)
  local miss = {}
  for i, dt in ipairs { 1e-2, 2.5e-3 } do
    local w = world(dt, { mu = 0.3, gravity = { 0, 0, -10 } })
    w:halfspace { normal = { 0, 0, 1 } }
    local b = shape == "box" and w:box { size = { 0.4, 0.4, 0.1 }, mass = 2, position = { 0, 0, 0.05 }, velocity = { 2, 0, 0 } }
      or w:sphere { radius = 0.05, mass = 2, position = { 0, 0, 0.05 }, velocity = { 2, 0, 0 } }
    local before = w:report()
    w:step(math.floor(1 / dt + 0.5))
    -- slips until v - w R = 0 at t = share v / (mu g), then rolls at 5/7 v, or rests
    local t = share * 2 / 3
    miss[i] = math.abs(b:position() - (2 * t - 1.5 * t * t + (1 - t) * (1 - share) * 2))
    local r = w:report()
    near(r.dissipated, share * before.kinetic, 30 * dt * dt, "friction on a " .. shape)
    near(balance(r), balance(before), 1e-10, "balance of a sliding " .. shape)
  end
  assert(miss[1] < 5e-4 and miss[2] < 3.2e-5, ("way of a sliding %s: %.2e, %.2e"):format(shape, miss[1], miss[2]))
end
do
  local w = world(1e-2, { mu = 0.3, gravity = { 0, 0, -10 } })
  w:halfspace { normal = { 0, 0, 1 } }
  local b = w:box { size = { 0.4, 0.4, 0.1 }, mass = 2, position = { 0, 0, 0.05 } }
  for _ = 1, 100 do
    b:apply { force = { 10, 0, 0 } }
    w:step()
  end
  near(b:position(), (10 / 2 - 3) / 2, 1e-6, "pushed box") -- a = 5 - 3
  near(w:report().work, 10 * (10 / 2 - 3) / 2, 1e-5, "work of the push")
end

-- ---- stacks rest, carry their weight and keep their momentum; the same bits for any number of threads ----
local function heap(threads)
  local w = world(1e-3, { threads = threads, losses = true })
  w:pair { "default", "default", mu = 0.4, restitution = 0.3 }
  local floor = w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, 12 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.02 * (i % 3), 0.01 * (i % 4), 0.15 * i }, spin = { i, 2, 1 } } end
  for i = 1, 8 do w:sphere { radius = 0.05, position = { 0.3 + 0.01 * i, 0, 0.12 * i } } end
  return w, floor
end
do
  local w = heap(1)
  local before, top = balance(w:report()), 0
  for _ = 1, 400 do
    w:step()
    local r = w:report()
    top = math.max(top, r.kinetic + r.dissipated)
    assert(r.penetration < 1e-3, "penetration " .. r.penetration)
  end
  near(balance(w:report()), before, 1e-10 * (top + math.abs(before)), "balance of a heap")
  local two = heap(2)
  two:step(400)
  assert(w:hash() == two:hash(), "threads")
end
do
  local w = world(2e-3, { solver = { tolerance = 1e-12, iterations = 1000 } })
  local floor = w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, 5 do w:box { size = { 0.2, 0.2, 0.1 }, mass = 2, position = { 0, 0, 0.1 * i - 0.05 } } end
  w:step(200)
  local sum = 0
  for c in w:contacts() do if c.body2 == floor or c.body1 == floor then sum = sum + math.abs(c.impulse[3]) end end
  near(sum / w:dt(), 10 * 9.81, 1e-6, "weight of a stack")
  near(w:report().kinetic, 0, 1e-14, "a stack rests")
end
do -- free of outer forces: momentum and angular momentum stay
  local w = world(2e-3, { gravity = { 0, 0, 0 } })
  local list = {}
  for i = 1, 6 do
    local a = i * math.pi / 3
    list[i] = w:box { size = { 0.2, 0.1, 0.15 }, position = { math.cos(a), math.sin(a), 0.03 * i }, velocity = { -math.cos(a), -math.sin(a) + 0.2, 0 }, spin = { i, -1, 2 } }
  end
  local function sums()
    local out = { 0, 0, 0, 0, 0, 0 }
    for _, b in ipairs(list) do
      local m, x, v, s, I = b:mass(), { b:position() }, { b:velocity() }, { b:spin() }, { b:inertia() }
      local u = { b:to_body { x[1] + s[1], x[2] + s[2], x[3] + s[3] } }
      local L = { b:to_world { I[1] * u[1] + I[2] * u[2] + I[3] * u[3], I[2] * u[1] + I[4] * u[2] + I[5] * u[3], I[3] * u[1] + I[5] * u[2] + I[6] * u[3] } }
      for k = 1, 3 do
        local a, c = k % 3 + 1, (k + 1) % 3 + 1
        out[k] = out[k] + m * v[k]
        out[3 + k] = out[3 + k] + L[k] - x[k] + m * (x[a] * v[c] - x[c] * v[a])
      end
    end
    return out
  end
  local before, energy = sums(), w:report().kinetic
  w:step(600)
  local after = sums()
  for k = 1, 3 do near(after[k], before[k], 1e-11, "momentum") end
  for k = 4, 6 do near(after[k], before[k], 2e-5, "angular momentum, but for shifts of positions") end
  assert(w:report().kinetic < energy, "impacts lose energy")
end

do -- a spinning box that rebounds without friction keeps its energy, wherever in a step its corners strike
  for i = 0, 60 do
    local w = world(1e-3, { gravity = { 0, 0, 0 } })
    w:pair { "default", "default", mu = 0, restitution = 1 }
    w:halfspace { normal = { 0, 0, 1 } }
    w:box { size = { 0.2, 0.2, 0.1 }, mass = 1, position = { 0, 0, 0.2 + 1e-5 * i }, velocity = { 0, 0, -1 }, spin = { 3, 5, 0 } }
    local before = w:report().kinetic
    w:step(250)
    near(w:report().kinetic, before, 1e-9 * before, "kinetic energy of a box that rebounds")
  end
end
do -- a column that only its top ball loads rests, without gravity
  local w = world(1e-3, { gravity = { 0, 0, 0 } })
  w:halfspace { normal = { 0, 0, 1 } }
  local top
  for i = 1, 8 do top = w:sphere { radius = 0.01, mass = 0.01, position = { 0, 0, 0.02 * i - 0.01 } } end
  for _ = 1, 50 do
    top:apply { force = { 0, 0, -100 } }
    w:step()
    near(w:forces_on(top)[3], 100, 1e-3, "force under the top")
    near(select(3, top:velocity()), 0, 1e-4, "speed of the top")
  end
end

-- ---- what does not fit is refused by name ----
fails("second_order", scree.world, { stepper = "second_order", dt = 1e-3, gravity = { 0, 0, 0 }, reuse_contacts = true })
fails("sleep", scree.world, { stepper = "second_order", dt = 1e-3, gravity = { 0, 0, 0 }, sleep = 1e-3 })
