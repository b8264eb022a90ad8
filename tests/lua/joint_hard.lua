-- Mechanisms that are hard to solve: a heavy weight on a chain, closed loops with redundant rows, conflicting motors, a joint to a moving
-- kinematic body, a joint made outside its limits, long runs.
local mechanism = require "mechanism"
local test = mechanism { gravity = { 0, 0, -9.81 }, dt = 1e-3, correct_joints = true, solver = { iterations = 2000, tolerance = 1e-9 } }
local near, world = test.near, test.world
local function energy(w)
  local r = w:report()
  return r.kinetic + r.potential
end
local Y = { 0, 1, 0 }

-- links of 0.1 kg with 100 kg at the end, let go from the horizontal
local function chain(links)
  local w, before = world(), nil
  for i = 1, links do
    local link = w:box { size = { 0.1, 0.02, 0.02 }, position = { 0.1 * i - 0.05, 0, 0 }, mass = 0.1 }
    w:hinge { a = link, b = before, at = { 0.1 * (i - 1), 0, 0 }, axis = Y }
    before = link
  end
  local heavy = w:sphere { radius = 0.2, position = { 0.1 * links + 0.2, 0, 0 }, mass = 100 }
  w:ball { a = heavy, b = before, at = { 0.1 * links, 0, 0 } }
  w:step(100)
  local r = w:joints_report()
  near(r.error, 0, 1e-9, "error of the chain")
  near(r.velocity_error, 0, 1e-9, "velocity error of the chain")
  assert(math.abs(energy(w)) < 0.015 * w:report().kinetic, "energy of the chain: " .. energy(w))
end

-- a closed ring of links, pulled apart by a spin: a loop through every link; and a curtain, a net with loops everywhere
local function net()
  local w, links, n = world { gravity = { 0, 0, 0 } }, {}, 60
  local radius = 0.1 / (2 * math.sin(math.pi / n))
  local middle = radius * math.cos(math.pi / n)
  for i = 1, n do
    local a = 2 * math.pi * (i - 0.5) / n
    links[i] = w:box { size = { 0.02, 0.1, 0.02 }, position = { middle * math.cos(a), middle * math.sin(a), 0 }, mass = 1, spin = { 0, 0, 2 },
      velocity = { -2 * middle * math.sin(a), 2 * middle * math.cos(a), 0 }, orientation = { math.cos(a / 2), 0, 0, math.sin(a / 2) } }
  end
  for i = 1, n do
    local a = 2 * math.pi * i / n
    w:ball { a = links[i], b = links[i % n + 1], at = { radius * math.cos(a), radius * math.sin(a), 0 } }
  end
  w:step()
  local start = energy(w)
  w:step(100)
  near(w:joints_report().error, 0, 1e-9, "joints of the ring")
  near(energy(w) / start, 1, 1e-3, "energy of the ring")

  local curtain, knots = world(), {}
  for i = 0, 9 do
    for j = 0, 9 do
      local knot = curtain:sphere { radius = 0.02, position = { 0.1 * i, 0, -0.1 * j }, mass = 0.1 }
      knots[10 * i + j] = knot
      if j == 0 then curtain:ball { a = knot, at = { 0.1 * i, 0, 0 } } end
      if j > 0 then curtain:distance { a = knot, b = knots[10 * i + j - 1], at = { 0.1 * i, 0, -0.1 * j }, at_b = { 0.1 * i, 0, -0.1 * (j - 1) } } end
      if i > 0 then curtain:distance { a = knot, b = knots[10 * i + j - 10], at = { 0.1 * i, 0, -0.1 * j }, at_b = { 0.1 * (i - 1), 0, -0.1 * j } } end
    end
  end
  knots[99]:set_velocity(0, 1, 0)
  curtain:step(100)
  near(curtain:joints_report().error, 0, 1e-9, "joints of the curtain")
end

-- a swing of three equal arms: 24 freedoms, 30 rows, one motion, like a pendulum that does not turn its platform
local function swing()
  local w, platform, arms = world(), nil, {}
  platform = w:box { size = { 1, 0.02, 0.02 }, position = { 0.5, 0, -1 }, velocity = { 2, 0, 0 }, mass = 1 }
  for i, x in ipairs { 0, 0.5, 1 } do
    arms[i] = w:box { size = { 0.02, 0.02, 1 }, position = { x, 0, -0.5 }, mass = 1 }
    w:hinge { a = arms[i], at = { x, 0, 0 }, axis = Y }
    w:hinge { a = arms[i], b = platform, at = { x, 0, -1 }, axis = Y }
  end
  w:step()
  local start = energy(w)
  w:step(1000)
  local r = w:joints_report()
  assert(r.rows == 30 and r.redundant == 7, "redundant " .. r.redundant)
  near(r.error, 0, 1e-9, "error of the swing")
  near(energy(w), start, 0.01, "energy of the swing")
  local x, _, z = platform:position()
  near((x - 0.5) ^ 2 + z ^ 2, 1, 1e-9, "way of the platform")
  near((select(2, platform:spin())), 0, 1e-9, "the platform does not turn")
