-- Compares the work of loads, motors and driven bodies with sums of force times displacement. The test computes these sums from positions of
-- bodies and joints. Position shifts that correct penetrations are part of the displacement.
local scree = require "scree"
local servo = require "scree.servo"
local check = require "check"
local G = 9.81

local function balance(r) return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction end

-- Returns the work of the force f in a step of dt, the work f way, and the largest difference between both. The first work is along dt times the mean
-- of the velocities v before and u after the step, and along position shifts. way: displacement. A body in flight moves by dt times the mean
-- velocity, a body in contact by dt u plus shifts.
local function work_of(f, way, v, u, dt)
  local mean = dt * (v + u) / 2
  local flies = math.abs(way - mean) <= 1e-9 * dt * (math.abs(v) + math.abs(u))
  return f * (flies and way or mean + way - dt * u), f * way, math.abs(f * dt * (u - v))
end

-- Steps a world. each(step) is called before a step and sets loads. It returns a function that returns the results of work_of after the step, summed
-- over bodies. Checks that the energy balance closes. Checks the report's work: with `exact` it equals the first result of work_of, else it differs
-- from the second result by at most the third.
local function run(what, w, steps, exact, each)
  local sum, ways, slack, size, start = 0, 0, 0, 0, balance(w:report())
  for step = 1, steps do
    local finish = each(step)
    w:step()
    local done, way, late = finish()
    sum, ways, slack, size = sum + done, ways + way, slack + late, size + math.abs(done)
  end
  local r = w:report()
  local scale = math.max(size, math.abs(r.correction), math.abs(r.dissipated), math.abs(r.potential))
  assert(size > 0, what)
  check.within(balance(r), start, 1e-11 * scale, what .. ": energy balance")
  if exact then check.within(r.work, sum, 1e-9 * size, what .. ": work") end
  check.within(r.work, ways, slack + 1e-9 * size, what .. ": work against force times displacement")
  return r, ways
end

-- ---- a lid on grains ----

local SIDE = 0.03

local function make_grains(o)
  local w = scree.world { gravity = { 0, 0, -G }, dt = 2e-4, substeps = o.substeps, correction = o.correction, stepper = o.stepper }
  w:pair { "default", "default", mu = 0.3, contact_stiffness = o.stiffness }
  for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 } } do
    w:halfspace { normal = n, point = { n[1] < 0 and SIDE or 0, n[2] < 0 and SIDE or 0, 0 } }
  end
  w:fill { region = { min = { 0, 0, 0 }, max = { SIDE, SIDE, 0.018 } }, spacing = 0.006, radius = 0.0025, radius_max = 0.003 }
  return w
end

-- Presses on grains with a lid. Its target speed is never reached, so that its effort is the force in each substep.
local function press(what, o)
  local w = make_grains(o)
  local lid = servo.wall(w, {
    name = "lid", axis = { 0, 0, -1 }, position = { SIDE / 2, SIDE / 2, 0.021 }, size = { 0.99 * SIDE, 0.99 * SIDE, 0.004 },
    area = SIDE * SIDE, stress = 5000, speed = 50,
  })
  local r, ways = run(what, w, o.steps or 250, not o.substeps and not o.stepper and not o.drive, function(step)
    if o.cycle then servo.press(w, "lid", 5000 * (1 + math.sin(step * 0.02))) end
    if o.drive and step % 200 == 100 then servo.drive(w, "lid", step % 400 == 100 and -0.02 or 0.02) end
    servo.update(w)
    local at, speed = lid.joint:position(), lid.joint:speed()
    return function()
      local force = lid.joint:effort() - lid.mass * G -- force of the motor and of the load that balances the weight
      return work_of(force, lid.joint:position() - at, speed, lid.joint:speed(), w:dt())
    end
  end)
  print(("%s: work %.5g J, force times displacement %.5g J, correction %.3g J"):format(what, r.work, ways, r.correction))
  return r
end

local rigid = press("lid on rigid grains", { steps = 600 })
assert(rigid.correction > 0.05 * rigid.work, "shifts of rigid grains lift the lid")
press("lid on rigid grains, substeps", { substeps = 3 })
press("lid on rigid grains, cyclic stress", { cycle = true })
press("lid on rigid grains, driven up and down", { drive = true, steps = 400 })
press("lid on rigid grains, corrected by velocities", { correction = "velocity" })
press("lid on rigid grains, second order", { stepper = "second_order", steps = 100 })
press("lid on springs", { stiffness = 1e4 })
press("lid on springs, cyclic stress", { stiffness = 1e4, cycle = true })
press("lid on springs, driven up and down", { stiffness = 1e4, drive = true, steps = 400 })

-- The work of a plate of prescribed motion is the force of the grains times the displacement of the plate.
for _, stiffness in ipairs { false, 1e5 } do
  local w = make_grains { stiffness = stiffness or nil }
  local plate = w:box { size = { 2 * SIDE, 2 * SIDE, 0.004 }, position = { SIDE / 2, SIDE / 2, 0.021 }, kind = "kinematic" }
  run(stiffness and "plate on springs" or "plate on rigid grains", w, 200, true, function(step)
    plate:set_velocity { 0.1, 0, step <= 100 and -0.2 or 0.1 }
    local x, _, z = plate:position()
    return function()
      local f, nx, _, nz = w:forces_on(plate), plate:position()
      local done = -f[1] * (nx - x) - f[3] * (nz - z)
      return done, done, 0
    end
  end)
