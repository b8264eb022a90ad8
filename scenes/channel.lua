-- Granular channel flow past an obstacle (Preclik, Eibl and Rüde 2017, section 4.3).
--
-- A moving plane pushes layers of grains into a channel with solid walls; they flow under gravity past a cylinder whose right half is a
-- box, and are deleted at the open end. Both friction laws see the same scene: law=both prints them side by side.
--
--   scree run scenes/channel.lua                     laptop size, about a minute
--   scree run scenes/channel.lua law=both
--   scree run scenes/channel.lua scale=1             the paper's size: 2.5e5 grains
--
-- scale shrinks length and width, with the obstacle; height, grains and inflow stay as they are. Each layer of the inflow is one lattice spacing
-- thick: 1.3e6 grains a second at full size, as printed in the paper.

local scree = require "scree"
local inflow = require "scree.inflow"
local obstacle = require "scree.obstacle"
local probe = require "scree.probe"

local RADIUS, SPACING, HEIGHT = 0.235e-3, 1e-3, 0.02

-- Length, width and obstacle at a given scale.
local function sizes(p)
  return 0.15 * p.scale, 0.065 * p.scale, 0.04 * p.scale, 0.01 * p.scale
end

-- A grain crosses the channel in about 0.15 s at full size. The last half of the run is measured.
local function duration(p) return p.time > 0 and p.time or 0.6 * p.scale end
local function measuring(w, p) return w:time() >= duration(p) / 2 end

local maps, layers -- averages over the steady part: seen from above, and along the height

local function setup(w, p)
  -- in a smaller channel two grains block the gap beside the obstacle, and the plane crushes what is before it
  if not (p.scale >= 0.1) then error("scale must be at least 0.1, not " .. p.scale, 0) end
  local length, width, centre, radius = sizes(p)
  w:material { name = "grain", density = 2650 }
  w:material { name = "wall", density = 2650 }
  for _, other in ipairs { "grain", "wall" } do w:pair { "grain", other, law = p.law, mu = p.mu } end
  obstacle.walls(w, { min = { 0, 0, 0 }, max = { length, width, HEIGHT }, open = { "-x", "+x" }, material = "wall" })
  obstacle.half_round(w, { position = { centre, centre, HEIGHT / 2 }, radius = radius, height = HEIGHT, material = "wall" })
  inflow.create(w, {
    min = { 0, 0, 0 }, max = { 0, width, HEIGHT }, spacing = SPACING, radius = RADIUS, speed = 1, jitter = 0.5, material = "grain",
  })
  maps = w:profile { region = { min = { 0, 0, 0 }, max = { length, width, HEIGHT } }, cells = { 150, 65, 1 } }
  layers = w:profile { region = { min = { 0.5 * length, 0, 0 }, max = { 0.95 * length, width, HEIGHT } }, cells = { 1, 1, 40 } }
end

local function sample(w, p)
  local r = w:report()
  probe.add(w, "penetration", r.penetration)
  if not measuring(w, p) then return end
  probe.add(w, "grains", r.dynamic)
  probe.add(w, "contacts", r.active)
  probe.add(w, "speed", r.max_speed)
  maps:add()
  layers:add()
end

local function outflow(w, p)
  local length = sizes(p)
  w:remove { region = { min = { length, -1, -1 } } }
end

-- Mean solid fraction of the flowing layer: the cells along the height that hold at least half as much as the fullest one.
local function solid_fraction()
  local solid, most, sum, count = layers:get "solid", 0, 0, 0
  for _, s in ipairs(solid) do most = math.max(most, s) end
  for _, s in ipairs(solid) do
    if s >= most / 2 then sum, count = sum + s, count + 1 end
  end
  return count > 0 and sum / count or 0, count * HEIGHT / #solid
end

-- Length of the vectors of a field, cell by cell; blank where no grain was seen.
local function magnitude(field)
  local x, y, z = maps:get(field)
  local size = {}
  for i = 1, #x do size[i] = math.sqrt(x[i] ^ 2 + y[i] ^ 2 + z[i] ^ 2) end
  return size
end

