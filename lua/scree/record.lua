--- Recorded motions: tables of time and position, angle or acceleration, from files or lists, as curves.
---
---   local record = require "scree.record"
---   for _, c in ipairs(record.read { file = "shake.csv", columns = { time = 1, ax = 2 } }) do
---     print(c.field, curve.at(c.curve, 0.1))
---   end
---
--- Accelerations are integrated twice, exactly for the interpolation. scree.motion moves bodies by records.
local scree = require "scree"
local curve = require "scree.curve"
local record = {}

-- Fields of a record, their SI units and axes.
local FIELDS = {
  { name = "x", unit = "m", axis = "x" },
  { name = "y", unit = "m", axis = "y" },
  { name = "z", unit = "m", axis = "z" },
  { name = "ax", unit = "m/s2", axis = "x", is_acceleration = true },
  { name = "ay", unit = "m/s2", axis = "y", is_acceleration = true },
  { name = "az", unit = "m/s2", axis = "z", is_acceleration = true },
  { name = "angle", unit = "rad", is_angle = true },
}
local TIME = { name = "time", unit = "s" }
local keys = {
  "file",
  "separator",
  "columns",
  "units",
  "interpolation",
  "correction",
  "unwrap",
  "jumps",
  "scale",
  interval = "s",
  time = "s",
}
for _, field in ipairs(FIELDS) do
  keys[field.name] = field.unit
end

-- Units of accelerations that scree.quantity does not have, or has with another meaning [m/s2].
local ACCELERATIONS = { gal = 0.01, Gal = 0.01, g = 9.80665, G = 9.80665 }
-- An interval is a jump if its speed exceeds this multiple of the median and of the speeds around it.
local JUMP = 10
-- Tables with fewer intervals than this are not searched for jumps.
local LEAST_INTERVALS = 8

--- Adds the keys of a record to the known keys of another table.
function record.add_keys(known)
  for key, value in pairs(keys) do
    if type(key) == "number" then
      table.insert(known, value)
    else
      known[key] = value
    end
  end
end

--- Returns whether a table has the keys of a record: a file, or a list for a field.
function record.is_record(def)
  if def.file or def.time then return true end
  for _, field in ipairs(FIELDS) do
    if def[field.name] then return true end
  end
  return false
end

--- Raises an error if a table that is no record has a key of a record, except scale. what: name of the table
--- in messages. more: list of other keys to refuse.
function record.refuse_keys(def, what, more)
  if record.is_record(def) then return end
  for _, list in ipairs { keys, { "interval" }, more } do
    for _, key in ipairs(list) do
      if key ~= "scale" and def[key] ~= nil then error(("%s.%s is for tables"):format(what, key)) end
    end
  end
end

-- ---- numbers ----

local function find_factor(text, field, what)
  if field.is_acceleration and ACCELERATIONS[text] then return ACCELERATIONS[text] end
  local fine, factor = pcall(scree.quantity, "1 " .. text, field.unit, what)
  if fine then return factor end
  error(("%s: '%s' is no unit of %s"):format(what, text, field.unit))
end

--- Returns the factor def.scale of all values of a record; 1 by default. what: name of the table in messages.
function record.find_scale(def, what)
  local value = def.scale or 1
  if type(value) ~= "number" or not (math.abs(value) < math.huge) then
    error(("%s.scale must be a number"):format(what))
  end
  return value
end

-- Returns numbers times a factor. Raises an error for a value that is no finite number. place: returns the
-- words for a row in messages.
local function scale(list, factor, field, place)
  local out = {}
  for i = 1, #list do
    local v = list[i]
    if type(v) ~= "number" or not (math.abs(v) < math.huge) then
      error(("%s: %s is no finite number"):format(place(i), field.name))
    end
    out[i] = v * factor
  end
  return out
end

-- ---- files ----

