-- A joint or bond that breaks transmits its strength times dt, for every kind of load. A joint or bond that is strong enough does not break.
local scree = require "scree"
local check = require "check"
local near = check.within

local R, M1, M2, V = 0.1, 2, 3, 1.2 -- two balls that part at V
local MU = M1 * M2 / (M1 + M2)
local AREA, MODULUS = math.pi * R ^ 2, math.pi * R ^ 3 / 4

local function totals(w)
  local r = w:report()
  return { r.momentum[1], r.momentum[2], r.momentum[3], r.angular_momentum[1], r.angular_momentum[2], r.angular_momentum[3] }
end
local function keeps(w, before, scale, what)
  for k, now in ipairs(totals(w)) do near(now, before[k], (what:find("stiff") and 1e-9 or 1e-12) * scale, what .. ": momentum " .. k) end
end
local function sum(r) return r.kinetic + r.potential + r.elastic + r.dissipated - r.work - r.correction end
local function world(dt, more)
  local def = { gravity = { 0, 0, 0 }, dt = dt, losses = true, solver = { tolerance = 1e-12, iterations = 1000 } }
  for key, value in pairs(more or {}) do def[key] = value end
  return scree.world(def)
end

-- Connections of two balls that transmit at most a given tensile force.
local ties = {
  ["fixed joint"] = function(w, a, b, force) w:fixed { a = a, b = b, at = { R, 0, 0 }, break_force = force } end,
  ["fixed joint, axis"] = function(w, a, b, force) w:fixed { a = a, b = b, at = { R, 0, 0 }, axis = { 1, 0, 0 }, break_tension = force } end,
  ["rigid bond"] = function(w, a, b, force) w:bond { pairs = { { a, b } }, strength = force / AREA } end,
  ["rigid bond, tension"] = function(w, a, b, force) w:bond { pairs = { { a, b } }, strength = { tension = force / AREA } } end,
  ["stiff bond"] = function(w, a, b, force) w:bond { pairs = { { a, b } }, young = "1e11 Pa", strength = { tension = force / AREA } } end,
  ["stiff exact bond"] = function(w, a, b, force) w:bond { pairs = { { a, b } }, young = "1e11 Pa", exact = true, strength = force / AREA } end,
  ["ball joint"] = function(w, a, b, force) w:ball { a = a, b = b, at = { R, 0, 0 }, break_force = force } end, -- a tree
  hinge = function(w, a, b, force) w:hinge { a = a, b = b, at = { R, 0, 0 }, axis = { 0, 1, 0 }, friction = 0.1, break_force = force } end,
  distance = function(w, a, b, force) w:distance { a = a, b = b, at = { 0, 0, 0 }, at_b = { 2 * R, 0, 0 }, break_force = force } end,
  rope = function(w, a, b, force) w:distance { a = a, b = b, at = { 0, 0, 0 }, at_b = { 2 * R, 0, 0 }, limits = { 0, 2 * R }, break_force = force } end,
}
for name, tie in pairs(ties) do
  for _, dt in ipairs { 1e-2, 1e-3, 1e-5 } do
    for _, share in ipairs { 1e-9, 1e-3, 0.5, 0.999, 1.01, 10 } do
      for _, more in ipairs { {}, { stepper = "stewart_trinkle" }, { stepper = "second_order" }, { correct_joints = false }, { substeps = 2 } } do
        local soft = name:find("stiff")
        local step = dt / (more.substeps or more.stepper == "second_order" and 2 or 1) -- second_order applies impulses in halves of a step
        if not (soft and more.stepper) and not (soft and dt < 1e-4) and not (share > 0.5 and share < 2 and more.substeps) then
          local what = ("%s of %g of what is needed at %g s"):format(name, share, dt)
          local w = world(dt, more)
          local a = w:sphere { radius = R, mass = M1, position = { 0, 0, 0 }, velocity = { -V * M2 / (M1 + M2), 0.3, 0.1 } }
          local b = w:sphere { radius = R, mass = M2, position = { 2 * R, 0, 0 }, velocity = { V * M1 / (M1 + M2), 0.3, 0.1 } }
          local force, slack = share * MU * V / step, soft and 2e-3 or 1e-9
          tie(w, a, b, force)
          local before, start = totals(w), w:report()
          w:step()
          local left = math.max(0, V - force * step / MU)
          near(select(1, b:velocity()) - select(1, a:velocity()), left, slack * V, what .. ": velocity left")
          local broken = w:broken_joints()
          assert(#broken == (share < 1 and 1 or 0), what .. ": broken")
          assert(w:joints_report().resolved == #broken)
          if #broken > 0 then near(broken[1].force, MU * V / step, math.max(slack, 1e-9) * MU * V / step, what .. ": the load that broke it") end
          w:step(3)
          near(select(1, b:velocity()) - select(1, a:velocity()), left, slack * V, what .. ": and later")
          keeps(w, before, 5 * V, what)
          local r = w:report()
          near(r.dissipated, MU * (V ^ 2 - left ^ 2) / 2, 2 * slack * MU * V ^ 2, what .. ": what is lost")
          near(sum(r), sum(start), 1e-12 * start.kinetic, what .. ": the balance closes")
        end
      end
    end
  end
end

-- Shear, bending, twist: the transmitted impulse is the strength of the loaded direction times dt.
local function wrench(w, a, before) -- change of a's momentum, and of its angular momentum about the joint's point
  local m, I = M1, 0.4 * M1 * R ^ 2
  local v, s, p, L = { a:velocity() }, { a:spin() }, {}, {}
  for k = 1, 3 do p[k], L[k] = m * (v[k] - before.v[k]), I * (s[k] - before.s[k]) end
  local r = { -R, 0, 0 }
  L[1], L[2], L[3] = L[1] + r[2] * p[3] - r[3] * p[2], L[2] + r[3] * p[1] - r[1] * p[3], L[3] + r[1] * p[2] - r[2] * p[1]
  return p, L
end
local function size(x, k1, k2) return math.sqrt(x[k1] ^ 2 + (k2 and x[k2] ^ 2 or 0)) end
local loads = {
  shear = { velocity = { 0, 0.7, -0.4 }, found = function(p) return size(p, 2, 3) end },
  compression = { velocity = { 0.8, 0, 0 }, found = function(p) return size(p, 1) end },
  bending = { spin = { 0, 3, 5 }, found = function(_, L) return size(L, 2, 3) end },
  twist = { spin = { 4, 0, 0 }, found = function(_, L) return size(L, 1) end },
}
for way, load in pairs(loads) do
  for _, dt in ipairs { 1e-2, 1e-4 } do
    for _, share in ipairs { 1e-9, 1e-2, 0.7, 0.99, 1.05, 10 } do
      for _, kind in ipairs { "joint", "rigid", "bond", "stiff" } do
        local function run(strength)
          local w = world(dt, { correct_joints = kind ~= "rigid" })
          local a = w:sphere { radius = R, mass = M1, position = { 0, 0, 0 }, velocity = load.velocity, spin = load.spin }
          local b = w:sphere { radius = R, mass = M2, position = { 2 * R, 0, 0 } }
          local before, start = { v = { a:velocity() }, s = { a:spin() } }, totals(w)
          if kind == "joint" or kind == "rigid" then w:fixed { a = a, b = b, at = { R, 0, 0 }, axis = { 1, 0, 0 }, ["break_" .. way] = strength }
          else
            local factor = (way == "bending" and MODULUS) or (way == "twist" and 2 * MODULUS) or AREA
            w:bond { pairs = { { a, b } }, young = kind == "stiff" and "1e11 Pa" or nil, strength = strength and { [way] = strength / factor } or nil }
          end
          w:step()
          keeps(w, start, 10, way .. " of a " .. kind)
          local p, L = wrench(w, a, before)
          return load.found(p, L), w:broken_joints()
        end
        local needed = run(nil)
        local what = ("%s of a %s, %g of %g at %g s"):format(way, kind, share, needed / dt, dt)
        local given, broken = run(share * needed / dt)
        -- joints that are corrected by positions apply half of the impulse at the end of the step, after the bodies have rotated
        near(given, math.min(share, 1) * needed, (kind == "stiff" and 1e-2 or way == "bending" and kind ~= "rigid" and 0.1 * dt or 1e-9) * needed, what)
        assert(#broken == (share < 1 and 1 or 0), what)
        if share < 1 then assert(broken[1].cause == way, what .. ": " .. tostring(broken[1].cause)) end
      end
    end
  end
end

-- Chains that are drawn apart: each broken bond transmits its strength; bonds that are strong enough do not break.
for _, kind in ipairs { "rigid", "ball", "stiff" } do
  for _, dt in ipairs { 1e-2, 1e-4 } do
    local N, m, w = 8, 1.5, world(dt)
    local balls, bears = {}, {}
    for i = 1, N do balls[i] = w:sphere { radius = R, mass = m, position = { 2 * R * i, 0, 0 }, velocity = { i * i * 0.1, 0, 0 } } end
    for i = 1, N - 1 do
      bears[i] = (i == 4 and 1e6 or 0.01 * i) * m / dt * 0.1
      local pair = { balls[i], balls[i + 1] }
      if kind == "ball" then w:ball { a = pair[1], b = pair[2], at = { 2 * R * i + R, 0, 0 }, break_force = bears[i] }
      else w:bond { pairs = { pair }, young = kind == "stiff" and "1e11 Pa" or nil, strength = { tension = bears[i] / AREA } } end
    end
    local before = totals(w)
    w:step()
    keeps(w, before, 100, "a chain")
    assert(#w:broken_joints() == N - 2, kind .. ": bonds of a chain that broke: " .. #w:broken_joints())
    local function force(i) return (i < 1 or i >= N) and 0 or bears[i] end
    for i = 1, N do
      if i ~= 4 and i ~= 5 then
        near(select(1, balls[i]:velocity()), i * i * 0.1 + dt / m * (force(i) - force(i - 1)), 1e-9, kind .. ": ball " .. i)
      end
    end
    local pair = 0.1 * (16 + 25) / 2 + dt / (2 * m) * (bears[5] - bears[3])
    for i = 4, 5 do near(select(1, balls[i]:velocity()), pair, kind == "stiff" and 1e-2 or 1e-9, kind .. ": the pair that holds") end
  end
end

-- A joint that is too weak for a weight transmits its strength in the step in which it breaks, also in contact.
for _, share in ipairs { 1e-9, 0.3, 0.99 } do
  for _, dt in ipairs { 1e-2, 1e-4 } do
    local G, w = 9.81, world(dt, { gravity = { 0, 0, -9.81 } })
    w:halfspace { normal = { 0, 0, 1 } }
    local lamp = w:sphere { radius = R, mass = M1, position = { 0, 0, 2 } }
    w:fixed { a = lamp, at = { 0, 0, 2 + R }, break_force = share * M1 * G }
    local low, high = w:sphere { radius = R, mass = M1, position = { 1, 0, R } }, w:sphere { radius = R, mass = M2, position = { 1, 0, 3 * R }, velocity = { 0, 0, 4 } }
    w:fixed { a = low, b = high, at = { 1, 0, 2 * R }, break_force = share * M1 * G }
    w:step()
    near(select(3, lamp:velocity()), -G * dt * (1 - share), 1e-9, "a lamp falls")
    near(select(3, high:velocity()), 4 - G * dt * (1 + share * M1 / M2), 1e-9, "a ball leaves another")
    near(select(3, low:velocity()), 0, 1e-9, "which stays on the floor")
    assert(#w:broken_joints() == 2)
  end
end

-- A mechanism without contact spins too fast for its joint: the joint transmits its strength along the arm.
for _, kind in ipairs { "hinge", "ball" } do
  local w, L, spin, dt = world(1e-3), 0.5, 20, 1e-3
  local bob = w:sphere { radius = R, mass = M1, position = { L, 0, 0 }, velocity = { 0, spin * L, 0 }, spin = { 0, 0, spin } }
  local force = 0.25 * M1 * spin ^ 2 * L
  w[kind](w, { a = bob, at = { 0, 0, 0 }, axis = kind == "hinge" and { 0, 0, 1 } or nil, break_force = force })
  w:step()
  assert(#w:broken_joints() == 1)
  near(select(1, bob:velocity()), -force * dt / M1, 1e-3 * force * dt / M1, kind .. ": along the arm")
  near(select(2, bob:velocity()), spin * L, 1e-4 * spin * L, kind .. ": across it")
end

print "joints and bonds give what they bear"
