-- Motions with a known solution: each function runs a motion with steps of dt and returns its errors.
local scree = require "scree"
local G = 9.81
local M = {}

local function world(dt, gravity) return scree.world { gravity = { 0, 0, -(gravity or G) }, dt = dt } end
local function turned(angle) return { math.cos(angle / 2), 0, math.sin(angle / 2), 0 } end
local function tilt_of(body)
  local _, q1, q2 = body:orientation()
  return math.deg(math.acos(1 - 2 * (q1 * q1 + q2 * q2)))
end

-- A pendulum let go at 90 degrees: error of the period, 4 K(1/2) sqrt(I/(m g l)), and the largest change of energy over m g l.
function M.pendulum(dt)
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
  assert(w:joints_report().error < 1e-12, "length of the pendulum")
  return math.abs((turns[5] - turns[1]) / 2 / period - 1), most
end

local function double(dt)
  local w = world(dt)
  local a, b = w:sphere { radius = 0.05, mass = 1, position = { 1, 0, 0 } }, w:sphere { radius = 0.05, mass = 1, position = { 2, 0, 0 } }
  w:hinge { a = a, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  w:hinge { a = b, b = a, at = { 1, 0, 0 }, axis = { 0, 1, 0 } }
  local most, start = 0, w:report().energy
  for _ = 1, math.floor(2 / dt + 0.5) do
    w:step()
    most = math.max(most, math.abs(w:report().energy - start) / (2 * G))
  end
  local x, _, z = b:position()
  return x, z, most
end
local X, Z
-- A double pendulum of two balls: where the second is after 2 s, against a step of 0.1 ms [m], and the largest change of energy over 2 m g l.
function M.double_pendulum(dt)
  if not X then X, Z = double(1e-4) end
  local x, z, most = double(dt)
  return math.sqrt((x - X) ^ 2 + (z - Z) ^ 2), most
end

local function top(dt, make)
  local m, R, l, spin, tilt = 1, 0.1, 0.1, 200, math.rad(30)
  local I3, I1c = 0.5 * m * R * R, 0.25 * m * R * R
  local c, s, I1 = math.cos(tilt), math.sin(tilt), I1c + m * l * l
  local A, B, C = I1 * c, -I3 * spin, m * G * l
  local rate = (-B - math.sqrt(B * B - 4 * A * C)) / (2 * A)
  local w = world(dt)
  local body = make(w, m, { I1c, 0, 0, I1c, 0, I3 }, { l * s, 0, l * c }, turned(tilt), l)
  body:set_spin(spin * s - rate * c * s, 0, spin * c + rate * (1 - c * c))
  body:set_velocity(0, rate * l * s, 0)
  local start = w:report().kinetic
  w:step(math.floor(2 * math.pi / rate / dt))
  return math.abs(tilt_of(body) - 30), math.abs(w:report().kinetic / start - 1)
end
-- A top of 200 rad/s on a ball joint, in slow steady precession for a turn: change of its tilt of 30 degrees [degrees], and of its energy.
function M.top_on_joint(dt)
  return top(dt, function(w, mass, inertia, at, orientation)
    local body = w:sphere { radius = 0.01, mass = mass, inertia = inertia, position = at, orientation = orientation }
    w:ball { a = body, at = { 0, 0, 0 } }
    return body
  end)
end
-- The same on a point of contact.
function M.top_on_point(dt)
  return top(dt, function(w, mass, inertia, at, orientation, l)
    w:pair { "default", "default", mu = 2 }
    w:halfspace { normal = { 0, 0, 1 } }
    local body = w:body { position = { 0, 0, 0 }, orientation = orientation, mass = mass, inertia = inertia,
      shapes = { { type = "sphere", radius = 1e-6, position = { 0, 0, 0 } }, { type = "sphere", radius = 1e-6, position = { 0, 0, 2 * l } } } }
    body:set_position(at[1], at[2], at[3] + 1e-6)
    return body
  end)
end

-- Euler's disk, steadily rolling at a tilt of 20 degrees for 0.5 s: change of height of its centre, and of its energy, as shares. `shape`:
-- "cylinder" or "ellipsoid".
function M.disk(dt, shape)
  local R, tilt, m, thin = 0.0375, math.rad(20), 0.01, 1e-4
  local s, c = math.sin(tilt), math.cos(tilt)
  local rate = math.sqrt(4 * G / (R * s)) * s
  local I = { m * R * R / 4, 0, 0, m * R * R / 4, 0, m * R * R / 2 }
  local w = world(dt)
  w:pair { "default", "default", mu = 0.8 }
  w:halfspace { normal = { 0, 0, 1 } }
  local b
  if shape == "ellipsoid" then
    b = w:ellipsoid { size = { 2 * R, 2 * R, thin }, mass = m, inertia = I, position = { 0, 0, math.sqrt((R * s) ^ 2 + (thin / 2 * c) ^ 2) },
      orientation = turned(tilt) }
  else
    b = w:cylinder { radius = R, length = thin, mass = m, inertia = I, position = { 0, 0, R * s + 0.5 * thin * c }, orientation = turned(tilt) }
  end
  b:set_spin(-rate * c, 0, rate * s)
  w:step()
  local start, height = w:report().energy, select(3, b:position())
  w:step(math.floor(0.5 / dt))
  return math.abs(select(3, b:position()) / height - 1), math.abs(w:report().energy / start - 1)
end

local function free(dt)
  local w = world(dt, 0)
  local b = w:box { size = { 0.3, 0.2, 0.1 }, mass = 1, spin = { 1e-3, 5, 0 } }
  local start, most = w:report().kinetic, 0
  for _ = 1, math.floor(5 / dt + 0.5) do
    w:step()
    most = math.max(most, math.abs(w:report().kinetic / start - 1))
  end
  return { b:orientation() }, most
end
local Q
-- A free body that turns about its middle axis and flips (Dzhanibekov) for 5 s: angle against a step of 0.1 ms [rad], and change of energy.
function M.dzhanibekov(dt)
  Q = Q or free(1e-4)
  local q, most = free(dt)
  local dot = 0
  for k = 1, 4 do dot = dot + q[k] * Q[k] end
  return 2 * math.sqrt(math.max(0, 1 - dot * dot)), most
end

-- A chain of so many links with 1000 times a link's mass at its end, let go level, for so many seconds: the largest gain of energy over its
-- drop, and its error.
function M.chain(dt, links, seconds)
  local w, last = world(dt), nil
  for i = 1, links do
    local link = w:box { size = { 0.05, 0.01, 0.01 }, mass = 0.1, position = { (i - 0.5) * 0.05, 0, 0 } }
    w:ball { a = link, b = last, at = { (i - 1) * 0.05, 0, 0 } }
    last = link
  end
  local load = w:sphere { radius = 0.1, mass = 100, position = { links * 0.05 + 0.1, 0, 0 } }
  w:fixed { a = load, b = last, at = { links * 0.05, 0, 0 } }
  local drop, most = (100 + 0.1 * links) * G * links * 0.05, 0
  for _ = 1, math.floor(seconds / dt / 100 + 0.5) do
    w:step(100)
    most = math.max(most, w:report().energy / drop)
  end
  return most, w:joints_report().error
end

return M
