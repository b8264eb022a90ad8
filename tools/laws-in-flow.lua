-- Draws docs/laws-in-flow.png from docs/laws-in-flow/angles.csv. tools/figures calls it.
local scree = require "scree"
local file = assert(io.open("docs/laws-in-flow/angles.csv"))
local heads, columns = {}, {}
local head = file:read()
for name in head:gmatch '"([^"]*)"' do heads[#heads + 1] = name; columns[name] = {} end
local angle = {}
for line in file:lines() do
  local i = 0
  for value in line:gmatch "[^,]+" do
    if i == 0 then angle[#angle + 1] = tonumber(value) else table.insert(columns[heads[i]], 100 * tonumber(value)) end
    i = i + 1
  end
end
local panels = {}
for _, c in ipairs { { "channel without obstacle, icosahedron, mu 0.4", "icosahedra" }, { "channel without obstacle, box, mu 0.4", "cubes" }, { "channel without obstacle, capsule, mu 0.4", "capsules" } } do
  local x, a, b = {}, {}, {}
  for i = 1, 10 do x[i], a[i], b[i] = angle[i], columns[c[1] .. ", coulomb"][i], columns[c[1] .. ", max_dissipation"][i] end
  panels[#panels + 1] = { title = c[2] .. ", mu = 0.4", xlabel = "angle between friction and slip [deg]", ylabel = "share of friction work [%]", yrange = { 0, 105 },
    series = { { x = x, y = a, name = "Coulomb" }, { x = x, y = b, name = "maximum dissipation" } } }
end
scree.plot { file = "docs/laws-in-flow.png", columns = 3, panels = panels }
