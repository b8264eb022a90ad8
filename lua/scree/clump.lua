--- Clumps of balls in the shape of a mesh.
---
---   local clump = require "scree.clump"
---   local def, report = clump.from_mesh { file = "stone.stl", scale = 1e-3, spheres = 30 }
---   local stone = w:template(def)
---   w:insert { template = stone, ... }
local scree = require "scree"
local clump = {}

local mesh_keys =
  { "points", "triangles", "file", "scale", "up", "unit", "place", "weld", "closed", "solid" }
local known = {
  "geometry",
  "material",
  "spheres",
  "samples",
  deviation = "m",
  smallest = "m",
  density = "kg/m3",
  table.unpack(mesh_keys),
}

-- Returns the solid to fill: def.geometry, or a closed mesh made from the keys of meshes.
local function solid(def)
  local mesh = { closed = true }
  for _, key in ipairs(mesh_keys) do
    if def[key] ~= nil and def.geometry then
      error("clump.from_mesh." .. key .. " stands beside geometry; give it to scree.geometry.mesh{...}", 3)
    end
    if def[key] ~= nil then mesh[key] = def[key] end
  end
  return def.geometry or scree.geometry.mesh(mesh)
end

--- Fills a closed solid with balls. The solid is a mesh (keys of scree.geometry.mesh) or a geometry, which
--- may be a hull. The number of balls is at most `spheres`. The function stops early when every point of the
--- surface lies within `deviation` [m] of a ball. Returns the shapes for w:template, and a report with these
--- fields: spheres, deviation (largest distance of the surface from the balls), mean (mean distance), volume
--- (of the solid).
function clump.from_mesh(def)
  def = scree.check_keys(def, known, "clump.from_mesh")
  if def.geometry ~= nil then scree.check_type(def.geometry, "geometry", "clump.from_mesh", "as geometry") end
  local geometry = solid(def)
  local balls, deviation, mean = geometry:spheres {
    count = def.spheres,
    deviation = def.deviation,
    smallest = def.smallest,
    samples = def.samples,
  }
  local shapes = {}
  for i, b in ipairs(balls) do
    shapes[i] = {
      type = "sphere",
      position = { b[1], b[2], b[3] },
      radius = b[4],
      material = def.material,
      density = def.density,
    }
  end
  return { shapes = shapes }, {
    spheres = #balls,
    deviation = deviation,
    mean = mean,
    volume = geometry:info().volume,
  }
end

return clump
