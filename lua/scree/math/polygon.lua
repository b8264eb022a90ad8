--- Plane convex polygons in space: lists of points { x, y, z }.

local vector = require "scree.math.vector"
local dot, sub, cross = vector.dot, vector.sub, vector.cross
local polygon = {}

-- Returns two unit vectors that are perpendicular to a unit normal and to each other.
local function find_axes(normal)
  local least = 1
  for k = 2, 3 do
    if math.abs(normal[k]) < math.abs(normal[least]) then least = k end
  end
  local axis = { 0, 0, 0 }
  axis[least] = 1
  local u = cross(axis, normal)
  u = vector.unit(u)
  return u, cross(normal, u)
end

-- Returns twice the area of the triangle a, b, c, positive if it runs counter-clockwise.
local function turn_of(a, b, c) return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) end

--- Returns the corners of the convex hull of points in a plane, counter-clockwise seen against the normal. Uses
--- Andrew's monotone chain.
function polygon.hull(points, normal)
  local u, v = find_axes(normal)
  local flat = {}
  for i, p in ipairs(points) do
    flat[i] = { x = dot(p, u), y = dot(p, v), point = p }
  end
  table.sort(flat, function(a, b) return a.x < b.x or (a.x == b.x and a.y < b.y) end)
  local out = {}
  local function add_chain(first, last, step)
    local start = #out
    for i = first, last, step do
      while #out - start >= 2 and turn_of(out[#out - 1], out[#out], flat[i]) <= 0 do
        out[#out] = nil
      end
      out[#out + 1] = flat[i]
    end
    out[#out] = nil -- the first corner of the other chain
  end
  add_chain(1, #flat, 1)
  add_chain(#flat, 1, -1)
  for i, p in ipairs(out) do
    out[i] = p.point
  end
  return out
end

-- Returns the sum over the triangles of a polygon of f(area, a, b, c). The area is that seen against the normal.
local function each_triangle(points, normal, f)
  for i = 2, #points - 1 do
    local a, b, c = points[1], points[i], points[i + 1]
    f(dot(normal, cross(sub(b, a), sub(c, a))) / 2, a, b, c)
  end
end

--- Returns the area and the centroid.
function polygon.area(points, normal)
  local area, centre = 0, { 0, 0, 0 }
  each_triangle(points, normal, function(part, a, b, c)
    area = area + part
    for k = 1, 3 do
      centre[k] = centre[k] + part * (a[k] + b[k] + c[k]) / 3
    end
  end)
  return area, vector.scale(1 / area, centre)
end

--- Returns the integral over the area of a function that is linear on the polygon, and its centre, at which the
--- resultant acts. values: the function at the points.
function polygon.integrate(points, values, normal)
  local sum, moment, of = 0, { 0, 0, 0 }, {}
  for i, p in ipairs(points) do
    of[p] = values[i]
  end
  each_triangle(points, normal, function(part, a, b, c)
    local p, q, r = of[a], of[b], of[c]
    sum = sum + part * (p + q + r) / 3
    for k = 1, 3 do
      moment[k] = moment[k] + part / 12 * ((p + q + r) * (a[k] + b[k] + c[k]) + p * a[k] + q * b[k] + r * c[k])
    end
  end)
  return sum, sum ~= 0 and vector.scale(1 / sum, moment) or nil
end

--- Returns the part of a polygon where a linear function is above 0, and the values of the function at its points.
function polygon.clip(points, values)
  local out, kept = {}, {}
  for i, p in ipairs(points) do
    local k = i % #points + 1
    local q, a, b = points[k], values[i], values[k]
    if a > 0 then
      out[#out + 1], kept[#kept + 1] = p, a
    end
    if (a > 0) ~= (b > 0) then
      local s = a / (a - b)
      out[#out + 1] = { p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2]), p[3] + s * (q[3] - p[3]) }
      kept[#kept + 1] = 0
    end
  end
  return out, kept
end

return polygon
