-- Rays against distances in closed form: from above, slanted, from inside and away, for every shape.
local scree = require "scree"
local near = require("check").within

local function body(type, def)
  local w = scree.world { gravity = { 0, 0, 0 } }
  w[type](w, def)
  return w
end
-- checks that the ray from `from` along `d`, of any length, hits at `distance` with the normal n; distance nil: no hit
local function meets(what, w, from, d, distance, n)
  local length = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
  local hit = w:ray { from = from, direction = { d[1] / length, d[2] / length, d[3] / length } }
  if not distance then return assert(not hit, what .. ": meets where nothing is") end
  assert(hit, what .. ": meets nothing")
  near(hit.distance, distance, 1e-12, what .. ": distance")
  for k = 1, n and 3 or 0 do near(hit.normal[k], n[k], 1e-12, what .. ": normal " .. k) end
end

local half = body("halfspace", { normal = { 0, 0, 1 }, point = { 5, 5, 0.5 } })
meets("half-space from above", half, { 0, 0, 2 }, { 0, 0, -1 }, 1.5, { 0, 0, 1 })
meets("half-space, slanted", half, { 1, 2, 2 }, { 3, 0, -4 }, 1.875, { 0, 0, 1 })
meets("half-space, slanted along y", half, { 1, 2, 2 }, { 0, -3, -4 }, 1.875)
meets("half-space from inside", half, { 0, 0, 0.4 }, { 0, 0, 1 }, 0)
meets("half-space, along it", half, { 0, 0, 2 }, { 1, 0, 0 })
meets("half-space, away", half, { 0, 0, 2 }, { 0, 0, 1 })
half = body("halfspace", { normal = { 0.6, 0, 0.8 }, point = { 0, 0, 0 } })
meets("slope from above", half, { 0, 0, 2 }, { 0, 0, -1 }, 2, { 0.6, 0, 0.8 })
meets("slope, along x", half, { 3, 0, 0 }, { -1, 0, 0 }, 3)

local ball = body("sphere", { radius = 0.5, position = { 1, 0, 0 } })
meets("sphere, head on", ball, { -1, 0, 0 }, { 1, 0, 0 }, 1.5, { -1, 0, 0 })
meets("sphere, off centre", ball, { -1, 0.3, 0 }, { 1, 0, 0 }, 1.6, { -0.8, 0.6, 0 })
meets("sphere from inside", ball, { 1.2, 0, 0 }, { 1, 0, 0 }, 0)
meets("sphere behind", ball, { 2, 0, 0 }, { 1, 0, 0 })
meets("sphere missed", ball, { -1, 0.51, 0 }, { 1, 0, 0 })

local box = body("box", { size = { 2, 4, 6 } })
meets("box, face x", box, { 3, 1, 2 }, { -1, 0, 0 }, 2, { 1, 0, 0 })
meets("box, face y", box, { 0.5, 5, -1 }, { 0, -1, 0 }, 3, { 0, 1, 0 })
meets("box, slanted onto face z", box, { -1, 0, 7 }, { 3, 0, -20 }, math.sqrt(9 + 400) / 5, { 0, 0, 1 })
meets("box from inside", box, { 0, 0, 0 }, { 1, 0, 0 }, 0)
meets("box missed", box, { 3, 2.1, 0 }, { -1, 0, 0 })

local capsule = body("capsule", { radius = 0.5, length = 2 })
meets("capsule, side", capsule, { 2, 0.3, 0.7 }, { -1, 0, 0 }, 1.6, { 0.8, 0.6, 0 })
meets("capsule, cap", capsule, { 0.3, 0, 4 }, { 0, 0, -1 }, 2.6, { 0.6, 0, 0.8 })
meets("capsule from inside its cap", capsule, { 0, 0, 1.4 }, { 0, 0, 1 }, 0)
meets("capsule missed", capsule, { 2, 0.51, 0 }, { -1, 0, 0 })

