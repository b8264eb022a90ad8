-- Granular channel flow past an obstacle (Preclik, Eibl and Rüde 2017, section 4.3).
--
-- A moving plane pushes layers of grains into a channel with solid walls; they flow under gravity past a cylinder whose right half is a
-- box, and are deleted at the open end. Both friction laws see the same scene: law=both prints them side by side.
--
--   scree run scenes/channel.lua                     laptop size, about a minute
--   scree run scenes/channel.lua law=both
--   scree run scenes/channel.lua scale=1             the paper's size: 2.5e5 grains
--   scree run scenes/channel.lua shape=icosahedron   also capsule: grains of the same outer radius, which tell the laws apart
--
-- scale shrinks length and width, with the obstacle; height, grains and inflow stay as they are. Each layer of the inflow is one lattice spacing
-- thick: 1.3e6 grains a second at full size, as printed in the paper.

local figures = require "channel_figures"
local inflow = require "scree.inflow"
local obstacle = require "scree.obstacle"
local probe = require "scree.probe"

local SPACING = 1e-3

-- What fill takes for a grain of outer radius r; nil: a sphere.
local function grain(name, r)
  if name == "sphere" then return nil end
  if name == "capsule" then return { type = "capsule", radius = 0.6 * r, length = 0.8 * r } end
  if name ~= "icosahedron" then error("shape must be sphere, capsule or icosahedron, not '" .. name .. "'", 0) end
  local points, golden = {}, (1 + 5 ^ 0.5) / 2
  local s = r / (1 + golden ^ 2) ^ 0.5
  for _, c in ipairs { { s, s * golden }, { s, -s * golden }, { -s, s * golden }, { -s, -s * golden } } do
    for _, point in ipairs { { 0, c[1], c[2] }, { c[1], c[2], 0 }, { c[2], 0, c[1] } } do points[#points + 1] = point end
  end
  return { type = "hull", points = points }
end

-- A grain crosses the channel in about 0.15 s at full size. The last half of the run is measured.
local function duration(p) return p.time > 0 and p.time or 0.6 * p.scale end
local function measuring(w, p) return w:time() >= duration(p) / 2 end

local profiles -- averages over the steady part

local function setup(w, p)
  -- in a smaller channel two grains block the gap beside the obstacle, and the plane crushes what is before it
  if not (p.scale >= 0.1) then error("scale must be at least 0.1, not " .. p.scale, 0) end
  local size = figures.sizes(p.scale)
  w:material { name = "grain", density = 2650 }
  w:material { name = "wall", density = 2650 }
  for _, other in ipairs { "grain", "wall" } do w:pair { "grain", other, law = p.law, mu = p.mu } end
  obstacle.walls(w, { min = { 0, 0, 0 }, max = { size.length, size.width, size.height }, open = { "-x", "+x" }, material = "wall" })
  local centre = { size.centre, size.centre, size.height / 2 }
  obstacle.half_round(w, { position = centre, radius = size.obstacle, height = size.height, material = "wall" })
  inflow.create(w, {
    min = { 0, 0, 0 }, max = { 0, size.width, size.height }, spacing = SPACING, radius = size.grain, speed = 1, jitter = 0.5, material = "grain",
    shape = grain(p.shape, size.grain),
  })
  profiles = figures.profiles(w, size)
end

local function sample(w, p)
  local r = w:report()
  probe.add(w, "penetration", r.penetration)
  if not measuring(w, p) then return end
  probe.add(w, "grains", r.dynamic)
  probe.add(w, "contacts", r.active)
  probe.add(w, "near", r.contacts)
  probe.add(w, "speed", r.max_speed)
  profiles:add()
end

local function outflow(w, p)
  w:remove { region = { min = { figures.sizes(p.scale).length, -1, -1 } } }
end

local function report(w, p, out)
  if not probe.get(w, "grains") then return { { "law", p.law }, { "averages", "none, the run ended before half of its time" } } end
  figures.draw(w, profiles, "channel.png", ("Channel flow, %s, scale %g"):format(p.law:gsub("_", " "), p.scale))
  out:write("fields.csv", figures.cells(profiles))
  local grains, contacts, deepest = probe.get(w, "grains"), probe.get(w, "contacts"), probe.get(w, "penetration")
  local solid, depth = figures.layer(profiles)
  return {
    { "law", p.law },
    { "average grains", grains.mean },
    { "solid volume fraction, flowing layer", 100 * solid, "%" },
    { "depth of the flowing layer", 1000 * depth, "mm" },
    { "average contacts", contacts.mean },
    { "contacts per grain", 2 * contacts.mean / grains.mean },
    { "contacts and near contacts per grain", 2 * probe.get(w, "near").mean / grains.mean },
    { "largest penetration", 1e6 * deepest.most, "um" },
    { "largest penetration / radius", 100 * deepest.most / figures.sizes(p.scale).grain, "%" },
    { "peak speed", probe.get(w, "speed").most, "m/s" },
    { "layers laid", w.state.inflows[1].layers },
  }
end

return {
  title = "granular channel flow past an obstacle",
  params = { law = "max_dissipation", mu = 0.4, scale = 0.2, iterations = 20, time = { default = 0, unit = "s", min = 0, doc = "duration" }, seed = 1, shape = "sphere" }, -- time 0: 0.6 s at full size,
  variants = function(p)
    if p.law == "both" then return { { law = "coulomb" }, { law = "max_dissipation" } } end
  end,
  world = function(p)
    return { gravity = { 0, 0, -9.81 }, dt = 1e-5, erp = 0.8, correction = "velocity", solver = { name = "nbgs", iterations = p.iterations, tolerance = 1e-3 } }
  end,
  setup = setup,
  before_step = function(w, p)
    inflow.update(w)
    if w:steps() % 20 == 0 then outflow(w, p) end
  end,
  every = { { time = 0.7e-3, call = sample } }, -- out of step with the layers of the inflow, which come every millisecond
  output = { trajectory = { every = 0.01, precision = "1e-4 d" }, series = { every = 0.001 } },
  stop = { time = duration },
  report = report,
}
