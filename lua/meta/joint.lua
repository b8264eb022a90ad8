---@meta
-- Annotations of joints. docs/joints.md has the conventions.

---@class scree.World
local World = {}

---Adds a ball joint: connects a point of two bodies; all rotations are free. With an axis, limits and a motor act on the twist about it, and `swing` bounds its tilt.
---@param def scree.JointDef
---@return scree.Joint
function World:ball(def) end

---Adds a hinge: only the rotation about an axis is free. Limits, motor and friction act on it.
---@param def scree.JointDef
---@return scree.Joint
function World:hinge(def) end

---Adds a slider: only the translation along an axis is free. Limits, motor and friction act on it.
---@param def scree.JointDef
---@return scree.Joint
function World:slider(def) end

---Adds a cylindrical joint: translation along an axis and rotation about it are free. Limits, motor and friction act on the translation, those of `second` on the rotation.
---@param def scree.JointDef
---@return scree.Joint
function World:cylindrical(def) end

---Adds a universal joint: two axes, one fixed in each body, stay perpendicular and intersect in one point. Limits, motor, friction and spring act on
---the rotation about `axis`, those of `second` on the rotation about `axis_b`.
---@param def scree.JointDef
---@return scree.Joint
function World:universal(def) end

---Adds a fixed joint: no relative motion is free. With `stiffness` or `turn_stiffness` springs replace the constraint on the point or on the orientation.
---@param def scree.JointDef
---@return scree.Joint
function World:fixed(def) end

---Adds a distance joint: the distance of two points is constant, or within limits (a rope: `limits = { 0, length }`), or driven by a motor or servo (a winch).
---@param def scree.JointDef
---@return scree.Joint
function World:distance(def) end

---Adds a spring and damper between two points. It pulls them together with the force stiffness (distance - length) + damping (rate of the distance), like a distance joint with a stiffness.
---@param def scree.JointDef
---@return scree.Joint
function World:spring(def) end

---Adds a gear, which couples two rotations: w_a.axis + ratio w_b.axis_b = 0, relative to the housing `frame`. The reaction acts on the housing. A belt has a negative ratio.
---@param def scree.JointDef
---@return scree.Joint
function World:gear(def) end

---Adds a rack, which couples a rotation and a translation: v_b.axis_b = ratio w_a.axis, relative to the housing `frame`. The reaction acts on the housing.
---@param def scree.JointDef
---@return scree.Joint
function World:rack(def) end

---Makes elastic bonds between pairs of balls, all at once; `scree.bond` calls it. A bond does not break by a stress that has no limit.
---@param def scree.GlueDef
---@return scree.Joint[]
function World:bond_pairs(def) end

---Keys of w:bond_pairs.
---@class scree.GlueDef
---@field pairs scree.Body[][] list of {body, body}; dynamic bodies must be balls
---@field young? number Young's modulus [Pa]; required if any stiffness is missing
---@field ratio? number normal over shear stiffness; default: 1
---@field normal_stiffness? number replaces that of the beam [N/m]
---@field shear_stiffness? number replaces that of the beam [N/m]
---@field bending_stiffness? number replaces that of the beam [N m/rad]
---@field twist_stiffness? number replaces that of the beam [N m/rad]
---@field normal_damping? number ratio of damping to stiffness [s]; default: 0
---@field shear_damping? number ratio for shear [s]; default: 0
---@field bending_damping? number ratio for bending [s]; default: 0
---@field twist_damping? number ratio for twist [s]; default: 0
---@field radius? number radius of the bond over the radius of the smaller body; default: 1
---@field tension? number tensile force over the cross-section at which the bond breaks [Pa]
---@field compression? number compressive force over the cross-section [Pa]
---@field shear? number shear force over the cross-section [Pa]
---@field bending? number bending stress at the edge [Pa]
---@field twist? number shear stress of torsion at the edge [Pa]
---@field edge_tension? number sum of tensile and bending stress at the edge [Pa]
---@field edge_shear? number sum of shear and torsional stress at the edge [Pa]
---@field collide? boolean whether bonded bodies also have contacts

---Bonds bodies by elastic or rigid beams that can break: `scree.bond` as a method (docs/bonds.md).
---@param def scree.BondDef
---@return scree.Joint[]
function World:bond(def) end

---Returns the joints that broke, in the order of time: type, joint (its id), cause, time at the end of the step or substep in which the joint broke [s], at (point of the joint at this time [m]), force [N], torque [N m], energy [J].
---The cause is the bound that was exceeded: "tension", "compression", "shear", "bending", "twist" or "energy"; for bonds also "edge_tension" or "edge_shear"; for joints without an axis "force" or "torque".
---@return table[]
function World:broken_joints() end

---Reports on all joints after the last step: joints, rows, broken (so far), resolved (number of repeated solves because joints broke, so far), redundant (locked rows that depend on other rows),
---homeless (gears and racks without a housing whose wheels rotate in moving bodies), error [m] and velocity_error [m/s]. The errors stay above 0 if joints conflict.
---@return table
function World:joints_report() end

