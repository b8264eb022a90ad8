-- Sizes in w:fill and the inflow follow the curve by number or by mass, as measured by w:grading; a seed gives the same grains.
local scree = require "scree"
local inflow = require "scree.inflow"
local check = require "check"
local fails = check.fails

local function bed(sizes, edge, spacing)
  local w = scree.world { gravity = { 0, 0, 0 } }
  local count = w:fill { region = { min = { 0, 0, 0 }, max = { edge, edge, edge } }, spacing = spacing or 0.01, sizes = sizes }
  return w, count
end

-- a sieve curve by mass: the masses on the sieves are the given ones, within a hundredth of the mass
local curve = { by = "mass", passing = { { "2 mm", 0 }, { 0.004, 0.25 }, { 0.006, 0.4 }, { 0.008, 0.9 }, { 0.01, 1 } } }
local w, count = bed(curve, 0.2)
assert(count == 8000)
local g = w:grading { sieves = { 0.002, "4 mm", 0.006, 0.008, 0.01 }, target = curve }
assert(g.grains == 8000 and g.by_mass[1] == 0 and g.by_number[5] == 1 and g.min >= 0.002 and g.max <= 0.01)
for i, share in ipairs { 0, 0.25, 0.4, 0.9, 1 } do
  assert(math.abs(g.target[i] - share) < 1e-12)
  assert(math.abs(g.by_mass[i] - share) < 0.01, g.by_mass[i])
end
assert(g.distance < 0.01, g.distance)
assert(math.abs(g.d50 - 0.0064) < 1e-4 and math.abs(g.d10 - 0.0028) < 1e-4 and math.abs(g.d90 - 0.008) < 1e-4)
-- the same shares by number are other grains
local n = bed({ by = "number", passing = curve.passing }, 0.2):grading { target = curve }
assert(n.distance > 0.2 and n.d10 > 0.005)

-- the same seed gives the same grains; the next fill of a world gives others
assert(w:hash() == bed(curve, 0.2):hash())
local twice = scree.world {}
for i = 0, 1 do twice:fill { region = { min = { i, 0, 0 }, max = { i + 0.1, 0.1, 0.1 } }, spacing = 0.01, sizes = curve, group = i } end
local one, two = twice:grading { group = 0 }, twice:grading { group = 1 }
assert(one.grains == 1000 and two.grains == 1000 and one.mass ~= two.mass and math.abs(one.d50 - two.d50) < 2e-4)

-- every distribution, by number: within Kolmogorov's distance of one sample in twenty
for _, sizes in ipairs {
  { distribution = "uniform", by = "number", min = 0.002, max = 0.01 },
  { distribution = "normal", by = "number", mean = 0.005, deviation = 0.001, min = 0.002, max = 0.01 },
  { distribution = "lognormal", by = "number", median = 0.004, geometric_deviation = 1.4, min = 0.002, max = 0.01 },
  { distribution = "weibull", by = "mass", scale = 0.006, modulus = 4, min = 0.002, max = 0.01 },
} do
  local of, grains = bed(sizes, 0.1)
  assert(of:grading { target = sizes }.distance < 1.36 / math.sqrt(grains))
end

-- layers of an inflow
local v = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
inflow.create(v, { min = { 0, 0, 0 }, max = { 0, 0.1, 0.1 }, spacing = 0.01, sizes = curve, speed = 1 })
for _ = 1, 100 do
  inflow.update(v)
  v:step()
end
assert(v:count() == 1000 and v:grading { target = curve }.distance < 0.05)
assert(v:grading { region = { max = { 0.02, 1, 1 } } }.grains < 300)

-- nothing to grade
local empty = scree.world {}:grading { sieves = { 1 } }
assert(empty.grains == 0 and empty.mass == 0 and empty.d50 ~= empty.d50 and empty.by_mass[1] == 0)

local function fill(extra)
  local def = { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0.1 }
  for key, value in pairs(extra) do def[key] = value end
  return scree.world {}:fill(def)
