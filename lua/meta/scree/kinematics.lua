---@meta scree.kinematics
-- Annotations of kinematics. docs/kinematics.md has examples.

---Trees of hinges and sliders for control.
---@class scree.kinematics
local kinematics = {}

---Returns a tree of hinges and sliders. Its root must be the ground or bodies that are not dynamic. All lists have one entry per joint, in the order of `joints`.
---@param joints scree.Joint[]
---@param start? number[] positions of the joints at their creation; default: 0
---@return table tree
function kinematics.tree(joints, start) end

---Returns the tree of a robot made by robot.build. names: names of the joints in the order of the lists; default: alphabetical.
---@param made scree.RobotMade
---@param names? string[]
---@return table tree
function kinematics.of_robot(made, names) end

---Returns whether a tick of a clock with `rate` ticks per second falls on the coming step.
---@param w scree.World
---@param rate number
---@return boolean
function kinematics.due(w, rate) end
