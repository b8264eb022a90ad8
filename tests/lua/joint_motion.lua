-- Joints with springs, friction, motors, servos and armatures against the equations of motion (lib/exact_motion.lua): both bodies move, their inertia
-- is anisotropic, and axes and points have general directions and places. The errors fall with the order of the stepper, in all axes.
local rigid = require "rigid"
local motion = require "exact_motion"
local dot, scale, add, cross, unit, norm = rigid.dot, rigid.scale, rigid.add, rigid.cross, rigid.unit, rigid.norm
local AT, AXIS = motion.AT, motion.AXIS
local TIME = 0.04

local QUIET = { stepper = "semi_implicit", solver = "auto", most = 2e-4, falls = 14 }
local TOUCHED = { stepper = "semi_implicit", solver = "auto", touched = true, most = 0.03, falls = 3.5 }
local SECOND = { stepper = "second_order", solver = "auto", most = 2e-4, falls = 14 }

local function check(case, steppers)
  case.time = case.time or TIME
  local exact = motion.exact(case)
  for _, def in ipairs(steppers) do motion.compare(case, def, exact) end
end

local function sign(x) return x > 0 and 1 or -1 end
local function clamp(x, most) return math.max(-most, math.min(most, x)) end
local function joint_def(c, more)
  local def = { a = c.bodies[1], b = c.bodies[2], at = c.turn(AT), axis = c.turn(AXIS) }
  for key, value in pairs(more) do def[key] = value end
  return def
end

