-- A friction law written in Lua: slip weakening, as on a geological fault (Ida 1972). The friction
-- coefficient of each foot of a sled decreases linearly from mu_peak to mu over the slip distance and does
-- not recover.
--
-- With mu_peak the sled would stick on the incline, so it starts with a push. After some slip its friction is
-- too low to stop it.
local scree = require "scree"

scree.law.define {
  name = "slip_weakening",
  base = "coulomb",
  params = {
    mu = 0.3,
    mu_peak = { default = 0.7, min = 0, doc = "coefficient before any slip" },
    distance = { default = 0.02, min = 1e-9, unit = "m", doc = "slip after which the coefficient is mu" },
  },
  state = { "slip" },
  refresh = function(p, s, c)
    s.slip = s.slip + c.slip_speed * c.dt
    p.mu = math.max(p.mu, p.mu_peak + (p.mu - p.mu_peak) * s.slip / p.distance)
  end,
}

local G = 9.81

return {
  title = "slip-weakening sled",
  params = { angle = 25, mu = 0.3, mu_peak = 0.7, distance = 0.02, push = 0.3 },
  world = function(p)
    local a = math.rad(p.angle)
    return {
      gravity = { G * math.sin(a), 0, -G * math.cos(a) },
      dt = 2e-4,
      solver = { iterations = 100, tolerance = 1e-9 },
    }
  end,

  setup = function(w, p)
    w:pair {
      "default",
      "default",
      law = "slip_weakening",
      mu = p.mu,
      mu_peak = p.mu_peak,
      distance = p.distance,
    }
    w:halfspace { normal = { 0, 0, 1 } }
    local feet = {}
    for i, place in ipairs { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } } do
      feet[i] = { type = "sphere", radius = 0.02, position = { 0.1 * place[1], 0.1 * place[2], 0 } }
    end
    w:body { name = "sled", shapes = feet, position = { 0, 0, 0.02 }, velocity = { p.push, 0, 0 } }
    w.state.slip, w.state.speed = {}, {}
  end,

  after_step = function(w, p)
    if w:steps() % 10 ~= 0 then return end
    local sled, s = w:find "sled", w.state
    local k = #s.slip + 1
    s.slip[k], s.speed[k] = sled:position(), sled:velocity()
  end,

  output = { trajectory = { every = 0.02 }, series = { every = 0.01 } },
  stop = { time = 0.5 },

  -- Exact speed v from the energy balance: v^2/2 = push^2/2 + g x sin a - g cos a (integral of the friction
  -- coefficient over x). x: distance of the sled; a: angle of the incline.
  report = function(w, p)
    local a, s = math.rad(p.angle), w.state
    local exact = {}
    for k, x in ipairs(s.slip) do
      local d = math.min(x, p.distance)
      local work = p.mu_peak * d + (p.mu - p.mu_peak) * d * d / (2 * p.distance)
        + p.mu * math.max(0, x - p.distance)
      exact[k] = math.sqrt(math.max(0, p.push ^ 2 + 2 * G * (x * math.sin(a) - work * math.cos(a))))
    end
    pcall(scree.plot, {
      title = "slip-weakening sled",
      file = "custom_law.png",
      panels = {
        {
          xlabel = "slip (m)",
          ylabel = "speed (m/s)",
          legend = "top left",
          series = {
            { name = "scree", style = "lines", x = s.slip, y = s.speed },
            { name = "energy balance", style = "lines", dashed = true, x = s.slip, y = exact },
          },
        },
      },
    })
    local last = #s.slip
    return {
      { "slip", s.slip[last], "m" },
      { "speed", s.speed[last], "m/s" },
      { "speed by the energy balance", exact[last], "m/s" },
    }
  end,
}
