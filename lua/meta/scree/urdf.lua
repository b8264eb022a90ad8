---@meta scree.urdf
-- Annotations of the reader of URDF. docs/robots.md says what it reads.

---Reads robots' descriptions in URDF.
---@class scree.urdf
local urdf = {}

---The tree of a URDF file, as `scree import` makes it, as a model. Errors name file and line.
---@param tree table an element: tag, line, attr, children
---@param options { file?: string, folder?: string }
---@return scree.RobotModel
function urdf.read(tree, options) end

return urdf
