-- Bodies on one contact conserve energy: Euler's disk in steady motion and a fast top on a point.
local motions = require "motions"
for _, shape in ipairs { "cylinder", "ellipsoid" } do
  local _, coarse = motions.disk(1e-3, shape)
  local _, fine = motions.disk(1e-4, shape)
  assert(coarse < 1e-3, shape .. " at 1 ms: " .. coarse)
  assert(fine < 5e-6, shape .. " at 0.1 ms: " .. fine)
  print(("%s: %.2e of the energy at 1 ms, %.2e at 0.1 ms"):format(shape, coarse, fine))
end

local tilt = motions.top_on_point(1e-3)
assert(tilt < 0.01, "the tilt of the top changes by " .. tilt)
print(("top: %.4f degrees off"):format(tilt))
