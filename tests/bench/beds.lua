-- Makes beds of balls under gravity, on whose contact problems tests/bench/beds compares solvers. Diameter 1 mm, mu 0.4, steps of 0.1 ms.
--
--   scree lua --trust tests/bench/beds.lua FOLDER [NAME ...]     writes NAME.prob for each name; default: all
--
-- rigid-8000    a bed of 8000 balls in a box of 20 x 20 mm, at rest, rigid contacts
-- spring-8000   the bed of rigid-8000 with hardness 1e4, at rest
-- pushed-8000   the bed of spring-8000 while a wall moves inwards at 5 mm/s, so that impulses change from step to step
-- spring-250000 25 copies of a periodic bed of 10 000 balls, side by side, with hardness 1e4. In each copy other balls,
--               1 in 100, are removed, and the bed settles again. The copies therefore differ.
local scree = require "scree"
local D, SIDE, G = 1e-3, 20e-3, 9.81

local function world(hardness, cell)
  local w = scree.world { gravity = { 0, 0, -G }, dt = 1e-4, cell = cell }
  w:material { name = "glass", density = 2650 }
  w:pair { "glass", "glass", mu = 0.4, hardness = hardness }
  w:halfspace { normal = { 0, 0, 1 }, material = "glass" }
  return w
end

-- Adds four walls around [0, SIDE] x [0, SIDE]. Returns the wall at x = 0, which moves at `speed`.
local function add_walls(w, speed)
  local pushed = w:halfspace { normal = { 1, 0, 0 }, material = "glass", kind = "kinematic", velocity = { speed, 0, 0 } }
  w:halfspace { normal = { -1, 0, 0 }, point = { SIDE, 0, 0 }, material = "glass" }
  w:halfspace { normal = { 0, 1, 0 }, material = "glass" }
  w:halfspace { normal = { 0, -1, 0 }, point = { 0, SIDE, 0 }, material = "glass" }
  return pushed
end

local function pour(w, count)
  w:fill {
    region = { min = { 0, 0, 0 }, max = { SIDE, SIDE, 1 } }, spacing = 1.17 * D, radius = D / 2, material = "glass", jitter = { 0.05, 0.05, 0.05 },
    limit = count,
  }
end

-- Returns the positions of all grains of a world.
local function positions(w)
  local x, kind, rows = w:view "position", w:view "kind", {}
  for i = 1, #x do
    if kind[i] == "dynamic" then rows[#rows + 1] = { x:get(i) } end
  end
  return rows
end

local function add_grains(w, rows)
  for _, r in ipairs(rows) do w:sphere { radius = D / 2, position = r, material = "glass" } end
end

-- Makes n steps, and writes the problem of the next step.
local function dump(w, n, path)
  w:step(n)
  w:dump_problem(path)
  local r = w:report()
  print(("%s: %d grains, %d contacts, kinetic energy / m g d %.2g, unbalanced %.2g, overlap / d %.2g"):format(path, r.dynamic, r.contacts,
    r.kinetic / r.dynamic / (2650 * math.pi / 6 * D ^ 3 * G * D), r.unbalanced_mean, r.mean_penetration / D))
end

local settled -- positions of the bed of 8000
local function settled_8000()
  if settled then return settled end
  local w = world()
  add_walls(w, 0)
  pour(w, 8000)
  w:step(2500)
  settled = positions(w)
  return settled
end

local function bed_8000(hardness, speed)
  local w = world(hardness)
  local wall = add_walls(w, 0)
  add_grains(w, settled_8000())
  if speed then
    w:step(800)
    wall:set_velocity { speed, 0, 0 }
  end
  return w
end

-- Returns n x n copies of a periodic bed, side by side, without one grain in a hundred.
local function tiled(n)
  local cell = { size = { SIDE, SIDE, 1 }, periodic = { true, true, false } }
  local tile = world(1e4, cell)
  pour(tile, 10000)
  tile:step(1500)
  local rows = {}
  math.randomseed(1)
  for i = 0, n - 1 do
    for j = 0, n - 1 do
      for _, r in ipairs(positions(tile)) do
        if math.random() > 0.01 then rows[#rows + 1] = { r[1] + i * SIDE, r[2] + j * SIDE, r[3] } end
      end
    end
  end
  cell.size = { n * SIDE, n * SIDE, 1 }
  local w = world(1e4, cell)
  add_grains(w, rows)
  return w
end

local make = {
  ["rigid-8000"] = function(path) dump(bed_8000(), 800, path) end,
  ["spring-8000"] = function(path) dump(bed_8000(1e4), 800, path) end,
  ["pushed-8000"] = function(path) dump(bed_8000(1e4, 5e-3), 40, path) end,
  ["spring-250000"] = function(path) dump(tiled(5), 100, path) end,
}
local folder, names = arg[1], { table.unpack(arg, 2) }
if #names == 0 then names = { "rigid-8000", "spring-8000", "pushed-8000", "spring-250000" } end
for _, name in ipairs(names) do make[name](("%s/%s.prob"):format(folder, name)) end