-- ---- hinge: all drives of a rotation ----
do
  local s = motion.bodies()
  motion.kick(s[1], AT, scale(6, AXIS))
  local joint = rigid.joint(s, 1, 2, AT, AXIS)
  local function hinge(name, steppers, drive, torque, time)
    check({
      name = "hinge, " .. name, state = s, time = time,
      rows = function(t)
        local k, rows = joint(t), {}
        rigid.lock_point(k, rows)
        rigid.lock_axis(k, rows)
        if drive.armature then rows[#rows + 1] = { inertia = drive.armature, rigid.twist(k, k.n2) } end
        return rows
      end,
      loads = function(t)
        local k = joint(t)
        return { rigid.twist(k, scale(torque(k.angle, dot(k.spin, k.n2)), k.n2)) }
      end,
      make = function(c) return c.w:hinge(joint_def(c, drive)) end,
    }, steppers)
  end
  hinge("free", { QUIET, SECOND }, {}, function() return 0 end, 0.1) -- two components of the axis become equal on the way
  hinge("friction and motor", { QUIET, TOUCHED, SECOND }, { friction = 0.3, motor = { force = 0.1 } }, function(_, v) return 0.1 - 0.3 * sign(v) end)
  hinge("spring and servo", { QUIET }, { stiffness = 5, damping = 0.05, rest = -0.5, servo = { position = 1, stiffness = 6, damping = 0.1, force = 0.5 } },
    function(p, v) return 5 * (-0.5 - p) - 0.05 * v + clamp(6 * (1 - p) - 0.1 * v, 0.5) end)
  hinge("armature", { QUIET, TOUCHED }, { armature = 0.05, motor = { force = 0.4 }, stiffness = 5 }, function(p) return 0.4 - 5 * p end)
end

-- ---- slider and cylindrical joint ----
do
  local s = motion.bodies()
  motion.kick(s[1], AT, { 0, 0, 0 }, scale(1.5, AXIS))
  local joint = rigid.joint(s, 1, 2, AT, AXIS)
  check({
    name = "slider", state = s,
    rows = function(t)
      local k, rows = joint(t), {}
      rigid.lock_line(k, rows)
      rigid.lock_turn(k, rows)
      rows[#rows + 1] = { inertia = 0.2, rigid.pull(k, k.n2, true) }
      return rows
    end,
    loads = function(t)
      local k = joint(t)
      local p, v = dot(k.gap, k.n2), dot(k.shift, k.n2)
      return { rigid.pull(k, scale(-100 * p - v - 2 * sign(v), k.n2), true) }
    end,
    make = function(c) return c.w:slider(joint_def(c, { stiffness = 100, damping = 1, friction = 2, armature = 0.2 })) end,
  }, { QUIET })
  local turning = motion.bodies()
  motion.kick(turning[1], AT, scale(5, AXIS), scale(1.5, AXIS))
  check({
    name = "cylindrical", state = turning,
    rows = function(t)
      local k, rows = joint(t), {}
      rigid.lock_line(k, rows)
      rigid.lock_axis(k, rows)
      return rows
    end,
    loads = function(t)
      local k = joint(t)
      local v, turns = dot(k.shift, k.n2), dot(k.spin, k.n2)
      local force, torque = { rigid.pull(k, scale(-sign(v) + 3, k.n2), true) }, { rigid.twist(k, scale(-0.2 * sign(turns), k.n2)) }
      return { force[1], force[2], torque[1], torque[2] }
    end,
    make = function(c) return c.w:cylindrical(joint_def(c, { friction = 1, motor = { force = 3 }, second = { friction = 0.2 } })) end,
  }, { QUIET, SECOND })
end

-- ---- universal joint: spring of the first rotation, servo of the second ----
do
  local other = unit(cross(AXIS, { 0.3, 0.9, 0.4 }))
  local s = motion.bodies()
  motion.kick(s[1], AT, add(scale(5, AXIS), 4, other))
  local joint = rigid.joint(s, 1, 2, AT, AXIS, nil, other)
  local side1, side2 = rigid.back(s[1].q, other), rigid.back(s[2].q, AXIS)
  check({
    name = "universal", state = s,
    rows = function(t)
      local k, rows = joint(t), {}
      rigid.lock_point(k, rows)
      rows[4] = { rigid.twist(k, cross(k.n1, k.n2)) }
      return rows
    end,
    loads = function(t)
      local k = joint(t)
      local one, two = rigid.turn(t[1].q, side1), rigid.turn(t[2].q, side2)
      local p1, p2 = math.atan(dot(cross(k.n2, one), k.n1), dot(k.n2, one)), math.atan(dot(cross(two, k.n1), k.n2), dot(two, k.n1))
      local v1, v2 = dot(k.spin, k.n1), dot(k.spin, k.n2)
      local first, second = { rigid.twist(k, scale(-4 * p1 - 0.02 * v1 - 0.1 * sign(v1), k.n1)) }, { rigid.twist(k, scale(3 * (1 - p2) - 0.05 * v2, k.n2)) }
      return { first[1], first[2], second[1], second[2] }
    end,
    make = function(c)
      return c.w:universal(joint_def(c, { axis_b = c.turn(other), stiffness = 4, damping = 0.02, friction = 0.1, second = { servo = { position = 1, stiffness = 3, damping = 0.05 } } }))
    end,
  }, { QUIET })
end

-- ---- ball joint: spring and motor of the twist; distance joint: rod, damped spring ----
do
  local s = motion.bodies()
  motion.kick(s[1], AT, { 3, -5, 4 })
  local joint = rigid.joint(s, 1, 2, AT, AXIS)
  check({
    name = "twist of a ball joint", state = s,
    rows = function(t)
      local rows = {}
      rigid.lock_point(joint(t), rows)
      return rows
    end,
    loads = function(t)
      local k = joint(t)
      local c, open = cross(k.n2, k.n1), 1 + dot(k.n1, k.n2)
      local u = add(add(k.u2, 1, cross(c, k.u2)), 1 / open, cross(c, cross(c, k.u2))) -- u2, swung to the axis of a
      local twist, d = math.atan(dot(cross(u, k.u1), k.n1), dot(u, k.u1)), scale(1 / open, add(k.n1, 1, k.n2))
      return { rigid.twist(k, scale(0.3 - 8 * twist - 0.03 * dot(k.spin, d), d)) }
    end,
    make = function(c) return c.w:ball(joint_def(c, { stiffness = 8, damping = 0.03, motor = { force = 0.3 } })) end,
  }, { QUIET })

  local free, far = motion.bodies(), { -0.25, 0.1, 0.15 }
  motion.kick(free[1], AT, { 2, -3, 1 }, { 0.4, 0.3, -0.5 })
  joint = rigid.joint(free, 1, 2, AT, AXIS, far)
  check({
    name = "spring between two points", state = free,
    loads = function(t)
      local k = joint(t)
      local length, d = norm(k.gap), unit(k.gap)
      return { rigid.pull(k, scale(-200 * (length - 0.3) - 3 * dot(k.speed, d), d)) }
    end,
    make = function(c) return c.w:spring { a = c.bodies[1], b = c.bodies[2], at = c.turn(AT), at_b = c.turn(far), stiffness = 200, damping = 3, length = 0.3 } end,
  }, { QUIET, TOUCHED })
end

-- ---- bevel gear in a housing that floats ----
do
  local ratio, wheel, other = -1.7, { 0.3, 0.05, -0.15 }, { -0.25, -0.1, 0.05 }
  local axis, axis_b = AXIS, unit { 0.1, 0.8, 0.5 }
  local s = motion.bodies(3)
  motion.kick(s[1], wheel, scale(5, axis))
  motion.kick(s[2], other, scale(-5 / ratio, axis_b))
  local first, second = rigid.joint(s, 1, 3, wheel, axis), rigid.joint(s, 2, 3, other, axis_b)
  check({
    name = "gear", state = s,
    rows = function(t)
      local a, b, rows = first(t), second(t), {}
      for _, k in ipairs { a, b } do
        rigid.lock_point(k, rows)
        rigid.lock_axis(k, rows)
      end
      local none = { 0, 0, 0 }
      rows[#rows + 1] = { { 1, none, a.n1 }, { 2, none, scale(ratio, b.n1) }, { 3, none, scale(-1, add(a.n1, ratio, b.n1)) } }
      return rows
    end,
    make = function(c)
      c.w:hinge { a = c.bodies[1], b = c.bodies[3], at = c.turn(wheel), axis = c.turn(axis) }
      c.w:hinge { a = c.bodies[2], b = c.bodies[3], at = c.turn(other), axis = c.turn(axis_b) }
      return c.w:gear { a = c.bodies[1], b = c.bodies[2], axis = c.turn(axis), axis_b = c.turn(axis_b), ratio = ratio }
    end,
  }, { QUIET, SECOND })
end

print "motion of joints: ok"