end
fails("fill.radius is missing: radius of the grains, or sizes", fill, {})
fails("fill.radius: sizes are given too", fill, { radius = 0.01, sizes = curve })
fails("fill.sizes are of balls", fill, { sizes = curve, shape = { type = "box", size = { 1, 1, 1 } } })
fails("fill.sizes.by is missing", fill, { sizes = { distribution = "uniform", min = 0.01, max = 0.1 } })
fails("fill.spacing: centres 0.1 m apart leave no room", fill, { sizes = { distribution = "uniform", by = "mass", min = 0.01, max = 0.11 } })
fails("did you mean 'deviation'?", fill, { sizes = { distribution = "normal", by = "mass", mean = 0.01, devation = 0.01 } })
fails("fill.sizes.distribution is missing", fill, { sizes = { by = "mass", min = 0.01, max = 0.1 } })
fails("fill.sizes.passing[2]: '2 s' has the wrong dimension", fill, { sizes = { by = "mass", passing = { { 1, 0 }, { "2 s", 1 } } } })
fails("fill.sizes.min: the passing curve says it all", fill, { sizes = { by = "mass", min = 1, passing = curve.passing } })
fails("grading.sieves[1]", function() w:grading { sieves = { "x" } } end)
fails("grading.target.by is missing", function() w:grading { target = {} } end)
fails("fill.sizes must be a table", inflow.create, scree.world {}, { min = { 0, 0, 0 }, max = { 0, 1, 1 }, spacing = 1, sizes = 1 })

-- ---- sieve tables as they come ----
local function target(sizes, sieves)
  sizes.by = "mass"
  return scree.world {}:grading { sieves = sieves or { 0.0005, 0.001, 0.002, 0.004, 0.008 }, target = sizes }.target
end
local function is(sizes, want, sieves)
  local got = target(sizes, sieves)
  for k, v in ipairs(want) do assert(math.abs(got[k] - v) < 1e-12, ("%d: %.17g, not %g"):format(k, got[k], v)) end
end
local want = { 0.05, 0.25, 0.55, 0.9, 1 }
-- shares and per cent, fine and coarse first, words and numbers
is({ passing = { { 0.00025, 0 }, { 0.0005, 0.05 }, { 0.001, 0.25 }, { 0.002, 0.55 }, { 0.004, 0.9 }, { 0.008, 1 } } }, want)
is({ passing = { { "8 mm", 100 }, { "4 mm", 90 }, { "2 mm", 55 }, { "1 mm", 25 }, { "0,5 mm", 5 }, { "0,25 mm", 0 } } }, want)
is({ passing = { { "8 mm", "100 %" }, { "4 mm", "90%" }, { "2 mm", "55,0 %" }, { "1 mm", "25 %" }, { "0,5 mm", "5 %" } }, min = "0.25 mm" }, want)
is({ coarser = { { "0.25 mm", 1 }, { "0.5 mm", 0.95 }, { "1 mm", 0.75 }, { "2 mm", 0.45 }, { "4 mm", 0.1 }, { "8 mm", 0 } } }, want)
is({ retained = { { "4 mm", 10 }, { "2 mm", 35 }, { "1 mm", 30 }, { "0.5 mm", 20 }, { "pan", 5 } }, min = 0.00025, max = 0.008 }, want)
is({ retained = { { 0, 0.05 }, { 0.0005, 0.2 }, { 0.001, 0.3 }, { 0.002, 0.35 }, { 0.004, 0.1 } }, min = 0.00025, max = 0.008 }, want)
-- one sieve and the pan
is({ retained = { { "1 mm", 60 }, { "pan", 40 } }, min = 0.0005, max = 0.004 }, { 0, 0.4, 1 }, { 0.0005, 0.001, 0.004 })
-- inches: 0.02 in are 0.508 mm
is({ passing = { { "0.01 in", 0 }, { "0.02 in", "40 %" }, { "0,1 in", "100 %" } } }, { 0, 0.4, 1 }, { 0.000254, 0.000508, 0.00254 })
-- sums that are off by rounding are scaled: 99.8 %
is({ retained = { { "4 mm", 9.98 }, { "2 mm", 89.82 } }, max = "8 mm" }, { 0, 0.9, 1 }, { 0.002, 0.004, 0.008 })
fails("grading.target.retained: the sieves and the pan hold 90 %", target, { retained = { { "4 mm", 10 }, { "2 mm", 80 } }, max = "8 mm" })
fails("5 % are finer than the finest diameter, 0.0005 m; give grading.target.min", target, { passing = { { "0.5 mm", 5 }, { "1 mm", 100 } } })
fails("ends at 90 %: the rest is coarser than 0.001 m; give grading.target.max", target, { passing = { { "0.5 mm", 0 }, { "1 mm", 90 } } })
fails("diameters must rise, or fall", target, { passing = { { "1 mm", 0 }, { "3 mm", 50 }, { "2 mm", 70 }, { "4 mm", 100 } } })
fails("a share lies between 0 and 1, or 0 and 100 %, not 140", target, { passing = { { "1 mm", 0 }, { "2 mm", 140 } } })
fails("grading.target.retained: passing is given too", target, { passing = { { 1, 0 }, { 2, 1 } }, retained = { { 1, 1 }, { 0, 0 } } })
fails("only what is retained has a pan", target, { passing = { { "pan", 5 }, { 1, 10 }, { 2, 100 } } })
