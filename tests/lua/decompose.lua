-- Meshes that are not convex: mass of a torus against its formulas, hulls that cover it, two links that hang in each other; open and inverted meshes are refused.
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
-- what hulls hold is the mesh and what they leave empty, which is within the tolerance
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
fails("look outwards", decompose.hulls, coarse, flipped)
print("decompose: ok", #hulls, empty, z)
