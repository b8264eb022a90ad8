---@meta
-- Annotations of trajectories read from Lua.

---@class scree
local scree = {}

---Opens a trajectory, whole or damaged; everything that is intact can be read. In the sandbox: a file of the run's folder.
---@param file string
---@return scree.Trajectory
function scree.open(file) end

---A trajectory file. `#t` is the number of frames; frames count from 1, -1 is the last.
---@class scree.Trajectory
local Trajectory = {}

---What the file holds and whether it is whole: frames, bytes, fields, precision [m] (0: exact), first_time, last_time, most_bodies, complete,
---lost_bytes, damaged_chunks, damage.
---@return table
function Trajectory:info() end

---Checks every byte and returns the info; frames that cannot be read leave the count.
---@return table
function Trajectory:verify() end

---Provenance as JSON text.
---@return string
function Trajectory:meta() end

---Text of the scene.
---@return string
function Trajectory:source() end

---Time of a frame [s], without reading it.
---@param frame integer
---@return number
function Trajectory:time(frame) end

---One frame as flat lists: body k has id[k], group[k], kind[k], radius[k], mass[k], position[3k-2 .. 3k], orientation[4k-3 .. 4k] (w,x,y,z),
---velocity, spin; also time, step, bodies, and contacts where they are kept. Fields that were not kept are nil. In periodic
---worlds cell: matrix and gradient as rows, origin, volume, and periodic of each edge; positions are not wrapped into it.
---@param frame integer
---@return table
function Trajectory:frame(frame) end

---`for i, frame in t:frames() do`.
---@return function
function Trajectory:frames() end

---Writes frames in a format of other programs (docs/export.md).
---@param def scree.ExportDef
---@return integer files number of files written
function Trajectory:export(def) end

---Compares with another trajectory: nil where they are the same, else first and largest differences. Tolerance is relative to the largest
---value of a field (0: every bit counts).
---@param other scree.Trajectory
---@param tolerance? number
---@return table?
function Trajectory:compare(other, tolerance) end

---Closes the file; garbage collection does it too.
function Trajectory:close() end

---@class scree.ExportDef
---@field format string a format of docs/export.md
---@field directory? string folder to write to, created where missing; in the sandbox a plain name
---@field name? string what the files' names begin with
---@field first? integer first frame; negative: from the end
---@field last? integer last frame; negative: from the end
---@field stride? integer every so many frames
---@field contacts? boolean contacts too, where the trajectory keeps them
