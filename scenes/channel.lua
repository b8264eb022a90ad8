-- Granular channel flow past an obstacle (Preclik, Eibl and Rüde 2017, section 4.3).
--
-- A moving plane pushes layers of grains into a channel with solid walls. The grains fill the channel and
-- flow past a cylinder whose downstream half is a box. They are deleted at the open end. law=both runs both
-- friction laws and prints the results side by side.
--
--   scree run scenes/channel.lua                     laptop size, about a minute
--   scree run scenes/channel.lua law=both
--   scree run scenes/channel.lua scale=1             the paper's size: 2e5 grains
--   scree run scenes/channel.lua obstacle=false      the channel alone
--   scree run scenes/channel.lua filled=false        starts empty (the paper's channel starts filled)
--   scree run scenes/channel.lua shape=icosahedron   or capsule: only for such grains the laws differ
--
-- scale multiplies length, width and obstacle, and the height as long as it exceeds 1 cm. Grains and inflow
-- speed do not change. The paper prints 0.47 mm as the diameter of the grains, but it is their radius
-- (docs/channel.md).

local figures = require "channel_figures"
local grain_shapes = require "grain_shapes"
local inflow = require "scree.inflow"
local obstacle = require "scree.obstacle"
local probe = require "scree.probe"

local DENSITY, SPACING = 2650, 1e-3

-- Returns the shape of a grain with the outer radius r, or nil for a sphere, for w:fill and the inflow.
local function grain(name, r)
  if name == "sphere" then return nil end
  if name == "capsule" then return { type = "capsule", radius = 0.6 * r, length = 0.8 * r } end
  if name ~= "icosahedron" then
    error("shape must be sphere, capsule or icosahedron, not '" .. name .. "'", 0)
  end
  return { type = "hull", points = grain_shapes.icosahedron(r) }
end

-- Returns the duration of the run [s]. A grain crosses the channel in about 0.15 s at full size.
local function duration(p) return p.time > 0 and p.time or 0.4 * p.scale end
-- Returns true in the second half of the run, in which averages are taken.
local function measuring(w, p) return w:time() >= duration(p) / 2 end

-- Fills the channel downstream of the inflow with grains that have the velocity of the inflow.
local function fill_channel(w, p, size)
  local near, far = size.centre - size.obstacle - size.grain, size.centre + size.obstacle + size.grain
  w:fill {
    region = { min = { 2 * SPACING, 0, 0 }, max = { size.length, size.width, size.height } },
    lattice = "cubic",
    spacing = SPACING,
    keep_out = p.obstacle and { min = { near, near, -1 }, max = { far, far, 1 } } or nil,
    radius = size.grain,
    velocity = { 1, 0, 0 },
    jitter = { 0, 0.5, 0.5 },
    material = "grain",
    shape = grain(p.shape, size.grain),
  }
end

local maps -- profile of velocity and spin, averaged over the second half of the run

local function setup(w, p)
  -- in a smaller channel the gap beside the obstacle is too narrow for a flow
  if not (p.scale >= 0.1) then error("scale must be at least 0.1, not " .. p.scale, 0) end
  local size = figures.sizes(p.scale)
  w:material { name = "grain", density = DENSITY }
  w:material { name = "wall", density = DENSITY }
  for _, other in ipairs { "grain", "wall" } do
    w:pair { "grain", other, law = p.law, mu = p.mu }
  end
  obstacle.walls(w, {
    min = { 0, 0, 0 },
    max = { size.length, size.width, size.height },
    open = { "-x", "+x" },
    material = "wall",
  })
  if p.obstacle then
    obstacle.half_round(w, {
      position = { size.centre, size.centre, size.height / 2 },
      radius = size.obstacle,
      height = size.height,
      material = "wall",
    })
  end
  inflow.create(w, {
    min = { 0, 0, 0 },
    max = { 0, size.width, size.height },
    spacing = SPACING,
    layer_spacing = 2 * size.grain,
    radius = size.grain,
    speed = 1,
    jitter = 0.5,
    material = "grain",
    shape = grain(p.shape, size.grain),
  })
  if p.filled then fill_channel(w, p, size) end
  maps = figures.profile(w, size)
end

local function sample(w, p)
  local r, size = w:report(), figures.sizes(p.scale)
  probe.add(w, "penetration", r.penetration)
  if not measuring(w, p) then return end
  local volume = figures.grain_volume(size)
  probe.add(w, "grains", r.dynamic)
  probe.add(
    w,
    "fraction",
    r.dynamic * volume / (p.obstacle and figures.free_volume(size) or size.length * size.width * size.height)
  )
  probe.add(w, "flow", r.momentum[1] / (r.dynamic * volume * DENSITY))
  probe.add(w, "contacts", r.active)
  probe.add(w, "near", r.contacts)
  probe.add(w, "speed", r.max_speed)
  probe.add(w, "unbalanced", r.unbalanced)
  maps:add()
end

local function outflow(w, p) w:remove { region = { min = { figures.sizes(p.scale).length, -1, -1 } } } end

local function report(w, p, out)
  local size = figures.sizes(p.scale)
  local function mean(name) return probe.get(w, name).mean end
  if not probe.get(w, "grains") then
    return { { "law", p.law }, { "averages", "none, the run ended before half of its time" } }
  end
  figures.draw(
    w,
    maps,
    size,
    "channel.png",
    ("Channel flow, %s, scale %g"):format(p.law:gsub("_", " "), p.scale)
  )
  out:write("fields.csv", figures.cells(maps))
  local deepest, spheres = probe.get(w, "penetration").most, p.shape == "sphere"
  return {
    { "law", p.law },
    { "average grains", mean "grains" },
    { "volume fraction", spheres and 100 * mean "fraction" or nil, "%" },
    { "mean speed along the channel", spheres and mean "flow" or nil, "m/s" },
    { "average contacts", mean "contacts" },
    { "contacts per grain", 2 * mean "contacts" / mean "grains" },
    { "contacts and near contacts per grain", 2 * mean "near" / mean "grains" },
    { "largest penetration", 1e6 * deepest, "um" },
    { "largest penetration / radius", 100 * deepest / size.grain, "%" },
    { "peak of the cell means", figures.peak(maps), "m/s" },
    { "fastest grain", probe.get(w, "speed").most, "m/s" },
    { "forces off balance by", 100 * mean "unbalanced", "%" },
    { "layers laid", w.state.inflows[1].layers },
  }
end

return {
  title = "granular channel flow past an obstacle",
  params = {
    law = "max_dissipation",
    mu = 0.4,
    scale = 0.4,
    iterations = 60,
    obstacle = true,
    filled = true,
    seed = 1,
    shape = "sphere",
    dt = { default = 5e-5, unit = "s", min = 1e-6, doc = "time step" },
    time = { default = 0, unit = "s", min = 0, doc = "duration; 0: 0.4 s times scale" },
    fine = { default = 0, unit = "s", min = 0, doc = "part at the end that runs with steps of 10 us" },
  },
  variants = function(p)
    if p.law == "both" then return { { law = "coulomb" }, { law = "max_dissipation" } } end
  end,
  world = function(p)
    return {
      gravity = { 0, 0, -9.81 },
      dt = p.dt,
      erp = 0.8,
      solver = { name = "nbgs", iterations = p.iterations, tolerance = 1e-3, acceleration = true },
    }
  end,
  setup = setup,
  before_step = function(w, p)
    if p.fine > 0 and w:time() >= duration(p) - p.fine - p.dt / 2 then w:set_dt(1e-5) end
    inflow.update(w)
    if w:steps() % 20 == 0 then outflow(w, p) end
  end,
  -- layers of the inflow come every 0.94 ms; samples every 0.7 ms fall on all phases between two layers
  every = { { time = 0.7e-3, call = sample } },
  output = { trajectory = { every = 0.01, precision = "1e-4 d" }, series = { every = 0.001 } },
  stop = { time = duration },
  report = report,
}
