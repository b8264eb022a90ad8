-- Results in a cell do not depend on the position of the sample, and they hold for few bodies. Also a flow between walls in a cell.
local scree = require "scree"
local check = require "check"
local mixture = require "mixture"

-- two balls in a cell are a body-centred crystal: each touches eight images of the other; the stress is the target, and momentum is conserved
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 2.4, 2.4, 2.4 }, periodic = { true, true, true } },
    solver = { tolerance = 1e-9, iterations = 500 } }
  w:material { name = "m", density = 1 }
  for i = 0, 1 do w:sphere { radius = 1, position = { 1.2 * i, 1.2 * i, 1.2 * i }, material = "m", velocity = { 0.1 - 0.2 * i, 0.2 - 0.4 * i, 0 } } end
  local cell, P = w:cell(), 1000
  cell:set_stress { { P, false, false }, { false, P, false }, { false, false, P } }
  w:step(200)
  local s = cell:stress()
  check.near(cell:size() / (4 / math.sqrt(3)), 1, 1e-3)
  assert(w:report().active == 8 and w:coordination({}).mean == 8)
  for k = 1, 3 do check.near(s[k][k] / P, 1, 1e-9) end
  -- under shear through several remaps the normal stress stays constant, and the images in contact are distinguished
  cell:set_stress { { false, false, false }, { false, P, false }, { false, false, false } }
  cell:set_velocity_gradient { { 0, 1.2, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  local normal, least, most = 0, 9, 0
  for _ = 1, 1000 do
    w:step()
    normal = normal + cell:stress()[2][2] / 1000
    least, most = math.min(least, w:report().active), math.max(most, w:report().active)
  end
  check.near(normal / P, 1, 1e-2)
  assert(least >= 2 and most >= 4 and math.abs(cell:matrix()[1][2]) <= 0.51 * cell:matrix()[1][1], least .. " to " .. most)
  local p, mass = w:report().momentum, w:view("mass"):sum()
  for k = 1, 3 do check.near(p[k] / mass, 0, 1e-12) end
end

-- a sample that is translated, not by a whole edge, moves like the original one: positions differ by rounding
do
  local function run(shift)
    local n, d = 4, 0.205
    local L, random = n * d, mixture.random(5)
    local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { L, L, L }, periodic = { true, true, true } },
      solver = { tolerance = 1e-14, iterations = 20000 } }
    w:pair { "default", "default", mu = 0.3 }
    for i = 0, n ^ 3 - 1 do
      local at = { d * (i % n) + shift[1], d * (i // n % n) + shift[2], d * (i // n // n) + shift[3] }
      local v = { random(), random(), random() }
      if i % 2 == 0 then w:sphere { radius = 0.1, position = at, velocity = v }
      else w:capsule { radius = 0.07, length = 0.04, position = at, velocity = v } end
    end
    local active = 0
    for _ = 1, 40 do
      w:step()
      active = active + w:report().active
    end
    return w, active, L
  end
  local w, active, L = run { 0, 0, 0 }
  local shift = { 0.3123, -1.771, 40.27 }
  local moved, other = run(shift)
  local function places(world)
    local x, id, list = world:view "position", world:view "id", {}
    for i = 1, #x do list[id:get(i)] = { x:get(i) } end
    return list
  end
  local there, off = places(moved), 0
  for id, p in pairs(places(w)) do
    for k = 1, 3 do off = math.max(off, math.abs(there[id][k] - p[k] - shift[k])) end
  end
  assert(active > 100 and active == other and off < 1e-9 * L, string.format("%d and %d contacts, %g", active, other, off))
end

-- Couette flow: rough walls slide past each other and drag the grains between them; in every step the grains gain the momentum that the walls lose
do
  local n, d, u = 5, 0.1, 1
  local L, H = n * d * 1.03, 5.3 * d
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 5e-4, cell = { size = { L, L, H + 4 * d }, periodic = { true, true, false }, origin = { 0, 0, -2 * d } } }
  w:pair { "default", "default", mu = 0.5 }
  local walls = {}
  for i = 0, n ^ 2 - 1 do
    for k = 1, 2 do
      local at = { (i % n + k / 2) * L / n, (i // n + k / 2) * L / n, k == 1 and -d / 2 or H + d / 2 }
      local up = k == 1 and -1 or 1
      walls[#walls + 1] = { up, w:sphere { radius = 0.52 * d, position = at, kind = "kinematic", velocity = { up * u, 0, -0.1 * up } } }
    end
  end
  w:fill { region = { min = { 0, 0, 0 }, max = { L, L, H } }, spacing = 1.03 * d, radius = 0.47 * d, radius_max = 0.53 * d, jitter = 0.1 }
  w:step(400) -- the walls close in by 0.4 d
  for _, wall in ipairs(walls) do wall[2]:set_velocity(wall[1] * u, 0, 0) end
  local shear, heat = 0, w:report().dissipated
  for _ = 1, 300 do
    local before, force = w:report().momentum, { 0, 0, 0 }
    w:step()
    for _, wall in ipairs(walls) do
      local f = w:forces_on(wall[2])
      for k = 1, 3 do force[k] = force[k] + f[k] end
    end
    local now = w:report().momentum
    for k = 1, 3 do check.near(now[k] - before[k], -w:dt() * force[k], 1e-9) end
    shear = shear + w:stress({ region = { min = { 0, 0, 0 }, max = { L, L, H } } }).zx
  end
  assert(shear < 0 and w:report().dissipated > heat, "grains drag each other along")
  local speed, count = { 0, 0 }, { 0, 0 }
  local x, v, kind = w:view "position", w:view "velocity", w:view "kind"
  for i = 1, #x do
    local half = select(3, x:get(i)) < H / 2 and 1 or 2
    if kind[i] == "dynamic" then speed[half], count[half] = speed[half] + v:get(i), count[half] + 1 end
  end
  local lower, upper = speed[1] / count[1], speed[2] / count[2]
  assert(lower < 0 and upper > 0 and upper - lower > 0.2 * u, "the grains flow with the walls")
end
