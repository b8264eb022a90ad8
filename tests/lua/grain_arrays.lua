-- Reads grains from NumPy arrays and archives: every type of number, byte order, order of axes and compression. The test writes the files itself, by
-- the specification of the format.
local fails = require("check").fails
local grain_file = require "grain_file"
local look, columns, same = grain_file.look, grain_file.columns, grain_file.same

-- types of numbers: names in the formats, and the smallest and largest number that the test uses
local kinds = {
  { npy = "i1", xml = "Int8", vtk = "char", gsd = 5, pack = "i1", low = -128, high = 127 }, { npy = "u1", xml = "UInt8", vtk = "unsigned_char", gsd = 1, pack = "I1", low = 0, high = 255 },
  { npy = "i2", xml = "Int16", vtk = "short", gsd = 6, pack = "i2", low = -32768, high = 32767 }, { npy = "u2", xml = "UInt16", vtk = "unsigned_short", gsd = 2, pack = "I2", low = 0, high = 65535 },
  { npy = "i4", xml = "Int32", vtk = "int", gsd = 7, pack = "i4", low = -0x80000000, high = 0x7fffffff }, { npy = "u4", xml = "UInt32", vtk = "unsigned_int", gsd = 3, pack = "I4", low = 0, high = 0xffffffff },
  { npy = "i8", xml = "Int64", vtk = "long", gsd = 8, pack = "i8", low = math.mininteger, high = 1 << 52 }, { npy = "u8", xml = "UInt64", vtk = "unsigned_long", gsd = 4, pack = "I8", low = 0, high = 1 << 62 },
  { npy = "f4", xml = "Float32", vtk = "float", gsd = 9, pack = "f", low = -1.5, high = 0.15625 }, { npy = "f8", xml = "Float64", vtk = "double", gsd = 10, pack = "d", low = -1e300, high = 0.1 },
}
local function pack(kind, order, values)
  local out = {}
  for k, v in ipairs(values) do out[k] = string.pack(order .. kind.pack, kind.pack:find "[fd]" and v + 0.0 or v) end
  return table.concat(out)
end
local rows = 7
-- Returns the values of a component. They start with the extremes of the type, except for positions.
local function list(kind, seed)
  local out = { seed % 10 > 3 and kind.low or 5, seed % 10 > 3 and kind.high or 50 + seed }
  for k = 3, rows do out[k] = (k * 13 + seed * 29) % 100 end
  return out
end

-- ---- NumPy ----
local function npy(descr, shape, data, more)
  more = more or {}
  local head = ("{'descr': %s, 'fortran_order': %s, 'shape': %s, }"):format(descr, more.fortran and "True" or "False", shape)
  if more.version == 2 then return "\x93NUMPY\2\0" .. string.pack("<s4", head .. "\n") .. data end
  return "\x93NUMPY\1\0" .. string.pack("<s2", head .. "\n") .. data
end
local place = {}
for k = 1, rows do place[k] = k * 10 end
local zero = { 0, 0, 0, 0, 0, 0, 0 }
local xyz = { "('x', '<f8')", "('y', '<f8')", "('z', '<f8')" }
local f8 = kinds[10]

