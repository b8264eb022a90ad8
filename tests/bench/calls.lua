-- CPU time of calls from Lua, one figure per line: the Lua half of tests/bench/calls.py.
-- usage: scree lua --trust tests/bench/calls.lua [BALLS]
local scree = require "scree"
local balls, rounds = tonumber(arg[1] or 64), 9
local side = math.ceil(math.sqrt(balls))
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
w:halfspace { normal = { 0, 0, 1 } }
for i = 0, balls - 1 do
  w:sphere { radius = 0.1, position = { 0.25 * (i % side), 0.25 * (i // side), 0.1 } }
end
w:step(10)
local state, ball = w:save(), w:body_of(2)

local function time(name, work, calls)
  local best = math.huge
  calls = calls or 2000
  for _ = 1, rounds do
    local start = os.clock()
    for _ = 1, calls do work() end
    best = math.min(best, (os.clock() - start) / calls)
  end
  print(string.format("%s,%.4f", name, best * 1e6))
end

time("w.step()", function() w:step() end)
time("w.step(100)", function() w:step(100) end, 20)
time("w.save()", function() w:save() end)
time("w.restore(state)", function() w:restore(state) end)
time("w.restore(w.save())", function() w:restore(w:save()) end)
time("ball.position()", function() return ball:position() end)
time("w.time()", function() return w:time() end)
