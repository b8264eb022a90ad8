---@meta
-- Annotations of states of worlds (docs/states.md).

---@class scree.World
local World = {}

---Returns the present state: bodies, shapes, contacts, joints, bonds, cell, materials, pairs, clocks, and w.state. It does not contain functions of the script.
---@return scree.State
function World:save() end

---Restores a state of this world, or of a world that was made in the same way. Handles of bodies stay valid if the bodies are in the state.
---A state that does not fit is an error; the world does not change then.
---@param state scree.State
function World:restore(state) end

---Returns a second world in the same state, which gives the same results to the last bit. A body has the same id in both: `copy:body_of(body:id())`. Callbacks of a scene may
---step and restore clones.
---@return scree.World
function World:clone() end

---Declares a column, a number for each body: `scree.column` as a method (docs/states.md).
---@param def scree.ColumnDef
---@return scree.Column
function World:column(def) end

---@class scree
local scree = {}

---Reads a state written by state:write, or a checkpoint. In the sandbox the file must lie in the run's folder.
---@param file string
---@return scree.State
function scree.read_state(file) end

---A state of a world in memory.
---@class scree.State
local State = {}

---Time of the saved world [s].
---@return number
function State:time() end

---Number of steps of the saved world.
---@return integer
function State:steps() end

---Number of bodies of the saved world.
---@return integer
function State:bodies() end

---Memory used by the state [bytes].
---@return integer
function State:bytes() end

---Writes the state to a file, which is a checkpoint. In the sandbox the name must be plain; the file lies in the run's folder.
---@param file string
function State:write(file) end
