--- Geoms of MJCF: shapes with masses, masks of contacts and friction.

local assets = require "scree.mjcf.assets"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local geoms = {}

local STATIC = { plane = "a plane", hfield = "a height field" } -- types of geoms whose body must not move

local function is_ghost(reader, node, a)
  local function mask(key)
    local value = reader:number(node, a, key, 1)
    return math.tointeger(value) or reader:fail(node, key .. " must be an integer")
  end
  local type, affinity = mask "contype", mask "conaffinity"
  return type == 0 and affinity == 0, type, affinity
end

--- Returns the half sizes and the frame of a geom or site. The attribute fromto, if given, sets frame and
--- length.
function geoms.place(reader, node, a)
  local at, size = reader:frame(node, a), a.size and reader:numbers(node, a.size, 1, 3, "size") or {}
  if a.fromto then
    local v = reader:numbers(node, a.fromto, 6, 6, "fromto")
    local from, to = reader:outward(node, { v[1], v[2], v[3] }), reader:outward(node, { v[4], v[5], v[6] })
    local d = vector.sub(to, from)
    local _, length = quaternion.normalised(d)
    if length == 0 then reader:fail(node, "fromto: both points are equal") end
    at = {
      position = vector.scale(0.5, vector.add(from, to)),
      orientation = quaternion.z_to(vector.scale(-1, d)), -- z points from the second point to the first
    }
    local kind = a.type or "sphere"
    if kind == "box" or kind == "ellipsoid" then
      size = { size[1], size[1], length / 2 }
    else
      size[2] = length / 2
    end
  end
  return size, at
end

-- Returns the shape of a primitive kind with the given half sizes.
local function primitive(reader, node, kind, size, at)
  local function half(k)
    local x = size[k] or reader:fail(node, ("size needs %d numbers"):format(k))
    if x <= 0 then reader:fail(node, ("size must be above 0, but is %g"):format(x)) end
    return x
  end
  if kind == "sphere" then return { type = "sphere", radius = half(1) } end
  if kind == "capsule" or kind == "cylinder" then
    return { type = kind, radius = half(1), length = 2 * half(2) }
  end
  if kind == "box" or kind == "ellipsoid" then
    return { type = kind, size = { 2 * half(1), 2 * half(2), 2 * half(3) } }
  end
  if kind == "plane" then return { type = "halfspace", normal = quaternion.turn(at.orientation, { 0, 0, 1 }) } end
end

local FITTED = { box = true, sphere = true, capsule = true, cylinder = true, ellipsoid = true }

-- Returns the shape of a geom in the axes of its body, or nil after a warning. state: see geoms.read.
local function shape_of(reader, node, a, state)
  local kind, shape = a.type, nil
  local size, at = geoms.place(reader, node, a)
  if kind == "mesh" or (a.mesh and FITTED[kind]) then
    shape = assets.hull(reader, state.assets, node, a.mesh, state.options)
    if shape and kind ~= "mesh" then
      local own
      size, own = state.fit(shape, kind, reader:compiler_of(node).fits_box)
      if not size then return reader:leave(node, "fit to its mesh: " .. tostring(own)) end
      at, shape = quaternion.compose(at, own), primitive(reader, node, kind, size)
    end
  elseif kind == "hfield" then
    shape = assets.heights(reader, state.assets, node, a.hfield)
  else
    shape = primitive(reader, node, kind, size, at)
    if not shape then reader:leave(node, ("type %q"):format(kind)) end
  end
  if not shape then return nil end
  shape.position, shape.orientation = at.position, kind ~= "plane" and at.orientation or nil
  return shape
end

local function weigh(reader, node, a, shape, groups)
  shape.density = reader:magnitude(node, a, "density") or 1000
  shape.mass = reader:magnitude(node, a, "mass")
  local group = reader:number(node, a, "group", 0)
  if group < groups[1] or group > groups[2] then shape.mass = 0 end
end

--- Returns the shape of a geom, or nil if the geom has no effect or scree cannot represent it. weighs: the
--- inertia of the body is the sum of its geoms. A geom without contacts has an effect only if weighs. state:
--- { assets =, options =, fit =, groups =, static = names of links that do not move, paired = names of geoms in <pair> }. link:
--- name of the link. Adds { shape =, type =,
--- affinity =, node = } to state.masked.
function geoms.read(reader, node, class, link, weighs, state)
  local a = reader:attributes(node, class)
  a.type = a.type or (a.mesh and "mesh") or "sphere"
  if STATIC[a.type] and not state.static[link] then
    reader:fail(node, ("%s needs a body that does not move, and %q moves"):format(STATIC[a.type], link))
  end
  local ghost, type, affinity = is_ghost(reader, node, a)
  local paired = a.name and state.paired[a.name]
  if ghost and not paired and not (weighs and tonumber(a.mass) ~= 0 and tonumber(a.density) ~= 0) then
    return nil
  end
  reader:check(node, "body/geom")
  for _, c in ipairs(node) do
    reader:check_tree(c, "body/geom/" .. c.tag)
  end
  local shape = shape_of(reader, node, a, state)
  if not shape then return nil end
  if state.no_contacts then
    type, affinity = 0, 0
  end
  local entry = { shape = shape, type = type, affinity = affinity, node = node, paired = paired and a.name }
  state.masked[#state.masked + 1] = entry
  if shape.type ~= "halfspace" and shape.type ~= "mesh" and weighs then
    weigh(reader, node, a, shape, state.groups)
  end
  local friction = a.friction and reader:numbers(node, a.friction, 1, 3, "friction") or {}
  entry.friction = {
    mu = friction[1] or 1,
    torsion = friction[2] or 0.005,
    rolling = friction[3] or 0.0001,
    condim = reader:number(node, a, "condim", 3),
    priority = reader:number(node, a, "priority", 0),
  }
  return shape
end

return geoms
