-- Newton's cradle of elastic balls, laid flat. In a row of rigid balls with restitution the last ball leaves
-- with the whole velocity (cradle.lua). Contacts of elastic balls act at the same time: the last two balls
-- leave with most of the velocity, and the others move back (Herrmann & Schmaelzle 1981). The figure compares
-- the run with the equations of motion of balls and springs.
local scree = require "scree"

-- Integrates m x'' = k (overlap with the ball before - overlap with the ball behind) by velocity Verlet,
-- without damping. Returns the velocities of each ball at the times.
local function integrate(p, mass, times)
  local x, v, out, t, h = {}, {}, {}, 0, p.dt / 5
  for i = 1, p.balls do
    x[i], v[i], out[i] = 2 * p.radius * (i - 1), i == 1 and p.speed or 0, {}
  end
  local function kick(time)
    for i = 1, p.balls - 1 do
      local force = p.stiffness * math.max(0, x[i] - x[i + 1] + 2 * p.radius)
      v[i], v[i + 1] = v[i] - force / mass * time, v[i + 1] + force / mass * time
    end
  end
  for n, time in ipairs(times) do
    while t < time - h / 2 do
      kick(h / 2)
      for i = 1, p.balls do
        x[i] = x[i] + h * v[i]
      end
      kick(h / 2)
      t = t + h
    end
    for i = 1, p.balls do
      out[i][n] = v[i]
    end
  end
  return out
end

return {
  title = "elastic cradle",
  params = { balls = 5, radius = 0.01, speed = 0.1, stiffness = 1e6, dt = 1e-6 },
  world = function(p) return { gravity = { 0, 0, 0 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0, contact_stiffness = p.stiffness }
    for i = 1, p.balls do
      w:sphere {
        name = "ball" .. i,
        radius = p.radius,
        density = 7800,
        position = { 2 * p.radius * (i - 1), 0, 0 },
        velocity = { i == 1 and p.speed or 0, 0, 0 },
      }
    end
    w.state.t, w.state.v = {}, {}
    for i = 1, p.balls do
      w.state.v[i] = {}
    end
  end,
  after_step = function(w, p)
    if w:steps() % 20 ~= 0 then return end
    local n = #w.state.t + 1
    w.state.t[n] = w:time()
    for i = 1, p.balls do
      w.state.v[i][n] = (w:find("ball" .. i):velocity())
    end
  end,
  output = { trajectory = { every = 5e-5 }, series = { every = 5e-5 } },
  stop = { time = 2e-3 },
  report = function(w, p)
    local series, ms, worst, out = {}, {}, 0, integrate(p, w:find("ball1"):mass(), w.state.t)
    for n, t in ipairs(w.state.t) do
      ms[n] = 1e3 * t
    end
    for i = 1, p.balls do
      series[#series + 1] = { name = "ball " .. i, style = "lines", width = 2, x = ms, y = w.state.v[i] }
      for n in ipairs(ms) do
        worst = math.max(worst, math.abs(out[i][n] - w.state.v[i][n]))
      end
    end
    for i = 1, p.balls do
      series[#series + 1] = {
        name = i == 1 and "equations of motion" or nil,
        style = "lines",
        dashed = true,
        color = "#000000",
        x = ms,
        y = out[i],
      }
    end
    pcall(scree.plot, {
      title = "elastic cradle",
      file = "cradle_elastic.png",
      panels = { { xlabel = "time [ms]", ylabel = "velocity [m/s]", legend = "outside", series = series } },
    })
    local r = w:report()
    return {
      {
        "largest difference to the equations of motion, share of the speed",
        string.format("%.3g", worst / p.speed),
      },
      {
        "energy that the step dissipated, share of the start",
        string.format("%.3g", r.dissipated / (r.kinetic + r.elastic + r.dissipated)),
      },
    }
  end,
}
