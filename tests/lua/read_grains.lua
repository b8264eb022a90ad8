-- w:read_grains against files that NumPy, VTK, gsd and LAMMPS wrote (tests/support/grains/make.py has the formulas), and tables of text.
local scree = require "scree"
local check = require "check"
local fails = check.fails

local folder = "tests/support/grains/"
local function world() return scree.world { gravity = { 0, 0, 0 }, dt = 1e-3 } end
local function near(a, b, tolerance) return math.abs(a - b) <= (tolerance or 0) * math.max(1, math.abs(b)) end

-- What grain i = 0 .. 4 is. digits: relative error of the format's numbers; 0: all bits.
local has = {
  position = function(i) return { 0.1 * i + 0.01, 0.2 * i - 0.3, 0.05 * i * i } end,
  velocity = function(i) return { 1 + i, -i, 0.5 } end,
  spin = function(i) return { 0.1 * i, 2, -i } end,
  radius = function(i) return { 0.01 + 0.001 * i } end,
  mass = function(i) return { (2500 + i) * 4 / 3 * math.pi * (0.01 + 0.001 * i) ^ 3 } end,
  group = function(i) return { 1 + i % 2 } end,
  source_id = function(i) return { 10 + i } end,
}
local function compare(file, what, digits, keys)
  local w = world()
  local def = { file = folder .. file }
  for k, v in pairs(keys or {}) do def[k] = v end
  local count, info = w:read_grains(def)
  assert(count == 5 and info.count == 5, file)
  for name in what:gmatch "%S+" do
    local values = w:view(name):totable()
    local columns = #values / 5
    for i = 0, 4 do
      for c, v in ipairs(has[name](i)) do
        local got = values[math.tointeger(columns) * i + c]
        local tolerance = (name == "mass" or name == "radius") and math.max(digits, 1e-15) or digits
        assert(near(got, v, tolerance), ("%s: %s of grain %d: %.17g, not %.17g"):format(file, name, i, got, v))
      end
    end
  end
  return info
end

compare("plain.npy", "position radius", 0, { columns = { x = 1, y = 2, z = 3, radius = 4 } })
compare("fortran.npy", "position radius", 0, { columns = { x = 1, y = 2, z = 3, radius = 4 } })
compare("fields.npy", "position source_id", 0)
compare("fields.npy", "radius", 1e-7)
compare("stored.npz", "position radius velocity spin group source_id", 0)
assert(compare("packed.npz", "position radius", 0).frames == 2)
for _, name in ipairs { "inline", "inline_packed", "appended", "appended_packed", "appended_raw", "appended_packed_raw" } do
  compare(name .. ".vtp", "position radius velocity spin group source_id mass", 0)
end
compare("ascii.vtp", "position radius velocity spin group source_id", 1e-10)
compare("grid.vtu", "position radius velocity spin group source_id mass", 0)
for _, name in ipairs { "binary.vtk", "old_binary.vtk" } do compare(name, "position radius velocity spin group source_id mass", 0) end
for _, name in ipairs { "ascii.vtk", "old_ascii.vtk" } do compare(name, "position radius velocity spin group source_id", 1e-5) end
assert(compare("hoomd.gsd", "position velocity", 1e-6).frames == 2)
compare("hoomd.gsd", "radius group mass", 1e-6)
compare("hoomd.gsd", "spin", 1e-5)
compare("lammps.data", "position radius velocity spin group source_id mass", 0)
local info = compare("lammps.dump", "position radius velocity spin group source_id mass", 0)
assert(info.cell.periodic[1] and info.cell.periodic[2] and not info.cell.periodic[3] and info.cell.size[1] == 2 and info.cell.origin[3] == -1)
compare("scaled.dump.gz", "position radius group source_id", 1e-15)

