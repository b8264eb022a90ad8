-- Measures how many sweeps a bed needs, and what fewer sweeps cost in accuracy. Runs one bed with one setting
-- of the solver and prints one line.
--
--   scree lua --trust scenes/bench/sweeps.lua BED SETTING [STRESS]
--
-- BED: settle, column, capsules, cards, tower, flow, lid (a lid on a slider joint presses on grains with
--   STRESS [Pa]) or lid_velocity (lid, with penetrations corrected by velocities).
-- SETTING: plain (50 sweeps, the default), plain200 (200 sweeps), momentum, momentum200 (with momentum, the
--   extrapolation between sweeps), or adaptive (up to 400 sweeps with momentum, tolerance g dt / 10).
-- The printed residual is a mean over the last quarter of the run. The printed scatter of the force on the
-- lid is a root mean square over this quarter.
local scree = require "scree"
local bed, setting, stress = arg[1], arg[2], tonumber(arg[3] or 500)
local settings = {
  plain = {}, plain200 = { iterations = 200 }, momentum = { acceleration = true }, momentum200 = { iterations = 200, acceleration = true },
  adaptive = { iterations = 400, tolerance = 0.1, acceleration = true },
}

local function world(dt, mu, correction)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = dt, correction = correction, solver = assert(settings[setting], "there is no such setting") }
  w:pair { "default", "default", mu = mu }
  w:halfspace { normal = { 0, 0, 1 } }
  return w
end

local function walls(w, lx, ly)
  for _, n in ipairs { { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } } do
    w:halfspace { normal = { n[1], n[2], 0 }, point = { n[1] < 0 and lx or 0, n[2] < 0 and ly or 0, 0 } }
  end
end

local function fill(w, lx, ly, lz, r, more)
  local def = { region = { min = { 0, 0, 0 }, max = { lx, ly, lz } }, spacing = 2.3 * r, radius = r, jitter = 0.1 }
  for k, v in pairs(more or {}) do def[k] = v end
  w:fill(def)
  return w
end

-- Each function returns the world, the number of steps, and the length by which penetrations are divided.
-- Beds with a lid also return a function for the ratio of the contact force on the lid to its load.
local beds = {}

function beds.settle()
  local w = world(1e-3, 0.4)
  walls(w, 0.16, 0.16)
  return fill(w, 0.16, 0.16, 0.2, 5e-3), 600, 5e-3
end

function beds.column()
  local w = world(1e-3, 0.3)
  walls(w, 0.07, 0.07)
  return fill(w, 0.07, 0.07, 0.6, 5e-3, { spacing = 0.0101, jitter = 0.01 }), 600, 5e-3
end

function beds.capsules()
  local w = world(1e-3, 0.4)
  walls(w, 0.4, 0.4)
  return fill(w, 0.4, 0.4, 0.6, 0.02, { spacing = 0.1, shape = { type = "capsule", radius = 0.02, length = 0.04 } }), 800, 0.02
end

-- four boxes under a box of 100 times their mass
function beds.tower()
  local w = world(1e-3, 0.4)
  for i = 0, 4 do w:box { size = { 0.2, 0.2, 0.1 }, position = { 0.01 * i, 0, 0.05 + 0.1 * i }, mass = i == 4 and 100 or 1 } end
  return w, 500, 0.05
end

-- two pairs of leaning cards and a card across
function beds.cards()
  local w, lean = world(1e-3, 0.6), 0.35
  local high, wide = 0.5 * math.cos(lean) + 0.01 * math.sin(lean), 0.5 * math.sin(lean) + 0.01 * math.cos(lean)
  for k = 0, 1 do
    for side = -1, 1, 2 do
      w:box { size = { 0.02, 0.6, 1 }, position = { 0.8 * k + side * wide, 0, high }, orientation = { math.cos(lean / 2), 0, -side * math.sin(lean / 2), 0 } }
    end
  end
  w:box { size = { 1.2, 0.6, 0.02 }, position = { 0.4, 0, 2 * high + 0.01 } }
  return w, 500, 0.01
end

-- a layer that starts to flow down a slope of 28 degrees
function beds.flow()
  local w, slope = world(1e-4, 0.4), math.rad(28)
  w:set_gravity(9.81 * math.sin(slope), 0, -9.81 * math.cos(slope))
  walls(w, 1000, 0.012)
  return fill(w, 0.04, 0.012, 0.012, 5e-4, { spacing = 1.05e-3, jitter = 0.2 }), 600, 5e-4
end

function beds.lid(correction)
  local side, mass = 0.03, 0.02
  local w = world(2e-4, 0.3, correction)
  walls(w, side, side)
  fill(w, side, side, 0.024, 0.0025, { spacing = 0.006, radius_max = 0.003, jitter = 0 })
  local lid = w:box { size = { side * 0.99, side * 0.99, 0.004 }, position = { side / 2, side / 2, 0.027 }, mass = mass }
  w:slider { a = lid, at = { side / 2, side / 2, 0.027 }, axis = { 0, 0, 1 }, motor = { force = -stress * side * side } }
  return w, 1600, 0.0025, function() return w:forces_on(lid)[3] / (stress * side * side + mass * 9.81) end
end

function beds.lid_velocity() return beds.lid "velocity" end

local w, steps, length, force = assert(beds[bed], "there is no such bed")()
local looks, late, sweeps, residual, scatter, deepest, watching = 0, 0, 0, 0, 0, 0, 0
local start = os.clock()
for i = 1, steps do
  w:step()
  local before = os.clock()
  if i % 5 == 0 then
    local r = w:report()
    looks, sweeps, deepest = looks + 1, sweeps + r.iterations, math.max(deepest, r.penetration)
    if i > 0.75 * steps then
      late, residual, scatter = late + 1, residual + r.residual, scatter + (force and (force() - 1) ^ 2 or 0)
    end
  end
  watching = watching + os.clock() - before
end
local r = w:report()
print(("%-9s %-11s bodies %4d, sweeps %5.1f, CPU %6.2f s/s, residual/(g dt) %.1e, penetration/r: largest %.1e, mean at the end %.1e%s"):format(
  bed, setting, r.dynamic, sweeps / looks, (os.clock() - start - watching) / w:time(), residual / late / (9.81 * w:dt()), deepest / length,
  r.mean_penetration / length, force and (", scatter of the force %.3f"):format(math.sqrt(scatter / late)) or ""))
