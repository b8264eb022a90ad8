-- Impacts on jointed bodies: restitution acts with the effective mass of the mechanism at the point, for any step size; impacts pass through rows of
-- hanging balls as through free balls; energy never increases.
local scree = require "scree"
local check = require "check"
local near = check.within
local function world(dt, e, law, mu)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt, solver = { iterations = 500, tolerance = 1e-9 } }
  w:pair { "default", "default", mu = mu or 0, restitution = e, restitution_law = law }
  return w
end
local function energy(w) return w:report().kinetic end

-- A rod hinged at its end hits a ball at the distance x from the hinge: its spin is reversed with the factor e, in one step.
local function rod(e, x, dt, law)
  local w = world(dt, e, law)
  local b = w:box { size = { 1, 0.02, 0.02 }, mass = 1, position = { 0.5, 0, 0 }, spin = { 0, 2, 0 }, velocity = { 0, 0, -1 } }
  local hinge = w:hinge { a = b, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
  w:sphere { kind = "fixed", radius = 0.05, position = { x, 0, -0.0625 } }
  for _ = 1, math.floor(0.02 / dt) do
    w:step()
    if math.abs(hinge:speed() - 2) > 1e-9 then break end
  end
  if e == 0 then w:step(2) end -- the gap is used up first
  near(hinge:speed(), -2 * e, 2e-6, ("rod struck at %g with e = %g, dt = %g, %s"):format(x, e, dt, law))
  near(w:report().dissipated, 0.5 * (4 - 4 * e * e) * (1 / 3 + 0.02 ^ 2 / 12), 5e-6, "what the rod loses")
end
for _, e in ipairs { 0, 0.5, 1 } do
  for _, law in ipairs { "newton", "poisson", "stronge" } do rod(e, 0.5, 1e-3, law) end
  for _, x in ipairs { 0.3, 2 / 3, 0.9 } do rod(e, x, 1e-3, "newton") end
  for _, dt in ipairs { 1e-2, 4e-3, 1e-4, 1e-5 } do rod(e, 0.3, dt, "newton") end
end

-- Two balls welded together are one body.
for _, e in ipairs { 0, 0.5, 1 } do
  local w = world(1e-4, e, "newton")
  w:halfspace { normal = { 0, 0, 1 } }
  local low = w:sphere { radius = 0.1, position = { 0, 0, 0.1001 }, velocity = { 0, 0, -1 } }
  local high = w:sphere { radius = 0.1, position = { 0, 0, 0.4001 }, velocity = { 0, 0, -1 } }
  w:fixed { a = low, b = high, at = { 0, 0, 0.25 } }
  w:step(20)
  near((select(3, low:velocity())), e, 1e-9, "a welded pair")
  near((select(3, high:velocity())), e, 1e-9, "its upper ball")
end

-- Hanging cradles end as free balls do.
local function cradle(e, hanging, dt)
  local w = world(dt, e, "newton")
  local balls = {}
  for i = 1, 5 do balls[i] = w:sphere { radius = 0.1, position = { 0.2 * i, 0, 0 } } end
  for i = 1, 5 do if hanging then w:slider { a = balls[i], at = { 0.2 * i, 0, 0 }, axis = { 1, 0, 0 } } end end
  balls[1]:set_position(0.2 - 5e-5, 0, 0)
  balls[1]:set_velocity(1, 0, 0)
  w:step(10)
  local v = {}
  for i = 1, 5 do v[i] = balls[i]:velocity() end
  return v
end
for _, dt in ipairs { 1e-3, 1e-4, 1e-5 } do
  for _, e in ipairs { 0, 0.5, 1 } do
    local free, tied = cradle(e, false, dt), cradle(e, true, dt)
    for i = 1, 5 do near(tied[i], free[i], 1e-6, ("ball %d of a cradle with e = %g, dt = %g"):format(i, e, dt)) end
  end
end
do -- on hinges: the tangent speed goes from the first ball to the last
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-4 }
  w:pair { "default", "default", mu = 0, restitution = 1 }
  local balls, tilt = {}, math.rad(30)
  for i = 1, 5 do balls[i] = w:sphere { radius = 0.1, position = { 0.2 * i, 0, 0 } } end
  balls[1]:set_position(0.2 - math.sin(tilt), 0, 1 - math.cos(tilt))
  for i = 1, 5 do w:hinge { a = balls[i], at = { 0.2 * i, 0, 1 }, axis = { 0, 1, 0 } } end
  local fastest, last = 0, 0
  while last < 0.5 do
    w:step()
    fastest, last = math.max(fastest, (balls[1]:velocity())), balls[5]:velocity()
  end
  near(last, fastest, 2e-4 * fastest, "the last ball takes it all")
  near((balls[1]:velocity()), 0, 1e-6, "the first ball stays")
end

-- A platform on two rods that hits two stops at once rebounds without tilting, and friction only dissipates.
for _, case in ipairs { { 1, 0, "stronge" }, { 0.6, 0.5, "stronge" }, { 0.6, 0.5, "poisson" }, { 1, 0.5, "newton" } } do
  local e, mu, law = case[1], case[2], case[3]
  local w = world(1e-3, e, law, mu)
  local deck = w:box { size = { 1, 0.1, 0.02 }, mass = 1, position = { 0.5, 0, 0 }, velocity = { 0, 0, -1 } }
  for _, x in ipairs { 0, 1 } do
    local arm = w:box { size = { 0.02, 0.02, 0.02 }, mass = 0.2, position = { x, 0, 0 }, velocity = { 0, 0, -1 } }
    w:hinge { a = arm, b = deck, at = { x, 0, 0 }, axis = { 0, 1, 0 } }
    w:sphere { kind = "fixed", radius = 0.05, position = { x * 0.6 + 0.2, 0, -0.0645 } }
  end
  local before, last = energy(w), math.huge
  for _ = 1, 60 do
    w:step()
    local now = energy(w)
    assert(now <= math.min(before, last) * (1 + 1e-12), "energy grows from " .. last .. " to " .. now)
    last = now
  end
  assert((select(3, deck:velocity())) > 0.5 * e, "the deck comes back")
  near((select(2, deck:spin())), 0, 1e-9, "level")
  if e == 1 and mu == 0 then near(last, before, 1e-9 * before, "all of it") end
end
print "impacts on mechanisms"
