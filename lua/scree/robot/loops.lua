--- Constraints of a model that are not in its tree of joints: loops, and joints that follow other joints.

local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local turn = quaternion.turn
local loops = {}

-- Returns whether a link can move: a joint that is not fixed lies between it and the base, or the base is
-- free.
local function can_move(model, name)
  local above = {}
  for _, joint in ipairs(model.joints) do
    above[joint.child] = joint
  end
  for _ = 1, #model.links do
    local joint = above[name]
    if not joint then return model.base == "free" end
    if joint.type ~= "fixed" then return true end
    name = joint.parent
  end
  return false
end

--- Returns the link that two joints share, relative to which their coupling acts, and the order of the
--- joints. "siblings": both joints start at this link. "after": `other` ends at this link and `joint` starts
--- there. "before": `joint` ends at this link and `other` starts there. Returns nil if the joints share no
--- link in one of these ways. Also returns nil if the link is the child of a hinge whose parent cannot move,
--- and the other joint is a slider.
function loops.housing(model, joint, other)
  if joint.parent == other.parent then return joint.parent, "siblings" end
  local both = joint.type == other.type
  if other.child == joint.parent then
    if both or other.type == "slider" or can_move(model, other.parent) then return joint.parent, "after" end
  elseif joint.child == other.parent then
    if both or joint.type == "slider" or can_move(model, joint.parent) then return joint.child, "before" end
  end
end

-- Returns the axis of a joint in world axes, in the present pose.
local function axis_of(made, joint)
  local q = made.frames[joint.child].orientation
  return turn(q, joint.axis)
end

local PINION_SHARE = 1e-8 -- mass of the pinion between two sliders, as a share of the masses of both

-- Couples two sliders by a pinion of negligible mass, which turns on the common link between two racks.
local function add_pinion(w, frame, one, two, ratio)
  local body, other = one.body or two.body, two.body or one.body
  local mass, at = PINION_SHARE * (body:mass() + other:mass()), { body:position() }
  -- the racks move 1 m/rad
  local pinion = w:body { position = at, mass = mass, inertia = { mass, 0, 0, mass, 0, mass }, shapes = {} }
  w:hinge { a = pinion, b = frame ~= "ground" and frame or nil, at = at, axis = two.axis }
  w:rack { a = pinion, b = two.body, axis = two.axis, axis_b = two.axis, ratio = 1, frame = frame }
  return w:rack { a = pinion, b = one.body, axis = two.axis, axis_b = one.axis, ratio = ratio, frame = frame }
end

-- Couples two joints so that joint.position = offset + ratio * other.position. The positions are measured
-- relative to the common link (loops.housing).
local function couple(w, model, made, joint, other)
  local housing, kind = loops.housing(model, joint, other)
  if not housing then error(("model: joint %q cannot follow %q: they share no link"):format(joint.name, other.name)) end
  local frame, ratio = made.bodies[housing] or "ground", joint.mimic.ratio
  if ratio == 0 then error(("model: joint %q: mimic ratio 0"):format(joint.name)) end
  local one = { body = made.bodies[joint.child], axis = axis_of(made, joint) }
  local two = { body = made.bodies[other.child], axis = axis_of(made, other) }
  -- relative to the common link, the parent of a joint that ends there moves in reverse; nil: the ground
  if kind == "after" then
    two.body, ratio = made.bodies[other.parent], -ratio
  elseif kind == "before" then
    one.body, ratio = made.bodies[joint.parent], -ratio
  end
  if joint.type == "slider" and other.type == "slider" then return add_pinion(w, frame, one, two, ratio) end
  if joint.type == "hinge" and other.type == "hinge" then
    if not one.body then
      one, two, ratio = two, one, 1 / ratio
    end
    -- w_a.axis + gear ratio * w_b.axis_b = 0
    return w:gear { a = one.body, b = two.body, axis = one.axis, axis_b = two.axis, ratio = -ratio, frame = frame }
  end
  if joint.type == "hinge" then
    one, two, ratio = two, one, 1 / ratio
  end
  return w:rack { a = two.body, b = one.body, axis = two.axis, axis_b = one.axis, ratio = ratio, frame = frame }
end

local function moves(body) return body and body:mass() < math.huge end

-- Moves a body so that a frame fixed to it comes to another frame. Returns a function that moves the body back.
local function displace(body, from, to)
  local x, q = { body:position() }, { body:orientation() }
  local r = quaternion.multiply(to.orientation, quaternion.inverse(from.orientation))
  body:set_position(table.unpack(vector.add(to.position, turn(r, vector.sub(x, from.position)))))
  body:set_orientation(table.unpack(quaternion.multiply(r, q)))
  return function()
    body:set_position(table.unpack(x))
    body:set_orientation(table.unpack(q))
  end
end

-- Adds a joint between two links that are not neighbours in the tree. Frames of a loop with `at_b` need not coincide in the
-- start pose: the joint is created with the second body in its place, and the first step moves the bodies together.
local function add_loop(w, loop, made)
  local a, b = made.bodies[loop.a], made.bodies[loop.b]
  if a == b or not moves(a) and not moves(b) then return nil end
  local one = quaternion.compose(made.frames[loop.a], { position = loop.at or { 0, 0, 0 }, orientation = loop.orientation })
  local two = one
  if loop.at_b then
    two = quaternion.compose(made.frames[loop.b], { position = loop.at_b, orientation = loop.orientation_b })
    -- only a weld holds the orientation
    if loop.type == "ball" then two.orientation = one.orientation end
  end
  local restore = moves(b) and displace(b, two, one) or displace(a, one, two)
  local joint = w[loop.type](w, {
    a = a or b,
    b = a and b or nil,
    at = moves(b) and one.position or two.position,
    collide = true,
  })
  restore()
  return joint
end

--- Adds the loops and couplings of a model to a world. made: the bodies and joints that robot.build has made
--- so far. Sets made.loops by name. A loop is also in made.joints, unless a joint has its name.
function loops.build(w, model, made)
  made.loops = {}
  for _, loop in ipairs(model.loops or {}) do
    local joint = add_loop(w, loop, made)
    made.loops[loop.name] = joint
    made.joints[loop.name] = made.joints[loop.name] or joint
  end
  local by_name = {}
  for _, joint in ipairs(model.joints or {}) do
    by_name[joint.name] = joint
  end
  for _, joint in ipairs(model.joints or {}) do
    if joint.mimic then
      local other = by_name[joint.mimic.joint]
      if not other then
        error(("model: joint %q follows %q, which does not exist"):format(joint.name, joint.mimic.joint))
      end
      couple(w, model, made, joint, other)
    end
  end
end

return loops
