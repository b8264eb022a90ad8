--- Walls with a given stress (stress-controlled walls): oedometers, triaxial boxes, shear boxes.
---
--- Contacts are rigid, so a controller with a gain from displacement to force would not work. A servo wall is
--- a body with a mass on a slider joint. The motor of the joint presses with the force stress * area, and the
--- solver finds the motion of wall, grains and motor together. `speed` is the target speed of the motor. The
--- wall reaches it only if no grains stop it.
---
---   local servo = require "scree.servo"
---   setup:        servo.wall(w, { name = "lid", axis = { 0, 0, -1 }, position = {...}, size = {...},
---                   mass = 0.1, stress = 500, speed = 0.1 })
---   before_step:  servo.update(w)
---
--- The state of the walls is in w.state, so a resumed run continues them.
local scree = require "scree"
local drive = require "scree.drive"
local servo = {}

local AXES = { "x", "y", "z" }
local known = {
  wall = {
    "name",
    "axis",
    "material",
    "group",
    "clear",
    position = "m",
    size = "m",
    mass = "kg",
    stress = { "s", "Pa" },
    speed = "m/s",
    area = "m2",
  },
  box = {
    "name",
    "material",
    "group",
    min = "m",
    max = "m",
    mass = "kg",
    stress = { "s", "Pa" },
    speed = "m/s",
    thickness = "m",
  },
}

-- ---- checks ----

local function check_keys(what, def, needed)
  def = scree.check_keys(def, known[what], "servo." .. what)
  for _, key in ipairs(needed) do
    if def[key] == nil then error("servo." .. what .. "." .. key .. " is missing", 3) end
  end
  return def
end

local function check_positive(what, value)
  if type(value) ~= "number" or not (value > 0 and value < math.huge) then
    error(what .. " must be a number greater than 0", 3)
  end
end

-- Raises an error unless the values of all `keys` of a wall or box are lists of three numbers.
local function check_triples(what, def, keys)
  for _, key in ipairs(keys) do
    local v, fine = def[key], type(def[key]) == "table" and #def[key] == 3
    for k = 1, 3 do
      fine = fine and type(v[k]) == "number"
    end
    if not fine then error(("servo.%s.%s must be three numbers"):format(what, key), 3) end
  end
end

-- Raises an error unless stress is a number >= 0, or a list of { time, stress } with rising times.
local function check_stress(what, stress)
  local list = type(stress) == "table" and stress or { { 0, stress } }
  if #list == 0 then error(what .. ": the list of { time, stress } is empty", 3) end
  for i, entry in ipairs(list) do
    if type(entry) ~= "table" or type(entry[1]) ~= "number" then
      error(what .. " must be a number or a list of { time, stress }", 3)
    end
    local t, s = entry[1], entry[2]
    if type(s) ~= "number" or not (s >= 0 and s < math.huge) then
      error(what .. " must be at least 0 Pa: a wall presses, it does not pull", 3)
    end
    if i > 1 and not (t > list[i - 1][1]) then
      error(what .. ": times must rise, entry " .. i .. " does not", 3)
    end
  end
end

-- Returns the wall or box with a name. list: "servos" or "servo_boxes". what: name of the public function, for
-- errors. The public function must call find_named directly, because errors name the line of its caller.
local function find_named(w, list, name, what)
  scree.check_type(w, "world", what, "first")
  scree.check_type(name, "string", what, "second")
  for _, entry in ipairs(w.state[list] or {}) do
    if entry.name == name then return entry end
  end
  error(("%s: there is no servo %s '%s'"):format(what, list == "servos" and "wall" or "box", name), 3)
end

-- ---- making ----

-- Switches off the contacts of two bodies: a distance joint without an upper limit excludes them and exerts
-- no force.
local function pass(w, a, b)
  scree.check_type(b, "body", "servo.wall", "in clear")
  w:distance { a = a, at = { a:position() }, b = b, at_b = { 0, 0, 0 }, limits = { 0, math.huge } }
end

-- Returns the default mass of a wall: the mass of all bodies.
local function mass_of_grains(w)
  local mass = w:count() > 0 and w:view("mass"):sum() or 0
  if not (mass > 0) then error("servo: mass is missing, and there are no grains yet to take it from", 3) end
  return mass
end

-- Returns the area of the side of a box that is perpendicular to the axis.
local function side_of(size, axis)
  local x, y, z = math.abs(axis[1]), math.abs(axis[2]), math.abs(axis[3])
  if x > 0.999 then
    return size[2] * size[3]
  elseif y > 0.999 then
    return size[1] * size[3]
  elseif z > 0.999 then
    return size[1] * size[2]
  end
  error("servo.wall.area is missing: the axis is none of the box's", 3)
end

