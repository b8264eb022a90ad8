-- Jacobians against differences, the mass matrix against kinetic energy, inverse dynamics and gravity torques against the engine's own motion.
local scree = require "scree"
local kinematics = require "scree.kinematics"
local check = require "check"
local fails, near = check.fails, check.within

-- a tree with a branch: hinge, hinge (a is its parent), slider, and a hinge beside
local function make(dt, motor)
  local w = scree.world { gravity = { 0.3, 0, -9.81 }, dt = dt }
  local a = w:box { size = { 0.1, 0.12, 0.5 }, mass = 2, position = { 0, 0, 0.25 }, layer = 2, avoids = 2 }
  local b = w:box { size = { 0.5, 0.1, 0.08 }, mass = 1, position = { 0.25, 0, 0.5 }, layer = 2, avoids = 2 }
  local c = w:box { size = { 0.2, 0.06, 0.05 }, mass = 0.5, position = { 0.6, 0.02, 0.5 }, layer = 2, avoids = 2 }
  local d = w:box { size = { 0.1, 0.3, 0.05 }, mass = 0.7, position = { 0, 0.2, 0.4 }, layer = 2, avoids = 2 }
  local joints = {
    w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0.2, 0.1, 1 }, motor = motor },
    w:hinge { a = a, b = b, at = { 0, 0, 0.5 }, axis = { 0, 1, 0.2 }, motor = motor },
    w:slider { a = c, b = b, at = { 0.5, 0, 0.5 }, axis = { 1, 0.1, 0 }, motor = motor },
    w:hinge { a = d, b = a, at = { 0, 0.05, 0.4 }, axis = { 1, 0, 0 }, motor = motor },
  }
  return w, joints, { a, b, c, d }
end

do
  local w, joints, bodies = make(1e-3)
  local tree = kinematics.tree(joints)
  w:step(300) -- falls into some pose with speeds
  local v = tree:speeds()
  -- velocities of points by the Jacobian are those of the bodies
  for _, body in ipairs(bodies) do
    local x, y, z = body:to_world(0.1, 0.2, -0.3)
    local linear, angular = tree:jacobian(body, { x, y, z })
    local u, s = { body:velocity_at(x, y, z) }, { body:spin() }
    for k = 1, 3 do
      local sum, turn = 0, 0
      for i = 1, 4 do sum, turn = sum + linear[i][k] * v[i], turn + angular[i][k] * v[i] end
      near(sum, u[k], 1e-9, "linear")
      near(turn, s[k], 1e-9, "angular")
    end
  end
  -- v' M v / 2 is the kinetic energy; M is symmetric
  local M, sum = tree:mass_matrix(), 0
  for i = 1, 4 do
    for k = 1, 4 do
      sum = sum + v[i] * M[i][k] * v[k] / 2
      near(M[i][k], M[k][i], 1e-12, "symmetry")
    end
  end
  near(sum, w:report().kinetic, 1e-8 * sum, "kinetic energy")
end

-- torques from inverse dynamics produce the given accelerations; those of gravity alone keep the arm at rest
for _, given in ipairs { { 1, -2, 0.5, 3 }, { 0, 0, 0, 0 } } do
  local dt = 1e-5
  local w, joints = make(dt, { force = 0 })
  local tree = kinematics.tree(joints)
  if given[1] ~= 0 then w:step(30000) end
  local before = tree:speeds()
  local torques = tree:inverse_dynamics(w, given)
  tree:apply(torques)
  w:step(1)
  for i, s in ipairs(tree:speeds()) do near((s - before[i]) / dt, given[i], 5e-3, "acceleration " .. i) end
  if given[1] == 0 then for i, t in ipairs(tree:gravity_torques(w)) do near(t, torques[i], 1e-3, "gravity") end end
end

-- with gravity compensation an arm keeps its position; a servo of the whole tree reaches its targets
do
  local w, joints = make(1e-3, nil)
  local tree = kinematics.tree(joints, { 1, 0, 0, 0 })
  near(tree:positions()[1], 1, 1e-12, "start")
  for _, j in ipairs(joints) do j:servo { damping = 8, stiffness = j:type() == "slider" and 2000 or 200 } end
  tree:servo({ 1.2, 0.3, 0.05, -0.2 })
  for _ = 1, 4000 do
    if kinematics.due(w, 200) then tree:compensate_gravity(w) end
    w:step(1)
  end
  for i, q in ipairs(tree:positions()) do near(q, ({ 1.2, 0.3, 0.05, -0.2 })[i], 1e-4, "servo " .. i) end
  local ticks = 0
  for _ = 1, 1000 do
    if kinematics.due(w, 60) then ticks = ticks + 1 end
    w:step(1)
  end
  near(ticks, 60, 0, "ticks in a second")
end

do
  local w = scree.world {}
  local a, b = w:sphere { radius = 0.1, position = { 0, 0, 0 } }, w:sphere { radius = 0.1, position = { 1, 0, 0 } }
  local free = w:hinge { a = a, b = b, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
  fails("no joint ties the rest", kinematics.tree, { free })
  local ball = w:ball { a = a, at = { 0, 0, 0 } }
  fails("is a ball joint", kinematics.tree, { ball })
  local one, two = w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }, w:hinge { a = b, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
  local tree = kinematics.tree { one, two }
  fails("one per joint", tree.inverse_dynamics, tree, w, { 1 })
  fails("closes a loop", kinematics.tree, { one, w:hinge { a = a, at = { 0, 0, 0 }, axis = { 1, 0, 0 } } })
end
print("kinematics: ok")
