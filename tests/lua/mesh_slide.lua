-- The edges of a tessellated plane do not affect a sliding box: as on a half-space its velocity stays constant, it does not
-- rotate, and only the corners of its base are in contact.
local scree = require "scree"

-- n x n cells of random corners and diagonals
local function tessellated(n)
  local seed = 7
  local function random()
    seed = (seed * 1103515245 + 12345) % 2147483648
    return seed / 2147483648
  end
  local points, triangles = {}, {}
  local function inside(k) return k > 0 and k < n and 0.6 * (random() - 0.5) or 0 end
  for j = 0, n do
    for i = 0, n do points[#points + 1] = { i + inside(i), j + inside(j), 0 } end
  end
  local function id(i, j) return j * (n + 1) + i + 1 end
  for j = 0, n - 1 do
    for i = 0, n - 1 do
      local a, b, c, d = id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)
      if random() < 0.5 then
        triangles[#triangles + 1], triangles[#triangles + 2] = { a, b, c }, { a, c, d }
      else
        triangles[#triangles + 1], triangles[#triangles + 2] = { a, b, d }, { b, c, d }
      end
    end
  end
  return { type = "mesh", points = points, triangles = triangles }
end

local floor = tessellated(16)

local function slide(size, mu, depth)
  local w = scree.world { gravity = { 0, 0, -9.81 }, dt = 1 / 240, solver = { iterations = 200, tolerance = 1e-14 } }
  w:pair { "default", "default", mu = mu }
  w:body { kind = "fixed", shapes = { floor } }
  local box = w:box { size = { size, size, 0.5 }, position = { 4, 6, 0.25 - depth }, velocity = { 2, 0.7, 0 }, orientation = { math.cos(0.2), 0, 0, math.sin(0.2) } }
  local turn, off, contacts = 0, 0, 0
  for step = 1, 240 do
    w:step()
    local vx, vy, vz = box:velocity()
    local sx, sy, sz = box:spin()
    local slower = math.sqrt(2 ^ 2 + 0.7 ^ 2) - mu * 9.81 * step / 240
    local share = math.max(0, slower) / math.sqrt(2 ^ 2 + 0.7 ^ 2)
    turn = math.max(turn, math.abs(sx), math.abs(sy), math.abs(sz))
    off = math.max(off, math.abs(vx - 2 * share), math.abs(vy - 0.7 * share), math.abs(vz))
    contacts = contacts + w:report().contacts / 240
  end
  local what = ("box of %g m, mu %g, %g deep"):format(size, mu, depth)
  assert(turn < 1e-12, what .. ": turns by " .. turn)
  assert(off < 1e-12, what .. ": velocity is off by " .. off)
  assert(contacts < 5.5, what .. ": stands on " .. contacts .. " points")
end

for _, size in ipairs { 0.3, 1, 3.3 } do
  for _, mu in ipairs { 0, 0.1 } do
    for _, depth in ipairs { 0, 1e-4 } do slide(size, mu, depth) end
  end
end
