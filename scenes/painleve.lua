-- The sliding rod of Painleve (Preclik, Eibl & Ruede 2017, section 4.2): a thin rod leans at an angle theta
-- on a plane and slides tip ahead.
--
-- If mu is below mu*(theta), the rod slides on. If mu is above, no finite force prevents the tip from
-- penetrating the plane; both friction laws give the impulse that stops the tip. The report maps the impulse
-- of both laws over angle and mu. The world simulates one rod: its tip stops at once, and the rod tips over.
local scree = require "scree"

local LENGTH, MASS, RADIUS = 1, 1, 1e-3

-- Returns mu*, the friction coefficient from which no finite force exists.
local function threshold(angle) return (math.cos(angle) + 1 / (3 * math.cos(angle))) / math.sin(angle) end

-- Returns the contact problem without a world, in the frame (n, t, o). n points up, t against the motion, so
-- v = (0, -speed, 0).
local function bare(law, angle, mu, speed)
  local s, c = math.sin(angle), math.cos(angle)
  return {
    law = law,
    mu = mu,
    A = {
      { (1 + 3 * c * c) / MASS, -3 * s * c / MASS, 0 },
      { -3 * s * c / MASS, (1 + 3 * s * s) / MASS, 0 },
      { 0, 0, 4 / MASS },
    },
    b = { 0, speed, 0 },
  }
end

-- Returns the normal impulse over the impulse that stops the tip, on a grid of angle and mu, and the number
-- of grid points where it differs from the exact value: 0 below the threshold, 1 above.
local function map(law, n, top)
  local values, wrong = {}, 0
  for j = 1, n do
    for i = 1, n do
      local angle, mu = math.rad((i - 0.5) * 90 / n), (j - 0.5) * top / n
      local r = scree.law.solve(bare(law, angle, mu, 1))
      local stop = MASS / 8 * 3 * math.sin(2 * angle)
      values[#values + 1] = r.x[1] / stop
      if math.abs(values[#values] - (mu >= threshold(angle) and 1 or 0)) > 1e-9 then wrong = wrong + 1 end
    end
  end
  return values, wrong
end

local function angle_of(rod)
  local w, x, y, z = rod:orientation()
  -- direction of the rod, the local z axis
  local ax, ay = 2 * (x * z + w * y), 2 * (y * z - w * x)
  return math.atan(ay, ax)
end

return {
  title = "Painleve's rod",
  params = { law = "max_dissipation", angle = 60, mu = 1.5, speed = 1, grid = 60 },
  world = { gravity = { 0, -9.81, 0 }, dt = 1e-4, solver = { iterations = 200, tolerance = 1e-10 } },

  setup = function(w, p)
    w:pair { "default", "default", law = p.law, mu = p.mu }
    w:halfspace { normal = { 0, 1, 0 } }
    local a = math.rad(p.angle)
    local axis = { math.cos(a), math.sin(a), 0 }
    -- quaternion that rotates local z onto the axis (not normalised)
    local q = { 1 + axis[3], -axis[2], axis[1], 0 }
    w:capsule {
      name = "rod",
      radius = RADIUS,
      length = LENGTH,
      mass = MASS,
      inertia = { MASS * LENGTH ^ 2 / 12, 0, 0, MASS * LENGTH ^ 2 / 12, 0, 1e-6 },
      position = { LENGTH / 2 * axis[1], LENGTH / 2 * axis[2] + RADIUS, 0 },
      orientation = q,
      velocity = { -p.speed, 0, 0 },
    }
    w.state.time, w.state.angle, w.state.tip, w.state.height = {}, {}, {}, {}
  end,

  after_step = function(w, p)
    local s, rod = w.state, w:find "rod"
    local vx, vy = rod:velocity()
    if w:steps() == 1 then s.first = { (vx + p.speed) * MASS, vy * MASS } end
    if w:steps() % 20 ~= 1 then return end
    local a, _, _, wz = angle_of(rod), rod:spin()
    local _, y = rod:position()
    local k = #s.time + 1
    s.time[k], s.angle[k], s.height[k] = w:time(), math.deg(a), y
    s.tip[k] = vx + wz * (LENGTH / 2 * math.sin(a) + RADIUS)
  end,

  output = { trajectory = { every = 0.005 }, series = { every = 0.005 } },
  stop = { time = 0.6 },

  report = function(w, p)
    local s, a = w.state, math.rad(p.angle)
    local top = 4
    local coulomb, wrong_c = map("coulomb", p.grid, top)
    local best, wrong_b = map("max_dissipation", p.grid, top)
    local x, y = {}, {}
    for i = 1, 200 do
      local angle = math.rad(i * 90 / 201)
      if threshold(angle) < top then
        x[#x + 1], y[#y + 1] = math.deg(angle), threshold(angle)
      end
    end
    local function panel(title, values)
      return {
        title = title,
        xlabel = "angle (degrees)",
        ylabel = "mu",
        color_label = "impulse / stopping impulse",
        legend = "none",
        image = { nx = p.grid, ny = p.grid, values = values, x = { 0, 90 }, y = { 0, top } },
        series = { { name = "mu*", style = "lines", color = "#ffffff", x = x, y = y } },
      }
    end
    pcall(scree.plot, {
      title = "Painleve's rod",
      columns = 2,
      file = "painleve.png",
      panels = {
        panel("coulomb", coulomb),
        panel("max. dissipation", best),
        {
          xlabel = "time (s)",
          ylabel = "angle (degrees)",
          legend = "none",
          series = { { style = "lines", x = s.time, y = s.angle } },
        },
        {
          xlabel = "time (s)",
          ylabel = "speed of the tip (m/s)",
          legend = "none",
          series = { { style = "lines", x = s.time, y = s.tip } },
        },
      },
    })
    local stop = p.mu >= threshold(a)
        and { MASS * p.speed / 8 * (5 + 3 * math.cos(2 * a)), MASS * p.speed / 8 * 3 * math.sin(2 * a) }
      or { 0, 0 }
    return {
      { "mu*", threshold(a) },
      { "grid points off the threshold, coulomb", wrong_c },
      { "grid points off the threshold, max. dissipation", wrong_b },
      { "first impulse along the plane", s.first[1], "N s" },
      { "along the plane at dt = 0", stop[1], "N s" },
      { "first impulse off the plane", s.first[2] + 9.81 * MASS * w:dt(), "N s" },
      { "off the plane at dt = 0", stop[2], "N s" },
    }
  end,
}
