---@meta
-- Annotations of figures. docs/plot.md lists the keys.

---@class scree
local scree = {}

---Draws a figure into a file (.png, .svg, .txt) of the run's directory, or returns it as text without a file.
---@param def table
---@return string? text
function scree.plot(def) end
