---@meta
-- Annotations of hulls and meshes. docs/shapes.md says what they do.

---@class scree.World
local World = {}

---Adds the convex hull of points from a list or a file.
---@param def scree.HullDef
---@return scree.Body
function World:hull(def) end

---Adds a triangle mesh, fixed unless it is kinematic. Open and closed meshes are walls without thickness that act on both sides. With `solid = true` a
---mesh is a solid that pushes out bodies inside.
---@param def scree.MeshDef
---@return scree.Body
function World:mesh(def) end

---A hull or mesh that any number of shapes can use.
---@class scree.Geometry
local Geometry = {}

---Returns a table: type, closed (bounds a volume), solid (pushes out bodies inside), turned (number of triangles that were reversed), points, triangles and faces (numbers),
---volume [m3], center, min, max, welded (number of merged corners), dropped (number of triangles without area, which were removed).
---@return table
function Geometry:info() end

---Returns lists of the points [m] and triangles. Corners count from 1; in closed meshes and hulls they run counter-clockwise if seen from outside.
---@return scree.Vec3[] points, integer[][] triangles
function Geometry:lists() end

---Fills a closed mesh or a hull with overlapping balls. Returns a list of { x, y, z, radius }, the largest distance of the surface from the balls, and
---its mean [m]. Keys: count (largest number of balls, 20), deviation (no more balls are added below this distance), smallest (smallest radius; default: a tenth of
---the largest), samples (number of sample points on the surface, 1000). `scree.clump.from_mesh` makes shapes of the balls.
---@param def? { count?: integer, deviation?: number, smallest?: number, samples?: integer }
---@return number[][] balls, number deviation, number mean
function Geometry:spheres(def) end

---@class scree.geometry
local geometry = {}

---Returns the convex hull of at least four points that do not lie in a plane: `scree.geometry.hull { points = {...} }`.
---@param def { points?: scree.Vec3[], file?: string, scale?: number, up?: "file"|"x"|"y"|"z", unit?: string, place?: any[][] }
---@return scree.Geometry
function geometry.hull(def) end

---Returns a triangle mesh from lists or a file (STL, OBJ, PLY, glTF, COLLADA). The axis `up` of the file becomes z ("file": the axis that the file declares): `scree.geometry.mesh { file = "chute.stl", scale = 1e-3 }`.
---@param def { points?: scree.Vec3[], triangles?: integer[][], file?: string, scale?: number, up?: "file"|"x"|"y"|"z", unit?: string, place?: any[][], weld?: number, closed?: boolean, solid?: boolean }
---@return scree.Geometry
function geometry.mesh(def) end

---Returns the groups of an OBJ file (its objects, or its groups) or of a PLY file (parts that share no vertex). `scree.rock.read` makes blocks of them.
---@param def { file: string, scale?: number, up?: "file"|"x"|"y"|"z", unit?: string, place?: any[][] }
---@return { name: string, points: number[][], triangles: integer[][] }[]
function geometry.groups(def) end
