---@meta
-- Annotations of figures. docs/plot.md lists the keys.

---@class scree
local scree = {}

---Draws a figure into a file (.png, .svg, .txt) of the run's directory. Without a file, returns the figure as text.
---@param def table
---@return string? text
function scree.plot(def) end
