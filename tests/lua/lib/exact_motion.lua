-- Compares the motion of bodies with joints in scree with the equations of motion (rigid.lua): the error must fall with the step by the order of the
-- stepper, and the motion must not depend on the axes of the world.
--
-- A case is { name =, state =, rows =, loads =, make =, time = }: make(c) adds the joints to the world c.w between the bodies c.bodies; c.turn
-- turns vectors into the axes of this world.
local scree = require "scree"
local rigid = require "rigid"
local add, scale, norm, turn, back, cross = rigid.add, rigid.scale, rigid.norm, rigid.turn, rigid.back, rigid.cross
local motion = {}

motion.AT, motion.AXIS = { 0.05, 0.03, -0.07 }, rigid.unit { 0.5, -0.6, 0.62 }
local GRAVITY = { 0.3, -0.5, -2 }
local FORCES = { { 1, { 2, -1, 3 }, { 0.1, 0.3, -0.2 } }, { 2, { -1, 2, 0.5 }, { -0.2, 0.1, 0.3 } } }
local TILTS = { { 1, 0, 0, 0 }, rigid.quat { 0.6, 0, 0.8 }, rigid.quat { 1.1, -0.7, 2.0 } }

-- Returns two or three bodies, with the principal axes and centres in general places, that move as one rigid body.
function motion.bodies(count)
  local spin, velocity = { 0.7, -0.4, 0.5 }, { 0.3, 0.2, -0.1 }
  local all = {
    { x = { 0.35, 0.12, -0.2 }, q = rigid.quat { 0.4, -0.9, 0.3 }, m = 1.3, I = { 0.02, 0.035, 0.05 } },
    { x = { -0.3, -0.15, 0.1 }, q = rigid.quat { -0.5, 0.2, 1.1 }, m = 2.1, I = { 0.06, 0.03, 0.075 } },
    { x = { 0.1, -0.2, 0.3 }, q = rigid.quat { 0.2, 0.3, -0.4 }, m = 3, I = { 0.1, 0.15, 0.2 } },
  }
  local out = {}
  for i = 1, count or 2 do
    out[i] = all[i]
    out[i].w, out[i].v = spin, add(velocity, 1, cross(spin, all[i].x))
  end
  return out
end

-- Adds a spin about a point, and a velocity, to a body.
function motion.kick(body, at, spin, velocity)
  body.w = add(body.w, 1, spin)
  body.v = add(add(body.v, 1, velocity or { 0, 0, 0 }), 1, cross(spin, add(body.x, -1, at)))
end

-- A grain without weight is pressed on body 1, so that the joint is solved with a contact. Returns the function that presses it.
local function press(w, body, T)
  local way = turn(T, rigid.unit { 0.3, 0.5, -0.8 })
  local grain = w:sphere { radius = 0.01, mass = 1e-9, position = add({ body:position() }, 0.06, way), velocity = { body:velocity() } }
  return function() grain:apply { force = scale(1e-6, rigid.unit(add({ body:position() }, -1, { grain:position() }))) } end
end

local function simulate(case, def, T, dt)
  local w = scree.world {
    gravity = turn(T, GRAVITY), dt = dt, stepper = def.stepper, correct_joints = def.correct, substeps = def.substeps,
    solver = { name = def.solver, tolerance = 1e-12, iterations = 2000 },
  }
  w:pair { "default", "default", mu = 0 }
  local c = { w = w, bodies = {}, turn = function(v) return turn(T, v) end }
  for i, b in ipairs(case.state) do
    c.bodies[i] = w:sphere {
      radius = 0.05, mass = b.m, inertia = { b.I[1], 0, 0, b.I[2], 0, b.I[3] }, orientation = rigid.product(T, b.q),
      position = turn(T, b.x), velocity = turn(T, b.v), spin = turn(T, b.w),
    }
  end
  local pressing = def.touched and press(w, c.bodies[1], T)
  local joint = case.make(c)
  for _ = 1, math.floor(case.time / dt + 0.5) do
    for _, l in ipairs(FORCES) do c.bodies[l[1]]:apply { force = turn(T, l[2]), torque = turn(T, l[3]) } end
    if pressing then pressing() end
    w:step()
  end
  local out = {}
  for i, b in ipairs(c.bodies) do
    out[i] = { x = back(T, { b:position() }), v = back(T, { b:velocity() }), w = back(T, { b:spin() }) }
  end
  return out, joint, w
end

-- Returns the largest difference of positions (x 10 1/m), velocities (x 3 s/m) and spins (s).
local function distance(one, two)
  local most = 0
  for i, a in ipairs(one) do
    local b = two[i]
    most = math.max(most, 10 * norm(add(a.x, -1, b.x)), 3 * norm(add(a.v, -1, b.v)), norm(add(a.w, -1, b.w)))
  end
  return most
end

-- The world has the loads of the case, gravity and FORCES.
function motion.exact(case)
  local all = {
    rows = case.rows or function() return {} end,
    loads = function(s)
      local out = case.loads and case.loads(s) or {}
      for i, b in ipairs(s) do out[#out + 1] = { i, scale(b.m, GRAVITY), { 0, 0, 0 } } end
      for _, l in ipairs(FORCES) do out[#out + 1] = l end
      return out
    end,
  }
  return rigid.integrate(all, case.state, case.time, math.floor(1500 * case.time + 0.5))
end

-- Asserts that the errors at dt and dt/4 are at most `most` and fall by the factor `falls`, and that tilts of the world change nothing. def:
-- stepper, solver, correct, touched, dt (1 ms), most, falls.
function motion.compare(case, def, exact)
  local errors, first, tilt, dt = { 0, 0 }, nil, 0, def.dt or 1e-3
  for _, T in ipairs(TILTS) do
    local out = simulate(case, def, T, dt)
    first = first or out
    errors[1], tilt = math.max(errors[1], distance(out, exact)), math.max(tilt, distance(out, first))
  end
  errors[2] = distance(simulate(case, def, TILTS[3], dt / 4), exact)
  local name = string.format("%s, %s%s: errors %.3g and %.3g, tilts %.3g", case.name, def.stepper, def.touched and ", touched" or "", errors[1], errors[2], tilt)
  if arg and arg[1] == "print" then print(name) end
  assert(errors[1] <= def.most, name .. ": large")
  assert(errors[2] <= errors[1] / def.falls, name .. ": does not fall with the step")
  assert(tilt < 1e-9, name .. ": depends on the axes of the world")
end

motion.simulate, motion.TILTS = simulate, TILTS
return motion
