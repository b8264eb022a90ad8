-- A strip of the channel (scenes/channel.lua) without the obstacle, between side walls without friction. In
-- its steady flow as many grains leave as come in. The report gives volume fraction and mean speed of this
-- flow for a friction coefficient.
--
--   scree run scenes/bench/strip.lua mu=0.2 --trust     some minutes; means over the last fifth of the run

local inflow = require "scree.inflow"
local probe = require "scree.probe"

local LENGTH, HEIGHT, RADIUS, DENSITY, WALL = 0.15, 0.02, 0.47e-3, 2650, { "grain", "floor", "side" }
local GRAIN = 4 / 3 * math.pi * RADIUS ^ 3

local function sample(w, p)
  if w:time() < 0.8 * p.time then return end
  local r = w:report()
  probe.add(w, "fraction", r.dynamic * GRAIN / (LENGTH * p.width * HEIGHT))
  probe.add(w, "speed", r.momentum[1] / (r.dynamic * GRAIN * DENSITY))
  probe.add(w, "contacts", 2 * r.active / r.dynamic)
  probe.add(w, "penetration", r.penetration)
  probe.add(w, "unbalanced", r.unbalanced)
end

local function report(w)
  local fraction = probe.get(w, "fraction")
  if not fraction then return { { "averages", "none, the run ended too early" } } end
  return {
    { "volume fraction", 100 * fraction.mean, "%" },
    { "mean speed along the channel", probe.get(w, "speed").mean, "m/s" },
    { "grains at a width of 65 mm", fraction.mean * LENGTH * 65e-3 * HEIGHT / GRAIN },
    { "contacts with an impulse per grain", probe.get(w, "contacts").mean },
    { "largest penetration / radius", 100 * probe.get(w, "penetration").most / RADIUS, "%" },
    { "forces off balance by", 100 * probe.get(w, "unbalanced").mean, "%" },
  }
end

return {
  title = "strip of the channel",
  params = { mu = 0.4, width = { default = 4e-3, unit = "m", min = 1e-3, doc = "between the side walls" }, time = { default = 0.3, unit = "s", doc = "duration" },
    dt = { default = 5e-5, unit = "s", doc = "time step" }, iterations = 40, warm_start = 1.0, seed = 1 },
  world = function(p)
    return { gravity = { 0, 0, -9.81 }, dt = p.dt, erp = 0.8,
      solver = { name = "nbgs", iterations = p.iterations, tolerance = 1e-3, warm_start = p.warm_start, acceleration = true } }
  end,
  setup = function(w, p)
    for _, name in ipairs(WALL) do
      w:material { name = name, density = DENSITY }
      w:pair { "grain", name, law = "coulomb", mu = name == "side" and 0 or p.mu }
    end
    w:halfspace { normal = { 0, 0, 1 }, material = "floor" }
    w:halfspace { normal = { 0, 0, -1 }, point = { 0, 0, HEIGHT }, material = "floor" }
    w:halfspace { normal = { 0, 1, 0 }, material = "side" }
    w:halfspace { normal = { 0, -1, 0 }, point = { 0, p.width, 0 }, material = "side" }
    inflow.create(w, { min = { 0, 0, 0 }, max = { 0, p.width, HEIGHT }, spacing = 1e-3, layer_spacing = 2 * RADIUS, radius = RADIUS, speed = 1, jitter = 0.5, material = "grain" })
  end,
  before_step = function(w)
    inflow.update(w)
    if w:steps() % 20 == 0 then w:remove { region = { min = { LENGTH, -1, -1 } } } end
  end,
  every = { { time = 0.7e-3, call = sample } },
  report = report,
  output = { trajectory = { every = 0.05, precision = "1e-3 d" }, series = { every = 0.002 } },
  stop = { time = function(p) return p.time end },
}
