-- Friction laws and options of the world as features that a stepper and a solver must support or refuse (see
-- fit_contacts.lua).
local scree = require "scree"
local check = require "check"
local within = check.within
local laws = {}

-- A box of 1 kg on a plane, under a force along (x, y) that grows for 0.05 s once the box rests; returns its velocity 0.1 s later.
local function pushed(open, run, pair, force)
  local w = open(nil, pair)
  w:halfspace { normal = { 0, 0, 1 } }
  local block = w:box { size = { 0.4, 0.4, 0.1 }, mass = 1, position = { 0, 0, 0.05 } }
  run(w, 0.02)
  local start = w:time()
  run(w, 0.15, function()
    local share = math.min(1, (w:time() - start) / 0.05)
    block:apply { force = { share * force[1], share * force[2], 0 } }
  end)
  return block:velocity()
end

-- Friction of 4 N in all directions holds against 3 N. A force of 6 N leaves 2 N for 0.1 s, and the excess of the growing force over 4 N before.
local function isotropic(law, more, tolerance)
  return function(open, run, soft)
    local pair = { law = law, mu = 0.4 }
    for key, value in pairs(more or {}) do pair[key] = value end
    within((pushed(open, run, pair, { 3, 0 })), 0, soft > 1e-6 and 0.05 or 1e-6, law .. " holds")
    within((pushed(open, run, pair, { 6, 0 })), 0.2 + 2 * 0.05 / 6, tolerance or soft > 1e-6 and 0.05 or 0.01, law .. " slides")
  end
end
for _, law in ipairs { "coulomb", "cone", "max_dissipation", "polyhedral" } do laws["law_" .. law] = isotropic(law) end
laws.law_decoupled = isotropic("decoupled", nil, 0.07) -- its normal impulses are independent of friction
laws.law_hooke = isotropic("hooke", { stiffness = 1e5, damping = 0.5 })
laws.law_hertz = isotropic("hertz", { modulus = 1e6, damping = 0.5 })

function laws.law_frictionless(open, run)
  within((pushed(open, run, { law = "frictionless" }, { 3, 0 })), 0.3 + 3 * 0.05 / 2, 0.002, "nothing holds a box without friction")
end
-- bodies without friction rest and part: their contacts push and never pull
local function parts(law, mu)
  return function(open, run)
    local w = open(nil, { law = law, mu = mu })
    w:halfspace { normal = { 0, 0, 1 } }
    local both = { w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 } }, w:box { size = { 0.2, 0.2, 0.2 }, mass = 1, position = { 1, 0, 0.1 } } }
    run(w, 0.1)
    for _, body in ipairs(both) do within(w:forces_on(body)[3], 10, 0.01, "force of the ground") end
    run(w, 0.1, function()
      for _, body in ipairs(both) do body:apply { force = { 0, 0, 12 } } end
    end)
    for _, body in ipairs(both) do within(select(3, body:velocity()), 0.2, 0.01, "speed of a body that is drawn off") end
  end
end
laws.law_frictionless_parts, laws.no_friction_parts = parts("frictionless"), parts(nil, 0)

function laws.law_directional(open, run)
  local vectors = { { 0.4, 0, 0 }, { 0, 0.2, 0 } }
  within((pushed(open, run, { law = "directional", vectors = vectors }, { 3, 0 })), 0, 1e-6, "holds along x")
  within(select(2, pushed(open, run, { law = "directional", vectors = vectors }, { 0, 3 })), 0.1 + 0.05 / 6, 1e-3, "slides along y")
end

function laws.law_twisted(open, run)
  local x, y = pushed(open, run, { law = "twisted", mu = 0.4, twist = 0.5 }, { 3, 0 })
  within(x, 0, 1e-6, "sticks") within(y, 0, 1e-6, "sticks")
  x, y = pushed(open, run, { law = "twisted", mu = 0.4, twist = 0.5 }, { 8, 0 })
  assert(x > 0.3 and math.abs(y) > 0.05, "friction is turned from the slip")
end

-- a joint of 0.16 m2 bears 4 N of friction and 16 N of cohesion; broken, it bears the friction alone
function laws.law_joint(open, run)
  local pair = { law = "joint", mu = 0.4, kn = 1e6, cohesion = 100 }
  within((pushed(open, run, pair, { 18, 0 })), 0, 1e-2, "cohesion holds")
  assert(pushed(open, run, pair, { 24, 0 }) > 1.2, "a broken joint slides")
end

-- refinements of Coulomb's law
function laws.mu_static(open, run)
  within((pushed(open, run, { mu = 0.4, mu_static = 0.6 }, { 5, 0 })), 0, 1e-6, "mu_static holds")
  within((pushed(open, run, { mu = 0.4, mu_static = 0.6 }, { 7, 0 })), 0.3 + 0.05 / 7 * 2.5, 0.02, "mu acts while the box slides")
end
function laws.weakening(open, run)
  local pair = { mu = 0.4, mu_static = 0.6, weakening_speed = 1e-3 }
  within((pushed(open, run, pair, { 5, 0 })), 0, 1e-3, "mu_static holds")
  local x = pushed(open, run, pair, { 7, 0 })
  assert(x > 0.27 and x < 0.34, "the coefficient falls to mu: " .. x)
end
function laws.mu2(open, run)
  within((pushed(open, run, { mu = 0.4, mu2 = 0.2 }, { 3, 0 })), 0, 1e-6, "mu along x")
  within(select(2, pushed(open, run, { mu = 0.4, mu2 = 0.2 }, { 0, 3 })), 0.1 + 0.05 / 6, 1e-3, "mu2 along y")
end

-- laws of scripts: one with its own solution, one that changes the coefficient of a built-in law
local function smooth(_, Ann, _, _, _, _, _, bn) return math.max(0, bn / Ann), 0, 0 end
scree.law.define { name = "fit_smooth", params = { depth = 0 }, solve = smooth }
scree.law.define { name = "fit_smooth_bare", solve = smooth }
scree.law.define { name = "fit_half", base = "coulomb", refresh = function(p) p.mu = p.mu / 2 end }
for _, name in ipairs { "fit_smooth", "fit_smooth_bare" } do
  laws["law_" .. name] = function(open, run) within((pushed(open, run, { law = name }, { 3, 0 })), 0.3 + 3 * 0.05 / 2, 0.002, "a law without friction") end
end
function laws.law_on_a_base(open, run) within((pushed(open, run, { law = "fit_half", mu = 0.8 }, { 6, 0 })), 0.2 + 2 * 0.05 / 6, 0.01, "half of mu") end

-- options: the speed at which a ball that penetrates the ground by half comes out
local function sunk(open, run, extra, time)
  local def = { gravity = { 0, 0, 0 } }
  for key, value in pairs(extra) do def[key] = value end
  local w = open(def, { mu = 0 })
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.05 } }
  run(w, time)
  return select(3, ball:position())
end
function laws.max_correction(open, run) within(sunk(open, run, { max_correction = 0.1 }, 0.01), 0.051, 1e-9, "0.1 m/s for 10 ms") end
function laws.drift_time(open, run) within(sunk(open, run, { drift_time = 0.01 }, 0.01), 0.1 - 0.05 * 0.9 ^ 10, 1e-6, "decay in 10 ms") end
function laws.correction_velocity(open, run)
  within(sunk(open, run, { correction = "velocity", erp = 1 }, 0.002), 0.15, 1e-6, "a speed that goes on")
end
function laws.solver_name(open, run)
  local w = open({ solver = { name = "nbgs" } })
  w:sphere { radius = 0.1 }
  run(w, 0.01)
end

return laws
