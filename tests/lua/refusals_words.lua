-- Error messages of every method: each row is a part of the message, and the call.
local scree = require "scree"
local fails = require("check").fails

local function words(rows)
  for _, row in ipairs(rows) do fails(row[1], row[2], table.unpack(row, 3, row.n or #row)) end
end
local function world(def)
  local w = scree.world(def or { dt = 1e-3 })
  return w
end
local nan, inf = 0 / 0, 1 / 0

-- plain Lua that the sandbox has in its own way
words {
  { "wrong number of arguments", math.random, 1, 2, 3 }, { "wrong number of arguments to 'insert'", table.insert, {}, 1, 2, 3 },
  { "position out of bounds", table.insert, { 1 }, 5, 2 }, { "position out of bounds", table.remove, { 1 }, 5 },
  { "too many elements to move", table.move, {}, math.mininteger, math.maxinteger, 1 }, { "wrap around", table.move, {}, 1, 3, math.maxinteger },
  { "element 2 is nil", table.sort, setmetatable({}, { __len = function() return 3 end, __index = function(_, i) return i ~= 2 and i or nil end }) },
  { "coroutine expected", coroutine.resume, 1 }, { "nil or table", setmetatable, {}, 1 }, { "__call must be a function", setmetatable, {}, { __call = {} } },
  { "__gc", setmetatable, {}, { __gc = print } }, { "must return a string", load, function() return 1 end }, { "capture index", string.gsub, "a", "(a)", "%2" },
  { "invalid", string.gsub, "a", "a", "%" }, { "resulting string too large", string.rep, "abc", math.maxinteger }, { "name", require, "../x" }, { "name", require, "" },
  { "invalid capture index", string.find, "a", "%1" }, { "malformed pattern", string.find, "a", "[a" }, { "malformed pattern", string.find, "a", "%" },
  { "missing arguments", string.find, "a", "%b" }, { "missing '['", string.find, "a", "%f" }, { "unfinished capture", string.find, "a", "(a" },
  { "invalid pattern capture", string.match, "a", "a)" }, { "interval is empty", math.random, 2, 1 },
}
assert(math.random(0) and table.concat(table.move({ 1, 2, 3 }, 1, 3, 2)) == "1123" and ("x"):rep(0) == "" and ("x"):rep(3, ",") == "x,x,x")
assert(("abc"):find("[^%s-a]") == 2 and ("a-b"):find("[a%-]", 2) == 2 and ("x"):sub(-5) == "x" and ("x"):byte(9) == nil and not ("abc"):find("c", 9))
local waiting = coroutine.create(function(...) return coroutine.yield(...) end)
assert(coroutine.resume(waiting) and coroutine.close(waiting) and coroutine.status(waiting) == "dead")
assert(select("#", coroutine.resume(coroutine.create(function() return 1, 2 end))) == 3)

-- cells
local w = world { dt = 1e-3, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
local cell = w:cell()
assert(tostring(cell) == "cell of 1.0 m3")
words {
  { "gradient", cell.set_velocity_gradient, cell, 3 }, { "gradient", cell.set_velocity_gradient, cell, { { 1, 2 }, { 1 }, {} } },
  { "stress", cell.set_stress, cell, 3, 1 }, { "stress", cell.set_stress, cell, { { 1, 2, 3 }, 3, 4 }, 1 },
  { "stress", cell.set_stress, cell, { { nan, false, false }, { false, 1, false }, { false, false, 1 } }, 1 },
}

-- bodies and shapes
w = world()
local a, b = w:sphere { radius = 0.1 }, w:sphere { radius = 0.1, position = { 0.3, 0, 0 } }
local other = world()
local alien = other:sphere { radius = 0.1 }
words {
  { "four numbers", w.sphere, w, { radius = 1, orientation = { 1, 0 } } }, { "orientation[2] must be a number", w.sphere, w, { radius = 1, orientation = { 1, "x", 0, 0 } } },
  { "orientation[1] is NaN", w.sphere, w, { radius = 1, orientation = { nan, 0, 0, 0 } } }, { "a quaternion", w.sphere, w, { radius = 1, orientation = 3 } },
  { "radius must be greater than 0, not -0.015", w.sphere, w, { radius = -0.015 } }, { "not -10", w.sphere, w, { radius = -10 } }, { "not -1e+20", w.sphere, w, { radius = -1e20 } },
  { "whole number, not 1.1", w.sphere, w, { radius = 1, group = 1.1 } }, { 'unknown solver "gauss"; solvers are nbgs, pgs,', scree.world, { solver = { name = "gauss" } } }, { 'unknown solver "nbgd"; did you mean "nbgs"?', scree.world, { solver = { name = "nbgd" } } },
  { "whole number", w.sphere, w, { radius = 1, group = 1.5 } }, { "whole number", w.sphere, w, { radius = 1, group = {} } },
  { "inertia must be a list of six", w.sphere, w, { radius = 1, mass = 1, inertia = { 1, 2 } } },
  { "inertia[2] must be a finite number", w.sphere, w, { radius = 1, mass = 1, inertia = { 1, inf, 1, 0, 0, 0 } } },
  { "inertia[1] must be a finite number", w.sphere, w, { radius = 1, mass = 1, inertia = { "x", 1, 1, 0, 0, 0 } } },
  { "position is given too", w.halfspace, w, { normal = { 0, 0, 1 }, point = { 0, 0, 0 }, position = { 0, 0, 1 } } },
  { "avoids", w.sphere, w, { radius = 1, avoids = { 40 } } }, { "avoids", w.sphere, w, { radius = 1, avoids = { 1.5 } } },
  { "sites", w.sphere, w, { radius = 1, sites = { [""] = { 0, 0, 0 } } } }, { "sites", w.sphere, w, { radius = 1, sites = { { 0, 0, 0 } } } }, { "sites", w.sphere, w, { radius = 1, sites = 3 } },
  { "shapes", w.body, w, { shapes = 3 } }, { "shapes", w.body, w, { shapes = {} } }, { "shapes[1] must be a table", w.body, w, { shapes = { 3 } } },
  { "type is missing", w.body, w, { shapes = { { radius = 1 } } } }, { "did you mean", w.body, w, { shapes = { { type = "spher", radius = 1 } } } },
  { "points", w.hull, w, { points = 3 } }, { "points", w.hull, w, { points = { 1, 2 } } }, { "triangles", w.mesh, w, { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, triangles = { { 0, 1, 2 } } } },
  { "triangles", w.mesh, w, { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, triangles = { { 1, 2, 2.5 } } } },
  { "has an unknown unit", w.sphere, w, { radius = "1 foot" } }, { "out of range", w.sphere, w, { radius = "1e400 m" } },
  { "dimension", w.sphere, w, { radius = "1 kg" } }, { "radius", w.sphere, w, { radius = "" } }, { "radius is", w.sphere, w, { radius = nan } }, { "radius", w.sphere, w, { radius = {} } },
}

-- views
local view = w:view "position"
local fixed = w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -9 } }
view = w:view "position"
words {
  { "not a dynamic body", view.set, view, 3, 0, 0, 0 }, { "finite", view.fill, view, nan, 0, 0 }, { "view", view.set, view, 9, 0, 0, 0 }, { "there is no view 'colour'", w.view, w, "colour" },
}

-- questions
words {
  { "another world", w.rays, w, { from = { 0, 0, 5 }, direction = { { 0, 0, -1 } }, without = alien } }, { "must be a list", w.rays, w, { from = { 0, 0, 5 }, direction = 3 } },
  { "direction", w.rays, w, { from = { 0, 0, 5 }, direction = { { 0, 0, inf } } } }, { "direction", w.rays, w, { from = { 0, 0, 5 }, direction = { 3 } } },
  { "list of diameters", w.grading, w, { sieves = {} } }, { "list of diameters", w.grading, w, { sieves = 3 } }, { "at least 0", w.grading, w, { sieves = { -1 } } },
  { "axis", w.profile, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, cells = { 2, 2, 2 }, axis = 5 } },
  { "cells", w.profile, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, cells = 3 } }, { "cells", w.profile, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, cells = { 2, 1.5, 2 } } },
}

