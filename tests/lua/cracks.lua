-- Cracks: geometry, forces and states of faces between blocks, lines of thrust and mechanisms, against closed forms.
local scree = require "scree"
local cracks = require "scree.cracks"
local masonry = require "scree.masonry"
local check = require "check"
local G = 9.81
local function world(def)
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -G }, plane = def and def.plane }
  w:pair { "default", "default", mu = 0.8 }
  return w
end
-- Returns a block of 0.4 m x 0.6 m x 0.2 m on a fixed block, with its face noted after a step.
local function pair_of_blocks(def)
  local w = world()
  if def and def.pair then w:pair(def.pair) end
  local ground = w:box { kind = "fixed", size = { 2, 2, 1 }, position = { 0, 0, -0.5 }, name = "ground" }
  local block = w:box { size = { 0.4, 0.6, 0.2 }, position = { 0, 0, 0.1 }, density = 2500, name = "block" }
  cracks.watch(w, def and def.watch)
  w:step()
  cracks.update(w)
  return w, block, ground
end

-- ---- geometry ----

do
  local w, block = pair_of_blocks()
  local list = cracks.list(w)
  assert(#list == 1)
  local face, weight = list[1], 2500 * 0.4 * 0.6 * 0.2 * G
  check.near(face.area, 0.24, 1e-9, "area")
  assert(#face.corners == 4 and face.state == "closed" and face.joint == nil and face.contacts == 4)
  check.near(math.abs(face.normal[3]), 1, 1e-12, "normal")
  for k = 1, 3 do check.within(face.centre[k], 0, 1e-6, "centre") end
  check.near(face.normal_force, weight, 1e-6, "normal force")
  check.within(face.shear_force, 0, 1e-6 * weight, "shear force")
  check.within(face.opening, 0, 1e-9, "opening")
  -- a block that rocks about its edge at x = 0.2 opens by the chord of the angle, and does not slip
  local angle = 0.3
  local s, c = math.sin(angle), math.cos(angle)
  block:set_position(0.2 - 0.2 * c + 0.1 * s, 0, 0.2 * s + 0.1 * c)
  block:set_orientation(math.cos(angle / 2), 0, math.sin(angle / 2), 0)
  face = cracks.list(w)[1]
  check.near(face.opening, 2 * 0.4 * math.sin(angle / 2), 1e-6, "opening of a block that rocks")
  check.near(face.mean_opening, 0.4 * math.sin(angle / 2), 1e-6, "mean opening")
  check.within(face.slip, 0, 1e-6, "slip of a block that rocks")
  assert(face.state == "open")
  -- a block that slides slips, and a block that is raised opens everywhere
  block:set_orientation(1, 0, 0, 0)
  block:set_position(0.03, 0.04, 0.1)
  face = cracks.list(w)[1]
  check.near(face.slip, 0.05, 1e-6, "slip")
  check.within(face.opening, 0, 1e-6, "opening of a block that slides")
  assert(face.state == "slipped")
  block:set_position(0, 0, 0.17)
  face = cracks.list(w)[1]
  check.near(face.opening, 0.07, 1e-6, "opening") check.near(face.mean_opening, 0.07, 1e-6, "mean opening")
  check.within(face.centre[3], 0.035, 1e-6, "the centre lies half-way")
  -- a block that turns about the vertical slips at its corners
  block:set_position(0, 0, 0.1)
  block:set_orientation(math.cos(0.05), 0, 0, math.sin(0.05))
  check.near(cracks.list(w)[1].slip, 2 * math.sqrt(0.2 ^ 2 + 0.3 ^ 2) * math.sin(0.05), 1e-6, "slip of a block that turns")
end
do -- the face of a hexagonal drum has its area; edges are no faces
  local w = world()
  w:halfspace { normal = { 0, 0, 1 } }
  masonry.column(w, { radius = 0.3, height = 1, drums = 2, sides = 6, density = 2000 })
  w:box { size = { 0.2, 0.2, 0.2 }, position = { 3, 0, 0.1 * math.sqrt(2) }, orientation = { math.cos(math.pi / 8), math.sin(math.pi / 8), 0, 0 } }
  cracks.watch(w)
  w:step()
  local list = cracks.list(w)
  assert(#list == 2, "two faces, and no face of the block on its edge")
  for _, face in ipairs(list) do check.near(face.area, math.pi * 0.3 ^ 2, 1e-6, "area of a drum") end
end

-- ---- the order of moves ----

do -- the arch below its smallest thickness opens at crown, haunches and springings (Heyman 1966), symmetrically
  local w = world { plane = { 0, 1, 0 } }
  masonry.arch(w, { radius = 1, thickness = 0.1, depth = 0.3, voussoirs = 16, density = 2000, name = "a" })
  cracks.watch(w, { tolerance = "0.1 mm" })
  for _ = 1, 100 do w:step() cracks.update(w) end
  local found = {}
  for _, move in ipairs(cracks.moves(w)) do
    assert(move.event == "opens")
    found[#found + 1] = move.body1:name() .. " " .. move.body2:name()
  end
  table.sort(found)
  assert(table.concat(found, ", ") == "a1 a_support1, a13 a14, a16 a_support2, a3 a4, a8 a9", table.concat(found, ", "))
  for _, face in ipairs(cracks.list(w)) do
    assert((face.state == "open") == (face.opened_at ~= nil) and not face.slipped_at)
  end
end
do -- the face of a joint fails when its strength is reached: 30 kPa over 0.24 m2 at 200 kN/s
  local w, block = pair_of_blocks { pair = { "default", "default", law = "joint", kn = 1e9, ks = 1e9, friction = "30 deg", cohesion = "30 kPa", residual_friction = "20 deg" } }
  local weight, failed = block:mass() * G, nil
  for _ = 1, 200 do -- after the failure a load slightly above the residual friction
    block:apply { force = { failed and 600 or 2e5 * w:time(), 0, 0 }, at = { 0, 0, 0 } }
    w:step()
    local face = cracks.list(w)[1]
    if face.joint ~= "intact" then failed = failed or w:time() else assert(face.state == "closed" and not face.failed_at) end
  end
  local face = cracks.list(w)[1]
  check.within(face.failed_at, (30e3 * 0.24 + math.tan(math.rad(30)) * weight) / 2e5, 2e-3, "time of failure")
  assert(face.failed_at == failed and face.state == "slipped" and face.joint == "slipped")
  assert(face.slipped_at >= face.failed_at and cracks.moves(w)[1].event == "fails" and cracks.moves(w)[2].event == "slips")
  check.near(face.slip, (block:position()), 1e-3, "slip of a block without springs on its sides")
end

-- ---- late calls ----

local function thin_arch()
  local w = world { plane = { 0, 1, 0 } }
  masonry.arch(w, { radius = 1, thickness = 0.1, depth = 0.3, voussoirs = 16, density = 2000, name = "a" })
  return w
end
do -- faces that open before the first update are noted: the same faces as with an update in each step,
   -- and the same openings but for the motion in the first step
  local openings = {}
  for i, every in ipairs { 1, 150 } do
    local w = thin_arch()
    cracks.watch(w, { tolerance = "0.1 mm" })
    for k = 1, 300 do
      w:step()
      if k % every == 0 then cracks.update(w) end
    end
    openings[i] = {}
    for _, face in ipairs(cracks.list(w)) do openings[i][face.name1 .. " " .. face.name2] = face.opening end
    assert(#cracks.list(w) == 17 and #cracks.moves(w) == 5, #cracks.list(w) .. " faces, " .. #cracks.moves(w) .. " moves")
  end
  for name, opening in pairs(openings[1]) do check.within(openings[2][name], opening, G * 1e-3 ^ 2, name) end
end
do -- the faces of watch are part of the state
  local w = thin_arch()
  cracks.watch(w)
  local copy = w:clone()
  copy:step(300)
  assert(#cracks.list(copy) == 17 and cracks.list(copy)[1].body1:name())
end

-- ---- the line of thrust ----

do -- blocks with an eccentric load: the moments of weights and load about each joint
  local w = world()
  local ground = w:box { kind = "fixed", size = { 2, 2, 1 }, position = { 0, 0, -0.5 } }
  local parts, heights, z = { ground }, { 0.3, 0.2, 0.4 }, 0
  for i, h in ipairs(heights) do
    parts[i + 1] = w:box { size = { 0.5, 0.3, h }, position = { 0, 0, z + h / 2 }, density = 2000 }
    z = z + h
  end
  cracks.watch(w)
  local P, H, at = 400, 60, 0.15
  for _ = 1, 400 do
    parts[4]:apply { force = { H, 0, -P }, at = { at, 0, z } }
    w:step()
  end
  check.fails("perpendicular to the plane of the row", masonry.thrust, w, parts, { axis = { 0, 0, 1 } })
  local line, level, above = masonry.thrust(w, parts), 0, 0.9 * 0.15 * 2000 * G
  assert(#line == 3)
  for i, joint in ipairs(line) do
    check.near(joint.normal_force, above + P, 1e-6, "force of joint " .. i)
    check.near(math.abs(joint.shear_force), H, 1e-5, "shear of joint " .. i)
    check.near(joint.thickness, 0.5, 1e-6, "thickness")
    check.within(joint.point[1], (P * at + H * (z - level)) / (above + P), 2e-6, "point of joint " .. i)
    check.within(joint.eccentricity * joint.across[1], joint.point[1], 1e-6, "eccentricity of joint " .. i)
    level, above = level + heights[i], above - heights[i] * 0.15 * 2000 * G
  end
end
-- Returns the eccentricities of the joints from the crown to the springing, from the force at the crown, H along the
-- arch and V upwards, and its eccentricity e there, by the balance of half of the arch (radius 1). n: voussoirs of the half.
local function balance(n, t, density, depth, H, V, e)
  local list, weight, moment = {}, 0, 0
  local da = math.pi / 2 / n
  local a2, a1 = 1 + t / 2, 1 - t / 2
  local area = math.sin(da) / 2 * (a2 ^ 2 - a1 ^ 2)
  local r = 2 / 3 * math.cos(da / 2) * (a2 ^ 3 - a1 ^ 3) / (a2 ^ 2 - a1 ^ 2) -- centre of a trapezium
  for k = 1, n do
    local a, b = (k - 0.5) * da, k * da
    weight, moment = weight + area * density * depth * G, moment + area * density * depth * G * r * math.sin(a)
    -- H acts at the height 1 + e, the weights at their centres; the line of force meets the joint at the radius s
    local s = (H * (1 + e) + moment) / (H * math.cos(b) + (weight - V) * math.sin(b))
    list[k] = s - 1
  end
  return list
end
for _, t in ipairs { 0.1071, 0.13 } do
  local w, depth, n = world { plane = { 0, 1, 0 } }, 0.3, 8
  local blocks, supports = masonry.arch(w, { radius = 1, thickness = t, depth = depth, voussoirs = 2 * n, density = 2000 })
  cracks.watch(w)
  w:step(2000)
  local parts = { supports[1], table.unpack(blocks) }
  parts[#parts + 1] = supports[2]
  local line = masonry.thrust(w, parts)
  assert(#line == 2 * n + 1)
  local crown = line[n + 1]
  local H, V, middle = crown.force[1], crown.force[3], crown.eccentricity
  for side = -1, 1, 2 do
    for k, e in ipairs(balance(n, t, 2000, depth, H, side * V, middle)) do
      check.within(line[n + 1 + side * k].eccentricity, e, 1e-6, "joint " .. k .. " beside the crown")
    end
  end
  if t == 0.1071 then -- just above the smallest thickness, 0.10708: the line touches extrados at crown and springings, and intrados at the haunches
    check.within(crown.eccentricity / t, 0.5, 0.01, "crown")
    check.within(line[4].eccentricity / t, -0.5, 0.01, "haunch at 56 degrees")
    check.within(line[1].eccentricity / t, 0.5, 0.01, "springing")
  end
end
do -- parts of several bodies: a wall whose courses are parts
  local w = world()
  local ground = w:box { kind = "fixed", size = { 2, 2, 1 }, position = { 0, 0, -0.5 } }
  local wall = masonry.wall(w, { brick = { 0.2, 0.1, 0.1 }, columns = 3, courses = 3, density = 2000 })
  cracks.watch(w)
  w:step(200)
  local parts = { { ground }, { table.unpack(wall, 1, 3) }, { table.unpack(wall, 4, 7) }, { table.unpack(wall, 8) } }
  for i, joint in ipairs(masonry.thrust(w, parts)) do
    check.near(joint.normal_force, (4 - i) * 0.6 * 0.1 * 0.1 * 2000 * G, 1e-3, "weight on course " .. i)
    check.within(joint.eccentricity, 0, 1e-4, "eccentricity") check.near(joint.thickness, 0.6, 1e-6, "length")
  end
  assert(masonry.thrust(w, { wall[1], wall[10] })[1] == false, "no face in common")
end

-- ---- files and states ----

do
  local w, block = pair_of_blocks()
  block:set_position(0.03, 0, 0.1)
  local state = w:save()
  local lines = {}
  for line in cracks.csv(w):gmatch "[^\n]+" do lines[#lines + 1] = line end
  assert(#lines == 2 and lines[1]:find "body1,body2,state" and lines[2]:find "slipped" and lines[2]:find "block" and lines[2]:find "0.24")
  local columns = {}
  for i, line in ipairs(lines) do columns[i] = select(2, line:gsub(",", "")) end
  assert(columns[1] == columns[2], "as many values as names")
  local vtk = cracks.vtk(w)
  assert(vtk:find("POINTS 4 double", 1, true) and vtk:find("POLYGONS 1 5", 1, true) and vtk:find("SCALARS normal_stress", 1, true))
  assert(vtk:match "SCALARS state double 1\nLOOKUP_TABLE default\n2\n", "a slipped face")
  assert(#cracks.moves(w) == 1)
  w:restore(state) -- the moves are part of the state
  assert(#cracks.moves(w) == 0 and #w.state.cracks.faces == 1)
  cracks.update(w)
  block:remove()
  assert(#cracks.list(w) == 0, "faces of removed bodies are gone")
  local move = cracks.moves(w)[1]
  assert(move.name1 == "ground" and move.name2 == "block" or move.name1 == "block" and move.name2 == "ground", "names of moves stay")
end

do -- names with commas, quotes and line breaks are quoted (RFC 4180)
  local w = world()
  w:box { kind = "fixed", size = { 2, 2, 1 }, position = { 0, 0, -0.5 }, name = 'a "big", one' }
  w:box { size = { 0.4, 0.6, 0.2 }, position = { 0, 0, 0.1 }, name = "two\nlines" }
  cracks.watch(w)
  w:step()
  local text = cracks.csv(w)
  assert(text:find('"a ""big"", one"', 1, true) and text:find('"two\nlines"', 1, true), text)
end

-- ---- periodic cells ----

do -- a face across the boundary of a cell opens and slips like a face inside it, wherever the bodies are unwrapped
  for _, cells in ipairs { 0, 1, -2 } do
    local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 }, cell = { size = { 4, 5, 6 }, periodic = { true, true, true } } }
    w:pair { "default", "default", mu = 0.5 }
    local a = w:box { size = { 1, 2, 2 }, position = { 0.5, 2, 2 } }
    local b = w:box { size = { 1, 2, 2 }, position = { 3.5 + 4 * cells, 2, 2 } }
    cracks.watch(w)
    w:step()
    local face = cracks.list(w)[1]
    check.within(face.opening, 0, 1e-9, "closed") check.within(face.slip, 0, 1e-9, "no slip")
    assert(#cracks.list(w) == 1 and face.image[1] == -1 - cells, "image of body 2")
    -- b turns about its edge at x = 4, y = 1: the face opens by the chord of its height 2, and does not slip
    local angle = 0.2
    local s, c = math.sin(angle), math.cos(angle)
    b:set_orientation(math.cos(angle / 2), 0, 0, math.sin(angle / 2))
    b:set_position(4 + 4 * cells - 0.5 * c - s, 1 - 0.5 * s + c, 2)
    face = cracks.list(w)[1]
    check.near(face.opening, 2 * 2 * math.sin(angle / 2), 1e-6, "opening across the boundary")
    check.within(face.slip, 0, 1e-6, "slip across the boundary")
    check.within(face.centre[1], -math.sin(angle) / 2, 1e-6, "the centre is at body 1")
  end
end
do -- two faces of one pair, with two images: two blocks fill the cell along x
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 }, cell = { size = { 4, 9, 9 }, periodic = { true, true, true } } }
  w:box { size = { 2, 1, 1 }, position = { 1, 2, 2 } }
  local b = w:box { size = { 2, 1, 1 }, position = { 3, 2, 2 } }
  cracks.watch(w)
  w:step()
  assert(#cracks.list(w) == 2)
  b:set_position(3, 2.1, 2)
  for _, face in ipairs(cracks.list(w)) do
    check.within(face.slip, 0.1, 1e-9, "both faces slip") check.within(face.opening, 0, 1e-9, "and stay closed")
  end
end

-- ---- mistakes ----

do
  local w = world()
  check.fails("cracks.watch(w) must be called before", cracks.list, w)
  check.fails("cracks.watch(w) must be called before", cracks.moves, w)
  check.fails("tolerance must be a length greater than 0", cracks.watch, w, { tolerance = 0 })
  check.fails("did you mean 'tolerance'", cracks.watch, w, { tolerence = 1 })
  cracks.watch(w)
  assert(#cracks.list(w) == 0)
  check.fails("needs a list of at least two parts", masonry.thrust, w, {})
  check.fails("an entry that is no body", masonry.thrust, w, { 1, 2 })
  check.fails("must be a direction", masonry.thrust, w, { 1, 2 }, { axis = { 0, 0, 0 } })
  check.fails("must be a direction", masonry.thrust, w, { 1, 2 }, { axis = { 0, math.huge, 0 } })
end
