-- Friction by direction vectors: diamonds, ellipses, skates and ratchets against closed forms, by Gauss-Seidel and by Lemke.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.within
local g = 9.81
-- a flat box on the ground, sliding at v
local function slide(pair, v, more)
  more = more or {}
  local w = scree.world { gravity = { 0, 0, -g }, dt = more.dt or 1e-4, solver = { name = more.solver or "nbgs", iterations = 2000, tolerance = 1e-10 } }
  w:material { name = "block" }
  pair[1], pair[2], pair.law = "block", "default", pair.law or "directional"
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 } }
  -- a ball that cannot roll is a point of contact without turning: a wide, very flat box
  local half = (more.angle or 0) / 2
  local body = w:box { size = { 1, 1, 0.002 }, position = { 0, 0, 0.001 }, velocity = v, material = "block", mass = 1,
    orientation = { math.cos(half), 0, 0, math.sin(half) } }
  return w, body
end

-- the diamond: friction first acts along the stronger axis only, then along the normal of an edge until rest
for _, solver in ipairs { "nbgs", "lemke" } do
  local a, b = 0.4, 0.2
  local w, body = slide({ vectors = { { a, 0, 0 }, { 0, b, 0 } } }, { 2, 1.5, 0 }, { solver = solver, dt = 1e-3 })
  local turn = (2 - 0.75) / (a * g)
  w:step(200)
  local vx, vy = body:velocity()
  near(vx, 2 - a * g * 0.2, 1e-9, solver .. ": the stronger axis")
  near(vy, 1.5, 1e-9, solver .. ": the other")
  w:step(300)
  local slow = a * b / math.sqrt(a * a + b * b) * g
  local speed = math.sqrt(0.75 ^ 2 + 1.5 ^ 2) - slow * (0.5 - turn)
  vx, vy = body:velocity()
  near(a * vx, b * vy, 1e-9, solver .. ": slip is normal to the edge")
  near(math.sqrt(vx * vx + vy * vy), speed, 5e-3, solver .. ": along the edge's normal")
  w:step(1500)
  vx, vy = body:velocity()
  near(math.abs(vx) + math.abs(vy), 0, 1e-9, solver .. ": rest")
end

-- one contact: a polygon with corners on an ellipse has the solution of the elliptic cone, if this solution is a corner
do
  local mu, mu2, vectors = 0.5, 0.2, {}
  for i = 0, 5 do vectors[i + 1] = { mu * math.cos(i * math.pi / 6), mu2 * math.sin(i * math.pi / 6), 0 } end
  for i = 0, 11 do
    local p = { mu * math.cos(i * math.pi / 6), mu2 * math.sin(i * math.pi / 6) }
    -- slip whose largest dissipation is at -p: along the ellipse's normal there; isotropic block, x_n = 1
    local s = 0.3
    local b = { 2, 3 * p[1] + s * p[1] / mu ^ 2, 3 * p[2] + s * p[2] / mu2 ^ 2 }
    local A = { { 2, 0, 0 }, { 0, 3, 0 }, { 0, 0, 3 } }
    local def = { law = "directional", A = A, b = b }
    for k = 1, 6 do def["v" .. k .. "_x"], def["v" .. k .. "_y"] = vectors[k][1], vectors[k][2] end
    local ours, ellipse = scree.law.solve(def), scree.law.solve { law = "coulomb", A = A, b = b, mu = mu, mu2 = mu2 }
    for k = 1, 3 do near(ours.x[k], ellipse.x[k], 1e-9, "corner " .. i) end
    near(ours.x[2], p[1], 1e-9, "corner " .. i)
    assert(ours.state == "sliding")
  end
  -- in between the twelve corners dissipate less than the ellipse, by 1 - cos 15 degrees at most
  for i = 1, 40 do
    local angle = 0.157 * i
    local def = { A = { { 2, 0, 0 }, { 0, 3, 0 }, { 0, 0, 3 } }, b = { 2, 1e6 * math.cos(angle), 1e6 * math.sin(angle) } }
    local function rate(more)
      for k, v in pairs(def) do more[k] = v end
      local r = scree.law.solve(more)
      return r.x[2] * math.cos(angle) + r.x[3] * math.sin(angle)
    end
    local ours = { law = "directional" }
    for k = 1, 6 do ours["v" .. k .. "_x"], ours["v" .. k .. "_y"] = vectors[k][1], vectors[k][2] end
    local share = rate(ours) / rate { law = "coulomb", mu = mu, mu2 = mu2 }
    assert(share <= 1 + 1e-9 and share >= math.cos(math.pi / 12) - 1e-6, "share " .. share)
  end
