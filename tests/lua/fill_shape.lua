-- Grains of a shape in w:fill, w:insert and the inflow: material and density of the verb are those of the shape.
local scree = require "scree"
local inflow = require "scree.inflow"
local check = require "check"
local cube = { type = "box", size = { 0.004, 0.004, 0.004 } }

local function world()
  local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3 }
  w:material { name = "plastic", density = 1200 }
  w:material { name = "floor" }
  w:pair { "plastic", "floor", mu = 0.3 }
  w:halfspace { normal = { 0, 0, 1 }, material = "floor" }
  return w
end
local function region(z) return { min = { 0, 0, z }, max = { 0.01, 0.01, z + 0.01 } } end
local function mass_of(w)
  local mass = w:view "mass"
  return mass[#mass]
end
local function near(a, b) assert(math.abs(a - b) < 1e-12 * b, a .. " " .. b) end

local w = world()
assert(w:fill { region = region(0), spacing = 0.01, radius = 0.004, shape = cube, material = "plastic" } == 1)
near(mass_of(w), 1200 * 0.004 ^ 3)
for _ = 1, 60 do w:step() end
local touches = w:contacts()
assert(#touches > 0)
for _, c in ipairs(touches) do assert(c.material1 == "plastic" or c.material2 == "plastic") end

w = world()
w:fill { region = region(0), spacing = 0.01, radius = 0.004, shape = cube, density = 700 }
near(mass_of(w), 700 * 0.004 ^ 3)
w:insert { region = region(0.02), count = 1, shape = cube, material = "plastic" }
near(mass_of(w), 1200 * 0.004 ^ 3)
w:insert { region = region(0.04), count = 1, shape = cube, material = "plastic", density = 900 }
near(mass_of(w), 900 * 0.004 ^ 3)

w = world()
inflow.create(w, { min = { 0, 0, 0 }, max = { 0, 0.01, 0.01 }, spacing = 0.01, radius = 0.004, speed = 1, material = "plastic", shape = cube })
near(mass_of(w), 1200 * 0.004 ^ 3)

-- one of the two, not both
local own = { type = "box", size = { 0.004, 0.004, 0.004 }, material = "plastic", density = 2000 }
check.fails("fill.material: the shape of the grains has its own", w.fill, w, { region = region(0), spacing = 0.01, radius = 0.004, shape = own, material = "plastic" })
check.fails("insert.density: the shape of the grains has its own", w.insert, w, { region = region(0), count = 1, shape = own, density = 1 })
