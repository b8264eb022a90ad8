-- Containers retain grains, let grains through their outlets, and follow prescribed motions.
local scree = require "scree"
local obstacle = require "scree.obstacle"
local check = require "check"
local fails, near = check.fails, check.near

local function world(gravity) return scree.world { gravity = gravity or { 0, 0, -9.81 }, dt = 1e-3 } end

-- n balls of radius r fall in a column above the outlet; either all stay above z or all fall below it
local function pour(w, r, heights)
  local balls = {}
  for i, z in ipairs(heights) do balls[i] = w:sphere { radius = r, position = { (i % 2 == 0 and 1 or -1) * 0.3 * r, 0.2 * r, z } } end
  w:step(1500)
  local low, high = math.huge, -math.huge
  for _, b in ipairs(balls) do
    local _, _, z = b:position()
    low, high = math.min(low, z), math.max(high, z)
  end
  return low, high
end
local drops = { 0.09, 0.12, 0.15, 0.18, 0.21 }
for _, case in ipairs {
  { "silo", { radius = 0.05, height = 0.3, outlet = 0.009 } },
  { "silo", { radius = 0.05, height = 0.3, outlet = 0.009, angle = "40 deg" } },
  { "silo", { radius = 0.05, height = 0.3, outlet = 0.009, cone = 0.05 } },
  { "hopper", { radius = 0.05, height = 0.1, outlet = 0.009 } },
  { "hopper", { radius = "5 cm", angle = "0.5 rad", outlet = "9 mm" } },
  { "funnel", { radius = 0.05, height = 0.05, outlet = 0.009, stem = 0.02 } },
  { "wedge", { width = 0.1, outlet = 0.018, length = 0.1, height = 0.1 } },
  { "pipe", { radius = 0.05, length = 0.5, position = { 0, 0, 0.25 }, closed = "bottom" } },
} do
  local w = world()
  obstacle[case[1]](w, case[2])
  local low = pour(w, 0.01, drops)
  if not (low > 0.004) then error(case[1] .. " leaks: a ball at " .. low) end
  if case[1] ~= "pipe" then
    local open = world()
    case[2].outlet = 0.04
    obstacle[case[1]](open, case[2])
    local _, high = pour(open, 0.01, drops)
    if not (high < 0) then error(case[1] .. " does not let a ball through: it is at " .. high) end
  end
end

-- a round wall has the area of its circle: the mean distance of a ball that is pressed against it on all sides lies within a facet's sagitta
local w = world { 0, 0, 0 }
obstacle.pipe(w, { radius = 0.1, length = 1, sides = 24 })
local sum, n = 0, 96
local balls = {}
for k = 1, n do
  local a = 2 * math.pi * (k - 0.5) / n
  local b = scree.world { gravity = { 10 * math.cos(a), 10 * math.sin(a), 0 }, dt = 1e-3 }
  obstacle.pipe(b, { radius = 0.1, length = 1, sides = 24 })
  b:pair { "default", "default", mu = 0.9 }
  local ball = b:sphere { radius = 1e-4, position = { 0.0996 * math.cos(a), 0.0996 * math.sin(a), 0 } }
  b:step(60)
  local x, y = ball:position()
  sum = sum + (x * x + y * y) / n
end
near(math.sqrt(sum) + 1e-4, 0.1, 1e-3, "mean radius")

