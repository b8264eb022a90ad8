---@meta scree.thread
-- Annotations of threads. docs/mechanisms.md has an example.

---Shapes of bolts and nuts with a right-handed thread about z. Each piece of the thread is a convex hull; side faces are perpendicular to z.
---@class scree.thread
local thread = {}

---Dimensions of a thread.
---@class scree.ThreadDef
---@field radius number outer radius of the bolt's thread [m]
---@field pitch number advance per turn [m]
---@field depth number height of the thread over the shaft [m]
---@field width? number width of the bolt's thread along the axis [m]; default: 0.47 pitches
---@field gap? number radial gap between bolt and nut [m]; default: 0.05 depths
---@field sides? integer pieces per turn, a multiple of 6 from 12 to 96; default: 12

---Returns the shapes of a bolt, centred on height 0, for `w:body`. options: length of the thread [m]; head = { across =, height = } [m] for a head below it; other keys
---(material, density, layer) are copied to every shape.
---@param def scree.ThreadDef
---@param options { length: number, head?: { across: number, height: number }, material?: string, density?: number }
---@return table[] shapes
function thread.bolt(def, options) end

---Returns the shapes of a hexagonal nut for the bolt. options: height [m]; across: width across flats [m] (default: 3.4 radii); slack: play between the threads along the
---axis [m] (default: 0.02 pitches); other keys are copied to every shape.
---@param def scree.ThreadDef
---@param options { height: number, across?: number, slack?: number, material?: string, density?: number }
---@return table[] shapes
function thread.nut(def, options) end

return thread
