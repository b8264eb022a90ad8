-- States in memory: every golden scene continues to the same bits after w:restore and in a clone; contents of a state, worlds that it fits, and its cost.
local scree = require "scree"

local function refuses(words, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok and tostring(text):find(words, 1, true), ("not refused with '%s': %s"):format(words, text))
end

-- ---- the golden scenes ----

-- The report of a world, but for times and memory.
local left_out = { seconds = true, bytes_bodies = true, bytes_contacts = true }
local function figures(w)
  local lines = {}
  for key, value in pairs(w:report()) do
    if not left_out[key] then
      local text = type(value) == "number" and ("%.17g"):format(value) or type(value) == "table" and table.concat(value, ",") or tostring(value)
      lines[#lines + 1] = key .. "=" .. text
    end
  end
  table.sort(lines)
  return lines
end

local function touches(w, lines)
  for c in w:contacts() do
    lines[#lines + 1] = ("contact %d %d %.17g %.17g %.17g %.17g"):format(c.body1:id(), c.body2:id(), c.gap, c.impulse[1], c.impulse[2], c.impulse[3])
  end
end

local function run(w, steps)
  w:step(steps)
  local lines = figures(w)
  touches(w, lines)
  table.insert(lines, 1, w:hash())
  return lines
end

local function same(name, how, expected, found)
  for i = 1, math.max(#expected, #found) do
    if expected[i] ~= found[i] then error(("%s: %s: %s, not %s"):format(name, how, found[i], expected[i])) end
  end
end

-- Changes everything in the world: half the bodies are removed, others are added, laws and gravity change.
local function disturb(w, stepper)
  local ids = w:view("id"):totable()
  for i = 1, #ids, 2 do pcall(w:body_of(ids[i]).remove, w:body_of(ids[i])) end -- those with joints stay
  w:material { name = "later", density = 500 }
  w:pair { "later", "default", mu = 0.9, law = stepper == "penalty" and "hertz" or nil, modulus = stepper == "penalty" and 1e6 or nil }
  w:sphere { radius = 0.003, material = "later", position = { 7, 7, 7 }, name = "later", group = 9 }:apply { force = { 1, 2, 3 } }
  local a, b = w:box { size = { 0.01, 0.02, 0.01 }, position = { 9, 9, 9 } }, w:sphere { radius = 0.01, position = { 9, 9, 9.1 } }
  if stepper ~= "penalty" then w:hinge { a = a, b = b, at = { 9, 9, 9 }, axis = { 0, 0, 1 } } end
  w:set_gravity(1, 0, 0)
end

local file = os.tmpname()
local function try(s)
  s.world.solver = s.world.solver or {}
  local w = scree.world(s.world)
  s.setup(w)
  local before = s.threaded and 20 or 90
  for step = 1, before do
    if s.update then s.update(w, step) end
    w:step()
  end
  local bodies = w:report().bodies -- before the save, because a report notes the largest overlap that it tells
  local steps, state, copy = s.threaded and 10 or 20, w:save(), w:clone()
  assert(state:steps() == before and state:time() == w:time() and state:bodies() == bodies)
  local here, expected = w:hash(), run(w, steps)
  w:restore(state)
  same(s.name, "restored", expected, run(w, steps))
  disturb(w, s.world.stepper)
  if not s.world.cell then w:step(3) end
  w:restore(state)
  assert(w:hash() == here, s.name .. ": the hash after restoring")
  same(s.name, "restored after other bodies", expected, run(w, steps))
  same(s.name, "cloned", expected, run(copy, steps))
  state:write(file)
  copy:restore(scree.read_state(file))
  same(s.name, "from a file", expected, run(copy, steps))
end

for _, s in ipairs(assert(load(assert(io.open("tests/golden/scenes.lua")):read "a", "@tests/golden/scenes.lua"))()) do try(s) end

-- ---- what no golden scene has ----

local function more(name, world, setup) try { name = name, world = world, setup = setup } end
local down, floor = { 0, 0, -9.81 }, { normal = { 0, 0, 1 } }

more("sleep", { gravity = down, dt = 1e-3, sleep = 0.01 }, function(w)
  w:halfspace(floor)
  for k = 0, 4 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.3 * k, 0, 0.05 } } end
  w:sphere { radius = 0.05, position = { 0.6, 0, 0.4 } }
end)

more("fast bodies, substeps and losses", { gravity = down, dt = 2e-3, substeps = 3, losses = true }, function(w)
  w:halfspace(floor)
  w:box { size = { 1, 1, 0.001 }, position = { 0, 0, 0.3 }, kind = "fixed" }
  for k = 0, 5 do w:sphere { radius = 0.01, position = { 0.05 * k, 0, 0.35 }, velocity = { 0.1, 0, -40 }, fast = k % 2 == 0 } end
end)

more("motions, names, groups and domain", { gravity = down, dt = 1e-3, domain = { min = { -1, -1, -1 }, max = { 1, 1, 1 } } }, function(w)
  w:halfspace(floor)
  local slider = w:box { size = { 0.5, 0.5, 0.1 }, position = { 0, 0, 0.05 }, velocity = function(t) return math.sin(40 * t), 0, 0 end }
  w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.6, 0, 0.05 }, velocity = { { 0, { 0, 0, 0 } }, { 1, { -1, 0, 0 } } }, sites = { tip = { 0, 0, 0.05 } } }
  for k = 0, 3 do w:sphere { radius = 0.04, position = { 0.1 * k, 0, 0.15 }, group = k, name = "ball " .. k } end
  w:sphere { radius = 0.04, position = { 0.9, 0.3, 0.5 }, velocity = { 3, 0, 0 } }
  w.state = { slider = slider, seen = { 1, 2 } }
