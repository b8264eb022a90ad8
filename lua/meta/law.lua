---@meta
-- Annotations of friction laws. docs/laws.md has the laws and their parameters.

---Friction laws: solving the problem of a single contact, checking a law, defining a law.
---@class scree.law
local law = {}

---Returns the names of all laws: first those of scree, sorted, then those of the script in the order of their definition.
---@return string[]
function law.names() end

---Returns the parameters of a law: a list of tables with name, default, bounds, unit, doc.
---@param name string
---@return table[]
function law.params(name) end

---Solves one contact. A is the 3x3 Delassus block, b the negative free velocity, in the frame (n, t, o). Returns x, v = A x - b, energy, state, iterations.
---@param problem { law: string, A: number[][], b: number[], [string]: any }
---@return table
function law.solve(problem) end

---Returns all solutions of one contact, sorted by energy.
---@param problem { law: string, A: number[][], b: number[], [string]: any }
---@return table[]
function law.solutions(problem) end

---Defines a law in Lua: either `base` with `refresh(p, s, c)`, called once per contact and step, or
---`solve(p, Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo)` that returns xn, xt, xo. Its name can then be used like that of any law.
---@param def { name: string, params?: table, state?: string[], base?: string, refresh?: function, solve?: function }
---@return string name
function law.define(def) end

---Runs random problems against a law: cone, pull, approach, energy, scaling, rotation. Returns { law, problems, ok, violations = { { kind,
---count, worst, example = { A, b, x } } } }, each example is the simplest one found.
---@param name string
---@param options? { problems?: integer, seed?: integer, [string]: any }
---@return table
function law.check(name, options) end
