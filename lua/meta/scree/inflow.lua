---@meta scree.inflow
-- Annotations of inflow planes. docs/scenes.md has an example.

---A moving inflow plane: it pushes the grains before it into the domain; after one layer spacing it is put back, and a new layer of grains is
---laid into the gap. All that changes is kept in w.state.
---@class scree.inflow
local inflow = {}

---Makes the plane and lays the first layer. To be called in `setup`.
---@param w scree.World
---@param def scree.InflowDef
---@return scree.Inflow
function inflow.create(w, def) end

---Puts every plane that has moved by a whole layer back and lays the next one. To be called before each step.
---@param w scree.World
function inflow.update(w) end

---@class scree.InflowDef
---@field min scree.Vec3 lower corner of the cross-section [m]; along the axis the plane starts here
---@field max scree.Vec3 upper corner of the cross-section [m]; its coordinate along the axis is not used
---@field spacing number lattice constant of a layer [m], at least 2 radius
---@field layer_spacing? number distance of layers along the axis [m], at least 2 radius; `spacing` without it
---@field radius? number radius of the grains [m], > 0; this or sizes is required
---@field radius_max? number radii are uniform between radius and this [m]
---@field sizes? scree.SizesDef distribution of the diameters of balls, instead of radius
---@field shape? scree.ShapeDef shape of the grains instead of spheres, of its own size; radius is then how far centres keep inside the cross-section
---@field template? scree.Template grains of several shapes, randomly turned; radius and sizes are those of the ball of their volume
---@field speed? number of the plane and of new grains, along the axis [m/s], > 0; 1 without it
---@field jitter? number|scree.Vec3 random part of the velocity [m/s], uniform within +- this: across the axis, or a vector; 0 without it
---@field axis? integer 1, 2 or 3: the plane moves towards +x, +y or +z; 1 without it
---@field name? string of the plane's body; "inflow" without it, each inflow of a world has its own
---@field material? string of plane and grains
---@field density? number of the grains instead of the material's [kg/m3], > 0
---@field group? integer tag of the grains; 0 without it

---What describes an inflow, a plain table with the keys it was made of, and the account of what was laid.
---@class scree.Inflow : scree.InflowDef
---@field layers integer laid so far
---@field grains integer laid so far
---@field start number coordinate along the axis where the plane began [m]

return inflow
