-- The energy balance of cells: their motion does work, and only contacts dissipate energy.
local scree = require "scree"
local function sum(r) return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction end
local near = require("check").within

local function sample(dt, pair, shape)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt, losses = true, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } }, solver = { tolerance = 1e-5, iterations = 200 } }
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  w:fill { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0.25, radius = 0.1, radius_max = 0.12, jitter = 0.02, shape = shape }
  return w
end

-- In every step the energy balance holds, and the losses of contacts are those of the bodies.
local function closes(w, steps, what)
  local start, scale, last = sum(w:report()), 0, -math.huge
  for _ = 1, steps do
    w:step()
    local r = w:report()
    scale = math.max(scale, r.kinetic + math.abs(r.work) + r.dissipated)
    near(sum(r), start, 1e-11 * scale, what)
    near(w:losses()[1] and w:losses()[1].energy or 0, r.dissipated, 1e-11 * scale, what .. ": losses")
    last = r.dissipated
  end
  return last
end

for _, dt in ipairs { 2e-3, 5e-4 } do
  for _, pair in ipairs { { mu = 0.4 }, { mu = 0.2, restitution = 0.7 } } do
    local w = sample(dt, pair)
    local still = w:report().kinetic
    w:cell():set_velocity_gradient { { 0, 4, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } -- bodies take it up: work
    local r = w:report()
    near(r.work, r.kinetic - still, 1e-12 * r.kinetic, "work of taking up a flow")
    closes(w, 0.1 / dt, "simple shear")
    w:cell():set_velocity_gradient({ { -1, 0, 0 }, { 0, 2, 0 }, { 0, 0.5, -1 } }, false)
    local lost = closes(w, 0.1 / dt, "elongation")
    assert(lost > 0)
  end
  local w = sample(dt, { mu = 0.3 })
  local cell, P = w:cell(), 100
  cell:set_stress { { P, false, false }, { false, P, false }, { false, false, P } }
  closes(w, 0.2 / dt, "compression by stress")
  cell:set_velocity_gradient { { 0, 1, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  cell:set_stress { { false, false, false }, { false, P, false }, { false, false, false } }
  closes(w, 0.2 / dt, "shear at a normal stress")
end

do -- position corrections also rotate boxes
  local w = sample(1e-3, { mu = 0.4 }, { type = "box", size = { 0.16, 0.2, 0.18 } })
  w:cell():set_velocity_gradient { { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }
  closes(w, 60, "boxes are squeezed")
end

do -- the dissipation rate of a steady flow is the power of its stress, -V s:L
  local dt, w = 2e-3, sample(2e-3, { mu = 0.4 })
  local cell = w:cell()
  cell:set_velocity_gradient { { 0, 2, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  w:step(200)
  local function heat()
    local _, kinetic = cell:stress()
    local sum, mass, spin, radius = cell:volume() * (kinetic[1][1] + kinetic[2][2] + kinetic[3][3]) / 2, w:view "mass", w:view "spin", w:view "radius"
    for i = 1, #mass do
      local x, y, z = spin:get(i)
      sum = sum + 0.2 * mass:get(i) * radius:get(i) ^ 2 * (x * x + y * y + z * z)
    end
    return sum
  end
  local before, by_stress, first = w:report().dissipated, 0, heat()
  for _ = 1, 1500 do
    w:step()
    by_stress = by_stress - 2 * cell:volume() * cell:stress()[1][2] * dt
  end
  local lost = w:report().dissipated - before
  print("power of the stress", by_stress, "lost", lost, "fluctuations", heat() - first)
  assert(lost > 0 and math.abs(by_stress / (lost + heat() - first) - 1) < 2e-3)
end
print "accounts of cells close"
