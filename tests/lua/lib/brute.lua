-- Helpers of tests that compute measurements again by plain sums over bodies and contacts: vectors, comparisons, worlds of mixed grains, regions and
-- branch vectors.
local scree = require "scree"
local mixture = require "mixture"
local brute = {}

local pi = math.pi
function brute.dot(a, b) return a[1] * b[1] + a[2] * b[2] + a[3] * b[3] end
function brute.add(a, b, s) return { a[1] + (s or 1) * b[1], a[2] + (s or 1) * b[2], a[3] + (s or 1) * b[3] } end
function brute.norm(a) return math.sqrt(brute.dot(a, a)) end
function brute.cross(a, b) return { a[2] * b[3] - a[3] * b[2], a[3] * b[1] - a[1] * b[3], a[1] * b[2] - a[2] * b[1] } end
-- Asserts that two numbers are equal up to rounding errors. NaN equals NaN. scale: size of the terms of a sum.
function brute.same(a, b, what, scale)
  if a ~= a and b ~= b then return end
  if not (math.abs(a - b) <= 1e-10 * math.max(math.abs(b), scale or 0)) then error(string.format("%s: %.17g, expected %.17g", what, a, b), 2) end
end
function brute.same_list(a, b, what, scale)
  if #a ~= #b then error(what .. ": " .. #a .. " values, not " .. #b, 2) end
  for i = 1, #b do brute.same(a[i], b[i], what .. "[" .. i .. "]", scale) end
end
function brute.list(n, value)
  local out = {}
  for i = 1, n do out[i] = value or 0 end
  return out
end

