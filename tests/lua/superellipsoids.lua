-- Superellipsoids as grains: filled, inserted by a distribution of sizes, and at rest on a floor.
local scree = require "scree"
local check = require "check"
local near = check.near

local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
w:pair { "default", "default", mu = 0.5 }
w:halfspace { normal = { 0, 0, 1 } }
for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do
  w:halfspace { normal = n, point = { n[1] < 0 and 0.06 or 0, n[2] < 0 and 0.06 or 0, 0 } }
end
local pill = { type = "superellipsoid", size = { 0.012, 0.01, 0.006 }, e1 = 0.5, e2 = 0.8 }
local t = w:template { shapes = { pill } }
near(t.mass, scree.world({}):superellipsoid({ size = pill.size, e1 = 0.5, e2 = 0.8 }):mass(), 1e-14, "one shape is its own union")
local region = { min = { 0.009, 0.009, 0.009 }, max = { 0.051, 0.051, 0.09 } }
local placed, kg = w:insert { region = region, count = 30, template = t, sizes = { by = "mass", distribution = "uniform", min = "6 mm", max = "11 mm" } }
assert(placed == 30)
near(w:view("mass"):sum(), kg, 1e-12)
local filled = w:fill { region = { min = { 0, 0, 0.1 }, max = { 0.06, 0.06, 0.14 } }, spacing = 0.02, radius = 0.009, shape = pill }
assert(filled == 18)
w:step(900)
local report = w:report()
assert(report.kinetic < 1e-4 * kg * 9.81 * 0.1, "at rest: " .. report.kinetic)
assert(report.penetration < 2e-4, "they lie in each other: " .. report.penetration)
for i, z in ipairs(w:view("position"):totable()) do
  if i % 3 == 0 and w:view("kind"):get(i // 3) == "dynamic" then assert(z > 0.0015 and z < 0.1, "a grain left the box") end
end
-- the axes' ends of two equal ones that face each other are their nearest points
local v = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, margin = 1 }
v:superellipsoid { size = pill.size, e1 = 0.5, e2 = 0.8 }
v:superellipsoid { size = pill.size, e1 = 0.5, e2 = 0.8, position = { 0.0125, 0, 0 } }
v:step()
local c = v:contacts()
assert(#c == 1)
near(c[1].gap, 0.0005, 1e-9, "gap of facing ends")
