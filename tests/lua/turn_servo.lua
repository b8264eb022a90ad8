-- Servos of all rotations of a ball joint, and of both rotations of a universal joint: period and energy against the closed form, targets within the
-- torque in any direction, a parent that turns, all solvers; a ragdoll holds a pose; bad input.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.within
local function world(more)
  local def = { gravity = { 0, 0, 0 }, dt = 1e-3 }
  for k, v in pairs(more or {}) do def[k] = v end
  return scree.world(def)
end
local function balance(w)
  local r = w:report()
  return r.energy + r.dissipated - r.work - r.correction
end
local function norm(x, y, z) return math.sqrt(x * x + y * y + z * z) end
local function off(j, turn)
  local x, y, z = j:turn()
  return norm(x - turn[1], y - turn[2], z - turn[3])
end

-- a ball with a moment of inertia of 1 swings about its target: with the period of a torsional spring, (dt sqrt(k))^2/12 longer, in line with
-- where it began; a stiffness that the step does not resolve brings it there
for _, correct in ipairs { true, false } do
  for _, k in ipairs { 100, 1e3, 1e4, 1e9, 1e12 } do
    local w = world { correct_joints = correct }
    local b = w:sphere { radius = 0.5, mass = 10, position = { 0, 0, 0 } }
    local target = { 0.6, -0.8, 0.4 }
    local j = w:ball { a = b, at = { 0, 0, 0 }, turn_servo = { turn = target, stiffness = k } }
    local start, times, last, along = balance(w), {}, 0, 0
    for _ = 1, 1500 do
      w:step()
      local x, y, z = b:spin()
      if last * x < 0 then times[#times + 1] = w:time() - 1e-3 + 1e-3 * last / (last - x) end
      last, along = x, math.max(along, norm(x * -0.8 - y * 0.6, y * 0.4 + z * 0.8, x * 0.4 - z * 0.6))
    end
    near(balance(w), start, 1e-9 * k, "account")
    near(along, 0, 1e-9 * math.sqrt(k), "turns about one axis")
    if k <= 1e4 then
      near(2 * (times[#times] - times[1]) / (#times - 1) * math.sqrt(k) / (2 * math.pi), 1 + k * 1e-6 / 12, 5e-5, "period at " .. k)
    else
      near(off(j, target), 0, 1e-12, "at rest at " .. k)
    end
  end
end

-- a beam is lifted against gravity within its torque, whatever the gains; at rest the torque is that of the weight
for _, k in ipairs { 100, 1e3, 1e6, 1e12 } do
  local w = world { gravity = { 0, 0, -9.81 } }
  local b = w:box { size = { 0.2, 0.3, 1 }, mass = 2, position = { 0, 0, -0.5 } }
  local target = { 0.5, 1.0, -0.3 }
  local j = w:ball { a = b, at = { 0, 0, 0 }, turn_servo = { turn = target, stiffness = k, damping = math.max(5, k / 50), torque = 14 } }
  local most, start = 0, balance(w)
  for _ = 1, 4000 do
    w:step()
    most = math.max(most, norm(j:turn_effort()))
  end
  assert(most <= 14 + 1e-9 and most > 13.9, "torque " .. most)
  near(balance(w), start, 1e-9, "account")
  local x, y = b:position()
  local load = 2 * 9.81 * norm(x, y, 0)
  near(norm(j:turn_effort()), load, 1e-3, "torque at rest")
  near(off(j, target), load / k, 1e-2 * load / k + 1e-9, "sag")
  j:turn_servo { feed = { y * 2 * 9.81, -x * 2 * 9.81, 0 } }
  w:step(3000)
  assert(off(j, target) < 0.2 * load / k + 1e-9, "without most of the sag by feeding the load")
end

-- an angular velocity is kept by a damping alone, against b which turns itself, in axes that go with b
do
  local w = world()
  local b = w:sphere { kind = "kinematic", radius = 0.1, position = { 0, 0, 0 }, spin = { 0, 0, 2 } }
  local a = w:sphere { radius = 0.1, mass = 1, position = { 0.3, 0, 0 } }
  local j = w:ball { a = a, b = b, at = { 0.3, 0, 0 }, turn_servo = { spin = { 0, 3, 0 }, damping = 10 } }
  w:step(1000)
  local x, y, z = a:spin()
  near(norm(x + 3 * math.sin(2), y - 3 * math.cos(2), z - 2), 0, 1e-2, "spin")
  j:turn_servo { spin = { 0, 0, 0 }, turn = { 0.2, 0.3, -0.4 }, stiffness = 100 }
  w:step(3000)
  near(off(j, { 0.2, 0.3, -0.4 }), 0, 2e-3, "orientation beside a body that turns")
  j:turn_servo { orientation = { -math.cos(0.5), 0, -math.sin(0.5), 0 } } -- the same turn as its negative
  w:step(3000)
  near(off(j, { 0, 1, 0 }), 0, 2e-3, "a quaternion as target")
end

-- a universal joint goes to two angles, each within its torque; a motor of the second turn
do
  local w = world { gravity = { 0, 0, -9.81 } }
  local b = w:box { size = { 0.1, 0.1, 1 }, mass = 1, position = { 0, 0, -0.5 } }
  local second = { servo = { position = -0.6, stiffness = 2000, damping = 80, force = 6 } }
  local j = w:universal { a = b, at = { 0, 0, 0 }, axis = { 1, 0, 0 }, axis_b = { 0, 1, 0 }, servo = { position = 0.8, stiffness = 2000, damping = 80, force = 5 }, second = second }
  local most, start = { 0, 0 }, balance(w)
  for _ = 1, 3000 do
    w:step()
    for i, effort in ipairs { j:effort() } do most[i] = math.max(most[i], math.abs(effort)) end
  end
  near(most[1], 5, 1e-9, "first torque")
  near(most[2], 6, 1e-9, "second torque")
  near(balance(w), start, 1e-9, "account of both")
  local one, two = j:position()
  local first, other = j:effort()
  near(one, 0.8 - first / 2000, 1e-9, "first angle")
  near(two, -0.6 - other / 2000, 1e-9, "second angle")
  j:set_motor { second = true, speed = 0.5 }
  w:step(500)
  near(select(2, j:position()), two + 0.25, 1e-9, "motor of the second turn")
end

-- all solvers agree beside a contact
do
  local place
  for _, solver in ipairs { "nbgs", "newton", "lemke", "apgd", "spg", "pgs", "auto" } do
    local w = world { gravity = { 0, 0, -9.81 }, correct_joints = false, solver = { name = solver, iterations = 20000, tolerance = 1e-12 } }
    w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, 0 } }
    local base = w:box { size = { 0.4, 0.4, 0.2 }, mass = 5, position = { 0, 0, 0.1 } }
    local arm = w:box { size = { 0.1, 0.1, 0.4 }, mass = 1, position = { 0, 0, 0.4 } }
    w:ball { a = arm, b = base, at = { 0, 0, 0.2 }, turn_servo = { turn = { 0.3, 0.5, 0.1 }, stiffness = 50, damping = 1, torque = 3 } }
    w:step(40)
    local now = { arm:position() }
    place = place or now
    for k = 1, 3 do near(now[k], place[k], 1e-8, solver .. " against nbgs") end
  end
end

-- a figure hangs by its trunk and keeps its pose with arms and legs held out
do
  local w = world { gravity = { 0, 0, -9.81 } }
  local trunk = w:box { size = { 0.2, 0.4, 0.6 }, mass = 30, position = { 0, 0, 1 } }
  w:fixed { a = trunk, at = { 0, 0, 1.3 } }
  local limbs = {}
  for side = -1, 1, 2 do
    local arm = w:capsule { radius = 0.05, length = 0.5, mass = 4, position = { 0, 0.25 * side, 0.95 } }
    limbs[#limbs + 1] = w:ball { a = arm, b = trunk, at = { 0, 0.25 * side, 1.25 }, axis = { 0, 0, -1 }, swing = 2,
      turn_servo = { turn = { 1.2 * side, 0, 0 }, stiffness = 2000, damping = 60, torque = 60 } }
    local leg = w:capsule { radius = 0.07, length = 0.7, mass = 10, position = { 0, 0.1 * side, 0.25 } }
    limbs[#limbs + 1] = w:ball { a = leg, b = trunk, at = { 0, 0.1 * side, 0.7 }, turn_servo = { turn = { 0.3 * side, -0.9, 0 }, stiffness = 4000, damping = 150, torque = 150 } }
  end
  w:step(2000)
  for i, j in ipairs(limbs) do
    local side = i <= 2 and -1 or 1
    local x, y, z = j:turn()
    local wanted = i % 2 == 1 and { 1.2 * side, 0 } or { 0.3 * side, -0.9 }
    near(norm(x - wanted[1], y - wanted[2], z), 0, 0.02, "pose of limb " .. i)
    assert(norm(j:turn_effort()) < (i % 2 == 1 and 60 or 150))
  end
end

-- bad input
do
  local w = world()
  local a = w:sphere { radius = 0.1, position = { 0, 0, 0 } }
  local at = { 0, 0, 0 }
  local function ball(servo) return { a = a, at = at, turn_servo = servo } end
  fails("needs a stiffness", w.ball, w, ball { turn = { 0, 0, 1 } })
  fails("an orientation and a turn", w.ball, w, ball { turn = { 0, 0, 1 }, orientation = { 1, 0, 0, 0 }, stiffness = 1 })
  fails("did you mean 'torque'", w.ball, w, ball { torqe = 1, stiffness = 1 })
  fails("ball.turn_servo.turn", w.ball, w, ball { turn = 1, stiffness = 1 })
  fails("ball.turn_servo.stiffness", w.ball, w, ball { stiffness = -1 })
  fails("ball.turn_servo.torque", w.ball, w, ball { stiffness = 1, torque = -1 })
  fails("only ball joints", w.hinge, w, { a = a, at = at, axis = { 0, 0, 1 }, turn_servo = { stiffness = 1 } })
  fails("motor or servo of the twist", w.ball, w, { a = a, at = at, axis = { 0, 0, 1 }, motor = { speed = 1 }, turn_servo = { stiffness = 1 } })
  local free = w:ball { a = a, at = at }
  free:turn_servo { turn = { 0, 0, 1 } } -- no gains: no servo
  local other = world { stepper = "stewart_trinkle" }
  local b = other:sphere { radius = 0.1, position = { 0, 0, 0 } }
  fails("need the stepper semi_implicit", other.ball, other, { a = b, at = at, turn_servo = { stiffness = 1 } })
end

print("servos of all turns: ok")
