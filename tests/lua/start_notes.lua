-- Notes about bodies that start inside solid walls or between two walls; small overlaps give no note.
local scree = require "scree"

local function world() return scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 } end
local function corner(k, s) return { (k % 2 * 2 - 1) * s, (k // 2 % 2 * 2 - 1) * s, (k // 4 * 2 - 1) * s } end
local function cube(s)
  local points = {}
  for k = 0, 7 do points[k + 1] = corner(k, s) end
  return points, { { 1, 3, 4 }, { 1, 4, 2 }, { 5, 6, 8 }, { 5, 8, 7 }, { 1, 2, 6 }, { 1, 6, 5 }, { 3, 7, 8 }, { 3, 8, 4 }, { 1, 5, 7 }, { 1, 7, 3 }, { 2, 4, 8 }, { 2, 8, 6 } }
end
local function octahedron(s) return { { s, 0, 0 }, { -s, 0, 0 }, { 0, s, 0 }, { 0, -s, 0 }, { 0, 0, s }, { 0, 0, -s } } end

-- Solid walls of all kinds, half wide 0.1 about the origin.
local points, triangles = cube(0.1)
local solids = {
  mesh = function(w, def) def.points, def.triangles, def.solid = points, triangles, true return w:mesh(def) end,
  box = function(w, def) def.size = { 0.2, 0.2, 0.2 } return w:box(def) end,
  hull = function(w, def) def.points = points return w:hull(def) end,
  cylinder = function(w, def) def.radius, def.length = 0.1, 0.2 return w:cylinder(def) end,
  cone = function(w, def) def.radius, def.length = 0.2, 0.4 return w:cone(def) end,
  capsule = function(w, def) def.radius, def.length = 0.1, 0.1 return w:capsule(def) end,
  sphere = function(w, def) def.radius = 0.1 return w:sphere(def) end,
  ellipsoid = function(w, def) def.size = { 0.2, 0.2, 0.2 } return w:ellipsoid(def) end,
  superellipsoid = function(w, def) def.size, def.e1, def.e2 = { 0.2, 0.2, 0.2 }, 0.5, 0.5 return w:superellipsoid(def) end,
  halfspace = function(w, def) def.normal, def.point = { 0, 0, 1 }, { 0, 0, 0.1 } return w:halfspace(def) end,
}
local grains = {
  function(w, at) return w:sphere { radius = 0.01, position = at } end,
  function(w, at) return w:box { size = { 0.02, 0.01, 0.01 }, position = at } end,
  function(w, at) return w:cylinder { radius = 0.01, length = 0.02, position = at } end,
  function(w, at) return w:capsule { radius = 0.005, length = 0.02, position = at } end,
  function(w, at) return w:hull { points = octahedron(0.01), position = at } end,
}
for name, make in pairs(solids) do
  for _, kind in ipairs { "fixed", "kinematic" } do
    local w = world()
    local wall = make(w, { name = "block", kind = kind })
    for k, grain in ipairs(grains) do
      grain(w, { 0.01 * k, 0.01, -0.02 }) -- inside
      grain(w, { 5 + k, 0, 1 }) -- far away
      grain(w, { 0, 0, 0.101 + (name == "cone" and 0.1 or name == "capsule" and 0.05 or 0) }) -- over the surface, but for its lower half
    end
    local notes = w:start_notes()
    assert(#notes == 1, ("%s: %d notes"):format(name, #notes))
    local n = notes[1]
    assert(n.what == "inside" and n.count == #grains and n.type == name and n.wall == wall, name)
    assert(n.first:id() == wall:id() + 1, name)
    assert(n.text:find("5 grains start inside the", 1, true) and n.text:find("'block'", 1, true), n.text)
    assert((name == "mesh") == (n.text:find("without solid = true it would be a wall", 1, true) ~= nil), n.text)
  end
end

-- A wall of the same triangles gives no note, nor does a layer that is avoided or a joint.
local w = world()
w:mesh { points = points, triangles = triangles }
w:box { kind = "fixed", size = { 1, 1, 1 }, layer = 2 }
local post = w:box { kind = "fixed", size = { 0.1, 0.1, 0.1 } }
w:sphere { radius = 0.01, avoids = 2, position = { 0.08, 0, 0 } }
local arm = w:box { size = { 0.02, 0.02, 0.1 }, avoids = 2, position = { 0, 0, 0.01 } }
w:hinge { a = post, b = arm, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
assert(#w:start_notes() == 0)

-- Triangles that were turned, of solids only.
local turned = { table.unpack(triangles) }
for _, k in ipairs { 2, 5 } do turned[k] = { turned[k][1], turned[k][3], turned[k][2] } end
w = world()
w:mesh { points = points, triangles = turned }
assert(#w:start_notes() == 0)
w:mesh { points = points, triangles = turned, solid = true, name = "block" }
assert(#w:start_notes() == 1 and w:start_notes()[1].count == 2 and w:start_notes()[1].of == 12)
assert(w:start_notes()[1].text == "2 of 12 triangles of the solid mesh 'block' were turned to look outwards")

-- Two sheets, of one mesh or of two bodies.
local function sheet(z) return { { -1, -1, z }, { 1, -1, z }, { 1, 1, z }, { -1, 1, z } }, { { 1, 2, 3 }, { 1, 3, 4 } } end
for _, way in ipairs { "one", "two" } do
  for _, apart in ipairs { 0.002, 0.01, 0.0199, 0.03 } do
    for k, grain in ipairs(grains) do
      w = world()
      local low, list = sheet(-apart / 2)
      local high = sheet(apart / 2)
      if way == "one" then
        for _, p in ipairs(high) do low[#low + 1] = p end
        w:mesh { name = "shell", points = low, triangles = { list[1], list[2], { 5, 6, 7 }, { 5, 7, 8 } } }
      else
        w:mesh { name = "shell", points = low, triangles = list }
        w:mesh { points = high, triangles = list }
      end
      local between = grain(w, { 0.1, 0.23, 0 })
      grain(w, { 0.5, 0.1, apart / 2 + 0.009 }) -- lies on the upper sheet, deeper by a little
      local notes, wide = w:start_notes(), ({ 0.02, 0.01, 0.02, 0.03, 0.02 })[k]
      if apart < wide - 0.005 then
        assert(#notes == 1 and notes[1].what == "between" and notes[1].count == 1 and notes[1].first == between, ("%s %g %d"):format(way, apart, k))
        assert(notes[1].text:find("1 grain starts between faces of the mesh 'shell'", 1, true), notes[1].text)
      elseif apart > wide - 0.001 then
        assert(#notes == 0, ("%s %g %d: %s"):format(way, apart, k, notes[1] and notes[1].text))
      end
    end
  end
end

-- Many walls of many sizes: the same as looking at each pair of balls.
local expected, balls, blocks = 0, {}, {}
w = world()
for k = 1, 300 do
  local r = 0.001 * 2 ^ (k % 9)
  local at = { (k * 0.618) % 1, (k * 0.7548) % 1, (k * 0.5698) % 1 }
  blocks[k] = { at, r }
  w:sphere { kind = "fixed", radius = r, position = at }
end
for k = 1, 300 do
  local at = { (k * 0.8191) % 1, (k * 0.6710) % 1, (k * 0.5497) % 1 }
  balls[k] = at
  w:sphere { radius = 0.01, position = at }
end
for _, b in ipairs(blocks) do
  local any = false
  for _, at in ipairs(balls) do
    local d = { at[1] - b[1][1], at[2] - b[1][2], at[3] - b[1][3] }
    any = any or d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2 < b[2] ^ 2
  end
  expected = expected + (any and 1 or 0)
end
assert(expected > 20 and #w:start_notes() == expected, ("%d notes, not %d"):format(#w:start_notes(), expected))
