--- Meshes and height fields of MJCF.

local names = require "scree.robot.names"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local turn = quaternion.turn
local assets = {}

local ENDINGS = { stl = true, obj = true, ply = true }

-- Returns the path of a mesh as seen from the current folder.
local function path_of(reader, node, options)
  local compiler, file = reader:compiler_of(node), node.attr.file
  if compiler.strips then file = file:match "[^/]*$" end
  if compiler.mesh_folder and file:sub(1, 1) ~= "/" then file = compiler.mesh_folder .. "/" .. file end
  if file:sub(1, 1) == "/" then return file end
  return (node.folder or options.folder or ".") .. "/" .. file
end

--- Adds the meshes and height fields of an element <asset> to `list`, by name.
function assets.read(reader, node, list)
  for _, c in ipairs(node) do
    reader:check(c, "asset/" .. c.tag)
    for _, inner in ipairs(c) do
      reader:check_tree(inner, ("asset/%s/%s"):format(c.tag, inner.tag))
    end
    if c.tag == "mesh" and (c.attr.file or c.attr.vertex) then
      local name = c.attr.name or (c.attr.file or ""):match "([^/]+)%.[^.]*$" or ""
      list["mesh " .. name] = c
    elseif c.tag == "hfield" then
      list["hfield " .. (c.attr.name or "")] = c
    elseif c.tag == "mesh" then
      reader:leave(c, "a mesh without file and vertices")
    end
  end
end

