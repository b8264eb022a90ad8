-- Contacts at known points: overlapping parallel edges, and balls at the sharp edge of a closed mesh.
local scree = require "scree"
local near = require("check").within

local function contacts(w)
  w:step()
  local list = w:contacts()
  table.sort(list, function(a, b) return a.point[2] < b.point[2] end)
  return list
end

-- A prism along y from `first` to `last` whose edge lies at z = 0, above or below the rest of the prism.
local function prism(w, first, last, up, at, kind)
  local points = {}
  for _, y in ipairs { first, last } do
    points[#points + 1] = { 0, y, 0 }
    points[#points + 1] = { 0.3, y, -0.5 * up }
    points[#points + 1] = { -0.3, y, -0.5 * up }
  end
  return w:hull { points = points, position = { 0, 0, at }, kind = kind, mass = kind ~= "fixed" and 1 or nil }
end

-- two edges overlap: the contacts are exactly the two ends of the overlap
for _, case in ipairs { { -1, 1, -0.5, 1.5, -0.5, 1 }, { -1, 1, -0.25, 0.75, -0.25, 0.75 }, { -1, 0.5, -2, 3, -1, 0.5 } } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  prism(w, case[1], case[2], 1, 0, "fixed")
  prism(w, case[3], case[4], -1, 1e-6)
  local list = contacts(w)
  assert(#list == 2, #list .. " contacts of two edges along each other")
  near(list[1].point[2], case[5], 1e-9, "first end")
  near(list[2].point[2], case[6], 1e-9, "second end")
  for _, c in ipairs(list) do
    near(c.gap, 1e-6, 1e-12, "gap")
    near(math.abs(c.normal[3]), 1, 1e-9, "normal")
  end
end

-- a box on a triangle: corners of the overlap that lie closer together than a thousandth of the smaller one are one contact
for _, case in ipairs { { "the tip of a large triangle, by 0.1 mm", 1e-4, 1, 1 }, { "by 2 mm", 2e-3, 1, 3 }, { "all of a small one", 0.5, 1e-4, 3 } } do
  local what, tip, size, expected = table.unpack(case)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-4 }
  w:mesh { points = { { 0.5 - tip, 0, 0 }, { 0.5 - tip + size, -0.5 * size, 0 }, { 0.5 - tip + size, 0.5 * size, 0 } }, triangles = { { 1, 2, 3 } } }
  w:box { size = { 1, 1, 1 }, position = { 0, 0, 0.5 + 1e-6 } }
  local count = #contacts(w)
  assert(count == expected, ("%s: %d contacts, expected %d"):format(what, count, expected))
end

-- lines of round bodies, axes along y, one above the other and shifted by half a metre: contacts at both ends of the overlap
local along = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 }
for _, pair in ipairs { { "cylinder", "cylinder" }, { "capsule", "cylinder" }, { "cylinder", "capsule" }, { "capsule", "capsule" } } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  w[pair[1]](w, { radius = 0.5, length = 2, orientation = along, kind = "fixed" })
  w[pair[2]](w, { radius = 0.5, length = 2, orientation = along, position = { 0, 0.5, 1 - 1e-6 } })
  local list, what = contacts(w), pair[1] .. " and " .. pair[2]
  assert(#list == 2, #list .. " contacts of " .. what)
  for k, y in ipairs { -0.5, 1 } do
    near(list[k].point[2], y, 1e-9, what .. ": end")
    near(list[k].point[3], 0.5 - 0.5e-6, 1e-9, what .. ": height")
    near(list[k].gap, -1e-6, 1e-10, what .. ": gap")
  end
end

-- A blade of a solid mesh: its edge lies along y at x = 0, its faces fall off to negative x by 1 in 10 on both sides. A ball beyond the edge
-- has its normal along the line to the edge, however it lies to either face.
local function blade(w, swap)
  local points = { { 0, -1, 0 }, { 0, 1, 0 }, { -1, -1, 0.1 }, { -1, 1, 0.1 }, { -1, -1, -0.1 }, { -1, 1, -0.1 } }
  local triangles = { { 1, 4, 3 }, { 1, 2, 4 }, { 1, 5, 6 }, { 1, 6, 2 }, { 3, 4, 6 }, { 3, 6, 5 }, { 1, 3, 5 }, { 2, 6, 4 } }
  if swap then triangles = { triangles[3], triangles[4], triangles[1], triangles[2], table.unpack(triangles, 5) } end
  return w:mesh { points = points, triangles = triangles, solid = true, kind = "fixed" }
end
for _, swap in ipairs { false, true } do
  for _, angle in ipairs { -80, -60, -20, 0, 20, 60, 80 } do
    for _, deep in ipairs { 1e-3, 0.04 } do
      local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
      blade(w, swap)
      local x, z = math.cos(math.rad(angle)), math.sin(math.rad(angle))
      local ball = w:sphere { radius = 0.05, position = { (0.05 - deep) * x, 0.13, (0.05 - deep) * z } }
      local list = contacts(w)
      assert(#list == 1, #list .. " contacts with an edge")
      local c, sign = list[1], list[1].body1 == ball and 1 or -1
      near(c.gap, -deep, 1e-12, "depth in the edge at " .. angle)
      near(sign * c.normal[1], x, 1e-9, "normal at " .. angle)
      near(sign * c.normal[3], z, 1e-9, "normal at " .. angle)
    end
  end
end
