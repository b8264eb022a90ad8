-- Stewart & Trinkle's time stepping: the rod on the table against its exact events, order of convergence, no penetration at the
-- end of a step, the same answer from Gauss-Seidel, and errors.
local scree = require "scree"
local check = require "check"
local near = check.within
local down, half = math.sqrt(0.5), math.rad(15)

local EXACT = { first = 0.385817752, second = 0.547318420, rest = 0.566342754, x = -0.227359983, vx = -1.390096118, vz = -0.612948534, spin = 5.151087899 }

-- A run of the rod that starts in exact free flight `delay` after the release: instants, place of rest, and the velocities after the first
-- impact, taken from the two steps behind it to the exact instant.
local function rod(h, solver, substeps, delay)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = h, substeps = substeps, stepper = "stewart_trinkle",
    solver = { name = solver, iterations = 5000, tolerance = 1e-10 } }
  w:pair { "default", "default", law = "polyhedral", mu = 0.6, directions = 4 }
  w:halfspace { normal = { 0, 0, 1 } }
  delay = delay or 0
  local c, s = math.cos(half + 2 * delay), -math.sin(half + 2 * delay)
  local body = w:capsule { radius = 0.05, length = 0.5, position = { 0, 0, 1 - 9.81 * delay ^ 2 / 2 }, velocity = { 0, 0, -9.81 * delay },
    orientation = { (c - s) * down, 0, (c + s) * down, 0 }, spin = { 0, -4, 0 }, mass = 1, inertia = { 0.002, 0, 0, 0.002, 0, 0.002 } }
  local seen, after = { lowest = 1 }, {}
  while w:time() < 0.6 do
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
    if seen.first and #after < 2 then after[#after + 1] = { time = w:time() + delay, vx = vx, vz = vz, spin = -spin } end
    if (left or right) and not seen.first then seen.first = w:time() + delay end
    if left and right and not seen.second then seen.second = w:time() + delay end
    if seen.second and not seen.rest and math.abs(vx) + math.abs(vz) < 1e-9 then seen.rest = w:time() + delay end
    -- the lower end's height, from the orientation's axis
    local q = { body:orientation() }
    local axis_z = 1 - 2 * (q[2] * q[2] + q[3] * q[3])
    seen.lowest = math.min(seen.lowest, z - 0.25 * math.abs(axis_z) - 0.05)
    seen.x, seen.z = x, z
  end
  for _, name in ipairs { "vx", "vz", "spin" } do
    seen[name] = after[1][name] + (after[2][name] - after[1][name]) / h * (EXACT.first - after[1].time)
  end
  return seen
end

-- the method at h = 1/1600: every instant and the place of rest to 1e-3, with substeps the velocities as well
local plain, fine = rod(1 / 1600, "lemke"), rod(1 / 1600, "lemke", 16)
for _, name in ipairs { "first", "second", "rest", "x" } do
  near(plain[name], EXACT[name], 1e-3, name)
  near(fine[name], EXACT[name], 1e-3, name .. " with substeps")
end
for _, name in ipairs { "vx", "vz", "spin" } do near(fine[name], EXACT[name], 1e-3, name .. " after the impact") end
assert(plain.lowest > -1e-9, "penetration at the end of a step: " .. plain.lowest)
near(plain.z, 0.05, 1e-9, "height at rest")

-- first order in everything: the mean error over starts within a step halves with the step, and extrapolates to 1e-3
local function mean(h)
  local sum = {}
  for k = 0, 31 do
    local one = rod(h, "lemke", 1, k / 32 * h)
    for name, value in pairs(EXACT) do sum[name] = (sum[name] or 0) + (one[name] - value) / 32 end
  end
  return sum
end
local coarse_mean, fine_mean = mean(1 / 800), mean(1 / 1600)
for name in pairs(EXACT) do
  near(2 * fine_mean[name], coarse_mean[name], 1e-3, "twice the mean error of " .. name)
  local order = math.log(coarse_mean[name] / fine_mean[name]) / math.log(2)
  assert(order > 0.85 and order < 1.15, "order of " .. name .. ": " .. order)
end

-- the published steps: contact in the steps that start at 0.3825 and 0.5475
local coarse = rod(0.0025, "lemke")
near(coarse.first, 0.3825 + 0.0025, 1e-9, "published step of the first contact")
near(coarse.second, 0.5475 + 0.0025, 1e-9, "published step of the second contact")

-- block Gauss-Seidel takes the same steps
local swept = rod(0.0025, "nbgs")
near(swept.first, coarse.first, 1e-12, "first contact by nbgs")
near(swept.x, coarse.x, 1e-5, "place of rest by nbgs")

-- the active set grows within a step: a fast ball sends a row of others, one after the other out of reach at the start, against a wall
for _, solver in ipairs { "nbgs", "lemke", "newton" } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 0.01, stepper = "stewart_trinkle", solver = { name = solver, iterations = 2000, tolerance = 1e-12 } }
  w:pair { "default", "default", law = "coulomb", mu = 0.3 }
  w:box { size = { 0.2, 2, 2 }, position = { 1, 0, 0 }, kind = "fixed" }
  local row, worst = {}, 0
  for i, at in ipairs { { 0, 0, 0 }, { 0.22, 0.02, 0 }, { 0.45, 0.03, 0 }, { 0.68, 0, 0.01 } } do
    row[i] = w:sphere { radius = 0.1, position = at, velocity = { i == 1 and 10 or 0, 0, 0 } }
  end
  for _ = 1, 10 do
    w:step()
    for i = 1, 4 do
      local x, y, z = row[i]:position()
      worst = math.min(worst, 0.8 - x)
      for j = 1, i - 1 do
        local u, v, s = row[j]:position()
        worst = math.min(worst, math.sqrt((x - u) ^ 2 + (y - v) ^ 2 + (z - s) ^ 2) - 0.2)
      end
    end
  end
  assert(worst > -1e-9, solver .. ": penetration at the end of a step: " .. worst)
  assert(({ row[4]:position() })[1] > 0.7, solver .. ": the last ball was not reached")
end

-- a contact of more than three rows is refused by lemke with its reason
local w = scree.world { solver = { name = "lemke" } }
check.fails("it has torsional or rolling friction", w.pair, w, { "default", "default", law = "coulomb", mu = 0.5, rolling = 0.01 })
print(string.format("rod: contact %.6f s, left end %.6f s, rest %.6f s at %.6f m", fine.first, fine.second, fine.rest, fine.x))
