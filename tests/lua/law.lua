-- scree.law: the single-contact problem, laws written in Lua, their checks and their errors.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.near

-- names and parameters
local known = {}
for _, name in ipairs(scree.law.names()) do known[name] = true end
for _, name in ipairs { "cone", "coulomb", "decoupled", "directional", "frictionless", "max_dissipation", "polyhedral" } do assert(known[name], name) end
local params = scree.law.params "coulomb"
assert(params[1].name == "mu" and params[1].default == 0.5 and params[1].min == 0 and params[1].unit == "")
assert(#scree.law.params "polyhedral" == #params + 1 and #scree.law.params "frictionless" == 0)

-- one contact; the example of docs/laws.md
local A = { { 2, 0.3, 0.1 }, { 0.3, 3, 0.2 }, { 0.1, 0.2, 4 } }
local r = scree.law.solve { law = "max_dissipation", A = A, b = { 1, 0.5, 0.2 }, mu = 0.1 }
assert(r.state == "sliding" and r.iterations > 0)
near(r.v[1], 0)
near(math.sqrt(r.x[2] ^ 2 + r.x[3] ^ 2), 0.1 * r.x[1])
local energy = 0
for i = 1, 3 do energy = energy + r.x[i] * ((r.v[i] + ({ 1, 0.5, 0.2 })[i]) / 2 - ({ 1, 0.5, 0.2 })[i]) end
near(r.energy, energy)
assert(scree.law.solve({ law = "coulomb", A = A, b = { -1, 0, 0 } }).state == "separating")
assert(scree.law.solve({ law = "coulomb", A = A, b = { 1, 0, 0 } }).state == "sticking")
-- the counterexample to Eq. (9) of Preclik et al.
r = scree.law.solve { law = "max_dissipation", A = { { 1, 2, 0 }, { 2, 5, 1 }, { 0, 1, 2 } }, b = { 0, 3, 3 }, mu = 2 }
near(r.x[1], 0.741286461976, 1e-11)
near(r.energy, -1.59727774502, 1e-11)
-- a law with one answer lists one
assert(#scree.law.solutions { law = "cone", A = A, b = { 1, 2, 0 }, mu = 0.1 } == 1)
-- six rows with rolling friction
local wide = {}
for i = 1, 6 do
  wide[i] = { 0, 0, 0, 0, 0, 0 }
  wide[i][i] = i
end
r = scree.law.solve { law = "coulomb", A = wide, b = { 1, 0, 0, 0.1, 10, 0 }, mu = 0.5, torsion = 0.2, rolling = 0.3 }
near(r.x[4], 0.025)
near(r.x[5], 0.3)

-- refusals
local here = fails("problem.law: there is no law 'coulom'; did you mean 'coulomb'", function() scree.law.solve { law = "coulom", A = A, b = { 1, 0, 0 } } end)
assert(here:find "law%.lua:%d+: ", here)
local function refused(text, change)
  local problem = { law = "coulomb", A = A, b = { 1, 0, 0 }, mu = 0.5 }
  for k, v in pairs(change) do problem[k] = v end
  fails(text, scree.law.solve, problem)
end
refused("problem.mu must be at least 0, not -1", { mu = -1 })
refused("problem.mu is NaN", { mu = 0 / 0 })
refused("problem.mu_statics is not a known key; did you mean 'mu_static'", { mu_statics = 1 })
refused("problem.A must have 3 rows with these parameters, not 2", { A = { { 1, 0 }, { 0, 1 } } })
refused("problem.A[2] must have 3 numbers, not 2", { A = { { 1, 0, 0 }, { 0, 1 }, { 0, 0, 1 } } })
refused("not symmetric", { A = { { 1, 0.5, 0 }, { 0.4, 1, 0 }, { 0, 0, 1 } } })
refused("not positive definite", { A = { { 1, 2, 0 }, { 2, 1, 0 }, { 0, 0, 1 } } })
refused("problem.A[1][2] is NaN", { A = { { 1, 0 / 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } })
refused("problem.b[1] is infinite", { b = { 1 / 0, 0, 0 } })
refused("problem.b must be a list of 3 numbers, not a number", { b = 5 })
refused("must have 6 rows", { rolling = 0.1 })
fails("there is no law 'conee'; did you mean 'cone'", scree.law.params, "conee")

-- laws written in Lua
scree.law.define {
  name = "weakening", base = "coulomb", params = { mu = 0.4, distance = { default = 0.01, min = 1e-9, unit = "m", doc = "slip distance" } }, state = { "slip" },
  refresh = function(p, s, c)
    s.slip = s.slip + c.slip_speed * c.dt
    p.mu = p.mu / (1 + s.slip / p.distance)
  end,
}
local own = scree.law.params "weakening"
assert(own[1].name == "mu" and own[1].default == 0.4 and own[#own].name == "distance" and own[#own].unit == "m")
-- the ball's closed form in Lua; right for a = 0 only
scree.law.define {
  name = "ball_form", params = { mu = 0.4 },
  solve = function(p, Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo)
    if bn <= 0 then return 0, 0, 0 end
    local xn, b = bn / Ann, math.sqrt(bt * bt + bo * bo)
    local cut = b > 0 and math.min(1 / Att, p.mu * xn / b) or 0
    return xn, bt * cut, bo * cut
  end,
}
assert(scree.law.names()[#scree.law.names()] == "ball_form")
r = scree.law.solve { law = "ball_form", A = { { 2, 0, 0 }, { 0, 7, 0 }, { 0, 0, 7 } }, b = { 1, 5, 0 }, mu = 0.2 }
near(r.x[2], 0.1)
assert(r.state == "sliding")
-- it sticks if friction below mu x_n = 0.1 stops the slip in both tangential directions
r = scree.law.solve { law = "ball_form", A = { { 2, 0, 0 }, { 0, 7, 0 }, { 0, 0, 7 } }, b = { 1, 0.35, -0.42 }, mu = 0.2 }
near(r.x[2], 0.05)
near(r.x[3], -0.06)
assert(r.state == "sticking")
assert(scree.law.solve({ law = "ball_form", A = { { 2, 0, 0 }, { 0, 7, 0 }, { 0, 0, 7 } }, b = { 1, 0, 5 }, mu = 0.2 }).state == "sliding")

-- checks: the exact laws pass, the approximate one and a wrong one do not
for _, name in ipairs { "coulomb", "max_dissipation", "cone", "frictionless", "weakening" } do
  local report = scree.law.check(name)
  assert(report.ok and report.problems == 4000 and #report.violations == 0, name)
end
local report = scree.law.check("decoupled", { problems = 2000, mu = 0.7 })
assert(not report.ok and report.violations[1].kind == "approach" and report.violations[1].count > 0)
scree.law.define { name = "too_strong", params = { mu = 0.4 }, solve = function(p, Ann, _, _, Att, _, _, bn, bt, bo)
  if bn <= 0 then return 0, 0, 0 end
  return bn / Ann, 3 * bt / Att, 3 * bo / Att
end }
report = scree.law.check "too_strong"
local kinds = {}
for _, v in ipairs(report.violations) do kinds[v.kind] = v end
assert(kinds.cone and kinds.energy and not kinds.scaling)
-- the example is a simple one: a ball's block, b of small whole numbers
local e = kinds.energy.example
assert(e.A[1][2] == 0 and e.A[2][2] == e.A[3][3] and e.b[1] == math.floor(e.b[1]))
scree.law.define { name = "not_scaling", params = {}, solve = function(_, Ann, _, _, _, _, _, bn) return bn > 0 and bn * bn / Ann or 0, 0, 0 end }
kinds = {}
for _, v in ipairs(scree.law.check("not_scaling").violations) do kinds[v.kind] = v end
assert(kinds.scaling)

-- definitions that are refused
local function undefinable(text, change)
  local def = { name = "x", base = "coulomb", refresh = function() end }
  for k, v in pairs(change) do def[k] = v or nil end
  fails(text, scree.law.define, def)
end
undefinable("law.name: 'coulomb' is one of scree's own laws", { name = "coulomb" })
undefinable("there is already a law 'weakening'", { name = "weakening" })
undefinable("law.name must be a name of letters", { name = "my law" })
undefinable("needs either base or solve", { base = false })
undefinable("law 'x' has a base but no refresh", { refresh = false })
undefinable("law.base: there is no law 'colomb'; did you mean 'coulomb'", { base = "colomb" })
undefinable("law.refesh is not a known key; did you mean 'refresh'", { refesh = 1 })
undefinable("law.params.mu must be a number or a table", { params = { mu = "high" } })
undefinable("law.state must be a list of names", { state = 5 })
undefinable("law.refresh must be a function", { refresh = 5 })

-- in a world: the stopping distance of a sled with four feet follows from mu, for the law in Lua as for the built-in one
local function slide(law, more)
  local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3, solver = { name = "nbgs", iterations = 100, tolerance = 1e-10 } }
  local pair = { "default", "default", law = law, mu = 0.5 }
  for k, v in pairs(more or {}) do pair[k] = v or nil end
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 } }
  local feet = {}
  for i, place in ipairs { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } } do
    feet[i] = { type = "sphere", radius = 0.02, position = { 0.1 * place[1], 0.1 * place[2], 0 } }
  end
  local sled = w:body { shapes = feet, position = { 0, 0, 0.02 }, velocity = { 1, 0, 0 } }
  w:step(500)
  local x = sled:position()
  return x, sled, w
end
-- v^2/(2 mu g)
near(slide "coulomb", 0.1, 6e-3)
scree.law.define { name = "plain", base = "coulomb", refresh = function() end }
assert(slide "plain" == slide "coulomb")
-- weakening slides farther
assert(slide("weakening", { distance = 0.1 }) > 0.13)
-- static and dynamic coefficients, anisotropy, rolling friction and cohesion reach the world
near(slide("coulomb", { mu = 0.25, mu_static = 0.9 }), 0.2, 6e-3)
-- along x the coefficient is mu2 = 0.1: v t - mu2 g t^2/2
near(slide("coulomb", { mu2 = 0.1, direction_x = 0, direction_y = 1 }), 0.375, 6e-3)
local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3, solver = { iterations = 50 } }
w:pair { "default", "default", law = "coulomb", mu = 0.5, rolling = 0.01 }
w:halfspace { normal = { 0, 0, 1 } }
local ball = w:sphere { radius = 0.1, position = { 0, 0, 0.1 }, velocity = { 0.5, 0, 0 }, spin = { 0, 5, 0 } }
w:step(200)
-- a rolling ball slows by g rolling/r / (1 + 2/5)
near(ball:velocity(), 0.5 - 10 * 0.01 / 0.1 / 1.4 * 0.2, 1e-2)
w = scree.world { gravity = { 0, 0, 10 }, dt = 1e-3, solver = { iterations = 50 } }
w:pair { "default", "default", law = "coulomb", cohesion = 50 }
w:halfspace { normal = { 0, 0, 1 } }
ball = w:sphere { radius = 0.1, position = { 0, 0, 0.1 }, mass = 4.9 }
local heavy = w:sphere { radius = 0.1, position = { 1, 0, 0.1 }, mass = 5.1 }
w:step(200)
near(select(3, ball:position()), 0.1, 1e-9)
assert(select(3, heavy:position()) > 0.1001)

-- errors inside a law name the law, the line and the contact; the world stays at the last whole step
scree.law.define { name = "nan_law", params = {}, solve = function() return 0 / 0, 0, 0 end }
local message = fails("law 'nan_law'", slide, "nan_law", { mu = false })
assert(message:find "law%.lua:%d+: solve returned NaN as x_n" and message:find "contact of bodies", message)
scree.law.define { name = "broken", base = "coulomb", refresh = function(p) return p.mu.here end }
message = fails("law 'broken'", slide, "broken")
assert(message:find "law%.lua:%d+: attempt to index a number value" and message:find "contact of bodies", message)
scree.law.define { name = "negative", base = "coulomb", refresh = function(p) p.mu = -1 end }
fails("after refresh, mu must be at least 0", slide, "negative")
scree.law.define { name = "wordy", base = "coulomb", state = { "s" }, refresh = function(_, s) s.s = "much" end }
fails("refresh left s.s as string", slide, "wordy")
local caught
scree.law.define { name = "meddler", base = "coulomb", refresh = function() caught:set_gravity(0, 0, 0) end }
local ok
w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3 }
caught = w
w:pair { "default", "default", law = "meddler" }
w:halfspace { normal = { 0, 0, 1 } }
w:sphere { radius = 0.1, position = { 0, 0, 0.1 } }
ok, message = pcall(w.step, w)
assert(not ok and message:find("cannot be changed from within a friction law", 1, true), message)

-- every solution has its state
do
  local all = scree.law.solutions { law = "coulomb", A = { { 2, 0.1, 0 }, { 0.1, 3, 0 }, { 0, 0, 3 } }, b = { 1, 2, 0 }, mu = 0.3 }
  assert(#all == 1 and all[1].state == "sliding" and all[1].x[1] > 0)
end
