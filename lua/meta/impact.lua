---@meta
-- Annotations of two-body impacts. docs/impact.md explains them.

---Impact of two bodies at one point with friction and restitution. Vectors are (x, y, z); z is the normal from body 2 into body 1.
---@class scree.impact
local impact = {}

---Solves one impact. Returns impulse, v_after, energy_lost, energy_stored, sequence (such as "csr"), events (a list of {name, normal_impulse}),
---sticking, condition, and with `hodograph` the list of points {impulse, velocity, energy}.
---@param problem { W: number[][], v: number[], mu: number, e: number, law?: "stronge"|"poisson"|"newton", line_tolerance?: number, hodograph?: boolean|integer }
---@return table
function impact.solve(problem) end

---Returns the invariant directions of sliding: a list of {x, y, rate =}. If rate is negative, the slip decreases to zero.
---@param problem { W: number[][], mu: number }
---@return table[]
function impact.directions(problem) end

---Returns the inverse inertia matrix of two bodies at a contact, the velocity of body 1 relative to body 2 at the contact, and the frame (x, y, z) as rows.
---Bodies are tables with mass, inertia, position, orientation, velocity, spin. Without body2, body 1 hits an immovable body.
---@param pair { body1: table, body2?: table, point?: number[], normal?: number[], tangent?: number[] }
---@return number[][] W, number[] v, number[][] frame
function impact.inverse_inertia(pair) end

---Applies an impulse (x, y, z) to body 1 and its opposite to body 2. Returns tables with velocity and spin of both bodies.
---@param pair { body1: table, body2?: table, point?: number[], normal?: number[], tangent?: number[], impulse: number[] }
---@return table body1, table body2
function impact.apply(pair) end
