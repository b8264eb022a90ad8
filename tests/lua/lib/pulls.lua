-- Bodies that stick to a surface by cohesion, in any orientation: the number of their contacts, and the load that pulls
-- them off.
local scree = require "scree"
local pulls = {}

-- numbers between 0 and 1 from a seed
function pulls.random(seed)
  return function()
    seed = seed * 48271 % 2147483647
    return seed / 2147483647
  end
end

local function cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
local function rotate(q, v)
  local u = { q[2], q[3], q[4] }
  local a = cross(u, v)
  local b = cross(u, a)
  return { v[1] + 2 * (q[1] * a[1] + b[1]), v[2] + 2 * (q[1] * a[2] + b[2]), v[3] + 2 * (q[1] * a[3] + b[3]) }
end
local function product(p, q)
  return { p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4], p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
    p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2], p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1] }
end
local function random_turn(random)
  local q, square
  repeat
    q, square = { 2 * random() - 1, 2 * random() - 1, 2 * random() - 1, 2 * random() - 1 }, 0
    for _, x in ipairs(q) do square = square + x * x end
  until square > 0.01 and square < 1
  for k = 1, 4 do q[k] = q[k] / math.sqrt(square) end
  return q
end

-- A frame in which the surface is the plane z = 0: points and turns of it in the world.
local function frame_of(random, scale)
  local turn, shift = random_turn(random), { scale * (random() - 0.5), scale * (random() - 0.5), scale * (random() - 0.5) }
  return {
    turn = turn, up = rotate(turn, { 0, 0, 1 }),
    point = function(x, y, z)
      local p = rotate(turn, { x, y, z })
      return { p[1] + shift[1], p[2] + shift[2], p[3] + shift[3] }
    end,
  }
end

