-- A hull stands for any position of the origin of its points: on, below, above or beside its base. A hull on an open mesh lies on that side of the mesh on which
-- its middle lies.
local scree = require "scree"
local check = require "check"

local seed = 11
local function random()
  seed = seed * 48271 % 2147483647
  return seed / 2147483647
end
local function cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
local function rotate(q, v)
  local u = { q[2], q[3], q[4] }
  local a = cross(u, v)
  local b = cross(u, a)
  return { v[1] + 2 * (q[1] * a[1] + b[1]), v[2] + 2 * (q[1] * a[2] + b[2]), v[3] + 2 * (q[1] * a[3] + b[3]) }
end
local function random_turn()
  local q, square = {}, 0
  for k = 1, 4 do
    q[k] = 2 * random() - 1
    square = square + q[k] ^ 2
  end
  for k = 1, 4 do q[k] = q[k] / math.sqrt(square) end
  return q
end

-- corners of a solid of height 0.5 on the plane z = 0
local solids = {
  tetrahedron = { { -0.5, -0.5, 0 }, { 0.5, -0.4, 0 }, { 0, 0.6, 0 }, { 0, 0, 0.5 } },
  wedge = { { -0.5, -0.3, 0 }, { 0.5, -0.3, 0 }, { 0.5, 0.3, 0 }, { -0.5, 0.3, 0 }, { -0.4, -0.3, 0.5 }, { -0.4, 0.3, 0.5 } },
  prism = {},
}
for k = 1, 7 do
  for z = 0, 0.5, 0.5 do solids.prism[#solids.prism + 1] = { 0.5 * math.cos(2 * math.pi * k / 7), 0.5 * math.sin(2 * math.pi * k / 7), z } end
end
-- the plane z = 0 of a frame: up is its normal, point(x, y, z) the place of a point in the world
local floors = {
  ["half-space"] = function(w, f) w:halfspace { normal = f.up, position = f.point(0, 0, 0) } end,
  box = function(w, f, s) w:box { kind = "fixed", size = { 12 * s, 12 * s, s }, position = f.point(0, 0, -0.5 * s), orientation = f.turn } end,
  mesh = function(w, f, s)
    w:mesh { points = { f.point(-6 * s, -6 * s, 0), f.point(6 * s, -6 * s, 0), f.point(6 * s, 6 * s, 0), f.point(-6 * s, 6 * s, 0) },
      triangles = { { 1, 2, 3 }, { 1, 3, 4 } } }
  end,
  tiles = function(w, f, s) -- an open mesh of many triangles
    local points, triangles, n = {}, {}, 9
    for i = 0, n - 1 do
      for j = 0, n - 1 do points[#points + 1] = f.point((i - 4) * s, (j - 4) * s, 0) end
    end
    for i = 0, n - 2 do
      for j = 0, n - 2 do
        local a = i * n + j + 1
        triangles[#triangles + 1] = { a, a + n, a + n + 1 }
        triangles[#triangles + 1] = { a + 1, a, a + n + 1 }
      end
    end
    w:mesh { points = points, triangles = triangles }
  end,
}

-- Returns the displacement of a hull along the normal in 30 steps over its size. origin: origin of its points relative to the middle of its base.
local function way_of(solid, floor, origin, height, s, turn)
  local shift = { s * random(), s * random(), s * random() }
  local f = { turn = turn, up = rotate(turn, { 0, 0, 1 }) }
  function f.point(x, y, z)
    local p = rotate(turn, { x, y, z })
    return { p[1] + shift[1], p[2] + shift[2], p[3] + shift[3] }
  end
  local w = scree.world { gravity = { -10 * f.up[1], -10 * f.up[2], -10 * f.up[3] }, dt = 1e-3 * math.sqrt(s) }
  w:pair { "default", "default", mu = 0.5 }
  floors[floor](w, f, s)
  local points, x, y = {}, (random() - 0.5) * s, (random() - 0.5) * s
  for k, p in ipairs(solids[solid]) do points[k] = { s * (p[1] - origin[1]), s * (p[2] - origin[2]), s * (p[3] - origin[3]) } end
  local body = w:hull { points = points, position = f.point(x + s * origin[1], y + s * origin[2], s * origin[3] + s * height), orientation = turn }
  local a = { body:position() }
  w:step(30)
  local b, way = { body:position() }, 0
  for k = 1, 3 do way = way + (b[k] - a[k]) * f.up[k] end
  return way / s, w:report().crossed
end

local names, places = {}, {}
for name in pairs(solids) do names[#names + 1] = name end
for name in pairs(floors) do places[#places + 1] = name end
table.sort(names)
table.sort(places)
local origins = { { 0, 0, 0 }, { 0, 0, -1 }, { 0, 0, 1.5 }, { 2, 1, 0 }, { -1, 0, 1e-13 } }
for _, solid in ipairs(names) do
  for _, floor in ipairs(places) do
    for k, origin in ipairs(origins) do
      for _, height in ipairs { 0, 1e-16, -1e-13, 1e-10 } do
        local way, crossed = way_of(solid, floor, origin, height, 10 ^ (3 * random() - 2), k % 2 == 0 and { 1, 0, 0, 0 } or random_turn())
        check.within(way, 0, 1e-9, ("%s on %s, origin (%g, %g, %g), height %g"):format(solid, floor, origin[1], origin[2], origin[3], height))
        assert(crossed == 0)
      end
    end
  end
end