end)

more("a law of the script", { gravity = down, dt = 1e-3 }, function(w)
  if not pcall(scree.law.define, { name = "fading", base = "coulomb", state = { "age" }, refresh = function(p, s) s.age = s.age + 1; p.mu = p.mu / (1 + s.age / 100) end }) then
    assert(scree.law.names(), "the law is there from the scene before")
  end
  w:pair { "default", "default", law = "fading", mu = 0.8 }
  w:halfspace(floor)
  for k = 0, 3 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.2 * k, 0, 0.05 }, velocity = { 1 + k, 0, 0 } } end
end)

-- ---- w.state, handles and views ----

do
  local w = scree.world { gravity = down }
  w:halfspace(floor)
  local ball = w:sphere { radius = 0.1, position = { 0, 0, 1 } }
  w.state.ball, w.state.count = ball, 1
  local state, view = w:save(), w:view "position"
  local late = w:sphere { radius = 0.1, position = { 5, 0, 1 } }
  w.state.count = 2
  ball:remove()
  w:restore(state)
  assert(w.state.count == 1, "w.state")
  assert(w.state.ball:id() == ball:id() and ball:alive(), "the handle of the ball")
  assert(not late:alive(), "a body made after the save")
  refuses("out of date", view.get, view, 1)
  local copy = w:clone()
  w:step(10)
  assert(copy.state.ball:id() == ball:id() and copy.state.ball:position() == 0 and copy:time() == 0 and w:time() > 0)
  local _, _, high = copy.state.ball:position()
  assert(high == 1, "the handle of the clone is of the clone's body")
  w.state.f = print
  refuses("w.state.f is a function", w.save, w)
  assert(tostring(state) == "state of 2 bodies at 0.0 s" and state:bytes() > 1000)
end

-- hulls live as long as a state that has them, though no body has them any more
do
  local w = scree.world { gravity = down }
  w:halfspace(floor)
  local hull = w:body { shapes = { { type = "hull", points = { { 0, 0, 0 }, { 0.1, 0, 0 }, { 0, 0.1, 0 }, { 0, 0, 0.1 } } } }, position = { 0, 0, 0.2 } }
  local state, copy = w:save(), w:clone()
  state:write(file)
  hull:remove()
  collectgarbage()
  refuses("a hull or mesh of the checkpoint is not among those", w.restore, w, scree.read_state(file))
  w:restore(state)
  w:step(100)
  copy:step(100)
  assert(w:hash() == copy:hash())
