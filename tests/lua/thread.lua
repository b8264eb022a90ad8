-- A nut on a bolt: it moves down by the pitch per turn to 1e-3, runs for friction below the tangent of the lead angle and locks above it; masses, wrong dimensions.
local scree = require "scree"
local thread = require "scree.thread"
local check = require "check"
local m = { radius = 0.01, pitch = 0.006, depth = 0.0015, sides = 12 }
local lead = m.pitch / (2 * math.pi * (m.radius - m.depth / 2))

local function pair(mu, spin)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, threads = 1 }
  w:pair { "default", "default", mu = mu }
  w:body { kind = "fixed", shapes = thread.bolt(m, { length = 0.036 }) }
  return w, w:body { position = { 0, 0, 0.012 }, spin = { 0, 0, spin }, shapes = thread.nut(m, { height = 0.0096, density = 7800 }) }
end

-- the shaft's polygon and the thread's pieces: areas of chords times heights
local w, nut = pair(lead, 0)
local inner, outer = (m.radius - m.depth + 0.05 * m.depth) / math.cos(math.pi / 12), (m.radius + 0.05 * m.depth) / math.cos(math.pi / 12)
local chord = 12 / 2 * math.sin(math.pi / 6)
local wall = (3.4 * m.radius) ^ 2 * math.sqrt(3) / 2 - chord * outer ^ 2
local count = #thread.nut(m, { height = 0.0096 }) - 12
check.near((nut:mass() / 7800 - wall * 0.0096) / (count * chord / 12 * (outer ^ 2 - inner ^ 2) * 0.51 * m.pitch), 1, 0.03, "volume of the thread's pieces")

-- down by the pitch: places a whole number of pieces apart
local turn, z0, marks, last = 0, nil, {}, nil
w, nut = pair(0.02, -14)
while #marks < 13 and w:steps() < 3000 do
  w:step(1)
  local before = turn
  local _, _, z = nut:position()
  turn = turn + select(3, nut:spin()) * w:dt() / (2 * math.pi)
  local mark = -(#marks + 2) / 6
  if before > mark and turn <= mark then marks[#marks + 1] = last + (z - last) * (mark - before) / (turn - before) end
  last = z
end
assert(#marks == 13, "the nut stopped after " .. turn .. " turns")
-- the line through all of them: the nut has play
local slope = 0
for k = 1, 13 do slope = slope - (k - 7) * marks[k] / 182 end
check.near(6 * slope / m.pitch, 1, 1e-3, "way down a turn")

-- self-locking: on either side of the tangent of the lead angle
for _, case in ipairs { { 0.9, true }, { 1.1, false } } do
  w, nut = pair(case[1] * lead, 0)
  w:step(60) -- it settles on the flanks
  local _, _, before = nut:spin()
  w:step(60)
  local _, _, after = nut:spin()
  if case[2] then assert(after < before - 0.1 and after < -0.2, "below the lead angle it runs: " .. after)
  else assert(math.abs(after) < 1e-6, "above the lead angle it is locked: " .. after) end
end

check.fails("multiple of 6", thread.bolt, { radius = 0.01, pitch = 0.006, depth = 0.0015, sides = 13 }, { length = 0.03 })
check.fails("thread.nut.depth must be a number above 0 and up to 0.01", thread.nut, { radius = 0.01, pitch = 0.006, depth = 0.02 }, { height = 0.01 })
check.fails("did you mean 'pitch'", thread.bolt, { radius = 0.01, pitsch = 0.006, depth = 0.0015 }, { length = 0.03 })
check.fails("thread.nut.slack", thread.nut, m, { height = 0.01, slack = 0.004 })
check.fails("too small for its thread", thread.nut, m, { height = 0.001 })
print("thread: ok")
