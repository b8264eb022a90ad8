-- Bodies of overlapping shapes have the mass of their union; fills, inserts, feeds, inflows and w:body copy templates at any size.
local scree = require "scree"
local feed, inflow = require "scree.feed", require "scree.inflow"
local check = require "check"
local fails, near = check.fails, check.near
local pi = math.pi

local function body(shapes) return scree.world {}:body { shapes = shapes } end
local function ball(r, x, y, z, density) return { type = "sphere", radius = r, position = { x, y or 0, z or 0 }, density = density } end

-- two balls: the lens is exact (volume pi (4 r + d) (2 r - d)^2 / 12), and so is the moment, by slices of 1e-5
local d = 1.2
local b = body { ball(1, 0), ball(1, d) }
near(b:mass(), 1000 * (8 / 3 * pi - pi * (4 + d) * (2 - d) ^ 2 / 12), 1e-14, "mass of two balls")
near((b:position()), d / 2, 1e-14, "centre of two balls")
local ixx, iyy, mass, n = 0, 0, 0, 20000
for i = 1, n do
  local x = -1 + (2 + d) * (i - 0.5) / n
  local a = 1 - math.min(math.abs(x), math.abs(x - d)) ^ 2
  local m = 1000 * pi * a * (2 + d) / n
  mass, ixx, iyy = mass + m, ixx + m * a / 2, iyy + m * (a / 4 + (x - d / 2) ^ 2)
end
near(b:inertia(), ixx, 1e-7, "xx")
near(select(4, b:inertia()), iyy, 1e-7, "yy")
-- balls of unequal size and density: in the overlap the density of the first one counts
b = body { ball(1, 0, 0, 0, 1000), ball(0.5, 1, 0, 0, 3000) }
local x = (1 - 0.25 + 1) / 2
local lens = pi * (2 / 3 - x + x ^ 3 / 3) + pi * (2 / 3 * 0.125 - 0.25 * (1 - x) + (1 - x) ^ 3 / 3)
near(b:mass(), 1000 * 4 / 3 * pi + 3000 * (4 / 3 * pi * 0.125 - lens), 1e-13, "two densities")
near(body({ ball(1, 0), ball(0.4, 0.3) }):mass(), 4000 / 3 * pi, 1e-14, "a ball inside")
-- a chain, in which only pairs overlap, is exact; a rotated chain has the same principal moments
local q = { 0.9, 0.1, 0.3, -0.2 }
local w = scree.world {}
local chain = w:template { shapes = { ball(0.5, 0), ball(0.4, 0.7), ball(0.5, 1.4) } }
near(chain.centre[1], 0.7, 1e-14)
-- masses of touching balls and adjacent boxes add up
near(body({ ball(1, -1), ball(1, 1) }):mass(), 8000 / 3 * pi, 1e-15)
near(body({ { type = "box", size = { 1, 1, 1 } }, { type = "box", size = { 1, 1, 1 }, position = { 1, 0, 0 } } }):mass(), 2000, 1e-15)

-- numerical integration: known volumes, to 1e-3 of the overlap
local function quadrature(shapes, volume, tolerance) near(body(shapes):mass() / 1000, volume, tolerance / volume) end
quadrature({ ball(1, 0), ball(1, d), ball(0.5, d / 2) }, 8 / 3 * pi - pi * (4 + d) * (2 - d) ^ 2 / 12, 3e-4)
quadrature({ { type = "box", size = { 1, 1, 1 } }, { type = "box", size = { 1, 1, 1 }, position = { 0.5, 0.25, 0 } } }, 2 - 0.375, 1e-3)
local up, across = { 1, 0, 0, 0 }, { math.sqrt(0.5), math.sqrt(0.5), 0, 0 }
quadrature({ { type = "cylinder", radius = 1, length = 2, orientation = up }, { type = "cylinder", radius = 1, length = 2, orientation = across } }, 4 * pi - 16 / 3,
  16 / 3 * 1.5e-3)
quadrature({ { type = "capsule", radius = 1, length = 2 }, ball(1, 0, 0, 1) }, 2 * pi + 4 / 3 * pi, 4 / 3 * pi * 1e-3)
quadrature({ { type = "ellipsoid", size = { 2, 2, 2 } }, ball(1, d) }, 8 / 3 * pi - pi * (4 + d) * (2 - d) ^ 2 / 12, 1e-3)

