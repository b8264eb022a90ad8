-- Joints by area (law joint) against closed forms: elastic closure, strength in tension and shear for any number of points, residual values, dilation,
-- energy, changes of contact points, states in memory.
local scree = require "scree"
local check = require "check"
local G, DT = 9.81, 1e-3
local PHI, REST, COHESION, LEFT, TENSION, KN, KS = math.rad(35), math.rad(30), 1e5, 2e4, 5e4, 1e9, 5e8
local function equal(found, expected, what) if found ~= expected then error(what .. ': ' .. tostring(found) .. ', expected ' .. tostring(expected), 2) end end
local function share(found, expected, bound, what) check.within(found, expected, bound * math.abs(expected), what) end

-- Corners of a prism of height h over a regular polygon of area 1.
local function prism(corners, h)
  local R, points = math.sqrt(2 / (corners * math.sin(2 * math.pi / corners))), {}
  for _, z in ipairs { -h / 2, h / 2 } do
    for k = 0, corners - 1 do
      local a = 2 * math.pi * (k + 0.5) / corners
      points[#points + 1] = { R * math.cos(a), R * math.sin(a), z }
    end
  end
  return points
end
-- A block of 1 m2 and 1 t on a floor, with a joint. keys: changes of the pair. ground: "box" or "plane".
local function stand(corners, keys, def)
  def = def or {}
  local w = scree.world { dt = DT, gravity = { 0, 0, -G }, friction_factor = def.friction_factor, cohesion_factor = def.cohesion_factor }
  local pair = { "default", "default", law = "joint", kn = "1 GPa/m", ks = "0.5 GPa/m", friction = "35 deg", cohesion = "0.1 MPa", tension = "0.05 MPa" }
  for key, value in pairs(keys or {}) do pair[key] = value end
  w:pair(pair)
  if def.ground == "plane" then w:halfspace { normal = { 0, 0, 1 } } else w:box { kind = "fixed", size = { 6, 6, 1 }, position = { 0, 0, -0.5 } } end
  local at = { 0, 0, 0.2 }
  local block = corners == 4 and w:box { size = { 1, 1, 0.4 }, position = at, density = 2500 } or w:hull { points = prism(corners, 0.4), position = at, density = 2500 }
  return w, block
end
local WEIGHT = 1000 * G
local function first(w) return w:contacts()[1] or { joint = "open" } end
-- Applies a load upwards and a shear force in the plane of the joint, without a moment about its centre.
local function push(w, block, up, shear)
  local x, y = block:position()
  block:apply { force = { 0, 0, up } }
  block:apply { force = { shear, 0, 0 }, at = { x, y, 0 } }
  w:step()
end
-- Raises a load from 0 to 1.1 of the expected strength until the joint is not intact any more. Returns the load.
local function strength(w, block, expected, load)
  for i = 1, 2000 do
    local value = 1.1 * expected * i / 2000
    load(value)
    if first(w).joint ~= "intact" then return value end
  end
end

-- ---- elastic, and strength in tension, for any number of points ----

for _, case in ipairs { { 3 }, { 4 }, { 4, "plane" }, { 6 }, { 8 }, { 12, "plane" } } do
  local corners, ground = case[1], case[2]
  local w, block = stand(corners, nil, { ground = ground })
  w:step(1000)
  local area = 0
  for c in w:contacts() do area = area + c.area end
  local name = corners .. " corners on " .. (ground or "box")
  equal(#w:contacts(), corners, "points with " .. name)
  check.within(area, 1, 1e-12, "area with " .. name)
  share(0.2 - select(3, block:position()), WEIGHT / KN, 1e-4, "closure sigma/kn with " .. name)
  share(w:report().elastic, WEIGHT ^ 2 / KN / 2, 1e-3, "elastic energy with " .. name)
  local broke = strength(w, block, TENSION + WEIGHT, function(force) push(w, block, force, 0) end)
  share(broke - WEIGHT, TENSION, 2e-3, "tension with " .. name)
  equal(first(w).joint, "open", "state with " .. name)
end

-- ---- direct shear: the line of Mohr and Coulomb, then the residual one ----

for _, corners in ipairs { 4, 7 } do
  for _, load in ipairs { 0, 1e5, 4e5 } do
    local w, block = stand(corners, { residual_friction = "30 deg", residual_cohesion = "0.02 MPa" })
    for _ = 1, 300 do push(w, block, -load, 0) end
    local peak = COHESION + math.tan(PHI) * (WEIGHT + load)
    local name = corners .. " corners, load " .. load
    -- below the strength the joint is a spring
    for i = 1, 500 do push(w, block, -load, 0.5 * peak * i / 500) end
    for _ = 1, 200 do push(w, block, -load, 0.5 * peak) end
    share((block:position()), 0.5 * peak / KS, 2e-3, "shear spring, " .. name)
    share(strength(w, block, peak, function(force) push(w, block, -load, math.max(0.5 * peak, force)) end), peak, 1e-3, "peak of shear, " .. name)
    equal(first(w).joint, "slipped", "state, " .. name)
    local rest = LEFT + math.tan(REST) * (WEIGHT + load)
    for _ = 1, 200 do push(w, block, -load, 1.01 * rest) end
    local shear, normal = 0, 0
    for c in w:contacts() do shear, normal = shear - c.impulse[1] / DT, normal + c.impulse[3] / DT end
    share(normal, WEIGHT + load, 1e-3, "normal force, " .. name)
    share(shear, LEFT + math.tan(REST) * normal, 1e-3, "residual shear, " .. name)
    share(first(w).slip, block:position() - peak / KS, 0.02, "slip, " .. name)
  end
end

do -- faces of two blocks: each point of a square of 1 m2 has a quarter of it
  local w, block = stand(4)
  local x, y, z = block:position()
  w:box { size = { 1, 1, 0.4 }, position = { x + 2, y, z }, density = 2500 }
  w:step()
  local points = 0
  for c in w:contacts() do
    share(c.area, 0.25, 1e-9, "area of a corner")
    points = points + 1
  end
  equal(points, 8, "points of two faces")
end

-- ---- a joint stays what it is when its points change; new contacts are not joints ----

-- Shears a block that overhangs the edge of its floor, so that corners of the floor become points. Returns forces of friction.
local function overhang(corners)
  local w = scree.world { dt = DT, gravity = { 0, 0, -G } }
  w:pair { "default", "default", law = "joint", kn = "1 GPa/m", friction = "35 deg", cohesion = 1e4, residual_cohesion = 5e3 }
  w:box { kind = "fixed", size = { 3, 3, 1 }, position = { -0.7, 0, -0.5 } }
  local block = corners == 4 and w:box { size = { 1, 1, 0.4 }, position = { 0, 0, 0.2 }, density = 2500 }
    or w:hull { points = prism(corners, 0.4), position = { 0, 0, 0.2 }, density = 2500 }
  local seen, x = {}, nil
  while block:position() < 0.6 do
    x = block:position() -- contacts are those of the start of the step
    push(w, block, 0, first(w).joint == "slipped" and 1.22e4 or 1.75e4)
    seen[#w:contacts()] = true
    assert(first(w).joint == "slipped" or (block:position()) < 1e-3, "the joint has slipped and remains so")
  end
  local shear, normal, area = 0, 0, 0
  for c in w:contacts() do shear, normal, area = shear - c.impulse[1] / DT, normal + c.impulse[3] / DT, area + c.area end
  share(shear, 5e3 * area + math.tan(PHI) * normal, 1e-3, "sliding beyond the edge")
  return area, seen, x
end
do
  local area, _, x = overhang(4)
  -- the floor ends at x = 0.8
  share(area, 0.8 - (x - 0.5), 1e-4, "area over the edge")
  local _, seen = overhang(8)
  local kinds = 0
  for _ in pairs(seen) do kinds = kinds + 1 end
  assert(kinds > 1, "the number of points changes")
end
do -- a block that falls on another is not glued to it
  local w, block = stand(4)
  block:set_position(0, 0, 0.3)
  w:step(1)
  w:step(800)
  equal(first(w).joint, "open", "a contact that began later")
  for _ = 1, 300 do push(w, block, WEIGHT * 1.01, 0) end
  assert(select(3, block:position()) > 0.2, "it does not hold")
end
do -- a joint that broke does not heal when the face comes back
  local w, block = stand(4)
  w:step(100)
  for _ = 1, 400 do push(w, block, WEIGHT + 1.05 * TENSION, 0) end
  assert(#w:contacts() == 0, "the block has left")
  w:step(2000)
  equal(first(w).joint, "open", "after the fall")
end

-- ---- dilation ----

do
  local w, block = stand(4, { tension = 0, cohesion = 0, dilation = "10 deg", dilation_slip = 0.02 })
  w:step(500)
  local _, _, z0 = block:position()
  for _ = 1, 400 do push(w, block, 0, 1.2 * math.tan(PHI) * WEIGHT) end
  local x, _, z = block:position()
  assert(x > 0.05, "it slides")
  share(z - z0, math.tan(math.rad(10)) * 0.02, 0.05, "dilation ends after its slip")
end

-- ---- energy: what breaking releases is in the balance ----

do
  local w, block = stand(4, { residual_friction = "20 deg" })
  w:step(1000)
  local r = w:report()
  local start = r
  local before = r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction
  for i = 1, 1500 do push(w, block, 0, first(w).joint == "slipped" and 0 or 1.2 * (COHESION + math.tan(PHI) * WEIGHT) * i / 1500) end
  r = w:report()
  equal(first(w).joint, "slipped", "it has slipped")
  -- the block rests again: sliding and breaking have dissipated the work, less the energy of the springs
  share(r.dissipated, r.work - (r.elastic - start.elastic) - (r.potential - start.potential), 0.02, "dissipated by breaking")
  check.within(r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction, before, 1e-9 * r.work, "energy balance")
end

-- ---- states ----

do
  local w, block = stand(8, { residual_cohesion = 1e4 })
  for i = 1, 600 do push(w, block, 0, first(w).joint == "slipped" and 1.75e4 or 1.2e5 * i / 600) end
  local copy = w:clone()
  local twin = copy:body_of(block:id())
  for _ = 1, 200 do
    push(w, block, 0, 1.75e4)
    push(copy, twin, 0, 1.75e4)
  end
  equal(copy:hash(), w:hash(), "a clone goes on with the same bits")
  equal(first(copy).joint, "slipped", "and the same joints")
end

-- ---- faces ----

do
  local faces = require "scree.faces"
  local w, block = stand(8)
  w:step(1000)
  for _ = 1, 500 do push(w, block, 0, 5e4) end
  local list = faces.list(w)
  equal(#list, 1, "one face")
  local face = list[1]
  check.within(face.area, 1, 1e-12, "area of the face")
  share(face.normal_stress, WEIGHT, 1e-3, "normal stress")
  share(face.shear_stress, 5e4, 1e-3, "shear stress")
  share(-face.opening, WEIGHT / KN, 1e-3, "closure of the face")
  share(face.point[1], block:position(), 1e-3, "centre of the face")
  assert(face.joint == "intact" and face.slip == 0 and face.points == 8, "state of the face")
  local text = faces.vtk(w)
  assert(text:find("POINTS 1 double", 1, true) and text:find("SCALARS normal_stress double 1\nLOOKUP_TABLE default\n98", 1, true), "file for ParaView")
end

-- ---- factors of strength, and get_pair ----

do
  local w, block = stand(4, nil, { friction_factor = 0.5, cohesion_factor = 0.25 })
  local pair = w:get_pair("default", "default")
  share(math.tan(pair.friction), 0.5 * math.tan(PHI), 1e-12, "friction_factor")
  check.within(pair.cohesion, COHESION / 4, 1e-9, "cohesion_factor")
  check.within(pair.kn, KN, 0, "kn")
  w:step(200)
  local peak = COHESION / 4 + 0.5 * math.tan(PHI) * WEIGHT
  share(strength(w, block, peak, function(force) push(w, block, 0, force) end), peak, 2e-3, "weakened joint")
end

-- ---- stiffness by area without the law joint ----

do
  local w = scree.world { dt = DT, gravity = { 0, 0, -G } }
  w:pair { "default", "default", mu = 0.5, kn = 1e8 }
  w:halfspace { normal = { 0, 0, 1 } }
  local block = w:hull { points = prism(5, 0.4), position = { 0, 0, 0.2 }, density = 2500 }
  w:step(1500)
  share(0.2 - select(3, block:position()), WEIGHT / 1e8, 1e-4, "closure without cohesion")
  assert(first(w).joint == nil and math.abs(first(w).area - 0.2) < 1e-9, "area, and no joint")
end

-- ---- a pair that changes its law ----

do -- what the law joint has left does not act on under another law, and not when the law comes back
  local function dilated()
    local w, block = stand(4, { tension = 0, cohesion = 0, dilation = "10 deg" })
    w:step(300)
    for _ = 1, 400 do push(w, block, 0, 1.2 * math.tan(PHI) * WEIGHT) end
    return w, block
  end
  local w, block = dilated()
  assert(select(3, block:position()) > 0.2 + 1e-3, "it has dilated")
  w:pair { "default", "default", mu = 0.7, kn = KN, ks = KS }
  block:set_velocity(0, 0, 0)
  w:step(1500)
  share(0.2 - select(3, block:position()), WEIGHT / KN, 1e-3, "closure without the joint's dilation")
  assert(first(w).joint == nil or first(w).slip == 0, "no state without the law")
  w:pair { "default", "default", law = "joint", kn = KN, ks = KS, friction = PHI, cohesion = COHESION }
  w:step(2)
  equal(first(w).joint, "intact", "the law set anew")
  equal(first(w).slip, 0, "slip of a new joint")
end
do -- friction that is reduced below the dilation reduces the dilation
  local w = stand(4, { tension = 0, cohesion = 0, dilation = "30 deg" }, { friction_factor = 0.5 })
  local pair = w:get_pair("default", "default")
  share(math.tan(pair.dilation), 0.5 * math.tan(PHI), 1e-12, "dilation at reduced friction")
end
do -- get_pair gives what pair takes
  local w = scree.world {}
  w:pair { "default", "default", mu = 0.5, kn = 1e9 }
  share(w:get_pair("default", "default").ks, 0.8e9, 1e-12, "ks by default")
end

-- ---- mistakes ----

for _, case in ipairs {
  { { kn = 0, ks = 0 }, 'law "joint" needs kn' }, { { ks = 0 }, "pair.ks must be greater than 0" }, { { dilation = "20 deg", residual_friction = "15 deg" }, "dilation must not exceed" }, { { tension = 2e5 }, "it is at most cohesion/tan(friction)" }, { { mu = 0.5 }, "mu and friction both" },
  { { residual_cohesion = 2e5 }, "residual_cohesion must not exceed" }, { { residual_friction = "40 deg" }, "residual_friction must not exceed" },
  { { residual_friction = -0.5 }, "residual_friction" }, { { dilation = "40 deg" }, "dilation must not exceed" }, { { dilation_slip = 1 }, "dilation_slip needs dilation" },
  { { restitution = 0.5 }, "do not rebound" }, { { friction = "35 m" }, "friction" }, { { cohesion = "1 N" }, "cohesion" }, { { kn = 1e9, young = 1e9 }, "give one" },
  { { ks = 1e8, stiffness_ratio = 0.5 }, "ks and stiffness_ratio" }, { { cohesoin = 1 }, "cohesion" }, { { cohesion_impulse = 1 }, "cohesion_impulse" },
  { { law = "coulomb", friction = "35 deg" }, "friction" }, { { friction = "90 deg", tension = 0 }, "below 90 deg" },
} do check.fails(case[2], stand, 4, case[1]) end
check.fails("ks needs kn", function() scree.world({}):pair { "default", "default", mu = 0.5, ks = 1e8 } end)
check.fails("opens by tension/kn", function()
  local w = stand(4, { kn = 1e6, ks = 1e6 })
  w:step()
end)
