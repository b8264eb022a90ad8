-- Contacts with stiffness in all kinds of worlds: the energy balance of bouncing heaps, substeps, planar worlds, cells, rolling, cohesion, bonds, states and threads.
local scree = require "scree"
local check = require "check"
local G, NONE = 9.81, { 0, 0, 0 }

local function sum(r) return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction end
local function world(def, pair)
  def.gravity, def.dt = def.gravity or { 0, 0, -G }, def.dt or 1e-3
  local w = scree.world(def)
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  return w
end
local function closes(what, w, steps)
  local r = w:report()
  local start, scale, elastic = sum(r), 0, 0
  for step = 1, steps do
    w:step()
    r = w:report()
    for _, key in ipairs { "kinetic", "potential", "elastic", "dissipated", "work", "correction" } do scale = math.max(scale, math.abs(r[key])) end
    elastic = math.max(elastic, r.elastic)
    if not (math.abs(sum(r) - start) <= 1e-12 * scale) then error(("%s, step %d: the balance is off by %.3g of its largest term"):format(what, step, math.abs(sum(r) - start) / scale)) end
  end
  assert(elastic > 1e-6 * scale, what .. ": contacts hold elastic energy")
  return r
end

-- ---- the balance ----

local function heap(w)
  w:halfspace { normal = { 0, 0, 1 }, surface_velocity = { 0.4, 0.1, 0 } }
  w:halfspace { normal = { -1, 0, 0 }, point = { 0.6, 0, 0 } }
  for i = 1, 4 do w:box { size = { 0.1, 0.08, 0.12 }, position = { 0.03 * (i % 3) + 0.1, 0.01 * (i % 4), 0.16 * i }, spin = { i, 2, 1 } } end
  for i = 1, 5 do w:sphere { radius = 0.05, position = { 0.3 + 0.01 * i, 0, 0.12 * i } } end
  w:capsule { radius = 0.03, length = 0.2, position = { -0.2, 0, 0.4 }, velocity = { 0, 0, -1 } }
end
for i, pair in ipairs {
  { mu = 0.3, contact_stiffness = 2e4 }, { mu = 0.3, contact_stiffness = 2e4, relaxation_time = 5e-3 }, { mu = 0.3, young = 2e6, poisson = 0.3, stiffness_law = "hertz" },
  { mu = 0.3, hardness = 100 }, { mu = 0.3, softness = 1 }, { mu = 0.3, rolling = 0.002, torsion = 0.001, contact_stiffness = 2e4 },
  { mu = 0.3, restitution = 0.5, contact_stiffness = 2e4 }, { mu = 0.3, law = "max_dissipation", contact_stiffness = 2e4, stiffness_ratio = 0.3 },
  { mu = 0.3, cohesion_law = "jkr", work = 0.5, contact_stiffness = 2e4 },
} do
  for _, substeps in ipairs { 1, 4 } do
    local w = world({ substeps = substeps }, pair)
    heap(w)
    closes(("heap %d, substeps %d"):format(i, substeps), w, 200)
  end
end
do -- an elastic ball that bounces under gravity has its energy back with a small step
  local w = world({ dt = 1e-5 }, { mu = 0, contact_stiffness = 1e5 })
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.05, mass = 1, position = { 0, 0, 0.051 } }
  local r = closes("a ball that bounces", w, 4000)
  -- an implicit step takes pi omega dt of the energy per contact; about two contacts lie in 40 ms
  assert(r.dissipated > 0 and r.dissipated < 4 * math.pi * math.sqrt(1e5) * 1e-5 * G * 1e-3, "little is lost")
  assert(ball:mass() == 1)
end

-- ---- planar worlds ----

do -- discs in a planar world and balls kept in the plane by symmetry move alike
  local place = {}
  for planar = 0, 1 do
    local w = world({ plane = planar == 1 and { 0, 1, 0 } or nil, solver = { tolerance = 1e-12, iterations = 5000 } }, { mu = 0.4, contact_stiffness = 1e4 })
    w:halfspace { normal = { 0, 0, 1 } }
    local balls = {}
    for i = 1, 4 do balls[i] = w:sphere { radius = 0.05, mass = 1, position = { 0.02 * i, 0, 0.11 * i - 0.05 } } end
    w:step(150)
    for i = 1, 4 do
      local x, y, z = balls[i]:position()
      if planar == 0 then place[i] = { x, z } else
        check.within(x, place[i][1], 1e-9, "x in a plane")
        check.within(z, place[i][2], 1e-9, "z in a plane")
        check.within(y, 0, 1e-15, "y in a plane")
      end
    end
  end
end

-- ---- cells ----

