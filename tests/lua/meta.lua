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

-- modules of the library: an annotation file has exactly the functions of its module
local modules, annotated_modules = {}, {}
for file in assert(io.popen "ls lua/scree"):lines() do
  local name = file:match "^([%w_]+)%.lua$" -- modules in folders are parts of another module
  if name then modules[name] = true end
end
for _, class in ipairs(classes) do
  local name = class.module
  if name then
    if not modules[name] then note("lua/meta/scree/%s.lua describes no module", name) end
    annotated_modules[name] = annotated_modules[name] or {}
    for _, f in ipairs(class.functions) do annotated_modules[name][f.name] = true end
  end
end
for name in pairs(modules) do
  local module, annotated = require("scree." .. name), annotated_modules[name]
  if not annotated or not classes["scree." .. name] then
    note("lua/meta/scree/%s.lua with the class scree.%s is missing", name, name)
  else
    for key, value in pairs(module) do
      if type(value) == "function" and not annotated[key] then note("scree.%s.%s has no annotation", name, key) end
    end
    for key in pairs(annotated) do
      if type(module[key]) ~= "function" then note("scree.%s.%s is annotated but not there", name, key) end
    end
  end
end

-- keys of the modules' tables: a call with a key that is near to none lists those that are known
local odd = { zzqqzzqq = 1 }
local takers = {
  ["scree.ClumpDef"] = function() require("scree.clump").from_mesh(odd) end,
  ["scree.FeedDef"] = function(w) require("scree.feed").create(w, odd) end,
  ["scree.InflowDef"] = function(w) require("scree.inflow").create(w, odd) end,
  ["scree.HalfRoundDef"] = function(w) require("scree.obstacle").half_round(w, odd) end,
  ["scree.WallsDef"] = function(w) require("scree.obstacle").walls(w, odd) end,
  ["scree.PipeDef"] = function(w) require("scree.obstacle").pipe(w, odd) end,
  ["scree.DrumDef"] = function(w) require("scree.obstacle").drum(w, odd) end,
  ["scree.SiloDef"] = function(w) require("scree.obstacle").silo(w, odd) end,
  ["scree.HopperDef"] = function(w) require("scree.obstacle").hopper(w, odd) end,
  ["scree.FunnelDef"] = function(w) require("scree.obstacle").funnel(w, odd) end,
  ["scree.ScrewDef"] = function(w) require("scree.obstacle").screw(w, odd) end,
  ["scree.WedgeDef"] = function(w) require("scree.obstacle").wedge(w, odd) end,
  ["scree.TerrainDef"] = function(w) require("scree.obstacle").terrain(w, odd) end,
  ["scree.ThreadDef"] = function() require("scree.thread").bolt(odd, {}) end,
  ["scree.ServoWallDef"] = function(w) require("scree.servo").wall(w, odd) end,
  ["scree.ColumnDef"] = function(w) require("scree.column").create(w, odd) end,
  ["scree.BondDef"] = function(w) require("scree.bond").create(w, odd) end,
  ["scree.PackDef"] = function(w) require("scree.pack").create(w, odd) end,
  ["scree.MotionDef"] = function(w) require("scree.motion").create(w, odd) end,
  ["scree.WallDef"] = function(w) require("scree.masonry").wall(w, odd) end,
  ["scree.ArchDef"] = function(w) require("scree.masonry").arch(w, odd) end,
  ["scree.VaultDef"] = function(w) require("scree.masonry").vault(w, odd) end,
  ["scree.FlatArchDef"] = function(w) require("scree.masonry").flat_arch(w, odd) end,
  ["scree.DomeDef"] = function(w) require("scree.masonry").dome(w, odd) end,
  ["scree.ColumnOfDrumsDef"] = function(w) require("scree.masonry").column(w, odd) end,
  ["scree.PortalDef"] = function(w) require("scree.masonry").portal(w, odd) end,
  ["scree.RockDef"] = function() require("scree.rock").cut(odd) end,
  ["scree.WaterDef"] = function(w) require("scree.water").create(w, odd) end,
  ["scree.ServoBoxDef"] = function(w) require("scree.servo").box(w, odd) end,
}
for list, class in pairs { links = "Link", joints = "Joint", actuators = "Actuator", sensors = "Sensor", loops = "Loop", tendons = "Tendon", sites = "Site", poses = "Pose" } do
  takers["scree.Robot" .. class] = function(w) require("scree.robot").build(w, { [list] = { odd } }) end
end
takers["scree.RobotModel"] = function(w) require("scree.robot").build(w, odd) end
takers["scree.RobotOptions"] = function(w) require("scree.robot").build(w, { links = {} }, odd) end
-- names of a list with commas against a set of annotated ones
local function compare(what, list, annotated)
  local known = {}
  for name in (list or ""):gmatch "[%w_]+" do
    known[name] = true
    if not annotated[name] then note("%s.%s has no annotation", what, name) end
  end
  for name in pairs(annotated) do
    if not known[name] then note("%s.%s is annotated but not there", what, name) end
  end
end
for _, class in ipairs(classes) do
  if class.module and class.name:match "Def$" and class.name ~= "scree.MeasureDef" then
    local _, message = pcall(takers[class.name] or error, scree.world {})
    compare(class.name, tostring(message):match "known are (.*)$", fields(class))
  end
end
-- types of measurements
local kinds = {}
for _, field in ipairs(classes["scree.MeasureDef"].fields) do
  if field.name == "type" then
    for kind in field.rest:gmatch '"([%w_]+)"' do kinds[kind] = true end
  end
end
local attach = require("scree.measure").attach
local _, message = pcall(attach, { measure = { { name = "a", type = "none" } } })
compare("scree.MeasureDef.type", message:match "must be one of (.*), not", kinds)
-- keys of measurements
local keys = {}
for kind in pairs(kinds) do
  for _, p in ipairs(real.params["measure." .. kind] or {}) do keys[#keys + 1] = p.name end
end
compare("scree.MeasureDef", table.concat(keys, " "), fields(classes["scree.MeasureDef"]))
for kind in pairs(scree.measurements()) do
  if not kinds[kind] then note("measurement %s is not among the types of scree.MeasureDef", kind) end
end

-- every annotated function has a description, or a name that needs none
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
