---@meta scree.probe
-- Annotations of running figures. docs/scenes.md has an example.

---Running statistics: mean, deviation, minimum and maximum of numbers over time, stored in w.state by name.
---@class scree.probe
local probe = {}

---Adds a value to the statistics `name`. The first value creates them.
---@param w scree.World
---@param name string
---@param value number
function probe.add(w, name, value) end

---Returns the statistics `name`, or nil if no value was added.
---@param w scree.World
---@param name string
---@return scree.Probe?
function probe.get(w, name) end

---Deletes the statistics `name`, for instance when the start-up is over.
---@param w scree.World
---@param name string
function probe.reset(w, name) end

---Statistics, in the unit of the values.
---@class scree.Probe
---@field count integer values added
---@field mean number
---@field deviation number standard deviation of the values, of count - 1 degrees of freedom; 0 with one value
---@field least number
---@field most number

return probe