-- Returns the vertices of a mesh whose element lists them.
local function vertices(reader, node, a)
  local v, points = reader:numbers(node, a.vertex, 12, 3000000, "vertex"), {}
  for i = 1, #v - 2, 3 do
    points[#points + 1] = { v[i], v[i + 1], v[i + 2] }
  end
  return points
end

--- Returns the hull of a mesh: keys of a shape. Returns nil after a warning.
function assets.hull(reader, list, node, name, options)
  local m = list["mesh " .. (name or "")]
  if not m then return reader:leave(node, names.no("mesh", name)) end
  local a = reader:attributes(m)
  local shape = { type = "hull" }
  if a.file then
    local ending = a.file:lower():match "%.(%w+)$"
    if not ENDINGS[ending or ""] then return reader:leave(node, a.file .. " is none of STL, OBJ and PLY") end
    shape.file = path_of(reader, m, options)
    if options.exists and not options.exists(shape.file) then
      reader:fail(m, ("there is no file %s"):format(shape.file))
    end
  else
    shape.points = vertices(reader, m, a)
  end
  local scale = reader:list(m, a, "scale", 3, { 1, 1, 1 })
  if scale[1] == 0 or scale[2] == 0 or scale[3] == 0 then reader:fail(m, "scale must not be 0") end
  local refpos = reader:list(m, a, "refpos", 3, { 0, 0, 0 })
  local refquat = reader:list(m, a, "refquat", 4, { 1, 0, 0, 0 })
  local place = {}
  if scale[1] == scale[2] and scale[1] == scale[3] and scale[1] > 0 then
    if shape.file or scale[1] ~= 1 then shape.scale = scale[1] end
  else
    place[1] = { "scale", scale }
  end
  if refpos[1] ~= 0 or refpos[2] ~= 0 or refpos[3] ~= 0 then
    place[#place + 1] = { "move", { -refpos[1], -refpos[2], -refpos[3] } }
  end
  local n = math.sqrt(refquat[2] ^ 2 + refquat[3] ^ 2 + refquat[4] ^ 2)
  if n > 0 then
    local angle = -2 * math.atan(n, refquat[1])
    place[#place + 1] = { "rotate", { refquat[2] / n, refquat[3] / n, refquat[4] / n }, angle }
  end
  if #place > 0 then shape.place = place end
  return shape
end

--- Returns the keys of a shape for the height field `name` (scree.robot.heights). Returns nil after a warning.
function assets.heights(reader, list, node, name)
  local h = list["hfield " .. (name or "")]
  if not h then return reader:leave(node, names.no("height field", name)) end
  if h.attr.file then return reader:leave(node, "its heights are in a file") end
  local a = h.attr
  local function whole(key)
    local n = math.tointeger(reader:number(h, a, key) or reader:fail(h, key .. " is needed"))
    if not n or n < 2 or n > 2000 then reader:fail(h, key .. " must be a whole number from 2 to 2000") end
    return n
  end
  local rows, columns = whole "nrow", whole "ncol"
  local size = reader:list(h, a, "size", 4) or reader:fail(h, "size is needed")
  for _, x in ipairs(size) do
    if x <= 0 then reader:fail(h, ("size must be above 0, but is %g"):format(x)) end
  end
  local z = a.elevation and reader:numbers(h, a.elevation, rows * columns, rows * columns, "elevation") or {}
  local low, high = math.huge, -math.huge
  for _, value in ipairs(z) do
    low, high = math.min(low, value), math.max(high, value)
  end
  if not (high > low) then return { type = "heights", rows = 2, columns = 2, size = { size[1], size[2] } } end
  local heights = {}
  for i = 1, rows do
    for k = 1, columns do
      -- MuJoCo lists the rows of an elevation from the far side (+y) to the near side
      local value = z[(rows - i) * columns + k]
      heights[#heights + 1] = size[3] * ((value - low) / (high - low))
    end
  end
  return { type = "heights", rows = rows, columns = columns, size = { size[1], size[2] }, heights = heights }
end

-- Returns the half sizes of the box that has the mass and the inertia of a uniform body. I: principal moments
-- of this body per mass.
local function equivalent_box(I)
  local half = {}
  for i = 1, 3 do
    local j, k = i % 3 + 1, (i + 1) % 3 + 1
    half[i] = math.sqrt(math.max(0, 6 * (I[j] + I[k] - I[i]))) / 2
  end
  return half
end

--- Fits a box, ellipsoid, capsule, cylinder or sphere to a hull, as MuJoCo does: by its inertia, or by its
--- extents if fits_box. w: a world for the computation. Returns half sizes and the frame of the shape in the
--- axes of the mesh.
function assets.fit(w, hull, kind, fits_box)
  local mass = require "scree.robot.mass"
  local lump = mass.of_union(w, { hull })
  local moments, axes = mass.principal(lump.inertia)
  local order = { 1, 2, 3 }
  table.sort(order, function(a, b) return moments[a] > moments[b] end) -- MuJoCo: largest moment first
  local x, y = axes[order[1]], axes[order[2]]
  local q, centre, half = quaternion.from_axes(x, y, vector.cross(x, y)), lump.centre, nil
  if fits_box then
    local back, low, high = quaternion.inverse(q), { 1 / 0, 1 / 0, 1 / 0 }, { -1 / 0, -1 / 0, -1 / 0 }
    local points = require("scree").geometry.hull(mass.geometry_keys(hull)):lists()
    for _, p in ipairs(points) do
      local v = turn(back, vector.sub(p, centre))
      for i = 1, 3 do
        low[i], high[i] = math.min(low[i], v[i]), math.max(high[i], v[i])
      end
    end
    half = vector.scale(0.5, vector.sub(high, low))
    centre = vector.add(centre, turn(q, vector.scale(0.5, vector.add(high, low))))
  else
    local I = {}
    for i = 1, 3 do
      I[i] = moments[order[i]] / lump.mass
    end
    half = equivalent_box(I)
  end
  local a, b, c = half[1], half[2], half[3]
  if kind == "sphere" then
    half = { fits_box and math.max(a, b, c) or (a + b + c) / 3 }
  elseif kind == "capsule" or kind == "cylinder" then
    local radius = fits_box and math.max(a, b) or (a + b) / 2
    half = { radius, kind == "capsule" and math.max(c - (fits_box and radius or radius / 2), 0) or c }
  end
  return half, { position = centre, orientation = q }
end

return assets
