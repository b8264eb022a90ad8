-- The figures of a channel flow (Preclik, Eibl and Rüde 2017, Figures 10 to 12): velocity and spin from
-- above, and the radial distribution near the exit. The scene uses this module while it runs.
-- channel_frames.lua uses it on a stored frame.

local scree = require "scree"

local figures = {}

local CELLS = { 150, 65, 1 } -- numbers of cells, as in the paper

--- Returns the lengths of the channel, the obstacle and the grains at a scale [m]. The height is at least 1
--- cm, about ten grains.
function figures.sizes(scale)
  return {
    length = 0.15 * scale,
    width = 0.065 * scale,
    height = 0.02 * math.max(scale, 0.5),
    centre = 0.04 * scale,
    obstacle = 0.01 * scale,
    grain = 0.47e-3,
  }
end

--- Returns the volume of one grain [m3].
function figures.grain_volume(size) return 4 / 3 * math.pi * size.grain ^ 3 end

--- Returns the volume of the channel without the obstacle [m3].
function figures.free_volume(size)
  return size.height * (size.length * size.width - (math.pi / 2 + 2) * size.obstacle ^ 2)
end

--- Returns the profile for the figures. profile:add() adds the present state of the world to the averages.
function figures.profile(w, size)
  return w:profile {
    region = { min = { 0, 0, 0 }, max = { size.length, size.width, size.height } },
    cells = CELLS,
  }
end

-- Returns the length of the vectors of a field per cell; NaN in cells where no grain was seen.
local function magnitude(maps, field)
  local x, y, z = maps:get(field)
  local length = {}
  for i = 1, #x do
    length[i] = math.sqrt(x[i] ^ 2 + y[i] ^ 2 + z[i] ^ 2)
  end
  return length
end

-- Returns the obstacle as seen from above [cm]: a half circle upstream, a half square downstream.
local function outline(size)
  local c, r = size.centre, size.obstacle
  local x, y = { (c + r) * 100, c * 100 }, { (c - r) * 100, (c - r) * 100 }
  for i = 0, 24 do
    local turn = -math.pi / 2 - math.pi * i / 24
    x[#x + 1], y[#y + 1] = (c + r * math.cos(turn)) * 100, (c + r * math.sin(turn)) * 100
  end
  x[#x + 1], y[#y + 1] = (c + r) * 100, (c + r) * 100
  return { { x = x, y = y, fill = "#b0b0b0", line = "#303030" } }
end

local function from_above(size, title, label, values)
  local x, y = { 0, 100 * size.length }, { 0, 100 * size.width }
  return {
    title = title,
    xlabel = "x [cm]",
    ylabel = "y [cm]",
    color_label = label,
    equal = true,
    xrange = x,
    yrange = y,
    image = { nx = CELLS[1], ny = CELLS[2], values = values, x = x, y = y },
    shapes = outline(size),
  }
end

-- Returns the radial distribution g(r) between 12/15 and 14/15 of the length, as in the paper.
local function pair_distances(w, size)
  local reach = math.min(10 * size.grain, size.length / 8) -- [m]
  local region =
    { min = { 0.8 * size.length, 0, 0 }, max = { 14 / 15 * size.length, size.width, size.height } }
  return w:rdf { region = region, reach = reach, bins = 80, edges = true }
end

--- Returns the largest mean speed of a cell [m/s].
function figures.peak(maps)
  local most = 0
  for _, v in ipairs(magnitude(maps, "velocity")) do
    if v > most then most = v end
  end
  return most
end

--- Draws mean velocity, mean spin and g(r) into the file.
function figures.draw(w, maps, size, file, title)
  local g, diameters = pair_distances(w, size), {}
  for i, r in ipairs(g.r) do
    diameters[i] = r / (2 * size.grain)
  end
  scree.plot {
    file = file,
    columns = 1,
    title = title,
    panels = {
      from_above(size, "mean velocity", "|v| [m/s]", magnitude(maps, "velocity")),
      from_above(size, "mean spin", "|w| [rad/s]", magnitude(maps, "spin")),
      {
        title = "radial distribution near the exit",
        xlabel = "r / d",
        ylabel = "g(r)",
        aspect = 0.42,
        series = {
          { x = diameters, y = g.g, name = "g(r)" },
          { x = { 0, 5 }, y = { 1, 1 }, dashed = true, color = "#808080", name = "uniform" },
        },
      },
    },
  }
end

--- Returns the cells of the velocity and spin profile as CSV, for other plotting programs.
function figures.cells(maps)
  local vx, vy, vz = maps:get "velocity"
  local wx, wy, wz = maps:get "spin"
  local x, y, rows = maps:axis(1), maps:axis(2), { "x,y,vx,vy,vz,wx,wy,wz" }
  for k = 1, #vx do
    local i, j = (k - 1) % #x + 1, (k - 1) // #x + 1
    local row = "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g"
    rows[#rows + 1] = row:format(x[i], y[j], vx[k], vy[k], vz[k], wx[k], wy[k], wz[k])
  end
  return table.concat(rows, "\n") .. "\n"
end

return figures
