--- Mass, centre and inertia of the links of a model. A lump is { mass, centre, inertia } in the axes of a
--- link, with the inertia {xx, xy, xz, yy, yz, zz} about the centre.

local heights = require "scree.robot.heights"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local turn, compose = quaternion.turn, quaternion.compose
local mass = {}

-- Returns the inertia I about the centre, shifted to the origin: I plus that of a point mass m at d.
local function steiner(I, m, d)
  local x, y, z = d[1], d[2], d[3]
  return {
    I[1] + m * (y * y + z * z),
    I[2] - m * x * y,
    I[3] - m * x * z,
    I[4] + m * (x * x + z * z),
    I[5] - m * y * z,
    I[6] + m * (x * x + y * y),
  }
end

--- Returns the sum of two lumps. One or both may be nil.
function mass.add(a, b)
  if not a or not b then return a or b end
  local sum = a.mass + b.mass
  local centre = {}
  for i = 1, 3 do
    centre[i] = (a.mass * a.centre[i] + b.mass * b.centre[i]) / sum
  end
  local function about_centre(part)
    return steiner(part.inertia, part.mass, vector.sub(part.centre, centre))
  end
  local I, J = about_centre(a), about_centre(b)
  for i = 1, 6 do
    I[i] = I[i] + J[i]
  end
  return { mass = sum, centre = centre, inertia = I }
end

--- Returns a lump with mass and inertia multiplied by a factor.
function mass.scale(lump, factor)
  local I = {}
  for i = 1, 6 do
    I[i] = factor * lump.inertia[i]
  end
  return { mass = factor * lump.mass, centre = lump.centre, inertia = I }
end

--- Returns the inertia {xx, xy, xz, yy, yz, zz} rotated by q.
function mass.turned(I, q)
  local m = { { I[1], I[2], I[3] }, { I[2], I[4], I[5] }, { I[3], I[5], I[6] } }
  local back = quaternion.inverse(q)
  local rows = { turn(back, { 1, 0, 0 }), turn(back, { 0, 1, 0 }), turn(back, { 0, 0, 1 }) }
  local function entry(i, k)
    local sum = 0
    for a = 1, 3 do
      for b = 1, 3 do
        sum = sum + rows[i][a] * m[a][b] * rows[k][b]
      end
    end
    return sum
  end
  return { entry(1, 1), entry(1, 2), entry(1, 3), entry(2, 2), entry(2, 3), entry(3, 3) }
end

--- Returns the largest principal moment of a lump about a point.
function mass.largest_moment(lump, point)
  local moments = mass.principal(steiner(lump.inertia, lump.mass, vector.sub(lump.centre, point)))
  return math.max(moments[1], moments[2], moments[3])
end

--- Returns a lump, which is given in the axes of a link, in the axes in which the frame of the link is given.
function mass.placed(lump, frame)
  return {
    mass = lump.mass,
    centre = compose(frame, { position = lump.centre }).position,
    inertia = mass.turned(lump.inertia, frame.orientation),
  }
end

--- Returns the lump that the keys of a link give; nil if they give no mass.
function mass.stated(link)
  if not link.mass or link.mass == 0 then return nil end
  if not link.inertia then error(("model: link %q has a mass, but no inertia"):format(link.name)) end
  return {
    mass = link.mass,
    centre = link.centre or { 0, 0, 0 },
    inertia = mass.turned(link.inertia, link.inertia_orientation or { 1, 0, 0, 0 }),
  }
end

--- Returns a copy of a shape without its mass and without a density of 0, which only models have. The shape
--- keeps its material; otherwise the copy gets `material`.
function mass.plain_shape(shape, material)
  local copy = {}
  for key, value in pairs(shape) do
    copy[key] = value
  end
  copy.mass = nil
  if copy.type == "heights" then heights.to_mesh(copy) end
  if copy.density == 0 then copy.density = nil end
  copy.material = copy.material or material
  return copy
end

--- Returns the keys of a hull that describe its points.
function mass.geometry_keys(hull)
  return { file = hull.file, points = hull.points, scale = hull.scale, up = hull.up, place = hull.place }
end