do -- a cubic lattice in a cell under pressure: each contact carries p d^2, so the side shrinks by p d/k
  local d, k, p, n = 0.02, 1e4, 200, 3
  local w = world({ gravity = NONE, cell = { size = { n * d, n * d, n * d }, periodic = { true, true, true } }, solver = { tolerance = 1e-10, iterations = 1000 } }, { mu = 0.5, contact_stiffness = k, relaxation_time = 2e-3 })
  for x = 0, n - 1 do for y = 0, n - 1 do for z = 0, n - 1 do w:sphere { radius = d / 2, density = 2500, position = { d * x, d * y, d * z } } end end end
  local cell = w:cell()
  cell:set_stress { { p, false, false }, { false, p, false }, { false, false, p } }
  w:step(1000)
  local side = cell:volume() ^ (1 / 3) / n
  check.within((d - side) / (p * side * side / k), 1, 1e-3, "overlap of a lattice under pressure")
end

-- ---- rolling and torsion ----

do -- a ball that spins on a plane about the normal slows by the moment torsion m g, whatever the stiffness
  for _, k in ipairs { 1e4, 1e6 } do
    local m, R, torsion, spin = 1, 0.05, 1e-3, 20
    local w = world({ solver = { tolerance = 1e-10 } }, { mu = 0.5, torsion = torsion, contact_stiffness = k })
    w:halfspace { normal = { 0, 0, 1 } }
    local ball = w:sphere { radius = R, mass = m, position = { 0, 0, R - m * G / k }, spin = { 0, 0, spin } }
    w:step(500)
    local _, _, turn = ball:spin()
    check.within(turn, spin - torsion * m * G * 0.5 / (0.4 * m * R ^ 2), 1e-3, "torsion on a spring")
  end
  -- A rolling ball slows by rolling m g/(m r + I/r). r: distance from the centre to the contact point, which lies in the middle of the overlap.
  for _, k in ipairs { 1e5, 1e6 } do
    local m, R = 1, 0.05
    local r = R - m * G / k / 2
    local w = world({ solver = { tolerance = 1e-10 } }, { mu = 0.5, rolling = 1e-3, contact_stiffness = k })
    w:halfspace { normal = { 0, 0, 1 } }
    local ball = w:sphere { radius = R, mass = m, position = { 0, 0, R - m * G / k }, velocity = { 1, 0, 0 }, spin = { 0, 1 / r, 0 } }
    w:step(500)
    check.within(ball:velocity(), 1 - 1e-3 * m * G * 0.5 / (m * r + 0.4 * m * R ^ 2 / r), 1e-3 * 0.07, "rolling on a spring")
  end
end

-- ---- cohesion ----

do -- two balls hang on a fixed one by a pull of 3/2 pi work R; a load above it tears them off
  for _, case in ipairs { { 0.9, true }, { 1.1, false } } do
    local R, work = 0.01, 1
    local w = world({ solver = { tolerance = 1e-10 } }, { mu = 0.5, cohesion_law = "jkr", work = work, contact_stiffness = 1e4 })
    local pull = 1.5 * math.pi * work * R / 2
    w:sphere { radius = R, position = { 0, 0, 0 }, kind = "fixed" }
    local ball = w:sphere { radius = R, mass = case[1] * pull / G, position = { 0, 0, -2 * R } }
    w:step(500)
    local _, _, z = ball:position()
    assert((z > -2.05 * R) == case[2], ("cohesion with a load of %g of the pull"):format(case[1]))
  end
end

-- ---- bonds ----

do -- a bonded pair of balls lies on a plane: each sinks by m g/k, the bond is at rest
  local R, m, k = 0.02, 0.1, 1e4
  local w = world({ solver = { tolerance = 1e-10, iterations = 2000 } }, { mu = 0.5, contact_stiffness = k })
  w:halfspace { normal = { 0, 0, 1 } }
  local a = w:sphere { radius = R, mass = m, position = { 0, 0, R } }
  local b = w:sphere { radius = R, mass = m, position = { 2 * R, 0, R } }
  w:bond { bodies = { a, b }, distance = "10 um", young = "10 MPa", damping = 1e-3 }
  w:step(2000)
  for _, ball in ipairs { a, b } do
    local _, _, z = ball:position()
    check.within((R - z) / (m * G / k), 1, 1e-4, "a bonded ball on a spring")
  end
end

-- ---- states, clones and threads ----

do
  local hash
  for _, threads in ipairs { 1, 3 } do
    local w = world({ threads = threads, solver = { contacts_per_thread = 1 } }, { mu = 0.4, contact_stiffness = 2e4, relaxation_time = 1e-3 })
    heap(w)
    w:step(100)
    local state = w:save()
    w:step(100)
    hash = hash or w:hash()
    assert(w:hash() == hash, "bits with " .. threads .. " threads")
    local copy = w:clone()
    w:restore(state)
    w:step(100)
    assert(w:hash() == hash, "bits after restore")
    copy:restore(state)
    copy:step(100)
    assert(copy:hash() == hash, "bits of a clone")
    local file = os.tmpname()
    state:write(file)
    w:restore(scree.read_state(file))
    os.remove(file)
    w:step(100)
    assert(w:hash() == hash, "bits after a file")
  end
end
