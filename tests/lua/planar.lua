-- Planar worlds: bodies stay in the plane with every stepper and solver, and follow the closed forms of plane motion.
local scree = require "scree"
local check = require "check"
local near = check.within
local function world(more)
  local def = { gravity = { 0, 0, -9.81 }, dt = 1e-3, plane = { 0, 2, 0 }, solver = { iterations = 5000, tolerance = 1e-12 } }
  for k, v in pairs(more or {}) do def[k] = v end
  local w = scree.world(def)
  w:halfspace { normal = { 0, 0, 1 } }
  return w
end

-- a thrown ball loses its velocity out of the plane, slides, and rolls at 5/7 of its speed
for _, stepper in ipairs { "semi_implicit", "stewart_trinkle" } do
  local w = world { stepper = stepper, gravity = { 0, 3, -9.81 } }
  w:pair { "default", "default", law = "coulomb", mu = 0.3 }
  local ball = w:sphere { radius = 0.1, position = { 0, 0.25, 0.1 }, velocity = { 2, 1, 0 }, spin = { 3, 0, 4 } }
  w:step(1000)
  local _, y = ball:position()
  local vx, vy = ball:velocity()
  local wx, wy, wz = ball:spin()
  assert(y == 0.25 and vy == 0 and wx == 0 and wz == 0, stepper .. ": left its plane")
  near(vx, 10 / 7, 1e-9, "rolling")
  near(wy, vx / 0.1, 1e-7, "rolling spin")
end

-- a spin about an axis that is no principal one needs a torque that the plane gives; a torque meets p'I p
do
  local w = scree.world { gravity = { 0, 0, 0 }, plane = { 0, 1, 0 }, dt = 1e-3 }
  local half = math.rad(20)
  local plate = w:box { size = { 0.4, 0.2, 0.05 }, mass = 1, orientation = { math.cos(half), math.sin(half), 0, 0 }, spin = { 0, 5, 0 } }
  local across = (0.4 ^ 2 + 0.05 ^ 2) / 12 * math.cos(2 * half) ^ 2 + (0.4 ^ 2 + 0.2 ^ 2) / 12 * math.sin(2 * half) ^ 2
  w:step(500)
  local wx, wy, wz = plate:spin()
  assert(wx == 0 and wz == 0 and wy == 5, "the axis of the spin turns")
  for _ = 1, 100 do
    plate:apply { torque = { 7, 0.3, -2 } }
    w:step()
  end
  near(({ plate:spin() })[2], 5 + 0.3 * 0.1 / across, 1e-12, "torque in the plane")
end

-- the same heap by every solver: nothing leaves the plane; lemke has two directions and answers Coulomb's law exactly
do
  local speeds = {}
  for _, solver in ipairs { "nbgs", "pgs", "apgd", "spg", "lemke" } do
    local w = world { solver = { name = solver, iterations = 20000, tolerance = 1e-12 } }
    w:pair { "default", "default", law = "coulomb", mu = 0.4 }
    local last
    for i = 0, 5 do
      last = w:capsule { radius = 0.05, length = 0.1, position = { 0.06 * (i % 2), 0.05, 0.1 + 0.11 * i }, orientation = { 0.6, 0, 0.8, 0 }, velocity = { 0, 1, -3 } }
    end
    w:step(12)
    for _, b in ipairs(w:contacts()) do assert(math.abs(b.impulse[2]) < 1e-12, "an impulse out of the plane") end
    speeds[solver] = { last:velocity() }
    assert(w:report().residual < 1e-9, solver .. ": residual " .. w:report().residual)
    assert(({ last:position() })[2] == 0.05)
    for k = 1, 3 do near(speeds[solver][k], speeds.nbgs[k], 1e-7, solver .. " against nbgs") end
  end
end

-- the rod on the table: in the plane the dense problem takes half the directions and the steps are those of space
do
  local down, c, s = math.sqrt(0.5), math.cos(math.rad(15)), -math.sin(math.rad(15))
  local function rod(plane)
    local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 0.0025, plane = plane, stepper = "stewart_trinkle", solver = { name = "lemke", directions = 4 } }
    w:pair { "default", "default", law = "coulomb", mu = 0.6 }
    w:halfspace { normal = { 0, 0, 1 } }
    local body = w:capsule { radius = 0.05, length = 0.5, position = { 0, 0, 1 }, orientation = { (c - s) * down, 0, (c + s) * down, 0 },
      spin = { 0, -4, 0 }, mass = 1, inertia = { 0.002, 0, 0, 0.002, 0, 0.002 } }
    w:step(240)
    local x, _, z = body:position()
    return x, z
  end
  local x, z = rod { 0, 1, 0 }
  local x3, z3 = rod { 0, 0, 0 }
  near(x, x3, 1e-9, "rod in the plane and in space")
  near(z, z3, 1e-9, "rod in the plane and in space")
