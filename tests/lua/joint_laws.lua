-- Joints against closed forms, for every solver: reactions of a held beam, stops at limits, spin-up by a motor, decay by friction, gears and
-- racks under torque, the two speeds of a universal joint, a rope's pull.
local mechanism = require "mechanism"
local test = mechanism { gravity = { 0, 0, 0 }, dt = 1e-2, correct_joints = true, solver = { iterations = 50000, tolerance = 1e-11 } }
local near, world = test.near, test.world
-- a wheel of moment of inertia 0.5 about every axis
local function wheel(w, x, y, z, spin)
  return w:sphere { radius = 0.1, position = { x, y, z }, spin = spin, mass = 2, inertia = { 0.5, 0, 0, 0.5, 0, 0.5 } }
end
local X, Y, Z = { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }

-- a beam held at its end: force m g, torque m g l / 2, by one fixed joint and by a hinge with a motor that stands
local function beam()
  for _, kind in ipairs { "fixed", "hinge", "friction" } do
    local w = world { gravity = { 0, 0, -10 } }
    local b = w:box { size = { 2, 0.1, 0.1 }, position = { 1, 0, 0 }, mass = 3 }
    local joint = kind == "fixed" and w:fixed { a = b, at = { 0, 0, 0 } }
      or kind == "hinge" and w:hinge { a = b, at = { 0, 0, 0 }, axis = Y, motor = { speed = 0, force = 31 } }
      or w:hinge { a = b, at = { 0, 0, 0 }, axis = Y, friction = 30.5 }
    w:step(20)
    local fx, fy, fz = joint:force()
    local tx, ty, tz = joint:torque()
    for i, value in ipairs { fx, fy, fz - 30, tx, ty + 30, tz } do near(value, 0, 1e-6, kind .. " beam, reaction " .. i) end
    near((select(3, b:position())), 0, 1e-9, kind .. " beam stands")
  end
end

-- a wheel at 3 rad/s reaches its limit 0.1 rad ahead, a sledge at 2 m/s its limit 0.05 m ahead: they stop at the limit and stay there
local function limits()
  local w = world()
  local a = wheel(w, 0, 0, 0, { 0, 3, 0 })
  local b = w:box { size = { 0.2, 0.1, 0.1 }, position = { 0, 1, 0 }, velocity = { -2, 0, 0 }, mass = 4 }
  local turn = w:hinge { a = a, at = { 0, 0, 0 }, axis = Y, limits = { -0.2, 0.1 } }
  local shift = w:slider { a = b, at = { 0, 1, 0 }, axis = X, limits = { -0.05, 1 } }
  w:step(50)
  near(turn:position(), 0.1, 1e-4, "limit of the turn") -- the step that meets the limit turns by Cayley's tangent
  near(turn:speed(), 0, 1e-9, "speed at the limit")
  near(shift:position(), -0.05, 1e-9, "limit of the shift")
  near(shift:speed(), 0, 1e-9, "speed of the shift")
end

-- a motor without a bound, or with a large one, drives into its limit and stands there
local function driven_limits()
  for _, force in ipairs { math.huge, 1e6 } do
    local w = world()
    local a, b = wheel(w, 0, 0, 0), w:box { size = { 0.2, 0.1, 0.1 }, position = { 0, 1, 0 }, mass = 4 }
    local turn = w:hinge { a = a, at = { 0, 0, 0 }, axis = Y, limits = { -0.2, 0.505 }, motor = { speed = 3, force = force } }
    local shift = w:slider { a = b, at = { 0, 1, 0 }, axis = X, limits = { -0.055, 1 }, motor = { speed = -2, force = force } }
    w:step(100)
    near(turn:position(), 0.505, 1e-9, "motor against the limit of a turn")
    near(shift:position(), -0.055, 1e-9, "motor against the limit of a shift")
    turn:set_motor { speed = -3, force = force }
    w:step(10)
    near(turn:speed(), -3, 1e-8, "away from the limit")
  end
end

-- a motor of torque M brings moment I to speed w in I w / M and not before; torque is read from the joint
local function spin_up()
  local w = world()
  local a, b = wheel(w, 0, 0, 0), w:box { size = { 0.2, 0.1, 0.1 }, position = { 0, 1, 0 }, mass = 4 }
  local axle = w:hinge { a = a, at = { 0, 0, 0 }, axis = Z, motor = { speed = 6, force = 2 } } -- 1.5 s
  local rail = w:slider { a = b, at = { 0, 1, 0 }, axis = X, motor = { speed = -3, force = 8 } } -- 1.5 s
  w:step(100)
  near(axle:speed(), 4, 1e-8, "speed under torque")
  near((select(3, axle:torque())), 2, 1e-8, "torque of the motor")
  near(rail:speed(), -2, 1e-8, "speed under force")
  near((rail:force()), -8, 1e-7, "force of the motor")
  w:step(49)
  assert(axle:speed() < 5.97 and rail:speed() > -2.99, "not before I w / M")
  w:step(2)
  near(axle:speed(), 6, 1e-8, "target speed")
  near(rail:speed(), -3, 1e-8, "target speed of the rail")
  w:step(10)
  near((select(3, axle:torque())), 0, 1e-7, "torque at the target")
end

