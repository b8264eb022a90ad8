-- Meshes that are not convex: mass of a torus against its formulas, hulls that cover it, two links that hang in each other; open meshes are errors, inverted ones are reversed.
local scree = require "scree"
local decompose = require "scree.decompose"
local check = require "check"
local fails, near = check.fails, check.within
local function torus(R, r, n, m)
  local points, triangles = {}, {}
  for i = 0, n - 1 do
    for k = 0, m - 1 do
      local a, b = 2 * math.pi * i / n, 2 * math.pi * k / m
      points[#points + 1] = { (R + r * math.cos(b)) * math.cos(a), (R + r * math.cos(b)) * math.sin(a), r * math.sin(b) }
    end
  end
  local function at(i, k) return (i % n) * m + k % m + 1 end
  for i = 0, n - 1 do
    for k = 0, m - 1 do
      triangles[#triangles + 1] = { at(i, k), at(i + 1, k), at(i + 1, k + 1) }
      triangles[#triangles + 1] = { at(i, k), at(i + 1, k + 1), at(i, k + 1) }
    end
  end
  return points, triangles
end
local points, triangles = torus(0.1, 0.02, 48, 24)
local volume, centre, inertia = decompose.mass(points, triangles)
near(volume / (2 * math.pi ^ 2 * 0.1 * 0.02 ^ 2), 1, 0.02, "volume")
near(inertia[6] / (volume * (0.1 ^ 2 + 0.75 * 0.02 ^ 2)), 1, 0.02, "inertia about the axis")
near(math.abs(centre[1]) + math.abs(centre[2]) + math.abs(centre[3]), 0, 1e-12, "centre")
local coarse, ct = torus(0.1, 0.02, 16, 8)
local hulls, empty = decompose.hulls(coarse, ct, { parts = 48 })
assert(#hulls > 8 and empty < 0.15, #hulls .. " " .. empty)
-- the volume of the hulls is that of the mesh and the empty part, which is within the tolerance
local held, within = 0, decompose.mass(coarse, ct)
for _, hull in ipairs(hulls) do held = held + hull:info().volume end
near(held / within, 1 + empty, 1e-12, "volume of the hulls")
assert(empty > 0 and empty <= 0.02, empty)
local rough, more = decompose.hulls(coarse, ct, { tolerance = 0.1 })
assert(#rough < #hulls and more > empty and more <= 0.1, #rough .. " " .. more)
-- the hole is open, the ring is not
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 5e-4 }
w:pair { "default", "default", mu = 0.3 }
local held = decompose.body(w, { points = coarse, triangles = ct, parts = 48, density = 7800, position = { 0, 0, 1 }, orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 } })
assert(w:ray { from = { 0, -1, 1 }, direction = { 0, 1, 0 } } == nil and w:ray { from = { 0.1, -1, 1 }, direction = { 0, 1, 0 } })
held:set_kind "fixed"
-- a second link through the first hangs in it
local link = decompose.body(w, { points = coarse, triangles = ct, hulls = hulls, density = 7800, position = { 0, 0, 0.841 }, orientation = { 0.5, 0.5, 0.5, 0.5 } })
local _, _, top = link:position()
w:step(2500)
local _, _, z = link:position()
assert(z > 0.82 and z < 0.86, "the link hangs: " .. z)
near(link:mass(), 7800 * (decompose.mass(coarse, ct)), 1e-9, "mass")
fails("open", decompose.hulls, { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, { { 1, 2, 3 } })
local flipped = {}
for i, t in ipairs(ct) do flipped[i] = { t[1], t[3], t[2] } end
-- triangles that face inwards, or both ways, are reversed
for _, list in ipairs { flipped, table.move(flipped, 1, #ct // 2, 1, { table.unpack(ct) }) } do
  near(decompose.mass(coarse, list) / within, 1, 1e-12, "mass of turned triangles")
  local turned, left = decompose.hulls(coarse, list, { parts = 48 })
  assert(#turned == #hulls and math.abs(left - empty) < 1e-9, #turned .. " " .. left)
  local ring = decompose.body(w, { points = coarse, triangles = list, parts = 8, position = { 5, 0, 0 } })
  near(ring:mass() / (1000 * within), 1, 1e-12, "body of turned triangles")
  ring:remove()
end
-- keys of meshes: files, units, places; separate triangles are welded
local name = os.tmpname()
os.remove(name)
name = name .. ".obj"
local file, soup, of_soup = assert(io.open(name, "w")), {}, {}
for i, t in ipairs(ct) do
  for k = 1, 3 do
    local p = coarse[t[k]]
    soup[#soup + 1] = p
    file:write(("v %.17g %.17g %.17g\n"):format(1e3 * p[1], 1e3 * p[2], 1e3 * p[3]))
  end
  of_soup[i] = { #soup - 2, #soup - 1, #soup }
  file:write(("f %d %d %d\n"):format(#soup - 2, #soup - 1, #soup))
end
file:close()
local clump = require "scree.clump"
local place = { { "rotate", { 1, 0, 0 }, "90 deg" }, { "move", { 0, 0, "10 cm" } } }
for _, def in ipairs {
  { file = name, unit = "mm", place = place }, { file = name, scale = 1e-3, up = "z", weld = "1 um", closed = true, place = place },
  { points = soup, triangles = of_soup, place = place, solid = true }, { points = coarse, triangles = flipped, unit = "m", place = place },
} do
  def.spheres = 4
  local _, report = clump.from_mesh(def)
  near(report.volume / within, 1, 1e-9, "volume of a clump's mesh")
  def.spheres, def.parts, def.density, def.position = nil, 8, "2 g/cm3", { 5, 0, 0 }
  local ring = decompose.body(w, def)
  near(ring:mass() / (2000 * within), 1, 1e-9, "mass by the keys of meshes")
  local x, y, z = ring:position() -- of the centre of mass, which place has moved
  near(x, 5, 1e-9)
  near(y, 0, 1e-9)
  near(z, 0.1, 1e-9)
  assert(not w:ray { from = { 5, -1, 0.1 }, direction = { 0, 1, 0 } } and w:ray { from = { 5.1, -1, 0.1 }, direction = { 0, 1, 0 } })
  ring:remove()
end
os.remove(name)
near(decompose.mass(soup, of_soup) / within, 1, 1e-9, "mass of a soup")
local geometry = scree.geometry.mesh { points = coarse, triangles = ct }
for key, value in pairs { unit = "mm", solid = true, file = "a.stl", points = coarse, weld = 0 } do
  local text = "." .. key .. " stands beside geometry; give it to scree.geometry.mesh{...}"
  fails("decompose.body" .. text, decompose.body, w, { geometry = geometry, [key] = value })
  fails("clump.from_mesh" .. text, clump.from_mesh, { geometry = geometry, [key] = value })
end
fails("decompose.body.unti is not a known key; did you mean 'unit'", decompose.body, w, { file = name, unti = "mm" })
fails("decompose.body.inertia is not a known key", decompose.body, w, { geometry = geometry, inertia = { 1, 1, 1, 0, 0, 0 } })
fails("closed = false says nothing", decompose.body, w, { points = coarse, triangles = ct, closed = false })
-- every key of a body except those that the mesh determines
local keys = fails("known are", w.body, w, { [("x"):rep(20)] = 1 }):match "known are (.*)"
local given = { shapes = true, template = true, scale = true, inertia = true, centre = true }
local refused = fails("known are", decompose.body, w, { [("x"):rep(20)] = 1 })
for key in keys:gmatch "[%w_]+" do assert(given[key] or (refused .. ","):find("[ ,]" .. key .. "[,\n]"), key) end
print("decompose: ok", #hulls, empty, z)
