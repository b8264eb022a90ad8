-- Newmark's sliding block (Newmark 1965): the ground accelerates with `acceleration` for the time `duration`
-- and then moves on with constant velocity. A block slides on the ground by the distance
--   acceleration duration^2 (acceleration - mu g)/(2 mu g)
local G = 9.81

return {
  title = "Newmark's sliding block",
  params = { acceleration = 8, duration = 0.25, mu = 0.4, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:box {
      name = "ground",
      size = { 20, 4, 1 },
      position = { 0, 0, -0.5 },
      velocity = function(t) return p.acceleration * math.min(t, p.duration), 0, 0 end,
    }
    w:box { name = "block", size = { 0.5, 0.5, 0.2 }, position = { 0, 0, 0.1 }, density = 2500 }
  end,
  stop = { time = 1.5 },
  report = function(w, p)
    local a, drag = p.acceleration, p.mu * G
    local slip = w:find("ground"):position() - w:find("block"):position()
    return {
      { "slip", slip, "m" },
      { "Newmark", a * p.duration ^ 2 * (a - drag) / (2 * drag), "m" },
    }
  end,
}
