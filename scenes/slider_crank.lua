-- A slider-crank: a crank turns at constant speed, and a rod drives a slider. At the crank angle t the
-- position of the slider is r cos t + sqrt(l^2 - r^2 sin^2 t).
return {
  title = "slider-crank",
  params = { r = 0.2, l = 0.5, speed = 5 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    local crank =
      w:box { name = "crank", size = { p.r, 0.02, 0.02 }, position = { p.r / 2, 0, 0 }, mass = 1 }
    local rod =
      w:box { name = "rod", size = { p.l, 0.02, 0.02 }, position = { p.r + p.l / 2, 0, 0 }, mass = 0.5 }
    local slider =
      w:box { name = "slider", size = { 0.1, 0.1, 0.1 }, position = { p.r + p.l, 0, 0 }, mass = 2 }
    w:hinge { a = crank, at = { 0, 0, 0 }, axis = { 0, -1, 0 }, motor = { speed = p.speed } }
    w:hinge { a = rod, b = crank, at = { p.r, 0, 0 }, axis = { 0, 1, 0 } }
    w:ball { a = rod, b = slider, at = { p.r + p.l, 0, 0 } }
    w:slider { a = slider, at = { p.r + p.l, 0, 0 }, axis = { 1, 0, 0 } }
  end,
  after_step = function(w, p)
    local x, _, z = w:find("crank"):position()
    local c, s = 2 * x / p.r, 2 * z / p.r
    local off = math.abs((w:find("slider"):position()) - (p.r * c + math.sqrt(p.l ^ 2 - (p.r * s) ^ 2)))
    w.state.worst = math.max(w.state.worst or 0, off)
  end,
  output = {
    trajectory = { every = 0.01 },
    series = {
      every = 0.01,
      values = function(w) return { slider = (w:find("slider"):position()) } end,
    },
  },
  stop = { time = 3 },
  report = function(w) return { { "largest departure from the kinematics", w.state.worst, "m" } } end,
}
