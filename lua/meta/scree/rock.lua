---@meta scree.rock
-- Annotations of rock. docs/blocks.md has an example.

---Rock masses: a region cut by sets of joints into convex blocks, and blocks from files. z points up, y to the north, x to the east.
---@class scree.rock
local rock = {}

---Cuts a box or a closed mesh by sets of joints, one set after the other. Returns the blocks, and the volume of the blocks below `smallest`, which are dropped [m3].
---@param def scree.RockDef
---@return scree.RockBlock[] blocks, number lost
function rock.cut(def) end

---Reads convex blocks from an OBJ file (its objects or groups) or a PLY file (parts that share no vertex). A block that is not closed or not convex is an error.
---@param def { file: string, scale?: number, up?: "file"|"x"|"y"|"z", unit?: string, place?: any[][] }
---@return scree.RockBlock[]
function rock.read(def) end

---Adds a hull for each block. `name` and the number, or the name, of the block are the name of the body. Returns the bodies.
---@param w scree.World
---@param blocks scree.RockBlock[]
---@param def? { name?: string, kind?: string, material?: string, group?: integer, density?: number }
---@return scree.Body[]
function rock.add(w, blocks, def) end

---A convex block.
---@class scree.RockBlock
---@field points number[][] corners [m]
---@field volume number [m3]
---@field centre number[] centre of the volume [m]
---@field name? string name of the group of the file

---A region, by min and max or by a geometry, and the sets of joints that cut it.
---@class scree.RockDef
---@field min? scree.Vec3 corner of a box [m]
---@field max? scree.Vec3 opposite corner [m]
---@field geometry? scree.Geometry a closed mesh or a hull; blocks at its reentrant edges are cut along its faces
---@field sets scree.JointSet[]
---@field smallest? number smallest volume of a block [m3]; default: 1e-9 of the region
---@field seed? integer of persistence and jitter; default: 1

---Parallel planes. The normal of a plane with the dip d and the dip direction a is (sin d sin a, sin d cos a, cos d).
---@class scree.JointSet
---@field dip? number angle to the horizontal [rad]
---@field dip_direction? number of the steepest descent, clockwise from the north [rad]
---@field normal? scree.Vec3 instead of dip and dip_direction
---@field spacing? number distance of the planes [m], > 0; needed unless count is 1
---@field origin? scree.Vec3 a point of the first plane [m]; default: { 0, 0, 0 }
---@field count? integer number of planes, from the first one along the normal; default: through the whole region
---@field persistence? number probability that a block in the way of a plane is cut by it, 0 to 1; default: 1
---@field jitter? number random shift of each plane, at most this share of the spacing, 0 to 0.5; default: 0

return rock
