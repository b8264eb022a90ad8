---@meta scree.column
-- Annotations of columns. docs/states.md has an example.

---Columns: a number for each body, such as a temperature. Checkpoints, states, clones, trajectories, exports and pictures have them.
---@class scree.column
local column = {}

---@class scree.ColumnDef
---@field name string letters, digits and _, at most 62; no field of bodies
---@field unit? string unit of the values, for readers; "" without it
---@field default? number value of bodies that have none yet; 0 without it

---Declares a column, or finds the one of that name with the same unit and default. The same as `w:column(def)`. On several ranks all
---declare it.
---@param w scree.World
---@param def scree.ColumnDef
---@return scree.Column
function column.create(w, def) end

---A column. `column[body]` reads and sets the value of a body.
---@class scree.Column
local Column = {}

---The value of a body. Collective on several ranks.
---@param body scree.Body
---@return number
function Column:get(body) end

---Sets the value of a body.
---@param body scree.Body
---@param value number finite
function Column:set(body, value) end

---The values of all bodies, in the rows of `w:view`.
---@return number[]
function Column:totable() end

---Sets all bodies, and those that come later, to one value.
---@param value number finite
function Column:fill(value) end

return column
