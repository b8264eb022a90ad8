--- Shapes of bolts and nuts whose threads engage. Each piece of the thread is a convex hull.
---
---   local thread = require "scree.thread"
---   local m = { radius = 0.01, pitch = 0.006, depth = 0.0015 }
---   local bolt = w:body { kind = "fixed", shapes = thread.bolt(m, { length = 0.06 }) }
---   local nut = w:body { position = { 0, 0, 0.012 }, shapes = thread.nut(m, { height = 0.015 }) }
---
--- The axis is z, the thread is right-handed, and its side faces are perpendicular to the axis. If both
--- bodies have the same orientation and their positions differ by whole pitches along z, the thread of the
--- nut lies in the middle of the groove of the bolt.

local scree = require "scree"
local thread = {}

local function need(what, value, least, most)
  if type(value) ~= "number" or not (value > least and value <= most) then
    error(("%s must be a number above %g and up to %g"):format(what, least, most), 4)
  end
  return value
end

-- Checks the dimensions of a thread and returns them with derived values. Circles are polygons. m.stretch is
-- the ratio of their circumradius to their inradius, which keeps the polygons of bolt and nut at least `gap`
-- apart.
local function measures(def, what)
  local m =
    scree.check_keys(def, { radius = "m", pitch = "m", depth = "m", width = "m", gap = "m", "sides" }, what)
  m.sides = m.sides or 12
  if math.type(m.sides) ~= "integer" or m.sides < 12 or m.sides > 96 or m.sides % 6 > 0 then
    error(what .. ".sides must be a multiple of 6 from 12 to 96", 3)
  end
  need(what .. ".radius", m.radius, 0, math.huge)
  need(what .. ".pitch", m.pitch, 0, math.huge)
  need(what .. ".depth", m.depth, 0, m.radius)
  m.gap = need(what .. ".gap", m.gap or 0.05 * m.depth, 0, m.depth)
  m.width = need(what .. ".width", m.width or 0.47 * m.pitch, 0, m.pitch)
  m.root, m.stretch = m.radius - m.depth, 1 / math.cos(math.pi / m.sides)
  return m
end

local function ray(m, step, radius, height)
  local a = 2 * math.pi * step / m.sides
  return { radius * math.cos(a), radius * math.sin(a), height }
end

-- Returns the hull of a profile { { radius, height [, radius at the second step] }, ... } at two successive
-- steps of angle. rise: increase of the height between the steps. rest: further keys of the shape.
local function piece(m, step, profile, rise, rest)
  local shape = { type = "hull", points = {} }
  for _, p in ipairs(profile) do
    table.insert(shape.points, ray(m, step, p[1], p[2]))
    table.insert(shape.points, ray(m, step + 1, p[3] or p[1], p[2] + rise))
  end
  for key, value in pairs(rest) do
    shape[key] = value
  end
  return shape
end

-- Adds the pieces of a thread between two radii. width: width of the thread along the axis. length: range of
-- heights, centred on 0. offset: height of the thread at angle 0.
local function wind(m, shapes, inner, outer, width, length, offset, rest)
  local rise = m.pitch / m.sides
  local first, last =
    math.ceil((width / 2 - length / 2 - offset) / rise), math.floor((length / 2 - width / 2 - offset) / rise)
  for step = first, last - 1 do
    local z = offset + step * rise
    shapes[#shapes + 1] = piece(
      m,
      step,
      {
        { inner, z - width / 2 },
        { inner, z + width / 2 },
        { outer, z - width / 2 },
        { outer, z + width / 2 },
      },
      rise,
      rest
    )
  end
end

-- Returns the distance of the outline of a hexagon from its centre at a step of angle. across: width across
-- flats.
local function hexagon(m, across, step)
  local a = (2 * math.pi * step / m.sides) % (math.pi / 3) - math.pi / 6
  return across / 2 / math.cos(a)
end

--- Returns the shapes of a bolt. length: length of the thread, centred on height 0. head: { across =, height
--- = } adds a hexagonal head below it. Other keys (material, density, layer) are copied to every shape.
function thread.bolt(def, options)
  local m, rest = measures(def, "thread.bolt"), {}
  scree.check_type(options, "table", "thread.bolt", "second")
  for key, value in pairs(options) do
    rest[key] = value
  end
  rest.length, rest.head = nil, nil
  local length, head, shapes = need("thread.bolt.length", options.length, 0, math.huge), options.head, {}
  local shaft = { type = "hull", points = {} }
  for key, value in pairs(rest) do
    shaft[key] = value
  end
  for step = 0, m.sides - 1 do
    for side = -1, 1, 2 do
      table.insert(shaft.points, ray(m, step, m.root, side * length / 2))
    end
  end
  shapes[1] = shaft
  if head then
    local top = { type = "hull", points = {} }
    for key, value in pairs(rest) do
      top[key] = value
    end
    for corner = 0, 5 do
      local step = corner * m.sides // 6
      for _, z in ipairs { -length / 2, -length / 2 - head.height } do
        table.insert(top.points, ray(m, step, hexagon(m, head.across, step), z))
      end
    end
    shapes[2] = top
  end
  wind(m, shapes, m.root, m.radius, m.width, length, 0, rest)
  return shapes
end

--- Returns the shapes of a nut for the bolt. height: height of the nut. across: width across flats (3.4 radii
--- by default). slack: play between both threads along the axis (0.02 pitches by default).
function thread.nut(def, options)
  local m, rest = measures(def, "thread.nut"), {}
  scree.check_type(options, "table", "thread.nut", "second")
  for key, value in pairs(options) do
    rest[key] = value
  end
  rest.height, rest.across, rest.slack = nil, nil, nil
  local height, across, slack =
    need("thread.nut.height", options.height, 0, math.huge),
    options.across or 3.4 * m.radius,
    options.slack or 0.02 * m.pitch
  local inner, outer = (m.root + m.gap) * m.stretch, (m.radius + m.gap) * m.stretch
  need("thread.nut.slack", slack, 0, m.pitch - m.width)
  need("thread.nut.across", across, 2 * outer, math.huge)
  local shapes = {}
  for step = 0, m.sides - 1 do
    local one, two = hexagon(m, across, step), hexagon(m, across, step + 1)
    shapes[#shapes + 1] = piece(
      m,
      step,
      { { outer, -height / 2 }, { outer, height / 2 }, { one, -height / 2, two }, { one, height / 2, two } },
      0,
      rest
    )
  end
  wind(m, shapes, inner, outer, m.pitch - m.width - slack, height, m.pitch / 2, rest)
  if #shapes == m.sides then error("thread.nut.height is too small for its thread", 2) end
  return shapes
end

return thread
