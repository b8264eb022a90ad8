--- Writes models as text of Lua.

local source = {}

local WORDS = {}
for word in
  ([[and break do else elseif end false for function goto if in local nil not or repeat return then true until
    while]]):gmatch "%S+"
do
  WORDS[word] = true
end

-- Returns a key of a table as Lua text.
local function key_text(key)
  if key:match "^[%a_][%w_]*$" and not WORDS[key] then return key end
  return ("[%q]"):format(key)
end

-- Returns numbers as lines of at most about 100 characters.
local function wrapped(numbers, separator)
  local lines, line, length = {}, {}, 0
  for _, text in ipairs(numbers) do
    line[#line + 1], length = text, length + #text + 2
    if length > 100 then
      lines[#lines + 1] = table.concat(line, ", ")
      line, length = {}, 0
    end
  end
  if #line > 0 then lines[#lines + 1] = table.concat(line, ", ") end
  return table.concat(lines, separator)
end

-- Returns a value as Lua text. indent: blanks of the line.
local function literal(value, indent)
  if type(value) == "number" then
    local short = ("%.15g"):format(value)
    return tonumber(short) == value and short or ("%.17g"):format(value)
  end
  if type(value) ~= "table" then
    return type(value) == "string" and ("%q"):format(value) or tostring(value)
  end
  local parts, keys = {}, {}
  for _, v in ipairs(value) do
    parts[#parts + 1] = literal(v, indent .. "  ")
  end
  for key in pairs(value) do
    if type(key) == "string" then keys[#keys + 1] = key end
  end
  table.sort(keys)
  if value.name then
    for i, key in ipairs(keys) do
      if key == "name" then table.remove(keys, i) end
    end
    table.insert(keys, 1, "name")
  end
  for _, key in ipairs(keys) do
    parts[#parts + 1] = key_text(key) .. " = " .. literal(value[key], indent .. "  ")
  end
  local line = "{ " .. table.concat(parts, ", ") .. " }"
  if #parts == 0 then return "{}" end
  if #line + #indent <= 120 and not line:find "\n" then return line end
  local separator = ",\n" .. indent .. "  "
  if type(value[1]) == "number" and #keys == 0 then return "{\n" .. indent .. "  " .. wrapped(parts, separator) .. " }" end
  return "{\n" .. indent .. "  " .. table.concat(parts, separator) .. " }"
end

--- Returns the text of a Lua file with a model: a scene that builds it, or the model alone if options.table.
--- options.from: name of the file that the model was read from.
function source.write(model, options)
  local from = options.from:gsub("%c", " ") -- the name of a file may contain line breaks
  local lines =
    { ("-- Made by scree import from %s: %d links, %d joints."):format(from, #model.links, #model.joints) }
  for _, what in ipairs(model.left_out or {}) do
    lines[#lines + 1] = "-- left out: " .. what:gsub("[\r\n]", " ")
  end
  local kept = {}
  for key, value in pairs(model) do
    if key ~= "left_out" then kept[key] = value end
  end
  if options.table then return table.concat(lines, "\n") .. "\nreturn " .. literal(kept, "") .. "\n" end
  lines[#lines + 1] = 'local robot = require "scree.robot"'
  lines[#lines + 1] = "local model = " .. literal(kept, "")
  lines[#lines + 1] = ([[
return {
  title = %s,
  world = { gravity = %s, dt = %s },
  setup = function(w) robot.build(w, model) end,
  stop = { time = 1 },
}]]):format(
    literal(model.name or options.from, ""),
    literal(model.gravity or { 0, 0, -9.81 }, ""),
    literal(model.dt or 1e-3, "")
  )
  return table.concat(lines, "\n") .. "\n"
end

return source
