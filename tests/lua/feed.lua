-- Insertion at free places, and feeding at a rate: no overlaps, exact rates and totals, unbiased sizes, number of waiting grains.
local scree = require "scree"
local feed = require "scree.feed"
local check = require "check"
local fails = check.fails

-- Deepest overlap of any two dynamic balls, with rows of views.
local function deepest(w)
  local x, r, kind, worst = w:view("position"):totable(), w:view("radius"):totable(), w:view("kind"):totable(), 0
  for i = 1, #r do
    for j = 1, i - 1 do
      if kind[i] == "dynamic" and kind[j] == "dynamic" then
        local dx, dy, dz = x[3 * i - 2] - x[3 * j - 2], x[3 * i - 1] - x[3 * j - 1], x[3 * i] - x[3 * j]
        worst = math.max(worst, r[i] + r[j] - math.sqrt(dx * dx + dy * dy + dz * dz))
      end
    end
  end
  return worst
end

-- a box with obstacles of every family, filled until no place is left in a thousand attempts
local curve = { distribution = "lognormal", by = "number", median = 0.06, geometric_deviation = 1.5, min = 0.03, max = 0.2 }
local function crowded(attempts)
  local w = scree.world { gravity = { 0, 0, 0 } }
  for axis = 1, 3 do
    local n = { 0, 0, 0 }
    n[axis] = 1
    w:halfspace { normal = n }
    w:halfspace { normal = { -n[1], -n[2], -n[3] }, position = n }
  end
  w:box { kind = "fixed", size = { 0.2, 0.3, 0.4 }, position = { 0.3, 0.3, 0.3 }, orientation = { 0.9, 0.2, 0.3, 0.1 } }
  w:capsule { kind = "fixed", radius = 0.05, length = 0.3, position = { 0.7, 0.7, 0.3 }, orientation = { 0.8, 0.6, 0, 0 } }
  w:cylinder { kind = "fixed", radius = 0.1, length = 0.3, position = { 0.7, 0.3, 0.7 } }
  w:mesh { points = { { 0, 0, 0.5 }, { 1, 0, 0.5 }, { 0, 1, 0.5 } }, triangles = { { 1, 2, 3 } } }
  w:sphere { radius = 0.15, position = { 0.3, 0.7, 0.75 } }
  local placed, mass, full = w:insert { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, count = 100000, sizes = curve, attempts = attempts, group = 1 }
  return w, placed, mass, full
end
local w, placed, mass, full = crowded(1000)
assert(full and placed > 200 and w:count { group = 1 } == placed, placed)
assert(math.abs(w:grading { group = 1 }.mass - mass) < 1e-9 * mass)
assert(deepest(w) < 1e-12)
-- nothing of another family is touched, either
w:step()
assert(w:report().penetration < 1e-9, w:report().penetration)
assert(crowded(1000):hash() == crowded(1000):hash() and select(2, crowded(10)) < placed)

-- grains of a shape, in a ball, in random orientations: bounding spheres do not overlap, and a mass ends the insertion
local v = scree.world { gravity = { 0, 0, 0 } }
local boxes, kilograms, none = v:insert { region = { center = { 0, 0, 0 }, radius = 0.5 }, mass = 20, shape = { type = "box", size = { 0.04, 0.05, 0.06 }, density = 2000 },
  keep_out = { point = { 0, 0, 0 }, normal = { 0, 0, 1 } }, jitter = { 1, 1, 1 } }
assert(boxes == 83 and not none and math.abs(kilograms - 83 * 0.24) < 1e-9)
assert(v:count { region = { center = { 0, 0, 0 }, radius = 0.5 } } == 83 and v:count { region = { max = { 1, 1, 0 } } } == 0)
assert(deepest(v) < 1e-12)

-- centres on a tilted disc
local d = scree.world {}
local n = d:insert { region = { point = { 0, 0, 0 }, axis = { 1, 1, 1 }, radius = 0.3, length = 1e-6 }, count = 60, radius = 0.02 }
assert(n == 60)
local x = d:view("position"):totable()
for i = 1, 60 do assert(math.abs(x[3 * i - 2] + x[3 * i - 1] + x[3 * i]) < 1e-5) end

-- a feed: a grain every 1/rate seconds, up to its total
local f = scree.world { dt = 1e-3 }
feed.create(f, { region = { point = { 0, 0, 0 }, axis = { 0, 0, 1 }, radius = 0.1, length = 0.01 }, rate = 250, total = 90, radius = 0.01, velocity = { 0, 0, -2 } })
for step = 1, 400 do
  feed.update(f)
  local due = math.min(90, math.floor(250 * (f:time() + 0.5e-3)))
  local r = feed.report(f)
  assert(r.placed + r.waiting == due and r.placed == f:count(), step)
  f:step()
