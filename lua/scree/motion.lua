--- Motions of kinematic bodies: recorded positions and angles, accelerograms, oscillations, spins about a
--- pivot, and sums of them.
---
---   local motion = require "scree.motion"
---   setup:        motion.create(w, { body = table, file = "shake.csv", columns = { time = 1, x = 2 } })
---   before_step:  motion.update(w)
---
--- motion.gravity applies an accelerogram to the frame of gravity instead: the axes of the world are then
--- those of the ground, and inertia acts on all bodies.
---
--- Each step gets the velocity and the spin that move the body from its present pose to the pose at the end
--- of the step. Errors of rounding therefore do not add up. Rotations act first, in their order, and
--- translations carry their pivots along. The state is in w.state, so a resumed run continues the motions.
local scree = require "scree"
local curve = require "scree.curve"
local record = require "scree.record"
local quaternion = require "scree.math.quaternion"
local multiply = quaternion.multiply
local motion = {}

local known = {
  motion = {
    "body",
    "translate",
    "rotate",
    "axis",
    "absolute",
    pivot = "m",
    start = "s",
    stop = "s",
  },
  translate = { "direction", velocity = "m/s", amplitude = "m", frequency = "Hz", phase = "rad", ramp = "s" },
  rotate = { "axis", pivot = "m", rate = "rad/s", amplitude = "rad", frequency = "Hz", phase = "rad", ramp = "s" },
}
for _, keys in pairs(known) do
  record.add_keys(keys)
end

local AXES = { x = { 1, 0, 0 }, y = { 0, 1, 0 }, z = { 0, 0, 1 } }
-- A larger angle in one step is refused, because its direction is not known [rad].
local LARGEST_TURN = 3

-- ---- laws: numbers as functions of time ----

-- Returns the share of an amplitude at a time: 0 at the start, 1 from law.ramp on, 0 again at the end.
local function find_share(law, t)
  if not law.ramp then return 1 end
  local u = math.max(0, math.min(1, t / law.ramp, (law.length - t) / law.ramp))
  return u * u * (3 - 2 * u)
end

local function find_value(law, t)
  if law.kind == "rate" then return t end
  if law.kind == "swing" then
    return find_share(law, t) * math.sin(2 * math.pi * ((law.frequency * t) % 1) + law.phase)
  end
  return curve.at(law.curve, t)
end

-- Returns the time in which an amplitude grows; nil if it is 0. length: stop - start of the motion.
local function read_ramp(def, length, what)
  local ramp = def.ramp or 0
  if type(ramp) ~= "number" or not (ramp >= 0 and ramp < math.huge and 2 * ramp <= length) then
    error(("motion.%s.ramp must be a time, at most half of stop - start"):format(what))
  end
  return ramp > 0 and ramp or nil
end

-- Returns the law of a table with amplitude and frequency, or with the rate `key`, and its size.
local function read_law(def, key, length, what)
  record.refuse_keys(def, "motion." .. what)
  for _, other in ipairs(def[key] and { "amplitude", "frequency", "phase", "ramp" } or {}) do
    if def[other] then error(("motion.%s: %s and %s exclude each other"):format(what, key, other)) end
  end
  if def[key] then return { kind = "rate" }, def[key] end
  if not def.amplitude then
    error(("motion.%s needs %s, or amplitude and frequency, or a table"):format(what, key))
  end
  if type(def.frequency) ~= "number" or not (def.frequency > 0 and def.frequency < math.huge) then
    error(("motion.%s.frequency must be a number above 0"):format(what))
  end
  local law = { kind = "swing", frequency = def.frequency, phase = def.phase or 0, length = length }
  law.ramp = read_ramp(def, length, what)
  return law, def.amplitude
end

-- ---- reading ----

local function check_vector(v, what)
  local fine = type(v) == "table" and #v == 3
  for k = 1, 3 do
    fine = fine and type(v[k]) == "number" and math.abs(v[k]) < math.huge
  end
  if not fine then error(("motion.%s must be three numbers"):format(what)) end
  return { v[1], v[2], v[3] }
end

local function read_axis(def, what)
  local a = check_vector(def.axis, what .. ".axis")
  local length = math.sqrt(a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2)
  if not (length > 0) then error(("motion.%s.axis has length zero"):format(what)) end
  return { a[1] / length, a[2] / length, a[3] / length }
end

local function add_rotation(m, def, what, law, size, scale)
  if type(size) ~= "number" or not (math.abs(size) < math.huge) then
    error(("motion.%s: the size of a rotation must be a number"):format(what))
  end
  table.insert(m.rotations, {
    axis = read_axis(def, what),
    pivot = check_vector(def.pivot or m.position, what .. ".pivot"),
    law = law,
    size = size * scale,
  })
end

