-- Grains that are not balls run out of a hopper, a triangle mesh of four sloping walls with a square outlet.
local grain_shapes = require "grain_shapes"

-- Returns the shape with the name and the outer radius r.
local function grain(name, r)
  if name == "icosahedron" then return { type = "hull", points = grain_shapes.icosahedron(r) } end
  if name == "capsule" then return { type = "capsule", radius = 0.5 * r, length = r } end
  if name == "ellipsoid" then return { type = "ellipsoid", size = { 2 * r, 1.4 * r, 1.2 * r } } end
  if name == "sphere" then return { type = "sphere", radius = r } end
  error("grain must be icosahedron, capsule, ellipsoid or sphere, not '" .. name .. "'", 0)
end

-- Returns points and triangles of a square funnel with a chute above it. The triangles face inwards.
local function funnel(wide, narrow, low, high, top)
  local points, triangles = {}, {}
  for _, ring in ipairs { { narrow, low }, { wide, high }, { wide, top } } do
    local a, z = 0.5 * ring[1], ring[2]
    for _, c in ipairs { { -a, -a }, { a, -a }, { a, a }, { -a, a } } do
      points[#points + 1] = { c[1], c[2], z }
    end
  end
  for ring = 0, 1 do
    for k = 0, 3 do
      local p, q = 4 * ring + k + 1, 4 * ring + (k + 1) % 4 + 1
      triangles[#triangles + 1] = { p, p + 4, q }
      triangles[#triangles + 1] = { q, p + 4, q + 4 }
    end
  end
  return points, triangles
end

return {
  title = "a hopper of icosahedra, capsules or ellipsoids",
  params = { grain = "icosahedron", radius = 2e-3, mu = 0.4, outlet = 6, width = 12, fill = 0.06, seed = 1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 2e-4, solver = { iterations = 30 } },
  setup = function(w, p)
    w:material { name = "plastic", density = 1200 }
    w:pair { "plastic", "plastic", law = "coulomb", mu = p.mu }
    local d = 2 * p.radius
    local slope = 0.5 * (p.width - p.outlet) * d
    local points, triangles = funnel(p.width * d, p.outlet * d, 0, slope, slope + p.fill + 4 * d)
    w:mesh { name = "hopper", points = points, triangles = triangles, material = "plastic" }
    local a = 0.5 * (p.width - 1.2) * d
    w.state.grains = w:fill {
      region = { min = { -a, -a, slope + 0.5 * d }, max = { a, a, slope + p.fill } },
      spacing = 1.1 * d,
      radius = p.radius,
      jitter = { 0.05, 0.05, 0.05 },
      shape = grain(p.grain, p.radius),
      material = "plastic",
    }
    w.state.out = 0
  end,
  every = {
    {
      time = 0.005,
      call = function(w)
        w.state.out = w.state.out + w:remove { region = { max = { math.huge, math.huge, -0.03 } } }
      end,
    },
  },
  output = { trajectory = { every = 0.02, precision = "1e-4 d" }, series = { every = 0.01 } },
  stop = { time = 0.5 },
  report = function(w)
    local r = w:report()
    return {
      { "grains poured", w.state.grains },
      { "grains out", w.state.out },
      { "contacts per grain left", 2 * r.active / math.max(1, w:count()) },
      { "largest penetration", 1e6 * r.penetration, "um" },
    }
  end,
}
