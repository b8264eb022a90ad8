-- Euler's disk: a coin that rolls around on its rim. Without rolling friction a steady motion keeps its tilt
-- for ever, so any change of its energy is an error of the time stepping. The figure shows height and energy.
--
--   scree run scenes/euler_disk.lua tilt=20 dt=1e-4
local scree = require "scree"

local R, THIN, M, G = 0.0375, 1e-4, 0.01, 9.81

return {
  title = "Euler's disk",
  params = { tilt = 20, dt = 1e-3, time = 0.5 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt } end,
  setup = function(w, p)
    local tilt = math.rad(p.tilt)
    local s, c = math.sin(tilt), math.cos(tilt)
    -- angular velocity of the precession [rad/s] of the steady motion in which the centre does not move
    local rate = math.sqrt(4 * G / (R * s)) * s
    w:pair { "default", "default", mu = 0.8 }
    w:halfspace { normal = { 0, 0, 1 } }
    w:cylinder {
      name = "disk",
      radius = R,
      length = THIN,
      mass = M,
      inertia = { M * R * R / 4, 0, 0, M * R * R / 4, 0, M * R * R / 2 },
      position = { 0, 0, R * s + 0.5 * THIN * c },
      orientation = { math.cos(tilt / 2), 0, math.sin(tilt / 2), 0 },
      spin = { -rate * c, 0, rate * s },
    }
    w.state.t, w.state.z, w.state.e = {}, {}, {}
  end,
  after_step = function(w)
    local n = #w.state.t + 1
    w.state.t[n], w.state.z[n], w.state.e[n] =
      w:time(), 1e3 * select(3, w:find("disk"):position()), 1e3 * w:report().energy
  end,
  output = { trajectory = { every = 2e-3 }, series = { every = 2e-3 } },
  stop = function(w, p) return w:time() >= p.time end,
  report = function(w)
    local s = w.state
    pcall(scree.plot, {
      title = "Euler's disk",
      file = "euler_disk.png",
      panels = {
        {
          xlabel = "time [s]",
          ylabel = "height [mm]",
          series = { { style = "lines", x = s.t, y = s.z } },
        },
        {
          xlabel = "time [s]",
          ylabel = "energy [mJ]",
          series = { { style = "lines", x = s.t, y = s.e } },
        },
      },
    })
    return { { "change of energy, share of it", string.format("%.3g", s.e[#s.e] / s.e[1] - 1) } }
  end,
}
