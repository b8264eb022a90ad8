-- Error messages for wrong mesh files; bonds that differ in one member; sizes, balls of a hull, regions.
local scree = require "scree"
local fails = require("check").fails
local w = scree.world { dt = 1e-3 }

local folder = os.tmpname()
os.remove(folder)
assert(os.execute("mkdir " .. folder))
local function read(kind, text)
  local path = folder .. "/bad." .. kind
  local file = assert(io.open(path, "wb"))
  file:write(text)
  file:close()
  return w:mesh { kind = "fixed", file = path }
end
local head = "ply\nformat ascii 1.0\n"
local three = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
local face = "element face 1\nproperty list uchar int vertex_indices\n"
local points = "0 0 0\n1 0 0\n0 1 0\n"
for _, row in ipairs {
  { "ply", "", "not a PLY file" }, { "ply", "ply\nformat text 1.0\nend_header\n", "format" }, { "ply", head .. "property float x\nend_header\n", "property" },
  { "ply", head .. three .. face .. "end_header\n" .. points .. "3 0 1 5\n", "names point 5 of 3" }, { "ply", head .. three .. face .. "end_header\n" .. points .. "3 0 1 1.5\n", "names point 1.5 of 3" },
  { "ply", head .. three .. face .. "end_header\n" .. points .. "-3 0 1 2\n", "a list of -3 numbers" }, { "ply", head .. three .. face .. "end_header\n0 0 0\n1 0 nan\n0 1 0\n3 0 1 2\n", "not finite" },
  { "ply", head .. three .. face .. "end_header\n0 0 0\n1 0 x\n", "11: not a number" }, { "ply", head .. "element vertex 3\nelement face 1\nend_header\n", "lack one of x, y, z" }, { "ply", head .. "element vertex x\nend_header\n", "\"x\" is not a number of elements" },
  { "ply", head .. "element vertex 3\nproperty quad x\nend_header\n", "not a type of numbers" }, { "ply", head .. ("element e 0\n"):rep(200) .. "end_header\n", "element" },
  { "ply", head .. "element vertex 1\n" .. ("property float p\n"):rep(2000) .. "end_header\n", "property" }, { "ply", head .. three, "no end_header" },
  { "ply", head .. "element " .. ("v"):rep(500) .. " 3\nend_header\n", "has no properties" }, { "obj", "v 0 0\n", "coordinate 3" }, { "obj", "v 0 0 nan\n", "coordinate 3" }, { "obj", "v 0 0 0\nf 1 2 3\n", "vertex 2 of 1" },
  { "obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n", "a face with 2 corners" }, { "obj", "# " .. ("x"):rep(3000000) .. "\n", "a line of 3000002 bytes" }, { "obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2\n", "vertex 0 of 3" }, { "obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -9 1 2\n", "vertex -9 of 3" },
  { "stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\nendloop\nendfacet\nendsolid x\n", "more than three" },
  { "stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid x\n", "a facet with 2 vertices" }, { "stl", "solid x\nfacet\nvertex 0 0 " .. ("9"):rep(400) .. "\n", "ends within a facet" },
  { "stl", "solid x\nvertex a b c\n", "no endsolid" }, { "stl", "", "the file is empty" }, { "stl", "\0", "too few for an STL" }, { "xyz", "1", "the name must end in" },
} do
  fails(row[3], read, row[1], row[2])
end
-- binary files in both byte orders, with every type
local types = { "char", "uchar", "short", "ushort", "int", "uint", "float", "double", "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64" }
local packed = { char = "i1", uchar = "I1", short = "i2", ushort = "I2", int = "i4", uint = "I4", float = "f", double = "d", int8 = "i1", uint8 = "I1", int16 = "i2", uint16 = "I2", int32 = "i4", uint32 = "I4", float32 = "f", float64 = "d" }
for _, order in ipairs { { "<", "binary_little_endian" }, { ">", "binary_big_endian" } } do
  for _, kind in ipairs(types) do
    local text = "ply\nformat " .. order[2] .. " 1.0\nelement vertex 3\nproperty " .. kind .. " x\nproperty " .. kind .. " y\nproperty " .. kind .. " z\n" .. face .. "end_header\n"
    local function number(v) return string.pack(order[1] .. packed[kind], packed[kind]:find "[fd]" and v + 0.0 or v) end
    for _, p in ipairs { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 3, 0 } } do text = text .. number(p[1]) .. number(p[2]) .. number(p[3]) end
    local body = read("ply", text .. string.pack(order[1] .. "I1i4i4i4", 3, 0, 1, 2))
    assert(body:id() > 0)
    end
end
os.execute("rm -r " .. folder)

-- bonds that differ in one member are different
local grains = {}
for k = 1, 24 do grains[k] = w:sphere { radius = 0.1, position = { 0.2 * k, 5, 0 } } end
local base = { young = 1e6, ratio = 2, damping = 1e-4, strength = { tension = 1e5, shear = 1e5, compression = 1e6 } }
local variants = { {}, {}, { young = 2e6 }, { ratio = 3 }, { damping = 2e-4 }, { strength = { tension = 2e5, shear = 1e5, compression = 1e6 } }, { strength = { tension = 1e5, shear = 2e5, compression = 1e6 } },
  { strength = { tension = 1e5, shear = 1e5, compression = 2e6 } }, { strength = { tension = 1e5, shear = 1e5, compression = 1e6, edge_tension = 1e5 } }, { strength = { edge_shear = 1e5 } }, { strength = { bending = 1e5 } }, { strength = { twist = 1e5 } } }
for k, more in ipairs(variants) do
  local def = { pairs = { { grains[2 * k - 1], grains[2 * k] } } }
  for key, value in pairs(base) do def[key] = value end
  for key, value in pairs(more) do def[key] = value end
  local ok, why = pcall(w.bond, w, def)
  assert(ok, why)
end
w:step(3)
assert(w:report().bodies >= 24)

-- sizes, balls of a hull, regions
local box = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }
for _, row in ipairs {
  { "passing", { by = "mass", passing = { { 0.1, 1 } } } }, { "passing", { by = "mass", passing = { { 0.1, 0 }, { 0.05, 1 } } } }, { "passing", { by = "mass", passing = { { 0.1, 0 }, { 1 / 0, 1 } } } },
  { "passing", { by = "mass", passing = { { 0.1, 0 }, { 0.2, 2 } } } }, { "passing", { by = "mass", passing = { { 0.1, 0.1 }, { 0.2, 1 } } } }, { "max", { by = "mass", distribution = "uniform", min = 0.1 } },
  { "max", { by = "mass", distribution = "uniform", min = 0.1, max = 0.05 } }, { "max", { by = "mass", distribution = "uniform", min = 0.1, max = 1 / 0 } }, { "distribution", { by = "mass", distribution = "odd", min = 0.1, max = 0.2 } },
} do fails(row[1], w.insert, w, { region = box, count = 1, sizes = row[2] }) end
local hull = scree.geometry.hull { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } }
for _, def in ipairs { { count = 0 }, { count = 9999 }, { samples = 1 }, { samples = 1e6 }, { deviation = -1 }, { deviation = 1 / 0 }, { smallest = -1 }, { smallest = 1 / 0 } } do
  fails(next(def), hull.spheres, hull, def)
end
for _, region in ipairs { { center = { 0.5, 5, 0 }, radius = 0.3 }, { min = { 0, 4, -1 }, max = { 1, 6, 1 } } } do
  local c = w:coordination { region = region }
  assert(c.mean >= 0)
  assert(w:stress { region = region })
end
