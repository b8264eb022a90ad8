--- Rock masses: a region cut by sets of joints into convex blocks, and blocks from files.
---
---   local rock = require "scree.rock"
---   local blocks = rock.cut { min = { 0, 0, 0 }, max = { 10, 10, 10 }, sets = {
---     { dip = "60 deg", dip_direction = "90 deg", spacing = 2 },
---     { dip = 0, dip_direction = 0, spacing = 1, persistence = 0.7 } } }
---   rock.add(w, blocks, { density = 2600 })
---
--- z points up, y to the north and x to the east. A plane with the dip d and the dip direction a has the
--- normal (sin d sin a, sin d cos a, cos d). A block is a list of plane polygons, which share their corners.
local _, work = ... -- work(f, ...) calls f; its CPU time counts as the engine's, not the script's
local scree = require "scree"
local polyhedron = require "scree.math.polyhedron"
local vector = require "scree.math.vector"
local dot, sub, cross = vector.dot, vector.sub, vector.cross
local rock = {}

-- share of the region's volume below which blocks are dropped, unless the key `smallest` gives a volume
local SMALLEST = 1e-9

-- ---- random numbers ----

-- Returns a generator of numbers in [0, 1) (splitmix64), so that a seed gives the same blocks everywhere.
local function make_random(seed)
  local state = seed
  return function()
    state = state + 0x9e3779b97f4a7c15
    local z = state
    z = (z ~ (z >> 30)) * 0xbf58476d1ce4e5b9
    z = (z ~ (z >> 27)) * 0x94d049bb133111eb
    return ((z ~ (z >> 31)) >> 11) / 2 ^ 53
  end
end

-- ---- joint sets ----

local set_keys = {
  "normal",
  "count",
  "persistence",
  "jitter",
  dip = "rad",
  dip_direction = "rad",
  spacing = "m",
  origin = "m",
}

local function check_share(value, path, most)
  if type(value) ~= "number" or not (value >= 0 and value <= most) then
    error(("%s must lie between 0 and %g"):format(path, most))
  end
end

-- Returns the unit normal of a set: `normal`, or that of the dip and the dip direction.
local function find_normal(set, path)
  if set.normal then
    if set.dip or set.dip_direction then error(path .. ": give normal, or dip and dip_direction") end
    return vector.direction(set.normal) or error(path .. ".normal must be a direction")
  end
  if not (type(set.dip) == "number" and type(set.dip_direction) == "number") then
    error(path .. " needs dip and dip_direction, or normal")
  end
  local d, a = set.dip, set.dip_direction
  return { math.sin(d) * math.sin(a), math.sin(d) * math.cos(a), math.cos(d) }
end

-- Reads a set of joints: normal, offset of the first plane along it, spacing, count, persistence and jitter.
local function read_set(def, path)
  local set = scree.check_keys(def, set_keys, path)
  set.normal = find_normal(set, path)
  set.persistence, set.jitter = set.persistence or 1, set.jitter or 0
  check_share(set.persistence, path .. ".persistence", 1)
  check_share(set.jitter, path .. ".jitter", 0.5)
  if set.count and (math.type(set.count) ~= "integer" or set.count < 1) then
    error(path .. ".count must be a whole number of at least 1")
  end
  if set.count ~= 1 or set.spacing then
    if type(set.spacing) ~= "number" or not (set.spacing > 0 and set.spacing < math.huge) then
      error(path .. ".spacing must be a length greater than 0")
    end
  end
  set.spacing = set.spacing or 1
  set.first = dot(set.origin or { 0, 0, 0 }, set.normal)
  return set
end

