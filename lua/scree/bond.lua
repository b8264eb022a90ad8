-- Bonds between grains: elastic or rigid beams of glue from centre to centre, which can break. They connect
-- neighbours or given pairs. w:bond{...} is bond.create(w, {...}).
--
--   setup = function(w)
--     bonds = w:bond { group = 1, distance = "0.1 mm", young = "1 GPa", strength = "5 MPa" }
--   end
local scree = require "scree"
local bond = {}

local known = {
  "bodies",
  "group",
  "where",
  "mesh",
  "pairs",
  "radius",
  "collide",
  "strength",
  "stiffness",
  "damping",
  "exact",
  "ratio",
  distance = "m",
  young = "Pa",
}
local stiffnesses = { normal = "N/m", shear = "N/m", bending = "N m/rad", twist = "N m/rad" }
local dampings = { normal = "s", shear = "s", bending = "s", twist = "s" }
local strengths = {
  tension = "Pa",
  compression = "Pa",
  shear = "Pa",
  bending = "Pa",
  twist = "Pa",
  edge_tension = "Pa",
  edge_shear = "Pa",
}

-- Returns the strength as a table { mode of breaking = stress [Pa] }. The key "" means all modes.
local function read_strength(given)
  local list = type(given) == "table" and scree.check_keys(given, strengths, "bond.strength")
    or { [""] = scree.quantity(given, "Pa", "bond.strength") }
  for way, stress in pairs(list) do
    if not (type(stress) == "number" and stress > 0) then
      error("bond.strength" .. (way ~= "" and "." .. way or "") .. " must be above 0", 4)
    end
  end
  return list
end

-- Returns the ratio of damping to stiffness [s] for each mode of deformation.
local function read_damping(given)
  local list = type(given) == "table" and scree.check_keys(given, dampings, "bond.damping") or {}
  local all = type(given) ~= "table" and scree.quantity(given, "s", "bond.damping") or nil
  for way in pairs(dampings) do
    list[way] = all or list[way] or 0
    if not (type(list[way]) == "number" and list[way] >= 0) then
      error("bond.damping" .. (all and "" or "." .. way) .. " must be a number, at least 0", 4)
    end
  end
  return list
end

local function read_stiffness(def)
  local list = scree.check_keys(def.stiffness, stiffnesses, "bond.stiffness")
  for way in pairs(stiffnesses) do
    if list[way] == nil and not def.young then
      error("bond.stiffness." .. way .. " is missing, and there is no `young` to take it from", 4)
    end
    if list[way] ~= nil and not (type(list[way]) == "number" and list[way] > 0) then
      error("bond.stiffness." .. way .. " must be above 0", 4)
    end
  end
  if def.exact then error("bond.stiffness is of elastic bonds that are not exact", 4) end
  return list
end

local function read(options)
  local def = scree.check_keys(options, known, "bond")
  for _, key in ipairs { "young", "radius", "ratio" } do
    if def[key] and not (type(def[key]) == "number" and def[key] > 0) then
      error("bond." .. key .. " must be above 0", 3)
    end
  end
  if def.strength ~= nil then def.strength = read_strength(def.strength) end
  if def.damping ~= nil then def.damping = read_damping(def.damping) end
  if def.stiffness ~= nil then def.stiffness = read_stiffness(def) end
  if def.distance and not (type(def.distance) == "number" and def.distance >= 0) then
    error("bond.distance must be a number, at least 0", 3)
  end
  for _, key in ipairs { "pairs", "bodies" } do
    scree.check_type(def[key] or {}, "table", "bond", "as " .. key)
  end
  if def.exact ~= nil and type(def.exact) ~= "boolean" then error("bond.exact must be true or false", 3) end
  if def.ratio and not def.young then error("bond.ratio is of elastic bonds: give `young` as well", 3) end
  if def.damping and not (def.young or def.stiffness) then
    error("bond.damping is of elastic bonds: give `young` or `stiffness` as well", 3)
  end
  if (def.pairs == nil) == (def.distance == nil) then
    error("bond: say who is bonded, by either `distance` or `pairs`", 3)
  end
  if def.pairs and (def.bodies or def.group or def.where or def.mesh) then
    error("bond.pairs says which bodies there are: leave `bodies`, `group`, `where` and `mesh` out", 3)
  end
  if def.where ~= nil then scree.check_type(def.where, "function", "bond", "as where") end
  if def.group ~= nil and math.type(def.group) ~= "integer" then error "bond.group must be a whole number" end
  if def.mesh ~= nil and not (scree.type(def.mesh) == "geometry" and def.mesh:info().closed) then
    error("bond.mesh must be a closed mesh or a hull, of scree.geometry", 3)
  end
  return def
