--- Obstacles and containers, made of several shapes or of a mesh.
---
---   local obstacle = require "scree.obstacle"
---   obstacle.half_round(w, { position = {0.04, 0.04, 0.01}, radius = 0.005, height = 0.02 })
---   obstacle.silo(w, { radius = 0.1, height = 0.3, outlet = 0.02, angle = "30 deg" })
---   obstacle.drum(w, { radius = 0.1, length = 0.05, lifters = 8, lifter_height = 0.01, turn = "20 rpm" })
---
--- Containers are meshes with an axis. Their walls have no thickness and act on both sides. `position` is the
--- middle of the outlet (silo, hopper, funnel, wedge) or the centre (pipe, drum, screw). Round containers are
--- prisms with `sides` sides, whose cross-section has the area of the circle.

local scree = require "scree"
local vector = require "scree.math.vector"
local obstacle = {}

--- Adds an upright cylinder whose half towards +x is replaced by a box of the same width (Preclik, Eibl and
--- Rüde 2017, section 4.3). position is the centre of the cylinder. Returns the body.
function obstacle.half_round(w, options)
  scree.check_type(w, "world", "obstacle.half_round", "first")
  options = scree.check_keys(
    options,
    { position = "m", radius = "m", height = "m", length = "m", "name", "material" },
    "obstacle.half_round"
  )
  for _, key in ipairs { "radius", "height", options.length ~= nil and "length" or nil } do
    scree.check_type(options[key], "number", "obstacle.half_round", "as " .. key)
  end
  local r, h = options.radius, options.height
  local length = options.length or r
  return w:body {
    name = options.name or "obstacle",
    kind = "fixed",
    position = options.position,
    shapes = {
      { type = "cylinder", radius = r, length = h, material = options.material },
      {
        type = "box",
        size = { length, 2 * r, h },
        position = { length / 2, 0, 0 },
        material = options.material,
      },
    },
  }
end

--- Adds six fixed walls around a box {min, max}. open: list of sides without a wall, such as {"+z"}. Returns
--- the walls by side.
function obstacle.walls(w, options)
  scree.check_type(w, "world", "obstacle.walls", "first")
  options = scree.check_keys(options, { min = "m", max = "m", "open", "material" }, "obstacle.walls")
  for _, key in ipairs { "min", "max" } do
    scree.check_type(options[key], "table", "obstacle.walls", "as " .. key)
    vector.check(options[key], "obstacle.walls." .. key)
  end
  vector.check_box(options.min, options.max, "obstacle.walls")
  local open, made = {}, {}
  scree.check_type(options.open or {}, "table", "obstacle.walls", "as open")
  for _, side in ipairs(options.open or {}) do
    if type(side) ~= "string" or not side:find "^[+-][xyz]$" then
      error(("obstacle.walls.open: '%s' is no side; sides are -x, +x, -y, +y, -z and +z"):format(tostring(side)), 2)
    end
    open[side] = true
  end
  for axis, letter in ipairs { "x", "y", "z" } do
    for _, sign in ipairs { 1, -1 } do
      -- the wall at min has its normal along +axis; its name is "-x", "-y" or "-z"
      local side = (sign > 0 and "-" or "+") .. letter
      if not open[side] then
        local normal, point = { 0, 0, 0 }, { 0, 0, 0 }
        normal[axis] = sign
        point[axis] = (sign > 0 and options.min or options.max)[axis]
        made[side] = w:halfspace { normal = normal, point = point, material = options.material }
      end
    end
  end
  return made
end

-- ---- keys that containers share ----

-- Keys that all containers have.
local common =
  { "name", "material", "group", "axis", "sides", "kind", "velocity", "spin", "turn", position = "m" }

