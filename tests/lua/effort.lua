-- The unbalanced force in w:report(): almost 0 for a converged solve, a few per cent if a tower creeps, independent
-- of the units of mass and time. Also overlaps, and the statistics of solver auto.
local scree = require "scree"

-- n boxes on each other, the top one heavier; all masses times `mass`, all times times `time`
local function tower(n, top, solver, mass, time)
  mass, time = mass or 1, time or 1
  local w = scree.world { dt = 1e-3 * time, gravity = { 0, 0, -9.81 / time ^ 2 }, solver = solver }
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, n do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.1 * i - 0.05 }, mass = (i == n and top or 1) * mass } end
  return w
end

-- by hand: a ball whose contact carries half of its weight accelerates by half of g dt per step
local w = scree.world { dt = 1e-3, gravity = { 0, 0, -10 }, solver = { name = "nbgs", iterations = 1, tolerance = 0, relaxation = 0.5, warm_start = 0 } }
w:pair { "default", "default", mu = 0 }
w:halfspace { normal = { 0, 0, 1 } }
w:sphere { radius = 0.1, position = { 0, 0, 0.1 }, mass = 2 }
w:step()
local r = w:report()
-- p = m g dt/2, r = u = g dt/2: error = p g dt/2, load = p (g dt + g dt/2)
assert(math.abs(r.unbalanced - 1 / 3) < 1e-12, r.unbalanced)
assert(r.unbalanced_mean == r.unbalanced)
assert(math.abs(r.residual - 5e-3) < 1e-15, r.residual)

local exact = tower(10, 1)
exact:step(96)
r = exact:report()
assert(r.unbalanced_mean < 1e-6, r.unbalanced_mean)
assert(r.solved.newton > 0 and r.solved.untouched + r.solved.sweeps <= 96 and r.solved.unfit == 0, "what auto did")

local creeps = tower(5, 100, { name = "nbgs", iterations = 20 })
creeps:step(320)
r = creeps:report()
assert(r.unbalanced_mean > 0.01 and r.unbalanced_mean < 1, r.unbalanced_mean)
assert(r.solved.newton == 0 and r.solved.sweeps == 0, "auto did nothing here")

-- powers of two: the same numbers to the last bit
local scaled = tower(5, 100, { name = "nbgs", iterations = 20 }, 2 ^ 40, 2 ^ -10)
scaled:step(320)
assert(math.abs(scaled:report().unbalanced_mean / r.unbalanced_mean - 1) < 1e-9, "the share depends on units")

-- a law of a script, and problems that only sweeps can solve
scree.law.define { name = "mine", params = { mu = 0.3 }, base = "coulomb", state = { "steps" }, refresh = function(_, s) s.steps = s.steps + 1 end }
w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, solver = { iterations = 3 } }
w:pair { "default", "default", law = "mine" }
w:halfspace { normal = { 0, 0, 1 } }
for i = 1, 4 do w:sphere { radius = 0.1, position = { 0, 0, 0.2 * i - 0.1 }, mass = 1 } end
w:step(5)
r = w:report()
assert(r.solved.sweeps == 5 and r.solved.unfit == 5 and r.solved.newton == 0, r.solved.unfit)

-- tolerance 0: exactly the given number of sweeps, without newton
w = tower(5, 1, { iterations = 17, tolerance = 0 })
for _ = 1, 4 do
  w:step()
  assert(w:report().iterations == 17, w:report().iterations)
end
assert(w:report().solved.newton == 0 and w:report().solved.sweeps == 4)

-- overlap: penetration over half of the smallest width of the smaller body
w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 }, erp = 0 }
w:pair { "default", "default", mu = 0 }
w:box { kind = "fixed", size = { 4, 4, 4 }, position = { 0, 0, -2 } }
w:box { size = { 1, 1, 0.2 }, position = { 0, 0, 0.03 } }
w:sphere { radius = 0.5, position = { 1.5, 0, 0.4 } }
w:step()
assert(math.abs(w:report().overlap - 0.7) < 1e-9, w:report().overlap)

-- balls in a box, for which 50 sweeps do not converge: auto uses momentum, with the same bits for any number of threads
local function bed(threads)
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 }, threads = threads, solver = { tolerance = 1e-9 } }
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do w:halfspace { normal = n, point = { -0.012 * n[1], -0.012 * n[2], 0 } } end
  w:fill { region = { min = { -0.012, -0.012, 0 }, max = { 0.012, 0.012, 0.04 } }, spacing = 5.2e-3, radius = 2.5e-3, jitter = 0.1 }
  w:step(120)
  return w
end
local one, three = bed(1), bed(3)
assert(one:report().solved.momentum > 50, one:report().solved.momentum)
assert(one:hash() == three:hash(), "bits depend on threads")
