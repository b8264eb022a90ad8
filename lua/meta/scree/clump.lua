---@meta scree.clump
-- Annotations of clumps. docs/clumps.md explains them.

---Clumps of balls in the shape of a mesh.
---@class scree.clump
local clump = {}

---Fills a closed mesh with balls that lie over each other. Returns shapes for `w:template`, and a report: spheres, deviation (largest distance of
---the surface from the balls [m]), mean (over the surface [m]), volume of the mesh [m3]. The same mesh gives the same bits.
---@param def scree.ClumpDef
---@return scree.Template def, { spheres: integer, deviation: number, mean: number, volume: number } report
function clump.from_mesh(def) end

---@class scree.ClumpDef
---@field file? string file of the mesh: STL, OBJ, PLY, glTF or COLLADA
---@field points? scree.Vec3[] or its points [m]
---@field triangles? integer[][] and triangles, in any sense
---@field scale? number of coordinates; 1 without it
---@field up? "file"|"x"|"y"|"z" axis of the file that becomes z
---@field unit? "m"|"mm"|"cm"|"um"|"km"|"in"|"ft" unit of the coordinates
---@field place? any[][] steps {"scale", factor}, {"rotate", axis, angle}, {"move", offset}
---@field weld? number corners whose coordinates differ by no more are merged [m]
---@field closed? boolean true or nil: the mesh must be closed
---@field solid? boolean no effect: the body is the volume of the mesh
---@field geometry? scree.Geometry a closed mesh or hull, in place of the keys above
---@field spheres? integer balls at most, 1 to 4096; 20 without it
---@field deviation? number fewer balls, once no point of the surface is further from them [m]
---@field smallest? number radius of the smallest ball [m]; a tenth of the largest without it
---@field samples? integer points of the surface that are looked at, 100 to 20000; 1000 without it
---@field material? string of the balls
---@field density? number of the balls, instead of the material's [kg/m3]

return clump
