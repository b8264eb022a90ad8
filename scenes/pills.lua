-- Pills, dice and lenses: superellipsoids with the exponents e1 and e2 are poured into a cup. The report
-- gives the solid fraction of the packing.
--
--   scree run scenes/pills.lua
--   scree run scenes/pills.lua e1=0.3 e2=0.3        dice with round edges
local feed = require "scree.feed"
local obstacle = require "scree.obstacle"
return {
  title = "superellipsoids in a cup",
  view = { position = { 0.07, -0.15, 0.13 }, target = { 0, 0, 0.015 } },
  params = {
    e1 = { default = 0.5, min = 0.1, max = 1.9, doc = "exponent along the short axis" },
    e2 = { default = 1, min = 0.1, max = 1.9, doc = "and across it" },
    aspect = { default = 0.5, min = 0.1, max = 10, doc = "short axis over the others" },
    d = {
      default = "8 mm",
      unit = "m",
      min = 1e-6,
      max = 1,
      doc = "diameter of the ball of the same volume",
    },
    count = { default = 250, whole = true, min = 1, max = 1000000 },
    mu = { default = 0.4, min = 0, max = 10 },
    seed = 1,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 40 } },
  setup = function(w, p)
    local wide = 5 * p.d
    w:material { name = "pill", density = 1200 }
    w:pair { "pill", "pill", mu = p.mu }
    obstacle.pipe(
      w,
      { radius = wide, length = 2 * wide, closed = "bottom", position = { 0, 0, wide }, material = "pill" }
    )
    local pill = w:template {
      shapes = {
        { type = "superellipsoid", size = { 1, 1, p.aspect }, e1 = p.e1, e2 = p.e2, material = "pill" },
      },
    }
    feed.create(w, {
      region = {
        point = { 0, 0, 3.5 * wide },
        axis = { 0, 0, 1 },
        radius = 0.7 * wide,
        length = 0.5 * wide,
      },
      template = pill,
      rate = 600,
      total = p.count,
      every = 0.02,
      velocity = { 0, 0, -0.5 },
      sizes = { by = "number", distribution = "uniform", min = 0.9 * p.d, max = 1.1 * p.d },
    })
  end,
  before_step = function(w) feed.update(w) end,
  output = { trajectory = { every = 0.02 }, series = { every = 0.01 } },
  stop = { time = 1 },
  report = function(w, p)
    local z, kind, grains, mass, top = w:view "position", w:view "kind", 0, 0, 0
    local id = w:view "id"
    for i = 1, #z do
      if kind[i] == "dynamic" then
        grains, mass, top = grains + 1, mass + w:body_of(id[i]):mass(), math.max(top, select(3, z:get(i)))
      end
    end
    local half, inside = 0.5 * top, 0
    for i = 1, #z do
      if kind[i] == "dynamic" and select(3, z:get(i)) < half then
        inside = inside + w:body_of(id[i]):mass()
      end
    end
    return {
      { "pills", grains },
      { "mass", 1e3 * mass, "g" },
      { "height of the heap", top, "m" },
      {
        "solid fraction of its lower half",
        half > 0 and inside / 1200 / (math.pi * (5 * p.d) ^ 2 * half) or nil,
      },
      { "penetration over the diameter", w:report().penetration / p.d },
    }
  end,
}
