-- Bodies on one contact keep their energy: Euler's disk in steady motion and a fast top on a point.
local scree = require "scree"
local G = 9.81
local function turn(angle) return { math.cos(angle / 2), 0, math.sin(angle / 2), 0 } end

-- Share of the energy that a rolling disk at a steady tilt loses in 0.5 s.
local function disk(shape, dt)
  local R, tilt, m, thin = 0.0375, math.rad(20), 0.01, 1e-4
  local s, c = math.sin(tilt), math.cos(tilt)
  local rate = math.sqrt(4 * G / (R * s)) * s
  local I = { m * R * R / 4, 0, 0, m * R * R / 4, 0, m * R * R / 2 }
  local w = scree.world { gravity = { 0, 0, -G }, dt = dt }
  w:pair { "default", "default", mu = 0.8 }
  w:halfspace { normal = { 0, 0, 1 } }
  local b
  if shape == "cylinder" then
    b = w:cylinder { radius = R, length = thin, mass = m, inertia = I, position = { 0, 0, R * s + 0.5 * thin * c }, orientation = turn(tilt) }
  else
    b = w:ellipsoid { size = { 2 * R, 2 * R, thin }, mass = m, inertia = I, position = { 0, 0, math.sqrt((R * s) ^ 2 + (thin / 2 * c) ^ 2) },
      orientation = turn(tilt) }
  end
  b:set_spin(-rate * c, 0, rate * s)
  w:step()
  local start = w:report().energy
  w:step(math.floor(0.5 / dt))
  return w:report().energy / start - 1
end
for _, shape in ipairs { "cylinder", "ellipsoid" } do
  local coarse, fine = disk(shape, 1e-3), disk(shape, 1e-4)
  assert(math.abs(coarse) < 1e-3, shape .. " at 1 ms: " .. coarse)
  assert(math.abs(fine) < 5e-6, shape .. " at 0.1 ms: " .. fine)
  print(("%s: %.2e of the energy at 1 ms, %.2e at 0.1 ms"):format(shape, coarse, fine))
end

local function top(dt)
  local m, R, l, spin, tilt = 1, 0.1, 0.1, 200, math.rad(30)
  local I3, I1c = 0.5 * m * R * R, 0.25 * m * R * R
  local c, s, I1 = math.cos(tilt), math.sin(tilt), I1c + m * l * l
  local A, B, C = I1 * c, -I3 * spin, m * G * l
  local rate = (-B - math.sqrt(B * B - 4 * A * C)) / (2 * A)
  local w = scree.world { gravity = { 0, 0, -G }, dt = dt }
  w:pair { "default", "default", mu = 2 }
  w:halfspace { normal = { 0, 0, 1 } }
  local b = w:body { position = { 0, 0, 0 }, orientation = turn(tilt), mass = m, inertia = { I1c, 0, 0, I1c, 0, I3 },
    shapes = { { type = "sphere", radius = 1e-6, position = { 0, 0, 0 } }, { type = "sphere", radius = 1e-6, position = { 0, 0, 2 * l } } } }
  b:set_position(l * s, 0, l * c + 1e-6)
  b:set_spin(spin * s - rate * c * s, 0, spin * c + rate * (1 - c * c))
  b:set_velocity(0, rate * l * s, 0)
  w:step(math.floor(2 * math.pi / rate / dt))
  local _, q1, q2 = b:orientation()
  return math.deg(math.acos(1 - 2 * (q1 * q1 + q2 * q2)))
end
local tilt = top(1e-3)
assert(math.abs(tilt - 30) < 0.01, "tilt of the top " .. tilt)
print(("top: %.4f degrees"):format(tilt))
