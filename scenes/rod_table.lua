-- A spinning rod with round ends falls on a table in the xz plane (Stewart & Trinkle 1996, section 4). It
-- hits the table without a bounce, sticks, slips, hits the table with its other end, slides a little and
-- comes to rest. At the first impact the equations for forces have no solution; only an impulse solves them.
--
-- Exact times: contact 0.385817752 s, start of slip 0.419113254 s, second impact 0.547318420 s, rest
-- 0.566342754 s at x = -0.227359983.
--
--   scree run scenes/rod_table.lua h=0.0025 substeps=1    the steps of the paper
--
-- scenes/bench/rod_table.lua draws Figures 2 to 5 of the paper.
local down, START, EXACT =
  math.sqrt(0.5),
  math.rad(30),
  { time = 0.385817752, vx = -1.390096118, vz = -0.612948534, spin = 5.151087899 }

local function make(p)
  return {
    gravity = { 0, 0, -9.81 },
    dt = p.h,
    substeps = p.substeps,
    stepper = "stewart_trinkle",
    solver = { name = p.solver, iterations = p.solver ~= "lemke" and 5000 or nil, tolerance = 1e-10 },
  }
end

-- Adds the rod. Its orientation rotates the axis of the capsule from z to x and then about -y, so that the
-- right end is higher.
local function setup(w, p)
  local c, s = math.cos(START / 2) * down, math.sin(START / 2) * down
  w:pair { "default", "default", law = "polyhedral", mu = p.mu, directions = 4 }
  w:halfspace { normal = { 0, 0, 1 } }
  w:capsule {
    name = "rod",
    radius = 0.05,
    length = 0.5,
    position = { 0, 0, 1 },
    orientation = { c + s, 0, c - s, 0 },
    spin = { 0, -4, 0 },
    mass = 1,
    inertia = { 0.002, 0, 0, 0.002, 0, 0.002 },
  }
end

local function touching(w)
  local left, right = false, false
  local x = w:find("rod"):position()
  for _, c in ipairs(w:contacts()) do
    if c.impulse[3] > 0 then
      if c.point[1] < x then
        left = true
      else
        right = true
      end
    end
  end
  return left, right
end

local function motion(w)
  local vx, _, vz = w:find("rod"):velocity()
  local _, spin = w:find("rod"):spin()
  return vx, vz, -spin
end

return {
  title = "rod and table",
  params = { h = 1 / 1600, substeps = 16, mu = 0.6, solver = "lemke" },
  world = make,
  setup = setup,
  after_step = function(w, p)
    local s, left, right = w.state, touching(w)
    local vx, vz, spin = motion(w)
    if s.first and not s.slope then
      if not s.after then
        -- the impact needs two steps: the first one may end in the middle of it
        s.after = { w:time(), vx, vz, spin }
      else
        s.slope = { 0, (vx - s.after[2]) / p.h, (vz - s.after[3]) / p.h, (spin - s.after[4]) / p.h }
      end
    end
    if not s.first and (left or right) then s.first = w:time() end
    if not s.second and left and right then s.second = w:time() end
    if s.second and not s.rest and math.abs(vx) + math.abs(vz) < 1e-9 then s.rest = w:time() end
  end,
  output = {
    trajectory = { every = 0.01 },
    series = {
      every = 0.0025,
      values = function(w)
        local vx, vz, spin = motion(w)
        return { vx = vx, vz = vz, spin = spin }
      end,
    },
  },
  stop = { time = 0.7 },
  report = function(w, p)
    local s, x = w.state, w:find("rod"):position()
    local function at(k)
      return s.after and s.slope and s.after[k] + s.slope[k] * (EXACT.time - s.after[1]) or nil
    end
    return {
      { "first contact", s.first or 0, "s" },
      { "left end lands", s.second or 0, "s" },
      { "at rest", s.rest or 0, "s" },
      { "rests at", x, "m" },
      { "vx after the impact", at(2), "m/s" },
      { "vz after the impact", at(3), "m/s" },
      { "spin after the impact", at(4), "rad/s" },
      {
        "largest error of these",
        at(2)
          and math.max(math.abs(at(2) - EXACT.vx), math.abs(at(3) - EXACT.vz), math.abs(at(4) - EXACT.spin)),
      },
    }
  end,
}
