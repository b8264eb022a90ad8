-- Worlds, bodies, materials, regions, views: the binding against closed forms and bad input.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.near

-- a world and its numbers
local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3, solver = { iterations = 20 } }
assert(w:time() == 0 and w:steps() == 0 and w:dt() == 1e-3)
local gx, gy, gz = w:gravity()
assert(gx == 0 and gy == 0 and gz == -10)

-- a body and its handle
local ball = w:sphere { name = "ball", radius = 0.1, density = 1000, position = { 0, 0, 5 }, velocity = { 1, 0, 0 }, group = 7 }
near(ball:mass(), 1000 * 4 / 3 * math.pi * 1e-3)
near(ball:radius(), 0.1)
assert(ball:kind() == "dynamic" and ball:group() == 7 and ball:name() == "ball" and ball:alive())
assert(w:find "ball" == ball and w:body_of(ball:id()) == ball)
assert(tostring(ball) == "body 'ball'")
w:step(100)
local x, y, z = ball:position()
near(x, 0.1)
near(z, 5 - 10 * 0.1 ^ 2 / 2)
local vx, vy, vz = ball:velocity()
near(vz, -1)
ball:set_velocity(0, 2, 0)
ball:set_velocity { 0, 3, 0 }
ball:set_spin(0, 0, 1)
ball:set_position { 1, 2, 3 }
ball:set_orientation(2, 0, 0, 0)
assert(select(2, ball:velocity()) == 3 and select(3, ball:spin()) == 1 and select(3, ball:position()) == 3 and ball:orientation() == 1)
ball:set_group(3)
assert(ball:group() == 3)
ball:apply { force = { ball:mass(), 0, 0 } }
ball:set_velocity(0, 0, 0)
w:step()
near(ball:velocity(), 1e-3)
ball:set_kind "fixed"
assert(ball:kind() == "fixed")
ball:remove()
assert(not ball:alive() and tostring(ball) == "removed body")
fails("removed", ball.position, ball)
fails("removed", ball.remove, ball)
fails("no body", w.find, w, "ball")

-- bad values, each with its own message and the line of the call
local here = fails("sphere.radius must be greater than 0", function() w:sphere { radius = -1 } end)
assert(here:find "world%.lua:%d+: ", here)
fails("sphere.radius is missing", w.sphere, w, {})
fails("sphere.radius is NaN", w.sphere, w, { radius = 0 / 0 })
fails("sphere.radius is infinite", w.sphere, w, { radius = math.huge })
fails("sphere.radius must be a number, not a string", w.sphere, w, { radius = "1" })
-- texts carry units, of the right dimension only
local inch = w:sphere { radius = "25.4 mm", position = { "50 cm", 0, 3 }, mass = "100 g" }
assert(inch:radius() == 25.4e-3 and inch:position() == 0.5 and math.abs(inch:mass() - 0.1) < 1e-15)
assert(w:count { region = { center = { "0.5 m", 0, 3 }, radius = "1 mm" } } == 1)
inch:remove()
fails("sphere.radius: '5 kg' has the wrong dimension; expected a length", w.sphere, w, { radius = "5 kg" })
fails("sphere.position[2]: '5 mn' has an unknown unit", w.sphere, w, { radius = 1, position = { 0, "5 mn", 0 } })
fails("pair.mu must be a number, not a string", w.pair, w, { "default", "default", mu = "50 %" })
-- hints for typing errors, abbreviations, and words that describe a key
fails("did you mean 'position'?", w.sphere, w, { radius = 1, pos = { 0, 0, 0 } })
fails("did you mean 'spin' (angular velocity", w.sphere, w, { radius = 1, angular_velocity = { 0, 0, 0 } })
fails("did you mean 'mu' (friction coefficient", w.pair, w, { "default", "default", friction = 0.5 })
fails("sphere.colour is not a known key; known are name, kind", w.sphere, w, { radius = 1, colour = "red" })
fails("did you mean 'dt' (time step", scree.world, { timestep = 1e-3 })
for key, words in pairs {
  fixed = 'kind = "fixed"', rotation = "'orientation' (rotation", diameter = "'radius' (radius r, half the diameter)", omega = "'spin'",
} do
  fails("sphere." .. key .. " is not a known key; did you mean " .. words, w.sphere, w, { radius = 1, [key] = 1 })
