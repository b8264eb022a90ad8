---@meta scree.drive
-- Annotations of drives. docs/joints.md has an example.

---Drives that follow time: the speed of a motor, or of a driven plane or wall. A target is a function of time [s], or a list of { time, speed }
---with rising times, linear between its entries and constant beyond them.
---@class scree.drive
local drive = {}

---A drive of a joint's motor: a hinge [rad/s], slider or cylindrical joint [m/s].
---@param joint scree.Joint
---@param target number[][]|fun(t: number): number speed [rad/s, m/s]
---@param force? number largest torque [N m] or force [N] of the motor, >= 0; without a bound where it is not given
---@return scree.Drive
function drive.new(joint, target, force) end

---A drive of a kinematic body, such as a plane or a wall, or of the surface of a fixed one. With turn, direction is the axis it turns about.
---@param body scree.Body
---@param direction scree.Vec3 of the motion: the velocity is speed times this
---@param target number[][]|fun(t: number): number speed in lengths of direction per second [m/s, with turn rad/s]
---@param turn? boolean false without it
---@return scree.Drive
function drive.body(body, direction, target, turn) end

---The value that a list of { time, value } has at a time: linear between its entries, constant beyond them.
---@param list number[][] times [s] rising
---@param t number [s]
---@return number
function drive.at(list, t) end

---What drive.new and drive.body return.
---@class scree.Drive
local Drive = {}

---Sets the mean speed of the target over the coming step. The distance is then the integral of the speed, at any step size. Call `update` before each step.
---@param w scree.World
function Drive:update(w) end

return drive