-- friction reduces the speed linearly and then sticks; the friction of a ball joint is equal in all directions
local function friction()
  local w = world()
  local a, c = wheel(w, 0, 0, 0, { 0, 0, 2 }), wheel(w, 0, 3, 0, { 1.2, -1.2, 1.2 })
  local b = w:box { size = { 0.2, 0.1, 0.1 }, position = { 0, 1, 0 }, velocity = { 3, 0, 0 }, mass = 4 }
  local axle = w:hinge { a = a, at = { 0, 0, 0 }, axis = Z, friction = 1 }       -- stops after 1 s
  local rail = w:cylindrical { a = b, at = { 0, 1, 0 }, axis = X, friction = 12 }  -- stops after 1 s
  w:ball { a = c, at = { 0, 3, 0 }, friction = 1 }                                 -- stops after 1.039 s
  w:step(50)
  near(axle:speed(), 1, 1e-8, "half the speed after half the time")
  near(rail:speed(), 1.5, 1e-8, "half the speed of the rail")
  local x, y, z = c:spin()
  local left = 1.2 - 1 / (0.5 * math.sqrt(3)) * 0.5
  for i, value in ipairs { x, -y, z } do near(value, left, 1e-8, "spin left in a ball joint, " .. i) end
  w:step(60)
  near(axle:speed(), 0, 1e-9, "at rest")
  near(axle:position(), 1, 1.1e-2, "way of the decay: w^2 I / 2 M") -- the step's own w dt / 2
  near(rail:position(), 1.5, 1.6e-2, "way of the rail")
  near((c:spin()), 0, 1e-9, "ball joint at rest")
end

-- gear: M = (I1 + I2 / ratio^2) a1; rack: M = (I + m r^2) a
local function gears()
  local w = world()
  local a, b, c, d = wheel(w, 0, 0, 0), wheel(w, 1, 0, 0), wheel(w, 0, 2, 0), w:box { size = { 0.2, 0.1, 0.1 }, position = { 0, 2, 1 }, mass = 4 }
  local one = w:hinge { a = a, at = { 0, 0, 0 }, axis = Z, motor = { force = 2 } }
  local two = w:hinge { a = b, at = { 1, 0, 0 }, axis = Z }
  local pinion = w:hinge { a = c, at = { 0, 2, 0 }, axis = Y, motor = { force = 2 } }
  local rail = w:slider { a = d, at = { 0, 2, 1 }, axis = X }
  w:gear { a = a, b = b, axis = Z, axis_b = Z, ratio = 2 }
  w:rack { a = c, b = d, axis = Y, axis_b = X, ratio = 0.25 }
  w:step(100)
  near(one:speed(), 2 / (0.5 + 0.5 / 4), 1e-7, "speed of a geared wheel")
  near(two:speed(), -one:speed() / 2, 1e-8, "ratio of the gear")
  near(pinion:speed(), 2 / (0.5 + 4 / 16), 1e-7, "speed of the pinion")
  near(rail:speed(), pinion:speed() / 4, 1e-8, "ratio of the rack")
end

-- universal joint between shafts at an angle of 0.5 rad: tan b = tan a cos angle, w_b / w_a = cos angle / (1 - sin^2 angle sin^2 a), with a
-- counted from where the driving fork lies across the plane of the shafts
local function universal()
  local angle = 0.5
  local along = { math.cos(angle), 0, math.sin(angle) }
  local w = world { dt = 0.03 }
  local a, b = wheel(w, -1, 0, 0), wheel(w, along[1], 0, along[3])
  local drive = w:hinge { a = a, at = { -1, 0, 0 }, axis = X, motor = { speed = 2, force = 1000 } }
  local driven = w:hinge { a = b, at = { along[1], 0, along[3] }, axis = along }
  w:universal { a = a, b = b, at = { 0, 0, 0 }, axis = Y, axis_b = { -along[3], 0, along[1] } }
  for _ = 1, 11 do -- half a turn, after which all repeats
    w:step(5)
    local turn = drive:position()
    near(math.tan(driven:position()), math.tan(turn) * math.cos(angle), 1e-9 * (1 + math.tan(turn) ^ 2), "turn beyond a universal joint")
    near(driven:speed() / drive:speed(), math.cos(angle) / (1 - (math.sin(angle) * math.sin(turn)) ^ 2), 1e-9, "ratio of the shafts")
  end
end

-- a bob on a rope in a level circle: pull m w^2 r; a rod of the same length pushes as well as it pulls
local function rope()
  local w = world { dt = 1e-3 }
  local b, c = wheel(w, 1, 0, 0), wheel(w, 1, 5, 0)
  b:set_velocity(0, 3, 0)
  local pull = w:distance { a = b, at = { 1, 0, 0 }, at_b = { 0, 0, 0 }, limits = { 0, 1 } }
  local rod = w:distance { a = c, at = { 1, 5, 0 }, at_b = { 0, 5, 0 } }
  w:step(200)
  local fx, fy = pull:force()
  near(math.sqrt(fx * fx + fy * fy), 2 * 9, 0.06, "pull of the rope")
  c:apply { force = { -7, 0, 0 } }
  w:step()
  near((rod:force()), 7, 1e-7, "thrust of the rod")
end

for _, name in ipairs { "nbgs", "pgs", "lemke", "apgd", "spg" } do
  test.solver = name
  for _, check in ipairs { beam, limits, driven_limits, spin_up, friction, gears, universal, rope } do check() end
end
print "joints do what the closed forms say, by every solver"
