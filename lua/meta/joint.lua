---@meta
-- Annotations of joints. docs/joints.md has the conventions.

---@class scree.World
local World = {}

---Ties a point of two bodies together; all turns stay free. With an axis limits and a motor act on the twist about it, `swing` bounds its tilt.
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

---Leaves shift along and turn about an axis. Limits, motor and friction act on the shift, those of `second` on the turn.
---@param def scree.JointDef
---@return scree.Joint
function World:cylindrical(def) end

---Two crossed axes, one fixed in each body, stay at a right angle through one point. Limits, motor, friction and spring act on the turn about
---`axis`, those of `second` on the turn about `axis_b`.
---@param def scree.JointDef
---@return scree.Joint
function World:universal(def) end

---Leaves no freedom; with `stiffness` or `turn_stiffness` springs hold the point or the orientation.
---@param def scree.JointDef
---@return scree.Joint
function World:fixed(def) end

---Keeps the distance of two points, or with limits a range of it (a rope: `limits = { 0, length }`).
---@param def scree.JointDef
---@return scree.Joint
function World:distance(def) end

---A spring and damper between two points: force stiffness (distance - length) - damping its rate. Like a distance joint with a stiffness.
---@param def scree.JointDef
---@return scree.Joint
function World:spring(def) end

---Couples two rotations: w_a.axis + ratio w_b.axis_b = 0, relative to the housing `frame`. The reaction acts on the housing. A belt has a negative ratio.
---@param def scree.JointDef
---@return scree.Joint
function World:gear(def) end

---Couples a rotation and a displacement: v_b.axis_b = ratio w_a.axis, relative to the housing `frame`. The reaction acts on the housing.
---@param def scree.JointDef
---@return scree.Joint
function World:rack(def) end

---Bonds pairs of balls elastically, all at once: what `scree.bond` makes of them. Stresses above which a bond breaks are left out where they do not.
---@param def scree.GlueDef
---@return scree.Joint[]
function World:bond_pairs(def) end

---@class scree.GlueDef
---@field pairs scree.Body[][] list of {body, body}; what can move must be a ball
---@field young? number Young's modulus [Pa]; needed where any stiffness is left out
---@field ratio? number stiffness along the bond over that across, 1 by default
---@field normal_stiffness? number in place of the beam's [N/m]
---@field shear_stiffness? number in place of the beam's [N/m]
---@field bending_stiffness? number in place of the beam's [N m/rad]
---@field twist_stiffness? number in place of the beam's [N m/rad]
---@field normal_damping? number damping over stiffness, 0 by default [s]
---@field shear_damping? number the same across
---@field bending_damping? number the same of bending
---@field twist_damping? number the same of twist
---@field radius? number of the bond, in radii of the smaller body, 1 by default
---@field tension? number force that draws the bodies apart over the section [Pa]
---@field compression? number force that presses them together over it [Pa]
---@field shear? number force across over it [Pa]
---@field bending? number stress of bending at the edge [Pa]
---@field twist? number shear stress of twist at the edge [Pa]
---@field edge_tension? number tension and bending together, at the edge [Pa]
---@field edge_shear? number shear and twist together, at the edge [Pa]
---@field collide? boolean whether bonded bodies touch as well

---Glues bodies together by elastic or rigid beams that break: `scree.bond` as a method (docs/bonds.md).
---@param def scree.BondDef
---@return scree.Joint[]
function World:bond(def) end

---Joints that broke, in order: type, joint (its id), cause, time at the end of the step or substep in which the joint broke [s], at (point of the joint at this time [m]), force [N], torque [N m], energy [J].
---The cause is the bound that was exceeded: "tension", "compression", "shear", "bending", "twist" or "energy"; for bonds also "edge_tension" or "edge_shear"; for joints without an axis "force" or "torque".
---@return table[]
function World:broken_joints() end

---Reports on all joints after the last step: joints, rows, broken (so far), resolved (number of repeated solves because joints broke, so far), redundant (held rows that depend on other rows),
---homeless (gears and racks without a housing whose wheels turn in moving bodies), error [m] and velocity_error [m/s]. The errors stay above 0 if joints conflict.
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

---Angle [rad] with its full turns, shift or distance [m] of the free direction; of ball (twist, swing), universal and cylindrical joints also of the
---second one.
---@return number position, number? second
function Joint:position() end

---Rate of the position [rad/s, m/s], and of the second one.
---@return number speed, number? second
function Joint:speed() end

---Torque or force of the motor or servo of the first free direction, mean over the last step [N m, N], and of the second one.
---@return number effort, number? second
function Joint:effort() end

---Turn of a against b since a ball joint was made, the shorter way round, as a rotation vector [rad], in the world's axes of then, which go along with b.
---@return number x, number y, number z
function Joint:turn() end

---Torque on a by the servo of all turns of a ball joint, mean over the last step, world axes [N m].
---@return number x, number y, number z
function Joint:turn_effort() end

---Energy in the joint's springs [J].
---@return number
function Joint:energy() end

---The number that `broken_joints` names it by.
---@return integer
function Joint:id() end

---@return number error distance by which the held directions are out of place [m]
function Joint:error() end

---@return string
function Joint:type() end

---Ends the joint; the bodies stay.
function Joint:remove() end

---New target of the motor; for drives that follow a table or function of time see scree.drive. `second = true`: the second free direction.
---@param def scree.MotorDef|{ second?: boolean }
function Joint:set_motor(def) end

---Pulls to a position, to a speed or both; what is left out stays as it is. `second = true`: the second free direction.
---@param def scree.ServoDef
function Joint:servo(def) end

---Pulls all turns of a ball joint to an orientation, to an angular velocity or both; what is left out stays as it is.
---@param def scree.TurnServoDef
function Joint:turn_servo(def) end

---The motor becomes a torque or force [N m, N].
---@param force number
function Joint:set_force(force) end

---Whether a servo acts along the first free direction.
---@return boolean
function Joint:has_servo() end

---The bodies a and b; nil for the ground.
---@return scree.Body a, scree.Body? b
function Joint:bodies() end

---Where the joint's point on a is [m].
---@return number x, number y, number z
function Joint:point() end

---The direction of the axis on a, 0 without one.
---@return number x, number y, number z
function Joint:axis() end

---Changes stiffness, damping or rest of the spring along the free direction; `second = true`: the second one.
---@param def { stiffness?: number, damping?: number, rest?: number, second?: boolean }
function Joint:set_spring(def) end

---What happened to a joint that broke, as in `World:broken_joints`; nil for one that did not.
---@return table?
function Joint:broken() end

---What acts along a free direction.
---@class scree.DriveDef
---@field limits? number[]
---@field motor? scree.MotorDef
---@field servo? scree.ServoDef
---@field friction? number
---@field stiffness? number
---@field damping? number
---@field rest? number

---@class scree.JointDef : scree.DriveDef
---@field a scree.Body
---@field b? scree.Body
---@field frame? scree.Body|"ground" of gears and racks: the housing; without it the body to which axles connect both wheels (docs/joints.md)
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
