--- Bodies of closed meshes that are not convex: cut into boxes until the hull of what each box holds is nearly full, with the mass, centre and inertia of the
--- mesh itself. Contacts are those of the hulls.
---
---   local decompose = require "scree.decompose"
---   local link = decompose.body(w, { points = points, triangles = triangles, density = 7800, position = { 0, 0, 1 } })

local _, work = ... -- work(f, ...) calls f; its time counts as the engine's
local scree = require "scree"
local decompose = {}

local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function cross(a, b)
  return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] }
end
local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end

-- ---- mass ----

-- Volume, centre and inertia {xx, xy, xz, yy, yz, zz} about it at density 1 of a closed mesh that looks outwards: sums over the tetrahedra between the origin
-- and each triangle.
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

-- Returns points and triangles of a closed mesh that look outwards. The lists are copied only if triangles must be turned or corners merged.
local function oriented(points, triangles, weld)
  local mesh = scree.geometry.mesh { points = points, triangles = triangles, weld = weld, closed = true }
  local info = mesh:info()
  if info.turned + info.welded + info.dropped == 0 then return points, triangles end
  return mesh:lists()
end

--- Volume, centre and inertia {xx, xy, xz, yy, yz, zz} about it at density 1 of a closed mesh, in any sense of its triangles.
function decompose.mass(points, triangles) return work(integrate, oriented(points, triangles)) end

-- Returns the points and triangles that the keys of a mesh describe, or those of a geometry.
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

-- Whether a point is inside: crossings of a ray in a direction that no mesh is likely to have. Faces lie in the cells of a grid across that direction, all that a
-- cell's shadow meets.
local AIM = { 0.5773, 0.3819, 0.7217 }
local ACROSS = { { 0.3819, -0.5773, 0 }, cross(AIM, { 0.3819, -0.5773, 0 }) }

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
      local slack = 1e-9 * grid.step -- by rounding no face falls beside its cell
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

-- The part of a polygon on one side of a plane across an axis.
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

-- Points of what a box holds: corners of the clipped triangles, and corners of the box that are inside.
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

-- Tetrahedra that a hull falls into about its centre, with the sum of their volumes up to each.
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

-- How much of a hull is empty, from points spread evenly in it (with a generator of its own: the same parts every time).
local SAMPLES = 100
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
    -- corners of a tetrahedron weighed by logarithms: evenly spread
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

-- The hull of a part and what of it is empty.
local function weigh(mesh, part)
  part.points = corners_of(mesh, part)
  part.weight, part.volume = 0, 0
  if #part.points < 4 then return part end
  local fine, hull = pcall(scree.geometry.hull, { points = part.points })
  if not fine then return part end -- flat: nothing to hold
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

-- Both halves across the axis that leaves least empty.
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

-- Returns the hulls of the parts of a closed mesh that looks outwards, and the sum of their volumes over the mesh's volume, less one.
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

--- Cuts a closed mesh: a list of hulls. parts: the most of them (32); tolerance: the share of the mesh's volume that may be empty in all hulls together (0.02).
function decompose.hulls(points, triangles, options)
  options = options or {}
  scree.check_keys(options, { "parts", "tolerance" }, "decompose.hulls")
  points, triangles = oriented(points, triangles)
  return work(cut, points, triangles, options.parts or 32, options.tolerance or 0.02)
end

--- A body of the hulls with the mesh's own mass, centre and inertia. def: the keys of scree.geometry.mesh, or a geometry; density (or mass), parts,
--- tolerance, material, layer, avoids, and the keys of bodies; hulls: those of an earlier cut of the same mesh.
function decompose.body(w, def)
  def = scree.check_keys(def, known, "decompose.body")
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
