-- w:faults() names what makes a run invalid: passages through a wall, bodies inside each other, energy that the time step adds, a
-- solver that does not support the load. Correct runs have no faults. Also tests the former name of a field of the report.
local scree = require "scree"

local function fault(w, name)
  for _, f in ipairs(w:faults()) do
    if f.name == name then return f end
  end
end
local function valid(w, what) assert(#w:faults() == 0, what .. ": " .. (#w:faults() > 0 and w:faults()[1].name or "")) end

-- a heavy ball on a light one, on the ground: a correct run is valid from the first step on, at rest and without gravity
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
valid(w, "before the first step")
w:halfspace { normal = { 0, 0, 1 } }
for i = 1, 5 do w:sphere { radius = 0.1, position = { 0, 0, 0.2 * i - 0.1 }, mass = i } end
for _ = 1, 200 do
  w:step()
  valid(w, "balls at rest")
end
w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-2 }
w:box { size = { 1, 2, 3 }, spin = { 1, 2, 3 } }
w:step(100)
valid(w, "a box that turns freely")

-- bodies raised out of the ground: energy of position shifts without motion is no fault
w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, max_correction = 0.1 }
w:halfspace { normal = { 0, 0, 1 } }
w:sphere { radius = 0.1, position = { 0, 0, 0.06 } }
w:step(320)
assert(w:report().correction > 0)
valid(w, "a ball that rises out of the ground")

-- bodies in each other: two balls of the same centre but for 0.4 of a radius, which no step moves apart
w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, erp = 0 }
for i = 0, 1 do w:sphere { radius = 0.1, position = { 0.04 * i, 0, 0 } } end
w:step(32)
local f = assert(fault(w, "overlap"), "balls in each other are valid")
assert(math.abs(f.value - 1.6) < 1e-9 and f.limit == 0.5) -- depth 0.16 m over a radius

-- a plate that a ball is thrown through
w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
local plate = w:box { kind = "fixed", size = { 1, 1, 1e-3 } }
local ball = w:sphere { radius = 0.01, position = { 0, 0, 0.02 } }
local hammer = w:sphere { radius = 0.2, mass = 1e6, position = { 0, 0, 0.24 }, velocity = { 0, 0, -200 } }
w:step(1)
f = assert(fault(w, "crossed"), "a ball went through a plate, and all is valid")
assert(f.value >= 1 and f.limit == 0)

-- energy out of nothing: springs of the penalty stepper that the step cannot follow
w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, stepper = "penalty" }
w:pair { "default", "default", law = "hooke", stiffness = 1e8 }
w:halfspace { normal = { 0, 0, 1 } }
for i = 1, 3 do w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.2 * i - 0.1005 } } end
w:step(40)
local r = w:report()
print(("penalty: kinetic %.3g correction %.3g dissipated %.3g elastic %.3g"):format(r.kinetic, r.correction, r.dissipated, r.elastic))
f = assert(fault(w, "energy"), "balls fly apart, and all is valid")
assert(r.work == 0 and f.value > 10 and f.limit == 1) -- all of it comes from nothing

-- the former name
assert(r.overlap_most == r.overlap_max and r.overlap_max ~= nil)
assert(r.no_such_field == nil)
