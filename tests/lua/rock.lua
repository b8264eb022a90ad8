-- Rock masses: blocks cut by sets of joints against closed forms of volumes and numbers, persistence, meshes, and mistakes.
local scree = require "scree"
local rock = require "scree.rock"
local check = require "check"
local function total(blocks)
  local sum = 0
  for _, b in ipairs(blocks) do sum = sum + b.volume end
  return sum
end
local UNIT = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }
local function cut(sets, def)
  local keys = { sets = sets, smallest = 0 }
  for k, v in pairs(def or UNIT) do keys[k] = v end
  return rock.cut(keys)
end

-- three orthogonal sets: 4 x 5 x 2 equal blocks
do
  local blocks, lost = cut { { normal = { 1, 0, 0 }, spacing = 0.25 }, { normal = { 0, 2, 0 }, spacing = 0.2 }, { normal = { 0, 0, 1 }, spacing = "50 cm" } }
  assert(#blocks == 40 and lost == 0, #blocks)
  for _, b in ipairs(blocks) do
    check.near(b.volume, 1 / 40, 1e-12, "volume")
    assert(#b.points == 8)
  end
  check.within(blocks[1].centre[1], 0.125, 1e-12, "centre")
end
-- one oblique plane: x + y + z = 1/2 cuts off a tetrahedron of volume (1/2)^3/6
do
  local blocks = cut { { normal = { 1, 1, 1 }, count = 1, origin = { 0.5, 0, 0 } } }
  assert(#blocks == 2)
  check.near(blocks[1].volume, 1 / 48, 1e-12, "tetrahedron")
  check.near(blocks[2].volume, 47 / 48, 1e-12, "the other part")
  for k = 1, 3 do check.near(blocks[1].centre[k], 1 / 8, 1e-12, "centre of the tetrahedron") end
end
-- through corners and edges: the diagonal plane halves the cube into two prisms
do
  local blocks = cut { { normal = { 1, -1, 0 }, count = 1 } }
  assert(#blocks == 2 and #blocks[1].points == 6)
  check.near(blocks[1].volume, 0.5, 1e-12, "prism")
end
-- dip and dip direction: a plane that dips 60 deg to the east falls by tan(60) per metre to the east
do
  local blocks = cut({ { dip = "60 deg", dip_direction = "90 deg", count = 1 } }, { min = { -1, -1, -10 }, max = { 1, 1, 10 } })
  assert(#blocks == 2)
  for _, p in ipairs(blocks[1].points) do assert(p[3] <= -math.tan(math.rad(60)) * p[1] + 1e-9, "below the plane") end
  local north = cut({ { dip = "30 deg", dip_direction = 0, count = 1 } }, { min = { -1, -1, -10 }, max = { 1, 1, 10 } })
  for _, p in ipairs(north[1].points) do assert(p[3] <= -math.tan(math.rad(30)) * p[2] + 1e-9, "dips to the north") end
end
-- the volume is that of the region for oblique sets; corners lie on both sides of no plane
do
  local sets = { { dip = "62 deg", dip_direction = "93 deg", spacing = 0.21 }, { dip = "71 deg", dip_direction = "201 deg", spacing = 0.17, jitter = 0.3 }, { dip = "11 deg", dip_direction = "31 deg", spacing = 0.19, persistence = 0.6 } }
  local blocks, lost = cut(sets)
  check.near(total(blocks) + lost, 1, 1e-9, "volume of all blocks")
  assert(#blocks > 100)
  local again = cut(sets)
  assert(#again == #blocks and again[17].points[3][2] == blocks[17].points[3][2], "a seed gives the same blocks")
  -- the hull of the corners has the volume of the block: it is convex and has all its corners
  for i = 1, #blocks, 7 do
    if blocks[i].volume > 1e-7 then check.near(scree.geometry.hull({ points = blocks[i].points }):info().volume / blocks[i].volume, 1, 1e-6, "convex") end
  end
  local big, small = rock.cut { min = { 0, 0, 0 }, max = { 1, 1, 1 }, sets = sets, smallest = 1e-3 }
  check.near(total(big) + small, 1, 1e-9, "volume with the dropped blocks")
  for _, b in ipairs(big) do assert(b.volume >= 1e-3) end
end
-- persistence: the share of the blocks in the way of a plane that it cuts; 400 blocks, 4 standard deviations
do
  local slabs = { { normal = { 1, 0, 0 }, spacing = 1 / 20 }, { normal = { 0, 1, 0 }, spacing = 1 / 20 }, { normal = { 0, 0, 1 }, count = 1, origin = { 0, 0, 0.5 }, persistence = 0.7 } }
  local blocks = cut(slabs)
  assert(math.abs(#blocks - 400 - 280) < 4 * math.sqrt(400 * 0.7 * 0.3), "persistence: " .. #blocks)
  local other = rock.cut { min = { 0, 0, 0 }, max = { 1, 1, 1 }, sets = slabs, seed = 2 }
  assert(#other ~= #blocks or other[400].volume ~= blocks[400].volume or other[300].volume ~= blocks[300].volume, "another seed")
  slabs[3].persistence = 0
  assert(#cut(slabs) == 400)
end
-- a closed mesh that is not convex: a slope with a bench, from a polygon in the plane x z
local function bench()
  local outline, points, triangles = { { 0, 0 }, { 6, 0 }, { 6, 1 }, { 4, 1 }, { 3, 2 }, { 2, 2 }, { 1, 4 }, { 0, 4 } }, {}, {}
  for _, y in ipairs { 0, 2 } do
    for _, p in ipairs(outline) do points[#points + 1] = { p[1], y, p[2] } end
  end
  for i = 1, 8 do
    local j = i % 8 + 1
    triangles[#triangles + 1], triangles[#triangles + 2] = { i, j, j + 8 }, { i, j + 8, i + 8 }
  end
  for _, t in ipairs { { 1, 2, 3 }, { 1, 3, 4 }, { 1, 4, 6 }, { 4, 5, 6 }, { 1, 6, 8 }, { 6, 7, 8 } } do
    triangles[#triangles + 1], triangles[#triangles + 2] = t, { t[1] + 8, t[3] + 8, t[2] + 8 }
  end
  return scree.geometry.mesh { points = points, triangles = triangles, closed = true }
end
do
  local mesh = bench()
  local area = 6 * 1 + (3 + 4) / 2 * 1 + (1 + 2) / 2 * 2
  check.near(mesh:info().volume, 2 * area, 1e-12, "volume of the mesh")
  local blocks = rock.cut { geometry = mesh, sets = { { dip = "35 deg", dip_direction = "90 deg", spacing = 0.7 }, { dip = "60 deg", dip_direction = "270 deg", spacing = 0.9 }, { normal = { 0, 1, 0 }, spacing = 1 } }, smallest = 0 }
  check.near(total(blocks), 2 * area, 1e-9, "volume of the blocks of a mesh")
  for _, b in ipairs(blocks) do
    assert(b.centre[3] < 4 - 2 * math.max(0, b.centre[1] - 1) or b.centre[3] < 2, "inside")
    assert(b.centre[1] < 3 or b.centre[3] < 2 - math.min(1, b.centre[1] - 3) + 1e-9, "below the toe")
  end
end
-- bodies: a cut block under its weight in a fixed tray does not fall apart
do
  local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 } }
  w:pair { "default", "default", mu = 0.8 }
  require("scree.obstacle").walls(w, { min = { 0, 0, 0 }, max = { 1, 1, 2 }, open = { "+z" } })
  local blocks = cut({ { dip = "80 deg", dip_direction = "90 deg", spacing = 0.4 }, { dip = "85 deg", dip_direction = "190 deg", spacing = 0.5 }, { dip = "5 deg", dip_direction = 0, spacing = 0.3 } },
    { min = { 0, 0, 0 }, max = { 1, 1, 0.6 } })
  local bodies = rock.add(w, blocks, { density = 2600, name = "block" })
  local mass = 0
  for _, b in ipairs(bodies) do mass = mass + b:mass() end
  check.near(mass, 2600 * 0.6, 1e-6, "mass")
  assert(#blocks > 15 and w:find "block3" == bodies[3], #blocks)
  w:step(100)
  assert(w:report().max_speed < 2e-2, "blocks that fit rest on each other")
end

for _, case in ipairs {
  { { sets = {} }, "needs min and max, or geometry" }, { { min = { 0, 0, 0 }, max = { 1, 0, 1 }, sets = {} }, "min must be less than max" },
  { { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, "sets must be a list" }, { { min = { 0, 0, 0 }, max = { 1, 1, 1 }, sets = { { dip = 1 } } }, "sets[1] needs dip and dip_direction, or normal" },
  { { min = { 0, 0, 0 }, max = { 1, 1, 1 }, sets = { { normal = { 0, 0, 1 } } } }, "sets[1].spacing must be a length" },
  { { min = { 0, 0, 0 }, max = { 1, 1, 1 }, sets = { { normal = { 0, 0, 1 }, spacing = 1, persistance = 1 } } }, "did you mean 'persistence'" },
  { { min = { 0, 0, 0 }, max = { 1, 1, 1 }, sets = { { normal = { 0, 0, 1 }, spacing = 1, persistence = 2 } } }, "between 0 and 1" },
  { { min = { 0, 0, 0 }, max = { 1, 1, 1 }, sets = { { normal = { 0, 0, 0 }, spacing = 1 } } }, "must be a direction" },
  { { min = { 0, 0, 0 }, max = { 1, 1, 1 }, sets = { { normal = { 0, 0, 1 }, spacing = 1e-9 } } }, "more than a million planes" },
} do check.fails(case[2], rock.cut, case[1]) end

-- ---- blocks from files ----

-- Writes a file into the folder of temporary files and returns its path.
local function write(name, text)
  local path = (os.getenv "TMPDIR" or "/tmp") .. "/scree_rock_" .. name
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
  return path
end
-- Faces of a box whose corners are numbered from `first`.
local quads = { { 0, 2, 3, 1 }, { 4, 5, 7, 6 }, { 0, 1, 5, 4 }, { 2, 6, 7, 3 }, { 0, 4, 6, 2 }, { 1, 3, 7, 5 } }
local function corners(x, size)
  local list = {}
  for i = 0, 7 do list[#list + 1] = ("%g %g %g"):format(x + i % 2 * size, i // 2 % 2 * size, i // 4 * size) end
  return list
end
local function obj(statements)
  local lines, first = {}, 1
  for k, statement in ipairs(statements) do
    for _, p in ipairs(corners(k - 1, k)) do lines[#lines + 1] = "v " .. p end
    lines[#lines + 1] = statement
    for _, q in ipairs(quads) do lines[#lines + 1] = ("f %d %d %d %d"):format(first + q[1], first + q[2], first + q[3], first + q[4]) end
    first = first + 8
  end
  return table.concat(lines, "\n") .. "\n"
end
do -- two touching cubes of 1 and 2: groups, objects with groups in them, and parts without either
  for _, statements in ipairs { { "g one", "g two" }, { "o one\ng a", "o two\ng a" }, { "", "" } } do
    local blocks = rock.read { file = write("two.obj", obj(statements)) }
    assert(#blocks == 2)
    assert(blocks[1].name == (statements[1] == "" and "1" or "one"), blocks[1].name)
    check.near(blocks[1].volume, 1, 1e-12, "first cube")
    check.near(blocks[2].volume, 8, 1e-12, "second cube")
    check.near(blocks[2].centre[1], 2, 1e-12, "centre")
    assert(#blocks[2].points == 8)
  end
  local scaled = rock.read { file = write("two.obj", obj { "g one", "g two" }), unit = "mm", place = { { "move", { 1, 0, 0 } } } }
  check.near(scaled[2].volume, 8e-9, 1e-12, "in millimetres")
  check.near(scaled[2].centre[1], 1.002, 1e-12, "moved")
  local w = scree.world {}
  local bodies = rock.add(w, rock.read { file = write("two.obj", obj { "g one", "g two" }) }, { density = 1000 })
  assert(w:find "two" == bodies[2])
  check.near(bodies[2]:mass(), 8000, 1e-12, "mass")
  -- one name twice is one group, which is then not convex
  local hollow = write("hollow.obj", obj { "g one", "g one" })
  check.fails("block one is not convex", rock.read, { file = hollow })
end
do -- PLY
  local lines = { "ply", "format ascii 1.0", "element vertex 16", "property float x", "property float y", "property float z", "element face 12", "property list uchar int vertex_indices", "end_header" }
  for _, p in ipairs(corners(0, 1)) do lines[#lines + 1] = p end
  for _, p in ipairs(corners(1, 1)) do lines[#lines + 1] = p end
  for first = 0, 8, 8 do
    for _, q in ipairs(quads) do lines[#lines + 1] = ("4 %d %d %d %d"):format(first + q[1], first + q[2], first + q[3], first + q[4]) end
  end
  local blocks = rock.read { file = write("two.ply", table.concat(lines, "\n") .. "\n") }
  assert(#blocks == 2)
  check.near(blocks[2].centre[1], 1.5, 1e-12, "second block of a PLY file")
end
check.fails("groups are read from .obj and .ply files", rock.read, { file = write("a.stl", "solid\nendsolid\n") })
check.fails("is not closed", rock.read, { file = write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n") })
check.fails("rock.read.fil is not a known key", rock.read, { fil = "a.obj" })
check.fails("groups.file is missing", rock.read, {})
check.fails("absent.obj", rock.read, { file = "/absent.obj" })
do -- the bounding radius of a block is that around its centre, wherever the block lies
  local w = scree.world {}
  local far = rock.cut { min = { 500, 200, 100 }, max = { 502, 201, 101 }, sets = { { normal = { 1, 0, 0 }, spacing = 1, origin = { 500, 0, 0 } } } }
  for _, body in ipairs(rock.add(w, far, {})) do check.near(body:radius(), math.sqrt(3) / 2, 1e-9, "bounding radius") end
  assert(w:count() == 2)
end
