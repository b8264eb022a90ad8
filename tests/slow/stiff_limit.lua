-- In the stiff limit the forces of the stepper are the compatible forces of Olsen & Kamrin (2018): 48 packings whose load grows slowly
-- from zero. A packing is a pyramid of balls on a fixed base from which balls that carry no other ball were removed at random. Balls
-- touch without overlap before they are loaded, so that all springs are loaded once and together.
-- usage: scree lua --trust --callback-time 10000 tests/slow/stiff_limit.lua [table]   (table: prints the tables of docs/theory/forces.md)
local scree = require "scree"
local DT, RATIO, SEEDS = 1e-2, 2 / 7, 8
local SHARE = { uniform = { 1, 1, 1 }, species = { 1 / 5, 1 / 3, 1 } } -- stiffness of the pairs soft-soft, soft-hard, hard-hard
local PAIRS = { { "soft", "soft" }, { "soft", "hard" }, { "hard", "hard" } }

-- Returns random numbers of their own, so that packings do not depend on the generator of the program.
local function make_random(seed)
  local state = seed
  return function()
    state = state * 16807 % 2147483647
    return state / 2147483647
  end
end

-- Lists the balls {layer, i, j} that remain. A ball that carries another one stays.
local function choose_balls(n, random)
  local stays, list = {}, {}
  local function at(layer, i, j) return layer * 10000 + i * 100 + j end
  for layer = n - 1, 0, -1 do
    for i = 0, n - layer - 1 do
      for j = 0, n - layer - 1 do
        local carries = stays[at(layer + 1, i, j)] or stays[at(layer + 1, i - 1, j)] or stays[at(layer + 1, i, j - 1)] or stays[at(layer + 1, i - 1, j - 1)]
        if layer == 0 or carries or random() < 0.5 then
          stays[at(layer, i, j)] = true
          list[#list + 1] = { layer, i, j }
        end
      end
    end
  end
  return list
end

-- Returns a packing without load. packing: {n, model, seed}. k: stiffness of the hardest pair; nil: rigid contacts.
local function make_packing(packing, mu, k, law)
  local n, model, seed = table.unpack(packing)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = DT, solver = { tolerance = 1e-13, iterations = 3000 } }
  w:material { name = "soft", density = 1 }
  w:material { name = "hard", density = 1 }
  for p, pair in ipairs(PAIRS) do
    w:pair { pair[1], pair[2], mu = mu, law = law, contact_stiffness = k and k * SHARE[model][p], stiffness_ratio = k and RATIO }
  end
  local random = make_random(seed)
  for _ = 1, 10 do random() end
  for _, ball in ipairs(choose_balls(n, random)) do
    local layer, i, j = table.unpack(ball)
    w:sphere {
      radius = 0.5, material = random() < 0.5 and "soft" or "hard", kind = layer == 0 and "fixed" or "dynamic",
      position = { i + layer / 2, j + layer / 2, layer * math.sqrt(0.5) },
    }
  end
  return w
end

-- Raises the weight in equal parts and waits until the packing is at rest.
local function load_packing(w, parts)
  for part = 1, parts do
    w:set_gravity(0, 0, -part / parts)
    w:step()
  end
  w:step(30)
  return w
end

-- Returns the forces of the last step as a flat table: key of contact and component -> force.
local function read_forces(w)
  local out = {}
  for _, c in ipairs(w:contacts()) do
    for d = 1, 3 do out[c.id1 .. " " .. c.id2 .. " " .. d] = c.impulse[d] / DT end
  end
  return out
end

-- Returns the compatible forces as such a table. friction: "none", "coulomb" or "cone".
local function find_compatible(w, model, friction)
  local out, contacts, stiffness = {}, w:contacts(), {}
  for p, pair in ipairs(PAIRS) do stiffness[p] = { pair[1], pair[2], SHARE[model][p] } end
  local keys = { law = "hooke", stiffness = stiffness, friction = friction, load = "weight", iterations = 2000 }
  if friction ~= "none" then keys.tangential = RATIO end
  for _, c in ipairs(w:compatible_forces(keys)) do
    for d = 1, 3 do out[contacts[c.index].id1 .. " " .. contacts[c.index].id2 .. " " .. d] = c.vector[d] end
  end
  return out
end

-- Returns |a - b|/|b| over all contacts of either.
local function compare(a, b)
  local square, sum = 0, 0
  for key, value in pairs(a) do square = square + (value - (b[key] or 0)) ^ 2 end
  for key, value in pairs(b) do
    sum = sum + value ^ 2
    if not a[key] then square = square + value ^ 2 end
  end
  return math.sqrt(square / sum)
end

local packings = {}
for n = 3, 5 do
  for _, model in ipairs { "uniform", "species" } do
    for seed = 1, SEEDS do packings[#packings + 1] = { n, model, seed } end
  end
end
assert(#packings == 48)

-- Returns the mean and the largest difference of the stepper's forces from the compatible ones over the packings.
local function survey(mu, k)
  local mean, largest = 0, 0
  for _, packing in ipairs(packings) do
    local w = load_packing(make_packing(packing, mu, k), 20)
    local difference = compare(read_forces(w), find_compatible(w, packing[2], mu > 0 and "coulomb" or "none"))
    mean, largest = mean + difference / #packings, math.max(largest, difference)
  end
  return mean, largest
end

-- Returns the largest differences from Coulomb's forces over every n-th packing: of both other laws, and of the compatible forces of the cone.
local function survey_laws(mu, parts, every)
  local out = { max_dissipation = 0, cone = 0, program = 0 }
  for n = 1, #packings, every do
    local packing = packings[n]
    local world = load_packing(make_packing(packing, mu, 1e8, "coulomb"), parts)
    local coulomb = read_forces(world)
    for _, law in ipairs { "max_dissipation", "cone" } do
      out[law] = math.max(out[law], compare(read_forces(load_packing(make_packing(packing, mu, 1e8, law), parts)), coulomb))
    end
    out.program = math.max(out.program, compare(find_compatible(world, packing[2], "cone"), coulomb))
  end
  return out
end

if arg[1] == "table" then
  for _, mu in ipairs { 0, 0.1, 0.3 } do
    for _, k in ipairs { false, 1e4, 1e6, 1e8 } do
      print(string.format("| %g | %s | %.1e | %.1e |", mu, k and string.format("%g", k) or "rigid", survey(mu, k or nil)))
    end
  end
  for _, mu in ipairs { 0.1, 0.3 } do
    for _, parts in ipairs { 1, 5, 20 } do
      local d = survey_laws(mu, parts, 1)
      print(string.format("| %g | %d | %.1e | %.1e | %.1e |", mu, parts, d.max_dissipation, d.cone, d.program))
    end
  end
  return
end

for _, mu in ipairs { 0, 0.1, 0.3 } do
  local mean, largest = survey(mu, 1e8)
  assert(largest < (mu == 0 and 1e-7 or 1e-4), string.format("mu %g: forces differ by %g", mu, largest))
  -- rigid contacts choose other forces in the same packings: the limit is no property of the packings
  local rigid = survey(mu, nil)
  assert(rigid > 1e-2, string.format("mu %g: rigid contacts differ by %g only", mu, rigid))
end
-- the difference of the cone law from Coulomb's is that of one part of the load
local coarse, fine = survey_laws(0.3, 5, 6), survey_laws(0.3, 20, 6)
assert(coarse.max_dissipation == 0 and fine.max_dissipation == 0, "maximum dissipation of balls")
assert(fine.cone < coarse.cone / 2.5 and fine.cone > 1e-4 and fine.program > 1e-2, fine.cone)
