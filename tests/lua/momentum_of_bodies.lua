-- Loads, gravity, contacts and joints give a body exactly the change of its momentum in a step: every stepper, with and without substeps,
-- with restitution, belts, moving tables, cohesion, rolling, joints and joints that break.
local scree = require "scree"

local STEPS = 120

local function add(sum, v, factor)
  for k = 1, 3 do sum[k] = sum[k] + factor * v[k] end
end

local function middle(a, b)
  local x, y, z = a:position()
  local u, v, t = b:position()
  return { (x + u) / 2, (y + v) / 2, (z + t) / 2 }
end

-- Boxes at odd places of the list and balls at even ones, which fall on a floor and on each other.
local function build(def, case)
  local w = scree.world(def)
  local pair = { "default", "default", mu = 0.4 }
  for key, value in pairs(case.pair or {}) do pair[key] = value end
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 }, surface_velocity = case.belt and { 0.3, 0, 0 } or nil }
  if case.table then w:box { kind = "kinematic", size = { 0.5, 0.5, 0.1 }, position = { 0.2, 0, 0.05 }, spin = { 0, 0, 3 }, velocity = { 0, 0, 0.1 } } end
  local body, joint = {}, {}
  for i = 1, 6 do
    body[#body + 1] = w:box { size = { 0.1, 0.12, 0.08 }, position = { 0.14 * (i % 3), 0.02 * (i % 4), 0.16 * i }, spin = { i, 2, 1 } }
    body[#body + 1] = w:sphere { radius = 0.05, position = { 0.5 + 0.01 * i, 0.02 * i, 0.12 * i } }
  end
  local function join(kind, a, b, extra)
    extra.a, extra.b, extra.at = body[a], body[b], middle(body[a], body[b])
    joint[#joint + 1] = w[kind](w, extra)
  end
  if case.joints then
    join("ball", 1, 3, { friction = 0.01 })
    join("hinge", 5, 7, { axis = { 0, 1, 0 }, motor = { speed = 3, force = 0.2 } })
    join("hinge", 9, 11, { axis = { 0, 1, 0 }, limits = { -0.1, 0.3 } })
    join("fixed", 2, 4, { break_force = case.strength })
    join("slider", 6, 8, { axis = { 0, 0, 1 }, friction = 2, limits = { -0.02, 0.02 } })
  end
  return w, body, joint
end

-- Loads and gravity of the coming step, as impulses per body; sets the loads.
local function load_bodies(w, body)
  local impulse = {}
  for i, b in ipairs(body) do
    impulse[i] = { 0, 0, 0 }
    add(impulse[i], { w:gravity() }, b:mass() * w:dt())
    if i % 3 == 0 then
      local force = { math.random() - 0.5, math.random() - 0.5, 4 * (math.random() - 0.5) }
      b:apply { force = force, at = { b:position() } }
      add(impulse[i], force, w:dt())
    end
  end
  return impulse
end

-- Adds what contacts and joints report of the last step. Returns whether a joint has broken, which reports nothing.
local function add_reports(w, body, joint, impulse)
  local place, broken = {}, false
  for i, b in ipairs(body) do place[b:id()] = i end
  for c in w:contacts() do
    if place[c.id1] then add(impulse[place[c.id1]], c.impulse, 1) end
    if place[c.id2] then add(impulse[place[c.id2]], c.impulse, -1) end
  end
  for _, j in ipairs(joint) do
    if j:broken() then
      broken = true
    else
      local a, b = j:bodies()
      local force = { j:force() }
      add(impulse[place[a:id()]], force, w:dt())
      add(impulse[place[b:id()]], force, -w:dt())
    end
  end
  return broken
end

local function examine(stepper, substeps, case)
  math.randomseed(1)
  local w, body, joint = build({ gravity = { 0.3, -0.2, -9.81 }, dt = 2e-3, stepper = stepper, substeps = substeps }, case)
  local what = ("%s, %d substeps, %s"):format(stepper, substeps, case.name)
  local touched = 0
  for step = 1, STEPS do
    local before = {}
    for i, b in ipairs(body) do before[i] = { b:velocity() } end
    local impulse = load_bodies(w, body)
    w:step()
    local broken = add_reports(w, body, joint, impulse)
    for i, b in ipairs(body) do
      local after, miss = { b:velocity() }, 0
      for k = 1, 3 do miss = math.max(miss, math.abs(b:mass() * (after[k] - before[i][k]) - impulse[i][k])) end
      if not (broken and (i == 2 or i == 4)) then
        assert(miss < 1e-12 * b:mass() * 10, ("%s: step %d, body %d: momentum %g N s off"):format(what, step, i, miss))
      end
    end
    touched = touched + #w:contacts()
  end
  assert(touched > 50, what .. ": bodies touch")
end

local cases = {
  { name = "friction" },
  { name = "restitution", pair = { restitution = 0.6 } },
  { name = "belt and table", belt = true, table = true },
  { name = "joints", joints = true },
  { name = "joints and restitution", joints = true, pair = { restitution = 0.8 }, belt = true, table = true },
  { name = "cohesion", pair = { cohesion_law = "capillary", volume = 1e-8, tension = 0.5 } },
  { name = "cohesion and restitution", pair = { restitution = 0.5, cohesion_law = "constant", cohesion = 1, cohesion_range = 1e-3 } },
  { name = "rolling", pair = { rolling = 0.002, torsion = 0.001 } },
  { name = "a joint that breaks", joints = true, strength = 6 },
}
for _, case in ipairs(cases) do
  for _, substeps in ipairs { 1, 3 } do
    examine("semi_implicit", substeps, case)
    examine("second_order", substeps, case)
    if not (case.pair and case.pair.restitution) then examine("stewart_trinkle", substeps, case) end
  end
end
print "momentum of bodies: loads, contacts and joints account for all of it"
