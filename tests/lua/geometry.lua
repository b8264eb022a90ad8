-- Hulls and meshes from Lua: made from lists and files, shared, refused with their reasons, and bodies of them come to rest.
local f = (1 + 5 ^ 0.5) / 2
local icosahedron = {}
for _, s in ipairs { { 1, f }, { 1, -f }, { -1, f }, { -1, -f } } do
  local a, b = s[1], s[2]
  for _, p in ipairs { { 0, a, b }, { a, b, 0 }, { b, 0, a } } do icosahedron[#icosahedron + 1] = p end
end
local cube = { {-1,-1,-1}, {1,-1,-1}, {-1,1,-1}, {1,1,-1}, {-1,-1,1}, {1,-1,1}, {-1,1,1}, {1,1,1} }
local faces = { {1,3,2}, {2,3,4}, {5,6,7}, {6,8,7}, {1,2,5}, {2,6,5}, {3,7,4}, {4,7,8}, {1,5,3}, {3,5,7}, {2,4,6}, {4,8,6} }

local refuse = require("check").fails

-- geometries
local g = scree.geometry.hull { points = icosahedron, scale = 0.01 }
local info = g:info()
assert(info.type == "hull" and info.faces == 20 and info.points == 12 and info.closed)
assert(math.abs(info.volume / (5 / 12 * (3 + 5 ^ 0.5) * 8e-6) - 1) < 1e-9)
local box = scree.geometry.mesh { points = cube, triangles = faces, closed = true }
assert(math.abs(box:info().volume - 8) < 1e-12 and box:info().triangles == 12)
refuse("at least 4 points", scree.geometry.hull, { points = { { 0, 0, 0 } } })
refuse("in a plane", scree.geometry.hull, { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 1, 1, 0 } } })
refuse("hull.points[2]", scree.geometry.hull, { points = { { 0, 0, 0 }, { 1, 0 } } })
refuse("needs points or a file", scree.geometry.hull, {})
refuse("not both", scree.geometry.hull, { points = icosahedron, file = "a.stl" })
refuse("No such file", scree.geometry.mesh, { file = "nowhere.stl" })
refuse("did you mean 'points'", scree.geometry.hull, { point = icosahedron })
refuse("the mesh is open", scree.geometry.mesh, { points = cube, triangles = { faces[1], faces[2] }, closed = true })
refuse("mesh.triangles[1][3] must be the number of a point", scree.geometry.mesh, { points = cube, triangles = { { 1, 2, 0.5 } } })
refuse("triangle 1 names point 9 of 8", scree.geometry.mesh, { points = cube, triangles = { { 1, 2, 9 } } })
refuse("hull.points[2][1] is NaN", scree.geometry.hull, { points = { { 0, 0, 0 }, { 0 / 0, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } })
refuse("on a line", scree.geometry.hull, { points = { { 0, 0, 0 }, { 1, 1, 1 }, { 2, 2, 2 }, { 3, 3, 3 } } })
local turned = { table.unpack(faces) }
turned[3] = { 5, 7, 6 }
-- triangles that face inwards, all or some, are reversed to face outwards
local function senses(list)
  local info = scree.geometry.mesh({ points = cube, triangles = list, closed = true }):info()
  assert(info.closed and not info.solid and math.abs(info.volume - box:info().volume) < 1e-12)
  return info.turned
end
local inwards = {}
for i, t in ipairs(faces) do inwards[i] = { t[1], t[3], t[2] } end
assert(senses(faces) == 0 and senses(turned) == 1 and senses(inwards) == #faces)
refuse("solid = true", scree.geometry.mesh, { points = cube, triangles = { faces[1], faces[2] }, solid = true })
refuse("solid = true", scree.geometry.mesh, { points = cube, triangles = faces, closed = false })
assert(scree.geometry.mesh({ points = cube, triangles = inwards, solid = true }):info().solid)
refuse("none of the 1 triangles has an area", scree.geometry.mesh, { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } }, triangles = { { 1, 2, 3 } } })