local function add_record(m, def, what)
  for _, key in ipairs { "velocity", "rate", "amplitude", "frequency", "phase", "ramp", "direction" } do
    if def[key] then error(("motion.%s.%s and a table exclude each other"):format(what, key)) end
  end
  for _, column in ipairs(record.read(def, what)) do
    local law = { kind = "curve", curve = column.curve }
    if column.field == "angle" then
      add_rotation(m, def, what, law, 1, 1)
    else
      table.insert(m.translations, { direction = AXES[column.axis], law = law, axis = column.axis })
    end
  end
end

local function add_translation(m, def, what)
  if record.is_record(def) then return add_record(m, def, what) end
  local law, size = read_law(def, "velocity", m.stop - m.start, what)
  if type(size) == "number" and def.direction then
    local d = read_axis({ axis = def.direction }, what)
    size = { size * d[1], size * d[2], size * d[3] }
  end
  local direction = check_vector(size, what .. (def.velocity and ".velocity" or ".amplitude"))
  for k = 1, 3 do
    direction[k] = direction[k] * def.scale
  end
  table.insert(m.translations, { direction = direction, law = law })
end

local function add_turn(m, def, what)
  if record.is_record(def) then return add_record(m, def, what) end
  local law, size = read_law(def, "rate", m.stop - m.start, what)
  add_rotation(m, def, what, law, size, def.scale)
end

-- Calls add for the table def[key], or for each table of the list def[key]. def.scale multiplies theirs.
local function read_parts(m, def, key, add)
  local parts = def[key]
  if parts == nil then return end
  if type(parts) ~= "table" then error(("motion.%s must be a table or a list of tables"):format(key)) end
  for i, part in ipairs(type(parts[1]) == "table" and parts or { parts }) do
    local what = type(parts[1]) == "table" and ("%s[%d]"):format(key, i) or key
    part = scree.check_keys(part, known[key], "motion." .. what)
    part.scale = record.find_scale(part, "motion." .. what) * record.find_scale(def, "motion")
    add(m, part, what)
  end
end

-- ---- poses ----

-- Rotates p about an axis through a pivot by an angle. 1 - cos(angle) is computed without cancellation.
local function turn_point(p, axis, pivot, angle)
  local s, c = math.sin(angle), 2 * math.sin(angle / 2) ^ 2
  local r = { p[1] - pivot[1], p[2] - pivot[2], p[3] - pivot[3] }
  local along = axis[1] * r[1] + axis[2] * r[2] + axis[3] * r[3]
  for k = 1, 3 do
    local i, j = k % 3 + 1, (k + 1) % 3 + 1
    p[k] = p[k] + s * (axis[i] * r[j] - axis[j] * r[i]) + c * (axis[k] * along - r[k])
  end
end

-- Returns the time since the start of a motion. The time is clamped to [start, stop], because the body stands
-- still outside.
local function find_time(m, t) return math.min(math.max(t, m.start), m.stop) - m.start end

local function find_pose(m, t)
  local p, q, at = { table.unpack(m.position) }, { table.unpack(m.orientation) }, find_time(m, t)
  for _, r in ipairs(m.rotations) do
    local angle = r.size * (find_value(r.law, at) - r.zero)
    turn_point(p, r.axis, r.pivot, angle)
    q = multiply(quaternion.about(r.axis, angle), q)
  end
  for _, part in ipairs(m.translations) do
    local way = find_value(part.law, at) - part.zero
    for k = 1, 3 do
      p[k] = p[k] + way * part.direction[k]
    end
  end
  return p, q
end

-- Places the body where the motion's tables are at the time `at`. Tables that contain positions or one angle
-- are allowed.
local function place_body(m, at)
  for _, r in ipairs(m.rotations) do
    if r.law.kind ~= "curve" or #m.rotations > 1 then
      error("motion.absolute is for tables of positions and of one angle, without other rotations")
    end
    local angle = find_value(r.law, at)
    if #m.translations == 0 then
      turn_point(m.position, r.axis, r.pivot, angle)
    else
      r.pivot = nil
    end
    m.orientation = multiply(quaternion.about(r.axis, angle), m.orientation)
  end
  for _, part in ipairs(m.translations) do
    if not part.axis then
      error("motion.absolute is for tables of positions, without other translations")
    end
    for k = 1, 3 do
      if part.direction[k] == 1 then m.position[k] = find_value(part.law, at) end
    end
  end
  for _, r in ipairs(m.rotations) do
    r.pivot = r.pivot or { table.unpack(m.position) }
  end
  m.body:set_position(table.unpack(m.position))
  m.body:set_orientation(table.unpack(m.orientation))
end

-- ---- making ----

local function find_index(w, body)
  for i, m in ipairs(w.state.motions or {}) do
    if m.body == body then return i end
  end
end

