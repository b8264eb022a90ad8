-- Contacts of a step with substeps: forces are means over the step; impulses, losses and counts are sums, also if a contact exists in some
-- substeps only. Expected values follow from Newton's laws.
local scree = require "scree"
local servo = require "scree.servo"
local check = require "check"
local near = check.near
local substeps = require "substep_worlds"
local world, name, COUNTS, G = substeps.world, substeps.name, substeps.COUNTS, substeps.G

-- ---- momentum ----

-- a falling body: forces on the body, times dt, sum up to m (v + g t), forces on the floor to the opposite, impulses of contacts to m (v + g t)
local DROPS = {
  ball = function(w) return w:sphere { radius = 0.5, mass = 2, position = { 0, 0, 0.9 } } end,
  box = function(w) return w:box { size = { 1, 1, 1 }, mass = 2, position = { 0, 0, 0.9 } } end,
  ["tilted box"] = function(w) return w:box { size = { 1, 1.2, 0.8 }, mass = 2, position = { 0, 0, 1.2 }, orientation = { 0.9, 0.3, 0.2, 0.1 } } end,
  ["fast ball"] = function(w) return w:sphere { radius = 0.02, mass = 2, position = { 0, 0, 0.3 }, velocity = { 3, 0, -40 } } end,
  ["fast clump"] = function(w)
    local shapes = { { type = "sphere", radius = 0.1, position = { -0.1, 0, 0 } }, { type = "sphere", radius = 0.1, position = { 0.1, 0, 0 } } }
    return w:body { shapes = shapes, position = { 0, 0, 0.5 }, velocity = { 0, 1, -30 }, spin = { 0, 20, 0 } }
  end,
}
local function drop(n, options, restitution, make, what)
  local w = world(n, options)
  w:pair(options.stepper == "penalty" and { "default", "default", law = "hooke", stiffness = 2e5, mu = 0.5, restitution = 0 }
    or { "default", "default", mu = 0.5, restitution = restitution })
  local floor, body = w:halfspace { normal = { 0, 0, 1 }, name = "floor" }, make(w)
  local m, sum, back, told, touched = body:mass(), { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, 0
  local start = { body:velocity() }
  for _ = 1, 100 do
    w:step()
    local on, under = w:forces_on(body), w:forces_on(floor)
    for k = 1, 3 do sum[k], back[k] = sum[k] + on[k] * w:dt(), back[k] + under[k] * w:dt() end
    for c in w:contacts() do
      for k = 1, 3 do told[k] = told[k] + (c.body1 == body and 1 or -1) * c.impulse[k] end
    end
    touched = touched + (under[3] ~= 0 and 1 or 0)
    near(w:force { body = "floor" }.z, under[3], 0, what .. "w:force")
  end
  local v = { body:velocity() }
  for k = 1, 3 do
    local want = m * (v[k] - start[k] + (k == 3 and G * w:time() or 0))
    near(sum[k], want, 1e-9, what .. "sum of F dt " .. k)
    near(back[k], -want, 1e-9, what .. "on the floor " .. k)
    near(told[k], want, 1e-9, what .. "impulses " .. k)
  end
  assert(touched > 0, what .. "nothing was touched")
end
for _, n in ipairs(COUNTS) do
  for _, options in ipairs { {}, { reuse_contacts = true }, { stepper = "stewart_trinkle" }, { stepper = "penalty" }, { correction = "velocity" }, { sleep = 1e-3 },
    { solver = { name = "nbgs" } }, { margin = 0 } } do
    for shape, make in pairs(DROPS) do
      drop(n, options, 0, make, name(n, options) .. shape .. " ")
      if not options.stepper then drop(n, options, 0.8, make, name(n, options) .. shape .. " that bounces ") end
    end
  end
end

-- ---- a contact in one substep alone ----

for _, n in ipairs { 2, 4, 7 } do
  local w = world(n, { losses = true, gravity = { 0, 0, 0 } })
  w:pair { "default", "default", mu = 0, restitution = 0.6 }
  local floor, what = w:halfspace { normal = { 0, 0, 1 } }, name(n) .. "struck "
  local ball = w:sphere { radius = 0.01, mass = 3, position = { 0.2, 0, 0.01 + 100 * 4e-3 / n / 2 }, velocity = { 0, 0, -100 } }
  w:step()
  near(select(3, ball:velocity()), 60, 1e-12, what .. "velocity")
  local list = w:contacts()
  assert(#list == 1 and w:report().contacts == 1, what .. "contacts")
  local c = list[1]
  near(c.impulse[3] * c.normal[3], 3 * 160, 1e-12, what .. "impulse")
  near(c.lost, 3 / 2 * (100 ^ 2 - 60 ^ 2), 1e-12, what .. "loss")
  near(c.point[1], 0.2, 1e-12, what .. "point")
  near(w:forces_on(ball)[3], 3 * 160 / 4e-3, 1e-12, what .. "force")
  assert(select(3, w:forces_on(floor)) == 1 and w:coordination {}.mean == 1, what .. "one contact")
  assert(w:report().impacts == 1, what .. "impacts")
  local stress = w:stress { region = { min = { 0, -1, -1 }, max = { 1, 1, 1 } } }
  near(stress.contact[9], 3 * 160 / 4e-3 * 0.01 / 4, 1e-12, what .. "stress of the arm of a ball")
  if n == 4 then
    ball:remove()
    assert(#w:contacts() == 0 and w:report().contacts == 0, what .. "no contacts of what was removed")
  else
    w:step()
    assert(#w:contacts() == 0 and w:report().impacts == 0, what .. "nothing in the step after")
  end
end

-- between two walls: the number of impacts and the impulses on the walls follow from the number of reversals
for _, n in ipairs { 4, 7 } do
  local w = world(n, { gravity = { 0, 0, 0 } })
  w:pair { "default", "default", mu = 0, restitution = 1 }
  local low, high = w:halfspace { normal = { 0, 0, 1 } }, w:halfspace { normal = { 0, 0, -1 }, point = { 0, 0, 0.3 } }
  local ball = w:sphere { radius = 0.01, mass = 1, position = { 0, 0, 0.15 }, velocity = { 0, 0, 300 } }
  local turns, impulse = 0, 0
  for _ = 1, 50 do
    local before = select(3, ball:velocity())
    w:step()
    turns = turns + w:report().impacts
    local sum = w:forces_on(high)[3] + w:forces_on(low)[3]
    impulse = impulse + w:forces_on(high)[3] * w:dt() / 600
    near(sum * w:dt(), before - select(3, ball:velocity()), 1e-9, name(n) .. "momentum of a step")
  end
  assert(turns > 2 * 50, name(n) .. "several impacts a step: " .. turns)
  near(impulse, math.floor((turns + 1) / 2), 1e-9, name(n) .. "impulses on a wall")
end

-- ---- losses ----

-- losses of contacts add up to what is dissipated
for _, n in ipairs(COUNTS) do
  for _, options in ipairs { {}, { reuse_contacts = true }, { stepper = "stewart_trinkle" }, { stepper = "penalty", dt = 1e-3 } } do
    options.losses = true
    local w = world(n, options)
    w:pair(options.stepper == "penalty" and { "default", "default", law = "hooke", stiffness = 1e4, damping = 0.3, mu = 0.4 }
      or { "default", "default", mu = 0.4, restitution = not options.stepper and 0.5 or 0 })
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 6 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.02 * (i % 3), 0.01 * (i % 4), 0.15 * i }, spin = { i, 2, 1 }, velocity = { 0, 0, -3 } } end
    for i = 1, 4 do w:sphere { radius = 0.02, position = { 0.05 * i, 0.2, 0.12 * i }, velocity = { 2, 0, -20 } } end
    local sum = 0
    for _ = 1, 100 do
      w:step()
      for c in w:contacts() do sum = sum + c.lost end
    end
    near(sum / w:report().dissipated, 1, 1e-9, name(n, options) .. "losses")
    assert(w:report().dissipated > 1)
  end
end

-- ---- at rest ----

for _, n in ipairs(COUNTS) do
  for _, options in ipairs { {}, { reuse_contacts = true }, { stepper = "stewart_trinkle" }, { sleep = 0.01 }, { solver = { name = "newton" } }, { threads = 2 } } do
    local w, what = world(n, options), name(n, options) .. "stack "
    w:pair { "default", "default", mu = 0.5 }
    local floor = w:halfspace { normal = { 0, 0, 1 } }
    local low = w:box { size = { 1, 1, 1 }, mass = 1000, position = { 0, 0, 0.5 } }
    local high = w:box { size = { 0.8, 0.8, 0.8 }, mass = 512, position = { 0.05, 0, 1.4 } }
    w:step(300)
    assert(not options.sleep or w:report().asleep == 2, what .. "sleeps")
    near(w:forces_on(low)[3], 10000, 1e-6, what .. "net force on the lower box")
    near(w:forces_on(high)[3], 5120, 1e-6, what .. "on the upper")
    near(w:forces_on(floor)[3], -15120, 1e-6, what .. "on the floor")
    local impulse, elastic = 0, 0
    for c in w:contacts() do
      if c.body1 == floor or c.body2 == floor then impulse = impulse + math.abs(c.impulse[3]) end
    end
    near(impulse, 15120 * w:dt(), 1e-6, what .. "impulses on the floor")
    for _, pair in ipairs(w:compatible_forces {}) do
      if pair.a == floor:id() or pair.b == floor:id() then elastic = elastic + pair.force end
    end
    near(elastic, 15120, 1e-4, what .. "compatible forces on the floor")
    near(w:stress { region = { min = { -1, -1, -1 }, max = { 1, 1, 2 } } }.contact[9] * 12, 15120 * 0.5 + 5120 * 0.9, 1e-6, what .. "stress")
    local r = w:report()
    assert(r.active > 0 and r.active <= r.contacts and r.unbalanced < 1e-3, what .. "report")
  end
end

-- a wall that presses with 1000 Pa does so for any substeps, and carries its own weight
for _, n in ipairs(COUNTS) do
  local w = world(n, { dt = 1e-3 })
  w:halfspace { normal = { 0, 0, 1 } }
  w:box { size = { 0.1, 0.1, 0.1 }, mass = 0.5, position = { 0, 0, 0.05 } }
  servo.wall(w, { name = "lid", axis = { 0, 0, -1 }, position = { 0, 0, 0.111 }, size = { 0.1, 0.1, 0.02 }, mass = 5, stress = 1000, speed = 0.5 })
  for _ = 1, 200 do servo.update(w) w:step() end
  near(servo.read(w, "lid").stress, 1000, 1e-6, name(n) .. "servo wall")
end

-- ---- moments and pulls ----

for _, n in ipairs(COUNTS) do
  local w = world(n)
  w:pair { "default", "default", mu = 0.5, torsion = 0.01 }
  w:halfspace { normal = { 0, 0, 1 } }
  local ball, turned = w:sphere { radius = 0.1, mass = 2, position = { 0, 0, 0.1 }, spin = { 0, 0, 20 } }, 0
  for _ = 1, 20 do
    w:step()
    local c = w:contacts()[1]
    turned = turned + (c.body1 == ball and 1 or -1) * c.moment[3]
  end
  near(turned, 0.4 * 2 * 0.01 * (select(3, ball:spin()) - 20), 1e-9, name(n) .. "moments")
  near(turned, -0.01 * 2 * G * w:time(), 1e-9, name(n) .. "torsional friction")

  local wet = world(n)
  wet:pair { "default", "default", mu = 0.5, cohesion = 50 }
  wet:halfspace { normal = { 0, 0, -1 } }
  local drop_ = wet:sphere { radius = 0.1, mass = 2, position = { 0, 0, -0.1 } }
  wet:step(5)
  local c = wet:contacts()[1]
  near(c.pull, 50 * wet:dt(), 1e-12, name(n) .. "pull")
  near((c.body1 == drop_ and 1 or -1) * c.impulse[3], 2 * G * wet:dt(), 1e-9, name(n) .. "impulse of what hangs")
end

-- ---- cells ----

-- images are renamed while the cell is sheared; the stress of the cell follows from its contacts
for _, n in ipairs(COUNTS) do
  local w = world(n, { gravity = { 0, 0, 0 }, dt = 2e-3, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } })
  w:pair { "default", "default", mu = 0.3, restitution = 0.7 }
  for i = 0, 26 do
    w:sphere { radius = 0.15, position = { i % 3 / 3 + 0.1, i // 3 % 3 / 3 + 0.1, i // 9 / 3 + 0.1 }, velocity = { (i * 7 % 5 - 2) * 5, (i * 3 % 7 - 3) * 5, (i * 5 % 3 - 1) * 5 } }
  end
  w:cell():set_velocity_gradient { { 0, 4, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  for _ = 1, 150 do
    w:step()
    local sum, volume = { 0, 0, 0, 0, 0, 0, 0, 0, 0 }, w:cell():volume()
    for c in w:contacts() do
      for k = 0, 8 do sum[k + 1] = sum[k + 1] + c.impulse[k // 3 + 1] * c.normal[k % 3 + 1] * 0.3 / w:dt() / volume end
    end
    local _, _, contact = w:cell():stress()
    local same = w:stress().contact
    for k = 0, 8 do
      near(contact[k // 3 + 1][k % 3 + 1], sum[k + 1], 1e-9, name(n) .. "stress of a cell")
      near(same[k + 1], sum[k + 1], 1e-9, name(n) .. "w:stress of a cell")
    end
  end
end

-- ---- bodies driven by a function of time ----
-- A block on a platform z = A (1 - cos(om t)) with A om^2 < g never leaves it: the mean force is m (g + a) to first order in the substep.
do
  local A, om = 0.02, 20
  for _, stepper in ipairs { "semi_implicit", "second_order" } do
    for _, n in ipairs { 1, 3, 4, 8 } do
      for _, shape in ipairs { "box", "surface" } do
        local dt = 2e-3
        local w = scree.world { gravity = { 0, 0, -9.81 }, dt = dt, stepper = stepper, substeps = n }
        local function speed(t) return A * om * math.sin(om * t) end
        if shape == "box" then
          w:box { kind = "kinematic", size = { 1, 1, 0.1 }, position = { 0, 0, -0.05 }, velocity = function(t) return 0, 0, speed(t) end }
        else
          local rows = {}
          for k = 0, 700 do rows[#rows + 1] = { k * 1e-3, { 0, 0, speed(k * 1e-3) } } end
          w:sphere { kind = "kinematic", radius = 0.5, position = { 0, 0, -0.5 }, velocity = rows }
        end
        local block = w:sphere { radius = 0.05, mass = 1, position = { 0, 0, 0.05 } }
        for i = 1, 300 do
          w:step()
          local want = 9.81 + A * om ^ 2 * math.cos(om * (w:time() - dt / 2))
          if i > 5 then check.within(w:forces_on(block)[3], want, 0.2 / n, stepper .. ", " .. n .. " substeps: force of the platform") end
        end
        check.within(select(3, block:position()) - 0.05, A * (1 - math.cos(om * w:time())), 2e-5, "the block is on the platform")
      end
    end
  end
end
