---@meta scree.vtk
-- Annotations of files for VTK. docs/measure.md has an example.

---Coarse-grained fields as files for ParaView. The declared measurement `fields` writes such files.
---@class scree.vtk
local vtk = {}

---Returns the text of a file for a result of `w:fields`: density, temperature, momentum, velocity, kinetic and contact stress (nine components,
---row by row) of each cell. Also returns the extension: .vti, or .vts for a skew grid. cells: numbers of cells.
---@param lists table
---@param cells integer[]
---@return string text, string ending
function vtk.fields(lists, cells) end

return vtk