local function check_body(w, body)
  if type(body) ~= "userdata" then error("motion.body must be a body") end
  if body:kind() ~= "kinematic" then error(("motion.body must be kinematic, not %s"):format(body:kind())) end
  if find_index(w, body) then error("motion.body has a motion already; end it by motion.remove") end
end

local function check_times(m)
  if type(m.start) ~= "number" or type(m.stop) ~= "number" or not (m.start < m.stop) then
    error("motion.start must be a time before motion.stop")
  end
end

local function create(w, def)
  def = scree.check_keys(def, known.motion, "motion")
  check_body(w, def.body)
  local m = {
    body = def.body,
    position = { def.body:position() },
    orientation = { def.body:orientation() },
    start = def.start or 0,
    stop = def.stop or math.huge,
    rotations = {},
    translations = {},
    steps = w:steps(),
    since_time = w:time(),
    since_steps = w:steps(),
    dt = w:dt(),
  }
  check_times(m)
  if def.absolute and def.pivot then error("motion.absolute: leave pivot out; it is the centre of mass") end
  record.refuse_keys(def, "motion", { "axis", "pivot" })
  if record.is_record(def) then add_record(m, def, "table") end
  read_parts(m, def, "rotate", add_turn)
  read_parts(m, def, "translate", add_translation)
  local count = #m.rotations + #m.translations
  if count == 0 then error("motion: nothing moves the body; it needs a table, translate or rotate") end
  local at = find_time(m, w:time())
  if def.absolute then place_body(m, at) end
  for _, parts in ipairs { m.rotations, m.translations } do
    for _, part in ipairs(parts) do
      part.zero = find_value(part.law, at)
    end
  end
  w.state.motions = w.state.motions or {}
  table.insert(w.state.motions, m)
  return m
end

--- Adds the motion of a kinematic body. Returns the plain table that describes the motion.
function motion.create(w, def)
  scree.check_type(w, "world", "motion.create", "first")
  return create(w, def)
end

-- ---- steps ----

local function check_steps(m, steps)
  if steps > m.steps + 1 or (not m.is_moving and steps > m.steps) then
    error(("motion.update must be called before each step; %d steps went by without it"):format(
      steps - m.steps - (m.is_moving and 1 or 0)))
  end
  m.steps, m.is_moving = steps, true
end

-- Returns the time of the world, counted in steps of dt since the last change of dt. w:time() adds up the
-- steps and therefore has a larger rounding error.
local function find_clock(m, steps, dt)
  if m.dt ~= dt then
    m.since_time, m.since_steps, m.dt = m.since_time + (steps - m.since_steps) * m.dt, steps, dt
  end
  return m.since_time + (steps - m.since_steps) * dt
end

-- ---- gravity's frame ----

local ground_keys = { start = "s", stop = "s" }
record.add_keys(ground_keys)

local function create_ground(w, def)
  def = scree.check_keys(def, ground_keys, "motion.gravity")
  if w.state.ground then error("motion.gravity: gravity's frame has a motion already") end
  local g = {
    gravity = { w:gravity() },
    start = def.start or 0,
    stop = def.stop or math.huge,
    columns = record.read(def, "gravity"),
    steps = w:steps(),
    since_time = w:time(),
    since_steps = w:steps(),
    dt = w:dt(),
    acceleration = { 0, 0, 0 },
  }
  check_times(g)
  for _, column in ipairs(g.columns) do
    if not column.velocity then
      error(("motion.gravity: %s is no acceleration; give ax, ay or az"):format(column.field))
    end
  end
  w.state.ground = g
end

--- Applies an accelerogram to the frame of gravity. The ground then rests in the axes of the world, and
--- bodies feel gravity minus the acceleration of the ground.
function motion.gravity(w, def)
  scree.check_type(w, "world", "motion.gravity", "first")
  create_ground(w, def)
end

--- Returns the gravity of the scene [m/s2] as a list, without the acceleration that motion.gravity adds.
function motion.still_gravity(w)
  scree.check_type(w, "world", "motion.still_gravity", "first")
  local ground = w.state.ground
  return ground and { table.unpack(ground.gravity) } or { w:gravity() }
end

local INDEX = { x = 1, y = 2, z = 3 }

-- Returns displacement and velocity of the ground at a time.
local function find_ground(g, t)
  local way, velocity, at = { 0, 0, 0 }, { 0, 0, 0 }, find_time(g, t)
  for _, column in ipairs(g.columns) do
    local k = INDEX[column.axis]
    way[k], velocity[k] = curve.at(column.curve, at), curve.at(column.velocity, at)
  end
  if t >= g.stop then velocity = { 0, 0, 0 } end
  return way, velocity
end

