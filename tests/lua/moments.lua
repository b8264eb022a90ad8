-- Moments of contacts: they change the spin of a ball according to angular momentum, and rolling and torsion reach their bounds, in either
-- order of the bodies, for ball contacts and general contacts.
local scree = require "scree"
local check = require "check"
local near = check.within
local function cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end

-- The contact of a ball of radius 0.1 with a floor after a step, with its parts on the ball: impulse p, moment m.
local function roll(law, solver, floor_first, round)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { name = solver, iterations = 200, tolerance = 1e-12 } }
  w:pair { "default", "default", law = law, mu = 0.5, rolling = 0.002, torsion = 0.001 }
  local function floor() w:halfspace { normal = { 0, 0, 1 } } end
  if floor_first then floor() end
  local def = { radius = 0.1, position = { 0, 0, 0.1 }, velocity = { 0.3, 0, 0 }, spin = { 0, 3, 5 }, mass = 1 }
  -- two shapes make a ball that only the general path takes
  if not round then def.radius, def.shapes = nil, { { type = "sphere", radius = 0.1 }, { type = "sphere", radius = 0.02 } } end
  local ball = round and w:sphere(def) or w:body(def)
  if not floor_first then floor() end
  local before, inertia = { ball:spin() }, (ball:inertia())
  w:step()
  local contacts = w:contacts()
  assert(#contacts == 1)
  local c, after = contacts[1], { ball:spin() }
  local side = c.body1 == ball and 1 or -1
  local p, m, turn = {}, {}, {}
  for k = 1, 3 do p[k], m[k], turn[k] = side * c.impulse[k], side * c.moment[k], inertia * (after[k] - before[k]) end
  local lever = cross({ 0, 0, -0.1 }, p)
  for k = 1, 3 do near(turn[k], lever[k] + m[k], 1e-12, "angular momentum " .. law .. " " .. solver .. " " .. k) end
  return c, p, m
end

for _, law in ipairs { "coulomb", "max_dissipation", "decoupled" } do
  for _, case in ipairs { { "nbgs", true, true }, { "nbgs", false, true }, { "nbgs", true, false }, { "pgs", true, true } } do
    local _, p, m = roll(law, table.unpack(case))
    near(p[3], 9.81e-3, 1e-9, "normal impulse")
    near(m[2], -0.002 * p[3], 1e-9, "rolling is braked at its bound")
    near(m[3], -0.001 * p[3], 1e-9, "and the top by torsion at its own")
    near(m[1], 0, 1e-9, "across")
  end
end

-- a law without rolling and torsion has none
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
w:halfspace { normal = { 0, 0, 1 } }
w:sphere { radius = 0.1, position = { 0, 0, 0.1 }, spin = { 0, 0, 5 } }
w:step()
for c in w:contacts() do
  for k = 1, 3 do assert(c.moment[k] == 0) end
end
