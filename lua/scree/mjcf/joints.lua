--- Joints of MJCF between a body and its parent.

local quaternion = require "scree.math.quaternion"
local normalised = quaternion.normalised
local joints = {}

local KINDS = { hinge = "hinge", slide = "slider", ball = "ball", free = "free" }

-- Adds axis, limits and spring of a hinge or slider. Limits and the rest position of the spring are relative
-- to `ref`.
local function add_direction(reader, node, a, joint)
  local is_hinge = joint.type == "hinge"
  local function quantity(x) return is_hinge and reader:angle(node, x) or x end
  joint.axis = normalised(reader:outward(node, reader:list(node, a, "axis", 3, { 0, 0, 1 }), true))
  if joint.axis[1] ~= joint.axis[1] then reader:fail(node, "axis must not be zero") end
  local ref = quantity(reader:number(node, a, "ref", 0))
  if ref ~= 0 then joint.ref = ref end
  local range = reader:range(node, a, "range", "limited")
  if range then
    joint.limits = { quantity(range[1]) - ref, quantity(range[2]) - ref }
  end
  if a.springref or ref ~= 0 then joint.rest = quantity(reader:number(node, a, "springref", 0)) - ref end
  local force = reader:range(node, a, "actuatorfrcrange", "actuatorfrclimited")
  if force then
    joint.effort = math.max(-force[1], force[2])
    if force[1] ~= -force[2] then reader:leave(node, "actuatorfrcrange: the larger bound counts for both directions") end
  end
  if a.springdamper then joint.springdamper = reader:list(node, a, "springdamper", 2) end
end

-- Keys of joints, by attribute. BALL, FREE: attributes that a ball joint or a free joint can have.
local PASSIVE = { frictionloss = "friction", damping = "damping", stiffness = "stiffness", armature = "armature" }
local BALL, FREE = { frictionloss = true, damping = true, stiffness = true, armature = true }, { damping = true }

-- Adds friction, damping, stiffness and armature. is_static: the parent does not move.
local function add_passive(reader, node, a, joint, is_static)
  local is_ball = joint.type == "ball"
  local fits = is_ball and BALL or joint.type == "free" and FREE or PASSIVE
  for _, name in ipairs { "frictionloss", "damping", "stiffness", "armature" } do
    local value = reader:magnitude(node, a, name)
    local is_carried = is_ball and name == "armature" and not is_static
    if value and fits[name] and not (is_carried and value > 0) then
      joint[PASSIVE[name]] = value
    elseif value and value ~= 0 then
      local why = is_carried and ("attribute %s of a %s joint whose parent moves") or "attribute %s of a %s joint"
      reader:leave(node, why:format(name, joint.type))
    end
  end
  if is_ball and (joint.friction or 0) > 0 then
    reader:leave(node, "frictionloss of a ball joint: the bound is equal in all directions, not for each axis")
  end
  if a.springdamper and (is_ball or joint.type == "free") then
    reader:leave(node, ("attribute springdamper of a %s joint"):format(joint.type))
  end
end

--- Returns the joint of an element, without its name. at: frame of the body relative to its parent. is_static: the parent does not move.
function joints.read(reader, node, a, link, parent, at, is_static)
  local kind = KINDS[a.type or "hinge"] or reader:fail(node, ("there is no type of joint %q"):format(a.type))
  local joint = {
    type = kind,
    parent = parent,
    child = link.name,
    position = at.position,
    orientation = at.orientation,
  }
  if kind ~= "free" then
    joint.anchor = reader:outward(node, reader:list(node, a, "pos", 3, { 0, 0, 0 }))
  end
  if kind == "hinge" or kind == "slider" then
    add_direction(reader, node, a, joint)
  elseif kind == "ball" and reader:is_limited(node, a, "range", "limited") then
    reader:leave(node, "its range")
  end
  add_passive(reader, node, a, joint, is_static)
  return joint
end

-- Returns whether two hinges have the same point and perpendicular axes, and may become a universal joint.
local function crossed(a, b)
  local p, q, x, y = a.anchor, b.anchor, a.axis, b.axis
  if a.springdamper or b.springdamper then return false end
  return p[1] == q[1] and p[2] == q[2] and p[3] == q[3]
    and math.abs(x[1] * y[1] + x[2] * y[2] + x[3] * y[3]) < 1e-6
end

local HERE = { position = { 0, 0, 0 }, orientation = { 1, 0, 0, 0 } }

-- Adds joints as a chain of massless links between parent and link. The first joint of the list is next to
-- the parent.
local function add_chain(reader, model, list, link, parent)
  for i, joint in ipairs(list) do
    joint.parent = parent
    if i > 1 then
      joint.position, joint.orientation = HERE.position, HERE.orientation
    end
    if i < #list then
      joint.child = reader:name("body", nil, ("%s/%s"):format(link.name, joint.name))
      table.insert(model.links, #model.links, { name = joint.child, mass = 0, shapes = {} })
    end
    model.joints[#model.joints + 1] = joint
    parent = joint.child
  end
end

-- Returns a universal joint that replaces two crossed hinges. Its first axis is fixed in the parent, the
-- second in the child.
local function universal(first, second)
  second.type, second.axis2 = "universal", first.axis
  second.second = {
    name = first.name,
    limits = first.limits,
    friction = first.friction,
    damping = first.damping,
    stiffness = first.stiffness,
    armature = first.armature,
    rest = first.rest,
    ref = first.ref,
    effort = first.effort,
  }
  return second
end

--- Adds the joints between a body and its parent to the model. In MJCF several joints of one body act like a
--- chain of massless links. Two crossed hinges become a universal joint. Other joints become such a chain.
--- static: names of links that do not move.
function joints.add(reader, model, node, link, parent, at, class, static)
  local list, elements_of = {}, {}
  for _, c in ipairs(node) do
    if c.tag == "joint" or c.tag == "freejoint" then
      reader:check(c, "body/" .. c.tag)
      local a = c.tag == "joint" and reader:attributes(c, class) or { type = "free", name = c.attr.name }
      list[#list + 1] = joints.read(reader, c, a, link, parent, at, static[parent] and #list == 0)
      elements_of[#list] = { node = c, a = a }
    end
  end
  if #list == 0 then
    model.joints[#model.joints + 1] = {
      name = reader:name("joint", nil, link.name .. "_weld"),
      type = "fixed",
      parent = parent,
      child = link.name,
      position = at.position,
      orientation = at.orientation,
    }
    static[link.name] = static[parent]
    return
  end
  for i, joint in ipairs(list) do
    local made = #list > 1 and "%s_joint_%d" or "%s_joint"
    joint.name = reader:name("joint", elements_of[i].a.name, made:format(link.name, i))
    if #list > 1 and joint.type == "free" then
      reader:fail(elements_of[i].node, "a free joint must be the only joint of its body")
    end
    model.order[#model.order + 1] = { name = joint.name, type = joint.type, ref = joint.ref, link = link.name }
  end
  local collide = static[parent] and list[1].type ~= "free" or nil
  if #list == 1 then
    list[1].collide = collide
    model.joints[#model.joints + 1] = list[1]
  elseif #list == 2 and list[1].type == "hinge" and list[2].type == "hinge" and crossed(list[1], list[2]) then
    local joint = universal(list[1], list[2])
    joint.collide = collide
    model.joints[#model.joints + 1] = joint
  else
    if not static[parent] then link.avoids = { parent } end
    add_chain(reader, model, list, link, parent)
  end
end

return joints