-- figures
local function figure(panel) return scree.plot { panels = { panel } } end
words {
  { "panels", scree.plot, { panels = 3 } }, { "at least one panel", scree.plot, { panels = {} } }, { "panels[1] must be a table", scree.plot, { panels = { 3 } } },
  { "series", figure, { series = 3 } }, { "series[1] must be a table", figure, { series = { 3 } } }, { "style", figure, { series = { { x = { 1 }, y = { 1 }, style = "wavy" } } } },
  { "x", figure, { series = { { x = "a", y = { 1 } } } } }, { "y", figure, { series = { { x = { 1, 2 }, y = { 1 } } } } }, { "one point needs a radius", figure, { shapes = { { x = { 0 }, y = { 0 } } } } },
  { "notes", figure, { series = {}, notes = 3 } }, { "rrggbb", function() figure({ series = { { x = { 1, 2 }, y = { 1, 2 }, color = "red" } } }):text() end },
  { "rrggbb", function() figure({ series = { { x = { 1, 2 }, y = { 1, 2 }, color = "#12345g" } } }):text() end },
  { "legend", function() figure({ legend = "middle", series = { { x = { 1, 2 }, y = { 1, 2 } } } }):text() end },
  { "columns", function() scree.plot({ columns = 3, panels = { { series = { { x = { 1, 2 }, y = { 1, 2 } } } } } }):text() end },
}

