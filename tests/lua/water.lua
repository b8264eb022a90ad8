-- Water: buoyancy of blocks that float, are submerged or tilted, and pressure in joints, against closed forms.
local scree = require "scree"
local cracks = require "scree.cracks"
local motion = require "scree.motion"
local rock = require "scree.rock"
local water = require "scree.water"
local check = require "check"
local G = 9.81
local function world(dt) return scree.world { dt = dt or 1e-3, gravity = { 0, 0, -G } } end

-- ---- buoyancy ----

do -- a cube of 600 kg/m3 floats at 0.6 of its height; moved by a little it oscillates with omega^2 = 1000 g/(600 h)
  local w, h = world(), 0.5
  local def = { size = { h, h, h }, density = 600 }
  local rest = w:box { size = def.size, density = 600, position = { 0, 0, 2 + h / 2 - 0.6 * h } }
  local moved = w:box { size = def.size, density = 600, position = { 5, 0, 2 + h / 2 - 0.6 * h + 0.01 } }
  water.create(w, { level = 2, blocks = { def, def }, bodies = { rest, moved } })
  local turns, last = {}, nil
  for _ = 1, 3000 do
    water.update(w)
    w:step()
    local _, _, v = moved:velocity()
    if last and last < 0 and v >= 0 then turns[#turns + 1] = w:time() - w:dt() * v / (v - last) end
    last = v
  end
  local _, _, z = rest:position()
  check.near(z, 2 + h / 2 - 0.6 * h, 1e-12, "depth of a cube that floats")
  check.near((turns[3] - turns[1]) / 2, 2 * math.pi * math.sqrt(600 * h / (1000 * G)), 1e-4, "period")
end
do -- a submerged block of any shape, in salt water: the acceleration is g (density/1025 - 1) upwards, without a torque
  local w = world()
  local points = { { 1, 2, 3 }, { 1.4, 2, 3.1 }, { 1.1, 2.5, 3 }, { 1.2, 2.2, 3.7 }, { 1.3, 2.4, 3.5 } }
  local block = scree.geometry.hull { points = points }:info()
  local body = rock.add(w, { { points = points, volume = block.volume, centre = block.center } }, { density = 2600 })[1]
  water.create(w, { level = "10 m", density = 1025, blocks = { { points = points } }, bodies = { body } })
  water.update(w)
  w:step()
  local x, y, z = body:velocity()
  check.within(z, -G * (1 - 1025 / 2600) * 1e-3, 1e-12, "velocity") check.within(x, 0, 1e-12, "x") check.within(y, 0, 1e-12, "y")
  local spin = { body:spin() }
  for k = 1, 3 do check.within(spin[k], 0, 1e-12, "spin") end
  water.update(w, 0) -- the water is gone
  w:step()
  check.within(select(3, body:velocity()), -G * (1 - 1025 / 2600) * 1e-3 - G * 1e-3, 1e-12, "dry")
end
do -- a box that is tilted about y: the restoring moment of the metacentre (Bouguer 1746), per radian, is
  -- density g (I - V BG), with the moment of inertia I of the waterline and the distance BG of the centres
  local w, b, l, h, share = world(1e-6), 1, 2, 0.4, 0.5
  local V, draught = b * l * h * share, h * share
  local tilt = 1e-3
  local box = w:box { size = { b, l, h }, density = 1000 * share, position = { 0, 0, h / 2 - draught }, orientation = { math.cos(tilt / 2), 0, math.sin(tilt / 2), 0 } }
  water.create(w, { level = 0, blocks = { { size = { b, l, h } } }, bodies = { box } })
  water.update(w)
  w:step()
  local _, spin = box:spin()
  local moment = -1000 * G * (l * b ^ 3 / 12 - V * (h / 2 - draught / 2)) * tilt
  local _, _, _, inertia = box:inertia()
  check.near(spin * inertia / 1e-6 / moment, 1, 1e-5, "restoring moment")
  check.within(select(3, box:velocity()), 0, 1e-11, "weight and buoyancy are equal")
end
do -- a table with a slope pushes a submerged block along the slope: volume times the gradient of the pressure
  local w = world()
  local size = { 0.3, 0.2, 0.1 }
  local box = w:box { size = size, density = 2000 }
  water.create(w, { level = { 3, 0.1, -0.2 }, blocks = { { size = size } }, bodies = { box } })
  water.update(w)
  w:step()
  local x, y, z = box:velocity()
  check.within(x, -0.1 * G / 2 * 1e-3, 1e-12, "x") check.within(y, 0.2 * G / 2 * 1e-3, 1e-12, "y") check.within(z, -G / 2 * 1e-3, 1e-12, "z")
end

-- ---- joints ----

do -- uplift below a block carries a part of its weight; a level at half of the joint wets half of it
  local w = world()
  w:pair { "default", "default", mu = 0.6 }
  w:box { kind = "fixed", size = { 4, 4, 1 }, position = { 0, 0, -0.5 } }
  local block = w:box { size = { 1, 2, 0.5 }, density = 2500, position = { 0, 0, 0.25 } }
  cracks.watch(w)
  water.create(w, { level = 0.8, acts = "joints" })
  for _ = 1, 50 do
    water.update(w)
    w:step()
  end
  local weight = 2500 * 1 * G
  check.near(cracks.list(w)[1].normal_force, weight - 1000 * G * 0.8 * 2, 1e-6, "effective normal force")
  for _ = 1, 300 do -- pressure over the half x > 0 of the joint: 0 at x = 0 to 1000 g 0.25 at x = 0.5
    water.update(w, { 0, 0.5, 0 })
    w:step()
  end
  local face = cracks.list(w)[1]
  local push = 1000 * G * 0.5 * 0.5 ^ 2 / 2 * 2
  check.near(face.normal_force, weight - push, 1e-6, "triangle of pressure")
  check.within(face.thrust_point[1], -push * (2 / 3 * 0.5) / (weight - push), 1e-6, "centre of the normal force")
end
do -- water in a joint between two blocks pushes both apart with the same force
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
  local a = w:box { size = { 1, 1, 1 }, density = 2000, position = { -0.5, 0, 0 } }
  local b = w:box { size = { 1, 1, 1 }, density = 2000, position = { 0.5, 0, 0 } }
  cracks.watch(w)
  w:step()
  w:set_gravity(0, 0, -G)
  water.create(w, { level = 0.5, acts = "joints" })
  water.update(w)
  w:step()
  local x1, _, z1 = a:velocity()
  local x2, _, z2 = b:velocity()
  check.near(x1, -1000 * G * 0.5 / 2000 * 1e-3, 1e-9, "left") check.near(x2, -x1, 1e-12, "right")
  check.within(z1 + G * 1e-3, 0, 1e-12, "no vertical force") check.within(z2, z1, 1e-12, "both fall")
  check.near(a:mass() * select(2, a:spin()), -a:mass() * select(2, b:spin()), 1e-9, "turned in opposite senses")
end

-- ---- gravity that is tilted or shaken ----

do -- under tilted gravity buoyancy is -density g volume, the depth is measured along -g, and a block that floats stays
  local w = world()
  local g, size = { 3, -4, -12 }, { 1, 1, 0.4 } -- |g| = 13
  w:set_gravity(g)
  local deep = w:box { size = size, density = 2500, position = { 0, 0, 0.2 } }
  local floats = w:box { size = size, density = 500, position = { 5, 0, 0 } }
  local up = { -3 / 13, 4 / 13, 12 / 13 }
  -- a box of half the density of water floats in any orientation with its centre on the table: here 5 up[1]
  water.create(w, { level = 5 * up[1], blocks = { { size = size } }, bodies = { floats } })
  water.create(w, { level = 10, blocks = { { size = size } }, bodies = { deep } })
  water.update(w)
  w:step()
  local v, u = { deep:velocity() }, { floats:velocity() }
  for k = 1, 3 do
    check.within(v[k], g[k] * (1 - 1000 / 2500) * 1e-3, 1e-12, "submerged")
    check.within(u[k], 0, 1e-12, "floating")
  end
  water.update(w, { 10, 0.25, 0 }) -- a slope along x of the height above the origin: volume times this gradient more
  w:step()
  local x = deep:velocity()
  check.within(x - v[1], (3 * (1 - 1000 / 2500) - 0.25 * 13 / 2.5) * 1e-3, 1e-12, "slope")
end
for _, acts in ipairs { "joints", "everywhere" } do -- water does not feel an earthquake of gravity's frame
  local w = world()
  w:pair { "default", "default", mu = 0.8 }
  w:box { kind = "fixed", size = { 6, 6, 1 }, position = { 0, 0, -0.5 } }
  local size = { 1, 1, 0.4 }
  local block = w:box { size = size, position = { 0, 0, 0.2 }, density = 2500 }
  cracks.watch(w)
  local joints = acts == "joints"
  water.create(w, { level = 0.3, acts = acts, blocks = not joints and { { size = size } } or nil, bodies = not joints and { block } or nil })
  motion.gravity(w, { interval = 0.1, ax = { 0, 5, 5, 5, 5, 5 } })
  for _ = 1, 400 do
    motion.update(w)
    water.update(w)
    w:step()
  end
  local face = cracks.list(w)[1]
  check.near(face.normal_force, G * (1000 - 300), 1e-6, acts .. ": uplift in an earthquake")
  check.near(face.shear_force, 5 * 1000, 1e-6, acts .. ": water pushes along z alone")
end

-- ---- two waters ----

do -- water in joints does not push a block again that is wet everywhere; the order of the calls does not matter
  for _, first in ipairs { "joints", "everywhere" } do
    local w = world()
    w:box { kind = "fixed", size = { 6, 6, 1 }, position = { 0, 0, -0.5 } }
    local size = { 1, 1, 0.4 }
    local block = w:box { name = "block", size = size, position = { 0, 0, 0.2 }, density = 2500 }
    w:box { size = size, position = { 0, 0, 0.6 }, density = 2500 }
    cracks.watch(w)
    local wet, joints = { level = 0.6, blocks = { { size = size } }, bodies = { block } }, { level = 0.6, acts = "joints" }
    water.create(w, first == "joints" and joints or wet)
    water.create(w, first == "joints" and wet or joints)
    for _ = 1, 300 do
      water.update(w)
      w:step()
    end
    local most = 0
    for _, face in ipairs(cracks.list(w)) do most = math.max(most, face.normal_force) end
    -- the joint at 0.4 m carries the upper block less 200 kg of uplift; the block below has 400 kg of buoyancy
    check.near(most, G * (1000 - 200 + 1000 - 400), 1e-6, "one uplift, " .. first .. " first")
    -- again on the same block
    check.fails("'block' has water already", water.create, w, wet)
    check.fails("water in joints exists already", water.create, w, joints)
  end
end
do -- a body of several parts has one block per part; the same block twice is refused
  local w = world()
  local function cube(x)
    local points = {}
    for k = 0, 7 do points[k + 1] = { x + (k & 1), k >> 1 & 1, k >> 2 & 1 } end
    return { points = points }
  end
  local long = w:box { size = { 2, 1, 1 }, density = 2500, position = { 1, 0.5, 0.5 } }
  local left = cube(0)
  check.fails("bodies[2] has water already", water.create, w, { level = 9, blocks = { left, left }, bodies = { long, long } })
  local size = { size = { 2, 1, 1 } }
  check.fails("bodies[2] has water already", water.create, w, { level = 9, blocks = { size, { size = { 2, 1, 1 } } }, bodies = { long, long } })
  water.create(w, { level = 9, blocks = { left, cube(1) }, bodies = { long, long } })
  water.update(w)
  w:step()
  check.within(select(3, long:velocity()), -G * (1 - 1000 / 2500) * 1e-3, 1e-12, "two parts")
end

-- ---- mistakes ----

do
  local w = world()
  local box = w:box { size = { 1, 1, 1 } }
  check.fails("must be a height", water.create, w, { blocks = {}, bodies = {} })
  check.fails("everywhere or joints", water.create, w, { level = 1, acts = "here" })
  check.fails("call cracks.watch", water.create, w, { level = 1, acts = "joints" })
  check.fails("of the same length", water.create, w, { level = 1, blocks = { {} }, bodies = {} })
  check.fails("blocks[1] needs points or size", water.create, w, { level = 1, blocks = { {} }, bodies = { box } })
  local function create(def)
    local given = { level = 1, blocks = { { size = { 1, 1, 1 } } }, bodies = { box } }
    for key, value in pairs(def) do given[key] = value end
    return water.create(w, given)
  end
  for _, density in ipairs { -1, 0, math.huge, 0 / 0, "-2 g/cm3" } do
    check.fails("water.create.density must be a number above 0", create, { density = density })
  end
  for _, other in ipairs { box, 3, { state = {} }, "x" } do
    check.fails("water.create takes a world first", water.create, other, { level = 1, blocks = {}, bodies = {} })
    check.fails("water.update takes a world first", water.update, other)
  end
  check.fails("water.create.bodies[1] must be a body, not world", create, { bodies = { w } })
  check.fails("water.create.bodies[1] must be a body, not number", create, { bodies = { 3 } })
  check.fails("water.create.bodies[1] is a body of another world", create, { bodies = { world():box { size = { 1, 1, 1 } } } })
  local gone = w:box { size = { 1, 1, 1 } }
  gone:remove()
  check.fails("water.create.bodies[1] has been removed", create, { bodies = { gone } })
  check.fails("water.create.blocks[1].size must be three lengths above 0", create, { blocks = { { size = { 1, 1 } } } })
  check.fails("water.create.blocks[1].size must be three lengths above 0", create, { blocks = { { size = { 1, 1, -1 } } } })
  check.fails("water.create.blocks[1] must be a table", create, { blocks = { 3 } })
  check.fails("water.create.blocks[1].points[2] must be three lengths", create, { blocks = { { points = { { 0, 0, 0 }, 2 } } } })
  assert(w.state.water == nil, "nothing of a water that is refused stays")
  check.fails("did you mean 'level'", water.create, w, { levl = 1 })
  check.fails("water.create must be called", water.update, w)
end
do -- water in a joint across the boundary of a cell pushes each block on the block's own side of the joint: no spin, and equal forces
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 8, 8, 80 }, periodic = { true, true, false } } }
  w:cell():set_matrix { { 8, 0, 0 }, { 1, 8, 0 }, { 0, 0, 80 } } -- the first edge is { 8, 1, 0 }
  local a = w:box { size = { 1, 1, 1 }, density = 2000, position = { 0.5, 2, 2 } }
  local b = w:box { size = { 1, 1, 1 }, density = 2000, position = { 7.5, 3, 2 } } -- its image is at -0.5, 2, 2
  cracks.watch(w)
  w:step()
  w:set_gravity(0, 0, -G)
  water.create(w, { level = 20, acts = "joints" })
  water.update(w)
  w:step()
  check.near((a:velocity()), 1000 * G * 18 / 2000 * 1e-3, 1e-9, "right") check.near((b:velocity()), -(a:velocity()), 1e-12, "left")
  -- the pressure grows downwards by 1000 g over 1 m: a moment of 1000 g / 12 about the middle of the face
  for _, body in ipairs { a, b } do
    check.near(math.abs(select(2, body:spin())), 1000 * G / 12 / (2000 / 6) * 1e-3, 1e-9, "moment")
    check.within((body:spin()), 0, 1e-12, "no moment about x") check.within(select(3, body:spin()), 0, 1e-12, "nor about z")
  end
end
do -- the pressure must not change along a periodic edge, where it would jump
  local w = scree.world { gravity = { 0, 0, -G }, cell = { size = { 4, 4, 40 }, periodic = { true, true, false } } }
  local size = { 1, 1, 1 }
  local box = w:box { size = size, density = 500, position = { 2, 2, 2 } }
  water.create(w, { level = 9, blocks = { { size = size } }, bodies = { box } })
  water.update(w)
  w:step()
  check.within(select(3, box:velocity()), G * (1000 / 500 - 1) * w:dt(), 1e-12, "buoyancy in a cell")
  check.fails("the pressure of the water changes along edge 2 of the cell, which is periodic", water.update, w, { 9, 0, 0.1 })
  water.update(w, 9)
  w:set_gravity(-G, 0, 0)
  check.fails("the pressure of the water changes along edge 1 of the cell, which is periodic", water.update, w)
end
