-- Wet grains trickle on a disc of fixed grains and form a heap. Grains that fall over the edge are removed.
-- The report gives the slope of the heap; a sweep shows it against the amount of liquid.
--
--   scree run scenes/wet_heap.lua liquid=0.01          volume of a liquid bridge over radius^3; 0: dry
--   scree sweep scenes/wet_heap.lua liquid=0,1e-4,1e-3,1e-2,1e-1
local feed = require "scree.feed"
local heap = require "heap_on_disc"

return {
  title = "a wet heap on a disc",
  params = {
    seed = 1,
    liquid = 0.01,
    tension = 0.072,
    contact_angle = 0,
    mu = 0.5,
    radius = 0.001,
    disc = 12,
    count = 800,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 2e-4, solver = { name = "nbgs", iterations = 50 } },
  setup = function(w, p)
    local r = p.radius
    local grains = { "grain", "grain", mu = p.mu, rolling = 0.02 * r, torsion = 0.01 * r }
    if p.liquid > 0 then
      grains.cohesion_law, grains.volume, grains.tension, grains.contact_angle =
        "capillary", p.liquid * r ^ 3, p.tension, p.contact_angle
    end
    w:material { name = "grain", density = 2500 }
    w:pair(grains)
    heap.disc(w, p)
    -- the feed lies above the middle of the disc
    feed.create(w, {
      region = { point = { 0, 0, 24 * r }, axis = { 0, 0, 1 }, radius = 4 * r, length = 6 * r },
      rate = p.count,
      total = p.count,
      every = 0.01,
      radius = 0.9 * r,
      radius_max = r,
      velocity = { 0, 0, -0.3 },
      material = "grain",
    })
  end,
  before_step = function(w) feed.update(w) end,
  after_step = heap.tidy,
  output = { trajectory = { every = 0.02, precision = "1e-3 d" }, series = { every = 0.02 } },
  stop = { time = 1.5 },
  report = function(w, p)
    local grains, slope = heap.slope(w)
    local bridges = 0
    for c in w:contacts() do
      bridges = bridges + (c.pull > 0 and 1 or 0)
    end
    return {
      { "grains on the disc", grains },
      { "slope of the cone with these moments", slope, "deg" },
      { "bridges per grain", bridges / grains },
      {
        "pull of a bridge over the weight of a grain",
        2 * math.pi * p.radius * p.tension * math.cos(p.contact_angle)
          / (2500 * 4 / 3 * math.pi * p.radius ^ 3 * 9.81),
      },
    }
  end,
}
