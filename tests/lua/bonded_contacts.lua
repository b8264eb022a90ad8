-- Contacts of bonded balls: there are none while the bond exists; they appear when it ends; a liquid bridge remains.
local scree = require "scree"
local R = 0.01
local wet = { "default", "default", cohesion_law = "capillary", volume = 1e-9, tension = 0.07 }

local function two(gap, options)
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 }, margin = options and options.margin }
  return w, w:sphere { radius = R, position = { 0, 0, 0 }, kind = "fixed" }, w:sphere { radius = R, position = { 2 * R + gap, 0, 0 } }
end

-- dry balls that are pressed together: only the bond acts while it exists
local w, a, b = two(0)
w:step()
assert(#w:contacts() == 1, "they touch before they are bonded")
local bond = w:bond { pairs = { { a, b } }, young = 1e8, damping = 0.01 }[1]
for _ = 1, 20 do
  b:apply { force = { -1, 0, 0 } }
  w:step()
end
assert(#w:contacts() == 0 and w:report().touching == 0, "bonded balls have no contact")
assert(math.abs(bond:force() + 1) < 1e-3 or math.abs(bond:force() - 1) < 1e-3, "the bond carries it")
bond:remove()
b:apply { force = { -1, 0, 0 } }
w:step()
assert(#w:contacts() == 1 and math.abs(w:contacts()[1].impulse[1]) > 0.9e-3, "the contact carries it when the bond is gone")

-- with collide = true the contact exists; removing a second bond of two balls does not affect the first one
w, a, b = two(0)
w:bond { pairs = { { a, b } }, young = 1e8, collide = true }
w:step()
assert(#w:contacts() == 1)
w, a, b = two(0)
w:bond { pairs = { { a, b } }, young = 1e8 }
local second = w:bond { pairs = { { a, b } }, young = 1e8 }[1]
w:step()
second:remove()
w:step()
assert(#w:contacts() == 0)

-- one of several bonds breaks by its load: only its pair gets a contact
w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
local row = {}
for i = 1, 4 do row[i] = w:sphere { radius = R, position = { 2 * R * i, 0, 0 }, kind = i == 1 and "fixed" or "dynamic" } end
w:bond { pairs = { { row[1], row[2] }, { row[3], row[4] } }, young = 1e8, damping = 0.01 }
w:bond { pairs = { { row[2], row[3] } }, young = 1e8, damping = 0.01, strength = { compression = 1e4 } }
for _ = 1, 30 do
  row[4]:apply { force = { -10, 0, 0 } }
  w:step()
end
assert(#w:broken_joints() == 1 and #w:contacts() == 1, "one pair touches")
local c = w:contacts()[1]
assert((c.body1 == row[2] and c.body2 == row[3]) or (c.body1 == row[3] and c.body2 == row[2]))

-- wet balls: a bridge across a gap exists again after the bond; no new bridge appears
for _, touched in ipairs { true, false } do
  w, a, b = two(touched and 0 or 2e-4)
  w:pair(wet)
  w:step()
  if touched then
    b:set_velocity { 0.01, 0, 0 }
    for _ = 1, 40 do
      b:set_velocity { 0.01, 0, 0 }
      w:step()
    end
    assert(b:position() > 2 * R + 1e-4 and w:contacts()[1].pull > 0, "a bridge spans the gap")
  end
  bond = w:bond { pairs = { { a, b } }, young = 1e8, damping = 0.01 }[1]
  b:set_velocity { 0, 0, 0 }
  w:step(50)
  bond:remove()
  local before = b:position()
  w:step(10)
  assert((b:position() < before - 1e-9) == touched, touched and "the bridge draws them together" or "nothing draws them together")
end
