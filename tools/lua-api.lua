-- Writes docs/lua-api.md from the annotations in lua/meta and the parameter tables of the binding.
--
--   scree lua --trust tools/lua-api.lua            prints the page
--   scree lua --trust tools/lua-api.lua write      writes it
--
-- As a module (loaded by tests/lua/meta.lua) it returns {read, page, tables}.

local api = {}

-- Parameter tables of the binding and the annotated classes that describe them.
api.tables = {
  { "scree.WorldDef", "world" }, { "scree.SolverDef", "world.solver" }, { "scree.CellDef", "world.cell" }, { "scree.DomainDef", "world.domain" }, { "scree.MaterialDef", "material" }, { "scree.BodyDef", "body" }, { "scree.Template", "template" }, { "scree.ShapeDef", "body.shapes[]" },
  { "scree.FillDef", "fill" }, { "scree.SizesDef", "fill.sizes" }, { "scree.InsertDef", "insert" }, { "scree.ReadGrainsDef", "read_grains" }, { "scree.TableFile", "read_table" }, { "scree.CountDef", "count" }, { "scree.RemoveDef", "remove" }, { "scree.Region", "region" },
  { "scree.Scene", "scene" }, { "scree.Every", "scene.every[]" }, { "scree.Stop", "scene.stop" }, { "scree.Output", "scene.output" },
  { "scree.TrajectoryOutput", "scene.output.trajectory" }, { "scree.SeriesOutput", "scene.output.series" }, { "scree.TrackOutput", "scene.output.track" },
  { "scree.Look", "scene.view" }, { "scree.CameraAt", "scene.view.path[]" },
  { "scree.ExportDef", "export" }, { "scree.JointDef", "joint" }, { "scree.GlueDef", "bond_pairs" }, { "scree.DriveDef", "joint.second" }, { "scree.MotorDef", "joint.motor" },
  { "scree.ServoDef", "joint.servo" }, { "scree.TurnServoDef", "joint.turn_servo" }, { "scree.RayDef", "ray" }, { "scree.RaysDef", "rays" },
}

-- Adds shapes after the material: scree.BoxDef of lua/meta/shape.lua describes the keys of w:box.
local behind = 4
for line in assert(io.open "lua/meta/shape.lua"):lines() do
  local name = line:match "^%-%-%-@class scree%.(%u%l+)Def"
  if name then
    behind = behind + 1
    table.insert(api.tables, behind, { "scree." .. name .. "Def", name:lower() })
  end
end

