-- Rays in periodic cells against the same scene in which every image is a body of its own: cells periodic along one, two and three edges, tilted
-- ones, shapes that are longer than the cell, meshes, half-spaces, layers; few rays and many; and rays that have no end.
local scree = require "scree"
local check = require "check"
local scatter = require "scatter"
local random = math.random
math.randomseed(31)
local vector, turn = scatter.vector, scatter.turn
local edges = { { true, false, false }, { true, true, false }, { true, true, true } }
local met, through = 0, 0
for trial = 1, 60 do
  local periodic, size = edges[trial % 3 + 1], { 1 + random(), 1 + random(), 1 + random() }
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1, cell = { size = size, periodic = periodic, origin = vector(1) } }
  if trial % 2 == 0 then -- tilted
    w:cell():set_velocity_gradient { { 0, periodic[2] and 0.19 or 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
    w:step(1)
    w:cell():set_velocity_gradient { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  end
  local H, bodies = w:cell():matrix(), {}
  local floor = trial % 3 ~= 2 and trial % 4 == 0
  if floor then w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -1.5 } } end
  for i = 1, random(6) do
    local type, def = scatter.shape()
    def.kind, def.position, def.orientation, def.layer = "fixed", vector(2), turn(), random(3)
    bodies[i] = { type = type, def = def, made = w[type](w, def) }
  end
  -- every image that rays of this length can hit
  local all, of = scree.world { gravity = { 0, 0, 0 } }, {}
  if floor then all:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -1.5 } } end
  local reach = 3
  local function most(k) return periodic[k] and 8 or 0 end
  for _, b in ipairs(bodies) do
    local at = b.def.position
    for i = -most(1), most(1) do
      for j = -most(2), most(2) do
        for k = -most(3), most(3) do
          local p, far = {}, 0
          for c = 1, 3 do
            p[c] = at[c] + H[c][1] * i + H[c][2] * j + H[c][3] * k
            far = math.max(far, math.abs(p[c]))
          end
          if far < 2 + reach + 3.5 then
            b.def.position = p
            of[all[b.type](all, b.def):id()] = b.made
          end
        end
      end
    end
  end
  local from, direction = {}, {}
  for i = 1, 150 do
    from[i], direction[i] = vector(2), vector(1)
    if i % 7 == 0 then direction[i] = { 0, 0, 0 } direction[i][random(3)] = random() < 0.5 and -1 or 1 end
  end
  local def = { from = from, direction = direction, avoids = trial % 5 == 0 and 2 or nil, reach = reach }
  local distance, who, normal = w:rays(def)
  local wanted, whose, upright = all:rays(def)
  for i = 1, 150 do
    local d, e = distance[i], wanted[i]
    assert(d == e or math.abs(d - e) < 1e-12, ("trial %d, ray %d: %.17g, by images %.17g"):format(trial, i, d, e))
    if who[i] then
      met = met + 1
      assert(d == 0 or not of[whose[i]:id()] or who[i] == of[whose[i]:id()], "who was met")
      for k = 1, 3 do assert(math.abs(normal[i][k] - upright[i][k]) < 1e-9, "normal") end
      if d > 1.5 then through = through + 1 end
    end
    if i % 20 == 0 then
      local one = w:ray { from = from[i], direction = direction[i], avoids = def.avoids, reach = reach }
      assert((one and one.distance or math.huge) == d, "one ray")
      local a = direction[i]
      local length = math.sqrt(a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2)
      for k = 1, one and 3 or 0 do check.within(one.point[k], from[i][k] + d * a[k] / length, 1e-12, "point") end
    end
  end
end
assert(met > 1000 and through > 100, met .. " met, " .. through .. " far")

-- far through the faces; the kept tree follows the cell; rays without an end
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  local ball = w:sphere { radius = 0.1, position = { 0.5, 0.5, 0.5 }, kind = "fixed" }
  local hit = w:ray { from = { 0.5, 0.5, 0 }, direction = { 1, 0, 0.001 }, reach = 1000 }
  assert(hit.body == ball and hit.distance > 390 and hit.distance < 500, "after hundreds of faces")
  local aims = {}
  for i = 1, 20 do aims[i] = { 1, 0, 0 } end
  check.within(w:rays({ from = { 0.7, 0.5, 0.5 }, direction = aims, reach = 2 })[3], 0.7, 1e-12, "across the face")
  w:cell():set_velocity_gradient { { 0.1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  w:step(1)
  check.within(w:rays({ from = { 0.7, 0.5, 0.5 }, direction = aims, reach = 2 })[3], w:cell():matrix()[1][1] + ball:position() - 0.1 - 0.7, 1e-12, "in a longer cell")
  check.fails("needs a reach of at most 10000 m", w.ray, w, { from = { 0, 0, 0 }, direction = { 1, 0, 0 } })
  check.fails("ray 1 needs a reach", w.rays, w, { from = { 0, 0, 0 }, direction = aims, reach = 1e9 })
end
print("rays in cells: ok", met, through)