-- Surfaces of size 12 s about the origin. Flat bases lie away from what is there but for seam, which passes under their middle; `corner` is a
-- place where several of their parts meet.
local surfaces = {
  plane = function(w, f) w:halfspace { normal = f.up, position = f.point(0, 0, 0) } end,
  box = function(w, f, s) w:box { kind = "fixed", size = { 12 * s, 12 * s, s }, position = f.point(0, 0, -0.5 * s), orientation = f.turn } end,
  mesh = function(w, f, s)
    local n, points, triangles = 9, {}, {}
    for i = 0, n - 1 do
      for j = 0, n - 1 do points[#points + 1] = f.point((i - 4) * 1.5 * s, (j - 4) * 1.5 * s, 0) end
    end
    for i = 0, n - 2 do
      for j = 0, n - 2 do
        local a = i * n + j + 1
        triangles[#triangles + 1] = { a, a + n, a + n + 1 }
        triangles[#triangles + 1] = { a, a + n + 1, a + 1 }
      end
    end
    w:mesh { points = points, triangles = triangles }
  end,
  seam = function(w, f, s)
    for k = -1, 1, 2 do
      w:box { kind = "fixed", size = { 6 * s, 12 * s, s }, position = f.point(3 * s * k, 0, -0.5 * s), orientation = f.turn }
    end
  end,
  tiles = function(w, f, s)
    local shapes = {}
    for k = 0, 3 do
      local x, y = k % 2 * 2 - 1, k // 2 * 2 - 1
      local p = f.point(3 * s * x, 3 * s * y, -0.5 * s)
      shapes[k + 1] = { type = "box", size = { 6 * s, 6 * s, s }, position = p, orientation = f.turn }
    end
    w:body { kind = "fixed", shapes = shapes }
  end,
  hulls = function(w, f, s)
    for k = -1, 1, 2 do
      local points = {}
      for c = 0, 7 do points[#points + 1] = f.point(c % 2 * 6 * s * k, (c // 2 % 2 * 2 - 1) * 6 * s, -(c // 4) * s) end
      w:hull { kind = "fixed", points = points }
    end
  end,
}

local function ring(sides)
  local points = {}
  for k = 1, sides do points[k] = { 0.5 * math.cos(2 * math.pi * k / sides), 0.5 * math.sin(2 * math.pi * k / sides) } end
  return points
end
local function prism(sides)
  return function(w, f, s, x, y, about)
    local points, turn = {}, product(f.turn, { math.cos(about / 2), 0, 0, math.sin(about / 2) })
    for _, z in ipairs { -0.2 * s, 0.2 * s } do
      for _, p in ipairs(ring(sides)) do points[#points + 1] = { s * p[1], s * p[2], z } end
    end
    return w:hull { points = points, position = f.point(x, y, 0.2 * s), orientation = turn }
  end
end

-- Corners within a thousandth of the size are one: of a base over a seam none may lie so near to it.
local corners = { box = { { 0.5, 0.35 }, { -0.5, 0.35 }, { -0.5, -0.35 }, { 0.5, -0.35 } } }
for _, sides in ipairs { 3, 6, 12, 24 } do corners["prism" .. sides] = ring(sides) end
corners.cylinder = ring(8)
local function is_near_seam(name, x, about)
  for _, p in ipairs(corners[name] or {}) do
    if math.abs(x + p[1] * math.cos(about) - p[2] * math.sin(about)) < 2e-3 then return true end
  end
  return false
end

-- Bodies on the plane z = 0 about (x, y), turned about its normal, and the points at which they touch a plane and a face.
local bodies = {
  ball = { function(w, f, s, x, y) return w:sphere { radius = 0.5 * s, position = f.point(x, y, 0.5 * s) } end, 1, 1 },
  clump = { function(w, f, s, x, y, about) -- three balls of a body touch
    local shapes = {}
    for k = 0, 2 do
      local a = about + 2 * math.pi * k / 3
      shapes[k + 1] = { type = "sphere", radius = 0.3 * s, position = f.point(x + 0.4 * s * math.cos(a), y + 0.4 * s * math.sin(a), 0.3 * s) }
    end
    return w:body { shapes = shapes }
  end, 3, 3 },
  box = { function(w, f, s, x, y, about)
    return w:box { size = { s, 0.7 * s, 0.3 * s }, position = f.point(x, y, 0.15 * s),
      orientation = product(f.turn, { math.cos(about / 2), 0, 0, math.sin(about / 2) }) }
  end, 4, 4 },
  cylinder = { function(w, f, s, x, y, about)
    return w:cylinder { radius = 0.5 * s, length = 0.4 * s, position = f.point(x, y, 0.2 * s),
      orientation = product(f.turn, { math.cos(about / 2), 0, 0, math.sin(about / 2) }) }
  end, 24, 8 },
  prism3 = { prism(3), 3, 3 }, prism6 = { prism(6), 6, 6 }, prism12 = { prism(12), 12, 12 }, prism24 = { prism(24), 24, 24 },
}
pulls.bodies, pulls.surfaces = {}, {}
for name in pairs(bodies) do pulls.bodies[#pulls.bodies + 1] = name end
for name in pairs(surfaces) do pulls.surfaces[#pulls.surfaces + 1] = name end
table.sort(pulls.bodies)
table.sort(pulls.surfaces)

-- Calls f for each body and surface; four tiles meet in a corner, which is for balls alone.
function pulls.each(f)
  for _, name in ipairs(pulls.bodies) do
    for _, on in ipairs(pulls.surfaces) do
      if on ~= "tiles" or name == "ball" then f(name, on) end
    end
  end
end

-- Keys of a pair whose law pulls a ball of radius r on a flat surface with a force.
local laws = {
  constant = function(force) return { cohesion = force } end,
  linear = function(force, r) return { cohesion_law = "linear", cohesion = force, cohesion_range = 1e-2 * r } end,
  jkr = function(force, r) return { cohesion_law = "jkr", work = force / (1.5 * math.pi * r) } end,
  dmt = function(force, r) return { cohesion_law = "dmt", work = force / (2 * math.pi * r) } end,
  capillary = function(force, r) return { cohesion_law = "capillary", volume = 1e-3 * r ^ 3, tension = force / (4 * math.pi * r) } end,
}
local law_names = { "capillary", "constant", "dmt", "jkr", "linear" }
pulls.solvers = { "auto", "nbgs", "newton", "apgd", "spg", "lemke" }

local function total_pull(w)
  local sum, at, points = 0, { 0, 0, 0 }, 0
  for c in w:contacts() do
    if c.pull > 0 then
      sum, points = sum + c.pull / w:dt(), points + 1
      for k = 1, 3 do at[k] = at[k] + c.point[k] end
    end
  end
  for k = 1, 3 do at[k] = at[k] / points end
  return sum, points, at
end

-- How far the body goes along the normal in some steps under a load at the middle of the points [m].
local function way_under(w, body, f, load, at, steps)
  local function height()
    local x, y, z = body:position()
    return x * f.up[1] + y * f.up[2] + z * f.up[3]
  end
  local start = height()
  for _ = 1, steps do
    body:apply { force = { load * f.up[1], load * f.up[2], load * f.up[3] }, at = at }
    w:step()
  end
  return height() - start
end

-- A case of random size, place, direction, law and solver for a body and a surface; raises an error that names it. solver: the solver; alone: the
-- points and their pull alone, without a load.
function pulls.try(name, on, random, solver, alone)
  local s = 10 ^ (-3 + 3 * random())
  local f = frame_of(random, s)
  local law = name == "ball" and law_names[1 + math.floor(5 * random())] or "constant"
  solver = solver or pulls.solvers[1 + math.floor(#pulls.solvers * random())]
  local x, y, about = 0.2 * (random() - 0.5) * s, (random() - 0.5) * s, 2 * math.pi * random()
  while is_near_seam(name, x / s, about) do x = 0.2 * (random() - 0.5) * s end
  if name == "ball" then -- on what is inside the surface: its corners, edges and seams, but for rounding and more
    local off = ({ 0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-3 })[1 + math.floor(8 * random())] * s
    x = (on == "mesh" and math.floor(3 * random()) * 1.5 * s or 0) + off * (random() - 0.5)
    y = (on == "mesh" and math.floor(3 * random()) * 1.5 * s or on == "tiles" and 0 or random() * s) + off * (random() - 0.5)
  end
  local words = ("%s on %s, law %s, solver %s, size %g, at (%g, %g), turned by %g"):format(name, on, law, solver, s, x / s, y / s, about)
  local pair = { "default", "default", mu = 0.3 + 0.5 * random() }
  -- forces of 10 to 100 times the weight of a cube of water: a millionth of them moves a body by far more than rounding
  local force = 1e4 * s ^ 3 * 10 ^ (1 + random())
  for key, value in pairs(laws[law](force, 0.5 * s)) do pair[key] = value end
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-4 * (1 + 9 * random()), solver = { name = solver, iterations = 20000, tolerance = 1e-10 } }
  w:pair(pair)
  surfaces[on](w, f, s)
  local body = bodies[name][1](w, f, s, x, y, about)
  w:step(2)
  local sum, points, at = total_pull(w)
  local wanted = bodies[name][on == "plane" and 2 or 3]
  -- a flat base over a seam has the corners of its overlap with each of the two
  if corners[name] and (on == "seam" or on == "hulls") then wanted = wanted + 4 end
  if points ~= wanted then error(("%s: %d points hold it, not %d"):format(words, points, wanted), 0) end
  if not (math.abs(sum / (wanted * force) - 1) < 1e-9) then error(("%s: pull %.17g, not %d x %.17g"):format(words, sum, wanted, force), 0) end
  if alone then return end
  local steps, dt, share = 20, w:dt(), 1e-6
  local free = 0.5 * sum / body:mass() * (steps * dt) ^ 2 -- way under a load that nothing holds
  local held = way_under(w, body, f, (1 - share) * sum, at, steps)
  if not (math.abs(held) < 0.1 * share * free) then error(("%s: a load of 1 - 1e-6 moves it by %g of the free way"):format(words, held / free), 0) end
  local torn = way_under(w, body, f, (1 + share) * sum, at, steps)
  if not (torn > 0.5 * share * free) then error(("%s: a load of 1 + 1e-6 moves it by %g of the free way"):format(words, torn / free), 0) end
end

return pulls
