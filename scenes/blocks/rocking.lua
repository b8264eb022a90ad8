-- A rocking block that starts at rest, tilted by half of its critical angle alpha. An impact multiplies its
-- spin by r = 1 - 3/2 sin^2(alpha). Therefore it multiplies cos(alpha - peak) - cos(alpha) by r^2, with the
-- peak of the tilt between two impacts (Housner 1963). With columns = 2 the block is a column of a portal
-- whose lintel has the mass lintel_mass of all columns (Makris & Vassiliou 2013): r = (1 - 3/2 sin^2(alpha) +
-- 3 lintel_mass cos(2 alpha))/(1 + 3 lintel_mass). Impacts of more columns have no unique solution: columns
-- then leave the common motion that the closed form assumes.
local G = 9.81

local function find_angles(p)
  return math.atan(p.width, p.height), 0.5 * math.sqrt(p.width ^ 2 + p.height ^ 2)
end

-- Returns the closed form of the tilt at a peak, divided by the critical angle.
local function find_peak(p, number)
  local alpha = find_angles(p)
  local gamma = p.columns > 1 and p.lintel_mass or 0
  local r = (1 - 1.5 * math.sin(alpha) ^ 2 + 3 * gamma * math.cos(2 * alpha)) / (1 + 3 * gamma)
  local energy = (math.cos(alpha * (1 - p.start)) - math.cos(alpha)) * r ^ (2 * number)
  return 1 - math.acos(math.cos(alpha) + energy) / alpha
end

local function tilt_of(body)
  local q = { body:orientation() }
  return 2 * math.atan(q[3], q[1])
end

return {
  title = "rocking block or portal",
  params = {
    width = 0.2,
    height = 1,
    start = 0.5,
    columns = { default = 1, whole = true, min = 1, max = 2 },
    lintel_mass = { default = 1, min = 0, doc = "mass of the lintel over the mass of all columns" },
    peaks = { default = 3, whole = true, min = 1, max = 9 },
    dt = 5e-4,
  },
  world = function(p)
    return { gravity = { 0, 0, -G }, dt = p.dt, plane = { 0, 1, 0 }, stepper = "second_order" }
  end,
  setup = function(w, p)
    local alpha, R = find_angles(p)
    local tilt = p.start * alpha
    w:pair { "default", "default", mu = 2 }
    w:halfspace { normal = { 0, 0, 1 } }
    local x, z = p.width / 2 - R * math.sin(alpha - tilt), R * math.cos(alpha - tilt)
    local q = { math.cos(tilt / 2), 0, math.sin(tilt / 2), 0 }
    for i = 1, p.columns do
      w:box {
        name = "column" .. i,
        size = { p.width, 0.4, p.height },
        density = 2000,
        position = { 2 * i * p.height + x, 0, z },
        orientation = q,
      }
    end
    if p.columns > 1 then
      -- the lintel lies on the upper left corners of the columns
      local top, length = { p.width / 2 - 2 * R * math.sin(alpha - tilt), 2 * R * math.cos(alpha - tilt) }, 0
      length = (p.columns - 1) * 2 * p.height + 4 * p.width
      w:box {
        name = "lintel",
        size = { length, 0.4, p.width },
        mass = p.lintel_mass * p.columns * w:find("column1"):mass(),
        position = { (p.columns + 1) * p.height + top[1] + p.width / 2, 0, top[2] + p.width / 2 },
      }
    end
    w.state.peaks, w.state.spin, w.state.most, w.state.alpha = {}, 0, 0, alpha
  end,
  after_step = function(w)
    local tilt, _, spin = tilt_of(w:find "column1"), w:find("column1"):spin()
    local s = w.state
    s.most = math.max(s.most, math.abs(tilt))
    -- a peak of the tilt is where the spin changes its sign, unless the block is upright
    if s.spin * spin < 0 and math.abs(tilt) > 0.02 * s.alpha and w:time() > 0.05 then
      table.insert(s.peaks, s.most / s.alpha)
    end
    if s.tilt and s.tilt * tilt < 0 then s.most = 0 end
    s.tilt, s.spin = tilt, spin
  end,
  stop = function(w, p) return #w.state.peaks >= p.peaks or w:time() > 20 end,
  report = function(w, p)
    local rows = {}
    for k, peak in ipairs(w.state.peaks) do
      rows[#rows + 1] = { ("peak %d/alpha"):format(k), peak }
      rows[#rows + 1] = { ("closed form %d"):format(k), find_peak(p, k) }
    end
    return rows
  end,
}
