-- Tests the fields of grains in a file: names of columns, units, orientations, types, and errors about wrong values of every field.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.near
local grain_file = require "grain_file"
local read, look, same = grain_file.read, grain_file.look, grain_file.same
math.randomseed(11)

-- ---- names of columns that programs use ----
do
  local usual = {
    x = "x X position_x Points_x xu positions_x r_x", y = "y position_y points_y yu coordinates_y", z = "z position_z points_z zu pz", radius = "radius r rad Radii", diameter = "diameter d diam",
    density = "density rho", mass = "mass m", vx = "vx velocity_x linVelVec_x", vy = "vy velocity_y v_y", vz = "vz velocity_z vel_z", wx = "wx omegax spin_x angVelVec_x", wy = "wy omegay spin_y", wz = "wz omegaz omega_z",
    qw = "qw quatw orientation_w", qx = "qx quati orientation_x", qy = "qy quatj", qz = "qz quatk", id = "id particle_id tag", type = "type species material matId", clump = "clump clumpId id_multisphere", group = "group",
  }
  local order = { "x", "y", "z", "radius", "density", "mass", "vx", "vy", "vz", "wx", "wy", "wz", "qw", "qx", "qy", "qz", "id", "type", "clump", "group" }
  local base = { x = 1, y = 2, z = 3, radius = 4, density = 5, mass = 6, vx = 7, vy = 8, vz = 9, wx = 10, wy = 11, wz = 12, qw = 1, qx = 0, qy = 0, qz = 0, id = 17, type = 18, clump = 0, group = 20 }
  for field, list in pairs(usual) do
    for name in list:gmatch "%S+" do
      local names, numbers = {}, {}
      for k, of in ipairs(order) do
        local is = of == field or (field == "diameter" and of == "radius")
        names[k], numbers[k] = is and name or of, tostring(base[of])
      end
      local info = look(table.concat(names, ",") .. "\n" .. table.concat(numbers, ",") .. "\n")
      local found = {}
      for _, f in ipairs(info.fields) do found[f] = true end
      for _, of in ipairs(order) do assert(found[of] or (field == "diameter" and of == "radius"), field .. " as " .. name .. " lacks " .. of) end
      assert(found[field] and #info.fields == #order and info.radius_max == (field == "diameter" and 2 or 4), name)
      assert(info.min[1] == 1 and info.max[2] == 2 and info.max[3] == 3 and info.columns[1] == names[1] and #info.columns == #names)
    end
  end
  -- if two columns have names of x, the preferred name counts, in any order of columns
  assert(look("xu,x,y,z,r\n7,1,2,3,1\n").min[1] == 1 and look("x,xu,y,z,r\n1,7,2,3,1\n").min[1] == 1)
  -- columns without names are called 1, 2, ...; the caller also counts columns from 1
  local info = look("1 2 3 4 9\n", { columns = { x = 4, y = 3, z = 2, radius = 5 } })
  assert(table.concat(info.columns, ",") == "1,2,3,4,5" and info.min[1] == 4 and info.min[2] == 3 and info.min[3] == 2 and info.radius_min == 9)
  local text = "x,y,z,r\n1,2,3,4\n"
  for _, number in ipairs { 0, 5 } do fails(("columns.x is %d; the file has columns 1 to 4"):format(number), look, text, { columns = { x = number } }) end
  assert(look(text, { columns = { x = 4 } }).min[1] == 4 and look(text, { columns = { x = "Y" } }).min[1] == 2 and look("x,X,y,z,r\n1,5,2,3,4\n", { columns = { x = "X" } }).min[1] == 5)
  fails("there is no column 'temperature'; there are x, y, z, r", look, text, { columns = { x = "temperature" } })
  fails("there is no column 'temperature'; the file has no header: give numbers", look, "1 2 3 4\n", { columns = { x = "temperature" } })
  fails("columns.values: there is no column 'T'", read, text, { values = { t = "T" } })
  fails(":3: column 5 (T): 'hot' is no finite number", read, "x,y,z,r,T\n1,2,3,4,5\n9,2,3,4,hot\n", { values = { t = "T" } })
  -- if the caller names the radius or the diameter, only this column is read; otherwise the diameter must be twice the radius
  assert(look("x,y,z,r,d\n1,2,3,4,5\n", { columns = { diameter = "d" } }).radius_min == 2.5)
  assert(look("x,y,z,r,d\n1,2,3,4,5\n", { columns = { radius = "r" } }).radius_min == 4)
  assert(look("x,y,z,r,d\n1,2,3,4,8.00007\n").radius_min == 4)
  fails("'8.00009' is not twice the radius of the row", look, "x,y,z,r,d\n1,2,3,4,8.00009\n")
  fails("'7.99991' is not twice the radius of the row", look, "x,y,z,r,d\n1,2,3,4,7.99991\n")
end

-- ---- units: every unit of lengths, with and without those of mass and time ----
do
  local length = { m = 1, mm = 1e-3, cm = 1e-2, um = 1e-6, km = 1e3, ["in"] = 0.0254, ft = 0.3048 }
  local function dump(last) return "ITEM: TIME\n5\nITEM: TIMESTEP\n9\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n-1 3\n0 5\n2 8\nITEM: ATOMS x y z radius vx vy vz wx wy wz " .. last .. "\n1 2 3 4 5 6 7 8 9 10 11\n" end
  for unit, L in pairs(length) do
    for _, mass in ipairs { false, "kg", "g" } do
      for _, time in ipairs { false, "s", "ms" } do
        local M, T = mass == "g" and 1e-3 or 1, time == "ms" and 1e-3 or 1
        local volume = 4 / 3 * math.pi * (4 * L) ^ 3
        for last, want in pairs { mass = 11 * M, density = 11 * (mass and M / L ^ 3 or 1) * volume } do
          local w, info = read(dump(last), { unit = unit, mass_unit = mass or nil, time_unit = time or nil })
          local what = unit .. " " .. tostring(mass) .. " " .. tostring(time)
          same(w:view "position":totable(), { L, 2 * L, 3 * L }, what .. ": position", 1e-15)
          same(w:view "radius":totable(), { 4 * L }, what .. ": radius", 1e-15)
          same(w:view "velocity":totable(), { 5 * L / T, 6 * L / T, 7 * L / T }, what .. ": velocity", 1e-15)
          same(w:view "spin":totable(), { 8 / T, 9 / T, 10 / T }, what .. ": spin", 1e-15)
          same(w:view "mass":totable(), { want }, what .. ": " .. last, 1e-13)
          same({ info.time }, { 5 * T }, what .. ": time", 1e-15)
          same(info.cell.size, { 4 * L, 5 * L, 6 * L }, what .. ": size", 1e-15)
          same(info.cell.origin, { -L, 0, 2 * L }, what .. ": origin", 1e-15)
        end
      end
    end
  end
  -- precedence of units: the entry's unit, then the header's unit, then the call's unit
  local text = "x [mm],y [mm],z [mm],r [mm],vx [cm/s],vy,vz,rho [g/cm3]\n1,2,3,4,5,6,7,2\n"
  local w = read(text, { unit = "km", columns = { y = { "y", unit = "in" } } })
  same(w:view "position":totable(), { 1e-3, 2 * 0.0254, 3e-3 }, "units", 1e-15)
  same(w:view "velocity":totable(), { 0.05, 6000, 7000 }, "units", 1e-15)
  same(w:view "mass":totable(), { 2000 * 4 / 3 * math.pi * 0.004 ^ 3 }, "units", 1e-14)
end

-- ---- errors about wrong values ----
do
  local order, good = { "x", "y", "z", "radius", "density", "mass", "vx", "vy", "vz", "wx", "wy", "wz", "qw", "qx", "qy", "qz", "id", "type", "clump", "group" },
    { "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "1", "0", "0", "0", "17", "18", "0", "20" }
  local positive, whole = { radius = true, density = true, mass = true }, { id = true, type = true, clump = true, group = true }
  local function row(k, value)
    local cells = table.move(good, 1, #good, 1, {})
    cells[k] = value
    return table.concat(order, ",") .. "\n\n" .. table.concat(cells, ",") .. "\n"
  end
  for k, field in ipairs(order) do
    local place = (":3: column %d (%s): "):format(k, field)
    if field ~= "type" then fails(place .. "'abc' is no finite number", look, row(k, "abc")) end
    for _, value in ipairs { "0", "-1" } do
      if positive[field] then fails(place .. "'" .. value .. "' must be positive", look, row(k, value)) elseif field ~= "qw" then look(row(k, value)) end
    end
    if whole[field] then
      fails(place .. "'1.5' must be a whole number", look, row(k, "1.5"))
      fails(place .. "'9000000000000001' is above 9e15, the largest whole number that is read", look, row(k, "9000000000000001"))
      fails(place .. "'-9000000000000001' is above 9e15", look, row(k, "-9000000000000001"))
      look(row(k, "9e15"))
    else look(row(k, "1.5")) end
  end
  -- formats without lines: the error has the number of the row
  fails("row 1, column 4 (radius): -1 must be positive", look, "\x93NUMPY\1\0" .. string.pack("<s2", "{'descr': [('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('radius', '<f8')], 'fortran_order': False, 'shape': (1,)}") .. string.pack("<dddd", 1, 2, 3, -1))
  -- a vector needs all components, except z of positions and velocities; a spin may lack any component
  for _, vector in ipairs { { 1, 3 }, { 7, 3 }, { 10, 3 }, { 13, 4 } } do
    for missing = vector[1], vector[1] + vector[2] - 1 do
      local names, cells = table.move(order, 1, #order, 1, {}), table.move(good, 1, #good, 1, {})
      table.remove(names, missing)
      table.remove(cells, missing)
      local text = table.concat(names, ",") .. "\n" .. table.concat(cells, ",") .. "\n"
      if order[missing] == "z" or order[missing] == "vz" or vector[1] == 10 then
        local w = read(text)
        local got, want = w:view(({ "position", "", "velocity", "spin" })[(vector[1] + 2) // 3]):totable(), {}
        for k = 0, 2 do want[k + 1] = vector[1] + k == missing and 0 or tonumber(good[vector[1] + k]) end
        same(got, want, "without " .. order[missing])
      else
        fails(("no column for %s: give columns = { %s = NAME or NUMBER }"):format(order[missing], order[missing]), look, text)
      end
    end
  end
  assert(look("x,y,r\n1,2,3\n").max[3] == 0)
  fails("no column for x: give", look, "x,y,r\n1,2,7\n", { columns = { x = false } })
  fails("no column for x: give", look, "y,z,r\n2,3,4\n")
  fails("no column for y: give", look, "x,z,r\n2,3,4\n")
  fails("no column of sizes: give", look, "x,y,z\n2,3,4\n")
  fails("no column of sizes, and the file has no header: give", look, "1 2 3\n", { columns = { x = 1, y = 2, z = 3 } })
end

-- ---- orientations: any length but 0 ----
do
  local function turn(q) return read(("x,y,z,r,qw,qx,qy,qz\n1,2,3,4,%.17g,%.17g,%.17g,%.17g\n"):format(table.unpack(q))):view "orientation":totable() end
  for k = 1, 20 do
    local q, length = {}, 0
    for c = 1, 4 do
      q[c] = (math.random() - 0.5) * 10 ^ (k % 7 - 3)
      length = length + q[c] ^ 2
    end
    length = math.sqrt(length)
    local got = turn(q)
    local sign = got[1] * q[1] < 0 and -1 or 1
    for c = 1, 4 do near(got[c], sign * q[c] / length, 1e-14) end
  end
  same(turn { 0.6, 0.8, 0, 0 }, { 0.6, 0.8, 0, 0 }, "a length of 1")
  fails("column 5 (qw): '0' begins a quaternion of length 0", turn, { 0, 0, 0, 0 })
  fails("begins a quaternion of length 0", turn, { 5e-7, 0, 0, 5e-7 })
  turn { 0, 0, 0, 2e-6 }
end

-- ---- types that are words; ids; walls of scree's own files ----
do
  local head = "id,x,y,z,r,type,kind\n"
  local info = look(head .. "4,0,0,0,1,iron,0\n9,5,0,0,1,sand,0\n3,9,0,0,1,iron,0\n8,15,0,0,1,ash,0\n")
  assert(table.concat(info.types, " ") == "iron sand ash")
  fails(":3: column 6 (type): 'sand' is no number, but the types before are", look, head .. "4,0,0,0,1,1,0\n9,5,0,0,1,sand,0\n")
  fails(":3: column 6 (type): '7' is no word, but the types before are", look, head .. "4,0,0,0,1,sand,0\n9,5,0,0,1,7,0\n")
  fails(":5: column 1 (id): '4' stands in line 2 too", look, head .. "4,0,0,0,1,1,0\n9,5,0,0,1,1,0\n3,9,0,0,1,1,0\n4,9,0,0,1,1,0\n")
  fails(":3: column 1 (id): '4' stands in line 2 too", look, head .. "4,0,0,0,1,1,0\n4,5,0,0,1,1,0\n3,9,0,0,1,1,0\n")
  local w
  w, info = read(head .. "1,0,0,0,7,1,1\n2,1,2,3,4,2,0\n3,0,0,0,7,1,2\n4,15,5,4,2,3,3\n5,-20,6,7,3,2,0\n")
  assert(info.left_out == 2 and info.count == 3 and info.radius_min == 2 and info.radius_max == 4)
  same(info.min, { -20, 2, 3 }, "min")
  same(info.max, { 15, 6, 7 }, "max")
  same(w:view "source_id":totable(), { 2, 4, 5 }, "ids")
  same(w:view "group":totable(), { 2, 3, 2 }, "types are groups")
  fails("row 3, column 1 (id): 7 stands in row 1 too", look, "\x93NUMPY\1\0" .. string.pack("<s2", "{'descr': [('id', '<i8'), ('x', '<f8'), ('y', '<f8'), ('z', '<f8'), ('radius', '<f8')], 'fortran_order': False, 'shape': (3,)}")
    .. string.pack("<i8dddd", 7, 1, 2, 3, 1) .. string.pack("<i8dddd", 8, 1, 2, 3, 1) .. string.pack("<i8dddd", 7, 1, 2, 3, 1))
end
print "grain_fields: ok"
