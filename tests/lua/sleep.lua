-- world.sleep: islands that are slow for long are skipped by steps, and wake if a body comes near or the script acts on them; the same bits with
-- any number of threads; the motion of other bodies is that without sleep, to the tolerance.
local scree = require "scree"

local function world(options)
  options = options or {}
  options.dt = 1e-3
  options.sleep = options.sleep or 1e-3
  local w = scree.world(options)
  w:pair { "default", "default", mu = 0.5 }
  return w, w:halfspace { normal = { 0, 0, 1 } }
end

local function tower(w, n, x)
  local b = {}
  for i = 1, n do b[i] = w:box { size = { 0.1, 0.1, 0.1 }, position = { x or 0, 0, 0.1 * i - 0.05 } } end
  return b
end

local function asleep(w) return w:report().asleep end

-- a tower sleeps after 32 steps, stays in place to the bit, and the report shows it; contacts keep their forces; the energy balance holds
do
  local w, floor = world()
  local b = tower(w, 4)
  w:step(30)
  assert(asleep(w) == 0)
  w:step(20)
  local r, x, y, z = w:report(), b[4]:position()
  assert(r.asleep == 4 and r.contacts == 16 and r.active >= 4 and r.kinetic == 0 and r.iterations == 0)
  local energy = r.energy + r.dissipated - r.work - r.correction
  w:step(500)
  local r2, x2, y2, z2 = w:report(), b[4]:position()
  assert(x == x2 and y == y2 and z == z2 and r2.step == 550 and math.abs(r2.time - 0.55) < 1e-12)
  assert(math.abs(r2.energy + r2.dissipated - r2.work - r2.correction - energy) < 1e-15)
  local weight = 0
  for c in w:contacts() do if c.body1 == floor or c.body2 == floor then weight = weight + math.abs(c.impulse[3]) / 1e-3 end end
  assert(math.abs(weight - 4 * 9.81) < 1e-4 * 40, weight)
end

-- a slow ball bounces off a wall in its last step before it sleeps: the impulse m v (1 + e) belongs to this step only
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, sleep = 1e-2 }
  w:pair { "default", "default", mu = 0, restitution = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 + 32.5 * 5e-6 }, velocity = { 0, 0, -5e-3 } }
  w:step(33)
  local function impulse() for c in w:contacts() do return c.impulse[3] end end
  assert(asleep(w) == 1 and w:report().impacts == 1 and math.abs(impulse() - 1.5 * 5e-3) < 1e-12, impulse())
  w:step(1)
  assert(asleep(w) == 1 and w:report().impacts == 0 and impulse() == 0, impulse())
end

-- a ball that rolls into a sleeping ball wakes it, in any order of bodies and therefore of listed contacts
for order = 1, 4 do
  local w = scree.world { dt = 1e-3, sleep = 1e-3 }
  local add = { function() return w:box { kind = "fixed", size = { 4, 4, 1 }, position = { 0, 0, -0.5 } } end,
    function() return w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 } } end,
    function() return w:sphere { radius = 0.1, position = { order % 2 == 0 and 0.5 or -0.5, 0, 1 }, kind = "kinematic" } end }
  local made = {}
  for _, k in ipairs(({ { 1, 2, 3 }, { 3, 2, 1 }, { 2, 1, 3 }, { 3, 1, 2 } })[order]) do made[k] = add[k]() end
  w:step(60)
  assert(asleep(w) == 1)
  local side = order % 2 == 0 and 1 or -1
  made[3]:set_position(side * 0.25, 0, 0.1)
  made[3]:set_velocity(-side, 0, 0)
  w:step(100)
  local x = made[2]:position()
  assert(math.abs(x + side * 0.05) < 0.02, "order " .. order .. ": the sleeper is pushed on: " .. x)
end