-- motions: functions, lists, units; the velocity in each step is its mean, therefore distances are exact
w = world { 0, 0, 0 }
local a = w:box { size = { 1, 1, 1 }, velocity = function(t) return 2 * t, 0, math.cos(t) end }
local b = w:sphere { radius = 1, position = { 9, 0, 0 }, velocity = { { "1 s", { 0, "10 cm/s", 0 } }, { "2 s", { 0, 0.3, 0 } } }, spin = { { 0, { 0, 0, "30 rpm" } } } }
local c = w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -9 }, velocity = function() return { "1 mm/s", 0, 0 } end }
local d = w:box { size = { 1, 1, 1 }, position = { 0, 9, 0 }, surface_velocity = function(t) return t, 0, 0 end }
assert(a:kind() == "kinematic" and c:kind() == "kinematic" and d:kind() == "fixed")
w:step(3000)
near((a:position()), 9, 1e-12, "way of a linear velocity")
near(select(3, a:position()), math.sin(3), 1e-12, "way of a cosine")
near(select(2, b:position()), 0.1 + 0.2 + 0.3, 1e-12, "way of a list")
for _, dt in ipairs { 0.3, 0.07 } do -- entries of a list within a step, and fast functions
  local coarse = scree.world { gravity = { 0, 0, 0 }, dt = dt }
  local one = coarse:sphere { radius = 1, position = { 9, 0, 0 }, velocity = { { 1, { 0, 0.1, 0 } }, { 2, { 0, 0.3, 0 } }, { 2.05, { 1, 0, 0 } } },
    spin = { { 0, { 0, 0, 0 } }, { 2, { 0, 0, 1 } }, { 2.9, { 0, 0, 0 } } } }
  local two = coarse:box { size = { 1, 1, 1 }, velocity = function(t) return t ^ 9, math.cos(2 * t), 0 end }
  local steps = math.floor(2.2 / dt + 1)
  coarse:step(steps)
  local stop = steps * dt
  local x, y = one:position()
  near(x, 9 + 0.05 / 2 + (stop - 2.05), 1e-12, "a list within a step, x")
  near(y, 0.1 + 0.2 + 0.3 * 0.05 / 2, 1e-12, "a list within a step, y")
  local q = { one:orientation() }
  local over = stop - 2
  near(2 * math.atan(q[4], q[1]), 1 + over - over * over / 0.9 / 2, 1e-12, "angle of a list")
  x, y = two:position()
  near(x, stop ^ 10 / 10, 1e-10 * stop ^ 10, "way of a polynomial")
  near(y, math.sin(2 * stop) / 2, 1e-11, "way of a fast cosine")
end
near(select(3, b:spin()), math.pi, 1e-12, "spin")
near((c:position()), 3e-3, 1e-12, "plane")
near((d:surface_velocity()), 3 - 0.5e-3, 1e-9, "belt")
a:remove()
w:step(2)
near((d:surface_velocity()), 3.0015, 1e-9, "a removed body is forgotten")
fails("box.velocity: a function of time is for a kinematic body", w.box, w, { size = { 1, 1, 1 }, kind = "dynamic", velocity = function() return 1, 0, 0 end })
fails("box.surface_velocity: a function of time is for a fixed body", w.box, w, { size = { 1, 1, 1 }, kind = "kinematic", surface_velocity = function() end })
fails("box.velocity[2]: times must be finite and rise", w.box, w, { size = { 1, 1, 1 }, velocity = { { 1, { 0, 0, 0 } }, { 1, { 0, 0, 1 } } } })
fails("box.velocity[1] must be { time, { x, y, z } }", w.box, w, { size = { 1, 1, 1 }, velocity = { { 1, 0, 0 } } })
w:sphere { radius = 1, position = { 0, 0, 99 }, velocity = function(t) return "fast" end }
fails("velocity: the function of time must return three finite numbers", w.step, w)
local tells = world()
tells:sphere { radius = 1, velocity = function() tells:sphere { radius = 1 } end }
fails("cannot be changed from within a friction law or a motion", tells.step, tells)

-- a drum has its prescribed rotation, and its lifters carry a ball up
w = world()
w:pair { "default", "default", mu = 0.3 }
local drum = obstacle.drum(w, { radius = 0.1, length = 0.05, lifters = 6, lifter_height = "2 cm", turn = "60 rpm", name = "mill" })
local ball, top = w:sphere { radius = 0.008, position = { 0, 0, -0.085 } }, -1
for _ = 1, 500 do
  w:step()
  local x, y, z = ball:position()
  top = math.max(top, z)
  assert(x * x + z * z < 0.1 ^ 2 and math.abs(y) < 0.025, "a ball left the drum")
