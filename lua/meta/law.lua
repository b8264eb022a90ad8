---@meta
-- Annotations of friction laws. docs/laws.md has the laws and their parameters.

---The single-contact problem: solving it, checking a law, defining one.
---@class scree.law
local law = {}

---Names of all laws: scree's own, sorted, then the script's in the order of their definition.
---@return string[]
function law.names() end

---Parameters of a law: a list of tables with name, default, bounds, unit, doc.
---@param name string
---@return table[]
function law.params(name) end

---Solves one contact: A the 3x3 Delassus block, b minus the free velocity, in (n, t, o). Returns x, v = A x - b, energy, state, iterations.
---@param problem { law: string, A: number[][], b: number[], [string]: any }
---@return table
function law.solve(problem) end

---All solutions of one contact, least energy first.
---@param problem { law: string, A: number[][], b: number[], [string]: any }
---@return table[]
function law.solutions(problem) end

---Defines a law in Lua: either `base` with `refresh(p, s, c)`, called once per contact and step, or
---`solve(p, Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo)` that returns xn, xt, xo. It can then be named wherever a law is.
---@param def { name: string, params?: table, state?: string[], base?: string, refresh?: function, solve?: function }
---@return string name
function law.define(def) end

---Runs random problems against a law: cone, pull, approach, energy, scaling, rotation. Returns { law, problems, ok, violations = { { kind,
---count, worst, example = { A, b, x } } } }, each example the simplest found.
---@param name string
---@param options? { problems?: integer, seed?: integer, [string]: any }
---@return table
function law.check(name, options) end
