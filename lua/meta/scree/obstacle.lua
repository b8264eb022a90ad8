---@meta scree.obstacle
-- Annotations of obstacles. docs/scenes.md has an example.

---Obstacles and walls that are made of several shapes or bodies.
---@class scree.obstacle
local obstacle = {}

---A fixed standing cylinder whose right half (towards +x) is replaced by a box of the same width: a round nose and a blunt back.
---@param w scree.World
---@param def scree.HalfRoundDef
---@return scree.Body
function obstacle.half_round(w, def) end

---Fixed walls that close a box from outside. Returns the bodies by the side they close: "-x", "+x", "-y", "+y", "-z", "+z".
---@param w scree.World
---@param def scree.WallsDef
---@return table<string, scree.Body>
function obstacle.walls(w, def) end

---@class scree.HalfRoundDef
---@field position scree.Vec3 centre of the cylinder [m]
---@field radius number of the cylinder, half the width of the box [m], > 0
---@field height number along z [m], > 0
---@field length? number of the box, from the cylinder's axis towards +x [m], > 0; radius without it
---@field name? string of the body; "obstacle" without it
---@field material? string

---@class scree.WallsDef
---@field min scree.Vec3 lower corner of the box [m]
---@field max scree.Vec3 upper corner of the box [m]
---@field open? string[] sides that get no wall, such as { "-x", "+z" }; none without it
---@field material? string

return obstacle
