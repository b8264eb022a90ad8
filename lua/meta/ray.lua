---@meta
-- Annotations of rays. docs/rays.md has the conventions.

---@class scree.World
local World = {}

---What a ray meets first within its reach; nil: nothing. A solid is met where the ray enters it, at distance 0 from inside; a mesh from either side. In a periodic
---cell images are met, too, and a reach is needed.
---@param def scree.RayDef
---@return scree.Hit?
function World:ray(def) end

---Many rays at once: `from` and `direction` are a vector each, or lists of one per ray. Lists of distances (math.huge: nothing met), of bodies and of
---normals (false: nothing met).
---@param def scree.RaysDef
---@return number[] distances, table bodies, table normals
function World:rays(def) end

---@class scree.RayDef
---@field from scree.Vec3
---@field direction scree.Vec3
---@field reach? number
---@field avoids? integer|integer[]
---@field without? scree.Body

---@class scree.RaysDef
---@field from scree.Vec3|scree.Vec3[]
---@field direction scree.Vec3|scree.Vec3[]
---@field reach? number
---@field avoids? integer|integer[]
---@field without? scree.Body

---@class scree.Hit
---@field body scree.Body
---@field distance number
---@field point scree.Vec3
---@field normal scree.Vec3
---@field shape integer
---@field triangle? integer
