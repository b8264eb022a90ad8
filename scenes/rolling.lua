-- A sphere starts to slide on a floor without spin. Friction turns sliding into rolling with 5/7 of the
-- speed.
return {
  title = "sliding becomes rolling",
  params = { speed = 1, radius = 0.1, mu = 0.3, law = "coulomb" },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { name = "ball", radius = p.radius, position = { 0, 0, p.radius }, velocity = { p.speed, 0, 0 } }
  end,
  output = {
    trajectory = { every = 0.02 },
    series = {
      every = 0.002,
      values = function(w)
        local ball = w:find "ball"
        local vx = ball:velocity()
        local _, spin = ball:spin()
        return { speed = vx, surface_speed = spin * ball:radius() }
      end,
    },
  },
  stop = { time = 0.5 },
  report = function(w, p)
    local vx = w:find("ball"):velocity()
    return { { "speed", vx, "m/s" }, { "expected", 5 / 7 * p.speed, "m/s" } }
  end,
}
