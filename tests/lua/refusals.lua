-- Senseless values and handles are errors at the call, and no message contains an address.
local scree = require "scree"
local check = require "check"
local fails = check.fails

local w, other = scree.world { dt = 1e-3 }, scree.world { dt = 1e-3 }
local own, alien = w:sphere { radius = 0.1 }, other:sphere { radius = 0.1, position = { 5, 0, 0 } }
local second = w:sphere { radius = 0.1, position = { 1, 0, 0 } }

-- bodies of another world
fails("argument 2 is a body of another world", w.read, w, alien)
fails("argument 2 is a body of another world", w.forces_on, w, alien)
assert(w:read(own).radius == 0.1)

-- random numbers
fails("is no interval", w.random, w, 0 / 0)
fails("is no interval", w.random, w, 2, 1)
fails("is no interval", w.random, w, 0, 1 / 0)
assert(w:random(2, 2) == 2)

-- laws of scripts
local function law(def)
  def.name, def.base, def.refresh = "own" .. tostring(math.random(1e9)), "coulomb", function() end
  return scree.law.define(def)
end
fails("law.params.heat: the default is not finite", law, { params = { heat = 0 / 0 } })
fails("law.params.heat: the default is not finite", law, { params = { heat = 1 / 0 } })
fails("law.state: 'a' stands twice", law, { state = { "a", "b", "a" } })

-- joints and bodies
fails("gear.ratio must not be 0", w.gear, w, { a = own, b = second, axis = { 1, 0, 0 }, axis_b = { 1, 0, 0 }, ratio = 0 })
local function inertia(xx, yy, zz, yz) return { mass = 1, inertia = { xx, 0, 0, yy, yz or 0, zz }, shapes = { { type = "sphere", radius = 0.1 } } } end
fails("no distribution of mass has it", w.body, w, inertia(1, 1, 5))
fails("no distribution of mass has it", w.body, w, inertia(1, 2, 2, 1.9))
w:body(inertia(1, 1, 2))
w:body(inertia(1e-3, 1, 1))

-- meshes
local corners = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
local tetrahedron = { { 1, 3, 2 }, { 1, 2, 4 }, { 2, 3, 4 }, { 1, 3, 4 } } -- the last in the wrong sense
assert(scree.geometry.mesh({ points = corners, triangles = tetrahedron }):info().turned == 1)
fails("mesh.closed = false says nothing", scree.geometry.mesh, { points = corners, triangles = tetrahedron, closed = false })
fails("is open: triangle 1 has no neighbour", scree.geometry.mesh, { points = corners, triangles = { { 1, 3, 2 } }, solid = true })
local strip, moebius = {}, {} -- five quads, the last of which closes the strip with a half turn
for k = 0, 4 do
  local a, b = 2 * math.pi * k / 5, math.pi * k / 5
  for _, s in ipairs { -0.2, 0.2 } do
    local r = 1 + s * math.cos(b)
    strip[#strip + 1] = { r * math.cos(a), r * math.sin(a), s * math.sin(b) }
  end
  local p, q = 2 * k + 1, k < 4 and 2 * k + 3 or 2
  local u = k < 4 and 2 * k + 4 or 1
  moebius[#moebius + 1], moebius[#moebius + 2] = { p, q, u }, { p, u, p + 1 }
end
assert(not scree.geometry.mesh({ points = strip, triangles = moebius }):info().closed)
scree.geometry.mesh { points = corners, triangles = { { 1, 3, 2 }, { 1, 2, 4 }, { 2, 3, 4 } } }

-- orientations by views
local turn = w:view "orientation"
fails("view.set: the orientation is zero", turn.set, turn, 1, 0, 0, 0, 0)
fails("view.fill: the orientation is zero", turn.fill, turn, 0, 0, 0, 0)
for _, name in ipairs { "axpy", "add", "scale" } do
  fails("orientations are set row by row or filled", turn[name], turn, 2, name == "axpy" and turn or 2, 2, 2)
end
for _, size in ipairs { 1e-300, 3, 1e300 } do
  turn:set(1, 0, 0.6 * size, 0, -0.8 * size)
  local a, b, c, d = turn:get(1)
  assert(a == 0 and math.abs(b - 0.6) < 1e-15 and c == 0 and math.abs(d + 0.8) < 1e-15)
end

-- no addresses in messages
local odd = { {}, print, coroutine.create(print) }
for _, key in ipairs(odd) do
  for _, f in ipairs {
    function() return scree[key] end, function() return string[key] end, function() return w[key] end, function() scree.world { [key] = 1 } end,
    function() w:sphere { radius = 1, [key] = 1 } end, function() return _G[key] end, function() return turn[key] end,
    function() scree.check_keys({ [key] = 1 }, { "a" }, "x") end, function() w[key] = 1 end, function() own[key] = 1 end,
    function() scree.law.solve { law = "coulomb", [key] = 1 } end,
  } do
    local good, text = pcall(f)
    assert(not good and not tostring(text):find "0x%x%x%x", text)
  end
end

-- scripts cannot change built-in names for the modules of the library
fails("'pairs' is built in", rawset, _G, "pairs", print)
fails("'scree' is built in", rawset, _G, "scree", {})
rawset(_G, "mine", 1)
assert(mine == 1)
