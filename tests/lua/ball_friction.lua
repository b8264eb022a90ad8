-- Friction of ball joints is a torque of at most T. While the joint turns, the torque is T against the spin. The motion is compared with the
-- equations of motion, integrated by Runge-Kutta. Loads lie below and above T in all directions. The motion is equal in all axes.
local scree = require "scree"
local rigid = require "rigid"

local SIZE, DENSITY, G, T = { 0.3, 0.06, 0.1 }, 1000, { 0.5, -0.3, -9.81 }, 0.2
local MASS = DENSITY * SIZE[1] * SIZE[2] * SIZE[3]

local norm, cross, turn, back = rigid.norm, rigid.cross, rigid.turn, rigid.back
-- a + s b for lists of any length
local function sum(a, s, b)
  local out = {}
  for k = 1, #a do out[k] = a[k] + s * b[k] end
  return out
end

-- ---- the equations of motion of a box on a ball joint at the point -arm of its frame ----

-- Returns the rate of the state { orientation, spin }; the spin is in the frame of the box, whose axes are principal axes about the joint too.
local function rate(s, arm, inertia, gravity, torque)
  local q, w = { s[1], s[2], s[3], s[4] }, { s[5], s[6], s[7] }
  local load = sum(cross(arm, back(q, sum({ 0, 0, 0 }, MASS, gravity))), 1, back(q, torque))
  local Iw, speed = { inertia[1] * w[1], inertia[2] * w[2], inertia[3] * w[3] }, norm(w)
  local total = sum(sum(load, -1, cross(w, Iw)), speed > 0 and -T / speed or 0, w)
  return {
    0.5 * (-q[2] * w[1] - q[3] * w[2] - q[4] * w[3]),
    0.5 * (q[1] * w[1] + q[3] * w[3] - q[4] * w[2]),
    0.5 * (q[1] * w[2] + q[4] * w[1] - q[2] * w[3]),
    0.5 * (q[1] * w[3] + q[2] * w[2] - q[3] * w[1]),
    total[1] / inertia[1],
    total[2] / inertia[2],
    total[3] / inertia[3],
  }
end

