-- Tests solver.soften: rigid contacts become springs if forces do not balance.
local scree = require "scree"
local servo = require "scree.servo"
local D, DT = 2.6e-3, 1e-4 -- spacing of the grains [m], time step [s]

-- Returns a world with a column of 360 balls between six walls, 40 balls high. 30 sweeps do not carry the load from one end of the column to the other.
local function press(solver, more)
  local def = { gravity = { 0, 0, 0 }, dt = DT, solver = solver }
  for key, value in pairs(more or {}) do def[key] = value end
  local w, max = scree.world(def), { 3 * D + 1e-4, 3 * D + 1e-4, 40 * D + 1e-4 }
  w:material { name = "wall" }
  w:pair { "wall", "default", mu = 0 }
  w:pair { "wall", "wall", mu = 0 }
  w:pair { "default", "default", mu = 0.3 }
  w:fill { region = { min = { 0, 0, 0 }, max = max }, spacing = D, radius = 0.75e-3, radius_max = 1.25e-3, jitter = 0.1 }
  servo.box(w, { name = "cell", min = { 0, 0, 0 }, max = max, stress = 1e4, speed = 0.3, material = "wall" })
  return w
end
local function step(w, count)
  for _ = 1, count do
    servo.update(w)
    w:step()
  end
  return w:report()
end

-- The mean of 16 samples decides. The engine takes one sample every 32 steps.
local w = press { iterations = 30 }
local r = step(w, 511)
assert(r.unbalanced_mean > 0.01 and r.solved.softened == 0 and r.elastic == 0, r.unbalanced_mean)
r = step(w, 1)
assert(r.solved.softened == 512, r.solved.softened)

-- A restored state and a run on three threads give equal bits. The state contains the number of the step after which contacts became springs.
do
  step(w, 8)
  local state, hash = w:save()
  step(w, 40)
  hash = w:hash()
  w:restore(state)
  step(w, 40)
  assert(w:hash() == hash, "bits after restore")
  local parallel = press({ iterations = 30 }, { threads = 3 })
  step(parallel, 560)
  assert(parallel:report().solved.softened == 512 and parallel:hash() == hash, "bits on three threads")
end

-- Forces of springs balance.
r = step(w, 500)
assert(r.solved.softened == 512 and r.unbalanced_mean < 0.005 and r.elastic > 0, r.unbalanced_mean)

-- A state with springs is restored into a world that does not allow springs, and into a world with solver.softness.
for key, value in pairs { soften = false, iterations = 29, name = "nbgs", softness = 0.05 } do
  local solver = { iterations = 30 }
  solver[key] = value
  local other = press(solver)
  other:restore(w:save())
  other:step(2)
  local there = other:report()
  assert(there.solved.softened == 0 and (there.elastic > 0) == (key == "softness"), key)
end

-- Each contact between grains carries k times its overlap, k = max(1/(0.01 A dt^2), 3000 F_mean/(4 R)), A = 1/m1 + 1/m2.
do
  local normal, sum, carriers, compared = {}, 0, 0, 0
  local list = w:contacts()
  for i, c in ipairs(list) do
    normal[i] = (c.impulse[1] * c.normal[1] + c.impulse[2] * c.normal[2] + c.impulse[3] * c.normal[3]) / DT
    if normal[i] < 0 then normal[i] = -normal[i] end
    if normal[i] > 0 then sum, carriers = sum + normal[i], carriers + 1 end
  end
  local mean = sum / carriers
  for i, c in ipairs(list) do
    local a, b = c.body1, c.body2
    if c.material1 == "default" and c.material2 == "default" and normal[i] > 0.3 * mean then
      local ra, rb = a:radius(), b:radius()
      local k = math.max(1 / (0.01 * (1 / a:mass() + 1 / b:mass()) * DT ^ 2), 3000 * mean / (4 * ra * rb / (ra + rb)))
      local ratio = -c.gap * k / normal[i]
      assert(math.abs(ratio - 1) < 0.05, ratio)
      compared = compared + 1
    end
  end
  assert(compared > 200, compared)
end

-- Contacts stay rigid if solver.soften is false.
do
  local rigid = step(press { iterations = 30, soften = false }, 512)
  assert(rigid.unbalanced_mean > 0.01 and rigid.solved.softened == 0, rigid.unbalanced_mean)
end

-- Overlaps do not become elastic energy when contacts become springs. At this step a pile of 120 balls has overlaps of 1 to 4 % of the radius.
do
  local pile = scree.world { dt = 1e-3, solver = { iterations = 30 } }
  pile:pair { "default", "default", mu = 0.3 }
  pile:halfspace { normal = { 0, 0, 1 } }
  for i = 0, 119 do pile:sphere { radius = 0.01, density = 2500, position = { 0, 0, 0.01 + 0.02 * i } } end
  pile:step(512)
  local before = pile:report()
  assert(before.solved.softened == 512 and before.overlap > 0.01, before.overlap)
  for _ = 1, 60 do
    pile:step(3)
    local now = pile:report()
    assert(now.kinetic < 2 * before.kinetic, now.kinetic)
    assert(now.dissipated > 0.95 * before.dissipated, now.dissipated)
  end
end
