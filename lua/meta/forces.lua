---@meta
-- Annotations of compatible contact forces. docs/forces.md explains them.

---@class scree.World
local World = {}

---The force network that stiff elastic grains would have, for the contacts of the last step: a list in the order of w:contacts() of
---tables {a, b, force, solver, vector, normal, point, index} with body ids and forces in N, and a report of the solver.
---@param def? { law?: "hooke"|"hertz", stiffness?: function|table, [string]: any }
---@return table[] forces, table report
function World:compatible_forces(def) end
