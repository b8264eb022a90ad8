-- Figures of docs/motion.md: error and change of energy of known motions against the step size.
-- usage: build/release/scree lua --trust tools/motion.lua write      fills the table and draws docs/motion.png
--                                                     ... check      fails if the table differs from the present results
local scree = require "scree"

local motions = assert(load(assert(io.open "tests/lua/lib/motions.lua"):read "a"))()
local PAGE, BEGIN, END = "docs/motion.md", "<!-- figures: tools/motion.lua write -->\n", "<!-- end of figures -->\n"
local steps = { 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4 }
local rows = {
  { "pendulum", "pendulum of 90 degrees", "period", "over m g l" },
  { "double_pendulum", "double pendulum", "place after 2 s [m]", "over 2 m g l" },
  { "top_on_joint", "top on a ball joint, 200 rad/s", "tilt after a slow turn [degrees]", "kinetic" },
  { "top_on_point", "the same on a point of contact", "tilt [degrees]", "kinetic" },
  { "disk", "Euler's disk at 20 degrees", "height after 0.5 s", "all" },
  { "dzhanibekov", "free box that flips", "angle after 5 s [rad]", "kinetic" },
}

local function measure()
  local found = {}
  for _, row in ipairs(rows) do
    local name, errors, energies = row[1], {}, {}
    for i, dt in ipairs(steps) do errors[i], energies[i] = motions[name](dt) end
    found[#found + 1] = { row[2], row[3], errors }
    found[#found + 1] = { row[2], "energy, " .. row[4], energies }
  end
  return found
end

-- Returns the order of convergence over the last three steps; "rounding" if only rounding errors are left.
local function slope(values)
  local first, last = values[#values - 2], values[#values]
  if last < 1e-10 then return "rounding" end
  return ("%.2f"):format(math.log(first / last) / math.log(steps[#steps - 2] / steps[#steps]))
end

local function table_of(found)
  local lines = { "| | error of |", "|---|---|" }
  for _, dt in ipairs(steps) do lines[1], lines[2] = lines[1] .. (" %g ms |"):format(dt * 1e3), lines[2] .. "---|" end
  lines[1], lines[2] = lines[1] .. " slope |", lines[2] .. "---|"
  for _, row in ipairs(found) do
    local line = ("| %s | %s |"):format(row[1], row[2])
    for _, value in ipairs(row[3]) do line = line .. (value < 1e-10 and " < 1e-10 |" or (" %.1e |"):format(value)) end
    lines[#lines + 1] = line .. " " .. slope(row[3]) .. " |"
  end
  return table.concat(lines, "\n") .. "\n"
end

local function read()
  local file <close> = assert(io.open(PAGE))
  local text = file:read "a"
  local from, to = select(2, text:find(BEGIN, 1, true)), text:find(END, 1, true)
  assert(from and to, PAGE .. " has no place for figures")
  return text, from, to
end

local function draw(found)
  local panels = {}
  for part, title in ipairs { "error", "change of energy" } do
    local series = {}
    for i = part, #found, 2 do
      local x, y = {}, {}
      for k, value in ipairs(found[i][3]) do
        if value > 1e-10 then x[#x + 1], y[#y + 1] = steps[k] * 1e3, value end
      end
      if #x > 1 then series[#series + 1] = { x = x, y = y, name = found[i][1], style = "lines_points" } end
    end
    panels[part] = { title = title, xlabel = "step [ms]", xlog = true, ylog = true, yrange = { 1e-12, 1 }, series = series,
      legend = part == 1 and "bottom right" or "none" }
  end
  scree.plot { file = "docs/motion.png", panels = panels, columns = 2, width = 1100 }
end

local mode = ... or "show"
local found = measure()

local text, from, to = read()
if mode == "write" then
  local file <close> = assert(io.open(PAGE, "w"))
  file:write(text:sub(1, from), table_of(found), text:sub(to))
  draw(found)
elseif mode == "check" then
  local old, new = {}, {}
  for value in text:sub(from + 1, to - 1):gmatch "%d%.%de[-+]%d+" do old[#old + 1] = tonumber(value) end
  for value in table_of(found):gmatch "%d%.%de[-+]%d+" do new[#new + 1] = tonumber(value) end
  assert(#old == #new, "other rows than in " .. PAGE)
  for i, value in ipairs(new) do assert(math.abs(value - old[i]) <= 0.1 * value, ("%s says %g, found %g"):format(PAGE, old[i], value)) end
  print(#new .. " figures are as " .. PAGE .. " says")
else
  print(table_of(found))
end