-- laws
words {
  { "law problem must be a table", scree.law.solve, 3 }, { "did you mean", scree.law.solve, { law = "coulmb" } }, { "name", scree.law.define, {} },
  { "no law 'none'", scree.law.define, { name = "x2", base = "none" } }, { "params", scree.law.define, { name = "x3", base = "coulomb", params = 3, refresh = print } },
  { "state", scree.law.define, { name = "x4", base = "coulomb", state = { "a", "a" }, refresh = print } }, { "state", scree.law.define, { name = "x5", base = "coulomb", state = 3, refresh = print } },
  { "solve", scree.law.define, { name = "x6" } }, { "coulomb", scree.law.define, { name = "coulomb", base = "coulomb", refresh = print } },
  { "default", scree.law.define, { name = "x7", base = "coulomb", params = { mu = nan }, refresh = print } },
  { "A", scree.law.solve, { law = "coulomb", b = { 1, 0, 0 }, mu = 0.3 } }, { "mu", scree.law.solve, { law = "coulomb", A = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, b = { 1, 0, 0 }, mu = -1 } },
  { "b", scree.law.solve, { law = "coulomb", A = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, b = { 1, 0 }, mu = 0.3 } },
  { "pair", w.pair, w, { "default", "nothing", law = "coulomb" } }, { "did you mean 'coulomb'", w.pair, w, { "default", "default", law = "coulom" } },
  { "mu", w.pair, w, { "default", "default", mu = -1 } }, { "restitution", w.pair, w, { "default", "default", restitution = 2 } },
  { "pair(default, default).cohesion_range needs pair(default, default).cohesion above 0", w.pair, w, { "default", "default", cohesion_range = 1e-4 } },
  { "pair(default, default).cohesion_impulse has no effect in worlds, only in bare problems", w.pair, w, { "default", "default", cohesion_impulse = 1 } },
  { "cohesion", w.pair, w, { "default", "default", cohesion_law = "glue" } }, { "density", w.material, w, { name = "x", density = -1 } }, { "name", w.material, w, { density = 1 } },
}

