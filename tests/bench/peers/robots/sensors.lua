-- Prints the values of all sensors of an imported model as JSON, after steps without inputs. Usage: sensors.lua MODEL.lua STEPS
local scree, robot = require "scree", require "scree.robot"
local file = assert(io.open(arg[1]))
local model = assert(load(file:read "a"))()
file:close()
local w = scree.world { dt = model.dt or 2e-3, gravity = model.gravity or { 0, 0, -9.81 } }
local made, steps, parts = robot.build(w, model), tonumber(arg[2]), {}
if steps > 0 then w:step(steps) end
for name, value in pairs(robot.sense(w, made)) do
  local texts = {}
  for i, x in ipairs(type(value) == "table" and value or { value }) do texts[i] = ("%.17g"):format(x) end
  parts[#parts + 1] = ("%q:[%s]"):format(name, table.concat(texts, ","))
end
print("{" .. table.concat(parts, ",") .. "}")
