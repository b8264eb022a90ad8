-- Walls with a given stress: the balance of forces on them step by step, speed limits, areas, a triaxial box against the stress of its
-- contacts, a sheared bed against Coulomb's law; bad input.
local scree = require "scree"
local servo = require "scree.servo"
local check = require "check"
local near = check.within
local fails = require("check").fails

-- a wall in empty space closes at its speed limit, whatever its stress and its weight, and draws back when it is driven back
do
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
  servo.wall(w, { name = "lid", axis = { 0, 0, -2 }, position = { 0, 0, 1 }, size = { 0.1, 0.2, 0.01 }, mass = 0.5, stress = 1e4, speed = 0.2 })
  for _ = 1, 200 do servo.update(w) w:step() end
  local r = servo.read(w, "lid")
  near(r.speed, 0.2, 1e-9, "speed limit")
  near(r.area, 0.02, 1e-15, "area")
  near(r.target, 1e4, 0, "target")
  assert(r.position > 0.03 and r.stress == 0)
  servo.drive(w, "lid", -0.1)
  for _ = 1, 10 do servo.update(w) w:step() end
  near(servo.read(w, "lid").speed, -0.1, 1e-9, "driven back")
  servo.press(w, "lid", { { 0, 0 }, { 1, 100 } })
  near(servo.read(w, "lid").target, 100 * w:time(), 1e-9, "target between entries")
  servo.press(w, "lid", 0)
  for _ = 1, 10 do servo.update(w) w:step() end
  near(servo.read(w, "lid").speed, -0.1, 1e-9, "nothing pulls a wall without stress")
end

-- An oedometer with the sweeps that a world has by default. Returns world, and the largest |force/target - 1| over the last steps.
local function oedometer(stress)
  local side = 0.03
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 2e-4 }
  w:pair { "default", "default", mu = 0.3 }
  for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 } } do
    w:halfspace { normal = n, point = { n[1] < 0 and side or 0, n[2] < 0 and side or 0, 0 } }
  end
  w:fill { region = { min = { 0, 0, 0 }, max = { side, side, 0.024 } }, spacing = 0.006, radius = 0.0025, radius_max = 0.003 }
  servo.wall(w, { name = "lid", axis = { 0, 0, -1 }, position = { side / 2, side / 2, 0.027 }, size = { side * 0.99, side * 0.99, 0.004 }, area = side * side,
    stress = stress, speed = 0.5 })
  local worst, sum = 0, 0
  for k = 1, 1500 do
    servo.update(w)
    w:step()
    if k > 1400 then
      local now = servo.read(w, "lid").stress / stress
      worst, sum = math.max(worst, math.abs(now - 1)), sum + now
    end
  end
  return worst, sum / 100, w:report()
end
local worst, mean, report = oedometer(5000)
print(("oedometer: worst step %.2g, mean %.6f, mean penetration %.2g m"):format(worst, mean, report.mean_penetration))
near(mean, 1, 1e-3, "mean of the lid's stress")
assert(worst < 0.02, "the lid's stress jumps by " .. worst)
assert(report.mean_penetration < 1e-5 * 0.0025)

-- a triaxial box: every wall carries its stress, also while one is driven, and the stress of the contacts inside is equal
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-4, solver = { tolerance = 1e-4 } }
  w:material { name = "wall" }
  w:pair { "default", "wall", mu = 0 }
  w:pair { "default", "default", mu = 0.5 }
  local edge, wanted = 0.013, { 2600, 3000, 3400 }
  w:fill { region = { min = { 0, 0, 0 }, max = { edge, edge, edge } }, spacing = 0.0026, radius = 0.00075, radius_max = 0.00125 }
  local grains = w:count()
  servo.box(w, { name = "cell", min = { 0, 0, 0 }, max = { edge, edge, edge }, stress = wanted, speed = 0.3, material = "wall" })
  local function run(steps)
    local wall, inner = { 0, 0, 0 }, { 0, 0, 0 }
    for k = 1, steps do
      servo.update(w)
      w:step()
      if k > steps - 100 then
        local s = servo.stress(w, "cell")
        for i, axis in ipairs { "x", "y", "z" } do
          wall[i], inner[i] = wall[i] + servo.read(w, "cell_" .. axis).stress / 100, inner[i] + s[axis .. axis] / 100
        end
      end
    end
    return wall, inner
  end
  local wall, inner = run(500)
  for i = 1, 3 do
    near(wall[i], wanted[i], 0.02 * wanted[i], "stress on wall " .. i)
    near(inner[i], wall[i], 0.02 * wall[i], "stress of contacts along " .. i)
  end
  local before = servo.size(w, "cell")
  servo.drive(w, "cell_z", 0.015)
  wall, inner = run(400)
  local l = servo.size(w, "cell")
  near(before[3] - l[3], 0.015 * 0.04, 1e-6, "way of the driven wall")
  near(wall[1], wanted[1], 0.05 * wanted[1], "lateral stress x")
  near(wall[2], wanted[2], 0.05 * wanted[2], "lateral stress y")
  assert(wall[3] > 1.1 * wanted[3], "the driven wall meets " .. wall[3])
  for i = 1, 3 do near(inner[i], wall[i], 0.05 * wall[i], "stress of contacts along " .. i .. " while driven") end
  local r = servo.read(w, "cell_z")
  near(r.area, l[1] * l[2], 1e-15, "area of the top")
  assert(r.target == nil)
  -- walls are distinguished from grains by their group
  assert(servo.stress(w, "cell").grains == grains and w:coordination { group = 0 }.grains == grains and w:coordination({}).grains == grains + 3)
  assert(w:report().mean_penetration < 1e-3 * 0.001, "walls that pass through each other do not count as penetrations")
  print(("triaxial: %.0f %.0f %.0f Pa on walls, %.0f %.0f %.0f Pa of contacts"):format(wall[1], wall[2], wall[3], inner[1], inner[2], inner[3]))
