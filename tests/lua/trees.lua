-- Trees of ball joints without an axis are integrated in SIMD lanes (engine/world/mechanism/trees). A ball joint with an axis has the same rows but is
-- integrated by the general code, one mechanism after the other: both must give the same motion, to rounding.
local scree = require "scree"
local near = require("check").within

-- Bodies that turn in each way there is (alike about all axes, about two, about none), in a tree with branches; x: where, k: how it spins.
local function doll(w, x, k, axis, ground, joints)
  local spin = { 3 * math.sin(k), 5 * math.cos(2 * k), 4 * math.sin(3 * k) }
  local function tie(a, b, at) table.insert(joints, w:ball { a = a, b = b, at = { x + at[1], at[2], at[3] }, axis = axis }) end
  local chest = w:box { size = { 0.2, 0.34, 0.44 }, position = { x, 0, 0.4 }, spin = spin }
  local head = w:sphere { radius = 0.12, position = { x, 0, 0.8 } }
  local arm = w:capsule { radius = 0.05, length = 0.24, position = { x, 0.3, 0.35 }, spin = spin }
  local hand = w:box { size = { 0.1, 0.1, 0.3 }, position = { x, 0.3, -0.05 }, spin = { 0, 0, 20 } }
  local leg = w:capsule { radius = 0.07, length = 0.26, position = { x, 0, -0.1 } }
  tie(head, chest, { 0, 0, 0.64 })
  tie(chest, arm, { 0, 0.24, 0.55 })
  tie(hand, arm, { 0, 0.3, 0.15 })
  tie(leg, chest, { 0, 0, 0.1 })
  if ground then tie(head, nil, { 0, 0, 0.9 }) end
  return { chest, head, arm, hand, leg }
end

local function world(axis, options, floor)
  options.gravity, options.dt = options.gravity or { 0, 0, -9.81 }, options.dt or 4e-3
  local w = scree.world(options)
  w:pair { "default", "default", mu = 0.3 }
  if floor then w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, floor } } end
  local bodies, joints = {}, {}
  for k = 1, 11 do table.move(doll(w, 3 * k, k, axis, k % 3 == 0, joints), 1, 5, #bodies + 1, bodies) end
  w:ball { a = w:sphere { radius = 0.1, position = { 0, 9, 0 } }, at = { 1, 9, 0 }, axis = axis } -- a tree by itself
  return w, bodies, joints
end

-- Conserved quantities.
local function total(r) return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction end

-- Runs both ways; bodies must stay within `tolerance` of each other, accounts within 1e-12 of the energy.
local function compare(options, steps, tolerance, each, floor)
  local lanes, mine, joints = world(nil, options, floor)
  local general, theirs, others = world({ 0, 0, 1 }, options, floor)
  local start = total(lanes:report())
  for _ = 1, steps do
    for _, side in ipairs { { lanes, mine, joints }, { general, theirs, others } } do
      if each then each(side[2], side[3]) end
      side[1]:step()
    end
  end
  for i, b in ipairs(mine) do
    for _, verb in ipairs { "position", "orientation", "velocity", "spin" } do
      local a, o = { b[verb](b) }, { theirs[i][verb](theirs[i]) }
      for c, x in ipairs(a) do near(x, o[c], tolerance, verb) end
    end
  end
  local a, b = lanes:report(), general:report()
  near(total(a), start, 1e-12 * start, "the account")
  for _, key in ipairs { "kinetic", "dissipated", "work", "correction" } do near(a[key], b[key], 20 * tolerance, key) end
  near(lanes:joints_report().error, 0, 1e-13, "joints")
  for k, joint in ipairs(joints) do
    local one, two = { joint:force() }, { others[k]:force() }
    for c = 1, 3 do near(one[c], two[c], 1e5 * tolerance, "force") end
  end
end

compare({}, 50, 1e-10)
compare({ dt = 1e-3, threads = 2 }, 50, 1e-10)
-- forces and torques; steps that need more parts than the rates ask for
compare({ dt = 1e-2 }, 10, 1e-8, function(bodies)
  for i, b in ipairs(bodies) do b:apply { force = { i, 0, 2 }, torque = { 0, 0.01 * i, 0.02 } } end
end)
-- on a floor
compare({ solver = { name = "nbgs", iterations = 30, min_iterations = 30, tolerance = 0 } }, 60, 1e-8, nil, -0.4)
-- a joint is removed, and the mechanism becomes two
local steps = 0
compare({}, 40, 1e-10, function(_, joints)
  steps = steps + 1
  if steps == 41 or steps == 42 then table.remove(joints, 2):remove() end
end)
-- 1 to 10000 in mass, hung on a fixed body that stands askew
do
  local function hang(axis)
    local w, bodies = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }, {}
    local last = w:box { kind = "fixed", size = { 0.1, 0.1, 0.1 }, orientation = { 0.8, 0.6, 0, 0 } }
    for k = 1, 20 do
      local x = 0.14 * k
      bodies[k] = w:capsule { radius = 0.02, length = 0.1, mass = 1, position = { x, 0, 0 }, orientation = { 1, 0, 1, 0 } }
      w:ball { a = bodies[k], b = last, at = { x - 0.07, 0, 0 }, axis = axis }
      last = bodies[k]
    end
    bodies[21] = w:sphere { radius = 0.3, mass = 1e4, position = { 3.17, 0, 0 } }
    w:ball { a = bodies[21], b = last, at = { 2.87, 0, 0 }, axis = axis }
    w:step(200)
    near(w:joints_report().error, 0, 1e-12, "joints")
    return bodies
  end
  local lanes, general = hang(), hang { 0, 0, 1 }
  for k, b in ipairs(lanes) do
    local one, two = { b:position() }, { general[k]:position() }
    for c = 1, 3 do near(one[c], two[c], 1e-9, "link " .. k) end
  end
