-- Columns: values stay with their bodies through removal, sorting, fills, states, clones, checkpoints, a trajectory and
-- exports; several columns, views, and errors.
local scree = require "scree"

local function refuses(words, f, ...)
  local ok, text = pcall(f, ...)
  assert(not ok and tostring(text):find(words, 1, true), ("not refused with '%s': %s"):format(words, text))
end

local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
w:halfspace { normal = { 0, 0, 1 } }
local heat = w:column { name = "temperature", unit = "K", default = 293 }
local ball = {}
for k = 1, 50 do
  ball[k] = w:sphere { radius = 0.05, position = { 7 * k % 50 * 0.2, 3 * k % 50 * 0.2, 0.3 } }
  heat[ball[k]] = 300 + k
end
assert(heat.name == "temperature" and heat.unit == "K")
-- declaring a second column after bodies exist does not change the first one
local age = w:column { name = "age", default = -1 }
for k = 1, 50 do
  assert(heat[ball[k]] == 300 + k and age[ball[k]] == -1)
  age[ball[k]] = k / 3
end
-- rows change when bodies are removed and sorted; values stay with their bodies
for k = 1, 50, 3 do ball[k]:remove() end
w:step(80)
local function check_all(world, offset)
  local hot, old = world:column { name = "temperature", unit = "K", default = 293 }, world:column { name = "age", default = -1 }
  local seen = 0
  for k = 1, 50 do
    local body = k % 3 ~= 1 and world:body_of(ball[k]:id())
    if body then
      seen = seen + 1
      assert(hot[body] == 300 + k + (offset or 0) and hot:get(body) == hot[body] and old[body] == k / 3, k)
    end
  end
  assert(seen == 33)
end
check_all(w)
local late = w:sphere { radius = 0.05, position = { 20, 0, 1 } }
assert(heat[late] == 293 and age[late] == -1, "the default")
-- bodies of a fill have the default value, and arrays grow
local before = #w:view "id"
w:fill { region = { min = { 30, 0, 1 }, max = { 31, 1, 2 } }, spacing = 0.1, radius = 0.04 }
assert(#w:view "id" > before + 500)
check_all(w)
local ids, list, view = w:view("id"):totable(), heat:totable(), w:view "temperature"
local defaults = 0
assert(#ids == #list and #view == #ids)
for row, id in ipairs(ids) do
  assert(heat[w:body_of(id)] == list[row] and view[row] == list[row])
  if list[row] == 293 then defaults = defaults + 1 end
end
assert(defaults == #ids - 33, "33 balls have values of their own")

-- views: a row, and bulk changes of dynamic bodies; the ground has its own
local row = 1
while ids[row] ~= ball[2]:id() do row = row + 1 end
view:set(row, 400)
assert(heat[ball[2]] == 400)
view:set(row, 302)
local low = view:min()
assert(low == 293 and view:max() == 350, view:max())
view:add(10)
check_all(w, 10)
view:add(-10)
check_all(w)
refuses("there is no view 'temperatur'; did you mean 'temperature'", w.view, w, "temperatur")
refuses("not finite", view.set, view, row, 0 / 0)

-- states and clones
local state, copy = w:save(), w:clone()
check_all(copy)
local twin = copy:column { name = "temperature", unit = "K", default = 293 }
heat[ball[2]] = 1
assert(twin[copy:body_of(ball[2]:id())] == 302)
twin[copy:body_of(ball[2]:id())] = 2
assert(heat[ball[2]] == 1)
-- a column that the state does not have gets its default when the state is restored
local later = w:column { name = "later", default = 4 }
later:fill(9)
w:restore(state)
check_all(w)
assert(later[ball[2]] == 4, "the default of the column")
heat:fill(5)
assert(heat[ball[2]] == 5 and heat[late] == 5)
assert(heat[w:sphere { radius = 0.05, position = { 25, 0, 1 } }] == 5, "bodies that are made later")
w:restore(state)
assert(heat[w:sphere { radius = 0.05, position = { 25, 0, 1 } }] == 293)

-- errors
refuses("is a field of every body", w.column, w, { name = "mass" })
refuses("is a field of every body", w.column, w, { name = "vx" })
refuses("a name of letters", w.column, w, { name = "a b" })
refuses("a name of letters", w.column, w, { name = "2a" })
refuses("a name of letters", w.column, w, {})
refuses("at most 62 characters", w.column, w, { name = ("a"):rep(63) })
assert(w:column { name = ("a"):rep(62) }.name == ("a"):rep(62))
refuses("column.defalt is not a known key; did you mean 'default'", w.column, w, { name = "a", defalt = 1 })
refuses("another unit or default", w.column, w, { name = "temperature", unit = "C" })
refuses("must be a finite number", heat.set, heat, ball[2], 0 / 0)
refuses("must be a finite number", heat.set, heat, ball[2], "warm")
refuses("must be finite", w.column, w, { name = "a", default = 1 / 0 })
refuses("the body was removed", heat.get, heat, ball[1])
refuses("the body was removed", heat.set, heat, ball[1], 1)
refuses("a body of another world", heat.get, heat, copy:body_of(ball[2]:id()))
refuses("known are get, set, fill and totable", function() return heat.average end)
local strange = copy:column { name = "strange" }
strange.world = w
refuses("there is no column 'strange'", strange.get, strange, ball[2])

-- a run: the trajectory has the values of every body at its time, and so has a run that was stopped and resumed
local pipe = io.popen "readlink /proc/$PPID/exe"
local program = pipe:read "l"
pipe:close()
local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))
local scene = assert(io.open(folder .. "/scene.lua", "w"))
scene:write [[
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    heat = w:column { name = "temperature", unit = "K", default = 293 }
    w:halfspace { normal = { 0, 0, 1 } }
    for k = 1, 20 do heat[w:sphere { radius = 0.02, position = { 0.1 * (7 * k % 20), 0, 0.05 + 0.01 * k } }] = 300 + k / 7 end
  end,
  before_step = function(w)
    if w:steps() == 30 then w:sphere { radius = 0.02, position = { 5, 0, 1 } } end
    if w:steps() == 50 then w:body_of(5):remove() end
    local warm = w:body_of(8)
    heat[warm] = heat[warm] + 0.125
  end,
  output = { trajectory = { steps = 10, precision = "exact" }, series = false },
  stop = { steps = 100 },
}
]]
scene:close()
local function run(words, name)
  assert(os.execute(("cd %s && %s %s -q > out 2>&1 || { cat out; exit 1; }"):format(folder, program, words)), words)
  return scree.open(folder .. "/" .. name .. "/trajectory.scree")
