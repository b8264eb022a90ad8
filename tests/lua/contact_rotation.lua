-- Contacts with stiffness whose bodies rotate together about an axis across the normal. Nothing slips, so the tangential force is 0. The error of
-- this force falls with the square of the step.
local scree = require "scree"
local rigid = require "rigid"
local dot, sum, turn = rigid.dot, rigid.add, rigid.turn

local MASS, STIFFNESS, RATE, ANGLE, R = 1e10, 1e5, 1, 0.3, 0.05
local TILTS = { { 1, 0, 0, 0 }, { math.cos(0.5), 0.6 * math.sin(0.5), 0, 0.8 * math.sin(0.5) } }

-- Returns the tangential force per normal force and radian, and the normal force over k times the overlap.
local function rotate(upper, lower, overlap, dt, q)
  local inertia, spin = { MASS, 0, 0, MASS, 0, MASS }, turn(q, { RATE, 0, 0 })
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt }
  w:pair { "default", "default", mu = 100, contact_stiffness = STIFFNESS }
  local body
  if upper == "sphere" then body = w:sphere { radius = R, mass = MASS, inertia = inertia, orientation = q }
  else body = w:ellipsoid { size = { 2 * R, 2 * R, 2 * R }, mass = MASS, inertia = inertia, orientation = q } end
  local at, other = -(2 * R - overlap), nil
  if lower == "plate" then other = w:box { kind = "kinematic", size = { 1, 1, 2 * R }, position = turn(q, { 0, 0, at }), orientation = q }
  else other = w:sphere { radius = R, mass = MASS, inertia = inertia, position = turn(q, { 0, 0, at }), orientation = q } end
  for k = 1, math.floor(ANGLE / RATE / dt + 0.5) do
    -- the chord of the circle about the upper body's centre that the lower body passes in this step
    local middle, half = RATE * dt * (k - 0.5), RATE * dt / 2
    local chord = RATE * at * math.sin(half) / half
    other:set_velocity(turn(q, { 0, -chord * math.cos(middle), -chord * math.sin(middle) }))
    other:set_spin(spin)
    body:set_velocity { 0, 0, 0 }
    body:set_spin(spin)
    w:step()
  end
  local contact = w:contacts()()
  local n, p = contact.normal, contact.impulse
  local along = dot(n, p)
  local tangent = sum(p, -along, n)
  return math.sqrt(dot(tangent, tangent)) / along / ANGLE, along / dt / (STIFFNESS * overlap)
end

for _, upper in ipairs { "sphere", "ellipsoid" } do
  for _, lower in ipairs { "plate", "sphere" } do
    for _, q in ipairs(TILTS) do
      for _, overlap in ipairs { 1e-3, 1e-4 } do
        local coarse, normal = rotate(upper, lower, overlap, 2e-3, q)
        local fine = rotate(upper, lower, overlap, 5e-4, q)
        local name = ("%s on %s, overlap %g"):format(upper, lower, overlap)
        assert(math.abs(normal - 1) < 0.01, name .. ": normal force over k times the overlap: " .. normal)
        assert(coarse < 5e-3 and fine < coarse / 8, ("%s: tangential force per normal force and radian %.2g, with a quarter of the step %.2g"):format(name, coarse, fine))
      end
    end
  end
end

-- A restart from a saved state gives the bits of the whole run, also in a world of balls, and also if contacts became springs.
for _, softness in ipairs { 0, 0.01 } do
  local function pile()
    local w = scree.world { dt = 1e-3, solver = { iterations = 30, softness = softness > 0 and softness or nil } }
    w:pair { "default", "default", mu = 0.5, contact_stiffness = softness == 0 and 1e4 or nil }
    w:halfspace { normal = { 0, 0, 1 } }
    for k = 0, 26 do w:sphere { radius = 0.05, position = { 0.095 * (k % 3) + 0.01 * (k // 9), 0.095 * (k // 3 % 3), 0.05 + 0.1 * (k // 9) }, spin = { k, 3, -k } } end
    return w
  end
  local whole, part = pile(), pile()
  whole:step(120)
  part:step(60)
  local state = part:save()
  local again = pile()
  again:restore(state)
  again:step(60)
  assert(again:hash() == whole:hash(), "a restart with softness " .. softness .. " has other bits")
end
