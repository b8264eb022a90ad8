-- Bonds: a cantilever against Euler and Bernoulli, the strength of a chain, an agglomerate that hits a floor, what is refused.
local scree = require "scree"
local bond = require "scree.bond"
local function near(a, b, tolerance, what)
  if not (math.abs(a - b) <= tolerance) then error(string.format("%s: %.12g, expected %.12g within %g", what, a, b, tolerance), 2) end
end
local function fails(text, f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok and tostring(message):find(text, 1, true), tostring(message))
end

-- balls in a row along x that touch, the first one fixed
local R = 0.01
local function row(n, dt)
  local w, list = scree.world { dt = dt, gravity = { 0, 0, 0 } }, {}
  for i = 0, n do list[i + 1] = w:sphere { radius = R, position = { 2 * R * i, 0, 0 }, density = 1000, kind = i == 0 and "fixed" or "dynamic" } end
  return w, list
end

-- bent by a force at its end; damping of a second brings it to rest in a few steps of 10 ms
local w, list = row(10, 0.01)
assert(#bond.create(w, { bodies = list, distance = "10 um", young = "1 GPa", radius = 0.5, damping = 1 }) == 10)
for _ = 1, 800 do
  list[11]:apply { force = { 0, 0, -0.5 } }
  w:step()
end
local length, inertia = 20 * R, math.pi * (R / 2) ^ 4 / 4
near(select(3, list[11]:position()) / (-0.5 * length ^ 3 / (3 * 1e9 * inertia)), 1, 0.01, "a cantilever")

-- drawn along its axis: first the stretch of a rod, then all bonds carry the same and one of them breaks at strength times area
local function draw(young, force)
  local v, chain = row(6, 1e-3)
  local bonds = bond.create(v, { bodies = chain, distance = 0, young = young, strength = 2e5, radius = 0.5, damping = young and 0.01 })
  local step = 0
  repeat
    step = step + 1
    local load = math.min(force, step * 0.02)
    chain[7]:apply { force = { load, 0, 0 } }
    v:step()
  until #v:broken_joints() > 0 or step == 4000
  return v:broken_joints()[1], chain[7], bonds
end
local area = math.pi * (R / 2) ^ 2
for _, young in ipairs { 1e8, false } do
  local broken = draw(young or nil, 1e3)
  assert(broken and broken.time > 0, "nothing broke")
  near(broken.force / (2e5 * area), 1, 0.01, young and "strength of a rod" or "strength of a rigid chain")
end
local whole, last = draw(1e8, 0.9 * 2e5 * area)
assert(not whole)
near((last:position()) / (12 * R) - 1, 0.9 * 2e5 / 1e8, 1e-6, "stretch of a rod")

-- an agglomerate: it stays whole in a slow fall and breaks in a fast one
local function drop(speed)
  local v = scree.world { dt = 2e-4, gravity = { 0, 0, 0 } }
  v:halfspace { normal = { 0, 0, 1 } }
  for i = 0, 26 do
    v:sphere { radius = R, position = { 2 * R * (i % 3), 2 * R * (i // 3 % 3), 1.2 * R + 2 * R * (i // 9) }, velocity = { 0, 0, -speed }, group = 1 }
  end
  v:sphere { radius = R, position = { 0, 0, 7.2 * R }, group = 2 }
  local bonds = bond.create(v, { group = 1, distance = "1 um", young = 1e8, strength = 1e5, damping = 1e-4 })
  assert(#bonds == 54)
  v:step(150)
  return #v:broken_joints(), v:joints_report().joints
end
local slow, all = drop(0.01)
local fast, left = drop(2)
assert(slow == 0 and all == 54, slow)
assert(fast > 5 and left == 54 - fast, fast)
-- only some of them, by where they lie
local v = row(4, 1e-3)
assert(#bond.create(v, { where = function(x) return x < 5 * R end, distance = 1e-6 }) == 1)

fails("did you mean", bond.create, v, { distance = 0, yong = 1 })
fails("either `distance` or `pairs`", bond.create, v, { young = 1 })
fails("bond.strength must be above 0", bond.create, v, { distance = 0, strength = 0 })
fails("bond.young", bond.create, v, { distance = 0, young = "3 m" })

-- w:bond is the same verb, and its mistakes are told where it was called
v = row(4, 1e-3)
assert(#v:bond { where = function(x) return x < 5 * R end, distance = 1e-6 } == 1)
fails("bond.lua:", function() v:bond { young = 1 } end)
fails(": bond: say who", function() v:bond { young = 1 } end)
fails("did you mean 'strength'", function() v:bond { distance = 0, strenght = 1 } end)
fails("bond.strength.shear must be above 0", function() v:bond { distance = 0, strength = { shear = -1 } } end)
fails("did you mean 'bending'", function() v:bond { distance = 0, strength = { bend = 1 } } end)

-- what breaks two balls, the second one loaded more in each step; bonds of radius R / 2 that stand askew
local axis, side = { 0.6, 0, 0.8 }, { 0.8, 0, -0.6 }
local section, modulus = math.pi * (R / 2) ^ 2, math.pi * (R / 2) ^ 3 / 4
local function load_pair(strength, young, force, torque)
  local world = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
  local a = world:sphere { radius = R, position = { 0, 0, 0 }, kind = "fixed" }
  local b = world:sphere { radius = R, position = { 2 * R * axis[1], 0, 2 * R * axis[3] }, density = 1000 }
  world:bond { pairs = { { a, b } }, young = young, strength = strength, radius = 0.5, damping = young and 0.01 }
  local function times(t, s) return { t[1] * s, t[2] * s, t[3] * s } end
  for step = 1, 1000 do
    local f = times(force or { 0, 0, 0 }, step / 1000)
    -- a force at the bond's point bends it not
    if b:alive() then b:apply { force = f, torque = times(torque or { 0, 0, 0 }, step / 1000), at = { R * axis[1], 0, R * axis[3] } } end
    world:step()
    if #world:broken_joints() > 0 then return world:broken_joints()[1], step / 1000 end
  end
end
local function scaled(t, s) return { t[1] * s, t[2] * s, t[3] * s } end
local each = { tension = 1e5, compression = 2e5, shear = 1.5e5, bending = 3e5, twist = 2.5e5 }
local loads = {
  tension = { scaled(axis, 2 * 1e5 * section) },
  compression = { scaled(axis, -2 * 2e5 * section) },
  shear = { scaled(side, 2 * 1.5e5 * section) },
  bending = { nil, { 0, 2 * 3e5 * modulus, 0 } },
  twist = { nil, scaled(axis, 2 * 2.5e5 * 2 * modulus) },
}
for way, pull in pairs(loads) do
  for _, young in ipairs { 1e9, false } do
    local broken, share = load_pair(each, young or nil, pull[1], pull[2])
    assert(broken and broken.cause == way, way .. ": " .. tostring(broken and broken.cause))
    near(share, 0.5, 0.003, "share of the load that breaks by " .. way)
    -- one stress whatever the direction: the cause is the largest part
    broken = load_pair(1e3, young or nil, pull[1], pull[2])
    assert(broken.cause == way, "one strength: " .. way .. ", " .. broken.cause)
  end
end
assert(not load_pair({ tension = 1e3, shear = 1.5e5, bending = 3e5, twist = 2.5e5 }, nil, loads.compression[1]), "compression alone")
-- of several bounds passed the one passed by the largest share
assert(load_pair({ tension = 1, shear = 1e3 }, nil, loads.tension[1]).cause == "tension")
-- joints by themselves: an axis is needed, and without one the cause is force
v = row(1, 1e-3)
fails("fixed.axis is missing", function() v:fixed { a = v:body_of(2), at = { 0, 0, 0 }, break_shear = 1 } end)
