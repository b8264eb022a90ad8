---@meta
-- Annotations of joints. docs/joints.md has the conventions.

---@class scree.World
local World = {}

---Ties a point of two bodies together; all turns stay free.
---@param def scree.JointDef
---@return scree.Joint
function World:ball(def) end

---Leaves one turn about an axis. Limits, motor and friction act on it.
---@param def scree.JointDef
---@return scree.Joint
function World:hinge(def) end

---Leaves one shift along an axis. Limits, motor and friction act on it.
---@param def scree.JointDef
---@return scree.Joint
function World:slider(def) end

---Leaves shift along and turn about an axis. Limits, motor and friction act on the shift.
---@param def scree.JointDef
---@return scree.Joint
function World:cylindrical(def) end

---Two crossed axes, one fixed in each body, stay at a right angle through one point.
---@param def scree.JointDef
---@return scree.Joint
function World:universal(def) end

---Leaves no freedom.
---@param def scree.JointDef
---@return scree.Joint
function World:fixed(def) end

---Keeps the distance of two points, or with limits a range of it (a rope: `limits = { 0, length }`).
---@param def scree.JointDef
---@return scree.Joint
function World:distance(def) end

---Couples two turns: w_a.axis + ratio w_b.axis_b = 0.
---@param def scree.JointDef
---@return scree.Joint
function World:gear(def) end

---Couples a turn and a shift: v_b.axis_b = ratio w_a.axis.
---@param def scree.JointDef
---@return scree.Joint
function World:rack(def) end

---What the last step says of all joints: joints, rows, redundant (held rows that depend on others), error [m], velocity_error [m/s],
---which a conflict between joints leaves above 0.
---@return table
function World:joints_report() end

---Writes the contact problem of the coming step to a file that `scree solve` reads (docs/solvers.md).
---@param file string
function World:dump_problem(file) end

---Names the directory for `step-N.prob`: problems of steps that the solver fails on, with `solver = { dump = "unmet" }` also of the first ten that
---stay above the tolerance. A scene that `scree run` runs has its own directory named already.
---@param directory string
function World:dump_to(directory) end

---@class scree.Joint
local Joint = {}

---Mean force on body a over the last step [N].
---@return number x, number y, number z
function Joint:force() end

---Mean torque on body a about the joint's point over the last step [N m].
---@return number x, number y, number z
function Joint:torque() end

---Angle [rad] with its full turns, shift or distance [m] of the free direction.
---@return number
function Joint:position() end

---@return number speed of the free direction [rad/s, m/s]
function Joint:speed() end

---@return number error distance by which the held directions are out of place [m]
function Joint:error() end

---@return string
function Joint:type() end

---Ends the joint; the bodies stay.
function Joint:remove() end

---New target of the motor; for drives that follow a table or function of time see scree.drive.
---@param def scree.MotorDef
function Joint:set_motor(def) end

---@class scree.JointDef
---@field a scree.Body
---@field b? scree.Body
---@field at? scree.Vec3
---@field at_b? scree.Vec3
---@field axis? scree.Vec3
---@field axis_b? scree.Vec3
---@field limits? number[]
---@field motor? scree.MotorDef
---@field friction? number
---@field ratio? number
---@field length? number
---@field collide? boolean

---@class scree.MotorDef
---@field speed? number
---@field force? number
