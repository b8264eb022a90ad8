-- Grains thrown along a rough floor, in scree: `scree lua --trust thrown.lua DATA [STEP]` writes the grains as LAMMPS reads them to DATA, runs
-- them for 0.2 s and prints a line "time mean-speed largest-penetration/R" every 10 ms.
-- 4800 grains of radius 0.47 mm on a lattice of 1 mm, 4 x 0.6 x 2 cm, at 1 m/s along x and with up to 0.5 m/s across; side walls without friction,
-- floor and grains mu 0.4: a piece of the channel's inflow on its own.
local scree = require "scree"
local path, dt = arg[1] or error("usage: thrown.lua DATA [STEP]", 0), tonumber(arg[2] or "5e-5")
local RADIUS, DENSITY, SPACING, NX, NY, NZ = 0.47e-3, 2650, 1e-3, 40, 6, 20

local grains = {}
for i = 1, NX do
  for j = 1, NY do
    for k = 1, NZ do
      grains[#grains + 1] = { position = { (i - 0.5) * SPACING, (j - 0.5) * SPACING, (k - 0.5) * SPACING },
        velocity = { 1, math.random() - 0.5, math.random() - 0.5 } }
    end
  end
end

local function write_data()
  local out <close> = assert(io.open(path, "w"))
  out:write(("thrown\n\n%d atoms\n1 atom types\n0 0.4 xlo xhi\n0 %g ylo yhi\n-0.001 %g zlo zhi\n\nAtoms # sphere\n\n"):format(
    #grains, NY * SPACING, NZ * SPACING + 0.001))
  for n, g in ipairs(grains) do
    out:write(("%d 1 %.17g %g %.17g %.17g %.17g\n"):format(n, 2 * RADIUS, DENSITY, table.unpack(g.position)))
  end
  out:write "\nVelocities\n\n"
  for n, g in ipairs(grains) do out:write(("%d %.17g %.17g %.17g 0 0 0\n"):format(n, table.unpack(g.velocity))) end
end

local function world()
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = dt, solver = { name = "nbgs", iterations = 50, tolerance = 1e-4 } }
  for _, name in ipairs { "grain", "floor", "side" } do w:material { name = name, density = DENSITY } end
  for other, mu in pairs { grain = 0.4, floor = 0.4, side = 0 } do w:pair { "grain", other, law = "coulomb", mu = mu } end
  w:halfspace { normal = { 0, 0, 1 }, material = "floor" }
  w:halfspace { normal = { 0, 0, -1 }, point = { 0, 0, NZ * SPACING }, material = "floor" }
  w:halfspace { normal = { 0, 1, 0 }, material = "side" }
  w:halfspace { normal = { 0, -1, 0 }, point = { 0, NY * SPACING, 0 }, material = "side" }
  for _, g in ipairs(grains) do w:sphere { radius = RADIUS, position = g.position, velocity = g.velocity, material = "grain" } end
  return w
end

write_data()
local w, mass = world(), #grains * DENSITY * 4 / 3 * math.pi * RADIUS ^ 3
for _ = 0, 20 do
  local r = w:report()
  print(("%.3f %.4f %.2g"):format(r.time, r.momentum[1] / mass, r.penetration / RADIUS))
  for _ = 1, math.floor(0.01 / dt + 0.5) do w:step() end
end
