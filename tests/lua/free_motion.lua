-- Bodies that nothing touches: flight under gravity and loads is exact at any step, rotations are exact for balls and about fixed axes and of second
-- order in general, and the energy balance closes. Expectations are closed forms.
local scree = require "scree"
local near = require("check").within

local function close(found, wanted, tolerance, what)
  for k = 1, 3 do near(found[k], wanted[k], tolerance, ("%s, axis %d"):format(what, k)) end
end
local function balance(r) return r.kinetic + r.potential + r.dissipated - r.work - r.correction end

local SHAPES = {
  sphere = { radius = 0.1 },
  box = { size = { 0.1, 0.2, 0.4 } },
  cylinder = { radius = 0.1, length = 0.3 },
  cone = { radius = 0.2, length = 0.3 },
}
local OPTIONS = { {}, { substeps = 4 }, { substeps = 4, reuse_contacts = true }, { solver = { name = "nbgs" } } }

-- ---- a stone's throw in any direction, at any step ----
for name, def in pairs(SHAPES) do
  for i, option in ipairs(OPTIONS) do
    for _, dt in ipairs { 1e-1, 1e-2, 1e-3 } do
      local g, v = { 1.5, -2, -9.81 }, { 3, 1, 5 }
      local world = { gravity = g, dt = dt }
      for k, value in pairs(option) do world[k] = value end
      local w = scree.world(world)
      local body = { mass = 3, position = { 1, 2, 3 }, velocity = v, spin = { 0, 0, 2 } }
      for k, value in pairs(def) do body[k] = value end
      local stone = w[name](w, body)
      w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -100 } }
      local before, from, want = balance(w:report()), { stone:position() }, {}
      w:step(math.floor(1 / dt + 0.5))
      for k = 1, 3 do want[k] = from[k] + v[k] + g[k] / 2 end
      close({ stone:position() }, want, 1e-12, ("throw of a %s, option %d, dt %g"):format(name, i, dt))
      local r = w:report()
      near(balance(r), before, 1e-12 * 200, "balance of a throw")
      near(r.correction, 0, 1e-11, "nothing is left to correct")
      near(r.work, 0, 1e-11, "nothing works")
    end
  end
end

-- ---- two bodies that touch fly as one ----
for _, dt in ipairs { 1e-2, 1e-3 } do
  local w = scree.world { gravity = { 0, 0, -10 }, dt = dt }
  local a = w:box { size = { 1, 1, 1 }, position = { 0, 0, 0 }, velocity = { 1, 0, 5 } }
  local b = w:box { size = { 1, 1, 1 }, position = { 0, 0, 1 }, velocity = { 1, 0, 5 } }
  w:step(math.floor(1 / dt + 0.5))
  close({ a:position() }, { 1, 0, 0 }, 1e-12, "lower of two boxes")
  close({ b:position() }, { 1, 0, 1 }, 1e-12, "upper of two boxes")
end

-- ---- loads: x = f t^2 / 2m, a servo's push that changes from step to step ----
for _, dt in ipairs { 1e-2, 1e-3 } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt }
  local b = w:box { size = { 0.1, 0.2, 0.4 }, mass = 2, spin = { 1, 2, 3 } }
  local before, steps, f = balance(w:report()), math.floor(1 / dt + 0.5), { 4, -6, 2 }
  for _ = 1, steps do
    b:apply { force = f }
    w:step()
  end
  close({ b:position() }, { 1, -1.5, 0.5 }, 1e-12, "pushed box")
  local r = w:report()
  near(r.work, 4 * 1 + 6 * 1.5 + 2 * 0.5, 1e-11, "force times way")
  near(balance(r), before, 1e-12, "balance of a pushed box")
end

-- ---- rotation of a ball: angle w t at any step, and torque t^2 / 2I about a fixed axis ----
local function angle_about_z(body)
  local q = { body:orientation() }
  return 2 * math.atan(q[4], q[1]) % (2 * math.pi)
end
for _, kind in ipairs { "ball", "box", "planar" } do
  for _, rate in ipairs { 0.3, 20, 141, 143, 1500 } do
    for _, dt in ipairs { 1e-2, 1e-3, 1e-4 } do
      local w = scree.world { gravity = { 0, 0, 0 }, dt = dt, plane = kind == "planar" and { 0, 0, 1 } or nil }
      local def = { mass = 1, spin = { 0, 0, rate } }
      if kind == "box" then def.size = { 0.3, 0.2, 0.1 } else def.radius = 0.1 end
      local b = kind == "box" and w:box(def) or w:sphere(def)
      w:step(math.floor(1 / dt + 0.5))
      local off = (angle_about_z(b) - rate + math.pi) % (2 * math.pi) - math.pi
      near(off, 0, 1e-11 * (1 + rate), ("turn of a %s by %g rad/s at dt %g"):format(kind, rate, dt))
    end
  end
  for _, dt in ipairs { 1e-2, 1e-3 } do
    local w = scree.world { gravity = { 0, 0, 0 }, dt = dt, plane = kind == "planar" and { 0, 0, 1 } or nil }
    local b = kind == "box" and w:box { size = { 0.3, 0.2, 0.1 }, mass = 1 } or w:sphere { radius = 0.1, mass = 1 }
    local I = kind == "box" and (0.09 + 0.04) / 12 or 0.4 * 0.01
    local before = balance(w:report())
    for _ = 1, math.floor(1 / dt + 0.5) do
      b:apply { torque = { 0, 0, 2 * I } }
      w:step()
    end
    near(angle_about_z(b), 1, 1e-11, ("torque on a %s, dt %g"):format(kind, dt))
    near(w:report().work, 2 * I, 1e-13, "torque times angle")
    near(balance(w:report()), before, 1e-13, "balance under a torque")
  end
