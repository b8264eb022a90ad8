---@meta
-- Annotations of hulls and meshes. docs/shapes.md says what they do.

---@class scree.World
local World = {}

---Adds a convex hull of points, given or from a file; faces are computed.
---@param def scree.HullDef
---@return scree.Body
function World:hull(def) end

---Adds a triangle mesh, fixed unless it is kinematic. Open and closed meshes are walls without thickness that act on both sides. With `solid = true` a
---mesh is a solid that pushes out bodies inside.
---@param def scree.MeshDef
---@return scree.Body
function World:mesh(def) end

---A hull or mesh, made once and used by any number of shapes.
---@class scree.Geometry
local Geometry = {}

---type, closed (bounds a volume), solid (pushes out bodies inside), turned (triangles whose sense was changed), numbers of points, triangles, faces,
---volume [m3], center, min, max; numbers of corners welded and of triangles dropped because they have no area.
---@return table
function Geometry:info() end

---Its points [m] and triangles (corners counted from 1; of closed meshes and hulls counter-clockwise seen from outside), as lists.
---@return scree.Vec3[] points, integer[][] triangles
function Geometry:lists() end

---Balls within a closed mesh or a hull that lie over each other and have its shape: a list of { x, y, z, radius }, the largest distance of the
---surface from them, and its mean [m]. Keys: count (20 at most without it), deviation (fewer, once it is down to this), smallest (radius; a tenth of
---the largest without it), samples (points of the surface that are looked at, 1000). `scree.clump.from_mesh` makes shapes of them.
---@param def? { count?: integer, deviation?: number, smallest?: number, samples?: integer }
---@return number[][] balls, number deviation, number mean
function Geometry:spheres(def) end

---@class scree.geometry
local geometry = {}

---Convex hull of at least four points that do not lie in a plane: `scree.geometry.hull { points = {...} }`.
---@param def { points?: scree.Vec3[], file?: string, scale?: number, up?: "file"|"x"|"y"|"z", unit?: string, place?: any[][] }
---@return scree.Geometry
function geometry.hull(def) end

---Triangle mesh from lists or a file (STL, OBJ, PLY, glTF, COLLADA), whose axis `up` becomes z ("file": as the file says): `scree.geometry.mesh { file = "chute.stl", scale = 1e-3 }`.
---@param def { points?: scree.Vec3[], triangles?: integer[][], file?: string, scale?: number, up?: "file"|"x"|"y"|"z", unit?: string, place?: any[][], weld?: number, closed?: boolean, solid?: boolean }
---@return scree.Geometry
function geometry.mesh(def) end