-- actions that wake the tower; it then continues with its forces and does not move
local function wakes(what, act, stirs)
  local w, floor = world()
  local b = tower(w, 3)
  w:step(60)
  assert(asleep(w) == 3, what)
  act(w, b, floor)
  w:step(2)
  assert(asleep(w) < #b and asleep(w) == 0, what .. " does not wake")
  if stirs then return end
  local _, _, z = b[1]:position()
  assert(math.abs(z - 0.05) < 1e-9, what .. " stirs")
  w:step(100)
  assert(asleep(w) == 3, what .. " keeps awake")
end
wakes("a force", function(_, b) b[2]:apply { force = { 0.1, 0, 0 } } end)
wakes("a velocity", function(_, b) b[3]:set_velocity(0, 0, 1e-9) end)
wakes("a place", function(_, b) b[3]:set_position(1e-3, 0, 0.25) end)
wakes("gravity", function(w) w:set_gravity(0, 0, -9.8) end)
wakes("a law", function(w) w:pair { "default", "default", mu = 0.4 } end)
wakes("a step", function(w) w:set_dt(2e-3) end)
wakes("a wall put elsewhere", function(w, _, floor) floor:set_position(0, 0, -1e-3) end, true)
wakes("a floor that begins to run", function(_, _, floor) floor:set_surface_velocity(0.1, 0, 0) end, true)
wakes("a grain that lands", function(w) w:sphere { radius = 0.03, position = { 0, 0, 0.3302 } } end, true)
wakes("a wall beside it", function(w) w:box { kind = "fixed", size = { 0.1, 0.1, 0.1 }, position = { 0.1002, 0, 0.05 } } end)
wakes("another kind", function(_, b) b[1]:set_kind "kinematic" end, true)
-- a body is removed or leaves: the others fall
do
  local w = world()
  local b = tower(w, 3)
  w:step(60)
  b[1]:remove()
  w:step(20)
  local _, _, z = b[3]:position()
  assert(asleep(w) == 0 and z < 0.25 - 1e-3)
end
do
  local w = scree.world { dt = 1e-3, sleep = 1e-3 }
  local shelf = w:box { kind = "kinematic", size = { 1, 1, 0.1 }, position = { 0, 0, -0.05 } }
  local b = tower(w, 2)
  w:step(60)
  assert(asleep(w) == 2)
  shelf:set_position(0, 0, -2) -- far away within one step
  w:step(20)
  local _, _, z = b[1]:position()
  assert(asleep(w) == 0 and z < 0.05 - 1e-3, "the shelf is gone")
end

-- bodies at a turning point, in flight or on a joint, do not sleep, nor do bodies on a driven body
do
  local w = world { sleep = 0.05 }
  local ball = w:sphere { radius = 0.01, position = { 1, 0, 0.3 }, velocity = { 0, 0, 0.1 } }
  local bob = w:sphere { radius = 0.01, position = { 2.001, 0, 1 } } -- swings by 1/200 rad
  w:ball { a = bob, at = { 2, 0, 1.2 } }
  local belt = w:box { kind = "kinematic", size = { 9, 1, 0.1 }, position = { 0, 5, 0.5 }, velocity = { 0.01, 0, 0 } }
  w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 5, 0.6 } }
  for _ = 1, 150 do
    w:step()
    assert(asleep(w) == 0)
  end
  local _, _, z = ball:position()
  assert(z < 0.3 and belt:alive())
end

-- joints sleep with their bodies and keep their forces: a chain that hangs, a post on a hinge that leans on its limit with a box on it,
-- a box welded to a tower; and wake with it
local function gate(options)
  local w, floor = world(options)
  local g = { w = w, floor = floor, links = {}, tower = tower(w, 3) }
  for i = 1, 4 do
    g.links[i] = w:sphere { radius = 0.02, position = { 1, 0, 2 - 0.1 * i } }
    g[i] = w:ball { a = g.links[i], b = g.links[i - 1], at = { 1, 0, 2.1 - 0.1 * i } }
  end
  g.post = w:box { kind = "kinematic", size = { 0.1, 0.1, 1 }, position = { 3, 0, 1.5 } }
  g.shelf = w:box { size = { 0.4, 0.2, 0.04 }, position = { 3.3, 0, 1 } }
  g.hinge = w:hinge { a = g.shelf, b = g.post, at = { 3.1, 0, 1 }, axis = { 0, 1, 0 }, limits = { -1, 0 } }
  g.load = w:box { size = { 0.1, 0.1, 0.1 }, position = { 3.35, 0, 1.07 } }
  g.weld = w:fixed { a = g.tower[3], b = g.tower[2], at = { 0, 0, 0.2 } }
  return g
end
do
  local g = gate()
  g.w:step(80)
  local r = g.w:report()
  assert(r.asleep == 9 and r.iterations == 0, r.asleep)
  local force, z = select(3, g[1]:force()), select(3, g.load:position())
  assert(math.abs(force - 9.81 * 4 * g.links[1]:mass()) < 1e-6 * force, force)
  assert(math.abs(select(3, g.hinge:force()) - 9.81 * (g.shelf:mass() + g.load:mass())) < 1e-3)
  g.w:step(300)
  assert(force == select(3, g[1]:force()) and z == select(3, g.load:position()) and asleep(g.w) == 9)
  -- beside a pendulum, which swings as it does alone
  local function pendulum(w)
    local bob = w:sphere { radius = 0.02, position = { 8.1, 0, 3 } }
    return bob, w:hinge { a = bob, at = { 8, 0, 3 }, axis = { 0, 1, 0 } }
  end
  local alone = world()
  local bob, hinge = pendulum(g.w)
  local other = pendulum(alone)
  g.w:step(300)
  alone:step(300)
  local x, _, z1 = bob:position()
  local x2, _, z2 = other:position()
  assert(x == x2 and z1 == z2, "sleepers are felt")
  assert(force == select(3, g[1]:force()) and z == select(3, g.load:position()) and asleep(g.w) == 9)
  assert(g.w:joints_report().rows == 5 and hinge:error() < 1e-12)