end
local function check_run(name)
  local t = scree.open(folder .. "/" .. name .. "/trajectory.scree")
  assert(#t == 11)
  for i, frame in t:frames() do
    local step = 10 * (i - 1)
    assert(frame.columns.temperature == "K" and #frame.temperature == frame.bodies)
    assert(frame.bodies == 21 + (step > 30 and 1 or 0) - (step > 50 and 1 or 0))
    for k, id in ipairs(frame.id) do
      local wanted = (id == 1 or id > 21) and 293 or 300 + (id - 1) / 7
      if id == 8 then wanted = wanted + 0.125 * step end
      assert(math.abs(frame.temperature[k] - wanted) < 1e-9, ("%s: body %d at step %d has %g, not %g"):format(name, id, step, frame.temperature[k], wanted))
    end
  end
  return t
end
run("run scene.lua -o whole", "whole")
run("run scene.lua -o half --steps 40 --final-checkpoint", "half")
run("resume half --until 0.1", "half")
check_run "whole"
check_run "half"
assert(scree.open(folder .. "/whole/trajectory.scree"):compare(scree.open(folder .. "/half/trajectory.scree")) == nil)
-- a run whose values differ is not the same
assert(os.execute(("cd %s && sed 's/0.125/0.25/' scene.lua > other.lua"):format(folder)))
run("run other.lua -o other", "other")
local apart = scree.open(folder .. "/whole/trajectory.scree"):compare(scree.open(folder .. "/other/trajectory.scree"))
assert(apart and apart.first.field == "column" and apart.first.body == 8, "comparisons see columns")

-- exports
local t = scree.open(folder .. "/whole/trajectory.scree")
t:export { format = "csv", directory = folder, name = "all" }
local lines, at = {}, nil
for line in io.lines(folder .. "/all.csv") do
  local cells = {}
  for cell in (line .. ","):gmatch "([^,]*)," do cells[#cells + 1] = cell end
  lines[#lines + 1] = cells
end
for k, name in ipairs(lines[1]) do if name == "temperature" then at = k end end
assert(at == #lines[1], "the last column of csv")
local place = 1
for _, frame in t:frames() do
  for k = 1, frame.bodies do
    place = place + 1
    assert(tonumber(lines[place][at]) == frame.temperature[k])
  end
end
assert(place == #lines)
for _, format in ipairs { "vtp", "dump", "xyz", "gsd", "npz" } do
  t:export { format = format, directory = folder, name = format }
end
local function read(name) return assert(io.open(folder .. "/" .. name, "rb")):read "a" end
assert(read("vtp_000003.vtp"):find('Name="temperature"', 1, true))
assert(read("npz_000003.npz"):find("temperature.npy", 1, true))
assert(read("gsd.gsd"):find("log/particles/temperature", 1, true))
assert(os.execute(("gzip -dc %s/dump.dump.gz | grep -q 'ITEM: ATOMS .*temperature'"):format(folder)))
assert(os.execute(("gzip -dc %s/xyz.xyz.gz | grep -q ':temperature:R:1'"):format(folder)))

-- pictures are coloured by it
assert(os.execute(("cd %s && %s film whole --color temperature --size 64x48 --frames 0 -o hot -q > out 2>&1"):format(folder, program)), read "out")
assert(not os.execute(("cd %s && %s film whole --color temperatura --size 64x48 --frames 0 -o no -q > out 2>&1"):format(folder, program)))
assert(read("out"):find("there is no field 'temperatura'", 1, true), read "out")
-- the bar of a snapshot has the name and the unit of the column, and a mark between the extremes, 293 and 302.9
assert(os.execute(("cd %s && %s plot whole snapshot --color temperature --frame 0 -o hot.svg > out 2>&1"):format(folder, program)), read "out")
local texts, out = {}, ""
for text in read("hot.svg"):gmatch "<text>%s*([^<]*)" do texts[text], out = true, out .. text .. ";" end
assert(texts["temperature [K]"] and texts["300"], out)
os.execute("rm -r " .. folder)
print "ok"
