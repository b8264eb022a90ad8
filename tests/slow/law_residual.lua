-- The block residual under every law falls below 1e-10 m/s: a bed of 8000 spheres and a heap of capsules, both dropped into a box and
-- taken as they touch after a while (gaps that have not closed ask nothing, penetrations are not pushed out, so that the velocities
-- at rest are a solution and no impulse has to grow without end).
local scree = require "scree"

local R, G, DT = 0.005, 9.81, 5e-4

local function box(law, columns, solver, final)
  local w = scree.world { gravity = { 0, 0, -G }, dt = DT, erp = final and 0 or 0.8, margin = final and 0 or 0.05, solver = solver }
  w:pair { "default", "default", law = law, mu = law ~= "frictionless" and 0.4 or nil }
  local side = columns * 2.1 * R
  for _, wall in ipairs { { { 0, 0, 1 }, { 0, 0, 0 } }, { { 1, 0, 0 }, { 0, 0, 0 } }, { { -1, 0, 0 }, { side, 0, 0 } }, { { 0, 1, 0 }, { 0, 0, 0 } },
                          { { 0, -1, 0 }, { 0, side, 0 } } } do
    w:halfspace { normal = wall[1], position = wall[2] }
  end
  return w
end

local function add(w, kind, position, orientation, velocity, spin)
  if kind == "spheres" then return w:sphere { radius = R, position = position, velocity = velocity, spin = spin } end
  return w:capsule { radius = R / 2, length = 0.9 * R, position = position, orientation = orientation, velocity = velocity, spin = spin }
end

local function check(kind, columns, layers, steps, least)
  local w, bodies = box("coulomb", columns, { iterations = 40, tolerance = 0 }), {}
  for i = 1, columns do
    for j = 1, columns do
      for k = 1, layers do
        local jitter = function() return w:random(-0.02, 0.02) end
        bodies[#bodies + 1] = add(w, kind, { (i - 0.5 + jitter()) * 2.1 * R, (j - 0.5 + jitter()) * 2.1 * R, (k - 0.5) * 2.1 * R },
                                  { w:random(-1, 1), w:random(-1, 1), w:random(-1, 1), w:random(-1, 1) })
      end
    end
  end
  w:step(steps)
  for _, law in ipairs { "frictionless", "coulomb", "max_dissipation", "decoupled", "cone", "polyhedral" } do
    local u = box(law, columns, { iterations = 100000, tolerance = 1e-9, warm_start = 0 }, true)
    for _, b in ipairs(bodies) do add(u, kind, { b:position() }, { b:orientation() }, { b:velocity() }, { b:spin() }) end
    u:step()
    local report = u:report()
    print(kind, law, report.contacts, report.iterations, report.residual)
    assert(report.contacts >= least, report.contacts)
    assert(report.residual < 1e-10, law .. " leaves " .. report.residual .. " m/s")
  end
end

check("spheres", 40, 5, 300, 5000)
check("capsules", 7, 7, 250, 250)
