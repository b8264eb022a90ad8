-- Flow down a rough chute, periodic along x and y. Makes scree's runs for tests/bench/peers/flow, and evaluates the frames of all programs.
-- Each line of a state or frame has x y z vx vy vz wx wy wz radius moves [SI]. moves: 1 for a grain, 0 for the bottom.
--
--   scree lua --trust flow.lua start STATE DATA        makes a flow, writes it and the data file of LAMMPS; prints the variables of flow.in
--   scree lua --trust flow.lua run STATE OUT KIND SWEEPS DT ADAPT WINDOW
--            KIND: rigid, momentum, springs, penalty; prints CPU seconds per simulated second and unbalanced_mean
--   scree lua --trust flow.lua judge SERIES FRAMES     SERIES: lines of time, speed, height of the centre of mass; prints the columns of the
--            table: mean and largest overlap / d, speed / sqrt(g d), its error, solid fraction, its error. Errors come from ten blocks.
local scree = require "scree"
local read = require "rows"
local D, SIDE, RHO, MU, E, G, ANGLE, GRAINS = 1e-3, 8, 2500, 0.5, 0.5, 9.81, 24, 400
local HARDNESS, RATIO = 1e4, 0.8
local HIGH = 30 * D -- top of the cell

-- Returns the stiffness: HARDNESS times d times the pressure of all grains on the bottom.
local function stiffness(mass) return HARDNESS * mass * G * math.cos(math.rad(ANGLE)) / (SIDE * D) ^ 2 * D end

local function world(kind, sweeps, dt, mass)
  local slope = math.rad(ANGLE)
  local penalty = kind == "penalty"
  local w = scree.world {
    gravity = { G * math.sin(slope), 0, -G * math.cos(slope) }, dt = dt, stepper = penalty and "penalty" or nil,
    cell = { size = { SIDE * D, SIDE * D, HIGH }, periodic = { true, true, false } },
    solver = not penalty and { name = "nbgs", iterations = sweeps, acceleration = kind == "springs" or kind == "momentum" } or nil,
  }
  w:material { name = "grain", density = RHO }
  if penalty then
    local z = -math.log(E) / math.sqrt(math.pi ^ 2 + math.log(E) ^ 2)
    w:pair { "grain", "grain", law = "hooke", mu = MU, stiffness = stiffness(mass), tangential = RATIO, damping = z }
  else
    w:pair {
      "grain", "grain", mu = MU, restitution = E, contact_stiffness = kind == "springs" and stiffness(mass) or nil,
      stiffness_ratio = kind == "springs" and RATIO or nil,
    }
  end
  return w
end