-- Returns the offsets, in order, of the planes of a set between two offsets.
local function find_offsets(set, low, high, random)
  local from = math.floor((low - set.first) / set.spacing) - 1
  local to, offsets = math.ceil((high - set.first) / set.spacing) + 1, {}
  if set.count then
    from, to = math.max(from, 0), math.min(to, set.count - 1)
  end
  if to - from > 1e6 then error("rock.cut: a set has more than a million planes in the region") end
  for k = from, to do
    offsets[#offsets + 1] = set.first + (k + set.jitter * (2 * random() - 1)) * set.spacing
  end
  return offsets
end

-- Returns the index of the first offset above a value, in a list in order.
local function find_above(offsets, value)
  local low, high = 1, #offsets + 1
  while low < high do
    local middle = (low + high) // 2
    if offsets[middle] > value then
      high = middle
    else
      low = middle + 1
    end
  end
  return low
end

-- Cuts a block by the planes of a set and appends the parts to a list. The planes are tried in order of
-- offset. The part below a plane is finished. The next planes cut the part above.
local function cut_block(block, set, offsets, tolerance, random, list)
  local low, high = polyhedron.extent(block, set.normal)
  for k = find_above(offsets, low + tolerance), #offsets do
    if offsets[k] >= high - tolerance then break end
    if set.persistence >= 1 or random() < set.persistence then
      local below, above = polyhedron.split(block, set.normal, offsets[k], tolerance)
      if below and above then
        list[#list + 1], block = below, above
      end
    end
  end
  list[#list + 1] = block
end

local function cut_by_sets(region, sets, tolerance, random)
  local blocks = { region }
  for _, set in ipairs(sets) do
    local low, high = polyhedron.extent(region, set.normal)
    local offsets, parts = find_offsets(set, low, high, random), {}
    for _, block in ipairs(blocks) do
      cut_block(block, set, offsets, tolerance, random, parts)
    end
    blocks = parts
  end
  return blocks
end

-- ---- regions ----

local function read_box(o)
  for _, key in ipairs { "min", "max" } do
    if type(o[key]) ~= "table" or #o[key] ~= 3 then error(("rock.cut.%s must be three lengths"):format(key)) end
  end
  for k = 1, 3 do
    if not (o.min[k] < o.max[k]) then error("rock.cut.min must be less than max") end
  end
  return polyhedron.box(o.min, o.max)
end

-- Returns the box around a closed mesh, and the triangles of the mesh.
local function read_mesh(geometry)
  if type(geometry) ~= "userdata" then error("rock.cut.geometry must be made by scree.geometry") end
  local info = geometry:info()
  if info.type ~= "hull" and not info.closed then error("rock.cut.geometry must be a closed mesh") end
  local points, triangles = geometry:lists()
  local min, max, faces = { math.huge, math.huge, math.huge }, { -math.huge, -math.huge, -math.huge }, {}
  for _, p in ipairs(points) do
    for k = 1, 3 do
      min[k], max[k] = math.min(min[k], p[k]), math.max(max[k], p[k])
    end
  end
  for i, t in ipairs(triangles) do
    faces[i] = { points[t[1]], points[t[2]], points[t[3]] }
  end
  return polyhedron.box(min, max), faces
end

-- Cuts the parts of a block by the planes of the triangles that pass through them. Each part of the result
-- lies inside the mesh or outside of it.
local function cut_by_triangles(block, triangles, tolerance)
  local parts = { block }
  for _, triangle in ipairs(triangles) do
    local normal = cross(sub(triangle[2], triangle[1]), sub(triangle[3], triangle[1]))
    local length = vector.length(normal)
    if length > 0 then
      normal = vector.scale(1 / length, normal)
      local offset, next = dot(normal, triangle[1]), {}
      for _, part in ipairs(parts) do
        local below, above
        if polyhedron.meets(part, triangle, tolerance) then
          below, above = polyhedron.split(part, normal, offset, tolerance)
        end
        if below and above then
          next[#next + 1], next[#next + 2] = below, above
        else
          next[#next + 1] = part
        end
      end
      parts = next
    end
  end
  return parts
end

-- A ray in this direction counts the triangles above a point. It is unlikely to be parallel to a face.
local AIM = { 0.5773, 0.3819, 0.7217 }

-- Returns true if a ray from p crosses a triangle.
local function crosses(p, triangle)
  local u, v = sub(triangle[2], triangle[1]), sub(triangle[3], triangle[1])
  local h = cross(AIM, v)
  local det = dot(u, h)
  if det == 0 then return false end
  local s = sub(p, triangle[1])
  local a = dot(s, h) / det
  if a < 0 or a > 1 then return false end
  local q = cross(s, u)
  local b = dot(AIM, q) / det
  return b >= 0 and a + b <= 1 and dot(v, q) / det > 0
end

local function is_inside(p, triangles)
  local inside = false
  for _, triangle in ipairs(triangles) do
    if crosses(p, triangle) then inside = not inside end
  end
  return inside
end

local function keep_inside(blocks, triangles, tolerance)
  local kept = {}
  for _, block in ipairs(blocks) do
    for _, part in ipairs(cut_by_triangles(block, triangles, tolerance)) do
      local _, centre = polyhedron.volume(part)
      if is_inside(centre, triangles) then kept[#kept + 1] = part end
    end
  end
  return kept
end

-- ---- cutting ----

-- Returns the blocks of at least the smallest volume, as tables for scripts, and the volume of the others.
local function finish_blocks(polyhedra, smallest)
  local list, lost = {}, 0
  for _, block in ipairs(polyhedra) do
    local volume, centre = polyhedron.volume(block)
    if volume >= smallest then
      list[#list + 1] = { points = polyhedron.corners(block), volume = volume, centre = centre }
    else
      lost = lost + volume
    end
  end
  return list, lost
end

local function cut(def)
  local o = scree.check_keys(def, { "geometry", "sets", "seed", min = "m", max = "m", smallest = "m3" }, "rock.cut")
  if (o.geometry ~= nil) == (o.min ~= nil or o.max ~= nil) then error("rock.cut needs min and max, or geometry") end
  if type(o.sets) ~= "table" then error("rock.cut.sets must be a list of sets of joints") end
  if o.seed and math.type(o.seed) ~= "integer" then error("rock.cut.seed must be a whole number") end
  local sets, random, region, triangles = {}, make_random(o.seed or 1), nil, nil
  for i, set in ipairs(o.sets) do
    sets[i] = read_set(set, ("rock.cut.sets[%d]"):format(i))
  end
  if o.geometry then
    region, triangles = read_mesh(o.geometry)
  else
    region = read_box(o)
  end
  local low, high = polyhedron.bounds(region)
  local size = vector.sub(high, low)
  local tolerance = 1e-9 * vector.length(size)
  local blocks = cut_by_sets(region, sets, tolerance, random)
  if triangles then blocks = keep_inside(blocks, triangles, tolerance) end
  local smallest = o.smallest or SMALLEST * polyhedron.volume(region)
  if type(smallest) ~= "number" or not (smallest >= 0) then error("rock.cut.smallest must be a volume") end
  return finish_blocks(blocks, smallest)
end

--- Cuts a box (min, max) or a closed mesh (geometry) by sets of joints. Returns a list of blocks { points,
--- volume, centre }, and the volume of the blocks below `smallest`, which are dropped.
function rock.cut(def)
  return work(cut, def)
end

-- ---- files ----

-- A part is not convex if its hull is larger than the part by more than this share.
local HOLLOW = 1e-3

-- Returns the block of a group of a file.
local function read_block(group, path)
  local good, mesh = pcall(scree.geometry.mesh, { points = group.points, triangles = group.triangles, closed = true })
  if not good then error(("%s: block %s is not closed: %s"):format(path, group.name, tostring(mesh))) end
  local info = mesh:info()
  local excess = scree.geometry.hull({ points = group.points }):info().volume / info.volume - 1
  if excess > HOLLOW then
    local text = "%s: block %s is not convex: its hull is larger by %.3g %%; scree.decompose makes bodies of such blocks"
    error(text:format(path, group.name, 100 * excess))
  end
  return { points = group.points, volume = info.volume, centre = info.center, name = group.name }
end

local function read(def)
  local o = scree.check_keys(def, { "file", "scale", "up", "unit", "place" }, "rock.read")
  local blocks = {}
  for i, group in ipairs(scree.geometry.groups(o)) do
    blocks[i] = read_block(group, "rock.read: " .. tostring(o.file))
  end
  return blocks
end

--- Reads convex blocks from an OBJ file (its objects or groups) or a PLY file (parts that share no vertex).
--- Returns a list of blocks { points, volume, centre, name }.
function rock.read(def)
  local list = work(read, def)
  return list
end

-- ---- bodies ----

local add_keys = { "name", "kind", "material", "group", density = "kg/m3" }

--- Adds a body for each block. Returns the list of bodies.
function rock.add(w, blocks, def)
  scree.check_type(w, "world", "rock.add", "first")
  scree.check_type(blocks, "table", "rock.add", "of blocks second")
  local o = scree.check_keys(def or {}, add_keys, "rock.add")
  local list = {}
  for i, block in ipairs(blocks) do
    scree.check_type(block, "table", "rock.add", ("of rock.cut or rock.read as block %d"):format(i), "points")
    list[i] = w:hull {
      -- about the centre, because the bounding radius of a hull counts from the origin of its points
      points = vector.relative(block.points, block.centre),
      position = block.centre,
      name = o.name and o.name .. (block.name or i) or block.name,
      kind = o.kind,
      material = o.material,
      group = o.group,
      density = (o.kind or "dynamic") == "dynamic" and o.density or nil,
    }
  end
  return list
end

return rock
