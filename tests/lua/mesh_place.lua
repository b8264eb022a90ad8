-- Welding of corners, overlapping parts, units and places of meshes and hulls, orientations by axis and angle.
local scree = require "scree"
local check = require "check"
local refuse = check.fails
local name = os.tmpname()
os.remove(name)
local function write(ending, bytes)
  local file = assert(io.open(name .. ending, "wb"))
  file:write(bytes)
  file:close()
  return name .. ending
end

-- ---- welding ----
local function noise(k) return (math.sin(12.9898 * k) * 43758.5453) % 1 * 2 - 1 end
-- a floor of squares as separate triangles, with noise in every coordinate
local function floor(size, cells, amount, format)
  local rows, points, triangles, k = { "solid floor" }, {}, {}, 0
  local a = size / cells
  for i = 0, cells - 1 do
    for j = 0, cells - 1 do
      for _, t in ipairs { { { i, j }, { i + 1, j }, { i + 1, j + 1 } }, { { i, j }, { i + 1, j + 1 }, { i, j + 1 } } } do
        rows[#rows + 1] = "facet normal 0 0 1\nouter loop"
        for _, c in ipairs(t) do
          local p = { c[1] * a + amount * noise(k), c[2] * a + amount * noise(k + 1), amount * noise(k + 2) }
          k = k + 3
          rows[#rows + 1] = ("vertex " .. format):format(p[1], p[2], p[3])
          points[#points + 1] = p
        end
        triangles[#triangles + 1] = { #points - 2, #points - 1, #points }
        rows[#rows + 1] = "endloop\nendfacet"
      end
    end
  end
  return table.concat(rows, "\n") .. "\nendsolid floor\n", points, triangles
end
local text, points, triangles = floor(1, 8, 1e-8, "%.12f %.12f %.12f")
local file = write(".stl", text)
for what, def in pairs { file = { file = file }, lists = { points = points, triangles = triangles } } do
  local info = scree.geometry.mesh(def):info()
  assert(info.points == 81 and info.welded > 200 and info.dropped == 0, what .. ": " .. info.points)
  def.weld = 0
  info = scree.geometry.mesh(def):info()
  assert(info.points > 81 and info.welded == 0, what)
  def.weld = 3e-8
  assert(scree.geometry.mesh(def):info().points == 81, what)
end
-- in other units, and far from the origin, the same corners are one
for _, scale in ipairs { 1e-6, 1e-3, 1e3, 1e60, 1e-60 } do assert(scree.geometry.mesh { file = file, scale = scale }:info().points == 81, scale) end
assert(scree.geometry.mesh { file = file, place = { { "move", { 300, -200, 100 } } } }:info().points == 81)
-- corners that lie apart stay apart, on either side of the tolerance and of cells of the grid
for _, at in ipairs { 0, 1 / 3, -5.5 } do
  for _, step in ipairs { { 0.9, 1 }, { 1.1, 2 } } do
    local d = 1e-3
    local list = { { at, 0, 0 }, { at + 1, 0, 0 }, { at, 1, 0 }, { at + step[1] * d, 0, 0 }, { at, -1, 0 }, { at + 1, -1, 0 } }
    assert(scree.geometry.mesh { points = list, triangles = { { 1, 2, 3 }, { 4, 5, 6 } }, weld = d }:info().points == 4 + step[2])
  end
end
-- triangles that have no area any more are left out, and counted; the rest stays closed
local prism = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1e-4, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 1, 0, 1 }, { 1, 1e-4, 1 }, { 0, 1, 1 } }
local sides = { { 1, 4, 3 }, { 1, 3, 2 }, { 5, 6, 7 }, { 5, 7, 8 }, { 1, 2, 6 }, { 1, 6, 5 }, { 2, 3, 7 }, { 2, 7, 6 }, { 3, 4, 8 }, { 3, 8, 7 }, { 4, 1, 5 }, { 4, 5, 8 } }
local info = scree.geometry.mesh { points = prism, triangles = sides, closed = true, weld = 1e-3 }:info()
assert(info.points == 6 and info.triangles == 8 and info.dropped == 4 and info.welded == 2 and math.abs(info.volume - 0.5) < 1e-12)
refuse("none of the 12 triangles has an area: weld = 2 m joins their corners", scree.geometry.mesh, { points = prism, triangles = sides, weld = 2 })
refuse("none of the 128 triangles has an area: weld = 0.5 m joins their corners", scree.geometry.mesh, { file = file, scale = 0.25, weld = 0.5 })
-- up turns points like those of a file: x becomes z
do
  local turned = scree.geometry.mesh { points = prism, triangles = sides, up = "x" }:info()
  for k, from in ipairs { { 2, -1 }, { 3, -1 }, { 1, 1 } } do
    local low, high = math.huge, -math.huge
    for _, p in ipairs(prism) do low, high = math.min(low, from[2] * p[from[1]]), math.max(high, from[2] * p[from[1]]) end
    assert(math.abs(turned.min[k] - low) < 1e-12 and math.abs(turned.max[k] - high) < 1e-12)
  end
end
refuse("mesh.up must be one of file|x|y|z, not 'w'", scree.geometry.mesh, { points = prism, triangles = sides, up = "w" })
refuse("mesh.unit must be one of m|mm|cm|um|km|in|ft, not 'mmm'; did you mean 'mm'?", scree.geometry.mesh, { points = prism, triangles = sides, unit = "mmm" })
-- triangles on a line have no area before welding
local flat = refuse("none of the 1 triangles has an area", scree.geometry.mesh, { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 2, 0, 0 } }, triangles = { { 1, 2, 3 } }, weld = 0.1 })
assert(not flat:find "weld", flat)
refuse("mesh.weld", scree.geometry.mesh, { points = prism, triangles = sides, weld = -1 })
-- a box, a ball and a capsule slide and roll over noisy floors as over an even one
for _, amount in ipairs { 1e-8, 1e-7 } do
  local path = write(".stl", (floor(1, 8, amount, "%.12f %.12f %.12f")))
  for _, direction in ipairs { { 1, 0 }, { 0.6, 0.8 } } do
    for _, dt in ipairs { 1e-3, 1 / 240 } do
      local w = scree.world { gravity = { 0, 0, -9.81 }, dt = dt }
      w:pair { "default", "default", mu = 0 }
      w:mesh { file = path }
      local along = { 0.5 * direction[1], 0.5 * direction[2], 0 }
      local bodies = {
        w:box { size = { 0.03, 0.03, 0.03 }, position = { 0.11, 0.11, 0.015 }, velocity = along }, w:sphere { radius = 0.02, position = { 0.11, 0.21, 0.02 }, velocity = along },
        w:capsule { radius = 0.01, length = 0.02, position = { 0.21, 0.11, 0.01 }, orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 }, velocity = along },
      }
      for _ = 1, math.floor(1 / dt) do
        w:step()
        for _, b in ipairs(bodies) do assert(select(3, b:position()) < 0.0201) end
      end
      for k, b in ipairs(bodies) do
        local vx, vy = b:velocity()
        assert(math.abs((vx * direction[1] + vy * direction[2]) / 0.5 - 1) < 1e-4, ("body %d: %g of 0.5, noise %g"):format(k, vx * direction[1] + vy * direction[2], amount))
      end
    end
  end
