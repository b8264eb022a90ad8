---@meta scree.kinematics
-- Annotations of kinematics. docs/kinematics.md has examples.

---Trees of hinges and sliders for control.
---@class scree.kinematics
local kinematics = {}

---A tree of hinges and sliders, in the order in which all lists have them, that hangs on the ground or on bodies that are not dynamic.
---@param joints scree.Joint[]
---@param start? number[] positions of the joints where they were made; 0 without
---@return table tree
function kinematics.tree(joints, start) end

---Of what robot.build has made; names: the order, without it that of the alphabet.
---@param made scree.RobotMade
---@param names? string[]
---@return table tree
function kinematics.of_robot(made, names) end

---Whether the coming step is the first after a tick of so many ticks a second.
---@param w scree.World
---@param rate number
---@return boolean
function kinematics.due(w, rate) end
