-- The search for compatible forces with friction ends: for a bed that is still falling it reports that there are none, within a bounded number of
-- steps; contacts with impulses of rounding size are ignored.
local scree = require "scree"

local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
w:pair { "default", "default", mu = 0.5 }
w:halfspace { normal = { 0, 0, 1 } }
for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do w:halfspace { normal = n, point = { -0.014 * n[1], -0.014 * n[2], 0 } } end
w:fill { region = { min = { -0.014, -0.014, 0 }, max = { 0.014, 0.014, 0.04 } }, spacing = 6.2e-3, radius = 2e-3, radius_max = 3e-3, jitter = { 0.1, 0, 0.1 } }
w:step(70)
local good, trouble = pcall(w.compatible_forces, w, { law = "hooke", stiffness = 1, friction = "coulomb" })
local text = tostring(trouble)
print(good, text)
assert(good or text:find "do not settle" or text:find "not found after", text)

-- few steps: said so
good, trouble = pcall(w.compatible_forces, w, { law = "hooke", stiffness = 1, friction = "coulomb", iterations = 1 })
assert(not good and tostring(trouble):find "compatible forces", tostring(trouble))

-- a ball on the ground that touches another ball without force: one contact is loaded
w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
w:pair { "default", "default", mu = 0.5 }
w:halfspace { normal = { 0, 0, 1 } }
for i = 0, 1 do w:sphere { radius = 0.1, position = { 0.2 * i, 0, 0.1 }, mass = 1 } end
w:step(20)
local list, how = w:compatible_forces { law = "hooke", stiffness = 1, friction = "coulomb" }
local sum = 0
for _, f in ipairs(list) do sum = sum + f.vector[3] end
assert(math.abs(sum - 2 * 9.81) < 1e-9 and how.residual < 1e-11)
