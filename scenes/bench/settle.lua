-- Benchmark: spheres with a diameter of 1 mm settle in a box of 20 x 20 mm. By default there are 8000
-- spheres, mu is 0.4, the initial velocities are random up to 0.05 m/s, and the step is 0.1 ms. The report
-- gives the wall time per step, and per contact and iteration. Compare only ratios within one run.
--
--   scree run scenes/bench/settle.lua                       8000 spheres, 10 iterations, 3000 steps
--   scree run scenes/bench/settle.lua count=64000 side=0.04
--   scree run scenes/bench/settle.lua rolling=1e-2 torsion=1e-3 iterations=50 steps=10000
--     rolling and torsional friction, in radii of the grains: all grains come to rest

local window -- the report at the start of the last tenth of the run

local function setup(w, p)
  w:material { name = "glass", density = 2650 }
  local pair = { "glass", "glass", law = p.law, mu = p.mu }
  for _, name in ipairs { "rolling", "torsion" } do
    if p[name] > 0 then pair[name] = p[name] * 0.5e-3 end
  end
  w:pair(pair)
  local s = p.side
  for _, wall in ipairs { { { 0, 0, 1 }, { 0, 0, 0 } }, { { 1, 0, 0 }, { 0, 0, 0 } }, { { -1, 0, 0 }, { s, 0, 0 } }, { { 0, 1, 0 }, { 0, 0, 0 } },
                          { { 0, -1, 0 }, { 0, s, 0 } } } do
    w:halfspace { normal = wall[1], point = wall[2], material = "glass" }
  end
  local a = 1.17e-3
  local row = math.floor((s - 1e-3) / a + 1e-9) + 1
  local layers = math.ceil(p.count / row ^ 2)
  w:fill {
    region = { min = { 0, 0, 0 }, max = { s, s, 1e-3 + (layers - 0.5) * a } }, spacing = a, radius = 0.5e-3, material = "glass",
    jitter = { 0.05, 0.05, 0.05 }, limit = p.count,
  }
end

-- Returns the mean kinetic energy per grain without the 1 % of grains with the largest energies, and the
-- largest energy, both divided by m g d. The 1 % contain the grains that roll freely on the floor.
local function calm(w)
  local v, s, kind, energy = w:view "velocity", w:view "spin", w:view "kind", {}
  for i = 1, #v do
    if kind[i] == "dynamic" then
      local vx, vy, vz = v:get(i)
      local sx, sy, sz = s:get(i)
      energy[#energy + 1] = (0.5 * (vx ^ 2 + vy ^ 2 + vz ^ 2) + 0.2 * 0.5e-3 ^ 2 * (sx ^ 2 + sy ^ 2 + sz ^ 2)) / 9.81e-3
    end
  end
  table.sort(energy)
  local count, sum = #energy - #energy // 100, 0
  for i = 1, count do sum = sum + energy[i] end
  return sum / count, energy[#energy]
end

local function report(w, p)
  local calmest, most = calm(w)
  local now, then_ = w:report(), window
  local steps, solve, total = now.step - then_.step, now.seconds.solve - then_.seconds.solve, 0
  for stage, seconds in pairs(now.seconds) do total = total + seconds - then_.seconds[stage] end
  local sweeps = p.iterations * now.contacts
  return {
    { "spheres", now.dynamic },
    { "contacts", now.contacts },
    { "contacts that carry", now.active },
    { "seconds per step", total / steps, "s" },
    { "solver, per contact and iteration", 1e9 * solve / steps / sweeps, "ns" },
    { "whole step, per contact and iteration", 1e9 * total / steps / sweeps, "ns" },
    { "largest penetration / radius", now.penetration / 0.5e-3 },
    { "mean penetration / radius", now.mean_penetration / 0.5e-3 },
    { "kinetic energy per grain / (m g d)", now.kinetic / now.dynamic / (2650 * math.pi / 6 * 1e-9 * 9.81e-3) },
    { "the same without the 1 % that move most", calmest },
    { "kinetic energy of the grain that moves most / (m g d)", most },
    { "lists built", now.rebuilds },
  }
end

return {
  title = "settling spheres",
  params = { count = 8000, side = 0.02, law = "coulomb", mu = 0.4, rolling = 0, torsion = 0, iterations = 10, steps = 3000, seed = 1 },
  world = function(p)
    return { gravity = { 0, 0, -9.81 }, dt = 1e-4, solver = { name = "nbgs", iterations = p.iterations, min_iterations = p.iterations, tolerance = 0 } }
  end,
  setup = setup,
  after_step = function(w, p)
    if w:steps() == math.floor(0.9 * p.steps) then window = w:report() end
  end,
  output = { trajectory = false, series = false },
  stop = function(w, p) return w:steps() >= p.steps end,
  report = report,
}
