-- scree.impact and pairs with restitution, as scripts see them.
local scree = require "scree"
local check = require "check"

local W = { { 11.5984, -0.910367, 2.442355 }, { -0.910367, 9.90134, 1.957465 }, { 2.442355, 1.957465, 2.59042 } }
local v = { -.2619758, .3863284, -.0771748 }
local function near(a, b, tolerance) check.within(a, b, tolerance or 1e-12) end
local function refused(f, part) check.fails(part, f) end

-- the paper's first impact
local r = scree.impact.solve { W = W, v = v, mu = 0.8, e = 0.95, hodograph = true }
near(r.impulse[1], -0.003383135854453)
near(r.impulse[2], -0.059338126689695)
near(r.impulse[3], 0.101211859256404)
assert(r.sequence == "csr" and #r.events == 3 and r.events[2].name == "s" and r.sticking and r.condition)
near(r.events[2].normal_impulse, 0.0714553787827806)
assert(#r.hodograph > 20)
near(r.hodograph[#r.hodograph].impulse[3], r.impulse[3])
near(r.hodograph[1].velocity[2], v[2])
assert(scree.impact.solve { W = W, v = { v[1], v[2], v[3] - .75 }, mu = 0.35, e = 0.95, line_tolerance = math.rad(5) }.sequence == "lcsr")
local poisson = scree.impact.solve { W = W, v = v, mu = 0.8, e = 0.95, law = "poisson" }
near(poisson.impulse[3], 1.95 * poisson.events[1].normal_impulse)
-- friction against a slip along an invariant direction d changes the slip along d only, at the rate of d
local directions = scree.impact.directions { W = W, mu = 3 }
for i = 1, 4 do
  local d, change = directions[i], {}
  for k = 1, 2 do change[k] = W[k][3] - 3 * (W[k][1] * d[1] + W[k][2] * d[2]) end
  near(d[1] ^ 2 + d[2] ^ 2, 1)
  near(change[1] * d[2] - change[2] * d[1], 0, 1e-9)
  near(change[1] * d[1] + change[2] * d[2], d.rate, 1e-9)
  for j = 1, i - 1 do assert(math.abs(d[1] - directions[j][1]) + math.abs(d[2] - directions[j][2]) > 1e-3) end
end
assert(#directions == 4)

-- bodies: a ball on the ground
local ball = { mass = 2, inertia = 0.4 * 2 * 0.01, position = { 0, 0, 0.1 }, velocity = { 1, 0, -1 } }
local A, u, frame = scree.impact.inverse_inertia { body1 = ball }
near(A[1][1], 1.75); near(A[3][3], 0.5); near(A[1][3], 0); near(u[1], 1); near(u[3], -1); near(frame[3][3], 1)
local hit = scree.impact.solve { W = A, v = u, mu = 0.1, e = 0.5 }
local after = scree.impact.apply { body1 = ball, impulse = hit.impulse }
near(after.velocity[3], 0.5); near(after.velocity[1], 1 - 0.1 * 1.5)

refused(function() scree.impact.solve { W = W, v = v, mu = -1, e = 0.5 } end, "mu")
refused(function() scree.impact.solve { W = W, v = v, mu = 1, e = 1.5 } end, "impact.e")
refused(function() scree.impact.solve { W = W, v = { 0, 0, 1 }, mu = 1, e = 0.5 } end, "approach")
refused(function() scree.impact.solve { W = { W[1], W[2], { 1, 2, 3 } }, v = v, mu = 1, e = 0.5 } end, "symmetric")
refused(function() scree.impact.solve { W = W, v = v, mu = 1, e = 0.5, lwa = "newton" } end, "law")
refused(function() scree.impact.solve { W = W, v = v, mu = 1, e = 0.5, law = "huygens" } end, "law")
refused(function() scree.impact.inverse_inertia { body1 = { mass = 1 } } end, "inertia")
refused(function() scree.impact.inverse_inertia { body1 = ball, normal = { 0, 0, 0 } } end, "normal")

-- a ball strikes two others at once, 30 degrees to either side, without friction. With p = m v c/(1 + 2 c^2) in compression, c = cos 30, the
-- rebound gives s e p to each: Poisson has s = 1; Stronge's law has the s with which the rebound returns e^2 of the normal work of each contact
local function strike(law, e2, e3)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  for _, name in ipairs { "one", "two", "three" } do w:material { name = name } end
  for name, e in pairs { two = e2, three = e3 } do w:pair { "one", name, mu = 0, restitution = e, restitution_law = law } end
  local c, s = math.sqrt(3) / 2, 0.5
  local hitter = w:sphere { radius = 0.1, mass = 1, position = { -1e-4, 0, 0 }, velocity = { 1, 0, 0 }, material = "one" }
  local two = w:sphere { radius = 0.1, mass = 1, position = { 0.2 * c, 0.2 * s + 1e-9, 0 }, material = "two" }
  local three = w:sphere { radius = 0.1, mass = 1, position = { 0.2 * c, -0.2 * s - 1e-9, 0 }, material = "three" }
  w:step(2)
  local _, _, lost = w:report().kinetic, 0, w:report().dissipated
  return { hitter:velocity() }, { two:velocity() }, { three:velocity() }, lost
end
for _, e in ipairs { { 0.5, 0.5 }, { 0.9, 0.3 }, { 0.2, 1 } } do
  for _, law in ipairs { "stronge", "poisson" } do
    local c = math.sqrt(3) / 2
    local p = c / (1 + 2 * c * c)
    local scale = law == "poisson" and 1 or math.sqrt(2.5 * (e[1] ^ 2 + e[2] ^ 2) / (2 * e[1] ^ 2 + 2 * e[2] ^ 2 + e[1] * e[2]))
    local p2, p3 = p * (1 + scale * e[1]), p * (1 + scale * e[2])
    local hitter, two, three, lost = strike(law, e[1], e[2])
    near(hitter[1], 1 - c * (p2 + p3), 1e-3)
    near(hitter[2], -0.5 * (p2 - p3), 1e-3)
    near(math.sqrt(two[1] ^ 2 + two[2] ^ 2), p2, 1e-3)
    near(math.sqrt(three[1] ^ 2 + three[2] ^ 2), p3, 1e-3)
    local kinetic = (hitter[1] ^ 2 + hitter[2] ^ 2 + p2 ^ 2 + p3 ^ 2) / 2
    near(lost, 0.5 - kinetic, 2e-3)
  end
end

-- restitution of a pair
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-4 }
w:pair { "default", "default", law = "coulomb", mu = 0.3, restitution = 0.8, restitution_law = "newton" }
local set = w:get_pair("default", "default")
assert(set.restitution == 0.8 and set.restitution_law == "newton")
w:halfspace { normal = { 0, 0, 1 } }
local b = w:sphere { radius = 0.1, position = { 0, 0, 0.6 } }
local top, up = 0, false
for _ = 1, 6000 do
  w:step(1)
  local _, _, vz = b:velocity()
  local _, _, z = b:position()
  up = up or vz > 0
  if up then top = math.max(top, z - 0.1) end
end
near(top, 0.64 * 0.5, 2e-3)
refused(function() w:pair { "default", "default", restitution = 2 } end, "restitution")
