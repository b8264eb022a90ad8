-- 1e5 random scenes with rays, layers and bodies that are left out: distance and body are those of the nearest hit with each body alone.
local scree = require "scree"
local scatter = require "scatter"
local random = math.random
math.randomseed(23)
local vector, turn = scatter.vector, scatter.turn
local worlds, per, met = 2000, 50, 0
for _ = 1, worlds do
  local w, bodies = scree.world { gravity = { 0, 0, 0 }, threads = 1 }, {}
  for i = 1, random(12) do
    local type, def = scatter.shape()
    def.position, def.orientation, def.layer = vector(0.8), turn(), random(3)
    bodies[i] = { made = w[type](w, def), layer = def.layer, type = type, def = def }
  end
  local alone = {}
  for i, b in ipairs(bodies) do
    alone[i] = scree.world { gravity = { 0, 0, 0 }, threads = 1 }
    alone[i][b.type](alone[i], b.def)
  end
  -- rays of a scene all differ; each call is a scene of its own layers and bodies
  local from, direction = {}, {}
  for i = 1, per do
    local x, aim = vector(1.5), vector(0.8)
    from[i], direction[i] = x, { aim[1] - x[1], aim[2] - x[2], aim[3] - x[3] }
  end
  local avoids, without, reach = random() < 0.5 and random(3) or nil, random() < 0.3 and random(#bodies) or nil, 1 + 2 * random()
  local def = { from = from, direction = direction, avoids = avoids, without = without and bodies[without].made, reach = reach }
  local distance, who = w:rays(def)
  local best, which = {}, {}
  for k, b in ipairs(bodies) do
    if b.layer ~= avoids and k ~= without then
      local own = alone[k]:rays { from = from, direction = direction, reach = reach }
      for i = 1, per do if own[i] < (best[i] or math.huge) then best[i], which[i] = own[i], b.made end end
    end
  end
  for i = 1, per do
    assert(distance[i] == (best[i] or math.huge), "the nearest of all")
    assert(who[i] == (which[i] or false) or distance[i] == 0, "who was met")
    if which[i] then met = met + 1 end
  end
end
assert(met > worlds * per / 10, met .. " met")
print("rays: ok", worlds * per, met)
