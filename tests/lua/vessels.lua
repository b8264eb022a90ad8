-- A closed mesh is a wall with two sides, for any orientation of its triangles: bodies inside stay inside.
local scree = require "scree"
local obstacle = require "scree.obstacle"

local function corner(k, s) return { (k % 2 * 2 - 1) * s, (k // 2 % 2 * 2 - 1) * s, (k // 4 * 2 - 1) * s } end
local function cube(s)
  local points = {}
  for k = 0, 7 do points[k + 1] = corner(k, s) end
  return points, { { 1, 3, 4 }, { 1, 4, 2 }, { 5, 6, 8 }, { 5, 8, 7 }, { 1, 2, 6 }, { 1, 6, 5 }, { 3, 7, 8 }, { 3, 8, 4 }, { 1, 5, 7 }, { 1, 7, 3 }, { 2, 4, 8 }, { 2, 8, 6 } }
end

local function flip(t) return { t[1], t[3], t[2] } end
local senses = {
  outwards = function(list) return list end,
  inwards = function(list)
    local out = {}
    for i, t in ipairs(list) do out[i] = flip(t) end
    return out
  end,
  mixed = function(list)
    local out = {}
    for i, t in ipairs(list) do out[i] = i % 3 == 0 and flip(t) or t end
    return out
  end,
}

-- Bodies of radius s about their middle at most.
local bodies = {
  function(w, def, s) def.radius = s return w:sphere(def) end,
  function(w, def, s) def.radius, def.length = s / 2, s return w:capsule(def) end,
  function(w, def, s) def.size = { s, 0.8 * s, 0.6 * s } return w:box(def) end,
  function(w, def, s) def.radius, def.length = 0.6 * s, 0.8 * s return w:cylinder(def) end,
  function(w, def, s)
    def.points = { { s, 0, 0 }, { -s, 0, 0 }, { 0, s, 0 }, { 0, -s, 0 }, { 0, 0, s }, { 0, 0, -s } }
    return w:hull(def)
  end,
}

-- Eighteen bodies on a grid of half width `half`, of all kinds, with velocities to all sides.
local function fill(w, half, s)
  local list = {}
  for k = 0, 17 do
    local def = { density = 2000, position = { (k % 3 - 1) * half, (k // 3 % 3 - 1) * half, (k // 9 * 2 - 1) * half / 2 },
      velocity = { math.cos(k), math.sin(2 * k), math.sin(k) }, spin = { 5, k, -3 } }
    list[#list + 1] = bodies[k % #bodies + 1](w, def, s)
  end
  return list
end

local function world(dt, gravity) return scree.world { gravity = gravity or { 3, 2, -9.81 }, dt = dt, solver = { iterations = 60 } } end

-- In a box, with gravity into a corner: no middle comes nearer to a wall than the thinnest body allows, but for what the solver leaves.
for name, sense in pairs(senses) do
  for _, dt in ipairs { 2e-4, 1e-3, 2e-3 } do
    local w, s = world(dt), 0.012
    local points, triangles = cube(0.1)
    local wall = w:mesh { points = points, triangles = sense(triangles) }
    local list = fill(w, 0.06, s)
    assert(#w:start_notes() == 0)
    w:step(math.floor(0.4 / dt + 0.5))
    for k, b in ipairs(list) do
      for i, x in ipairs { b:position() } do
        assert(math.abs(x) < 0.1 - 0.25 * s, ("%s, dt %g: body %d lies at %g along axis %d, outside the box"):format(name, dt, k, x, i))
      end
    end
    assert(w:report().crossed == 0)
    assert(wall)
  end
end

-- In makers of containers that are closed: the default drum, also with bars and turning; a pipe with two lids.
local makers = {
  drum = function(w) return obstacle.drum(w, { radius = 0.1, length = 0.2 }) end,
  turning = function(w) return obstacle.drum(w, { radius = 0.1, length = 0.2, turn = 6 }) end,
  lifters = function(w) return obstacle.drum(w, { radius = 0.1, length = 0.2, lifters = 6, lifter_height = 0.01, turn = 6 }) end,
  pipe = function(w) return obstacle.pipe(w, { radius = 0.1, length = 0.2, axis = { 0, 1, 0 }, closed = "both" }) end,
}
for name, make in pairs(makers) do
  for _, dt in ipairs { 2e-4, 1e-3, 2e-3 } do
    local w, s = world(dt, { 0, 1, -9.81 }), 0.012
    make(w)
    local list = fill(w, 0.045, s)
    w:step(math.floor(0.4 / dt + 0.5))
    for k, b in ipairs(list) do
      local x, y, z = b:position()
      assert(math.sqrt(x * x + z * z) < 0.101 - 0.25 * s and math.abs(y) < 0.1 - 0.25 * s, ("%s, dt %g: body %d at %g %g %g"):format(name, dt, k, x, y, z))
    end
    assert(w:report().crossed == 0, name)
  end
end

-- A solid pushes out what is inside, a wall of the same triangles does not, from outside both hold alike. In any orientation.
for name, sense in pairs(senses) do
  for _, solid in ipairs { false, true } do
    local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
    local points, triangles = cube(0.1)
    local cubic = scree.geometry.mesh { points = points, triangles = sense(triangles), solid = solid }
    assert(cubic:info().closed and cubic:info().solid == solid and math.abs(cubic:info().volume - 0.008) < 1e-15, name)
    w:mesh { geometry = cubic }
    local inside = w:sphere { radius = 0.02, position = { 0.085, 0, 0 } }
    local above = w:sphere { radius = 0.02, position = { 0.01, 0.02, 0.125 }, velocity = { 0, 0, -1 } }
    w:step(200)
    local x = inside:position()
    if solid then assert(x > 0.1, name) else assert(math.abs(x - 0.08) < 1e-3, name) end
    assert(math.abs(select(3, above:position()) - 0.12) < 1e-4, name)
  end
end

-- A cavity is turned inwards, whatever its sense in the lists: the volume is that of the shell, and what lies in the cavity is held.
for name, sense in pairs(senses) do
  for _, other in pairs(senses) do
    local points, triangles = cube(0.1)
    local inner, within = cube(0.07)
    triangles, within = sense(triangles), other(within)
    for _, p in ipairs(inner) do points[#points + 1] = p end
    for _, t in ipairs(within) do triangles[#triangles + 1] = { t[1] + 8, t[2] + 8, t[3] + 8 } end
    local shell = scree.geometry.mesh { points = points, triangles = triangles, solid = true }
    assert(math.abs(shell:info().volume - (0.2 ^ 3 - 0.14 ^ 3)) < 1e-15, name)
    local w = world(1e-3)
    w:mesh { geometry = shell }
    local ball = w:sphere { radius = 0.02, position = { 0, 0, 0 } }
    assert(#w:start_notes() == (shell:info().turned > 0 and 1 or 0), name)
    w:step(500)
    for _, x in ipairs { ball:position() } do assert(math.abs(x) < 0.0501, name) end
  end
end