--- Adds a box that presses along `axis` with `stress` [Pa] on `area`, by default the area of its side. Its
--- speed is at most `speed` [m/s]. stress: a number, or a list of { time, stress }, linear in between. mass:
--- by default the mass of all grains. clear: bodies without contacts with the wall. Returns the plain table
--- that describes the wall.
function servo.wall(w, def)
  scree.check_type(w, "world", "servo.wall", "first")
  def = check_keys("wall", def, { "name", "axis", "position", "size", "stress", "speed" })
  check_triples("wall", def, { "axis", "position", "size" })
  scree.check_type(def.name, "string", "servo.wall", "as name")
  scree.check_type(def.clear or {}, "table", "servo.wall", "as clear")
  check_positive("servo.wall.speed", def.speed)
  check_stress("servo.wall.stress", def.stress)
  local a, long = def.axis, math.sqrt(def.axis[1] ^ 2 + def.axis[2] ^ 2 + def.axis[3] ^ 2)
  if not (long > 0) then error("servo.wall.axis has length zero", 2) end
  local axis = { a[1] / long, a[2] / long, a[3] / long }
  local area = def.area or side_of(def.size, axis)
  check_positive("servo.wall.area", area)
  local mass = def.mass or mass_of_grains(w)
  check_positive("servo.wall.mass", mass)
  local body = w:box {
    name = def.name,
    size = def.size,
    position = def.position,
    mass = mass,
    material = def.material,
    group = def.group or 1,
  }
  local joint =
    w:slider { a = body, at = def.position, axis = axis, motor = { speed = def.speed, force = 0 } }
  for _, other in ipairs(def.clear or {}) do
    pass(w, body, other)
  end
  w.state.servos = w.state.servos or {}
  local s = {
    name = def.name,
    body = body,
    joint = joint,
    axis = axis,
    area = area,
    mass = mass,
    stress = def.stress,
    speed = def.speed,
  }
  table.insert(w.state.servos, s)
  return s
end

-- Adds the wall at the upper side of a cell along axis k. It extends beyond the other walls and has no
-- contacts with them.
local function far_wall(w, def, k, clear)
  local size, position, axis = {}, {}, { 0, 0, 0 }
  local t = def.thickness
  for i = 1, 3 do
    size[i], position[i] = i == k and t or 2 * (def.max[i] - def.min[i]), 0.5 * (def.min[i] + def.max[i])
  end
  position[k], axis[k] = def.max[k] + 0.5 * t, -1
  local stress = type(def.stress) == "table" and def.stress[k] or def.stress
  return servo.wall(w, {
    name = def.name .. "_" .. AXES[k],
    axis = axis,
    position = position,
    size = size,
    mass = def.mass,
    stress = stress,
    speed = def.speed,
    area = 1,
    material = def.material,
    group = def.group,
    clear = clear,
  })
end

