---@meta scree.mjcf
-- Annotations of the reader of MJCF. docs/robots.md says what it reads.

---Reads robot descriptions in MJCF.
---@class scree.mjcf
local mjcf = {}

---Converts the element tree of an MJCF file, as made by `scree import`, to a model. Errors contain file and line.
---@param tree table an element: tag, line, attr, children
---@param options { file?: string, folder?: string, parse?: function, exists?: function } parse(path) returns the tree of another file, exists(path) whether there is one
---@return scree.RobotModel
function mjcf.read(tree, options) end

return mjcf