end
local function stirs(what, count, act)
  local g = gate()
  g.w:step(80)
  act(g)
  g.w:step(1)
  assert(asleep(g.w) == 9 - count, what .. " wakes " .. 9 - asleep(g.w))
end
stirs("a force on a link", 4, function(g) g.links[4]:apply { force = { 1e-6, 0, 0 } } end)
stirs("a joint removed", 4, function(g) g[4]:remove() end)
stirs("a motor", 2, function(g) g.hinge:set_motor { force = 1e-3 } end)
stirs("a weld removed", 3, function(g) g.weld:remove() end)
stirs("a joint made", 3, function(g) g.w:ball { a = g.tower[3], at = { 0, 0, 0.3 } } end)
stirs("a post that moves", 2, function(g) g.post:set_velocity(0, 0, 0.1) end)
stirs("a post put elsewhere", 2, function(g) g.post:set_position(3, 0, 1.5001) end)
stirs("what lies on it", 2, function(g) g.load:apply { force = { 0, 0, 1e-3 } } end)
-- a woken island continues as without sleep, to the tolerance; drives and springs keep their bodies awake
do
  local g, h = gate(), gate { sleep = 0 }
  for _, one in ipairs { g, h } do
    one.w:step(80)
    one.links[4]:set_velocity(1, 0, 0)
    one.load:remove()
    one.w:step(100)
  end
  assert(asleep(g.w) > 0 and asleep(h.w) == 0)
  for k = 1, 4 do
    local x, _, z = g.links[k]:position()
    local x2, _, z2 = h.links[k]:position()
    assert(math.abs(x - x2) + math.abs(z - z2) < 1e-6, k)
  end
  assert(math.abs(g.hinge:position() - h.hinge:position()) < 1e-9)
end
for what, options in pairs {
  motor = { motor = { speed = 0, force = 5 } }, servo = { servo = { stiffness = 100, damping = 5, force = 20 } }, spring = { stiffness = 100, damping = 10 },
} do
  local w = world()
  options.a = w:box { size = { 0.4, 0.1, 0.1 }, mass = 0.1, position = { 0.2, 0, 1 } }
  options.at, options.axis = { 0, 0, 1 }, { 0, 1, 0 }
  w:hinge(options)
  w:step(3000)
  assert(asleep(w) == 0, what)
end

-- bodies next to sleeping ones move as next to awake ones, to the tolerance, with the same bits on any number of threads
do
  local hash, place
  for _, case in ipairs { { threads = 1 }, { threads = 3 }, { threads = 1, sleep = 0 } } do
    local w = world(case)
    tower(w, 5)
    for i = 0, 5 do tower(w, 2, 1 + 0.3 * i) end
    w:step(64)
    if case.sleep ~= 0 then assert(asleep(w) == 17) end
    local grain = w:box { size = { 0.02, 0.03, 0.02 }, position = { -1, 0, 0.1 }, spin = { 3, 1, 0 }, velocity = { 0.2, 0, 0 } }
    w:step(150)
    if case.sleep ~= 0 then
      assert(asleep(w) == 17)
      assert(not hash or hash == w:hash(), "bits depend on threads")
      hash = w:hash()
    end
    local x, y, z = grain:position()
    place = place or { x, y, z }
    local d = math.abs(x - place[1]) + math.abs(y - place[2]) + math.abs(z - place[3])
    assert(d < 1e-6, "sleepers are felt from afar: " .. d)
  end
end

-- features that exclude sleep
for text, options in pairs {
  ["world.sleep has no effect with the stepper stewart_trinkle"] = { sleep = 1e-3, stepper = "stewart_trinkle" }, ["tolerance = 0 asks"] = { sleep = 1e-3, solver = { tolerance = 0 } }, ["sleep"] = { sleep = -1 },
} do
  local fine, message = pcall(scree.world, options)
  assert(not fine and tostring(message):find(text, 1, true), message)
end
