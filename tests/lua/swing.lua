-- Mechanisms keep their energy: a pendulum, a double pendulum, a top on a ball joint, a chain with a heavy end, a motor's way; and what
-- happens where a step is far too large. Orders in dt are measured.
local scree = require "scree"
local check = require "check"
local near = check.within
local G = 9.81
local function world(dt, gravity) return scree.world { gravity = { 0, 0, -(gravity or G) }, dt = dt } end

-- A pendulum let go at 90 degrees: period, 4 K(1/2) sqrt(I/(m g l)), and the change of energy between turning points over m g l.
local function pendulum(dt)
  local w = world(dt)
  local bob = w:sphere { radius = 0.05, mass = 1, position = { 1, 0, 0 } }
  local hinge = w:hinge { a = bob, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  local period = 4 * 1.8540746773013719 * math.sqrt((1 + 0.4 * 0.05 ^ 2) / G)
  local turns, last, most = {}, 0, 0
  while #turns < 5 do
    w:step()
    local speed = hinge:speed()
    most = math.max(most, math.abs(w:report().energy / G))
    if last * speed < 0 then turns[#turns + 1] = w:time() - dt + dt * last / (last - speed) end
    last = speed
  end
  near(w:joints_report().error, 0, 1e-12, "length")
  return (turns[5] - turns[1]) / 2 / period - 1, most
end
local coarse, most = pendulum(2e-3)
local fine, least = pendulum(1e-3)
near(fine, 0, 2e-6, "period")
near(least, 0, 1e-5, "energy")
near(math.log(coarse / fine, 2), 2, 0.05, "order of the period")
near(math.log(most / least, 2), 2, 0.05, "order of the energy")

local function double(dt)
  local w = world(dt)
  local a, b = w:sphere { radius = 0.05, mass = 1, position = { 1, 0, 0 } }, w:sphere { radius = 0.05, mass = 1, position = { 2, 0, 0 } }
  w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  w:hinge { a = b, b = a, at = { 1, 0, 0 }, axis = { 0, 1, 0 } }
  w:step(math.floor(2 / dt + 0.5))
  local x, _, z = b:position()
  return x, z
end
local X, Z = double(1e-4)
local function off(dt) local x, z = double(dt) return math.sqrt((x - X) ^ 2 + (z - Z) ^ 2) end
local one, two = off(1e-3), off(2e-3)
assert(one < 2e-5, "double pendulum " .. one)
near(math.log(two / one, 2), 2, 0.1, "order of the double pendulum")

-- A fast top on a ball joint, in slow steady precession for a turn: 30 degrees stay 30 degrees.
local function top(dt)
  local w, m, R, l, spin, tilt = world(dt), 1, 0.1, 0.1, 200, math.rad(30)
  local I3, I1c = 0.5 * m * R * R, 0.25 * m * R * R
  local c, s, I1 = math.cos(tilt), math.sin(tilt), I1c + m * l * l
  local A, B, C = I1 * c, -I3 * spin, m * G * l
  local rate = (-B - math.sqrt(B * B - 4 * A * C)) / (2 * A)
  local body = w:sphere { radius = 0.01, mass = m, inertia = { I1c, 0, 0, I1c, 0, I3 }, position = { l * s, 0, l * c },
    orientation = { math.cos(tilt / 2), 0, math.sin(tilt / 2), 0 } }
  w:ball { a = body, at = { 0, 0, 0 } }
  body:set_spin(spin * s - rate * c * s, 0, spin * c + rate * (1 - c * c))
  body:set_velocity(0, rate * l * s, 0)
  w:step(math.floor(2 * math.pi / rate / dt))
  local _, q1, q2 = body:orientation()
  return math.deg(math.acos(1 - 2 * (q1 * q1 + q2 * q2)))
end
near(top(1e-3), 30, 1e-3, "tilt of the top")

-- A chain of 40 links with a thousand times a link's mass at its end: energy is never above the start, and joints hold.
do
  local w, links, last = world(1e-3), 40, nil
  for i = 1, links do
    local link = w:box { size = { 0.05, 0.01, 0.01 }, mass = 0.1, position = { (i - 0.5) * 0.05, 0, 0 } }
    w:ball { a = link, b = last, at = { (i - 1) * 0.05, 0, 0 } }
    last = link
  end
  local load = w:sphere { radius = 0.1, mass = 100, position = { links * 0.05 + 0.1, 0, 0 } }
  w:fixed { a = load, b = last, at = { links * 0.05, 0, 0 } }
  local drop = 104 * G * 2
  for _ = 1, 9 do
    w:step(100)
    assert(w:report().energy < 1e-5 * drop, "the chain gains " .. w:report().energy / drop)
  end
  near(w:report().energy / drop, 0, 1e-5, "energy of the chain")
  near(w:joints_report().error, 0, 1e-12, "joints of the chain")
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

-- An arm that turns by 1000 rad in a step cannot be followed: the joint is named.
do
  local w = world(1, 0)
  local bob = w:sphere { radius = 0.05, mass = 1, position = { 1, 0, 0 }, velocity = { 0, 1000, 0 }, spin = { 0, 0, 1000 } }
  w:hinge { a = bob, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
  local fine, message = pcall(w.step, w)
  assert(not fine and tostring(message):find("too large for hinge joint 1", 1, true) and tostring(message):find("would do", 1, true), tostring(message))
end
print(("period %.2e, energy %.2e of m g l; double pendulum %.2e m; top %.5f degrees"):format(fine, least, one, top(1e-3)))