local cylinder = body("cylinder", { radius = 0.5, length = 2 })
meets("cylinder, side", cylinder, { 2, 0.3, 0.7 }, { -1, 0, 0 }, 1.6, { 0.8, 0.6, 0 })
meets("cylinder, flat end", cylinder, { 0.3, 0.2, 4 }, { 0, 0, -1 }, 3, { 0, 0, 1 })
meets("cylinder, slanted onto its end", cylinder, { -1.2, 0, 2.5 }, { 3, 0, -4 }, 1.875, { 0, 0, 1 })
meets("cylinder missed beside its end", cylinder, { 0.51, 0, 4 }, { 0, 0, -1 })

-- a cone of height 0.8 reaches from z = -0.4, where its base has the radius 0.6, to 0.4
local cone = body("cone", { radius = 0.6, length = 0.8 })
meets("cone, base", cone, { 0.3, 0, -2 }, { 0, 0, 1 }, 1.6, { 0, 0, -1 })
meets("cone, side at half its height", cone, { 2, 0, 0 }, { -1, 0, 0 }, 1.7, { 0.8, 0, 0.6 })
meets("cone, tip", cone, { 0, 0, 2 }, { 0, 0, -1 }, 1.6)
meets("cone missed above", cone, { 2, 0, 0.41 }, { -1, 0, 0 })

local ellipsoid = body("ellipsoid", { size = { 2, 4, 6 } })
meets("ellipsoid, axis x", ellipsoid, { 4, 0, 0 }, { -1, 0, 0 }, 3, { 1, 0, 0 })
meets("ellipsoid, axis z", ellipsoid, { 0, 0, -5 }, { 0, 0, 1 }, 2, { 0, 0, -1 })
meets("ellipsoid, off centre", ellipsoid, { 4, 1.2, 0 }, { -1, 0, 0 }, 3.2)
meets("ellipsoid from inside", ellipsoid, { 0, 1.9, 0 }, { 0, 1, 0 }, 0)
local super = body("superellipsoid", { size = { 2, 4, 6 }, e1 = 1, e2 = 1 })
near(super:ray({ from = { 4, 1.2, 0 }, direction = { -1, 0, 0 } }).distance, 3.2, 1e-9, "superellipsoid that is an ellipsoid")

local corners = {}
for _, x in ipairs { -1, 1 } do
  for _, y in ipairs { -2, 2 } do
    for _, z in ipairs { -3, 3 } do corners[#corners + 1] = { x, y, z } end
  end
end
local hull = body("hull", { points = corners })
meets("hull, face", hull, { 3, 1, 2 }, { -1, 0, 0 }, 2, { 1, 0, 0 })
meets("hull, slanted", hull, { -1, 0, 7 }, { 3, 0, -20 }, math.sqrt(9 + 400) / 5, { 0, 0, 1 })
meets("hull from inside", hull, { 0.9, 0, 0 }, { -1, 0, 0 }, 0)
meets("hull missed", hull, { 3, 2.1, 0 }, { -1, 0, 0 })
local tetrahedron = { points = { { 0, 0, 0 }, { 3, 0, 0 }, { 0, 3, 0 }, { 0, 0, 3 } }, triangles = { { 1, 3, 2 }, { 1, 2, 4 }, { 1, 4, 3 }, { 2, 3, 4 } }, closed = true, kind = "fixed" }
local mesh, third = body("mesh", tetrahedron), 1 / math.sqrt(3)
meets("mesh, slanted face", mesh, { 1, 1, 4 }, { 0, 0, -1 }, 3, { third, third, third })
meets("mesh, flat face", mesh, { 0.5, 0.5, -2 }, { 0, 0, 1 }, 2, { 0, 0, -1 })
meets("mesh from inside", mesh, { 0.5, 0.5, 0.5 }, { 0, 0, 1 }, 1.5)
meets("mesh missed", mesh, { 2, 2, 4 }, { 0, 0, -1 })
