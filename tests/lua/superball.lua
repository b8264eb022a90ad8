-- Tangential restitution: a superball reverses its slip and conserves its energy; friction limits the effect; no body gains energy.
local scree = require "scree"
local near = require("check").within
local function bounce(def, v, spin, dt)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt or 1e-3, losses = true }
  def[1], def[2] = "default", "default"
  w:pair(def)
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, mass = 3, position = { 0, 0, 0.1004 }, velocity = { v, 0.3, -1 }, spin = { 0, spin, 2 } }
  local before = w:report().kinetic
  w:step(2 + math.floor(5e-4 / w:dt()))
  local x, y, z = ball:velocity()
  local wx, wy, wz = ball:spin()
  return { slip = { x - 0.1 * wy, y + 0.1 * wx }, x = x, z = z, spin = wy, wz = wz, lost = (before - w:report().kinetic) / before, booked = w:losses()[1] and w:losses()[1].energy / before or 0 }
end

for _, dt in ipairs { 1e-2, 1e-3, 1e-5 } do
  for _, e in ipairs { 0, 0.4, 1 } do -- enough friction: Garwin's ball (1969), slip (v - R w) turns round by e, the momentum about the contact stays
    local b = bounce({ mu = 50, restitution = 1, tangential_restitution = e }, 1, -3, dt)
    local s = 1 + 0.1 * 3
    near(b.slip[1], -e * s, 1e-12, "slip along x")
    near(b.slip[2], -e * 0.3, 1e-12, "slip along y")
    near(b.x - 0.4 * 0.1 * -b.spin, 1 - 0.4 * 0.1 * 3, 1e-12, "momentum about the contact")
    near(b.z, 1, 1e-12, "normal speed")
    near(b.wz, 2, 1e-12, "spin about the normal")
    near(b.booked, b.lost, 1e-12, "losses")
    if e == 1 then near(b.lost, 0, 1e-12, "a superball keeps its energy") end
  end
end
do -- friction bounds compression and rebound, each with its own normal impulse
  local b = bounce({ mu = 0.01, restitution = 1, tangential_restitution = 1 }, 5, 0)
  local size = math.sqrt(25 + 0.09)
  near(b.x, 5 - 0.01 * 2 * 5 / size, 1e-9, "sliding")
  assert(b.lost > 0)
end
for i = 1, 40 do -- boxes on edges and corners: no energy comes from anywhere
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  w:pair { "default", "default", mu = 0.1 + 0.05 * i, restitution = 0.5 + i / 80, tangential_restitution = i / 40, restitution_law = ({ "stronge", "poisson", "newton" })[i % 3 + 1] }
  w:halfspace { normal = { 0, 0, 1 } }
  w:box { size = { 0.2, 0.1, 0.3 }, position = { 0, 0, 0.25 }, orientation = { 1, 0.3 * math.sin(i), 0.2 * math.cos(2 * i), 0.1 * i }, velocity = { math.sin(3 * i), 0.5, -1 }, spin = { 3 * math.cos(i), i / 9, 1 } }
  local last = w:report().kinetic
  for _ = 1, 400 do
    w:step()
    local now = w:report().kinetic
    assert(now <= last * (1 + 1e-9), "energy grows")
    last = now
  end
end
local w = scree.world {}
local fine, text = pcall(w.pair, w, { "default", "default", tangential_restitution = 1 })
assert(not fine and tostring(text):find("restitution must be above 0", 1, true), text)
print "superballs bounce"
