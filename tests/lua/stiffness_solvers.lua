-- Contacts with stiffness have one answer: all solvers find the same forces from the same state, for balls, boxes and capsules.
local scree = require "scree"

local SOLVERS = { { name = "nbgs" }, { name = "nbgs", acceleration = true }, { name = "auto" }, { name = "newton" }, { name = "apgd" }, { name = "spg" }, { name = "pgs" } }

-- Grains that fall into a narrow box.
local function build(shape, pair, solver)
  solver.iterations, solver.tolerance = 20000, 1e-12
  local w, number = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = solver }, 1
  local keys = { "default", "default" }
  for key, value in pairs(pair) do keys[key] = value end
  w:pair(keys)
  w:halfspace { normal = { 0, 0, 1 } }
  for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do w:halfspace { normal = n, point = { -0.04 * n[1], -0.04 * n[2], 0 } } end
  local function random()
    number = number * 16807 % 2147483647
    return number / 2147483647
  end
  for layer = 0, 2 do
    for x = -1, 1, 2 do
      for y = -1, 1, 2 do
        local def = { position = { 0.019 * x + 0.004 * random(), 0.019 * y + 0.004 * random(), 0.02 + 0.036 * layer }, density = 2500 }
        if shape == "sphere" then
          def.radius = 0.015 + 0.002 * random()
        else
          def.axis, def.angle = { random(), random(), random() }, 2 * random()
          if shape == "box" then def.size = { 0.024 + 0.004 * random(), 0.026, 0.022 } else def.radius, def.length = 0.01, 0.01 end
        end
        w[shape](w, def)
      end
    end
  end
  return w
end

-- Impulses of all contacts, and the largest.
local function impulses(w)
  local list, largest = {}, 1e-4 -- about the weight of a grain times dt
  for c in w:contacts() do
    for k = 1, 3 do
      list[#list + 1] = c.impulse[k]
      largest = math.max(largest, math.abs(c.impulse[k]))
    end
  end
  return list, largest
end

-- Compares one step from states of the first solver. The last state has many contacts.
local function compare(what, shape, pair, solvers, steps)
  local first, others, most = build(shape, pair, solvers[1]), {}, 0
  for i = 2, #solvers do others[i] = build(shape, pair, solvers[i]) end
  for step = 1, steps do
    local state = step % 6 == 0 and first:save()
    first:step()
    if state then
      local expected, scale = impulses(first)
      most = math.max(most, #expected / 3)
      for i = 2, #solvers do
        others[i]:restore(state)
        others[i]:step()
        local found = impulses(others[i])
        assert(#found == #expected, what .. ": other contacts")
        for k = 1, #found do
          if not (math.abs(found[k] - expected[k]) <= 1e-8 * scale) then
            error(("%s, %s, solver %s%s, step %d: impulses differ by %.3g of the largest"):format(
              what, shape, solvers[i].name, solvers[i].acceleration and " with momentum" or "", step, math.abs(found[k] - expected[k]) / scale))
          end
        end
      end
    end
  end
  assert(most >= 10, what .. ": few contacts")
end

for _, shape in ipairs { "sphere", "box", "capsule" } do
  compare("stiffness", shape, { mu = 0.5, contact_stiffness = 2e4 }, SOLVERS, 150)
  compare("young and a relaxation time", shape, { mu = 0.5, young = 1e7, poisson = 0.2, relaxation_time = 1e-3 }, SOLVERS, 120)
  local frictionless = { { name = "nbgs" }, { name = "lemke" }, { name = "newton" }, { name = "apgd" } }
  compare("without friction", shape, { law = "frictionless", contact_stiffness = 2e4 }, frictionless, 150)
end
-- moments of balls
compare("rolling and torsion", "sphere", { mu = 0.5, rolling = 1e-3, torsion = 1e-3, contact_stiffness = 2e4 }, { { name = "nbgs" }, { name = "auto" }, { name = "newton" }, { name = "pgs" } }, 150)
