-- Mesh files other than STL and OBJ: PLY as text and in both byte orders, glTF and COLLADA with their units and up axes; every truncated file is an error or
-- complete; errors of wrong files name the cause.
local scree = require "scree"
local refuse = require("check").fails
local box = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 2, 0 }, { 0, 2, 0 }, { 0, 0, 3 }, { 1, 0, 3 }, { 1, 2, 3 }, { 0, 2, 3 } } -- z up, volume 6
local quads = { { 0, 3, 2, 1 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 }, { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } }
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
local function is_box(path, keys, max, volume)
  local def = { file = path, closed = true }
  for key, value in pairs(keys or {}) do def[key] = value end
  local info = scree.geometry.mesh(def):info()
  assert(info.points == 8 and info.triangles == 12, info.points .. " points")
  assert(math.abs(info.volume - (volume or 6)) < 1e-6, info.volume)
  for k = 1, 3 do assert(math.abs(info.max[k] - (max or { 1, 2, 3 })[k]) < 1e-6, "max " .. table.concat(info.max, " ")) end
  assert(scree.geometry.hull { file = path, scale = def.scale, up = def.up }:info().faces == 6)
end

-- ---- PLY ----
local function ply(format, corner)
  local head = ("ply\nformat %s 1.0\ncomment a box\nelement vertex 8\nproperty uchar red\nproperty float x\nproperty double y\nproperty float32 z\n"):format(format)
    .. "element face 6\nproperty list uchar int vertex_indices\nproperty short flag\nend_header\n"
  local rows, order = { head }, format == "binary_big_endian" and ">" or "<"
  for i, p in ipairs(box) do
    rows[#rows + 1] = format == "ascii" and ("%d %g %g %g\n"):format(i, p[1], p[2], p[3]) or (order .. "Bfdf"):pack(i, p[1], p[2], p[3])
  end
  for _, q in ipairs(quads) do
    local a = corner or q[1]
    rows[#rows + 1] = format == "ascii" and ("4 %d %d %d %d -7\n"):format(a, q[2], q[3], q[4]) or (order .. "Bi4i4i4i4h"):pack(4, a, q[2], q[3], q[4], -7)
  end
  return table.concat(rows), #head
end
for _, format in ipairs { "ascii", "binary_little_endian", "binary_big_endian" } do
  local whole, head = ply(format)
  is_box(write(".ply", whole))
  for cut = 0, #whole - 6, 5 do refuse(cut < head and ".ply" or "truncated", scree.geometry.mesh, { file = write(".ply", whole:sub(1, cut)), closed = true }) end
  refuse("names point 8 of 8, counted from 0", scree.geometry.mesh, { file = write(".ply", (ply(format, 8))) })
end
is_box(write(".ply", (ply "ascii")), { up = "y", scale = 2 }, { 2, 0, 4 }, 48)
is_box(write(".ply", (ply "ascii")), { up = "x" }, { 0, 0, 1 })
refuse("not a PLY file", scree.geometry.mesh, { file = write(".ply", "solid\n") })
refuse('"binary" is no format of PLY', scree.geometry.mesh, { file = write(".ply", (ply "binary")) })
refuse('"quad" is not a type of numbers', scree.geometry.mesh, { file = write(".ply", (ply("ascii"):gsub("short", "quad"))) })
for _, axis in ipairs { "float x", "double y", "float32 z" } do
  refuse("lack one of x, y, z", scree.geometry.mesh, { file = write(".ply", (ply("ascii"):gsub(axis, "int w"))) })
end
refuse("of no element", scree.geometry.mesh, { file = write(".ply", "ply\nformat ascii 1.0\nproperty int a\nend_header\n") })
refuse(":16: not a number", scree.geometry.mesh, { file = write(".ply", (ply("ascii"):gsub("4 0 2 0\n", "4 0 zwei 0\n"))) })
refuse("holds no face", scree.geometry.mesh, { file = write(".ply", "ply\nformat ascii 1.0\nelement vertex 0\nproperty int x\nproperty int y\nproperty int z\nend_header\n") })
refuse("must end in .stl, .obj, .ply, .glb, .gltf or .dae", scree.geometry.mesh, { file = write(".fbx", "x") })
refuse("one of file|x|y|z", scree.geometry.mesh, { file = name .. ".ply", up = "zz" })


-- ---- glTF and COLLADA ----
local function base64(s)
  local letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
  local out = s:gsub("..?.?", function(t)
    local n = (t:byte(1) << 16) | ((t:byte(2) or 0) << 8) | (t:byte(3) or 0)
    local text = ""
    for k = 3, 0, -1 do
      local digit = (n >> 6 * k) & 63
      text = text .. letters:sub(digit + 1, digit + 1)
    end
    return text:sub(1, #t + 1) .. ("="):rep(3 - #t)
  end)
  return out
end
local points, corners = {}, {}
for _, p in ipairs(box) do points[#points + 1] = ("<fff"):pack(p[1], p[3], -p[2]) end -- y up
for _, q in ipairs(quads) do corners[#corners + 1] = ("<I2I2I2I2I2I2"):pack(q[1], q[2], q[3], q[1], q[3], q[4]) end
local data = table.concat(points) .. table.concat(corners)
local function gltf(uri, matrix)
  return ([[{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0%s}],
  "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
  "accessors":[{"bufferView":0,"componentType":5126,"count":8,"type":"VEC3","min":[0,0,-2],"max":[1,3,0]},{"bufferView":1,"componentType":5123,"count":36,"type":"SCALAR"}],
  "bufferViews":[{"buffer":0,"byteOffset":0,"byteLength":96},{"buffer":0,"byteOffset":96,"byteLength":72}],
  "buffers":[{"byteLength":168%s}]}]]):format(matrix or "", uri and (',"uri":"%s"'):format(uri) or "")
end
local function glb(json, binary)
  json, binary = json .. (" "):rep(-#json % 4), binary .. ("\0"):rep(-#binary % 4)
  return ("<c4I4I4I4c4"):pack("glTF", 2, 28 + #json + #binary, #json, "JSON") .. json .. ("<I4c4"):pack(#binary, "BIN\0") .. binary
end
local function dae(unit, up)
  local list, faces = {}, {}
  for _, p in ipairs(box) do list[#list + 1] = ("%g %g %g"):format(p[1], p[2], p[3]) end
  for _, q in ipairs(quads) do faces[#faces + 1] = table.concat(q, " ") end
  return ([[<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="u" meter="%s"/><up_axis>%s</up_axis></asset>
  <library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f" count="24">%s</float_array><technique_common><accessor source="#f" count="8" stride="3">
  <param name="X" type="float"/><param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
  <vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
  <polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/><vcount>4 4 4 4 4 4</vcount><p>%s</p></polylist></mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="a"><node id="n"><instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#a"/></scene></COLLADA>]]):format(unit, up, table.concat(list, " "), table.concat(faces, " "))
end
local ok, why = pcall(scree.geometry.mesh, { file = write(".dae", dae(1, "Z_UP")) })
local lacking = not ok and why:find("built without glTF", 1, true)
if lacking then
  assert(why:find("libassimp-dev", 1, true))
else
  assert(ok, why)
  is_box(write(".dae", dae(1, "Z_UP")))
  is_box(write(".dae", dae(0.01, "Z_UP")), { scale = 100 })
  is_box(write(".dae", dae(1, "Y_UP")), nil, { 1, 0, 2 })
  is_box(write(".dae", dae(1, "X_UP")), nil, { 0, 0, 1 })
  is_box(write(".dae", dae(1, "Y_UP")), { up = "z" })
  local embedded = gltf("data:application/octet-stream;base64," .. base64(data))
  is_box(write(".gltf", embedded))
  is_box(write(".gltf", embedded), { up = "z" }, { 1, 3, 0 })
  is_box(write(".glb", glb(gltf(), data)))
  -- a node that is moved, turned, scaled; one that mirrors
  is_box(write(".glb", glb(gltf(nil, ',"translation":[0,5,0],"scale":[2,2,2]'), data)), nil, { 2, 4, 11 }, 48)
  is_box(write(".glb", glb(gltf(nil, ',"scale":[-1,1,1]'), data)), nil, { 0, 2, 3 })
  -- numbers in a separate file in the same folder, but not in another folder
  local beside = write(".bin", data)
  is_box(write(".gltf", gltf(beside:match "[^/]*$")))
  refuse(".gltf", scree.geometry.mesh, { file = write(".gltf", gltf("nowhere.bin")) })
  refuse(".gltf", scree.geometry.mesh, { file = write(".gltf", gltf("../" .. beside:match "[^/]*/[^/]*$")) })
  -- cut files are refused with their name
  for ending, whole in pairs { [".gltf"] = embedded, [".glb"] = glb(gltf(), data), [".dae"] = dae(1, "Z_UP") } do
    for part = 0, 9 do refuse(ending, scree.geometry.mesh, { file = write(ending, whole:sub(1, #whole * part // 10)), closed = true }) end
  end
  refuse("No such file", scree.geometry.mesh, { file = "nowhere.glb" })
end
for path in pairs(made) do os.remove(path) end
if lacking then print "skipped: glTF and COLLADA: built without them" os.exit(77) end
print("meshes: ok")
