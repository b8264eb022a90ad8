-- Reads grains from files of LAMMPS, MercuryDPM and extended XYZ: every atom style, section, kind of box and wrong line.
local fails = require("check").fails
local grain_file = require "grain_file"
local read, look, columns, same = grain_file.read, grain_file.look, grain_file.columns, grain_file.same
local function swap(text, from, to)
  local a, b = text:find(from, 1, true)
  return text:sub(1, assert(a, from) - 1) .. to .. text:sub(b + 1)
end

-- ---- LAMMPS data: styles by the manual of read_data ----
local styles = { sphere = "id type diameter density x y z", granular = "id type diameter density x y z", atomic = "id type x y z", charge = "id type q x y z", bond = "id mol type x y z", angle = "id mol type x y z",
  molecular = "id mol type x y z", full = "id mol type q x y z", ellipsoid = "id type ellipsoid density x y z", hybrid = "id type x y z" }
local value = { id = { 12, 5, 9 }, type = { 2, 1, 2 }, diameter = { 4, 6, 8 }, density = { 10, 20, 30 }, x = { 1, 21, 41 }, y = { 2, 22, 42 }, z = { 3, 23, 43 }, q = { 0.5, -0.5, 1.5 }, mol = { 7, 8, 9 }, ellipsoid = { 0, 1, 1 },
  ix = { 1, 0, -1 }, iy = { 0, 2, 0 }, iz = { -3, 0, 0 }, ["8"] = { 100, 200, 300 } }
