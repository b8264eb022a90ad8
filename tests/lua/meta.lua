-- The annotations in lua/meta name exactly what the binding has, and docs/lua-api.md is up to date.
local api = assert(load(assert(io.open("tools/lua-api.lua")):read "a", "@tools/lua-api.lua"))("module")
local classes = api.read("lua/meta", api.files "lua/meta")
local real = scree.api()
local wrong = {}
local function note(...) wrong[#wrong + 1] = string.format(...) end

-- functions of every object
local objects = { world = "scree.World", body = "scree.Body", view = "scree.View", scree = "scree" }
for name in pairs(real.methods) do
  local class = classes[objects[name] or (name:match "^scree%." and name) or "scree." .. name:sub(1, 1):upper() .. name:sub(2)]
  if not class then
    note("no class for the object '%s'", name)
  else
    local annotated = {}
    for _, f in ipairs(class.functions) do annotated[f.name] = true end
    for method, is_function in pairs(real.methods[name]) do
      if is_function and not annotated[method] then note("%s.%s has no annotation", name, method) end
    end
    for method in pairs(annotated) do
      if not real.methods[name][method] then note("%s.%s is annotated but not there", name, method) end
    end
  end
end

-- keys of every table
local function fields(class)
  local all = class.parent and fields(classes[class.parent]) or {}
  for _, field in ipairs(class.fields) do all[field.name] = true end
  return all
end
for _, pair in ipairs(api.tables) do
  local class, params = classes[pair[1]], real.params[pair[2]]
  if not class or not params then
    note("%s and %s do not meet", pair[1], pair[2])
  else
    local annotated, known = fields(class), {}
    for _, p in ipairs(params) do
      known[p.name] = true
      if not annotated[p.name] then note("%s.%s has no annotation", pair[2], p.name) end
    end
    for name in pairs(annotated) do
      if not known[name] then note("%s.%s is annotated but not there", pair[2], name) end
    end
  end
end

-- every annotation that is a function says what it does, or its name does
for _, class in ipairs(classes) do
  for _, f in ipairs(class.functions) do
    if f.doc == "" and not f.name:match "^set_" and #f.name > 7 then note("%s.%s says nothing", class.name, f.name) end
  end
end

if #wrong > 0 then error("annotations in lua/meta:\n  " .. table.concat(wrong, "\n  "), 0) end
local page = io.open "docs/lua-api.md"
if not page or page:read "a" ~= api.page(classes) then
  error("docs/lua-api.md is out of date: run scree lua --trust tools/lua-api.lua write", 0)
end