-- features that a stepper or solver does not support; tests/lua/steppers_fit.lua tests all of them
local soft, implicit = world { stepper = "penalty" }, world { stepper = "stewart_trinkle", solver = { name = "lemke" } }
local c, d = soft:sphere { radius = 0.1 }, implicit:sphere { radius = 0.1 }
words {
  { 'hinge: the stepper "penalty" takes no joints', soft.hinge, soft, { a = c, at = { 0, 0, 0 }, axis = { 0, 0, 1 } } }, { 'gear: the stepper "penalty" takes no joints', soft.gear, soft, { a = c, axis = { 0, 0, 1 }, axis_b = { 0, 0, 1 } } },
  { 'pair(default, default).law: the stepper "penalty" needs law "hooke" or "hertz", not "coulomb"', soft.pair, soft, { "default", "default", mu = 0.3 } },
  { "pair(default, default).restitution: with the stepper", soft.pair, soft, { "default", "default", law = "hooke", stiffness = 1e5, restitution = 0.5 } },
  { "pair(default, default).rolling_friction: law", implicit.pair, implicit, { "default", "default", law = "hertz", modulus = 1e5, rolling_friction = 0.5 } },
  { "pair.rolling is a length [m] of the hard laws; law 'hertz' has rolling_friction, without unit", soft.pair, soft, { "default", "default", law = "hertz", modulus = 1e5, rolling = 0.5 } },
  { "did you mean 'rolling'? [m]", implicit.pair, implicit, { "default", "default", mu = 0.5, roling = 0.5 } },
  { "pair(default, default).restitution: impacts under the stepper", implicit.pair, implicit, { "default", "default", restitution = 0.5 } },
  { 'the solver "lemke" cannot take law "cone"', implicit.pair, implicit, { "default", "default", law = "cone" } }, { 'the solver "lemke" cannot take law "coulomb": it has mu2', implicit.pair, implicit, { "default", "default", mu2 = 0.3 } },
  { 'this world has "stewart_trinkle"', implicit.spring, implicit, { a = d, at = { 0, 0, 0 }, at_b = { 0, 0, 1 }, stiffness = 1 } },
  { "world.solver.name: the stepper", world, { stepper = "penalty", solver = { name = "pgs" } } }, { "world.correction has no effect with the stepper penalty", world, { stepper = "penalty", correction = "velocity" } },
  { "world.sleep has no effect with the stepper penalty", world, { stepper = "penalty", sleep = 0.1 } }, { "world.max_correction has no effect with the stepper stewart_trinkle", world, { stepper = "stewart_trinkle", max_correction = 0.1 } },
  { "world.drift_time has no effect with the stepper penalty", world, { stepper = "penalty", drift_time = 0.1 } },
}
local joint = implicit:hinge { a = d, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
fails('this world has "stewart_trinkle"', joint.servo, joint, { damping = 1 })

-- bonds, fills, motion and the rest
words {
  { "body of this world", w.bond, w, { pairs = { { a, alien } }, young = 1e6 } }, { "pairs", w.bond, w, { pairs = 3, young = 1e6 } }, { "young", w.bond, w, { pairs = { { a, b } }, young = -1 } },
  { "region", w.fill, w, { spacing = 1, radius = 0.1 } }, { "spacing", w.fill, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0, radius = 0.1 } },
  { "min", w.fill, w, { region = { min = { 2, 0, 0 }, max = { 1, 1, 1 } }, spacing = 1, radius = 0.1 } }, { "radius", w.fill, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 1, radius = -1 } },
  { "count", w.insert, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, count = -1, radius = 0.1 } }, { "region", w.insert, w, { count = 1, radius = 0.1 } },
  { "step", w.step, w, -1 }, { "integer", w.step, w, 1.5 }, { "number expected", w.step, w, "x" }, { "set_velocity[1] is NaN", a.set_velocity, a, nan, 0, 0 }, { "position", a.set_position, a, 1 },
  { "removed", function() local c = w:sphere { radius = 0.1, position = { 5, 5, 5 } } c:remove() c:position() end }, { "fixed", fixed.set_velocity, fixed, 1, 0, 0 },
  { "did you mean 'region'", w.count, w, { regoin = 1 } }, { "width", w.fields, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, cells = { 2, 2, 2 }, width = -1 } },
  { "bins", w.rdf, w, { reach = 1, bins = 0 } }, { "reach", w.rdf, w, { reach = -1, bins = 5 } }, { "losses", w.losses, w },
}
-- robots
local robot = require "scree.robot"
words {
  { "this table has no links", robot.build, w, {} }, { "a model second, not a nil", robot.build, w }, { "model.links must be a table, not a number", robot.build, w, { links = 5 } },
  { "of robot.build first; this table has no model", robot.positions, {} }, { "of robot.build first, not a nil", robot.positions },
  { "model.joint is not a known key; did you mean 'joints'?", robot.build, w, { links = { { name = "a" } }, joint = {} } },
  { "model.links.a.mas is not a known key; did you mean 'mass'?", robot.build, w, { links = { { name = "a", mas = 1 } } } },
  { "model.joints.j.limts is not a known key; did you mean 'limits'?", robot.build, w, { links = { { name = "a" } }, joints = { { name = "j", limts = { 0, 1 } } } } },
  { "model.joints.j.second.frction is not a known key; did you mean 'friction'?", robot.build, w, { links = {}, joints = { { name = "j", type = "universal", parent = "a", child = "b", second = { frction = 1 } } } } },
  { "model.joints.j.mimic.ofset is not a known key; did you mean 'offset'?", robot.build, w, { links = {}, joints = { { name = "j", type = "hinge", parent = "a", child = "b", mimic = { ofset = 1 } } } } },
  { "model.actuators.m.on.1.gea is not a known key; did you mean 'gear'?", robot.build, w, { links = {}, actuators = { { name = "m", on = { { gea = 1 } } } } } },
  { "model.sensors.s.reference.sit is not a known key; did you mean 'site'?", robot.build, w, { links = {}, sensors = { { name = "s", type = "gyro", reference = { sit = "x" } } } } },
  { "model.tendons.t.points.1.divsor is not a known key; did you mean 'divisor'?", robot.build, w, { links = {}, tendons = { { name = "t", points = { { divsor = 2 } } } } } },
  { "model.links must be a table, not a number", robot.build, w, { links = 3 } }, { "model.poses.x takes a table, not a number", robot.build, w, { links = {}, poses = { x = 3 } } },
  { "joints.elbw: the model has no such joint; did you mean \"elbow\"?", robot.build, w, { links = { { name = "a" }, { name = "b" } }, joints = { { name = "elbow", type = "hinge", parent = "a", child = "b", axis = { 0, 1, 0 } } } }, { joints = { elbw = 1 } } },
  { "model.links.1.name is missing", robot.build, w, { links = { {} } } }, { "model.joints.j.type is missing", robot.build, w, { links = {}, joints = { { name = "j" } } } },
  { "model.joints.j.child is missing", robot.build, w, { links = {}, joints = { { name = "j", type = "hinge", parent = "a" } } } },
  { "model.sensors.s.type is missing", robot.build, w, { links = {}, sensors = { { name = "s" } } } }, { "model.loops.l.b is missing", robot.build, w, { links = {}, loops = { { name = "l", type = "ball", a = "x" } } } },
  { "model.tendons.t.points.1.link is missing", robot.build, w, { links = {}, tendons = { { name = "t", points = { { position = { 0, 0, 0 } } } } } } },
  { "model.joints.j.mimic.joint is missing", robot.build, w, { links = {}, joints = { { name = "j", type = "hinge", parent = "a", child = "b", mimic = { ratio = 2 } } } } },
  { "model.actuators.m.on.1 needs a joint or a tendon", robot.build, w, { links = {}, actuators = { { name = "m", on = { { gear = 1 } } } } } },
  { "robot.control takes a table of inputs second, not a nil", robot.control, { model = {}, inputs = {} } }, { "kinematics.of_robot takes a table of robot.build first; this table has no joints", require("scree.kinematics").of_robot, {} },
  { "servo.read takes a string second, not a nil", require("scree.servo").read, w }, { "servo.size takes a string second, not a nil", require("scree.servo").size, w },
  { "probe.add takes a string second, not a nil", require("scree.probe").add, w }, { "probe.add takes a number third, not a nil", require("scree.probe").add, w, "x" },
  { "two links", robot.build, w, { links = { { name = "a" }, { name = "a" } } } }, { "there is no link", robot.build, w, { links = { { name = "a" } }, joints = { { name = "j", type = "hinge", parent = "a", child = "b" } } } },
}
-- all solutions of polygons, least energy first; alone and with a slanted block
for _, law in ipairs { "polyhedral", "coulomb", "directional" } do
  local b = { 1, -0.5, 0.1 }
  local A = { { 1, 0.9, 0 }, { 0.9, 1, 0 }, { 0, 0, 1 } }
  local all = scree.law.solutions { law = law, A = A, b = b, mu = 2 }
  assert(#all >= 1, law)
  local function energy(x)
    local sum = 0
    for i = 1, 3 do
      for j = 1, 3 do sum = sum + x[i] * A[i][j] * x[j] / 2 end
    end
    return sum - b[1] * x[1] - b[2] * x[2] - b[3] * x[3]
  end
  for k = 2, #all do assert(energy(all[k - 1].x or all[k - 1]) <= energy(all[k].x or all[k]) + 1e-12, law) end
end

-- one contact, impacts, figures, worlds
local A = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
words {
  { "must be a number, not a string", scree.law.solve, { law = "coulomb", A = A, b = { 1, "x", 0 }, mu = 0.3 } }, { "must be the name of a law", scree.law.solve, { law = {}, A = A, b = { 1, 0, 0 } } },
  { "law.params must have names", scree.law.define, { name = "y1", base = "coulomb", params = { 1 }, refresh = print } },
  { "longer than", scree.law.define, { name = ("y"):rep(200), base = "coulomb", refresh = print } }, { "must be a name, not a number", scree.law.define, { name = "y2", base = "coulomb", state = { 1 }, refresh = print } },
  { "more than", scree.law.define, { name = "y3", base = "coulomb", refresh = print, params = (function() local t = {} for k = 1, 99 do t["p" .. k] = 1 end return t end)() } },
  { "more than", scree.law.define, { name = "y4", base = "coulomb", refresh = print, state = (function() local t = {} for k = 1, 99 do t[k] = "s" .. k end return t end)() } },
  { "plot takes a table", scree.plot, 3 }, { "whole number", scree.plot, { columns = 1.5, panels = { { series = {} } } } }, { "set_dt takes a number", w.set_dt, w, {} }, { "dt", w.set_dt, w, -1 },
  { "gravity", w.set_gravity, w, nan, 0, 0 }, { "must be {diameter, share}", w.insert, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, count = 1, sizes = { by = "mass", passing = { 3, 4 } } } },
  { "sizes are given too", w.insert, w, { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, count = 1, radius = 0.1, sizes = { by = "mass", distribution = "uniform", min = 0.1, max = 0.2 } } },
}
fails("must be a table", scree.plot, { panels = { { series = {}, image = 3 } } })

