-- Columns: a number for each body, in w.state; bodies come, go and change rows, states and clones have the values, and what is refused.
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
-- rows change when bodies are removed and put in order; values stay with their bodies
for k = 1, 50, 3 do ball[k]:remove() end
w:step(80)
for k = 1, 50 do
  if ball[k]:alive() then assert(heat[ball[k]] == 300 + k and heat:get(ball[k]) == 300 + k) end
end
local late = w:sphere { radius = 0.05, position = { 20, 0, 1 } }
assert(heat[late] == 293, "the default")
local ids, list = w:view("id"):totable(), heat:totable()
assert(#ids == #list)
for row, id in ipairs(ids) do assert(heat[w:body_of(id)] == list[row]) end

-- states and clones
local state, copy = w:save(), w:clone()
local twin = copy:column { name = "temperature", unit = "K", default = 293 }
heat[ball[2]] = 1
assert(twin[copy:body_of(ball[2]:id())] == 302)
twin[copy:body_of(ball[2]:id())] = 2
assert(heat[ball[2]] == 1)
w:restore(state)
assert(heat[ball[2]] == 302)
heat:fill(5)
assert(heat[ball[2]] == 5 and heat[late] == 5)

-- values of bodies that were removed do not pile up
for k = 1, 2000 do
  local b = w:sphere { radius = 0.01, position = { 50, 50, 50 } }
  heat[b] = k
  b:remove()
end
local count = 0
for _ in pairs(w.state.columns.temperature.values) do count = count + 1 end
assert(count <= 2 * #w:view "id" + 64, count)

refuses("is a field of every body", w.column, w, { name = "mass" })
refuses("a name of letters", w.column, w, { name = "a b" })
refuses("column.defalt is not a known key; did you mean 'default'", w.column, w, { name = "a", defalt = 1 })
refuses("another unit or default", w.column, w, { name = "temperature", unit = "C" })
refuses("must be a finite number", heat.set, heat, ball[2], 0 / 0)
refuses("the body was removed", heat.get, heat, ball[1])
refuses("known are get, set, fill and totable", function() return heat.average end)
w.state = {}
refuses("is not in w.state.columns", heat.get, heat, ball[2])
print "ok"
