-- Periodic worlds: momentum, translation, contacts and joints across the border, restart, refusals.
local scree = require "scree"
local check = require "check"
local mixture = require "mixture"

local function world(more)
  local def = { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 1, 1.2, 1.1 }, periodic = { true, true, true }, origin = { -0.2, 0, 0.1 } },
    solver = { tolerance = 1e-12, iterations = 2000 } }
  for k, v in pairs(more or {}) do def[k] = v end
  return scree.world(def)
end

-- a mixture of shapes from a fixed random state, translated by `by`
local function shapes(by, more)
  local w, bodies = world(more), {}
  local random = mixture.random(7)
  w:pair { "default", "default", mu = 0.3, restitution = 0.5 }
  for i = 0, 4 do
    for j = 0, 4 do
      for k = 0, 4 do
        local at = { 0.2 * i + by[1], 0.24 * j + by[2], 0.22 * k + by[3] }
        local kind, velocity = (i + j + k) % 3, { 4 * random(), 4 * random(), 4 * random() }
        if kind == 0 then bodies[#bodies + 1] = w:sphere { radius = 0.09, position = at, velocity = velocity }
        elseif kind == 1 then bodies[#bodies + 1] = w:box { size = { 0.12, 0.1, 0.14 }, position = at, velocity = velocity }
        else bodies[#bodies + 1] = w:capsule { radius = 0.05, length = 0.1, position = at, velocity = velocity } end
      end
    end
  end
  return w, bodies
end

-- momentum is conserved, and a translation of everything changes results by rounding only
do
  local by = { 3.7, -1.3, 12.25 }
  local w, bodies = shapes { 0, 0, 0 }
  local v, moved = shapes(by)
  mixture.step_both(w, v, bodies, 120)
  for i, b in ipairs(bodies) do
    local x, y = { b:position() }, { moved[i]:position() }
    for k = 1, 3 do check.near(x[k] + by[k], y[k], 1e-9, "translated") end
  end
end

-- two balls collide through the border as they do elsewhere
do
  local w = world { cell = { size = { 10, 10, 10 }, periodic = { true, false, false } } }
  w:pair { "default", "default", mu = 0, restitution = 1 }
  local a = w:sphere { radius = 0.5, position = { 1, 5, 5 }, velocity = { -1, 0, 0 } }
  local b = w:sphere { radius = 0.5, position = { 29, 5, 5 }, velocity = { 1, 0, 0 } }
  w:step(499)
  check.near((a:velocity()), -1)
  w:step(3)
  check.near((a:velocity()), 1)
  check.near((b:velocity()), -1)
  local wrapped, image = w:cell():wrap(b:position())
  assert(image[1] == 2 and wrapped[1] > 9 and wrapped[1] < 10, "image")
end

-- a ring of balls around the cell: joints of neighbours, of which the last one crosses the border
do
  local w, ring = world { cell = { size = { 2, 2, 2 }, periodic = { true, true, true } } }, {}
  for i = 1, 8 do ring[i] = w:sphere { radius = 0.1, position = { 0.25 * i - 0.125, 1, 1 } } end
  for i = 1, 7 do w:ball { a = ring[i], b = ring[i + 1], at = { 0.25 * i, 1, 1 } } end
  local last = w:ball { a = ring[8], b = ring[1], at = { 2, 1, 1 }, image = { 1, 0, 0 } }
  ring[8]:set_velocity(1, 0, 0)
  w:step(1000)
  for i = 1, 8 do check.near((ring[i]:position()), 0.25 * i - 0.125 + 1 / 8, 1e-9, "the ring goes as a whole") end
  assert(last:error() < 1e-9)
  -- the stretched ring pulls; the stress is its force over the area
  local v = world { cell = { size = { 2, 2, 2 }, periodic = { true, true, true } } }
  local one, two = v:sphere { radius = 0.1, position = { 0.5, 1, 1 }, mass = 1 }, v:sphere { radius = 0.1, position = { 1.5, 1, 1 }, mass = 1 }
  v:distance { a = one, b = two, at = { 0.5, 1, 1 }, at_b = { 1.5, 1, 1 } }
  v:distance { a = two, b = one, at = { 1.5, 1, 1 }, at_b = { 2.5, 1, 1 }, image = { 1, 0, 0 } }
  one:set_velocity(0.1, 0, 0)
  v:step(200)
  check.near((one:velocity()), 0.05, 1e-9)
  check.near((two:velocity()), 0.05, 1e-9)
end

-- a capsule longer than half the cell touches two images of another capsule at once
do
  local w = world { cell = { size = { 1, 1, 1 }, periodic = { true, true, true } }, gravity = { 0, 0, 0 } }
  local a = w:capsule { radius = 0.05, length = 0.7, orientation = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, position = { 0.5, 0.5, 0.25 } }
  w:capsule { radius = 0.05, length = 0.7, orientation = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 }, position = { 0, 0.5, 0.3495 } }
  w:step()
  local points = {}
  for _, c in ipairs(w:contacts()) do points[#points + 1] = c.point[1] end
  assert(#points >= 2, "one image alone: " .. #points)
  assert(a:alive())
end

-- a ball on a floor that is periodic along x rolls on for ever: rows of the report stay the same
do
  local w = world { gravity = { 0, 0, -9.81 }, cell = { size = { 1, 1, 1 }, periodic = { true, true, false } } }
  w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, 0 } }
  local b = w:sphere { radius = 0.1, position = { 0.5, 0.5, 0.1 }, velocity = { 1, 0.5, 0 }, spin = { -5, 10, 0 } }
  w:step(5000)
  local x, y, z = b:position()
  check.near(x, 5.5, 1e-6)
  check.near(y, 3, 1e-6)
  check.near(z, 0.1, 1e-6)
end

-- refusals
check.fails("world.cell.size is missing", function() scree.world { cell = { periodic = { true, true, true } } } end)
check.fails("world.cell.periodic is missing", function() scree.world { cell = { size = { 1, 1, 1 } } } end)
check.fails("world.cell.periodic must be a list of three", function() scree.world { cell = { size = { 1, 1, 1 }, periodic = true } } end)
check.fails("world.cell.periodic[2] must be true or false", function() scree.world { cell = { size = { 1, 1, 1 }, periodic = { true, 1, true } } } end)
check.fails("did you mean 'size'", function() scree.world { cell = { sise = { 1, 1, 1 }, periodic = { true, true, true } } } end)
check.fails("the world has no cell", function() scree.world {}:cell() end)
check.fails("smallest width that works is 1.2", function()
  local w = world { cell = { size = { 1, 9, 9 }, periodic = { true, true, true } } }
  w:sphere { radius = 0.6, position = { 0, 0, 0 } }
  w:step()
end)
check.fails("half-space", function()
  local w = world()
  w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, 0 } }
  w:step()
end)
check.fails("image[3] is 1", function()
  local w = world { cell = { size = { 1, 1, 1 }, periodic = { true, true, false } } }
  local a, b = w:sphere { radius = 0.1, position = { 0, 0, 0 } }, w:sphere { radius = 0.1, position = { 0.5, 0, 0 } }
  w:ball { a = a, b = b, at = { 0, 0, 0 }, image = { 0, 0, 1 } }
end)