-- a body of a template is the body of its shapes; scales are exact
local plain = body { ball(0.5, 0), ball(0.4, 0.7), ball(0.5, 1.4) }
local copy = w:body { template = chain, scale = 2, position = { 9, 0, 0 }, name = "copy" }
near(copy:mass(), 8 * plain:mass(), 1e-14)
near((copy:inertia()), 32 * plain:inertia(), 1e-14)
near(copy:radius(), 2 * plain:radius(), 1e-14)
near(copy:position(), 9, 1e-14) -- the centre of mass
near(chain.mass, plain:mass(), 1e-15)
near(pi / 6 * chain.diameter ^ 3 * 1000, chain.mass, 1e-13)
local given = w:template { shapes = { ball(0.5, 0), ball(0.5, 0.1) }, mass = 7, inertia = { 1, 0, 0, 1, 0, 1 }, centre = { 0.2, 0, 0 } }
assert(given.mass == 7 and given.centre[1] == 0.2)
near(w:body({ template = given, position = { 0, 5, 0 } }):mass(), 7, 1e-15)

-- fills, inserts: masses follow sizes, orientations differ, nothing overlaps
local function packed(verb, extra)
  local world = scree.world { gravity = { 0, 0, 0 } }
  local t = world:template { shapes = { ball(1e-3, 0), ball(0.8e-3, 1e-3), ball(0.6e-3, 0.4e-3, 0.9e-3) } }
  local def = { region = { min = { 0, 0, 0 }, max = { 0.04, 0.04, 0.04 } }, template = t }
  for key, value in pairs(extra) do def[key] = value end
  local count, kg = world[verb](world, def)
  return world, t, count, kg
end
local sizes = { by = "mass", distribution = "uniform", min = 1.5e-3, max = 3e-3 }
for _, case in ipairs { { "fill", { spacing = 4e-3 } }, { "fill", { spacing = 6e-3, sizes = sizes } }, { "insert", { count = 200 } }, { "insert", { count = 200, sizes = sizes } },
  { "insert", { mass = 1e-3, radius = 0.7e-3, radius_max = 1.2e-3 } } } do
  local world, t, count, kg = packed(case[1], case[2])
  local m, q = world:view "mass", world:view "orientation"
  assert(count > 50 and count == world:count())
  if kg then near(m:sum(), kg, 1e-12, "mass that insert tells") end
  assert(q:get(1) ~= q:get(2), "orientations are random")
  local low, high = m:min(), m:max()
  if case[2].sizes then
    assert(low > 999.99 * pi / 6 * 1.5e-3 ^ 3 and high < 1000.01 * pi / 6 * 3e-3 ^ 3 and high > 4 * low, "masses follow sizes")
  elseif not case[2].radius then near(low, t.mass, 1e-13) near(high, t.mass, 1e-13) end
  world:step()
  assert(world:report().penetration == 0, "copies overlap")
end
assert(packed("fill", { spacing = 4e-3 }):hash() == packed("fill", { spacing = 4e-3 }):hash())
fails("leave no room for the largest grains", packed, "fill", { spacing = 1e-3 })

-- feeds and inflows; the state of a feed is plain data
w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
local t = w:template { shapes = { ball(1e-3, 0), ball(1e-3, 1e-3) } }
feed.create(w, { region = { min = { 0, 0, 0.1 }, max = { 0.05, 0.05, 0.12 } }, rate = 1000, total = 30, template = t, sizes = sizes })
for _ = 1, 100 do feed.update(w) w:step() end
assert(w:count() == 30 and feed.report(w).done)
assert(inflow.create(w, { min = { 1, 0, 0 }, max = { 1, 0.02, 0.02 }, spacing = 4e-3, speed = 1, template = t }).grains == 25)

-- mistakes
fails("template.shapes is missing", w.template, w, {})
fails("template.shapes[1].type: there is no shape 'ball'", w.template, w, { shapes = { { type = "ball" } } })
fails("a template needs at least one shape", w.template, w, { shapes = {} })
fails("template.shape is not a known key; did you mean 'shapes'?", w.template, w, { shape = {} })
fails("body.mass: template is given too", w.body, w, { template = t, mass = 1 })
fails("body.scale is of a template", w.body, w, { shapes = { ball(1, 0) }, scale = 2 })
fails("fill.shape: template is given too", packed, "fill", { spacing = 1, radius = 1, shape = { type = "sphere", radius = 1 } })
fails("insert.material: the shapes of a template have their own", packed, "insert", { count = 1, material = "default" })
local octahedron = { type = "hull", points = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } }, scale = 1e-3 }
fails("a template with hulls has one size", packed, "insert", { count = 1, template = { shapes = { octahedron } }, radius = 5e-3 })
local _, _, count = packed("insert", { count = 10, template = { shapes = { octahedron, ball(0.5e-3, 0.5e-3) } } })
assert(count == 10)
fails("fill.sizes are of balls or of a template", w.fill, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 1, sizes = sizes, shape = { type = "sphere", radius = 1 } })

