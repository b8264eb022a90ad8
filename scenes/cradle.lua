-- Newton's cradle laid flat: a row of touching balls between two walls. As many balls leave the row as hit
-- it; they bounce off the wall and come back. If the restitution e is below 1, the balls lose their relative
-- velocities and finally move together. The figure shows the velocity of every ball.
local scree = require "scree"

local R = 0.05 -- radius [m]

return {
  title = "Newton's cradle",
  params = { balls = 5, moving = 1, e = 1, speed = 1 },
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = function(w, p)
    w:pair { "default", "default", mu = 0, restitution = p.e }
    local length = 2 * R * p.balls
    w:halfspace { normal = { 1, 0, 0 }, position = { -0.2, 0, 0 } }
    w:halfspace { normal = { -1, 0, 0 }, position = { length + 0.2, 0, 0 } }
    for i = 1, p.balls do
      local free = i <= p.moving
      w:sphere {
        name = "ball" .. i,
        radius = R,
        position = { R * (2 * i - 1) - (free and 0.05 or 0), 0, 0 },
        velocity = { free and p.speed or 0, 0, 0 },
      }
    end
    w.state.t, w.state.v = {}, {}
    for i = 1, p.balls do
      w.state.v[i] = {}
    end
  end,
  after_step = function(w, p)
    local n = #w.state.t + 1
    w.state.t[n] = w:time()
    for i = 1, p.balls do
      w.state.v[i][n] = (w:find("ball" .. i):velocity())
    end
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } },
  stop = { time = 1.5 },
  report = function(w, p)
    local series = {}
    for i = 1, p.balls do
      series[i] = { name = "ball " .. i, style = "lines", width = 2, x = w.state.t, y = w.state.v[i] }
    end
    pcall(scree.plot, {
      title = "Newton's cradle",
      file = "cradle.png",
      panels = { { xlabel = "time [s]", ylabel = "velocity [m/s]", legend = "outside", series = series } },
    })
    local r, start = w:report(), 0.5 * p.moving * w:find("ball1"):mass() * p.speed ^ 2
    return {
      { "kinetic energy, share of the start", string.format("%.15g", r.kinetic / start) },
      { "energy taken by impacts [J]", string.format("%.3g", r.dissipated) },
    }
  end,
}
