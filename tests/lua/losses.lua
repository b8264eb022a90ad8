-- Losses of contacts, pairs of materials and joints: each has its theoretical value, and their sum is `dissipated`.
local scree = require "scree"
local G = 9.81
local function near(found, expected, within, what)
  if not (math.abs(found - expected) <= within) then error(("%s: %.15g, expected %.15g within %g"):format(what, found, expected, within), 2) end
end
local function total(w)
  local sum, scale = 0, 1e-300
  for _, pair in ipairs(w:losses()) do sum, scale = sum + pair.energy, scale + math.abs(pair.energy) end
  local joints, sleep = w:losses().joints, w:losses().sleep
  return sum + joints + sleep, scale + math.abs(joints)
end
local function all(w, what)
  local sum, scale = total(w)
  local r = w:report()
  near(sum, r.dissipated, 1e-11 * (scale + r.kinetic + math.abs(r.potential)), what)
end
local function of(w, a, b)
  for _, pair in ipairs(w:losses()) do
    if pair.material1 == a and pair.material2 == b or pair.material1 == b and pair.material2 == a then return pair.energy end
  end
  return 0
end
local function world(def)
  def.losses, def.gravity, def.dt = true, def.gravity or { 0, 0, -G }, def.dt or 1e-3
  return scree.world(def)
end

for _, dt in ipairs { 4e-3, 1e-3 } do -- two blocks slide on a floor: mu m g d each, and each by its own pair
  local w = world { dt = dt }
  w:material { name = "floor" }
  w:material { name = "rubber" }
  w:material { name = "ice" }
  w:pair { "rubber", "floor", mu = 0.5 }
  w:pair { "floor", "ice", mu = 0.05 }
  w:halfspace { normal = { 0, 0, 1 }, material = "floor" }
  local block, way = {}, {}
  for i, name in ipairs { "rubber", "ice" } do
    block[i] = w:box { size = { 0.2, 0.2, 0.1 }, mass = i, position = { 0, i, 0.05 }, velocity = { 2, 0, 0 }, material = name }
    way[i] = { block[i]:position() }
  end
  w:step(math.floor(0.3 / dt))
  for i, name in ipairs { "rubber", "ice" } do
    local d, v = select(1, block[i]:position()) - way[i][1], select(1, block[i]:velocity())
    near(of(w, name, "floor"), i * (2 ^ 2 - v ^ 2) / 2, 1e-9, name .. " takes the kinetic energy")
    near(of(w, name, "floor"), ({ 0.5, 0.05 })[i] * i * G * d, ({ 0.5, 0.05 })[i] * i * G * 2 * dt, name .. " takes mu m g d")
  end
  all(w, "sliding blocks")
  local step, since = 0, 0
  for _, c in ipairs(w:contacts()) do step, since = step + c.lost, since + c.lost_since end
  near(since, w:report().dissipated, 1e-12, "since the contacts began")
  assert(step > 0 and step < 0.1 * since)
end

for _, law in ipairs { "newton", "poisson", "stronge" } do -- a ball that bounces loses (1 - e^2) of its energy in each impact
  local w = world { gravity = { 0, 0, 0 } }
  w:pair { "default", "default", mu = 0, restitution = 0.6, restitution_law = law }
  w:halfspace { normal = { 0, 0, 1 } }
  w:halfspace { normal = { 0, 0, -1 }, position = { 0, 0, 0.3 } }
  local ball, energy, hits = w:sphere { radius = 0.1, mass = 2, position = { 0, 0, 0.15 }, velocity = { 0, 0, -1 } }, 1, 0
  for _ = 1, 1500 do
    w:step()
    local lost = 0
    for _, c in ipairs(w:contacts()) do lost = lost + c.lost end
    if lost > 0 then
      near(lost, (1 - 0.36) * energy, 1e-12, law .. ": an impact")
      energy, hits = energy * 0.36, hits + 1
    end
  end
  assert(hits >= 4 and select(3, ball:velocity()) ~= 0)
  near(of(w, "default", "default"), 1 - energy, 1e-12, law .. ": all impacts")
  all(w, law)
end

