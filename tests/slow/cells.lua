-- A cell that is doubled along each edge gives the same stress and solid fraction in a steady shear at a constant normal stress, within what they fluctuate by.
local scree = require "scree"

local function flow(n)
  local edge = n * 1.3
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 0.02, cell = { size = { edge, edge, edge }, periodic = { true, true, true } },
    solver = { name = "nbgs", tolerance = 1e-3, iterations = 60, acceleration = true } }
  w:material { name = "grain", density = 1 }
  w:pair { "grain", "grain", mu = 0.5 }
  w:fill { region = { min = { 0, 0, 0 }, max = { edge, edge, edge } }, spacing = 1.3, radius = 0.4, radius_max = 0.6, position_jitter = 0.05, jitter = 0.2,
    material = "grain" }
  local cell, solid, start = w:cell(), 0, w:report().momentum
  for _, r in ipairs(w:view("radius"):totable()) do solid = solid + 4 / 3 * math.pi * r ^ 3 end
  cell:set_stress { { 1, false, false }, { false, 1, false }, { false, false, 1 } }
  w:step(1200)
  w:set_dt(0.05)
  cell:set_velocity_gradient { { 0, 0.2, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  cell:set_stress { { false, false, false }, { false, 1, false }, { false, false, false } }
  w:step(300) -- a strain of 3
  local blocks, friction, fraction = 8, {}, {}
  for b = 1, blocks do
    friction[b], fraction[b] = 0, 0
    for _ = 1, 100 do -- a strain of 1
      w:step()
      local s = cell:stress()
      friction[b], fraction[b] = friction[b] - s[1][2] / s[2][2] / 100, fraction[b] + solid / cell:volume() / 100
    end
  end
  local function mean(list)
    local sum, square = 0, 0
    for _, x in ipairs(list) do sum, square = sum + x / blocks, square + x * x / blocks end
    return sum, math.sqrt(math.max(0, square - sum * sum) / (blocks - 1))
  end
  local p, mass = w:report().momentum, w:view("mass"):sum()
  for k = 1, 3 do assert(math.abs(p[k] - start[k]) < 1e-11 * mass, "momentum " .. p[k] .. " was " .. start[k]) end
  local mu, mu_error = mean(friction)
  local phi, phi_error = mean(fraction)
  print(string.format("%d grains: friction %.4f +- %.4f, solid fraction %.4f +- %.4f", n ^ 3, mu, mu_error, phi, phi_error))
  return { mu, mu_error, phi, phi_error }
end

local small, large = flow(5), flow(10)
for k = 1, 3, 2 do
  local off = math.abs(small[k] - large[k]) / math.sqrt(small[k + 1] ^ 2 + large[k + 1] ^ 2)
  assert(off < 4, off .. " standard errors apart")
end
assert(math.abs(small[1] - large[1]) < 0.05 and math.abs(small[3] - large[3]) < 0.01)