end
near(select(2, drum:spin()), 2 * math.pi, 1e-12, "turn")
assert(top > 0, "lifters carry a ball above the axis: " .. top)
local smooth = obstacle.drum(world(), { radius = 0.1, length = 0.05, turn = { { 0, 0 }, { "1 s", "60 rpm" } }, open = true })
assert(smooth:kind() == "kinematic")

-- a screw carries grains along its axis, by at most its pitch per turn
w = world()
w:pair { "default", "default", mu = 0.1 }
obstacle.pipe(w, { radius = 0.0505, length = 0.6, axis = { 1, 0, 0 } })
obstacle.screw(w, { radius = 0.049, shaft = 0.01, pitch = 0.06, length = 0.5, turn = function(t) return -2 * math.pi end })
local grains = {}
for i = 1, 5 do grains[i] = w:sphere { radius = 0.008, position = { 0.06 * i - 0.21, 0, -0.042 } } end
w:step(1000)
for i, g in ipairs(grains) do
  local way = g:position() - (0.06 * i - 0.21)
  assert(way > 0.02 and way < 0.06 + 0.03, "a screw carries: " .. way)
end

-- mistakes
do -- a terrain, by a function and by rows, and its mistakes
  local at = { min = { -1, 0 }, max = { 1, 3 }, squares = { 4, 6 }, height = function(x, y) return x + 2 * y end }
  local land = scree.world {}
  local _, surface = obstacle.terrain(land, at)
  assert(#surface.points == 35 and #surface.triangles == 48)
  for _, p in ipairs { { 0.3, 0.7 }, { -0.9, 2.9 } } do
    local hit = land:ray { from = { p[1], p[2], 50 }, direction = { 0, 0, -1 } }
    assert(math.abs(hit.point[3] - (p[1] + 2 * p[2])) < 1e-12 and hit.normal[3] > 0)
  end
  at.squares, at.height, at.position = 1, { { 1, 2 }, { 3, 4 } }, { 10, 0, 0 }
  obstacle.terrain(land, at)
  assert(math.abs(land:ray({ from = { 11, 3, 50 }, direction = { 0, 0, -1 } }).point[3] - 4) < 1e-12)
  local function wrong(key, value, text)
    local def = { min = { 0, 0 }, max = { 1, 1 }, squares = 2, height = function() return 0 end }
    def[key] = value
    fails(text, obstacle.terrain, land, def)
  end
  wrong("squares", 0, "squares must be a whole number")
  wrong("min", { 2, 0 }, "min must lie below max")
  wrong("max", 3, "max must be a point")
  wrong("height", "high", "height must be a function")
  wrong("height", { { 0, 0, 0 }, { 0, 0 }, { 0, 0, 0 } }, "height of corner 3, 2 must be a number")
end
fails("obstacle.silo.outlett is not a known key; did you mean 'outlet'?", obstacle.silo, w, { outlett = 1 })
fails("obstacle.silo.outlet must be less than radius", obstacle.silo, w, { radius = 1, height = 1, outlet = 1 })
fails("obstacle.pipe.length is missing", obstacle.pipe, w, { radius = 1 })
fails("obstacle.pipe.radius must be a length greater than 0", obstacle.pipe, w, { radius = -1, length = 1 })
fails("obstacle.pipe.sides must be a whole number from 3 to 4096", obstacle.pipe, w, { radius = 1, length = 1, sides = 2 })
fails("obstacle.drum.lifter_height is missing", obstacle.drum, w, { radius = 1, length = 1, lifters = 3 })
fails("obstacle.hopper: height or angle must be given, not both", obstacle.hopper, w, { radius = 1, outlet = 0.1, height = 1, angle = 1 })
fails("obstacle.drum.turn: '1 m' has the wrong dimension", obstacle.drum, w, { radius = 1, length = 1, turn = "1 m" })
