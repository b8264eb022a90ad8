-- Tests views of all bodies. Rows must equal the values of body handles. Reductions are sums over the dynamic bodies. Bulk changes affect dynamic bodies
-- only. Wrong arguments are errors.
local scree = require "scree"
local check = require "check"
local mixture = require "mixture"

local function world()
  local w, random, bodies = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }, mixture.random(11), {}
  local function three() return { random(), random(), random() } end
  for i = 1, 9 do
    local def = { position = { 3 * i, random(), random() }, velocity = three(), spin = three(), group = i * 1000000007 - 4, orientation = { 0.8, 0.4, -0.4, 0.2 } }
    if i % 3 == 1 then def.kind = i % 2 == 1 and "fixed" or "kinematic" end
    if def.kind == "fixed" then def.velocity, def.spin = nil, nil end
    if i % 2 == 0 then def.size = { 0.1 * i, 0.2, 0.3 }; bodies[i] = w:box(def) else def.radius = 0.1 * i; bodies[i] = w:sphere(def) end
  end
  return w, bodies
end
local w, bodies = world()
local of_body = { position = "position", orientation = "orientation", velocity = "velocity", spin = "spin", radius = "radius", mass = "mass", id = "id", group = "group", kind = "kind" }
local columns = { position = 3, orientation = 4, velocity = 3, spin = 3, radius = 1, mass = 1, id = 1, group = 1, kind = 1 }
local function moves(b) return b:kind() == "dynamic" end
local function all(name, w)
  local rows, view = {}, w:view "id"
  for i = 1, #view do
    local b = w:body_of(view[i])
    rows[i] = { b = b, value = { b[name](b) } }
  end
  return rows
end

