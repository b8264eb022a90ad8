-- Stewart & Trinkle's time stepping: the rod on the table against its exact events, order of convergence, no penetration at the
-- end of a step, the same answer from Gauss-Seidel, and errors.
local scree = require "scree"
local down, half = math.sqrt(0.5), math.rad(15)

local function rod(h, solver, until_)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = h, stepper = "stewart_trinkle",
    solver = { name = solver, iterations = 5000, tolerance = 1e-10 } }
  w:pair { "default", "default", law = "polyhedral", mu = 0.6, directions = 4 }
  w:halfspace { normal = { 0, 0, 1 } }
  local c, s = math.cos(half), -math.sin(half)
  local body = w:capsule { radius = 0.05, length = 0.5, position = { 0, 0, 1 }, orientation = { (c - s) * down, 0, (c + s) * down, 0 },
    spin = { 0, -4, 0 }, mass = 1, inertia = { 0.002, 0, 0, 0.002, 0, 0.002 } }
  local seen = { lowest = 1 }
  for _ = 1, math.floor(until_ / h + 0.5) do
    w:step()
    local x, _, z = body:position()
    local vx, _, vz = body:velocity()
    local _, spin = body:spin()
    local left, right = false, false
    for _, contact in ipairs(w:contacts()) do
      if contact.impulse[3] > 0 then
        if contact.point[1] < x then left = true else right = true end
      end
    end
    if seen.first and not seen.after then seen.after = { vx, vz, -spin } end
    if (left or right) and not seen.first then seen.first = w:time() end
    if left and right and not seen.second then seen.second = w:time() end
    if seen.second and not seen.rest and math.abs(vx) + math.abs(vz) < 1e-9 then seen.rest = w:time() end
    -- the lower end's height, from the orientation's axis
    local q = { body:orientation() }
    local axis_z = 1 - 2 * (q[2] * q[2] + q[3] * q[3])
    seen.lowest = math.min(seen.lowest, z - 0.25 * math.abs(axis_z) - 0.05)
    seen.x, seen.z = x, z
  end
  return seen
end

local function near(a, b, tolerance, what)
  assert(math.abs(a - b) <= tolerance, string.format("%s: %.12g, expected %.12g within %g", what, a, b, tolerance))
end

local exact = { first = 0.385817752, second = 0.547318420, rest = 0.566342754, x = -0.227359983 }
local fine = rod(1 / 1600, "lemke", 0.6)
near(fine.first, exact.first, 1e-3, "first contact")
near(fine.second, exact.second, 1e-3, "left end lands")
near(fine.rest, exact.rest, 1e-3, "rest")
near(fine.x, exact.x, 1e-3, "place of rest")
near(fine.after[1], -1.390096118, 3e-3, "vx after the impact")
near(fine.after[2], -0.612948534, 1e-3, "vz after the impact")
near(fine.after[3], 5.151087899, 1e-2, "spin after the impact")
assert(fine.lowest > -1e-9, "penetration at the end of a step: " .. fine.lowest)
near(fine.z, 0.05, 1e-9, "height at rest")

-- the published steps: contact in the steps that start at 0.3825 and 0.5475
local coarse = rod(0.0025, "lemke", 0.6)
near(coarse.first, 0.3825 + 0.0025, 1e-9, "published step of the first contact")
near(coarse.second, 0.5475 + 0.0025, 1e-9, "published step of the second contact")

-- first order: the place of rest over a factor of eight in h
local order = math.log(math.abs(rod(1 / 400, "lemke", 0.6).x - exact.x) / math.abs(rod(1 / 3200, "lemke", 0.6).x - exact.x)) / math.log(8)
assert(order > 0.8 and order < 1.4, "order " .. order)

-- block Gauss-Seidel takes the same steps
local swept = rod(0.0025, "nbgs", 0.6)
near(swept.first, coarse.first, 1e-12, "first contact by nbgs")
near(swept.x, coarse.x, 1e-5, "place of rest by nbgs")

-- a contact of more than three rows is refused by lemke with its reason
local w = scree.world { solver = { name = "lemke" } }
w:pair { "default", "default", law = "coulomb", mu = 0.5, rolling = 0.01 }
w:halfspace { normal = { 0, 0, 1 } }
w:capsule { radius = 0.1, length = 0.2, position = { 0, 0, 0.1 } }
local ok, message = pcall(function() w:step() end)
assert(not ok and tostring(message):find("lemke takes contacts of 3 rows"), tostring(message))
print(string.format("rod: contact %.6f s, left end %.6f s, rest %.6f s at %.6f m; order %.2f", fine.first, fine.second, fine.rest, fine.x, order))
