-- w:rest_range says why no friction suffices, and names features that it does not support.
local scree = require "scree"
local check = require "check"
local function world(gravity, pair, size, extra)
  local w = scree.world { gravity = gravity, dt = 1e-3 }
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 } }
  w:box { size = size, position = { 0, 0, size[3] / 2 } }
  if extra then extra(w) end
  w:step()
  return w
end
local flat, down = { 2, 2, 0.2 }, { 0, 0, -10 }
for _, key in ipairs { "rolling", "torsion", "mu_static" } do
  local w = world(down, { mu = 0.5, [key] = 0.6 }, flat)
  check.fails("rest_range: friction between \"default\" and \"default\" must be a plain mu, but the pair has " .. key, w.rest_range, w, {})
end
local up = world(down, { mu = 0.5 }, flat, function(w) w:box { name = "up", size = flat, position = { 0, 0, 5 } } end)
check.fails("rest_range: nothing holds body \"up\"", up.rest_range, up, {})
local slope = world({ 5, 0, -10 }, { mu = 0.1 }, flat)
assert(slope:rest_range { most = 2 }.why == "most" and slope:rest_range {}.why == nil)
assert(world({ 5, 0, -10 }, { mu = 0 }, flat):rest_range {}.why == "mu")
assert(world({ 20, 0, -10 }, { mu = 0.1 }, { 0.2, 2, 2 }):rest_range {}.why == "mechanism")
