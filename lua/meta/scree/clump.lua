---@meta scree.clump
-- Annotations of clumps. docs/clumps.md explains them.

---Clumps of balls in the shape of a mesh.
---@class scree.clump
local clump = {}

---Fills a closed mesh with overlapping balls. Returns shapes for `w:template`, and a report: spheres, deviation (largest distance of
---the surface from the balls [m]), mean (mean distance over the surface [m]), volume of the mesh [m3]. The result depends only on the arguments, to the last bit.
---@param def scree.ClumpDef
---@return scree.Template def, { spheres: integer, deviation: number, mean: number, volume: number } report
function clump.from_mesh(def) end

---@class scree.ClumpDef
---@field file? string file of the mesh: STL, OBJ, PLY, glTF or COLLADA
---@field points? scree.Vec3[] points of the mesh, instead of a file [m]
---@field triangles? integer[][] triangles of the mesh, facing inwards or outwards
---@field scale? number factor of the coordinates; default: 1
---@field up? "file"|"x"|"y"|"z" axis of the file that becomes z
---@field unit? "m"|"mm"|"cm"|"um"|"km"|"in"|"ft" unit of the coordinates
---@field place? any[][] steps {"scale", factor}, {"rotate", axis, angle}, {"move", offset}
---@field weld? number corners whose coordinates differ by at most this are merged [m]
---@field closed? boolean true or nil: the mesh must be closed
---@field solid? boolean no effect, because the balls fill the volume of the mesh
---@field geometry? scree.Geometry a closed mesh or hull, instead of the keys above
---@field spheres? integer largest number of balls, 1 to 4096; default: 20
---@field deviation? number no more balls are added once the largest distance of the surface from them is below this [m]
---@field smallest? number radius of the smallest ball [m]; default: a tenth of the largest
---@field samples? integer number of sample points on the surface, 100 to 20000; default: 1000
---@field material? string of the balls
---@field density? number of the balls, instead of the material's [kg/m3]

return clump
