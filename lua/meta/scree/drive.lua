---@meta scree.drive
-- Annotations of drives. docs/joints.md has an example.

---Drives: the speed of a motor, or of a kinematic body such as a wall, follows a target. A target is a function of time [s], or a list of
---{ time, speed } with rising times, linear between its entries and constant beyond them.
---@class scree.drive
local drive = {}

---Returns a drive of the motor of a hinge [rad/s], or of a slider or cylindrical joint [m/s].
---@param joint scree.Joint
---@param target number[][]|fun(t: number): number speed [rad/s, m/s]
---@param force? number largest torque [N m] or force [N] of the motor, >= 0; default: unlimited
---@return scree.Drive
function drive.new(joint, target, force) end

---Returns a drive of a kinematic body, such as a plane or a wall, or of the surface of a fixed body. With turn, direction is the axis of rotation.
---@param body scree.Body
---@param direction scree.Vec3 of the motion; the velocity is speed times direction
---@param target number[][]|fun(t: number): number speed [m/s, with turn rad/s] if direction is a unit vector
---@param turn? boolean true: rotation about direction; default: false
---@return scree.Drive
function drive.body(body, direction, target, turn) end

---Returns the value of a list of { time, value } at a time: linear between its entries, constant beyond them.
---@param list number[][] times [s] rising
---@param t number [s]
---@return number
function drive.at(list, t) end

---A drive of a joint or a body, returned by drive.new and drive.body.
---@class scree.Drive
local Drive = {}

---Sets the speed to the mean of the target over the coming step. The displacement then equals the integral of the target at any step size. Call `update` before each step.
---@param w scree.World
function Drive:update(w) end

return drive
