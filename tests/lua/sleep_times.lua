-- Compares the step in which islands fall asleep with closed forms. An island falls asleep after slow motion for max(32 steps, 4 sleep/|g|), at the
-- start of the next step at which the number of finished steps is a multiple of 8. Motion is slow if |v| + |w| r is at most world.sleep. For bodies
-- with joints |v| + |w| r must also be at most the speed that a thousandth of gravity causes in 16 steps.
local scree = require "scree"
local check = require "check"

-- Returns the step in which the first body falls asleep, or nil if no body sleeps after `most` steps.
local function falls_asleep(w, most)
  for step = 1, most do
    w:step()
    if w:report().asleep > 0 then return step end
  end
end
local function expected(sleep, g, dt)
  local steps = math.max(32, g > 0 and 4 * sleep / g / dt or 0)
  return 8 * math.ceil(math.ceil(steps - 1e-9) / 8 - 1 / 8 - 1e-9) + 1
end
assert(expected(1e-3, 0, 1e-3) == 33)

-- ---- duration ----

for _, case in ipairs {
  { 1e-3, 9.81, 1e-3 }, { 0.05, 9.81, 1e-3 }, { 0.2, 9.81, 1e-3 }, { 0.3, 9.81, 1e-3 }, { 0.05, 1.62, 1e-3 }, { 0.05, 1.62, 2e-3 }, { 0.05, 1.62, 5e-4 }, { 0.01, 0, 1e-3 }, { 1, 0, 4e-3 },
} do
  local sleep, g, dt = table.unpack(case)
  local w = scree.world { dt = dt, sleep = sleep, gravity = { 0, 0.6 * -g, 0.8 * -g } }
  w:halfspace { normal = { 0, 0.6, 0.8 } }
  w:sphere { radius = 0.1, position = { 0, 0.06, 0.08 } }
  local wanted = expected(sleep, g, dt)
  local step = falls_asleep(w, wanted + 20)
  assert(step == wanted, ("sleep %g, g %g, dt %g: step %s instead of %d"):format(sleep, g, dt, step, wanted))
end

-- ---- speed ----

local S = 0.02
-- Lets bodies fly for 60 steps without gravity. speed: speed of a body over world.sleep. Returns the number of sleeping bodies.
local function sleepers(speed, make)
  local w = scree.world { dt = 1e-3, sleep = S, gravity = { 0, 0, 0 } }
  make(w, speed * S)
  w:step(60)
  return w:report().asleep, w
end
local makers = {
  velocity = function(w, s) w:sphere { radius = 0.1, position = { 0, 0, 0 }, velocity = { 0.6 * s, 0, 0.8 * s } } end,
  ["spin of a ball"] = function(w, s) w:sphere { radius = 0.1, position = { 0, 0, 0 }, spin = { 0, 6 * s, 8 * s } } end,
  ["spin of a box"] = function(w, s) w:box { size = { 0.2, 0.2, 0.1 }, position = { 0, 0, 0 }, spin = { 0, 0, s / 0.15 } } end,
  both = function(w, s) w:sphere { radius = 0.2, position = { 0, 0, 0 }, velocity = { 0, s / 2, 0 }, spin = { 2.5 * s, 0, 0 } } end,
}
for what, make in pairs(makers) do
  assert(sleepers(0.99, make) == 1, what .. " below the bound")
  assert(sleepers(1.01, make) == 0, what .. " above the bound")
end
-- one fast step restarts the count of slow steps
do
  local w = scree.world { dt = 1e-3, sleep = S, gravity = { 0, 0, 0 } }
  local ball = w:sphere { radius = 0.1, position = { 0, 0, 0 }, velocity = { 0.5 * S, 0, 0 } }
  w:step(20)
  ball:set_velocity(2 * S, 0, 0)
  w:step(1)
  ball:set_velocity(0.5 * S, 0, 0)
  local step = falls_asleep(w, 60)
  assert(step == 36, "21 + 32 steps, and the next step whose number before it is a multiple of 8: " .. tostring(step)) -- 57 = 21 + 36
end

-- ---- joints ----

for _, g in ipairs { 9.81, 1, 0 } do
  for _, dt in ipairs { 1e-3, 2e-3 } do
    local bound = g > 0 and math.min(S, 1e-3 * g * 16 * dt) or S
    for _, share in ipairs { 0.95, 1.05 } do
      local w = scree.world { dt = dt, sleep = S, gravity = { 0, 0, -g } }
      local wheel = w:sphere { radius = 0.1, position = { 0, 0, 0 }, spin = { 0, 0, share * bound / 0.1 } }
      w:hinge { a = wheel, at = { 0, 0, 0 }, axis = { 0, 0, 1 } }
      local steps = math.ceil(expected(S, g, dt)) + 16
      w:step(steps)
      assert(w:report().asleep == (share < 1 and 1 or 0), ("a wheel at %g of the bound, g %g, dt %g"):format(share, g, dt))
    end
  end
end

-- ---- energy ----

do
  local count, w = sleepers(0.9, function(w, s)
    w:sphere { radius = 0.1, mass = 2, position = { 0, 0, 0 }, velocity = { s / 2, 0, 0 }, spin = { 0, 5 * s, 0 } }
    w:box { size = { 0.2, 0.2, 0.1 }, mass = 3, position = { 0, 5, 0 }, velocity = { 0, 0, s / 3 } }
    w:sphere { radius = 0.1, mass = 4, position = { 0, 9, 0 }, velocity = { 3 * s, 0, 0 } } -- stays awake
  end)
  local s = 0.9 * S
  local lost = 2 * (s / 2) ^ 2 / 2 + 0.4 * 2 * 0.01 * (5 * s) ^ 2 / 2 + 3 * (s / 3) ^ 2 / 2
  assert(count == 2 and w:report().asleep == 2)
  check.within(w:report().dissipated, lost, 1e-12 * lost, "the kinetic energy of sleepers")
  check.within(w:report().kinetic, 4 * (3 * s) ^ 2 / 2, 1e-12 * lost, "the body that is awake")
end
do -- a body at rest with potential energy loses no energy when it falls asleep
  local w = scree.world { dt = 1e-3, sleep = 0.5, losses = true, gravity = { 0, 0, -9.81 } }
  local bob = w:sphere { radius = 0.1, mass = 2, position = { 0, 0, 3 }, velocity = { 0, 0, 0 } }
  w:halfspace { normal = { 0, 0, 1 } }
  w:ball { a = bob, at = { 0, 0, 3 } }
  w:step(260)
  assert(w:report().asleep == 1 and math.abs(w:report().dissipated) < 1e-12 and math.abs(w:losses().sleep) < 1e-12)
end
print "islands sleep when they should"
