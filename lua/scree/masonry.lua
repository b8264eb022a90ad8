--- Structures of blocks: walls in bond, arches, barrel vaults, flat arches, domes, columns and portals.
---
---   local masonry = require "scree.masonry"
---   local blocks, supports = masonry.arch(w, { radius = 1, thickness = 0.15, depth = 0.3, voussoirs = 16 })
---
--- Every maker returns the list of its blocks, from the bottom to the top or along the arch, and the list of
--- its supports. `position` is the middle of the base (wall, column, portal, flat arch) or the centre of the
--- circles (arch, vault, dome). `turn` rotates the structure about the vertical axis through `position`.
--- Arches span along x.
local scree = require "scree"
local cracks = require "scree.cracks"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local dot, sub, add, cross, scale = vector.dot, vector.sub, vector.add, vector.cross, vector.scale
local masonry = {}

-- ---- keys ----

local common = { "name", "material", "group", "kind", position = "m", turn = "rad", density = "kg/m3" }

-- Raises an error unless the value of a key is a length above 0 (unit "m"), or three of them (unit "size").
local function check_lengths(value, path, unit)
  local list, count = { value }, 1
  if unit == "size" then
    list, count = type(value) == "table" and value or {}, 3
  end
  for k = 1, count do
    if type(list[k]) ~= "number" or not (list[k] > 0 and list[k] < math.huge) then
      error(("%s must be %s greater than 0"):format(path, count == 3 and "three lengths" or "a length"), 4)
    end
  end
end

