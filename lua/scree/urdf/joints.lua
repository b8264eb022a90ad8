--- Joints of URDF.

local frames = require "scree.robot.frames"
local names = require "scree.robot.names"
local quaternion = require "scree.math.quaternion"
local joints = {}

local TYPES = {
  revolute = "hinge",
  continuous = "hinge",
  prismatic = "slider",
  fixed = "fixed",
  floating = "free",
  spherical = "ball",
  planar = "planar", -- a chain of two sliders and a hinge
}

-- Refuses joints that do not form a tree: a link with two parents, or a circle.
local function refuse_circle(reader, joint, node, carrier)
  if carrier[joint.child] then
    reader:fail(node, (" %q: link %q has a parent already"):format(joint.name, joint.child))
  end
  carrier[joint.child] = joint.parent
  local link = joint.parent
  while link do
    if link == joint.child then reader:fail(node, (" %q: link %q carries itself"):format(joint.name, joint.child)) end
    link = carrier[link]
  end
end

-- Sets the unit vector of a joint's axis.
local function read_axis(reader, joint, node)
  local axis = reader.child(node, "axis")
  joint.axis = { 1, 0, 0 }
  if not axis then return end
  reader:need(axis, "xyz")
  joint.axis = reader:numbers(axis, "xyz", 3)
  local n = math.sqrt(joint.axis[1] ^ 2 + joint.axis[2] ^ 2 + joint.axis[3] ^ 2)
  if n == 0 then reader:fail(axis, " must not be zero") end
  for i = 1, 3 do
    joint.axis[i] = joint.axis[i] / n
  end
end

-- Warns of numbers of an element that are not 0, for a joint of several directions. keys: { word = list of attributes }.
local function leave_numbers(reader, joint, node, type, keys)
  for word, attributes in pairs(keys) do
    local is_given = false
    for _, key in ipairs(attributes) do
      is_given = is_given or reader:number(node, key, 0) ~= 0
    end
    if is_given then reader:leave(node, ("joint %s: %s of a %s joint"):format(joint.name, word, type)) end
  end
end

local function has_direction(joint) return joint.type == "hinge" or joint.type == "slider" end

-- Sets limits, effort and speed of a joint.
local function read_limit(reader, joint, node, type)
  local what = ("joint %q"):format(joint.name)
  if not has_direction(joint) and joint.type ~= "fixed" then
    leave_numbers(reader, joint, node, type, { limits = { "lower", "upper" }, effort = { "effort" } })
  end
  if type ~= "continuous" and has_direction(joint) then
    joint.limits = { reader:number(node, "lower", 0), reader:number(node, "upper", 0) }
    if joint.limits[1] > joint.limits[2] then
      reader:leave(node, ("joint %s: lower is above upper, so there are no limits"):format(joint.name))
      joint.limits = nil
    end
  end
  joint.effort, joint.speed = reader:magnitude(node, "effort", what), reader:magnitude(node, "velocity", what)
end

-- Adds an actuator of the joint's name, whose input is the torque or force.
local function add_actuator(model, joint)
  if not has_direction(joint) or not joint.effort or joint.effort == 0 then return end
  model.actuators = model.actuators or {}
  table.insert(model.actuators, {
    name = joint.name,
    on = { { joint = joint.name, gear = 1 } },
    gain = 1,
    bias = { 0, 0, 0 },
    force = { -joint.effort, joint.effort },
  })
end

-- Sets parent and child of a joint. links: elements by name.
local function read_sides(reader, joint, node, links)
  for _, side in ipairs { "parent", "child" } do
    local c = reader.child(node, side) or reader:fail(node, (" needs <%s>"):format(side))
    joint[side] = reader:need(c, "link")
    if not links[joint[side]] then reader:fail(c, (": there is no link %q"):format(joint[side])) end
  end
end

-- Sets friction and damping of a joint.
local function read_dynamics(reader, joint, node, type)
  local what = ("joint %q"):format(joint.name)
  local friction, damping = reader:magnitude(node, "friction", what), reader:magnitude(node, "damping", what)
  if joint.type == "free" or joint.type == "planar" then
    leave_numbers(reader, joint, node, type, { friction = { "friction" }, damping = { "damping" } })
  else
    joint.friction, joint.damping = friction, damping
  end
end

-- Adds a planar joint to the model: two sliders across the axis and a hinge about it, with links of mass 0 between them.
-- Refuses names of these joints and links that other elements have. state: see joints.read.
local function add_planar(reader, joint, node, state)
  local model = state.model
  local q, parent, child = quaternion.z_to(joint.axis), joint.parent, joint.child
  local position, orientation = joint.position, joint.orientation
  for i, part in ipairs { "x", "y", "turn" } do
    local axis = quaternion.turn(q, { i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0 })
    local name = ("%s/%s"):format(joint.name, part)
    local below = i < 3 and ("%s/%s"):format(child, name) or child
    reader:refuse_equal(state.joints, node, "joint", name)
    state.joints[name] = node
    if i < 3 then
      reader:refuse_equal(state.links, node, "link", below)
      reader:refuse_equal(state.inner, node, "link", below)
      state.inner[below] = node
      table.insert(model.links, { name = below, mass = 0, shapes = {} })
    end
    table.insert(model.joints, {
      name = name,
      type = i < 3 and "slider" or "hinge",
      parent = parent,
      child = below,
      position = position,
      orientation = orientation,
      axis = axis,
    })
    parent, position, orientation = below, frames.HERE.position, frames.HERE.orientation
  end
end

--- Adds the joint of an element to the model. state: { model =, links = elements by name, joints = elements by name,
--- inner = elements by the names of links that they add, carrier = parents of links, couplings = requests (scree.robot.couplings) }.
function joints.read(reader, node, state)
  local joint = reader:origin(node)
  joint.name = reader:add_name(state.joints, node)
  local type = reader:need(node, "type")
  joint.type = TYPES[type]
  if not joint.type then
    local why = ' %q: there is no type %q; did you mean %q?'
    reader:fail(node, why:format(joint.name, type, names.nearest(type, TYPES)))
  end
  read_sides(reader, joint, node, state.links)
  refuse_circle(reader, joint, node, state.carrier)
  if has_direction(joint) or joint.type == "planar" then read_axis(reader, joint, node) end
  for _, c in ipairs(node) do
    if c.tag == "limit" then
      read_limit(reader, joint, c, type)
    elseif c.tag == "dynamics" then
      read_dynamics(reader, joint, c, type)
    elseif c.tag == "mimic" then
      table.insert(state.couplings, {
        joint = joint.name,
        other = reader:need(c, "joint"),
        ratio = reader:number(c, "multiplier", 1),
        offset = reader:number(c, "offset", 0),
        leave = function(why) reader:leave(c, ("of joint %s: %s"):format(joint.name, why)) end,
      })
    end
  end
  if joint.type == "planar" then return add_planar(reader, joint, node, state) end
  table.insert(state.model.joints, joint)
  add_actuator(state.model, joint)
end

return joints
