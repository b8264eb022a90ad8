-- A fast top in slow steady precession, on a ball joint or on a contact point. Its tilt must stay constant.
-- The figure shows the tilt over one turn of the precession.
--
--   scree run scenes/top.lua on=contact spin=100
local scree = require "scree"

local G, M = 9.81, 1 -- gravity [m/s2], mass [kg]
local R, L = 0.1, 0.1 -- radius of the disk [m], distance of its centre from the tip [m]

return {
  title = "top",
  params = { on = "joint", spin = 200, tilt = 30, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt } end,
  setup = function(w, p)
    local I3, I1c, tilt = 0.5 * M * R * R, 0.25 * M * R * R, math.rad(p.tilt)
    local c, s, I1 = math.cos(tilt), math.sin(tilt), I1c + M * L * L
    local A, B, C = I1 * c, -I3 * p.spin, M * G * L
    local rate = (-B - math.sqrt(B * B - 4 * A * C)) / (2 * A) -- the slower one of the two steady precessions
    local tip = p.on == "contact" and 1e-6 or 0
    local body = w:body {
      name = "top",
      position = { 0, 0, 0 },
      orientation = { math.cos(tilt / 2), 0, math.sin(tilt / 2), 0 },
      mass = M,
      inertia = { I1c, 0, 0, I1c, 0, I3 },
      centre = { 0, 0, L },
      -- contact is at the tip, a small sphere; stem and disk only make the top visible
      shapes = {
        { type = "sphere", radius = 1e-6 },
        { type = "capsule", radius = 0.004, length = 1.8 * L, position = { 0, 0, 1.05 * L } },
        { type = "cylinder", radius = R, length = 0.01, position = { 0, 0, L } },
      },
    }
    body:set_position(L * s, 0, L * c + tip)
    body:set_velocity(0, rate * L * s, 0)
    body:set_spin(p.spin * s - rate * c * s, 0, p.spin * c + rate * (1 - c * c))
    w:pair { "default", "default", mu = 2 }
    if p.on == "contact" then
      w:halfspace { normal = { 0, 0, 1 } }
    else
      w:ball { a = body, at = { 0, 0, 0 } }
    end
    w.state.stop, w.state.t, w.state.tilt = 2 * math.pi / rate, {}, {}
  end,
  after_step = function(w)
    local _, x, y = w:find("top"):orientation()
    local n = #w.state.t + 1
    w.state.t[n], w.state.tilt[n] = w:time(), math.deg(math.acos(1 - 2 * (x * x + y * y)))
  end,
  output = { trajectory = { every = 5e-3 }, series = { every = 5e-3 } },
  stop = function(w) return w:time() >= w.state.stop end,
  report = function(w)
    local s = w.state
    pcall(scree.plot, {
      title = "top",
      file = "top.png",
      panels = {
        {
          xlabel = "time [s]",
          ylabel = "tilt [degrees]",
          series = { { style = "lines", x = s.t, y = s.tilt } },
        },
      },
    })
    return { { "tilt after a turn [degrees]", string.format("%.4f", s.tilt[#s.tilt]) } }
  end,
}
