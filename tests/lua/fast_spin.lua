-- Fast bodies that are moved back conserve angular momentum and energy. Elastic impacts of two free bodies without friction change neither.
local scree = require "scree"
local check = require "check"

local seed = 29
local function random(low, high)
  seed = seed * 48271 % 2147483647
  return low + (high - low) * seed / 2147483647
end

-- Largest relative change of energy and angular momentum over some steps, and how often the two met.
local function watch(w, steps)
  local first, energy, moment, met = w:report(), 0, 0, 0
  local size = math.sqrt(first.angular_momentum[1] ^ 2 + first.angular_momentum[2] ^ 2 + first.angular_momentum[3] ^ 2)
  for _ = 1, steps do
    w:step()
    local r = w:report()
    energy = math.max(energy, math.abs((r.kinetic + r.dissipated) / first.kinetic - 1)) -- impacts at several points lose some
    for k = 1, 3 do moment = math.max(moment, math.abs(r.angular_momentum[k] - first.angular_momentum[k]) / size) end
    if r.impacts > 0 then met = met + 1 end
  end
  return energy, moment, met
end

-- two plates
for _, case in ipairs { { true, true }, { true, false }, { false, true } } do
  for _, substeps in ipairs { 1, 3 } do
    local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, substeps = substeps }
    w:pair { "default", "default", mu = 0, restitution = 1 }
    w:box { size = { 0.2, 0.2, 0.01 }, mass = 1, spin = { 200, 150, 30 }, fast = case[1] }
    w:box { size = { 0.2, 0.2, 0.01 }, mass = 1, position = { 0.02, 0.03, 0.2 }, orientation = { 1, 0.4, 0.2, 0 }, velocity = { 0, 0, -300 }, spin = { 100, 100, 0 }, fast = case[2] }
    local energy, moment, met = watch(w, 5)
    check.within(w:report().kinetic, 45142.690972222, 1e-5, "kinetic energy")
    assert(energy < 1e-9 and moment < 1e-9, ("two plates: energy by %g, angular momentum by %g"):format(energy, moment))
    assert(met > 0, "they do not meet")
  end
end

-- pairs of all kinds of inertia, thrown at each other
local kinds = {
  rod = function(w, def) def.radius, def.length = 0.01, 0.3 return w:capsule(def) end,
  plate = function(w, def) def.size = { 0.2, 0.2, 0.01 } return w:box(def) end,
  brick = function(w, def) def.size = { 0.2, 0.1, 0.02 } return w:box(def) end,
  cube = function(w, def) def.size = { 0.1, 0.1, 0.1 } return w:box(def) end,
  dumbbell = function(w, def)
    def.shapes = { { type = "sphere", radius = 0.03, position = { 0.1, 0, 0 } }, { type = "sphere", radius = 0.03, position = { -0.1, 0, 0 } } }
    return w:body(def)
  end,
}
for _, name in ipairs { "rod", "plate", "brick", "cube", "dumbbell" } do
  local met = 0
  for case = 1, 40 do
    local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
    w:pair { "default", "default", mu = 0, restitution = 1 }
    for side = -1, 1, 2 do
      kinds[name](w, { position = { 0.3 * side, random(-0.03, 0.03), random(-0.03, 0.03) }, velocity = { -side * random(50, 300), random(-30, 30), random(-30, 30) },
        spin = { random(-200, 200), random(-200, 200), random(-200, 200) }, orientation = { random(-1, 1), random(-1, 1), random(-1, 1), random(-1, 1) },
        mass = 10 ^ random(-1, 1), fast = true })
    end
    local energy, moment, touched = watch(w, 8) -- shifts that correct positions turn bodies, so the energy may change a little
    assert(energy < 1e-5 and moment < 1e-9, ("%s, case %d: energy by %g, angular momentum by %g"):format(name, case, energy, moment))
    met = met + touched
  end
  assert(met > 5, name .. ": only " .. met .. " impacts")
end
