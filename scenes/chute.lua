-- Grains flow down a rough chute that has no ends and no sides: along x and y it repeats itself.
--
--   scree run scenes/chute.lua angle=26
--
-- Between the angle at which grains stop and that at which they run away the flow is steady; its speed over the height then follows
-- Bagnold's profile, v(z) = v_top (1 - (1 - z/h)^1.5), whose mean is 0.6 v_top.
return {
  title = "a chute without ends",
  params = { seed = 1, angle = 24, mu = 0.5, layers = 10, side = 8, radius = 5e-4 },
  world = function(p)
    local d, slope = 2 * p.radius, math.rad(p.angle)
    return {
      gravity = { 9.81 * math.sin(slope), 0, -9.81 * math.cos(slope) }, dt = 1e-4, solver = { name = "nbgs", iterations = 60 },
      cell = { size = { p.side * d, p.side * d, 3 * p.layers * d }, periodic = { true, true, false } },
    }
  end,
  setup = function(w, p)
    local r, d = p.radius, 2 * p.radius
    w:material { name = "grain", density = 2500 }
    w:pair { "grain", "grain", mu = p.mu }
    -- the bottom: glued grains, side by side, each a little higher or lower
    for i = 0, p.side - 1 do
      for j = 0, p.side - 1 do
        w:sphere { kind = "fixed", radius = r, material = "grain", position = { (i + 0.5) * d, (j + 0.5) * d, -r * (1 + 0.6 * math.random()) } }
      end
    end
    w:fill {
      region = { min = { 0, 0, 0.1 * d }, max = { p.side * d, p.side * d, 3 * p.layers * d } }, spacing = p.side * d / (p.side - 1), radius = 0.9 * r,
      radius_max = r, jitter = 0.05, limit = (p.side - 1) ^ 2 * p.layers, material = "grain",
    }
  end,
  output = { trajectory = { every = 0.05, precision = "1e-3 d" }, series = { every = 0.05, values = function(w)
    local v, kind, sum, count = w:view "velocity", w:view "kind", 0, 0
    for i = 1, #v do
      if kind[i] == "dynamic" then sum, count = sum + v:get(i), count + 1 end
    end
    return { speed = sum / count }
  end } },
  stop = { time = 3 },
}
