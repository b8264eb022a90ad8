---@meta scree.pack
-- Annotations of packings. docs/cells.md has examples.

---Dense packings of grains in a cell or a box, as a start for everything else.
---@class scree.pack
local pack = {}

---Fills the cell of a world, or a box, with a dense packing at rest, the same for the same seed of the run. With `fraction` the space stays
---as it is and all sizes are fitted to it by one factor near 1. With `pressure` grains keep their sizes; the cell gets the size in which
---they carry that stress, and is driven by it from then on.
---@param w scree.World
---@param def scree.PackDef
---@return scree.Packing
function pack.create(w, def) end

---@class scree.PackDef
---@field fraction? number solid fraction wanted, between 0 and 1; this or pressure is required
---@field pressure? number stress that the grains are to carry [Pa], > 0; the cell must be periodic along all edges
---@field grains? integer how many, with pressure; without it 0.6 of the cell's volume as it is
---@field mu? number friction between grains while the pressure acts; 0 without it
---@field region? scree.Region box to fill, with walls; along edges that the cell repeats, its faces are none. The whole cell without it
---@field radius? number radius of the grains [m]; this, sizes, shape or template is required
---@field radius_max? number radii are uniform between radius and this [m]
---@field sizes? scree.SizesDef distribution of the diameters, instead of radius
---@field shape? scree.ShapeDef shape of the grains instead of spheres, of its own size
---@field template? scree.Template grains of several shapes
---@field material? string name of a material
---@field density? number instead of the material's [kg/m3]
---@field group? integer tag of the grains

---What was made.
---@class scree.Packing
---@field grains integer how many
---@field fraction number solid fraction
---@field scale number factor that all sizes were fitted by; 1 with pressure
---@field coordination number contacts that carry per grain, rattlers left out; of the pressed packing
---@field rattlers integer grains with fewer than two such contacts
---@field settled boolean whether the fraction was met, or the pressure left the packing as it was

return pack
