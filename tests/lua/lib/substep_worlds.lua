-- Shared by the tests of substeps: numbers of substeps, gravity, worlds with steps of 4 ms, and names of cases for messages.
local scree = require "scree"
local substeps = { COUNTS = { 1, 2, 4, 7 }, G = 10 }

-- Makes a world with n substeps. options: other keys of the world.
function substeps.world(n, options)
  local all = { gravity = { 0, 0, -substeps.G }, dt = 4e-3, substeps = n }
  for k, v in pairs(options or {}) do all[k] = v end
  return scree.world(all)
end

-- Returns the name of a case with n substeps and these options.
function substeps.name(n, options)
  local words = { "substeps=" .. n }
  for k, v in pairs(options or {}) do words[#words + 1] = k .. "=" .. tostring(type(v) == "table" and v.name or v) end
  return table.concat(words, " ") .. " "
end

return substeps
