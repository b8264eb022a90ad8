-- Contact with rotating surfaces, at any step: a body that a table carries stays on its circle and rotates with the table. A ball that rolls on the table
-- follows the circle of its closed form, with errors of second order. Friction of a carried body dissipates nothing. A smooth rotating surface has no effect.
local scree = require "scree"
local near = require("check").within

local TABLES = {
  cylinder = function(w, om, at) return w:cylinder { kind = "kinematic", radius = 1.5, length = 0.2, position = { at, 0, -0.1 }, spin = { 0, 0, om } } end,
  box = function(w, om, at) return w:box { kind = "kinematic", size = { 3, 3, 0.2 }, position = { at, 0, -0.1 }, spin = { 0, 0, om } } end,
  plane = function(w, om, at) return w:halfspace { kind = "kinematic", normal = { 0, 0, 1 }, position = { at, 0, 0 }, spin = { 0, 0, om } } end,
  surface = function(w, om, at)
    return w:cylinder { kind = "fixed", radius = 1.5, length = 0.2, position = { at, 0, -0.1 }, surface_spin = { 0, 0, om } }
  end,
  mesh = function(w, om, at)
    return w:mesh { kind = "kinematic", points = { { -2, -2, 0 }, { 2, -2, 0 }, { 2, 2, 0 }, { -2, 2, 0 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } },
      position = { at, 0, 0 }, spin = { 0, 0, om } }
  end,
}
local SHAPES = {
  box = { size = { 0.1, 0.1, 0.02 } },
  cylinder = { radius = 0.05, length = 0.02 },
  cone = { radius = 0.05, length = 0.04 },
}
local HEIGHT = { box = 0.01, cylinder = 0.01, cone = 0.01 }

local function world(dt, mu, option)
  local def = { gravity = { 0, 0, -10 }, dt = dt }
  for key, value in pairs(option or {}) do def[key] = value end
  local w = scree.world(def)
  w:pair { "default", "default", mu = mu }
  return w
end
local function radius(body, at)
  local x, y = body:position()
  return math.sqrt((x - at) ^ 2 + y ^ 2)
end

-- ---- carried along: kinds of tables and bodies, directions, steps, who was made first, solvers ----
local function carried(kind, shape, om, dt, option, late, at)
  local w = world(dt, 0.8, option)
  if not late then TABLES[kind](w, om, at) end
  local def = { mass = 2, position = { at + 0.3, 0.4, HEIGHT[shape] }, velocity = { -0.4 * om, 0.3 * om, 0 }, spin = { 0, 0, om } }
  for key, value in pairs(SHAPES[shape]) do def[key] = value end
  local body = w[shape](w, def)
  if late then TABLES[kind](w, om, at) end
  local what = ("%s on a %s, %g rad/s, dt %g, %s"):format(shape, kind, om, dt, late and "body first" or "table first")
  local before = w:report()
  w:step(math.floor(2 / dt + 0.5))
  local angle = math.atan(0.4, 0.3) + om * w:time()
  local x, y = body:position()
  -- in the first step the set velocity is the velocity at its start, not the mean of the last step
  local off = 3 * (om * dt) ^ 2
  near(radius(body, at), 0.5, 0.5 * off * math.abs(om * dt) + 1e-8, what .. ": radius")
  near(x - at, 0.5 * math.cos(angle), 0.5 * off + 1e-8, what .. ": place")
  near(y, 0.5 * math.sin(angle), 0.5 * off + 1e-8, what .. ": place")
  local q = { body:orientation() }
  if shape == "box" then near(math.sin(2 * math.atan(q[4], q[1]) - om * w:time()), 0, off + 1e-8, what .. ": angle") end
  local r = w:report()
  near(r.dissipated - before.dissipated, 0, 0.5 * off + 1e-7, what .. ": nothing is lost")
end
for kind in pairs(TABLES) do
  for _, om in ipairs { 3, -3 } do
    for _, dt in ipairs { 1e-2, 2e-3 } do carried(kind, "box", om, dt, nil, false, 0) end
  end
  carried(kind, "cylinder", 2, 2e-3, nil, true, 0.7)
  carried(kind, "cone", 2, 2e-3, nil, false, -0.4)
  carried(kind, "box", 3, 4e-3, { substeps = 4 }, true, 0)
end
carried("cylinder", "box", 3, 2e-3, { solver = { name = "nbgs" } }, false, 0)
carried("cylinder", "box", 3, 2e-3, { solver = { name = "newton" } }, true, 0)