-- Sets gravity for the step from t to stop: the gravity of the scene minus the mean acceleration of the
-- ground.
local function shake_gravity(w, g, t, stop)
  local _, from = find_ground(g, t)
  local _, to = find_ground(g, stop)
  local force = {}
  for k = 1, 3 do
    g.acceleration[k] = (to[k] - from[k]) / (stop - t)
    force[k] = g.gravity[k] - g.acceleration[k]
  end
  w:set_gravity(force)
end

--- Returns displacement [m], velocity [m/s] and mean acceleration in the last step [m/s2] of a body with a
--- motion, or of gravity's frame without a body, as three lists: for the series.
function motion.now(w, body)
  scree.check_type(w, "world", "motion.now", "first")
  if body == nil then
    local g = w.state.ground
    if not g then error("motion.now: gravity's frame has no motion", 2) end
    local way, velocity = find_ground(g, find_clock(g, w:steps(), w:dt()))
    return way, velocity, { table.unpack(g.acceleration) }
  end
  local i = find_index(w, body)
  if not i then error("motion.now: the body has no motion", 2) end
  local m, way = w.state.motions[i], { body:position() }
  for k = 1, 3 do
    way[k] = way[k] - m.position[k]
  end
  return way, { body:velocity() }, { table.unpack(m.acceleration or { 0, 0, 0 }) }
end

--- Returns columns for the series: displacement and angle of named bodies since the first call, NAME_x, NAME_y,
--- NAME_z [m] and NAME_turn [rad], 0 to pi. ground: name of the body in whose axes they are. Columns of bodies that
--- have left the world are 0/0.
motion.displacements = require "scree.motion.displacements"

--- Ends the motion of a body, which then rests.
function motion.remove(w, body)
  scree.check_type(w, "world", "motion.remove", "first")
  scree.check_type(body, "body", "motion.remove", "second")
  local i = find_index(w, body)
  if not i then error("motion.remove: the body has no motion", 2) end
  table.remove(w.state.motions, i)
  body:set_velocity(0, 0, 0)
  body:set_spin(0, 0, 0)
end

--- Returns position [m] and orientation (w, x, y, z) of a motion at a time, as two lists.
function motion.at(m, t)
  scree.check_type(m, "table", "motion.at", "of motion.create first", "rotations")
  scree.check_type(t, "number", "motion.at", "second")
  return find_pose(m, t)
end

-- ---- functions for the run ----

-- Returns the spin that rotates a body from the orientation q to r within dt.
local function find_spin(q, r, dt)
  local d = multiply(r, quaternion.inverse(q))
  local length = math.sqrt(d[2] ^ 2 + d[3] ^ 2 + d[4] ^ 2)
  if length == 0 then return 0, 0, 0 end
  local share = 2 * math.atan(d[1] < 0 and -length or length, math.abs(d[1])) / (length * dt)
  return share * d[2], share * d[3], share * d[4]
end

-- Raises an error if the rotations of a step are too large to have a direction.
local function check_turns(m, t, stop)
  local from, to, sum = find_time(m, t), find_time(m, stop), 0
  for _, r in ipairs(m.rotations) do
    sum = sum + math.abs(r.size * (find_value(r.law, to) - find_value(r.law, from)))
  end
  if sum > LARGEST_TURN then
    local text = "motion: the step from %g s turns a body by %g rad; choose dt so that it is at most %g rad"
    error(text:format(t, sum, LARGEST_TURN))
  end
end

local function move_body(m, t, stop, dt)
  check_turns(m, t, stop)
  local p, q = find_pose(m, stop)
  local x, y, z = m.body:position()
  local v, before = { (p[1] - x) / dt, (p[2] - y) / dt, (p[3] - z) / dt }, { m.body:velocity() }
  m.body:set_velocity(v)
  m.acceleration = { (v[1] - before[1]) / dt, (v[2] - before[2]) / dt, (v[3] - before[3]) / dt }
  if #m.rotations > 0 then m.body:set_spin(find_spin({ m.body:orientation() }, q, dt)) end
end

local function update(w)
  local list, ground = w.state.motions or {}, w.state.ground
  if ground then
    check_steps(ground, w:steps())
    shake_gravity(w, ground, find_clock(ground, w:steps(), w:dt()), find_clock(ground, w:steps() + 1, w:dt()))
  end
  for i = #list, 1, -1 do
    if not list[i].body:alive() then table.remove(list, i) end
  end
  for _, m in ipairs(list) do
    check_steps(m, w:steps())
    local t = find_clock(m, w:steps(), w:dt())
    move_body(m, t, find_clock(m, w:steps() + 1, w:dt()), w:dt())
  end
end

--- Sets velocity and spin of all bodies with a motion for the coming step. Call it before each step.
function motion.update(w)
  scree.check_type(w, "world", "motion.update", "first")
  update(w)
end

return motion
