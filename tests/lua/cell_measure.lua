-- Measurements and insertion in a cell: contacts through its faces have the branch vectors of images, and grains count at their wrapped positions.
local scree = require "scree"
local check = require "check"
local mixture = require "mixture"

-- grains of every kind, pressed together by a cell that shrinks and, with a rate, becomes skew
local function sample(rate)
  local n, d = 5, 0.21
  local L, random = n * d, mixture.random(7)
  local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { L, L, L }, periodic = { true, true, true }, origin = { 0.3, -2, 5 } } }
  w:pair { "default", "default", mu = 0.4 }
  for i = 0, n ^ 3 - 1 do
    local at = { 1 + d * (i % n), d * (i // n % n), -d * (i // n // n) }
    local v = { random(), random(), random() }
    if i % 3 == 0 then w:sphere { radius = 0.104, position = at, velocity = v }
    elseif i % 3 == 1 then w:box { size = { 0.14, 0.15, 0.13 }, position = at, velocity = v, orientation = { 0.9, 0.3, 0.3, 0.1 } }
    else w:capsule { radius = 0.07, length = 0.08, position = at, velocity = v } end
  end
  w:cell():set_velocity_gradient { { -1, rate, 0 }, { 0, -1, 0 }, { 0, 0, -1 } }
  w:step(90)
  return w
end

local names = { { "xx", "xy", "xz" }, { "yx", "yy", "yz" }, { "zx", "zy", "zz" } }
local function same_stress(measured, cell)
  local all = cell:stress()
  local scale = math.abs(all[1][1]) + math.abs(all[2][2]) + math.abs(all[3][3])
  for i = 1, 3 do
    for j = 1, 3 do check.near(measured[names[i][j]] / scale, all[i][j] / scale, 1e-13) end
  end
end

-- the measured stress is that of the cell, whether it is skew or not; over a region that is the cell, too
do
  local w = sample(4)
  same_stress(w:stress(), w:cell())
  local H = w:cell():matrix()
  assert(H[1][2] > 0.3 * H[2][2] and w:stress().contacts > 50, w:stress().contacts)
  local still = sample(0)
  still:cell():set_velocity_gradient { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  still:step(2)
  local L = still:cell():size()
  same_stress(still:stress(), still:cell())
  local x, y, z = still:cell():origin()
  local part = still:stress { region = { min = { x, y, z }, max = { x + L, y + L, z + L } } }
  same_stress(part, still:cell())
  assert(part.grains == 125 and still:count { region = { min = { x, y, z }, max = { x + L, y + L, z + L } } } == 125)

  -- fields: mass, momentum and stress to rounding, on the cell's own grid and on a box that is the cell
  for _, region in ipairs { false, { min = { x, y, z }, max = { x + L, y + L, z + L } } } do
    local f = still:fields { region = region or nil, cells = { 7, 7, 7 }, width = 0.3 }
    local mass, momentum, xy, volume, p = 0, 0, 0, L ^ 3 / 343, still:report().momentum
    for i = 1, #f.density do
      mass, momentum, xy = mass + volume * f.density[i], momentum + volume * f.momentum_x[i], xy + f.contact_xy[i] / 343
    end
    local _, _, contact = still:cell():stress()
    local m = still:view "mass"
    check.near(mass / m:sum(), 1, 1e-12)
    check.near(momentum / m:sum(), p[1] / m:sum(), 1e-12)
    check.near(xy / contact[1][1], contact[1][2] / contact[1][1], 1e-11)
  end

  -- without gravity the forces on a body equal the change of its momentum; the torque has the arm of the image
  local ball = still:sphere { radius = 0.05, position = { x + 0.5 * L, y + 0.5 * L, z + 40 * L } }
  still:step(3)
  local before = { ball:velocity() }
  still:step()
  local after, force = { ball:velocity() }, { still:forces_on(ball) }
  local m = ball:mass()
  if type(force[1]) == "table" then force = force[1] end
  for k = 1, 3 do check.near(m * (after[k] - before[k]) / still:dt(), force[k], 1e-9 * (1 + math.abs(force[k]))) end
end

-- profiles count each grain once and balls across a face on both sides
do
  local w = scree.world { gravity = { 0, 0, 0 }, cell = { size = { 1, 1, 1 }, periodic = { true, true, true } } }
  w:sphere { radius = 0.2, position = { 5, 0.5, -3.5 }, velocity = { 1, 0, 0 } }
  w:step()
  local p = w:profile { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, cells = { 2, 1, 1 } }
  p:add()
  local solid = p:get "solid"
  check.near(solid[1] + solid[2], 2 * 4 / 3 * math.pi * 0.2 ^ 3, 1e-9)
  assert(solid[1] > 0.35 * (solid[1] + solid[2]) and solid[2] > 0.35 * (solid[1] + solid[2]))
end

-- inserted grains do not overlap images, boxes, or grains of the same insertion
do
  local L = 0.5
  local w = scree.world { gravity = { 0, 0, 0 }, cell = { size = { L, L, L }, periodic = { true, true, true } } }
  w:box { size = { 0.2, 0.2, 0.2 }, position = { 0, 7 * L, -L }, kind = "fixed" }
  local placed = w:insert { region = { min = { 0, 0, 0 }, max = { L, L, L } }, radius = 0.04, count = 1000, attempts = 3000 }
  assert(placed > 100 and placed < 1000, placed)
  w:step()
  assert(w:report().touching == 0, w:report().touching)
end

check.fails("only a cell", function()
  local w = scree.world {}
  w:sphere { radius = 0.1, position = { 0, 0, 0 } }
  w:stress()
end)
