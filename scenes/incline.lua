-- A sled with four round feet on an incline. It sticks if tan(angle) < mu. Otherwise it slides with the
-- acceleration g (sin(angle) - mu cos(angle)).
return {
  title = "sled on an incline",
  params = { angle = 25, mu = 0.5, law = "coulomb" },
  world = function(p)
    local a = math.rad(p.angle)
    return {
      gravity = { 9.81 * math.sin(a), 0, -9.81 * math.cos(a) },
      dt = 1e-3,
      solver = { iterations = 200, tolerance = 1e-9 },
    }
  end,
  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    local feet = {}
    for i, place in ipairs { { 1, 1 }, { 1, -1 }, { -1, 1 }, { -1, -1 } } do
      feet[i] = { type = "sphere", radius = 0.02, position = { 0.1 * place[1], 0.1 * place[2], 0 } }
    end
    w:body { name = "sled", shapes = feet, position = { 0, 0, 0.02 } }
  end,
  output = { trajectory = { every = 0.02 }, series = { every = 0.01 } },
  stop = { time = 1 },
  report = function(w, p)
    local a = math.rad(p.angle)
    local vx = w:find("sled"):velocity()
    local expected = math.max(0, 9.81 * (math.sin(a) - p.mu * math.cos(a))) * w:time()
    return { { "speed", vx, "m/s" }, { "expected", expected, "m/s" } }
  end,
}
