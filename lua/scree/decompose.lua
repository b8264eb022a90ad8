--- Bodies of closed meshes that are not convex. The mesh is cut by boxes until the convex hull of the part in
--- each box is nearly full. Contacts act on the hulls; mass, centre of mass and inertia are those of the
--- mesh.
---
---   local decompose = require "scree.decompose"
---   local link = decompose.body(w, { points = points, triangles = triangles, density = 7800 })

local _, work = ... -- work(f, ...) calls f; its CPU time counts as the engine's, not the script's
local scree = require "scree"
local vector = require "scree.math.vector"
local sub, cross, dot = vector.sub, vector.cross, vector.dot
local decompose = {}

-- ---- mass ----

-- Returns volume, centre, and inertia {xx, xy, xz, yy, yz, zz} about the centre of a closed mesh at density
-- 1. Triangles must face outwards. The integrals are sums over the tetrahedra between the origin and each
-- triangle.
local function integrate(points, triangles)
  local volume, first, second = 0, { 0, 0, 0 }, { 0, 0, 0, 0, 0, 0 }
  local pairs_of = { { 1, 1 }, { 1, 2 }, { 1, 3 }, { 2, 2 }, { 2, 3 }, { 3, 3 } }
  for _, t in ipairs(triangles) do
    local a, b, c = points[t[1]], points[t[2]], points[t[3]]
    local v = dot(a, cross(b, c)) / 6
    volume = volume + v
    for k = 1, 3 do
      first[k] = first[k] + v * (a[k] + b[k] + c[k]) / 4
    end
    for n, p in ipairs(pairs_of) do
      local i, k = p[1], p[2]
      local s, r = a[i] + b[i] + c[i], a[k] + b[k] + c[k]
      second[n] = second[n] + v / 20 * (s * r + a[i] * a[k] + b[i] * b[k] + c[i] * c[k])
    end
  end
  local c = { first[1] / volume, first[2] / volume, first[3] / volume }
  for n, p in ipairs(pairs_of) do
    second[n] = second[n] - volume * c[p[1]] * c[p[2]]
  end
  local xx, xy, xz, yy, yz, zz = table.unpack(second)
  return volume, c, { yy + zz, -xy, -xz, xx + zz, -yz, xx + yy }
end

-- ---- meshes ----

local mesh_keys =
  { "points", "triangles", "file", "scale", "up", "unit", "place", "weld", "closed", "solid" }
local body_keys = {
  "name",
  "kind",
  "position",
  "orientation",
  "axis",
  "angle",
  "velocity",
  "spin",
  "surface_velocity",
  "surface_spin",
  "fast",
  "group",
  "sites",
}
local own = {
  "geometry",
  "parts",
  "tolerance",
  "hulls",
  "material",
  "layer",
  "avoids",
  density = "kg/m3",
  mass = "kg",
}
local known = { table.unpack(own) }
for key, value in pairs(own) do
  known[key] = value
