---@meta scree.inflow
-- Annotations of inflow planes. docs/scenes.md has an example.

---A moving inflow plane: it pushes the grains in front of it into the domain. After one layer spacing the plane jumps back, and a new layer
---of grains fills the gap. The state of the inflows is in w.state.
---@class scree.inflow
local inflow = {}

---Makes the plane and places the first layer. Call it in `setup`.
---@param w scree.World
---@param def scree.InflowDef
---@return scree.Inflow
function inflow.create(w, def) end

---Moves every plane that has advanced by a layer spacing back and places the next layer. Call it before each step.
---@param w scree.World
function inflow.update(w) end

---@class scree.InflowDef
---@field min scree.Vec3 lower corner of the cross-section [m]; along the axis the plane starts here
---@field max scree.Vec3 upper corner of the cross-section [m]; its coordinate along the axis is not used
---@field spacing number lattice constant of a layer [m], at least 2 radius
---@field layer_spacing? number distance of layers along the axis [m], at least 2 radius; default: `spacing`
---@field radius? number radius of the grains [m], > 0; radius or sizes is required
---@field radius_max? number radii are distributed uniformly between radius and radius_max [m]
---@field sizes? scree.SizesDef distribution of the diameters of balls, instead of radius
---@field shape? scree.ShapeDef shape of the grains instead of spheres, with its own size; radius is then the distance of centres from the edge of the cross-section
---@field template? scree.Template grains of several shapes, in random orientations; radius and sizes are those of a ball of equal volume
---@field speed? number of the plane and of new grains, along the axis [m/s], > 0; default: 1
---@field jitter? number|scree.Vec3 random part of the velocity [m/s], uniform between -jitter and jitter: a number for the axes perpendicular to `axis`, or a vector; default: 0
---@field axis? integer 1, 2 or 3: the plane moves towards +x, +y or +z; default: 1
---@field name? string name of the plane's body, unique in the world; default: "inflow"
---@field material? string of plane and grains
---@field density? number of the grains instead of the material's [kg/m3], > 0
---@field group? integer tag of the grains; default: 0

---The plain table that describes an inflow: the keys that it was made with, and the numbers of layers and grains placed.
---@class scree.Inflow : scree.InflowDef
---@field layers integer number of layers placed so far
---@field grains integer number of grains placed so far
---@field start number coordinate along the axis at which the plane started [m]

return inflow
