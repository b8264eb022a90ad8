-- The energy balance: kinetic + potential + elastic + dissipated - work - correction is constant to rounding, and each term has its expected value.
local scree = require "scree"
local near = require("check").within
local function sum(r) return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction end

local function check(what, dt, setup, expected)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = dt }
  w:pair { "default", "default", mu = 0.3 }
  setup(w)
  local start, scale = w:report(), 0
  for _ = 1, math.floor(0.5 / dt) do
    w:step()
    scale = math.max(scale, w:report().kinetic + w:report().dissipated)
  end
  local r = w:report()
  near(sum(r), sum(start), 1e-11 * (scale + math.abs(start.potential)), what .. " at " .. dt)
  if expected then expected(r, dt) end
end

for _, dt in ipairs { 2e-3, 5e-4 } do
  check("free fall", dt, function(w) w:sphere { radius = 0.1, position = { 0, 0, 5 } } end, function(r)
    near(r.dissipated, 0, 1e-9, "nothing is lost in a fall")
    near(r.correction, 0, 1e-9, "a fall is exact")
  end)
  check("a sliding box", dt, function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.05 }, velocity = { 1, 0, 0 } }
  end, function(r) near(r.dissipated, 0.5, 1e-6, "friction takes all") end)
  check("a belt", dt, function(w)
    w:halfspace { normal = { 0, 0, 1 }, surface_velocity = { 1, 0, 0 } }
    w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.05 } }
  end, function(r)
    near(r.work, 1, 1e-6, "work of the belt")
    near(r.dissipated, 0.5, 1e-6, "half of it is lost")
  end)
  check("a heap", dt, function(w)
    w:pair { "default", "default", mu = 0.3, restitution = 0.4 }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 12 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.02 * (i % 3), 0.01 * (i % 4), 0.15 * i }, spin = { i, 2, 1 } } end
    for i = 1, 8 do w:sphere { radius = 0.05, position = { 0.3 + 0.01 * i, 0, 0.12 * i } } end
  end)
  check("a motor", dt, function(w)
    local arm = w:box { size = { 1, 0.1, 0.1 }, position = { 0.5, 0, 0 }, mass = 1 }
    w.state.joint = w:hinge { a = arm, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, motor = { force = 3 } }
  end, function(r) near(r.work, r.kinetic + r.potential, 50 * dt * dt, "work of the motor") end)
  check("friction of a hinge", dt, function(w)
    local arm = w:box { size = { 1, 0.1, 0.1 }, position = { 0.5, 0, 0 }, mass = 1 }
    w:hinge { a = arm, at = { 0, 0, 0 }, axis = { 0, 1, 0 }, friction = 2 }
  end, function(r) near(r.dissipated, -r.kinetic - r.potential, 50 * dt * dt, "what the hinge takes") end)
  check("a car", dt, function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    local car = w:box { size = { 0.3, 0.2, 0.05 }, position = { 0, 0, 0.08 }, mass = 1 }
    for _, x in ipairs { -0.1, 0.1 } do
      for _, y in ipairs { -0.12, 0.12 } do
        local wheel = w:cylinder { radius = 0.05, length = 0.02, position = { x, y, 0.05 }, orientation = { math.cos(math.pi / 4), math.sin(math.pi / 4), 0, 0 } }
        w:hinge { a = wheel, b = car, at = { x, y, 0.05 }, axis = { 0, 1, 0 }, motor = x > 0 and { speed = 10, force = 0.2 } or nil }
      end
    end
  end, function(r) assert(r.work > 0.1 and r.dissipated > 0 and math.abs(r.correction) < 1e-3 * r.work) end)
  check("a load", dt, function(w)
    local b = w:box { size = { 0.1, 0.2, 0.3 }, position = { 0, 0, 1 } }
    w.state.b = b
    b:apply { force = { 100, 0, 0 }, torque = { 0, 0.1, 0 } }
  end)
end
print "the account closes"
