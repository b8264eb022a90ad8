-- Gravel: clumps of balls in the shape of a stone, or single balls of the same volume, run out of a pipe that
-- is lifted, and form a heap.
--
-- The slope of the heap follows from the positions of the grains. In a cone of height h and base radius R the
-- mean height is h / 4 and the mean distance from the axis is R / 2. The tangent of the slope is twice their
-- ratio.
local clump = require "scree.clump"
local obstacle = require "scree.obstacle"

-- Returns points and triangles of the mesh of a stone: a ball cut by random planes, stretched to almost twice
-- its thickness and dented on one side.
local function stone(random)
  local f = (1 + 5 ^ 0.5) / 2
  local points, triangles = {}, {}
  for _, s in ipairs { { 1, f }, { -1, f }, { 1, -f }, { -1, -f } } do
    points[#points + 1] = { s[1], s[2], 0 }
    points[#points + 1] = { 0, s[1], s[2] }
    points[#points + 1] = { s[2], 0, s[1] }
  end
  local function apart(a, b) return (a[1] - b[1]) ^ 2 + (a[2] - b[2]) ^ 2 + (a[3] - b[3]) ^ 2 end
  for i = 1, 12 do
    for j = i + 1, 12 do
      for k = j + 1, 12 do
        local a, b, c = points[i], points[j], points[k]
        if apart(a, b) < 4.1 and apart(b, c) < 4.1 and apart(a, c) < 4.1 then
          local volume = a[1] * (b[2] * c[3] - b[3] * c[2]) + a[2] * (b[3] * c[1] - b[1] * c[3])
            + a[3] * (b[1] * c[2] - b[2] * c[1])
          triangles[#triangles + 1] = volume > 0 and { i, j, k } or { i, k, j }
        end
      end
    end
  end
  for _ = 1, 2 do -- divide each triangle of the icosahedron into four, twice
    local middle, finer = {}, {}
    local function between(i, j)
      local key = math.min(i, j) * 10000 + math.max(i, j)
      if not middle[key] then
        local a, b = points[i], points[j]
        points[#points + 1] = { a[1] + b[1], a[2] + b[2], a[3] + b[3] }
        middle[key] = #points
      end
      return middle[key]
    end
    for _, t in ipairs(triangles) do
      local x, y, z = between(t[1], t[2]), between(t[2], t[3]), between(t[3], t[1])
      for _, n in ipairs { { t[1], x, z }, { x, t[2], y }, { z, y, t[3] }, { x, y, z } } do
        finer[#finer + 1] = n
      end
    end
    triangles = finer
  end
  local planes = {}
  for i = 1, 14 do
    planes[i] = { random(-1, 1), random(-1, 1), random(-1, 1), random(0.6, 0.95) }
  end
  for _, p in ipairs(points) do
    local long = (p[1] ^ 2 + p[2] ^ 2 + p[3] ^ 2) ^ 0.5
    local x, y, z, r = p[1] / long, p[2] / long, p[3] / long, 1
    for _, n in ipairs(planes) do
      local c = (n[1] * x + n[2] * y + n[3] * z) / (n[1] ^ 2 + n[2] ^ 2 + n[3] ^ 2) ^ 0.5
      if c > 0 then r = math.min(r, n[4] / c) end
    end
    if z > 0.6 then r = r - 0.25 * (z - 0.6) end
    p[1], p[2], p[3] = 1.3 * r * x, r * y, 0.75 * r * z
  end
  return points, triangles
end

return {
  title = "a heap of gravel",
  view = { position = { 0.09, -0.19, 0.09 }, target = { 0, 0, 0.005 } },
  params = {
    grain = { default = "clump", choices = { "clump", "ball" } },
    spheres = { default = 16, whole = true, min = 1, max = 200, doc = "of a clump at most" },
    count = { default = 300, whole = true, min = 10, max = 1000000 },
    d = {
      default = "8 mm",
      unit = "m",
      min = 1e-6,
      max = 1,
      doc = "diameter of the ball of a grain's volume",
    },
    mu = { default = 0.5, min = 0, max = 10 },
    lift = { default = "10 cm/s", unit = "m/s", min = 0, max = 10 },
    seed = 1,
  },
  world = { gravity = { 0, 0, -9.81 }, dt = 5e-4, solver = { iterations = 40 } },
  setup = function(w, p)
    w:material { name = "stone", density = 2650 }
    w:pair { "stone", "stone", mu = p.mu }
    local radius = 1.2 * p.d * (p.count / 10) ^ (1 / 3)
    -- the floor is made of fixed balls, so that no grain rolls away
    w:halfspace { normal = { 0, 0, 1 }, point = { 0, 0, -0.5 * p.d }, material = "stone" }
    local rows = math.ceil(3.5 * radius / p.d)
    for i = -rows, rows do
      for j = -rows, rows do
        if i * i + j * j <= rows * rows then
          w:sphere {
            kind = "fixed",
            radius = 0.5 * p.d,
            position = { i * p.d, j * p.d, -0.5 * p.d },
            material = "stone",
          }
        end
      end
    end
    obstacle.pipe(w, {
      name = "pipe",
      radius = radius,
      length = 20 * radius,
      position = { 0, 0, 10 * radius + 0.05 * p.d },
      material = "stone",
      velocity = function(t) return 0, 0, t < 0.4 and 0 or p.lift end,
    })
    local region =
      { point = { 0, 0, 0.8 * p.d }, axis = { 0, 0, 1 }, radius = radius - 0.9 * p.d, length = 18 * radius }
    local sizes = { by = "mass", distribution = "uniform", min = 0.8 * p.d, max = 1.2 * p.d }
    if p.grain == "ball" then
      w.state.placed =
        w:insert { region = region, count = p.count, sizes = sizes, material = "stone", attempts = 2000 }
      return
    end
    local points, triangles = stone(function(a, b) return w:random(a, b) end)
    local def, report =
      clump.from_mesh { points = points, triangles = triangles, spheres = p.spheres, material = "stone" }
    local t = w:template(def)
    w.state.report, w.state.filled, w.state.diameter = report, t.mass / 2650 / report.volume, t.diameter
    w.state.placed =
      w:insert { region = region, count = p.count, sizes = sizes, template = t, attempts = 2000 }
  end,
  every = {
    {
      time = 0.05,
      call = function(w)
        -- remove the pipe once it is high above the heap
        if w.state.gone or w:time() < 1.2 then return end
        w.state.gone = true
        w:find("pipe"):remove()
      end,
    },
  },
  output = { trajectory = { every = 0.04, precision = "1e-4 d" }, series = { every = 0.01 } },
  stop = { time = 1.5 },
  report = function(w, p)
    local s, x, sum, n = w.state, w:view "position", { 0, 0 }, 0
    local kind = w:view "kind"
    for i = 1, #x do
      local a, b, z = x:get(i)
      local r = (a * a + b * b) ^ 0.5
      if kind:get(i) == "dynamic" then
        sum, n = { sum[1] + r, sum[2] + z }, n + 1
      end
    end
    local figures = {
      { "grains", s.placed },
      { "mean height", sum[2] / n, "m" },
      { "mean distance from the axis", sum[1] / n, "m" },
      { "slope", math.deg(math.atan(2 * sum[2] / sum[1])), "deg" },
    }
    if s.report then
      figures[5], figures[6] =
        { "balls of a clump", s.report.spheres },
        { "deviation, in diameters", s.report.deviation / s.diameter }
      figures[7], figures[8] =
        { "mean deviation, in diameters", s.report.mean / s.diameter }, { "volume, of the mesh's", s.filled }
    end
    return figures
  end,
}
