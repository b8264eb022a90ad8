---@meta scree.probe
-- Annotations of running figures. docs/scenes.md has an example.

---Running figures: mean, deviation and extremes of numbers seen over time, kept in w.state by name.
---@class scree.probe
local probe = {}

---Adds a value to the figure of that name, which begins with its first value.
---@param w scree.World
---@param name string
---@param value number
function probe.add(w, name, value) end

---The figure of that name, or nil if nothing was added.
---@param w scree.World
---@param name string
---@return scree.Probe?
function probe.get(w, name) end

---Forgets the figure of that name, for instance when the start-up is over.
---@param w scree.World
---@param name string
function probe.reset(w, name) end

---A figure, in the unit of its values.
---@class scree.Probe
---@field count integer values added
---@field mean number
---@field deviation number standard deviation of the values, of count - 1 degrees of freedom; 0 with one value
---@field least number
---@field most number

return probe