-- the cell of a dump makes a world
local cell = scree.read_grains { file = folder .. "lammps.dump" }.cell
assert(scree.world { cell = cell }:cell():size() == 2)
-- a tilted box: its bounds enclose the corners, and its third edge leans along y
do
  local path = os.tmpname()
  local f = assert(io.open(path, "w"))
  f:write "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS xy xz yz pp pp pp\n0 2.5 0.25\n0 3.75 0.25\n0 4 0.75\nITEM: ATOMS id type xs ys zs radius\n1 1 0.5 0.5 0.5 0.1\n"
  f:close()
  local info = scree.read_grains { file = path }
  os.remove(path)
  for r, row in ipairs { { 2, 0.25, 0.25 }, { 0, 3, 0.75 }, { 0, 0, 4 } } do
    for c, v in ipairs(row) do assert(info.matrix[r][c] == v) end
  end
  assert(info.min[2] == 0.5 * 3 + 0.5 * 0.75)
end

-- ---- tables of text ----
local function write(text, name)
  local base = os.tmpname()
  os.remove(base)
  local path = base .. (name or ".csv")
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
  return path
end
local function read(text, keys, name)
  local path = write(text, name)
  local w = world()
  local def = { file = path }
  for k, v in pairs(keys or {}) do def[k] = v end
  local ok, count, about = pcall(w.read_grains, w, def)
  os.remove(path)
  if not ok then error(count, 0) end
  return w, about, count
