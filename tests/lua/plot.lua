-- Figures from Lua: every kind of part, as file and as text; and the mistakes.
local scree = require "scree"

local function raises(words, ...) return require("check").fails(words, scree.plot, ...) end

local x, y, e, field, u, v, ax, ay = {}, {}, {}, {}, {}, {}, {}, {}
for i = 1, 50 do x[i] = i / 50 y[i] = math.sin(6 * x[i]) e[i] = 0.1 end
for j = 1, 10 do
  for i = 1, 20 do
    field[#field + 1] = (i - 5) ^ 2 + (j - 5) ^ 2 < 4 and 0 / 0 or i * j
    if i % 4 == 0 and j % 3 == 0 then ax[#ax + 1] = i / 20 ay[#ay + 1] = j / 20 u[#u + 1] = j v[#v + 1] = 1 end
  end
end

local figure = {
  title = "a test", columns = 2,
  panels = {
    { title = "field", xlabel = "x", ylabel = "y", color_label = "value", equal = true,
      image = { nx = 20, ny = 10, values = field, x = { 0, 1 }, y = { 0, 0.5 } },
      arrows = { { x = ax, y = ay, u = u, v = v } },
      shapes = { { x = { 0.2 }, y = { 0.2 }, radius = 0.05, fill = "#bbbbbb", line = "#000000" } },
      notes = { { x = 0.5, y = 0.4, text = "here", align = "left" } } },
    { xlabel = "t", yrange = { -2, 2 }, legend = "bottom left",
      series = { { name = "sine", x = x, y = y, style = "lines_points", error = e }, { x = x, y = e, style = "band", y2 = y },
                 { x = x, y = y, radius = e, value = e, style = "discs" },
                 { x = { 0, 1, 1, 0, 0 / 0 }, y = { 0, 0, 1, 0, 0 / 0 }, value = { 1, 1, 1, 1, 1 }, style = "polygons" } } },
  },
}
local name = os.tmpname() .. ".png"
figure.file = name
assert(scree.plot(figure) == name)
local file = assert(io.open(name, "rb"))
assert(file:read(4) == "\137PNG")
file:close()
os.remove(name)
figure.file = nil
local text = scree.plot(figure)
assert(text:find "sine" and #text > 500)

raises("known ends: .png, .svg, .txt", { file = "x.pdf", panels = { {} } })
raises("did you mean 'panels'", { panel = {} })
raises("plot.panels[1].series[1].y has 1 numbers where 2 are wanted", { panels = { { series = { { x = { 1, 2 }, y = { 1 } } } } } })
raises("plot.panels[1].series[1].y[2] must be a number, not a string", { panels = { { series = { { x = { 1, 2 }, y = { 1, "b" } } } } } })
raises("plot.panels[1].xrange must rise", { panels = { { xrange = { 2, 1 } } } })
raises("not '#rrggbb'", { panels = { { series = { { x = { 1 }, y = { 1 }, color = "red" } } } } })
raises("must be a list of tables", { panels = { { series = { x = { 1 }, y = { 1 } } } } })