-- Checks the keys of a container and returns them with quantities converted to numbers. own: further keys of
-- this kind of container with their units, "" for keys without unit. needed: keys that must be given.
local function take(options, what, own, needed)
  local known = { table.unpack(common) }
  known.position = common.position
  for key, unit in pairs(own) do
    if unit == "" then
      known[#known + 1] = key
    else
      known[key] = unit
    end
  end
  options = scree.check_keys(options, known, what)
  for _, key in ipairs(needed) do
    if options[key] == nil then error(what .. "." .. key .. " is missing", 3) end
  end
  for key, unit in pairs(own) do
    local value = options[key]
    if
      value ~= nil and unit == "m" and (type(value) ~= "number" or not (value > 0 and value < math.huge))
    then
      error(what .. "." .. key .. " must be a length greater than 0", 3)
    end
  end
  local sides = options.sides or 48
  if math.type(sides) ~= "integer" or sides < 3 or sides > 4096 then
    error(what .. ".sides must be a whole number from 3 to 4096", 3)
  end
  options.sides = sides
  return options
end

local function less(what, options, small, large)
  if not (options[small] < options[large]) then
    error(what .. "." .. small .. " must be less than " .. large, 3)
  end
end

-- ---- surfaces ----

local function surface() return { points = {}, triangles = {} } end

local function point(s, x, y, z)
  s.points[#s.points + 1] = { x, y, z }
  return #s.points
end

local function quad(s, a, b, c, d)
  s.triangles[#s.triangles + 1] = { a, b, c }
  s.triangles[#s.triangles + 1] = { a, c, d }
end

-- Returns the circumradius of the regular polygon that has the area of a circle of radius r.
local function outer(r, sides) return r * math.sqrt(2 * math.pi / (sides * math.sin(2 * math.pi / sides))) end

local function ring(s, sides, r, z)
  local first, radius = #s.points + 1, outer(r, sides)
  for k = 0, sides - 1 do
    local a = 2 * math.pi * k / sides
    point(s, radius * math.cos(a), radius * math.sin(a), z)
  end
  return first
end

-- Adds the surface of revolution about z through rings { radius, z }. A ring of radius 0 is a single point.
local function revolve(s, sides, rings)
  local last
  for _, at in ipairs(rings) do
    local tip = at[1] == 0
    local first = tip and point(s, 0, 0, at[2]) or ring(s, sides, at[1], at[2])
    for k = 0, last and sides - 1 or -1 do
      local next = (k + 1) % sides
      if tip then
        s.triangles[#s.triangles + 1] = { last.first + k, last.first + next, first }
      elseif last.tip then
        s.triangles[#s.triangles + 1] = { last.first, first + next, first + k }
      else
        quad(s, last.first + k, last.first + next, first + next, first + k)
      end
    end
    last = { first = first, tip = tip }
  end
  return s
end

-- ---- bodies ----

local function unit(what, axis)
  return vector.direction(axis or { 0, 0, 1 }) or error(what .. ".axis must be a direction { x, y, z }")
end

-- Returns the quaternion (not normalised) of the smallest rotation from z to the axis.
local function turn_to(a)
  if a[3] < -1 + 1e-12 then return { 0, 1, 0, 0 } end
  return { 1 + a[3], -a[2], a[1], 0 }
end

local RATE = { "s", "rad/s" }

-- Converts an angular velocity about the axis to a spin vector. turn: a number, a list of { time, rate } or a
-- function of time; the spin has the corresponding form.
local function spin_of(what, turn, axis)
  local function along(rate) return { rate * axis[1], rate * axis[2], rate * axis[3] } end
  turn = scree.quantity(turn, RATE, what .. ".turn")
  if type(turn) == "function" then
    return function(t)
      local rate = turn(t)
      if type(rate) ~= "number" then
        error(("%s.turn: the function must return a number, not a %s"):format(what, type(rate)))
      end
      return along(rate)
    end
  end
  if type(turn) == "number" then return along(turn) end
  if type(turn) ~= "table" then
    error(what .. ".turn must be a number, a list of { time, rate } or a function of time", 4)
  end
  local rows = {}
  for i, row in ipairs(turn) do
    if type(row) ~= "table" or type(row[1]) ~= "number" or type(row[2]) ~= "number" then error(what .. ".turn must be a list of { time, rate }", 4) end
    rows[i] = { row[1], along(row[2]) }
  end
  return rows
end

local function put(w, what, options, s, axis)
  axis = unit(what, options.axis or axis)
  if options.turn and options.spin then error(what .. ".turn: spin is given too", 3) end
  local spin, kind = options.spin, options.kind
  if options.turn then spin = spin_of(what, options.turn, axis) end
  if not kind and (spin or options.velocity) then kind = "kinematic" end
  return w:mesh {
    points = s.points,
    triangles = s.triangles,
    position = options.position,
    orientation = turn_to(axis),
    name = options.name,
    material = options.material,
    group = options.group,
    kind = kind,
    velocity = options.velocity,
    spin = spin,
  }
end

-- ---- containers ----

--- Adds a pipe. closed: "bottom", "top" or "both"; without it the pipe is open at both ends. position is its
--- centre.
function obstacle.pipe(w, options)
  scree.check_type(w, "world", "obstacle.pipe", "first")
  local o = take(
    options,
    "obstacle.pipe",
    { radius = "m", length = "m", closed = "" },
    { "radius", "length" }
  )
  local closed, h, rings = o.closed or "none", o.length / 2, {}
  if closed ~= "none" and closed ~= "bottom" and closed ~= "top" and closed ~= "both" then
    error("obstacle.pipe.closed must be none, bottom, top or both", 2)
  end
  if closed == "bottom" or closed == "both" then rings[1] = { 0, -h } end
  rings[#rings + 1], rings[#rings + 2] = { o.radius, -h }, { o.radius, h }
  if closed == "top" or closed == "both" then rings[#rings + 1] = { 0, h } end
  return put(w, "obstacle.pipe", o, revolve(surface(), o.sides, rings))
end

-- Adds the surface of a bar along z on the inside of a drum, without the side that lies on the drum.
local function bar(s, angle, r, height, width, half)
  local c, n, p = math.cos(angle), math.sin(angle), {}
  for i, z in ipairs { -half, half } do
    for j, at in ipairs {
      { r, -width / 2 },
      { r - height, -width / 2 },
      { r - height, width / 2 },
      { r, width / 2 },
    } do
      p[4 * i + j - 4] = point(s, at[1] * c - at[2] * n, at[1] * n + at[2] * c, z)
    end
  end
  for j = 1, 3 do
    quad(s, p[j], p[j + 1], p[j + 5], p[j + 4])
  end
  quad(s, p[1], p[4], p[3], p[2])
  quad(s, p[5], p[6], p[7], p[8])
end

--- Adds a drum along `axis`, {0, 1, 0} by default. Both ends are closed unless `open` is true. lifters:
--- number of bars along the inside of the drum. position is the centre of the drum. turn: angular velocity
--- about the axis.
function obstacle.drum(w, options)
  scree.check_type(w, "world", "obstacle.drum", "first")
  local o = take(
    options,
    "obstacle.drum",
    { radius = "m", length = "m", lifter_height = "m", lifter_width = "m", lifters = "", open = "" },
    { "radius", "length" }
  )
  local h, n = o.length / 2, o.lifters or 0
  if math.type(n) ~= "integer" or n < 0 or n > 1000 then
    error("obstacle.drum.lifters must be a whole number from 0 to 1000", 2)
  end
  if n > 0 and not o.lifter_height then
    error("obstacle.drum.lifter_height is missing: how far lifters stand out", 2)
  end
  if n > 0 then less("obstacle.drum", o, "lifter_height", "radius") end
  local rings = { { o.radius, -h }, { o.radius, h } }
  if not o.open then rings = { { 0, -h }, rings[1], rings[2], { 0, h } } end
  local s = revolve(surface(), o.sides, rings)
  for k = 0, n - 1 do
    bar(
      s,
      2 * math.pi * k / n,
      outer(o.radius, o.sides),
      o.lifter_height,
      o.lifter_width or o.lifter_height / 2,
      h
    )
  end
  return put(w, "obstacle.drum", o, s, { 0, 1, 0 })
end

-- Returns the height of a cone between two radii: the key `cone`, or the height that follows from the angle
-- between wall and axis.
local function cone_height(what, o)
  if o.angle and o.cone then error(what .. ".angle: cone, its height, is given too", 3) end
  if not o.angle then return o.cone or 0 end
  if type(o.angle) ~= "number" or not (o.angle > 0 and o.angle <= math.pi / 2) then
    error(what .. ".angle must lie above 0 and up to 90 deg", 3)
  end
  return o.angle == math.pi / 2 and 0 or (o.radius - o.outlet) / math.tan(o.angle)
end

--- Adds a silo: a bin of `radius` and `height`, open at the top. Its bottom has a round hole of radius
--- `outlet`. The bottom is flat, or a cone of height `cone`, or a cone whose wall has the angle `angle` with
--- the axis. position is the middle of the outlet.
function obstacle.silo(w, options)
  scree.check_type(w, "world", "obstacle.silo", "first")
  local o = take(
    options,
    "obstacle.silo",
    { radius = "m", height = "m", outlet = "m", cone = "m", angle = "rad" },
    { "radius", "height", "outlet" }
  )
  less("obstacle.silo", o, "outlet", "radius")
  local foot = cone_height("obstacle.silo", o)
  return put(
    w,
    "obstacle.silo",
    o,
    revolve(surface(), o.sides, { { o.outlet, 0 }, { o.radius, foot }, { o.radius, foot + o.height } })
  )
end

--- Adds a conical hopper from radius `outlet` to radius `radius`, of height `height` or with the angle
--- `angle` between wall and axis. position is the middle of the outlet.
function obstacle.hopper(w, options)
  scree.check_type(w, "world", "obstacle.hopper", "first")
  local o = take(
    options,
    "obstacle.hopper",
    { radius = "m", height = "m", outlet = "m", angle = "rad" },
    { "radius", "outlet" }
  )
  less("obstacle.hopper", o, "outlet", "radius")
  if not o.height == not o.angle then
    error("obstacle.hopper: height or angle must be given, not both", 2)
  end
  local height = o.height or cone_height("obstacle.hopper", o)
  return put(w, "obstacle.hopper", o, revolve(surface(), o.sides, { { o.outlet, 0 }, { o.radius, height } }))
end

--- Adds a funnel: a hopper of `height` on a stem of radius `outlet` and length `stem`. position is the middle
--- of the end of the stem.
function obstacle.funnel(w, options)
  scree.check_type(w, "world", "obstacle.funnel", "first")
  local o = take(
    options,
    "obstacle.funnel",
    { radius = "m", height = "m", outlet = "m", stem = "m" },
    { "radius", "height", "outlet", "stem" }
  )
  less("obstacle.funnel", o, "outlet", "radius")
  return put(
    w,
    "obstacle.funnel",
    o,
    revolve(surface(), o.sides, { { o.outlet, 0 }, { o.outlet, o.stem }, { o.radius, o.stem + o.height } })
  )
end

--- Adds a right-handed screw along `axis`, {1, 0, 0} by default: `starts` blades of radius `radius` around a
--- shaft of radius `shaft`. pitch: advance of a blade per turn. A negative turn carries grains along the
--- axis. position is the centre of the screw.
function obstacle.screw(w, options)
  scree.check_type(w, "world", "obstacle.screw", "first")
  local o = take(
    options,
    "obstacle.screw",
    { radius = "m", shaft = "m", pitch = "m", length = "m", starts = "" },
    { "radius", "shaft", "pitch", "length" }
  )
  less("obstacle.screw", o, "shaft", "radius")
  local starts, h = o.starts or 1, o.length / 2
  if math.type(starts) ~= "integer" or starts < 1 or starts > 16 then
    error("obstacle.screw.starts must be a whole number from 1 to 16", 2)
  end
  local steps = math.ceil(o.sides * o.length / o.pitch)
  if steps > 100000 then error("obstacle.screw.pitch: more than 100000 steps along the length", 2) end
  local s = revolve(surface(), o.sides, { { 0, -h }, { o.shaft, -h }, { o.shaft, h }, { 0, h } })
  for start = 0, starts - 1 do
    local inner, rim
    for i = 0, steps do
      local z = -h + o.length * i / steps
      local a = 2 * math.pi * ((z + h) / o.pitch + start / starts)
      local p, q =
        point(s, o.shaft * math.cos(a), o.shaft * math.sin(a), z),
        point(s, o.radius * math.cos(a), o.radius * math.sin(a), z)
      if inner then quad(s, inner, rim, q, p) end
      inner, rim = p, q
    end
  end
  return put(w, "obstacle.screw", o, s, { 1, 0, 0 })
end

--- Adds a wedge hopper: two inclined walls and two vertical end walls. The walls rise by `height` from a slot
--- of width `outlet` to an opening of width `width`. The hopper has `length` along y. position is the middle
--- of the slot.
function obstacle.wedge(w, options)
  scree.check_type(w, "world", "obstacle.wedge", "first")
  local o = take(
    options,
    "obstacle.wedge",
    { width = "m", outlet = "m", length = "m", height = "m" },
    { "width", "outlet", "length", "height" }
  )
  less("obstacle.wedge", o, "outlet", "width")
  local s, p = surface(), {}
  for i, x in ipairs { o.outlet / 2, o.width / 2 } do
    local z = i == 1 and 0 or o.height
    for j, at in ipairs {
      { -x, -o.length / 2 },
      { x, -o.length / 2 },
      { x, o.length / 2 },
      { -x, o.length / 2 },
    } do
      p[4 * i + j - 4] = point(s, at[1], at[2], z)
    end
  end
  for j = 1, 4 do
    local k = j % 4 + 1
    quad(s, p[j], p[k], p[k + 4], p[j + 4])
  end
  return put(w, "obstacle.wedge", o, s)
end

--- Adds a terrain: heights above a grid between the points `min` and `max`, {x, y}. squares: number of cells
--- along x and y, one number or {n, m}; each cell has two triangles. height: a function of x and y, or a list
--- of m + 1 rows along y of n + 1 numbers. Returns the body, and a table with the lists points and triangles.
function obstacle.terrain(w, options)
  scree.check_type(w, "world", "obstacle.terrain", "first")
  local what = "obstacle.terrain"
  local o = take(
    options,
    what,
    { min = "", max = "", squares = "", height = "" },
    { "min", "max", "squares", "height" }
  )
  local n, m = o.squares, o.squares
  if type(n) == "table" then
    n, m = n[1], n[2]
  end
  if math.type(n) ~= "integer" or math.type(m) ~= "integer" or n < 1 or m < 1 or n * m > 1e8 then
    error(what .. ".squares must be a whole number above 0, or two", 2)
  end
  for _, key in ipairs { "min", "max" } do
    local at = o[key]
    if type(at) ~= "table" or type(at[1]) ~= "number" or type(at[2]) ~= "number" then
      error(what .. "." .. key .. " must be a point { x, y }", 2)
    end
  end
  if not (o.min[1] < o.max[1] and o.min[2] < o.max[2]) then error(what .. ".min must lie below max", 2) end
  local height, s = o.height, surface()
  if type(height) ~= "function" and type(height) ~= "table" then
    error(what .. ".height must be a function of x and y, or a list of rows", 2)
  end
  for j = 0, m do
    for i = 0, n do
      local x, y = o.min[1] + i / n * (o.max[1] - o.min[1]), o.min[2] + j / m * (o.max[2] - o.min[2])
      local z
      if type(height) == "function" then
        z = height(x, y)
      else
        z = (height[j + 1] or {})[i + 1]
      end
      if type(z) ~= "number" or z ~= z then
        error(("%s.height of corner %d, %d must be a number"):format(what, i + 1, j + 1), 2)
      end
      point(s, x, y, z)
    end
  end
  for j = 0, m - 1 do
    for i = 0, n - 1 do
      local a = j * (n + 1) + i + 1
      quad(s, a, a + 1, a + n + 2, a + n + 1)
    end
  end
  return put(w, what, o, s), s
end

return obstacle