end

-- impacts with restitution: off-centre, as in space where all is symmetric about the plane; springs too
for _, stepper in ipairs { "semi_implicit", "penalty" } do
  local function bounce(plane)
    local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-4, plane = plane, stepper = stepper }
    if stepper == "penalty" then w:pair { "default", "default", law = "hooke", stiffness = 1e5, mu = 0.2 }
    else w:pair { "default", "default", law = "coulomb", mu = 0.2, restitution = 0.8 } end
    w:halfspace { normal = { 0, 0, 1 } }
    local body = w:capsule { radius = 0.05, length = 0.2, position = { 0, 0, 0.13 }, orientation = { math.cos(0.4), 0, math.sin(0.4), 0 }, velocity = { 1, plane[2] * 0.5, -2 } }
    w:step(400)
    local vx, vy, vz = body:velocity()
    local wx, wy, wz = body:spin()
    assert(plane[2] == 0 or (vy == 0 and wx == 0 and wz == 0), stepper .. ": left its plane")
    return vx, vz, wy
  end
  local a, b = { bounce { 0, 1, 0 } }, { bounce { 0, 0, 0 } }
  for k = 1, 3 do near(a[k], b[k], 1e-9, stepper .. " in the plane and in space") end
  assert(a[2] > -1.9, "it was struck")
end

-- a table seen from above: the ground's normal is the plane's, it carries nothing; discs collide in the plane
do
  local w = world { plane = { 0, 0, 1 } }
  w:pair { "default", "default", law = "coulomb", mu = 0 }
  local a = w:sphere { radius = 0.1, position = { 0, 0, 0.1 }, velocity = { 1, 0, 0 } }
  local b = w:sphere { radius = 0.1, position = { 0.3, 0.1, 0.1 } }
  w:step(500)
  local ax, ay, az = a:velocity()
  local bx, by, bz = b:velocity()
  assert(az == 0 and bz == 0)
  near(ax + bx, 1, 1e-12, "momentum along")
  near(ay + by, 0, 1e-12, "momentum across")
  near(by / bx, math.tan(math.rad(30)), 0.02, "along the line of centres")
  -- an oblique plane, and contacts whose normal does not lie in it: the ball feels a slope of 45 degrees
  local v = world { plane = { 0, 1, 1 } }
  v:pair { "default", "default", law = "coulomb", mu = 0.5 }
  local ball = v:sphere { radius = 0.1, position = { 0, 0, 0.1 }, velocity = { 1, 0, 0 } }
  v:step(1000)
  local x, y, z = ball:position()
  near(z, 0.1, 1e-9, "on the ground")
  near(y, 0, 1e-9, "on its line")
  local vx = ball:velocity()
  assert(vx > 0.5 and vx < 1, "rolls " .. vx)
end

-- joints: rows perpendicular to the plane are always satisfied; a pendulum on a ball joint keeps its length and swings like one on a hinge in space
do
  local function swing(plane, kind)
    local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, plane = plane, correct_joints = true }
    local bob = w:box { size = { 0.1, 0.1, 0.3 }, position = { 0.5, 0, 0 } }
    w[kind](w, { a = bob, at = { 0, 0, 0 }, axis = kind == "hinge" and { 0, 1, 0 } or nil })
    w:step(700)
    local report = w:joints_report()
    return { bob:position() }, report.rows, report.redundant
  end
  local flat, rows, redundant = swing({ 0, 1, 0 }, "ball")
  assert(rows == 2 and redundant == 0, "rows " .. rows)
  local space = swing({ 0, 0, 0 }, "hinge")
  for k = 1, 3 do near(flat[k], space[k], 1e-9, "pendulum") end
  near(math.sqrt(flat[1] ^ 2 + flat[3] ^ 2), 0.5, 1e-12, "length")
  local _, locked = swing({ 0, 1, 0 }, "fixed")
  assert(locked == 3, "a fixed joint has three rows in the plane, not " .. locked)
end

-- an elliptic cone is cut by the plane
do
  local w = world()
  w:material { name = "ice" }
  w:pair { "ice", "default", law = "coulomb", mu = 0.4, mu2 = 0.2, direction_x = 1, direction_y = 1 }
  local box = w:box { size = { 0.2, 0.2, 0.2 }, position = { 0, 0, 0.1 }, velocity = { 2, 0, 0 }, material = "ice" }
  w:step(100)
  local mu = 1 / math.sqrt(0.5 / 0.4 ^ 2 + 0.5 / 0.2 ^ 2)
  near(({ box:velocity() })[1], 2 - mu * 9.81 * 0.1, 1e-9, "section of the ellipse")
end
assert(not pcall(scree.world, { plane = { 0, 0 / 0, 1 } }))
print "planar: nothing leaves the plane"
