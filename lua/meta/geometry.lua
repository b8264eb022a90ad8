---@meta
-- Annotations of hulls and meshes. docs/shapes.md says what they do.

---@class scree.World
local World = {}

---Adds a convex hull of points, given or from a file; faces are computed.
---@param def scree.HullDef
---@return scree.Body
function World:hull(def) end

---Adds a triangle mesh, fixed unless it is kinematic: a solid if it is closed, else a wall of no thickness.
---@param def scree.MeshDef
---@return scree.Body
function World:mesh(def) end

---A hull or mesh, made once and used by any number of shapes.
---@class scree.Geometry
local Geometry = {}

---type, closed, numbers of points, triangles, faces, volume [m3], center, min, max.
---@return table
function Geometry:info() end

---@class scree.geometry
local geometry = {}

---Convex hull of at least four points that do not lie in a plane: `scree.geometry.hull { points = {...} }`.
---@param def { points?: scree.Vec3[], file?: string, scale?: number }
---@return scree.Geometry
function geometry.hull(def) end

---Triangle mesh from lists or an STL or OBJ file: `scree.geometry.mesh { file = "chute.stl", scale = 1e-3 }`.
---@param def { points?: scree.Vec3[], triangles?: integer[][], file?: string, scale?: number, closed?: boolean }
---@return scree.Geometry
function geometry.mesh(def) end