-- Adds grains of several shapes and groups. Returns the set of the ids of single balls.
function brute.fill(w, n, d, corner, random)
  local balls = {}
  for i = 0, n ^ 3 - 1 do
    local at = { corner[1] + d * (i % n + 0.5), corner[2] + d * (i // n % n + 0.5), corner[3] + d * (i // n // n + 0.5) }
    local def = { position = at, velocity = { 0.3 * random(), 0.3 * random(), 0.3 * random() }, spin = { random(), random(), random() }, group = i % 3,
      density = 900 + 100 * (i % 5) }
    if i % 7 == 3 then def.size = { 0.14, 0.15, 0.13 }; w:box(def)
    elseif i % 7 == 5 then
      def.shapes = { { type = "sphere", radius = 0.08, position = { 0.03, 0, 0 } }, { type = "sphere", radius = 0.07, position = { -0.03, 0, 0 } } }
      def.density = nil
      w:body(def)
    else def.radius = 0.085 + 0.03 * (random() + 0.5); balls[w:sphere(def):id()] = true end
  end
  return balls
end

-- Returns the grains as plain tables, with the position of their image in the cell.
function brute.read(w, cell)
  local out, by_id = {}, {}
  local id, kind, x, v, spin, m, r, g = w:view "id", w:view "kind", w:view "position", w:view "velocity", w:view "spin", w:view "mass", w:view "radius",
    w:view "group"
  for i = 1, #id do
    local b = { id = id[i], kind = kind[i], x = { x[i][1], x[i][2], x[i][3] }, v = { v[i][1], v[i][2], v[i][3] }, spin = { spin[i][1], spin[i][2], spin[i][3] },
      m = m[i], r = r[i], group = g[i] }
    b.shown, b.peculiar = b.x, b.v
    if cell then
      local from = brute.add(b.x, cell.origin, -1)
      b.shown = b.x
      for k = 1, 3 do b.shown = brute.add(b.shown, cell.edge[k], -math.floor(brute.dot(cell.inverse[k], from))) end
      b.peculiar = brute.add(b.v, { brute.dot(cell.gradient[1], b.x), brute.dot(cell.gradient[2], b.x), brute.dot(cell.gradient[3], b.x) }, -1)
    end
    out[i], by_id[b.id] = b, b
  end
  local contacts = {}
  for _, c in ipairs(w:contacts()) do
    if brute.norm(c.impulse) > 0 then
      local one, two, shift = by_id[c.id1], by_id[c.id2], { 0, 0, 0 }
      for k = 1, 3 do if cell then shift = brute.add(shift, cell.edge[k], c.image[k]) end end
      local e = { one = one, two = two, point = c.point, normal = c.normal, impulse = c.impulse, shift = shift, shown = c.point }
      if cell then
        local from = brute.add(c.point, cell.origin, -1)
        for k = 1, 3 do e.shown = brute.add(e.shown, cell.edge[k], -math.floor(brute.dot(cell.inverse[k], from))) end
      end
      contacts[#contacts + 1] = e
    end
  end
  return out, contacts, by_id
end

-- Returns whether a region contains a point.
function brute.contains(region, x)
  if not region then return true end
  local inside = true
  if region.min then
    for k = 1, 3 do inside = inside and x[k] >= region.min[k] and x[k] <= region.max[k] end
  elseif region.center then inside = brute.norm(brute.add(x, region.center, -1)) <= region.radius
  elseif region.axis then
    local d = brute.add(x, region.point, -1)
    local along = brute.dot(d, region.axis) / brute.norm(region.axis)
    inside = brute.dot(d, d) - along ^ 2 <= region.radius ^ 2 and (not region.length or along >= 0 and along <= region.length)
  else inside = brute.dot(brute.add(x, region.point, -1), region.normal) <= 0 end
  return inside ~= (region.outside or false)
end
function brute.volume_of(region, w)
  if not region then return w:cell():volume() end
  if region.min then return (region.max[1] - region.min[1]) * (region.max[2] - region.min[2]) * (region.max[3] - region.min[3]) end
  return region.center and 4 / 3 * pi * region.radius ^ 3 or pi * region.radius ^ 2 * region.length
end

-- Returns the grains of a region and group.
function brute.choose(bodies, region, group)
  local out = {}
  for _, b in ipairs(bodies) do
    if b.kind == "dynamic" and (not group or b.group == group) and brute.contains(region, b.shown) then out[#out + 1] = b end
  end
  return out
end
function brute.counts(b, group) return b.kind == "dynamic" and (not group or b.group == group) end

-- Returns the branch vector of a contact: from the centre of body 2 (of its image) to the centre of body 1. If a body is not a grain of the group, the
-- contact point replaces its centre. The arm of a ball ends on its surface.
function brute.branch(c, group, balls)
  local out = { 0, 0, 0 }
  local function arm(b, sign)
    if not brute.counts(b, group) then return end
    local r = balls[b.id] and { c.normal[1] * sign * b.r, c.normal[2] * sign * b.r, c.normal[3] * sign * b.r } or
      brute.add(brute.add(c.point, b.x, -1), c.shift, sign < 0 and 0 or -1)
    out = brute.add(out, r, sign)
  end
  arm(c.one, -1)
  arm(c.two, 1)
  return out
end

-- Returns grains in a box with walls, and the set of the ids of single balls.
function brute.walled()
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { iterations = 30 } }
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 }, group = 1 }
  for _, side in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do
    w:halfspace { normal = side, position = { -0.5 * side[1], -0.5 * side[2], 0 } }
  end
  w:sphere { kind = "fixed", radius = 0.2, position = { 0.1, 0.1, 0 } }
  local balls = brute.fill(w, 4, 0.24, { -0.48, -0.48, 0.25 }, mixture.random(5))
  w:step(350)
  return w, balls
end

-- Returns grains in a skew cell that flows, the set of the ids of single balls, and the cell as a table.
function brute.celled()
  local n, d = 5, 0.19
  local L = n * d
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { L, L, L }, periodic = { true, true, true }, origin = { 0.3, -2, 5 } } }
  w:pair { "default", "default", mu = 0.4 }
  local balls = brute.fill(w, n, d, { 1.1, -2.2, 5.3 }, mixture.random(7))
  w:cell():set_velocity_gradient { { -0.4, 3, 0 }, { 0, -0.4, 0.5 }, { 0, 0, -0.4 } }
  w:step(90)
  local H = w:cell():matrix()
  local cell = { origin = { w:cell():origin() }, gradient = w:cell():velocity_gradient(), edge = {}, inverse = {} }
  for k = 1, 3 do cell.edge[k] = { H[1][k], H[2][k], H[3][k] } end
  for k = 1, 3 do
    local normal = brute.cross(cell.edge[k % 3 + 1], cell.edge[(k + 1) % 3 + 1])
    cell.inverse[k] = brute.add({ 0, 0, 0 }, normal, 1 / brute.dot(normal, cell.edge[k]))
  end
  return w, balls, cell
end

return brute
