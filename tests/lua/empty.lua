-- All functions work for an empty world.
local scree = require "scree"
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
w:step(3)
assert(w:time() == 3 * 1e-3 and w:count() == 0 and w:report().contacts == 0)
local b = w:sphere { radius = 1 }
w:step(1)
b:remove()
w:step(2)
assert(w:count() == 0 and #w:contacts() == 0 and w:hash() ~= nil)
