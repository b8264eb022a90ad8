--- Constraints of a model that are not in its tree of joints: loops, and joints that follow other joints.

local quaternion = require "scree.math.quaternion"
local turn = quaternion.turn
local loops = {}

-- Returns whether a link can rotate: one of the joints above it in the tree is not a weld.
local function can_turn(model, name)
  local above = {}
  for _, joint in ipairs(model.joints) do
    above[joint.child] = joint
  end
  for _ = 1, #model.links do
    local joint = above[name]
    if not joint then return false end
    if joint.type ~= "fixed" then return true end
    name = joint.parent
  end
  return false
end

--- Returns the common link of two coupled joints, and how the joints are connected to it. "siblings": both
--- joints start from this link. "after": `other` ends at this link and `joint` starts there. "before":
--- `joint` ends at it and `other` starts there. Returns nil for other arrangements.
function loops.housing(model, joint, other)
  if joint.parent == other.parent then return joint.parent, "siblings" end
  if other.child == joint.parent and can_turn(model, other.parent) then return joint.parent, "after" end
  if joint.child == other.parent and can_turn(model, joint.parent) then return joint.child, "before" end
end

-- Returns the axis of a joint in world axes, in the present pose.
local function axis_of(made, joint)
  local q = made.frames[joint.child].orientation
  return turn(q, joint.axis)
end

-- Couples two joints by joint.position = offset + ratio * other.position. Rotations of hinges are relative to
-- the common link.
local function couple(w, model, made, joint, other)
  local housing, kind = loops.housing(model, joint, other)
  local frame = made.bodies[housing] or "ground"
  local ratio, one, two = joint.mimic.ratio, made.bodies[joint.child], made.bodies[other.child]
  local axis, axis_b = axis_of(made, joint), axis_of(made, other)
  -- relative to the common link, the parent of a joint that ends there rotates in the opposite sense
  if kind == "after" then
    two, ratio = made.bodies[other.parent], -ratio
  elseif kind == "before" then
    one, ratio = made.bodies[joint.parent], -ratio
  end
  if not one or not two then
    error(("model: joint %q cannot follow %q: the ground cannot turn"):format(joint.name, other.name), 0)
  end
  if joint.type == "hinge" and other.type == "hinge" then
    -- w_a.axis + gear ratio * w_b.axis_b = 0
    return w:gear { a = one, b = two, axis = axis, axis_b = axis_b, ratio = -ratio, frame = frame }
  end
  if joint.type == "slider" then
    return w:rack { a = two, b = one, axis = axis_b, axis_b = axis, ratio = ratio, frame = frame }
  end
  if ratio == 0 then error(("model: joint %q: mimic ratio 0"):format(joint.name), 0) end
  return w:rack { a = one, b = two, axis = axis, axis_b = axis_b, ratio = 1 / ratio, frame = frame }
end

--- Adds the loops and couplings of a model to a world. made: the bodies and joints that robot.build has made
--- so far.
function loops.build(w, model, made)
  for _, loop in ipairs(model.loops or {}) do
    local a, b = made.bodies[loop.a], made.bodies[loop.b]
    local body = a or b
    if body and a ~= b then
      local frame = made.frames[loop.a]
      local at = quaternion.compose(frame, { position = loop.at or { 0, 0, 0 } }).position
      made.joints[loop.name] = w[loop.type](w, { a = body, b = a and b or nil, at = at })
    end
  end
  local by_name = {}
  for _, joint in ipairs(model.joints or {}) do
    by_name[joint.name] = joint
  end
  for _, joint in ipairs(model.joints or {}) do
    if joint.mimic then
      local other = by_name[joint.mimic.joint]
      if not other then
        error(("model: joint %q follows %q, which does not exist"):format(joint.name, joint.mimic.joint), 0)
      end
      couple(w, model, made, joint, other)
    end
  end
end

return loops
