-- Solves that use up all sweeps above the tolerance are counted.
local scree = require "scree"

local function pile(iterations)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { name = "nbgs", iterations = iterations, tolerance = 1e-6 } }
  w:halfspace { normal = { 0, 0, 1 } }
  for k = 1, 10 do w:sphere { radius = 0.01, position = { 0, 0, 0.02 * k - 0.01 } } end
  w:step(20)
  return w:report().solved
end

-- ten balls on top of each other need many sweeps
local few, many = pile(1), pile(10000)
assert(few.capped > 0 and few.capped <= few.steps and few.steps == 20, few.capped)
assert(many.steps > 0 and many.capped == 0, many.capped)

-- free flight needs no sweep
local w = scree.world { dt = 1e-3 }
w:sphere { radius = 0.01 }
w:step(5)
assert(w:report().solved.steps == 0 and w:report().solved.capped == 0)
