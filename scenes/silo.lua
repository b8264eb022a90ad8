-- A silo runs out through a round hole. The flow rate hardly depends on the height of the filling. Beverloo,
-- Leniger and van de Velde (1961) give W = C rho sqrt(g) (D - k d)^(5/2), with the bulk density rho, the
-- diameter D of the hole, C about 0.58 and k about 1.4 for balls.
local obstacle = require "scree.obstacle"
return {
  title = "a silo runs out",
  params = {
    d = { default = "4 mm", unit = "m", min = 1e-5, max = 0.1, doc = "mean diameter of the grains" },
    radius = { default = 8, min = 4, max = 100, doc = "of the bin, in diameters" },
    outlet = { default = 7, min = 1, max = 60, doc = "diameter of the hole, in diameters" },
    height = { default = 20, min = 2, max = 200, doc = "of the filling, in diameters" },
    angle = {
      default = "90 deg",
      unit = "rad",
      min = 0.1,
      max = 1.5708,
      doc = "of the bottom against the vertical",
    },
    mu = { default = 0.5, min = 0, max = 10 },
    seed = 1,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 30 } },
  setup = function(w, p)
    local d = p.d
    w:material { name = "grain", density = 2500 }
    w:pair { "grain", "grain", mu = p.mu }
    obstacle.silo(w, {
      name = "silo",
      radius = p.radius * d,
      height = (1.6 * p.height + p.radius) * d,
      outlet = 0.5 * p.outlet * d,
      angle = p.angle,
      material = "grain",
    })
    -- a slide closes the hole for the first 0.25 s
    w:cylinder {
      name = "slide",
      radius = 0.6 * p.outlet * d,
      length = d,
      position = { 0, 0, -0.5 * d },
      material = "grain",
      velocity = function(t) return t > 0.25 and t < 0.3 and 30 * p.outlet * d or 0, 0, 0 end,
    }
    local base = (p.radius - 0.5 * p.outlet) * d / math.tan(p.angle) + d
    w:fill {
      region = {
        point = { 0, 0, base },
        axis = { 0, 0, 1 },
        radius = (p.radius - 0.3) * d,
        length = 1.35 * p.height * d,
      },
      spacing = 1.12 * d,
      lattice = "hexagonal",
      radius = 0.45 * d,
      radius_max = 0.55 * d,
      material = "grain",
      jitter = { 0.05, 0.05, 0.05 },
    }
    w.state.out = 0
  end,
  every = {
    {
      time = 0.01,
      call = function(w, p)
        local s = w.state
        s.out = s.out + w:remove { region = { max = { math.huge, math.huge, -15 * p.d } } }
        local out = { s.out + w:count { region = { max = { math.huge, math.huge, -3 * p.d } } }, w:time() }
        if not s.rho and out[2] >= 0.25 then
          local r = 0.7 * p.radius * p.d
          local low = 0.3 * p.height * p.d + (p.radius - 0.5 * p.outlet) * p.d / math.tan(p.angle)
          local region =
            { point = { 0, 0, low }, axis = { 0, 0, 1 }, radius = r, length = 0.4 * p.height * p.d }
          s.rho = w:count { region = region } * 2500 * math.pi / 6 * p.d ^ 3 * 1.01
            / (math.pi * r * r * region.length)
        end
        if not s.first and out[2] >= 0.45 then s.first = out end
        if s.first and out[1] > s.first[1] then s.last = out end
      end,
    },
  },
  output = { trajectory = { every = 0.02, precision = "1e-4 d" }, series = { every = 0.01 } },
  stop = { time = 0.85 },
  report = function(w, p)
    local s, rate = w.state, nil
    local theory = s.rho and 0.58 * s.rho * math.sqrt(9.81) * math.max(0, p.outlet - 1.4) ^ 2.5 * p.d ^ 2.5
    -- 1.01 is the mean of (diameter / d)^3
    if s.last then
      rate = (s.last[1] - s.first[1]) / (s.last[2] - s.first[2]) * 2500 * math.pi / 6 * p.d ^ 3 * 1.01
    end
    return {
      { "grains", s.out + w:count() },
      { "bulk density", s.rho, "kg/m3" },
      { "rate", rate, "kg/s" },
      { "by Beverloo's formula", theory, "kg/s" },
    }
  end,
}
