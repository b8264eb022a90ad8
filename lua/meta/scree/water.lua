---@meta scree.water
-- Annotations of water. docs/blocks.md has an example.

---Water at rest: buoyancy and pressure in joints below a water table, as forces.
---@class scree.water
local water = {}

---Adds water. Call it in setup.
---@param w scree.World
---@param def scree.WaterDef
function water.create(w, def) end

---Applies the pressure of the water in the coming step. Call it before each step. level: a new table from now on.
---@param w scree.World
---@param level? number|number[]
function water.update(w, level) end

---A body of water. The pressure is density |g| (depth below the table along -g), and 0 above the table. g is gravity without the shaking of motion.gravity.
---@class scree.WaterDef
---@field level number|number[] height of the table above the origin, along -g [m], or { this height [m], slope along x, slope along y }
---@field density? number [kg/m3]; default: 1000
---@field acts? "everywhere"|"joints" everywhere: on all faces of the blocks (buoyancy); joints: in the faces that `cracks.watch` follows, except on blocks with water everywhere; default: "everywhere"
---@field blocks? scree.WaterBlock[] shapes of the bodies, with everywhere
---@field bodies? scree.Body[] bodies of the blocks, in the same order; a body of several parts several times

---The shape of a block: `points`, its corners in the world (blocks of `rock.cut` have them), or `size` of a box.
---@class scree.WaterBlock
---@field points? number[][] [m]
---@field size? number[] [m]

return water
