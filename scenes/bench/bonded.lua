-- Benchmark: a block of n x n x n bonded balls with a diameter of 20 mm stands on a floor and settles under
-- its weight. The report gives the CPU time of the fastest step. Its line `left of the load` is the residual
-- of the solver divided by g dt, the velocity change by gravity in a step.
--
--   scree run --trust scenes/bench/bonded.lua            46 balls along an edge, 285 660 bonds of 10 MPa
--   scree run --trust scenes/bench/bonded.lua young=1e9 iterations=100
--   scree run --trust scenes/bench/bonded.lua n=20 steps=100
local least, start = math.huge, 0
return {
  title = "a block of bonded balls",
  params = { n = 46, young = 1e7, dt = 1e-4, iterations = 20, tolerance = 1e-3, damping = 1e-4, steps = 12 },
  world = function(p) return { dt = p.dt, threads = 1, gravity = { 0, 0, -9.81 }, solver = { iterations = p.iterations, tolerance = p.tolerance } } end,
  setup = function(w, p)
    local r = 0.01
    w:halfspace { normal = { 0, 0, 1 } }
    w:pair { "default", "default", mu = 0.5 }
    for i = 0, p.n ^ 3 - 1 do
      w:sphere { radius = r, density = 2500, position = { 2 * r * (i % p.n), 2 * r * (i // p.n % p.n), r + 2 * r * (i // p.n // p.n) } }
    end
    w:bond { distance = "1 um", young = p.young, damping = p.damping }
  end,
  before_step = function() start = os.clock() end,
  after_step = function() least = math.min(least, os.clock() - start) end,
  stop = function(w, p) return w:steps() >= p.steps end,
  report = function(w, p)
    local r = w:report()
    local k, m = p.young * math.pi * 0.01 / 2, 2500 * 4 / 3 * math.pi * 1e-6
    return {
      { "bonds", w:joints_report().joints },
      { "balls that a wave passes in a step", p.dt * math.sqrt(k / m) },
      { "iterations of the last step", r.iterations },
      { "left of the load", r.residual / (9.81 * p.dt) },
      { "CPU time of the fastest step", 1e3 * least, "ms" },
      { "a bond and iteration", 1e9 * least / w:joints_report().joints / r.iterations, "ns" },
    }
  end,
}
