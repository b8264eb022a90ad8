-- Keys of a mesh or hull beside a geometry, and tables of keys that make several bodies.
local scree = require "scree"
local check = require "check"
local refuse = check.fails
local corners = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
local outwards = { { 1, 3, 2 }, { 1, 2, 4 }, { 2, 3, 4 }, { 1, 4, 3 } }

-- ---- keys beside a geometry ----
local mesh = scree.geometry.mesh { points = corners, triangles = outwards }
local hull = scree.geometry.hull { points = corners }
local w = scree.world { dt = 1e-3 }
local keys = { points = corners, file = "a.stl", scale = 2, up = "x", unit = "mm", place = { { "scale", 2 } } }
local of_meshes = { triangles = outwards, weld = 0.1, closed = true, solid = true }
local function beside(type, key, value)
  local text = type .. "." .. key .. " stands beside geometry; give it to scree.geometry." .. type .. "{...}"
  local def = { geometry = type == "mesh" and mesh or hull, [key] = value }
  refuse(text, w[type], w, def)
  def.type = type
  refuse("body.shapes[1]." .. key .. " stands beside geometry; give it to scree.geometry." .. type .. "{...}", w.body, w, { kind = "fixed", shapes = { def } })
  if type == "hull" then refuse("." .. key .. " stands beside geometry", w.template, w, { shapes = { def } }) end
end
for key, value in pairs(keys) do
  beside("mesh", key, value)
  beside("hull", key, value)
end
for key, value in pairs(of_meshes) do beside("mesh", key, value) end
beside("mesh", "solid", false)
beside("mesh", "closed", false)
-- keys of the body and of the shape are allowed with a geometry
w:mesh { geometry = mesh, kind = "kinematic", position = { 1, 2, 3 }, axis = { 0, 0, 1 }, angle = 1, layer = 2, name = "wall" }
w:body { shapes = { { type = "hull", geometry = hull, position = { 5, 0, 0 }, axis = { 0, 0, 1 }, angle = 1, density = 7 } } }

-- ---- a table that makes several bodies ----
local def = { points = corners, triangles = outwards, position = { 10, 0, 0 } }
local function width(body) return w:ray({ from = { 10.1, 0.1, 90 }, direction = { 0, 0, -1 } }).body == body and 90 - w:ray({ from = { 10.1, 0.1, 90 }, direction = { 0, 0, -1 } }).distance end
local first = w:mesh(def)
check.near(width(first), 0.8, 1e-9)
first:remove()
assert(def.geometry == nil) -- the table stays as it was written
local again = w:mesh(def)
check.near(width(again), 0.8, 1e-9)
again:remove()
-- a key that is changed between two uses counts
def.scale = 2
local large = w:mesh(def)
check.near(width(large), 1.8, 1e-9)
large:remove()
def.type = nil
local copy = {}
for key, value in pairs(def) do copy[key] = value end
w:mesh(copy):remove()
-- so does the type: the same points as a hull
local block = w:hull { points = corners, position = { 10, 0, 0 }, kind = "fixed" }
block:remove()
local shape = { type = "hull", points = corners }
local template = w:template { shapes = { shape } }
check.near(template.mass, 1000 / 6, 1e-9)
shape.points = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
check.near(w:template({ shapes = { shape } }).mass, 1000 / 3, 1e-9)

print("mesh_keys: ok")