-- ---- a table that also travels, and tables that lie on a wall or a ceiling of gravity: the axis in any direction ----
for axis = 1, 3 do
  for _, sign in ipairs { 1, -1 } do
    local function turn(v) -- z becomes sign times the axis, by cyclic exchange
      local out = {}
      for k = 1, 3 do out[(k + axis - 1) % 3 + 1] = v[k] end
      if sign < 0 then for k = 1, 3 do out[k] = -out[k] end end
      return out
    end
    local function spin(v)
      local out = turn(v)
      if sign < 0 then for k = 1, 3 do out[k] = -out[k] end end -- an axial vector
      return out
    end
    local w = scree.world { gravity = turn { 0, 0, -10 }, dt = 2e-3 }
    w:pair { "default", "default", mu = 0.8 }
    w:halfspace { kind = "kinematic", normal = turn { 0, 0, 1 }, velocity = turn { 0.3, -0.2, 0 }, spin = spin { 0, 0, 3 } }
    local b = w:box { size = { 0.1, 0.1, 0.1 }, mass = 1, position = turn { 0.5, 0, 0.05 }, velocity = turn { 0.3, 1.5 - 0.2, 0 }, spin = spin { 0, 0, 3 } }
    w:step(1000)
    local x = { b:position() }
    local centre = turn { 0.6, -0.4, 0 }
    local distance = 0
    for k = 1, 3 do distance = distance + (x[k] - centre[k]) ^ 2 end
    near(distance, 0.5 ^ 2 + 0.05 ^ 2, 2e-7, ("travelling table, axis %d, sign %d"):format(axis, sign))
  end
end

-- ---- sixty boxes side by side: contacts in lanes as in rows ----
for _, count in ipairs { 3, 60 } do
  local w, list = world(2e-3, 0.8), {}
  TABLES.plane(w, 1.5, 0)
  for i = 1, count do
    local a, r = 2 * math.pi * i / count, 1 + 0.5 * (i % 3)
    list[i] = w:box { size = { 0.05, 0.05, 0.02 }, mass = 1, position = { r * math.cos(a), r * math.sin(a), 0.01 },
      velocity = { -1.5 * r * math.sin(a), 1.5 * r * math.cos(a), 0 }, spin = { 0, 0, 1.5 } }
  end
  w:step(500)
  for i = 1, count do near(radius(list[i], 0), 1 + 0.5 * (i % 3), 3e-6, "box " .. i .. " of " .. count) end
end

-- ---- a ball that rolls on the table: a circle at 2/7 of the table's rate (for 2/5 m R^2), its speed and radius kept, errors of second order ----
local function circle(kind, om, R, v, dt, late)
  local w = world(dt, 5)
  if not late then TABLES[kind](w, om, 0) end
  local ball = w:sphere { radius = R, position = { 0.5, 0, R }, velocity = { 0, v, 0 }, spin = { (om * 0.5 - v) / R, 0, 0 } }
  if late then TABLES[kind](w, om, 0) end
  local rate, worst = 2 / 7 * om, 0
  local rho = v / rate
  for _ = 1, math.floor(2 * 2 * math.pi / math.abs(rate) / dt) do
    w:step()
    local x, y = ball:position()
    worst = math.max(worst, math.abs(math.sqrt((x - 0.5 + rho) ^ 2 + y ^ 2) - math.abs(rho)))
  end
  local vx, vy = ball:velocity()
  return worst, math.abs(math.sqrt(vx * vx + vy * vy) - v)
end
for kind in pairs(TABLES) do
  for _, case in ipairs { { 7, 0.05, 0.3 }, { -9, 0.1, 0.5 } } do
    local om, R, v = table.unpack(case)
    local coarse, fine = circle(kind, om, R, v, 2e-3, false), circle(kind, om, R, v, 1e-3, true)
    local _, slower = circle(kind, om, R, v, 1e-3, false)
    local order = math.log(coarse / fine, 2)
    assert(fine < 2e-5 and slower < 3e-5 and order > 1.8, ("ball on a %s: radius %.2e, speed %.2e, order %.2f"):format(kind, fine, slower, order))
  end
end

-- ---- a smooth roller that rotates about its own axis does not move the ball, in any direction of the ball ----
local function slide(om)
  local w = world(1e-3, 0)
  w:cylinder { kind = "kinematic", radius = 0.5, length = 1, orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 }, spin = { 0, om, 0 } }
  local b = w:sphere { radius = 0.1, position = { 0.1, 0, math.sqrt(0.35) }, velocity = { 0.3, 0, 0 } }
  local c = w:box { size = { 0.2, 0.1, 0.02 }, position = { -0.1, 0.3, 0.51 } }
  w:step(300)
  local x, _, z = b:position()
  local u, _, t = c:position()
  return { x, z, u, t }
end
local still, turning, back = slide(0), slide(20), slide(-20)
for k = 1, 4 do
  near(turning[k], still[k], 1e-9, "smooth roller")
  near(back[k], still[k], 1e-9, "smooth roller, other way")
end
