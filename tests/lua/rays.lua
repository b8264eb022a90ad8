-- Rays: every shape against points of its own implicit surface, scenes and meshes against brute force; layers; bad input.
local scree = require "scree"
local obstacle = require "scree.obstacle"
local check = require "check"
local scatter = require "scatter"
local fails, near = check.fails, check.within
local random = math.random
math.randomseed(11)
local vector, turn = scatter.vector, scatter.turn

-- whether a point is inside, in the frame of the shape
local solids = {
  { "sphere", { radius = 0.3 }, function(x, y, z) return x * x + y * y + z * z < 0.09 end },
  { "box", { size = { 0.4, 0.6, 0.2 } }, function(x, y, z) return math.abs(x) < 0.2 and math.abs(y) < 0.3 and math.abs(z) < 0.1 end },
  { "capsule", { radius = 0.1, length = 0.5 }, function(x, y, z) local h = z - math.max(-0.25, math.min(0.25, z)) return x * x + y * y + h * h < 0.01 end },
  { "cylinder", { radius = 0.2, length = 0.5 }, function(x, y, z) return x * x + y * y < 0.04 and math.abs(z) < 0.25 end },
  { "ellipsoid", { size = { 0.4, 0.6, 0.2 } }, function(x, y, z) return (x / 0.2) ^ 2 + (y / 0.3) ^ 2 + (z / 0.1) ^ 2 < 1 end },
  { "superellipsoid", { size = { 0.4, 0.6, 0.4 }, e1 = 0.5, e2 = 0.5 }, function(x, y, z)
    return (math.abs(x / 0.2) ^ 4 + math.abs(y / 0.3) ^ 4) + math.abs(z / 0.2) ^ 4 < 1
  end },
}
for _, solid in ipairs(solids) do
  local w = scree.world { gravity = { 0, 0, 0 } }
  local def = { position = { 0.3, -0.2, 0.1 }, orientation = turn() }
  for key, value in pairs(solid[2]) do def[key] = value end
  local b = w[solid[1]](w, def)
  local function inside(from, d, t) return solid[3](b:to_body(from[1] + t * d[1], from[2] + t * d[2], from[3] + t * d[3])) end
  local met = 0
  for _ = 1, 300 do
    local from, aim = vector(1), vector(0.3)
    local d = { aim[1] + 0.3 - from[1], aim[2] - 0.2 - from[2], aim[3] + 0.1 - from[3] }
    local length = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
    for k = 1, 3 do d[k] = d[k] / length end
    local hit = w:ray { from = from, direction = d }
    if inside(from, d, 0) then assert(hit and hit.distance == 0, solid[1] .. ": starts inside")
    elseif hit then
      met = met + 1
      local step = 2e-9
      local grazes = hit.normal[1] * d[1] + hit.normal[2] * d[2] + hit.normal[3] * d[3] > -1e-3
      assert(grazes or inside(from, d, hit.distance + step * 1e3) or solid[1] == "superellipsoid", solid[1] .. ": not inside behind the hit")
      assert(not inside(from, d, hit.distance - step), solid[1] .. ": inside before the hit")
      near(hit.point[1], from[1] + hit.distance * d[1], 1e-14, "point")
      near(hit.normal[1] ^ 2 + hit.normal[2] ^ 2 + hit.normal[3] ^ 2, 1, 1e-12, "normal")
      for i = 0, 20 do assert(not inside(from, d, hit.distance * i / 20 - step), solid[1] .. ": met too late") end
    else
      for i = 0, 60 do assert(not inside(from, d, 3 * i / 60), solid[1] .. ": missed") end
    end
  end
  assert(met > 60, solid[1] .. " " .. met)
end

-- scenes: the nearest of the hits with each body alone
local function make(w, b)
  local def = { position = b.at, orientation = b.turn, layer = b.layer }
  for key, value in pairs(b.def) do def[key] = value end
  return w[b.type](w, def)
