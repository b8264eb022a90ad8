-- Writes the Lua reference as JSON for the package: classes with their functions and fields, and the parameter tables.
--   scree lua --trust tools/python/tables.lua FILE       in the root folder of the project
local api = assert(load(assert(io.open "tools/lua-api.lua"):read "a", "lua-api"))("module")

local function write(value)
  if type(value) == "table" then
    local out = {}
    if #value > 0 or next(value) == nil then
      for i, v in ipairs(value) do out[i] = write(v) end
      return "[" .. table.concat(out, ",") .. "]"
    end
    for k, v in pairs(value) do out[#out + 1] = write(tostring(k)) .. ":" .. write(v) end
    return "{" .. table.concat(out, ",") .. "}"
  elseif type(value) == "number" then
    if value ~= value or math.abs(value) == math.huge then return ('"%g"'):format(value) end
    return math.type(value) == "integer" and tostring(value) or ("%.17g"):format(value)
  elseif type(value) == "boolean" then return tostring(value) end
  return '"' .. value:gsub('[%c"\\]', function(c) return ("\\u%04x"):format(c:byte()) end) .. '"'
end

local function split_param(text)
  local name, kind, doc = text:match "^(%S+)%s+(%S+)%s*(.*)"
  return { name = name:gsub("%?$", ""), optional = name:sub(-1) == "?", type = kind, doc = doc }
end

local classes, tables = {}, {}
for _, class in ipairs(api.read("lua/meta", api.files "lua/meta")) do
  local functions, fields = {}, {}
  for i, f in ipairs(class.functions) do
    local params = {}
    for k, text in ipairs(f.params) do params[k] = split_param(text) end
    functions[i] = { name = f.name, doc = f.doc, params = params, returns = f.returns }
  end
  for i, f in ipairs(class.fields) do fields[i] = { name = f.name, optional = f.optional, text = f.rest } end
  classes[class.name] = { doc = class.doc, module = class.module, parent = class.parent, functions = functions, fields = fields }
end
local params = scree and scree.api().params or require("scree").api().params
for _, pair in ipairs(api.tables) do tables[pair[1]] = params[pair[2]] end
assert(io.open(..., "w")):write(write { classes = classes, tables = tables }):close()
