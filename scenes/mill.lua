-- A ball mill: a drum with lifters carries balls up, and they fall on the toe of the charge. A table of times
-- and rates brings the drum up to speed.
local obstacle = require "scree.obstacle"
return {
  title = "a mill with lifters",
  params = {
    radius = 0.1,
    length = 0.04,
    lifters = 8,
    d = 6e-3,
    fill = 0.3,
    speed = 0.7,
    mu = 0.4,
    seed = 1,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 30 } },
  setup = function(w, p)
    w:material { name = "steel", density = 7800 }
    w:pair { "steel", "steel", mu = p.mu, restitution = 0.3 }
    -- p.speed is the fraction of the critical rate sqrt(g / R), at which balls would centrifuge
    local rate = p.speed * math.sqrt(9.81 / p.radius)
    obstacle.drum(w, {
      name = "mill",
      radius = p.radius,
      length = p.length,
      lifters = p.lifters,
      lifter_height = 1.5 * p.d,
      material = "steel",
      turn = { { 0, 0 }, { 0.3, rate } },
    })
    -- number of balls that fill the fraction p.fill of the drum at a packing fraction of 0.6
    local balls = math.floor(p.fill * 0.6 * 1.5 * (2 * p.radius / p.d) ^ 2 * p.length / p.d)
    w:insert {
      region = {
        point = { 0, -0.5 * p.length + 0.5 * p.d, 0 },
        axis = { 0, 1, 0 },
        radius = 0.8 * p.radius,
        length = p.length - p.d,
      },
      count = balls,
      radius = 0.5 * p.d,
      material = "steel",
      attempts = 2000,
    }
    w.state.samples, w.state.x, w.state.z = 0, 0, 0
  end,
  every = {
    {
      time = 0.01,
      call = function(w)
        local s = w.state
        if w:time() < 0.6 then return end
        local x, _, z = w:view("position"):mean()
        s.samples, s.x, s.z = s.samples + 1, s.x + x, s.z + z
      end,
    },
  },
  output = { trajectory = { every = 0.02, precision = "1e-4 d" }, series = { every = 0.01 } },
  stop = { time = 1.2 },
  report = function(w, p)
    local s, rate = w.state, select(2, w:find("mill"):spin())
    local n = s.samples > 0 and s.samples or nil
    return {
      { "balls", w:count() },
      { "rate", 60 * rate / (2 * math.pi), "rpm" },
      { "centre of the charge, x", n and s.x / n, "m" },
      { "centre of the charge, z", n and s.z / n, "m" },
      { "torque of the charge", n and -w:view("mass"):sum() * 9.81 * s.x / n, "N m" },
    }
  end,
}
