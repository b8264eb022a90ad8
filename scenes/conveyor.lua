-- Two conveyor belts. Sand with a given sieve curve falls on the first belt at a given rate. The first belt
-- carries it up to the second belt, which runs across the first and drops the sand on a heap. The belts are
-- fixed boxes with moving surfaces (surface_velocity).
--
--   scree run scenes/conveyor.lua rate=3 speed=0.8       kg/s, m/s
--   scree plot DIR snapshot --view xz
local feed = require "scree.feed"

return {
  title = "conveyor belts",
  params = {
    seed = 1,
    rate = { default = 2, unit = "kg/s", min = 0, doc = "sand fed a second" },
    speed = { default = 0.6, unit = "m/s", min = 0, doc = "speed of the belts" },
    slope = { default = 12, doc = "of the first belt, degrees" },
    mu = 0.6,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 30, tolerance = 1e-4 } },
  setup = function(w, p)
    local a = math.rad(p.slope)
    local along, turn = { math.cos(a), 0, math.sin(a) }, { math.cos(a / 2), 0, -math.sin(a / 2), 0 }
    w:material { name = "sand", density = 2500 }
    w:material { name = "steel" }
    w:pair { "sand", "sand", mu = p.mu, rolling = 5e-4 }
    w:pair { "sand", "steel", mu = p.mu }
    w:halfspace { name = "floor", normal = { 0, 0, 1 }, material = "steel" }
    -- returns a point from its distances along, across and above the first belt
    local function at(s, y, h)
      return { s * along[1] - h * along[3], y, 0.3 + s * along[3] + h * along[1] }
    end
    w:box {
      name = "up",
      kind = "fixed",
      size = { 0.8, 0.16, 0.02 },
      position = at(0, 0, -0.01),
      orientation = turn,
      material = "steel",
      surface_velocity = { p.speed * along[1], 0, p.speed * along[3] },
    }
    for side = -1, 1, 2 do
      w:box {
        kind = "fixed",
        size = { 0.8, 0.01, 0.06 },
        position = at(0, 0.085 * side, 0.02),
        orientation = turn,
        material = "steel",
      }
    end
    w:box {
      kind = "fixed",
      size = { 0.01, 0.16, 0.06 },
      position = at(-0.4, 0, 0.02),
      orientation = turn,
      material = "steel",
    }
    -- the second belt is level and runs across the first; boards stop grains that would fall over its edges
    w:box {
      name = "across",
      kind = "fixed",
      size = { 0.2, 0.5, 0.02 },
      position = { 0.5, 0.13, 0.24 },
      material = "steel",
      surface_velocity = { 0, p.speed, 0 },
    }
    w:box { kind = "fixed", size = { 0.01, 0.5, 0.16 }, position = { 0.605, 0.13, 0.32 }, material = "steel" }
    w:box {
      kind = "fixed",
      size = { 0.01, 0.41, 0.06 },
      position = { 0.395, 0.175, 0.27 },
      material = "steel",
    }
    feed.create(w, {
      name = "sand",
      region = { point = at(-0.28, 0, 0.16), axis = { 0, 0, 1 }, radius = 0.06, length = 0.02 },
      mass_rate = p.rate,
      every = 0.004,
      velocity = { 0, 0, -1 },
      jitter = 0.1,
      material = "sand",
      sizes = { by = "mass", passing = { { 0.008, 0 }, { 0.01, 0.2 }, { 0.013, 0.7 }, { 0.016, 1 } } },
    })
  end,
  before_step = function(w) feed.update(w) end,
  measure = {
    { name = "first", type = "flow", region = { point = { 0.395, 0, 0 }, normal = { 1, 0, 0 } } },
    { name = "heap", type = "grading", region = { max = { 9, 9, 0.2 } } },
  },
  output = { trajectory = { every = 0.02, precision = "1e-3 d" }, series = { every = 0.02 } },
  stop = { time = 4 },
  report = function(w, p)
    local sand = feed.report(w, "sand")
    return {
      { "fed", sand.mass, "kg" },
      { "waiting for room", sand.waiting, "kg" },
      { "grains", w:count() },
      { "on the heap", w:grading { region = { max = { 9, 9, 0.2 } } }.mass, "kg" },
    }
  end,
}
