-- Moving surfaces of fixed bodies: they act by friction along the surface only, and the bodies do not move.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.near

local function world(extra)
  local def = { gravity = { 0, 0, -10 }, dt = 1e-3, solver = { iterations = 200, tolerance = 1e-12 } }
  for key, value in pairs(extra or {}) do def[key] = value end
  return scree.world(def)
end

-- a box dropped on a belt slides, accelerates at mu g, and then moves with the belt; a ball ends up rolling with 2/7 of the belt's speed
local function ride(add_belt)
  local w = world()
  w:pair { "default", "default", mu = 0.3 }
  local belt = add_belt(w)
  local box = w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.05 } }
  local ball = w:sphere { radius = 0.05, position = { 0, 1, 0.05 } }
  w:step(100)
  near(box:velocity(), 0.3, 1e-3, "sliding")
  near(ball:velocity(), 2 / 7, 1e-3, "a ball that rolls on a belt at speed 1")
  w:step(500)
  near(box:velocity(), 1, 1e-6, "riding")
  assert(w:report().penetration < 1e-6)
  return w, belt, box, ball
end
local function plate(w) return w:box { kind = "fixed", size = { 4, 4, 0.2 }, position = { 0, 0, -0.1 }, surface_velocity = { 1, 0, 0 } } end
local w, belt, box, ball = ride(plate)
local x, y, z = belt:position()
assert(x == 0 and y == 0 and z == -0.1 and belt:velocity() == 0 and belt:surface_velocity() == 1)
-- the result is that of a moving half-space
local half, _, moved, rolled = ride(function(v) return v:halfspace { normal = { 0, 0, 1 }, kind = "kinematic", velocity = { 1, 0, 0 } } end)
near((box:position()), (moved:position()), 1e-9)
near((ball:position()), (rolled:position()), 1e-9)
-- the work is that of a moving half-space
near(w:report().dissipated, half:report().dissipated, 1e-9, "energy taken by friction")
near(w:report().kinetic, half:report().kinetic, 1e-9)

-- a stopped belt brakes the box; a reversed belt carries it back
belt:set_surface_velocity(0, 0, 0)
w:step(1000)
near((box:velocity()), 0, 1e-9)
belt:set_surface_velocity { 0, -0.5, 0 }
w:step(1000)
near(select(2, box:velocity()), -0.5, 1e-6)

-- a drive accelerates the belt slowly, so that a box on it does not slip
local drive = require "scree.drive"
local gentle = world()
gentle:pair { "default", "default", mu = 0.3 }
local track = gentle:box { kind = "fixed", size = { 9, 1, 0.2 }, position = { 0, 0, -0.1 } }
local passenger = gentle:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, 0.05 } }
local start = drive.body(track, { 1, 0, 0 }, { { 0, 0 }, { 1, 2 } })
for _ = 1, 1200 do
  start:update(gentle)
  gentle:step()
end
near((track:surface_velocity()), 2)
near((passenger:position()), 1 + 0.4, 0.01, "place of a passenger who never slipped")

-- the velocity of an end face points into the box: it neither repels nor attracts bodies, and resting contact remains
local function end_face(speed, extra)
  local v = world(extra)
  if extra then v:pair { "default", "default", law = "hertz", young = 1e7, poisson = 0.3, restitution = 0.5, mu = 0.5 } end
  v:halfspace { normal = { 0, 0, 1 } }
  v:box { kind = "fixed", size = { 1, 1, 1 }, position = { -0.5, 0, 0.5 }, surface_velocity = { speed, 0, 0 } }
  local near_by = v:sphere { radius = 0.1, position = { 0.1, 0, 0.1 } }
  v:step(300)
  return (near_by:position()), (near_by:velocity())
end
for _, speed in ipairs { 1, -1 } do
  local at, moving = end_face(speed)
  near(at, 0.1, 1e-9)
  near(moving, 0, 1e-9)
end

-- a drum whose wall rotates: a sliding box oscillates like a pendulum about the point where the slope is mu
local d = world()
d:pair { "default", "default", mu = 0.25 }
local shapes = {}
for i = 0, 59 do
  local a = 2 * math.pi * i / 60
  shapes[i + 1] = { type = "box", size = { 0.2, 2, 0.12 }, position = { 1.1 * math.cos(a), 0, 1.1 * math.sin(a) },
    orientation = { math.cos(a / 2), 0, -math.sin(a / 2), 0 } }
