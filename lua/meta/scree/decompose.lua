---@meta scree.decompose
-- Annotations of bodies made of meshes that are not convex. docs/shapes.md has an example.

---Closed meshes cut into hulls.
---@class scree.decompose
local decompose = {}

---Volume, centre and inertia about it at density 1 (xx, xy, xz, yy, yz, zz) of a closed mesh, exactly. The triangles may have any sense.
---@param points scree.Vec3[]
---@param triangles integer[][]
---@return number volume, scree.Vec3 centre, number[] inertia
function decompose.mass(points, triangles) end

---Hulls of a closed mesh, whose triangles may have any sense, and the share of its volume that is empty in them. options: parts, the most of them (32); tolerance, the share to stop at (0.02).
---@param points scree.Vec3[]
---@param triangles integer[][]
---@param options? { parts?: integer, tolerance?: number }
---@return scree.Geometry[] hulls, number empty
function decompose.hulls(points, triangles, options) end

---A body of these hulls with the mesh's own mass, centre and inertia. def: the keys of `scree.geometry.mesh` or a geometry; density or mass, parts, tolerance, material, layer, avoids, and the keys of bodies; hulls: those of
---an earlier cut of the same mesh.
---@param w scree.World
---@param def table
---@return scree.Body
function decompose.body(w, def) end
