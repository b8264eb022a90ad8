-- Lemke's method on redundant contacts: boxes on four or more corners, flat and stacked, at rest and sliding, do not end in a ray; the law is satisfied.
local scree = require "scree"
for _, directions in ipairs { 2, 4, 6, 8 } do
  local w = scree.world { solver = { name = "lemke" } }
  w:pair { "default", "default", law = "polyhedral", mu = 0.4, directions = directions }
  w:halfspace { normal = { 0, 0, 1 } }
  -- so flat that its upper corners are contacts too
  w:box { size = { 1, 1, 0.002 }, position = { 0, 0, 0.001 }, velocity = { 2, 1.5, 0 }, mass = 1 }
  w:box { size = { 0.2, 0.3, 0.1 }, position = { 3, 0, 0.05 }, spin = { 0, 0, 5 } }
  for i = 0, 2 do w:box { size = { 0.2, 0.2, 0.1 }, position = { 5 + 0.01 * i, 0, 0.05 + 0.1 * i }, orientation = { 1, 0, 0, 0.1 * i } } end
  local worst = 0
  for _ = 1, 60 do
    w:step()
    worst = math.max(worst, w:report().residual)
  end
  assert(worst < 1e-6 * 9.81e-3 + 1e-9, "residual " .. worst .. " with " .. directions .. " directions")
end
print "lemke: redundant contacts are solved"