-- balls that fill a mesh lie within it; more balls are closer to its surface; a deviation limits their number; the result is reproducible
local clump = require "scree.clump"
local corners = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 1, 0 }, { 1, 0, 1 }, { 0, 1, 1 }, { 1, 1, 1 } }
local cube, last = scree.geometry.hull { points = corners }, math.huge
for _, n in ipairs { 1, 9, 30 } do
  local def, report = clump.from_mesh { geometry = cube, spheres = n }
  assert(report.spheres == n and #def.shapes == n and report.mean < last and report.mean < report.deviation)
  last = report.mean
  for _, s in ipairs(def.shapes) do
    for k = 1, 3 do assert(s.position[k] > s.radius - 1e-6 and s.position[k] < 1 - s.radius + 1e-6, "a ball leaves the cube") end
  end
  local t = scree.world {}:template(def)
  assert(t.mass < 1000 and t.mass > 400)
  -- the deviation is that of the corners
  local worst = 0
  for _, c in ipairs(corners) do
    local least = math.huge
    for _, s in ipairs(def.shapes) do
      local p = s.position
      least = math.min(least, math.sqrt((p[1] - c[1]) ^ 2 + (p[2] - c[2]) ^ 2 + (p[3] - c[3]) ^ 2) - s.radius)
    end
    worst = math.max(worst, least)
  end
  near(report.deviation, worst, 1e-12, "deviation")
end
local few, report = clump.from_mesh { geometry = cube, spheres = 100, deviation = "20 cm" }
assert(report.deviation <= 0.2 and report.spheres < 20)
local _, one_less = clump.from_mesh { geometry = cube, spheres = report.spheres - 1 }
assert(one_less.deviation > 0.2)
local again = clump.from_mesh { geometry = cube, spheres = 100, deviation = 0.2 }
for i, s in ipairs(few.shapes) do
  assert(s.radius == again.shapes[i].radius and s.position[1] == again.shapes[i].position[1])
end
for _, s in ipairs(clump.from_mesh({ geometry = cube, spheres = 40, smallest = 0.2 }).shapes) do assert(s.radius >= 0.2) end
-- a mesh that is not convex: an L of two bars; each ball lies within a bar
local L = { { 0, 0 }, { 3, 0 }, { 3, 1 }, { 1, 1 }, { 1, 3 }, { 0, 3 } }
local points, triangles = {}, { { 1, 4, 2 }, { 2, 4, 3 }, { 1, 6, 4 }, { 4, 6, 5 }, { 7, 8, 10 }, { 8, 9, 10 }, { 7, 10, 12 }, { 10, 11, 12 } }
for i, p in ipairs(L) do points[i], points[i + 6] = { p[1], p[2], 0 }, { p[1], p[2], 1 } end
for i = 1, 6 do
  local j = i % 6 + 1
  triangles[#triangles + 1], triangles[#triangles + 2] = { i, j, j + 6 }, { i, j + 6, i + 6 }
end
local def, told = clump.from_mesh { points = points, triangles = triangles, spheres = 25, density = 2000 }
near(told.volume, 5, 1e-12)
for _, s in ipairs(def.shapes) do
  local p, r = s.position, s.radius
  local outside = math.max(0, 1 + r - p[1]) > 0 and math.max(0, 1 + r - p[2]) > 0
  assert(outside or math.sqrt((p[1] - 1) ^ 2 + (p[2] - 1) ^ 2) > r - 1e-6, "a ball crosses the inner edge")
  assert(p[3] > r - 1e-6 and p[3] < 1 - r + 1e-6)
end
near(w:template(def).mass / 2000, 5, 0.3)
fails("only a closed mesh or a hull can be filled with balls",
  function() scree.geometry.mesh({ points = corners, triangles = { { 1, 2, 3 } } }):spheres {} end)
fails("clump.from_mesh.sphere is not a known key; did you mean 'spheres'?", clump.from_mesh, { sphere = 1 })
fails("spheres.count must lie in [1, 4096], not 0", clump.from_mesh, { geometry = cube, spheres = 0 })
fails("no ball of that size fits into the solid", clump.from_mesh, { geometry = cube, smallest = 0.6 })
