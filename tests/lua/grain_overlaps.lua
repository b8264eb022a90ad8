-- Tests overlaps of grains from a file. Compares overlaps in cells with a search over all pairs and images. Compares `shrink` and `relax` with closed
-- forms.
local scree = require "scree"
local check = require "check"
local fails, near = check.fails, check.near
local grain_file = require "grain_file"
local read, same = grain_file.read, grain_file.same
math.randomseed(5)

local function table_of(balls, names)
  local lines = { names or "x y z r" }
  for k, b in ipairs(balls) do
    local cells = {}
    for c, v in ipairs(b) do cells[c] = ("%.17g"):format(v) end
    lines[k + 1] = table.concat(cells, " ")
  end
  return table.concat(lines, "\n") .. "\n"
end

-- ---- all pairs and images; sizes from 1 to 1000, cells with some periodic edges, straight and tilted ----
for number, cell in ipairs {
  { periodic = { false, false, false } }, { periodic = { true, false, false } }, { periodic = { false, true, false } }, { periodic = { false, false, true } }, { periodic = { true, true, true } },
  { periodic = { true, true, true }, matrix = { { 1, 0.3, -0.2 }, { 0, 1.2, 0.25 }, { 0, 0, 0.9 } } }, { periodic = { true, false, true }, matrix = { { 1, 0, 0.3 }, { 0, 1, -0.3 }, { 0, 0, 1.1 } } },
} do
  local H = cell.matrix or { { 1, 0, 0 }, { 0, 1.2, 0 }, { 0, 0, 0.9 } }
  local origin = { -0.5, 0.25, 3 }
  local balls, clumps = {}, {}
  for k = 1, 180 do
    local s, at = { math.random(), math.random(), math.random() }, {}
    if k % 5 == 0 then for c = 1, 3 do s[c] = s[c] + math.random(-2, 2) * (cell.periodic[c] and 1 or 0) end end -- beyond a periodic edge
    for c = 1, 3 do at[c] = origin[c] + H[c][1] * s[1] + H[c][2] * s[2] + H[c][3] * s[3] end
    clumps[k] = k % 10 < 2 and k // 10 or 0
    balls[k] = { at[1], at[2], at[3], 0.12 * 10 ^ (-(k % 7) / 2), clumps[k] }
  end
  local count, largest, sum, share, factor = 0, 0, 0, 0, 1
  for i, a in ipairs(balls) do
    for j = i + 1, #balls do
      local b = balls[j]
      -- the images next to the difference: of cells that lean little, two beyond the nearest in each direction are enough
      local d = { a[1] - b[1], a[2] - b[2], a[3] - b[3] }
      local near_z = cell.periodic[3] and math.floor(d[3] / H[3][3] + 0.5) or 0
      for z = near_z - (cell.periodic[3] and 1 or 0), near_z + (cell.periodic[3] and 1 or 0) do
        local y0 = cell.periodic[2] and math.floor((d[2] - H[2][3] * z) / H[2][2] + 0.5) or 0
        for y = y0 - (cell.periodic[2] and 1 or 0), y0 + (cell.periodic[2] and 1 or 0) do
          local x0 = cell.periodic[1] and math.floor((d[1] - H[1][3] * z - H[1][2] * y) / H[1][1] + 0.5) or 0
          for x = x0 - (cell.periodic[1] and 1 or 0), x0 + (cell.periodic[1] and 1 or 0) do
            local e, square = { x, y, z }, 0
            for c = 1, 3 do square = square + (d[c] - H[c][1] * e[1] - H[c][2] * e[2] - H[c][3] * e[3]) ^ 2 end
            local depth = a[4] + b[4] - math.sqrt(square)
            if depth > 0 and (a[5] == 0 or a[5] ~= b[5]) then
              count, largest, sum, share = count + 1, math.max(largest, depth), sum + depth, math.max(share, depth / math.min(a[4], b[4]))
              factor = math.min(factor, math.sqrt(square) / (a[4] + b[4]))
            end
          end
        end
      end
    end
  end
  local function load(keys)
    return grain_file.with(table_of(balls, "x y z r clump"), function(path)
      local some = cell.periodic[1] or cell.periodic[2] or cell.periodic[3]
      local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = some and { origin = origin, size = { H[1][1], H[2][2], H[3][3] }, periodic = cell.periodic } or nil }
      if cell.matrix then w:cell():set_matrix(H) end
      keys.file, keys.density = path, 1000
      local _, info = w:read_grains(keys)
      return info
    end)
  end
  local info = load {}
  assert(count > 30 and info.overlaps.count == count, ("cell %d: %d overlaps, not %d"):format(number, info.overlaps.count, count))
  near(info.overlaps.largest, largest, 1e-12, "largest")
  near(info.overlaps.mean, sum / count, 1e-12, "mean")
  near(info.overlaps.share, share, 1e-12, "share")
  near(load { shrink = true }.scale, factor, 2e-12, "factor")
