-- Joints, drives and bonds as features that a stepper and a solver must support or refuse: each function builds a world
-- by `open(extra)`, steps it by `run(w, seconds)` and asserts closed forms.
local check = require "check"
local within = check.within

-- A box of 1 kg at `at` and its moment of inertia about any axis, 1/6 0.2^2.
local INERTIA = 0.04 / 6
local function box(w, at, extra)
  local def = { size = { 0.2, 0.2, 0.2 }, mass = 1, position = at }
  for key, value in pairs(extra or {}) do def[key] = value end
  return w:box(def)
end
local function distance(a, to)
  local x, y, z = a:position()
  return math.sqrt((x - to[1]) ^ 2 + (y - to[2]) ^ 2 + (z - to[3]) ^ 2)
end
local function at(body, x, y, z, tolerance, what)
  local px, py, pz = body:position()
  within(px, x, tolerance, what .. ", x")
  within(py, y, tolerance, what .. ", y")
  within(pz, z, tolerance, what .. ", z")
end
local joints = {}

-- ---- held directions ----
function joints.ball(open, run)
  local w = open()
  local bob = box(w, { 0.3, 0, 0 })
  w:ball { a = bob, at = { 0, 0, 0 } }
  run(w, 0.2)
  within(distance(bob, { 0, 0, 0 }), 0.3, 1e-7, "distance from the point that is held")
  assert(({ bob:position() })[3] < -0.05, "the bob swings")
end

