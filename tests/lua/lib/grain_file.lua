-- Helpers of tests that write files of grains and read them.
local scree = require "scree"
local grain_file = {}

-- Writes the bytes to a new file and calls f with its path. The file is removed, also after an error.
function grain_file.with(bytes, f, ending)
  local base = os.tmpname()
  os.remove(base)
  local path = base .. (ending or ".txt")
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
  local found = table.pack(pcall(f, path))
  os.remove(path)
  if not found[1] then error(found[2], 0) end
  return table.unpack(found, 2, found.n)
end

-- Reads the bytes as grains into a new world. Returns the world and the information about the file that w:read_grains returns.
function grain_file.read(bytes, def)
  return grain_file.with(bytes, function(path)
    local w, keys = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }, { file = path }
    for k, v in pairs(def or {}) do keys[k] = v end
    local _, info = w:read_grains(keys)
    return w, info
  end)
end

-- Returns the information about the file with these bytes, without making a world.
function grain_file.look(bytes, def)
  return grain_file.with(bytes, function(path)
    local keys = { file = path }
    for k, v in pairs(def or {}) do keys[k] = v end
    return scree.read_grains(keys)
  end)
end

-- Reads the bytes, and each column `names` of the file as numbers: columns[name] = { ... }. Sizes are 1 unless def.sizes is true.
function grain_file.columns(bytes, names, def)
  local keys = { values = {}, radius = 1 }
  for k, v in pairs(def or {}) do keys[k] = v end
  if keys.sizes then keys.sizes, keys.radius = nil, nil end
  for k, name in ipairs(names) do keys.values["column" .. k] = name end
  local w, info = grain_file.read(bytes, keys)
  local out = {}
  for k, name in ipairs(names) do out[name] = w:view("column" .. k):totable() end
  return out, info, w
end

-- Asserts that two lists of numbers are equal, to a relative error; NaN equals NaN.
function grain_file.same(got, want, what, tolerance)
  if #got ~= #want then error(("%s: %d numbers, not %d"):format(what, #got, #want), 2) end
  for k, v in ipairs(want) do
    local fine = got[k] == v or (got[k] ~= got[k] and v ~= v) or math.abs(got[k] - v) <= (tolerance or 0) * math.abs(v)
    if not fine then error(("%s[%d]: %.17g, not %.17g"):format(what, k, got[k], v), 2) end
  end
end

return grain_file
