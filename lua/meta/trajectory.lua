---@meta
-- Annotations of trajectories read from Lua.

---@class scree
local scree = {}

---Opens a trajectory file, or the trajectory of a run directory. In a damaged file all intact parts can be read. In the sandbox the file must lie in the run's folder.
---@param file string
---@return scree.Trajectory
function scree.open(file) end

---A trajectory file. `#t` is the number of frames; frames count from 1, -1 is the last.
---@class scree.Trajectory
local Trajectory = {}

---Returns the contents and the condition of the file: frames, bytes, fields, precision [m] (0: exact), first_time, last_time, most_bodies, complete,
---lost_bytes, damaged_chunks, damage.
---@return table
function Trajectory:info() end

---Checks every byte and returns the info. The number of frames then excludes frames that cannot be read.
---@return table
function Trajectory:verify() end

---Returns the provenance as JSON text.
---@return string
function Trajectory:meta() end

---Returns the text of the scene.
---@return string
function Trajectory:source() end

---Returns the time of a frame [s] without reading the frame.
---@param frame integer
---@return number
function Trajectory:time(frame) end

---Returns one frame as flat lists: body k has id[k], group[k], kind[k], radius[k], mass[k], position[3k-2 .. 3k], orientation[4k-3 .. 4k] (w,x,y,z),
---velocity, spin; also time, step, bodies, and contacts if they were stored. Fields that were not stored are nil. In periodic
---worlds cell: matrix and gradient as rows, origin, volume, and periodic of each edge; positions are not wrapped into the cell.
---@param frame integer
---@return table
function Trajectory:frame(frame) end

---Iterates over the frames: `for i, frame in t:frames() do`.
---@return function
function Trajectory:frames() end

---Writes frames in a format of another program (docs/export.md).
---@param def scree.ExportDef
---@return integer files number of files written
function Trajectory:export(def) end

---Compares with another trajectory. Returns nil if they are equal, else the first and the largest differences. Tolerance is relative to the
---largest value of a field (0: every bit counts).
---@param other scree.Trajectory
---@param tolerance? number
---@return table?
function Trajectory:compare(other, tolerance) end

---Closes the file. Garbage collection closes it, too.
function Trajectory:close() end

---@class scree.ExportDef
---@field format string a format of docs/export.md
---@field directory? string folder for the files, created if missing; in the sandbox a plain name
---@field name? string prefix of the file names
---@field first? integer first frame; negative: from the end
---@field last? integer last frame; negative: from the end
---@field stride? integer writes every stride-th frame
---@field contacts? boolean also writes contacts, if the trajectory contains them
---@field single? boolean npz: writes one file for all frames
---@field detail? integer ply, stl: sides of round shapes, a multiple of 4 from 8 to 48; default: fewer for many grains
---@field loads? boolean force, torque and number of contacts of each body, if the trajectory contains contacts
---@field grains? boolean stl: also a file of the grains for each frame
---@field parts? boolean a row for each ball of a clump, with the body's id as clump
