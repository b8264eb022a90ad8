-- A wedge of rock on two joint planes. The line of their intersection plunges by `plunge`. The planes enclose
-- the angle `opening`, and their bisector has the angle `bisector` to the horizontal. The wedge slides along
-- the line of intersection. Its factor of safety is mu sin(bisector)/sin(opening/2)/tan(plunge) (Hoek & Bray
-- 1981):
--   scree safety scenes/blocks/wedge.lua

-- Returns the vector (x, y, z), rotated about x by 90 degrees minus the angle of the bisector, and then
-- tilted by the plunge.
local function place(p, x, y, z)
  local r, s = math.rad(90 - p.bisector), math.rad(p.plunge)
  y, z = math.cos(r) * y - math.sin(r) * z, math.sin(r) * y + math.cos(r) * z
  return { math.cos(s) * x + math.sin(s) * z, y, -math.sin(s) * x + math.cos(s) * z }
end

return {
  title = "wedge on two joint planes",
  params = { opening = 100, bisector = 60, plunge = 35, mu = 0.8, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    local half = math.rad(p.opening / 2)
    local points = {}
    for _, side in ipairs { -1, 1 } do
      w:halfspace { normal = place(p, 0, -side * math.cos(half), math.sin(half)) }
    end
    for _, x in ipairs { -0.5, 0.5 } do
      points[#points + 1] = place(p, x, 0, 0)
      for _, side in ipairs { -1, 1 } do
        points[#points + 1] = place(p, x, side * 0.5 * math.sin(half), 0.5 * math.cos(half))
      end
    end
    w:hull { points = points, density = 2500 }
  end,
  stop = { time = 0.5 },
  report = function(w, p)
    local half = math.rad(p.opening / 2)
    local factor = p.mu * math.sin(math.rad(p.bisector)) / math.sin(half) / math.tan(math.rad(p.plunge))
    return { { "closed form", factor } }
  end,
}
