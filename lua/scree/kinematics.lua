--- Kinematics of trees of hinges and sliders, for control: positions and speeds as lists, Jacobians, inverse
--- dynamics, gravity compensation.
---
---   local kinematics = require "scree.kinematics"
---   local arm = kinematics.tree { shoulder, elbow, wrist }
---   arm:compensate_gravity(w)

local kinematics = {}
local tree = {}
tree.__index = tree

-- ---- vectors ----

local vector = require "scree.math.vector"
local add, sub, scale, dot, cross = vector.add, vector.sub, vector.scale, vector.dot, vector.cross
local ZERO = { 0, 0, 0 }

-- Returns the inertia tensor of a body about its centre times a vector v, in world axes.
local function inertia_times(body, v)
  local I, o = { body:inertia() }, { body:position() }
  local u = { body:to_body(add(o, v)) }
  local t = {
    I[1] * u[1] + I[2] * u[2] + I[3] * u[3],
    I[2] * u[1] + I[4] * u[2] + I[5] * u[3],
    I[3] * u[1] + I[5] * u[2] + I[6] * u[3],
  }
  return sub({ body:to_world(t) }, o)
end

-- ---- the tree ----

local function moves(body) return body and body:kind() == "dynamic" end

-- Orders joints from the root outwards. Returns one link per joint, and the links in an order in which
-- parents come first. A link has: child, parent, above (index of the joint that carries the parent, 0: none),
-- sign (1: body b of the joint is the parent, -1: body a is the parent).
local function order(joints)
  local carried, links = {}, {}
  local left = #joints
  while left > 0 do
    local found = false
    for i, joint in ipairs(joints) do
      if not links[i] then
        local a, b = joint:bodies()
        for sign = 1, -1, -2 do
          local child, parent = a, b
          if sign < 0 then
            child, parent = b, a
          end
          local known = not moves(parent) or carried[parent:id()]
          if not links[i] and moves(child) and known then
            if carried[child:id()] then error(("tree: joint %d closes a loop"):format(i), 3) end
            links[i] = {
              joint = joint,
              child = child,
              parent = parent,
              above = moves(parent) and carried[parent:id()] or 0,
              sign = sign,
              number = i,
              turns = joint:type() == "hinge",
            }
            carried[child:id()] = i
            left, found = left - 1, true
          end
        end
      end
    end
    if not found then
      error("tree: no joint ties the rest to the ground, to a fixed body or to the joints before", 3)
    end
  end
  local sequence, placed = {}, { [0] = true }
  while #sequence < #joints do
    for i, link in ipairs(links) do
      if not placed[i] and placed[link.above] then
        placed[i] = true
        sequence[#sequence + 1] = link
      end
    end
  end
  return links, sequence
end

--- Returns a tree of hinges and sliders. Lists of the methods below have one entry per joint, in the order of
--- `joints`. The root must be the ground or a body that is not dynamic. Loops are an error. start: positions
--- of the joints at their creation (0 by default), which are added to all positions.
function kinematics.tree(joints, start)
  scree.check_type(joints, "table", "kinematics.tree", "of joints first", 1)
  for i, joint in ipairs(joints) do
    scree.check_type(joint, "joint", "kinematics.tree", ("as joint %d"):format(i))
    local type = joint:type()
    if type ~= "hinge" and type ~= "slider" then
      error(("tree: joint %d is a %s joint; it takes hinges and sliders"):format(i, type), 2)
    end
  end
  if start ~= nil then
    scree.check_type(start, "table", "kinematics.tree", "of positions second")
    if #start ~= #joints then
      error(("kinematics.tree: start must have a position for each of the %d joints, not %d"):format(#joints, #start))
    end
  end
  local links, sequence = order(joints)
  return setmetatable({ joints = joints, links = links, sequence = sequence, start = start or {} }, tree)
end

--- Returns the tree of a robot made by robot.build. names: names of the joints in the order of the lists,
--- alphabetical by default.
function kinematics.of_robot(made, names)
  scree.check_type(made, "table", "kinematics.of_robot", "of robot.build first", "joints")
  if not names then
    names = {}
    for name in pairs(made.joints) do
      names[#names + 1] = name
    end
    table.sort(names)
  end
  local joints, start = {}, {}
  for i, name in ipairs(names) do
    joints[i], start[i] =
      made.joints[name] or error(("of_robot: there is no joint %q"):format(tostring(name)), 2),
      made.start[name]
  end
  return kinematics.tree(joints, start)
end

--- Returns the positions of all joints [rad, m].
function tree:positions()
  local all = {}
  for i, joint in ipairs(self.joints) do
    all[i] = joint:position() + (self.start[i] or 0)
  end
  return all
end

--- Returns the speeds of all joints [rad/s, m/s].
function tree:speeds()
  local all = {}
  for i, joint in ipairs(self.joints) do
    all[i] = joint:speed()
  end
  return all
end

-- Returns the axis of a link in world axes. The child moves along it, or rotates about it, relative to the
-- parent as the position increases.
local function axis_of(link) return scale(link.sign, { link.joint:axis() }) end

local function check(self, list, what)
  if type(list) ~= "table" or #list ~= #self.joints then
    error(("%s must be a list of %d numbers, one per joint"):format(what, #self.joints), 3)
  end
end

--- Returns the velocity of a point of a body per unit speed of each joint: two lists of vectors, linear and
--- angular. body: the child of a joint of the tree.
function tree:jacobian(body, point)
  local linear, angular, at = {}, {}, nil
  for i, link in ipairs(self.links) do
    linear[i], angular[i] = { 0, 0, 0 }, { 0, 0, 0 }
    if link.child == body then at = i end
  end
  if not at then error("jacobian: no joint of the tree carries the body", 2) end
  while at ~= 0 do
    local link = self.links[at]
    local z = axis_of(link)
    if link.turns then
      linear[at], angular[at] = cross(z, sub(point, { link.joint:point() })), z
    else
      linear[at] = z
    end
    at = link.above
  end
  return linear, angular
end

-- Recursive Newton-Euler algorithm (Featherstone 2008, section 5.3) in world axes about centres of mass. From
-- the root outwards, it computes the accelerations of the bodies from the accelerations q2 of the joints.
-- Then it computes the forces inwards. Returns the torques and forces of the joints. still: treats all speeds
-- as 0.
local function newton_euler(self, q2, gravity, still)
  local state, tau = { [0] = { w = ZERO, alpha = ZERO, a = scale(-1, gravity), at = ZERO } }, {}
  for _, link in ipairs(self.sequence) do
    local p, z = state[link.above], axis_of(link)
    local child, joint = { link.child:position() }, { link.joint:point() }
    local rate, forced = still and 0 or link.joint:speed(), q2[link.number]
    local s = { at = child, z = z, joint = joint, force = nil }
    local function carried(point) -- acceleration of the parent at the point
      local r = sub(point, link.above == 0 and point or p.at)
      return add(p.a, add(cross(p.alpha, r), cross(p.w, cross(p.w, r))))
    end
    if link.turns then
      s.w = add(p.w, scale(rate, z))
      s.alpha = add(add(p.alpha, scale(forced, z)), cross(p.w, scale(rate, z)))
      local r = sub(child, joint)
      s.a = add(carried(joint), add(cross(s.alpha, r), cross(s.w, cross(s.w, r))))
    else
      s.w, s.alpha = p.w, p.alpha
      s.a = add(carried(child), add(scale(forced, z), scale(2 * rate, cross(p.w, z))))
    end
    state[link.number] = s
    s.force = scale(link.child:mass(), s.a)
    -- moment about the centre of the child
    s.moment = add(inertia_times(link.child, s.alpha), cross(s.w, inertia_times(link.child, s.w)))
  end
  for k = #self.sequence, 1, -1 do
    local link = self.sequence[k]
    local s = state[link.number]
    local about = add(s.moment, cross(sub(s.at, s.joint), s.force)) -- about the joint's point
    tau[link.number] = link.turns and dot(s.z, about) or dot(s.z, s.force)
    local p = state[link.above]
    if link.above ~= 0 then
      p.force = add(p.force, s.force)
      p.moment = add(p.moment, add(about, cross(sub(s.joint, p.at), s.force)))
    end
  end
  return tau
end

local function gravity_of(w) return { w:gravity() } end
local function zeros(self)
  local all = {}
  for i = 1, #self.joints do
    all[i] = 0
  end
  return all
end

--- Returns the torques and forces of the joints that produce the accelerations [rad/s2, m/s2] under gravity,
--- at the present positions and speeds.
function tree:inverse_dynamics(w, accelerations)
  check(self, accelerations, "inverse_dynamics: accelerations")
  return newton_euler(self, accelerations, gravity_of(w), false)
end

--- Returns the torques and forces of the joints that balance gravity at the present positions.
function tree:gravity_torques(w) return newton_euler(self, zeros(self), gravity_of(w), true) end

--- Returns the mass matrix, torque per acceleration, as a list of rows.
function tree:mass_matrix()
  local M = {}
  for i = 1, #self.joints do
    M[i] = {}
  end
  for k = 1, #self.joints do
    local one = zeros(self)
    one[k] = 1
    for i, t in ipairs(newton_euler(self, one, ZERO, true)) do
      M[i][k] = t
    end
  end
  return M
end

-- Applies torques. A joint with a servo gets them as feed-forward. Any other joint becomes a motor with this
-- force.
function tree:apply(torques)
  check(self, torques, "apply: torques")
  for i, joint in ipairs(self.joints) do
    if joint:has_servo() then
      joint:servo { feed = torques[i] }
    else
      joint:set_force(torques[i])
    end
  end
end

--- Applies the torques that balance gravity at the present positions. Call it before each step, or at a
--- control rate.
function tree:compensate_gravity(w) self:apply(self:gravity_torques(w)) end

--- Sets the servo targets of all joints. speeds: 0 by default.
function tree:servo(positions, speeds)
  check(self, positions, "servo: positions")
  for i, joint in ipairs(self.joints) do
    joint:servo { position = positions[i] - (self.start[i] or 0), speed = speeds and speeds[i] or 0 }
  end
end

--- Returns whether a tick of a clock with `rate` ticks per second falls on the coming step. It lets a
--- controller run at its own rate: `if kinematics.due(w, 100) then ... end` in before_step. The ticks depend
--- on the number of the step only, so that a resumed run has the same ticks.
function kinematics.due(w, rate)
  scree.check_type(w, "world", "kinematics.due", "first")
  scree.check_type(rate, "number", "kinematics.due", "second")
  if not (rate > 0) then error("due: the rate must be above 0", 2) end
  local each = w:dt() * rate
  return w:steps() == 0 or math.floor(w:steps() * each + 1e-9) > math.floor((w:steps() - 1) * each + 1e-9)
end

return kinematics
