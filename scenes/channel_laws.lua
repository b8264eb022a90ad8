-- The channel of channel.lua with grains of other shapes, to compare Coulomb friction and maximum
-- dissipation. For balls both laws are the same. All shapes have the volume of a ball of radius 0.47 mm, and
-- the plane pushes in an equal volume per second. docs/laws-in-flow.md has the results.
--
--   scree run scenes/channel_laws.lua shape=capsule law=coulomb mu=0.4

local contacts = require "law_figures"
local grain_shapes = require "grain_shapes"
local figures = require "channel_figures"
local obstacle = require "scree.obstacle"
local scree = require "scree"
local probe = require "scree.probe"

local DENSITY, SPEED = 2650, 1
-- solid fraction of a layer of the paper's inflow
local FRACTION = 4 / 3 * math.pi * 0.47e-3 ^ 3 / (1e-3 * 1e-3 * 0.94e-3)

-- Returns the duration of the run [s].
local function duration(p) return p.time > 0 and p.time or 0.4 * p.scale end
local function measuring(w, p) return w:time() >= duration(p) / 2 end

-- Places a layer of upright grains in front of the plane. Boxes are turned at random about z, because layers
-- of aligned boxes would jam before the obstacle. The grains have the velocity of the plane and random
-- transverse velocities.
local function lay(w, p, size)
  local feed, plane = w.state.feed, w:find "inflow"
  local x = plane:position() + feed.layer / 2
  local across, up = math.floor(size.width / feed.side), math.floor(size.height / feed.tall)
  local y0, z0 = (size.width - (across - 1) * feed.side) / 2, (size.height - (up - 1) * feed.tall) / 2
  for j = 0, across - 1 do
    for k = 0, up - 1 do
      w:body {
        template = feed.template,
        axis = { 0, 0, 1 },
        angle = p.shape == "box" and w:random(0, math.pi / 2) or 0,
        position = { x, y0 + j * feed.side, z0 + k * feed.tall },
        velocity = { SPEED, w:random(-0.5, 0.5), w:random(-0.5, 0.5) },
      }
    end
  end
  feed.layers, feed.grains = feed.layers + 1, feed.grains + across * up
end

local maps -- profile of velocity and spin, averaged over the second half of the run
-- how friction acts in the second half of the run: steps solved exactly by each law, and the difference of
-- both
local records

local function world(p, iterations, tolerance)
  return {
    gravity = { 0, 0, -9.81 },
    dt = p.dt,
    erp = 0.8,
    solver = {
      name = "nbgs",
      iterations = iterations,
      tolerance = tolerance,
      acceleration = true,
      softness = p.softness > 0 and p.softness or nil,
    },
  }
end

local function setup(w, p)
  if not (p.scale >= 0.1) then error("scale must be at least 0.1, not " .. p.scale, 0) end
  local size = figures.sizes(p.scale)
  w:material { name = "grain", density = DENSITY }
  w:material { name = "wall", density = DENSITY }
  for _, other in ipairs { "grain", "wall" } do
    w:pair { "grain", other, law = p.law, mu = p.mu }
  end
  local box = { min = { 0, 0, 0 }, max = { size.length, size.width, size.height } }
  obstacle.walls(w, { min = box.min, max = box.max, open = { "-x", "+x" }, material = "wall" })
  local centre = { size.centre, size.centre, size.height / 2 }
  if p.obstacle then
    obstacle.half_round(w, { position = centre, radius = size.obstacle, height = size.height, material = "wall" })
  end
  local template, wide, tall = grain_shapes.make(w, p.shape, size.grain, "grain")
  -- Ratio of the spacing of the grains of a layer to their size. With this ratio the solid fraction of a
  -- layer is p.inflow FRACTION.
  local gap = math.sqrt(figures.grain_volume(size) / (p.inflow * FRACTION * 1.005 * wide ^ 2 * tall))
  local feed = { template = template, layer = 1.005 * wide, side = gap * wide, tall = gap * tall, layers = 0, grains = 0 }
  w:halfspace { name = "inflow", normal = { 1, 0, 0 }, velocity = { SPEED, 0, 0 }, kind = "kinematic", material = "wall" }
  w.state.feed = feed
  lay(w, p, size)
  maps, records = figures.profile(w, size), contacts.compare(scree.world(world(p, p.exact, 1e-6)), 0.01 * SPEED)