end
local rays, total = 5000, 0
for _ = 1, 20 do
  local all, bodies = scree.world { gravity = { 0, 0, 0 } }, {}
  for i = 1, 14 do
    local type, def = scatter.shape()
    bodies[i] = { type = type, def = def, at = vector(2), turn = type ~= "sphere" and turn() or nil }
    make(all, bodies[i])
  end
  all:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, -2.5 } }
  local from, direction = {}, {}
  for i = 1, rays do from[i], direction[i] = vector(2.4), vector(1) end
  local found, who, normals = all:rays { from = from, direction = direction, reach = 4 }
  local least = {}
  for i = 1, rays do least[i] = math.huge end
  bodies[#bodies + 1] = { type = "halfspace", def = { normal = { 0, 0, 1 }, point = { 0, 0, -2.5 } } }
  for _, b in ipairs(bodies) do
    local alone = scree.world { gravity = { 0, 0, 0 } }
    make(alone, b)
    local own = alone:rays { from = from, direction = direction, reach = 4 }
    for i = 1, rays do least[i] = math.min(least[i], own[i]) end
  end
  for i = 1, rays do
    total = total + 1
    assert(found[i] == least[i], "the nearest of all")
    assert((who[i] ~= false) == (found[i] < math.huge) and (normals[i] ~= false) == (found[i] < math.huge))
    assert(found[i] <= 4 or found[i] == math.huge, "reach")
    if i % 100 == 0 then -- one by one, without a tree
      local one = all:ray { from = from[i], direction = direction[i], reach = 4 }
      assert((one and one.distance or math.huge) == found[i] and (not one or one.body == who[i]), "one ray")
    end
  end
end
assert(total == 100000)

-- each call uses the present bodies: moved, rotated, removed and new ones, and other layers
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 0.5 }
  local ball = w:sphere { radius = 0.1, position = { 1, 0, 0 }, layer = 2 }
  local wall = w:box { size = { 0.2, 1, 1 }, position = { 3, 0, 0 } }
  local aims = {}
  for i = 1, 20 do aims[i] = { 1, 0, 0 } end
  local function sees(distance, keys)
    local def = { from = { 0, 0, 0 }, direction = aims }
    for key, value in pairs(keys or {}) do def[key] = value end
    for _ = 1, 2 do near(w:rays(def)[7], distance, 1e-12, "distance now") end
    def.direction = aims[1]
    local one = w:ray(def)
    near(one and one.distance or math.huge, distance, 1e-12, "one ray now")
  end
  sees(0.9)
  sees(2.9, { avoids = 2 })
  sees(2.9, { without = ball })
  ball:set_position(1.5, 0, 0)
  sees(1.4)
  ball:set_velocity(1, 0, 0)
  w:step(1)
  sees(1.9)
  w:remove { region = { min = { 1.9, -0.1, -0.1 }, max = { 2.1, 0.1, 0.1 } } }
  sees(2.9)
  w:sphere { radius = 0.3, position = { 2, 0, 0 } }
  sees(1.7)
  wall:set_position(1, 0, 0)
  wall:set_orientation(math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8))
  sees(1 - 0.1 * math.sqrt(2))
end

-- a terrain of triangles against all of them, and without gaps along its edges
do
  local n, w = 24, scree.world { gravity = { 0, 0, 0 } }
  local ground, surface = obstacle.terrain(w, { min = { 0, 0 }, max = { 1, 1 }, squares = n, height = function() return 0.2 * random() end })
  local points, triangles = surface.points, surface.triangles
  local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
  local function cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
  local function dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
  local function brute(from, d)
    local best, which = math.huge, nil
    for k, t in ipairs(triangles) do
      local a, b, c = points[t[1]], points[t[2]], points[t[3]]
      local u, v = sub(b, a), sub(c, a)
      local p = cross(d, v)
      local det = dot(u, p)
      local s = sub(from, a)
      local x = dot(s, p) / det
      local q = cross(s, u)
      local y, h = dot(d, q) / det, dot(v, q) / det
      if x >= 0 and y >= 0 and x + y <= 1 and h >= 0 and h < best then best, which = h, k end
    end
    return best, which
  end
  local from, direction = {}, {}
  for i = 1, 400 do from[i], direction[i] = { random(), random(), 0.5 * random() }, vector(1) end
  local found = w:rays { from = from, direction = direction }
  for i = 1, 400 do
    local d = direction[i]
    local length = math.sqrt(dot(d, d))
    local best = brute(from[i], d) * length
    assert(best == found[i] or math.abs(best - found[i]) < 1e-12, "ray " .. i)
  end
  local hit = w:ray { from = { 0.51, 0.52, 1 }, direction = { 0, 0, -1 } }
  local _, which = brute({ 0.51, 0.52, 1 }, { 0, 0, -1 })
  assert(hit.triangle == which and hit.body == ground and hit.normal[3] > 0)
  -- straight down on corners and on points of edges: never through
  from = {}
  for j = 1, n - 1 do
    for i = 1, n - 1 do
      local p, r = points[j * (n + 1) + i + 1], points[j * (n + 1) + i + 2]
      from[#from + 1] = { p[1], p[2], 1 }
      local s = random()
      from[#from + 1] = { p[1] + s * (r[1] - p[1]), p[2] + s * (r[2] - p[2]), 1 }
    end
  end
  for _, t in ipairs(w:rays { from = from, direction = { 0, 0, -1 } }) do assert(t < 1.001, "a ray slips through") end
end

-- layers, a body left out, from inside, bad input
do
  local w = scree.world { gravity = { 0, 0, 0 } }
  local a = w:sphere { radius = 0.5, position = { 1, 0, 0 }, layer = 3 }
  local b = w:sphere { radius = 0.5, position = { 3, 0, 0 } }
  local def = { from = { 0, 0, 0 }, direction = { 2, 0, 0 } }
  assert(w:ray(def).body == a)
  near(w:ray(def).distance, 0.5, 1e-15)
  assert(w:ray { from = def.from, direction = def.direction, avoids = 3 }.body == b)
  assert(w:ray { from = def.from, direction = def.direction, without = a }.body == b)
  assert(w:ray { from = def.from, direction = def.direction, reach = 0.4 } == nil)
  assert(w:ray { from = { 0, 0, 0 }, direction = { 0, 1, 0 } } == nil)
  fails("has length zero", w.ray, w, { from = { 0, 0, 0 }, direction = { 0, 0, 0 } })
  fails("ray.direction", w.ray, w, { from = { 0, 0, 0 } })
  fails("one per ray", w.rays, w, { from = { { 0, 0, 0 }, { 1, 0, 0 } }, direction = { { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 } } })
  fails("rays.from[2]", w.rays, w, { from = { { 0, 0, 0 }, { 1, 0 } }, direction = { 1, 0, 0 } })
  fails("must be a body", w.ray, w, { from = { 0, 0, 0 }, direction = { 1, 0, 0 }, without = 3 })
end
print("rays: ok")
