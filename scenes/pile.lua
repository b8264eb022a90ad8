-- Spheres fall into an open box and come to rest.
local obstacle = require "scree.obstacle"
return {
  title = "a pile in a box",
  params = { seed = 1, mu = 0.4, law = "coulomb", height = 0.1, radius = 0.005 },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 40 } },
  setup = function(w, p)
    w:material { name = "glass", density = 2500 }
    w:pair { "glass", "glass", law = p.law, mu = p.mu }
    obstacle.walls(w, { min = { 0, 0, 0 }, max = { 0.06, 0.06, 1 }, open = { "+z" }, material = "glass" })
    w.state.grains = w:fill {
      region = { min = { 0, 0, 0 }, max = { 0.06, 0.06, p.height } },
      spacing = 2.2 * p.radius,
      radius = 0.9 * p.radius,
      radius_max = p.radius,
      jitter = 0.1,
      material = "glass",
    }
  end,
  output = { trajectory = { every = 0.02, precision = "1e-4 d" }, series = { every = 0.005 } },
  stop = { time = 0.5 },
  report = function(w, p)
    local r = w:report()
    return {
      { "grains", w:count() },
      { "contacts per grain", 2 * r.touching / w:count() },
      { "largest penetration", 1e6 * r.penetration, "um" },
      { "kinetic energy", r.kinetic, "J" },
    }
  end,
}
