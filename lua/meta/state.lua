---@meta
-- Annotations of states of worlds (docs/states.md).

---@class scree.World
local World = {}

---The present state: bodies, shapes, contacts, joints, bonds, cell, materials, pairs, clocks, and w.state. Functions of the script are not in it.
---@return scree.State
function World:save() end

---Sets the world back to a state of its own, or of a world that was made in the same way. Handles of bodies stay valid if the bodies are in the state.
---A state that does not fit is refused; the world then stays as it is.
---@param state scree.State
function World:restore(state) end

---A second world in the same state, which steps to the same bits. A body has the same id in both: `copy:body_of(body:id())`. Callbacks of a scene may
---step and restore clones.
---@return scree.World
function World:clone() end

---Declares a number for each body: `scree.column` as a method (docs/states.md).
---@param def scree.ColumnDef
---@return scree.Column
function World:column(def) end

---@class scree
local scree = {}

---Reads a state that state:write wrote, or a checkpoint. In the sandbox: a file of the run's folder.
---@param file string
---@return scree.State
function scree.read_state(file) end

---A state of a world in memory.
---@class scree.State
local State = {}

---Time of the saved world [s].
---@return number
function State:time() end

---Steps that the saved world had taken.
---@return integer
function State:steps() end

---Bodies of the saved world.
---@return integer
function State:bodies() end

---Memory that the state takes [bytes].
---@return integer
function State:bytes() end

---Writes the state to a file, which is a checkpoint. In the sandbox: a plain name, in the run's folder.
---@param file string
function State:write(file) end
