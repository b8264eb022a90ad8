---@meta scree.urdf
-- Annotations of the reader of URDF. docs/robots.md says what it reads.

---Reads robot descriptions in URDF.
---@class scree.urdf
local urdf = {}

---Converts the element tree of a URDF file, as made by `scree import`, to a model. Errors contain file and line.
---@param tree table an element: tag, line, attr, children
---@param options { file?: string, folder?: string, exists?: function, packages?: table<string, string> } exists(path): whether there is a file; packages: folders by name
---@return scree.RobotModel
function urdf.read(tree, options) end

return urdf