end

-- ---- loads in the axes of a body that is turned: its x, y, z are y, z, x of the world ----
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-2 }
  local b = w:sphere { radius = 0.1, mass = 2, orientation = { 0.5, 0.5, 0.5, 0.5 } }
  b:apply { force = { 3, 0, 0 }, torque = { 0, 0, 0.4 }, at = { 0, 0, 0.1 }, axes = "body" }
  w:step()
  close({ b:velocity() }, { 0, 3 / 2 * 1e-2, 0 }, 1e-15, "force in the body's axes")
  local I = 0.4 * 2 * 0.01
  close({ b:spin() }, { 0.4 / I * 1e-2, 0, 0.3 / I * 1e-2 }, 1e-13, "torque in the body's axes")
end

-- ---- a torque that is fixed in space on a tumbling box: angular momentum exact, orientation of second order, work = change of energy ----
local function tumble(dt, shape)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt }
  local b = w[shape](w, { mass = 12, spin = { 1, 2, 3 }, size = shape == "box" and { 0.2, 0.4, 0.6 } or nil, radius = shape ~= "box" and 0.2 or nil,
    length = shape == "cylinder" and 0.9 or nil })
  local torque = { 1, -0.5, 0.7 }
  local before = w:report()
  local function momentum()
    local I, w_body = { b:inertia() }, { b:spin() }
    local x = { b:position() }
    local u = { b:to_body { x[1] + w_body[1], x[2] + w_body[2], x[3] + w_body[3] } }
    local L = { b:to_world { I[1] * u[1] + I[2] * u[2] + I[3] * u[3], I[2] * u[1] + I[4] * u[2] + I[5] * u[3], I[3] * u[1] + I[5] * u[2] + I[6] * u[3] } }
    return { L[1] - x[1], L[2] - x[2], L[3] - x[3] }
  end
  local L = momentum()
  for _ = 1, math.floor(1 / dt + 0.5) do
    b:apply { torque = torque }
    w:step()
  end
  for k = 1, 3 do L[k] = L[k] + torque[k] end
  close(momentum(), L, 1e-11, "angular momentum of a " .. shape)
  local r = w:report()
  near(r.work, r.kinetic - before.kinetic, 1e-11, "work of a torque on a " .. shape)
  near(balance(r), balance(before), 1e-11, "balance of a tumbling " .. shape)
  return { b:to_world { 0, 0, 1 } }
end
for _, shape in ipairs { "sphere", "cylinder", "box" } do
  local ends = {}
  for i = 0, 4 do ends[i] = tumble(0.02 / 2 ^ i, shape) end
  local function distance(i)
    local sum = 0
    for k = 1, 3 do sum = sum + (ends[i][k] - ends[i + 1][k]) ^ 2 end
    return math.sqrt(sum)
  end
  local order = math.log(distance(1) / distance(3), 2) / 2
  assert(order > 1.9 and distance(3) < 1e-4, ("turn of a %s under a torque: order %.2f, %.2e"):format(shape, order, distance(3)))
end

-- ---- bodies at rest are not lifted by g dt^2 / 2, and a body that lands ends at a gap of 0 ----
for _, dt in ipairs { 1e-2, 1e-3 } do
  for _, name in ipairs { "sphere", "box", "cylinder" } do
    for _, solver in ipairs { "nbgs", "newton", "auto" } do
      local w = scree.world { gravity = { 0, 0, -10 }, dt = dt, solver = { name = solver } }
      w:halfspace { normal = { 0, 0, 1 } }
      local def = { mass = 1, position = { 0, 0, 1.3 } }
      for k, value in pairs(SHAPES[name]) do def[k] = value end
      local b = w[name](w, def)
      local half = ({ sphere = 0.1, box = 0.2, cylinder = 0.15 })[name]
      w:step(math.floor(1 / dt + 0.5))
      near(select(3, b:position()), half, 1e-6, ("%s on the ground, dt %g, %s"):format(name, dt, solver))
      near(select(3, b:velocity()), 0, 1e-6, "it stands")
      local r = w:report()
      near(r.dissipated - r.correction, 10 * (1.3 - half), 2e-5, "the fall is lost")
    end
  end
end
