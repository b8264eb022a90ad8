-- Figure of friction and solid fraction over the inertial number, beside published fits, from the results of scenes/rheology.yaml.
-- usage: scree lua --trust tests/bench/rheology.lua RESULTS.csv FIGURE.png
local scree = require "scree"

local function rows_of(file)
  local lines, names, rows = io.lines(file), {}, {}
  for name in lines():gmatch "[^,]+" do names[#names + 1] = name end
  for line in lines do
    local row, k = {}, 0
    for value in (line .. ","):gmatch "([^,]*)," do
      k = k + 1
      row[names[k]] = value
    end
    if row.state == "completed" then rows[#rows + 1] = row end
  end
  return rows
end

local function measured(rows, planar, column, name)
  local out = { name = name, style = "points", x = {}, y = {}, error = {} }
  for _, row in ipairs(rows) do
    if row["params.planar"] == planar then
      out.x[#out.x + 1], out.y[#out.y + 1] = tonumber(row["inertial number"]), tonumber(row[column])
      out.error[#out.error + 1] = tonumber(row["error of " .. column])
    end
  end
  return out
end

local function fit(name, f)
  local out = { name = name, style = "lines", x = {}, y = {} }
  for i = 0, 60 do
    local inertial = 10 ^ (-4 + i / 15)
    if inertial <= 0.6 then out.x[#out.x + 1], out.y[#out.y + 1] = inertial, f(inertial) end
  end
  return out
end

local rows = rows_of(arg[1])
scree.plot {
  file = arg[2], columns = 2,
  panels = {
    { xlabel = "inertial number", ylabel = "friction", xlog = true, legend = "top left", series = {
      measured(rows, "false", "friction", "space"), fit("Jop et al. 2006", function(i) return 0.382 + (0.643 - 0.382) / (1 + 0.279 / i) end),
      measured(rows, "true", "friction", "plane"), fit("da Cruz et al. 2005", function(i) return 0.25 + 1.1 * i end) }, yrange = { 0.2, 0.8 } },
    { xlabel = "inertial number", ylabel = "solid fraction", xlog = true, legend = "bottom left", series = {
      measured(rows, "false", "solid fraction", "space"), measured(rows, "true", "solid fraction", "plane"),
      fit("da Cruz et al. 2005", function(i) return 0.81 - 0.3 * i end) } },
  },
}