end
local function is(w, name, want)
  local got = w:view(name):totable()
  assert(#got == #want, name)
  for k, v in ipairs(want) do assert(near(got[k], v, 1e-15), ("%s[%d]: %.17g, not %.17g"):format(name, k, got[k], v)) end
end
local two = { 1, 2, 3, 4, 5.5, -6 }
for what, text in pairs {
  csv = "x,y,z,d\n1,2,3,1\n4,5.5,-6,2\n",
  tsv = "x\ty\tz\td\n1\t2\t3\t1\n4\t5.5\t-6\t2\n",
  blanks = "  x y   z d\n 1 2   3 1\n 4 5.5 -6 2  \n\n",
  comma = "x;y;z;d\n1;2;3;1\n4;5,5;-6;2\n",
  ["comma between blanks"] = "x y z d\n1,0 2,0 3,0 1,0\n4,0 5,5 -6,0 2,0\n",
  bom = "\xef\xbb\xbfx;y;z;d\r\n1;2;3;1\r\n4;5,5;-6;2\r\n",
  cr = "x,y,z,d\r1,2,3,1\r4,5.5,-6,2\r",
  comments = "# from a scanner\n# x y z d\n1 2 3 1 # the first\n\n# between\n4 5.5 -6 2\n",
  quotes = "\"x\",\"y\",\"z\",\"d\",\"the name\"\n1,2,3,1,\"a, b\"\n4,5.5,-6,2,c\n",
  semicolons = "x;y;z;d;\n1;2;3;1;\n4;5.5;-6;2;\n",
  ["a semicolon behind some rows"] = "x;y;z;d\n1;2;3;1\n4;5.5;-6;2;\n",
  excel = "sep=;\nx;y;z;d\n1;2;3;1\n4;5,5;-6;2\n",
  exponents = "x,y,z,d\n1e0,.2E+1,30d-1,1.\n+4,5.5,-6,2\n",
  yade = "#format x_y_z_r_matId\n1\t2\t3\t0.5\t1\n4\t5.5\t-6\t1\t1\n",
  xyz = "2\nProperties=species:S:1:pos:R:3:radius:R:1 pbc=\"F F F\"\ndefault 1 2 3 .5\ndefault 4 5.5 -6 1\n",
} do
  local ok, w = pcall(read, text)
  assert(ok, what .. ": " .. tostring(w))
  is(w, "position", two)
  is(w, "radius", { 0.5, 1 })
end
-- units of headers, in brackets, in a line of their own, and as arguments
for _, text in ipairs { "x [mm];y [mm];z [mm];r [mm]\n1000;2000;3000;500\n4000;5500;-6000;1000\n", "x (mm) y (mm) z (mm) r (mm)\n1000 2000 3000 500\n4000 5500 -6000 1000\n",
  "x;y;z;r\nmm;mm;mm;mm\n1000;2000;3000;500\n4000;5500;-6000;1000\n" } do
  is(read(text), "position", two)
  is(read(text), "radius", { 0.5, 1 })
end
is(read("x,y,z,r\n1000,2000,3000,500\n4000,5500,-6000,1000\n", { unit = "mm" }), "position", two)
local w = read("a,b,c,e,rho,u,v,w\n1,2,3,500,2.5,1,2,3\n", { columns = { x = "a", y = 2, z = "c", diameter = { "e", unit = "mm" }, density = { "rho", unit = "g/cm3" },
  vx = { "u", unit = "cm/s" }, vy = "v", vz = "w" } })
is(w, "radius", { 0.25 })
is(w, "velocity", { 0.01, 2, 3 })
assert(near(w:view "mass":totable()[1], 2500 * 4 / 3 * math.pi * 0.25 ^ 3, 1e-14))
-- a mass of grams and lengths of centimetres
w = read("x,y,z,r,density,m\n1,2,3,.5,2.5,7\n", { unit = "cm", mass_unit = "g", columns = { mass = false } })
assert(near(w:view "mass":totable()[1], 2500 * 4 / 3 * math.pi * 0.005 ^ 3, 1e-14))
-- density of the call before that of the file; numbers of columns; further columns; types by name
w = read("1 2 3 .5 300\n4 5 6 .5 400\n", { columns = { x = 1, y = 2, z = 3, radius = 4 }, values = { temperature = 5 }, density = 1000, group = 7 })
is(w, "temperature", { 300, 400 })
is(w, "group", { 7, 7 })
assert(near(w:view "mass":totable()[2], 1000 * 4 / 3 * math.pi * 0.125, 1e-14))
do
  local path = write "x y z r material\n0 0 0 1 steel\n5 0 0 1 glass\n9 0 0 1 steel\n"
  w = world()
  w:material { name = "steel", density = 7800 }
  w:material { name = "glass", density = 2500 }
  local _, about = w:read_grains { file = path }
  local mass = w:view "mass":totable()
  assert(near(mass[1] / mass[2], 7800 / 2500, 1e-14) and mass[3] == mass[1] and about.types[2] == "glass")
  local v = world()
  v:material { name = "steel", density = 7800 }
  fails('unknown material "glass"', v.read_grains, v, { file = path })
  v:read_grains { file = path, materials = { glass = "steel" } }
  assert(v:view "mass":totable()[2] == mass[1])
  os.remove(path)
end

-- rows of a clump are one body; its mass is the sum of its rows' masses, and that of the union by density
local pair = "#format x_y_z_r_clumpId\n0 0 0 1 5\n1 0 0 1 5\n9 0 0 1 -1\n"
local _, _, bodies = read(pair)
assert(bodies == 2)
w = read(pair, { density = 3000 })
-- two balls of radius 1 at distance 1: 4/3 pi (2 - 5/16)
local union = 4 / 3 * math.pi * (2 - 5 / 16)
assert(near(w:view "mass":totable()[1], 3000 * union, 2e-3), w:view "mass":totable()[1])
is(w, "position", { 0.5, 0, 0, 9, 0, 0 })
w = read("x y z r m clump vx vy vz wx wy wz\n0 0 0 1 2 5 0 1 0 3 0 2\n1 0 0 1 2 5 0 3 0 3 0 2\n")
is(w, "mass", { 4 })
is(w, "velocity", { 0, 2, 0 }) -- (0, 1, 0) + (3, 0, 2) x 0.5 e_x
is(w, "spin", { 3, 0, 2 })

-- on both sides of a periodic face: two balls of radius 0.3 at distance 0.2 share a lens of pi (4 r + d) (2 r - d)^2 / 12
do
  local path = write "x y z r clump\n9.9 5 5 .3 1\n0.1 5 5 .3 1\n"
  w = scree.world { gravity = { 0, 0, 0 }, cell = { size = { 10, 10, 10 }, periodic = { true, false, false } } }
  assert(w:read_grains { file = path, density = 1000 } == 1)
  os.remove(path)
  is(w, "position", { 10, 5, 5 })
  local volume = 2 * 4 / 3 * math.pi * 0.027 - math.pi * 1.4 * 0.16 / 12
  assert(near(w:view "mass":totable()[1] / (1000 * volume), 1, 1e-3))
end

-- MercuryDPM
local mercury = "1 0 0 0 0 9 9 9\n7 7 7 0 0 0 1 0 0 0 0 0 0 0\n2 0.25 0 0 0 9 9 9\n1 2 3 .1 .2 .3 .5 0 0 0 4 5 6 1\n4 5.5 -6 0 0 0 1 0 0 0 0 0 0 0\n"
w, info = read(mercury, nil, ".data")
is(w, "position", two)
is(w, "spin", { 4, 5, 6, 0, 0, 0 })
assert(info.format == "mercury-data" and info.frames == 2 and info.time == 0.25)
is(read(mercury, { frame = 1 }, ".data"), "position", { 7, 7, 7 })
w, info = read("MercuryDPM 1.0 name t\nxMin 0 xMax 9 yMin 0 yMax 9 zMin 0 zMax 9\ntime 0.5 tMax 1\nBoundaries 1\nPeriodicBoundary normal 1 0 0 left 0 right 9 shift 9 0 0\n"
  .. "Particles 2\nSphericalParticle id 3 indSpecies 0 position 1 2 3 orientation 1 0 0 0 velocity .1 .2 .3 angularVelocity 4 5 6 0 0 0 0 0 0 0 0 0 0 radius 0.5 invMass 0.25\n"
  .. "SphericalParticle id 4 indSpecies 0 position 4 5.5 -6 orientation 1 0 0 0 velocity 0 0 0 angularVelocity 0 0 0 radius 1 invMass 2\n", { group = 1 }, ".restart")
is(w, "position", two)
is(w, "mass", { 4, 0.5 })
is(w, "spin", { 4, 5, 6, 0, 0, 0 })
assert(info.format == "mercury-restart" and info.time == 0.5 and info.cell.periodic[1] and not info.cell.periodic[2])

-- a particle without a radius
fails("(radius): nan is no finite number", read, "MercuryDPM 1.0\nParticles 1\nBP id 3 indSpecies 0 position 1 2 3 velocity 0 0 0 invMass 1\n", nil, ".restart")

-- ---- what is wrong is named, with line and column ----
local good = "id,x,y,z,d\n1,0,0,0,1\n2,3,0,0,1\n"
local function wrong(message, text, keys) fails(message, read, text, keys) end
wrong(":3: column 3 (y): 'abc' is no finite number", (good:gsub("2,3,0", "2,3,abc")))
wrong(":3: column 3 (y): 'nan' is no finite number", (good:gsub("2,3,0", "2,3,nan")))
wrong(":3: column 3 (y): '' is no finite number", (good:gsub("2,3,0", "2,3,")))
wrong(":3: column 5 (d): '-1' must be positive", (good:gsub("0,1\n$", "0,-1\n")))
wrong(":3: 4 values; the table has 5 columns", (good:gsub("2,3,0,", "2,3,")))
wrong(":3: column 1 (id): '1' stands in line 2 too", (good:gsub("2,3", "1,3")))
wrong(":3: column 1 (id): '1.5' must be a whole number", (good:gsub("2,3", "1.5,3")))
wrong("columns.diameter: there is no column 'sise'; did you mean 'size'?", (good:gsub("z,d", "z,size")), { columns = { diameter = "sise" } })
wrong("columns.diameter is 9; the file has columns 1 to 5", good, { columns = { diameter = 9 } })
wrong("read_grains.columns.diamter is not a field of a grain; did you mean 'diameter'?", good, { columns = { diamter = "d" } })
wrong("no column for x, and the file has no header", "1 2 3 4\n")
wrong("no column of sizes", "x y z\n1 2 3\n")
wrong("the unit 'kg' of column 'x' is none of m", "x [kg] y z r\n1 2 3 4\n")
wrong("no line has three numbers", "a poem\nwith no numbers\n")
wrong("the file is empty", "")
wrong("a text in UTF-16", "\xff\xfex\0y\0z\0")
wrong("frame 2 does not exist: there is 1", good, { frame = 2 })
wrong("there is no 'lamps-dump'; did you mean 'lammps-dump'?", good, { format = "lamps-dump" })
wrong("it is no gsd", good, { format = "gsd" })
wrong("read_grains.mass_unit: 'mm' is no unit of kg", good, { mass_unit = "mm" })
wrong("read_grains.time_unit: 'kg' is no unit of s", good, { time_unit = "kg" })
wrong("read_grains.unit must be one of m|mm|cm|um|km|in|ft, not 'mn'; did you mean 'm'?", good, { unit = "mn" })
wrong("read_grains.separator must be", good, { separator = "&" })
local deck = "grains\n\n%s atoms\n1 atom types\n\n%s 3 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # %s\n\n1 1 0.1 1000 0.5 0.5 0.5\n2 1 0.1 1000 0.5 0.5 1.5\n"
assert(read(deck:format(2, 0, "sphere")):count() == 2)
wrong("the section Atoms has more rows than the 1 of the header", deck:format(1, 0, "sphere"))
wrong("atom style atomic has 5 values in a line, or 8 with image flags, not 7", deck:format(2, 0, "atomic"))
wrong("the lower bound must be below the upper one", deck:format(2, 3, "sphere"))
-- atoms without a density have the mass of their type
do
  local text = "grains\n\n3 atoms\n2 atom types\n\n0 3 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nMasses\n\n1 0.5\n2 0.25\n\nAtoms # atomic\n\n1 2 0.5 0.5 0.5\n2 1 1.5 0.5 0.5\n3 2 2.5 0.5 0.5\n"
  is(read(text, { radius = 0.1 }), "mass", { 0.25, 0.5, 0.25 })
end
fails("No such file", function() world():read_grains { file = "nowhere.csv" } end)
-- nothing was added by a file that is refused in the middle
w = world()
pcall(w.read_grains, w, { file = folder .. "make.py" })
assert(w:count() == 0)

-- ---- overlaps ----
-- three balls in a row: 0.1 and 0.05 deep
local row = "x y z r\n0 0 0 1\n1.9 0 0 1\n3.85 0 0 1\n"
w, info = read(row)
assert(info.overlaps.count == 2 and near(info.overlaps.largest, 0.1, 1e-14) and near(info.overlaps.mean, 0.075, 1e-14) and near(info.overlaps.share, 0.1, 1e-14))
assert(info.scale == 1)
w, info = read(row, { shrink = true })
assert(near(info.scale, 0.95, 1e-11))
is(w, "position", { 0, 0, 0, 1.9, 0, 0, 3.85, 0, 0 })
w:step()
assert(w:report().penetration == 0)
wrong("shrink: rows 1 and 2 lie at the same place", "x y z r\n1 1 1 1\n1 1 1 2\n", { shrink = true })
-- across the periodic face of the world's cell
do
  local path = write "x y z r\n0.05 5 5 1\n8 5 5 1\n"
  w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 10, 10, 10 }, periodic = { true, false, false } } }
  local _, about = w:read_grains { file = path }
  assert(about.overlaps.count == 0)
  os.remove(path)
  path = write "x y z r\n0.05 5 5 1\n8.1 5 5 1\n"
  w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 10, 10, 10 }, periodic = { true, false, false } } }
  _, about = w:read_grains { file = path }
  assert(about.overlaps.count == 1 and near(about.overlaps.largest, 0.05, 1e-12))
  os.remove(path)
