---@meta scree.thread
-- Annotations of threads. docs/mechanisms.md has an example.

---Shapes of bolts and nuts: a hull for each piece of a right-handed thread with square flanks about z.
---@class scree.thread
local thread = {}

---A thread's measures.
---@class scree.ThreadDef
---@field radius number outer radius of the bolt's thread [m]
---@field pitch number way of a turn [m]
---@field depth number height of the thread over the shaft [m]
---@field width? number of the bolt's thread along the axis [m]; 0.47 pitches without it
---@field gap? number between the two parts across the axis [m]; 0.05 depths without it
---@field sides? integer pieces a turn, a multiple of 6 from 12 to 96; 12 without it

---Shapes of a bolt about height 0 for `w:body`. options: length of the thread [m], head = { across =, height = } [m] below it; other keys (material, density, layer) go to
---every shape.
---@param def scree.ThreadDef
---@param options { length: number, head?: { across: number, height: number }, material?: string, density?: number }
---@return table[] shapes
function thread.bolt(def, options) end

---Shapes of a hexagonal nut for such a bolt. options: height [m]; across its flats [m] (3.4 radii without it); slack along the axis between the threads [m] (0.02 pitches
---without it); other keys go to every shape.
---@param def scree.ThreadDef
---@param options { height: number, across?: number, slack?: number, material?: string, density?: number }
---@return table[] shapes
function thread.nut(def, options) end

return thread
