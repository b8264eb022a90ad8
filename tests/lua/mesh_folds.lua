-- Pointed bodies stand in the fold of a wall: of one mesh, of two, of a closed mesh; fast balls hit the right plate; a ball of a rotating
-- body is stopped by a slit that is narrower than the ball.
local scree = require "scree"

local cone = { radius = 0.015, length = 0.1, orientation = { 0, 1, 0, 0 } }

local function fold(w, how, slope)
  local c, s = math.cos(slope), math.sin(slope)
  local right = { { 0, -1, 0 }, { 0, 1, 0 }, { c, -1, s }, { c, 1, s } }
  local left = { { 0, -1, 0 }, { 0, 1, 0 }, { -c, -1, s }, { -c, 1, s } }
  if how == "two meshes" then
    w:mesh { points = right, triangles = { { 1, 3, 4 }, { 1, 4, 2 } } }
    w:mesh { points = left, triangles = { { 1, 2, 4 }, { 1, 4, 3 } } }
    return
  end
  w:mesh { points = { right[1], right[2], right[3], right[4], left[3], left[4] }, triangles = { { 1, 3, 4 }, { 1, 4, 2 }, { 1, 2, 6 }, { 1, 6, 5 } } }
end

for _, how in ipairs { "one mesh", "two meshes" } do
  for _, slope in ipairs { 0.5, math.pi / 4, 0.9, 1.1 } do
    for _, dt in ipairs { 1e-3, 1 / 240 } do
      local w = scree.world { gravity = { 0, 0, -9.81 }, dt = dt }
      fold(w, how, slope)
      local def = { position = { 0.001, 0.013, 0.053 } }
      for key, value in pairs(cone) do def[key] = value end
      local b = w:cone(def)
      local lowest = 0
      for _ = 1, math.ceil(0.3 / dt) do
        w:step()
        local _, _, z = b:point(0, 0, 0.05)
        lowest = math.min(lowest, z)
      end
      assert(lowest > -1e-3, ("the tip of a cone is %g m below the fold of %s, slope %g, dt %g"):format(lowest, how, slope, dt))
    end
  end
end

-- ---- balls at 2 to 40 radii a step on a plate: a fine mesh, two triangles, a thin box ----

local side, r, dt = 0.4, 0.02, 1 / 60
local function plate(n)
  local points, triangles = {}, {}
  for j = 0, n do
    for i = 0, n do points[#points + 1] = { side * (i / n - 0.5), side * (j / n - 0.5), 0 } end
  end
  for j = 0, n - 1 do
    for i = 0, n - 1 do
      local a = j * (n + 1) + i + 1
      triangles[#triangles + 1], triangles[#triangles + 2] = { a, a + 1, a + n + 2 }, { a, a + n + 2, a + n + 1 }
    end
  end
  return scree.geometry.mesh { points = points, triangles = triangles }
end
local targets = {
  fine = function(w, g) w:mesh { geometry = g.fine } end,
  coarse = function(w, g) w:mesh { geometry = g.coarse } end,
  box = function(w) w:box { kind = "fixed", size = { side, side, 0.004 } } end,
}
local geometries = { fine = plate(40), coarse = plate(1) }
local seed = 3
local function random()
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed / 2147483648
end
for name, target in pairs(targets) do
  for _, speed in ipairs { 2.4, 4.8, 20, 50 } do
    for _ = 1, 40 do
      local w = scree.world { gravity = { 0, 0, 0 }, dt = dt }
      w:pair { "default", "default", mu = 0 }
      target(w, geometries)
      -- at a point of the plate, from above, with one to two steps to go
      local at = { 0.45 * side * (2 * random() - 1), 0.45 * side * (2 * random() - 1), r + 0.002 }
      local z, about = 0.2 + 0.8 * random(), 2 * math.pi * random()
      local across, time = math.sqrt(1 - z * z), dt * (1.05 + random())
      local v = { speed * across * math.cos(about), speed * across * math.sin(about), -speed * z }
      local b = w:sphere { radius = r, position = { at[1] - v[1] * time, at[2] - v[2] * time, at[3] - v[3] * time }, velocity = v }
      w:step(4)
      local _, _, down = b:velocity()
      assert(down > v[3] + 1e-3 * speed, ("a ball at %g m/s passes a plate unaffected, %s"):format(speed, name))
    end
  end
end

-- ---- a dumbbell that turns about one ball on the floor, until the other comes down on a slit ----

for _, spin in ipairs { 8, 9, 16, 20 } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt }
  local slit, radius, angle = 0.02, 0.03, 0.15
  for _, s in ipairs { { -1, 0 }, { slit, 1 } } do
    w:box { kind = "fixed", size = { s[2] - s[1], 2, 0.01 }, position = { (s[1] + s[2]) / 2, 0, -0.005 } }
  end
  local arm = 0.3 / math.cos(angle)
  local b = w:body {
    position = { -0.3 + slit / 2 - 0.006, 0, radius }, axis = { 0, 1, 0 }, angle = -angle, spin = { 0, spin, 0 },
    shapes = { { type = "sphere", radius = radius }, { type = "sphere", radius = radius, position = { arm, 0, 0 } } },
  }
  local _, _, height = b:position()
  local x = b:position()
  b:set_velocity(spin * (height - radius), 0, -spin * (x - (-0.3 + slit / 2)))
  local lowest = 1
  for _ = 1, 30 do
    w:step()
    lowest = math.min(lowest, (select(3, b:point(arm, 0, 0))))
  end
  assert(lowest > 0.02, ("a ball of a body with spin %g sinks to %g m in a slit"):format(spin, lowest))
end
