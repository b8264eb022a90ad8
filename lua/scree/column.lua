-- Columns: a number per body that scripts read and write, such as a temperature. w:column{...} is
-- column.create(w, {...}).
--
--   setup = function(w) temperature = w:column { name = "temperature", unit = "K", default = 293 } end
--   temperature[ball] = 350
--
-- The engine stores the values with the bodies. Therefore checkpoints, states, clones, trajectories and
-- exports contain them.
local scree = require "scree"
local column = {}

local known = { "name", "unit", "default" }

-- Raises an error unless the first argument of a method is a column and the second argument is a body.
local function check(self, body, what)
  scree.check_type(self, "table", what, "of w:column first", "world")
  scree.check_type(body, "body", what, "second")
end

-- Raises an error at the line of the caller's caller unless the value is a number.
local function check_number(self, value)
  if type(value) ~= "number" then error(("column.%s must be a finite number"):format(self.name), 3) end
end

-- Returns the value of a body in the column.
function column:get(body)
  check(self, body, "column.get")
  return column.engine.get(self.world, self.name, body)
end

function column:set(body, value)
  check(self, body, "column.set")
  check_number(self, value)
  column.engine.set(self.world, self.name, body, value)
end

-- Returns the values of all bodies in the column, in the order of the rows of w:view.
function column:totable()
  scree.check_type(self, "table", "column.totable", "of w:column first", "world")
  return self.world:view(self.name):totable()
end

-- Sets the value of all bodies in the column, and the value that new bodies start with.
function column:fill(value)
  scree.check_type(self, "table", "column.fill", "of w:column first", "world")
  check_number(self, value)
  column.engine.fill(self.world, self.name, value)
end

local methods = { get = true, set = true, totable = true, fill = true }
local meta = {}
function meta.__index(self, key)
  if type(key) == "userdata" then return column.engine.get(self.world, self.name, key) end
  if methods[key] then return column[key] end
  error(("a column has no '%s'; known are get, set, fill and totable"):format(tostring(key)), 2)
end
function meta.__newindex(self, key, value)
  if type(key) ~= "userdata" then error("a column is set by body: column[body] = value", 2) end
  check_number(self, value)
  column.engine.set(self.world, self.name, key, value)
end

function column.create(w, options)
  scree.check_type(w, "world", "column.create", "first")
  if not rawget(column, "engine") then return w:column(options) end
  local def = scree.check_keys(options, known, "column")
  local name, unit, default = def.name, def.unit or "", def.default or 0
  if type(name) ~= "string" then error("column.name must be a name of letters, digits and _", 3) end
  if type(unit) ~= "string" then error("column.unit must be a text", 3) end
  if type(default) ~= "number" then error("column.default must be a finite number", 3) end
  column.engine.declare(w, name, unit, default)
  return setmetatable({ world = w, name = name, unit = unit }, meta)
end

return column
