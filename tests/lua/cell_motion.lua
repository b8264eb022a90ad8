-- Deforming cells: momentum, images in place of bodies, a collision with a moving image, volume, errors.
local scree = require "scree"
local check = require "check"
local mixture = require "mixture"

local function shear(rate) return { { 0, rate, 0 }, { 0, 0, 0 }, { 0, 0, 0 } } end
-- grains of every kind; those in `image_of` are replaced by one of their images, with the image's velocity
local function grains(rate, image_of)
  local n, d = 4, 0.23
  local L, bodies = n * d, {}
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { L, L, L }, periodic = { true, true, true } },
    solver = { tolerance = 1e-13, iterations = 5000 } }
  local random = mixture.random(3)
  w:pair { "default", "default", mu = 0.4, restitution = 0.3 }
  for i = 0, n - 1 do
    for j = 0, n - 1 do
      for k = 0, n - 1 do
        local at, kind = { d * i, d * j, d * k }, (i + 2 * j + 3 * k) % 3
        local v = { random() + rate * at[2], random(), random() }
        local image = image_of and image_of(#bodies) or { 0, 0, 0 }
        for c = 1, 3 do at[c] = at[c] + L * image[c] end
        v[1] = v[1] + rate * L * image[2]
        if kind == 0 then bodies[#bodies + 1] = w:sphere { radius = 0.1, position = at, velocity = v }
        elseif kind == 1 then bodies[#bodies + 1] = w:box { size = { 0.13, 0.11, 0.12 }, position = at, velocity = v }
        else bodies[#bodies + 1] = w:capsule { radius = 0.06, length = 0.07, position = at, velocity = v } end
      end
    end
  end
  w:cell():set_velocity_gradient(shear(rate), false)
  return w, bodies, L
end

-- momentum is conserved; replacing a body by its image does not change the result, except for the image's offset and velocity
do
  local rate = 4
  local function image_of(i) return { i % 3 - 1, i % 5 - 2, i % 2 } end
  local w, bodies, L = grains(rate)
  local v, others = grains(rate, image_of)
  mixture.step_both(w, v, bodies, 150)
  local tilt = rate * 0.15 -- of the images; the cell itself has been remapped
  for i, b in ipairs(bodies) do
    local x, y, n = { b:position() }, { others[i]:position() }, image_of(i - 1)
    local shift = { L * n[1] + tilt * L * n[2], L * n[2], L * n[3] }
    for k = 1, 3 do check.near(x[k] + shift[k], y[k], 1e-9, "grain " .. i) end
  end
  local H = w:cell():matrix()
  check.near(H[1][2] / L, tilt - 1, 1e-12, "remapped")
  check.near(w:cell():volume(), L ^ 3, 1e-12, "volume")
end

-- a ball at rest hits the image of another ball, which moves with the upper face of the cell
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 4, 4, 4 }, periodic = { true, true, true } } }
  w:pair { "default", "default", mu = 0, restitution = 1 }
  local a = w:sphere { radius = 0.5, position = { 2, 3.9, 2 }, mass = 1 }
  local b = w:sphere { radius = 0.5, position = { 0.5, -0.1, 2 }, mass = 1 }
  -- the image of b one cell up lies on a's level and moves at 1 m/s towards it
  w:cell():set_velocity_gradient(shear(0.25), false)
  w:step(600)
  check.near((a:velocity()), 1, 1e-9)
  check.near((b:velocity()), -1, 1e-9)
end

-- strains of the steps multiply exactly
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-2, cell = { size = { 2, 2, 2 }, periodic = { true, true, true } } }
  local b = w:sphere { radius = 0.1, position = { 1.5, 1, 1 } }
  w:sphere { radius = 0.1, position = { 0.5, 1, 1 } }
  w:cell():set_velocity_gradient { { -0.5, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  check.near((b:velocity()), -0.25)
  w:step(100)
  check.near((w:cell():size()), 2 * 0.995 ^ 100)
  check.near(w:cell():velocity_gradient()[1][1], -0.5)
end

-- solvers satisfy the laws of contacts with moving images, and sheared balls have a shear stress of one sign
do
  for _, solver in ipairs { "nbgs", "auto" } do
    local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } },
      solver = { name = solver, tolerance = 1e-8, iterations = 3000 } }
    w:pair { "default", "default", mu = 0.4 }
    for i = 0, 3 do
      for j = 0, 3 do
        for k = 0, 3 do
          w:sphere { radius = 0.112 + 0.001 * ((i + 3 * j + 5 * k) % 7), position = { 0.25 * i, 0.25 * j, 0.25 * k }, velocity = { 0, (i + k) % 3 - 1, (i + j) % 3 - 1 } }
        end
      end
    end
    w:cell():set_velocity_gradient(shear(2))
    local work, worst = 0, 0
    for _ = 1, 300 do
      w:step()
      work = work - w:cell():stress()[1][2]
      worst = math.max(worst, w:report().residual)
    end
    assert(worst < 1e-6, solver .. " leaves " .. worst)
    assert(work > 0, solver .. ": the cell is driven by the grains")
  end