end
-- a chain that falls on a floor: errors of the joints are below 1e-12 of a link at any length of the link
for _, length in ipairs { 1, 1e-6 } do
  local w = scree.world { gravity = { 0, 0, -9.81 * length }, dt = 1e-3 }
  w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, -1.5 * length } }
  local last
  for k = 1, 12 do
    local link = w:capsule { radius = 0.2 * length, length = length, position = { 1.4 * k * length, 0, 0 }, orientation = { 1, 0, 1, 0 } }
    w:ball { a = link, b = last, at = { (1.4 * k - 0.7) * length, 0, 0 } }
    last = link
  end
  local most = 0
  for _ = 1, 1000 do
    w:step()
    most = math.max(most, w:joints_report().error)
  end
  assert(w:report().contacts > 0)
  near(most, 0, 1e-12 * length, "joints of links of " .. length .. " m")
end
-- mechanisms without contacts do not depend on the solver, and move the same to the bit next to any other bodies
do
  local function swing(company)
    local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 5e-3 }
    local links = {}
    for k = 1, 12 do
      links[k] = w:capsule { radius = 0.02, length = 0.1, position = { 0.14 * k, 0, 0 }, orientation = { 1, 0, 1, 0 } }
      w:ball { a = links[k], b = links[k - 1], at = { 0.14 * k - 0.07, 0, 0 } }
    end
    local iterations, most = 0, 0
    if company then
      w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, -4 } }
      local above
      for k = 1, 12 do
        local link = w:capsule { radius = 0.02, length = 0.1, position = { 0.14 * k, 3, -3.9 }, orientation = { 1, 0, 1, 0 } }
        w:ball { a = link, b = above, at = { 0.14 * k - 0.07, 3, -3.9 } }
        above = link
      end
    end
    for _ = 1, 60 do
      w:step()
      local r = w:joints_report()
      iterations, most = math.max(iterations, w:report().iterations), math.max(most, r.error)
      assert(r.rows == (company and 72 or 36) and r.redundant == 0)
    end
    assert(most < 1e-12 and (iterations == 0) == not company, iterations)
    return links
  end
  local alone, beside = swing(false), swing(true)
  for k, link in ipairs(alone) do
    local one, two = { link:position() }, { beside[k]:position() }
    for c = 1, 3 do assert(one[c] == two[c], "link " .. k) end
  end
end
-- many trees, which threads share: the same bits
do
  local function hash(threads)
    local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 5e-3, threads = threads }
    for i = 1, 26 do
      local last
      for k = 1, 60 do
        local link = w:capsule { radius = 0.02, length = 0.1, position = { 0.14 * k, i, 0 }, orientation = { 1, 0, 1, 0 }, spin = { i, 0, 0 } }
        w:ball { a = link, b = last, at = { 0.14 * k - 0.07, i, 0 } }
        last = link
      end
    end
    w:step(10)
    return w:hash()
  end
  assert(hash(1) == hash(3), "bits differ between numbers of threads")
end
