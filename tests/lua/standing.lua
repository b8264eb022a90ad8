-- Shapes on a half-space behave as on a large box: in any direction they stand below 0.99 times the load that tips them, and fall above it.
local scree = require "scree"

-- distance of the edge of a polygon from the origin along an azimuth; the corners go round it anticlockwise
local function edge_along(corners, azimuth)
  local x, y, least = math.cos(azimuth), math.sin(azimuth), math.huge
  for i, p in ipairs(corners) do
    local q = corners[i % #corners + 1]
    local nx, ny = q[2] - p[2], p[1] - q[1]
    local along = nx * x + ny * y
    if along > 0 then least = math.min(least, (nx * p[1] + ny * p[2]) / along) end
  end
  return least
end
local function ring(sides, radius)
  local corners = {}
  for i = 1, sides do corners[i] = { radius * math.cos(2 * math.pi * i / sides), radius * math.sin(2 * math.pi * i / sides) } end
  return corners
end
local function prism(sides)
  return function(w, s)
    local points = {}
    for _, z in ipairs { 0, 0.3 * s } do
      for _, p in ipairs(ring(sides, 0.1 * s)) do points[#points + 1] = { p[1], p[2], z } end
    end
    return w:hull { points = points, position = { 0, 0, 0 } }, function(azimuth) return edge_along(ring(sides, 0.1 * s), azimuth) end
  end
end

-- each makes a body on the plane z = 0; with the distance from its middle to the edge of its base along an azimuth
local shapes = {
  cylinder = function(w, s) return w:cylinder { radius = 0.1 * s, length = 0.4 * s, position = { 0, 0, 0.2 * s } }, function() return 0.1 * s end end,
  turned_over = function(w, s)
    return w:cylinder { radius = 0.1 * s, length = 0.4 * s, position = { 0, 0, 0.2 * s }, orientation = { 0, 1, 0, 0 } }, function() return 0.1 * s end
  end,
  coin = function(w, s) return w:cylinder { radius = 0.1 * s, length = 0.002 * s, position = { 0, 0, 0.001 * s } }, function() return 0.1 * s end end,
  cone = function(w, s) return w:cone { radius = 0.1 * s, length = 0.4 * s, position = { 0, 0, 0.2 * s } }, function() return 0.1 * s end end,
  box = function(w, s)
    local base = { { 0.1 * s, -0.05 * s }, { 0.1 * s, 0.05 * s }, { -0.1 * s, 0.05 * s }, { -0.1 * s, -0.05 * s } }
    return w:box { size = { 0.2 * s, 0.1 * s, 0.3 * s }, position = { 0, 0, 0.15 * s } }, function(azimuth) return edge_along(base, azimuth) end
  end,
  prism5 = prism(5), prism24 = prism(24), prism100 = prism(100),
  topped = function(w, s)
    return w:body { position = { 0, 0, 0 }, shapes = { { type = "cylinder", radius = 0.1 * s, length = 0.4 * s, position = { 0, 0, 0.2 * s } },
      { type = "sphere", radius = 0.05 * s, position = { 0, 0, 0.4 * s } } } }, function() return 0.1 * s end
  end,
  table = function(w, s) -- its edge runs about four round legs: the discs at the corners of a square
    local parts = { { type = "box", size = { 0.4 * s, 0.4 * s, 0.02 * s }, position = { 0, 0, 0.3 * s } } }
    local corners = {}
    for k = 0, 3 do
      local c, d = k % 2 == 0 and 0.15 or -0.15, k < 2 and 0.15 or -0.15
      parts[#parts + 1] = { type = "cylinder", radius = 0.03 * s, length = 0.3 * s, position = { c * s, d * s, 0.15 * s } }
    end
    for k = 0, 719 do
      local a = math.pi * (k + 0.5) / 360
      local x, y = math.cos(a), math.sin(a)
      corners[k + 1] = { ((x > 0 and 0.15 or -0.15) + 0.03 * x) * s, ((y > 0 and 0.15 or -0.15) + 0.03 * y) * s }
    end
    return w:body { position = { 0, 0, 0 }, shapes = parts }, function(azimuth) return edge_along(corners, azimuth) end
  end,
}

-- the largest tilt under a share of the load that tips, along an azimuth: gravity that leans, or a force at the centre of mass
local function tilt(case)
  local s, g = case.scale, 10
  local w = scree.world { gravity = { 0, 0, -g }, dt = case.dt * math.sqrt(s), solver = case.solver }
  if case.floor == "box" then w:box { kind = "fixed", size = { 4 * s, 4 * s, s }, position = { 0, 0, -0.5 * s } }
  else w:halfspace { normal = { 0, 0, 1 } } end
  local body, edge = shapes[case.shape](w, s)
  local _, _, height = body:position()
  w:pair { "default", "default", mu = 2 * edge(case.azimuth) / height }
  w:step(20)
  local slope, x, y = case.share * edge(case.azimuth) / height, math.cos(case.azimuth), math.sin(case.azimuth)
  local load = slope * body:mass() * g
  local most = 0
  if case.leaning then w:set_gravity(g * slope * x, g * slope * y, -g) end
  for _ = 1, case.steps do
    if not case.leaning then body:apply { force = { load * x, load * y, 0 } } end
    w:step()
    local q = { body:orientation() }
    local up = { 2 * (q[2] * q[4] + q[1] * q[3]), 2 * (q[3] * q[4] - q[1] * q[2]) } -- z axis of the body
    most = math.max(most, math.sqrt(up[1] ^ 2 + up[2] ^ 2))
  end
  return most
end

local seed = 1
local function random()
  seed = seed * 48271 % 2147483647
  return seed / 2147483647
end

local names = {}
for name in pairs(shapes) do names[#names + 1] = name end
table.sort(names)
local function stands_and_falls(case)
  local words = ("%s on a %s, azimuth %.4f, scale %g"):format(case.shape, case.floor, case.azimuth, case.scale)
  case.share, case.steps = 0.985, 60
  local below = tilt(case)
  if not (below < 1e-7) then error(("%s: tilts by %.2e at 0.985 of the load that tips it"):format(words, below)) end
  case.share, case.steps = 1.03, 60
  local above = tilt(case)
  if not (above > 1e-4) then error(("%s: tilts by %.2e at 1.03 of the load that tips it"):format(words, above)) end
end
for _, name in ipairs(names) do
  for k = 0, 3 do
    stands_and_falls { shape = name, floor = "half-space", azimuth = k < 2 and (k + 0.5) * math.pi / 24 or 2 * math.pi * random(),
      scale = 10 ^ (4 * random() - 3), dt = 1e-3, leaning = k % 2 == 0 }
  end
end
for _, name in ipairs { "box", "prism5", "prism24", "prism100" } do
  stands_and_falls { shape = name, floor = "box", azimuth = 2 * math.pi * random(), scale = 1, dt = 1e-3, leaning = true }
end

-- a tilted body touches at the lowest point of its rim, in any direction
for k = 1, 40 do
  local lean, azimuth = 10 ^ (-4.5 + 4 * random()), 2 * math.pi * random()
  local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-4 }
  w:halfspace { normal = { 0, 0, 1 } }
  local half = lean / 2 -- a turn about (-sin, cos, 0) leads the axis towards the azimuth
  local body = w:cylinder { radius = 0.1, length = 0.2, position = { 0, 0, 0.1 * math.cos(lean) + 0.1 * math.sin(lean) },
    orientation = { math.cos(half), -math.sin(half) * math.sin(azimuth), math.sin(half) * math.cos(azimuth), 0 } }
  w:step()
  local x, y = body:position()
  local least, at = math.huge
  for c in w:contacts() do
    if c.gap < least then least, at = c.gap, c.point end
  end
  local along = ((at[1] - x) * math.cos(azimuth) + (at[2] - y) * math.sin(azimuth)) / 0.1
  assert(math.abs(least) < 1e-7 * 0.1 and math.abs(along - math.cos(lean) + math.sin(lean)) < 1e-6 + 2e-7 / lean, ("tilt %g: lowest gap %g, at %g of the radius"):format(lean, least, along))
end