end

-- two faces of one triangle, back to back: no open edge, no volume, so the mesh is not closed
do
  local corners, sides = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 } }, { { 1, 2, 3 }, { 1, 3, 2 } }
  assert(not scree.geometry.mesh({ points = corners, triangles = sides }):info().closed)
  refuse("the mesh has no volume", scree.geometry.mesh, { points = corners, triangles = sides, closed = true })
end

-- ---- parts ----
local cube, faces = {}, { { 1, 3, 2 }, { 2, 3, 4 }, { 5, 6, 7 }, { 6, 8, 7 }, { 1, 2, 5 }, { 2, 6, 5 }, { 3, 7, 4 }, { 4, 7, 8 }, { 1, 5, 3 }, { 3, 5, 7 }, { 2, 4, 6 }, { 4, 8, 6 } }
for k = 0, 7 do cube[k + 1] = { k % 2, k // 2 % 2, k // 4 } end
local function pair(offset, size)
  local p, t = {}, {}
  for _, c in ipairs(cube) do p[#p + 1] = c end
  for _, c in ipairs(cube) do p[#p + 1] = { c[1] * size[1] + offset[1], c[2] * size[2] + offset[2], c[3] * size[3] + offset[3] } end
  for _, f in ipairs(faces) do t[#t + 1] = f end
  for _, f in ipairs(faces) do t[#t + 1] = { f[1] + 8, f[2] + 8, f[3] + 8 } end
  return p, t
end
for what, row in pairs {
  corner = { { 0.5, 0.5, 0.5 }, { 1, 1, 1 } }, shifted = { { 0.5, 0, 0 }, { 1, 1, 1 } }, cross = { { -1, 0.25, 0 }, { 3, 0.5, 1 } }, through = { { -1, 0.3, 0.3 }, { 3, 0.4, 0.4 } }, into = { { 0.5, 0.3, 0.3 }, { 3, 0.4, 0.4 } },
} do
  local p, t = pair(row[1], row[2])
  local message = refuse("two parts of the mesh overlap", scree.geometry.mesh, { points = p, triangles = t, closed = true })
  assert(message:find "part of triangle 1 at" or message:find "part of triangle 13 at", message)
  assert(not scree.geometry.mesh({ points = p, triangles = t }):info().closed, what)
end
for what, row in pairs { apart = { { 2, 0, 0 }, { 1, 1, 1 } }, touching = { { 1, 0.25, 0.25 }, { 1, 0.5, 0.5 } }, edge = { { 1, 1, 0.5 }, { 1, 1, 1 } } } do
  local p, t = pair(row[1], row[2])
  local g = scree.geometry.mesh { points = p, triangles = t, closed = true }
  check.near(g:info().volume, 1 + row[2][1] * row[2][2] * row[2][3], 1e-12, what)
end

-- ---- units and places ----
local obj = { "v 0 0 0\nv 20 0 0\nv 0 30 0\nv 0 0 40\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n" }
local tetra = write(".obj", obj[1])
local function box_of(def)
  local i = scree.geometry.mesh(def):info()
  return { i.min[1], i.min[2], i.min[3], i.max[1], i.max[2], i.max[3] }
end
local function is(found, wanted, what)
  for k = 1, 6 do check.near(found[k], wanted[k], 1e-12, what) end
end
for unit, size in pairs { m = 1, mm = 1e-3, cm = 1e-2, um = 1e-6, km = 1e3, ["in"] = 0.0254, ft = 0.3048 } do is(box_of { file = tetra, unit = unit }, { 0, 0, 0, 20 * size, 30 * size, 40 * size }, unit) end
is(box_of { file = tetra, unit = "mm", scale = 2 }, { 0, 0, 0, 0.04, 0.06, 0.08 })
-- as a deck of LIGGGHTS has it: scale 0.001 rotate axis 0 0 1 angle 90 move 0.1 0 0
is(box_of { file = tetra, place = { { "scale", 0.001 }, { "rotate", { 0, 0, 1 }, math.pi / 2 }, { "move", { 0.1, 0, 0 } } } }, { 0.07, 0, 0, 0.1, 0.02, 0.04 })
-- in another order the place is another
is(box_of { file = tetra, place = { { "move", { 100, 0, 0 } }, { "rotate", { 0, 0, 2 }, "90 deg" }, { "scale", 0.001 } } }, { -0.03, 0.1, 0, 0, 0.12, 0.04 })
is(box_of { file = tetra, unit = "mm", place = { { "rotate", { 1, 0, 0 }, -math.pi / 2 }, { "move", { 0, 0, "5 mm" } }, { "rotate", { 1, 1, 1 }, 2 * math.pi / 3 } } }, { -0.025, 0, 0, 0.005, 0.02, 0.04 })
-- up comes first, then unit, then place; lists and hulls alike
is(box_of { file = tetra, up = "y", unit = "cm", place = { { "move", { 0, 0, 1 } } } }, { 0, -0.4, 1, 0.2, 0, 1.3 })
local lists = { points = { { 0, 0, 0 }, { 20, 0, 0 }, { 0, 30, 0 }, { 0, 0, 40 } }, triangles = { { 1, 3, 2 }, { 1, 2, 4 }, { 2, 3, 4 }, { 1, 4, 3 } }, unit = "mm", place = { { "rotate", { 0, 0, 1 }, math.pi } } }
is(box_of(lists), { -0.02, -0.03, 0, 0, 0, 0.04 })
local hull = scree.geometry.hull { file = tetra, unit = "mm", place = { { "move", { 1, 2, 3 } } } }:info()
is({ hull.min[1], hull.min[2], hull.min[3], hull.max[1], hull.max[2], hull.max[3] }, { 1, 2, 3, 1.02, 2.03, 3.04 })
local w = scree.world { dt = 1e-3 }
w:body { shapes = { { type = "hull", file = tetra, unit = "mm", place = { { "scale", 2 } } } } }
-- the turn of a place is the turn of a body
local angle, axis = 0.7, { 1, -2, 0.5 }
local turned = w:body { kind = "fixed", axis = axis, angle = angle, shapes = { { type = "sphere", radius = 1 } } }
local g = scree.geometry.mesh { points = lists.points, triangles = lists.triangles, place = { { "rotate", axis, angle } } }
for k, p in ipairs((g:lists())) do
  local q = { turned:to_world(table.unpack(lists.points[k])) }
  for i = 1, 3 do check.within(p[i], q[i], 1e-12, "point " .. k) end
end
for _, row in ipairs {
  { { "turn", 1 }, '"turn" is none of scale, rotate, move' }, { { "scale" }, '"scale" takes a factor' }, { { "scale", -1 }, "place[1][2] must be" }, { { "scale", 1, 2 }, '"scale" takes a factor' }, { { "move", 1 }, "place[1][2]" },
  { { "rotate", { 0, 0, 1 } }, '"rotate" takes an axis and an angle' }, { { "rotate", { 0, 0, 0 }, 1 }, "place[1][2] must not be zero" }, { { "rotate", { 0, 0, 1 }, {} }, "place[1][3]" }, { {}, "place[1] must be" }, { { 1, 2 }, "place[1] must be" },
} do refuse(row[2], scree.geometry.mesh, { file = tetra, place = { row[1] } }) end
refuse("mesh.place must be a list of steps such as", scree.geometry.mesh, { file = tetra, place = 1 })
refuse("one of m|mm", scree.geometry.mesh, { file = tetra, unit = "inch" })
refuse("says its unit itself", scree.geometry.mesh, { file = "part.GLB", unit = "mm" })

-- ---- axis and angle of bodies and shapes ----
local b = w:box { size = { 1, 2, 3 }, position = { 9, 0, 0 }, axis = { 0, 0, 3 }, angle = "90 deg" }
local q = { b:orientation() }
for k, v in ipairs { math.sqrt(0.5), 0, 0, math.sqrt(0.5) } do check.near(q[k], v) end
local compound = w:body { kind = "fixed", position = { 0, 20, 0 }, shapes = { { type = "cylinder", radius = 0.1, length = 4, axis = { 1, 0, 0 }, angle = math.pi / 2 } } }
assert(compound:id() > 0 and w:ray { from = { 0, 15, 0 }, direction = { 0, 1, 0 } }.distance < 3.0001) -- it lies along y now
refuse("box.axis needs an angle", w.box, w, { size = { 1, 1, 1 }, axis = { 0, 0, 1 } })
refuse("box.angle needs an axis", w.box, w, { size = { 1, 1, 1 }, angle = 1 })
refuse("box.axis must not be zero", w.box, w, { size = { 1, 1, 1 }, axis = { 0, 0, 0 }, angle = 1 })
refuse("not both", w.box, w, { size = { 1, 1, 1 }, axis = { 0, 0, 1 }, angle = 1, orientation = { 1, 0, 0, 0 } })
-- ---- forms of place that are wrong ----
w = scree.world { dt = 1e-3 }
local function place(list) return { points = lists.points, triangles = lists.triangles, place = list } end
local form = 'must be a list of steps such as { {"scale", 0.001}, {"move", {0, 0, 0.1}} }'
for _, make in ipairs { scree.geometry.mesh, scree.geometry.hull } do
  local name = make == scree.geometry.mesh and "mesh" or "hull"
  local function placed(list)
    local d = place(list)
    if name == "hull" then d.triangles = nil end
    return d
  end
  refuse(name .. ".place " .. form .. ", not a table with the key 'scale'", make, placed { scale = 0.001 })
  refuse(name .. ".place " .. form .. ", not a table with the key 'move'", make, placed { { "scale", 2 }, move = { 0, 0, 1 } })
  refuse(name .. ".place " .. form, make, placed { "scale", 0.001 })
  refuse(name .. ".place " .. form, make, placed { [2] = { "scale", 2 } })
  refuse(name .. ".place[1] must be {\"scale\", factor}", make, placed { { scale = 0.001 } })
  refuse(name .. ".place[1] must be {\"scale\", factor}", make, placed { { "rotate", axis = { 0, 0, 1 }, angle = 1 } })
end
assert(scree.geometry.mesh(place {}):info().max[1] == 20)

-- ---- scales by axis, which may mirror ----
do
  local corners = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }
  local steps = { { "scale", { -1, 2, 3 } }, { "move", { 0, 0, 1 } } }
  local hull = scree.geometry.hull { points = corners, place = steps }
  local closed = scree.geometry.mesh { points = corners, triangles = { { 1, 3, 2 }, { 1, 2, 4 }, { 1, 4, 3 }, { 2, 3, 4 } }, closed = true, place = steps }
  for _, g in ipairs { hull, closed } do
    assert(math.abs(g:info().volume - 1) < 1e-12, g:info().volume)
    local low, high = { 9, 9, 9 }, { -9, -9, -9 }
    for _, p in ipairs(g:lists()) do
      for k = 1, 3 do low[k], high[k] = math.min(low[k], p[k]), math.max(high[k], p[k]) end
    end
    assert(low[1] == -1 and high[1] == 0 and high[2] == 2 and low[3] == 1 and high[3] == 4)
  end
  refuse("mesh.place[1][2][3] must not be 0", scree.geometry.mesh, place { { "scale", { 1, 1, 0 } } })
end

-- ---- an OBJ file without faces is a hull, not a mesh ----
do
  local name = os.tmpname() .. ".obj"
  local out = assert(io.open(name, "w"))
  out:write "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 6\n"
  out:close()
  assert(math.abs(scree.geometry.hull({ file = name }):info().volume - 1) < 1e-12)
  refuse("holds no face", scree.geometry.mesh, { file = name })
  os.remove(name)
end

-- ---- angles of more than a turn ----
local turned = '90 rad is 14.3 turns: write "90 deg"'
refuse("mesh.place[2][3] = " .. turned, scree.geometry.mesh, place { { "scale", 2 }, { "rotate", { 0, 0, 1 }, 90 } })
refuse("mesh.place[1][3] = -45 rad is 7.16 turns: write \"-45 deg\"", scree.geometry.mesh, place { { "rotate", { 0, 0, 1 }, -45 } })
refuse("box.angle = " .. turned, w.box, w, { size = { 1, 1, 1 }, axis = { 0, 0, 1 }, angle = 90 })
refuse("body.angle = " .. turned, w.body, w, { axis = { 0, 0, 1 }, angle = 90, shapes = { { type = "sphere", radius = 1 } } })
refuse("body.shapes[1].angle = " .. turned, w.body, w, { shapes = { { type = "box", size = { 1, 1, 1 }, axis = { 0, 0, 1 }, angle = 90 } } })
-- a whole turn, texts of more than one and angles within one are fine
for _, angle in ipairs { 2 * math.pi, -2 * math.pi, math.rad(360), 6, "90 deg", "450 deg", "90 rad", "0.25 rev" } do
  w:box({ size = { 1, 1, 1 }, position = { 30, 0, 0 }, axis = { 0, 0, 1 }, angle = angle }):remove()
  scree.geometry.mesh(place { { "rotate", { 0, 0, 1 }, angle }, { "move", { 0, 0, "10 cm" } } })
end
os.remove(tetra)
os.remove(file)
print("mesh_place: ok")
