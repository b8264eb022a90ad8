--- Reads robot descriptions in URDF. `scree import robot.urdf` calls urdf.read with the tree of XML elements.

local constraints = require "scree.mjcf.constraints"
local elements = require "scree.urdf.elements"
local files = require "scree.robot.files"
local inertia = require "scree.robot.inertia"
local urdf = {}

-- Extensions of mesh files. The up axis is z for all of them: mesh files of robots use the axes of the link,
-- even if they declare another up axis.
local MESHES = { stl = "z", obj = "z", ply = "z", dae = "z", gltf = "z", glb = "z" }

local function numbers(text, count, where)
  local list = {}
  for word in (text or ""):gmatch "%S+" do
    local x = tonumber(word)
    if not x or x ~= x or x == math.huge or x == -math.huge then
      error(("%s: %q is not a number"):format(where, word), 0)
    end
    list[#list + 1] = x
  end
  if #list ~= count then error(("%s: %d numbers are needed, not %d"):format(where, count, #list), 0) end
  return list
end

local function rpy(text, where)
  local a = text and numbers(text, 3, where) or { 0, 0, 0 }
  local cr, sr, cp, sp, cy, sy =
    math.cos(a[1] / 2),
    math.sin(a[1] / 2),
    math.cos(a[2] / 2),
    math.sin(a[2] / 2),
    math.cos(a[3] / 2),
    math.sin(a[3] / 2)
  return {
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  }
end

-- Refuses a model with a movable link that has no mass. The mass may be that of a link welded to it. A link
-- without shapes may also carry a mass by movable joints. nodes: elements of links by name.
local function refuse_massless(model, nodes, at)
  local links, joints_of = {}, {}
  for _, link in ipairs(model.links) do
    links[link.name], joints_of[link.name] = link, {}
  end
  for _, joint in ipairs(model.joints) do
    table.insert(joints_of[joint.parent], joint)
  end
  local visited
  -- Returns whether the link `name`, or a link below it that is reached by joints accepted by `follow`, has a
  -- property.
  local function some(name, property, follow)
    if visited[name] then return false end
    visited[name] = true
    if property(links[name]) then return true end
    for _, joint in ipairs(joints_of[name]) do
      if follow(joint) and some(joint.child, property, follow) then return true end
    end
    return false
  end
  local function any(...)
    visited = {}
    return some(...)
  end
  local function has_mass(link) return link.mass > 0 end
  local function has_shapes(link) return #link.shapes > 0 end
  local function is_weld(joint) return joint.type == "fixed" end
  local function is_carried(joint) return joint.type ~= "free" end
  for _, joint in ipairs(model.joints) do
    local name = joint.child
    local moves = joint.type ~= "fixed" and not any(name, has_mass, is_weld)
    if moves and (any(name, has_shapes, is_weld) or joint.type == "free" or not any(name, has_mass, is_carried)) then
      local why = (' name="%s"> moves, but has no mass: it needs <inertial>'):format(name)
      error((at(nodes[name]):gsub(">$", "")) .. why, 0)
    end
  end
end

--- Converts the tree of a URDF file to a model (`scree.robot`). options.file: name of the file in messages.
--- options.folder: its folder. options.exists(path) and options.packages
--- find meshes. The list `left_out` of the model names the elements that
--- are not supported, with their lines.
function urdf.read(tree, options)
  local file = options.file or "urdf"
  local left_out = {}
  local function at(node, what) return ("%s:%d: <%s>%s"):format(file, node.line, node.tag, what or "") end
  local function leave(node, why)
    local name = node.attr.name and (' name="%s"'):format(node.attr.name) or ""
    left_out[#left_out + 1] = ("%s:%d: <%s%s>%s"):format(
      file,
      node.line,
      node.tag,
      name,
      why and ": " .. why or ""
    )
  end
  local function child(node, tag)
    for _, c in ipairs(node) do
      if c.tag == tag then return c end
    end
  end
  local function need(node, key)
    return node.attr[key] or error(at(node, (" needs the attribute %s"):format(key)), 0)
  end
  -- Adds an element to `nodes` by its name, and returns the name. Refuses a name that another element has.
  local function add_name(nodes, node)
    local name = need(node, "name")
    local other = nodes[name]
    if other then
      error(at(node, (": %s %q exists already, in line %d"):format(node.tag, name, other.line)), 0)
    end
    nodes[name] = node
    return name
  end
  local function number(node, key, default)
    if not node.attr[key] then return default end
    return numbers(node.attr[key], 1, at(node, " " .. key))[1]
  end
  local function origin(node)
    local o = child(node, "origin")
    if not o then return { position = { 0, 0, 0 }, orientation = { 1, 0, 0, 0 } } end
    return {
      position = o.attr.xyz and numbers(o.attr.xyz, 3, at(o, " xyz")) or { 0, 0, 0 },
      orientation = rpy(o.attr.rpy, at(o, " rpy")),
    }
  end

  local find = files.finder(options)
  local function mesh(node)
    local name = need(node, "filename")
    local ending = name:lower():match "%.(%w+)$"
    if not MESHES[ending or ""] then
      return leave(node, name .. " is none of STL, OBJ, PLY, glTF and COLLADA")
    end
    local scale = node.attr.scale and numbers(node.attr.scale, 3, at(node, " scale")) or { 1, 1, 1 }
    if scale[1] == 0 or scale[2] == 0 or scale[3] == 0 then error(at(node, " scale must not be 0"), 0) end
    local path, why = find(name)
    if not path then error(at(node, ": " .. why), 0) end
    local shape = { type = "hull", file = path, up = MESHES[ending] }
    if scale[1] == scale[2] and scale[1] == scale[3] and scale[1] > 0 then
      shape.scale = scale[1]
    else
      shape.place = { { "scale", scale } }
    end
    return shape
  end
  local function shape(collision)
    local geometry = child(collision, "geometry") or error(at(collision, " has no <geometry>"), 0)
    local g = geometry[1] or error(at(geometry, " is empty"), 0)
    local s
    if g.tag == "box" then
      s = { type = "box", size = numbers(need(g, "size"), 3, at(g, " size")) }
    elseif g.tag == "sphere" then
      s = { type = "sphere", radius = number(g, "radius") or need(g, "radius") }
    elseif g.tag == "cylinder" or g.tag == "capsule" then
      need(g, "radius")
      need(g, "length")
      s = { type = g.tag, radius = number(g, "radius"), length = number(g, "length") }
    elseif g.tag == "mesh" then
      s = mesh(g)
    else
      leave(g)
    end
    if s then
      local o = origin(collision)
      s.position, s.orientation = o.position, o.orientation
    end
    return s
  end

  local balances, suspects = false, {}
  local function read_inertia(link, node)
    local mass, I = child(node, "mass"), child(node, "inertia")
    if not mass or not I then error(at(node, " needs <mass> and <inertia>"), 0) end
    local m = number(mass, "value") or need(mass, "value")
    if m == 0 then return end
    if m < 0 then error(at(mass, " must not be negative"), 0) end
    local o = origin(node)
    local list = {}
    for _, key in ipairs { "ixx", "ixy", "ixz", "iyy", "iyz", "izz" } do
      list[#list + 1] = number(I, key, 0)
    end
    link.mass, link.centre, link.inertia, link.inertia_orientation = m, o.position, list, o.orientation
    local possible, repaired = inertia.check(list, balances)
    if not possible then suspects[link.name] = I end
    link.inertia = repaired or list
  end

  local model = { name = tree.attr.name, links = {}, joints = {}, left_out = left_out }
  if tree.tag ~= "robot" then
    error(("%s:%d: a URDF file begins with <robot>, not <%s>"):format(file, tree.line, tree.tag), 0)
  end
  local names = {}
  for _, node in ipairs(tree) do
    local compiler = node.tag == "mujoco" and child(node, "compiler")
    if compiler then balances = compiler.attr.balanceinertia == "true" end
    if node.tag == "link" then add_name(names, node) end
  end

  local function read_link(node)
    -- without <inertial> a link has no mass of its own
    local link = { name = node.attr.name, mass = 0, shapes = {} }
    local visuals = 0
    for _, c in ipairs(node) do
      if c.tag == "inertial" then
        read_inertia(link, c)
      elseif c.tag == "collision" then
        link.shapes[#link.shapes + 1] = shape(c)
      elseif c.tag == "visual" then
        visuals = visuals + 1
      end
    end
    if visuals > 0 then
      left_out[#left_out + 1] = ("%s:%d: <visual> of %s: only what collides is drawn"):format(
        file,
        node.line,
        link.name
      )
    end
    model.links[#model.links + 1] = link
  end

  local types = {
    revolute = "hinge",
    continuous = "hinge",
    prismatic = "slider",
    fixed = "fixed",
    floating = "free",
    spherical = "ball",
  }
  local mimics, joints, carrier = {}, {}, {}
  -- Refuses joints that do not form a tree: a link has two parents, or joints form a circle.
  local function refuse_circle(joint, node)
    if carrier[joint.child] then
      error(at(node, (" %q: link %q has a parent already"):format(joint.name, joint.child)), 0)
    end
    carrier[joint.child] = joint.parent
    local link = joint.parent
    while link do
      if link == joint.child then
        error(at(node, (" %q: link %q carries itself"):format(joint.name, joint.child)), 0)
      end
      link = carrier[link]
    end
  end
  local function read_joint(node)
    local joint = origin(node)
    joint.name = add_name(joints, node)
    joint.type = types[need(node, "type")]
    if not joint.type then
      leave(node, ("type %q is taken as a weld"):format(node.attr.type))
      joint.type = "fixed"
    end
    for _, side in ipairs { "parent", "child" } do
      local c = child(node, side) or error(at(node, (" needs <%s>"):format(side)), 0)
      joint[side] = need(c, "link")
      if not names[joint[side]] then error(at(c, (": there is no link %q"):format(joint[side])), 0) end
    end
    refuse_circle(joint, node)
    if joint.type == "hinge" or joint.type == "slider" then
      local axis = child(node, "axis")
      joint.axis = axis and numbers(need(axis, "xyz"), 3, at(axis, " xyz")) or { 1, 0, 0 }
      local n = math.sqrt(joint.axis[1] ^ 2 + joint.axis[2] ^ 2 + joint.axis[3] ^ 2)
      if n == 0 then error(at(axis, " must not be zero"), 0) end
      for i = 1, 3 do
        joint.axis[i] = joint.axis[i] / n
      end
    end
    for _, c in ipairs(node) do
      if c.tag == "limit" then
        if node.attr.type ~= "continuous" and joint.axis then
          joint.limits = { number(c, "lower", 0), number(c, "upper", 0) }
          if joint.limits[1] > joint.limits[2] then
            leave(c, ("joint %s: lower is above upper, so there are no limits"):format(joint.name))
            joint.limits = nil
          end
        end
        joint.effort, joint.speed = number(c, "effort"), number(c, "velocity")
      elseif c.tag == "dynamics" then
        joint.friction = number(c, "friction")
        joint.damping = number(c, "damping")
      elseif c.tag == "mimic" then
        mimics[#mimics + 1] = { node = c, joint = joint }
      end
    end
    model.joints[#model.joints + 1] = joint
    if joint.axis and joint.effort and joint.effort > 0 then
      model.actuators = model.actuators or {}
      table.insert(model.actuators, {
        name = joint.name,
        on = { { joint = joint.name, gear = 1 } },
        gain = 1,
        bias = { 0, 0, 0 },
        force = { -joint.effort, joint.effort },
      })
    end
  end
  local function read_mimics()
    local by_name = {}
    for _, joint in ipairs(model.joints) do
      by_name[joint.name] = joint
    end
    for _, m in ipairs(mimics) do
      local other = by_name[need(m.node, "joint")]
      if other == m.joint then error(at(m.node, (" of joint %q: it follows itself"):format(m.joint.name)), 0) end
      local why = constraints.couple(model, m.joint, other, number(m.node, "multiplier", 1), number(m.node, "offset", 0))
      if why then leave(m.node, ("of joint %s: %s"):format(m.joint.name, why)) end
    end
  end

  elements.check_robot(tree, leave)
  for _, node in ipairs(tree) do
    if node.tag == "link" then
      read_link(node)
    elseif node.tag == "joint" then
      read_joint(node)
    end
  end
  if #model.links == 0 then error(("%s: the robot has no links"):format(file), 0) end
  local root
  for _, link in ipairs(model.links) do
    if not carrier[link.name] then
      if root then
        error(at(names[link.name], (": link %q hangs on no joint, and %q is the root"):format(link.name, root)), 0)
      end
      root = link.name
    end
  end
  read_mimics()
  inertia.judge(model, suspects, leave, function(node, why)
    local cure = '; <mujoco><compiler balanceinertia="true"/></mujoco> replaces them by their mean'
    error(at(node, " " .. why .. cure), 0)
  end)
  refuse_massless(model, names, at)
  return model
end

return urdf
