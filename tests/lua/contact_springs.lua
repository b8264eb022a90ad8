-- Tangential springs of contacts with stiffness and of the penalty stepper: force over displacement (linear; Mindlin's for Hertz's law), the loop of
-- a spring with a slider, and bodies that rotate with a table about the normal. Results must not depend on axes, shapes, order of bodies, step and
-- relaxation time.
local scree = require "scree"
local rigid = require "rigid"
local near = require("check").within

local turn, back = rigid.turn, rigid.back
local PLAIN, TILT = { 1, 0, 0, 0 }, { math.cos(0.5), 0.6 * math.sin(0.5), 0, 0.8 * math.sin(0.5) }

local R, MU, NORMAL = 0.05, 0.5, 100 -- radius [m], friction, normal force [N]
local E, NU = 1e8, 0.3
local EFFECTIVE = E / 2 / (1 - NU * NU)
local DEPTH = (0.75 * NORMAL / EFFECTIVE / math.sqrt(R)) ^ (2 / 3) -- Hertz's overlap
local MINDLIN = 2 * (1 - NU) / (2 - NU) * 2 * EFFECTIVE * math.sqrt(R * DEPTH) -- tangential stiffness 8 G* a

-- pair of materials, overlap under NORMAL, tangential stiffness of a contact
local SPRINGS = {
  linear = { pair = { contact_stiffness = 1e5 }, depth = 1e-3, across = 0.8e5 },
  ratio = { pair = { contact_stiffness = 1e5, stiffness_ratio = 0.3 }, depth = 1e-3, across = 0.3e5 },
  young = { pair = { young = 1e6, poisson = NU }, depth = NORMAL / (2 * EFFECTIVE * R / 100), across = 1.4 / 1.7 * 2 * EFFECTIVE * R / 100 },
  mindlin = { pair = { young = E, poisson = NU, stiffness_law = "hertz" }, depth = DEPTH, across = MINDLIN },
  hooke = { pair = { law = "hooke", stiffness = 1e5, tangential_damping = 0 }, depth = 1e-3, across = 2e5 / 7, soft = true },
  hertz = { pair = { law = "hertz", modulus = EFFECTIVE, tangential_damping = 0 }, depth = DEPTH, across = 2 / 7 * 2 * EFFECTIVE * math.sqrt(R * DEPTH), soft = true },
}

-- Returns a world with a body that is too heavy to move, pressed on a plate by NORMAL, and functions: move the plate by s along d, and the force on the
-- body along d.
local function pressed(kind, q, dt, relaxation, shape, d, late)
  local mass, case = 1e10, SPRINGS[kind]
  local stiff = (shape == "box" and 4 or 1) * case.across
  local w = scree.world { gravity = turn(q, { 0, 0, -NORMAL / mass }), dt = dt, stepper = case.soft and "penalty" or nil }
  local pair = { "default", "default", mu = MU, relaxation_time = relaxation }
  for key, value in pairs(case.pair) do pair[key] = value end
  w:pair(pair)
  local plate, body
  local function make_plate() plate = w:box { kind = "kinematic", size = { 2, 2, 0.2 }, position = turn(q, { 0, 0, -0.1 }), orientation = q } end
  if not late then make_plate() end
  if shape == "sphere" then
    body = w:sphere { radius = R, mass = mass, inertia = { mass, 0, 0, mass, 0, mass }, position = turn(q, { 0, 0, R - case.depth }) }
  else -- stands on four springs
    body = w:box { size = { 1, 1, 0.2 }, mass = mass, orientation = q, position = turn(q, { 0, 0, 0.1 - case.depth / 4 }) }
  end
  if late then make_plate() end
  local function move(s)
    local n = math.floor(math.abs(s) / (80 * MU * NORMAL / stiff) / dt + 0.5)
    plate:set_velocity(turn(q, { s / (n * dt) * d[1], s / (n * dt) * d[2], 0 }))
    w:step(n)
  end
  local function force()
    local f = back(q, (w:forces_on(body)))
    return f[1] * d[1] + f[2] * d[2], -f[1] * d[2] + f[2] * d[1]
  end
  return w, move, force
end

