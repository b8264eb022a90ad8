--- Joints of URDF.

local joints = {}

local TYPES = {
  revolute = "hinge",
  continuous = "hinge",
  prismatic = "slider",
  fixed = "fixed",
  floating = "free",
  spherical = "ball",
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

-- Sets limits, effort and speed of a joint.
local function read_limit(reader, joint, node, is_endless)
  local what = ("joint %q"):format(joint.name)
  if not is_endless and joint.axis then
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
  if not joint.axis or not joint.effort or joint.effort == 0 then return end
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

--- Adds the joint of an element to the model. state: { model =, links = elements by name, joints = elements
--- by name, carrier = parents of links, couplings = requests (scree.robot.couplings) }.
function joints.read(reader, node, state)
  local joint = reader:origin(node)
  joint.name = reader:add_name(state.joints, node)
  joint.type = TYPES[reader:need(node, "type")]
  if not joint.type then
    reader:leave(node, ("type %q is taken as a weld"):format(node.attr.type))
    joint.type = "fixed"
  end
  read_sides(reader, joint, node, state.links)
  refuse_circle(reader, joint, node, state.carrier)
  if joint.type == "hinge" or joint.type == "slider" then read_axis(reader, joint, node) end
  for _, c in ipairs(node) do
    if c.tag == "limit" then
      read_limit(reader, joint, c, node.attr.type == "continuous")
    elseif c.tag == "dynamics" then
      local what = ("joint %q"):format(joint.name)
      joint.friction, joint.damping = reader:magnitude(c, "friction", what), reader:magnitude(c, "damping", what)
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
  table.insert(state.model.joints, joint)
  add_actuator(state.model, joint)
end

return joints