local function lines_of(path)
  local out = {}
  for line in assert(io.open(path)):lines() do out[#out + 1] = line end
  return out
end

-- Reads one annotation file: classes with their doc, fields and functions, in order. module: the library's module that the file describes.
local function read_file(path, classes, module)
  local doc, params, returns, class, variable = {}, {}, nil, nil, {}
  local function clear() doc, params, returns = {}, {}, nil end
  for _, line in ipairs(lines_of(path)) do
    local name, parent = line:match "^%-%-%-@class ([%w%._]+)%s*:?%s*([%w%._]*)"
    local field, rest = line:match "^%-%-%-@field (%S+)%s*(.*)"
    local owner, mark, method, arguments = line:match "^function ([%w_]+)([:%.])([%w_]+)%((.-)%) end"
    if name then
      -- a class may be continued in another file
      class = classes[name] or { name = name, parent = parent ~= "" and parent or nil, module = module, doc = table.concat(doc, " "), fields = {}, functions = {} }
      if not classes[name] then classes[#classes + 1] = class end
      classes[name] = class
      clear()
    elseif field then
      class.fields[#class.fields + 1] = { name = field:gsub("%?$", ""), optional = field:sub(-1) == "?", rest = rest }
    elseif owner then
      local target = variable[owner]
      assert(target, path .. ": no class for " .. owner)
      target.functions[#target.functions + 1] =
        { name = method, mark = mark, arguments = arguments, doc = table.concat(doc, " "), params = params, returns = returns }
      clear()
    elseif line:match "^local %w+ = {}" then
      variable[line:match "^local (%w+) = {}"] = class
    elseif line:match "^%-%-%-@param" then
      params[#params + 1] = line:match "^%-%-%-@param (.*)"
    elseif line:match "^%-%-%-@return" then
      returns = line:match "^%-%-%-@return (.*)"
    elseif line:match "^%-%-%-@" then
      -- meta, alias and similar annotations have no entry of their own
    elseif line:match "^%-%-%-" then
      doc[#doc + 1] = line:match "^%-%-%-%s?(.*)"
    elseif line == "" then
      clear()
    end
  end
end

--- Returns all classes of the annotation files, in order and by name.
function api.read(folder, files)
  local classes = {}
  for _, file in ipairs(files) do read_file(folder .. "/" .. file, classes, file:match "^scree/([%w_]+)%.lua$") end
  return classes
end

--- Returns the names of the annotation files: those of the engine, and scree/NAME.lua of the library's modules.
function api.files(folder)
  local files = {}
  for _, part in ipairs { "", "scree/" } do
    for name in assert(io.popen("ls " .. folder .. "/" .. part)):lines() do
      if name:match "%.lua$" then files[#files + 1] = part .. name end
    end
  end
  -- the file of the module `scree` comes first
  table.sort(files, function(a, b) return (a == "scree.lua" and " " or a) < (b == "scree.lua" and " " or b) end)
  return files
end

-- Returns a key of a parameter table as a row.
local function key_row(p)
  local range = {}
  if p.choices then range[#range + 1] = (p.choices:gsub("|", ", ")) end
  if p.positive then range[#range + 1] = "> 0" end
  if p.min and not p.positive then range[#range + 1] = p.max == math.huge and (">= %g"):format(p.min) or ("%g to %g"):format(p.min, p.max) end
  local default = ""
  if p.required then default = "required"
  elseif type(p.default) == "number" then default = ("%g"):format(p.default)
  elseif p.default ~= nil then default = tostring(p.default) end
  return ("| `%s` | %s | %s | %s | %s | %s |"):format(p.name, p.type, p.unit, default, table.concat(range, ", "), p.doc)
end

-- Shapes that cannot move freely: the default of the key `kind` is "fixed".
local STATIC = { ["scree.HalfspaceDef"] = true, ["scree.MeshDef"] = true }

local function put_keys(out, class, params)
  out[#out + 1] = ("### `%s`\n"):format(class.name:gsub("^scree%.", ""))
  if class.doc ~= "" then out[#out + 1] = class.doc .. "\n" end
  out[#out + 1] = "| key | type | unit | default | range | |\n|---|---|---|---|---|---|"
  for _, p in ipairs(params) do
    if p.name == "kind" and STATIC[class.name] then p.default = "fixed" end
    out[#out + 1] = key_row(p)
  end
  out[#out + 1] = ""
end

local function put_function(out, class, f)
  local object = class.name == "scree" and "scree" or class.name:gsub("^scree%.", ""):lower()
  if object == "world" then object = "w" end
  out[#out + 1] = ("- `%s%s%s(%s)`%s  "):format(object, f.mark, f.name, f.arguments, f.returns and " → `" .. f.returns .. "`" or "")
  out[#out + 1] = "  " .. (f.doc ~= "" and f.doc or "(" .. f.name:gsub("_", " ") .. ")")
  -- keys and units of a module's arguments are documented nowhere else
  for _, param in ipairs(class.module and f.params or {}) do
    local name, rest = param:match "^(%S+)%s+(.*)"
    if name ~= "w" then out[#out + 1] = ("  - `%s` %s"):format(name, rest) end
  end
end

local function put_class(out, class, title)
  out[#out + 1] = title .. "\n"
  if class.doc ~= "" then out[#out + 1] = class.doc .. "\n" end
  local is_table = class.name:match "Def$"
  for _, field in ipairs(class.fields) do
    out[#out + 1] = ("- `%s`%s %s"):format(field.name, is_table and not field.optional and " (required)" or "", field.rest)
  end
  if #class.fields > 0 then out[#out + 1] = "" end
  for _, f in ipairs(class.functions) do put_function(out, class, f) end
  if #class.functions > 0 then out[#out + 1] = "" end
end

-- Writes a module of the library: its functions, then its tables.
local function put_module_class(out, class)
  local is_module = class.name == "scree." .. class.module
  put_class(out, class, is_module and ('## `require "%s"`'):format(class.name) or ("### `%s`"):format(class.name))
end

--- Returns the text of docs/lua-api.md.
function api.page(classes)
  local out = { "# Lua reference\n", "Made by tools/lua-api.lua from lua/meta and the parameter tables of the engine; do not edit.\n" }
  local described, params = {}, scree.api().params
  for _, pair in ipairs(api.tables) do described[pair[1]] = pair[2] end
  for _, class in ipairs(classes) do
    if not class.module and not described[class.name] and (#class.functions > 0 or #class.fields > 0) and class.name ~= "scree.BodyKeys" and class.name ~= "scree.PairDef" then put_class(out, class, ("## `%s`"):format(class.name)) end
  end
  for _, class in ipairs(classes) do
    if class.module then put_module_class(out, class) end
  end
  out[#out + 1] = "## Tables\n\nLengths in m, angles in rad, masses in kg, times in s. Every key must be one of those listed; an unknown one is an error that names the nearest.\n"
  for _, pair in ipairs(api.tables) do put_keys(out, classes[pair[1]], params[pair[2]]) end
  return table.concat(out, "\n") .. "\n"
end

if ... == "write" or ... == nil then
  local text = api.page(api.read("lua/meta", api.files "lua/meta"))
  if ... == "write" then assert(io.open("docs/lua-api.md", "w")):write(text):close() else io.write(text) end
end

return api
