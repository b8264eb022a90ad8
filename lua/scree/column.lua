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

-- Returns the value of a body in the column.
function column:get(body) return column.engine.get(self.world, self.name, body) end

function column:set(body, value)
  if type(value) ~= "number" then error(("column.%s must be a finite number"):format(self.name), 2) end
  column.engine.set(self.world, self.name, body, value)
end

-- Returns the values of all bodies in the column, in the order of the rows of w:view.
function column:totable() return self.world:view(self.name):totable() end

-- Sets the value of all bodies in the column, and the value that new bodies start with.
function column:fill(value)
  if type(value) ~= "number" then error(("column.%s must be a finite number"):format(self.name), 2) end
  column.engine.fill(self.world, self.name, value)
end

local methods = { get = true, set = true, totable = true, fill = true }
local meta = {}
function meta.__index(self, key)
  if type(key) == "userdata" then return column.get(self, key) end
  if methods[key] then return column[key] end
  error(("a column has no '%s'; known are get, set, fill and totable"):format(tostring(key)), 2)
end
function meta.__newindex(self, key, value)
  if type(key) ~= "userdata" then error("a column is set by body: column[body] = value", 2) end
  column.set(self, key, value)
end

function column.create(w, options)
  if not column.engine then return w:column(options) end
  local def = scree.check_keys(options, known, "column")
  local name, unit, default = def.name, def.unit or "", def.default or 0
  if type(name) ~= "string" then error("column.name must be a name of letters, digits and _", 3) end
  if type(unit) ~= "string" then error("column.unit must be a text", 3) end
  if type(default) ~= "number" then error("column.default must be a finite number", 3) end
  column.engine.declare(w, name, unit, default)
  return setmetatable({ world = w, name = name, unit = unit }, meta)
end

return column
