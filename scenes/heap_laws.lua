-- A column of grains of any shape collapses on a disc of fixed balls, with one of both friction laws. Grains
-- that fall over the edge are removed. docs/laws-in-flow.md has the results.
--
--   scree run scenes/heap_laws.lua shape=capsule law=coulomb mu=0.4

local grain_shapes = require "grain_shapes"
local heap = require "heap_on_disc"

return {
  title = "both friction laws in a heap",
  params = { law = "max_dissipation", mu = 0.4, shape = "icosahedron", seed = 1, radius = 0.005, disc = 14, count = 700 },
  world = {
    gravity = { 0, 0, -9.81 },
    dt = 2.5e-4,
    solver = { name = "nbgs", iterations = 40, acceleration = true, softness = 0.01 },
  },
  setup = function(w, p)
    local r, edge = p.radius, p.disc * p.radius
    w:material { name = "grain", density = 2500 }
    w:pair { "grain", "grain", law = p.law, mu = p.mu }
    heap.disc(w, p)
    local template = grain_shapes.make(w, p.shape, r, "grain")
    w:fill {
      region = { min = { -0.5 * edge, -0.5 * edge, 0 }, max = { 0.5 * edge, 0.5 * edge, 2 } },
      spacing = 2.02 * template.radius,
      jitter = 0.05,
      limit = p.count,
      template = template,
    }
  end,
  after_step = heap.tidy,
  output = { trajectory = false, series = { every = 0.02 } },
  stop = { time = 2.5 },
  report = function(w, p)
    local grains, slope = heap.slope(w)
    local report = w:report()
    local weight = 2500 * 4 / 3 * math.pi * p.radius ^ 3 * 9.81 * 2 * p.radius
    return {
      { "grains on the disc", grains },
      { "slope of the cone with these moments", slope, "deg" },
      { "kinetic energy per grain / (m g d)", report.kinetic / grains / weight },
      { "forces off balance by", 100 * report.unbalanced_mean, "%" },
    }
  end,
}
