-- Prints one line of JSON for each imported model. Lines of the list: FILE MODEL.lua
-- Usage: measure.lua LIST [motion]. Without `motion` the numbers are those of oracle.mjs and urdf.py: masses, joints and their limits. With `motion` they
-- are those of motion.mjs: how the bodies move within 100 steps of the model without inputs.
local mass, robot, scree = require "scree.robot.mass", require "scree.robot", require "scree"

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

local function numbers_text(list) return ("[%s]"):format(table.concat(list, ",")) end

-- Returns the numbers of the joints as JSON, and the positions 0 of all joints. Removes what couples joints.
local function measure_joints(model)
  local start, dof, mimics, limits, efforts, speeds = {}, 0, 0, {}, {}, {}
  model.loops = nil
  for _, joint in ipairs(model.joints) do
    if FREE[joint.type] and joint.type ~= "ball" and joint.type ~= "free" then start[joint.name] = 0 end
    mimics, joint.mimic = mimics + (joint.mimic and 1 or 0), nil
    dof = dof + (FREE[joint.type] or 0)
    for _, range in ipairs { joint.limits or false, joint.second and joint.second.limits or false } do
      if range then limits[#limits + 1] = ("[%.17g,%.17g]"):format(range[1], range[2]) end
    end
    if joint.effort then efforts[#efforts + 1] = ("%.17g"):format(joint.effort) end
    if joint.speed then speeds[#speeds + 1] = ("%.17g"):format(joint.speed) end
  end
  return ('"dof":%d,"mimics":%d,"limits":%s,"efforts":%s,"speeds":%s'):format(
    dof, mimics, numbers_text(limits), numbers_text(efforts), numbers_text(speeds)), start
end

-- Returns mass, centre and inertia about the origin of lumps (scree.robot.mass) as JSON. Each lump has a frame.
local function sum_text(prefix, lumps)
  local sum
  for _, lump in ipairs(lumps) do
    sum = mass.add(sum, mass.placed(lump, lump.frame))
  end
  sum = sum or { mass = 0, centre = { 0, 0, 0 }, inertia = { 0, 0, 0, 0, 0, 0 } }
  local m, c, I, about = sum.mass, sum.centre, sum.inertia, {}
  local square = c[1] ^ 2 + c[2] ^ 2 + c[3] ^ 2
  for i = 1, 3 do
    for j = i, 3 do
      about[#about + 1] = ("%.17g"):format(I[#about + 1] + m * ((i == j and square or 0) - c[i] * c[j]))
    end
  end
  return ('"%smass":%.17g,"%scentre":[%.17g,%.17g,%.17g],"%sinertia":%s'):format(
    prefix, m, prefix, c[1], c[2], c[3], prefix, numbers_text(about))
end

-- Returns the numbers of the moving bodies and of all links as JSON. Links that the importer has made do not count.
local function measure_bodies(made, model)
  local seen, bodies, links = {}, {}, {}
  for _, link in ipairs(model.links) do
    local body, is_made = made.bodies[link.name], link.mass == 0 and link.name:find "/" ~= nil
    local lump = mass.stated(link)
    if lump then
      lump.frame = made.frames[link.name]
      links[#links + 1] = lump
    end
    if body and not seen[body:id()] and body:mass() < math.huge and not is_made then
      seen[body:id()] = true
      bodies[#bodies + 1] = {
        mass = body:mass(), centre = { 0, 0, 0 }, inertia = { body:inertia() },
        frame = { position = { body:position() }, orientation = { body:orientation() } },
      }
    end
  end
  return ('%s,%s,"bodies":%d,"links":%d'):format(sum_text("", bodies), sum_text("all_", links), #bodies, #model.links)
end

local function measure(path)
  robot.build(scree.world { dt = 1e-3 }, read(path), {}) -- as it is
  local model = read(path)
  local joints, start = measure_joints(model)
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
  return ("{%s,%s}"):format(measure_bodies(robot.build(w, model, { joints = start }), model), joints)
end

-- ---- motion ----

local quaternion = require "scree.math.quaternion"
local STEPS = 100

-- Returns the origins of the frames of all links that move, by name.
local function positions(made, frames)
  local all = {}
  for name, body in pairs(made.bodies) do
    if body:mass() < math.huge then
      local here = { position = { body:position() }, orientation = { body:orientation() } }
      frames[name] = frames[name] or quaternion.compose(
        { position = quaternion.turn(quaternion.inverse(here.orientation), { -here.position[1], -here.position[2], -here.position[3] }),
          orientation = quaternion.inverse(here.orientation) }, made.frames[name])
      all[name] = quaternion.compose(here, frames[name]).position
    end
  end
  return all
end

local ALL = {}
for layer = 1, 32 do ALL[layer] = layer end

local function run(path, has_contacts)
  local model, start = read(path), {}
  for _, joint in ipairs(model.joints) do
    if joint.axis then start[joint.name] = 0 end
    if joint.second and joint.second.name then start[joint.second.name] = 0 end
    if joint.mimic then start[joint.name] = nil end
  end
  for _, link in ipairs(model.links) do
    for _, shape in ipairs(not has_contacts and link.shapes or {}) do shape.avoids = ALL end
  end
  local w = scree.world { dt = model.dt or 2e-3, gravity = model.gravity or { 0, 0, -9.81 } }
  local made, frames, parts = robot.build(w, model, { joints = start }), {}, {}
  local from = positions(made, frames)
  w:step(STEPS)
  local to = positions(made, frames)
  for name, p in pairs(from) do
    local q = to[name]
    parts[#parts + 1] = ('"%s":[[%.17g,%.17g,%.17g],[%.17g,%.17g,%.17g]]'):format(name, p[1], p[2], p[3], q[1], q[2], q[3])
  end
  return ('{"bodies":{%s}}'):format(table.concat(parts, ","))
end

-- Warnings of `scree import` that concern sensors, poses and the softness of MuJoCo's constraints. They change no motion of rigid mechanisms.
local HARMLESS = { "sensor", "its site is welded", "attribute sol", "attribute margin", "attribute gap", "<key", "integrator", "it names no", "objtype" }

-- Returns the number of other warnings at the head of a model.
local function count_warnings(path)
  local count = 0
  for line in io.lines(path) do
    local text = line:match "^%-%- left out: (.*)"
    for _, word in ipairs(text and HARMLESS or {}) do
      if text and text:find(word, 1, true) then text = nil end
    end
    count = count + (text and 1 or 0)
  end
  return count
end

local function measure_motion(path)
  return ('{"warnings":%d,"free":%s,"full":%s}'):format(count_warnings(path), run(path, false), run(path, true))
end

local job = arg[2] == "motion" and measure_motion or measure
for line in io.lines(arg[1]) do
  local file, path = line:match "^(%S+) (%S+)$"
  local fine, text = pcall(job, path)
  if not fine then text = ('{"error":"%s"}'):format(tostring(text):gsub('[%c"\\]', " ")) end
  print(('["%s",%s]'):format(file, text))
  io.stdout:flush()
end
