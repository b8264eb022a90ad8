-- max_correction bounds the speed at which overlaps and joint errors are corrected, for all laws and solvers; without it erp determines the speed. With
-- position correction bodies move by the same distance and get no velocity.
local scree = require "scree"
local check = require "check"
local near = check.within
local function rise(def, law, joint)
  def.gravity = def.gravity or { 0, 0, -9.81 }
  local w = scree.world(def)
  w:pair { "default", "default", law = law, mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, position = { 0, 0, 0.05 } }
  local box = w:box { size = { 0.2, 0.2, 0.2 }, position = { 1, 0, 0.05 } }
  if joint then w:hinge { a = w:sphere { radius = 0.1, position = { 0, 9, 9 } }, at = { 0, 9, 9 }, axis = { 0, 1, 0 } } end
  w:step()
  local _, _, vz = ball:velocity()
  local _, _, uz = box:velocity()
  local _, _, z = ball:position()
  local _, _, y = box:position()
  local ball_speed, box_speed = (z - 0.05) / 1e-3, (y - 0.05) / 1e-3
  if def.correction == "velocity" then near(ball_speed, vz, 1e-9, "way of the ball") near(box_speed, uz, 1e-9, "way of the box")
  else near(vz, 0, 1e-9, "velocity of the ball") near(uz, 0, 1e-9, "velocity of the box") end
  return ball_speed, box_speed
end
for _, way in ipairs { { "velocity" }, { "position" }, { "velocity", true }, { "position", true } } do
  local correction, joint = way[1], way[2]
  for _, case in ipairs { { "nbgs", "coulomb" }, { "nbgs", "cone" }, { "apgd", "cone" }, { "spg", "coulomb" }, { "lemke", "polyhedral" } } do
    local what, solver = case[1] .. " " .. case[2], { name = case[1], iterations = 5000, correction_iterations = 5000, tolerance = 1e-12 }
    local vz, uz = rise({ correction = correction, max_correction = 0.1, solver = solver }, case[2], joint)
    near(vz, 0.1, 1e-9, what .. " ball")
    near(uz, 0.1, 1e-9, what .. " box")
    vz = rise({ correction = correction, erp = 0.5, solver = solver }, case[2], joint)
    near(vz, 0.5 * 0.05 / 1e-3, 1e-6, what .. " without a bound")
  end
  -- a drift time is bounded too; a small error is not
  local vz = rise({ correction = correction, drift_time = 0.1, max_correction = 0.2 }, "coulomb", joint)
  near(vz, 0.2, 1e-9, "drift time")
  vz = rise({ correction = correction, drift_time = 10, max_correction = 0.2 }, "coulomb", joint)
  near(vz, 0.005, 1e-9, "slower than the bound")
end

-- a joint torn by 0.5 m and one beyond its limit, where errors are fed back as speeds
local w = scree.world { gravity = { 0, 0, 0 }, max_correction = 0.3, correct_joints = false }
local a = w:sphere { radius = 0.1, position = { 0, 0, 0 } }
w:ball { a = a, at = { 0, 0, 0 } }
a:set_position { 0.5, 0, 0 }
w:step()
near(({ a:velocity() })[1], -0.3, 1e-9, "torn joint")
local b = w:sphere { radius = 0.1, position = { 0, 3, 0 } }
local rail = w:slider { a = b, at = { 0, 3, 0 }, axis = { 1, 0, 0 }, limits = { -1, 1 } }
b:set_position { 2, 3, 0 }
w:step()
near(rail:speed(), -0.3, 1e-9, "beyond its limit")
assert(not pcall(scree.world, { max_correction = -1 }))

-- Position correction respects joints: a pinned bar rotates out of the ground about its pin; a limit, a motor below its bound and friction keep a body,
-- a force motor does not
do
  local shift = scree.world { gravity = { 0, 0, 0 }, solver = { iterations = 200, correction_iterations = 200, tolerance = 1e-12 } }
  shift:pair { "default", "default", mu = 0.5 }
  shift:halfspace { normal = { 0, 0, 1 } }
  local bar = shift:capsule { radius = 0.05, length = 1, position = { 0, 0, 0.04 }, orientation = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 } }
  local pin = shift:hinge { a = bar, at = { -0.6, 0, 0.04 }, axis = { 0, 1, 0 } }
  local function slide(y, more)
    local ball = shift:sphere { radius = 0.1, position = { 0, y, 0.05 }, mass = 1 }
    more.a, more.at, more.axis = ball, { 0, y, 0.05 }, { 0, 0, 1 }
    return ball, shift:slider(more)
  end
  local free, rail = slide(2, {})
  local limited, limit = slide(3, { limits = { -1, 0.01 } })
  local driven, motor = slide(4, { motor = { speed = 0, force = 1e9 } })
  local stuck, brake = slide(5, { friction = 100 })
  local pressed, press = slide(6, { motor = { force = -1 } })
  shift:step(40)
  for _, joint in ipairs { pin, rail, limit, motor, brake, press } do near(joint:error(), 0, 1e-6, "joints hold") end
  near(pin:position(), -0.1, 0.01, "the bar turns")
  assert((select(3, bar:position())) > 0.09)
  near(rail:position(), 0.05, 1e-9, "out of the ground")
  near(limit:position(), 0.01, 1e-9, "up to the limit")
  near(motor:position(), 0, 1e-12, "held by a motor")
  near(brake:position(), 0, 1e-12, "held by friction")
  near(press:position(), 0.05, 1e-6, "not held by a force")
  for _, ball in ipairs { free, limited, driven, stuck, pressed } do near((select(3, ball:velocity())), 0, 1e-9, "no velocity comes of it") end
end
print "corrections: bounded as asked"
