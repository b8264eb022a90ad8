-- The state of contacts: sticking below the bound of friction and sliding at it, by shapes, laws and solvers at their usual tolerances.
local scree = require "scree"

-- A body on a plane, pushed with a share of its friction mu m g, once it has come to rest or slides. States of its contacts by count.
local function states(make, pair, share, options)
  options = options or {}
  local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3, solver = { name = options.solver } }
  if pair.law ~= "frictionless" then pair.mu = pair.mu or 0.5 end
  local def = { "default", "default" }
  for key, value in pairs(pair) do def[key] = value end
  w:pair(def)
  w:halfspace { normal = { 0, 0, 1 } }
  local body = make(w)
  local limit = options.limit or pair.mu or 0.5
  w:step(20)
  for _ = 1, 40 do
    body:apply { force = { share * limit * body:mass() * 10, 0, 0 } }
    w:step()
  end
  local count = { sticking = 0, sliding = 0, separating = 0 }
  for _, c in ipairs(w:contacts()) do count[c.state] = count[c.state] + 1 end
  return count
end
local function expect(what, count, state)
  local other = state == "sticking" and "sliding" or "sticking"
  assert(count[state] > 0 and count[other] == 0, ("%s: %d sticking, %d sliding, not %s"):format(what, count.sticking, count.sliding, state))
end

local q = { math.sqrt(0.5), 0, math.sqrt(0.5), 0 } -- z to x
local shapes = {
  box = function(w) return w:box { size = { 1, 1, 0.2 }, mass = 1, position = { 0, 0, 0.1 } } end,
  cylinder = function(w) return w:cylinder { radius = 0.5, length = 0.2, mass = 1, position = { 0, 0, 0.1 } } end,
  capsule = function(w) return w:capsule { radius = 0.1, length = 1, mass = 1, position = { 0, 0, 0.1 }, orientation = q } end,
  hull = function(w)
    return w:hull { mass = 1, position = { 0, 0, 0 }, points = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 }, { -1, 1, 0 }, { 0, 0, 0.1 } } }
  end,
  compound = function(w)
    return w:body { position = { 0, 0, 0.1 }, shapes = { { type = "box", size = { 1, 0.2, 0.2 } }, { type = "capsule", radius = 0.1, length = 0.6, position = { 0, 0.5, 0 }, orientation = q } } }
  end,
}
for name, make in pairs(shapes) do
  for _, share in ipairs { 0, 0.01, 0.5, 0.999 } do expect(name .. " at " .. share, states(make, {}, share), "sticking") end
  expect(name .. " at 1.5", states(make, {}, 1.5), "sliding")
end

-- Three balls on one plate: contacts of balls by the same rule.
local function tripod(w)
  local parts = {}
  for k = 1, 3 do parts[k] = { type = "sphere", radius = 0.1, position = { math.cos(2 * k), math.sin(2 * k), 0 } } end
  return w:body { position = { 0, 0, 0.1 }, shapes = parts }
end
expect("tripod at 0.5", states(tripod, {}, 0.5), "sticking")
expect("tripod at 1.5", states(tripod, {}, 1.5), "sliding")
for _, solver in ipairs { "auto", "nbgs", "pgs", "newton", "apgd", "spg" } do
  for _, shape in ipairs { "box", "capsule" } do
    expect(solver .. " " .. shape .. " at 0.5", states(shapes[shape], {}, 0.5, { solver = solver }), "sticking")
    expect(solver .. " " .. shape .. " at 1.5", states(shapes[shape], {}, 1.5, { solver = solver }), "sliding")
  end
end

local laws = {
  { law = "cone", share = { 0.5, 1.5 } },
  { law = "max_dissipation", share = { 0.5, 1.5 } },
  { law = "decoupled", share = { 0.5, 1.5 } },
  { law = "polyhedral", share = { 0.5, 1.5 } },
  { law = "polyhedral", directions = 7, share = { 0.5, 1.5 } },
  { law = "twisted", twist = 0.3, share = { 0.5, 1.5 } },
  { law = "coulomb", torsion = 0.1, rolling = 0.1, share = { 0.5, 1.5 } },
  { law = "coulomb", mu2 = 0.25, share = { 0.9, 1.1 } }, -- 0.5 along x
  { law = "coulomb", mu2 = 0.25, direction_x = 0, direction_y = 1, share = { 0.45, 0.55 } }, -- 0.25 along x
  { law = "coulomb", mu_static = 0.8, share = { 1.2, 1.7 } }, -- beyond mu, within mu_static; beyond both
}
for _, law in ipairs(laws) do
  local share = law.share
  law.share = nil
  for k, state in ipairs { "sticking", "sliding" } do
    local pair = {}
    for key, value in pairs(law) do pair[key] = value end
    expect(("%s %d at %g"):format(law.law, law.directions or 0, share[k]), states(shapes.box, pair, share[k]), state)
  end
end

-- The polygon of two directions holds along x, and not at all across it; directional: 0.5 along x, 0.1 along y.
for k, state in ipairs { "sticking", "sliding" } do
  local pair = { law = "directional", mu = 1, v1_x = 0.5, v2_y = 0.1, world_frame = 1 }
  expect("directional", states(shapes.box, pair, k == 1 and 0.9 or 1.1, { limit = 0.5 }), state)
end

-- Without friction moving bodies slide, and bodies at rest do not; a law of a script with a base has the bound of the base.
for _, pair in ipairs { { law = "frictionless" }, { mu = 0 } } do
  expect("frictionless at rest", states(shapes.box, pair, 0), "sticking")
  expect("frictionless", states(shapes.box, pair, 0.5, { limit = 0.5 }), "sliding")
end
scree.law.define { name = "plain", base = "coulomb", params = { mu = 0.5 }, refresh = function() end }
expect("base at 0.5", states(shapes.box, { law = "plain" }, 0.5), "sticking")
expect("base at 1.5", states(shapes.box, { law = "plain" }, 1.5), "sliding")

-- Solver lemke replaces the friction circle by an inscribed polygon: a sphere that slides in any direction is sliding, and a sphere at rest sticks.
for direction = 0, 10 do
  local angle, w = 0.3 * direction, scree.world { gravity = { 0, 0, -10 }, dt = 1e-3, solver = { name = "lemke" } }
  w:pair { "default", "default", mu = 0.5 }
  w:halfspace { normal = { 0, 0, 1 } }
  local ball = w:sphere { radius = 0.1, mass = 1, position = { 0, 0, 0.1 }, velocity = { 3 * math.cos(angle), 3 * math.sin(angle), 0 } }
  w:step(10)
  assert(w:contacts()[1].state == "sliding", "a sliding ball at " .. angle .. ": " .. w:contacts()[1].state)
  ball:set_velocity(0, 0, 0)
  ball:set_spin(0, 0, 0)
  w:step(10)
  assert(w:contacts()[1].state == "sticking", "a ball at rest: " .. w:contacts()[1].state)
  for _ = 1, 10 do -- held at its surface: rolls without slip below the bound
    ball:apply { force = { 12 * math.cos(angle), 12 * math.sin(angle), 0 } }
    w:step()
  end
  assert(w:contacts()[1].state == "sticking", "a rolling ball: " .. w:contacts()[1].state)
end