local function add_frame(file, w)
  local x, v, s, kind, radius = w:view "position", w:view "velocity", w:view "spin", w:view "kind", w:view "radius"
  for i = 1, #x do
    local row = {}
    for _, view in ipairs { x, v, s } do
      for _, value in ipairs { view:get(i) } do row[#row + 1] = ("%.17g"):format(value) end
    end
    file:write(table.concat(row, " "), (" %.17g %d\n"):format(radius:get(i), kind[i] == "dynamic" and 1 or 0))
  end
end

-- Returns the total mass of the grains.
local function mass_of(rows)
  local mass = 0
  for _, r in ipairs(rows) do
    if r[11] == 1 then mass = mass + RHO * 4 / 3 * math.pi * r[10] ^ 3 end
  end
  return mass
end

local command = {}

local function write_data(path, rows)
  local data <close> = assert(io.open(path, "w"))
  local side = SIDE * D
  data:write(("chute\n\n%d atoms\n2 atom types\n0 %g xlo xhi\n0 %g ylo yhi\n%g %g zlo zhi\n\nAtoms\n\n"):format(#rows, side, side, -2 * D, HIGH))
  for i, r in ipairs(rows) do
    data:write(("%d %d %.17g %.17g %.17g %.17g %.17g\n"):format(i, 2 - r[11], 2 * r[10], RHO, r[1] % side, r[2] % side, r[3]))
  end
  data:write "\nVelocities\n\n"
  for i, r in ipairs(rows) do data:write(("%d %.17g %.17g %.17g %.17g %.17g %.17g\n"):format(i, table.unpack(r, 4, 9))) end
end

function command.start(path, data)
  local w = world("rigid", 50, 1e-4)
  math.randomseed(1)
  for i = 0, SIDE - 1 do
    for j = 0, SIDE - 1 do
      w:sphere { kind = "fixed", radius = D / 2, material = "grain", position = { (i + 0.5) * D, (j + 0.5) * D, -D / 2 * (1 + 0.6 * math.random()) } }
    end
  end
  w:fill {
    region = { min = { 0, 0, 0.1 * D }, max = { SIDE * D, SIDE * D, HIGH } }, spacing = SIDE * D / (SIDE - 1), radius = 0.45 * D,
    radius_max = D / 2, jitter = 0.05, limit = GRAINS, material = "grain",
  }
  w:step(10000)
  do
    local file <close> = assert(io.open(path, "w"))
    add_frame(file, w)
  end
  local rows = read(path)
  write_data(data, rows)
  -- a pair of mean grains: m_eff = m/2
  local mass = mass_of(rows)
  local k, m = stiffness(mass), mass / GRAINS / 2
  local z = -math.log(E) / math.sqrt(math.pi ^ 2 + math.log(E) ^ 2)
  local duration = math.pi / math.sqrt(k / m * (1 - z * z))
  print(("-var kn %.9g -var kt %.9g -var gamma %.9g -var step %.4g"):format(k, RATIO * k, 2 * z * math.sqrt(k / m), duration / 50))
end

-- Returns the mean velocity along the slope and the mean height of the grains.
local function motion(w)
  local x, v, kind, speed, height, n = w:view "position", w:view "velocity", w:view "kind", 0, 0, 0
  for i = 1, #x do
    if kind[i] == "dynamic" then
      speed, height, n = speed + v:get(i), height + select(3, x:get(i)), n + 1
    end
  end
  return speed / n, height / n
end

function command.run(path, out, kind, sweeps, dt, adapt, window)
  local rows = read(path)
  dt, adapt, window = tonumber(dt), tonumber(adapt), tonumber(window)
  local w = world(kind, math.tointeger(sweeps), dt, mass_of(rows))
  for _, r in ipairs(rows) do
    w:sphere {
      kind = r[11] == 1 and "dynamic" or "fixed", radius = r[10], material = "grain", position = { r[1], r[2], r[3] },
      velocity = r[11] == 1 and { r[4], r[5], r[6] } or nil, spin = r[11] == 1 and { r[7], r[8], r[9] } or nil,
    }
  end
  local series <close> = assert(io.open(out .. ".series", "w"))
  local frames <close> = assert(io.open(out .. ".frames", "w"))
  local every, seconds, samples = math.floor(1e-3 / dt + 0.5), 0, math.floor((adapt + window) / 1e-3 + 0.5)
  for n = 1, samples do
    local start = os.clock()
    w:step(every)
    seconds = seconds + os.clock() - start
    if n * 1e-3 > adapt then series:write(("%.6g %.9g %.9g\n"):format(n * 1e-3, motion(w))) end
    if n * 1e-3 > adapt and n % 20 == 0 then
      add_frame(frames, w)
      frames:write "\n"
    end
  end
  print(("%.3g %.2g"):format(seconds / (adapt + window), kind == "penalty" and 0 or w:report().unbalanced_mean))
end

-- ---- the judge ----

-- Returns the number of overlapping pairs, the sum of overlaps and the largest overlap of a frame.
local function overlaps(rows)
  local side, cells, count, sum, most = SIDE * D, {}, 0, 0, 0
  local function key(i, j, k) return (i % SIDE) + SIDE * ((j % SIDE) + SIDE * k) end
  for index, r in ipairs(rows) do
    r[1], r[2] = r[1] % side, r[2] % side
    local k = key(math.floor(r[1] / D), math.floor(r[2] / D), math.floor(r[3] / D) + 4)
    cells[k] = cells[k] or {}
    table.insert(cells[k], index)
  end
  local function nearest(x) return x - side * math.floor(x / side + 0.5) end
  for a, r in ipairs(rows) do
    local i, j, k = math.floor(r[1] / D), math.floor(r[2] / D), math.floor(r[3] / D) + 4
    for at = 0, 26 do
      for _, b in ipairs(cells[key(i + at % 3 - 1, j + at // 3 % 3 - 1, k + at // 9 - 1)] or {}) do
        local s = rows[b]
        local depth = b > a and r[11] + s[11] > 0 and
          r[10] + s[10] - math.sqrt(nearest(r[1] - s[1]) ^ 2 + nearest(r[2] - s[2]) ^ 2 + (r[3] - s[3]) ^ 2)
        if depth and depth > 0 then count, sum, most = count + 1, sum + depth, math.max(most, depth) end
      end
    end
  end
  return count, sum, most
end

-- Returns the mean of numbers and its standard error, from ten blocks.
local function mean_of(numbers)
  local blocks, size, mean, square = 10, #numbers // 10, 0, 0
  for b = 0, blocks - 1 do
    local sum = 0
    for i = 1, size do sum = sum + numbers[b * size + i] / size end
    mean, square = mean + sum / blocks, square + sum * sum / blocks
  end
  return mean, math.sqrt(math.max(0, square - mean * mean) / (blocks - 1))
end

function command.judge(path, frames)
  local speeds, fractions = {}, {}
  for line in io.lines(path) do
    local _, speed, height = line:match "(%S+)%s+(%S+)%s+(%S+)"
    -- a layer of constant solid fraction f between -0.15 d (the mean top of the bottom) and H has its centre at (H - 0.15 d)/2
    local thickness = 2 * (tonumber(height) + 0.15 * D)
    speeds[#speeds + 1], fractions[#fractions + 1] = tonumber(speed) / math.sqrt(G * D), 1 / thickness
  end
  local count, sum, most, grains, volume = 0, 0, 0, {}, 0
  local function close()
    if #grains == 0 then return end
    local n, s, m = overlaps(grains)
    count, sum, most, grains = count + n, sum + s, math.max(most, m), {}
  end
  for line in io.lines(frames) do
    local row = {}
    for number in line:gmatch "%S+" do row[#row + 1] = tonumber(number) end
    if #row == 11 then grains[#grains + 1] = row else
      if volume == 0 then volume = mass_of(grains) / RHO end
      close()
    end
  end
  close()
  for i, f in ipairs(fractions) do fractions[i] = f * volume / (SIDE * D) ^ 2 end
  local speed, speed_error = mean_of(speeds)
  local fraction, fraction_error = mean_of(fractions)
  print(("%.2g %.2g %.4g %.2g %.4f %.1g"):format(sum / math.max(count, 1) / D, most / D, speed, speed_error, fraction, fraction_error))
end

command[arg[1]](table.unpack(arg, 2))
