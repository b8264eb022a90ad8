---@meta
-- Annotations of rays. docs/rays.md has the conventions.

---@class scree.World
local World = {}

---Returns the first hit of a ray within its reach, or nil. A ray hits a solid where it enters it; if the ray starts inside, the distance is 0. It hits a mesh from either
---side. In a periodic cell it also hits images, and a reach is required.
---@param def scree.RayDef
---@return scree.Hit?
function World:ray(def) end

---Casts many rays at once. `from` and `direction` are a vector, or a list of one vector per ray. Returns lists of distances (math.huge: no hit), of bodies
---and of normals (false: no hit).
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