-- Checks the keys of a maker and returns them with quantities converted to numbers. own: keys of the maker
-- with their units; "size": three lengths; "": no unit. needed: keys that must be given.
local function read_keys(def, what, own, needed)
  local known = { table.unpack(common) }
  for key, unit in pairs(common) do
    known[key] = unit
  end
  for key, unit in pairs(own) do
    if unit == "" then
      known[#known + 1] = key
    else
      known[key] = unit == "size" and "m" or unit
    end
  end
  local o = scree.check_keys(def, known, what)
  for _, key in ipairs(needed) do
    if o[key] == nil then error(what .. "." .. key .. " is missing", 3) end
  end
  if o.position ~= nil then scree.check_type(o.position, "table", what, "as position") end
  for k = 1, o.position and 3 or 0 do
    scree.check_type(o.position[k], "number", what, "three times in position")
  end
  for key, unit in pairs(own) do
    if o[key] ~= nil and (unit == "m" or unit == "size") then check_lengths(o[key], what .. "." .. key, unit) end
  end
  return o
end

local function check_whole(o, what, key, least)
  if math.type(o[key]) ~= "integer" or o[key] < least then
    error(("%s.%s must be a whole number of at least %d"):format(what, key, least), 3)
  end
end

local function check_choice(o, what, key, choices)
  for _, choice in ipairs(choices) do
    if o[key] == choice then return end
  end
  error(("%s.%s must be one of %s, not '%s'"):format(what, key, table.concat(choices, ", "), tostring(o[key])), 3)
end

-- Refuses an angle outside of (0, most], in radians.
local function check_angle(o, what, key, most)
  local value = o[key]
  if type(value) ~= "number" or not (value > 0 and value <= most * (1 + 1e-12)) then
    error(("%s.%s must lie above 0 and be at most %g deg"):format(what, key, math.deg(most)), 3)
  end
end

-- ---- bodies ----

-- Adds one body. block: { size = } (a box), { points = } (a hull) or { radius =, length = } (a cylinder),
-- with `at`, its place in the frame of the structure.
local function add_block(w, o, block, name, kind)
  local q = quaternion.about({ 0, 0, 1 }, o.turn or 0)
  local at, points = block.at or { 0, 0, 0 }, nil
  if block.points then -- about their mean, because the bounding radius of a hull counts from the origin of its points
    local mean = vector.mean(block.points)
    at, points = add(at, mean), vector.relative(block.points, mean)
  end
  at = quaternion.turn(q, at)
  local base = o.position or { 0, 0, 0 }
  local def = {
    name = name,
    kind = kind,
    material = block.material or o.material,
    group = o.group,
    density = kind == "dynamic" and (block.density or o.density) or nil,
    position = { base[1] + at[1], base[2] + at[2], base[3] + at[3] },
    orientation = q,
  }
  def.points, def.size, def.radius, def.length = points, block.size, block.radius, block.length
  if block.points then return w:hull(def) end
  return block.size and w:box(def) or w:cylinder(def)
end

-- Adds the blocks and the supports of a structure. Returns the list of blocks and the list of supports.
local function add_all(w, o, blocks, supports)
  local made, fixed = {}, {}
  for i, block in ipairs(blocks) do
    made[i] = add_block(w, o, block, o.name and o.name .. i, o.kind or "dynamic")
  end
  for i, block in ipairs(supports or {}) do
    fixed[i] = add_block(w, o, block, o.name and o.name .. "_support" .. i, o.supports)
  end
  return made, fixed
end

-- ---- walls ----

-- Adds a row of boxes along x to the list. widths: their lengths; x: start of the row; y, z: its middle line;
-- b, h: its width and height.
local function add_row(list, widths, x, y, b, z, h)
  for _, l in ipairs(widths) do
    list[#list + 1] = { size = { l, b, h }, at = { x + l / 2, y, z } }
    x = x + l
  end
end

local function repeat_length(l, n)
  local widths = {}
  for i = 1, n do
    widths[i] = l
  end
  return widths
end

-- Returns the lengths of the bricks of a course: n bricks of length l, shifted by the share `shift` of a
-- brick. Cut bricks close the course at both ends.
local function shifted_course(l, n, shift)
  if shift == 0 then return repeat_length(l, n) end
  local widths = repeat_length(l, n + 1)
  widths[1], widths[n + 1] = shift * l, (1 - shift) * l
  return widths
end

-- Returns the lengths of the bricks of a course of headers that is as wide as n stretchers of length 2 b.
-- Closers lie beside the ends.
local function header_course(b, n)
  if n == 1 then return { b, b } end
  local widths = repeat_length(b, 2 * n + 1)
  widths[2], widths[2 * n] = b / 2, b / 2
  return widths
end

local BONDS = { "running", "stack", "english" }
local WALL = { brick = "size", columns = "", courses = "", bond = "", shift = "" }

--- Adds a wall along x. brick: { length, width, height }. Bonds: "running" (shifted by `shift`, 1/2),
--- "stack", "english" (courses of stretchers and of headers in turn; the wall is as thick as a brick is
--- long). material may be a list, for courses in turn.
function masonry.wall(w, def)
  scree.check_type(w, "world", "masonry.wall", "first")
  local what = "masonry.wall"
  local o = read_keys(def, what, WALL, { "brick", "columns", "courses" })
  o.bond, o.shift = o.bond or "running", o.shift or 0.5
  check_whole(o, what, "columns", 1)
  check_whole(o, what, "courses", 1)
  check_choice(o, what, "bond", BONDS)
  local l, b, h = table.unpack(o.brick)
  if not (o.shift > 0 and o.shift < 1) then error(what .. ".shift must lie between 0 and 1", 2) end
  if o.bond == "english" and math.abs(l - 2 * b) > 1e-9 * l then
    error(what .. ": a brick in English bond is twice as long as it is wide", 2)
  end
  local materials = type(o.material) == "table" and #o.material > 0 and o.material or nil
  local blocks, left = {}, -o.columns * l / 2
  for course = 1, o.courses do
    local z, odd, first = (course - 0.5) * h, course % 2 == 1, #blocks + 1
    if o.bond ~= "english" then
      add_row(blocks, shifted_course(l, o.columns, (odd or o.bond == "stack") and 0 or o.shift), left, 0, b, z, h)
    elseif odd then
      for _, y in ipairs { -b / 2, b / 2 } do
        add_row(blocks, repeat_length(l, o.columns), left, y, b, z, h)
      end
    else
      add_row(blocks, header_course(b, o.columns), left, 0, l, z, h)
    end
    for i = first, #blocks do
      blocks[i].material = materials and materials[(course - 1) % #materials + 1]
    end
  end
  return add_all(w, o, blocks)
end

-- ---- arches and vaults ----

-- Returns a block with eight corners: place(u, v, w) for both values in each of the lists us, vs and ws.
local function block(us, vs, ws, place)
  local points = {}
  for _, u in ipairs(us) do
    for _, v in ipairs(vs) do
      for _, w in ipairs(ws) do
        points[#points + 1] = place(u, v, w)
      end
    end
  end
  return { points = points }
end

-- Returns a voussoir between the radii r1 and r2, the angles a1 and a2 from the vertical, and the coordinates
-- y1 and y2.
local function voussoir(r1, r2, a1, a2, y1, y2)
  return block({ a1, a2 }, { r1, r2 }, { y1, y2 }, function(a, r, y) return { r * math.sin(a), y, r * math.cos(a) } end)
end

local SUPPORTS = { "fixed", "kinematic", "none" }
-- width of a support beyond the arch on each side, as a share of the arch's thickness
local WIDER = 0.25

-- Sets radius and angle of an arch. The keys span and rise of the centre line may replace them.
local function read_circle(o, what)
  if o.span or o.rise then
    if o.radius or o.angle then error(what .. ": give radius and angle, or span and rise", 3) end
    if not (o.span and o.rise) then error(what .. ": span and rise are given together", 3) end
    if o.rise > o.span / 2 * (1 + 1e-12) then error(what .. ".rise must be at most half of span", 3) end
    o.radius = (o.span ^ 2 / 4 + o.rise ^ 2) / (2 * o.rise)
    o.angle = 2 * math.atan(o.span / 2, o.radius - o.rise)
  end
  if not o.radius then error(what .. ".radius is missing", 3) end
  o.angle = o.angle or math.pi
  check_angle(o, what, "angle", 1.9 * math.pi)
  if not (o.thickness < 2 * o.radius) then error(what .. ".thickness must be less than twice the radius", 3) end
  o.supports = o.supports or "fixed"
  check_choice(o, what, "supports", SUPPORTS)
end

-- Returns the two blocks on which an arch stands. half: half of the arch's depth.
local function arch_supports(o, half)
  if o.supports == "none" then return {} end
  local wide, a, da = o.thickness * (0.5 + WIDER), o.angle / 2, o.angle / o.voussoirs
  local r1, r2 = math.max(o.radius - wide, o.radius / 10), o.radius + wide
  return {
    voussoir(r1, r2, -a - da, -a, -half, half),
    voussoir(r1, r2, a, a + da, -half, half),
  }
end

local ARCH = {
  radius = "m",
  thickness = "m",
  depth = "m",
  span = "m",
  rise = "m",
  angle = "rad",
  voussoirs = "",
  supports = "",
}

--- Adds a semicircular arch, or a segmental arch with the angle of embrace `angle`. radius: radius of the
--- centre line.
function masonry.arch(w, def)
  scree.check_type(w, "world", "masonry.arch", "first")
  local what = "masonry.arch"
  local o = read_keys(def, what, ARCH, { "thickness", "depth", "voussoirs" })
  check_whole(o, what, "voussoirs", 2)
  read_circle(o, what)
  local blocks, r1, r2 = {}, o.radius - o.thickness / 2, o.radius + o.thickness / 2
  for i = 1, o.voussoirs do
    local a = o.angle * ((i - 1) / o.voussoirs - 0.5)
    blocks[i] = voussoir(r1, r2, a, a + o.angle / o.voussoirs, -o.depth / 2, o.depth / 2)
  end
  return add_all(w, o, blocks, arch_supports(o, o.depth / 2))
end

local VAULT = { length = "m", rows = "", bond = "" }
for key, unit in pairs(ARCH) do
  if key ~= "depth" then VAULT[key] = unit end
end

--- Adds a barrel vault along y: an arch whose courses of voussoirs have `rows` blocks, in running or stack
--- bond.
function masonry.vault(w, def)
  scree.check_type(w, "world", "masonry.vault", "first")
  local what = "masonry.vault"
  local o = read_keys(def, what, VAULT, { "thickness", "length", "voussoirs", "rows" })
  o.bond = o.bond or "running"
  check_whole(o, what, "voussoirs", 2)
  check_whole(o, what, "rows", 1)
  check_choice(o, what, "bond", { "running", "stack" })
  read_circle(o, what)
  local blocks, r1, r2 = {}, o.radius - o.thickness / 2, o.radius + o.thickness / 2
  for i = 1, o.voussoirs do
    local a, y = o.angle * ((i - 1) / o.voussoirs - 0.5), -o.length / 2
    local shift = (i % 2 == 1 or o.bond == "stack") and 0 or 0.5
    for _, depth in ipairs(shifted_course(o.length / o.rows, o.rows, shift)) do
      blocks[#blocks + 1] = voussoir(r1, r2, a, a + o.angle / o.voussoirs, y, y + depth)
      y = y + depth
    end
  end
  return add_all(w, o, blocks, arch_supports(o, o.length / 2))
end

--- Adds a flat arch of span x height x depth. The planes of its joints meet below the arch; the abutments
--- have the angle `skew` (30 deg) to the vertical. position is the middle of its soffit.
function masonry.flat_arch(w, def)
  scree.check_type(w, "world", "masonry.flat_arch", "first")
  local what = "masonry.flat_arch"
  local own = { span = "m", height = "m", depth = "m", skew = "rad", voussoirs = "", supports = "" }
  local o = read_keys(def, what, own, { "span", "height", "depth", "voussoirs" })
  o.skew, o.supports = o.skew or math.rad(30), o.supports or "fixed"
  check_whole(o, what, "voussoirs", 1)
  check_angle(o, what, "skew", math.rad(80))
  check_choice(o, what, "supports", SUPPORTS)
  local spread = 1 + o.height * math.tan(o.skew) / (o.span / 2)
  -- x1, x2: sides of the block at the soffit; X1, X2: at the top
  local function prism(x1, X1, x2, X2)
    local sides = { { x1, X1 }, { x2, X2 } }
    return block({ -o.depth / 2, o.depth / 2 }, sides, { 1, 2 }, function(y, side, level) return { side[level], y, (level - 1) * o.height } end)
  end
  local blocks, half = {}, o.span / 2
  for i = 1, o.voussoirs do
    local x1, x2 = o.span * ((i - 1) / o.voussoirs - 0.5), o.span * (i / o.voussoirs - 0.5)
    blocks[i] = prism(x1, x1 * spread, x2, x2 * spread)
  end
  local out = half * spread + o.height
  local supports = { prism(-out, -out, -half, -half * spread), prism(half, half * spread, out, out) }
  return add_all(w, o, blocks, o.supports ~= "none" and supports or {})
end

-- ---- domes ----

-- Returns a block of a dome: radii r1 to r2, angles f1 to f2 from the axis, angles a1 to a2 about the axis.
local function dome_block(r1, r2, f1, f2, a1, a2)
  return block({ f1, f2 }, { a1, a2 }, { r1, r2 }, function(f, a, r)
    return { r * math.sin(f) * math.cos(a), r * math.sin(f) * math.sin(a), r * math.cos(f) }
  end)
end

--- Adds a spherical dome of rings of `sectors` blocks. angle: from the axis to the base (90 deg); oculus:
--- from the axis to the edge of the opening (15 deg). Joints along meridians are aligned, because blocks with
--- flat faces do not fit on a ring that is shifted.
function masonry.dome(w, def)
  scree.check_type(w, "world", "masonry.dome", "first")
  local what = "masonry.dome"
  local own = {
    radius = "m",
    thickness = "m",
    angle = "rad",
    oculus = "rad",
    rings = "",
    sectors = "",
    supports = "",
  }
  local o = read_keys(def, what, own, { "radius", "thickness", "rings", "sectors" })
  o.angle, o.oculus = o.angle or math.pi / 2, o.oculus or math.rad(15)
  o.supports = o.supports or "fixed"
  check_whole(o, what, "rings", 1)
  check_whole(o, what, "sectors", 3)
  check_angle(o, what, "angle", math.rad(150))
  check_angle(o, what, "oculus", o.angle)
  check_choice(o, what, "supports", SUPPORTS)
  if not (o.oculus < o.angle) then error(what .. ".oculus must be less than angle", 2) end
  if not (o.thickness < 2 * o.radius) then error(what .. ".thickness must be less than twice the radius", 2) end
  local r1, r2 = o.radius - o.thickness / 2, o.radius + o.thickness / 2
  local df, da = (o.angle - o.oculus) / o.rings, 2 * math.pi / o.sectors
  local blocks, supports = {}, {}
  for ring = 1, o.rings do
    local f = o.angle - (ring - 1) * df
    for k = 0, o.sectors - 1 do
      blocks[#blocks + 1] = dome_block(r1, r2, f - df, f, k * da, (k + 1) * da)
    end
  end
  local wide = o.thickness * WIDER
  for k = 0, o.supports ~= "none" and o.sectors - 1 or -1 do
    supports[k + 1] = dome_block(r1 - wide, r2 + wide, o.angle, o.angle + df, k * da, (k + 1) * da)
  end
  return add_all(w, o, blocks, supports)
end

-- ---- columns and portals ----

-- Returns the corners of a drum: a frustum of height h between two regular polygons, which have the areas of
-- circles with the radii `low` and `high`.
local function frustum(sides, low, high, h)
  local points, wider = {}, math.sqrt(2 * math.pi / (sides * math.sin(2 * math.pi / sides)))
  for _, at in ipairs { { low, -h / 2 }, { high, h / 2 } } do
    for k = 0, sides - 1 do
      local a = 2 * math.pi * (k + 0.5) / sides
      points[#points + 1] = { wider * at[1] * math.cos(a), wider * at[1] * math.sin(a), at[2] }
    end
  end
  return points
end

--- Adds a column of drums. Without `sides` and `top_radius` they are cylinders, else frusta with `sides`
--- sides (24).
function masonry.column(w, def)
  scree.check_type(w, "world", "masonry.column", "first")
  local what = "masonry.column"
  local own = { radius = "m", top_radius = "m", height = "m", drums = "", sides = "" }
  local o = read_keys(def, what, own, { "radius", "height", "drums" })
  check_whole(o, what, "drums", 1)
  if o.top_radius and not o.sides then o.sides = 24 end
  if o.sides then check_whole(o, what, "sides", 3) end
  local blocks, h, top = {}, o.height / o.drums, o.top_radius or o.radius
  for i = 1, o.drums do
    local function radius_at(k) return o.radius + (top - o.radius) * k / o.drums end
    local block = { at = { 0, 0, (i - 0.5) * h } }
    if o.sides then
      block.points = frustum(o.sides, radius_at(i - 1), radius_at(i), h)
    else
      block.radius, block.length = o.radius, h
    end
    blocks[i] = block
  end
  return add_all(w, o, blocks)
end

--- Adds a row of columns along x with a lintel on them: a portal with two columns. column: { width, depth,
--- height }; span: between the axes of columns; lintel: { length, depth, height }. Returns the blocks of the
--- columns, column by column, and then the lintel.
function masonry.portal(w, def)
  scree.check_type(w, "world", "masonry.portal", "first")
  local what = "masonry.portal"
  local own = { column = "size", lintel = "size", span = "m", columns = "", drums = "", lintel_density = "kg/m3" }
  local o = read_keys(def, what, own, { "column", "lintel", "span" })
  o.columns, o.drums = o.columns or 2, o.drums or 1
  check_whole(o, what, "columns", 1)
  check_whole(o, what, "drums", 1)
  local blocks, b, d, h = {}, table.unpack(o.column)
  for column = 1, o.columns do
    local x = (column - (o.columns + 1) / 2) * o.span
    for drum = 1, o.drums do
      blocks[#blocks + 1] = { size = { b, d, h / o.drums }, at = { x, 0, (drum - 0.5) * h / o.drums } }
    end
  end
  local z = h + o.lintel[3] / 2
  blocks[#blocks + 1] = { size = o.lintel, at = { 0, 0, z }, density = o.lintel_density }
  return add_all(w, o, blocks)
end

-- ---- line of thrust ----

-- Returns the number of each part by the ids of its bodies. A part is a body or a list of bodies.
local function number_parts(parts)
  local of = {}
  for i, part in ipairs(parts) do
    for _, body in ipairs(type(part) == "table" and part or { part }) do
      if type(body) ~= "userdata" then error("masonry.thrust: the list of parts has an entry that is no body", 3) end
      of[body:id()] = i
    end
  end
  return of
end

-- Returns the sums over the faces between the parts i and i + 1: force and moment about the origin on the part i + 1,
-- sums of area, of area times centre and of area times normal (towards part i + 1), and all corners.
local function sum_faces(w, parts)
  local of, sums = number_parts(parts), {}
  for _, face in ipairs(cracks.list(w)) do
    local a, b = of[face.body1:id()], of[face.body2:id()]
    if a and b and math.abs(a - b) == 1 then
      local i, sign = math.min(a, b), a > b and 1 or -1
      local sum = sums[i] or { force = { 0, 0, 0 }, moment = { 0, 0, 0 }, area = 0, centre = { 0, 0, 0 }, normal = { 0, 0, 0 }, corners = {} }
      sums[i] = sum
      local moment = add(face.moment, cross(face.centre, face.force))
      sum.force, sum.moment = add(sum.force, scale(sign, face.force)), add(sum.moment, scale(sign, moment))
      sum.area, sum.centre = sum.area + face.area, add(sum.centre, scale(face.area, face.centre))
      sum.normal = add(sum.normal, scale(sign * face.area, face.normal))
      table.move(face.corners, 1, #face.corners, #sum.corners + 1, sum.corners)
    end
  end
  return sums
end

-- Returns the entry of the line of thrust for the sums of a joint. across: direction of the thickness.
local function make_thrust(sum, axis)
  local normal = vector.unit(sum.normal)
  local centre, across = scale(1 / sum.area, sum.centre), cross(normal, axis)
  if not (dot(across, across) > 1e-12) then
    error("masonry.thrust.axis must be perpendicular to the plane of the row, not along a normal of its joints", 3)
  end
  across = vector.unit(across)
  local low, high = math.huge, -math.huge
  for _, p in ipairs(sum.corners) do
    local s = dot(p, across)
    low, high = math.min(low, s), math.max(high, s)
  end
  local thrust = dot(sum.force, normal)
  local entry = { force = sum.force, normal = normal, across = across, thickness = high - low, normal_force = thrust }
  entry.shear_force = dot(sum.force, across)
  entry.centre = add(centre, scale((low + high) / 2 - dot(centre, across), across))
  if thrust > 1e-9 * vector.length(sum.force) then
    local moment = sub(sum.moment, cross(entry.centre, sum.force))
    entry.eccentricity = dot(across, cross(normal, moment)) / thrust
    entry.point = add(entry.centre, scale(entry.eccentricity, across))
  end
  return entry
end

--- Returns the line of thrust through a row of parts: for the joints between parts 1 and 2, 2 and 3, ... the point at
--- which the force of the last step passes, and its eccentricity. A part is a body, or a list of bodies. The axis
--- ({ 0, 1, 0 }) is perpendicular to the plane of the row. Needs cracks.watch. An entry is false if the parts have no
--- face in common.
function masonry.thrust(w, parts, def)
  scree.check_type(w, "world", "masonry.thrust", "first")
  local o = scree.check_keys(def or {}, { "axis" }, "masonry.thrust")
  local axis = vector.direction(o.axis or { 0, 1, 0 })
  if not axis then error("masonry.thrust.axis must be a direction", 2) end
  scree.check_type(parts, "table", "masonry.thrust", "of parts second")
  if #parts < 2 then error("masonry.thrust needs a list of at least two parts", 2) end
  local sums, line = sum_faces(w, parts), {}
  for i = 1, #parts - 1 do
    line[i] = sums[i] and make_thrust(sums[i], axis) or false
  end
  return line
end

return masonry