for number, kind in ipairs(kinds) do
  for _, sign in ipairs(kind.npy:find "1" and { "|", "<" } or { "<", ">", "=" }) do
    local order = sign == ">" and ">" or "<"
    local a, b = list(kind, 4), list(kind, 5)
    -- a structured array: fields of different sizes before and behind
    local data = {}
    for k = 1, rows do data[k] = string.pack("<ddd", place[k], 0, 0) .. pack(kind, order, { a[k] }) .. string.pack("b", k) .. pack(kind, order, { b[k] }) end
    local descr = ("[%s, ('a', '%s'), ('s', '|i1'), ('b', '%s')]"):format(table.concat(xyz, ", "), sign .. kind.npy, sign .. kind.npy)
    local got, info = columns(npy(descr, "(7,)", table.concat(data)), { "a", "b", "x", "s" })
    same(got.a, a, sign .. kind.npy .. " a")
    same(got.b, b, sign .. kind.npy .. " b")
    same(got.x, place, "x")
    same(got.s, { 1, 2, 3, 4, 5, 6, 7 }, "s")
    assert(info.format == "npy" and info.frames == 1 and table.concat(info.columns, " ") == "x y z a s b")
    -- arrays with two and three axes, of both orders; frames differ
    for _, fortran in ipairs { false, true } do
      for frames = 1, 3 do
        local value = {}
        for f = 1, frames do
          value[f] = {}
          for c = 1, 5 do value[f][c] = list(kind, c + 10 * f) end
        end
        local flat = {}
        if fortran then
          for c = 1, 5 do for k = 1, rows do for f = 1, frames do flat[#flat + 1] = value[f][c][k] end end end
        else
          for f = 1, frames do for k = 1, rows do for c = 1, 5 do flat[#flat + 1] = value[f][c][k] end end end
        end
        local bytes = npy("'" .. sign .. kind.npy .. "'", frames == 1 and "(7, 5)" or ("( %d,7,  5)"):format(frames), pack(kind, order, flat), { fortran = fortran, version = number % 2 + 1 })
        for _, frame in ipairs { 1, frames, -1 } do
          local of = frame < 0 and frames or frame
          got, info = columns(bytes, { 1, 2, 3, 4, 5 }, { columns = { x = 1, y = 2, z = 3 }, frame = frame })
          for c = 1, 5 do same(got[c], value[of][c], ("%s, %d frames, frame %d, fortran %s"):format(kind.npy, frames, frame, fortran)) end
          assert(info.frames == frames and info.frame == of and info.count == rows)
        end
      end
    end
  end
end
do
  local data = pack(f8, "<", { 1, 2, 3, 4 })
  local function refuse(message, bytes, def) fails(message, look, bytes, def or { radius = 1, columns = { x = 1, y = 2, z = 3 } }) end
  refuse("its header is cut off", npy("'<f8'", "(1, 4)", ""):sub(1, 40))
  refuse("it is cut off", npy("'<f8'", "(1, 4)", data:sub(1, 31)))
  refuse("it is cut off", npy("'<f8'", "(2, 4)", data))
  refuse("it is cut off", npy("'<f8'", "(4000000000, 4000000000)", data))
  refuse("its header has no descr, order or shape", (npy("'<f8'", "(1, 4)", data):gsub("descr", "dascr")))
  refuse("its header has no descr, order or shape", (npy("'<f8'", "(1, 4)", data):gsub("fortran_", "fartran_")))
  refuse("its header has no descr, order or shape", (npy("'<f8'", "(1, 4)", data):gsub("shape", "shope")))
  refuse("its header has no descr, order or shape", npy("'<f8'", "[1, 4]", data))
  refuse("its header has no descr, order or shape", npy("'<f8'", "(1, x)", data))
  for _, kind in ipairs { "<f2", "<f16", "<i3", "<U8", "<c8", "f8", "<f", "?f8", "|b2x" } do refuse("it holds no numbers", npy("'" .. kind .. "'", "(1, 4)", data .. data .. data)) end
  for _, field in ipairs { "('x', '<U8')", "('x', '<f8', (2,))", "('x'" } do refuse("a field is no number", npy("[" .. field .. "]", "(1,)", data)) end
  refuse("this one has 1", npy("'<f8'", "(4,)", data))
  refuse("this one has 0", npy("'<f8'", "()", data))
  refuse("this one has -1", npy("'<f8'", "(1, 1, 1, 4)", data))
  refuse("this one has 2", npy("[" .. table.concat(xyz, ",") .. "]", "(1, 1)", data), { radius = 1 })
  refuse("frame 2 does not exist: there is 1", npy("'<f8'", "(1, 4)", data), { frame = 2, radius = 1 })
  refuse("frame 4 does not exist: there are 3", npy("'<f8'", "(3, 1, 4)", data .. data .. data), { frame = 4, radius = 1 })
  -- arrays without numbers: no grains, or a refusal that says why
  local def = { radius = 1, columns = { x = 1, y = 2, z = 3 } }
  for _, fortran in ipairs { false, true } do
    for _, shape in ipairs { "(0, 4)", "(1, 0, 4)", "(5, 0, 4)" } do assert(look(npy("'<f8'", shape, "", { fortran = fortran }), def).count == 0, shape) end
    for _, shape in ipairs { "(0, 0)", "(5, 0)", "(2, 3, 0)" } do refuse("the array is empty: it has no columns", npy("'<f8'", shape, "", { fortran = fortran })) end
    refuse("frame -1 does not exist: there are 0", npy("'<f8'", "(0, 3, 4)", "", { fortran = fortran }))
  end
  assert(look(npy("[" .. table.concat(xyz, ",") .. "]", "(0,)", ""), { radius = 1 }).count == 0)
  assert(look(npy("'|b1'", "(2, 3)", "\1\0\1\0\1\1"), { radius = 1, columns = { x = 1, y = 2, z = 3 } }).count == 2)
end

-- archives, not packed, with and without comments, extra fields and 64-bit sizes in the directory
local function zip(members, more)
  local body, directory = {}, {}
  local at = 0
  for k, m in ipairs(members) do
    local name, data = m[1], m[2]
    local extra = m.extra or ""
    local local_head = "PK\3\4" .. string.pack("<I2I2I2I2I2I4I4I4I2I2", 20, 0, m.method or 0, 0, 0, 0, #data, m.size or #data, #name, #extra) .. name .. extra
    local wide = m.wide and string.pack("<I2I2I8I8I8", 1, 24, #data, #data, at) or ""
    if m.wide then wide = string.pack("<I2I2I4", 0x7777, 4, 9) .. wide end
    local function number(v) return m.wide and 0xffffffff or v end
    directory[k] = "PK\1\2" .. string.pack("<I2I2I2I2I2I2I4I4I4I2I2I2I2I2I4I4", 20, 20, 0, m.method or 0, 0, 0, 0, number(#data), number(m.size or #data), #name, #wide, #(m.comment or ""), 0, 0, 0, number(at)) .. name .. wide .. (m.comment or "")
    body[k] = local_head .. data
    at = at + #local_head + #data
  end
  local list, comment = table.concat(directory), more and more.comment or ""
  return table.concat(body) .. list .. "PK\5\6" .. string.pack("<I2I2I2I2I4I4s2", 0, 0, #members, #members, #list, at, comment)
end
do
  local function array(shape, values, descr) return npy(descr or "'<f8'", shape, pack(f8, "<", values)) end
  local positions = array("(2, 3)", { 1, 2, 3, 11, 12, 13 })
  for _, name in ipairs { "position", "positions", "pos", "points", "XYZ", "coordinates", "r" } do
    for _, keys in ipairs { {}, { extra = "abcd", comment = "of the member" }, { wide = true }, { wide = true, comment = "x" } } do
      local function member(n, data)
        local m = { n .. ".npy", data }
        for k, v in pairs(keys) do m[k] = v end
        return m
      end
      local bytes = zip({ member("a", array("(2,)", { 5, 6 })), member("note", "no array"), member(name, positions), member("other", array("(3,)", { 1, 2, 3 })), { "text.txt", "text" },
        member("wide", array("(2, 17)", (function() local o = {} for k = 1, 34 do o[k] = k end return o end)())), member("b", array("(2, 16)", (function() local o = {} for k = 1, 32 do o[k] = k end return o end)())),
        member("q", array("(2, 4)", { 1, 2, 3, 4, 5, 6, 7, 8 })), member("u", array("(2, 2)", { 1, 2, 3, 4 })), member("names", npy("'<U1'", "(2,)", "a\0\0\0b\0\0\0")) }, { comment = ("c"):rep(300) })
      local first = name:lower() .. "_x"
      local got, info = columns(bytes, { "a", name .. "_x", name .. "_y", name .. "_z", "b_1", "b_16", "q_w", "q_x", "q_z", "u_x", "u_y" }, { columns = { x = name .. "_x", y = name .. "_y", z = name .. "_z" } })
      same(got.a, { 5, 6 }, "a")
      same(got[name .. "_x"], { 1, 11 }, first)
      same(got[name .. "_z"], { 3, 13 }, "z")
      same(got.b_1, { 1, 17 }, "b_1")
      same(got.b_16, { 16, 32 }, "b_16")
      same(got.q_w, { 1, 5 }, "q_w")
      same(got.q_z, { 4, 8 }, "q_z")
      same(got.u_y, { 2, 4 }, "u_y")
      assert(#info.columns == 1 + 3 + 16 + 4 + 2 and info.frames == 1 and info.format == "npz", #info.columns)
    end
  end
  -- frames: an array with as many frames as the positions is read; an array with another number of frames is not
  local two = { { "x.npy", array("(2, 1, 3)", { 1, 2, 3, 4, 5, 6 }) }, { "v.npy", array("(2, 1, 2)", { 7, 8, 9, 10 }) }, { "odd.npy", array("(3, 1, 2)", { 7, 8, 9, 10, 11, 12 }) }, { "s.npy", array("(1,)", { 3 }) } }
  for frame = 1, 2 do
    local got, info = columns(zip(two), { "x_x", "v_x", "v_y", "s" }, { frame = frame, columns = { x = "x_x", y = "x_y", z = "x_z" } })
    same({ got.x_x[1], got.v_x[1], got.v_y[1], got.s[1] }, frame == 1 and { 1, 7, 8, 3 } or { 4, 9, 10, 3 }, "frames")
    assert(#info.columns == 6 and info.frames == 2)
  end
  local function refuse(message, bytes) fails(message, look, bytes, { radius = 1 }) end
  refuse("the array is empty: it has no columns", zip { { "pos.npy", array("(0, 0)", {}) }, { "radius.npy", array("(0,)", {}) } })
  refuse("the array is empty: it has no columns", zip { { "pos.npy", array("(2, 0)", {}) }, { "radius.npy", array("(2,)", { 1, 2 }) } })
  refuse("frame -1 does not exist: there are 0", zip { { "pos.npy", array("(0, 5, 3)", {}) } })
  assert(look(zip { { "pos.npy", array("(0, 3)", {}) }, { "radius.npy", array("(0,)", {}) } }).count == 0)
  assert(#look(zip { { "pos.npy", positions }, { "note.npy", array("(2, 0)", {}) } }, { radius = 1 }).columns == 3)
  refuse("the archive has no array of positions: position, x, pos or points", zip { { "a.npy", positions } })
  refuse("the archive has no array of positions", zip { { "pos", positions } })
  refuse("the array pos.npy is damaged", zip { { "pos.npy", positions, method = 8, size = #positions } })
  refuse("the array pos.npy is damaged", zip { { "pos.npy", positions, method = 12 } })
  refuse("the array pos.npy is damaged", zip { { "pos.npy", positions, size = #positions - 1 } })
  -- the local header of the second member is damaged
  refuse("the array pos.npy is damaged", (zip({ { "a.npy", positions }, { "pos.npy", positions } }):gsub("(.+)PK\3\4", "%1PK\3\7")))
  refuse("the array a.npy is damaged", zip { { "pos.npy", positions }, { "a.npy", array("(2,)", { 1, 2 }), method = 8 } })
end
print "grain_arrays: ok"
