---@meta
-- Annotations of the cell of a periodic world. docs/cells.md has the conventions.

---@class scree.World
local World = {}

---The cell that space repeats itself along; an error where the world has none.
---@return scree.Cell
function World:cell() end

---@class scree.Cell
local Cell = {}

---Lengths of the three edges [m].
---@return number a, number b, number c
function Cell:size() end

---H, three rows; its columns are the edges [m].
---@return number[][]
function Cell:matrix() end

---Corner that the edges start from [m].
---@return number x, number y, number z
function Cell:origin() end

---Along which edges space repeats itself.
---@return boolean a, boolean b, boolean c
function Cell:periodic() end

---Volume [m3].
---@return number
function Cell:volume() end

---The image of a point that lies in the cell, and which it is: point = wrapped + H image.
---@param x number|scree.Vec3
---@param y? number
---@param z? number
---@return scree.Vec3 wrapped, integer[] image
function Cell:wrap(x, y, z) end

---Another H, three rows [m]; bodies stay where they are, and edges that are not periodic as they were.
---@param matrix number[][]
function Cell:set_matrix(matrix) end

---L, three rows [1/s].
---@return number[][]
function Cell:velocity_gradient() end

---Deforms the cell from now on: its edges go with L, and an image of a body moves with L H n beside it. Unless affine is false, dynamic
---bodies take up the change of L about their centre of mass.
---@param gradient number[][] three rows [1/s]
---@param affine? boolean
function Cell:set_velocity_gradient(gradient, affine) end

---Stress in place of components of L: a number [Pa], positive in compression, drives that component, false leaves it to
---set_velocity_gradient, and one that was driven becomes 0. The step's own impulses meet it, less the cell's inertia: `inertia` (1) times the sum of m d^2 over bodies.
---@param stress (number|false)[][] three rows
---@param inertia? number
function Cell:set_stress(stress, inertia) end

---Cauchy stress of the last step over the cell, three rows, positive in compression [Pa]: all of it; that of motion, with velocities less
---their mean and the cell's own flow; that of contacts and joints.
---@return number[][] stress, number[][] kinetic, number[][] contact
function Cell:stress() end
