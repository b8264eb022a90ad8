-- rolling_friction is a share of the reduced radius, with the same meaning under hard laws and under the penalty stepper.
local scree = require "scree"
local check = require "check"

-- A ball on a plane slows down by 5/7 rolling_friction g, whatever its radius.
local function slowing(def, pair, radius, steps)
  def.gravity = { 0, 0, -10 }
  local w = scree.world(def)
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = radius, position = { 0, 0, radius }, velocity = { 1, 0, 0 }, spin = { 0, 1 / radius, 0 } }
  w:step(steps)
  local early, start = (ball:velocity()), w:time()
  w:step(steps)
  return (early - (ball:velocity())) / (w:time() - start)
end
local wanted = 5 / 7 * 0.02 * 10
for _, radius in ipairs { 0.05, 0.2 } do
  for _, law in ipairs { "coulomb", "max_dissipation", "decoupled", "polyhedral" } do
    check.within(slowing({ dt = 1e-3 }, { law = law, mu = 0.6, rolling_friction = 0.02 }, radius, 200), wanted, 1e-6 * wanted, law)
  end
  check.within(slowing({ dt = 1e-3, solver = { name = "newton" } }, { mu = 0.6, rolling_friction = 0.02 }, radius, 200), wanted, 1e-6 * wanted, "newton")
  check.within(slowing({ dt = 2e-5, stepper = "penalty" }, { law = "hooke", stiffness = 1e7, mu = 0.6, damping = 0.5, rolling_friction = 0.02 }, radius, 10000),
    wanted, 0.01 * wanted, "hooke")
end
-- it adds to the length: 0.01 R and 0.01 of R
check.within(slowing({ dt = 1e-3 }, { mu = 0.6, rolling = 0.001, rolling_friction = 0.01 }, 0.1, 200), wanted, 1e-6 * wanted, "both")

-- two balls: the reduced radius is half of theirs, as rolling = R/2 times the share says
local function pressed(pair)
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  local a = w:sphere { radius = 0.1, mass = 1, position = { -0.1, 0, 0 }, spin = { 0, 0, 4 } }
  local b = w:sphere { radius = 0.1, mass = 1, position = { 0.1, 0, 0 }, spin = { 0, 0, -4 } }
  for _ = 1, 50 do
    a:apply { force = { 10, 0, 0 } }
    b:apply { force = { -10, 0, 0 } }
    w:step()
  end
  return select(3, a:spin())
end
local share, length = pressed { mu = 0, rolling_friction = 0.1 }, pressed { mu = 0, rolling = 0.1 * 0.05 }
assert(share < 3.9 and share > 0, share)
check.within(share, length, 1e-9, "two balls")
