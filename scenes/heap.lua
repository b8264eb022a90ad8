-- Grains poured on a disc of glued grains heap up; what falls over the edge is taken away. The slope that stays grows with rolling friction.
--
--   scree run scenes/heap.lua rolling=0.1          rolling friction, in radii
--   scree sweep scenes/heap.lua rolling=0,0.02,0.05,0.1,0.2
return {
  title = "a heap on a disc",
  params = { seed = 1, mu = 0.5, rolling = 0.1, torsion = 0.01, radius = 0.005, disc = 14, count = 700, law = "coulomb" },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 50 } },
  setup = function(w, p)
    local r, edge = p.radius, p.disc * p.radius
    w:material { name = "grain", density = 2500 }
    w:pair { "grain", "grain", law = p.law, mu = p.mu, rolling = p.rolling * r, torsion = p.torsion * r }
    -- glued grains on a triangular lattice, their tops at z = 0
    for row = -p.disc, p.disc do
      for column = -p.disc, p.disc do
        local x, y = (2 * column + row % 2) * r, math.sqrt(3) * row * r
        if x * x + y * y < edge * edge then w:sphere { kind = "fixed", radius = r, position = { x, y, -r }, material = "grain" } end
      end
    end
    -- a loose column above the middle of the disc
    local side = 0.45 * edge
    w:fill {
      region = { min = { -side, -side, 0 }, max = { side, side, 1 } }, spacing = 2.1 * r, radius = 0.9 * r, radius_max = r,
      jitter = 0.05, limit = p.count, material = "grain",
    }
  end,
  after_step = function(w, p)
    if w:steps() % 100 == 0 then w:remove { region = { max = { 1e9, 1e9, -3 * p.radius } } } end
  end,
  output = { trajectory = { every = 0.02, precision = "1e-3 d" }, series = { every = 0.02 } },
  stop = { time = 3 },
  -- a cone as high as h on a base of radius R has its centre of mass at h/4 and R/2 as the mean distance from its axis
  report = function(w, p)
    local x, kind, z, out, grains = w:view "position", w:view "kind", 0, 0, 0
    for i = 1, #x do
      if kind[i] == "dynamic" then
        local a, b, c = x:get(i)
        z, out, grains = z + c, out + math.sqrt(a * a + b * b), grains + 1
      end
    end
    return {
      { "grains on the disc", grains },
      { "slope of the cone with these moments", math.deg(math.atan(2 * z / out)), "deg" },
      { "kinetic energy per grain / (m g d)", w:report().kinetic / grains / (2500 * 4 / 3 * math.pi * p.radius ^ 3 * 9.81 * 2 * p.radius) },
    }
  end,
}