end

-- ---- shrink: radii by the factor, masses of the file by its cube ----
do
  local w, info = read("x y z r m\n0 0 0 1 8\n1.5 0 0 1 4\n9 0 0 2 3\n", { shrink = true })
  near(info.scale, 0.75, 2e-12)
  for k, r in ipairs { 0.75, 0.75, 1.5 } do near(w:view "radius"[k], r, 2e-12) end
  for k, m in ipairs { 8, 4, 3 } do near(w:view "mass"[k], m * 0.75 ^ 3, 1e-11) end
  near(info.radius_min, 0.75, 2e-12)
  near(info.radius_max, 1.5, 2e-12)
  assert(info.overlaps.count == 1 and info.overlaps.largest == 0.5)
  -- nothing overlaps: nothing changes
  w, info = read("x y z r m\n0 0 0 1 8\n2 0 0 1 4\n", { shrink = true, relax = true })
  assert(info.scale == 1 and info.overlaps.count == 0 and w:view "radius"[1] == 1 and w:view "mass"[1] == 8 and info.overlaps.largest == 0 and info.overlaps.mean == 0)
  -- balls of one clump may overlap
  w, info = read("x y z r clump\n0 0 0 1 3\n1 0 0 1 3\n9 0 0 1 0\n9.5 0 0 1 0\n20 0 0 1 -1\n20.5 0 0 1 -1\n30 0 0 1 4\n30.5 0 0 1 5\n", { density = 1 })
  assert(info.overlaps.count == 3)
end

