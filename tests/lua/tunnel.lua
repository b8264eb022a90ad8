-- No body passes through a wall thinner than itself, at any speed: a thin box, an open mesh, a thin cylinder, a half-space. The same holds for a body that is released above
-- a wall and falls by more than its size in a step.
local scree = require "scree"
local octahedron = scree.geometry.hull { points = { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }, { 0, 0, 1 }, { 0, 0, -1 } }, scale = 0.01 }
local walls = {
  function(w) w:box { kind = "fixed", size = { 2, 2, 1e-4 } } end,
  function(w) w:mesh { points = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } } } end,
  function(w) w:cylinder { kind = "fixed", radius = 1, length = 1e-3 } end,
  function(w) w:halfspace { normal = { 0, 0, 1 } } end,
}
local grains = {
  function(w, x, v) return w:sphere { radius = 0.01, position = x, velocity = v } end,
  function(w, x, v) return w:capsule { radius = 0.005, length = 0.01, position = x, velocity = v, orientation = { 1, 0.4, 0.2, 0 } } end,
  function(w, x, v) return w:box { size = { 0.02, 0.015, 0.01 }, position = x, velocity = v, orientation = { 1, 0.3, 0.2, 0.1 } } end,
  function(w, x, v) return w:hull { geometry = octahedron, position = x, velocity = v, orientation = { 1, 0.1, 0.2, 0.3 } } end,
  function(w, x, v) return w:ellipsoid { size = { 0.02, 0.015, 0.01 }, position = x, velocity = v, orientation = { 1, 0.3, 0.2, 0.1 } } end,
}
for k, wall in ipairs(walls) do
  for g, grain in ipairs(grains) do
    -- from a hundredth of its radius per step to fifty radii per step
    for _, speed in ipairs { 0.1, 1, 10, 100, 500 } do
      local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, solver = { iterations = 50 } }
      wall(w)
      local body = grain(w, { 0.1, 0.13, 0.021 + 2.37e-3 * speed }, { 0.2 * speed, 0, -speed })
      w:step(math.ceil(0.03 / (speed * 1e-3)) + 8)
      local z = select(3, body:position())
      if not (z > -1e-6) then error(("wall %d, grain %d, speed %g: at height %g"):format(k, g, speed, z)) end
    end
  end
end

for k, wall in ipairs(walls) do
  for g = 1, 4 do -- the ellipsoid rocks by a radian a step
    for _, gap in ipairs { 1e-4, 2e-3, 0.012, 0.2 } do
      for _, substeps in ipairs { 1, 2 } do
        local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 0.04, substeps = substeps }
        wall(w)
        local body = grains[g](w, { 0.1, 0.13, 0.011 + gap }, { 0, 0, 0 })
        w:step(10)
        local z = select(3, body:position())
        if not (z > 0) then error(("wall %d, grain %d, let go at %g: at height %g"):format(k, g, gap, z)) end
      end
    end
  end
end
