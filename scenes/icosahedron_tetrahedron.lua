-- The impact of an icosahedron and a tetrahedron (Jia & Wang 2016, Figures 3 to 8 and 10): the table of events of every variant beside the paper's, and
-- the figures: hodographs with their invariant directions, the impulse curve, and two bundles of hodographs. The numbers are an exact
-- solution; the paper's event l (straight sliding) comes from a tolerance, here the parameter `line` in degrees.
local scree = require "scree"

-- printed W, symmetrised, and the velocity that the printed bodies have at the contact
local W = { { 11.5984, -0.910367, 2.442355 }, { -0.910367, 9.90134, 1.957465 }, { 2.442355, 1.957465, 2.59042 } }
local V, E = { -0.2619758, 0.3863284, -0.0771748 }, 0.95

-- figure, mu, change of the icosahedron's velocity, sequence as printed
local variants = {
  { "4a", 0.8, { 0, 0, 0 }, "csr" }, { "4b", 0.4, { 0, 0, -0.75 }, "lscr" }, { "4c", 0.25, { 0, 0, -0.75 }, "clr" },
  { "4d", 3, { 0, 0, -0.45 }, "scr" }, { "7", 0.25, { -0.6, -0.85, -1.45 }, "scr" }, { "10a", 0.35, { 0, 0, -0.75 }, "lcsr" },
  { "10b", 0.25, { 0, 0, -1.95 }, "lcr" }, { "10c", 0.55, { 0, 0, -0.05 }, "clsr" },
}

local function solve(variant, line, points)
  local v = {}
  for i = 1, 3 do v[i] = V[i] + variant[3][i] end
  return scree.impact.solve { W = W, v = v, mu = variant[2], e = E, line_tolerance = math.rad(line), hodograph = points }
end

local function column(points, part, i)
  local list = {}
  for k, point in ipairs(points) do list[k] = point[part][i] end
  return list
end

local function events(r)
  local list = {}
  for i, event in ipairs(r.events) do list[i] = string.format("%s %.10f", event.name, event.normal_impulse) end
  return table.concat(list, "  ")
end

local function table_of_events(line)
  local lines = { string.format("%-5s %-5s %-8s %-8s %-8s %s\n", "fig.", "mu", "printed", "line", "exact", "normal impulses of the exact events [N s]") }
  for _, variant in ipairs(variants) do
    local exact = solve(variant, 0)
    lines[#lines + 1] = string.format("%-5s %-5g %-8s %-8s %-8s %s%s\n", variant[1], variant[2], variant[4], solve(variant, line).sequence, exact.sequence, events(exact),
                                      exact.condition and "" or "   (breaks the impact-solution condition)")
  end
  return table.concat(lines)
end

-- one hodograph: the curve, the invariant directions (blue to rest, red away from it), events
local function hodograph(variant)
  local r = solve(variant, 0, 600)
  local x, y = column(r.hodograph, "velocity", 1), column(r.hodograph, "velocity", 2)
  local reach, series, notes = 0, {}, {}
  for i = 1, #x do reach = math.max(reach, math.abs(x[i]), math.abs(y[i])) end
  for _, d in ipairs(scree.impact.directions { W = W, mu = variant[2] }) do
    series[#series + 1] = { style = "lines", dashed = true, color = d.rate < 0 and "#3366cc" or "#cc2222", x = { 0, d[1] * reach }, y = { 0, d[2] * reach } }
  end
  series[#series + 1] = { style = "lines", width = 2, color = "#222222", x = x, y = y }
  for _, event in ipairs(r.events) do
    for i, point in ipairs(r.hodograph) do
      if math.abs(point.impulse[3] - event.normal_impulse) <= 1e-9 * event.normal_impulse then
        series[#series + 1] = { style = "points", color = "#118833", x = { x[i] }, y = { y[i] } }
        notes[#notes + 1] = { x = x[i], y = y[i], text = " " .. event.name, align = "left" }
        break
      end
    end
  end
  return { title = "Figure " .. variant[1] .. ": mu = " .. variant[2] .. ", " .. r.sequence, xlabel = "v_x [m/s]", ylabel = "v_y [m/s]", equal = true, legend = "none", series = series, notes = notes }
end

-- Figures 6 and 8: hodographs from unit slips in many directions
local function bundle(figure, mu, vz, count)
  local series = {}
  for _, d in ipairs(scree.impact.directions { W = W, mu = mu }) do
    series[#series + 1] = { style = "lines", dashed = true, color = d.rate < 0 and "#3366cc" or "#cc2222", x = { 0, d[1] }, y = { 0, d[2] } }
  end
  for i = 1, count do
    local angle = 2 * math.pi * i / count
    local r = scree.impact.solve { W = W, v = { math.cos(angle), math.sin(angle), vz }, mu = mu, e = E, hodograph = 600 }
    series[#series + 1] = { style = "lines", color = "#222222", x = column(r.hodograph, "velocity", 1), y = column(r.hodograph, "velocity", 2) }
  end
  return { title = "Figure " .. figure .. ": mu = " .. mu .. ", v_z = " .. vz, xlabel = "v_x [m/s]", ylabel = "v_y [m/s]", equal = true, legend = "none", series = series }
end

local function impulse_curve()
  local r = solve(variants[1], 0, 600)
  local z, series = column(r.hodograph, "impulse", 3), {}
  for i, name in ipairs { "I_x", "I_y" } do series[i] = { name = name, style = "lines", width = 2, x = z, y = column(r.hodograph, "impulse", i) } end
  return { title = "Figure 5: impulse", xlabel = "I_z [N s]", ylabel = "tangential impulse [N s]", legend = "bottom left", series = series }
end

local function energy_curve()
  local r, x, y = solve(variants[1], 0, 600), {}, {}
  for i, point in ipairs(r.hodograph) do x[i], y[i] = point.impulse[3], point.energy end
  return { title = "Figure 4a: energy at the contact", xlabel = "I_z [N s]", ylabel = "E [J]", legend = "none", series = { { style = "lines", width = 2, x = x, y = y } } }
end

return {
  title = "icosahedron and tetrahedron",
  params = { line = 5 }, -- angle of event l [deg]
  world = { gravity = { 0, 0, 0 }, dt = 1 },
  setup = function() end,
  stop = { steps = 1 },
  report = function(w, p, out)
    out:write("events.txt", table_of_events(p.line))
    local panels = {}
    for i, variant in ipairs(variants) do panels[i] = hodograph(variant) end
    pcall(scree.plot, { title = "hodographs", file = "hodographs.png", columns = 3, panels = panels })
    pcall(scree.plot, { title = "impulse curve and bundles", file = "impact.png", columns = 2,
                        panels = { impulse_curve(), energy_curve(), bundle("6", 0.8, -0.2, 15), bundle("8", 0.25, -0.8, 13) } })
    local r = solve(variants[1], 0)
    local figures = { { "impulse [printed, a coarse run]", string.format("(%.9f, %.9f, %.9f) [(-0.00326657, -0.0592263, 0.1007)]", table.unpack(r.impulse)) } }
    for _, variant in ipairs(variants) do
      local exact = solve(variant, 0)
      figures[#figures + 1] = { "figure " .. variant[1] .. " [printed]", exact.sequence .. " [" .. variant[4] .. "]  " .. events(exact) }
    end
    return figures
  end,
}
