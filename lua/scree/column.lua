-- Columns: a number for each body that scripts read and write, such as a temperature. w:column{...} is column.create(w, {...}).
--   setup = function(w) temperature = w:column { name = "temperature", unit = "K", default = 293 } end
--   temperature[ball] = 350
-- The values lie in w.state.columns, by the ids of bodies. So checkpoints, states and clones have them.
local scree = require "scree"
local column = {}

local known = { "name", "unit", "default" }
local fields = { "position", "orientation", "velocity", "spin", "radius", "mass", "id", "group", "kind", "name", "contacts", "columns" }

local function check_name(name)
  if type(name) ~= "string" or not name:find "^[%a_][%w_]*$" then error("column.name must be a name of letters, digits and _", 4) end
  for _, field in ipairs(fields) do
    if name == field then error(("column.name: '%s' is a field of every body; choose another name"):format(name), 4) end
  end
end

-- The record of a column in w.state: unit, default and values by id.
local function find_record(self)
  local columns = self.world.state.columns
  local record = columns and columns[self.name]
  if not record then
    error(("column '%s' is not in w.state.columns: w.state was replaced, or restored to a time before w:column"):format(self.name), 3)
  end
  if not self.is_whole and self.world:steps() > 0 then
    if self.world:report().ranks > 1 then error(("column '%s': columns work on one rank only"):format(self.name), 3) end
    self.is_whole = true
  end
  return record
end

-- Drops values of bodies that were removed, once they may be as many as the bodies.
local function drop_removed(self, record)
  local ids, alive = self.world:view("id"):totable(), {}
  if record.count <= 2 * #ids + 64 then return end
  for _, id in ipairs(ids) do alive[id] = true end
  for id in pairs(record.values) do
    if not alive[id] then record.values[id] = nil end
  end
  record.count = 0
  for _ in pairs(record.values) do record.count = record.count + 1 end
  record.limit = 2 * #ids + 64
end

local function check_number(value, what)
  if type(value) ~= "number" or value ~= value or value == math.huge or value == -math.huge then error(what .. " must be a finite number", 3) end
  return value
end

-- The value of a body.
function column:get(body)
  local record = find_record(self)
  if not body:alive() then error(("column '%s': the body was removed"):format(self.name), 2) end
  return record.values[body:id()] or record.default
end

function column:set(body, value)
  local record = find_record(self)
  check_number(value, "column." .. self.name)
  if not body:alive() then error(("column '%s': the body was removed"):format(self.name), 2) end
  local id = body:id()
  if record.values[id] == nil then
    record.count = record.count + 1
    if record.count > record.limit then drop_removed(self, record) end
  end
  record.values[id] = value
end

-- The values of all bodies, in the rows of w:view.
function column:totable()
  local record, list = find_record(self), self.world:view("id"):totable()
  for row, id in ipairs(list) do list[row] = record.values[id] or record.default end
  return list
end

-- Sets all bodies, and those that come later, to one value.
function column:fill(value)
  local record = find_record(self)
  record.default, record.values, record.count = check_number(value, "column." .. self.name), {}, 0
end

local meta = {}
function meta.__index(self, key)
  if type(key) == "userdata" then return column.get(self, key) end
  if column[key] then return column[key] end
  error(("a column has no '%s'; known are get, set, fill and totable"):format(tostring(key)), 2)
end
function meta.__newindex(self, key, value)
  if type(key) ~= "userdata" then error("a column is set by body: column[body] = value", 2) end
  column.set(self, key, value)
end

function column.create(w, options)
  local def = scree.check_keys(options, known, "column")
  check_name(def.name)
  local default = check_number(def.default or 0, "column.default")
  local unit = def.unit or ""
  if type(unit) ~= "string" then error("column.unit must be a text", 2) end
  w.state.columns = w.state.columns or {}
  local record = w.state.columns[def.name]
  if record and (record.unit ~= unit or record.start ~= default) then
    error(("column.name: there is a column '%s' with another unit or default"):format(def.name), 2)
  end
  w.state.columns[def.name] = record or { unit = unit, default = default, start = default, values = {}, count = 0, limit = 64 }
  return setmetatable({ world = w, name = def.name, unit = unit, is_whole = false }, meta)
end

return column
