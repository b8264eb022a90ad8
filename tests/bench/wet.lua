-- What cohesion costs: beds of n^3 balls, dry and wet, step in turns; CPU time of the fastest round over contacts and sweeps.
--
--   scree lua --trust tests/bench/wet.lua [n=20]
local scree = require "scree"
local n = tonumber(arg and arg[1] and arg[1]:match "^n=(%d+)$" or 20)
local SWEEPS, STEPS = 20, 4
local laws = {
  { "dry" }, { "capillary", { cohesion_law = "capillary", volume = 1e-11, tension = 0.072 } }, { "jkr", { cohesion_law = "jkr", work = 0.05 } },
  { "constant", { cohesion = 2e-4 } },
}

local function bed(cohesion)
  local w = scree.world { dt = 2e-4, gravity = { 0, 0, -9.81 }, threads = 1, solver = { name = "nbgs", iterations = SWEEPS, tolerance = 0 } }
  local pair, edge = { "default", "default", mu = 0.5 }, 2.05e-3 * n
  for key, value in pairs(cohesion or {}) do pair[key] = value end
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 } }
  for _, side in ipairs { { 1, 0 }, { -1, edge } } do
    w:halfspace { normal = { side[1], 0, 0 }, point = { side[2], 0, 0 } }
    w:halfspace { normal = { 0, side[1], 0 }, point = { 0, side[2], 0 } }
  end
  w:fill { region = { min = { 0, 0, 0 }, max = { edge, edge, edge } }, spacing = 2.05e-3, radius = 9e-4, radius_max = 1e-3, position_jitter = 1e-5 }
  w:step(400)
  return w
end

for _, law in ipairs(laws) do law.world, law.best = bed(law[2]), math.huge end
for _ = 1, 15 do
  for _, law in ipairs(laws) do
    local start = os.clock()
    law.world:step(STEPS)
    law.best = math.min(law.best, (os.clock() - start) / (STEPS * SWEEPS * law.world:report().contacts))
  end
end
for _, law in ipairs(laws) do
  print(("%-10s %6d contacts  %6.2f ns a contact and sweep  %.3f of dry"):format(law[1], law.world:report().contacts, 1e9 * law.best, law.best / laws[1].best))
end