end

-- Moves the plane back after each layer, places the next layer, and removes grains that left.
local function feed_channel(w, p)
  local feed, plane, size = w.state.feed, w:find "inflow", figures.sizes(p.scale)
  local x = plane:position()
  if x >= feed.layer - 1e-9 then
    plane:set_position { x - feed.layer, 0, 0 }
    lay(w, p, size)
  end
  if w:steps() % 20 == 0 then
    local left = w:remove { region = { min = { size.length, -1, -1 } } }
    if measuring(w, p) then w.state.left = (w.state.left or 0) + left end
  end
end

local function sample(w, p)
  if not measuring(w, p) then return end
  local r = w:report()
  probe.add(w, "grains", r.dynamic)
  probe.add(w, "flow", r.momentum[1])
  probe.add(w, "kinetic", r.kinetic)
  probe.add(w, "contacts", r.active)
  probe.add(w, "unbalanced", r.unbalanced)
  w.state.lost_first = w.state.lost_first or { w:time(), r.dissipated }
  w.state.lost_last = { w:time(), r.dissipated }
  maps:add()
end

local function sample_contacts(w, p)
  if not measuring(w, p) then return end
  contacts.compare_laws(records, w, { "grain", "wall" }, p.mu)
end

local function report(w, p, out)
  local size, s = figures.sizes(p.scale), w.state
  if not (s.lost_last and records.samples > 0) then
    return { { "averages", "none, the run ended before half of its time" } }
  end
  local mass = DENSITY * figures.grain_volume(size)
  local volume = p.obstacle and figures.free_volume(size) or size.length * size.width * size.height
  local function mean(name) return probe.get(w, name).mean end
  out:write("fields.csv", figures.cells(maps))
  out:write("histograms.csv", contacts.histograms(records))
  local grains, time = mean "grains", s.lost_last[1] - s.lost_first[1]
  local rows = {
    { "grains", grains },
    { "volume fraction", grains * figures.grain_volume(size) / volume },
    { "mean speed along the channel", mean "flow" / (grains * mass), "m/s" },
    { "grains that left per second", (s.left or 0) / (duration(p) / 2), "1/s" },
    { "kinetic energy per grain", mean "kinetic" / grains, "J" },
    { "dissipation per grain", (s.lost_last[2] - s.lost_first[2]) / time / grains, "W" },
    { "contacts per grain", 2 * mean "contacts" / grains },
    { "forces off balance by", 100 * mean "unbalanced", "%" },
  }
  local more = contacts.rows(records)
  return table.move(more, 1, #more, #rows + 1, rows)
end

return {
  title = "both friction laws in the channel",
  params = {
    law = "max_dissipation",
    mu = 0.4,
    shape = "icosahedron",
    scale = 0.25,
    iterations = 30,
    softness = 0.05,
    obstacle = true,
    inflow = 1, -- volume of grains per second, relative to the paper's
    exact = 2000, -- number of sweeps in the steps that compare the laws
    seed = 1,
    dt = { default = 2e-5, unit = "s", min = 1e-6, doc = "time step" },
    time = { default = 0, unit = "s", min = 0, doc = "duration; 0: 0.4 s times scale" },
  },
  world = function(p) return world(p, p.iterations, 1e-3) end,
  setup = setup,
  before_step = feed_channel,
  every = { { time = 0.7e-3, call = sample }, { time = 5e-3, call = sample_contacts } },
  output = { trajectory = false, series = { every = 0.001 } },
  stop = { time = duration },
  report = report,
}
