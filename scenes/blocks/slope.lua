-- A block on a tilted plane. Its factor of safety is mu/tan(angle):
--   scree safety scenes/blocks/slope.lua
return {
  title = "block on a tilted plane",
  params = { angle = 30, mu = 0.8, dt = 1e-3 },
  world = function(p)
    local beta = math.rad(p.angle)
    return { gravity = { 9.81 * math.sin(beta), 0, -9.81 * math.cos(beta) }, dt = p.dt }
  end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    w:box { size = { 1, 1, 0.4 }, position = { 0, 0, 0.2 }, density = 2500 }
  end,
  stop = { time = 0.5 },
  report = function(w, p) return { { "closed form", p.mu / math.tan(math.rad(p.angle)) } } end,
}
