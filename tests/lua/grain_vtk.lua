-- Reads grains from VTK and GSD files: every type of number, byte order, compression and section. The test writes the files itself, by the
-- specifications of the formats.
local fails = require("check").fails
local grain_file = require "grain_file"
local look, columns, same = grain_file.look, grain_file.columns, grain_file.same

local kinds = {
  { xml = "Int8", vtk = { "char" }, gsd = 5, pack = "i1", low = -128, high = 127 }, { xml = "UInt8", vtk = { "unsigned_char" }, gsd = 1, pack = "I1", low = 0, high = 255 },
  { xml = "Int16", vtk = { "short" }, gsd = 6, pack = "i2", low = -32768, high = 32767 }, { xml = "UInt16", vtk = { "unsigned_short" }, gsd = 2, pack = "I2", low = 0, high = 65535 },
  { xml = "Int32", vtk = { "int", "vtkIdType", "vtktypeint32" }, gsd = 7, pack = "i4", low = -0x80000000, high = 0x7fffffff }, { xml = "UInt32", vtk = { "unsigned_int" }, gsd = 3, pack = "I4", low = 0, high = 0xffffffff },
  { xml = "Int64", vtk = { "long", "vtktypeint64" }, gsd = 8, pack = "i8", low = math.mininteger, high = 1 << 52 }, { xml = "UInt64", vtk = { "unsigned_long", "vtktypeuint64" }, gsd = 4, pack = "I8", low = 0, high = 1 << 62 },
  { xml = "Float32", vtk = { "float" }, gsd = 9, pack = "f", low = -1.5, high = 0.15625 }, { xml = "Float64", vtk = { "double" }, gsd = 10, pack = "d", low = -1e300, high = 0.1 },
}
local double = kinds[10]
local function pack(kind, order, values)
  local out = {}
  for k, v in ipairs(values) do out[k] = string.pack(order .. kind.pack, kind.pack:find "[fd]" and v + 0.0 or v) end
  return table.concat(out)
