-- A chain of tori. Each link is a mesh that is not convex; it is divided into convex hulls and has the mass
-- of the mesh. The first link is fixed. The others fall until they hang in each other.
local decompose = require "scree.decompose"

-- Returns points and triangles of a torus with the radii R and r, of n by m quadrilaterals.
local function torus(R, r, n, m)
  local points, triangles = {}, {}
  local function at(i, k) return (i % n) * m + k % m + 1 end
  for i = 0, n - 1 do
    for k = 0, m - 1 do
      local a, b = 2 * math.pi * i / n, 2 * math.pi * k / m
      points[#points + 1] =
        { (R + r * math.cos(b)) * math.cos(a), (R + r * math.cos(b)) * math.sin(a), r * math.sin(b) }
      triangles[#triangles + 1] = { at(i, k), at(i + 1, k), at(i + 1, k + 1) }
      triangles[#triangles + 1] = { at(i, k), at(i + 1, k + 1), at(i, k + 1) }
    end
  end
  return points, triangles
end

return {
  title = "chain",
  params = { links = 5, radius = 0.1, thickness = 0.02, parts = 32, dt = 5e-4, time = 3 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.3 }
    local points, triangles = torus(p.radius, p.thickness, 16, 8)
    local hulls = decompose.hulls(points, triangles, { parts = p.parts })
    w.state.links = {}
    for i = 1, p.links do
      local upright = i % 2 == 1
      local link = decompose.body(w, {
        points = points,
        triangles = triangles,
        hulls = hulls,
        density = 7800,
        position = { 0, 0, 1 - (i - 1) * 1.59 * p.radius },
        orientation = upright and { math.sqrt(0.5), math.sqrt(0.5), 0, 0 } or { 0.5, 0.5, 0.5, 0.5 },
      })
      if i == 1 then
        link:set_kind "fixed"
      else
        w.state.links[i - 1] = link
      end
    end
    w.state.links[p.links - 1]:set_velocity(0, 1, 0)
  end,
  output = { trajectory = { every = 0.02 }, series = { every = 0.02 } },
  stop = function(w, p) return w:time() >= p.time end,
  report = function(w, p)
    local low = select(3, w.state.links[p.links - 1]:position())
    return {
      { "lowest link", low, "m" },
      { "hanging straight", 1 - (p.links - 1) * 2 * (p.radius - p.thickness), "m" },
      { "penetration", w:report().penetration, "m" },
    }
  end,
}