end

-- a gas of grains is compressed to the target stress, which the impulses of every step match; in shear at a constant normal
-- stress this stress remains constant
do
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 2e-3, cell = { size = { 1.1, 1.1, 1.1 }, periodic = { true, true, true } },
    solver = { tolerance = 1e-5, iterations = 300 } }
  w:pair { "default", "default", mu = 0.3 }
  w:fill { region = { min = { 0, 0, 0 }, max = { 1.1, 1.1, 1.1 } }, spacing = 0.22, radius = 0.09, radius_max = 0.11, jitter = 0.02 }
  local cell, P = w:cell(), 100
  cell:set_stress { { P, false, false }, { false, P, false }, { false, false, P } }
  w:step(1000)
  local mean = { 0, 0, 0 }
  for _ = 1, 50 do
    w:step()
    local s = cell:stress()
    for k = 1, 3 do mean[k] = mean[k] + s[k][k] / 50 end
  end
  for k = 1, 3 do assert(math.abs(mean[k] - P) < 0.05 * P, "stress " .. mean[k]) end
  assert(w:report().unbalanced_mean < 0.02, "the load is what stress gives: " .. w:report().unbalanced_mean)
  cell:set_velocity_gradient(shear(0.3))
  check.fails("row 3, column 3 follows from the stress", function() cell:set_velocity_gradient { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0.1 } } end)
  cell:set_stress { { false, false, false }, { false, P, false }, { false, false, false } }
  local released = cell:matrix()
  local normal, tangential = 0, 0
  for _ = 1, 300 do
    w:step()
    local s = cell:stress()
    normal, tangential = normal + s[2][2] / 300, tangential - s[1][2] / 300
  end
  assert(math.abs(normal - P) < 0.05 * P, "normal stress " .. normal)
  assert(tangential > 0.2 * P and tangential < 0.9 * P, "friction " .. tangential / P)
  check.near(cell:velocity_gradient()[1][2], 0.3)
  assert(cell:velocity_gradient()[2][2] ~= 0)
  local now = cell:matrix()
  assert(now[1][1] == released[1][1] and now[3][3] == released[3][3], "edges that stress no longer drives stay")
end
check.fails("set_stress must be three rows", function() grains(1):cell():set_stress { 1, 2, 3 } end)
check.fails("takes no cell that stress drives; auto and nbgs do", function()
  local w = scree.world { cell = { size = { 1, 1, 1 }, periodic = { true, true, true } }, solver = { name = "apgd" } }
  w:cell():set_stress { { 1, false, false }, { false, 1, false }, { false, false, 1 } }
end)
check.fails("row 3, column 3 would move an edge", function()
  local w = scree.world { cell = { size = { 1, 1, 1 }, periodic = { true, true, false } } }
  w:cell():set_stress { { false, false, false }, { false, false, false }, { false, false, 5 } }
end)
check.fails("without dynamic bodies", function()
  local w = scree.world { cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  w:cell():set_stress { { 1, false, false }, { false, 1, false }, { false, false, 1 } }
  w:step()
end)

check.fails("set_velocity_gradient must be three rows", function() grains(1):cell():set_velocity_gradient { 1, 2 } end)
check.fails("set_velocity_gradient[2] must have three numbers", function() grains(1):cell():set_velocity_gradient { { 0, 0, 0 }, { 0, 0 }, { 0, 0, 0 } } end)
check.fails("[1][2] is NaN", function() grains(1):cell():set_velocity_gradient(shear(0 / 0)) end)
check.fails("the third edge of the cell is not periodic", function()
  local w = scree.world { cell = { size = { 1, 1, 1 }, periodic = { true, true, false } } }
  w:cell():set_velocity_gradient { { 0, 0, 1 }, { 0, 0, 0 }, { 0, 0, 0 } }
end)
check.fails("deforms no cell; semi_implicit does", function()
  local w = scree.world { stepper = "penalty", cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  w:cell():set_velocity_gradient(shear(1))
end)
check.fails("deformed too fast", function()
  local w = grains(1)
  w:cell():set_velocity_gradient(shear(1000))
  w:step()
end)
check.fails("world.cell is too small", function()
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-2, cell = { size = { 2, 2, 2 }, periodic = { true, true, true } } }
  w:sphere { radius = 0.1, position = { 0, 0, 0 } }
  w:cell():set_velocity_gradient { { -1, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  w:step(1000)
end)
