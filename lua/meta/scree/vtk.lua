---@meta scree.vtk
-- Annotations of files for VTK. docs/measure.md has an example.

---Coarse-grained fields as files that ParaView reads. The declared measurement `fields` writes them by itself.
---@class scree.vtk
local vtk = {}

---The text of a file, for what `w:fields` gave on so many cells: density, temperature, momentum, velocity, kinetic and contact stress (nine components,
---row by row) of each cell; and its ending, .vti, or .vts where the grid is skew.
---@param lists table
---@param cells integer[]
---@return string text, string ending
function vtk.fields(lists, cells) end

return vtk
