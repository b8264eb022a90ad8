---@meta scree.motion
-- Annotations of motions. docs/motion.md explains them.

---Motions of kinematic bodies: recorded positions and angles, accelerograms, oscillations, spins about a pivot, and sums of them. The state is in w.state.
---@class scree.motion
local motion = {}

---Adds the motion of a kinematic body. Displacements and angles count from the pose and the time at which the motion is added.
---@param w scree.World
---@param def scree.MotionDef
---@return scree.Motion
function motion.create(w, def) end

---Sets velocity and spin of all bodies with a motion for the coming step, which then ends at the pose of the motion to rounding. Call it before each step.
---@param w scree.World
function motion.update(w) end

---Applies an accelerogram (ax, ay, az) to the frame of gravity. The axes of the world are then those of the ground, and bodies feel gravity minus the
---acceleration of the ground. motion.update sets gravity before each step.
---@param w scree.World
---@param def scree.GroundRecord
function motion.gravity(w, def) end

---Returns the gravity of the scene [m/s2], without the acceleration that motion.gravity adds.
---@param w scree.World
---@return number[] gravity
function motion.still_gravity(w) end

---Returns displacement [m], velocity [m/s] and mean acceleration in the last step [m/s2] of a body with a motion, or of gravity's frame without a body.
---@param w scree.World
---@param body? scree.Body
---@return number[] displacement, number[] velocity, number[] acceleration
function motion.now(w, body) end

---Returns position [m] and orientation (w, x, y, z) of a motion at a time [s].
---@param m scree.Motion
---@param t number
---@return number[] position, number[] orientation
function motion.at(m, t) end

---Returns columns for the series: displacement and angle of named bodies since the first call, `NAME_x`, `NAME_y`, `NAME_z` [m] and `NAME_turn` [rad], from 0 to pi.
---After a body has left the world its values are nan, and a message states the number of such bodies.
---@param w scree.World
---@param names string[]
---@param ground? string name of the body in whose axes they are; default: the axes of the world
---@return table<string, table>
function motion.displacements(w, names, ground) end

---Ends the motion of a body, which then rests.
---@param w scree.World
---@param body scree.Body
function motion.remove(w, body) end

---A motion: a record, rotations and translations. Rotations act first, in their order. Translations carry pivots along.
---@class scree.MotionDef: scree.MotionRecord
---@field body scree.Body a kinematic body
---@field axis? scree.Vec3 axis of the column or list `angle`
---@field pivot? scree.Vec3 a point of this axis [m]; default: centre of mass
---@field rotate? scree.MotionRotation|scree.MotionRotation[] one rotation or a list
---@field translate? scree.MotionTranslation|scree.MotionTranslation[] one translation or a list
---@field start? number time at which the time of the motion is 0; before it the body rests [s]; default: 0
---@field stop? number time after which the body rests [s]; default: never
---@field absolute? boolean true: places the body at the position and angle of its table; default: false

---An accelerogram of the ground.
---@class scree.GroundRecord: scree.MotionRecord
---@field start? number time at which the record begins [s]; default: 0
---@field stop? number time after which the ground rests [s]; default: never

---A rotation about a fixed axis: with a rate, an oscillation, or a record of angles.
---@class scree.MotionRotation: scree.MotionRecord
---@field axis scree.Vec3 of any nonzero length
---@field pivot? scree.Vec3 a point of the axis when the motion is added [m]; default: centre of mass
---@field rate? number [rad/s]
---@field amplitude? number angle = amplitude (sin(2 pi frequency t + phase) - sin(phase)) [rad]
---@field frequency? number [Hz], > 0
---@field phase? number [rad]; default: 0
---@field ramp? number time in which the amplitude grows from 0 after start, and falls to 0 before stop [s]; default: 0, a jump of velocity unless phase is pi/2

---A translation: with a velocity, an oscillation, or a record of positions or accelerations.
---@class scree.MotionTranslation: scree.MotionRecord
---@field velocity? scree.Vec3|number [m/s]; a number along direction
---@field amplitude? scree.Vec3|number displacement = amplitude (sin(2 pi frequency t + phase) - sin(phase)) [m]; a number along direction
---@field direction? scree.Vec3 of any nonzero length
---@field frequency? number [Hz], > 0
---@field phase? number [rad]; default: 0
---@field ramp? number time in which the amplitude grows from 0 after start, and falls to 0 before stop [s]; default: 0, a jump of velocity unless phase is pi/2

---The plain table that describes a motion.
---@class scree.Motion
---@field body scree.Body
---@field position number[] at which the motion was added [m]
---@field orientation number[]
---@field start number [s]
---@field stop number [s]

return motion