end

-- a skate: friction across, none along; it turns with the body, or stays with the world
for _, case in ipairs { { 0, true }, { 1, false } } do
  local w, body = slide({ vectors = { { 0, 0.5, 0 } }, world_frame = case[1] }, { 2, 0, 0 }, { angle = math.rad(90), dt = 1e-3 })
  w:step(100)
  near(({ body:velocity() })[1], case[2] and 2 - 0.5 * g * 0.1 or 2, 1e-9, "skate turned by 90 degrees, world_frame " .. case[1])
end

-- a ratchet: force on the block only towards +x, so that it slips freely one way and sticks the other way; the order of the materials determines the body that it acts on
for _, solver in ipairs { "nbgs", "lemke" } do
  for sign = -1, 1, 2 do
    local w, body = slide({ vectors = { { 0.5, 0, 0 } }, one_sided = 1 }, { sign, 0, 0 }, { dt = 1e-3, solver = solver })
    w:step(50)
    near(({ body:velocity() })[1], sign > 0 and 1 or -1 + 0.5 * g * 0.05, 1e-9, solver .. ": ratchet")
  end
end
do
  local w = scree.world { gravity = { 0, 0, -g } }
  w:material { name = "block" }
  w:pair { "default", "block", law = "directional", vectors = { { 0.5, 0, 0 } }, one_sided = 1 }
  w:halfspace { normal = { 0, 0, 1 } }
  local body = w:box { size = { 1, 1, 0.002 }, position = { 0, 0, 0.001 }, velocity = { 1, 0, 0 }, material = "block" }
  w:step(50)
  near(({ body:velocity() })[1], 1 - 0.5 * g * 0.05, 1e-8, "the ground's ratchet pushes the other way")
end

-- in a planar world the polygon's section is left
do
  local w = scree.world { gravity = { 0, 0, -g }, plane = { 0, 1, 0 }, solver = { name = "lemke" } }
  w:pair { "default", "default", law = "directional", vectors = { { 0.4, 0.4, 0 }, { 0.4, -0.4, 0 } } }
  w:halfspace { normal = { 0, 0, 1 } }
  local body = w:box { size = { 1, 1, 0.002 }, position = { 0, 0, 0.001 }, velocity = { 1, 0, 0 } }
  w:step(50)
  near(({ body:velocity() })[1], 1 - 0.4 * g * 0.05, 1e-9, "section of the square")
end

-- a pile of boxes: both solvers satisfy the law in every contact
for _, solver in ipairs { "nbgs", "lemke" } do
  local w = scree.world { gravity = { 0, 0, -g }, solver = { name = solver, iterations = 20000, tolerance = 1e-10 } }
  w:pair { "default", "default", law = "directional", vectors = { { 0.5, 0, 0 }, { 0.1, 0.3, 0 }, { 0, 0, 0.4 } } }
  w:halfspace { normal = { 0, 0, 1 } }
  for i = 0, 3 do w:sphere { radius = 0.1, position = { 0.02 * i, 0.03 * (i % 2), 0.1 + 0.199 * i }, velocity = { 1, -0.5, 0 }, spin = { 3, 1, 2 } } end
  w:step(20)
  assert(w:report().residual < 1e-8, solver .. ": residual " .. w:report().residual)
end

local w = scree.world {}
fails("6 vectors at most", w.pair, w, { "default", "default", law = "directional", vectors = { { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 }, { 1, 0, 0 } } })
fails("vectors[2][1] is NaN", w.pair, w, { "default", "default", law = "directional", vectors = { { 1, 0, 0 }, { 0 / 0, 0, 0 } } })
fails("vectors", w.pair, w, { "default", "default", law = "coulomb", vectors = {} })
local g1 = scree.world { solver = { name = "apgd" } }
fails("has no convex set of impulses", g1.pair, g1, { "default", "default", law = "directional", vectors = { { 1, 0, 0 } } })
print "directional: diamonds, ellipses, skates and ratchets hold"
