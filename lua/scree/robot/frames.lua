--- Frames of links: relative to their parents, in a pose of a model, and in the present state of a world.

local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local turn, compose = quaternion.turn, quaternion.compose
local frames = {}

--- The frame of the origin, without a rotation.
frames.HERE = { position = { 0, 0, 0 }, orientation = { 1, 0, 0, 0 } }

--- Returns the quaternion of a rotation about an axis of any length. angle: [rad].
function frames.about(axis, angle)
  local n = math.sqrt(axis[1] ^ 2 + axis[2] ^ 2 + axis[3] ^ 2)
  local s = math.sin(angle / 2) / n
  return { math.cos(angle / 2), s * axis[1], s * axis[2], s * axis[3] }
end
local about = frames.about

-- Returns the frame that is rotated by r about a point.
local function rotated(anchor, r)
  return { position = vector.sub(anchor, turn(r, anchor)), orientation = r }
end

--- Returns the frame of the child of a joint relative to the parent link. start: start position of the joint:
--- `q` and `second` [m or rad], or `turn`, the orientation of a ball joint, or `frame`, the frame of a free
--- joint.
function frames.of_joint(joint, start)
  local frame =
    { position = joint.position or { 0, 0, 0 }, orientation = joint.orientation or { 1, 0, 0, 0 } }
  local anchor, q = joint.anchor or { 0, 0, 0 }, start.q or 0
  if start.frame then return start.frame end
  if start.turn then return compose(frame, rotated(anchor, start.turn)) end
  if joint.type == "universal" and (start.second or 0) ~= 0 then
    frame = compose(frame, rotated(anchor, about(joint.axis2, start.second)))
  end
  if (joint.type == "hinge" or joint.type == "universal") and q ~= 0 then
    return compose(frame, rotated(anchor, about(joint.axis, q)))
  elseif joint.type == "slider" and q ~= 0 then
    return compose(frame, { position = vector.scale(q, joint.axis) })
  end
  return frame
end

--- Returns the joint above each link, by the name of the link.
function frames.joints_above(model)
  local above = {}
  for _, joint in ipairs(model.joints or {}) do
    above[joint.child] = joint
  end
  return above
end

--- Returns the frames of all links by name, relative to the first link, at the start positions that start_of(joint)
--- returns (frames.of_joint). The joints must form a tree.
function frames.of_model(model, start_of)
  local above, all = frames.joints_above(model), {}
  local function frame_of(name)
    local joint = above[name]
    if not joint then return frames.HERE end
    all[name] = all[name] or compose(frame_of(joint.parent), frames.of_joint(joint, start_of(joint)))
    return all[name]
  end
  for _, link in ipairs(model.links) do
    all[link.name] = frame_of(link.name)
  end
  return all
end

--- Returns the first of the links to which a link is welded. above: joints above links, by name.
function frames.weld_root(above, name)
  while above[name] and above[name].type == "fixed" do
    name = above[name].parent
  end
  return name
end

--- Returns the present frame of a link, and its body. A fixed link without shapes has no body (nil).
function frames.of_link(made, name)
  local body, start = made.bodies[name], made.frames[name]
  if not body or body:mass() == math.huge then return start, body end
  local own = made.local_frames[name]
  return compose({ position = { body:position() }, orientation = { body:orientation() } }, own), body
end

--- Returns the velocity of a point of a body; 0 without a body.
function frames.velocity_at(body, p)
  if not body then return { 0, 0, 0 } end
  local x, v, w = { body:position() }, { body:velocity() }, { body:spin() }
  return vector.add(v, vector.cross(w, vector.sub(p, x)))
end

--- Sets made.local_frames: the frame of each link in the axes of its body, by name. made: result of robot.build in the
--- start pose.
function frames.prepare(made)
  made.local_frames = {}
  for name, body in pairs(made.bodies) do
    local inverse, frame = quaternion.inverse { body:orientation() }, made.frames[name]
    made.local_frames[name] = {
      position = turn(inverse, vector.sub(frame.position, { body:position() })),
      orientation = quaternion.multiply(inverse, frame.orientation),
    }
  end
end

return frames
