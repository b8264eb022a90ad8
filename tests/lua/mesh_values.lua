-- Tests the points and triangles that readers of meshes return: PLY of every number type and byte order with further elements, concave polygons in any plane, glTF with nested nodes,
-- COLLADA with units and axes, the axis that becomes z, units and scale of every format. The test writes each file and knows its points.
local scree = require "scree"
local check = require "check"
local near, refuse = check.near, check.fails
local grain_file = require "grain_file"
math.randomseed(3)

local function read(ending, bytes, keys)
  return grain_file.with(bytes, function(path)
    local def = { file = path, weld = 0 }
    for k, v in pairs(keys or {}) do def[k] = v end
    return scree.geometry.mesh(def)
  end, ending)
end
local function same_points(g, want, what, tolerance)
  local points = g:lists()
  assert(#points == #want, ("%s: %d points, not %d"):format(what, #points, #want))
  for i, p in ipairs(want) do for k = 1, 3 do near(points[i][k], p[k], tolerance or 1e-12, what) end end
end

-- ---- PLY ----
local pack = { char = "i1", uchar = "I1", short = "i2", ushort = "I2", int = "i4", uint = "I4", float = "f", double = "d", int8 = "i1", uint8 = "I1", int16 = "i2", uint16 = "I2", int32 = "i4", uint32 = "I4", float32 = "f", float64 = "d" }
local corners = { { 1, 2, 3 }, { 100, 4, 5 }, { 6, 90, 7 }, { 8, 9, 80 } }
local faces = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 } }
for kind, code in pairs(pack) do
  for _, form in ipairs { "ascii", "binary_little_endian", "binary_big_endian" } do
    local order, out = form:find "big" and ">" or "<", {}
    local is_float = code == "f" or code == "d"
    local function row(...) -- pairs of type and value
      local list = { ... }
      local text = {}
      for k = 1, #list, 2 do text[#text + 1] = form == "ascii" and tostring(list[k + 1]) or string.pack(order .. pack[list[k]], pack[list[k]]:find "[fd]" and list[k + 1] + 0.0 or list[k + 1]) end
      out[#out + 1] = form == "ascii" and table.concat(text, " ") .. " 7 7\n" or table.concat(text) -- numbers behind a row of text are skipped
    end
    -- negative numbers where the type has them, large ones where it has none
    local shift = (is_float or code:find "^i") and -50 or 100
    local points = {}
    for i, c in ipairs(corners) do points[i] = { c[1] + shift, c[2] + shift, c[3] + shift } end
    row("short", -3, "uchar", 2, "double", 1.5, "double", 2.5)
    row("short", 9, "uchar", 0)
    for i, p in ipairs(points) do row("float", 0.25 * i, kind, p[2], kind, p[1], "uchar", 1, "int", 12345, kind, p[3], "char", -i) end
    for _, f in ipairs(faces) do
      local list = { "uchar", 2, "float", 0.5, "float", 0.75, is_float and "uchar" or kind, #f }
      for _, c in ipairs(f) do list[#list + 1], list[#list + 2] = is_float and "short" or kind, c end
      list[#list + 1], list[#list + 2] = "ushort", 65535
      row(table.unpack(list))
    end
    row("int", 5)
    local head = ("ply\nformat %s 1.0\ncomment element vertex 99\nobj_info none\nelement other 2\nproperty short a\nproperty list uchar double b\nelement vertex 4\nproperty float quality\nproperty %s y\nproperty %s x\n"
      .. "property list uchar int l\nproperty %s z\nproperty char c\nelement face 3\nproperty list uchar float texcoord\nproperty list %s %s vertex_ind%s\nproperty ushort flags\nelement last 1\nproperty int n\nend_header\n"):format(
      form, kind, kind, kind, is_float and "uchar" or kind, is_float and "short" or kind, #kind % 2 == 0 and "ex" or "ices")
    local g = read(".ply", head .. table.concat(out))
    same_points(g, points, kind .. " " .. form)
    local _, triangles = g:lists()
    for t, want in ipairs { { 1, 3, 2 }, { 1, 2, 4 }, { 2, 3, 4 } } do
      local found = table.concat(triangles[t], " ")
      assert(found == table.concat(want, " ") or found == ("%d %d %d"):format(want[1], want[3], want[2]), kind .. " " .. form .. ": " .. found)
    end
    if form ~= "ascii" then refuse("byte", read, ".ply", (head .. table.concat(out)):sub(1, -6)) end
  end
end
-- files that announce too many elements or properties are errors
local function many(elements, properties)
  return "ply\nformat ascii 1.0\n" .. ("element e 0\n"):rep(elements) .. "element vertex 3\n" .. ("property float p\n"):rep(properties) .. "property float x\nproperty float y\nproperty float z\nelement face 1\n"
    .. "property list int int vertex_index\nend_header\n" .. (("0 "):rep(properties) .. "0 0 0\n") .. (("0 "):rep(properties) .. "1 0 0\n") .. (("0 "):rep(properties) .. "0 1 0\n") .. "3 0 1 2\n"
end
assert(read(".ply", many(14, 61)):info().triangles == 1)
refuse(":22: more than 16 elements", read, ".ply", many(15, 0))
refuse(":68: a property too many", read, ".ply", many(0, 62))
for _, row in ipairs {
  { "plx\n", ":1: not a PLY file: it does not begin with ply" }, { "ply\nformat ascii 1.0\nproperty float x\n", ":3: a property of no element" }, { "ply\nformat ascii 1.0\nelement vertex -3\n", ':3: "-3" is not a number of elements' },
  { "ply\nformat ascii 1.0\nelement vertex\n", ':3: "" is not a number of elements' }, { "ply\nformat ascii 1.0\nelement vertex 3x\n", ':3: "3x" is not a number of elements' }, { "ply\nformat half 1.0\n", ':2: "half" is no format of PLY' },
  { "ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_index\n", ':4: "float" is not a type of numbers' }, { "ply\nformat ascii 1.0\nelement face 1\nproperty list uchar word vertex_index\n", ':4: "word" is not a type of numbers' },
  { "ply\nformat ascii 1.0\nelement face 1\nproperty list word int vertex_index\n", ':4: "word" is not a type of numbers' }, { "ply\nformat ascii 1.0\nelement odd 1\nend_header\n", ':4: the element "odd" has no properties' },
  { "ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nproperty float y\nproperty float w\nend_header\n", ":7: its vertices lack one of x, y, z" }, { many(0, 0):gsub("3 0 1 2\n", "2 0 1\n"), ":13: a list of 2 numbers" },
  { many(0, 0):gsub("3 0 1 2\n", "3 0 1 3\n"), ":13: face 0 names point 3 of 3, counted from 0" }, { many(0, 0):gsub("3 0 1 2\n", "3 0 1 -1\n"), ":13: face 0 names point -1 of 3" }, { many(0, 0):gsub("face 1", "face 0"):gsub("3 0 1 2\n", ""), "holds no face" },
  { many(0, 0):gsub("0 1 0", "0 inf 0"), ":12: vertex 2 has a coordinate that is not finite" }, { many(0, 0):gsub("1 0 0", "1 zero 0"), ":11: not a number" },
} do refuse(row[2], read, ".ply", row[1]) end

-- ---- concave polygons in planes of every direction ----
local function turn_by(q, v)
  local w, x, y, z = table.unpack(q)
  local t = { 2 * (y * v[3] - z * v[2]), 2 * (z * v[1] - x * v[3]), 2 * (x * v[2] - y * v[1]) }
  return { v[1] + w * t[1] + y * t[3] - z * t[2], v[2] + w * t[2] + z * t[1] - x * t[3], v[3] + w * t[3] + x * t[2] - y * t[1] }
end
local function unit(q)
  local n = 0
  for _, v in ipairs(q) do n = n + v * v end
  for k, v in ipairs(q) do q[k] = v / math.sqrt(n) end
  return q
end
local u = { { 0, 0 }, { 60, 0 }, { 60, 60 }, { 40, 60 }, { 40, 20 }, { 20, 20 }, { 20, 60 }, { 0, 60 } } -- a U of 2800
local s = math.sqrt(0.5)
local turns = { { 1, 0, 0, 0 }, { s, s, 0, 0 }, { s, -s, 0, 0 }, { s, 0, s, 0 }, { s, 0, -s, 0 }, { 0, 1, 0, 0 }, { s, 0, 0, s } }
for k = 1, 10 do turns[#turns + 1] = unit { math.random() - 0.5, math.random() - 0.5, math.random() - 0.5, math.random() - 0.5 } end
for n, q in ipairs(turns) do
  for _, sense in ipairs { 1, -1 } do
    local lines, list, normal = {}, {}, turn_by(q, { 0, 0, sense })
    for k, p in ipairs(u) do
      local x = turn_by(q, { p[1], p[2], 5 })
      lines[k] = ("v %.17g %.17g %.17g"):format(table.unpack(x))
      list[k] = (sense * k) % #u + 1
    end
    local points, triangles = read(".obj", table.concat(lines, "\n") .. "\nf " .. table.concat(list, " ") .. "\n"):lists()
    local area, along = 0, 0
    assert(#triangles == #u - 2)
    for _, t in ipairs(triangles) do
      local a, b, c = points[t[1]], points[t[2]], points[t[3]]
      local e, f = { b[1] - a[1], b[2] - a[2], b[3] - a[3] }, { c[1] - a[1], c[2] - a[2], c[3] - a[3] }
      local cross = { e[2] * f[3] - e[3] * f[2], e[3] * f[1] - e[1] * f[3], e[1] * f[2] - e[2] * f[1] }
      area = area + math.sqrt(cross[1] ^ 2 + cross[2] ^ 2 + cross[3] ^ 2) / 2
      along = along + (cross[1] * normal[1] + cross[2] * normal[2] + cross[3] * normal[3]) / 2
    end
    near(area, 2800, 1e-9, "area in plane " .. n)
    near(along, 2800, 1e-9, "sense in plane " .. n)
  end
end

-- ---- OBJ: relative indices, groups between, other statements ----
do
  local text = "mtllib a.mtl\no first\nv 1 2 3\nv 4 5 6 0.5\nvn 0 0 1\nvt 0 0\nv -7 8e1 .5\ng one\ns off\nusemtl m\nf 1/1/1 2//1 3/1\nv 0 0 9\no second\nf -1 -4/1 -2\nl 1 2\np 1\nvp 1\nfancy 9 9 9\n"
  local g = read(".obj", text)
  same_points(g, { { 1, 2, 3 }, { 4, 5, 6 }, { -7, 80, 0.5 }, { 0, 0, 9 } }, "obj")
  local _, t = g:lists()
  assert(#t == 2 and table.concat(t[1], " ") == "1 2 3" and #t[2] == 3)
  for _, row in ipairs { { "v 1 2\n", ":1: coordinate 3 of the vertex is not a number" }, { "v 1 inf 2\n", ":1: coordinate 2" }, { "v\tx 1 2\n", ":1: coordinate 1" }, { text .. "f 1 2 x\n", ':19: "x" is not a vertex number' }, { text .. "f 0 1 2\n", ":19: vertex 0 of 4" },
    { text .. "f -5 1 2\n", ":19: vertex -5 of 4" }, { text .. "f 5 1 2\n", ":19: vertex 5 of 4" }, { text .. "f 1 2\n", ":19: a face with 2 corners" }, { "f 1 2 3\n", ":1: vertex 1 of 0" }, { "# nothing\n", "holds no point" }, { "v 1 2 3\n", "holds no face" } } do refuse(row[2], read, ".obj", row[1]) end
end

-- ---- glTF: a tetrahedron in nested nodes ----
local ok, why = pcall(read, ".dae", "<COLLADA/>")
if why:find("built without glTF", 1, true) then
  print "skipped: glTF and COLLADA: built without them"
  os.exit(77)
end
local tetra = { { 1, 0, 0 }, { 0, 2, 0 }, { 0, 0, 3 }, { 0.5, 0.25, 0.125 } }
local function glb(nodes)
  local data = {}
  for _, p in ipairs(tetra) do data[#data + 1] = string.pack("<fff", table.unpack(p)) end
  for _, i in ipairs { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 } do data[#data + 1] = string.pack("<I2", i) end
  data = table.concat(data)
  local text = ('{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[%s],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"buffers":[{"byteLength":%d}],'
    .. '"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":4},{"bufferView":1,"componentType":5123,"type":"SCALAR","count":12}],'
    .. '"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":24}]}'):format(nodes, #data)
  text = text .. (" "):rep(-#text % 4)
  return ("<c4I4I4I4c4"):pack("glTF", 2, 28 + #text + #data, #text, "JSON") .. text .. ("<I4c4"):pack(#data, "BIN\0") .. data
end
local function map(points, f)
  local out = {}
  for k, p in ipairs(points) do out[k] = f(p) end
  return out
end
local function z_up(p) return { p[1], -p[3], p[2] } end -- y of the file becomes z
local q = unit { 0.7, 0.1, -0.3, 0.4 }
local function outer(p) return { 2 * p[1] + 10, 3 * p[2] + 20, 0.5 * p[3] + 30 } end
local function inner(p)
  local t = turn_by(q, p)
  return { t[1] - 1, t[2] - 2, t[3] - 3 }
end
local inner_node = ('{"mesh":0,"translation":[-1,-2,-3],"rotation":[%.9g,%.9g,%.9g,%.9g]}'):format(q[2], q[3], q[4], q[1])
local nested = '{"children":[1],"translation":[10,20,30],"scale":[2,3,0.5]},' .. inner_node
local want = map(tetra, function(p) return outer(inner(p)) end)
same_points(read(".glb", glb(nested)), map(want, z_up), "nested nodes", 1e-5)
same_points(read(".glb", glb '{"mesh":0,"matrix":[1,2,3,0, 4,5,7,0, 8,9,1,0, 5,6,7,1]}'), map(tetra, function(p)
  return z_up { p[1] + 4 * p[2] + 8 * p[3] + 5, 2 * p[1] + 5 * p[2] + 9 * p[3] + 6, 3 * p[1] + 7 * p[2] + p[3] + 7 }
end), "matrix", 1e-5)
-- mirrored nodes: triangles face outwards, so the volume is positive and no triangle is reversed
for _, scale in ipairs { "1,1,1", "-1,1,1", "1,-1,1", "1,1,-1", "-1,-1,1", "-2,-2,-2" } do
  local info = read(".glb", glb('{"mesh":0,"scale":[' .. scale .. "]}"), { closed = true }):info()
  local plain = read(".glb", glb '{"mesh":0}', { closed = true }):info()
  assert(info.turned == plain.turned, scale .. ": " .. info.turned)
  near(info.volume, plain.volume * (scale:find "2" and 8 or 1), 1e-6, scale)
end
-- the axis that becomes z, and scale; the unit is that of the file
for up, turn in pairs { file = z_up, x = function(p) return { -p[2], -p[3], p[1] } end, y = z_up, z = function(p) return p end } do
  same_points(read(".glb", glb '{"mesh":0}', { up = up }), map(tetra, turn), "up " .. up, 1e-6)
  same_points(read(".glb", glb '{"mesh":0}', { up = up, scale = 3 }), map(tetra, function(p)
    local t = turn(p)
    return { 3 * t[1], 3 * t[2], 3 * t[3] }
  end), "up and scale", 1e-6)
end
refuse("says its unit itself and is read in metres; take scale to change its size", read, ".glb", glb '{"mesh":0}', { unit = "mm" })

-- ---- COLLADA: units and axes ----
local function dae(unit_text, axis, node)
  local numbers = {}
  for _, p in ipairs(tetra) do numbers[#numbers + 1] = table.concat(p, " ") end
  return ([[<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="u" meter="%s"/><up_axis>%s</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="12">%s</float_array><technique_common><accessor source="#f" count="4" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/><p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="a"><node id="n">%s
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#a"/></scene></COLLADA>]]):format(unit_text, axis, table.concat(numbers, " "), node or "")
end
local function sorted(points)
  local out = map(points, function(p) return { p[1], p[2], p[3] } end)
  table.sort(out, function(a, b) if math.abs(a[1] - b[1]) > 1e-9 then return a[1] < b[1] end if math.abs(a[2] - b[2]) > 1e-9 then return a[2] < b[2] end return a[3] < b[3] end)
  return out
end
local axes = { X_UP = function(p) return { -p[2], -p[3], p[1] } end, Y_UP = z_up, Z_UP = function(p) return p end }
for axis, turn in pairs(axes) do
  for _, metres in ipairs { 1, 0.01, 0.0254 } do
    local function size(f) return function(p) local t = f(p) return { metres * t[1], metres * t[2], metres * t[3] } end end
    local points = read(".dae", dae(metres, axis), { weld = 1e-9 }):lists()
    local found, wished = sorted(points), sorted(map(tetra, size(turn)))
    assert(#found == 4)
    local far = 0
    for k = 1, 4 do for c = 1, 3 do far = math.max(far, math.abs(found[k][c] - wished[k][c])) end end
    -- about the new z axis an axis of the file may lie in two ways: heights count
    for k = 1, 4 do found[k], wished[k] = points[k][3] / metres, turn(tetra[k])[3] end
    table.sort(found)
    table.sort(wished)
    for k = 1, 4 do near(found[k], wished[k], 1e-5, axis) end
    assert(axis == "X_UP" or far < 1e-5, axis .. " " .. far)
  end
end
print "mesh_values: ok"