-- Returns the index c of a column. Raises an error if a later column has the same name.
local function refuse_twice(source, c, what)
  for again = c + 1, #source.names do
    if source.names[again] == source.names[c] then
      error(("%s: columns %d and %d of %s are both named '%s'; give columns = { FIELD = NUMBER }"):format(what, c, again,
        source.file, source.names[c]))
    end
  end
  return c
end

-- Returns the index of a column that is given by name or number.
local function find_column(source, name, what)
  if math.type(name) == "integer" then
    if name >= 1 and name <= #source.names then return name end
    error(("%s is %d; %s has columns 1 to %d"):format(what, name, source.file, #source.names))
  end
  for c, other in ipairs(source.names) do
    if other == name then return refuse_twice(source, c, what) end
  end
  for c, other in ipairs(source.names) do
    if other:lower() == tostring(name):lower() then return c end
  end
  local all = table.concat(source.names, ", ")
  error(("%s: %s has no column '%s'; %s"):format(what, source.file, tostring(name),
    all:find "[^, ]" and "there are " .. all or "it has no header, so give numbers"))
end

-- Returns the index and the unit of the column of a field; nil if there is no such column.
local function choose_column(def, source, field, what)
  local entry, unit = (def.columns or {})[field.name], (def.units or {})[field.name]
  local place = ("motion.%s.columns.%s"):format(what, field.name)
  if entry == false then return nil end
  if type(entry) == "table" then
    entry, unit = entry[1], entry.unit or unit
  end
  local c
  if entry ~= nil then
    c = find_column(source, entry, place)
  else
    for i, name in ipairs(source.names) do
      if name:lower() == field.name or (field == TIME and name:lower() == "t") then c = c or i end
    end
    if c then refuse_twice(source, c, ("motion.%s"):format(what)) end
  end
  if c then return c, unit or (source.units[c] ~= "" and source.units[c] or nil), place end
end

local function check_fields(list, what)
  if list == nil then return end
  if type(list) ~= "table" then error(("motion.%s must be a table { FIELD = ... }"):format(what)) end
  local names = { "time" }
  for _, field in ipairs(FIELDS) do
    names[#names + 1] = field.name
  end
  scree.check_keys(list, names, "motion." .. what)
end

-- Returns two functions: the first reads the numbers of a field, the second names the place of row i for
-- error messages.
local function open_file(def, what)
  local source = scree.read_table { file = def.file, separator = def.separator }
  source.file = def.file
  local function place(i) return ("%s:%d"):format(def.file, source.lines[i]) end
  return function(field)
    local c, unit, where = choose_column(def, source, field, what)
    if not c then return nil end
    return scale(source.columns[c], unit and find_factor(unit, field, where) or 1, field, place)
  end, place
end

local function open_lists(def, what)
  local function place(i) return ("motion.%s, row %d"):format(what, i) end
  return function(field)
    local list, unit = def[field.name], (def.units or {})[field.name]
    if not list then return nil end
    if type(list) ~= "table" then
      error(("motion.%s.%s must be a list of numbers"):format(what, field.name))
    end
    return scale(list, unit and find_factor(unit, field, "motion." .. what .. ".units") or 1, field, place)
  end, place
end

-- ---- checks ----

local function check_times(time, place)
  for i = 2, #time do
    if not (time[i] > time[i - 1]) then
      local text = "%s: the time %g s is not after %g s of the row before"
      error(text:format(place(i), time[i], time[i - 1]))
    end
  end
end

-- Returns the median of the numbers above 0; 0 if there are none.
local function find_median(list)
  local moving = {}
  for _, v in ipairs(list) do
    if v > 0 then moving[#moving + 1] = v end
  end
  table.sort(moving)
  return moving[(#moving + 1) // 2] or 0
end

-- Raises an error at an interval whose speed is far above the median, and above the speeds two intervals
-- before and after. A fast motion over several rows is not a jump.
local function check_jumps(time, value, field, place)
  local speed = {}
  for i = 1, #time - 1 do
    speed[i] = math.abs(value[i + 1] - value[i]) / (time[i + 1] - time[i])
  end
  if #speed < LEAST_INTERVALS then return end
  local bound = JUMP * find_median(speed)
  for i = 1, #speed do
    local around = math.max(speed[i - 2] or 0, speed[i + 2] or 0)
    if speed[i] > bound and speed[i] > JUMP * around and bound > 0 then
      local text = "%s: %s jumps by %g %s, %.3g times as fast as the median; correct the table, or set %s"
      local way = "jumps = true"
      if field.is_angle then way = way .. ", or unwrap = true if angles begin again after a turn" end
      local jump, ratio = value[i + 1] - value[i], JUMP * speed[i] / bound
      error(text:format(place(i + 1), field.name, jump, field.unit, ratio, way))
    end
  end
end

-- Adds whole turns so that no angle differs from the one before by more than half a turn.
local function unwrap(value)
  local out = { value[1] }
  for i = 2, #value do
    local turns = math.floor((value[i] - out[i - 1]) / (2 * math.pi) + 0.5)
    out[i] = value[i] - turns * 2 * math.pi
  end
  return out
end

local function create_curve(def, time, value, field, what)
  local interpolation = def.interpolation or "linear"
  if interpolation ~= "linear" and interpolation ~= "cubic" then
    error(("motion.%s.interpolation must be 'linear' or 'cubic'"):format(what))
  end
  local c = curve.create(time, value, interpolation)
  if not field.is_acceleration then return c, nil end
  local fine, corrected = pcall(curve.correct, c, def.correction)
  if not fine then
    error(("motion.%s.correction must be 'none', 'mean', 'linear' or 'quadratic'"):format(what))
  end
  local v = curve.integrate(corrected)
  return curve.integrate(v, v.last), v
end

-- Returns the list of times. If the file has no times, they are multiples of def.interval.
local function find_times(def, read, rows, what)
  local time = read(TIME)
  if time and def.interval then error(("motion.%s: time and interval exclude each other"):format(what)) end
  if time then return time end
  if type(def.interval) ~= "number" or not (def.interval > 0 and def.interval < math.huge) then
    error(("motion.%s needs times: a column or list `time`, or interval"):format(what))
  end
  time = {}
  for i = 1, rows do
    time[i] = (i - 1) * def.interval
  end
  return time
end

--- Returns a list with one entry { field, axis, curve, velocity } for each field of the record. axis: "x",
--- "y" or "z"; nil for angles. The curve of an acceleration is the displacement from rest at the first time
--- [m], and velocity is its derivative. velocity is nil for other fields.
function record.read(def, what)
  scree.check_type(def, "table", "record.read", "first")
  what = what or "record"
  scree.check_type(what, "string", "record.read", "second")
  check_fields(def.columns, what .. ".columns")
  check_fields(def.units, what .. ".units")
  local open = def.file and open_file or open_lists
  local read, place = open(def, what)
  local size = record.find_scale(def, "motion." .. what)
  local found, used, time = {}, {}, nil
  for _, field in ipairs(FIELDS) do
    local value = read(field)
    if value then
      if field.axis and used[field.axis] then
        error(("motion.%s: %s and %s move along the same axis"):format(what, used[field.axis], field.name))
      end
      if field.axis then used[field.axis] = field.name end
      time = time or find_times(def, read, #value, what)
      if #time ~= #value or #time < 2 then
        local text = "motion.%s.%s has %d values and %d times; at least two are needed"
        error(text:format(what, field.name, #value, #time))
      end
      if #found == 0 then check_times(time, place) end
      if field.is_angle and def.unwrap then value = unwrap(value) end
      if not field.is_acceleration and not def.jumps then check_jumps(time, value, field, place) end
      if size ~= 1 then value = scale(value, size, field, place) end
      local c, velocity = create_curve(def, time, value, field, what)
      found[#found + 1] = { field = field.name, axis = field.axis, curve = c, velocity = velocity }
    end
  end
  if #found == 0 then
    error(("motion.%s has no column or list of x, y, z, ax, ay, az or angle"):format(what))
  end
  return found
end

return record
