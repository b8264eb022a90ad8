-- Bonds: a cantilever against Euler-Bernoulli theory, the strength of a chain, an agglomerate that hits a floor, errors.
local scree = require "scree"
local bond = require "scree.bond"
local function near(a, b, tolerance, what)
  if not (math.abs(a - b) <= tolerance) then error(string.format("%s: %.12g, expected %.12g within %g", what, a, b, tolerance), 2) end
end
local function fails(text, f, ...)
  local ok, message = pcall(f, ...)
  assert(not ok and tostring(message):find(text, 1, true), tostring(message))
end

-- a row of touching balls along x; the first one is fixed
local R = 0.01
local function row(n, dt)
  local w, list = scree.world { dt = dt, gravity = { 0, 0, 0 } }, {}
  for i = 0, n do list[i + 1] = w:sphere { radius = R, position = { 2 * R * i, 0, 0 }, density = 1000, kind = i == 0 and "fixed" or "dynamic" } end
  return w, list
end

-- the row is bent by a force at its end; a damping time of 1 s brings it to rest in a few steps of 10 ms
local w, list = row(10, 0.01)
assert(#bond.create(w, { bodies = list, distance = "10 um", young = "1 GPa", radius = 0.5, damping = 1 }) == 10)
for _ = 1, 800 do
  list[11]:apply { force = { 0, 0, -0.5 } }
  w:step()
end
local length, inertia = 20 * R, math.pi * (R / 2) ^ 4 / 4
near(select(3, list[11]:position()) / (-0.5 * length ^ 3 / (3 * 1e9 * inertia)), 1, 0.01, "a cantilever")

-- the row is pulled along its axis: first it stretches like a rod, then one bond breaks at strength times area
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

-- the stress is force over area in any number of whole links, with its sign; for a group without these grains it is 0
do
  local v, chain = row(8, 1e-3)
  bond.create(v, { bodies = chain, distance = 0, young = 1e8, radius = 0.5, damping = 0.01 })
  for _ = 1, 800 do
    chain[9]:apply { force = { 3, 0, 0 } }
    v:step()
  end
  local across = { min = { 2 * R, -R, -R }, max = { 8 * R, R, R } }
  local s = v:stress { region = across }
  near(s.xx * (2 * R) ^ 2 / -3, 1 + 3 / (1e8 * area), 1e-6, "stress of a bar that is drawn, whose links are longer by their strain")
  assert(math.abs(s.yy) < 1e-6 * 3 / R ^ 2 and math.abs(s.xz) < 1e-6 * 3 / R ^ 2 and s.contacts == 0)
  assert(v:stress { region = across, group = 7 }.xx == 0)
end

-- an agglomerate survives a slow fall and breaks in a fast one
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
-- bonds only between bodies at chosen positions
local v = row(4, 1e-3)
assert(#bond.create(v, { where = function(x) return x < 5 * R end, distance = 1e-6 }) == 1)

fails("did you mean", bond.create, v, { distance = 0, yong = 1 })
fails("either `distance` or `pairs`", bond.create, v, { young = 1 })
fails("bond.strength must be above 0", bond.create, v, { distance = 0, strength = 0 })
fails("bond.young", bond.create, v, { distance = 0, young = "3 m" })
fails("bond.stiffness.twist is missing, and there is no `young`", bond.create, v, { distance = 0, stiffness = { normal = 1, shear = 1, bending = 1 } })
fails("bond.stiffness.shear must be above 0", bond.create, v, { distance = 0, young = 1, stiffness = { shear = 0 } })
fails("did you mean 'bending'", bond.create, v, { distance = 0, young = 1, stiffness = { bend = 1 } })
fails("bond.stiffness is of elastic bonds that are not exact", bond.create, v, { distance = 0, young = 1, stiffness = { shear = 1 }, exact = true })
fails("bond.damping.twist must be a number, at least 0", bond.create, v, { distance = 0, young = 1, damping = { twist = -1 } })
fails("bond.damping is of elastic bonds", bond.create, v, { distance = 0, damping = 1 })

-- w:bond does the same, and its errors have the line of the call
v = row(4, 1e-3)
assert(#v:bond { where = function(x) return x < 5 * R end, distance = 1e-6 } == 1)
fails("bond.lua:", function() v:bond { young = 1 } end)
fails(": bond: say who", function() v:bond { young = 1 } end)
fails("did you mean 'strength'", function() v:bond { distance = 0, strenght = 1 } end)
fails("bond.strength.shear must be above 0", function() v:bond { distance = 0, strength = { shear = -1 } } end)
fails("did you mean 'bending'", function() v:bond { distance = 0, strength = { bend = 1 } } end)

-- returns the cause of the break of two bonded balls, whose load grows in each step; bonds of radius R / 2 in a skew direction
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
    -- a force at the bond's point does not bend it
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
    -- one strength for all directions: the cause is the largest component
    broken = load_pair(1e3, young or nil, pull[1], pull[2])
    assert(broken.cause == way, "one strength: " .. way .. ", " .. broken.cause)
  end
end
assert(not load_pair({ tension = 1e3, shear = 1.5e5, bending = 3e5, twist = 2.5e5 }, nil, loads.compression[1]), "compression alone")
-- if several bounds are exceeded, the cause is the one with the largest ratio
assert(load_pair({ tension = 1, shear = 1e3 }, nil, loads.tension[1]).cause == "tension")
-- joints without bonds: directional strengths need an axis; without an axis the cause is "force"
v = row(1, 1e-3)
fails("fixed.axis is missing", function() v:fixed { a = v:body_of(2), at = { 0, 0, 0 }, break_shear = 1 } end)

-- ---- elastic bonds against the same bonds as joints, solved exactly ----

-- Returns the end of a cantilever of balls of two sizes under a bending and a pulling force, once it is at rest
local function cantilever(exact, ratio, steps)
  local world, chain, x = scree.world { dt = 2e-3, gravity = { 0, 0, 0 } }, {}, 0
  for i = 0, 6 do
    local r = i % 2 == 0 and R or 0.8 * R
    chain[i + 1] = world:sphere { radius = r, position = { x, 0, 0 }, density = 1000, kind = i == 0 and "fixed" or "dynamic" }
    x = x + 1.8 * R
  end
  local bonds = world:bond { bodies = chain, distance = "10 um", young = 1e8, ratio = ratio, radius = 0.5, damping = 1e-2, exact = exact }
  for _ = 1, steps do
    chain[7]:apply { force = { 0.2, 0.01, -0.02 } }
    world:step()
  end
  return { chain[7]:position() }, { bonds[3]:force() }, { bonds[3]:torque() }, bonds[3]:energy(), world:report(), bonds[3]
end
for _, steps in ipairs { 25, 600 } do
  local soft, exact = { cantilever(nil, nil, steps) }, { cantilever(true, nil, steps) }
  for k = 1, 3 do
    near(soft[1][k], exact[1][k], 0.005 * math.abs(exact[1][3]), "place of the end after " .. steps .. " steps")
    near(soft[2][k], exact[2][k], 0.01 * 0.2, "force after " .. steps .. " steps")
    near(soft[3][k], exact[3][k], 0.01 * 0.02 * 12 * R, "torque after " .. steps .. " steps")
  end
  near(soft[4] / exact[4], 1, 0.02, "energy in a bond")
  assert(soft[6]:type() == "bond" and exact[6]:type() == "fixed")
end

-- ratio 2 halves shear and twist stiffness, and does not change stretching and bending
local function pair_of(ratio, def)
  local world = scree.world { dt = 1e-2, gravity = { 0, 0, 0 } }
  local a, b = world:sphere { radius = R, position = { 0, 0, 0 }, kind = "fixed" }, world:sphere { radius = R, position = { 2 * R, 0, 0 } }
  local bonds = world:bond { pairs = { { a, b } }, young = 1e8, ratio = ratio, damping = 0.1 }
  for _ = 1, 300 do
    b:apply(def)
    world:step()
  end
  return { b:position() }, { b:orientation() }, world, bonds[1]
end
local area1, inertia1 = math.pi * R ^ 2, math.pi * R ^ 4 / 4
local at = { R, 0, 0 }
for _, ratio in ipairs { 1, 2.5 } do
  near((pair_of(ratio, { force = { 30, 0, 0 } })[1] - 2 * R) / (30 * 2 * R / (1e8 * area1)), 1, 1e-6, "stretch")
  near(pair_of(ratio, { force = { 0, 30, 0 }, at = at })[2] / (30 * 2 * R * ratio / (1e8 * area1)), 1, 1e-3, "shear")
  local _, turned = pair_of(ratio, { torque = { 0.01, 0, 0 } })
  near(2 * turned[2] / (0.01 * 2 * R * ratio / (1e8 * 2 * inertia1)), 1, 1e-3, "twist")
  local _, bent = pair_of(ratio, { torque = { 0, 0.01, 0 } })
  near(2 * bent[3] / (0.01 * 2 * R / (1e8 * inertia1)), 1, 1e-3, "bending")
end

-- single stiffnesses are given; the others are those of the beam
local function given(stiffness, def)
  local world = scree.world { dt = 1e-2, gravity = { 0, 0, 0 } }
  local a, b = world:sphere { radius = R, position = { 0, 0, 0 }, kind = "fixed" }, world:sphere { radius = R, position = { 2 * R, 0, 0 } }
  world:bond { pairs = { { a, b } }, stiffness = stiffness, young = not stiffness.bending and 1e8 or nil, damping = { normal = 0.1, shear = 0.1, bending = 0.1, twist = 0.1 } }
  for _ = 1, 300 do
    b:apply(def)
    world:step()
  end
  return { b:position() }, { b:orientation() }
end
for _, k in ipairs { { normal = "2 MN/m", shear = 5e5, bending = 20, twist = "30 N m/rad" }, { normal = 2e6, shear = 5e5 } } do
  near((given(k, { force = { 30, 0, 0 } })[1] - 2 * R) / (30 / 2e6), 1, 1e-6, "normal stiffness")
  near(given(k, { force = { 0, 30, 0 }, at = at })[2] / (30 / 5e5), 1, 1e-3, "shear stiffness")
  local _, turned = given(k, { torque = { 0.01, 0, 0 } })
  near(2 * turned[2] / (0.01 / (k.twist and 30 or 1e8 * inertia1 / R)), 1, 1e-3, "twist stiffness")
  local _, bent = given(k, { torque = { 0, 0.01, 0 } })
  near(2 * bent[3] / (0.01 / (k.bending and 20 or 1e8 * inertia1 / (2 * R))), 1, 1e-3, "bending stiffness")
end
-- damping of one deformation does not damp the others
local function rings(damping, way)
  local world = scree.world { dt = 1e-4, gravity = { 0, 0, 0 } }
  local a, b = world:sphere { radius = R, position = { 0, 0, 0 }, kind = "fixed" }, world:sphere { radius = R, position = { 2 * R, 0, 0 } }
  world:bond { pairs = { { a, b } }, stiffness = { normal = 1e3, shear = 1e3, bending = 0.1, twist = 0.05 }, damping = damping }
  if way == "twist" then b:set_spin { 10, 0, 0 } else b:set_velocity { 0.01, 0, 0 } end
  local before = world:report().energy
  world:step(2000)
  return world:report().energy / before
end
for _, way in ipairs { "normal", "twist" } do
  assert(rings({ [way] = 1e-2 }, way) < 1e-3, way .. " is damped")
  near(rings({ [way == "normal" and "twist" or "normal"] = 1e-2 }, way), 1, 0.03, way .. " is not damped")
end

-- stresses at the edge add up: tension and bending, shear and twist
local function edge(strength, pull, turn)
  local world = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
  local a, b = world:sphere { radius = R, position = { 0, 0, 0 }, kind = "fixed" }, world:sphere { radius = R, position = { 2 * R, 0, 0 } }
  world:bond { pairs = { { a, b } }, young = 1e9, strength = strength, damping = 0.01 }
  for step = 1, 1000 do
    b:apply { force = scaled(pull, step / 1000), torque = scaled(turn, step / 1000), at = { R, 0, 0 } }
    world:step()
    if #world:broken_joints() > 0 then return world:broken_joints()[1], step / 1000 end
  end
end
local modulus1 = inertia1 / R
local broken, share = edge({ edge_tension = 1e5 }, { 1e5 * area1, 0, 0 }, { 0, 0.6 * 1e5 * modulus1, 0.8 * 1e5 * modulus1 })
assert(broken.cause == "edge_tension" and broken.type == "bond")
near(share, 0.5, 0.003, "tension and bending at the edge")
broken, share = edge({ edge_shear = 1e5 }, { 0, 1e5 * area1, 0 }, { 1e5 * 2 * modulus1, 0, 0 })
assert(broken.cause == "edge_shear")
near(share, 0.5, 0.003, "shear and twist at the edge")
assert(not edge({ edge_tension = 1e5 }, { -0.9e5 * area1, 0, 0 }, { 0, 1e5 * modulus1, 0 }), "pressed bonds bear more bending")

-- momentum is conserved to rounding, and the energy balance holds, with and without damping
for _, damping in ipairs { 0, 1e-4 } do
  local world = scree.world { dt = 2e-4, gravity = { 0, 0, 0 } }
  for i = 0, 26 do
    world:sphere { radius = R * (0.6 - 0.1 * (i % 2)), position = { 2 * R * (i % 3), 2 * R * (i // 3 % 3), 2 * R * (i // 9) },
      velocity = { i % 5 - 2, i % 7 - 3, i % 3 - 1 }, spin = { i % 4, i % 6, 10 } }
  end
  world:bond { distance = 1.1 * R, young = damping > 0 and 1e7 or 1e5, damping = damping } -- bonds without damping are soft, because the step must resolve their oscillation
  local before = world:report()
  world:step(300)
  local after = world:report()
  assert(after.touching == 0)
  for k = 1, 3 do
    near(after.momentum[k], before.momentum[k], 1e-13, "momentum")
    near(after.angular_momentum[k], before.angular_momentum[k], 1e-13, "angular momentum")
  end
  local function account(r) return r.energy + r.dissipated - r.work - r.correction end
  near(account(after) / account(before), 1, 1e-9, "account of energy")
  assert(damping > 0 and after.dissipated > 0.1 * before.energy or math.abs(after.dissipated) < 1e-6 * before.energy, "damping takes energy")
end

-- handles: removal, joints of a body, breaks; bodies that cannot be bonded
local function two(def, kind)
  local world = scree.world(def)
  return world, world:sphere { radius = R, position = { 0, 0, 0 } }, world[kind or "sphere"](world, { radius = R, position = { 2 * R, 0, 0 } })
end
local world, one, other = two { gravity = { 0, 0, 0 } }
local handle = world:bond { pairs = { { one, other } }, young = 1e8 }[1]
assert(world:joints_report().joints == 1 and not handle:broken())
fails("held by a joint", one.remove, one)
handle:remove()
fails("stale", handle.force, handle)
one:remove()
local function refuses(text, def, more)
  local v2, a2, b2 = two(def)
  local keys = { pairs = { { a2, b2 } }, young = 1e8 }
  for k, value in pairs(more or {}) do keys[k] = value end
  fails(text, v2.bond, v2, keys)
  keys.exact = true
  if not more then assert(#v2:bond(keys) == 1) end
end
refuses('solver "pgs" takes no bonds; auto and nbgs do', { solver = { name = "pgs" } })
refuses("a planar world takes no bonds", { plane = { 0, 1, 0 } })
refuses("semi_implicit", { stepper = "stewart_trinkle" }, {})
refuses("bond.ratio must be above 0", {}, { ratio = -1 })
world = scree.world {}
one, other = world:box { size = { R, R, R }, position = { 0, 0, 0 } }, world:sphere { radius = R, position = { 2 * R, 0, 0 } }
fails("is no ball", world.bond, world, { pairs = { { one, other } }, young = 1e8 })
fails("bonded to itself", world.bond, world, { pairs = { { other, other } }, young = 1e8 })
fails("bond.young is missing", world.bond_pairs, world, { pairs = {} })
fails("one for normal and shear", world.bond, world, { pairs = { { one, other } }, young = 1e8, exact = true, damping = { normal = 1 } })
fails("edge_tension and edge_shear are of elastic bonds", world.bond, world, { pairs = { { one, other } }, young = 1e8, exact = true, strength = { edge_shear = 1 } })

-- exact bonds of bodies that are not balls: a bar of cubes bends like a bar of balls
world = scree.world { dt = 0.01, gravity = { 0, 0, 0 } }
local bar, ties, edge = {}, {}, 2 * R
for i = 0, 6 do bar[i + 1] = world:box { size = { edge, edge, edge }, position = { edge * i, 0, 0 }, density = 1000, kind = i == 0 and "fixed" or "dynamic" } end
for i = 1, 6 do ties[i] = { bar[i], bar[i + 1] } end
local thick = 0.5 * bar[2]:radius()
world:bond { pairs = ties, young = "1 GPa", radius = 0.5, damping = 1, exact = true }
for _ = 1, 400 do
  bar[7]:apply { force = { 0, 0, -2 } }
  world:step()
end
near(select(3, bar[7]:position()) / (-2 * (6 * edge) ^ 3 / (3 * 1e9 * math.pi * thick ^ 4 / 4)), 1, 0.03, "a cantilever of cubes")

-- bonds within a mesh in the form of an L: the two centres in the notch of its bounding box are left out
local l = scree.geometry.mesh { points = { { 0, 0, 0 }, { 2, 0, 0 }, { 2, 1, 0 }, { 1, 1, 0 }, { 1, 2, 0 }, { 0, 2, 0 }, { 0, 0, 1 }, { 2, 0, 1 }, { 2, 1, 1 }, { 1, 1, 1 }, { 1, 2, 1 }, { 0, 2, 1 } },
  triangles = { { 1, 3, 2 }, { 1, 4, 3 }, { 1, 5, 4 }, { 1, 6, 5 }, { 7, 8, 9 }, { 7, 9, 10 }, { 7, 10, 11 }, { 7, 11, 12 }, { 1, 2, 8 }, { 1, 8, 7 }, { 2, 3, 9 }, { 2, 9, 8 },
    { 3, 4, 10 }, { 3, 10, 9 }, { 4, 5, 11 }, { 4, 11, 10 }, { 5, 6, 12 }, { 5, 12, 11 }, { 6, 1, 7 }, { 6, 7, 12 } } }
world = scree.world {}
for i = 0, 15 do world:sphere { radius = 0.25, position = { 0.25 + 0.5 * (i % 4), 0.25 + 0.5 * (i // 4), 0.5 } } end
local inner = world:bond { mesh = l, distance = 1e-6, young = 1e6 }
assert(#inner == 16, #inner) -- twelve balls, 8 bonds along x and 8 along y
for _, b in ipairs(inner) do
  for _, body in ipairs { b:bodies() } do
    local x, y = body:position()
    assert(x < 1 or y < 1, "a ball in the notch is bonded")
  end
end
fails("bond.mesh must be a closed mesh", world.bond, world, { mesh = scree.geometry.mesh { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, triangles = { { 1, 2, 3 } } }, distance = 0 })

-- a bond between two bodies at one place has no direction: it stores no energy and pulls neither body
do
  local v = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
  local a = v:sphere { radius = R, position = { 0, 0, 0 }, density = 1000 }
  local b = v:sphere { radius = R, position = { 2 * R, 0, 0 }, density = 1000 }
  v:bond { pairs = { { a, b } }, young = "1 GPa", radius = 0.5 }
  v:step()
  b:set_position { 0, 0, 0 }
  for _ = 1, 4 do v:step() end
  local r = v:report()
  assert(r.elastic == 0 and r.energy == 0 and r.correction == 0, "energy of a bond without a direction")
  for _, body in ipairs { a, b } do assert(body:position() == 0 and body:velocity() == 0, "a pull without a direction") end
end
