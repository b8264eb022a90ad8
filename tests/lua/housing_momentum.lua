-- Momentum of gears, belts and racks in free housings: linear and angular momentum stay to 1e-12 under substeps, steppers, and impacts with
-- restitution; an impact keeps the ratio and dissipates the energy that restitution implies.
local scree = require "scree"

local Z = { 0, 0, 1 }
local function sub(a, b) return { a[1] - b[1], a[2] - b[2], a[3] - b[3] } end
local function size(a) return math.sqrt(a[1] * a[1] + a[2] * a[2] + a[3] * a[3]) end
local function within(a, b, tolerance, what)
  if not (math.abs(a - b) <= tolerance) then error(("%s: %.17g, not %.17g"):format(what, a, b), 2) end
end
local function spin(b) return (select(3, b:spin())) end
local function body(w, at, mass, inertia, shapes)
  return w:body { position = at, mass = mass, inertia = { inertia, 0, 0, inertia, 0, inertia }, shapes = shapes or {} }
end

-- A free housing with two wheels of a gear or belt, or with a pinion and a rack; a motor sits between housing and first wheel.
local function gearbox(w, kind, torque, shapes)
  local frame = body(w, { 0, 0, 0 }, 5, 0.5)
  local a = body(w, { -0.3, 0, 0 }, 1, 0.02, shapes)
  local motor = torque and { force = torque } or nil
  local one = w:hinge { a = a, b = frame, at = { -0.3, 0, 0 }, axis = Z, motor = motor }
  local b = body(w, { 0.2, 0.1, 0 }, 0.7, 0.01)
  if kind == "rack" then
    local two = w:slider { a = b, b = frame, at = { 0.2, 0.1, 0 }, axis = { 1, 0, 0 } }
    w:rack { a = a, b = b, axis = Z, axis_b = { 1, 0, 0 }, ratio = 0.1 }
    return { frame, a, b }, one, two, function() return two:speed() - 0.1 * one:speed() end
  end
  local ratio = kind == "belt" and -0.6 or 0.6
  local two = w:hinge { a = b, b = frame, at = { 0.2, 0.1, 0 }, axis = Z }
  w:gear { a = a, b = b, axis = Z, axis_b = Z, ratio = ratio }
  return { frame, a, b }, one, two, function() return one:speed() + ratio * two:speed() end
end
local kinds = { "gear", "belt", "rack" }

-- A motor within: nothing comes from outside. Some steppers put joints right by shifts; with a motor at it, a slider of this mechanism alone
-- changes the angular momentum by 2.5e-8 then. A reaction that came from the ground would leave 0.04.
for _, kind in ipairs(kinds) do
  for _, how in ipairs { { substeps = 1 }, { substeps = 4 }, { stepper = "stewart_trinkle" }, { stepper = "second_order" } } do
    local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, substeps = how.substeps, stepper = how.stepper }
    local _, one, _, off = gearbox(w, kind, 0.1)
    w:step(400)
    local what = ("%s with %s %d"):format(kind, how.stepper or "substeps", how.substeps or 1)
    assert(math.abs(one:speed()) > 0.5, what .. " does not turn")
    within(size(w:report().momentum), 0, 1e-12, what .. ": momentum")
    within(size(w:report().angular_momentum), 0, how.stepper and 1e-7 or 1e-12, what .. ": angular momentum")
    within(off(), 0, 1e-9, what .. ": ratio")
  end
end

-- A ball hits an arm of the first wheel. The total momentum is conserved, the ratio holds after the impact, and the two points separate
-- with e times their approach velocity. The correction of a slider alone changes the angular momentum by 1e-10.
for _, kind in ipairs(kinds) do
  for _, e in ipairs { 0, 0.5, 1 } do
    for _, substeps in ipairs { 1, 4 } do
      local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, substeps = substeps, solver = { iterations = 500, tolerance = 1e-13 } }
      w:pair { "default", "default", mu = 0, restitution = e, restitution_law = "newton" }
      local bodies, one, _, off = gearbox(w, kind, nil, { { type = "box", size = { 0.2, 0.04, 0.04 } } })
      local ball = w:sphere { radius = 0.05, mass = 0.4, position = { -0.38, 0.0705, 0 }, velocity = { 0, -1, 0 } }
      local before = w:report()
      w:step(e == 0 and 2 or 1) -- without a rebound the gap is used up first
      local after = w:report()
      local what = ("%s struck with e = %g, %d substeps"):format(kind, e, substeps)
      assert(math.abs(one:speed()) > 0.3, what .. ": nothing was struck")
      within(size(sub(after.momentum, before.momentum)), 0, 1e-12, what .. ": momentum")
      within(size(sub(after.angular_momentum, before.angular_momentum)), 0, kind == "rack" and 1e-9 or 1e-12, what .. ": angular momentum")
      within(off(), 0, e == 0 and 1e-5 or 1e-9, what .. ": ratio") -- in contact as at the start of the step
      local arm = -0.08 * spin(bodies[2]) + select(2, bodies[2]:velocity())
      within(select(2, ball:velocity()) - arm, e, e == 0 and 1e-3 or 1e-5, what .. ": rebound") -- wheels turn on to the end of the step
      if e == 1 then within(after.kinetic, before.kinetic, 1e-6 * before.kinetic, what .. ": energy") end
    end
  end
end
