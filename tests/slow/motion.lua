-- The figures of docs/motion.md are those that come out now; a chain of 100 links with 1000 times a link's mass at its end swings for 30 s; a
-- body that flips keeps its energy for 20 s.
local scree = require "scree"
local function load_file(path, ...) return assert(load(assert(io.open(path)):read "a", "@" .. path))(...) end
load_file("tools/motion.lua", "check")
local motions = load_file "tests/lua/lib/motions.lua"
local gain, error = motions.chain(1e-3, 100, 30)
print(("chain of 100: gain %.2e of its drop, joints off by %.2e m"):format(gain, error))
assert(gain < 1e-3 and error < 1e-9)
local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
w:box { size = { 0.3, 0.2, 0.1 }, mass = 1, spin = { 1e-3, 5, 0 } }
local start, most = w:report().kinetic, 0
for _ = 1, 20000 do
  w:step()
  most = math.max(most, math.abs(w:report().kinetic / start - 1))
end
print(("a body that flips: %.2e of its energy in 20 s"):format(most))
assert(most < 1e-8)
