-- Grains poured on a disc of fixed grains form a heap. Grains that fall over the edge are removed. The slope
-- of the heap increases with rolling friction.
--
--   scree run scenes/heap.lua rolling=0.1          rolling friction, in radii
--   scree sweep scenes/heap.lua rolling=0,0.02,0.05,0.1,0.2
local heap = require "heap_on_disc"

return {
  title = "a heap on a disc",
  params = {
    seed = 1,
    mu = 0.5,
    rolling = 0.1,
    torsion = 0.01,
    radius = 0.005,
    disc = 14,
    count = 700,
    law = "coulomb",
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 50 } },
  setup = function(w, p)
    local r, edge = p.radius, p.disc * p.radius
    w:material { name = "grain", density = 2500 }
    w:pair { "grain", "grain", law = p.law, mu = p.mu, rolling = p.rolling * r, torsion = p.torsion * r }
    heap.disc(w, p)
    -- the grains start as a loose column above the middle of the disc
    local side = 0.45 * edge
    w:fill {
      region = { min = { -side, -side, 0 }, max = { side, side, 1 } },
      spacing = 2.1 * r,
      radius = 0.9 * r,
      radius_max = r,
      jitter = 0.05,
      limit = p.count,
      material = "grain",
    }
  end,
  after_step = heap.tidy,
  output = { trajectory = { every = 0.02, precision = "1e-3 d" }, series = { every = 0.02 } },
  stop = { time = 3 },
  report = function(w, p)
    local grains, slope = heap.slope(w)
    return {
      { "grains on the disc", grains },
      { "slope of the cone with these moments", slope, "deg" },
      {
        "kinetic energy per grain / (m g d)",
        w:report().kinetic / grains / (2500 * 4 / 3 * math.pi * p.radius ^ 3 * 9.81 * 2 * p.radius),
      },
    }
  end,
}
