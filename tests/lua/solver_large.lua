-- `auto` sweeps a problem with many contacts of balls with momentum, and one with other contacts without (docs/solvers.md).
local scree = require "scree"

-- Makes a step of a cubic packing of 20 x 20 x 19 balls, with a box beside it or not. Returns the report.
local function packing(box)
  local w = scree.world { dt = 1e-3, solver = { iterations = 3 } }
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 0, 20 * 20 * 19 - 1 do w:sphere { radius = 0.01, position = { 0.02 * (i % 20), 0.02 * (i // 20 % 20), 0.01 + 0.02 * (i // 400) } } end
  if box then w:box { size = { 0.1, 0.1, 0.1 }, position = { -1, 0, 0.05 } } end
  w:step()
  return w:report()
end

local balls, mixed = packing(false), packing(true)
assert(balls.contacts > 20000 and mixed.contacts > 20000, balls.contacts)
assert(balls.solved.sweeps == 1 and balls.solved.momentum == 1)
assert(mixed.solved.sweeps == 1 and mixed.solved.momentum == 0)
