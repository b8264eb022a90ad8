---@meta scree.mjcf
-- Annotations of the reader of MJCF. docs/robots.md says what it reads.

---Reads robots' descriptions in MJCF.
---@class scree.mjcf
local mjcf = {}

---The tree of a MJCF file, as `scree import` makes it, as a model. Errors name file and line.
---@param tree table an element: tag, line, attr, children
---@param options { file?: string, folder?: string }
---@return scree.RobotModel
function mjcf.read(tree, options) end

return mjcf
