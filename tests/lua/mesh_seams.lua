-- A shape that slides, rolls or lands over a flat seam moves as on a half-space: between two meshes, a mesh and a box, at T edges, at doubled points, and
-- at the periodic image of a floor. A real step, a slit and a wall still have contacts.
local scree = require "scree"
local check = require "check"
local sweep = require "sweep"
local near = check.near

-- ---- floors: rectangles in the plane z = 0, in a frame that is turned against the world ----

local function rectangle(x0, x1, y0, y1, z)
  z = z or 0
  return { type = "mesh", points = { { x0, y0, z }, { x1, y0, z }, { x1, y1, z }, { x0, y1, z } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } }
end

local function join(...)
  local points, triangles = {}, {}
  for _, mesh in ipairs { ... } do
    local first = #points
    for _, p in ipairs(mesh.points) do points[#points + 1] = p end
    for _, t in ipairs(mesh.triangles) do triangles[#triangles + 1] = { t[1] + first, t[2] + first, t[3] + first } end
  end
  return { type = "mesh", points = points, triangles = triangles, weld = 0 }
end

local left, right = rectangle(-30, 0, -2, 2), rectangle(0, 30, -2, 2)
local function box(x) return { type = "box", size = { 30, 4, 1 }, position = { x, 0, -0.5 } } end

local function block(x, solid)
  local points = {}
  for k = 0, 7 do points[k + 1] = { x + 30 * (k % 2 - 0.5), 4 * (k // 2 % 2 - 0.5), k // 4 - 1 } end
  return {
    type = "mesh", points = points, solid = solid,
    triangles = { { 1, 3, 4 }, { 1, 4, 2 }, { 5, 6, 8 }, { 5, 8, 7 }, { 1, 2, 6 }, { 1, 6, 5 }, { 3, 7, 8 }, { 3, 8, 4 }, { 1, 5, 7 }, { 1, 7, 3 }, { 2, 4, 8 }, { 2, 8, 6 } },
  }
end

local function fixed(w, turn, ...)
  for _, shape in ipairs { ... } do w:body { kind = "fixed", orientation = turn, shapes = { shape } } end
end

local floors = {
  bodies = function(w, turn) fixed(w, turn, left, right) end,
  shapes = function(w, turn) w:body { kind = "fixed", orientation = turn, shapes = { left, right } } end,
  mesh_box = function(w, turn) fixed(w, turn, left, box(15)) end,
  box_mesh = function(w, turn) fixed(w, turn, box(-15), right) end,
  boxes = function(w, turn) fixed(w, turn, box(-15), box(15)) end,
  tee = function(w, turn) fixed(w, turn, join(left, rectangle(0, 30, -2, 0.05), rectangle(0, 30, 0.05, 2))) end,
  doubled = function(w, turn) fixed(w, turn, join(left, right)) end,
  walls = function(w, turn) fixed(w, turn, block(-15), block(15)) end,
  solids = function(w, turn) w:body { kind = "fixed", orientation = turn, shapes = { block(-15, true), block(15, true) } } end,
  mesh_solid = function(w, turn) fixed(w, turn, left, block(15, true)) end,
  box_wall = function(w, turn) fixed(w, turn, box(-15), block(15)) end,
  image = function(w, turn) fixed(w, turn, rectangle(-0.75, 0.75, -0.75, 0.75)) end,
  image_box = function(w) w:box { kind = "fixed", size = { 1.5, 1.5, 0.5 }, position = { 0, 0, -0.25 } } end,
}

-- ---- shapes, 0.1 m above the ground ----

local r = 0.1
local lying = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 }
local function brick()
  local points = {}
  for k = 0, 7 do points[k + 1] = { (k % 2 * 2 - 1) * r, (k // 2 % 2 * 2 - 1) * 1.5 * r, (k // 4 * 2 - 1) * r } end
  return points
end
local shapes = {
  ball = { "sphere", { radius = r } },
  box = { "box", { size = { 2 * r, 3 * r, 2 * r } } },
  hull = { "hull", { points = brick() } },
  cylinder = { "cylinder", { radius = r, length = 2 * r } },
  roller = { "cylinder", { radius = r, length = 2 * r }, lying },
  capsule = { "capsule", { radius = r, length = 2 * r }, lying },
}

-- ---- rotations, as quaternions ----

local function times(p, q)
  return {
    p[1] * q[1] - p[2] * q[2] - p[3] * q[3] - p[4] * q[4],
    p[1] * q[2] + p[2] * q[1] + p[3] * q[4] - p[4] * q[3],
    p[1] * q[3] - p[2] * q[4] + p[3] * q[1] + p[4] * q[2],
    p[1] * q[4] + p[2] * q[3] - p[3] * q[2] + p[4] * q[1],
  }
end
local function rotate(q, x)
  local y = times(times(q, { 0, x[1], x[2], x[3] }), { q[1], -q[2], -q[3], -q[4] })
  return { y[2], y[3], y[4] }
end
local upright, askew = { 1, 0, 0, 0 }, { 0.8, 0.36, -0.288, 0.384 }

local function run(floor, kind, case, turn)
  local cell = floor:find "image" and { size = { 1.5, 1.5, 4 }, origin = { -0.75, -0.75, -2 }, periodic = { true, true, false } }
  local w = scree.world { gravity = rotate(turn, { 0, 0, -9.81 }), dt = case.dt, cell = cell or nil }
  w:pair { "default", "default", mu = case.mu or 0, restitution = case.lands and 0.5 or 0 }
  if floor == "plane" then w:halfspace { normal = rotate(turn, { 0, 0, 1 }) }
  else floors[floor](w, turn) end
  local shape, def = shapes[kind], {}
  for key, value in pairs(shape[2]) do def[key] = value end
  local x = case.direction
  def.position = rotate(turn, { -0.37 * x[1], 0.013 - 0.37 * x[2], case.lands and 1.337 * r or r })
  def.velocity = rotate(turn, { case.speed * x[1], case.speed * x[2], 0 })
  def.orientation = times(turn, shape[3] or upright)
  local b = w[shape[1]](w, def)
  local steps = math.min(math.ceil(math.max(0.8 / case.speed, 0.02) / case.dt), 300)
  -- too slow to reach the seam: the shape lands and slides on one side
  if steps * case.speed * case.dt < 0.2 then steps = math.ceil(0.1 / case.dt) end
  w:step(steps)
  return { b:velocity() }
end

local ways = { { 1, 0 }, { math.cos(0.3), math.sin(0.3) } }
local names, take = {}, sweep.every(3)
for floor in pairs(floors) do names[#names + 1] = floor end
table.sort(names)
local function compare(kind, case)
  for _, turn in ipairs { upright, askew } do
    local wanted = run("plane", kind, case, turn)
    for _, floor in ipairs(names) do
      if (turn == upright or (case.dt > 0.01 and not floor:find "image")) and take() then
        local got = run(floor, kind, case, turn)
        for k = 1, 3 do
          near(got[k], wanted[k], 1e-6 * (case.speed + 9.81 * case.dt),
            ("velocity %d of a %s on %s, dt %g, %g m/s towards %g, mu %g%s%s"):format(k, kind, floor, case.dt, case.speed, case.direction[2], case.mu or 0,
              case.lands and ", landing" or "", turn == askew and ", askew" or ""))
        end
      end
    end
  end
end

for kind in pairs(shapes) do
  for _, dt in ipairs { 1e-3, 1 / 240, 1 / 60 } do
    for _, speed in ipairs { 0.1, 1, 10 } do
      for _, direction in ipairs(ways) do
        if dt > 1e-3 or speed > 0.1 then
          compare(kind, { dt = dt, speed = speed, direction = direction })
          compare(kind, { dt = dt, speed = speed, direction = direction, lands = true })
        end
      end
      if kind == "ball" or kind == "box" then compare(kind, { dt = dt, speed = speed, direction = ways[1], mu = 0.3 }) end
    end
  end
end
compare("box", { dt = 1e-4, speed = 10, direction = ways[2] })
compare("ball", { dt = 1e-4, speed = 10, direction = ways[2] })

-- ---- an endless smooth pipe: a mesh whose ends meet those of its own images; its folds are hollow ----

local slope = math.rad(20)
for _, kind in ipairs { "sphere", "capsule", "box" } do
  local w = scree.world {
    gravity = { 9.81 * math.sin(slope), 0, -9.81 * math.cos(slope) }, dt = 1e-3,
    cell = { size = { 0.2, 0.3, 0.3 }, periodic = { true, false, false } },
  }
  w:pair { "default", "default", mu = 0, restitution = 0.5 }
  require("scree.obstacle").pipe(w, { radius = 0.05, length = 0.2, axis = { 1, 0, 0 }, position = { 0.1, 0, 0 } })
  local def = { position = { 0.02, 0, -0.043 } }
  if kind == "box" then def.size = { 0.01, 0.01, 0.01 }
  else def.radius = 0.006 end
  if kind == "capsule" then def.length, def.orientation = 0.01, { math.sqrt(0.5), 0, math.sqrt(0.5), 0 } end
  local b = w[kind](w, def)
  w:step(1000)
  near(b:velocity(), 9.81 * math.sin(slope), 1e-6, "speed of a " .. kind .. " in an endless pipe")
end

-- ---- what is really there is met ----

local function thrown(floor, kind, def, steps)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1 / 240 }
  w:pair { "default", "default", mu = 0 }
  for _, shape in ipairs(floor) do w:body { kind = "fixed", shapes = { shape } } end
  local b = w[kind](w, def)
  w:step(steps)
  return b
end

for _, kind in ipairs { "box", "sphere" } do
  local def = { position = { -0.503, 0.1, r }, velocity = { 2, 0, 0 } }
  if kind == "box" then def.size = { 2 * r, 2 * r, 2 * r }
  else def.radius = r end
  -- a step up of a hundredth of the size
  local b = thrown({ left, rectangle(0, 30, -2, 2, 1e-3), { type = "mesh", points = { { 0, -2, -1 }, { 0, 2, -1 }, { 0, 2, 1e-3 }, { 0, -2, 1e-3 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } } },
    kind, def, 120)
  assert(b:velocity() < 1.99, kind .. " over a step up of two meshes: " .. b:velocity())
  -- a wall that stands on the seam
  b = thrown({ left, right, { type = "mesh", points = { { 0, -2, 0 }, { 0, 2, 0 }, { 0, 2, 1 }, { 0, -2, 1 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } } }, kind, def, 120)
  near(b:position(), -r, 1e-6, kind .. " at a wall on a seam")
  -- an open slit
  b = thrown({ left, rectangle(0.3, 30, -2, 2) }, kind, { position = { 0.15, 0.1, 0.2 }, size = def.size, radius = def.radius }, 240)
  assert(select(3, b:position()) < -1, kind .. " stays above a slit")
end

-- a box at the border of a plate, beside its centre
local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-2 }
w:body { kind = "fixed", shapes = { rectangle(0, 4, -2, 2) } }
local bullet = w:box { size = { 0.1, 0.1, 0.1 }, position = { -1.03, 0.1, 0.01 }, velocity = { 10, 0, 0 } }
w:step(13)
assert(bullet:velocity() < 9, "a box passes the border of a plate")

-- ---- a line of contact that lies on several triangles keeps both ends ----

do
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1 / 60 }
  w:pair { "default", "default", mu = 0 }
  w:body { kind = "fixed", shapes = { join(rectangle(0, 30, -2, 0.05), rectangle(0, 30, 0.05, 2)) } }
  local a = math.pi / 4 - 1e-9
  local b = w:cylinder { radius = r, length = 2 * r, orientation = { math.cos(a), math.sin(a), 0, 0 }, position = { 2, 0.021865606205723, r - 2.2e-10 } }
  w:step()
  local low, high = math.huge, -math.huge
  for _, c in ipairs(w:contacts()) do low, high = math.min(low, c.point[2]), math.max(high, c.point[2]) end
  near(high - low, 2 * r, 1e-6, "length of a line of contact")
end