--- Returns the lump of the union of shapes.
function mass.of_union(w, shapes, material)
  local list = {}
  for i, shape in ipairs(shapes) do
    list[i] = mass.plain_shape(shape, material)
  end
  local t = w:template { shapes = list }
  return { mass = t.mass, centre = t.centre, inertia = t.inertia }
end

--- Returns the sum of the lumps of shapes; nil if no shape has a mass. The key `mass` of a shape overrides
--- its density.
function mass.of_sum(w, shapes, material)
  local sum
  for _, shape in ipairs(shapes) do
    if shape.type ~= "halfspace" and shape.mass ~= 0 and (shape.mass or shape.density ~= 0) then
      local lump = mass.of_union(w, { shape }, material)
      sum = mass.add(sum, shape.mass and mass.scale(lump, shape.mass / lump.mass) or lump)
    end
  end
  return sum
end

--- Returns the eigenvalues and the eigenvectors (rows) of an inertia, by Jacobi rotations.
function mass.principal(I)
  local a = { { I[1], I[2], I[3] }, { I[2], I[4], I[5] }, { I[3], I[5], I[6] } }
  local v = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
  for _ = 1, 30 do
    for p = 1, 2 do
      for q = p + 1, 3 do
        if a[p][q] ~= 0 then
          local theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
          local t = (theta < 0 and -1 or 1) / (math.abs(theta) + math.sqrt(theta * theta + 1))
          local c = 1 / math.sqrt(t * t + 1)
          local s = t * c
          for k = 1, 3 do
            a[k][p], a[k][q] = c * a[k][p] - s * a[k][q], s * a[k][p] + c * a[k][q]
          end
          for k = 1, 3 do
            a[p][k], a[q][k] = c * a[p][k] - s * a[q][k], s * a[p][k] + c * a[q][k]
            v[p][k], v[q][k] = c * v[p][k] - s * v[q][k], s * v[p][k] + c * v[q][k]
          end
        end
      end
    end
  end
  return { a[1][1], a[2][2], a[3][3] }, v
end

--- Returns the inertia with these principal moments about these axes (rows).
function mass.from_principal(moments, axes)
  local function entry(i, k)
    local sum = 0
    for n = 1, 3 do
      sum = sum + moments[n] * axes[n][i] * axes[n][k]
    end
    return sum
  end
  return { entry(1, 1), entry(1, 2), entry(1, 3), entry(2, 2), entry(2, 3), entry(3, 3) }
end

--- Returns the inertia with principal moments of at least `bound`.
function mass.raise_moments(I, bound)
  local moments, axes = mass.principal(I)
  if math.min(moments[1], moments[2], moments[3]) >= bound then return I end
  for n = 1, 3 do
    moments[n] = math.max(moments[n], bound)
  end
  return mass.from_principal(moments, axes)
end

local function bounded(lump, model)
  local m, I = model.mass_min or 0, model.inertia_min or 0
  lump = lump or { mass = 0, centre = { 0, 0, 0 }, inertia = { 0, 0, 0, 0, 0, 0 } }
  if math.max(lump.mass, m) == 0 then return nil end
  return { mass = math.max(lump.mass, m), centre = lump.centre, inertia = mass.raise_moments(lump.inertia, I) }
end

--- Returns the lumps of links by name, in the axes of the links. A link without a lump has no mass, or its
--- mass is that of the union of its shapes.
function mass.of_model(w, model, material)
  local lumps, total = {}, 0
  for _, link in ipairs(model.links) do
    local lump = mass.stated(link)
    if link.overlaps == "sum" and not link.mass then lump = mass.of_sum(w, link.shapes or {}, material) end
    local rules = link.overlaps == "sum" or lump
    if rules and link.name ~= model.ground and (model.mass_min or model.inertia_min) then
      lump = bounded(lump, model)
    end
    lumps[link.name] = lump
    if link.name ~= model.ground and lump then total = total + lump.mass end
  end
  if model.mass_total and total > 0 then
    for name, lump in pairs(lumps) do
      lumps[name] = mass.scale(lump, model.mass_total / total)
    end
  end
  return lumps
end

return mass