end
local wall = d:body { kind = "fixed", shapes = shapes, surface_spin = { 0, -5, 0 } }
local slider = d:box { size = { 0.1, 0.1, 0.06 }, position = { 0, 0, -0.96 } }
local sum, most, steps = 0, 0, math.floor(2 * math.pi * math.sqrt(0.97 / 10) / 1e-3)
for _ = 1, steps do
  d:step()
  local sx, _, sz = slider:position()
  sum, most = sum + math.atan(sx, -sz) / steps, math.max(most, math.atan(math.abs(sx), -sz))
end
near(sum, math.atan(0.25), 0.03, "mean place")
near(most, 2 * math.atan(0.25), 0.05, "turning point")
assert(select(4, wall:orientation()) == 0)

-- a ball that bounces on a belt has the usual restitution along the normal, and friction pushes it along the belt
local b = world()
b:pair { "default", "default", restitution = 0.5, mu = 0.2 }
b:halfspace { normal = { 0, 0, 1 }, surface_velocity = { 10, 0, 3 } }
local bouncer = b:sphere { radius = 0.1, position = { 0, 0, 0.1 + 0.2 } }
b:step(220)
local vx, _, vz = bouncer:velocity()
near(vz, 0.5 * 2 - 10 * 0.02, 0.03)
near(vx, 0.2 * 1.5 * 2, 0.01)

-- the penalty stepper uses the surface velocity, too
local soft = scree.world { gravity = { 0, 0, -10 }, dt = 1e-5, stepper = "penalty" }
soft:pair { "default", "default", law = "hooke", stiffness = 1e5, damping = 0.5, mu = 0.3 }
soft:box { kind = "fixed", size = { 4, 4, 0.2 }, position = { 0, 0, -0.1 }, surface_velocity = { 1, 0, 5 } }
local light = soft:sphere { radius = 0.05, position = { 0, 0, 0.05 } }
soft:step(20000)
near((light:velocity()), 2 / 7, 0.01)
near(select(3, light:position()), 0.05, 1e-3)

-- a ball that hits the end of a belt stops as at a fixed box, because the normal part of the surface velocity does not act
local function into_end(speed, ball)
  local q = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  q:pair { "default", "default", mu = 0 }
  if ball then q:sphere { kind = "fixed", radius = 1, position = { -1, 0, 0 }, surface_velocity = { speed, 0, 0 } }
  else q:box { kind = "fixed", size = { 1, 1, 1 }, position = { -0.5, 0, 0 }, surface_velocity = { speed, 0, 0 } } end
  local runner = q:sphere { radius = 0.005, position = { 0.00652, 0, 0 }, velocity = { -1, 0, 0 } }
  local deepest = 0
  for _ = 1, 5 do
    q:step()
    deepest = math.max(deepest, 0.005 - (runner:position()))
  end
  return deepest, (runner:velocity())
end
for _, ball in ipairs { false, true } do
  for _, speed in ipairs { 0, -1, -0.3, 0.7 } do
    local deepest, after = into_end(speed, ball)
    assert(deepest < 1e-9, ("%s end, surface at %g m/s: %g m deep"):format(ball and "round" or "flat", speed, deepest))
    near(after, 0, 1e-9, "speed after the end")
  end
end

-- bodies that may have a surface velocity
local v = world()
fails("surface_velocity and surface_spin are of fixed bodies", v.sphere, v, { radius = 1, surface_velocity = { 1, 0, 0 } })
fails("surface_velocity and surface_spin are of fixed bodies", v.box, v, { kind = "kinematic", size = { 1, 1, 1 }, surface_spin = { 1, 0, 0 } })
fails("or say surface_velocity", v.box, v, { kind = "fixed", size = { 1, 1, 1 }, velocity = { 1, 0, 0 } })
local free = v:sphere { radius = 0.1 }
fails("are of fixed bodies", free.set_surface_velocity, free, 1, 0, 0)
local fixed = v:box { kind = "fixed", size = { 1, 1, 1 }, position = { 0, 0, -3 }, surface_velocity = { "1 cm/s", 0, 0 }, surface_spin = { 0, 0, 1 } }
assert(fixed:surface_velocity() == 0.01 and select(3, fixed:surface_spin()) == 1 and select(3, fixed:spin()) == 0)
fixed:set_kind "kinematic"
assert(fixed:velocity() == 0 and fixed:surface_velocity() == 0)
fails("a joint", function() v:hinge { a = free, b = plate(v), at = { 0, 0, 0 }, axis = { 0, 0, 1 } } end)