end
-- grains of sizes from 1 to 40: the same pairs as looking at all of them
do
  local lines, balls = { "x y z r" }, {}
  for k = 1, 400 do
    local r = 0.004 * 1.5 ^ (k % 9)
    local b = { (k * 0.618034) % 1, (k * 0.754878) % 1, (k * 0.569840) % 1, r }
    balls[k] = b
    lines[#lines + 1] = ("%.17g %.17g %.17g %.17g"):format(table.unpack(b))
  end
  local pairs_of, largest, sum = 0, 0, 0
  for a = 1, #balls do
    for b = a + 1, #balls do
      local p, q = balls[a], balls[b]
      local depth = p[4] + q[4] - math.sqrt((p[1] - q[1]) ^ 2 + (p[2] - q[2]) ^ 2 + (p[3] - q[3]) ^ 2)
      if depth > 0 then pairs_of, largest, sum = pairs_of + 1, math.max(largest, depth), sum + depth end
    end
  end
  local text = table.concat(lines, "\n") .. "\n"
  _, info = read(text)
  assert(pairs_of > 50 and info.overlaps.count == pairs_of and near(info.overlaps.largest, largest, 1e-12) and near(info.overlaps.mean, sum / pairs_of, 1e-12))
  -- relaxed: nothing overlaps, the mean height stays, radii shrink less than without moving
  local before = 0
  for _, b in ipairs(balls) do before = before + b[3] end
  w, info = read(text, { relax = true })
  local _, shrunk = read(text, { shrink = true })
  assert(info.scale > shrunk.scale and info.scale <= 1, ("%g %g"):format(info.scale, shrunk.scale))
  local z = w:view "position":totable()
  local after = 0
  for k = 1, #balls do after = after + z[3 * k] end
  assert(math.abs(after - before) / #balls < 1e-3, (after - before) / #balls)
  w:step()
  assert(w:report().penetration == 0)
end

-- an archive that ends within the record of 64-bit offsets
do
  local path = os.tmpname()
  local file <close> = assert(io.open(path, "wb"))
  file:write("PK\3\4" .. string.pack("<I4I4I8I4", 0x07064b50, 0, 1 << 40, 1) .. string.pack("<I4I2I2I2I2I4I4I2", 0x06054b50, 0, 0, 1, 1, 0, 0xffffffff, 0))
  file:close()
  fails("the archive has no directory", function() world():read_grains { file = path, format = "npz" } end)
  os.remove(path)
end

-- an archive with the record of 64-bit offsets holds what it holds without
do
  local function read_archive(text)
    local path = os.tmpname() .. ".npz"
    local file <close> = assert(io.open(path, "wb"))
    file:write(text)
    file:close()
    local w = world()
    w:read_grains { file = path }
    os.remove(path)
    return w:view "position":totable()
  end
  local text = assert(io.open(folder .. "stored.npz", "rb")):read "a"
  local body, entries, size, place = text:sub(1, -23), string.unpack("<I2I4I4", text, #text - 11)
  assert(text:sub(-22, -19) == "PK\5\6" and place + size == #body and entries > 1)
  local wide = body .. string.pack("<I4I8I2I2I4I4I8I8I8I8", 0x06064b50, 44, 45, 45, 0, 0, entries, entries, size, place)
    .. string.pack("<I4I4I8I4", 0x07064b50, 0, #body, 1) .. string.pack("<I4I2I2I2I2I4I4I2", 0x06054b50, 0, 0, 0xffff, 0xffff, 0xffffffff, 0xffffffff, 0)
  local one, two = read_archive(text), read_archive(wide)
  assert(#one > 0 and #one == #two)
  for k, x in ipairs(one) do assert(two[k] == x) end
end

-- two columns of sizes: they must agree, or the caller chooses
read("x,y,z,radius,diameter\n0,0,0,0.5,1\n")
fails("'1.5' is not twice the radius of the row", read, "x,y,z,radius,diameter\n0,0,0,0.5,1\n5,0,0,0.5,1.5\n")
local chosen = read("x,y,z,radius,diameter\n0,0,0,0.5,3\n", { columns = { radius = false } })
assert(chosen:view "radius":totable()[1] == 1.5)
assert(read("x,y,z,radius,diameter\n0,0,0,0.5,3\n", { columns = { radius = "radius" } }):view "radius":totable()[1] == 0.5)
assert(read("x,y,z,radius,diameter\n0,0,0,0.5,3\n", { columns = { diameter = false } }):view "radius":totable()[1] == 0.5)
assert(read("x,y,z,radius,diameter\n0,0,0,0.5,3\n", { radius = 2 }):view "radius":totable()[1] == 2)
-- more types of atoms than the header counts
fails("an atom of type 3; the header counts 2 types", read, "title\n\n1 atoms\n2 atom types\n\n0 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\n\nAtoms # sphere\n\n1 3 0.1 1000 0.5 0.5 0.5\n")
-- lines that end with CR alone: the time grows with the length of the file, not with its square
do
  local rows = { "x,y,z,r" }
  for k = 1, 150000 do rows[#rows + 1] = ("%d,%d,%d,0.1"):format(k % 40, k // 40 % 40, k // 1600) end
  local seconds = {}
  for _, ending in ipairs { "\n", "\r" } do
    local text, start = table.concat(rows, ending) .. ending, os.clock()
    assert(#read(text):view "radius":totable() == 150000)
    seconds[ending] = os.clock() - start
  end
  assert(seconds["\r"] < 3 * seconds["\n"] + 0.1, seconds["\r"] .. " s, with LF " .. seconds["\n"])
end

do -- rows of a clump that differ in size and all have the mass of the clump (LIGGGHTS), and columns that clash with the ids
  local path = os.tmpname() .. ".csv"
  local function write(text)
    local f <close> = assert(io.open(path, "w"))
    f:write(text)
  end
  local function refused(words, def, w)
    def.file, w = path, w or world()
    local before = w:count()
    local fine, text = pcall(w.read_grains, w, def)
    assert(not fine and tostring(text):find(words, 1, true), tostring(text))
    assert(w:count() == before, "grains were added")
  end
  write "id x y z r mass clump\n1 0 0 0 0.1 5 1\n2 0.1 0 0 0.05 5 1\n"
  refused("clump 1: its 2 rows differ in size, but all have the mass 5 kg", {})
  local w = world()
  assert(w:read_grains { file = path, columns = { mass = false }, density = 1000 } == 1)
  local lens = math.pi / 12 / 0.1 * (0.1 + 0.05 - 0.1) ^ 2 * (0.1 ^ 2 + 2 * 0.1 * 0.15 - 3 * (0.1 - 0.05) ^ 2)
  assert(near(w:view "mass":sum(), 1000 * (4 / 3 * math.pi * (0.1 ^ 3 + 0.05 ^ 3) - lens), 1e-9), w:view "mass":sum())
  w = world()
  w:column { name = "source_id", default = 5 }
  refused("read_grains.ids: column.name: there is a column 'source_id' with another unit or default; ids = NAME names another", { density = 1 }, w)
  refused("read_grains.ids: column.name: 'mass' is a field of every body", { density = 1, ids = "mass" })
  assert(w:read_grains { file = path, density = 1000, ids = "theirs" } == 1 and w:view "theirs"[1] == 1 and w:view "source_id"[1] == 5)
  os.remove(path)
end
