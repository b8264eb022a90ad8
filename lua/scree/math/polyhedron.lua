--- Convex polyhedra: lists of plane polygons, whose corners run counter-clockwise seen from outside. Polygons
--- that meet share their corners: a corner is one table { x, y, z }.

local vector = require "scree.math.vector"
local dot, sub, cross = vector.dot, vector.sub, vector.cross
local polyhedron = {}

--- Returns the box between two corners.
function polyhedron.box(min, max)
  local p = {}
  for i = 0, 7 do
    p[i] = { i % 2 < 1 and min[1] or max[1], i // 2 % 2 < 1 and min[2] or max[2], i // 4 < 1 and min[3] or max[3] }
  end
  return {
    { p[0], p[4], p[6], p[2] },
    { p[1], p[3], p[7], p[5] },
    { p[0], p[1], p[5], p[4] },
    { p[2], p[6], p[7], p[3] },
    { p[0], p[2], p[3], p[1] },
    { p[4], p[5], p[7], p[6] },
  }
end

--- Returns the list of corners.
function polyhedron.corners(solid)
  local seen, list = {}, {}
  for _, polygon in ipairs(solid) do
    for _, p in ipairs(polygon) do
      if not seen[p] then
        seen[p], list[#list + 1] = true, p
      end
    end
  end
  return list
end

--- Returns the smallest and the largest offset (dot product with the normal) of the corners.
function polyhedron.extent(solid, normal)
  local low, high = math.huge, -math.huge
  for _, polygon in ipairs(solid) do
    for _, p in ipairs(polygon) do
      local s = dot(p, normal)
      if s < low then low = s end
      if s > high then high = s end
    end
  end
  return low, high
end

--- Returns the corners of the smallest box around a solid.
function polyhedron.bounds(solid)
  local low, high = {}, {}
  for k, axis in ipairs { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } do
    low[k], high[k] = polyhedron.extent(solid, axis)
  end
  return low, high
end

--- Returns volume and centre: sums over tetrahedra between the first corner and triangles of the polygons.
function polyhedron.volume(solid)
  local o, volume, x, y, z = solid[1][1], 0, 0, 0, 0
  for _, polygon in ipairs(solid) do
    local a = sub(polygon[1], o)
    local b = sub(polygon[2], o)
    for i = 3, #polygon do
      local c = sub(polygon[i], o)
      local v = dot(a, cross(b, c)) / 6
      volume = volume + v
      x, y, z = x + v * (a[1] + b[1] + c[1]), y + v * (a[2] + b[2] + c[2]), z + v * (a[3] + b[3] + c[3])
      b = c
    end
  end
  local s = volume ~= 0 and 1 / (4 * volume) or 0
  return volume, { o[1] + s * x, o[2] + s * y, o[3] + s * z }
end

-- Returns a table of the heights of all corners above a plane by corner (0 within the tolerance), and the
-- smallest and the largest height (at most and at least 0).
local function find_heights(solid, normal, offset, tolerance)
  local height, low, high = {}, 0, 0
  for _, polygon in ipairs(solid) do
    for _, p in ipairs(polygon) do
      if not height[p] then
        local s = dot(p, normal) - offset
        if s <= tolerance and s >= -tolerance then s = 0 end
        height[p] = s
        if s < low then low = s end
        if s > high then high = s end
      end
    end
  end
  return height, low, high
end

-- Returns the point at which the edge p q crosses the plane. cut: points found so far by p and q. Both
-- polygons of an edge therefore get one common point.
local function find_crossing(cut, height, p, q)
  local known = cut[p] and cut[p][q] or cut[q] and cut[q][p]
  if known then return known end
  local s = height[p] / (height[p] - height[q])
  local point = { p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2]), p[3] + s * (q[3] - p[3]) }
  cut[p] = cut[p] or {}
  cut[p][q] = point
  height[point] = 0
  return point
end

-- Appends to `solid` the part of a polygon on one side of the plane (side 1: above, -1: below). Adds the edge
-- of this part that lies in the plane to `cap`, the edges of the new face in the plane.
local function clip_polygon(polygon, height, side, cut, solid, cap)
  local out, inside = {}, false
  for i, p in ipairs(polygon) do
    local q = polygon[i % #polygon + 1]
    local hp, hq = side * height[p], side * height[q]
    if hp >= 0 then out[#out + 1] = p end
    if hp > 0 then inside = true end
    if (hp > 0 and hq < 0) or (hp < 0 and hq > 0) then out[#out + 1] = find_crossing(cut, height, p, q) end
  end
  if not inside or #out < 3 then return end
  solid[#solid + 1] = out
  for i, p in ipairs(out) do
    local q = out[i % #out + 1]
    if height[p] == 0 and height[q] == 0 then -- the new face runs through the edge in reverse
      cap.next[q], cap.first, cap.count = p, q, cap.count + 1
    end
  end
end

-- Returns the new face in the plane, made from its edges `cap`; nil if the edges do not form a closed
-- polygon.
local function close_cap(cap)
  if cap.count < 3 then return nil end
  local polygon, at = {}, cap.first
  repeat
    polygon[#polygon + 1] = at
    at = cap.next[at]
  until at == cap.first or not at or #polygon > cap.count
  return at == cap.first and #polygon == cap.count and polygon or nil
end

-- Returns the part of a solid on one side of a plane; nil if rounding errors leave a gap in its new face.
local function clip_solid(solid, height, side, cut)
  local part, edges = {}, { next = {}, count = 0 }
  for _, polygon in ipairs(solid) do
    clip_polygon(polygon, height, side, cut, part, edges)
  end
  local cap = close_cap(edges)
  part[#part + 1] = cap
  return cap and part
end

--- Splits a solid at the plane with points x where normal . x = offset. Returns the parts below and above;
--- nil for a part that has no volume. Corners within the tolerance lie in the plane. A solid whose parts
--- would be thinner than rounding errors is not split.
function polyhedron.split(solid, normal, offset, tolerance)
  local height, low, high = find_heights(solid, normal, offset, tolerance)
  if low == 0 then return nil, solid end
  if high == 0 then return solid, nil end
  local cut = {}
  local below, above = clip_solid(solid, height, -1, cut), clip_solid(solid, height, 1, cut)
  if below and above then return below, above end
  return solid, nil
end

--- Returns true if a triangle passes through the inside of a solid: its part in the solid has an area.
function polyhedron.meets(solid, triangle, tolerance)
  local polygon = triangle
  for _, face in ipairs(solid) do
    local normal = cross(sub(face[2], face[1]), sub(face[3], face[1]))
    local length = vector.length(normal)
    if length > 0 then
      local offset, out, inside = dot(normal, face[1]) / length, {}, false
      for i, p in ipairs(polygon) do
        local q = polygon[i % #polygon + 1]
        local hp, hq = offset - dot(p, normal) / length, offset - dot(q, normal) / length
        if hp > tolerance then inside = true end
        if hp >= 0 then out[#out + 1] = p end
        if (hp > 0) ~= (hq > 0) then
          local s = hp / (hp - hq)
          out[#out + 1] = { p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2]), p[3] + s * (q[3] - p[3]) }
        end
      end
      if not inside then return false end
      polygon = out
    end
  end
  return #polygon >= 3
end

return polyhedron
