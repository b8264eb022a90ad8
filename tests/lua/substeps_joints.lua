-- Joints and bonds in a step with substeps: forces, torques and efforts are means over the step; the load of each substep decides whether a
-- joint breaks. Expected values follow from Newton's laws.
local bond = require "scree.bond"
local check = require "check"
local near = check.near
local substeps = require "substep_worlds"
local world, name, COUNTS, G = substeps.world, substeps.name, substeps.COUNTS, substeps.G

-- Steps the world and checks that the forces of joints and contacts on the first body change its momentum.
local function follow(w, body, joints, steps, what)
  local m, before, v = body:mass(), { body:velocity() }, nil
  for _ = 1, steps do
    w:step()
    local sum = w:forces_on(body)
    for _, joint in ipairs(joints) do
      local f = { joint:force() }
      for k = 1, 3 do sum[k] = sum[k] + f[k] end
    end
    v = { body:velocity() }
    for k = 1, 3 do near(sum[k] * w:dt() / m, v[k] - before[k] + (k == 3 and G * w:dt() or 0), 1e-9, what .. k) end
    before = v
  end
end

for _, n in ipairs(COUNTS) do
  for _, options in ipairs { {}, { stepper = "stewart_trinkle" }, { correct_joints = false }, { losses = true } } do
    local what = name(n, options)
    -- a hinge that swings; a chain of balls; a bar that falls onto a floor, on a hinge
    local w = world(n, options)
    local arm = w:box { size = { 1, 0.1, 0.1 }, mass = 2, position = { 0.5, 0, 0 } }
    follow(w, arm, { w:hinge { a = arm, at = { 0, 0, 0 }, axis = { 0, 1, 0 } } }, 50, what .. "swing ")
    local c = world(n, options)
    local last = c:sphere { radius = 0.1, mass = 2, position = { 0.8, 0, 0 } }
    local mid = c:sphere { radius = 0.1, mass = 1, position = { 0.4, 0, 0 } }
    local tie = c:ball { a = last, b = mid, at = { 0.6, 0, 0 } }
    c:ball { a = mid, at = { 0.2, 0, 0 } }
    follow(c, last, { tie }, 50, what .. "chain ")
    local t = world(n, options)
    t:pair { "default", "default", mu = 0.5 }
    t:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, -0.3 } }
    local bar = t:box { size = { 1, 0.1, 0.1 }, mass = 2, position = { 0.5, 0, 0 } }
    local axle = t:hinge { a = bar, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
    follow(t, bar, { axle }, 100, what .. "bar ")
    assert(#t:contacts() > 0, what .. "the bar touches the floor")
  end
end

-- a motor that reaches its speed within a step, and one that is at its bound
for _, n in ipairs(COUNTS) do
  local w, what = world(n, { gravity = { 0, 0, 0 } }), name(n)
  local wheel = w:cylinder { radius = 0.5, length = 0.2, mass = 4 }
  local motor = w:hinge { a = wheel, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, motor = { speed = 3, force = 150 } }
  local inertia, before = 0.5 * 4 * 0.25, 0
  for k = 1, 5 do
    w:step()
    local now = select(3, wheel:spin())
    near(motor:effort() * w:dt(), inertia * (now - before), 1e-9, what .. "effort " .. k)
    near(select(3, motor:torque()) * w:dt(), inertia * (now - before), 1e-9, what .. "torque " .. k)
    before = now
  end
  near(before, 3, 1e-9, what .. "speed of the motor")
  local slider = w:box { size = { 1, 1, 1 }, mass = 5, position = { 9, 0, 0 } }
  local push = w:slider { a = slider, at = { 9, 0, 0 }, axis = { 0, 1, 0 }, motor = { speed = 1000, force = 20 } }
  w:step()
  near(push:effort(), 20, 1e-9, what .. "bounded effort")
  near(select(2, slider:velocity()), 20 / 5 * w:dt(), 1e-9, what .. "what it does")
  -- a servo of all turns
  local ball = w:sphere { radius = 0.3, mass = 3, position = { -9, 0, 0 } }
  local servo = w:ball { a = ball, at = { -9, 0, 0 }, turn_servo = { turn = { 0, 0, 1 }, stiffness = 5, damping = 1, torque = 1 } }
  for _ = 1, 10 do
    local old = select(3, ball:spin())
    w:step()
    near(select(3, servo:turn_effort()) * w:dt(), 0.4 * 3 * 0.09 * (select(3, ball:spin()) - old), 1e-9, what .. "turn effort")
  end
end

-- sleeping joints report their load
for _, n in ipairs(COUNTS) do
  local w = world(n, { sleep = 0.01 })
  local hung = w:box { size = { 0.1, 0.1, 1 }, mass = 2, position = { 0, 0, -0.5 } }
  local joint = w:fixed { a = hung, at = { 0, 0, 0 } }
  w:step(200)
  assert(w:report().asleep == 1)
  near(select(3, joint:force()), 2 * G, 1e-9, name(n) .. "load of a joint that sleeps")
end

-- bonds that swing, rigid and elastic; the stress of a rod under a load is force over area
for _, n in ipairs(COUNTS) do
  for _, young in ipairs { 1e6, false } do
    local what = name(n) .. (young and "elastic bond " or "rigid bond ")
    local w = world(n, { solver = { iterations = 500, tolerance = 1e-13 } })
    local a = w:sphere { radius = 0.1, mass = 2, velocity = { -1, 0.5, 0 } }
    local b = w:sphere { radius = 0.1, mass = 3, position = { 0.2, 0, 0 }, velocity = { 1, 0, 0 } }
    local one = bond.create(w, { bodies = { a, b }, distance = 1e-6, young = young or nil, radius = 0.5 })[1]
    local before = { a:velocity() }
    for _ = 1, 40 do
      w:step()
      local f, v = { one:force() }, { a:velocity() }
      for k = 1, 3 do near(f[k] * w:dt() / 2, v[k] - before[k] + (k == 3 and G * w:dt() or 0), 1e-9, what .. k) end
      before = v
    end
  end
  local w, row = world(n, { gravity = { 0, 0, 0 }, dt = 1e-3 }), {}
  for i = 0, 8 do row[i + 1] = w:sphere { radius = 0.01, position = { 0.02 * i, 0, 0 }, density = 1000, kind = i == 0 and "fixed" or "dynamic" } end
  bond.create(w, { bodies = row, distance = 0, young = 1e8, radius = 0.5, damping = 0.01 })
  for _ = 1, 800 do
    row[9]:apply { force = { 3, 0, 0 } }
    w:step()
  end
  near(w:stress { region = { min = { 0.03, -0.01, -0.01 }, max = { 0.09, 0.01, 0.01 } } }.contact[1], -3 / 0.0004, 1e-3, name(n) .. "stress of a rod")
end

-- a joint breaks at the end of the first substep whose load is too large; the load continues to act on the free body
for _, n in ipairs { 4, 7 } do
  local w = world(n, { gravity = { 0, 0, 0 } })
  local box = w:box { size = { 1, 1, 1 }, mass = 1 }
  local joint = w:fixed { a = box, at = { 0, 0, 0 }, break_force = 50 }
  local held = w:sphere { radius = 0.1, mass = 1, position = { 5, 0, 0 } }
  w:fixed { a = held, at = { 5, 0, 0 }, break_force = 50 }
  box:apply { force = { 60, 0, 0 } }
  held:apply { force = { 40, 0, 0 } }
  w:step()
  local broken = w:broken_joints()
  assert(#broken == 1 and broken[1].joint == joint:id())
  near(broken[1].force, 60, 1e-9, "load of the substep")
  near(broken[1].time, 4e-3 / n, 1e-12, "it breaks at the end of the first substep")
  -- the joint bears 50 N in the first substep and nothing in the others
  near((box:velocity()), (60 * n - 50) / n * 4e-3, 1e-9, "the load acts on what broke loose in the other substeps")
end
