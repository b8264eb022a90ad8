-- Readers of meshes: text STL with any beginning, concave polygons of OBJ and PLY, continued lines, rows that are longer than the header says; each error names the file,
-- the line or byte, and the cause. Numbers of glTF and COLLADA out of range are errors with the name of the number.
local scree = require "scree"
local refuse = require("check").fails
local name = os.tmpname()
os.remove(name)
local made = {}
local function write(ending, bytes)
  local path = name .. ending
  made[path] = true
  local file = assert(io.open(path, "wb"))
  file:write(bytes)
  file:close()
  return path
end
local function read(ending, bytes, keys)
  local def = { file = write(ending, bytes) }
  for key, value in pairs(keys or {}) do def[key] = value end
  return scree.geometry.mesh(def)
end

-- ---- STL as text ----
local corners = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 2, 0 }, { 0, 2, 0 }, { 0, 0, 3 }, { 1, 0, 3 }, { 1, 2, 3 }, { 0, 2, 3 } }
local quads = { { 1, 4, 3, 2 }, { 5, 6, 7, 8 }, { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 4, 8, 7 }, { 4, 1, 5, 8 } }
local triangles = {}
for _, q in ipairs(quads) do triangles[#triangles + 1], triangles[#triangles + 2] = { q[1], q[2], q[3] }, { q[1], q[3], q[4] } end
local function stl(solid, number)
  local rows = { "solid " .. (solid or "box") }
  for _, t in ipairs(triangles) do
    rows[#rows + 1] = "  facet normal 0 0 0\n    outer loop"
    for _, c in ipairs(t) do rows[#rows + 1] = ("      vertex " .. (number or "%g %g %g")):format(table.unpack(corners[c])) end
    rows[#rows + 1] = "    endloop\n  endfacet"
  end
  return table.concat(rows, "\n") .. "\nendsolid " .. (solid or "box") .. "\n"
end
local plain = stl()
for what, text in pairs {
  plain = plain, ["byte order mark"] = "\xef\xbb\xbf" .. plain, ["blank line"] = "\n \r\n" .. plain, comment = "# made by hand\n; twice\n// thrice\n" .. plain, capitals = plain:upper(),
  ["name with words"] = stl "facet vertex endsolid facet", ["name of facet"] = stl "facet", ["no name"] = stl "", ["Fortran"] = stl(nil, "%.3fD+00 %.3fd0 %.3fD-00"), ["one line"] = plain:gsub("\n", " "),
  ["no solid"] = plain:gsub("^solid box\n", ""), ["mac"] = plain:gsub("\n", "\r"),
} do
  local ok, g = pcall(read, ".stl", text, { closed = true })
  assert(ok, what .. ": " .. tostring(g))
  assert(g:info().triangles == 12 and math.abs(g:info().volume - 6) < 1e-12, what)
end
local utf16 = "\xff\xfe" .. plain:gsub(".", "%0\0")
for cause, text in pairs {
  ["the file is empty"] = "", ["UTF-16"] = utf16, [":1: text that begins neither with solid nor with facet"] = "<html>" .. (" "):rep(100), [":6: \"2,5\" is not a coordinate"] = (plain:gsub("1 2 0", "1 2,5 0", 1)),
  [":3: \"north\" is not a coordinate"] = "solid\nfacet normal 0 0 1 outer loop\nvertex north 1 1\nendloop endfacet endsolid", [":2: holds no facet"] = "solid\nendsolid",
} do refuse(cause, read, ".stl", text) end
-- binary files may begin with "solid", and may have extra bytes
local rows = {}
for _, t in ipairs(triangles) do
  rows[#rows + 1] = ("<fff"):pack(0, 0, 0)
  for _, c in ipairs(t) do rows[#rows + 1] = ("<fff"):pack(table.unpack(corners[c])) end
  rows[#rows + 1] = "\0\0"
end
local binary = ("solid" .. ("\0"):rep(75)) .. ("<I4"):pack(12) .. table.concat(rows)
for _, tail in ipairs { "", "\0\0\0" } do assert(math.abs(read(".stl", binary .. tail, { closed = true }):info().volume - 6) < 1e-12) end
refuse("the file ends within triangle 12", read, ".stl", binary:sub(1, -2))
refuse("triangle 2 has a coordinate that is not finite (byte 134)", read, ".stl", binary:sub(1, 84 + 62) .. ("<f"):pack(0 / 0) .. binary:sub(84 + 67))

-- ---- concave polygons ----
local function measure(g)
  local points, list = g:lists()
  local area, signed = 0, 0
  for _, t in ipairs(list) do
    local a, b, c = points[t[1]], points[t[2]], points[t[3]]
    local s = ((b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1])) / 2
    area, signed = area + math.abs(s), signed + s
  end
  return area, signed
end
local u = { { 0, 0 }, { 60, 0 }, { 60, 60 }, { 40, 60 }, { 40, 20 }, { 20, 20 }, { 20, 60 }, { 0, 60 } } -- a U of 2800
local comb = { { 0, 0 }, { 70, 0 }, { 70, 50 }, { 60, 50 }, { 60, 10 }, { 50, 10 }, { 50, 50 }, { 40, 50 }, { 40, 10 }, { 30, 10 }, { 30, 50 }, { 20, 50 }, { 20, 10 }, { 10, 10 }, { 10, 50 }, { 0, 50 } } -- 700 + 4 400
local star = {}
for k = 0, 9 do star[#star + 1] = { (k % 2 == 0 and 10 or 4) * math.cos(k * math.pi / 5), (k % 2 == 0 and 10 or 4) * math.sin(k * math.pi / 5) } end -- 10 triangles
local frame = { { 0, 0 }, { 9, 0 }, { 9, 9 }, { 0, 9 }, { 0, 0 }, { 3, 3 }, { 3, 6 }, { 6, 6 }, { 6, 3 }, { 3, 3 } } -- a square with a hole, joined by a bridge
local flush = { { 0, 0 }, { 1, 0 }, { 2, 0 }, { 2, 2 }, { 1, 1 }, { 0, 2 }, { 0, 1 } } -- corners on straight edges
for what, row in pairs { u = { u, 2800 }, comb = { comb, 700 + 4 * 400 }, star = { star, 10 * 0.5 * 10 * 4 * math.sin(math.pi / 5) }, frame = { frame, 81 - 9 }, flush = { flush, 3 } } do
  local polygon, area = row[1], row[2]
  for start = 0, #polygon - 1 do
    for _, sense in ipairs { 1, -1 } do
      local vertices, face, points = {}, {}, {}
      for k = 1, #polygon do
        vertices[k] = ("v %.17g %.17g 0"):format(polygon[k][1], polygon[k][2])
        points[k] = ("%.17g %.17g 0"):format(polygon[k][1], polygon[k][2])
        face[k] = ((start + sense * k) % #polygon)
      end
      local counted = {}
      for k = 1, #face do counted[k] = face[k] + 1 end
      local obj = read(".obj", table.concat(vertices, "\n") .. "\nf " .. table.concat(counted, " ") .. "\n", { weld = 0 })
      local ply = read(".ply", ("ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\nproperty double z\nelement face 1\nproperty list int int vertex_indices\nend_header\n%s\n%d %s\n"):format(
        #points, table.concat(points, "\n"), #face, table.concat(face, " ")), { weld = 0 })
      for _, g in ipairs { obj, ply } do
        local found, signed = measure(g)
        assert(math.abs(found - area) < 1e-9 * area and math.abs(signed - sense * area) < 1e-9 * area, ("%s from %d: %g of %g"):format(what, start, found, area))
      end
    end
  end
end
-- a ball falls through the notch of the U and stays on its arms
local vertices = {}
for k = 1, #u do vertices[k] = ("v %g %g 0"):format(u[k][1], u[k][2]) end
for _, face in ipairs { "1 2 3 4 5 6 7 8", "4 5 6 7 8 1 2 3" } do
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3 }
  w:mesh { geometry = read(".obj", table.concat(vertices, "\n") .. "\nf " .. face .. "\n", { scale = 1e-3 }) }
  local arm, notch = w:sphere { radius = 2e-3, position = { 0.01, 0.04, 0.005 } }, w:sphere { radius = 2e-3, position = { 0.03, 0.04, 0.005 } }
  w:step(200)
  assert(select(3, arm:position()) > 0 and select(3, notch:position()) < -0.01)
end

-- ---- OBJ and PLY rows ----
local square = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
for _, face in ipairs { "f 1 2 3 4", "f 1 2 \\\n3 4", "f 1 2 \\\r\n 3 \\\n4 # corners", "fo 1 2 3 4", "f -4/1/1 -3//2 -2/7 -1" } do
  local area, signed = measure(read(".obj", square .. face .. "\n"))
  assert(area == 1 and signed == 1, face)
end
assert(measure(read(".obj", "\xef\xbb\xbf" .. square .. "f 1 2 3 4\n")) == 1)
assert(measure(read(".obj", "# a comment that ends so \\\n" .. square .. "f 1 2 3 4\n")) == 1)
refuse(":7: vertex 9 of 4; a face names vertices above it", read, ".obj", square .. "f 1 \\\n2 3\nf 1 2 9\n")
local head = "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_index\nend_header\n"
assert(measure(read(".ply", head .. "0 0 0 255 0 0\n1 0 0 0 0 0\n1 1 0 7\n0 1 0\n4 0 1 2 3 0.5\n")) == 1)
refuse(":14: face 0 names point 4 of 4, counted from 0", read, ".ply", head .. "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 4\n")
refuse(":14: truncated", read, ".ply", head .. "0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2")
refuse(":11: vertex 1 has a coordinate that is not finite", read, ".ply", head .. "0 0 0\n1 nan 0\n1 1 0\n0 1 0\n4 0 1 2 3\n")

-- ---- glTF and COLLADA ----
local ok, why = pcall(read, ".dae", "<COLLADA/>")
local lacking = why:find("built without glTF", 1, true)
if not lacking then
  local function glb(text, data)
    text, data = text .. (" "):rep(-#text % 4), data .. ("\0"):rep(-#data % 4)
    return ("<c4I4I4I4c4"):pack("glTF", 2, 28 + #text + #data, #text, "JSON") .. text .. ("<I4c4"):pack(#data, "BIN\0") .. data
  end
  local function gltf(view, accessor, binary)
    local text = ('{"asset":{"version":"2.0"},\n"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],\n'
      .. '"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","min":[0,0,0],"max":[1,1,0],%s}],\n"bufferViews":[{"buffer":0,%s}],"buffers":[{"byteLength":36%s}]}'):format(accessor, view,
        binary and "" or ',"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"')
    if not binary then return ".gltf", text end
    return ".glb", glb(text, ("<fffffffff"):pack(0, 0, 0, 1, 0, 0, 0, 1, 0))
  end
  -- the largest stride of the format: corners that are 252 bytes apart
  local apart = ("\0"):rep(240)
  local wide = glb('{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],'
    .. '"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":3}],"bufferViews":[{"buffer":0,"byteLength":756,"byteStride":252}],"buffers":[{"byteLength":756}]}',
    ("<fffc240fffc240fffc240"):pack(0, 0, 0, apart, 1, 0, 0, apart, 0, 1, 0, apart))
  local info, size = read(".glb", wide):info(), 0
  for k = 1, 3 do size = size + info.max[k] - info.min[k] end
  assert(info.triangles == 1 and size == 2) -- 1 along two axes
  for _, form in ipairs { false, true } do
    local view, accessor = '"byteOffset":0,"byteLength":36', '"count":3'
    local ending, bytes = gltf(view, accessor, form)
    assert(read(ending, bytes):info().triangles == 1)
    for _, row in ipairs {
      { view .. ',"byteStride":2147483648', accessor, "byteStride is 2147483648" }, { '"byteOffset" : -36,"byteLength":36', accessor, "byteOffset is -36" }, { '"byteOffset":18446744073709551615,"byteLength":36', accessor, "byteOffset is 18446744073709551615" },
      { '"byteOffset":0,"byteLength":3.6e1', accessor, "byteLength is 3.6e1" }, { view, '"count":-3', "count is -3" }, { view, '"count":4294967299', "count is 4294967299" }, { view, '"byteOffset":-12,"count":3', "byteOffset is -12" },
    } do
      ending, bytes = gltf(row[1], row[2], form)
      refuse(row[3] .. ": it must be a whole number", read, ending, bytes)
    end
    ending, bytes = gltf('"byteOffset":-1,"byteLength":36', accessor)
    refuse(".gltf:4: byteOffset is -1", read, ending, bytes)
  end
  -- a tetrahedron of four triangles, in whose file one member is wrong
  local function tetrahedron(indices, change)
    local data, list = ("<ffffffffffff"):pack(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), {}
    for k, index in ipairs(indices) do list[k] = ("<I2"):pack(index) end
    list = table.concat(list)
    local text = ('{"asset":{"version":"2.0"},%s"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{%s"mesh":0}],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],"buffers":[{"byteLength":%d}],'
      .. '"accessors":[{"bufferView":0,"componentType":5126,"type":"VEC3","count":4},{"bufferView":1,"componentType":5123,"type":"SCALAR","count":%d}],'
      .. '"bufferViews":[{"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":48,"byteLength":%d}]}'):format(change and change.top or "", change and change.node or "", 48 + #list, #indices, #list)
    return glb(text, data .. list)
  end
  local whole = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 }
  local unity = '"matrix":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1],'
  assert(math.abs(read(".glb", tetrahedron(whole)):info().volume - 1 / 6) < 1e-12)
  assert(read(".glb", tetrahedron(whole, { node = unity, top = '"extensionsRequired":["KHR_materials_unlit"],' })):info().triangles == 4)
  refuse("a face names a point that its mesh does not have", read, ".glb", tetrahedron { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 99 })
  refuse("no multiple of 3", read, ".glb", tetrahedron { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2 })
  refuse("matrix has 3 numbers: it must have 16", read, ".glb", tetrahedron(whole, { node = '"matrix":[1,0,0],' }))
  refuse("matrix has 0 numbers", read, ".glb", tetrahedron(whole, { node = '"matrix":[ ],' }))
  refuse("rotation has 3 numbers: it must have 4", read, ".glb", tetrahedron(whole, { node = '"rotation":[0,0,1],' }))
  refuse("it requires the extension KHR_draco_mesh_compression, which is not supported", read, ".glb", tetrahedron(whole, { top = '"extensionsRequired":["KHR_materials_unlit", "KHR_draco_mesh_compression"],' }))

  local function dae(list)
    return ([[<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="m" meter="1"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="9">0 0 0 1 0 0 0 -1 0</float_array><technique_common><accessor source="#f" count="3" stride="3">
<param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<triangles count="1"><input semantic="VERTEX" source="#v" offset="0"/><p>%s</p></triangles></mesh></geometry></library_geometries><library_visual_scenes><visual_scene id="a"><node id="n">
<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene url="#a"/></scene></COLLADA>]]):format(list)
  end
  assert(read(".dae", dae "0 2 1"):info().triangles == 1)
  refuse(".dae:4: <p> has a negative number; points are counted from 0", read, ".dae", dae "0 2 -1")
  -- arrays that are shorter than accessors read, units and axes without a length
  local function changed(from, to)
    local text, count = dae "0 2 1":gsub(from:gsub("%p", "%%%0"), (to:gsub("%%", "%%%%")))
    assert(count == 1, from)
    return text
  end
  local accessor = 'count="3" stride="3"'
  for _, row in ipairs {
    { 'count="9"', 'count="6"', ".dae:2: <accessor> reads 9 values of an array that has 6 (count 3, stride 3)" }, { accessor, 'count="4" stride="3"', "<accessor> reads 12 values" },
    { accessor, 'offset="1" count="3" stride="3"', "<accessor> reads 10 values" }, { accessor, 'count="8" stride="1"', "<accessor> reads 10 values" }, { accessor, 'count="3" stride="2147483647"', "reads 6442450941 values" },
    { accessor, 'count="3" stride="-3"', 'stride is "-3": it must be a whole number' }, { accessor, 'count="1e9" stride="3"', 'count is "1e9": it must be a whole number' },
    { 'meter="1"', 'meter="abc"', '<unit> has meter="abc": it must be a positive number' }, { 'meter="1"', 'meter="-1"', 'meter="-1"' }, { 'meter="1"', 'meter="0"', 'meter="0"' }, { 'meter="1"', 'meter="nan"', 'meter="nan"' },
    { '<node id="n">', '<node id="n"><rotate>0 0 0 90</rotate>', "<rotate> has an axis of length 0" },
  } do
    refuse(row[3], read, ".dae", changed(row[1], row[2]))
  end
  assert(read(".dae", changed('meter="1"', "meter = '1e-3'")):info().triangles == 1)
  assert(read(".dae", changed('<node id="n">', '<node id="n"><!-- <rotate>0 0 0 90</rotate> --><rotate>0 0 1 90</rotate>')):info().triangles == 1)
end
for path in pairs(made) do os.remove(path) end
if lacking then print "skipped: glTF and COLLADA: built without them" os.exit(77) end
print("mesh_readers: ok")
