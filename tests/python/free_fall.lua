-- A ball falls for a time: figures in closed form for the tests of calibration.
return {
  title = "free fall",
  params = { g = 9.81, time = 0.1, speed = 0, seed = 1 },
  world = function(p) return { gravity = { 0, 0, -p.g }, dt = 1e-3 } end,
  setup = function(w, p) w:sphere { radius = 0.1, position = { 0, 0, 0 }, velocity = { p.speed, 0, 0 }, name = "ball" } end,
  output = { series = { every = 0.05, values = function(w) return { height = select(3, w:find("ball"):position()) } end } },
  stop = { time = function(p) return p.time end },
  report = function(w)
    local x, _, z = w:find("ball"):position()
    return { { "depth", -z, "m" }, { "way", x, "m" } }
  end,
}
