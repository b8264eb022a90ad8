---@meta
-- Annotations of compatible contact forces. docs/forces.md explains them.

---@class scree.World
local World = {}

---Computes the force network that stiff elastic grains would have, for the contacts of the last step. Returns a list in the order of
---w:contacts() of tables {a, b, force, solver, vector, normal, point, index} with body ids and forces in N, and a report of the solver.
---@param def? { law?: "hooke"|"hertz", stiffness?: number|table|function, cell?: "driven"|"free"|"held", [string]: any }
---@return table[] forces, table report
function World:compatible_forces(def) end

---Computes the least friction with which the structure of the last step's contacts can rest. Below `associated` no state of rest exists.
---At `restricted` motion without dilation can begin. Both are nil if they exceed `most`; `restricted` also if its rounds do not converge.
---`first` is the id of the body that moves furthest, `closed` the number of contacts that took part, `rounds` the number of rounds.
---@param def? { vary?: "scale"|"mu", load?: "weight"|"step", most?: number, closed?: number, tolerance?: number, rounds?: integer, iterations?: integer }
---@return { associated?: number, restricted?: number, why?: string, first?: integer, closed: integer, rounds: integer } range
function World:rest_range(def) end

---Stores the compatible forces of each step in frames with contacts, from now on. The keys are those of compatible_forces, with `compatible`
---instead of `law`. false ends the recording. A scene's key `forces` has the same effect after setup.
---@param def { compatible: "hooke"|"hertz", stiffness?: number|table|function, [string]: any }|false
function World:record_forces(def) end
