-- Figures of a deck from frames of any of the programs: scree lua --trust judge.lua DECK FILE... prints lines "name value".
-- A file is a trajectory of scree, or a file of grains of another program, one frame each.
local scree = require "scree"

-- Returns the frames of the files: lists of grains { x, y, z, vx, vy, vz, r, m }.
local function read(files)
  local frames = {}
  for _, file in ipairs(files) do
    if file:match "%.scree$" then
      local t = scree.open(file)
      for n = 1, t:info().frames do
        local f, grains = t:frame(n), {}
        for i = 1, #f.id do
          if f.kind[i] == "dynamic" then
            local x, v = f.position, f.velocity
            grains[#grains + 1] = { x[3 * i - 2], x[3 * i - 1], x[3 * i], v[3 * i - 2], v[3 * i - 1], v[3 * i], f.radius[i], f.mass[i] }
          end
        end
        frames[#frames + 1] = grains
      end
    else
      local w, grains = scree.world { gravity = { 0, 0, 0 } }, {}
      -- LIGGGHTS writes the mass of a clump into each of its rows, so the mass of clumps comes from the density
      local clumps = io.open(file):read(2000):find " mol"
      w:read_grains { file = file, columns = { clump = clumps and "mol" or false, type = false }, density = clumps and 2500 or nil }
      local x, v, r, m = w:view "position", w:view "velocity", w:view "radius", w:view "mass"
      for i = 1, #x do
        local a, b, c = x:get(i)
        local d, e, f = v:get(i)
        grains[i] = { a, b, c, d, e, f, r[i], m[i] }
      end
      frames[#frames + 1] = grains
    end
  end
  return frames
end

local function speed(g) return math.sqrt(g[4] ^ 2 + g[5] ^ 2 + g[6] ^ 2) end

-- Returns the mean of of(grain) over the grains of the frames first .. last for which of does not return nil.
local function mean(frames, first, last, of)
  local sum, count = 0, 0
  for n = first, last do
    for _, g in ipairs(frames[n]) do
      local value = of(g)
      if value then sum, count = sum + value, count + 1 end
    end
  end
  return sum / count
end

local judge = {}

function judge.chute(frames)
  local count = 0
  for _, g in ipairs(frames[#frames]) do count = count + (g[3] < 0.05 and 1 or 0) end
  print("grains below the insertion face at 1 s", count)
  for k = 1, 6 do
    local high = -0.04 * k
    print(("speed at x = %d to %d mm [m/s]"):format(-40 * k - 40, -40 * k), mean(frames, #frames - 20, #frames, function(g)
      return g[3] > -0.3 and g[1] > high - 0.04 and g[1] <= high and speed(g) or nil
    end))
  end
end

function judge.mixer(frames)
  -- the second half of the turn, in which no grains are poured
  local first = #frames // 2 + 1
  local function over(of) return mean(frames, first, #frames, of) end
  print("grains in the mixer", #frames[#frames])
  print("height of the centre", over(function(g) return g[3] end))
  print("mean speed", over(speed))
  print("mean speed along the turn", over(function(g)
    local x, y = g[1] - 10, g[2] - 10
    return (x * g[5] - y * g[4]) / math.sqrt(x * x + y * y)
  end))
  print("kinetic energy", over(function(g) return g[8] * speed(g) ^ 2 / 2 end) * #frames[#frames])
end

-- Frames every 10 000 steps of LAMMPS: the stem opens after 170 000 steps.
function judge.hopper(frames)
  local function inside(n)
    local count = 0
    for _, g in ipairs(frames[n]) do count = count + (g[3] > 0 and 1 or 0) end
    return count
  end
  local last = #frames
  print("mean height at rest", mean(frames, last - 10, last - 10, function(g) return g[3] end))
  print("grains that left in 10.5", inside(last - 10) - inside(last))
  print("grains that left in the last 5.3", inside(last - 5) - inside(last))
end

-- The last 2 s of 5 s, in frames every 0.1 s.
function judge.drum(frames)
  local last = #frames
  local function over(of) return mean(frames, last - 19, last, of) end
  print("centre of the bed, x [m]", over(function(g) return g[1] end))
  print("centre of the bed, y [m]", over(function(g) return g[2] end))
  print("mean speed [m/s]", over(speed))
end

-- Frames every 0.01 s, from 0.01 s on.
function judge.clumps(frames)
  for _, n in ipairs { 10, 20, 40 } do
    local frame = math.min(n, #frames)
    print(("mean height of the stones at %.1f s [m]"):format(n / 100), mean(frames, frame, frame, function(g) return g[3] end))
    print(("mean speed of the stones at %.1f s [m/s]"):format(n / 100), mean(frames, frame, frame, speed))
  end
end

-- Reads a table with columns strain, axial, lateral, volumetric.
function judge.triaxial(file)
  local t = scree.read_table { file = file }
  local column = {}
  for k, name in ipairs(t.names) do column[name] = t.columns[k] end
  local peak, sum, count, volume = 0, 0, 0, nil
  for i = 1, t.rows do
    local s, window, n = column.strain[i], 0, 0
    for k = i, math.min(i + 6, t.rows) do -- a mean over 0.5 % of strain
      window, n = window + column.axial[k] / column.lateral[k], n + 1
    end
    if s > 0.002 then peak = math.max(peak, window / n) end
    if s > 0.1 then sum, count = sum + column.axial[i] / column.lateral[i], count + 1 end
    if s > 0.1 and not volume then volume = column.volumetric[i] end
  end
  local function angle(ratio) return math.deg(math.asin((ratio - 1) / (ratio + 1))) end
  print("peak friction angle [deg]", angle(peak))
  print("friction angle beyond 10 % [deg]", angle(sum / count))
  print("volumetric strain at 10 % [%]", 100 * volume)
end

if arg[1] == "triaxial" then judge.triaxial(arg[2]) else judge[arg[1]](read { table.unpack(arg, 2) }) end