--- Adds a cell of six walls around the box min, max (a triaxial box): planes at its lower sides, NAME_x0,
--- NAME_y0 and NAME_z0, and servo walls at its upper sides, NAME_x, NAME_y and NAME_z. stress: a number, or
--- one each for x, y and z. Areas follow the present size of the cell.
function servo.box(w, def)
  scree.check_type(w, "world", "servo.box", "first")
  def = check_keys("box", def, { "name", "min", "max", "stress", "speed" })
  check_triples("box", def, { "min", "max" })
  scree.check_type(def.name, "string", "servo.box", "as name")
  local cell = { name = def.name, min = { table.unpack(def.min) }, body = {} }
  local most = 0
  for k = 1, 3 do
    if not (def.max[k] > def.min[k]) then
      error("servo.box: max must be greater than min along every axis", 2)
    end
    most = math.max(most, def.max[k] - def.min[k])
  end
  cell.thickness = def.thickness or 0.1 * most
  local given = {
    name = def.name,
    min = def.min,
    max = def.max,
    thickness = cell.thickness,
    mass = def.mass or mass_of_grains(w),
    stress = def.stress,
    speed = def.speed,
    material = def.material,
    group = def.group,
  }
  local clear = {}
  for k = 1, 3 do
    local normal, point = { 0, 0, 0 }, { table.unpack(def.min) }
    normal[k] = 1
    clear[k] = w:halfspace {
      name = def.name .. "_" .. AXES[k] .. "0",
      normal = normal,
      point = point,
      material = def.material,
    }
  end
  for k = 1, 3 do
    cell.body[k] = far_wall(w, given, k, clear).body
    clear[#clear + 1] = cell.body[k]
  end
  w.state.servo_boxes = w.state.servo_boxes or {}
  table.insert(w.state.servo_boxes, cell)
  return cell
end

-- ---- functions for the run ----

-- Returns the target stress of a wall at time t.
local function target(s, t) return type(s.stress) == "number" and s.stress or drive.at(s.stress, t) end

local function measure_box(w, cell)
  local length = {}
  for k = 1, 3 do
    local place = { cell.body[k]:position() }
    length[k] = place[k] - 0.5 * cell.thickness - cell.min[k]
  end
  return length
end

local function refresh_areas(w)
  for _, cell in ipairs(w.state.servo_boxes or {}) do
    local l = measure_box(w, cell)
    for k = 1, 3 do
      find_named(w, "servos", cell.name .. "_" .. AXES[k], "servo.box").area = l[k % 3 + 1] * l[(k + 1) % 3 + 1]
    end
  end
end

-- Returns the number of bodies whose centres lie in the cell.
local function count_inside(w, cell)
  local l = measure_box(w, cell)
  local max = { cell.min[1] + l[1], cell.min[2] + l[2], cell.min[3] + l[3] }
  for k = 1, 3 do
    if not (l[k] > 0) then return 0 end
  end
  return w:count { region = { min = cell.min, max = max } }
end

-- Stores the number of bodies in each cell and in the world at the first update of the cell.
local function note_contents(w)
  for _, cell in ipairs(w.state.servo_boxes or {}) do
    if not cell.inside then
      cell.inside, cell.bodies = count_inside(w, cell), w:count()
    end
  end
end

--- Returns the number of bodies that have left the cells of servo.box since the first servo.update. Bodies
--- that the scene removed do not count.
function servo.count_lost(w)
  scree.check_type(w, "world", "servo.count_lost", "first")
  local lost = 0
  for _, cell in ipairs(w.state.servo_boxes or {}) do
    if cell.inside then
      lost = lost + math.max(0, cell.inside - count_inside(w, cell) - math.max(0, cell.bodies - w:count()))
    end
  end
  return lost
end

--- Updates the forces of all walls and balances their weight. Call it before each step.
function servo.update(w)
  scree.check_type(w, "world", "servo.update", "first")
  local gx, gy, gz = w:gravity()
  note_contents(w)
  refresh_areas(w)
  for _, s in ipairs(w.state.servos or {}) do
    local speed, force = s.drive, math.huge
    if not speed then
      speed, force = s.speed, target(s, w:time() + w:dt()) * s.area
    end
    s.joint:set_motor { speed = speed, force = force }
    if gx ~= 0 or gy ~= 0 or gz ~= 0 then
      s.body:apply { force = { -s.mass * gx, -s.mass * gy, -s.mass * gz } }
    end
  end
end

--- Sets the stress of a wall from now on: a number, or a list of { time, stress }.
function servo.press(w, name, stress)
  local s = find_named(w, "servos", name, "servo.press")
  stress = scree.quantity(stress, known.wall.stress, "servo.press")
  check_stress("servo.press", stress)
  s.stress, s.drive = stress, nil
end

--- Moves a wall at this speed along its axis from now on, with unlimited force. A negative speed moves it
--- back.
function servo.drive(w, name, speed)
  local s = find_named(w, "servos", name, "servo.drive")
  speed = scree.quantity(speed, "m/s", "servo.drive")
  if type(speed) ~= "number" or not (math.abs(speed) < math.huge) then
    error("servo.drive: the speed must be a finite number", 2)
  end
  s.drive = speed
end

--- Returns the state of a wall: `stress` of the grains on it [Pa], `force` [N], `area` [m2], `target` [Pa]
--- (nil after servo.drive), `position`: displacement along the axis [m], and `speed` [m/s]. Visits all
--- contacts.
function servo.read(w, name)
  local s = find_named(w, "servos", name, "servo.read")
  refresh_areas(w)
  local f, a = w:forces_on(s.body), s.axis
  local force = -(f[1] * a[1] + f[2] * a[2] + f[3] * a[3])
  return {
    stress = force / s.area,
    force = force,
    area = s.area,
    target = not s.drive and target(s, w:time()) or nil,
    position = s.joint:position(),
    speed = s.joint:speed(),
  }
end

--- Returns the three lengths of a cell [m].
function servo.size(w, name)
  local cell = find_named(w, "servo_boxes", name, "servo.size")
  return measure_box(w, cell)
end

--- Returns the mean stress in a cell from all its contacts [Pa], including those with the walls, in the form
--- of w:stress. group: group of the grains, 0 by default. Contacts with walls lie on the sides of the cell.
--- Therefore the stress of a larger region is measured and rescaled to the volume of the cell.
function servo.stress(w, name, group)
  local cell = find_named(w, "servo_boxes", name, "servo.stress")
  local l, low, high, around = measure_box(w, cell), {}, {}, 0.5 * cell.thickness
  for k = 1, 3 do
    low[k], high[k] = cell.min[k] - around, cell.min[k] + l[k] + around
  end
  local s, volume = w:stress { region = { min = low, max = high }, group = group or 0 }, l[1] * l[2] * l[3]
  local share = s.volume / volume
  for _, key in ipairs { "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz", "pressure" } do
    s[key] = s[key] * share
  end
  for _, key in ipairs { "contact", "kinetic" } do
    for i = 1, 9 do
      s[key][i] = s[key][i] * share
    end
  end
  s.volume = volume
  return s
end

return servo