end
local r = feed.report(f)
assert(r.placed == 90 and r.waiting == 0 and r.done and math.abs(r.mass - 90 * 4 / 3 * math.pi * 1e-3) < 1e-9)

-- a feed by mass, with a changing rate; the mass placed is never above the mass due, and less than a grain below it
local m = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
local sizes = { distribution = "uniform", by = "mass", min = 0.005, max = 0.02 }
feed.create(m, { name = "sand", region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, mass_rate = 2, total_mass = 1, sizes = sizes, start = 0.1 })
local due = 0
for step = 1, 1200 do
  if step == 301 then feed.set_rate(m, 0) end
  if step == 501 then feed.set_rate(m, 1, "sand") end
  feed.update(m)
  m:step()
  local at = step * 1e-3 -- the end of the step
  due = at <= 0.1 and 0 or at <= 0.3 and 2 * (at - 0.1) or at <= 0.5 and 0.4 or math.min(1, 0.4 + (at - 0.5))
  local told = feed.report(m, "sand")
  assert(told.mass <= due + 1e-9 and told.mass > due - 4.2e-3 - 2e-3 - 1e-9, step)
end
local told = feed.report(m, "sand")
assert(told.done and told.waiting == 0 and told.mass <= 1)
assert(m:grading { target = sizes }.distance < 0.1)

-- a region that is too small for large grains: they wait and are counted, and small grains do not overtake them
local s = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
for z = 0, 1 do s:halfspace { normal = { 0, 0, 1 - 2 * z }, position = { 0, 0, 0.012 * z } } end
feed.create(s, { region = { min = { 0, 0, 0 }, max = { 0.2, 0.2, 0.012 } }, rate = 1e5, sizes = { distribution = "uniform", by = "number", min = 0.005, max = 0.015 } })
for _ = 1, 20 do
  feed.update(s)
  s:step()
end
local stuck = feed.report(s)
assert(stuck.placed < 30 and stuck.waiting > 1500 and stuck.blocked > 10 and not stuck.done, stuck.placed)
-- once the region is larger, the feed continues with the grain that was waiting
local before = s:count()
s:remove { kind = "fixed" }
local sequence = scree.world { gravity = { 0, 0, 0 } }
sequence:insert { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, stream = 1, count = before + 1, sizes = { distribution = "uniform", by = "number", min = 0.005, max = 0.015 } }
s.state.feeds[1].grains.region = { min = { 0, 0, 1 }, max = { 1, 1, 2 } }
feed.update(s)
assert(s:view("radius"):get(before + 1) == sequence:view("radius"):get(before + 1) and 2 * s:view("radius"):get(before + 1) > 0.012)

local function create(options)
  local def = { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, rate = 1, radius = 0.1 }
  for key, value in pairs(options) do def[key] = value or nil end
  return feed.create(scree.world {}, def)
end
fails("feed.rte is not a known key; did you mean 'rate'?", create, { rte = 1 })
fails("feed.xyzw is not a known key; known are attempts, density,", create, { xyzw = 1 })
fails("feed.rate, in grains a second, or mass_rate", create, { mass_rate = 1 })
fails("feed.rate: '3 m' has the wrong dimension", create, { rate = "3 m" })
fails("feed.total must be a number, not a string", create, { total = "3" })
assert(create { rate = "30 /min" }.rate == 0.5)
fails("feed.total must be finite and at least 0, not -1", create, { total = -1 })
fails("feed.total_mass: total is given too", create, { total = 1, total_mass = 1 })
fails("insert.radius is missing", create, { radius = false })
fails("insert.region.min", create, { region = { min = 1 } })
fails("insert.sizes.by is missing", create, { radius = false, sizes = { min = 1 } })
fails("there is a feed called 'sand'", feed.create, m, { name = "sand", rate = 1 })
fails("there is no feed called 'sond'", feed.report, m, "sond")
fails("insert.count or mass must say when to stop", function() scree.world {}:insert { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, radius = 1 } end)
fails("did you mean 'attempts'", function() scree.world {}:insert { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, radius = 1, count = 1, atempts = 3 } end)
fails("insert.region must be finite in all three", function() scree.world {}:insert { region = { min = { 0, 0, 0 } }, radius = 1, count = 1 } end)
-- a shape has its own size, and its bounding sphere stays inside the region
for radius, count in pairs { [false] = 1, [0.5] = 8 } do
  local box = scree.world {}
  local fill = { region = { min = { 0, 0, 0 }, max = { 2, 2, 2 } }, spacing = 1, radius = radius or nil, shape = { type = "box", size = { 1, 1, 1 } } }
  assert(box:fill(fill) == count and math.abs(box:view("radius"):get(1) - 0.5 * 3 ^ 0.5) < 1e-12, count)
end
fails("fill.shape has no mass", function()
  scree.world {}:fill { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 1, shape = { type = "halfspace", normal = { 0, 0, 1 } } }
end)
