-- Free cooling of a granular gas in a periodic cell beside Haff's law (1983), T = T0 (1 + t/tau)^-2, with tau from Enskog's rate of collisions,
-- 1/tau = 4 (1 - e^2) fraction g (T0/pi)^0.5 / d, and g = (1 - fraction/2) / (1 - fraction)^3 at contact (Carnahan & Starling 1969).
-- usage: scree lua --trust tests/bench/cooling.lua [GRAINS] [FRACTION] [WAY OF A STEP IN DIAMETERS]
local scree = require "scree"
local grains, fraction, way, e = tonumber(arg[1] or 10000), tonumber(arg[2] or 0.01), tonumber(arg[3] or 0.04), 0.9
local edge, n = (grains * math.pi / 6 / fraction) ^ (1 / 3), math.ceil(grains ^ (1 / 3))
local w = scree.world { gravity = { 0, 0, 0 }, dt = 0.01, cell = { size = { edge, edge, edge }, periodic = { true, true, true } } }
w:pair { "default", "default", mu = 0, restitution = e }
w:fill {
  region = { min = { 0, 0, 0 }, max = { edge, edge, edge } }, spacing = edge / (n + 0.01), position_jitter = 0.2, radius = 0.5,
  jitter = { 1.7, 1.7, 1.7 }, limit = grains,
}
local v, mass = w:view "velocity", w:view("mass"):get(1)
local x, y, z = v:mean()
v:add(-x, -y, -z)

local function temperature() return 2 * w:report().kinetic / (3 * grains * mass) end

-- Goes on for so many mean ways of a diameter, with steps of the same way.
local function go(ways)
  for _ = 1, math.ceil(ways / 10) do
    w:set_dt(way / math.sqrt(3 * temperature()))
    w:step(math.ceil(10 / way))
  end
end

local function momentum(T)
  local p = w:report().momentum
  return math.sqrt(p[1] ^ 2 + p[2] ^ 2 + p[3] ^ 2) / (grains * mass * math.sqrt(T))
end

go(1 / fraction) -- from uniform velocities to Maxwell's: some 8 collisions a grain; the clock starts then
local T0, t0 = temperature(), w:time()
local contact = (1 - fraction / 2) / (1 - fraction) ^ 3
local tau, mark = 1 / (4 * (1 - e * e) * fraction * contact * math.sqrt(T0 / math.pi)), 1
print("t/tau", "T/T0", "over Haff's", "momentum over its scale")
repeat
  local T, t = temperature(), (w:time() - t0) / tau
  if T / T0 <= mark then
    print(string.format("%.3f %.6f %.4f %.1e", t, T / T0, T / T0 * (1 + t) ^ 2, momentum(T0)))
    io.flush()
    mark = mark / 10 ^ 0.5
  end
  go(10)
until T / T0 < 1e-3
