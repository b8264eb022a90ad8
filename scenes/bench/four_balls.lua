-- Reproduces Table I of Stewart & Trinkle (1996): errors of the four balls for every law and solver next to
-- those of the paper. Figures 7 and 8 of the paper are drawn to four_balls.png in the directory.
--
--   scree lua --trust scenes/bench/four_balls.lua [DIRECTORY]
--
-- As in the paper, errors are differences from the run with h = 0.00125. The error of velocities is the
-- integral over time of the largest of the 24 components. The error of positions is the largest difference of
-- the 24 components (centres, and angles as integrals of spins) at any time. `order` is fitted to the four
-- steps of the paper. The last column is the order fitted to steps of 1/400 to 1/6400, with errors against
-- steps of 1/102400. In these runs the three balls of the row touch from the start. With the paper's gap of
-- 1e-5 m, steps of the paper close the gaps at once, but these small steps do not. The balls would then
-- collide one after the other, which is another problem with another limit.
local scree = require "scree"
local directory = arg and arg[1] or "."
local file <close> = assert(io.open(arg[0]:match "^(.*)/" .. "/../four_balls.lua"))
local scene = load(file:read "a", "=four_balls.lua")()
local STEPS, FINE, DURATION = { 0.02, 0.01, 0.005, 0.0025 }, 0.00125, 1

-- Runs the scene with the step h. Returns v (velocities and spins) and q (positions and angles) after every
-- step.
local function run(p, h)
  p.h = h
  local w, balls, v, q, angle = scree.world(scene.world(p)), {}, {}, {}, {}
  scene.setup(w, p)
  for i = 1, 4 do balls[i], angle[i] = w:find("ball" .. i), { 0, 0, 0 } end
  for k = 1, math.floor(DURATION / h + 0.5) do
    w:step()
    local vk, qk = {}, {}
    for i, ball in ipairs(balls) do
      local a, b, c = ball:velocity()
      local d, e, f = ball:spin()
      local x, y, z = ball:position()
      local t = angle[i]
      t[1], t[2], t[3] = t[1] + h * d, t[2] + h * e, t[3] + h * f
      table.move({ a, b, c, d, e, f }, 1, 6, 6 * i - 5, vk)
      table.move({ x, y, z, t[1], t[2], t[3] }, 1, 6, 6 * i - 5, qk)
    end
    v[k], q[k] = vk, qk
  end
  return { v = v, q = q, h = h }
end

local function distance(a, b)
  local largest = 0
  for i = 1, #a do largest = math.max(largest, math.abs(a[i] - b[i])) end
  return largest
end

local function errors(one, exact)
  local ratio, velocity, position = math.floor(one.h / exact.h + 0.5), 0, 0
  for k = 1, #exact.v do
    velocity = velocity + exact.h * distance(one.v[(k - 1) // ratio + 1], exact.v[k])
    if k % ratio == 0 then position = math.max(position, distance(one.q[k // ratio], exact.q[k])) end
  end
  return velocity, position
end

-- Returns the slope of log(error) against log(h) by least squares. Each h is half of the one before.
local function slope(list)
  local n, sx, sy, sxx, sxy = #list, 0, 0, 0, 0
  for k, e in ipairs(list) do
    local x, y = math.log(2) * -k, math.log(e)
    sx, sy, sxx, sxy = sx + x, sy + y, sxx + x * x, sxy + x * y
  end
  return (n * sxy - sx * sy) / (n * sxx - sx * sx)
end

local function row(law, solver, stepper)
  local p = { mu = 0.4, gap = 1e-5, law = law, solver = solver, stepper = stepper }
  local exact, text, v, q = run(p, FINE), {}, {}, {}
  for i, h in ipairs(STEPS) do
    v[i], q[i] = errors(run(p, h), exact)
    text[i] = string.format("%.4f, %.4f", v[i], q[i])
  end
  local order = string.format("%.2f, %.2f", slope(v), slope(q))
  p.gap = 0
  local finest = run(p, 1 / 102400)
  for i = 1, 5 do v[i], q[i] = errors(run(p, 1 / (200 << i)), finest) end
  print(string.format("| %s | %s | %s | %s | %s | %.2f, %.2f |", law, solver, stepper, table.concat(text, " | "), order, slope(v), slope(q)))
end

local function figures()
  local w = run({ mu = 0.4, gap = 1e-5, law = "polyhedral", solver = "lemke", stepper = "stewart_trinkle" }, 0.0025)
  local panels = { { title = "elevation", xlabel = "x [m]", ylabel = "z [m]" }, { title = "plan", xlabel = "x [m]", ylabel = "y [m]" } }
  for k, panel in ipairs(panels) do
    panel.equal, panel.legend, panel.series, panel.shapes = true, k == 1 and "top right" or "none", {}, {}
    for i = 1, 4 do
      local x, y = {}, {}
      for n, q in ipairs(w.q) do x[n], y[n] = q[6 * i - 5], q[6 * i - (k == 1 and 3 or 4)] end
      panel.series[i] = { name = "ball " .. i, x = x, y = y, width = 2 }
      panel.shapes[i] = { x = x[#x], y = y[#y], radius = 0.1, line = "#808080" }
    end
  end
  scree.plot { title = "four balls", file = directory .. "/four_balls.png", columns = 1, panels = panels }
end

print "| law | solver | stepper | h = 0.02: velocity, position | 0.01 | 0.005 | 0.0025 | order | order, small steps |\n|---|---|---|---|---|---|---|---|---|"
print "| paper | lemke | | 0.5050, 0.2505 | 0.3523, 0.2015 | 0.1657, 0.0838 | 0.0700, 0.0298 | 0.96, 1.05 | |"
for _, stepper in ipairs { "stewart_trinkle", "semi_implicit" } do
  for _, case in ipairs { "polyhedral lemke", "polyhedral nbgs", "coulomb lemke", "coulomb nbgs", "coulomb apgd", "coulomb spg", "max_dissipation nbgs", "cone nbgs",
    "cone apgd", "cone spg" } do
    local law, solver = case:match "(%S+) (%S+)"
    row(law, solver, stepper)
  end
end
figures()
