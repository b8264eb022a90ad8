-- A key that the chosen solver, stepper, law or type of joint does not read is an error that names those that read it.
local scree = require "scree"
local fails = require("check").fails

-- ---- solvers: for each key the solvers that read it (docs/solvers.md) ----
local sweeping = { auto = true, nbgs = true }
local iterative = { auto = true, nbgs = true, pgs = true, apgd = true, spg = true, newton = true, ipm = true }
local keys = {
  { "warm_start", 0.5, iterative }, { "relaxation", 0.9, { auto = true, nbgs = true, pgs = true } },
  { "acceleration", true, sweeping }, { "order", "bottom_up", { pgs = true } }, { "directions", 16, { lemke = true } },
}
for _, name in ipairs { "auto", "nbgs", "pgs", "apgd", "spg", "newton", "ipm", "lemke" } do
  for _, row in ipairs(keys) do
    local key, value, readers = table.unpack(row)
    local def = { solver = { name = name, [key] = value } }
    if readers[name] then scree.world(def)
    else fails("world.solver." .. key .. " has no effect with the solver " .. name .. ", only with the solver ", scree.world, def) end
  end
end
fails("world.solver.order has no effect with the solver nbgs, only with the solver pgs", scree.world, { solver = { name = "nbgs", order = "random" } })

-- ---- steppers ----
for key, value in pairs { iterations = 99, tolerance = 1e-3, warm_start = 0.5, relaxation = 0.9, dump = "never", contacts_per_thread = 10, correction_iterations = 9 } do
  fails("world.solver." .. key .. " has no effect with the stepper penalty, only with the stepper semi_implicit", scree.world, { stepper = "penalty", solver = { [key] = value } })
end
for key, value in pairs { erp = 0.5, correct_joints = false, max_correction = 1, correction = "velocity" } do
  fails("world." .. key .. " has no effect with the stepper penalty", scree.world, { stepper = "penalty", [key] = value })
end
fails("world.solver.correction_iterations has no effect with the stepper stewart_trinkle", scree.world, { stepper = "stewart_trinkle", solver = { correction_iterations = 9 } })
scree.world { solver = { name = "lemke", iterations = 99, tolerance = 1e-3 } } -- one table serves several solvers
scree.world { stepper = "penalty", erp = 0.8, solver = { iterations = 50 } } -- a default asks for nothing

-- ---- pairs ----
local w = scree.world {}
for key, value in pairs { axis_t = 0.5, axis_o = 1, cohesion_impulse = 1 } do
  fails("pair(default, default)." .. key .. " has no effect in worlds, only in bare problems", w.pair, w, { "default", "default", mu = 0.3, [key] = value })
end
w:pair { "default", "default", mu = 0.3, mu2 = 0.1, direction_x = 0, direction_y = 1 }
local bare = { law = "coulomb", A = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, b = { 1, 0, 0 }, mu = 0.3 }
for key, value in pairs { direction_y = 1, weakening_speed = 1, weakening_slip = 1 } do
  bare[key] = value
  fails("law.coulomb." .. key .. " has no effect in bare problems, only in worlds", scree.law.solve, bare)
  bare[key] = nil
end
bare.A, bare.b, bare.rolling_friction = {}, {}, 0.1
for i = 1, 6 do
  bare.A[i], bare.b[i] = {}, 0
  for k = 1, 6 do bare.A[i][k] = i == k and 1 or 0 end
end
fails("law.coulomb.rolling_friction has no effect in bare problems, only in worlds", scree.law.solve, bare)
local soft = scree.world { stepper = "penalty" }
fails("pair(default, default).restitution: with the stepper \"penalty\" damping gives the rebound", soft.pair, soft, { "default", "default", law = "hooke", stiffness = 1e5, restitution = 0.9 })
fails("pair(default, default).restitution_law: with the stepper \"penalty\"", soft.pair, soft, { "default", "default", law = "hooke", stiffness = 1e5, restitution_law = "newton" })

-- ---- joints ----
local a, b = w:sphere { radius = 0.1 }, w:sphere { radius = 0.1, position = { 1, 0, 0 } }
local X = { 1, 0, 0 }
for _, row in ipairs {
  { "hinge", "at_b", X, "distance" }, { "hinge", "swing", 1, "ball" }, { "hinge", "second", {}, "ball, cylindrical, universal" },
  { "hinge", "ratio", 2, "gear, rack" }, { "ball", "length", 1, "distance" }, { "fixed", "rest", 1, "ball, hinge, slider, cylindrical, universal, distance" },
} do
  local verb, key, value, readers = table.unpack(row)
  fails(("%s.%s has no effect in joints of the type %s, only in joints of the type %s"):format(verb, key, verb, readers), w[verb], w,
    { a = a, b = b, at = { 0, 0, 0 }, axis = X, [key] = value })
end
