-- Mechanisms conserve energy: a pendulum, a double pendulum, a top on a ball joint, a chain with a heavy end, and the angle that a
-- motor turns. Also tests steps that are far too large. Orders in dt are measured.
local scree = require "scree"
local check = require "check"
local near = check.within
local motions = require "motions"
local G = 9.81
local function world(dt, gravity) return scree.world { gravity = { 0, 0, -(gravity or G) }, dt = dt } end

local coarse, most = motions.pendulum(2e-3)
local fine, least = motions.pendulum(1e-3)
near(fine, 0, 2e-6, "period")
near(least, 0, 1e-5, "energy")
near(math.log(coarse / fine, 2), 2, 0.05, "order of the period")
near(math.log(most / least, 2), 2, 0.05, "order of the energy")

local one, two = motions.double_pendulum(1e-3), (motions.double_pendulum(2e-3))
assert(one < 2e-5, "double pendulum " .. one)
near(math.log(two / one, 2), 2, 0.1, "order of the double pendulum")

local tilt = motions.top_on_joint(1e-3)
near(tilt, 0, 1e-3, "tilt of the top")

do
  local gain, error = motions.chain(1e-3, 40, 0.9)
  assert(gain < 1e-5, "the chain gains " .. gain)
  near(error, 0, 1e-12, "joints of the chain")
end

-- A motor's angle is its speed times time, at 300 rad/s as well; a free asymmetric body in a fixed joint to nothing else keeps turning.
do
  local w = world(1e-3, 0)
  local wheel = w:sphere { radius = 0.1 }
  local axle = w:hinge { a = wheel, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, motor = { speed = 300, force = 1e6 } }
  w:step(1000)
  near(axle:position(), 300, 1e-9, "angle of a motor")
  local b = w:sphere { radius = 0.1, position = { 1, 0, 0 }, spin = { 0, 0, 300 } }
  local free = w:hinge { a = b, at = { 1, 0, 0 }, axis = { 0, 0, 1 } }
  w:step(1000)
  near(free:position(), 300, 1e-9, "angle of a free wheel")
end

-- An arm that turns by 1000 rad in a step cannot be followed: the joint is named, with its rate, and the step in which it turns by 128 rad.
for joints = 1, 3, 2 do
  local w = world(1, 0)
  for k = 1, joints - 1 do w:hinge { a = w:sphere { radius = 0.05, position = { 0, 0, 3 * k } }, at = { 0, 0, 3 * k }, axis = { 0, 0, 1 } } end
  local bob = w:sphere { radius = 0.05, mass = 1, position = { 1, 0, 0 }, velocity = { 0, 1000, 0 }, spin = { 0, 0, 1000 } }
  w:hinge { a = bob, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
  local fine, message = pcall(w.step, w)
  assert(not fine and tostring(message):find("too large for hinge joint " .. joints, 1, true), tostring(message))
  assert(tostring(message):find("turn by 1e+03 rad/s; a step of 0.13 s would do", 1, true), tostring(message))
end
print(("period %.2e, energy %.2e of m g l; double pendulum %.2e m; top %.5f degrees"):format(fine, least, one, 30 + tilt))
