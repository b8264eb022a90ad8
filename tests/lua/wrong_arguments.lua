-- Calls the functions of the bundled modules with wrong arguments. The error must have the line of the caller and name
-- the function and the expected kind of argument.
local scree = require "scree"

local w = scree.world { dt = 1e-3 }
local ball = w:sphere { radius = 0.1, kind = "kinematic" }
local hinge = w:hinge { a = w:sphere { radius = 0.1 }, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
local curve = require("scree.curve").create({ 0, 1 }, { 0, 1 })
local motion = require("scree.motion").create(w, { body = ball, translate = { velocity = { 1, 0, 0 } } })
local drive = require("scree.drive").new(hinge, { { 0, 0 }, { 1, 5 } })
local robot = require("scree.robot").build(w, { links = { { name = "base", mass = 1, inertia = { 1, 1, 1, 0, 0, 0 } } }, joints = {} })
local temperature = w:column { name = "temperature", unit = "K" }
local bolt = { radius = 0.01, pitch = 0.006, depth = 0.0015 }
local names, list, options, text = { "a" }, { 1, 2 }, {}, "a text"

-- Correct arguments of each function. own(value): a table that must have certain keys, so {} is a wrong argument, too.
local function own(value) return { own = value } end
local world = { w }
local world_def, world_name = { w, options }, { w, text }
local documented = {
  bond = { create = world_def },
  clump = { from_mesh = { options } },
  column = { create = world_def, get = { own(temperature), ball }, set = { own(temperature), ball }, fill = { own(temperature) },
    totable = { own(temperature) } },
  cracks = { watch = world, update = world, list = world, moves = world, csv = world, vtk = world },
  curve = { create = { list, list }, at = { own(curve), 1 }, integrate = { own(curve) }, correct = { own(curve) } },
  decompose = { mass = { list, list }, hulls = { list, list }, body = world_def },
  drive = { new = { hinge }, body = { ball, list }, at = { own { { 0, 1 } }, 1 }, update = { own(drive), w } },
  faces = { list = world, vtk = world },
  feed = { create = world_def, update = world, set_rate = world, report = world },
  inflow = { create = world_def, update = world },
  kinematics = { tree = { own { hinge } }, of_robot = { own(robot) }, due = { w, 1 } },
  masonry = { wall = world_def, arch = world_def, vault = world_def, flat_arch = world_def, dome = world_def, column = world_def,
    portal = world_def, thrust = { w, list } },
  measure = { attach = { own { measure = {} } } },
  mjcf = { read = { own { tag = "mujoco", line = 1 }, options } },
  motion = { create = world_def, update = world, gravity = world_def, still_gravity = world, now = world, at = { own(motion), 1 },
    displacements = { w, names }, remove = { w, ball } },
  obstacle = { half_round = world_def, walls = world_def, pipe = world_def, drum = world_def, silo = world_def, hopper = world_def,
    funnel = world_def, screw = world_def, terrain = world_def, wedge = world_def },
  pack = { create = world_def },
  probe = { add = { w, text, 1 }, get = world_name, reset = world_name },
  record = { read = { options } },
  robot = { build = { w, own { links = {} } }, positions = { own(robot) }, source = { own { links = {} }, own { from = "a" } },
    control = { own(robot), options }, sense = { w, own(robot) } },
  rock = { cut = { options }, read = { options }, add = { w, list } },
  servo = { wall = world_def, box = world_def, update = world, count_lost = world, press = world_name, drive = world_name,
    read = world_name, size = world_name, stress = world_name },
  thread = { bolt = { bolt, options }, nut = { bolt, options } },
  urdf = { read = { own { tag = "robot", line = 1 }, options } },
  vtk = { fields = { own { edges = list }, list } },
  water = { create = world_def, update = world },
}
-- Functions that only other bundled modules call. These modules check the arguments first.
local internal = {
  record = { add_keys = "motion, feed: lists of keys", is_record = "motion", refuse_keys = "motion", find_scale = "motion" },
}

local wrong = { 5, "x", true, {}, function() end, w, ball, hinge }
local function kind_of(value) return scree.type(value) or type(value) end

-- Asserts that a function rejects a wrong argument i if all earlier arguments are correct.
local function refuses(name, f, good, i, value)
  local list, at = {}, ("%s, argument %d a %s: "):format(name, i, kind_of(value))
  for k = 1, i - 1 do
    list[k] = type(good[k]) == "table" and rawget(good[k], "own") or good[k]
  end
  list[i] = value
  local here, fine, message = select(2, pcall(function() error "" end)), pcall(function() f(table.unpack(list, 1, i)) end)
  if fine then return at .. "no error" end
  -- the second argument of a function create is the table of a verb, such as w:bond{...}
  message = tostring(message):gsub("^" .. here .. name:match "%w+" .. " takes", here .. name .. " takes")
  local start = ("%s%s takes a "):format(here, name)
  if message:sub(1, #start) ~= start then return at .. message end
end

local failures = {}
local function note(failure) failures[#failures + 1] = failure end

for module, functions in pairs(documented) do
  for key, good in pairs(functions) do
    local f = require("scree." .. module)[key]
    for i, value in ipairs(good) do
      local is_own = type(value) == "table" and rawget(value, "own")
      note(refuses(module .. "." .. key, f, good, i, nil))
      for _, bad in ipairs(wrong) do
        if is_own or kind_of(bad) ~= kind_of(value) then note(refuses(module .. "." .. key, f, good, i, bad)) end
      end
    end
  end
end

-- each function of each module is in one of the tables
for file in assert(io.popen "ls lua/scree"):lines() do
  local module = file:match "^(.*)%.lua$"
  for key, f in pairs(module and require("scree." .. module) or {}) do
    local is_known = (documented[module] or {})[key] or (internal[module] or {})[key]
    if type(f) == "function" and not is_known then note(("scree.%s.%s is in no table of this test"):format(module, key)) end
  end
end

-- functions of scree that open files
for _, bad in ipairs { 5, true, {} } do
  note(refuses("open", scree.open, { text }, 1, bad))
  note(refuses("read_state", scree.read_state, { text }, 1, bad))
end
local fine, message = pcall(scree.open, "tests")
if fine or not message:find("open: tests is no run directory: it has no trajectory.scree", 1, true) then note(tostring(message)) end

-- wrong values of keys in tables of options
local plate = { name = "lid", axis = { 0, 0, 1 }, position = { 0, 0, 0 }, size = { 1, 1, 1 }, mass = 1, stress = 1, speed = 1 }
local box = { name = "cell", min = { 0, 0, 0 }, max = { 1, 1, 1 }, mass = 1, stress = 1, speed = 1 }
local layer = { min = { 0, 0, 0 }, max = { 1, 1, 1 }, spacing = 0.2, radius = 0.1 }
local round = { radius = 1, height = 1 }
local keys = {
  { "bond", "create", { distance = 1 }, "bodies" }, { "bond", "create", {}, "pairs" },
  { "decompose", "body", {}, "geometry" }, { "inflow", "create", layer, "min", "max", "spacing", "layer_spacing", "radius", "radius_max", "speed" },
  { "masonry", "column", { radius = 1, height = 1, drums = 1 }, "position" }, { "obstacle", "half_round", round, "radius", "height", "length" },
  { "obstacle", "walls", { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, "min", "max", "open" },
  { "servo", "wall", plate, "name", "axis", "position", "size", "clear", "stress" }, { "servo", "box", box, "name", "min", "max" },
}
for _, row in ipairs(keys) do
  for i = 4, #row do
    for _, bad in ipairs { true, function() end, { {} } } do
      local def = {}
      for key, value in pairs(row[3]) do
        def[key] = value
      end
      def[row[i]] = bad
      local line, good, text = select(2, pcall(function() error "" end)), pcall(function() require("scree." .. row[1])[row[2]](w, def) end)
      local is_placed = not good and tostring(text):find(line, 1, true) == 1
      if not is_placed or text:find "attempt to" then note(("%s.%s, key %s a %s: %s"):format(row[1], row[2], row[i], kind_of(bad), text or "no error")) end
    end
  end
end

-- scree.check_type in modules of users: kinds, keys and the place of the argument
local check = require "check"
check.fails("pile takes a body second, not a joint", scree.check_type, hinge, "body", "pile", "second")
check.fails("pile takes a table, not a nil", scree.check_type, nil, "table", "pile")
check.fails("pile takes a table of heights; this table has no low", scree.check_type, { high = 1 }, "table", "pile", "of heights", "low")
check.fails("pile takes a table of heights; this table is empty", scree.check_type, {}, "table", "pile", "of heights", 1)
scree.check_type({ low = 0 }, "table", "pile", "of heights", "low")
scree.check_type(w, "world", "pile")

table.sort(failures)
if #failures > 0 then print(table.concat(failures, "\n")) end
assert(#failures == 0, #failures .. " failures")
