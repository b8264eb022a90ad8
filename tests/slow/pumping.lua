-- A bed of frictionless capsules does not pump itself up: depths stay small once it has come down, with nothing tuned.
local scree = require "scree"
local R = 2e-3
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 5e-4 }
w:pair { "default", "default", mu = 0 }
local side, n, count = 0.023, 4, 0
for _, normal in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do w:halfspace { normal = normal, point = { normal[1] < 0 and side or 0, normal[2] < 0 and side or 0, 0 } } end
w:halfspace { normal = { 0, 0, 1 } }
local function quat()
  local a, b, c = w:random(), 2 * math.pi * w:random(), 2 * math.pi * w:random()
  return { math.sqrt(1 - a) * math.sin(b), math.sqrt(1 - a) * math.cos(b), math.sqrt(a) * math.sin(c), math.sqrt(a) * math.cos(c) }
end
for k = 0, 9 do for j = 0, n - 1 do for i = 0, n - 1 do
  w:capsule { radius = R, length = 0.8 * R, position = { (i + 0.5) * side / n, (j + 0.5) * side / n, (k + 0.6) * 2.87 * R }, orientation = quat() }
  count = count + 1
end end end
w:step(800)
local deepest = 0
for _ = 1, 10 do
  w:step(20)
  deepest = math.max(deepest, w:report().overlap)
end
assert(deepest < 1e-3, string.format("%d capsules are %.2g of a radius in each other", count, deepest))