---Writes the contact problem of the coming step to a file that `scree solve` reads (docs/solvers.md).
---@param file string
function World:dump_problem(file) end

---Sets the directory for the files `step-N.prob`: the problems of steps in which the solver fails. With `solver = { dump = "unmet" }` also the first ten problems that
---remain above the tolerance. `scree run` sets the directory of the run.
---@param directory string
function World:dump_to(directory) end

---The handle of a joint.
---@class scree.Joint
local Joint = {}

---Mean force on body a over the last step [N].
---@return number x, number y, number z
function Joint:force() end

---Mean torque on body a about the joint's point over the last step [N m].
---@return number x, number y, number z
function Joint:torque() end

---Returns the position of the free direction: angle including full turns [rad], displacement or distance [m]. Ball joints return twist and swing;
---universal and cylindrical joints also return the position of the second direction.
---@return number position, number? second
function Joint:position() end

---Rate of the position [rad/s, m/s], and rate of the second position.
---@return number speed, number? second
function Joint:speed() end

---Torque or force of the motor or servo of the first free direction, mean over the last step [N m, N], and that of the second direction.
---@return number effort, number? second
function Joint:effort() end

---Rotation of a relative to b since the creation of a ball joint, as the shortest rotation vector [rad]. Its axes are fixed in b and were the world axes at the creation.
---@return number x, number y, number z
function Joint:turn() end

---Torque on a of the turn servo of a ball joint, mean over the last step, in world axes [N m].
---@return number x, number y, number z
function Joint:turn_effort() end

---Elastic energy of the joint's springs [J].
---@return number
function Joint:energy() end

---Id of the joint, the one in `broken_joints`.
---@return integer
function Joint:id() end

---Error of the locked directions.
---@return number error [m]
function Joint:error() end

---Type of the joint, such as "hinge".
---@return string
function Joint:type() end

---Removes the joint; the bodies stay.
function Joint:remove() end

---Sets the target of the motor. For targets that follow a table or a function of time see scree.drive. `second = true`: the second free direction.
---@param def scree.MotorDef|{ second?: boolean }
function Joint:set_motor(def) end

---Sets the targets and gains of the servo: it pulls towards a position, a speed or both. Missing keys do not change. `second = true`: the second free direction.
---@param def scree.ServoDef
function Joint:servo(def) end

---Sets the targets and gains of the turn servo of a ball joint: it pulls towards an orientation, an angular velocity or both. Missing keys do not change.
---@param def scree.TurnServoDef
function Joint:turn_servo(def) end

---Replaces the motor by a constant torque or force [N m, N].
---@param force number
function Joint:set_force(force) end

---Returns whether a servo acts along the first free direction.
---@return boolean
function Joint:has_servo() end

---Returns the bodies a and b; nil for the ground.
---@return scree.Body a, scree.Body? b
function Joint:bodies() end

---Returns the position of the joint's point on a [m].
---@return number x, number y, number z
function Joint:point() end

---Returns the direction of the axis on a, 0 without an axis.
---@return number x, number y, number z
function Joint:axis() end

---Changes stiffness, damping or rest of the spring along the free direction. `second = true`: the second free direction.
---@param def { stiffness?: number, damping?: number, rest?: number, second?: boolean }
function Joint:set_spring(def) end

---Returns the entry of the joint in `World:broken_joints`, or nil if it did not break.
---@return table?
function Joint:broken() end

---Limits, motor, servo, friction, spring and armature of a free direction.
---@class scree.DriveDef
---@field limits? number[]
---@field motor? scree.MotorDef
---@field servo? scree.ServoDef
---@field friction? number
---@field stiffness? number
---@field damping? number
---@field rest? number
---@field armature? number

---@class scree.JointDef : scree.DriveDef
---@field a scree.Body
---@field b? scree.Body
---@field frame? scree.Body|"ground" housing of a gear or rack; default: the body to which axles connect both wheels (docs/joints.md)
---@field at? scree.Vec3
---@field at_b? scree.Vec3
---@field axis? scree.Vec3
---@field axis_b? scree.Vec3
---@field swing? number
---@field second? scree.DriveDef
---@field turn_stiffness? number
---@field turn_damping? number
---@field turn_servo? scree.TurnServoDef
---@field ratio? number
---@field length? number
---@field break_force? number
---@field break_torque? number
---@field break_energy? number
---@field break_tension? number
---@field break_compression? number
---@field break_shear? number
---@field break_bending? number
---@field break_twist? number
---@field collide? boolean
---@field image? integer[]

---@class scree.ServoDef
---@field position? number
---@field speed? number
---@field stiffness? number
---@field damping? number
---@field feed? number
---@field force? number

---@class scree.TurnServoDef
---@field orientation? number[]
---@field turn? number[]
---@field spin? number[]
---@field stiffness? number
---@field damping? number
---@field feed? number[]
---@field torque? number

---@class scree.MotorDef
---@field speed? number
---@field force? number