for kind, case in pairs(SPRINGS) do
  for i, shape in ipairs { "sphere", "box" } do
    local flat = not (case.pair.young or case.pair.modulus) -- the stiffness of other springs depends on a radius
    for _, dt in ipairs { 1e-3, 2e-4 } do
      for _, relaxation in ipairs { false, 1e-3, 1e-2 } do
        if (shape == "sphere" or flat) and not (case.soft and relaxation) then
          local q, name = relaxation and TILT or PLAIN, string.format("%s, %s, dt %g, relaxation time %s", kind, shape, dt, relaxation)
          local w, move, force = pressed(kind, q, dt, relaxation or nil, shape, { 0.8, 0.6 }, dt < 1e-3)
          local k, most = (shape == "box" and 4 or 1) * case.across, MU * NORMAL
          w:step(3)
          move(0.5 * most / k)
          local along, aside = force()
          near(along / most, 0.5, 1e-3, name .. ": force at half the way to slip")
          near(aside / most, 0, 1e-6, name .. ": force across the motion")
          move(2.5 * most / k)
          near(force() / most, 1, 1e-3, name .. ": force that slides")
          local lost = w:report().dissipated
          move(-6 * most / k)
          near(force() / most, -1, 1e-3, name .. ": force that slides back")
          move(1.5 * most / k)
          near(force() / most, 0.5, 2e-3, name .. ": force after the second turn")
          move(4.5 * most / k)
          near((w:report().dissipated - lost) / (8 * most * most / k), 1, dt > 2e-4 and 0.06 or 0.012, name .. ": energy of a loop of amplitude 3 F/k")
        end
      end
    end
  end
end

-- A body that a table carries rotates its springs: it stays at the place where k_t times its displacement is the centripetal force.
local SPIN, MASS, AT = 2, 2, 0.5
for _, def in ipairs {
  { pair = { contact_stiffness = 1e4 }, k = 8e3, shape = "sphere", dt = 1e-3 },
  { pair = { contact_stiffness = 1e4 }, k = 8e3, shape = "sphere", dt = 1e-3, tilt = true, late = true, surface = true },
  { pair = { contact_stiffness = 2.5e3 }, k = 8e3, shape = "box", dt = 1e-3, tilt = true },
  { pair = { law = "hooke", stiffness = 1e4 }, k = 2e4 / 7, shape = "sphere", dt = 1e-4 },
  { pair = { law = "hooke", stiffness = 1e4 }, k = 2e4 / 7, shape = "sphere", dt = 1e-4, tilt = true, late = true, surface = true },
} do
  local soft, q = def.pair.law ~= nil, def.tilt and TILT or PLAIN
  local name = string.format("%s on a rotating %s, %s", def.shape, def.surface and "surface" or "table", soft and "penalty" or "semi_implicit")
  local w = scree.world { gravity = turn(q, { 0, 0, -10 }), dt = def.dt, stepper = soft and "penalty" or nil }
  def.pair[1], def.pair[2], def.pair.mu = "default", "default", 0.8
  w:pair(def.pair)
  local function table_()
    local spin = turn(q, { 0, 0, SPIN })
    w:box { kind = def.surface and "fixed" or "kinematic", size = { 2, 2, 0.2 }, position = turn(q, { 0, 0, -0.1 }), orientation = q,
      spin = not def.surface and spin or nil, surface_spin = def.surface and spin or nil }
  end
  if not def.late then table_() end
  local common = { mass = MASS, orientation = q, velocity = turn(q, { 0, SPIN * AT, 0 }), spin = turn(q, { 0, 0, SPIN }) }
  local body
  if def.shape == "sphere" then
    common.radius, common.inertia, common.position = 0.05, { 1e4, 0, 0, 1e4, 0, 1e4 }, turn(q, { AT, 0, 0.05 - 2e-3 })
    body = w:sphere(common)
  else
    common.size, common.position = { 0.4, 0.4, 0.02 }, turn(q, { AT, 0, 0.01 - 2e-3 })
    body = w:box(common)
  end
  if def.late then table_() end
  w:step(math.floor(4 / def.dt))
  local x = back(q, { body:position() })
  local stretch, r = MASS * SPIN * SPIN * AT / (def.k - MASS * SPIN * SPIN), math.sqrt(x[1] * x[1] + x[2] * x[2])
  local angle = math.atan(x[2], x[1]) - SPIN * w:time()
  -- The penalty stepper computes the slip from positions in the middle of the step and velocities at its start: an error of first order.
  local drift = soft and SPIN * SPIN * AT * def.dt / 2 * w:time() or 0
  near(r - AT, stretch - drift, 0.02 * stretch, name .. ": displacement")
  near(r * math.sin(angle), 0, 0.1 * stretch, name .. ": the body creeps")
end
