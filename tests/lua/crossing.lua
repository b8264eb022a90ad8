-- Bodies that pass through an open mesh within a step are counted; bodies that it stops, or that pass beside it, are not.
local scree = require "scree"

local function shot(speed, setup)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, solver = { iterations = 50 } }
  w:mesh { points = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } }
  setup(w, speed)
  w:step(40)
  return w:report().crossed
end
-- a ball that approaches the wall is stopped at any speed
local function alone(w, v) w:sphere { radius = 0.01, position = { 0.1, 0.2, 0.5 }, velocity = { 0, 0, -v } } end
for _, v in ipairs { 1, 30, 300 } do assert(shot(v, alone) == 0, "stopped at " .. v) end
-- a light ball at rest before the wall is hit within a step by a heavy one, and passes through if the heavy one is fast
local function struck(w, v)
  w:sphere { radius = 0.01, position = { 0.1, 0.2, 0.03 }, density = 1 }
  w:sphere { radius = 0.05, position = { 0.1, 0.2, 0.095 }, velocity = { 0, 0, -v }, density = 1e6 }
end
local through = shot(200, struck)
assert(through > 0, "a ball that is struck goes through")
assert(shot(1, struck) == 0, "a slow one does not")
local function beside(w, v) w:sphere { radius = 0.01, position = { 1.5, 0.2, 0.5 }, velocity = { 0, 0, -v } } end
assert(shot(200, beside) == 0, "beside the mesh")
-- a ball that is struck far from a small mesh, by more than its radius of 0.06 m, and driven through it in a step
local function far(v, side)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, solver = { iterations = 50 } }
  w:mesh { points = { { -0.04, -0.04, 0 }, { 0.04, -0.04, 0 }, { 0.04, 0.04, 0 }, { -0.04, 0.04, 0 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } }
  w:sphere { radius = 0.01, position = { 0.004 + side, 0.008, 0.1 }, density = 1 }
  w:sphere { radius = 0.05, position = { 0.004 + side, 0.008, 0.165 }, velocity = { 0, 0, -v }, density = 1e6 }
  w:step(40)
  return w:report().crossed
end
assert(far(200, 0) > 0 and far(400, 0) > 0, "a ball that is struck far away goes through")
assert(far(400, 0.3) == 0, "beside the small mesh")
