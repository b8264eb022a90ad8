---@meta
-- Annotations of two-body impacts. docs/impact.md explains them.

---Impact of two bodies at one point with friction and restitution; order (x, y, z), z the normal from body 2 into body 1.
---@class scree.impact
local impact = {}

---Solves one impact. Returns impulse, v_after, energy_lost, energy_stored, sequence (such as "csr"), events (a list of {name, normal_impulse}),
---sticking, condition, and with `hodograph` the list of points {impulse, velocity, energy}.
---@param problem { W: number[][], v: number[], mu: number, e: number, law?: "stronge"|"poisson"|"newton", line_tolerance?: number, hodograph?: boolean|integer }
---@return table
function impact.solve(problem) end

---Invariant directions of sliding: a list of {x, y, rate =}; a negative rate leads to rest.
---@param problem { W: number[][], mu: number }
---@return table[]
function impact.directions(problem) end

---Inverse inertia matrix of two bodies at a contact, the velocity of body 1 against body 2 there, and the frame (x, y, z) as rows.
---Bodies are tables with mass, inertia, position, orientation, velocity, spin; without body2 it is immovable.
---@param pair { body1: table, body2?: table, point?: number[], normal?: number[], tangent?: number[] }
---@return number[][] W, number[] v, number[][] frame
function impact.inverse_inertia(pair) end

---What an impulse (x, y, z) on body 1 makes of both bodies: tables with velocity and spin.
---@param pair { body1: table, body2?: table, point?: number[], normal?: number[], tangent?: number[], impulse: number[] }
---@return table body1, table body2
function impact.apply(pair) end