end

local function carried()
  local w = world()
  local carrier = w:box { size = { 0.1, 0.1, 0.1 }, kind = "kinematic", position = { 0, 0, 0 }, velocity = { 0.5, 0, 0 }, spin = { 0, 0, 2 } }
  local arm = w:box { size = { 0.5, 0.1, 0.1 }, position = { 0.5, 0, 0 }, mass = 1, velocity = { 0.5, 1, 0 }, spin = { 0, 0, 2 } }
  local joint = w:fixed { a = arm, b = carrier, at = { 0.25, 0, 0 } }
  w:step(1000)
  local x, y, z = arm:position()
  near(carrier:position(), 0.5, 1e-9, "the carrier is not pushed")
  near(math.sqrt((x - 0.5) ^ 2 + y ^ 2 + z ^ 2), 0.5, 1e-9, "arm on a carrier")
  near((select(3, joint:force())), 9.81, 1e-6, "weight of the arm")
end

-- two unbounded motors with different targets: the speed lies between them or equals one, and the report shows the conflict
local function quarrel()
  local w = world()
  local arm = w:box { size = { 0.5, 0.1, 0.1 }, position = { 0.25, 0, 0 }, mass = 1 }
  for _, speed in ipairs { 1, 3 } do w:hinge { a = arm, at = { 0, 0, 0 }, axis = Y, motor = { speed = speed } } end
  w:step(100)
  local _, spin = arm:spin()
  assert(math.abs(spin) < 5, "blown up to " .. spin)
  assert(w:joints_report().velocity_error > 0.1, "a quarrel must show")
end

local function outside()
  local w = world()
  local a = w:box { size = { 0.5, 0.1, 0.1 }, position = { 0, 0, 0 }, mass = 1 }
  local b = w:box { size = { 0.5, 0.1, 0.1 }, position = { 0, 2, 0 }, mass = 1 }
  w:slider { a = a, at = { 0, 0, 0 }, axis = { 1, 0, 0 }, limits = { 0.1, 0.2 } }
  local turn = w:hinge { a = b, at = { 0, 2, 0 }, axis = { 0, 0, 1 }, limits = { -0.5, -0.3 } }
  w:step(10)
  near(a:position(), 0.1, 1e-9, "a slider made outside its limits")
  near((a:velocity()), 0, 1e-9, "without a push")
  near(turn:position(), -0.3, 1e-9, "a hinge made outside its limits")
end

-- 100 s of a pendulum of two arms with friction: it comes to rest hanging, joints in place, energy never above the start
local function long()
  local w = world { dt = 5e-3 }
  local a = w:box { size = { 1, 0.1, 0.1 }, position = { 0.5, 0, 0 }, mass = 1 }
  local b = w:box { size = { 1, 0.1, 0.1 }, position = { 1.5, 0, 0 }, mass = 1 }
  w:hinge { a = a, at = { 0, 0, 0 }, axis = Y, friction = 0.2 }
  w:hinge { a = b, b = a, at = { 1, 0, 0 }, axis = Y, friction = 0.2 }
  for _ = 1, 100 do
    w:step(200)
    assert(energy(w) < 1e-6, "energy " .. energy(w))
  end
  near(w:joints_report().error, 0, 1e-9, "joints after 100 s")
  assert(w:report().kinetic < 1e-9, "at rest: " .. w:report().kinetic)
end

for _, name in ipairs { "nbgs", "lemke", "apgd", "spg" } do
  test.solver = name
  for _, check in ipairs { swing, carried, quarrel, outside } do check() end
end
test.solver = "nbgs"
chain(50)
chain(200)
net()
long()
print "joints: hard cases hold"

-- A door on three hinges in a line swings as on one hinge; ten of the fifteen rows are redundant.
do
  local function door(hinges)
    local w = scree.world { gravity = { 0, -9.81, 0 }, dt = 2e-3 }
    local leaf = w:box { size = { 1, 0.05, 2 }, position = { 0.5, 0, 0 } }
    for k = 1, hinges do w:hinge { a = leaf, at = { 0, 0, 0.5 * (k - (hinges + 1) / 2) }, axis = { 0, 0, 1 } } end
    w:step(500)
    local report = w:joints_report()
    assert(report.redundant == 5 * (hinges - 1), report.redundant)
    assert(report.error < 1e-12, report.error)
    return { leaf:position() }
  end
  local one, three = door(1), door(3)
  for c = 1, 3 do assert(math.abs(one[c] - three[c]) < 1e-9, "a door on three hinges") end
end
