---@meta
-- Annotations of compatible contact forces. docs/forces.md explains them.

---@class scree.World
local World = {}

---The force network that stiff elastic grains would have, for the contacts of the last step: a list in the order of w:contacts() of
---tables {a, b, force, solver, vector, normal, point, index} with body ids and forces in N, and a report of the solver.
---@param def? { law?: "hooke"|"hertz", stiffness?: number|table|function, cell?: "driven"|"free"|"held", [string]: any }
---@return table[] forces, table report
function World:compatible_forces(def) end

---The least friction with which the structure of the last step's contacts can rest: `associated`, below which nothing rests, `restricted`,
---at which motion without dilation can begin (nil: none found up to `most`), `first` (id of the body that moves most), `closed` and `rounds`.
---@param def? { vary?: "scale"|"mu", load?: "weight"|"step", most?: number, closed?: number, tolerance?: number, rounds?: integer, iterations?: integer }
---@return { associated?: number, restricted?: number, first?: integer, closed: integer, rounds: integer } range
function World:rest_range(def) end

---From now on frames with contacts carry the compatible forces of their step: the keys of compatible_forces, with `compatible` in place of
---`law`. false stops that. A scene's key `forces` does the same after setup.
---@param def { compatible: "hooke"|"hertz", stiffness?: number|table|function, [string]: any }|false
function World:record_forces(def) end
