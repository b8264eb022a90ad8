---@meta
-- Annotations of the cell of a periodic world. docs/cells.md has the conventions.

---@class scree.World
local World = {}

---Returns the cell of a periodic world; an error if the world has none.
---@return scree.Cell
function World:cell() end

---The cell of a periodic world, with edges as the columns of the matrix H.
---@class scree.Cell
local Cell = {}

---Lengths of the three edges [m].
---@return number a, number b, number c
function Cell:size() end

---Returns H as three rows; its columns are the edges [m].
---@return number[][]
function Cell:matrix() end

---Corner from which the edges start [m].
---@return number x, number y, number z
function Cell:origin() end

---Along which edges the cell is periodic.
---@return boolean a, boolean b, boolean c
function Cell:periodic() end

---Volume [m3].
---@return number
function Cell:volume() end

---Returns the image of a point that lies in the cell, and the number of its image: point = wrapped + H image.
---@param x number|scree.Vec3
---@param y? number
---@param z? number
---@return scree.Vec3 wrapped, integer[] image
function Cell:wrap(x, y, z) end

---Sets H, three rows [m]. Positions of bodies do not change, nor do edges that are not periodic.
---@param matrix number[][]
function Cell:set_matrix(matrix) end

---Returns the velocity gradient L, three rows [1/s].
---@return number[][]
function Cell:velocity_gradient() end

---Deforms the cell from now on: its edges change by L H, and the image n of a body moves relative to it with the velocity L H n. Unless affine is
---false, the change of L, applied about the common centre of mass, is added to the velocities of dynamic bodies.
---@param gradient number[][] three rows [1/s]
---@param affine? boolean
function Cell:set_velocity_gradient(gradient, affine) end

---Controls the stress instead of components of L. A number [Pa], positive in compression, drives that component. false leaves it to
---set_velocity_gradient; a component that was driven before becomes 0. The solver finds L and the impulses of the step together. The inertia of the cell is `inertia` (1) times the sum of m d^2 over the bodies.
---@param stress (number|false)[][] three rows
---@param inertia? number
function Cell:set_stress(stress, inertia) end

---Returns the Cauchy stress of the last step in the cell, three rows, positive in compression [Pa]: the total; the kinetic part, from velocities
---relative to their mean and to the flow of the cell; the part of contacts and joints.
---@return number[][] stress, number[][] kinetic, number[][] contact
function Cell:stress() end