end
fails("a world has no 'plane'; it is 'halfspace' here", function() w:plane { normal = { 0, 0, 1 } } end)
local told = w:sphere { radius = 1e-3, position = { 30, 0, 0 } }
fails("position takes no argument; did you mean 'set_position'?", function()
  local x = told:position(1)
  return x
end)
fails("mass takes no argument", function()
  local mass = told:mass(1)
  return mass
end)
told:remove()
-- getters of worlds, cells and joints
do
  local v = scree.world { cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  local joint = v:hinge { a = v:sphere { radius = 0.1 }, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
  for _, row in ipairs {
    { v, "; did you mean 'set_%s'?", "dt", "gravity" },
    { v, "", "time", "steps", "threads", "hash" },
    { v:cell(), "; did you mean 'set_%s'?", "matrix", "stress", "velocity_gradient" },
    { v:cell(), "", "size", "origin", "volume", "periodic" },
    { joint, "; did you mean 'set_%s'?", "force" },
    { joint, "", "position", "speed", "axis" },
  } do
    for i = 3, #row do
      local call = load(("local object = ... local value = object:%s(1) return value"):format(row[i]))
      fails(row[i] .. " takes no argument" .. row[2]:format(row[i]), call, row[1])
    end
  end
end
-- a cylinder without a length has no ends
local half = w:sphere { radius = 0.01, position = { 20, 20, -7 } }
local endless = { point = { 20, 20, 0 }, axis = { 0, 0, 1 }, radius = 0.1 }
assert(w:count { region = endless } == 1)
endless.length = 10
assert(w:count { region = endless } == 0)
half:remove()
fails("sphere.position[2] is NaN", w.sphere, w, { radius = 1, position = { 0, 0 / 0, 0 } })
fails("sphere.position must have three numbers, not 2", w.sphere, w, { radius = 1, position = { 0, 0 } })
fails("sphere.mass must be greater than 0", w.sphere, w, { radius = 1, mass = 0 })
fails("sphere.orientation must not be zero", w.sphere, w, { radius = 1, orientation = { 0, 0, 0, 0 } })
fails("sphere.kind must be one of dynamic|kinematic|fixed, not 'static'", w.sphere, w, { radius = 1, kind = "static" })
fails("did you mean 'radius'?", w.sphere, w, { radus = 1 })
fails("did you mean 'material'?", w.sphere, w, { radius = 1, materal = "x" })
fails("sphere.material", w.sphere, w, { radius = 1, material = "nothing" })
fails("sphere must be a table", w.sphere, w, 5)
fails("argument 1 must be a world", w.sphere, {}, {})
fails("box.size[2] must be greater than 0", w.box, w, { size = { 1, -1, 1 } })
fails("halfspace.mass", w.halfspace, w, { normal = { 0, 0, 1 }, mass = 1 })
fails("halfspace.kind", w.halfspace, w, { normal = { 0, 0, 1 }, kind = "dynamic" })
fails("halfspace.normal must not be zero", w.halfspace, w, { normal = { 0, 0, 0 } })
fails("body.shapes", w.body, w, { shapes = {} })
fails("body.shapes[1].type", w.body, w, { shapes = { { type = "spere", radius = 1 } } })
fails("did you mean 'sphere'?", w.body, w, { shapes = { { type = "spere", radius = 1 } } })
fails("body.shapes[2].radius", w.body, w, { shapes = { { type = "sphere", radius = 1 }, { type = "sphere", radius = -1 } } })
w:sphere { radius = 0.1, name = "twin", position = { 9, 9, 9 } }
fails("twin", w.sphere, w, { radius = 0.1, name = "twin" })
fails("world.dt must be greater than 0", scree.world, { dt = 0 })
fails("world.gravity[3] is NaN", scree.world, { gravity = { 0, 0, 0 / 0 } })
fails("world.solver.iteratons is not a known key; did you mean 'iterations'?", scree.world, { solver = { iteratons = 5 } })
fails("world.solver.name", scree.world, { solver = { name = 5 } })
fails("a world has no 'stpe'; did you mean 'step'?", function() return w.stpe end)
fails("a body has no 'postion'; did you mean 'position'?", function() return w:find("twin").postion end)
fails("w.state", function() w.foo = 1 end)
fails("must be a table", function() w.state = 1 end)
w.state.counter = 1
assert(w.state.counter == 1)
fails("step takes", w.step, w, -1)

-- materials and pairs
w:material { name = "glass", density = 2650 }
w:material { name = "steel", density = 7800 }
w:pair { "glass", "steel", law = "coulomb", mu = 0.25 }
w:pair { a = "glass", b = "glass", law = "max_dissipation", mu = 0.5 }
assert(w:get_pair("steel", "glass").mu == 0.25 and w:get_pair("steel", "glass").law == "coulomb")
assert(w:get_pair("glass", "glass").law == "max_dissipation")
near(w:sphere({ radius = 0.1, material = "glass", position = { 5, 5, 5 } }):mass(), 2650 * 4 / 3 * math.pi * 1e-3)
fails("glass", w.material, w, { name = "glass" })
fails("material.name is missing", w.material, w, {})
fails("glas", w.pair, w, { "glas", "steel", law = "coulomb" })
fails("did you mean 'coulomb'?", w.pair, w, { "glass", "steel", law = "colomb" })
fails("did you mean 'mu'?", w.pair, w, { "glass", "steel", law = "coulomb", muu = 1 })
fails("pair.mu", w.pair, w, { "glass", "steel", law = "coulomb", mu = -1 })
fails("pair.b is missing", w.pair, w, { "glass", law = "coulomb" })
fails("twice", w.pair, w, { "glass", "steel", a = "glass", law = "coulomb" })

-- fill, count, remove
local v = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
local function fill(more)
  local keys = { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0.25, radius = 0.1, velocity = { 1, 0, 0 }, jitter = 0.5 }
  for k, value in pairs(more or {}) do keys[k] = value end
  return v:fill(keys)
end
local n = fill { group = 2 }
assert(n == 64 and v:count() == 64 and v:count { group = 2 } == 64 and v:count { group = 1 } == 0)
assert(v:count { region = { max = { 0.5, 1, 1 } } } == 32)
assert(v:count { region = { center = { 0.5, 0.5, 0.5 }, radius = 0.3 } } == 8)
assert(v:count { region = { center = { 0.5, 0.5, 0.5 }, radius = 0.3, outside = true } } == 56)
assert(v:count { region = { point = { 0.5, 0, 0 }, normal = { 1, 0, 0 } } } == 32)
assert(v:count { region = { point = { 0.375, 0.375, -1 }, axis = { 0, 0, 1 }, radius = 0.1 } } == 4)
assert(v:count { kind = "all" } == 64 and v:count { kind = "fixed" } == 0)
local low, high = v:view("velocity"):min(), v:view("velocity"):max()
assert(low == 1 and high == 1, "jitter is across the velocity")
local _, ylow, zlow = v:view("velocity"):min()
local _, yhigh, zhigh = v:view("velocity"):max()
assert(ylow >= -0.5 and yhigh <= 0.5 and ylow < -0.3 and yhigh > 0.3 and zlow < -0.3 and zhigh > 0.3)
assert(v:remove { region = { min = { 0.5, -1, -1 } } } == 32 and v:count() == 32)
fails("remove must be told", v.remove, v)
-- balls and cylinders: no grain reaches out of them, and those that fit are there
local tube = { point = { 1, 2, 3 }, axis = { 0, 3, 4 }, radius = 1, length = 3 }
local turned = scree.world {}
local grains = turned:fill { region = tube, spacing = 0.2, radius = 0.1 }
assert(grains > 0.7 * math.pi * 3 * 0.9 / 0.008 * 0.8 and grains < math.pi * 3 / 0.008, grains)
assert(turned:count { region = { point = { 1, 2.0599, 3.0799 }, axis = { 0, 3, 4 }, radius = 0.9001, length = 2.8002 } } == grains)
assert(scree.world {}:fill { region = { center = { 0, 0, 0 }, radius = 0.1 }, spacing = 1, radius = 0.1 } == 1)
assert(scree.world {}:fill { region = { center = { 0, 0, 0 }, radius = 0.09 }, spacing = 1, radius = 0.1 } == 0)
fails("finite in all three", fill, { region = { point = { 0, 0, 0 }, axis = { 0, 0, 1 }, radius = 1 } })
fails("finite in all three", fill, { region = { center = { 0, 0, 0 }, radius = 1, outside = true } })
fails("fill.region is missing", v.fill, v, { spacing = 1, radius = 1 })
fails("finite", fill, { region = { min = { 0, 0, 0 } } })
fails("fill.radius", fill, { radius = -1 })
fails("fill.lattice", fill, { lattice = "hex" })
fails("did you mean 'spacing'?", fill, { spacng = 1 })
fails("fill.jitter", fill, { jitter = -1 })
fails("count.region.max[1]", v.count, v, { region = { min = { 1, 0, 0 }, max = { 0, 1, 1 } } })

-- views
local p, u = v:view "position", v:view "velocity"
assert(#p == 32 and p:rows() == 32 and p:columns() == 3 and v:view("id"):columns() == 1)
local px = p:get(1)
p:set(1, px + 1, 0, 0)
assert(p:get(1) == px + 1 and p[1][1] == px + 1)
p:set(1, px, 0, 0)
local sx = p:sum()
p:axpy(2, u)
near(p:sum(), sx + 2 * 32)
p:add(1, 0, 0)
near(p:mean(), (sx + 2 * 32) / 32 + 1)
u:fill(0, 3, 4)
near(u:max_norm(), 5)
u:scale(2)
near(u:max_norm(), 10)
assert(#u:totable() == 96 and u:totable()[2] == 6)
local id = v:view "id"
assert(v:body_of(id[3]):alive() and math.type(id[3]) == "integer")
fails("outside 1..32", p.get, p, 33)
fails("read only", id.set, id, 1, 5)
fails("not finite", u.set, u, 1, 0 / 0, 0, 0)
fails("differ in shape", p.axpy, p, 1, id)
fails("did you mean 'velocity'?", v.view, v, "velocty")
fails("a view has no 'summ'; did you mean 'sum'?", function() return p.summ end)
v:step()
fails("out of date", p.get, p, 1)

-- report, contacts
local f = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3 }
f:halfspace { normal = { 0, 0, 1 }, name = "floor" }
local rest = f:sphere { radius = 0.1, position = { 0, 0, 0.1 } }
f:step(10)
local report = f:report()
assert(report.bodies == 2 and report.dynamic == 1 and report.contacts == 1 and report.step == 10 and report.seconds.solve)
local contacts = f:contacts()
assert(#contacts == 1)
local c = contacts[1]
near(c.impulse[3] * (c.body1 == rest and 1 or -1), rest:mass() * 10 * 1e-3, 1e-9)
near(math.abs(c.normal[3]), 1)
assert(c.state == "sticking" or c.state == "sliding")
assert(c.material1 == "default")
local walked = 0
for contact in f:contacts() do
  assert(contact.index == 1)
  walked = walked + 1
end
assert(walked == 1)

-- the same seed gives the same bits, and the hash sees a difference
local function hash(velocity)
  local world = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3 }
  world:halfspace { normal = { 0, 0, 1 } }
  world:fill { region = { min = { 0, 0, 0 }, max = { 0.5, 0.5, 0.5 } }, spacing = 0.1, radius = 0.04, velocity = velocity, jitter = 0.1 }
  world:step(50)
  return world:hash()
end
assert(hash { 0, 0, -1 } == hash { 0, 0, -1 } and hash { 0, 0, -1 } ~= hash { 0, 0, -1.5 })
