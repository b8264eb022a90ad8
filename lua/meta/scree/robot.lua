---@meta scree.robot
-- Annotations of robots. docs/robots.md has an example.

---Machines described by links and joints.
---@class scree.robot
local robot = {}

---Adds the bodies and joints of a model to a world. Links that are welded to each other become one body.
---@param w scree.World
---@param model scree.RobotModel
---@param options? scree.RobotOptions
---@return scree.RobotMade
function robot.build(w, model, options) end

---Returns the positions of all joints by name [rad or m], counted from the zero of the model.
---@param made scree.RobotMade
---@return table<string, number>
function robot.positions(made) end

---Returns the text of a Lua file with a model: a scene that builds it, or the model alone if options.table.
---@param model scree.RobotModel
---@param options { from: string, table?: boolean }
---@return string
function robot.source(model, options) end

---Sets control inputs of actuators by name. Inputs that are not named do not change. An input acts until the next call.
---@param made scree.RobotMade
---@param inputs table<string, number>
function robot.control(made, inputs) end

---Returns the values of all sensors of the model by name, in the present state. Forces are means over the last step.
---@param w scree.World
---@param made scree.RobotMade
---@return table<string, number|number[]>
function robot.sense(w, made) end

---@class scree.RobotModel
---@field name? string
---@field base? "fixed"|"free" of the first link; default: "fixed"
---@field links scree.RobotLink[]
---@field joints scree.RobotJoint[]
---@field mass_total? number total mass to which masses and inertias of all links but `ground` are scaled [kg]
---@field mass_min? number least mass of a link [kg]
---@field inertia_min? number least principal moment of a link [kg m2]
---@field ground? string name of the link that these three keys do not change
---@field gravity? scree.Vec3 gravity of the scene that robot.source writes [m/s2]; default: { 0, 0, -9.81 }
---@field dt? number time step of this scene [s]; default: 1e-3
---@field materials? string[] names of materials that robot.build adds
---@field pairs? table[] arguments of w:pair
---@field actuators? scree.RobotActuator[]
---@field sensors? scree.RobotSensor[]
---@field sites? table<string, scree.RobotSite>
---@field poses? table<string, scree.RobotPose> keyframes by name
---@field magnetic? scree.Vec3 magnetic field, for magnetometers; default: { 0, -0.5, 0 }
---@field loops? scree.RobotLoop[] joints that close loops
---@field tendons? scree.RobotTendon[] ropes and sums of joint positions
---@field left_out? string[] one warning for each part of the file that scree cannot represent

---The force is gain * input + bias[1] + bias[2] * length + bias[3] * speed, with length = sum of gear * position.
---@class scree.RobotActuator
---@field name string
---@field on { joint?: string, tendon?: string, gear: number }[] joints and tendons on which it acts; the torque on each is gear times the force
---@field gain number
---@field bias number[]
---@field input? number[] least and largest input
---@field force? number[] least and largest force
---@field damping_ratio? number adds damping: 1 is critical for the inertia behind the joint, with the joints at 0

---@class scree.RobotSensor
---@field name string
---@field type "touch"|"velocimeter"|"gyro"|"force"|"torque"|"rangefinder"|"jointpos"|"jointvel"|"jointactuatorfrc"|"ballquat"|"ballangvel"|"actuatorpos"|"actuatorvel"|"actuatorfrc"|"framepos"|"framequat"|"framexaxis"|"frameyaxis"|"framezaxis"|"framelinvel"|"frameangvel"|"tendonpos"|"tendonvel"|"tendonactuatorfrc"|"magnetometer"|"insidesite"|"subtreecom"|"subtreelinvel"|"subtreeangmom"|"e_kinetic"|"e_potential"|"clock"
---@field site? string
---@field body? string name of a link
---@field centre? boolean the frame lies at the link's centre of mass, in the axes of its inertia
---@field joint? string
---@field actuator? string
---@field tendon? string
---@field reference? { site?: string, body?: string, centre?: boolean } values of frames are relative to this frame, in its axes
---@field volume? string insidesite: the site whose volume counts
---@field cutoff? number bound of the value, except for orientations and axes

---A joint between links that are not neighbours in the tree. Without `at_b` the frames coincide in the start pose. With it, the first step moves them together.
---@class scree.RobotLoop
---@field name string
---@field type "ball"|"fixed"
---@field a string name of a link
---@field b string name of a link
---@field at? scree.Vec3 point in the frame of link a [m]
---@field at_b? scree.Vec3 this point in the frame of link b [m]
---@field orientation? number[] in the frame of link a, for the type "fixed"
---@field orientation_b? number[] of these axes in the frame of link b

