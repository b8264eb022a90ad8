-- Quantities with units in the library; the key `kind` of bodies; hints from wrong keys to right ones.
local scree = require "scree"
local servo, drive, inflow, feed, obstacle = require "scree.servo", require "scree.drive", require "scree.inflow", require "scree.feed", require "scree.obstacle"
local check = require "check"
local fails, near = check.fails, check.near

-- scree.check_keys returns a copy with numbers; values without unit do not change
local given = { name = "3 m", stress = { { "2 ms", "1 kPa" }, { 1, 5 } }, size = { "1 mm", 2, 3 }, flow = "60 /min" }
local read = scree.check_keys(given, { "name", stress = { "s", "Pa" }, size = "m", flow = "1/s" }, "x")
assert(read ~= given and given.size[1] == "1 mm", "the caller's table stays")
assert(read.name == "3 m" and read.stress[1][1] == 2e-3 and read.stress[1][2] == 1000 and read.stress[2][2] == 5)
assert(read.size[1] == 1e-3 and read.size[3] == 3 and read.flow == 1)
assert(scree.quantity("2 kN", "N, N m", "force") == 2000 and scree.quantity(nil, "N", "force") == nil)
assert(scree.quantity("2 kN m", "N, N m", "force") == 2000)
fails("x.stress: '3 m' has the wrong dimension; expected a pressure such as 1e5", scree.check_keys, { stress = "3 m" }, { stress = { "s", "Pa" } }, "x")
fails("x.stress[1][1]: '1 Pa' has the wrong dimension; expected a time", scree.check_keys, { stress = { { "1 Pa", 3 } } }, { stress = { "s", "Pa" } }, "x")
fails("x.stres is not a known key; did you mean 'stress'?", scree.check_keys, { stres = 1 }, { "size", stress = "Pa" }, "x")
fails("x.zzqq is not a known key; known are size, stress", scree.check_keys, { zzqq = 1 }, { "size", stress = "Pa" }, "x")
fails("check_keys: known[1] must be a string", scree.check_keys, {}, { 5 }, "x")

-- a triaxial box in kilopascals and millimetres is one in pascals and metres
local function triaxial(stress, min, max, speed, thickness)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  w:fill { region = { min = { 0, 0, 0 }, max = { 0.02, 0.02, 0.02 } }, spacing = 0.01, radius = 0.005 }
  servo.box(w, { name = "cell", min = min, max = max, stress = stress, speed = speed, thickness = thickness, mass = 0.1 })
  for _ = 1, 20 do servo.update(w) w:step() end
  return w
end
-- every prefix is its power of ten
for text, value in pairs { ["2 hPa"] = 200, ["2 kPa"] = 2000, ["2 MPa"] = 2e6, ["2 GPa"] = 2e9 } do assert(scree.quantity(text, "Pa", "p") == value, text) end
for text, value in pairs { ["5 dm"] = 0.5, ["5 cm"] = 0.05, ["5 mm"] = 0.005, ["5 um"] = 5e-6, ["5 nm"] = 5e-9 } do
  assert(math.abs(scree.quantity(text, "m", "x") / value - 1) < 1e-15, text)
end
local a = triaxial({ "1 kPa", "0.02 bar", 3000 }, { 0, 0, 0 }, { "2 cm", "20 mm", 0.02 }, "1 dm/s", "3 mm")
local b = triaxial({ 1000, 2000, 3000 }, { 0, 0, 0 }, { 0.02, 0.02, 0.02 }, 0.1, 0.003)
assert(a:hash() == b:hash())
servo.press(a, "cell_x", { { "0 s", "1 kPa" }, { "2 s", "3 kPa" } })
near(servo.read(a, "cell_x").target, 1000 * (1 + a:time()), 1e-12, "target")
fails("servo.press: '1 m' has the wrong dimension", servo.press, a, "cell_x", "1 m")
fails("servo.wall.stress must be at least 0 Pa", servo.wall, a, { name = "b", axis = { 1, 0, 0 }, position = { 0, 0, 0 }, size = { 1, 1, 1 }, stress = "-1 kPa", speed = 1 })

-- drives, inflows, feeds, obstacles
local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
local belt = w:box { size = { 1, 1, 1 }, kind = "kinematic" }
drive.body(belt, { 1, 0, 0 }, { { 0, "20 cm/s" }, { "1 min", "20 cm/s" } }):update(w)
near((belt:velocity()), 0.2, 1e-12, "belt")
inflow.create(w, { min = { "10 mm", 0, 0 }, max = { 0, "6 mm", "3 mm" }, spacing = "1 mm", radius = "0.4 mm", speed = "50 cm/s" })
assert(w.state.inflows[1].speed == 0.5 and w.state.inflows[1].grains > 0)
assert(feed.create(w, { region = { min = { 0, 0, 1 }, max = { 1, 1, 2 } }, mass_rate = "6 kg/min", total_mass = "500 g", radius = 0.01 }).mass_rate == 0.1)
feed.set_rate(w, "1 g/s")
assert(w.state.feeds[1].mass_rate == 1e-3)
obstacle.half_round(w, { position = { 0, 0, "5 cm" }, radius = "5 mm", height = "2 cm", name = "nose" })
near(select(3, w:find("nose"):position()), 0.05, 1e-12, "obstacle")