-- The obstacle from above: half a circle towards the stream, half a square behind. In centimetres.
local function outline(p)
  local _, _, c, r = sizes(p)
  local x, y = { (c + r) * 100, c * 100 }, { (c - r) * 100, (c - r) * 100 }
  for i = 0, 24 do
    local turn = -math.pi / 2 - math.pi * i / 24
    x[#x + 1], y[#y + 1] = (c + r * math.cos(turn)) * 100, (c + r * math.sin(turn)) * 100
  end
  x[#x + 1], y[#y + 1] = (c + r) * 100, (c + r) * 100
  return { { x = x, y = y, fill = "#b0b0b0", line = "#303030" } }
end

local function from_above(p, title, label, values)
  local length, width = sizes(p)
  return {
    title = title, xlabel = "x [cm]", ylabel = "y [cm]", color_label = label, equal = true,
    xrange = { 0, 100 * length }, yrange = { 0, 100 * width },
    image = { nx = 150, ny = 65, values = values, x = { 0, 100 * length }, y = { 0, 100 * width } }, shapes = outline(p),
  }
end

-- g(r) in the last but one fifteenth of the channel, as in the paper, over the layer that the grains fill.
local function pair_distances(w, p)
  local length, width = sizes(p)
  local _, depth = solid_fraction()
  local top, from = math.max(depth, 8 * RADIUS), 0.8 * length
  local reach = math.min(10 * RADIUS, 0.99 * top, length / 8) -- beyond an edge of the region there is nothing to count
  return w:rdf { region = { min = { from, 0, 0 }, max = { 14 / 15 * length, width, top } }, reach = reach, bins = 80, edges = true }
end

-- The cells of both maps, for those who draw their own figures.
local function fields()
  local vx, vy, vz = maps:get "velocity"
  local wx, wy, wz = maps:get "spin"
  local x, y, rows = maps:axis(1), maps:axis(2), { "x,y,vx,vy,vz,wx,wy,wz" }
  for k = 1, #vx do
    local i, j = (k - 1) % #x + 1, (k - 1) // #x + 1
    rows[#rows + 1] = ("%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g"):format(x[i], y[j], vx[k], vy[k], vz[k], wx[k], wy[k], wz[k])
  end
  return table.concat(rows, "\n") .. "\n"
end

local function picture(w, p)
  local g, diameters = pair_distances(w, p), {}
  for i, r in ipairs(g.r) do diameters[i] = r / (2 * RADIUS) end
  scree.plot {
    file = "channel.png", columns = 1, title = ("Channel flow, %s, scale %g"):format(p.law:gsub("_", " "), p.scale),
    panels = {
      from_above(p, "mean velocity", "|v| [m/s]", magnitude "velocity"),
      from_above(p, "mean spin", "|w| [rad/s]", magnitude "spin"),
      {
        title = "radial distribution near the exit", xlabel = "r / d", ylabel = "g(r)", aspect = 0.42,
        series = { { x = diameters, y = g.g, name = "g(r)" }, { x = { 0, 5 }, y = { 1, 1 }, dashed = true, color = "#808080", name = "uniform" } },
      },
    },
  }
end

local function report(w, p, out)
  picture(w, p)
  out:write("fields.csv", fields())
  local grains, contacts, deepest = probe.get(w, "grains"), probe.get(w, "contacts"), probe.get(w, "penetration")
  local solid, depth = solid_fraction()
  return {
    { "law", p.law },
    { "average grains", grains.mean },
    { "solid volume fraction, flowing layer", 100 * solid, "%" },
    { "depth of the flowing layer", 1000 * depth, "mm" },
    { "average contacts", contacts.mean },
    { "contacts per grain", 2 * contacts.mean / grains.mean },
    { "largest penetration", 1e6 * deepest.most, "um" },
    { "largest penetration / radius", 100 * deepest.most / RADIUS, "%" },
    { "peak speed", probe.get(w, "speed").most, "m/s" },
    { "layers laid", w.state.inflows[1].layers },
  }
end

return {
  title = "granular channel flow past an obstacle",
  params = { law = "max_dissipation", mu = 0.4, scale = 0.2, iterations = 20, time = 0, seed = 1 }, -- time 0: 0.6 s at full size,
  variants = function(p)
    if p.law == "both" then return { { law = "coulomb" }, { law = "max_dissipation" } } end
  end,
  world = function(p)
    return { gravity = { 0, 0, -9.81 }, dt = 1e-5, erp = 0.8, solver = { name = "nbgs", iterations = p.iterations, tolerance = 1e-3 } }
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