local head = "title # of the file\n\n3 atoms # all\n\t2 atom types \n0 bonds\n\n-1 49 xlo xhi # low and high\n-2 50 ylo yhi\n-3 60 zlo zhi\n0.25 0.5 -0.75 xy xz yz\n"
local function section(title, names)
  local lines = { title, "" }
  for row = 1, 3 do
    local cells = {}
    for _, n in ipairs(names) do cells[#cells + 1] = tostring(value[n][row]) end
    lines[#lines + 1] = table.concat(cells, " ") .. (row == 2 and " # a comment" or "")
  end
  return table.concat(lines, "\n") .. "\n\n"
end
local function words(text)
  local out = {}
  for word in text:gmatch "%S+" do out[#out + 1] = word end
  return out
end
for style, list in pairs(styles) do
  for _, images in ipairs { false, true } do
      local names = words(list .. (images and style ~= "hybrid" and " ix iy iz" or "") .. (style == "hybrid" and " q mol 8" or ""))
      local shown = { style, style:upper() }
      if style == "sphere" or style == "atomic" then shown[3] = "" end -- a title without a style
      for _, title in ipairs(shown) do
        local text = head .. "\nMasses\n\n1 0.5\n2 0.25\n\n" .. section("Atoms" .. (title == "" and "" or "  # " .. title), names) .. "Bonds\n\n1 1 2 3\n"
        local asked = {}
        for k, n in ipairs(names) do asked[k] = style == "hybrid" and k > 5 and tostring(k) or n end
        local got, info, w = columns(text, asked)
        for k, n in ipairs(names) do same(got[asked[k]], value[n], style .. ": " .. n) end
        assert(info.format == "lammps-data" and info.count == 3, style)
        for r, row in ipairs { { 50, 0.25, 0.5 }, { 0, 52, -0.75 }, { 0, 0, 63 } } do same(info.matrix[r], row, "box") end
        same(info.cell.origin, { -1, -2, -3 }, "origin")
        for k = 1, 3 do assert(not info.cell.periodic[k]) end
        if not list:find "density" then same(w:view "mass":totable(), { 0.25, 0.5, 0.25 }, style .. ": mass") end
      end
  end
end
-- the section Velocities: in another order than the atoms, with and without spins, before and after the section Atoms
for _, count in ipairs { 3, 6 } do
  local lines = {}
  for _, id in ipairs { 9, 12, 5 } do
    local cells = { id }
    for k = 1, count do cells[#cells + 1] = id * 10 + k end
    lines[#lines + 1] = table.concat(cells, " ")
  end
  local velocities, atoms = "Velocities\n\n" .. table.concat(lines, "\n") .. "\n\n", section("Atoms # sphere", words(styles.sphere))
  for _, text in ipairs { head .. "\n" .. velocities .. atoms, head .. "\n" .. atoms .. velocities, head .. "\n" .. atoms .. velocities:gsub("\n+$", "") } do
    local w = read(text)
    same(w:view "velocity":totable(), { 121, 122, 123, 51, 52, 53, 91, 92, 93 }, "velocity")
    same(w:view "spin":totable(), count == 3 and { 0, 0, 0, 0, 0, 0, 0, 0, 0 } or { 124, 125, 126, 54, 55, 56, 94, 95, 96 }, "spin")
    same(w:view "source_id":totable(), { 12, 5, 9 }, "id")
    same(w:view "radius":totable(), { 2, 3, 4 }, "radius")
    same(w:view "group":totable(), { 2, 1, 2 }, "group")
  end
end
do
  local atoms = section("Atoms # sphere", words(styles.sphere))
  local text = head .. "\n" .. atoms
  local function refuse(message, bytes, def) fails(message, look, bytes, def) end
  refuse(":3: '999999 atoms': the number is not whole, or more than the file can contain", swap(text, "3 atoms", "999999 atoms"))
  refuse(":4: '99999 atom types': the number is not whole, or more than the file can contain", swap(text, "2 atom types", "99999 atom types"))
  refuse(":3: '3.5 atoms': the number is not whole, or more than the file can contain", swap(text, "3 atoms", "3.5 atoms"))
  refuse(":7: '-1 x xlo xhi' must begin with numbers", swap(text, "-1 49", "-1 x"))
  refuse(":8: '-2 ylo yhi' must begin with numbers", swap(text, "-2 50", "-2"))
  refuse(":10: '0.25 0.5 xy xz yz' must begin with numbers", swap(text, "0.5 -0.75", "0.5"))
  for k, line in ipairs { "-1 49 xlo", "-2 50 ylo", "-3 60 zlo" } do
    local low = line:match "%S+"
    refuse((":%d: '%s %s"):format(6 + k, low, low), swap(text, line, low .. " " .. low .. line:match " %alo"))
  end
  refuse("atom style 'wavepacket' is not known", swap(text, "# sphere", "# wavepacket"))
  refuse(":12: the section Atoms does not say its style, and 4 values in a line are none that is known", swap(text, "Atoms # sphere\n\n", "Atoms\n\n1 2 3 4\n"))
  refuse(":12: atom style atomic has 5 values in a line, or 8 with image flags, not 7", swap(text, "# sphere", "# atomic"))
  refuse("the file ends after 2 of 3 rows", text:sub(1, text:find "9 2 8" - 1))
  refuse(":17: the section Atoms has more rows than the 2 of the header", (swap(swap(text, "3 atoms", "2 atoms"), "9 2 8", "\n9 2 8")))
  refuse("the section Atoms comes twice", text .. atoms)
  refuse("the section Masses comes twice", text .. "Masses\n\n1 1\n2 1\n\nMasses\n\n1 1\n2 1\n")
  refuse("there is no section Atoms", head)
  -- without atoms LAMMPS writes no section Atoms; other programs may write its title
  local none = swap(head, "3 atoms", "0 atoms")
  for _, rest in ipairs { "", "\nAtoms # atomic\n\n", "\nAtoms\n\nVelocities\n\n", "\nMasses\n\n1 1\n2 1\n\nAtoms # sphere\n\nVelocities\n\n" } do
    local info = look(none .. rest, { radius = 1 })
    assert(info.format == "lammps-data" and info.count == 0 and info.matrix[3][3] == 63, rest)
  end
  refuse(":14: the section Atoms has more rows than the 0 of the header", swap(text, "3 atoms", "0 atoms"))
  refuse(":14: an atom of type 2; the header counts 1 types", swap(text, "2 atom types", "1 atom types"))
  refuse(":15: the section Velocities has no atom 5", text .. "Velocities\n\n12 1 2 3\n6 1 2 3\n9 1 2 3\n")
  refuse("frame 2 does not exist: there is 1", text, { frame = 2 })
  assert(look((text:gsub("%-3 60 zlo zhi\n", ""))).cell == nil)
  assert(look((text:gsub("0%.25 0%.5 %-0%.75 xy xz yz\n", ""))).matrix == nil)
  -- the rows of Masses may have any order
  same(columns(head .. "\nMasses\n\n2 7\n1 8\n\n" .. section("Atoms # atomic", words(styles.atomic)), { "mass" }).mass, { 7, 8, 7 }, "masses in any order")
end

-- ---- LAMMPS dumps ----
do
  local function frame(step, time, bounds, rows, names)
    return (time and "ITEM: UNITS\nsi\nITEM: TIME\n" .. time .. "\n" or "") .. "ITEM: TIMESTEP\n" .. step .. "\nITEM: NUMBER OF ATOMS\n" .. #rows .. "\n" .. bounds .. "ITEM: ATOMS " .. (names or "id type x y z radius") .. "\n" .. table.concat(rows, "\n") .. "\n"
  end
  local box = "ITEM: BOX BOUNDS pp ff sm\n0 10\n1 5\n2 4\n"
  local text = frame(0, 0.5, box, { "1 1 1 2 3 0.1" }) .. frame(100, 1.5, box, { "1 1 11 2 3 0.1", "2 1 12 5 6 0.2" }) .. frame(200, nil, box, { "3 1 21 2 3 0.1" }) .. frame(300, 3.5, box, { "4 2 31 2 3 0.1", "6 1 35 5 6 0.3" })
  for number, want in ipairs { { 1, 0.5, 1 }, { 11, 1.5, 2 }, { 21, nil, 1 }, { 31, 3.5, 2 } } do
    for _, f in ipairs { number, number - 5 } do
      local info = look(text, { frame = f })
      assert(info.frames == 4 and info.frame == number and info.min[1] == want[1] and info.count == want[3] and info.time == want[2], number)
    end
  end
  assert(look(text).cell.periodic[1] and not look(text).cell.periodic[2] and not look(text).cell.periodic[3])
  for axis = 1, 3 do
    local flags = { "ff", "fs", "mm" }
    flags[axis] = "pp"
    local info = look(frame(0, nil, "ITEM: BOX BOUNDS " .. table.concat(flags, " ") .. "\n0 10\n1 5\n2 4\n", { "1 1 1 2 3 0.1" }))
    for k = 1, 3 do assert(info.cell.periodic[k] == (k == axis)) end
    same(info.cell.size, { 10, 4, 2 }, "size")
    same(info.cell.origin, { 0, 1, 2 }, "origin")
  end
  -- tilted boxes: the bounds enclose the corners (manual of dump); scaled positions, wrapped and unwrapped
  for _, tilt in ipairs { { 1, 2, 0.5 }, { -1, 2, 0.5 }, { 1, -2, -0.5 }, { -1, -2, -0.5 }, { 3, -1, 0 }, { -3, 1, 0.25 } } do
    local xy, xz, yz = table.unpack(tilt)
    local low, size = { 0.5, -1, 2 }, { 4, 8, 16 }
    local corner = { { 1 / 0, -1 / 0 }, { 1 / 0, -1 / 0 }, { 1 / 0, -1 / 0 } }
    for n = 0, 7 do
      local s = { n & 1, n >> 1 & 1, n >> 2 }
      local at = { low[1] + size[1] * s[1] + xy * s[2] + xz * s[3], low[2] + size[2] * s[2] + yz * s[3], low[3] + size[3] * s[3] }
      for k = 1, 3 do corner[k] = { math.min(corner[k][1], at[k]), math.max(corner[k][2], at[k]) } end
    end
    local bounds = ("ITEM: BOX BOUNDS xy xz yz pp pp ff\n%.17g %.17g %.17g\n%.17g %.17g %.17g\n%.17g %.17g %.17g\n"):format(corner[1][1], corner[1][2], xy, corner[2][1], corner[2][2], xz, corner[3][1], corner[3][2], yz)
    for _, names in ipairs { "xs ys zs radius", "xsu ysu zsu radius" } do
      local w, info = read(frame(0, nil, bounds, { "0.25 0.5 0.75 1", "0 0.25 0 1" }, names))
      for r, row in ipairs { { 4, xy, xz }, { 0, 8, yz }, { 0, 0, 16 } } do same(info.matrix[r], row, "tilted") end
      same(info.cell.origin, low, "origin of a tilted box")
      same(w:view "position":totable(), { low[1] + 1 + xy / 2 + xz * 0.75, low[2] + 4 + yz * 0.75, low[3] + 12, low[1] + xy / 4, low[2] + 2, low[3] }, names)
      assert(table.concat(info.columns, " ") == "x y z radius")
    end
    -- unscaled positions have precedence over scaled positions
    same(look(frame(0, nil, bounds, { "1 2 3 0.5 0.5 0.5 1" }, "x y z xs ys zs radius")).min, { 1, 2, 3 }, "x before xs")
    same(look(frame(0, nil, bounds, { "1 2 3 0.5 0.5 0.5 1" }, "xu yu zu xs ys zs radius")).min, { 1, 2, 3 }, "xu before xs")
  end
  -- a general box: edges and origin
  local general = look(frame(0, nil, "ITEM: BOX BOUNDS abc origin pp pp ff\n4 1 2 7\n-1 5 3 8\n0.5 -2 6 9\n", { "1 1 1 2 3 0.1" }))
  for r, row in ipairs { { 4, -1, 0.5 }, { 1, 5, -2 }, { 2, 3, 6 } } do same(general.matrix[r], row, "general") end
  same(general.cell.origin, { 7, 8, 9 }, "origin")
  assert(general.cell.periodic[1] and general.cell.periodic[2] and not general.cell.periodic[3])
  local function refuse(message, bytes, def) fails(message, look, bytes, def) end
  local one = frame(0, nil, box, { "1 1 1 2 3 0.1" })
  refuse(":4: the number of atoms is 'x'", swap(one, "ATOMS\n1\n", "ATOMS\nx\n"))
  refuse(":3: ITEM: ATOMS without a number of atoms before it", swap(one, "ITEM: NUMBER OF ATOMS\n1\n" .. box, ""))
  refuse(":9: ITEM: ATOMS names no columns", swap(one, " id type x y z radius", ""))
  refuse(":6: number 1 of the list: 'a' is no number", swap(one, "\n0 10\n", "\na 10\n"))
  refuse(":2: number 1 of the list: 'now' is no number", "ITEM: TIME\nnow\n" .. one)
  refuse("no ITEM: ATOMS in frame 1", "ITEM: TIMESTEP\n0\n")
  refuse("frame -1 does not exist: there are 0", "ITEM: UNITS\nsi\n")
  refuse("frame 5 does not exist: there are 4", text, { frame = 5 })
  refuse("the file ends after 0 of 1 rows", swap(one, "1 1 1 2 3 0.1\n", ""))
  refuse(":10: 5 values; the table has 6 columns", swap(one, "1 1 1 2 3 0.1", "1 1 1 2 3"))
  assert(look(swap(one, "\n0\n", "\n0 ITEM: TIMESTEP\n")).frames == 1) -- only at the beginning of a line
end

-- ---- MercuryDPM ----
do
  local plane = "2 0.5 -1 -2 9 8\n1 2 .1 .2 .5 .3 7 3\n4 5 .3 .4 1 .6 8 2\n1 0.75 -1 -2 9 8\n6 7 0 0 2 0 9 1\n"
  local w, info = read(plane, { frame = 1 })
  same(w:view "position":totable(), { 1, 2, 0, 4, 5, 0 }, "position")
  same(w:view "velocity":totable(), { 0.1, 0.2, 0, 0.3, 0.4, 0 }, "velocity")
  same(w:view "spin":totable(), { 0, 0, 7, 0, 0, 8 }, "spin")
  same(w:view "radius":totable(), { 0.5, 1 }, "radius")
  same(w:view "group":totable(), { 3, 2 }, "species")
  assert(info.format == "mercury-data" and info.frames == 2 and info.time == 0.5 and not info.cell)
  assert(look(plane).min[1] == 6 and look(plane).time == 0.75)
  local hopper = "0 0 -1 -2 9 8\n0 0.25 -1 -2 9 8\n" .. plane -- a hopper that is filled during the run
  assert(look(hopper).format == "mercury-data" and look(hopper).frames == 4 and look(hopper).count == 1)
  assert(look(hopper, { frame = 2 }).count == 0 and look(hopper, { frame = 3 }).count == 2)
  local solid = "2 0.5 -1 -2 -3 9 8 6\n1 2 3 .1 .2 .3 .5 11 12 13 4 5 6 3\n4 5 6 .4 .5 .6 1 14 15 16 7 8 9 2\n"
  w, info = read(solid)
  same(w:view "position":totable(), { 1, 2, 3, 4, 5, 6 }, "position")
  same(w:view "velocity":totable(), { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6 }, "velocity")
  same(w:view "spin":totable(), { 4, 5, 6, 7, 8, 9 }, "spin")
  same(w:view "group":totable(), { 3, 2 }, "species")
  same(info.cell.size, { 10, 10, 9 }, "size")
  same(info.cell.origin, { -1, -2, -3 }, "origin")
  for k = 1, 3 do
    assert(not info.cell.periodic[k])
    local bounds = { "-1", "-2", "-3" }
    bounds[k] = ({ "9", "8", "6" })[k]
    assert(not look(swap(solid, "-1 -2 -3", table.concat(bounds, " "))).cell) -- a box without volume is none
  end
  fails("the file ends after 2 of 3 rows", look, "3" .. solid:sub(2))
  fails(":1: the file cannot contain 999 rows", look, "999" .. solid:sub(2))
  -- files that are nearly such: tables of text
  for _, text in ipairs { "0" .. solid:sub(2), "2 0.5 -1 -2 -3 9 8\n1 2 3\n", "2 0.5 -1 -2 -3 9 8 x\n" .. solid, swap(solid, "6 3\n", "6\n") } do
    local fine, made = pcall(look, text, { columns = { x = 1, y = 2, z = 3 }, radius = 1 })
    assert(not fine or made.format == "text", text)
  end

  local restart = "MercuryDPM 1.0 name t\nxMin -1 xMax 9 yMin -2 yMax 8 zMin -3 zMax 7\ntime 0.5 tMax 1\nBoundaries 2\nPeriodicBoundary normal 0 1 0 left 0 right 9\nPeriodicBoundary normal 0 0 -1 left 0 right 9\n"
    .. "Particles 3\nSphericalParticle id 3 indSpecies 1 position 1 2 3 orientation 0 1 0 0 velocity .1 .2 .3 angularVelocity 4 5 6 radius 0.5 invMass 0.25\n\n"
    .. "SphericalParticle id 8 indSpecies 2 radius 1 position 4 5 6 velocity 0.4 .5 .6 angularVelocity 7 8 9 orientation 1 0 0 0 invMass 2\n"
    .. "SphericalParticle id 4 indSpecies 4 position 7 8 9 orientation 1 0 0 0 velocity 0 0 0 angularVelocity 0 0 0 radius 2 invMass 4\nWalls 0\n"
  w, info = read(restart)
  same(w:view "position":totable(), { 1, 2, 3, 4, 5, 6, 7, 8, 9 }, "position")
  same(w:view "velocity":totable(), { 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0, 0, 0 }, "velocity")
  same(w:view "spin":totable(), { 4, 5, 6, 7, 8, 9, 0, 0, 0 }, "spin")
  same(w:view "orientation":totable(), { 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0 }, "orientation")
  same(w:view "mass":totable(), { 4, 0.5, 0.25 }, "mass")
  same(w:view "radius":totable(), { 0.5, 1, 2 }, "radius")
  same(w:view "source_id":totable(), { 3, 8, 4 }, "id")
  same(w:view "group":totable(), { 1, 2, 4 }, "species")
  assert(info.format == "mercury-restart" and info.time == 0.5 and info.frames == 1 and not info.cell.periodic[1] and info.cell.periodic[2] and info.cell.periodic[3])
  same(info.cell.size, { 10, 10, 10 }, "size")
  same(info.cell.origin, { -1, -2, -3 }, "origin")
  assert(look("restart_version 3\n" .. restart).format == "mercury-restart")
  for k, edge in ipairs { "xMax 9", "yMax 8", "zMax 7" } do assert(not look(swap(restart, edge, edge:sub(1, 5) .. -k)).cell) end
  assert(not look(swap(restart, "zMax", "zTop")).cell and not look(swap(restart, "time 0.5", "tame 0.5")).time)
  fails("no number of particles behind the word Particles", look, swap(restart, "Particles 3", "Particles x"))
  fails("no number of particles behind the word Particles", look, swap(restart, "Particles 3", "Grains 3"))
  fails("the file ends after 4 of 5 particles", look, swap(restart, "Particles 3", "Particles 5"))
  fails(":8: number 1 of the list: 'x' is no number", look, swap(restart, "position 1 2", "position 1 x"))
  fails("frame 2 does not exist: there is 1", look, restart, { frame = 2 })
end

-- ---- extended XYZ ----
do
  local function frame(comment, rows) return #rows .. "\n" .. comment .. "\n" .. table.concat(rows, "\n") .. "\n" end
  local properties = "Properties=species:S:1:pos:R:3:velo:R:3:orientation:R:4:id:I:1:radius:R:1"
  local rows = { "sand 1 2 3 .1 .2 .3 0 1 0 0 7 .5", "rock 4 5 6 .4 .5 .6 0 0 0 1 9 1" }
  local lattice = ' Lattice="4 1 2 -1 5 3 0.5 -2 6"'
  local text = frame(properties .. lattice .. ' Origin="7 8 9" pbc="T F T" Time=2.5', rows) .. frame(properties .. " Time=3.5", { rows[2] }) .. frame("Time=4.5 " .. properties .. lattice, rows)
  local names = { "position_x", "position_y", "position_z", "velocity_x", "velocity_z", "qw", "qx", "qy", "qz", "id", "radius" }
  local got, info, w = columns(text, names, { frame = 1, sizes = true })
  for k, want in ipairs { { 1, 4 }, { 2, 5 }, { 3, 6 }, { 0.1, 0.4 }, { 0.3, 0.6 }, { 0, 1 }, { 0, 0 }, { 1, 0 }, { 0, 0 }, { 7, 9 }, { 0.5, 1 } } do same(got[names[k]], want, names[k]) end
  assert(w:count() == 2 and info.format == "xyz" and info.frames == 3 and info.time == 2.5 and info.columns[1] == "shape_name")
  for r, row in ipairs { { 4, -1, 0.5 }, { 1, 5, -2 }, { 2, 3, 6 } } do same(info.matrix[r], row, "lattice") end
  same(info.cell.origin, { 7, 8, 9 }, "origin")
  assert(info.cell.periodic[1] and not info.cell.periodic[2] and info.cell.periodic[3])
  info = look(text, { frame = 2 })
  assert(info.count == 1 and info.time == 3.5 and not info.cell and info.min[1] == 4)
  info = look(text)
  assert(info.count == 2 and info.time == 4.5 and info.frame == 3 and info.cell.periodic[1] and info.cell.periodic[2] and info.cell.periodic[3])
  same(info.cell.origin, { 0, 0, 0 }, "origin")
  for k, flags in ipairs { "T F F", "F T F", "F F T", "T" } do
    info = look(frame(properties .. lattice .. ' pbc="' .. flags .. '"', rows))
    for axis = 1, 3 do assert(info.cell.periodic[axis] == (axis == k or (k == 4 and axis == 1)), flags) end
  end
  assert(not look(frame(properties .. ' Lattice="1 2 3"', rows)).cell and not look(frame(properties .. lattice .. ' Origin="1 2"', rows)).cell and not look(frame(properties .. " x" .. lattice:sub(2), rows)).cell)
  assert(not look(frame(properties .. ' Lattice="4 1 2 -1 5 3 0.5 -2 x"', rows)).cell)
  assert(look(frame(properties .. "\tand more", rows)).count == 2)
  local function refuse(message, bytes, def) fails(message, look, bytes, def) end
  refuse(":2: Properties= must be a list name:kind:count:...", frame("Properties=pos:R:3:radius:R", rows))
  refuse(":2: Properties= has a count 'x'", frame("Properties=pos:R:x:radius:R:1", rows))
  refuse(":2: Properties= has a count '0'", frame("Properties=pos:R:3:radius:R:0", rows))
  refuse(":2: Properties= has a count '513'", frame("Properties=pos:R:3:radius:R:513", rows))
  refuse("more than 512 columns", frame("Properties=pos:R:3:radius:R:510", rows))
  refuse(":6: the frame has no Properties=", frame(properties, rows) .. frame("none", rows))
  refuse("the file ends after 1 of 2 rows", "2\n" .. properties .. "\n" .. rows[1] .. "\n")
  refuse("frame 4 does not exist: there are 3", text, { frame = 4 })
  refuse(":4: 12 values; the table has 13 columns", frame(properties, { rows[1], (rows[2]:gsub("sand ", ""):gsub(" 1$", "")) }))
end
print "grain_decks: ok"
