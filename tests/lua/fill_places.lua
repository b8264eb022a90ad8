-- Random numbers of a fill belong to lattice places: a grain is the same whether other places are filled or not.
local scree = require "scree"
local around = { min = { -1, -1, -1 }, max = { 0.03, 0.03, 0.03 } }

-- Returns the grains of the first (or second) fill of a world by their positions, and their number.
local function grains(keys, second)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  keys.region = keys.region or { min = { 0, 0, 0 }, max = { 0.1, 0.1, 0.1 } }
  keys.spacing, keys.position_jitter, keys.jitter = 0.01, 0.05, { 1, 1, 1 }
  if second then w:fill(keys) w:remove {} end
  local count, found = w:fill(keys), {}
  local function row(name, i, n)
    return string.format(string.rep("%a ", n), w:view(name):get(i))
  end
  for i = 1, count do
    found[row("position", i, 3)] = table.concat({ row("orientation", i, 4), row("velocity", i, 3), row("mass", i, 1) }, " ")
  end
  return found, count
end

for name, keys in pairs {
  balls = { radius = 0.004, radius_max = 0.0045 },
  cubes = { radius = 0.004, shape = { type = "box", size = { 0.004, 0.004, 0.004 } } },
  bcc = { radius = 0.004, lattice = "bcc" },
} do
  local function copy(more)
    local t = {}
    for k, v in pairs(keys) do t[k] = v end
    for k, v in pairs(more) do t[k] = v end
    return t
  end
  local all, count = grains(copy {})
  for what, more in pairs { keep_out = { keep_out = around }, limit = { limit = 300 } } do
    local some, fewer = grains(copy(more))
    assert(fewer < count and fewer >= 300, name .. ": " .. fewer .. " of " .. count)
    for at, state in pairs(some) do assert(all[at] == state, name .. ", " .. what .. ": a grain differs") end
  end
  -- places have numbers of their own, and fills, too
  local states, different, others = {}, 0, grains(copy {}, true)
  for at, state in pairs(all) do
    assert(not states[state] and not others[at], name .. ": two places have the same numbers")
    states[state], different = true, different + 1
  end
  assert(different == count)
end