function joints.hinge(open, run)
  local w = open()
  local bob = box(w, { 0.3, 0, 0 })
  local hinge = w:hinge { a = bob, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  run(w, 0.2, function() bob:apply { force = { 0, 5, 0 }, torque = { 1, 0, 1 } } end)
  local x, y, z = bob:position()
  within(y, 0, 1e-7, "out of the plane")
  within(math.sqrt(x * x + z * z), 0.3, 1e-7, "distance from the axis")
  within(hinge:position(), math.atan(-z, x), 1e-6, "angle")
  assert(z < -0.05, "the bob swings")
end

function joints.slider(open, run)
  local w = open()
  local block = box(w, { 0, 0, 0 })
  w:slider { a = block, at = { 0, 0, 0 }, axis = { 1, 0, 0 } }
  run(w, 0.1, function() block:apply { force = { 3, 2, 0 }, torque = { 1, 1, 1 } } end)
  at(block, 3 * 0.1 ^ 2 / 2, 0, 0, 0.2 * w:dt(), "slider")
  within((block:velocity()), 0.3, 1e-7, "speed")
  within(select(1, block:orientation()), 1, 1e-9, "orientation")
end

function joints.cylindrical(open, run)
  local w = open()
  local block = box(w, { 0, 0, 0 })
  w:cylindrical { a = block, at = { 0, 0, 0 }, axis = { 1, 0, 0 } }
  run(w, 0.1, function() block:apply { force = { 3, 2, 0 }, torque = { 0.01, 1, 1 } } end)
  at(block, 3 * 0.1 ^ 2 / 2, 0, 0, 0.2 * w:dt(), "cylindrical joint")
  within((block:velocity()), 0.3, 1e-7, "speed")
  within(block:spin(), 0.01 * 0.1 / INERTIA, 1e-6, "spin about the axis")
end

function joints.universal(open, run)
  local w = open { gravity = { 0, 0, 0 } }
  local block = box(w, { 0, 0, 0 })
  w:universal { a = block, at = { 0, 0, 0 }, axis = { 1, 0, 0 }, axis_b = { 0, 1, 0 } }
  run(w, 0.05, function() block:apply { force = { 1, 2, 3 }, torque = { 0.01, 0, 1 } } end)
  at(block, 0, 0, 0, 1e-7, "universal joint")
  within(block:spin(), 0.01 * 0.05 / INERTIA, 1e-6, "spin about the first axis")
  within(select(3, block:spin()), 0, 1e-6, "spin about the direction that is held")
end

function joints.fixed(open, run)
  local w = open()
  local block = box(w, { 0.3, 0, 0 })
  local joint = w:fixed { a = block, at = { 0, 0, 0 } }
  run(w, 0.1, function() block:apply { force = { 1, 2, 3 }, torque = { 1, 1, 1 } } end)
  at(block, 0.3, 0, 0, 1e-7, "fixed joint")
  local x, y, z = joint:force()
  within(x, -1, 1e-6, "force") within(y, -2, 1e-6, "force") within(z, 10 - 3, 1e-6, "force")
end

function joints.distance(open, run)
  local w = open()
  local bob = box(w, { 0.3, 0, 0 })
  w:distance { a = bob, at = { 0.3, 0, 0 }, at_b = { 0, 0, 0 } }
  run(w, 0.2)
  within(distance(bob, { 0, 0, 0 }), 0.3, 1e-7, "length of the rod")
end

function joints.rope(open, run)
  local w = open()
  local bob = box(w, { 0.3, 0, 0 })
  w:distance { a = bob, at = { 0.3, 0, 0 }, at_b = { 0, 0, 0 }, limits = { 0, 0.35 } }
  run(w, 0.1)
  assert(distance(bob, { 0, 0, 0 }) < 0.31, "a slack rope holds nothing")
  run(w, 0.3)
  within(distance(bob, { 0, 0, 0 }), 0.35, 1e-6, "length of the taut rope")
end

-- two wheels of inertia 1 on axles along y
local function wheels(w)
  local two, axle = {}, {}
  for i = 1, 2 do
    two[i] = w:sphere { radius = 0.1, mass = 1, inertia = { 1, 0, 0, 1, 0, 1 }, position = { 0.5 * i, 0, 0 } }
    axle[i] = w:hinge { a = two[i], at = { 0.5 * i, 0, 0 }, axis = { 0, 1, 0 } }
  end
  return two, axle
end

function joints.gear(open, run)
  local w = open()
  local two = wheels(w)
  w:gear { a = two[1], b = two[2], axis = { 0, 1, 0 }, axis_b = { 0, 1, 0 }, ratio = 2 }
  run(w, 0.1, function() two[1]:apply { torque = { 0, 3, 0 } } end)
  -- w1 = -2 w2: T = (I1 + I2/4) w1'
  within(select(2, two[1]:spin()), 3 / 1.25 * 0.1, 1e-7, "driving wheel")
  within(select(2, two[2]:spin()), -1.5 / 1.25 * 0.1, 1e-7, "driven wheel")
end

function joints.rack(open, run)
  local w = open()
  local two = wheels(w)
  local bar = box(w, { 0, 0, -1 })
  w:slider { a = bar, at = { 0, 0, -1 }, axis = { 1, 0, 0 } }
  w:rack { a = two[1], b = bar, axis = { 0, 1, 0 }, axis_b = { 1, 0, 0 }, ratio = 0.5 }
  run(w, 0.1, function() two[1]:apply { torque = { 0, 3, 0 } } end)
  within(select(2, two[1]:spin()), 3 / 1.25 * 0.1, 1e-7, "wheel")
  within((bar:velocity()), 1.5 / 1.25 * 0.1, 1e-7, "rack")
end

-- ---- drives ----
local function hinged(open, def, extra)
  local w = open(extra)
  local wheel = w:sphere { radius = 0.1, mass = 1, inertia = { 1, 0, 0, 1, 0, 1 }, position = { 0, 0, 0 } }
  def.a, def.at, def.axis = wheel, { 0, 0, 0 }, { 0, 1, 0 }
  return w, wheel, w:hinge(def)
end

function joints.motor(open, run)
  local w, wheel, axle = hinged(open, { motor = { speed = 0.2, force = 10 } })
  run(w, 0.01)
  within(select(2, wheel:spin()), 0.1, 1e-7, "spin while the motor gives all that it can")
  within(axle:effort(), 10, 1e-6, "torque")
  run(w, 0.03)
  within(select(2, wheel:spin()), 0.2, 1e-7, "spin at the motor's speed")
end

function joints.force(open, run)
  local w, wheel = hinged(open, { motor = { force = 5 } })
  run(w, 0.02)
  within(select(2, wheel:spin()), 0.1, 1e-7, "spin under a constant torque")
end

function joints.armature(open, run)
  local w, wheel = hinged(open, { motor = { force = 5 }, armature = 4 })
  run(w, 0.02)
  within(select(2, wheel:spin()), 0.1 / 5, 1e-7, "spin of a wheel with a rotor")
end

function joints.limits(open, run)
  local w, wheel, axle = hinged(open, { limits = { -1, 0.01 } })
  run(w, 0.1, function() wheel:apply { torque = { 0, 10, 0 } } end)
  within(axle:position(), 0.01, 1e-6, "angle at the limit")
  within(select(2, wheel:spin()), 0, 1e-6, "spin at the limit")
end

function joints.friction(open, run)
  local w, wheel = hinged(open, { friction = 4 })
  run(w, 0.02, function() wheel:apply { torque = { 0, 3, 0 } } end)
  within(select(2, wheel:spin()), 0, 1e-8, "below friction")
  run(w, 0.02, function() wheel:apply { torque = { 0, 6, 0 } } end)
  within(select(2, wheel:spin()), 2 * 0.02, 1e-7, "above friction")
end

function joints.ball_friction(open, run)
  local w = open()
  local wheel = w:sphere { radius = 0.1, mass = 1, inertia = { 1, 0, 0, 1, 0, 1 }, position = { 0, 0, 0 } }
  w:ball { a = wheel, at = { 0, 0, 0 }, friction = 4 }
  run(w, 0.02, function() wheel:apply { torque = { 0, 0, 3 } } end)
  within(select(3, wheel:spin()), 0, 1e-8, "below friction")
  run(w, 0.02, function() wheel:apply { torque = { 0, 0, 6 } } end)
  within(select(3, wheel:spin()), 2 * 0.02, 1e-7, "above friction")
end

function joints.swing(open, run)
  local w = open { gravity = { 0, 0, 0 } }
  local arm = w:sphere { radius = 0.1, mass = 1, inertia = { 1, 0, 0, 1, 0, 1 }, position = { 0, 0, 0 } }
  local joint = w:ball { a = arm, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, swing = 0.01, limits = { -0.02, 0.02 } }
  run(w, 0.1, function() arm:apply { torque = { 10, 0, 10 } } end)
  local twist, swing = joint:position()
  within(twist, 0.02, 1e-5, "twist at its limit")
  within(swing, 0.01, 1e-5, "swing at its limit")
end

function joints.servo(open, run)
  local w, _, axle = hinged(open, { servo = { position = 0.1, stiffness = 4e3, damping = 200, force = 50 } })
  run(w, 0.5)
  within(axle:position(), 0.1, 1e-5, "angle")
  axle:servo { position = 0, feed = 0, stiffness = 4e3 }
  run(w, w:dt())
  within(axle:effort(), -50, 1e-6, "bounded torque")
end

function joints.joint_spring(open, run)
  local w, wheel, axle = hinged(open, { stiffness = 100, damping = 10 })
  run(w, 2, function() wheel:apply { torque = { 0, 2, 0 } } end)
  within(axle:position(), 0.02, 1e-5, "angle of a torsion spring under a torque")
end

function joints.spring(open, run)
  local w = open()
  local bob = box(w, { 0, 0, -1 })
  w:spring { a = bob, at = { 0, 0, -1 }, at_b = { 0, 0, 0 }, stiffness = 1000, damping = 80 }
  run(w, 0.5)
  at(bob, 0, 0, -1.01, 1e-5, "stretch of a spring by a weight")
end

function joints.bushing(open, run)
  local w = open()
  local block = box(w, { 0, 0, 0 })
  w:fixed { a = block, at = { 0, 0, 0 }, stiffness = 1000, damping = 80, turn_stiffness = 100, turn_damping = 1 }
  run(w, 0.5)
  at(block, 0, 0, -0.01, 1e-5, "a bushing under a weight")
end

function joints.turn_spring(open, run)
  local w = open()
  local block = box(w, { 0, 0, 0 })
  w:ball { a = block, at = { 0, 0, 0 }, turn_stiffness = 10, turn_damping = 1 }
  run(w, 0.8, function() block:apply { torque = { 0, 0, 0.1 } } end)
  within(2 * select(4, block:orientation()), 0.01, 1e-5, "turn against a spring")
end

function joints.turn_servo(open, run)
  local w = open()
  local block = box(w, { 0, 0, 0 })
  local joint = w:ball { a = block, at = { 0, 0, 0 }, turn_servo = { turn = { 0, 0, 0.1 }, stiffness = 40, damping = 1, torque = 3 } }
  run(w, 0.5)
  within(select(3, joint:turn()), 0.1, 1e-5, "turn")
  joint:turn_servo { turn = { -1, -1, 0 }, stiffness = 40, torque = 3 }
  run(w, w:dt())
  local x, y, z = joint:turn_effort()
  within(math.sqrt(x * x + y * y + z * z), 3, 0.02, "bounded torque")
end

function joints.breaks(open, run)
  local w = open { gravity = { 0, 0, 0 } }
  local block = box(w, { 0, 0, 0 })
  local joint = w:fixed { a = block, at = { 0, 0, 0 }, break_force = 10 }
  run(w, 0.01, function() block:apply { force = { 9.99, 0, 0 } } end)
  assert(not joint:broken(), "a joint below its bound holds")
  run(w, w:dt(), function() block:apply { force = { 10.01, 0, 0 } } end)
  within(joint:broken().force, 10.01, 1e-4, "load at which it broke")
end

function joints.servo_wall(open, run)
  local servo = require "scree.servo"
  local w = open({ gravity = { 0, 0, 0 } })
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 } }
  servo.wall(w, { name = "lid", axis = { 0, 0, -1 }, position = { 0, 0, 0.205 }, size = { 0.2, 0.2, 0.01 }, stress = 100, speed = 0.5 })
  run(w, 0.05, function() servo.update(w) end)
  within(math.abs(w:forces_on(ball)[3]), 0, 1e-5, "forces on the ball")
  within(servo.read(w, "lid").stress, 100, 1e-4, "stress under a servo wall")