---A rope through points of links, or with `joints` a sum of coef * position, for actuators and sensors. One segment of a rope with a limit, spring, damper, friction, armature or servo may change its length.
---@class scree.RobotTendon
---@field name string
---@field points? { link: string, position: scree.Vec3, divisor?: number }[] in the frames of links [m]; a point with a divisor starts a new part of the rope, whose length counts divided by it
---@field joints? { joint: string, coef: number }[]
---@field limits? number[] least and largest length [m]
---@field stiffness? number [N/m]
---@field rest? number length at which the spring exerts no force [m]
---@field damping? number [N s/m]
---@field friction? number largest friction force [N]
---@field armature? number inertia of a drum, reflected to the rope [kg]
---@field effort? number largest force of all actuators together [N]

---A frame in a link, with a volume for touch sensors.
---@class scree.RobotSite
---@field link string
---@field position scree.Vec3 [m]
---@field orientation number[]
---@field type "sphere"|"capsule"|"cylinder"|"box"|"ellipsoid"
---@field size number[] half sizes [m]

---@class scree.RobotPose
---@field joints table<string, number> positions of hinges and sliders [rad or m]
---@field turns? table<string, number[]> orientations of ball joints
---@field frames? table<string, { position: scree.Vec3, orientation: number[] }> of links with a free joint, in the world
---@field inputs? table<string, number> of actuators

---@class scree.RobotLink
---@field name string
---@field mass? number [kg]; 0: no mass of its own; default: mass of the shapes
---@field avoids? string[] links that this link passes through
---@field overlaps? "union"|"sum" used only without `mass`: mass of the union of the shapes (default), or sum of their masses
---@field centre? scree.Vec3 centre of mass in the link's frame [m]
---@field inertia? number[] about the centre of mass, xx, xy, xz, yy, yz, zz [kg m2]
---@field inertia_orientation? number[] orientation of the axes of inertia; default: that of the link
---@field shapes? scree.ShapeDef[] also height fields, { type = "heights", rows, columns, size, heights }; with overlaps = "sum": `mass` of a shape replaces its density; 0 is allowed for both

---@class scree.RobotJoint
---@field name string
---@field type "hinge"|"slider"|"ball"|"universal"|"cylindrical"|"fixed"|"free"
---@field parent string name of a link
---@field child string name of a link
---@field position? scree.Vec3 position of the child's frame in the parent's frame [m]
---@field orientation? number[] orientation of the child's frame in the parent's frame
---@field anchor? scree.Vec3 point of the joint in the child's frame [m]
---@field axis? scree.Vec3 in the child's frame
---@field axis2? scree.Vec3 universal joint: the axis that is fixed in the parent, in the child's frame at position 0; `axis` is fixed in the child
---@field limits? number[] lower and upper limit of the position [rad or m]
---@field friction? number largest friction torque or force [N m or N]
---@field damping? number [N m s or N s/m]; of a ball joint for all rotations
---@field stiffness? number [N m/rad or N/m]
---@field rest? number position at which the spring exerts no force [rad or m]
---@field armature? number inertia of a rotor behind a gear, reflected to the joint [kg m2 or kg]
---@field second? { name?: string, limits?: number[], friction?: number, damping?: number, stiffness?: number, rest?: number, armature?: number, ref?: number, effort?: number } universal joint: these keys for the rotation about axis2
---@field springdamper? number[] time constant [s] and damping ratio of the joint's spring; replaces stiffness and damping
---@field mimic? { joint: string, ratio: number, offset?: number } the position is offset + ratio times the position of another joint
---@field ref? number position of the file at position 0 [rad or m]
---@field collide? boolean whether parent and child collide; default: false
---@field effort? number largest torque or force of all actuators together [N m or N]
---@field speed? number largest speed of the motor according to the file

---@class scree.RobotOptions
---@field position? scree.Vec3 of the first link [m]
---@field orientation? number[]
---@field base? "fixed"|"free"
---@field joints? table<string, number> initial positions of joints by name [rad or m]
---@field material? string material of all shapes without a material
---@field group? integer group of all bodies
---@field pose? string name of a pose of the model in which it starts

---@class scree.RobotMade
---@field bodies table<string, scree.Body> by link
---@field joints table<string, scree.Joint> by joint
---@field loops table<string, scree.Joint> joints that close loops
---@field cords table<string, scree.Joint> distance joints of ropes
---@field start table<string, number> position of each joint at its creation [rad or m]
---@field inputs table<string, number> inputs of actuators
---@field frames table<string, { position: scree.Vec3, orientation: number[] }> frames of links at the start

return robot