end

-- ---- loads ----

-- A ball or box that starts with the penetration d under the load F: shifts lift it by d, so the load does the work -F d, and `correction` is (F + m g) d.
for _, shape in ipairs { "ball", "box" } do
  local d, F, m = 1e-4, 50, 2
  local w = scree.world { gravity = { 0, 0, -G }, dt = 1e-3, solver = { tolerance = 1e-12, iterations = 500 } }
  w:halfspace { normal = { 0, 0, 1 } }
  local body = shape == "ball" and w:sphere { radius = 0.05, mass = m, position = { 0, 0, 0.05 - d } }
    or w:box { size = { 0.1, 0.1, 0.1 }, mass = m, position = { 0, 0, 0.05 - d } }
  local r = run("a loaded " .. shape .. " in the ground", w, 60, true, function()
    body:apply { force = { 0, 0, -F } }
    local _, _, z = body:position()
    local _, _, v = body:velocity()
    return function() return work_of(-F, select(3, body:position()) - z, v, select(3, body:velocity()), w:dt()) end
  end)
  check.within(r.work, -F * d, 1e-6 * F * d, shape .. ": work of the load")
  check.within(r.correction, (F + m * G) * d, 1e-6 * F * d, shape .. ": correction")
  check.within(r.dissipated, 0, 1e-6 * F * d, shape .. ": no loss")
end

-- Bodies of several shapes that fall, collide and slide under loads.
local function drop(name, ways, pair, exact)
  ways.gravity, ways.dt, pair[1], pair[2] = { 0, 0, -G }, 1e-3, "default", "default"
  local w, list = scree.world(ways), {}
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, 3 do
    list[#list + 1] = w:box { size = { 0.1, 0.08, 0.12 }, position = { 0.02 * i, 0, 0.15 * i } }
    list[#list + 1] = w:sphere { radius = 0.05, position = { 0.2, 0.01 * i, 0.11 * i } }
    list[#list + 1] = w:capsule { radius = 0.03, length = 0.1, position = { -0.2, 0, 0.18 * i } }
  end
  run("loads, " .. name, w, 300, exact, function(step)
    local before, force = {}, { 20 * math.sin(0.1 * step), 3, -30 }
    for i, body in ipairs(list) do
      body:apply { force = force }
      before[i] = { at = { body:position() }, v = { body:velocity() } }
    end
    return function()
      local sum = { 0, 0, 0 }
      for i, body in ipairs(list) do
        local at, u, last = { body:position() }, { body:velocity() }, before[i]
        local way, old, now = 0, 0, 0
        for k = 1, 3 do way, old, now = way + force[k] * (at[k] - last.at[k]), old + force[k] * last.v[k], now + force[k] * u[k] end
        for k, part in ipairs { work_of(1, way, old, now, w:dt()) } do sum[k] = sum[k] + part end
      end
      return sum[1], sum[2], sum[3]
    end
  end)
end
drop("rigid", {}, { mu = 0.3 }, true)
drop("springs", {}, { mu = 0.3, contact_stiffness = 1e5 }, true)
drop("correction by velocities", { correction = "velocity" }, { mu = 0.3 }, true)
drop("stewart_trinkle", { stepper = "stewart_trinkle" }, { mu = 0.3 }, false)
drop("second_order", { stepper = "second_order" }, { mu = 0.3 }, false)

-- ---- a motor that holds its speed while a mechanism strikes ----

-- A motor without a bound spins a bar of inertia I at the speed w. Its tip strikes a ball of mass m at rest with restitution e: the ball leaves at (1 + e) w r.
-- The motor does m (1 + e) w r times w r at the impact, and I w^2/2 at its start.
do
  local e, m, speed, r = 0.5, 0.3, 4, 0.5
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-4 }
  w:pair { "default", "default", restitution = e, mu = 0 }
  local bar = w:box { size = { 0.02, 0.02, 1.2 }, position = { 0, 0, 0 }, mass = 1 }
  w:hinge { a = bar, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, motor = { speed = speed } }
  local ball = w:sphere { radius = 0.05, mass = m, position = { 0.0605, 0, r } }
  w:step(60)
  local report, spun = w:report(), 0.5 * speed ^ 2 * (1.2 ^ 2 + 0.02 ^ 2) / 12
  local v = ball:velocity()
  check.within(v, (1 + e) * speed * r, 1e-3 * speed * r, "speed of the ball")
  check.within(report.work, spun + m * v * speed * r, 1e-3 * report.work, "work of the motor in an impact")
  check.within(report.dissipated, report.work - spun - m * v ^ 2 / 2, 1e-3 * report.work, "loss of the impact")
  check.within(report.correction, 0, 1e-3 * report.work, "no energy from the step")
end