end

-- direct shear: the force on a floor that is pulled away under a loaded bed is mu times the total load
do
  local side, stress, mu = 0.02, 1000, 0.3
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 2e-4 }
  for _, name in ipairs { "wall", "floor" } do w:material { name = name } end
  w:pair { "default", "wall", mu = 0 }
  w:pair { "default", "floor", mu = mu }
  for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do
    w:halfspace { normal = n, point = { n[1] < 0 and side or 0, n[2] < 0 and side or 0, 0 }, material = "wall" }
  end
  local floor = w:halfspace { normal = { 0, 0, 1 }, kind = "kinematic", velocity = { 0.2, 0, 0 }, material = "floor" }
  w:fill { region = { min = { 0, 0, 0 }, max = { side, side, 0.015 } }, spacing = 0.005, radius = 0.0022, radius_max = 0.0025,
    velocity = { 0, 0, -0.3 }, jitter = { 0.3, 0.3, 0 } } -- out of their lattice, in which they would roll like wheels
  local weight = w:view("mass"):sum() * 9.81
  servo.wall(w, { name = "lid", axis = { 0, 0, -1 }, position = { side / 2, side / 2, 0.018 }, size = { side * 0.99, side * 0.99, 0.004 }, area = side * side,
    stress = stress, speed = 0.5, material = "wall" })
  local along, down = 0, 0
  for k = 1, 1500 do
    servo.update(w)
    w:step()
    if k > 1000 then
      local f = w:forces_on(floor)
      along, down = along - f[1] / 500, down - f[3] / 500
    end
  end
  near(down, stress * side * side + weight, 0.02 * down, "normal force on the floor")
  assert(along > 0.5 * mu * down and along <= mu * down * (1 + 1e-9), "shear force " .. along .. " of " .. down)
end

-- bad input
local w = scree.world { gravity = { 0, 0, 0 } }
local function wall(more)
  local def = { name = "a", axis = { 0, 0, 1 }, position = { 0, 0, 0 }, size = { 1, 1, 1 }, mass = 1, stress = 1, speed = 1 }
  for k, v in pairs(more) do def[k] = v end
  return function() servo.wall(w, def) end
end
fails("servo.wall.sped is not a known key; did you mean 'speed'?", wall { sped = 1 })
fails("at least 0 Pa", wall { stress = -1 })
fails("at least 0 Pa", wall { stress = 0 / 0 })
fails("times must rise", wall { stress = { { 0, 1 }, { 0, 2 } } })
fails("greater than 0", wall { speed = 0 })
fails("none of the box's", wall { axis = { 1, 1, 0 } })
fails("length zero", wall { axis = { 0, 0, 0 } })
fails("is missing", servo.wall, w, { name = "a" })
fails("no grains yet", servo.wall, w, { name = "a", axis = { 0, 0, 1 }, position = { 0, 0, 0 }, size = { 1, 1, 1 }, stress = 1, speed = 1 })
fails("greater than min", servo.box, w, { name = "c", min = { 0, 0, 0 }, max = { 1, 1, 0 }, stress = 1, speed = 1, mass = 1 })
fails("no servo wall 'b'", servo.press, w, "b", 1)
fails("no servo box 'b'", servo.size, w, "b")
local driven = scree.world {}
servo.wall(driven, { name = "a", axis = { 0, 0, 1 }, position = { 0, 0, 0 }, size = { 1, 1, 1 }, mass = 1, stress = 1, speed = 1 })
fails("finite number", servo.drive, driven, "a", math.huge)
assert(w:count { kind = "all" } == 0, "nothing was made of what was refused")