end

-- Returns a function (x, y, z) that says whether a point lies in a closed geometry. The solid angles of all
-- triangles, as seen from the point, add up to 4 pi inside and to 0 outside (van Oosterom & Strackee 1983).
local function inside(geometry)
  local points, triangles = geometry:lists()
  local info = geometry:info()
  local low, high = info.min, info.max
  return function(x, y, z)
    if x < low[1] or y < low[2] or z < low[3] or x > high[1] or y > high[2] or z > high[3] then
      return false
    end
    local sum = 0
    for _, t in ipairs(triangles) do
      local p, q, r = points[t[1]], points[t[2]], points[t[3]]
      local ax, ay, az, bx, by, bz, cx, cy, cz =
        p[1] - x, p[2] - y, p[3] - z, q[1] - x, q[2] - y, q[3] - z, r[1] - x, r[2] - y, r[3] - z
      local a, b, c =
        (ax * ax + ay * ay + az * az) ^ 0.5,
        (bx * bx + by * by + bz * bz) ^ 0.5,
        (cx * cx + cy * cy + cz * cz) ^ 0.5
      local volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
      sum = sum + 2
          * math.atan(
            volume,
            a * b * c + (ax * bx + ay * by + az * bz) * c + (bx * cx + by * cy + bz * cz) * a
              + (cx * ax + cy * ay + cz * az) * b
          )
    end
    return math.abs(sum) > 2 * math.pi
  end
end

