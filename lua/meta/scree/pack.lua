---@meta scree.pack
-- Annotations of packings. docs/cells.md has examples.

---Dense packings of grains in a cell or a box, as initial states.
---@class scree.pack
local pack = {}

---Fills the cell of a world, or a box, with a dense packing at rest, which depends on the seed of the run. With `fraction` the space does
---not change, and all sizes are multiplied by a factor near 1. With `pressure` the grains keep their sizes; the cell gets the size at which
---they balance this stress, and the stress then drives the cell.
---@param w scree.World
---@param def scree.PackDef
---@return scree.Packing
function pack.create(w, def) end

---@class scree.PackDef
---@field fraction? number solid fraction of the packing, between 0 and 1; fraction or pressure is required
---@field pressure? number stress on the packing [Pa], > 0; the cell must be periodic along all edges
---@field grains? integer number of grains, with pressure; default: grains that fill 0.6 of the present volume of the cell
---@field mu? number friction between grains while the pressure acts; default: 0
---@field region? scree.Region box to fill; its faces act as walls, except periodic faces of the cell; default: the whole cell
---@field radius? number radius of the grains [m]; radius, sizes, shape or template is required
---@field radius_max? number radii are distributed uniformly between radius and radius_max [m]
---@field sizes? scree.SizesDef distribution of the diameters, instead of radius
---@field shape? scree.ShapeDef shape of the grains instead of spheres, with its own size
---@field template? scree.Template grains of several shapes
---@field material? string name of a material
---@field density? number instead of the material's [kg/m3]
---@field group? integer tag of the grains

---The result of a packing.
---@class scree.Packing
---@field grains integer number of grains
---@field fraction number solid fraction
---@field scale number factor that all sizes were multiplied by; 1 with pressure
---@field coordination number mean number of loaded contacts per grain without rattlers, in the compressed packing
---@field rattlers integer number of grains with fewer than two loaded contacts
---@field settled boolean whether the fraction was reached, or the packing no longer changed under the pressure

return pack