-- a joint takes the units of its free direction: of rotations or of displacements
do
  local other = w:sphere { radius = 0.1, position = { 2, 0, 0 } }
  local function make(kind, more)
    local def = { a = other, b = belt, at = { 0, 0, 0 }, at_b = kind == "distance" and { 1, 0, 0 } or nil, axis = kind ~= "distance" and { 1, 0, 0 } or nil }
    if kind == "universal" then def.axis_b = { 0, 1, 0 } end
    for key, value in pairs(more) do def[key] = value end
    return w[kind](w, def)
  end
  for kind, turns in pairs { hinge = true, universal = true, ball = true, slider = false, cylindrical = false, distance = false } do
    for key, units in pairs { friction = { "N m", "N" }, stiffness = { "N m/rad", "N/m" }, damping = { "N m s/rad", "N s/m" } } do
      fails(kind .. "." .. key .. ": '1 " .. units[turns and 2 or 1] .. "' has the wrong dimension", make, kind, { [key] = "1 " .. units[turns and 2 or 1] })
      make(kind, { [key] = "1 " .. units[turns and 1 or 2] }):remove()
    end
    fails(kind .. ".motor.speed: '-1 " .. (turns and "m/s" or "rad/s") .. "' has the wrong dimension", make, kind, { motor = { speed = turns and "-1 m/s" or "-1 rad/s" } })
    fails(kind .. ".servo.position: '2", make, kind, { servo = { position = turns and "2 mm" or "2 deg", stiffness = 3 } })
    local joint = make(kind, { motor = { speed = turns and "30 rpm" or "3 mm/s", force = turns and "2 N m" or "2 N" }, rest = turns and "1 deg" or "1 mm" })
    fails("set_motor.speed", joint.set_motor, joint, { speed = turns and "1 m/s" or "1 rad/s" })
    fails("servo.feed", joint.servo, joint, { feed = turns and "1 N" or "1 N m" })
    fails("set_spring.rest", joint.set_spring, joint, { rest = turns and "1 m" or "1 rad" })
    joint:servo { position = turns and "1 deg" or "1 cm", stiffness = turns and "1 N m/rad" or "1 N/m" }
    fails("drive.target", drive.new, joint, { { 0, turns and "1 m/s" or "1 rad/s" } })
    fails("drive.force", drive.new, joint, { { 0, 1 } }, turns and "1 N" or "1 N m")
    drive.new(joint, { { 0, turns and "1 rad/s" or "1 m/s" } }, turns and "1 N m" or "1 N")
    joint:remove()
  end
  fails("drive.new takes a joint first, not a body", drive.new, belt, { { 0, 1 } })
  fails("spring.stiffness: '1 N m/rad' has the wrong dimension", w.spring, w, { a = other, b = belt, at = { 0, 0, 0 }, at_b = { 1, 0, 0 }, stiffness = "1 N m/rad" })
  fails("fixed.stiffness: '1 N m/rad' has the wrong dimension", make, "fixed", { stiffness = "1 N m/rad" })
  fails("cylindrical.second.friction: '1 N' has the wrong dimension", make, "cylindrical", { second = { friction = "1 N" } })
  local both = make("cylindrical", { second = { friction = "1 N m", motor = { speed = "1 rad/s" } } })
  fails("set_motor.speed", both.set_motor, both, { second = true, speed = "1 m/s" })
  both:set_motor { second = true, speed = "1 rad/s" }
  fails("drive.target[1][2]: '1 m/s' has the wrong dimension", drive.body, belt, { 1, 0, 0 }, { { 0, "1 m/s" } }, true)
  fails("drive.target[1][2]: '1 rad/s' has the wrong dimension", drive.body, belt, { 1, 0, 0 }, { { 0, "1 rad/s" } })
end

-- kind is a word everywhere
local k = w:view "kind"
assert(k:get(1) == "kinematic" and k:totable()[1] == belt:kind() and w:read(belt).kind == "kinematic")

-- e leads to the coefficient of restitution, m to mu
fails("pair.e is not a known key; did you mean 'restitution'", w.pair, w, { "default", "default", e = 0.5 })
fails("pair.cor is not a known key; did you mean 'restitution'", w.pair, w, { "default", "default", cor = 0.5 })
fails("did you mean 'mu'", w.pair, w, { "default", "default", m = 0.5 })