-- ---- relax: pairs between far balls, which give the box its size ----
do
  local frame = "-20 0 0 1 0 0\n20 0 0 1 0 0\n0 -20 0 1 0 0\n0 20 0 1 0 0\n0 0 -20 1 0 0\n0 0 20 1 0 0\n"
  local function relax(rows, keys)
    local def = { relax = true, density = 1 }
    for k, v in pairs(keys or {}) do def[k] = v end
    local w, info = read("x y z r clump is_fixed\n" .. frame .. rows, def)
    return w:view "position":totable(), info, w
  end
  local function x_of(p, row) return p[3 * (6 + row) - 2], p[3 * (6 + row) - 1], p[3 * (6 + row)] end
  -- two equal balls move by half the overlap each
  local p, info = relax "1 2 3 1 0 0\n1.9 3.2 3 1 0 0\n"
  near(info.overlaps.largest, 0.5, 1e-12)
  near(info.scale, 1, 1e-11)
  for c, want in ipairs { 1 - 0.25 * 0.6, 2 - 0.25 * 0.8, 3 } do near(p[18 + c], want, 1e-10, "first") end
  for c, want in ipairs { 1.9 + 0.25 * 0.6, 3.2 + 0.25 * 0.8, 3 } do near(p[21 + c], want, 1e-10, "second") end
  for k = 1, 18 do assert(math.abs(p[k] - ({ -20, 0, 0, 20, 0, 0, 0, -20, 0, 0, 20, 0, 0, 0, -20, 0, 0, 20 })[k]) < 1e-12) end
  -- displacements are inverse to the cubes of the radii: 8 to 1; a ball that touches nothing shows the displacement that keeps the mean position
  p, info = relax "0 0 0 1 0 0\n2.5 0 0 2 0 0\n0 5 5 1 0 0\n"
  local a, b, c = x_of(p, 1), x_of(p, 2), x_of(p, 3)
  near(b - a, 3, 1e-10, "distance")
  near((a - c) / (b - 2.5 - c), -8, 1e-9, "shares")
  assert(math.abs(c) > 1e-4 and c > 0) -- the small ball moved to the left, so all others to the right
  -- three balls in a row: no ball moves further than the largest overlap, and the middle ball does not move
  p, info = relax "0 0 0 1 0 0\n1.9 0 0 1 0 0\n3.8 0 0 1 0 0\n"
  near(x_of(p, 1), -0.1, 1e-10, "left")
  near(x_of(p, 2), 1.9, 1e-10, "middle")
  near(x_of(p, 3), 3.9, 1e-10, "right")
  p, info = relax "0 0 0 1 0 0\n1.9 0 0 1 0 0\n3.8 0 0 1 0 0\n5.7 0 0 1 0 0\n7.6 0 0 1 0 0\n"
  for k = 1, 5 do assert(math.abs(x_of(p, k) - 1.9 * (k - 1)) <= 0.1 + 1e-9, k) end
  assert(info.scale < 1 and info.scale > 0.95)
  -- a fixed ball and the balls of a clump do not move
  p, info = relax "0 0 0 1 0 1\n1.8 0 0 1 0 0\n"
  assert(x_of(p, 1) == 0)
  near(x_of(p, 2), 2, 2e-2, "beside a fixed ball")
  p, info = relax "0 0 0 1 1 0\n0 1 0 1 1 0\n1.8 0 0 1 0 0\n"
  local x, y, z = x_of(p, 1)
  assert(math.abs(x) < 1e-12 and math.abs(y - 0.5) < 1e-12 and math.abs(z) < 1e-12)
  -- nothing leaves the box that the balls fill
  local _, two = read("x y z r\n0 0 0 1\n1.5 0 0 1\n", { relax = true })
  near(two.scale, 0.75, 1e-11, "no room")
  -- across a periodic edge
  for axis = 1, 3 do
    local one, other = { 5, 5, 5, 1 }, { 5, 5, 5, 1 }
    one[axis], other[axis] = 0.4, 9.2
    grain_file.with(table_of { one, other }, function(path)
      local periodic, at = { false, false, false }, axis
      periodic[axis] = true
      local w = scree.world { gravity = { 0, 0, 0 }, dt = 1e-3, cell = { size = { 10, 10, 10 }, periodic = periodic } }
      local _, about = w:read_grains { file = path, relax = true, density = 1 }
      near(about.overlaps.largest, 0.8, 1e-12)
      near(about.scale, 1, 1e-11)
      local found = w:view "position":totable()
      near((found[at] + 4.2) % 10, 5, 1e-9)
      near(found[3 + at] % 10, 8.8, 1e-9)
    end)
  end
end

-- ---- too many grains at one place, and grains too far apart ----
do
  local function crowd(count, far)
    local rows = { "x y z r", "50 0 0 1" }
    for k = 1, count do rows[#rows + 1] = ("1 2 3 %g"):format(1 + k / 1000) end
    rows[#rows + 1] = "90 0 0 1"
    rows[#rows + 1] = far
    return table.concat(rows, "\n") .. "\n"
  end
  local _, info = read(crowd(101))
  assert(info.overlaps.count == 101 * 100 / 2)
  fails("the grain in row 2 at (1, 2, 3) shares its place with 101 others (rows 3, 4, 5, 6, ...): the centre of each is inside the other", read, crowd(102))
  fails("the grains are too far apart for their sizes", read, crowd(2, "1e16 0 0 1"))
  fails("the grains are too far apart for their sizes", read, crowd(2, "0 0 1.1e15 1"))
  read(crowd(2, "0 9e14 0 1"))
end
print "grain_overlaps: ok"
