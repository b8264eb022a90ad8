-- Functions shared by tests of mechanisms: worlds with the options `defaults` and the solver test.solver, and a
-- comparison whose error names this solver.
--
--   local test = mechanism { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { iterations = 2000, tolerance = 1e-9 } }
--   test.solver = "nbgs"; local w = test.world { plane = { 0, 1, 0 } }; test.near(x, 1, 1e-9, "way")
local scree = require "scree"

local function over(base, more)
  local all = {}
  for k, v in pairs(base) do all[k] = v end
  for k, v in pairs(more or {}) do all[k] = v end
  return all
end

return function(defaults)
  local test = {}

  function test.world(more)
    return scree.world(over(over(defaults, { solver = over(defaults.solver, { name = test.solver }) }), more))
  end

  -- a is b to within the tolerance
  function test.near(a, b, tolerance, what)
    if math.abs(a - b) <= tolerance then return end
    error(string.format("%s, %s: %.12g, expected %.12g within %g", test.solver, what, a, b, tolerance), 2)
  end

  return test
end
