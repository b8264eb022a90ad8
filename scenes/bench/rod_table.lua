-- The rod on the table (Stewart & Trinkle 1996, section 4). Draws Figures 2 to 5 of the paper to
-- rod_table.png in the directory, and prints a table of errors against the exact events, for the paper's time
-- stepping and for the semi-implicit one.
--
--   scree lua --trust scenes/bench/rod_table.lua [DIRECTORY]
--
-- The error of a run depends on where within a step the impact falls. Each row is therefore the mean over 64
-- runs. Their starts are spread evenly over a step, each with the exact state of free flight. `extrapolated`
-- is twice the mean for h minus the mean for 2 h.
local scree = require "scree"
local directory = arg and arg[1] or "."
local file <close> = assert(io.open(arg[0]:match "^(.*)/" .. "/../rod_table.lua"))
local scene = load(file:read "a", "=rod_table.lua")()
local EXACT = { first = 0.385817752, second = 0.547318420, rest = 0.566342754, x = -0.227359983, vx = -1.390096118, vz = -0.612948534, spin = 5.151087899 }
local NAMES = { "vx", "vz", "spin", "first", "second", "rest", "x" }

local function world(p)
  local def = scene.world(p)
  def.stepper, def.erp = p.stepper, 1
  local w = scree.world(def)
  scene.setup(w, p)
  return w
end

-- Sets up the rod with the exact state of free flight at the time `delay`.
local function delay_start(w, delay)
  local rod, angle = w:find "rod", math.rad(15) + 2 * delay
  local c, s = math.cos(angle) * math.sqrt(0.5), math.sin(angle) * math.sqrt(0.5)
  rod:set_position(0, 0, 1 - 9.81 * delay ^ 2 / 2)
  rod:set_velocity(0, 0, -9.81 * delay)
  rod:set_orientation(c + s, 0, c - s, 0)
end

-- Returns the errors of one run. Velocities are extrapolated from the two steps after the impact back to the
-- instant of the impact.
local function run(p, delay)
  local w, wrong = world(p), {}
  delay_start(w, delay)
  while w:time() < 0.6 do
    w:step()
    scene.after_step(w, p)
  end
  local s = w.state
  for k, name in ipairs { "vx", "vz", "spin" } do
    wrong[name] = s.after[k + 1] + s.slope[k + 1] * (EXACT.first - delay - s.after[1]) - EXACT[name]
  end
  for _, name in ipairs { "first", "second", "rest" } do wrong[name] = s[name] + delay - EXACT[name] end
  wrong.x = w:find("rod"):position() - EXACT.x
  return wrong
end

local function mean(p)
  local sum = {}
  for k = 0, 63 do
    local wrong = run(p, k / 64 * p.h)
    for _, name in ipairs(NAMES) do sum[name] = (sum[name] or 0) + wrong[name] / 64 end
  end
  return sum
end

local function row(label, values)
  local out = { label }
  for k, name in ipairs(NAMES) do out[k + 1] = string.format("%.1e", values[name]) end
  return "| " .. table.concat(out, " | ") .. " |"
end

local function study(stepper)
  print("\n" .. stepper .. "\n\n| h | " .. table.concat(NAMES, " | ") .. " |\n|" .. ("---|"):rep(#NAMES + 1))
  local coarse
  for _, n in ipairs { 400, 800, 1600, 3200 } do
    local m, better = mean { h = 1 / n, substeps = 1, mu = 0.6, solver = "lemke", stepper = stepper }, {}
    print(row("1/" .. n, m))
    for _, name in ipairs(NAMES) do better[name] = coarse and 2 * m[name] - coarse[name] end
    if coarse then print(row("1/" .. n .. " extrapolated", better)) end
    coarse = m
  end
  print(row("1/1600, one run", run({ h = 1 / 1600, substeps = 1, mu = 0.6, solver = "lemke", stepper = stepper }, 0)))
  print(row("1/1600, one run, 16 substeps", run({ h = 1 / 1600, substeps = 16, mu = 0.6, solver = "lemke", stepper = stepper }, 0)))
end

-- Returns the rod's axis as a line for the plot.
local function outline(w)
  local q, x, _, z = { w:find("rod"):orientation() }, w:find("rod"):position()
  local ax, az = (q[2] * q[4] + q[1] * q[3]) / 2, (1 - 2 * (q[2] ^ 2 + q[3] ^ 2)) / 4
  return { x = { x - ax, x + ax }, y = { z - az, z + az }, width = 3, color = "#4060a0" }
end

local function figures()
  local panels = { { title = "the rod every 0.05 s", xlabel = "x [m]", ylabel = "z [m]", equal = true, legend = "none", series = {} } }
  for i, name in ipairs { "horizontal velocity [m/s]", "vertical velocity [m/s]", "spin [rad/s]" } do
    panels[i + 1] = { xlabel = "time [s]", ylabel = name, legend = i == 3 and "top left" or "none", series = {} }
  end
  for _, h in ipairs { 0.02, 0.01, 0.005, 0.0025, 0.00125 } do
    local w, t, v = world { h = h, substeps = 1, mu = 0.6, solver = "lemke", stepper = "stewart_trinkle" }, {}, { {}, {}, {} }
    for k = 1, math.floor(0.7 / h + 0.5) do
      w:step()
      local vx, _, vz = w:find("rod"):velocity()
      t[k], v[1][k], v[2][k] = w:time(), vx, vz
      v[3][k] = -select(2, w:find("rod"):spin())
      if h == 0.00125 and k % 40 == 0 then table.insert(panels[1].series, outline(w)) end
    end
    for i = 1, 3 do table.insert(panels[i + 1].series, { name = "h = " .. h, x = t, y = v[i] }) end
  end
  scree.plot { title = "falling and spinning rod", file = directory .. "/rod_table.png", columns = 2, panels = panels }
end

study "stewart_trinkle"
study "semi_implicit"
figures()
