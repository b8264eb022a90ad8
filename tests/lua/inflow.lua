-- The scene library: the inflow lays whole layers at the speed of the plane, the obstacle has its shape, probes measure.
local inflow = require "scree.inflow"
local obstacle = require "scree.obstacle"
local probe = require "scree.probe"

local fails = require("check").fails

-- n layers of the paper's lattice, without gravity and friction: there are no contacts, so every grain moves straight and the layers keep their spacing
local spacing, radius, speed = 1e-3, 0.47e-3, 1
local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-5 }
local options = { min = { 0, 0, 0 }, max = { 0, 0.005, 0.003 }, spacing = spacing, radius = radius, speed = speed }
local feed = inflow.create(w, options)
assert(feed.layers == 1 and feed.grains == 15 and w:count() == 15)
local steps = 1000
for _ = 1, steps do
  inflow.update(w)
  w:step()
end
-- the plane has moved by 10 mm: a layer at the start and one for each whole millimetre but the last, which is due at the next update
assert(feed.layers == 10 and w:count() == 150, feed.layers)
inflow.update(w)
assert(feed.layers == 11 and w:count() == 165, feed.layers)
local x = w:find("inflow"):position()
assert(math.abs(x) < 1e-12, "the plane is back where it started: " .. x)
-- the layers are one spacing apart
local places, list = {}, w:view("position"):totable()
for i, kind in ipairs(w:view("kind"):totable()) do
  if kind == "dynamic" then places[("%.7f"):format(list[3 * i - 2])] = true end
end
local sorted = {}
for place in pairs(places) do sorted[#sorted + 1] = tonumber(place) end
table.sort(sorted)
assert(#sorted == 11)
for i = 2, 11 do assert(math.abs(sorted[i] - sorted[i - 1] - spacing) < 1e-6) end
assert(math.abs(sorted[1] - spacing / 2) < 1e-6)

-- layers that touch follow each other every diameter: none overlaps the one before, also where steps do not divide the diameter
for _, dt in ipairs { 1e-5, 1e-4, 0.7e-4 } do
  local t = scree.world { gravity = { 0, 0, 0 }, dt = dt }
  local fed = inflow.create(t, { min = { 0, 0, 0 }, max = { 0, 0.005, 0.003 }, spacing = 1e-3, layer_spacing = 0.94e-3, radius = radius, speed = 1 })
  for _ = 1, math.ceil(9.4e-3 / dt - 1e-6) do
    inflow.update(t)
    t:step()
    assert(t:report().penetration < 1e-12, dt)
  end
  inflow.update(t)
  assert(fed.layers == 11 and t:count() == 165, fed.layers)
  -- 11 layers have entered in 10 times 0.94 ms at 1 m/s: the farthest lies in the middle of its layer
  local far = select(1, t:view("position"):max())
  assert(math.abs(far - (0.47e-3 + t:time())) < dt, far)
end

-- along y, with random transverse velocity that stays within its bounds and differs from layer to layer
local v = scree.world { gravity = { 0, 0, 0 }, dt = 1e-5 }
inflow.create(v, { min = { 0, 0, 0 }, max = { 0.005, 0, 0.003 }, spacing = spacing, radius = radius, speed = 2, jitter = 0.5, axis = 2, name = "side" })
local vx, vy, vz = v:view("velocity"):max()
assert(vy == 2 and vx <= 0.5 and vx > 0 and vz <= 0.5 and vz > 0)
assert(select(2, v:find("side"):velocity()) == 2)

fails("inflow.spacing must not be less", inflow.create, w, { min = { 0, 0, 0 }, max = { 0, 1, 1 }, spacing = 1, radius = 0.6 })
fails("inflow.layer_spacing must not be less", inflow.create, w, { min = { 0, 0, 0 }, max = { 0, 1, 1 }, spacing = 1, layer_spacing = 0.3, radius = 0.2 })
fails("inflow.layer_spacing must be greater than 0", inflow.create, w, { min = { 0, 0, 0 }, max = { 0, 1, 1 }, spacing = 1, layer_spacing = 0, sizes = { uniform = { 0.1, 0.2 } } })
fails("inflow.radius is missing", inflow.create, w, { min = { 0, 0, 0 }, max = { 0, 1, 1 }, spacing = 1 })
fails("obstacle.walls.opne is not a known key; did you mean 'open'?", obstacle.walls, w, { min = { 0, 0, 0 }, max = { 1, 1, 1 }, opne = {} })
fails("obstacle.half_round takes a table, not a number", obstacle.half_round, w, 1)
fails("inflow.sped is not a known key; did you mean 'speed'?", inflow.create, w, { min = { 0, 0, 0 }, max = { 0, 1, 1 }, spacing = 1, radius = 0.1, sped = 1 })
fails("inflow.speed must be greater than 0", inflow.create, w, { min = { 0, 0, 0 }, max = { 0, 1, 1 }, spacing = 1, radius = 0.1, speed = 0 })

-- the half-round obstacle: a ball from the left meets the cylinder one radius before the centre, one from the right the flat of the box, and one from
-- the right off the axis too, where a cylinder would have given way
local function stops_at(y, from, speed_x)
  local o = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  o:pair { "default", "default", law = "frictionless" }
  obstacle.half_round(o, { position = { 0, 0, 0 }, radius = 1, height = 2 })
  local ball = o:sphere { radius = 0.1, position = { from, y, 0 }, velocity = { speed_x, 0, 0 } }
  o:step(3000)
  return (ball:position())
end
assert(math.abs(stops_at(0, -2, 1) + 1.1) < 1e-3, stops_at(0, -2, 1))
assert(math.abs(stops_at(0, 2.5, -1) - 1.1) < 1e-3, stops_at(0, 2.5, -1))
assert(math.abs(stops_at(0.8, 2.5, -1) - 1.1) < 1e-3, stops_at(0.8, 2.5, -1))

-- walls close a box: grains that fly about stay inside
local b = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
local made = obstacle.walls(b, { min = { 0, 0, 0 }, max = { 1, 1, 1 } })
local names = {}
for name in pairs(made) do names[#names + 1] = name end
assert(table.concat(names, " ") == "+x +y +z -x -y -z")
b:fill { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0.25, radius = 0.1, jitter = { 1, 1, 1 } }
b:step(1000)
assert(b:count() == 64 and b:count { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } } } == 64)
assert(#(function() local n = {} for k in pairs(obstacle.walls(b, { min = { 0, 0, 0 }, max = { 1, 1, 1 }, open = { "+z", "-x" } })) do n[#n + 1] = k end return n end)() == 4)

-- probes: mean and deviation of 1..10
for i = 1, 10 do probe.add(b, "i", i) end
local p = probe.get(b, "i")
assert(p.count == 10 and math.abs(p.mean - 5.5) < 1e-12 and math.abs(p.deviation - math.sqrt(55 / 6)) < 1e-12 and p.least == 1 and p.most == 10)
probe.reset(b, "i")
assert(probe.get(b, "i") == nil and probe.get(b, "nothing") == nil)
