-- Layers against a brute-force search; forces at points; points of bodies.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.within

-- random scenes: bodies of random shapes in a heap that overlaps, layers and what they avoid at random; the pairs that touch are those
-- of the same heap without layers that the rule admits
local random = math.random
math.randomseed(7)
local function some(most)
  local list = {}
  for k = 1, 4 do if random() < most then list[#list + 1] = k end end
  return list
end
local tried = 0
for _ = 1, 60 do
  local bodies = {}
  for i = 1, 40 do
    local layer = some(0.4)
    if #layer == 0 then layer = { 1 } end
    bodies[i] = { kind = random(4), layer = layer, avoids = some(0.25), at = { random(), random(), random() }, r = 0.05 + 0.15 * random() }
  end
  local function pairs_of(filtered)
    local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-6, margin = 0 }
    local number = {}
    for i, b in ipairs(bodies) do
      local def = { position = b.at, layer = filtered and b.layer or nil, avoids = filtered and b.avoids or nil }
      local made
      if b.kind == 1 then def.radius, made = b.r, "sphere"
      elseif b.kind == 2 then def.size, made = { b.r, 2 * b.r, b.r }, "box"
      elseif b.kind == 3 then def.radius, def.length, made = b.r / 2, b.r, "capsule"
      else def.radius, def.length, made = b.r / 2, b.r, "cylinder" end
      number[w[made](w, def):id()] = i
    end
    w:step(1)
    local found = {}
    for _, c in ipairs(w:contacts()) do
      local i, j = number[c.body1:id()], number[c.body2:id()]
      found[math.min(i, j) * 100 + math.max(i, j)] = true
    end
    return found
  end
  local all, kept = pairs_of(false), pairs_of(true)
  local function meets(a, b)
    for _, x in ipairs(a.avoids) do for _, y in ipairs(b.layer) do if x == y then return false end end end
    for _, x in ipairs(b.avoids) do for _, y in ipairs(a.layer) do if x == y then return false end end end
    return true
  end
  for key in pairs(all) do
    tried = tried + 1
    assert((kept[key] or false) == meets(bodies[key // 100], bodies[key % 100]), "pair " .. key)
  end
  for key in pairs(kept) do assert(all[key], "a pair that is not there without layers") end
end
assert(tried > 1000, tried)

-- a force at a point, in world and in body axes
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  local a = w:box { size = { 1, 1, 1 }, mass = 6, position = { 1, 2, 3 }, orientation = { math.cos(0.3), 0, 0, math.sin(0.3) } }
  local b = w:box { size = { 1, 1, 1 }, mass = 6, position = { 1, 2, 3 }, orientation = { math.cos(0.3), 0, 0, math.sin(0.3) }, layer = 2, avoids = 1 }
  local px, py, pz = a:to_world(0.5, 0, 0)
  near(px, 1 + 0.5 * math.cos(0.6), 1e-12)
  near(select(1, a:to_body(px, py, pz)), 0.5, 1e-12)
  local fx, fy = -math.sin(0.6), math.cos(0.6)
  a:apply { force = { fx, fy, 0 }, at = { px, py, pz } }
  b:apply { force = { 0, 1, 0 }, at = { 0.5, 0, 0 }, axes = "body" }
  w:step(1)
  local vx, vy = a:velocity()
  near(vx, fx / 6 * 1e-3, 1e-15)
  near(vy, fy / 6 * 1e-3, 1e-15)
  near(select(3, a:spin()), 0.5 * 1e-3, 1e-15, "spin")
  near(select(3, b:spin()), 0.5 * 1e-3, 1e-15, "spin by body axes")
  near(select(2, b:velocity()), vy, 1e-15)
  near(select(2, b:velocity_at(b:to_world(0.5, 0, 0))), vy + 0.5e-3 * 0.5 * math.cos(0.6), 1e-8, "velocity at a point")
  fails("must be a layer", w.sphere, w, { radius = 1, layer = 33 })
  fails("must be a layer", w.sphere, w, { radius = 1, avoids = { "a" } })
  fails("axes", a.apply, a, { force = { 0, 0, 1 }, axes = "wrong" })
end
print("filters: ok")

-- fills and inserts of balls in layers: sand falls through a ghost onto the floor
do
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
  w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, 0 } }
  w:box { size = { 1, 1, 0.02 }, position = { 0, 0, 0.1 }, kind = "fixed", layer = 5 }
  local box = { min = { -0.2, -0.2, 0.15 }, max = { 0.2, 0.2, 0.2 } }
  w:fill { region = box, spacing = 0.05, radius = 0.01, layer = 3, avoids = { 5, 3 } }
  w:insert { region = { min = { -0.2, -0.2, 0.25 }, max = { 0.2, 0.2, 0.3 } }, count = 10, radius = 0.01, group = 2 }
  w:step(400)
  local ghosts, held = w:count { region = { max = { 1, 1, 0.05 } } }, w:count { region = { min = { -1, -1, 0.115 } } }
  assert(ghosts > 20 and held == 10, ghosts .. " fell through, " .. held .. " lie on the plate")
  local ball = { type = "sphere", radius = 0.01 }
  fails("fill.layer: the shapes of the grains have their own", w.fill, w, { region = box, spacing = 0.05, radius = 0.01, shape = ball, layer = 2 })
  fails("insert.avoids must be a layer", w.insert, w, { region = box, count = 1, radius = 0.01, avoids = 33 })
end
