-- A ball thrown on a floor: it falls, slides, and rolls.
return {
  title = "a ball on a floor",
  params = { height = 0.5, mu = 0.4 },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p)
    w:material { name = "stone", density = 2500 }
    w:pair { "stone", "stone", law = "coulomb", mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 }, material = "stone" }
    w:sphere {
      name = "ball",
      radius = 0.05,
      position = { 0, 0, p.height },
      velocity = { 1, 0, 0 },
      material = "stone",
    }
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.001 } },
  stop = { time = 1 },
  report = function(w, p)
    local ball = w:find "ball"
    local x, y, z = ball:position()
    local vx = ball:velocity()
    return { { "way", x, "m" }, { "height", z, "m" }, { "speed", vx, "m/s" } }
  end,
}
