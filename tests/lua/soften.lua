-- Tests solver.soften: rigid contacts become springs if forces do not balance.
local scree = require "scree"
local servo = require "scree.servo"

-- Returns a world with a column of 120 balls. 30 sweeps do not carry its weight, so balls overlap by 1 to 4 % of the radius after 512 steps.
local function pile(solver, threads)
  local w = scree.world { dt = 1e-3, solver = solver, threads = threads }
  w:pair { "default", "default", mu = 0.3 }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 0, 119 do w:sphere { radius = 0.01, density = 2500, position = { 0, 0, 0.01 + 0.02 * i } } end
  return w
end

-- The mean of 16 samples decides. The engine takes one sample every 32 steps. The mean starts anew when contacts become springs.
local w = pile { iterations = 30 }
w:step(511)
local before = w:report()
assert(before.unbalanced_mean > 0.01 and before.solved.softened == 0 and before.elastic == 0, before.unbalanced_mean)
assert(before.overlap > 0.01, before.overlap)
w:step(1)
assert(w:report().solved.softened == 512, w:report().solved.softened)

-- A restored state and a run on three threads give equal bits. The state contains the number of the step after which contacts became springs.
w:step(8)
local state = w:save()
w:step(40)
local hash = w:hash()
w:restore(state)
w:step(40)
assert(w:hash() == hash, "bits after restore")
local parallel = pile({ iterations = 30 }, 3)
parallel:step(560)
assert(parallel:report().solved.softened == 512 and parallel:hash() == hash, "bits on three threads")

-- Overlaps of rigid contacts do not become elastic energy.
for _ = 1, 40 do
  local now = w:report()
  assert(now.kinetic < 2 * before.kinetic, now.kinetic)
  assert(now.dissipated > 0.95 * before.dissipated, now.dissipated)
  w:step(3)
end
assert(w:report().elastic > 0)

-- A state with springs is restored into a world that does not allow springs, and into a world with solver.softness.
for key, value in pairs { soften = false, iterations = 29, tolerance = 0, name = "nbgs", softness = 0.05 } do
  local solver = { iterations = 30 }
  solver[key] = value
  local other = pile(solver)
  other:restore(state)
  other:step(2)
  local there = other:report()
  assert(there.solved.softened == 0 and (there.elastic > 0) == (key == "softness"), key)
end
do -- contacts stay rigid if solver.soften is false
  local rigid = pile { iterations = 30, soften = false }
  rigid:step(512)
  assert(rigid:report().unbalanced_mean > 0.01 and rigid:report().solved.softened == 0)
end

do -- Contacts whose pair has a stiffness are not rigid, so nothing softens. Only the contact with the floor can be rigid.
  for _, floor in ipairs { "default", "floor" } do
    local w = scree.world { dt = 1e-3, solver = { iterations = 30 } }
    w:material { name = "floor" }
    w:pair { "default", "default", mu = 0.3, contact_stiffness = 3e6 }
    w:pair { "floor", "default", mu = 0.3 }
    w:halfspace { normal = { 0, 0, 1 }, material = floor }
    for i = 0, 119 do w:sphere { radius = 0.01, density = 2500, position = { 0, 0, 0.01 + 0.02 * i } } end
    w:step(512)
    local r = w:report()
    print(("floor %s: off by %.2g %%, softened after step %d, %d of %d contacts rigid"):format(floor, 100 * r.unbalanced_mean, r.solved.softened, r.rigid, r.active))
    assert(r.solved.softened == (floor == "floor" and 512 or 0) and r.rigid == 0, floor)
    assert(floor == "floor" or r.unbalanced_mean > 0.01, r.unbalanced_mean)
  end
end
assert(before.rigid == before.active and before.rigid == 120 and w:report().rigid == 0, before.rigid)

-- Forces of springs balance in a column of 360 balls between six walls, 40 balls high.
local D, DT = 2.6e-3, 1e-4 -- spacing of the grains [m], time step [s]
local c, max = scree.world { gravity = { 0, 0, 0 }, dt = DT, solver = { iterations = 30 } }, { 3 * D + 1e-4, 3 * D + 1e-4, 40 * D + 1e-4 }
c:material { name = "wall" }
c:pair { "wall", "default", mu = 0 }
c:pair { "wall", "wall", mu = 0 }
c:pair { "default", "default", mu = 0.3 }
c:fill { region = { min = { 0, 0, 0 }, max = max }, spacing = D, radius = 0.75e-3, radius_max = 1.25e-3, jitter = 0.1 }
servo.box(c, { name = "cell", min = { 0, 0, 0 }, max = max, stress = 1e4, speed = 0.3, material = "wall" })
local function press(count)
  for _ = 1, count do
    servo.update(c)
    c:step()
  end
  return c:report()
end
assert(press(511).unbalanced_mean > 0.01)
local r = press(500)
print(("off by %.2g %% of the load"):format(100 * r.unbalanced_mean))
assert(r.solved.softened == 512 and r.unbalanced_mean < 0.005 and r.elastic > 0, r.unbalanced_mean)

-- Each contact between grains carries k times its overlap, k = max(1/(0.01 A dt^2), 3000 F_mean/(4 R)), A = 1/m1 + 1/m2.
local normal, sum, carriers, compared = {}, 0, 0, 0
local list = c:contacts()
for i, contact in ipairs(list) do
  local p, n = contact.impulse, contact.normal
  normal[i] = math.abs(p[1] * n[1] + p[2] * n[2] + p[3] * n[3]) / DT
  if normal[i] > 0 then sum, carriers = sum + normal[i], carriers + 1 end
end
for i, contact in ipairs(list) do
  local a, b = contact.body1, contact.body2
  if contact.material1 == "default" and contact.material2 == "default" and normal[i] > 0.3 * sum / carriers then
    local ra, rb = a:radius(), b:radius()
    local k = math.max(1 / (0.01 * (1 / a:mass() + 1 / b:mass()) * DT ^ 2), 3000 * sum / carriers / (4 * ra * rb / (ra + rb)))
    local ratio = -contact.gap * k / normal[i]
    assert(math.abs(ratio - 1) < 0.08, ratio)
    compared = compared + 1
  end
end
assert(compared > 200, compared)
