--- The section <sensor> of MJCF.

local elements = require "scree.mjcf.elements"
local geoms = require "scree.mjcf.geoms"
local names = require "scree.robot.names"
local section = {}

-- Returns { site = } of a geom. The site with the frame of the geom is added to the model. Returns nil after a warning.
local function site_of_geom(reader, node, name, state)
  local geom = state.geoms[name or ""]
  if not geom then return reader:leave(node, names.no("geom", name)) end
  local a = reader:attributes(geom.node, geom.class)
  if a.mesh or a.type == "mesh" then
    return reader:leave(node, ("geom %q has a mesh: MuJoCo turns its frame to the axes of inertia"):format(name))
  end
  local _, at = geoms.place(reader, geom.node, a)
  local key = ("geom %s"):format(name)
  state.model.sites[key] =
    { link = geom.link, position = at.position, orientation = at.orientation, type = "sphere", size = { 0.005 } }
  return { site = key }
end

-- Returns the frame of an object: { site = } or { body = link, centre = }. Returns nil after a warning. turns: the sensor
-- needs the orientation of the frame. key: the attribute with the type of the object; objname or refname names the object.
local function frame_of(reader, node, key, turns, state)
  local type, name = node.attr[key], node.attr[key == "objtype" and "objname" or "refname"]
  if type == "geom" then return site_of_geom(reader, node, name, state) end
  if type == "site" then
    if state.model.sites[name or ""] then return { site = name } end
    return reader:leave(node, names.no("site", name))
  end
  if type ~= "body" and type ~= "xbody" then
    local what = type and ("%s %q"):format(key, type) or "it names no " .. key
    return reader:leave(node, what .. ": site, geom, body and xbody are known")
  end
  if not state.links[name or ""] then return reader:leave(node, names.no("body", name)) end
  if type == "body" and turns and not state.principal[name] then
    return reader:leave(node, ("objtype body: the axes of inertia of body %q are not in the file"):format(name))
  end
  return { body = name, centre = type == "body" or nil }
end

local TURNS = { framequat = true, framexaxis = true, frameyaxis = true, framezaxis = true }
local WHOLE = { clock = true, e_kinetic = true, e_potential = true } -- sensors of no single object

-- Returns whether a link is welded to its parent.
local function is_welded(model, link)
  for _, joint in ipairs(model.joints) do
    if joint.child == link and joint.type == "fixed" then return true end
  end
  return false
end

-- Returns what a sensor measures as keys of its description, such as { joint = }. Returns nil after a warning.
local function object_of(reader, node, read, state)
  local a = node.attr
  if read.objtype then
    local found = frame_of(reader, node, "objtype", TURNS[node.tag], state)
    if found and (a.reftype or a.refname) then
      found.reference = frame_of(reader, node, "reftype", true, state)
      if not found.reference then return nil end
    end
    return found
  end
  local known = {
    site = state.model.sites,
    joint = node.tag:match "^ball" and state.balls or state.directions,
    actuator = state.actuators,
    body = state.links,
    tendon = state.tendons,
  }
  for _, key in ipairs { "site", "joint", "actuator", "body", "tendon" } do
    if read[key] and a[key] then
      if known[key][a[key]] then return { [key] = a[key] } end
      return reader:leave(node, ("there is no %s %q"):format(key, a[key]))
    end
  end
  return reader:leave(node, "it names no site, joint, actuator, body or tendon")
end

local function read_sensor(reader, node, state)
  if not reader:check(node, "sensor/" .. node.tag) then return end
  local a, model, read = node.attr, state.model, elements.rows["sensor/" .. node.tag].attributes
  local sensor = WHOLE[node.tag] and {} or object_of(reader, node, read, state)
  if not sensor then return end
  if node.tag == "insidesite" then
    if not model.sites[a.site or ""] then
      return reader:leave(node, names.no("site", a.site))
    end
    sensor.volume = a.site
  end
  if (node.tag == "force" or node.tag == "torque") and is_welded(model, model.sites[sensor.site].link) then
    return reader:leave(node, "the body of its site is welded to its parent")
  end
  local cutoff = reader:magnitude(node, a, "cutoff")
  local list = model.sensors or {}
  model.sensors = list
  sensor.name, sensor.type = reader:name("sensor", a.name, ("sensor_%d"):format(#list + 1)), node.tag
  sensor.cutoff = cutoff and cutoff > 0 and cutoff or nil
  list[#list + 1] = sensor
end

--- Reads the section, after the actuators. The model gets `sensors`.
function section.read(reader, tree, state)
  for _, part in ipairs(tree) do
    for _, c in ipairs(part.tag == "sensor" and part or {}) do
      read_sensor(reader, c, state)
    end
  end
end

return section
