---@meta scree.robot
-- Annotations of robots. docs/robots.md has an example.

---Machines described by links and joints.
---@class scree.robot
local robot = {}

---Puts a model into a world. Links that are welded to each other become one body.
---@param w scree.World
---@param model scree.RobotModel
---@param options? scree.RobotOptions
---@return scree.RobotMade
function robot.build(w, model, options) end

---Positions of all joints by name [rad or m], counted from 0 as the model counts them.
---@param made scree.RobotMade
---@return table<string, number>
function robot.positions(made) end

---The text of a Lua file with a model: a scene that builds it, or with table the model alone.
---@param model scree.RobotModel
---@param options { from: string, table?: boolean }
---@return string
function robot.source(model, options) end

---@class scree.RobotModel
---@field name? string
---@field base? "fixed"|"free" of the first link; "fixed" without it
---@field links scree.RobotLink[]
---@field joints scree.RobotJoint[]
---@field left_out? string[] what a file had that has no meaning here

---@class scree.RobotLink
---@field name string
---@field mass? number [kg], > 0; from the shapes without it
---@field centre? scree.Vec3 of mass, in the link's frame [m]
---@field inertia? number[] about the centre of mass, xx, xy, xz, yy, yz, zz [kg m2]
---@field inertia_orientation? number[] of the axes of inertia; the link's without it
---@field shapes? scree.ShapeDef[]

---@class scree.RobotJoint
---@field name string
---@field type "hinge"|"slider"|"ball"|"universal"|"cylindrical"|"fixed"|"free"
---@field parent string name of a link
---@field child string name of a link
---@field position? scree.Vec3 of the child's frame in the parent's [m]
---@field orientation? number[] of the child's frame in the parent's
---@field anchor? scree.Vec3 of the joint in the child's frame [m]
---@field axis? scree.Vec3 in the child's frame
---@field axis2? scree.Vec3 of a universal joint: the axis that goes with the parent, in the child's frame at 0; `axis` goes with the child
---@field limits? number[] lower and upper [rad or m]
---@field friction? number bound [N m or N]
---@field damping? number [N m s or N s/m]; of a ball joint against all turns
---@field stiffness? number [N m/rad or N/m]
---@field rest? number where the spring is at ease [rad or m]
---@field second? { limits?: number[], friction?: number, damping?: number, stiffness?: number, rest?: number } of a universal joint: of the turn about axis2
---@field effort? number largest torque or force of its motor, as the file says
---@field speed? number largest speed of its motor, as the file says

---@class scree.RobotOptions
---@field position? scree.Vec3 of the first link [m]
---@field orientation? number[]
---@field base? "fixed"|"free"
---@field joints? table<string, number> where joints start [rad or m]
---@field material? string of all shapes that name none
---@field group? integer of all bodies

---@class scree.RobotMade
---@field bodies table<string, scree.Body> by link
---@field joints table<string, scree.Joint> by joint
---@field start table<string, number> position of each joint where it was made

return robot
