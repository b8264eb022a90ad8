---@meta scree.column
-- Annotations of columns. docs/states.md has an example.

---Columns: a number for each body, such as a temperature. Checkpoints, states, clones, trajectories, exports and pictures contain them.
---@class scree.column
local column = {}

---@class scree.ColumnDef
---@field name string at most 62 letters, digits and _; not the name of a field of bodies
---@field unit? string unit of the values, for documentation only; default: ""
---@field default? number value of bodies whose value has not been set; default: 0

---Declares a column, or returns the existing column with this name, unit and default. `w:column(def)` calls it. On several ranks
---all ranks must declare the column.
---@param w scree.World
---@param def scree.ColumnDef
---@return scree.Column
function column.create(w, def) end

---A column. `column[body]` reads and sets the value of a body.
---@class scree.Column
local Column = {}

---Returns the value of a body. On several ranks all ranks must call it.
---@param body scree.Body
---@return number
function Column:get(body) end

---Sets the value of a body.
---@param body scree.Body
---@param value number finite
function Column:set(body, value) end

---Returns the values of all bodies, in the order of the rows of `w:view`.
---@return number[]
function Column:totable() end

---Sets the value of all bodies, and the value that new bodies start with.
---@param value number finite
function Column:fill(value) end

return column