end
for _, list in ipairs { mesh_keys, body_keys } do
  table.move(list, 1, #list, #known + 1, known)
end

-- Returns points and triangles of a closed mesh with all triangles facing outwards. Copies the lists only if
-- triangles must be reversed or corners merged.
local function oriented(points, triangles, weld)
  local mesh = scree.geometry.mesh { points = points, triangles = triangles, weld = weld, closed = true }
  local info = mesh:info()
  if info.turned + info.welded + info.dropped == 0 then return points, triangles end
  return mesh:lists()
end

-- Raises an error unless points and triangles are tables. what: name of the public function, for errors.
local function check_mesh(points, triangles, what)
  scree.check_type(points, "table", what, "of points first")
  scree.check_type(triangles, "table", what, "of triangles second")
end

--- Returns volume, centre, and inertia {xx, xy, xz, yy, yz, zz} about the centre of a closed mesh at density
--- 1. Triangles may face inwards or outwards.
function decompose.mass(points, triangles)
  check_mesh(points, triangles, "decompose.mass")
  return work(integrate, oriented(points, triangles))
end

-- Returns points and triangles of the mesh that the keys describe, or of def.geometry.
local function read_mesh(def)
  local mesh = { closed = true }
  for _, key in ipairs(mesh_keys) do
    if def[key] ~= nil and def.geometry then
      error("decompose.body." .. key .. " stands beside geometry; give it to scree.geometry.mesh{...}", 3)
    end
    if def[key] ~= nil then mesh[key] = def[key] end
  end
  local lists_alone = def.points
    and not (def.file or def.scale or def.up or def.unit or def.place or mesh.closed == false)
  if lists_alone then return oriented(def.points, def.triangles, def.weld) end
  return (def.geometry or scree.geometry.mesh(mesh)):lists()
end

-- ---- parts ----

-- A point lies inside the mesh if a ray from it crosses an odd number of faces. The ray has the direction
-- AIM, which is unlikely to be parallel to a face. A grid in the plane perpendicular to AIM lists, per cell,
-- the faces whose projection touches the cell.
local AIM = { 0.5773, 0.3819, 0.7217 }
local ACROSS = { { 0.3819, -0.5773, 0 }, cross(AIM, { 0.3819, -0.5773, 0 }) }

-- Returns the index along direction k of the grid cell that contains the projection of point p.
local function shadow(grid, p, k) return math.floor((dot(p, ACROSS[k]) - grid.low[k]) / grid.step) end

local function grid_of(faces)
  local grid, high = { low = { math.huge, math.huge } }, { -math.huge, -math.huge }
  local function corners(f, k)
    local a = dot(f.a, ACROSS[k])
    local u, v = a + dot(f.u, ACROSS[k]), a + dot(f.v, ACROSS[k])
    return math.min(a, u, v), math.max(a, u, v)
  end
  for _, f in ipairs(faces) do
    for k = 1, 2 do
      local min, max = corners(f, k)
      grid.low[k], high[k] = math.min(grid.low[k], min), math.max(high[k], max)
    end
  end
  grid.step = math.max(high[1] - grid.low[1], high[2] - grid.low[2]) / math.ceil(math.sqrt(#faces / 2))
  for _, f in ipairs(faces) do
    local from, to = {}, {}
    for k = 1, 2 do
      local min, max = corners(f, k)
      local slack = 1e-9 * grid.step -- rounding must not place a face in the wrong cell
      from[k], to[k] =
        math.floor((min - slack - grid.low[k]) / grid.step),
        math.floor((max + slack - grid.low[k]) / grid.step)
    end
    for i = from[1], to[1] do
      grid[i] = grid[i] or {}
      for j = from[2], to[2] do
        grid[i][j] = grid[i][j] or {}
        table.insert(grid[i][j], f)
      end
    end
  end
  return grid
end

local function inside(mesh, p)
  local crossings, column = 0, mesh.grid[shadow(mesh.grid, p, 1)]
  for _, f in ipairs(column and column[shadow(mesh.grid, p, 2)] or {}) do
    local h = cross(AIM, f.v)
    local det = dot(f.u, h)
    if det ~= 0 then
      local s = sub(p, f.a)
      local x = dot(s, h) / det
      if x >= 0 and x <= 1 then
        local q = cross(s, f.u)
        local y = dot(AIM, q) / det
        if y >= 0 and x + y <= 1 and dot(f.v, q) / det > 0 then crossings = crossings + 1 end
      end
    end
  end
  return crossings % 2 == 1
end

-- Returns the part of a polygon on one side of the plane x[axis] = at (Sutherland-Hodgman), nil if it is
-- empty. side: 1 for smaller coordinates, -1 for larger ones.
local function clip(polygon, axis, at, side)
  local out = {}
  for i, p in ipairs(polygon) do
    local q = polygon[i % #polygon + 1]
    local hp, hq = side * (p[axis] - at), side * (q[axis] - at)
    if hp <= 0 then out[#out + 1] = p end
    if (hp < 0 and hq > 0) or (hp > 0 and hq < 0) then
      local s = hp / (hp - hq)
      local cut = { p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2]), p[3] + s * (q[3] - p[3]) }
      cut[axis] = at
      out[#out + 1] = cut
    end
  end
  return #out >= 3 and out or nil
end

-- Returns the points whose hull encloses the part of the mesh in a box: the corners of the clipped triangles,
-- and the corners of the box that lie inside the mesh.
local function corners_of(mesh, part)
  local points, seen = {}, {}
  local function put(p)
    local key = ("%.12g %.12g %.12g"):format(p[1], p[2], p[3])
    if not seen[key] then
      seen[key], points[#points + 1] = true, p
    end
  end
  for _, polygon in ipairs(part.polygons) do
    for _, p in ipairs(polygon) do
      put(p)
    end
  end
  for i = 0, 7 do
    local p = {
      i % 2 < 1 and part.min[1] or part.max[1],
      i // 2 % 2 < 1 and part.min[2] or part.max[2],
      i // 4 < 1 and part.min[3] or part.max[3],
    }
    if inside(mesh, p) then put(p) end
  end
  return points
end

-- Divides a hull into tetrahedra, which connect its centre with each triangle. Returns the centre, the list
-- of tetrahedra, and the total of their volumes times 6. Each tetrahedron also stores the sum of the volumes
-- up to it, times 6.
local function fan(hull)
  local points, triangles = hull:lists()
  local middle, list, total = hull:info().center, {}, 0
  for i, t in ipairs(triangles) do
    local a, b, c = sub(points[t[1]], middle), sub(points[t[2]], middle), sub(points[t[3]], middle)
    total = total + dot(a, cross(b, c))
    list[i] = { a, b, c, total }
  end
  return middle, list, total
end

-- number of random points for the empty part of a hull
local SAMPLES = 100
-- Returns the fraction of a hull that lies outside the mesh, estimated from SAMPLES random points in the
-- hull. The random generator is local, so that the decomposition is always the same.
local function emptiness(mesh, hull)
  local middle, list, total = fan(hull)
  local seed, out = 12345, 0
  local function random()
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  end
  for n = 1, SAMPLES do
    local low, high, want = 1, #list, (n - 0.5) / SAMPLES * total
    while low < high do
      local half = (low + high) // 2
      if list[half][4] < want then
        low = half + 1
      else
        high = half
      end
    end
    -- uniform random point of a tetrahedron: weights of the corners are exponentially distributed
    local x, sum = { 0, 0, 0 }, -math.log(1 - random())
    for corner = 1, 3 do
      local p, w = list[low][corner], -math.log(1 - random())
      for k = 1, 3 do
        x[k] = x[k] + w * p[k]
      end
      sum = sum + w
    end
    for k = 1, 3 do
      x[k] = middle[k] + x[k] / sum
    end
    if not inside(mesh, x) then out = out + 1 end
  end
  return out / SAMPLES
end

-- Sets points, hull and volume of a part, and its weight: the empty volume in the hull. Returns the part.
local function weigh(mesh, part)
  part.points = corners_of(mesh, part)
  part.weight, part.volume = 0, 0
  if #part.points < 4 then return part end
  local fine, hull = pcall(scree.geometry.hull, { points = part.points })
  if not fine then return part end -- a flat part has no volume
  local volume = hull:info().volume
  if not (volume > 1e-9 * mesh.volume) then return part end
  part.hull, part.volume, part.weight = hull, volume, volume * emptiness(mesh, hull)
  return part
end

local function half(mesh, part, axis, at, side)
  local piece = { min = { table.unpack(part.min) }, max = { table.unpack(part.max) }, polygons = {} }
  piece[side > 0 and "max" or "min"][axis] = at
  for _, polygon in ipairs(part.polygons) do
    piece.polygons[#piece.polygons + 1] = clip(polygon, axis, at, side)
  end
  return weigh(mesh, piece)
end

-- Returns the two halves of a part. The cut is perpendicular to the axis that leaves the smallest empty
-- volume. Returns nil if the part is too small.
local function split(mesh, part)
  local best, least
  for axis = 1, 3 do
    if part.max[axis] - part.min[axis] > 1e-6 * mesh.size then
      local at = (part.min[axis] + part.max[axis]) / 2
      local one, two = half(mesh, part, axis, at, 1), half(mesh, part, axis, at, -1)
      local weight = one.weight + two.weight
      if not least or weight < least then
        best, least = { one, two }, weight
      end
    end
  end
  return best
end

-- Returns the hulls of the parts of a closed mesh with outward triangles, and the relative excess of their
-- total volume over the volume of the mesh. most: largest number of parts.
local function cut(points, triangles, most, tolerance)
  local mesh = { faces = {}, volume = (integrate(points, triangles)) }
  local all = {
    min = { math.huge, math.huge, math.huge },
    max = { -math.huge, -math.huge, -math.huge },
    polygons = {},
  }
  for i, t in ipairs(triangles) do
    local a, b, c = points[t[1]], points[t[2]], points[t[3]]
    mesh.faces[i], all.polygons[i] = { a = a, u = sub(b, a), v = sub(c, a) }, { a, b, c }
    for _, p in ipairs { a, b, c } do
      for k = 1, 3 do
        all.min[k], all.max[k] = math.min(all.min[k], p[k]), math.max(all.max[k], p[k])
      end
    end
  end
  mesh.grid = grid_of(mesh.faces)
  mesh.size = math.max(all.max[1] - all.min[1], all.max[2] - all.min[2], all.max[3] - all.min[3])
  local list = { weigh(mesh, all) }
  while #list < most do
    local worst, held = 1, 0
    for i, part in ipairs(list) do
      held = held + part.volume
      if part.weight > list[worst].weight then worst = i end
    end
    if held <= (1 + tolerance) * mesh.volume then break end
    local pieces = split(mesh, list[worst])
    if not pieces then break end
    list[worst], list[#list + 1] = pieces[1], pieces[2]
  end
  local hulls, held = {}, 0
  for _, part in ipairs(list) do
    if part.hull then
      hulls[#hulls + 1], held = part.hull, held + part.volume
    end
  end
  return hulls, held / mesh.volume - 1
end

--- Decomposes a closed mesh and returns a list of hulls. options.parts: largest number of hulls (32).
--- options.tolerance: total empty volume in the hulls over the volume of the mesh (0.02).
function decompose.hulls(points, triangles, options)
  check_mesh(points, triangles, "decompose.hulls")
  options = options or {}
  scree.check_keys(options, { "parts", "tolerance" }, "decompose.hulls")
  points, triangles = oriented(points, triangles)
  return work(cut, points, triangles, options.parts or 32, options.tolerance or 0.02)
end

--- Adds a body of the hulls, with mass, centre and inertia of the mesh. def: the keys of scree.geometry.mesh,
--- or a geometry; density (or mass), parts, tolerance, material, layer, avoids; the keys of bodies; hulls:
--- the result of an earlier decomposition of this mesh.
function decompose.body(w, def)
  scree.check_type(w, "world", "decompose.body", "first")
  def = scree.check_keys(def, known, "decompose.body")
  if def.geometry ~= nil then scree.check_type(def.geometry, "geometry", "decompose.body", "as geometry") end
  local points, triangles = read_mesh(def)
  local hulls = def.hulls
    or decompose.hulls(points, triangles, { parts = def.parts, tolerance = def.tolerance })
  local volume, centre, inertia = work(integrate, points, triangles)
  local body, shapes = {}, {}
  for _, key in ipairs(body_keys) do
    body[key] = def[key]
  end
  for i, hull in ipairs(hulls) do
    shapes[i] =
      { type = "hull", geometry = hull, material = def.material, layer = def.layer, avoids = def.avoids }
  end
  local density = def.mass and def.mass / volume or def.density or 1000
  for k = 1, 6 do
    inertia[k] = inertia[k] * density
  end
  body.shapes, body.mass, body.centre, body.inertia = shapes, density * volume, centre, inertia
  return w:body(body)
end

return decompose