do -- friction and a damper of joints are no contacts
  local w = world {}
  local arm = w:box { size = { 1, 0.1, 0.1 }, position = { 0.5, 0, 0 }, mass = 1 }
  w:hinge { a = arm, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, friction = 0.4, damping = 0.1 }
  w:step(300)
  assert(#w:losses() == 0 and w:losses().joints > 0.1)
  all(w, "a hinge")
end

local function heap(w) -- everything at once: impacts, rolling, moments, cohesion, joints, belts, driven bodies, loads
  w:material { name = "a" }
  w:material { name = "b" }
  w:pair { "a", "b", mu = 0.3, restitution = 0.4 }
  w:pair { "a", "a", mu = 0.4, rolling = 0.002, torsion = 0.001 }
  w:pair { "b", "b", mu = 0.2, cohesion_law = "capillary", volume = 1e-8, tension = 0.5 }
  w:halfspace { normal = { 0, 0, 1 }, surface_velocity = { 0.3, 0, 0 }, material = "a" }
  local paddle = w:box { size = { 0.05, 0.4, 0.2 }, position = { -0.5, 0, 0.1 }, kind = "kinematic", velocity = { 0.5, 0, 0 }, material = "b" }
  for i = 1, 10 do
    w:box { size = { 0.1, 0.08, 0.1 }, position = { 0.02 * (i % 3), 0.01 * (i % 4), 0.15 * i }, spin = { i, 2, 1 }, material = i % 2 == 0 and "a" or "b" }
    w:sphere { radius = 0.05, position = { 0.3 + 0.01 * i, 0, 0.12 * i }, material = i % 2 == 0 and "a" or "b" }
  end
  local rod = w:capsule { radius = 0.03, length = 0.2, position = { -0.2, 0, 0.3 }, material = "b" }
  local bob = w:sphere { radius = 0.06, position = { -0.2, 0.3, 0.3 }, material = "a" }
  w:ball { a = rod, b = bob, at = { -0.2, 0.1, 0.3 } }
  local disk = w:cylinder { radius = 0.05, length = 0.02, position = { 1, 0, 0.06 }, orientation = { math.cos(0.8), math.sin(0.8), 0, 0 }, spin = { 0, 20, 0 }, material = "b" }
  return paddle, disk
end
local ends = {}
for _, keep in ipairs { true, false } do
  local w = scree.world { gravity = { 0, 0, -G }, dt = 2e-3, losses = keep, threads = keep and 2 or 1 }
  local _, disk = heap(w)
  for _ = 1, 400 do
    disk:apply { force = { 0.1, 0, 0 } }
    w:step()
    if keep then all(w, "a heap") end
  end
  ends[#ends + 1] = w:hash()
  if keep then
    assert(of(w, "a", "b") > 0 and of(w, "a", "a") > 0 and w:losses().joints == w:losses().joints)
    assert(#w:losses() == 3)
  else
    local fine, text = pcall(w.losses, w)
    assert(not fine and tostring(text):find("world.losses = true", 1, true), text)
    for _, c in ipairs(w:contacts()) do assert(c.lost == nil) end
  end
end
assert(ends[1] == ends[2], "keeping losses changes nothing")

do -- sleepers lose what they had
  local w = world { sleep = 0.05 }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, 4 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.01 * i, 0, 0.11 * i - 0.05 }, spin = { 0, 0, 0.1 } } end
  for _ = 1, 300 do
    w:step()
    all(w, "sleep")
  end
  local last = w:contacts()
  w:step()
  assert(w:report().asleep == 4 and #last > 0 and w:contacts()[1].lost == 0)
end

do -- springs and dashpots
  local w = world { stepper = "penalty", dt = 1e-5 }
  w:material { name = "other" }
  w:pair { "default", "default", law = "hooke", stiffness = 1e5, damping = 0.1, mu = 0.4 }
  w:pair { "default", "other", law = "hooke", stiffness = 2e5, damping = 0.2, mu = 0.2 }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, 6 do w:sphere { radius = 0.05, position = { 0.09 * i, 0, 0.055 + 0.01 * (i % 2) }, velocity = { 1 - i % 2, 0, -1 }, spin = { 0, 9, 0 }, material = i % 2 == 0 and "other" or nil } end
  for _ = 1, 40 do
    w:step(200)
    all(w, "penalty")
  end
  assert(of(w, "default", "other") > 0)
end

do -- the implicit scheme
  local w = world { stepper = "stewart_trinkle", solver = { name = "lemke" } }
  w:pair { "default", "default", mu = 0.3 }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, 3 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.03 * i, 0, 0.12 * i - 0.05 }, velocity = { 1, 0, 0 } } end
  for _ = 1, 200 do
    w:step()
    all(w, "stewart_trinkle")
  end
end
print "losses are what they should be"
