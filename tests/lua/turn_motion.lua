-- Springs, dampers and servos of all rotations against the equations of motion (lib/exact_motion.lua): at large angles, with torques at their bound,
-- and with a body b that rotates. A pair with a soft joint conserves angular momentum.
local scree = require "scree"
local rigid = require "rigid"
local motion = require "exact_motion"
local add, scale, norm = rigid.add, rigid.scale, rigid.norm
local AT = motion.AT
local NONE = { 0, 0, 0 }

local function steppers(most, touched)
  return {
    { stepper = "semi_implicit", solver = "auto", most = most, falls = 3 },
    { stepper = "semi_implicit", solver = "auto", touched = true, most = touched, falls = 3 },
  }
end
local function check(case, most, touched)
  case.time = case.time or 0.04
  local exact = motion.exact(case)
  for _, def in ipairs(steppers(most, touched)) do motion.compare(case, def, exact) end
end

-- ---- springs: the torque is the stiffness times the rotation vector; the damper of a point acts in the frame of b ----
do
  local s = motion.bodies()
  motion.kick(s[1], AT, { 16, -20, 14 })
  local joint = rigid.joint(s, 1, 2, AT, motion.AXIS)
  local function ball(_, rows) rigid.lock_point(_, rows) end
  local function case(name, lock, def, load)
    check({
      name = name, state = s, time = 0.06,
      rows = function(t)
        local rows = {}
        lock(joint(t), rows)
        return rows
      end,
      loads = function(t) return load(joint(t)) end,
      make = function(c)
        local own = { a = c.bodies[1], b = c.bodies[2], at = c.turn(AT) }
        for key, value in pairs(def) do own[key] = value end
        return def.stiffness and c.w:fixed(own) or c.w:ball(own)
      end,
    }, 3e-2, 0.5)
  end
  case("ball with turn_stiffness", ball, { turn_stiffness = 4, turn_damping = 0.05 }, function(k)
    return { rigid.twist(k, add(scale(-4, k.turned), -0.05, k.spin)) }
  end)
  case("bushing", function() end, { stiffness = 300, damping = 2, turn_stiffness = 4, turn_damping = 0.05 }, function(k)
    local force, torque = { rigid.pull(k, add(scale(-300, k.gap), -2, k.shift), true) }, { rigid.twist(k, add(scale(-4, k.turned), -0.05, k.spin)) }
    return { force[1], force[2], torque[1], torque[2] }
  end)
end

-- ---- servos: the law, scaled to the bound; at the bound the engine uses 99.5 % of it ----
do
  local s = motion.bodies()
  motion.kick(s[1], AT, { 3, -5, 4 })
  local joint, start = rigid.joint(s, 1, 2, AT, motion.AXIS), s[2].q
  local function servo(name, t, most)
    local function with_b(body, v) return rigid.turn(body.q, rigid.back(start, v)) end
    check({
      name = "servo, " .. name, state = s,
      rows = function(now)
        local rows = {}
        rigid.lock_point(joint(now), rows)
        return rows
      end,
      loads = function(now)
        local k, b = joint(now), now[2]
        local off = rigid.vector(rigid.product(rigid.quat(k.turned), rigid.conjugate(rigid.quat(with_b(b, t.turn or NONE)))))
        local torque = add(scale(-(t.stiffness or 0), off), t.damping or 0, add(with_b(b, t.spin or NONE), -1, k.spin))
        torque = add(torque, 1, with_b(b, t.feed or NONE))
        local size, bound = norm(torque), t.torque and 0.995 * t.torque or math.huge
        return { rigid.twist(k, size > bound and scale(bound / size, torque) or torque) }
      end,
      make = function(c)
        local own = {}
        for key, value in pairs(t) do own[key] = type(value) == "table" and c.turn(value) or value end
        return c.w:ball { a = c.bodies[1], b = c.bodies[2], at = c.turn(AT), turn_servo = own }
      end,
    }, most, 0.06)
  end
  local turn = { 0.9, -0.5, 0.7 }
  servo("free", { turn = turn, spin = { 1, 2, -1 }, stiffness = 8, damping = 0.05, feed = { 0.1, -0.2, 0.15 } }, 5e-3)
  servo("below its bound", { turn = turn, stiffness = 4, damping = 0.02, torque = 6 }, 5e-3)
  servo("at its bound", { turn = turn, stiffness = 8, damping = 0.05, torque = 0.8 }, 2e-3)
  servo("stiff, at its bound", { turn = turn, stiffness = 80, damping = 1, torque = 0.8 }, 2e-3)
  servo("of the spin, at its bound", { spin = { 3, 4, 9 }, damping = 0.5, torque = 0.5 }, 2e-3)
end

-- ---- the energy of a bushing is that of its spring; the joint conserves angular momentum ----
do
  local w = scree.world { gravity = NONE, dt = 1e-3 }
  local a = w:sphere { radius = 0.05, mass = 1.3, inertia = { 0.02, 0, 0, 0.035, 0, 0.05 }, position = { 0.3, 0.1, 0 }, velocity = { 0, 3, 1 }, spin = { 2, 1, 6 } }
  local b = w:sphere { radius = 0.05, mass = 2.1, inertia = { 0.06, 0, 0, 0.03, 0, 0.075 }, position = { -0.3, 0, 0.1 }, velocity = { 0, -3, 0 }, spin = { 0, 0, 8 } }
  local joint = w:fixed { a = a, b = b, at = { 0.02, 0.01, 0 }, stiffness = 200, damping = 5, turn_stiffness = 6, turn_damping = 0.1 }
  local before = w:report()
  w:step(100)
  local after, off = w:report(), rigid.vector(rigid.product({ a:orientation() }, rigid.conjugate { b:orientation() }))
  for k = 1, 3 do assert(math.abs(after.angular_momentum[k] - before.angular_momentum[k]) < 1e-12, "angular momentum " .. k) end
  local point, other = rigid.turn({ a:orientation() }, { -0.28, -0.09, 0 }), rigid.turn({ b:orientation() }, { 0.32, 0.01, -0.1 })
  local gap = add(add({ a:position() }, 1, point), -1, add({ b:position() }, 1, other))
  local energy = 100 * norm(gap) ^ 2 + 3 * norm(off) ^ 2
  assert(norm(off) > 0.1 and norm(gap) > 0.01 and math.abs(joint:energy() - energy) < 1e-10 * energy, "energy of the springs")
end

-- ---- half a turn: the torque is 3 N m/rad times the angle, up to pi ----
do
  local w = scree.world { gravity = NONE, dt = 2e-4 }
  local a = w:sphere { radius = 0.1, mass = 1, inertia = { 1, 0, 0, 1, 0, 1 }, position = NONE, spin = { 0, 5, 0 } }
  local joint = w:ball { a = a, at = NONE, turn_stiffness = 3 }
  local most = 0
  for _ = 1, 4500 do
    w:step()
    local angle, _, torque = 2 * math.atan(select(3, a:orientation()), (a:orientation())), joint:torque()
    if angle < 3.1 then
      assert(math.abs(torque + 3 * angle) < 4e-3, "torque " .. torque .. " at the angle " .. angle)
      most = math.max(most, angle)
    end
  end
  assert(most > 2.8, "turned by " .. most)
end

print "springs and servos of all rotations: ok"
