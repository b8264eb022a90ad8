-- Random places, turns and shapes of random scenes.
local scatter = {}
local random = math.random

-- A point of a cube of this half width.
function scatter.vector(size) return { size * (2 * random() - 1), size * (2 * random() - 1), size * (2 * random() - 1) } end

-- A quaternion of any length.
function scatter.turn()
  local q = {}
  for k = 1, 4 do q[k] = 2 * random() - 1 end
  return q
end

local corners = { { 0.4, 0, 0 }, { -0.3, 0.3, 0 }, { -0.3, -0.3, 0.1 }, { 0, 0, 0.5 } }
local faces = { { 1, 2, 4 }, { 2, 3, 4 }, { 3, 1, 4 }, { 1, 3, 2 } }
local kinds = {
  function() return "sphere", { radius = 0.05 + 0.2 * random() } end,
  function() return "box", { size = { 0.1 + random(), 0.1 + random(), 0.1 } } end,
  function() return "capsule", { radius = 0.1, length = random() } end,
  function() return "cylinder", { radius = 0.1 + 0.1 * random(), length = 0.2 } end,
  function() return "cone", { radius = 0.1 + 0.1 * random(), length = 0.4 } end,
  function() return "ellipsoid", { size = { 0.2, 0.1 + random(), 0.3 } } end,
  function() return "hull", { points = corners } end,
  function() return "mesh", { points = corners, triangles = faces } end,
}

-- The verb that makes a body of a random shape, and what it takes.
function scatter.shape() return kinds[random(#kinds)]() end

return scatter
