-- Redundant contacts between two bodies of several shapes are left out: the remaining ones form the outline, and they can transmit every force and moment
-- that all contacts could.
local scree = require "scree"
local check = require "check"
local near = check.near

local function cube(x, y, z, material) return { type = "box", size = { 1, 1, 1 }, position = { x, y, z }, material = material } end
local function world(t)
  local w = scree.world(t)
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  return w
end
local function settled(extra)
  local t = { gravity = { 0, 0, -9.81 }, dt = 1 / 240, solver = { iterations = 4000, tolerance = 1e-13 } }
  for k, v in pairs(extra or {}) do t[k] = v end
  return t
end

-- an L that lies on a plane stands on the corners of its outline: its sixth lies inside, the fifth and the third are corners
local flat = { cube(0, 0, 0.5), cube(1, 0, 0.5), cube(0, 1, 0.5) }
local w = world(settled())
local b = w:body { shapes = flat }
w:step(3)
assert(w:report().contacts == 5, "an L lies on " .. w:report().contacts .. " points")
local lift, mx, my = 0, 0, 0
local x, y = b:position()
for _, c in ipairs(w:contacts()) do
  local sign = c.body1 == b and 1 or -1
  lift = lift + sign * c.impulse[3]
  mx, my = mx + (c.point[2] - y) * sign * c.impulse[3], my + (c.point[1] - x) * sign * c.impulse[3]
end
near(lift, b:mass() * 9.81 / 240, 1e-9, "lift")
near(mx, 0, 1e-6, "moment about x")
near(my, 0, 1e-6, "moment about y")

-- one that stands upright: the weight lies a third of a cube beside the first one's middle
w = world(settled())
b = w:body { shapes = { cube(0, 0, 0.5), cube(1, 0, 0.5), cube(0, 0, 1.5) } }
w:step(3)
assert(w:report().contacts == 4, "it stands on " .. w:report().contacts .. " points")
local left, right = 0, 0
for _, c in ipairs(w:contacts()) do
  local up = math.abs(c.impulse[3])
  if c.point[1] < 0.5 then left = left + up else right = right + up end
end
near(left / (left + right), (1.5 - 1 / 3) / 2, 1e-9, "share of the left edge")
near(left + right, b:mass() * 9.81 / 240, 1e-9, "weight")

-- on the edge of a step: a plank of four cubes with two of them beyond it tips about the edge, as one of one box does
local function tipping(parts)
  local v = scree.world(settled())
  v:pair { "default", "default", mu = 0.5 }
  v:box { kind = "fixed", size = { 4, 4, 1 }, position = { -2, 0, -0.5 } }
  local plank = v:body { shapes = parts, position = { 0.2, 0, 0 } }
  v:step(40)
  return plank
end
local one = tipping { { type = "box", size = { 4, 1, 1 }, position = { 0, 0, 0.5 } } }
local four = tipping { cube(-1.5, 0, 0.5), cube(-0.5, 0, 0.5), cube(0.5, 0, 0.5), cube(1.5, 0, 0.5) }
local _, spin = one:spin()
assert(math.abs(spin) > 0.05, "the plank tips, at " .. spin)
near(select(2, four:spin()), spin, 1e-7, "spin of a plank of four cubes")
near(select(3, four:velocity()), select(3, one:velocity()), 1e-7, "its fall")

-- a block of eight cubes slides as one of one box, and so does one on another (how they share their weight among four corners is nobody's business
-- but the solver's, and it turns them a little)
local eight = {}
for i = 0, 7 do eight[i + 1] = cube(i % 2 - 0.5, i // 2 % 2 - 0.5, i // 4 - 0.5) end
local function stack(shapes)
  local v = world(settled())
  local low = v:body { shapes = shapes, position = { 0, 0, 1 }, velocity = { 1, 0.3, 0 } }
  local high = v:body { shapes = shapes, position = { 0.13, 0.07, 3 }, velocity = { 2, 0.6, 0 } }
  v:step(30)
  return low, high, v:report().contacts
end
local low, high, count = stack { { type = "box", size = { 2, 2, 2 } } }
local low8, high8, count8 = stack(eight)
assert(count8 <= count + 1, ("%d contacts of blocks, %d of boxes"):format(count8, count))
for _, verb in ipairs { "velocity", "spin" } do
  for _, pair in ipairs { { low, low8 }, { high, high8 } } do
    local p, q = { pair[1][verb](pair[1]) }, { pair[2][verb](pair[2]) }
    for k = 1, 3 do near(q[k], p[k], 1e-5, verb) end
  end
end

-- slabs of forty hulls on each other
local hull = scree.geometry.hull { points = { { -0.5, -0.5, -0.5 }, { 0.5, -0.5, -0.5 }, { -0.5, 0.5, -0.5 }, { 0.5, 0.5, -0.5 }, { -0.5, -0.5, 0.5 },
  { 0.5, -0.5, 0.5 }, { -0.5, 0.5, 0.5 }, { 0.5, 0.5, 0.5 } } }
local slab = {}
for i = 0, 39 do slab[i + 1] = { type = "hull", geometry = hull, position = { i % 8, i // 8, 0 } } end
w = world(settled { solver = { iterations = 50 } })
for k = 0, 2 do w:body { shapes = slab, position = { 0.13 * k, 0.07 * k, 0.5 + k }, orientation = { math.cos(0.05 * k), 0, 0, math.sin(0.05 * k) } } end
w:step(2)
assert(w:report().contacts < 60, "three slabs of forty hulls have " .. w:report().contacts .. " contacts")

-- parts with different materials, and laws with states, keep all contacts
w = world(settled())
w:material { name = "ice", density = 1000 }
w:body { shapes = { cube(0, 0, 0.5), cube(1, 0, 0.5, "ice"), cube(0, 1, 0.5) } }
w:step(1)
assert(w:report().contacts == 12, "two materials: " .. w:report().contacts)
w = world(settled { losses = true })
w:body { shapes = flat }
w:step(1)
assert(w:report().contacts == 12, "where contacts keep what they took: " .. w:report().contacts)

-- threads share the list between bodies: the same bits
local function heap(threads)
  local v = world { gravity = { 0, 0, -9.81 }, dt = 1 / 60, threads = threads, solver = { iterations = 10, tolerance = 0 } }
  local part = {}
  for i, s in ipairs(flat) do part[i] = { type = "box", size = { 1, 1, 1 }, position = s.position } end
  for i = 0, 149 do
    v:body { shapes = part, position = { i % 5 * 2.1, i // 5 % 5 * 2.1, 0.1 + i // 25 * 1.4 }, orientation = { math.cos(i), 0.3 * math.sin(i), 0, math.sin(i) } }
  end
  v:step(25)
  return v:hash(), v:report().contacts
end
local hash, contacts = heap(1)
assert(contacts > 300, contacts .. " contacts in the heap")
for _, threads in ipairs { 2, 3 } do assert(heap(threads) == hash, "threads change the heap") end
