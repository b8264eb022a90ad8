--- Links of URDF: mass and shapes.

local inertia = require "scree.robot.inertia"
local links = {}

-- Extensions of mesh files, and the axis of the file that is z here. It is always z: mesh files of robots use
-- the axes of the link, even if they declare another up axis.
local MESHES = { stl = "z", obj = "z", ply = "z", dae = "z", gltf = "z", glb = "z" }

-- Returns the hull of a mesh, or nil after a warning.
local function read_mesh(reader, node, state)
  local name = reader:need(node, "filename")
  local ending = name:lower():match "%.(%w+)$"
  if not MESHES[ending or ""] then
    return reader:leave(node, name .. " is none of STL, OBJ, PLY, glTF and COLLADA")
  end
  local scale = reader:numbers(node, "scale", 3, { 1, 1, 1 })
  if scale[1] == 0 or scale[2] == 0 or scale[3] == 0 then reader:fail(node, " scale must not be 0") end
  local path, why = state.find(name)
  if not path then reader:fail(node, ": " .. why) end
  local shape = { type = "hull", file = path, up = MESHES[ending] }
  if scale[1] == scale[2] and scale[1] == scale[3] and scale[1] > 0 then
    shape.scale = scale[1]
  else
    shape.place = { { "scale", scale } }
  end
  return shape
end

-- Returns the shape of a <collision>, or nil after a warning. what: names the link in messages.
local function read_shape(reader, collision, state, what)
  local geometry = reader.child(collision, "geometry") or reader:fail(collision, " has no <geometry>")
  local g = geometry[1] or reader:fail(geometry, " is empty")
  local shape
  if g.tag == "box" then
    shape = { type = "box", size = reader:lengths(g, "size", 3, what) }
  elseif g.tag == "sphere" then
    shape = { type = "sphere", radius = reader:lengths(g, "radius", 1, what)[1] }
  elseif g.tag == "cylinder" or g.tag == "capsule" then
    local radius = reader:lengths(g, "radius", 1, what)[1]
    shape = { type = g.tag, radius = radius, length = reader:lengths(g, "length", 1, what)[1] }
  elseif g.tag == "mesh" then
    shape = read_mesh(reader, g, state)
  else
    reader:leave(g)
  end
  if not shape then return nil end
  local frame = reader:origin(collision)
  shape.position, shape.orientation = frame.position, frame.orientation
  return shape
end

-- Sets mass, centre and inertia of a link. A mass of 0 counts as no mass.
local function read_inertial(reader, link, node, state)
  local mass, I = reader.child(node, "mass"), reader.child(node, "inertia")
  if not mass or not I then reader:fail(node, " needs <mass> and <inertia>") end
  reader:need(mass, "value")
  local m = reader:magnitude(mass, "value", ("link %q"):format(link.name))
  if m == 0 then return end
  local frame, list = reader:origin(node), {}
  for _, key in ipairs { "ixx", "ixy", "ixz", "iyy", "iyz", "izz" } do
    list[#list + 1] = reader:number(I, key, 0)
  end
  link.mass, link.centre, link.inertia_orientation = m, frame.position, frame.orientation
  local possible, repaired = inertia.check(list, state.balances)
  state.inertias[link.name] = I
  if not possible then state.suspects[link.name] = I end
  link.inertia = repaired or list
end

--- Adds the link of an element to the model. state: { model =, find(name) -> path or nil and a reason,
--- balances =, inertias = elements by link, suspects = elements of impossible inertias by link }.
function links.read(reader, node, state)
  -- without <inertial> a link has no mass of its own
  local link = { name = node.attr.name, mass = 0, shapes = {} }
  local what, has_visual = ("link %q"):format(link.name), false
  for _, c in ipairs(node) do
    if c.tag == "inertial" then
      read_inertial(reader, link, c, state)
    elseif c.tag == "collision" then
      link.shapes[#link.shapes + 1] = read_shape(reader, c, state, what)
    end
    has_visual = has_visual or c.tag == "visual"
  end
  if has_visual then
    local text = ("%s:%d: <visual> of %s: only what collides is drawn"):format(reader.file, node.line, link.name)
    reader.warnings[#reader.warnings + 1] = text
  end
  state.model.links[#state.model.links + 1] = link
end

-- Returns a function some(name, property, follow). It returns whether the link `name`, or a link below it,
-- has a property. The search passes only joints that `follow` accepts.
local function searcher(model)
  local by_name, joints_of = {}, {}
  for _, link in ipairs(model.links) do
    by_name[link.name], joints_of[link.name] = link, {}
  end
  for _, joint in ipairs(model.joints) do
    table.insert(joints_of[joint.parent], joint)
  end
  local function some(name, property, follow)
    if property(by_name[name]) then return true end
    for _, joint in ipairs(joints_of[name]) do
      if follow(joint) and some(joint.child, property, follow) then return true end
    end
    return false
  end
  return some
end

--- Refuses a link without a mass if a joint lets it move. The mass may be that of a link welded to it. A link
--- without shapes may also carry a mass by movable joints. nodes: elements of links by name.
function links.refuse_massless(reader, model, nodes)
  local some = searcher(model)
  local function has_mass(link) return link.mass > 0 end
  local function has_shapes(link) return #link.shapes > 0 end
  local function is_weld(joint) return joint.type == "fixed" end
  local function is_carried(joint) return joint.type ~= "free" end
  for _, joint in ipairs(model.joints) do
    local name = joint.child
    -- links between the parts of a planar joint have no element
    local moves = nodes[name] and joint.type ~= "fixed" and not some(name, has_mass, is_weld)
    if moves and (some(name, has_shapes, is_weld) or joint.type == "free" or not some(name, has_mass, is_carried)) then
      local why = (' name="%s"> moves, but has no mass: it needs <inertial>'):format(name)
      error((reader:at(nodes[name]):gsub(">$", "")) .. why, 0)
    end
  end
end

return links