end
local function base64(bytes)
  local signs, out = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", {}
  for at = 1, #bytes, 3 do
    local a, b, c = bytes:byte(at, at + 2)
    local word = a << 16 | (b or 0) << 8 | (c or 0)
    for k = 0, 3 do
      local digit = word >> (18 - 6 * k) & 63
      out[#out + 1] = (k == 2 and not b or k == 3 and not c) and "=" or signs:sub(digit + 1, digit + 1)
    end
  end
  return table.concat(out)
end
-- Returns a zlib stream whose blocks are not compressed.
local function deflate(bytes)
  local a, b = 1, 0
  for k = 1, #bytes do
    a = (a + bytes:byte(k)) % 65521
    b = (b + a) % 65521
  end
  return "\x78\1\1" .. string.pack("<I2I2", #bytes, ~#bytes & 0xffff) .. bytes .. string.pack(">I4", b << 16 | a)
end
local rows = 7

-- ---- VTP and VTU ----
-- Returns the bytes of an array after a header with its length, or compressed in blocks of `block` bytes.
local function head(order, word, data, block)
  local function number(v) return string.pack(order .. word, v) end
  if not block then return number(#data), data end
  local sizes, parts = {}, {}
  for at = 1, #data, block do
    parts[#parts + 1] = deflate(data:sub(at, at + block - 1))
    sizes[#sizes + 1] = number(#parts[#parts])
  end
  return number(#parts) .. number(block) .. number(#data % block) .. table.concat(sizes), table.concat(parts)
end
local function xml(arrays, points, mode)
  local order, word = mode.big and ">" or "<", mode.wide and "I8" or "I4"
  local text, appended, before = {}, {}, 0
  local function put(...) text[#text + 1] = table.concat { ... } end
  put('<?xml version="1.0"?>\n<VTKFile type="', mode.type or "PolyData", '" version="1.0" byte_order="', mode.big and "BigEndian" or "LittleEndian", '"', mode.wide and ' header_type="UInt64"' or mode.plain and "" or ' header_type="UInt32"',
    mode.block and " compressor='vtkZLibDataCompressor'" or "", ">\n<", mode.type or "PolyData", ">\n")
  local function put_array(a)
    local data = pack(a.kind, order, a.values)
    put("<DataArray type=\"", a.kind.xml, '"', a.name and ' Name="' .. a.name .. '"' or "", a.count and ' NumberOfComponents="' .. a.count .. '"' or "", ' format="', mode.format, '"')
    if mode.format == "ascii" then
      put(">\n", table.concat(a.values, " "), "\n</DataArray>\n")
    else
      local one, two = head(order, word, data, mode.block)
      local bytes = mode.raw and one .. two or mode.block and base64(one) .. base64(two) or base64(one .. two)
      if mode.format == "binary" then put(">\n  ", bytes, "\n</DataArray>\n")
      else
        put(' offset="', before, '"/>\n')
        appended[#appended + 1] = bytes
        before = before + #bytes
      end
    end
  end
  for p, n in ipairs(points) do
    put('<Piece NumberOfPoints="', n, '" NumberOfCells="0">\n<PointData>\n')
    for k = 2, #arrays do put_array(arrays[k][p]) end
    put "</PointData>\n<CellData>\n<DataArray type=\"Float32\" Name=\"of_cells\" format=\"ascii\"></DataArray></CellData>\n<Points>\n"
    put_array(arrays[1][p])
    put "</Points>\n</Piece>\n"
  end
  put("</", mode.type or "PolyData", ">\n")
  if mode.format == "appended" then put('<AppendedData encoding="', mode.raw and "raw" or "base64", '">\n  _', table.concat(appended), "\n</AppendedData>\n") end
  put "</VTKFile>\n"
  return table.concat(text)
end
for number, kind in ipairs(kinds) do
  for _, format in ipairs { "ascii", "binary", "appended", "raw" } do
    for way = 0, format == "ascii" and 0 or 3 do
      local mode = { format = format == "raw" and "appended" or format, raw = format == "raw", big = (number + way) % 2 == 1, wide = way % 2 == 1, block = way > 1 and ({ 24, 40, 1000 })[number % 3 + 1] or nil,
        type = number % 2 == 0 and "UnstructuredGrid" or nil, plain = number % 3 == 0 }
      local points = number % 2 == 0 and { rows } or { 3, rows - 3 }
      local arrays, want = { {}, {}, {}, {} }, { points_x = {}, points_z = {}, one = {}, v_x = {}, v_y = {}, v_z = {}, five_1 = {}, five_5 = {} }
      for p, n in ipairs(points) do
        local one, three, five, place = {}, {}, {}, {}
        for k = 1, n do
          local i = #want.one + 1
          want.one[i] = i == 1 and kind.low or i == 7 and kind.high or i * 3
          one[k] = want.one[i]
          for c = 1, 3 do
            place[#place + 1] = 10 * i + c
            three[#three + 1] = i * c
          end
          for c = 1, 5 do five[#five + 1] = 10 * i + c end
          want.points_x[i], want.points_z[i], want.v_x[i], want.v_y[i], want.v_z[i], want.five_1[i], want.five_5[i] = 10 * i + 1, 10 * i + 3, i, 2 * i, 3 * i, 10 * i + 1, 10 * i + 5
        end
        arrays[1][p] = { kind = double, values = place, count = 3 }
        arrays[2][p] = { kind = kind, values = one, name = "one" }
        arrays[3][p] = { kind = kind, values = three, name = "v", count = 3 }
        arrays[4][p] = { kind = kind, values = five, name = "five", count = 5 }
      end
      local names = {}
      for name in pairs(want) do names[#names + 1] = name end
      table.sort(names)
      local got, info = columns(xml(arrays, points, mode), names)
      local what = ("%s %s way %d"):format(kind.xml, format, way)
      for _, name in ipairs(names) do same(got[name], want[name], what .. ": " .. name, format == "ascii" and 1e-13 or 0) end
      assert(info.format == "vtk-xml" and info.frames == 1 and #info.columns == 3 + 1 + 3 + 5, what)
    end
  end
end
do
  local function one(more) return xml({ { { kind = double, values = { 1, 2, 3, 4, 5, 6 }, count = 3 } }, { { kind = double, values = { 7, 8 }, name = "a" } } }, { 2 }, more) end
  local function refuse(message, bytes) fails(message, look, bytes, { radius = 1 }) end
  local binary, appended = one { format = "binary" }, one { format = "appended", raw = true }
  local ascii = one { format = "ascii" }
  local function swap(text, from, to)
    local a, b = text:find(from, 1, true)
    return text:sub(1, assert(a) - 1) .. to .. text:sub(b + 1)
  end
  assert(look(ascii, { radius = 1 }).count == 2 and look(binary, { radius = 1 }).max[3] == 6 and look(appended, { radius = 1 }).max[3] == 6)
  refuse("only files of type PolyData and UnstructuredGrid have grains", (ascii:gsub("PolyData", "ImageData")))
  refuse(":2: packed by vtkLZ4DataCompressor; only vtkZLibDataCompressor is read", swap(ascii, "byte_order", 'compressor="vtkLZ4DataCompressor" byte_order'))
  for _, count in ipairs { "x", "", "-1", "1e9" } do refuse(":4: a piece with a wrong NumberOfPoints", swap(ascii, 'NumberOfPoints="2"', 'NumberOfPoints="' .. count .. '"')) end
  refuse(":4: a piece with a wrong NumberOfPoints", swap(ascii, 'NumberOfPoints="2"', ""))
  refuse("NumberOfComponents must be a whole number", swap(ascii, 'NumberOfComponents="3"', 'NumberOfComponents="x"'))
  refuse(":13: points must have 3 components", swap(ascii, 'NumberOfComponents="3"', 'NumberOfComponents="2"'))
  refuse(":6: points must have 3 components", swap(ascii, 'Name="a"', 'Name="a" NumberOfComponents="0"'))
  refuse("the array has no known type", swap(binary, "Float64", "Float16"))
  refuse("the array has no offset", swap(appended, 'offset="0"', ""))
  refuse("the array has no offset", swap(appended, 'offset="0"', 'offset="x"'))
  refuse(":6: its offset 1000 lies behind the end of the file", swap(appended, 'offset="0"', 'offset="1000"'))
  refuse("its offset 0 lies behind the end of the file", (appended:gsub("<AppendedData.*", "")))
  refuse(":6: the array is cut off, damaged or not of 2 points", swap(appended, 'offset="0"', 'offset="20"'))
  refuse(":6: the array is cut off, damaged or not of 2 points", swap(binary, base64(string.pack("<I4dd", 16, 7, 8)), base64(string.pack("<I4d", 8, 7))))
  refuse(":6: the array is cut off, damaged or not of 2 points", swap(binary, base64(string.pack("<I4dd", 16, 7, 8)), base64(string.pack("<I4dd", 15, 7, 8))))
  refuse(":6: the array is cut off, damaged or not of 2 points", swap(binary, base64(string.pack("<I4dd", 16, 7, 8)), "*" .. base64(string.pack("<I4dd", 16, 7, 8)):sub(2)))
  for _, text in ipairs { "7 x", "7" } do refuse(text == "7" and "the list ends after 0 of 1 numbers" or "'x' is no number", swap(ascii, "\n7 8\n", "\n" .. text .. "\n")) end
  refuse("an array that the first piece does not have", (xml({ { { kind = double, values = { 1, 2, 3 }, count = 3 }, { kind = double, values = { 4, 5, 6 }, count = 3 } },
    { { kind = double, values = { 7 }, name = "a" }, { kind = double, values = { 8 }, name = "b" } } }, { 1, 1 }, { format = "ascii" })))
  refuse("there are no points", (ascii:gsub("<Points>.*</Points>", "")))
end

-- ---- legacy VTK ----
do
  local place = { 1, 2, 3, 11, 12, 13, 21, 22, 23 }
  local function legacy(binary, kind, name)
    local text = {}
    local function put(line) text[#text + 1] = line .. "\n" end
    local function put_numbers(of, values)
      if binary then put(pack(of, ">", values)) else
        for k, v in ipairs(values) do text[#text + 1] = tostring(v) .. (k % 4 == 0 and "\n" or " ") end
        put ""
      end
    end
    put "# vtk DataFile Version 5.1"
    put "a title"
    put(binary and "BINARY" or "ASCII")
    put "DATASET POLYDATA"
    put "FIELD FieldData 2"
    put "TIME 1 1 double"
    put_numbers(double, { 0.5 })
    put "METADATA\nINFORMATION 0\n"
    put "of_field 1 3 int"
    put_numbers(kinds[5], { 4, 5, 6 })
    put "POINTS 3 double"
    put_numbers(double, place)
    put "METADATA\nINFORMATION 0\n"
    put "VERTICES 1 4"
    put_numbers(kinds[5], { 3, 0, 1, 2 })
    put "LINES 2 3"
    put "OFFSETS vtktypeint64"
    put_numbers(kinds[7], { 0, 3 })
    put "CONNECTIVITY vtktypeint64"
    put_numbers(kinds[7], { 0, 1, 2 })
    put "CELL_TYPES 2"
    put_numbers(kinds[5], { 1, 1 })
    put "POINT_DATA 3"
    put("SCALARS one " .. name)
    put "LOOKUP_TABLE default"
    put_numbers(kind, { kind.low, kind.high, 7 })
    put("scalars two " .. name .. " 2")
    put_numbers(kind, { 1, 2, 3, 4, 5, 6 })
    put("VECTORS v " .. name)
    put_numbers(kind, { 1, 2, 3, 4, 5, 6, 7, 8, 9 })
    put("NORMALS n " .. name)
    put_numbers(kind, { 9, 8, 7, 6, 5, 4, 3, 2, 1 })
    put("TENSORS t " .. name)
    put_numbers(kind, (function() local o = {} for k = 1, 27 do o[k] = k end return o end)())
    put "FIELD more 3"
    put("a 1 3 " .. name)
    put_numbers(kind, { 3, 1, 2 })
    put("short 1 2 " .. name) -- not of the points
    put_numbers(kind, { 3, 1 })
    put("b 4 3 " .. name)
    put_numbers(kind, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 })
    put "CELL_DATA 3"
    put("SCALARS of_cells " .. name)
    put "LOOKUP_TABLE default"
    put_numbers(kind, { 1, 2, 3 })
    return table.concat(text)
  end
  local want = { points_x = { 1, 11, 21 }, points_y = { 2, 12, 22 }, points_z = { 3, 13, 23 }, two_x = { 1, 3, 5 }, two_y = { 2, 4, 6 }, v_x = { 1, 4, 7 }, v_z = { 3, 6, 9 }, n_x = { 9, 6, 3 }, n_y = { 8, 5, 2 },
    t_1 = { 1, 10, 19 }, t_9 = { 9, 18, 27 }, a = { 3, 1, 2 }, b_w = { 1, 5, 9 }, b_z = { 4, 8, 12 } }
  for _, kind in ipairs(kinds) do
    for _, name in ipairs(kind.vtk) do
      for _, binary in ipairs { false, true } do
        local k = name == "vtkIdType" and kinds[5] or kind
        want.one = { k.low, k.high, 7 }
        local names = {}
        for n in pairs(want) do names[#names + 1] = n end
        table.sort(names)
        local got, info = columns(legacy(binary, k, name), names)
        for _, n in ipairs(names) do same(got[n], want[n], name .. (binary and " binary " or " ascii ") .. n, binary and 0 or 1e-13) end
        assert(info.format == "vtk" and #info.columns == 3 + 1 + 2 + 3 + 3 + 9 + 1 + 4, #info.columns)
      end
    end
  end
  local head = "# vtk DataFile Version 3.0\ntitle\n"
  local points = head .. "ASCII\nDATASET POLYDATA\nPOINTS 1 float\n1 2 3\n"
  assert(look(points, { radius = 1 }).max[3] == 3)
  for message, text in pairs {
    [":3: ASCII or BINARY is missing"] = head .. "TEXT\nPOINTS 1 float\n1 2 3\n", ["there are no POINTS"] = head .. "ASCII\nDATASET POLYDATA\n", [":5: POINTS must have a number and a type"] = head .. "ASCII\nDATASET POLYDATA\nPOINTS float\n",
    [":7: POINTS comes twice"] = points .. "POINTS 1 float\n1 2 3\n", [":5: the file cannot contain 99999 points"] = head .. "ASCII\nDATASET POLYDATA\nPOINTS 99999 float\n1 2 3\n", [":7: a list of cells without a number"] = points .. "VERTICES x\n",
    [":7: the list of cells is cut off"] = points .. "VERTICES 2 1\nOFFSETS", [":7: FIELD must have a name and a number"] = points .. "FIELD x\n", [":8: an array of FIELD must say name, components, tuples and type"] = points .. "FIELD x 1\na 1 x float\n",
    [":8: an array must have a name and a type"] = points .. "POINT_DATA 1\nSCALARS x\n", [":8: numbers of type 'bit' are not read"] = points .. "POINT_DATA 1\nSCALARS x bit\n1\n", [":9: number 1 of the list: 'q' is no number"] = points .. "POINT_DATA 1\nSCALARS x float\nq\n",
    [":9: the list ends after 0 of 1 numbers"] = points .. "POINT_DATA 1\nSCALARS x float\n", [":8: the file cannot contain 99 tuples of 9 numbers"] = points .. "FIELD x 1\na 9 99 float\n", [":8: the file cannot contain 1 tuples of 0 numbers"] = points .. "FIELD x 1\na 0 1 float\n",
    [":5: the file ends within the array"] = (points:gsub("ASCII", "BINARY")),
  } do fails(message, look, text, { radius = 1 }) end
  for _, text in ipairs { "nan", "-nan", "inf", "-Inf" } do fails("row 1, column 4 (r): nan is no finite number", look, points .. "POINT_DATA 1\nSCALARS r float\n" .. text .. "\n") end
  assert(#look(points .. "POINT_DATA 1\nFIELD x 1\na 17 1 float\n" .. ("1 "):rep(17), { radius = 1 }).columns == 3)
  assert(#look(points .. "POINT_DATA 1\nFIELD x 1\na 16 1 float\n" .. ("1 "):rep(16), { radius = 1 }).columns == 19)
end

-- ---- GSD ----
-- frames: { { name, rows, columns, kind, values }, ... }
local function gsd(frames, more)
  more = more or {}
  local version, names, number, chunks, index = more.version or 2, {}, {}, {}, {}
  local at = 256
  for f, frame in ipairs(frames) do
    for _, chunk in ipairs(frame) do
      if not number[chunk[1]] then
        names[#names + 1] = chunk[1]
        number[chunk[1]] = #names - 1
      end
      local data = pack(chunk[4], "<", chunk[5])
      index[#index + 1] = { f - 1, number[chunk[1]], string.pack("<I8I8i8I4I2BB", f - 1, chunk[2], at, chunk[3], number[chunk[1]], chunk.gsd or chunk[4].gsd, 0) }
      chunks[#chunks + 1] = data
      at = at + #data
    end
  end
  table.sort(index, function(a, b) return a[1] ~= b[1] and a[1] < b[1] or a[1] == b[1] and a[2] < b[2] end)
  local list, text = {}, {}
  for k, e in ipairs(index) do list[k] = e[3] end
  list[#list + 1] = ("\0"):rep(32 * 3) -- room for later entries
  for k, n in ipairs(names) do text[k] = version == 1 and n .. ("\0"):rep(64 - #n) or n .. "\0" end
  local body, entries = table.concat(chunks), table.concat(list)
  local words = table.concat(text)
  words = words .. ("\0"):rep(64 * 8 - #words)
  local function fixed(s) return s .. ("\0"):rep(64 - #s) end
  local head = string.pack("<I8I8I8I8I8I4I4", 0x65DF65DF65DF65DF, more.index or 256 + #body, more.entries or #entries // 32, more.names or 256 + #body + #entries, more.blocks or #words // 64, 1 << 16 | 4, version << 16) .. fixed(more.application or "test") .. fixed "hoomd"
  return head .. ("\0"):rep(256 - #head) .. body .. entries .. words
end
local f4, u4, i4 = kinds[9], kinds[6], kinds[5]
local function N(n) return { "particles/N", 1, 1, u4, { n } } end
local function place(n, shift)
  local v = {}
  for k = 1, 3 * n do v[k] = 10 * k + (shift or 0) end
  return { "particles/position", n, 3, f4, v }
end
do
  -- every type, in both versions
  for _, kind in ipairs(kinds) do
    for version = 1, 2 do
      local got, info = columns(gsd({ { N(3), place(3), { "log/particles/id", 3, 1, kind, { 5, 7, kind == f4 and 8 or 100 } }, { "particles/diameter", 3, 1, kind, { 4, 6, 8 } } } }, { version = version }), { "id", "diameter", "position_x", "position_y", "position_z" }, { sizes = true })
      same(got.id, { 5, 7, kind == f4 and 8 or 100 }, kind.xml .. " id")
      same(got.diameter, { 4, 6, 8 }, kind.xml)
      same(got.position_x, { 10, 40, 70 }, "x")
      same(got.position_y, { 20, 50, 80 }, "y")
      same(got.position_z, { 30, 60, 90 }, "z")
      assert(info.format == "gsd" and info.radius_min == 2 and info.radius_max == 4 and not info.time and not info.cell)
    end
  end
  -- defaults; the chunk of the first frame counts if it has as many particles; one of another shape does not
  local q = { 1, 0, 0, 0, 0, 1, 0, 0 }
  local frames = {
    { N(2), place(2), { "particles/velocity", 2, 3, f4, { 1, 2, 3, 4, 5, 6 } }, { "particles/typeid", 2, 1, u4, { 0, 3 } }, { "particles/body", 2, 1, i4, { -1, 4 } }, { "particles/orientation", 2, 4, f4, q }, { "log/time", 1, 1, double, { 2.5 } } },
    { place(2, 1), { "particles/mass", 2, 1, f4, { 3, 4 } }, { "log/time", 1, 1, double, { 3.5 } } }, { N(3), place(3, 2), { "particles/mass", 2, 1, f4, { 3, 4 } } },
  }
  local names = { "position_x", "velocity_x", "velocity_z", "type", "mass", "diameter", "orientation_w", "orientation_x" }
  for frame, want in ipairs {
    { position_x = { 10, 40 }, velocity_x = { 1, 4 }, velocity_z = { 3, 6 }, type = { 1, 4 }, mass = { 1, 1 }, diameter = { 1, 1 }, orientation_w = { 1, 0 }, orientation_x = { 0, 1 }, clump = { 0, 5 } },
    { position_x = { 11, 41 }, velocity_x = { 1, 4 }, velocity_z = { 3, 6 }, type = { 1, 4 }, mass = { 3, 4 }, diameter = { 1, 1 }, orientation_w = { 1, 0 }, orientation_x = { 0, 1 }, clump = { 0, 5 } },
    { position_x = { 12, 42, 72 }, velocity_x = { 0, 0, 0 }, velocity_z = { 0, 0, 0 }, type = { 1, 1, 1 }, mass = { 1, 1, 1 }, diameter = { 1, 1, 1 }, orientation_w = { 1, 1, 1 }, orientation_x = { 0, 0, 0 } },
  } do
    local of = table.move(names, 1, #names, 1, {})
    if want.clump then of[#of + 1] = "clump" end
    local got, info = columns(gsd(frames), of, { frame = frame })
    for _, n in ipairs(of) do same(got[n], want[n], ("frame %d: %s"):format(frame, n)) end
    assert(info.frames == 3 and info.frame == frame and info.time == ({ 2.5, 3.5, 2.5 })[frame])
  end
  -- spins from angular momenta: p = 2 q (0, I w) with w in body axes; then q w q* in world axes
  local function mul(a, b)
    return { a[1] * b[1] - a[2] * b[2] - a[3] * b[3] - a[4] * b[4], a[1] * b[2] + a[2] * b[1] + a[3] * b[4] - a[4] * b[3], a[1] * b[3] + a[3] * b[1] + a[4] * b[2] - a[2] * b[4], a[1] * b[4] + a[4] * b[1] + a[2] * b[3] - a[3] * b[2] }
  end
  local turns, moments, momenta, want, upright = {}, {}, {}, {}, {}
  for k = 1, 6 do
    local a = { 0.3 + 0.1 * k, 0.5 - 0.2 * k, 0.1 * k * k - 1, 0.7 }
    local length = math.sqrt(a[1] ^ 2 + a[2] ^ 2 + a[3] ^ 2 + a[4] ^ 2)
    for c = 1, 4 do a[c] = a[c] / length end
    local I, w = { 1 + k, 2 * k, 7 - k }, { k - 3.5, 0.5 * k, 2 - k }
    if k == 6 then I[2] = 0 end -- no moment: no spin about this axis
    local p = mul(a, { 0, 2 * I[1] * w[1], 2 * I[2] * w[2], 2 * I[3] * w[3] })
    if k == 6 then w[2] = 0 end
    local turned = mul(mul(a, { 0, w[1], w[2], w[3] }), { a[1], -a[2], -a[3], -a[4] })
    for c = 1, 4 do turns[#turns + 1], momenta[#momenta + 1] = a[c], p[c] end
    for c = 1, 3 do moments[#moments + 1], want[#want + 1], upright[#upright + 1] = I[c], turned[c + 1], I[c] > 0 and p[c + 1] / 2 / I[c] or 0 end
  end
  local chunks = { N(6), place(6), { "particles/moment_inertia", 6, 3, double, moments }, { "particles/angmom", 6, 4, double, momenta } }
  local with = table.move(chunks, 1, #chunks, 1, {})
  with[#with + 1] = { "particles/orientation", 6, 4, double, turns }
  local w = grain_file.read(gsd { with }, {})
  for k, v in ipairs(w:view "spin":totable()) do assert(math.abs(v - want[k]) < 1e-13, k) end
  w = grain_file.read(gsd { chunks }, {})
  for k, v in ipairs(w:view "spin":totable()) do assert(math.abs(v - upright[k]) < 1e-13, k) end
  with[#with + 1] = { "log/particles/spin", 6, 3, double, moments } -- a spin of its own counts first
  same(grain_file.read(gsd { with }, {}):view "spin":totable(), moments, "spin")
  -- the box: Lx, Ly, Lz, xy, xz, yz, about the origin
  local box = { "configuration/box", 6, 1, f4, { 4, 5, 6, 0.25, 0.5, -0.5 } }
  local image = { "particles/image", 1, 3, i4, { 0, 0, 0 } }
  for _, case in ipairs { { "hoomd", false, true }, { "scree", false, false }, { "scree", true, true }, { "screen", false, true } } do
    local info = look(gsd({ { N(1), place(1), box, case[2] and image or nil } }, { application = case[1] }))
    for r, row in ipairs { { 4, 0.25 * 5, 0.5 * 6 }, { 0, 5, -0.5 * 6 }, { 0, 0, 6 } } do same(info.matrix[r], row, "box") end
    same(info.cell.origin, { -(4 + 1.25 + 3) / 2, -(5 - 3) / 2, -3 }, "origin")
    for k = 1, 3 do assert(info.cell.periodic[k] == case[3], case[1]) end
  end
  for k = 1, 3 do
    local flat = { "configuration/box", 6, 1, f4, { 4, 5, 6, 0, 0, 0 } }
    flat[5][k] = 0
    assert(not look(gsd { { N(1), place(1), flat } }).cell)
  end
  assert(not look(gsd { { N(1), place(1), { "configuration/box", 5, 1, f4, { 4, 5, 6, 0, 0 } } } }).cell)
  -- damage
  local good = { { N(1), place(1) } }
  for _, key in ipairs { "index", "entries", "names", "blocks" } do fails("its index or list of names lies behind the end", look, gsd(good, { [key] = 1 << 40 })) end
  fails("no frames, or a damaged index", look, gsd(good, { entries = 0 }))
  fails("the file cannot contain 99999 particles", look, gsd { { N(99999), place(1) } })
  fails("frame 2 does not exist: there is 1", look, gsd(good), { frame = 2 })
  local odd = place(1)
  odd.gsd = 11
  same(look(gsd { { N(1), odd } }).max, { 0, 0, 0 }, "a type that does not exist")
  odd.gsd = 0
  same(look(gsd { { N(1), odd } }).max, { 0, 0, 0 }, "no type")
  assert(look(gsd { { { "particles/N", 1, 1, kinds[8], { 1 } }, place(1) } }).count == 1)
end
print "grain_vtk: ok"
