-- A spinning rod with round ends falls on a table (Stewart & Trinkle 1996, section 4): impact without a bounce that the
-- instantaneous view has no answer for, sticking, slip, a second impact, a short slide, rest. In the plane x, z.
-- Exact instants: contact 0.385817752 s, slip from 0.419113254, left end down 0.547318420, at rest 0.566342754 at x = -0.227359983.
local half = math.rad(30) / 2
local down = math.sqrt(0.5)
-- the capsule's axis goes from local z to x, then turns by 30 degrees in the plane (about -y, so that the right end is up)
local function orientation()
  local w, y = math.cos(half), -math.sin(half)
  return { w * down - y * down, 0, w * down + y * down, 0 }
end

local function touching(w)
  local left, right = false, false
  local x = w:find("rod"):position()
  for _, c in ipairs(w:contacts()) do
    if c.impulse[3] > 0 then
      if c.point[1] < x then left = true else right = true end
    end
  end
  return left, right
end

return {
  title = "rod and table",
  params = { h = 1 / 1600, mu = 0.6, solver = "lemke" },
  world = function(p)
    return { gravity = { 0, 0, -9.81 }, dt = p.h, stepper = "stewart_trinkle",
      solver = { name = p.solver, iterations = 5000, tolerance = 1e-10 } }
  end,
  setup = function(w, p)
    w:pair { "default", "default", law = "polyhedral", mu = p.mu, directions = 4 }
    w:halfspace { normal = { 0, 0, 1 } }
    w:capsule { name = "rod", radius = 0.05, length = 0.5, position = { 0, 0, 1 }, orientation = orientation(),
      spin = { 0, -4, 0 }, mass = 1, inertia = { 0.002, 0, 0, 0.002, 0, 0.002 } }
  end,
  after_step = function(w, p)
    local s, rod = w.state, w:find "rod"
    local left, right = touching(w)
    local vx, _, vz = rod:velocity()
    if not s.first and (left or right) then s.first = w:time() end
    if not s.second and left and right then s.second = w:time() end
    if s.second and not s.rest and math.abs(vx) + math.abs(vz) < 1e-9 then s.rest = w:time() end
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.0025, values = function(w)
    local rod = w:find "rod"
    local vx, _, vz = rod:velocity()
    local _, spin = rod:spin()
    return { vx = vx, vz = vz, spin = -spin }
  end } },
  stop = { time = 0.7 },
  report = function(w, p)
    local x = w:find("rod"):position()
    return {
      { "first contact", w.state.first or 0, "s" }, { "left end lands", w.state.second or 0, "s" },
      { "at rest", w.state.rest or 0, "s" }, { "rests at", x, "m" },
    }
  end,
}
