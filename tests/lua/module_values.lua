-- Bundled modules refuse wrong values of keys. Each call must fail at the line of the caller, and the message must name the key.
local scree = require "scree"
local bond, drive, inflow = require "scree.bond", require "scree.drive", require "scree.inflow"
local obstacle, pack, robot = require "scree.obstacle", require "scree.pack", require "scree.robot"

local failures = {}
-- Calls f, which must fail at the line of the call inside f with a message that begins with the text.
local function fails(text, f)
  local fine, message = pcall(f)
  local said = tostring(message):match("module_values%.lua:%d+: (.*)")
  if fine or not said or said:sub(1, #text) ~= text then
    failures[#failures + 1] = ("%s\n    %s"):format(text, fine and "no error" or tostring(message))
  end
end
local nan, inf = 0 / 0, 1 / 0
local w = scree.world { dt = 1e-3 }
local a, b = w:sphere { radius = 0.1 }, w:sphere { radius = 0.1, position = { 0.2, 0, 0 }, group = 1 }
local wall = w:sphere { radius = 0.1, kind = "kinematic", position = { 9, 0, 0 } }
local hinge = w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
local fixed = w:fixed { a = b, at = { 0, 0, 0 } }

-- boxes and vectors
fails("obstacle.walls: min must be below max along every axis, not 0 and -1 along z", function() obstacle.walls(w, { min = { 0, 0, 0 }, max = { 1, 1, -1 } }) end)
fails("obstacle.walls.max must be a list of three numbers; number 3 is a nil", function() obstacle.walls(w, { min = { 0, 0, 0 }, max = { 1, 1 } }) end)
fails("obstacle.walls.max must be a list of three numbers, not of 4", function() obstacle.walls(w, { min = { 0, 0, 0 }, max = { 1, 1, 1, 1 } }) end)
fails("obstacle.walls.min must be a list of three numbers; number 2 is not finite", function() obstacle.walls(w, { min = { 0, nan, 0 }, max = { 1, 1, 1 } }) end)
fails("pack.region.max must be a list of three numbers; number 3 is a nil", function() pack.create(w, { fraction = 0.3, radius = 0.1, region = { min = { 0, 0, 0 }, max = { 1, 1 } } }) end)
fails("pack.region: min must be below max along every axis, not 0 and -1 along y", function() pack.create(w, { fraction = 0.3, radius = 0.1, region = { min = { 0, 0, 0 }, max = { 1, -1, 1 } } }) end)
local layer = { min = { 0, 0, 0 }, max = { 0, 1, 1 }, spacing = 0.4, radius = 0.1 }
local function with(key, value)
  local def = {}
  for k, v in pairs(layer) do def[k] = v end
  def[key] = value
  return def
end
fails("inflow.axis must be 1, 2 or 3, for x, y and z, not 4", function() inflow.create(w, with("axis", 4)) end)
fails("inflow.axis must be 1, 2 or 3, for x, y and z, not a string", function() inflow.create(w, with("axis", "x")) end)
fails("inflow.axis must be 1, 2 or 3, for x, y and z, not a table", function() inflow.create(w, with("axis", { 1, 0, 0 })) end)
fails("inflow.max must be a list of three numbers; number 3 is a nil", function() inflow.create(w, with("max", { 0, 1 })) end)
fails("obstacle.drum.axis must be a direction { x, y, z }", function() obstacle.drum(w, { radius = 1, length = 1, axis = { 0, 1 } }) end)
fails("obstacle.drum.turn must be a list of { time, rate }", function() obstacle.drum(w, { radius = 1, length = 1, turn = { { 0, 0 }, { 1 } } }) end)
fails("obstacle.drum.turn must be a list of { time, rate }", function() obstacle.drum(w, { radius = 1, length = 1, turn = { { 0, {} } } }) end)

-- drives
fails("drive: entry 1 of { time, speed } must be a list of two numbers, not a number", function() drive.new(hinge, { 0, 5 }) end)
fails("drive: entry 2 of { time, speed } must be a list of two numbers; number 2 is a nil", function() drive.new(hinge, { { 0, 0 }, { 1 } }) end)
fails("drive: entry 1 of { time, speed } must be a list of two numbers; number 2 is not finite", function() drive.new(hinge, { { 0, nan } }) end)
fails("drive: the joint must be a hinge, slider, cylindrical, universal, ball or distance joint, not a fixed joint", function() drive.new(fixed, { { 0, 0 } }) end)
fails("drive: the force must be a number, at least 0, not -1", function() drive.new(hinge, { { 0, 0 } }, -1) end)
fails("drive: the direction must be a list of three numbers; number 3 is a nil", function() drive.body(wall, { 1, 0 }, { { 0, 0 } }) end)
local late = drive.new(hinge, function(t) return t > 1 and "fast" or nil end)
fails("drive: the target must return a finite number at 0.0005 s, not a nil", function() late:update(w) end)
local wild = drive.new(hinge, function() return inf end)
fails("drive: the target must return a finite number at 0.0005 s, not inf", function() wild:update(w) end)

-- bonds: each filter acts on a list of bodies, too
fails("bond takes a function as where, not a number", function() bond.create(w, { bodies = { a, b }, distance = 0.1, young = 1e6, where = 5 }) end)
fails("bond.group must be a whole number", function() bond.create(w, { bodies = { a, b }, distance = 0.1, young = 1e6, group = 1.5 }) end)
fails("bond.mesh must be a closed mesh or a hull", function() bond.create(w, { bodies = { a, b }, distance = 0.1, young = 1e6, mesh = 1.5 }) end)
fails("bond.mesh must be a closed mesh or a hull", function() bond.create(w, { bodies = { a, b }, distance = 0.1, young = 1e6, mesh = a }) end)
fails("bond takes a body in bodies, not a number", function() w:bond { bodies = { 1, 2 }, distance = 0.1, young = 1e6 } end)
local function count(def)
  def.bodies, def.distance, def.young = { a, b }, 0.1, 1e6
  return #w:bond(def)
end
local cube = scree.geometry.hull { points = { { -1, -1, -1 }, { 0.1, -1, -1 }, { -1, 1, -1 }, { 0.1, 1, -1 }, { -1, -1, 1 }, { 0.1, -1, 1 }, { -1, 1, 1 }, { 0.1, 1, 1 } } }
assert(count { group = 1 } == 0 and count { mesh = cube } == 0 and count { where = function(x) return x > 0.1 end } == 0)
assert(count { where = function(x, y, z) return x < 1 and y == 0 and z == 0 end } == 1)

-- models of robots
local function build(link, joint, options)
  local two = { name = "b", mass = 1, inertia = { 1, 0, 0, 1, 0, 1 } }
  local one = { name = "j", type = "hinge", parent = "a", child = "b", position = { 0, 0, 0 }, axis = { 0, 0, 1 } }
  for key, value in pairs(link) do two[key] = value end
  for key, value in pairs(joint) do one[key] = value end
  robot.build(scree.world { dt = 1e-3 }, { links = { { name = "a" }, two }, joints = { one } }, options)
end
build({}, {}, { joints = { j = 0.1 }, position = { 0, 0, 1 } })
fails("model.links.b.inertia must be a list of six numbers; number 4 is a nil", function() build({ inertia = { 1, 1, 1 } }, {}) end)
fails("model.links.b.mass must be a number, not a string", function() build({ mass = "1 kg" }, {}) end)
fails("model.links.b.mass must be a number, not NaN", function() build({ mass = nan }, {}) end)
fails("model.links.b.centre must be a list of three numbers; number 3 is a nil", function() build({ centre = { 0, 0 } }, {}) end)
fails("model.joints.j.armature must be a number, not a string", function() build({}, { armature = "x" }) end)
fails("model.joints.j.axis must be a list of three numbers; number 3 is a nil", function() build({}, { axis = { 0, 0 } }) end)
fails("model.joints.j.position must be a list of three numbers, not a number", function() build({}, { position = 3 }) end)
fails("robot.build takes a table as joints, not a number", function() build({}, {}, { joints = 5 }) end)
fails("robot.build: joints.j must be a finite number, not a string", function() build({}, {}, { joints = { j = "x" } }) end)
fails("robot.build: position must be a list of three numbers; number 3 is a nil", function() build({}, {}, { position = { 0, 0 } }) end)
fails("robot.build: orientation must be a list of four numbers; number 4 is a nil", function() build({}, {}, { orientation = { 0, 0, 1 } }) end)

-- statistics, curves, trees, blocks, records
fails("probe.add: the value of 'x' must be finite, not NaN", function() require("scree.probe").add(w, "x", nan) end)
fails("probe.add: the value of 'x' must be finite, not infinite", function() require("scree.probe").add(w, "x", inf) end)
fails("curve: times must be finite numbers, entry 2 is a string", function() require("scree.curve").create({ 0, "x" }, { 0, 1 }) end)
fails("curve: values must be finite numbers, entry 1 is not finite", function() require("scree.curve").create({ 0, 1 }, { nan, 1 }) end)
fails("kinematics.tree: start must have a position for each of the 1 joints, not 2", function() require("scree.kinematics").tree({ hinge }, { 1, 2 }) end)
fails("rock.add takes a table of rock.cut or rock.read as block 1, not a number", function() require("scree.rock").add(w, { 5 }) end)
local path = os.tmpname()
local file = assert(io.open(path, "w"))
file:write "time,x,x\n0,0,5\n1,1,6\n"
file:close()
local double = select(2, pcall(require("scree.motion").create, w, { body = wall, file = path }))
assert(tostring(double):find("columns 2 and 3 of .* are both named 'x'; give columns = { FIELD = NUMBER }"), double)
require("scree.motion").create(w, { body = wall, file = path, columns = { x = 3 } })
os.remove(path)

-- fields of objects are set by methods
fails("'velocity' of a body cannot be set by =; use body:set_velocity(...)", function() a.velocity = { 1, 2, 3 } end)
fails("'mass' of a body cannot be set by =", function() a.mass = 5 end)
fails("'speed' of a joint cannot be set by =", function() hinge.speed = 5 end)
fails("a view cannot be set by [1]; use view:set(row, ...)", function() w:view("velocity")[1] = { 1, 2, 3 } end)

-- regions: a misspelt key is compared with the keys of all regions
fails("count.region.centre is not a known key; did you mean 'center'?", function() w:count { region = { centre = { 0, 0, 0 }, radius = 1 } } end)
fails("count.region.size is not a known key; a region is { min, max }", function() w:count { region = { size = { 1, 1, 1 } } } end)
fails("distance.length must be at least 0, not -0.5", function() w:distance { a = a, b = b, at = { 0, 0, 0 }, at_b = { 0.2, 0, 0 }, length = -0.5 } end)

-- names: shapes, and methods with the name of another program
fails("body.shapes[1].type: there is no shape 'ball'; shapes are sphere, ", function() w:body { shapes = { { type = "ball", radius = 1 } } } end)
fails("a body has no 'apply_force'; it is 'apply' here", function() a:apply_force { force = { 1, 0, 0 } } end)

if #failures > 0 then print(table.concat(failures, "\n")) end
assert(#failures == 0, #failures .. " failures")