-- a truncated STL file is an error that gives the position
local stl = os.tmpname() .. ".stl"
local function write_stl(bytes)
  local text = { "solid cube" }
  for _, t in ipairs(faces) do
    text[#text + 1] = "facet normal 0 0 0\nouter loop"
    for _, c in ipairs(t) do text[#text + 1] = ("vertex %g %g %g"):format(table.unpack(cube[c])) end
    text[#text + 1] = "endloop\nendfacet"
  end
  local whole = table.concat(text, "\n") .. "\nendsolid cube\n"
  local file = assert(io.open(stl, "wb"))
  file:write(whole:sub(1, bytes or #whole))
  file:close()
  return #whole
end
local whole = write_stl()
assert(math.abs(scree.geometry.mesh { file = stl, closed = true }:info().volume - 8) < 1e-12)
for cut = 0, whole - 16, 37 do
  write_stl(cut)
  refuse(".stl", scree.geometry.mesh, { file = stl, closed = true })
end
os.remove(stl)
refuse("No such file", scree.geometry.mesh, { file = stl })

-- a file, written as it will be read
local path = os.tmpname() .. ".obj"
local out = assert(io.open(path, "w"))
for _, p in ipairs(cube) do out:write(("v %g %g %g\n"):format(p[1], p[2], p[3])) end
for _, t in ipairs(faces) do out:write(("f %d %d %d\n"):format(t[1], t[2], t[3])) end
out:close()
assert(math.abs(scree.geometry.mesh { file = path, scale = 0.5 }:info().volume - 1) < 1e-12)
-- blanks and tabs before a line, and comments behind it
local indented = os.tmpname() .. ".obj"
out = assert(io.open(indented, "w"))
for _, p in ipairs(cube) do out:write((" \t v\t%g %g %g # corner\n"):format(p[1], p[2], p[3])) end
for _, t in ipairs(faces) do out:write(("   f %d %d %d\r\n"):format(t[1], t[2], t[3])) end
out:close()
assert(math.abs(scree.geometry.mesh { file = indented, scale = 0.5 }:info().volume - 1) < 1e-12)
os.remove(indented)

-- bodies: grains of one geometry fall on a meshed floor and come to rest on it
local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { iterations = 60 } }
local patch, corners = {}, {}
for i = 0, 4 do for j = 0, 4 do corners[#corners + 1] = { (i - 2) * 0.05, (j - 2) * 0.05, 0 } end end
for i = 0, 3 do
  for j = 0, 3 do
    local p, q = 5 * i + j + 1, 5 * i + j + 6
    patch[#patch + 1], patch[#patch + 2] = { p, q, p + 1 }, { q, q + 1, p + 1 }
  end
end
local floor = w:mesh { points = corners, triangles = patch }
assert(floor:kind() == "fixed")
local grains = {}
for k = 1, 3 do grains[k] = w:hull { geometry = g, position = { 0.04 * (k - 2), 0.01 * k, 0.025 + 0.01 * k }, orientation = { 1, 0.3 * k, 0.1, 0 } } end
w:hull { file = path, scale = 0.01, position = { 0, -0.05, 0.03 }, density = 500 }
w:body { shapes = { { type = "hull", points = icosahedron, scale = 0.005, position = { 0.05, -0.04, 0.02 } }, { type = "sphere", radius = 0.004, position = { 0.06, -0.04, 0.02 } } } }
refuse("is a hull, not a mesh", w.mesh, w, { geometry = g })
refuse("mesh.kind must be fixed or kinematic", w.mesh, w, { geometry = box, kind = "dynamic" })
refuse("must be made by scree.geometry.hull", w.hull, w, { geometry = {} })
g, box = nil, nil
collectgarbage()
w:step(1500)
local r = w:report()
assert(r.kinetic < 1e-7 * r.dynamic, "still moving: " .. r.kinetic)
assert(r.penetration < 1e-5, "penetration " .. r.penetration)
for k = 1, 3 do
  local z = select(3, grains[k]:position())
  -- an icosahedron of edge 2 cm rests on a face: its inner radius above the floor
  assert(math.abs(z - 0.01 * 3 ^ 0.5 * (3 + 5 ^ 0.5) / 6) < 1e-4, "grain at height " .. z)
end
os.remove(path)
