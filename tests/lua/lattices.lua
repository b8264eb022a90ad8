-- Compares the lattices of w:fill with their definition: distance and number of nearest neighbours, number of grains, place in the region, exact fits,
-- regions, and the bounds of displacements, velocities and radii. w:fill must reject spacings that are too small for the largest grains.
local scree = require "scree"
local check = require "check"

-- Fills an empty world. Returns position, velocity and radius of each grain.
local function grains(keys)
  local w, list = scree.world { gravity = { 0, 0, 0 } }, {}
  local count = w:fill(keys)
  local x, v, r = w:view "position", w:view "velocity", w:view "radius"
  for i = 1, count do
    local a, b, c = x:get(i)
    local d, e, f = v:get(i)
    list[i] = { x = { a, b, c }, v = { d, e, f }, r = r:get(i) }
  end
  return list
end
local function distance(a, b) return math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2) end

local R, A = 0.1, 0.3
local lattices = {
  cubic = { nearest = A, neighbours = 6, step = { A, A, A }, shift = { 0, 0, 0 }, per = 1 },
  hexagonal = { nearest = A, neighbours = 12, step = { A, A * math.sqrt(3) / 2, A * math.sqrt(2 / 3) }, shift = { A / 2, A / math.sqrt(12), 0 }, per = 1 },
  bcc = { nearest = A * math.sqrt(3) / 2, neighbours = 8, step = { A, A, A }, shift = { A / 2, A / 2, A / 2 }, per = 2 },
}
local MIN, MAX = { -0.2, 0.3, 1 }, { 1.85, 2.2, 3.1 }
for name, l in pairs(lattices) do
  local list = grains { lattice = name, spacing = A, radius = R, region = { min = MIN, max = MAX } }
  local wanted = l.per
  for k = 1, 3 do
    local room = MAX[k] - MIN[k] - 2 * R - l.shift[k]
    wanted = wanted * (math.floor(room / l.step[k]) + 1)
  end
  assert(#list == wanted, ("%s: %d grains instead of %d"):format(name, #list, wanted))
  local most, low, high = 0, { 1e9, 1e9, 1e9 }, { -1e9, -1e9, -1e9 }
  for i, g in ipairs(list) do
    local near = 0
    for j, other in ipairs(list) do
      local d = distance(g.x, other.x)
      assert(i == j or d > l.nearest * (1 - 1e-9), name .. ": two grains are too close")
      if i ~= j and d < l.nearest * (1 + 1e-9) then near = near + 1 end
    end
    most = math.max(most, near)
    for k = 1, 3 do
      low[k], high[k] = math.min(low[k], g.x[k]), math.max(high[k], g.x[k])
      assert(g.x[k] > MIN[k] + R - 1e-9 and g.x[k] < MAX[k] - R + 1e-9, name .. ": a grain is not inside")
    end
    assert(g.r == R and g.v[1] == 0 and g.v[2] == 0 and g.v[3] == 0)
  end
  assert(most == l.neighbours, name .. ": neighbours " .. most)
  for k = 1, 3 do -- in the middle of the region, with less than a step to spare
    check.within((low[k] + high[k]) / 2, (MIN[k] + MAX[k]) / 2, 1e-9, name .. ": middle along " .. k)
    assert(MAX[k] - MIN[k] - 2 * R - (high[k] - low[k]) < l.step[k] + 1e-9, name .. ": room for one more along " .. k)
  end
  -- a limit of the number, in the order of the lattice; regions that are too narrow by rounding errors, exact, and too narrow by more
  local some = grains { lattice = name, spacing = A, radius = R, region = { min = MIN, max = MAX }, limit = 7 }
  assert(#some == 7)
  for i = 1, 7 do assert(distance(some[i].x, list[i].x) == 0) end
  local function fits(width)
    local s = l.shift
    return #grains { lattice = name, spacing = A, radius = R, region = { min = { 0, 0, 0 }, max = { width + s[1], 2 * R + s[2], 2 * R + s[3] } } }
  end
  for n = 0, 3 do
    assert(fits(2 * R + n * A) == (n + 1) * l.per, name .. ": an exact fit of " .. n + 1)
    assert(fits(2 * R + n * A - 1e-6) == n * l.per, name .. ": almost a fit of " .. n + 1)
  end
  -- grains of a ball and of a cylinder are those of its box whose centres are at least a radius from its surface
  local centre, radius = { 0.4, 0.5, 0.6 }, 0.9
  local box = grains { lattice = name, spacing = A, radius = R, region = { min = { -0.5, -0.4, -0.3 }, max = { 1.3, 1.4, 1.5 } } }
  local inside, ball = 0, grains { lattice = name, spacing = A, radius = R, region = { center = centre, radius = radius } }
  for _, g in ipairs(box) do inside = inside + (distance(g.x, centre) <= radius - R and 1 or 0) end
  assert(#ball == inside and inside > 10, name .. ": in a ball " .. #ball .. " instead of " .. inside)
  local can = grains { lattice = name, spacing = A, radius = R, region = { point = { 0, 0, 0 }, axis = { 0, 0, 2 }, radius = 0.8, length = 1.1 } }
  box, inside = grains { lattice = name, spacing = A, radius = R, region = { min = { -0.8, -0.8, 0 }, max = { 0.8, 0.8, 1.1 } } }, 0
  for _, g in ipairs(box) do inside = inside + (math.sqrt(g.x[1] ^ 2 + g.x[2] ^ 2) <= 0.8 - R and 1 or 0) end
  assert(#can == inside and inside > 10, name .. ": in a cylinder " .. #can .. " instead of " .. inside)
  -- places that are kept out
  local keep_out = { min = { 0, 0, 0 }, max = { 1, 9, 9 } }
  local left, free = 0, grains { lattice = name, spacing = A, radius = R, region = { min = MIN, max = MAX }, keep_out = keep_out }
  for _, g in ipairs(list) do left = left + ((g.x[1] >= 0 and g.x[1] <= 1) and 0 or 1) end
  assert(#free == left and left > 0 and left < #list, name .. ": kept out")
  -- displacements, velocities and radii stay within their bounds and come close to them
  local rough = grains { lattice = name, spacing = A, radius = R, radius_max = 1.2 * R, position_jitter = 0.1, velocity = { 1, 2, 3 }, jitter = { 0.5, 0, 0.25 }, region = { min = MIN, max = MAX } }
  local plain = grains { lattice = name, spacing = A, radius = 1.2 * R, region = { min = MIN, max = MAX } }
  local moved, fast, small, large, sum = 0, 0, 1, 0, 0
  assert(#rough == #plain)
  for i, g in ipairs(rough) do
    for k = 1, 3 do moved = math.max(moved, math.abs(g.x[k] - plain[i].x[k])) end
    assert(math.abs(g.v[1] - 1) <= 0.5 and g.v[2] == 2 and math.abs(g.v[3] - 3) <= 0.25)
    fast, small, large, sum = math.max(fast, math.abs(g.v[1] - 1)), math.min(small, g.r), math.max(large, g.r), sum + g.v[1] - 1
  end
  assert(moved <= 0.1 * A and moved > 0.09 * A and fast > 0.45, name .. ": displaced by " .. moved)
  assert(small >= R and small < 1.02 * R and large <= 1.2 * R and large > 1.18 * R, name .. ": radii")
  check.within(sum / #rough, 0, 5 * 0.5 / math.sqrt(3 * #rough), name .. ": mean of the velocities")
  -- the largest grains of a distribution must fit between nearest neighbours
  local function sizes(most)
    return { lattice = name, spacing = A, region = { min = MIN, max = MAX }, sizes = { distribution = "uniform", by = "number", min = 0.05, max = most } }
  end
  grains(sizes(l.nearest))
  check.fails("leave no room", grains, sizes(l.nearest * (1 + 1e-6)))
end

-- errors
check.fails("fill.region.max[2] must not be less than min[2]: 0.5 < 1", grains, { spacing = 1, radius = 0.1, region = { min = { 0, 1, 0 }, max = { 1, 0.5, 1 } } })
check.fails("fill.region must be finite", grains, { spacing = 1, radius = 0.1, region = { min = { 0, 0, 0 }, max = { 1, 1, math.huge } } })
check.fails("lattice places are more than 1e9", grains, { spacing = 1e-3, radius = 1e-4, region = { min = { 0, 0, 0 }, max = { 2, 2, 2 } } })
check.fails("fill.radius_max must not be less than radius", grains, { spacing = 1, radius = 0.1, radius_max = 0.05, region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } } })
print "lattices are what their names say"
