-- Measurements from Lua: profiles, g(r), stress, forces, coordination, flow; and their mistakes.
local scree = require "scree"

local raises = require("check").fails

-- a column of five spheres that rests on a floor
local w = scree.world { dt = 1e-3, gravity = { 0, 0, -10 }, solver = { iterations = 400, tolerance = 1e-12 } }
local floor = w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, 0 }, kind = "fixed" }
local ball = {}
for i = 1, 5 do ball[i] = w:sphere { radius = 0.5, position = { 0.5, 0.5, i - 0.5 }, density = 6 / math.pi } end
w:step(200)

local near = function(a, b, tolerance) return math.abs(a - b) <= (tolerance or 1e-6) * math.max(1, math.abs(b)) end
local force, torque, contacts = w:forces_on(floor)
assert(contacts == 1 and near(force[3], -50) and near(force[1], 0), force[3])
assert(near(w:forces_on(ball[3])[3], 10))

-- the stress of the column: at height z it carries what lies above, so its mean over the column is the weight above the middle
local stress = w:stress { region = { min = { 0, 0, 0 - 1e-3 }, max = { 1, 1, 5 } } }
assert(near(stress.zz, (50 * 0.5 + 40 + 30 + 20 + 10) / 5, 1e-2), stress.zz)
assert(stress.contacts == 5 and stress.grains == 5)

local z = w:coordination()
assert(z.grains == 5 and z.carrying == 5 and z.histogram[2] == 1 and z.histogram[3] == 4 and z.rattlers == 1)
local f = w:force_distribution { bins = 10, reach = 2 }
assert(f.contacts == 5 and near(f.mean, 30) and #f.density == 10)
-- the upper three contacts carry 10, 20 and 30 N; contacts outside of the region do not count as contacts of force 0
f = w:force_distribution { bins = 10, reach = 2, region = { min = { 0, 0, 1.5 }, max = { 1, 1, 9 } } }
assert(f.contacts == 3 and near(f.mean, 20), f.mean)
for k = 1, 10 do assert(near(f.density[k], (k == 3 or k == 6 or k == 8) and 10 / 6 or 0, 1e-12), k .. ": " .. f.density[k]) end
local s = w:sizes { low = 0, high = 1, bins = 4 }
assert(s.number[3] == 5 and near(s.mass[3], 5))

local p = w:profile { region = { min = { 0, 0, 0 }, max = { 1, 1, 5 } }, cells = { 1, 1, 5 } }
p:add()
assert(p:frames() == 1 and #p:get "count" == 5 and near(p:axis(3)[2], 1.5))
local solid = p:get "solid"
for i = 1, 5 do assert(near(solid[i], math.pi / 6, 0.05), solid[i]) end
local vx, vy, vz = p:get "velocity"
assert(#vz == 5 and math.abs(vz[1]) < 1e-6)

local g = w:rdf { region = { min = { 0, 0, 0 }, max = { 1, 1, 5 } }, reach = 1.5, bins = 15 }
assert(g.grains == 5 and (g.g[10] > 0 or g.g[11] > 0) and g.g[5] == 0)

-- flow: shoot a ball through a plane
local flow = w:flow { region = { point = { 3, 0, 0 }, normal = { 1, 0, 0 } } }
flow:add()
ball[5]:set_velocity(50, 0, 0)
for _ = 1, 100 do w:step() flow:add() end
local r = flow:get()
assert(r.left == 1 and r.inside == 4 and near(r.mass_left, 1) and near(r.rate_left, 1 / 0.1, 1e-3))

raises("did you mean 'velocity'", p.get, p, "velocty")
raises("profile.region must be a box", w.profile, w, { region = { center = { 0, 0, 0 }, radius = 1 }, cells = { 1, 1 } })
raises("rdf.region is missing", w.rdf, w, { reach = 1 })
raises("did you mean 'reach'", w.rdf, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, rech = 1 })
raises("finite volume", w.stress, w, { region = { point = { 0, 0, 0 }, normal = { 0, 0, 1 } } })
raises("must be greater than low", w.sizes, w, { low = 2, high = 1 })
raises("must be a body", w.forces_on, w, 7)

-- the report: energies, momenta and penetrations of two spheres in a floor that no longer parts them, and one that hits it
w = scree.world { dt = 1e-3, erp = 0, gravity = { 0, 0, 0 } }
w:halfspace { normal = { 0, 0, 1 } }
w:sphere { radius = 0.5, position = { 0, 0, 0.49 }, density = 6 / math.pi }
w:sphere { radius = 0.5, position = { 5, 0, 0.47 }, density = 6 / math.pi }
local bullet = w:sphere { radius = 0.5, position = { 10, 0, 0.5 }, velocity = { 0, 0, -3 }, spin = { 0, 0, 2 }, density = 6 / math.pi }
local report = w:report()
assert(near(report.kinetic, 4.5 + 0.5 * 0.1 * 2 ^ 2, 1e-12) and near(report.momentum[3], -3, 1e-12))
-- r x m v = (10, 0, 0.5) x (0, 0, -3), and 2/5 m r^2 w
assert(near(report.angular_momentum[2], 30, 1e-12) and near(report.angular_momentum[3], 0.2, 1e-12))
w:step()
report = w:report()
assert(near(report.penetration, 0.03, 1e-12) and near(report.mean_penetration, 0.04 / 3, 1e-9), report.mean_penetration)
assert(report.contacts == 3 and near(report.dissipated, 4.5, 1e-9) and near(report.kinetic, 0.2, 1e-9), report.dissipated)
assert(near(select(3, bullet:velocity()), 0, 1e-9) and near(w:count { region = { max = { 7, 1, 1 } } }, 2))

-- contacts carry the impulses of the last substep: forces and stress are over its length
for _, substeps in ipairs { 1, 4 } do
  local u = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, substeps = substeps }
  u:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, 0 } }
  local b = u:sphere { radius = 0.1, position = { 0, 0, 0.1 }, density = 1000 }
  u:step(50)
  local weight = 9.81 * 1000 * 4 / 3 * math.pi * 0.1 ^ 3
  assert(near(u:forces_on(b)[3] / weight, 1, 1e-6), u:forces_on(b)[3])
  local s = u:stress { region = { min = { -1, -1, -1 }, max = { 1, 1, 1 } } }
  assert(near(s.contact[9] * 8 / (0.1 * weight), 1, 1e-6), s.contact[9])
end
