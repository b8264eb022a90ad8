-- A face-centred cubic crystal of equal balls under equal stress from all sides: no shear stress, and forces and strain in closed form.
local scree = require "scree"
local check = require "check"
local D, P, N = 0.01, 1e5, 3 -- diameter [m], stress [Pa], cubes of four balls along an edge
local K = 1e4 * P * D

-- Presses a crystal whose balls are 1e-3 D apart. Returns the world, the largest shear stress over P of the last steps, and the least and
-- the largest normal force over the closed form.
local function press(pair, solver, steps, inertia)
  local edge = D * math.sqrt(2) * (1 + 1e-3)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-4, solver = solver, cell = { size = { N * edge, N * edge, N * edge }, periodic = { true, true, true } } }
  pair[1], pair[2], pair.mu = "default", "default", 0
  w:pair(pair)
  for i = 0, N - 1 do
    for j = 0, N - 1 do
      for k = 0, N - 1 do
        for _, o in ipairs { { 0, 0, 0 }, { 0.5, 0.5, 0 }, { 0.5, 0, 0.5 }, { 0, 0.5, 0.5 } } do
          w:sphere { radius = D / 2, position = { (i + o[1] + 0.25) * edge, (j + o[2] + 0.25) * edge, (k + o[3] + 0.25) * edge } }
        end
      end
    end
  end
  local cell, shear = w:cell(), 0
  cell:set_stress({ { P, 0, 0 }, { 0, P, 0 }, { 0, 0, P } }, inertia)
  for step = 1, steps or 400 do
    w:step()
    local s = cell:stress()
    if step > 300 then shear = math.max(shear, math.abs(s[1][2]) / P, math.abs(s[1][3]) / P, math.abs(s[2][3]) / P) end
  end
  -- 3 P V = sum f D over six contacts a ball, V = D^3/sqrt(2) a ball
  local least, most, force = math.huge, 0, P * D ^ 2 / (2 * math.sqrt(2))
  for _, c in ipairs(w:contacts()) do
    local f = math.sqrt(c.impulse[1] ^ 2 + c.impulse[2] ^ 2 + c.impulse[3] ^ 2) / w:dt() / force
    least, most = math.min(least, f), math.max(most, f)
  end
  return w, shear, least, most
end

local function report(name, w, shear, least, most)
  print(("%s: shear stress %.1e of the pressure, forces %.6f to %.6f of the closed form, unbalanced %.1e"):format(name, shear, least, most,
    w:report().unbalanced_mean))
end

do -- springs: each contact carries P D^2/(2 sqrt 2), and the edge shortens by the overlap of this force
  local w, shear, least, most = press({ contact_stiffness = K }, {})
  report("stiffness", w, shear, least, most)
  assert(#w:contacts() == 6 * 4 * N ^ 3, "contacts of the crystal")
  local overlap = P * D ^ 2 / (2 * math.sqrt(2)) / K
  local strain = 1 - w:cell():matrix()[1][1] / (N * math.sqrt(2) * D)
  print(("strain of an edge over the closed form %.6f"):format(strain / (overlap / D)))
  assert(shear < 1e-3, "shear stress of a crystal with stiffness")
  check.within(least, 1, 2e-4, "least force of a crystal with stiffness") -- the closed form neglects the strain, 4e-5
  check.within(most, 1, 2e-4, "largest force of a crystal with stiffness")
  check.within(strain / (overlap / D), 1, 2e-4, "strain of a crystal with stiffness")
end
do -- rigid contacts: the stress is exact, single forces are not unique
  local w, shear, least, most = press({}, {})
  report("rigid", w, shear, least, most)
  assert(shear < 1e-3, "shear stress of a rigid crystal")
  assert(least < 0.5 and most > 1.5, "forces of a rigid crystal are not unique")
end
do -- momentum on sweeps must not diverge in a close packing, where the cell reacts to equal impulses as strongly as a ball to one impulse
  local w = press({}, { acceleration = true }, 20)
  print(("rigid, with momentum: unbalanced %.1e"):format(w:report().unbalanced))
  assert(w:report().unbalanced < 1e-6, "sweeps with momentum converge in a cell that stress drives")
  w = press({ contact_stiffness = K }, { acceleration = true, iterations = 100 }, 20, 0.5)
  assert(w:report().unbalanced < 1e-6, "sweeps with momentum converge in a light cell that stress drives")
end
if arg and arg[1] == "table" then
  report("stiffness, 25 sweeps", press({ contact_stiffness = K }, { iterations = 25 }))
  report("stiffness, 100 sweeps", press({ contact_stiffness = K }, { iterations = 100 }))
  report("softness, 50 sweeps", press({}, { softness = 0.01 }))
end
