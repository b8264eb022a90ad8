-- The simultaneous impact of the four balls (Stewart & Trinkle 1996): a rolling ball hits a row of three that touch; exact values for
-- circular cones, whatever the solver.
local scree = require "scree"
local expected = { { 0.2940646339, 0.2086351098, 0.2390097447 }, { 0.2199164575, -0.0567141322, 0 }, { 0.2199164575, -0.0533687019, 0.0696846908 },
  { 0.2199164575, 0.0092170374, 0 } }

local function impact(solver)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-6, erp = 1, solver = { name = solver, iterations = 100000, tolerance = 1e-14 } }
  w:pair { "default", "default", law = "coulomb", mu = 0.4 }
  w:halfspace { normal = { 0, 0, 1 } }
  -- after the landing the ball rolls with 5/7 of its speed; contact where the centres are 0.2 apart
  local vx, vy, landing = 1.5 * 5 / 7, 0.1 * 5 / 7, math.sqrt(2 * 0.9 / 9.81)
  local x0, y0 = 1.5 * landing, 0.1 * landing
  local a, b, c = vx * vx + vy * vy, -2 * ((1 - x0) * vx - y0 * vy), (1 - x0) ^ 2 + y0 ^ 2 - 0.04
  local t = (-b - math.sqrt(b * b - 4 * a * c)) / (2 * a)
  assert(math.abs(landing - 0.4283529369) < 1e-9 and math.abs(landing + t - 0.5822125807) < 1e-9)
  local balls = { w:sphere { radius = 0.1, mass = 1, position = { x0 + vx * t, y0 + vy * t, 0.1 }, velocity = { vx, vy, 0 }, spin = { -vy / 0.1, vx / 0.1, 0 } } }
  for i = 2, 4 do balls[i] = w:sphere { radius = 0.1, mass = 1, position = { 0.6 + 0.2 * i, 0, 0.1 } } end
  w:step()
  for i = 1, 4 do
    local v = { balls[i]:velocity() }
    for k = 1, 3 do
      assert(math.abs(v[k] - expected[i][k]) < 1e-8, string.format("%s: ball %d, v[%d] = %.12g, expected %.12g", solver, i, k, v[k], expected[i][k]))
    end
  end
end

for _, solver in ipairs { "nbgs", "apgd", "spg" } do impact(solver) end
print "four balls: the simultaneous impact holds to 1e-8"
