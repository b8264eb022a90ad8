-- A cell that stress drives gives the same bits with one thread and with three threads.
local scree = require "scree"

local function hash_of(threads)
  local edge = 0.09
  local w = scree.world {
    gravity = { 0, 0, 0 }, dt = 1e-3, threads = threads, cell = { size = { edge, edge, edge }, periodic = { true, true, true } },
    solver = { name = "nbgs", iterations = 40, tolerance = 1e-4, contacts_per_thread = 1 },
  }
  local seed = 7
  local function random()
    seed = seed * 16807 % 2147483647
    return seed / 2147483647 - 0.5
  end
  for i = 1, 4 do for j = 1, 4 do for k = 1, 4 do
    local body = { position = { 0.021 * i, 0.021 * j, 0.0205 * k }, velocity = { random(), random(), random() } }
    if (i + j + k) % 2 == 0 then
      body.radius = 0.01
      w:sphere(body)
    else
      body.size = { 0.018, 0.018, 0.018 }
      w:box(body)
    end
  end end end
  w:cell():set_stress { { 1000, false, false }, { false, 1000, false }, { false, false, 1000 } }
  w:step(30)
  assert(w:report().contacts > 50)
  return w:hash()
end

local one = hash_of(1)
for _ = 1, 3 do assert(hash_of(3) == one) end
