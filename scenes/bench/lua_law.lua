-- Benchmark: the cost per contact of a law written in Lua, next to built-in laws. Prints a Markdown table.
--
--   scree lua --trust scenes/bench/lua_law.lua
--
-- A layer of balls slides on a plane. Every contact is solved ITERATIONS times per step. Runs with once and
-- twice as many iterations separate the cost per step from the cost of each solve.
local scree = require "scree"

local SIDE, ITERATIONS, STEPS = 40, 20, 30

scree.law.define { name = "refresh_only", base = "coulomb", params = { mu = 0.4 }, state = { "slip" },
                   refresh = function(p, s, c)
                     s.slip = s.slip + c.slip_speed * c.dt
                     p.mu = 0.4 / (1 + s.slip)
                   end }
scree.law.define { name = "full", params = { mu = 0.4 },
                   solve = function(p, Ann, Ant, Ano, Att, Ato, Aoo, bn, bt, bo)
                     if bn <= 0 then return 0, 0, 0 end
                     local xn = bn / Ann
                     local b = math.sqrt(bt * bt + bo * bo)
                     local cut = b > 0 and math.min(1 / Att, p.mu * xn / b) or 0
                     return xn, bt * cut, bo * cut
                   end }

-- Returns the CPU time per step [s], the best of five measurements, and the number of contacts.
local function run(law, iterations, more)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-4, solver = { name = "nbgs", iterations = iterations, min_iterations = iterations, tolerance = 0 } }
  local pair = { "default", "default", law = law, mu = 0.4 }
  for k, v in pairs(more) do pair[k] = v end
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 1, SIDE do
    for j = 1, SIDE do w:sphere { radius = 0.01, position = { 0.03 * i, 0.03 * j, 0.01 }, velocity = { 5, 0, 0 } } end
  end
  w:step(5)
  local best = math.huge
  for _ = 1, 5 do
    local start = os.clock()
    w:step(STEPS)
    best = math.min(best, (os.clock() - start) / STEPS)
  end
  return best, w:report().contacts
end

print "| law | once per step and contact | each solve |\n|---|---|---|"
for _, row in ipairs { { "`coulomb`, fast kernel", "coulomb", {} }, { "`coulomb`, general path", "coulomb", { mu_static = 0.41 } },
                       { "base + refresh in Lua", "refresh_only", {} }, { "solve in Lua", "full", {} } } do
  local few, contacts = run(row[2], ITERATIONS, row[3])
  local many = run(row[2], 2 * ITERATIONS, row[3])
  local each = (many - few) / ITERATIONS / contacts
  print(string.format("| %s | %.0f ns | %.0f ns |", row[1], 1e9 * (few / contacts - ITERATIONS * each), 1e9 * each))
end
