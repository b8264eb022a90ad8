-- Prints one line of JSON for each imported model: the numbers of oracle.mjs. Lines of the list: FILE.xml MODEL.lua
local robot, scree = require "scree.robot", require "scree"

local function read(path)
  local file = assert(io.open(path))
  local text = file:read "a"
  file:close()
  local model, folder = assert(load(text))(), path:match "^(.*)/"
  for _, link in ipairs(model.links) do
    for _, shape in ipairs(link.shapes or {}) do
      if shape.file and shape.file:sub(1, 1) ~= "/" then shape.file = folder .. "/" .. shape.file end
    end
  end
  return model
end

local FREE = { hinge = 1, slider = 1, ball = 3, free = 6, universal = 2 }

local function measure(path)
  local model, start, massless = read(path), {}, {}
  model.loops = nil
  local dof, limits = 0, {}
  for _, joint in ipairs(model.joints) do
    if FREE[joint.type] and joint.type ~= "ball" and joint.type ~= "free" then start[joint.name] = 0 end
    joint.mimic = nil
    dof = dof + (FREE[joint.type] or 0)
    for _, range in ipairs { joint.limits or false, joint.second and joint.second.limits or false } do
      if range then limits[#limits + 1] = ("[%.17g,%.17g]"):format(range[1], range[2]) end
    end
  end
  for _, link in ipairs(model.links) do
    massless[link.name] = link.mass == 0 and link.name:find "/" ~= nil -- made by the importer
  end
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
  local made, seen, mass, centre, bodies = robot.build(w, model, { joints = start }), {}, 0, { 0, 0, 0 }, 0
  for name, body in pairs(made.bodies) do
    if not seen[body:id()] and body:mass() < math.huge and not massless[name] then
      seen[body:id()], bodies, mass = true, bodies + 1, mass + body:mass()
      for k, x in ipairs { body:position() } do
        centre[k] = centre[k] + body:mass() * x
      end
    end
  end
  for k = 1, 3 do
    centre[k] = mass > 0 and centre[k] / mass or 0
  end
  return ('{"mass":%.17g,"centre":[%.17g,%.17g,%.17g],"bodies":%d,"dof":%d,"limits":[%s]}'):format(
    mass, centre[1], centre[2], centre[3], bodies, dof, table.concat(limits, ","))
end

for line in io.lines(arg[1]) do
  local file, path = line:match "^(%S+) (%S+)$"
  local fine, text = pcall(measure, path)
  if not fine then text = ('{"error":"%s"}'):format(tostring(text):gsub('[%c"\\]', " ")) end
  print(('["%s",%s]'):format(file, text))
end
