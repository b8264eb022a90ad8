---@meta scree.record
-- Annotations of recorded motions. docs/motion.md explains them.

---Recorded motions: tables of time and position, angle or acceleration, from files or lists, as curves.
---@class scree.record
local record = {}

---Returns the curves of the fields that a record has. Curves of accelerations are displacements from rest at the first time [m], and have their velocity.
---@param def scree.MotionRecord
---@param what? string name of the table in messages
---@return { field: string, axis?: "x"|"y"|"z", curve: scree.Curve, velocity?: scree.Curve }[]
function record.read(def, what) end

---Returns whether a table has a file or a list of a record.
---@param def table
---@return boolean
function record.is_record(def) end

---Adds the keys of a record to a list of known keys for `scree.check_keys`.
---@param known table
function record.add_keys(known) end

---Raises an error if a table that is no record has a key of a record, except scale.
---@param def table
---@param what string name of the table in messages
---@param more? string[] other keys to refuse
function record.refuse_keys(def, what, more) end

---Returns the factor `scale` of a record; 1 by default.
---@param def table
---@param what string name of the table in messages
---@return number
function record.find_scale(def, what) end

---A recorded motion. Fields are time, x, y, z [m], ax, ay, az [m/s2] and angle [rad].
---@class scree.MotionRecord
---@field file? string table of text, beside the script or from the working directory
---@field separator? string of the file: ",", ";", "|", "\t" or " "; default: by content
---@field columns? table<string, string|integer|table|false> of the file: { FIELD = NAME or NUMBER or { NAME, unit = UNIT } or false }; default: columns with the names of fields, and t
---@field units? table<string, string> { FIELD = UNIT } of the numbers, such as "mm", "deg", "gal" or, for accelerations, "g" (9.80665 m/s2); default: units of the header, else SI
---@field time? number[] rising [s]
---@field interval? number distance of the rows in time [s], > 0, instead of times
---@field x? number[] displacement [m]
---@field y? number[] displacement [m]
---@field z? number[] displacement [m]
---@field ax? number[] acceleration [m/s2]
---@field ay? number[] acceleration [m/s2]
---@field az? number[] acceleration [m/s2]
---@field angle? number[] about the axis [rad]
---@field interpolation? "linear"|"cubic" default: "linear"
---@field correction? "none"|"mean"|"linear"|"quadratic" of the base line of accelerations; default: "none"
---@field scale? number factor of all values, of a motion also of its rotations and translations, for incremental analyses; default: 1
---@field unwrap? boolean true: angles differ by at most half a turn from row to row, whole turns are added; default: false
---@field jumps? boolean true: jumps are no error; default: false

return record
