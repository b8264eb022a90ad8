-- The common bed, scree's own runs on it, and the judge of everybody's answer. Lines of a state file: x y z vx vy vz wx wy wz [SI].
--
--   scree lua --trust peers.lua bed FILE STEPS                     settles 8000 spheres and writes them
--   scree lua --trust peers.lua run FILE OUT DT SWEEPS WARM TIMED ERP
--                  continues the bed; prints seconds a step, contacts and the largest overlap / R while it was timed
--   scree lua --trust peers.lua judge FILE                         contacts, largest and mean overlap / R, kinetic energy / m g d
local scree = require "scree"
local read = require "rows"
local R, SIDE, RHO, MU, G = 0.5e-3, 0.02, 2650, 0.4, 9.81

local function world(dt, sweeps, erp)
  local w = scree.world { gravity = { 0, 0, -G }, dt = dt, erp = erp, solver = { iterations = sweeps, min_iterations = sweeps, tolerance = 0 } }
  w:material { name = "glass", density = RHO }
  w:pair { "glass", "glass", law = "coulomb", mu = MU }
  for _, wall in ipairs { { { 0, 0, 1 }, { 0, 0, 0 } }, { { 1, 0, 0 }, { 0, 0, 0 } }, { { -1, 0, 0 }, { SIDE, 0, 0 } }, { { 0, 1, 0 }, { 0, 0, 0 } },
                          { { 0, -1, 0 }, { 0, SIDE, 0 } } } do
    w:halfspace { normal = wall[1], point = wall[2], material = "glass" }
  end
  return w
end

local function write(w, path)
  local x, v, s, kind = w:view "position", w:view "velocity", w:view "spin", w:view "kind"
  local file <close> = assert(io.open(path, "w"))
  for i = 1, #x do
    if kind[i] == 0 then
      local a, b, c = x:get(i)
      local d, e, f = v:get(i)
      file:write(("%.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g\n"):format(a, b, c, d, e, f, s:get(i)))
    end
  end
end

local command = {}

function command.bed(path, steps)
  local w = world(1e-4, 10)
  w:fill { region = { min = { 0, 0, 0 }, max = { SIDE, SIDE, 1 } }, spacing = 1.17e-3, radius = R, material = "glass", jitter = { 0.05, 0.05, 0.05 }, limit = 8000 }
  w:step(tonumber(steps))
  write(w, path)
end

function command.run(path, out, dt, sweeps, warm, timed, erp)
  local w = world(tonumber(dt), math.tointeger(sweeps), tonumber(erp))
  for _, r in ipairs(read(path)) do
    w:sphere { radius = R, position = { r[1], r[2], r[3] }, velocity = { r[4], r[5], r[6] }, spin = { r[7], r[8], r[9] }, material = "glass" }
  end
  w:step(math.tointeger(warm))
  local least, deepest = math.huge, 0
  for _ = 1, 4 do
    local start = os.clock()
    for _ = 1, math.tointeger(timed) // 4 do
      w:step(1)
      deepest = math.max(deepest, w:report().penetration)
    end
    least = math.min(least, (os.clock() - start) / (math.tointeger(timed) // 4))
  end
  write(w, out)
  print(("%.6g %d %.4g"):format(least, w:report().contacts, deepest / R))
end

-- Cells of one diameter; every pair of neighbours once.
local function pairs_of(rows, each)
  local cells, size = {}, 2 * R
  local function key(x, y, z) return (x * 4096 + y) * 4096 + z end
  for i, r in ipairs(rows) do
    local k = key(r[1] // size + 2, r[2] // size + 2, r[3] // size + 2)
    cells[k] = cells[k] or {}
    table.insert(cells[k], i)
  end
  for i, r in ipairs(rows) do
    for dx = -1, 1 do for dy = -1, 1 do for dz = -1, 1 do
      for _, k in ipairs(cells[key(r[1] // size + 2 + dx, r[2] // size + 2 + dy, r[3] // size + 2 + dz)] or {}) do
        if k > i then each(r, rows[k]) end
      end
    end end end
  end
end

function command.judge(path)
  local rows, touching, deepest, sum, energy = read(path), 0, 0, 0, 0
  local function overlap(depth)
    if depth <= 0 then return end
    touching, deepest, sum = touching + 1, math.max(deepest, depth), sum + depth
  end
  pairs_of(rows, function(a, b) overlap(2 * R - math.sqrt((a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2)) end)
  for _, r in ipairs(rows) do
    for _, gap in ipairs { r[1], SIDE - r[1], r[2], SIDE - r[2], r[3] } do overlap(R - gap) end
    energy = energy + 0.5 * (r[4] ^ 2 + r[5] ^ 2 + r[6] ^ 2) + 0.2 * R ^ 2 * (r[7] ^ 2 + r[8] ^ 2 + r[9] ^ 2)
  end
  print(("%d %.2g %.2g %.2g"):format(touching, deepest / R, sum / math.max(touching, 1) / R, energy / #rows / (G * 2 * R)))
end

command[arg[1]](table.unpack(arg, 2))