-- nothing changes the world from inside a law
local tried = {}
for name, change in pairs {
  body = function(v) v.body:set_velocity(1, 0, 0) end, remove = function(v) v.body:remove() end, add = function(v) v.world:sphere { radius = 1 } end, view = function(v) v.view:fill(0, 0, 0) end,
  gradient = function(v) v.world:cell():set_velocity_gradient({ { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }) end, cell = function(v) v.world:cell():set_stress({ { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } }, 1) end,
  joint = function(v) v.joint:remove() end,
} do
  local v = { world = world { dt = 1e-3, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } } }
  scree.law.define { name = "meddling_" .. name, base = "coulomb", refresh = function() change(v) end }
  v.world:pair { "default", "default", law = "meddling_" .. name }
  v.body = v.world:sphere { radius = 0.1, position = { 0.3, 0.5, 0.5 }, velocity = { 1, 0, 0 } }
  v.world:sphere { radius = 0.1, position = { 0.499, 0.5, 0.5 } }
  v.joint = v.world:distance { a = v.body, b = v.world:sphere { radius = 0.05, position = { 0.3, 0.9, 0.5 } }, at = { 0.3, 0.5, 0.5 }, at_b = { 0.3, 0.9, 0.5 } }
  v.view = v.world:view "velocity"
  tried[name] = fails("from within a friction law", v.world.step, v.world, 1)
end
assert(tried.body and tried.joint)