-- Returns the spin in the axes of the world after `time`.
local function integrate(q, spin, arm, gravity, torque, time)
  local x, inertia = arm[1], {}
  for k = 1, 3 do
    local a, b = SIZE[k % 3 + 1], SIZE[(k + 1) % 3 + 1]
    inertia[k] = MASS * ((a * a + b * b) / 12 + (k > 1 and x * x or 0))
  end
  local w = back(q, spin)
  local s, n = { q[1], q[2], q[3], q[4], w[1], w[2], w[3] }, 4000
  local h = time / n
  for _ = 1, n do
    local k1 = rate(s, arm, inertia, gravity, torque)
    local k2 = rate(sum(s, h / 2, k1), arm, inertia, gravity, torque)
    local k3 = rate(sum(s, h / 2, k2), arm, inertia, gravity, torque)
    local k4 = rate(sum(s, h, k3), arm, inertia, gravity, torque)
    s = sum(sum(sum(sum(s, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4)
  end
  return turn(s, { s[5], s[6], s[7] })
end

-- ---- the box in scree ----

local function swing(q, spin, arm, gravity, torque, def)
  local w = scree.world { gravity = gravity, dt = def.dt, stepper = def.stepper, solver = { name = def.solver, tolerance = 1e-12, iterations = 2000 } }
  local b = w:box { size = SIZE, density = DENSITY, position = turn(q, arm), orientation = q, spin = spin, velocity = cross(spin, turn(q, arm)) }
  if def.touched then -- a contact at rest near by, so that the joint is solved with contacts
    w:halfspace { normal = { 0, 0, 1 }, position = { 0, 0, -5 } }
    w:sphere { radius = 0.1, position = { 3, 0, -4.9 } }
  end
  local joint = w:ball { a = b, at = { 0, 0, 0 }, friction = T }
  local largest = 0
  for _ = 1, math.floor(def.time / def.dt + 0.5) do
    b:apply { torque = torque }
    w:step()
    largest = math.max(largest, norm { b:spin() })
  end
  return { b:spin() }, largest, joint, w:report()
end

local TILTS = { { 1, 0, 0, 0 }, { math.cos(0.4), math.sin(0.4), 0, 0 }, { math.cos(0.5), 0.6 * math.sin(0.5), 0, 0.8 * math.sin(0.5) } }

-- The error falls with the step, and the motion is equal in all axes.
for n, case in ipairs {
  { arm = { 0.15, 0, 0 }, gravity = G, torque = { 0, 0, 0 }, spin = { 3, 5, -2 } },
  { arm = { 0, 0, 0 }, gravity = G, torque = { 0, 0, 0 }, spin = { 8, 2, 5 } },
  { arm = { 0, 0, 0 }, gravity = { 0, 0, 0 }, torque = { 0.15, -0.1, 0.05 }, spin = { 3, 5, 9 } }, -- a torque below the bound deflects the spin
} do
  local exact = integrate(TILTS[1], case.spin, case.arm, case.gravity, case.torque, 0.06)
  for _, def in ipairs {
    { stepper = "semi_implicit", solver = "auto" }, { stepper = "semi_implicit", solver = "nbgs" }, { stepper = "semi_implicit", solver = "newton", touched = true },
    { stepper = "second_order", solver = "auto" }, { stepper = "second_order", solver = "nbgs", touched = true },
  } do
    local errors, first, off, name = { 0, 0 }, nil, 0, string.format("case %d, %s, %s", n, def.stepper, def.solver)
    def.time = 0.06
    for _, q in ipairs(TILTS) do
      for i, dt in ipairs { 1e-3, 2.5e-4 } do
        def.dt = dt
        local spin = swing(q, turn(q, case.spin), case.arm, turn(q, case.gravity), turn(q, case.torque), def)
        spin = back(q, spin)
        errors[i] = math.max(errors[i], norm(sum(spin, -1, exact)))
        if i == 1 then
          first = first or spin
          off = math.max(off, norm(sum(spin, -1, first)))
        end
      end
    end
    local second = def.stepper == "second_order"
    assert(errors[1] < (second and 1e-4 or 1e-2), name .. ": the spin is off by " .. errors[1])
    assert(errors[2] < errors[1] / (second and 7 or 3), name .. ": a quarter of the step has the error " .. errors[2] .. " after " .. errors[1])
    assert(off < 1e-10, name .. ": other axes change the spin by " .. off)
  end
end

-- A box that turns about its centre dissipates as much energy as its kinetic energy loses.
do
  local inertia, kinetic = { 0, 0, 0 }, {}
  for k = 1, 3 do
    local a, b = SIZE[k % 3 + 1], SIZE[(k + 1) % 3 + 1]
    inertia[k] = MASS * (a * a + b * b) / 12
  end
  local spin = { 8, 2, 5 }
  local start = 0.5 * (inertia[1] * spin[1] ^ 2 + inertia[2] * spin[2] ^ 2 + inertia[3] * spin[3] ^ 2)
  for _, stepper in ipairs { "semi_implicit", "second_order" } do
    local _, _, _, r = swing(TILTS[3], turn(TILTS[3], spin), { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 }, { dt = 1e-3, time = 0.05, stepper = stepper })
    assert(r.kinetic < 0.8 * start and math.abs(start - r.kinetic - r.dissipated) < (stepper == "second_order" and 1e-5 or 1e-3) * start,
      stepper .. ": " .. start .. " became " .. r.kinetic .. ", dissipated " .. r.dissipated)
  end
end

-- A torque about one axis turns a ball that stuck before about this axis alone, also in the steps in which it begins to slide.
for _, stepper in ipairs { "semi_implicit", "second_order" } do
  for _, gravity in ipairs { 0, -10 } do
    local w = scree.world { gravity = { 0, 0, gravity }, dt = 1e-3, stepper = stepper }
    local b = w:sphere { radius = 0.1, mass = 1, inertia = { 1, 0, 0, 1, 0, 1 } }
    w:ball { a = b, at = { 0, 0, 0 }, friction = 4 }
    for k = 1, 40 do
      b:apply { torque = { 0, 0, k <= 20 and 3 or 6 } }
      w:step()
    end
    local spin = { b:spin() }
    assert(norm(sum(spin, -1, { 0, 0, 0.04 })) < 1e-12, stepper .. ": spin " .. table.concat(spin, " "))
  end
end

-- The joint carries loads below the bound, and turns under loads above the bound, in any direction.
for _, d in ipairs { { 1, 0, 0 }, { 1, 1, 0 }, { 1, 1, 1 }, { -0.3, 0.5, 0.8 } } do
  for _, def in ipairs { { stepper = "semi_implicit" }, { stepper = "second_order" }, { stepper = "semi_implicit", touched = true, solver = "nbgs" } } do
    def.dt, def.time = 1e-3, 0.05
    for _, share in ipairs { 0.98, 1.05 } do
      local torque, none = sum({ 0, 0, 0 }, share * T / norm(d), d), { 0, 0, 0 }
      local spin, largest, joint = swing(TILTS[1], none, none, none, torque, def)
      local held, name = norm { joint:torque() } / T, string.format("load %g T along %g %g %g, %s", share, d[1], d[2], d[3], def.stepper)
      if share < 1 then
        assert(largest < 1e-12 and math.abs(held - share) < 1e-9, name .. ": spin " .. largest .. ", torque " .. held)
      else -- the joint may hold the load of the first step
        local exact = norm(integrate(TILTS[1], none, none, none, torque, def.time))
        assert(math.abs(norm(spin) / exact - 1) < 0.03 and math.abs(held - 1) < 1e-3, name .. ": spin " .. norm(spin) .. ", not " .. exact .. ", torque " .. held)
      end
    end
  end
end

-- Two free bodies with a joint that comes to stick: the energy that friction takes is the kinetic energy that the bodies lose, for any bound.
for _, bound in ipairs { 0.03, 1, 1e6 } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  local a = w:box { size = SIZE, density = DENSITY, spin = { 1, 2, -1 } }
  local b = w:box { size = { 0.1, 0.2, 0.3 }, density = DENSITY, position = { 0.4, 0, 0.1 }, spin = { -2, 0.5, 1 } }
  w:ball { a = a, b = b, at = { 0.2, 0, 0 }, friction = bound }
  w:step()
  local r = w:report()
  local start = r.kinetic + r.dissipated + r.correction
  w:step(1000)
  r = w:report()
  assert(math.abs(r.kinetic + r.dissipated - start) < 1e-3 * start and math.abs(r.correction) < 1e-3 * start, ("bound %g: dissipated %g, correction %g of %g J"):format(bound, r.dissipated, r.correction, start))
end

-- Friction and a spring of the same joint: friction holds the spring's torque if it is below the bound.
for _, share in ipairs { 0.95, 1.1 } do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 }
  local b = w:box { size = SIZE, density = DENSITY }
  w:ball { a = b, at = { 0, 0, 0 }, friction = T, turn_stiffness = share * T / 0.1, turn_damping = 0.01 }
  b:set_orientation(math.cos(0.05), math.sin(0.05) * 0.6, math.sin(0.05) * 0.8, 0)
  for _ = 1, 100 do w:step() end
  local q = b:orientation()
  local angle = 2 * math.acos(q)
  -- 1 % for the first step, in which the friction of a joint at rest has no direction yet
  assert(share < 1 and math.abs(angle - 0.1) < 1e-3 or share > 1 and angle < 0.0995, "a spring of " .. share .. " T: angle " .. angle)
end