end

-- ---- what does not fit ----

do
  local plain = { gravity = down }
  local function world(more)
    local def = {}
    for k, v in pairs(plain) do def[k] = v end
    for k, v in pairs(more or {}) do def[k] = v end
    local w = scree.world(def)
    w:sphere { radius = 0.1, position = { 0.5, 0.5, 0.5 } }
    return w
  end
  local state = world():save()
  local cell = { size = { 1, 1, 1 }, periodic = { true, true, true } }
  for words, other in pairs {
    ["another stepper (world.stepper)"] = world { stepper = "stewart_trinkle" },
    ["another plane (world.plane)"] = world { plane = { 0, 1, 0 } },
    ["without a cell, this world has one"] = world { cell = cell },
    ["without losses (world.losses)"] = world { losses = true },
  } do
    local before = other:hash()
    refuses(words, other.restore, other, state)
    assert(other:hash() == before)
    other:step(3)
  end
  local lawless = world()
  local lawful = world()
  lawful:pair { "default", "default", law = "fading", mu = 0.5 }
  refuses("laws", lawless.restore, lawless, lawful:save())
  local edges = world { cell = { size = { 1, 1, 1 }, periodic = { true, true, false } } }
  local before = edges:hash()
  refuses("other periodic edges", edges.restore, edges, world { cell = cell }:save())
  assert(edges:hash() == before)
  edges:step(3)
  refuses("argument 2 must be a state", lawless.restore, lawless, 1)
  refuses("no checkpoint can be read", scree.read_state, "/nowhere/state")
  -- other bodies and other settings of the solver are no obstacle
  local other = world { dt = 5e-4, solver = { name = "pgs" } }
  other:box { size = { 1, 1, 1 }, position = { 3, 0, 0 } }
  other:restore(state)
  assert(other:report().bodies == 1)
  -- damage in any part of a file is an error, and the world does not change
  local w = world()
  w:step(5)
  w:save():write(file)
  local bytes = assert(io.open(file, "rb")):read "a"
  local hash = w:hash()
  for at = 1, #bytes, #bytes // 40 do
    local handle <close> = assert(io.open(file, "wb"))
    handle:write(bytes:sub(1, at - 1), string.char(bytes:byte(at) ~ 255), bytes:sub(at + 1))
    handle:close()
    local ok, broken = pcall(scree.read_state, file)
    if ok then pcall(w.restore, w, broken) end
    assert(w:hash() == hash)
  end
end

-- ---- memory and time ----

-- SCREE_STATE_PAIRS pairs of save and restore of a small world do not make the process grow
do
  local w = scree.world { gravity = down, dt = 1e-3 }
  w:halfspace(floor)
  for k = 1, 20 do w:sphere { radius = 0.05, position = { 0.3 * (k % 5), 0.3 * (k // 5), 0.05 } } end
  w:step(50)
  local function resident() return tonumber(assert(io.open "/proc/self/status"):read("a"):match "VmRSS:%s*(%d+)") end
  local pairs_wanted, state, first = tonumber(os.getenv "SCREE_STATE_PAIRS") or 4000, w:save(), nil
  local hash = w:hash()
  for k = 1, pairs_wanted do
    if k % 7 == 0 then w:step() end
    w:restore(state)
    state = w:save()
    if k == 1000 then first = resident() end
  end
  assert(w:hash() == hash)
  assert(resident() - first < 4096, ("the process grew by %d KiB"):format(resident() - first))
  -- one restore takes less time than one step: the least of several rounds counts, so that other processes do not decide
  local step, restore = math.huge, math.huge
  for _ = 1, 30 do
    local t = os.clock()
    w:step(20)
    step = math.min(step, (os.clock() - t) / 20)
    t = os.clock()
    for _ = 1, 20 do w:restore(state) end
    restore = math.min(restore, (os.clock() - t) / 20)
  end
  assert(restore < step, ("restore takes %.3g s, a step %.3g s"):format(restore, step))
end

os.remove(file)