end

-- ---- bonds ----
local function pair(w, def)
  local a = w:sphere { radius = 0.1, position = { 0, 0, 0 }, kind = "fixed" }
  local b = w:sphere { radius = 0.1, mass = 1, position = { 0.2, 0, 0 } }
  def.pairs = { { a, b } }
  w:bond(def)
  return b
end

function joints.bond(open, run)
  local w = open { gravity = { 0, 0, 0 } }
  local b = pair(w, { stiffness = { normal = 1e4, shear = 1e4, bending = 100, twist = 100 }, damping = { normal = 0.02 } })
  run(w, 0.2, function() b:apply { force = { 10, 0, 0 } } end)
  within(({ b:position() })[1], 0.201, 1e-5, "stretch of a bond")
end

function joints.rigid_bond(open, run)
  local w = open()
  local b = pair(w, {})
  run(w, 0.1, function() b:apply { force = { 10, 0, 0 } } end)
  at(b, 0.2, 0, 0, 1e-5, "rigid bond")
end

function joints.exact_bond(open, run)
  local w = open()
  local b = pair(w, { exact = true, strength = 1e6 })
  run(w, 0.1, function() b:apply { force = { 10, 0, 0 } } end)
  at(b, 0.2, 0, 0, 1e-6, "exact bond")
end

return joints
