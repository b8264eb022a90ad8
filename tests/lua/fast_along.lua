-- Fast bodies that fly along other bodies without touching them are not slowed.
local scree = require "scree"
local check = require "check"

local root = math.sqrt(0.5)
local bodies = {
  sphere = function(w, at, v) return w:sphere { radius = 0.01, position = at, velocity = v, fast = true } end,
  box = function(w, at, v) return w:box { size = { 0.02, 0.02, 0.02 }, position = at, velocity = v, fast = true } end,
  capsule = function(w, at, v) return w:capsule { radius = 0.01, length = 0.02, position = at, velocity = v, orientation = { root, 0, root, 0 }, fast = true } end,
}
local floors = {
  plane = function(w) w:halfspace { normal = { 0, 0, 1 } } end,
  block = function(w, length) w:box { kind = "fixed", size = { 2.2 * length, 1, 0.1 }, position = { 0, 0, -0.05 } } end,
}
for name, body in pairs(bodies) do
  for floor, lay in pairs(floors) do
    for _, v in ipairs { 10, 1e3, 1e5 } do
      for _, gap in ipairs { 0.01, 1e-4 } do
        local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
        lay(w, 3e-3 * v + 1)
        local one = body(w, { 0, 0, 0.01 + gap }, { v, 0, 0 })
        w:step(3)
        local words = ("%s along a %s at %g m/s, %g m above"):format(name, floor, v, gap)
        check.near((one:position()), 3e-3 * v, 1e-12, words)
        assert(w:report().held_back == 0, words)
      end
    end
  end
end

-- Two that fly one behind the other at the same speed: the second does not pass through the first, which a wall stops.
for _, v in ipairs { 30, 3000 } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  w:pair { "default", "default", mu = 0, restitution = 0 }
  w:box { kind = "fixed", size = { 1, 1, 0.01 }, position = { 0, 0, -0.005 } }
  local first = w:box { size = { 0.2, 0.2, 0.01 }, position = { 0, 0, 0.05 }, mass = 1e-3, velocity = { 0, 0, -v }, fast = true }
  local second = w:box { size = { 0.2, 0.2, 0.01 }, position = { 0, 0, 0.07 }, mass = 1e-3, velocity = { 0, 0, -v }, fast = true }
  w:step(10)
  local a, b = select(3, first:position()), select(3, second:position())
  assert(a > 0 and b > a, ("%g m/s: %g, %g"):format(v, a, b))
end