for name in pairs(of_body) do
  local v, rows = w:view(name), all(name, w)
  assert(#v == 9 and v:rows() == 9 and v:columns() == columns[name] and tostring(v) == "view '" .. name .. "' of 9 rows", name)
  local flat = v:totable()
  assert(#flat == 9 * columns[name])
  for i, row in ipairs(rows) do
    local got, item = { v:get(i) }, v[i]
    if columns[name] == 1 then item = { item } end
    for c = 1, columns[name] do
      local expected = row.value[c]
      assert(got[c] == expected and item[c] == expected and flat[(i - 1) * columns[name] + c] == expected and math.type(got[c]) == math.type(expected), name)
    end
    assert(#got == columns[name] and #item == columns[name])
  end
  if name ~= "kind" then
    local sum, least, most, norm, count = { 0, 0, 0, 0 }, {}, {}, 0, 0
    for _, row in ipairs(rows) do
      if moves(row.b) then
        local square = 0
        for c = 1, columns[name] do
          local x = row.value[c]
          sum[c], least[c], most[c] = sum[c] + x, math.min(least[c] or x, x), math.max(most[c] or x, x)
          square = square + x ^ 2
        end
        norm, count = math.max(norm, square ^ 0.5), count + 1
      end
    end
    assert(count == 6)
    local s, m, low, high = { v:sum() }, { v:mean() }, { v:min() }, { v:max() }
    assert(#s == columns[name] and #m == #s and #low == #s and #high == #s)
    for c = 1, columns[name] do
      check.near(s[c], sum[c], 1e-13)
      check.near(m[c], sum[c] / 6, 1e-13)
      assert(low[c] == least[c] and high[c] == most[c], name)
    end
    check.near(v:max_norm(), norm, 1e-13)
  end
  for _, row in ipairs { 0, 10, -1 } do check.fails("row " .. row .. " of the view '" .. name .. "' is outside 1..9", v.get, v, row) end
  check.fails("outside 1..9", function() return v[10] end)
end

-- changes
local function same(name, expected, what)
  for i, row in ipairs(all(name, w)) do
    for c = 1, columns[name] do check.near(row.value[c], expected[i][c], 1e-14, what .. " of " .. name) end
  end
end
local function values(name)
  local out = {}
  for i, row in ipairs(all(name, w)) do out[i] = row.value end
  return out
end
local function change(name, what, f, ...)
  local before, expected = values(name), {}
  for i, row in ipairs(before) do
    expected[i] = {}
    for c = 1, columns[name] do expected[i][c] = moves(all(name, w)[i].b) and f(row[c], c, i) or row[c] end
  end
  local v = w:view(name)
  v[what](v, ...)
  same(name, expected, what)
end
for _, name in ipairs { "position", "velocity", "spin" } do
  change(name, "add", function(x, c) return x + ({ 0.5, -1, 2 })[c] end, 0.5, -1, 2)
  change(name, "scale", function(x) return -1.5 * x end, -1.5)
  local other = values "velocity"
  change(name, "axpy", function(x, c, i) return x + 0.25 * other[i][c] end, 0.25, w:view "velocity")
  local v, row = w:view(name), 2
  v:set(row, 7, 8, 9)
  local x, y, z = w:body_of(w:view("id")[row])[name](w:body_of(w:view("id")[row]))
  assert(x == 7 and y == 8 and z == 9, name)
  change(name, "fill", function(_, c) return 10 * c end, 10, 20, 30)
end
-- orientations become unit quaternions
local o = w:view "orientation"
o:set(2, 0, 3, 0, 4)
local q = { w:body_of(w:view("id")[2]):orientation() }
for c, x in ipairs { 0, 0.6, 0, 0.8 } do check.near(q[c], x, 1e-15) end
change("orientation", "fill", function(_, c) return c == 1 and 1 or 0 end, 1e-200, 0, 0, 0)
change("orientation", "fill", function() return 0.5 end, 1e200, 1e200, 1e200, 1e200)
o = w:view "orientation"
check.fails("the orientation is zero", o.set, o, 2, 0, 0, 0, 0)
check.fails("the orientation is zero", o.fill, o, 0, 0, 0, 0)
for _, what in ipairs { "add", "scale", "axpy" } do check.fails("view." .. what .. ": orientations are set row by row or filled", o[what], o, 1, 1, 1, 1) end

-- errors
local v = w:view "velocity"
check.fails("did you mean 'velocity'", w.view, w, "velocty")
check.fails("row 1 is not a dynamic body; use the body's own set_velocity", v.set, v, 1, 1, 2, 3)
check.fails("value 2 is not finite", v.set, v, 2, 1, 0 / 0, 3)
check.fails("view.fill: argument 3 is not finite", v.fill, v, 1, 2, 1 / 0)
check.fails("view.add: argument 1 is not finite", v.add, v, 0 / 0, 1, 1)
check.fails("view.scale: argument 1 is not finite", v.scale, v, 1 / 0)
check.fails("view.axpy: argument 1 is not finite", v.axpy, v, 1 / 0, v)
check.fails("the views 'velocity' and 'mass' differ in shape", v.axpy, v, 1, w:view "mass")
check.fails("the views 'velocity' and 'orientation' differ in shape", v.axpy, v, 1, w:view "orientation")
check.fails("differ in shape", v.axpy, v, 1, world():view "mass")
for _, name in ipairs { "radius", "mass", "id", "group", "kind" } do
  local fixed = w:view(name)
  for _, what in ipairs { "set", "fill", "add", "scale", "axpy" } do check.fails("the view '" .. name .. "' is read only", fixed[what], fixed, 2, 1, 1) end
end
w:sphere { radius = 1, position = { 100, 0, 0 } }
check.fails("the view 'velocity' is out of date", v.get, v, 1)
check.fails("out of date", v.sum, v)
check.fails("out of date", function() return v[1] end)
check.fails("out of date", function() return #v end)
-- a world without dynamic bodies has no mean and no extremes
local still = scree.world {}
still:sphere { radius = 1, kind = "fixed" }
local m = still:view "mass"
assert(m:sum() == 0 and select("#", m:mean()) == 0 and select("#", m:min()) == 0 and select("#", m:max()) == 0 and m:max_norm() == 0 and #m == 1)