-- Returns the bodies to bond. Candidates are the list def.bodies, or all dynamic bodies if there is no list. Each
-- body must satisfy def.group, def.where and def.mesh.
local function chosen(w, def)
  local function anywhere() return true end
  local where, within, list = def.where or anywhere, def.mesh and inside(def.mesh) or anywhere, {}
  if def.bodies then
    for _, b in ipairs(def.bodies) do
      scree.check_type(b, "body", "bond", "in bodies")
      local is_chosen = (not def.group or b:group() == def.group) and within(b:position()) and where(b:position())
      if is_chosen then list[#list + 1] = b end
    end
    return list
  end
  local id, kind = w:view "id", w:view "kind"
  local group, place = def.group and w:view "group", w:view "position"
  for i = 1, #id do
    if
      kind[i] == "dynamic" and (not group or group[i] == def.group) and within(place:get(i))
      and where(place:get(i))
    then
      list[#list + 1] = w:body_of(id[i])
    end
  end
  return list
end

-- Returns the pairs of bodies whose bounding spheres are at most `distance` apart, sorted by their place in
-- the list.
local function neighbours(list, distance)
  local place, radius, cell, width, found = {}, {}, {}, distance, {}
  for i, b in ipairs(list) do
    scree.check_type(b, "body", "bond", "in bodies")
    place[i], radius[i] = { b:position() }, b:radius()
    width = math.max(width, 2 * radius[i] + distance)
  end
  local function key(x, y, z) return (x * 0x1fffff + y) * 0x1fffff + z end
  for i, p in ipairs(place) do
    local x, y, z = math.floor(p[1] / width), math.floor(p[2] / width), math.floor(p[3] / width)
    for dx = -1, 1 do
      for dy = -1, 1 do
        for dz = -1, 1 do
          local near = cell[key(x + dx, y + dy, z + dz)]
          for c = 1, near and #near or 0 do
            local j = near[c]
            local q, reach = place[j], (radius[i] + radius[j] + distance) * (1 + 1e-9)
            local a, b, c2 = p[1] - q[1], p[2] - q[2], p[3] - q[3]
            if a * a + b * b + c2 * c2 <= reach * reach then found[#found + 1] = { j, i } end
          end
        end
      end
    end
    local own = key(x, y, z)
    cell[own] = cell[own] or {}
    table.insert(cell[own], i)
  end
  table.sort(found, function(s, t) return s[1] < t[1] or s[1] == t[1] and s[2] < t[2] end)
  for k, pair in ipairs(found) do
    found[k] = { list[pair[1]], list[pair[2]] }
  end
  return found
end

-- Makes one bond as a fixed joint: a round beam from centre to centre. The point of the joint lies in the
-- middle between the two surfaces.
local function tie(w, def, a, b)
  scree.check_type(a, "body", "bond", "first in each of pairs")
  scree.check_type(b, "body", "bond", "second in each of pairs")
  local p, q, r, s = { a:position() }, { b:position() }, a:radius(), b:radius()
  local d = { q[1] - p[1], q[2] - p[2], q[3] - p[3] }
  local length = math.sqrt(d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2)
  if not (length > 0) then error("bond: two of the bodies have the same place", 3) end
  local share, at = (r + (length - r - s) / 2) / length, {}
  for k = 1, 3 do
    at[k] = p[k] + share * d[k]
  end
  local thick = (def.radius or 1) * math.min(r, s)
  local area, inertia = math.pi * thick ^ 2, math.pi * thick ^ 4 / 4
  local joint = { a = a, b = b, at = at, axis = d, collide = def.collide }
  if def.young then
    joint.stiffness, joint.turn_stiffness = def.young * area / length, def.young * inertia / length
    local slow = def.damping or { normal = 0, bending = 0 }
    if def.damping and (slow.normal ~= slow.shear or slow.bending ~= slow.twist) then
      error("bond.damping: exact bonds have one for normal and shear, and one for bending and twist", 3)
    end
    joint.damping, joint.turn_damping = slow.normal * joint.stiffness, slow.bending * joint.turn_stiffness
  end
  -- The limits are the loads of a beam at which the largest stress reaches the strength. thick: radius of the
  -- beam. The stress is force / area, bending moment / (inertia / thick), or twisting moment / (2 inertia /
  -- thick).
  local ways, all = def.strength or {}, def.strength and def.strength[""]
  if ways.edge_tension or ways.edge_shear then
    error("bond.strength: edge_tension and edge_shear are of elastic bonds that are not exact", 3)
  end
  if def.ratio then error("bond.ratio is of elastic bonds that are not exact", 3) end
  local function times(stress, factor) return stress and stress * factor end
  joint.break_force, joint.break_torque = times(all, area), times(all, inertia / thick)
  joint.break_tension, joint.break_compression, joint.break_shear =
    times(ways.tension, area), times(ways.compression, area), times(ways.shear, area)
  joint.break_bending, joint.break_twist =
    times(ways.bending, inertia / thick), times(ways.twist, 2 * inertia / thick)
  return w:fixed(joint)
end

-- Makes all elastic bonds of balls with one call of the engine.
local function glue(w, def, list)
  local keys =
    { pairs = list, young = def.young, ratio = def.ratio, radius = def.radius, collide = def.collide }
  for way in pairs(stiffnesses) do
    keys[way .. "_stiffness"], keys[way .. "_damping"] =
      def.stiffness and def.stiffness[way], def.damping and def.damping[way]
  end
  local all = def.strength and def.strength[""]
  for way in pairs(strengths) do
    if def.strength and (not all or way:sub(1, 4) ~= "edge") then keys[way] = all or def.strength[way] end
  end
  return w:bond_pairs(keys)
end

function bond.create(w, options)
  scree.check_type(w, "world", "bond.create", "first")
  local def, list = read(options), {}
  local chosen_pairs = def.pairs or neighbours(chosen(w, def), def.distance)
  if (def.young or def.stiffness) and not def.exact then return glue(w, def, chosen_pairs) end
  for _, pair in ipairs(chosen_pairs) do
    scree.check_type(pair, "table", "bond", "of two bodies in pairs")
    list[#list + 1] = tie(w, def, pair[1], pair[2])
  end
  return list
end

return bond
