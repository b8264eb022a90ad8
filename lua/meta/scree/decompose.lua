---@meta scree.decompose
-- Annotations of bodies made of meshes that are not convex. docs/shapes.md has an example.

---Decomposition of closed meshes into convex hulls.
---@class scree.decompose
local decompose = {}

---Returns volume, centre of mass, and inertia about it (xx, xy, xz, yy, yz, zz) of a closed mesh at density 1. The integrals are exact. The triangles may face inwards or outwards.
---@param points scree.Vec3[]
---@param triangles integer[][]
---@return number volume, scree.Vec3 centre, number[] inertia
function decompose.mass(points, triangles) end

---Decomposes a closed mesh into convex hulls. Returns the hulls, and their empty volume over the volume of the mesh. The triangles may face inwards or outwards. options: parts (largest number of hulls, 32), tolerance (empty volume over the volume of the mesh at which to stop, 0.02).
---@param points scree.Vec3[]
---@param triangles integer[][]
---@param options? { parts?: integer, tolerance?: number }
---@return scree.Geometry[] hulls, number empty
function decompose.hulls(points, triangles, options) end

---Adds a body of these hulls with mass, centre and inertia of the mesh. def: the keys of `scree.geometry.mesh` or a geometry; density or mass, parts, tolerance, material, layer, avoids, and the keys of bodies; hulls: the result
---of an earlier decomposition of this mesh.
---@param w scree.World
---@param def table
---@return scree.Body
function decompose.body(w, def) end
