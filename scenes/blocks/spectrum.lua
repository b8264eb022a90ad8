-- The overturning spectrum of a rocking block: the smallest amplitude of a one-sine pulse of the ground at
-- which it overturns, for one frequency. One run finds the amplitude by bisection. The report compares it
-- with Housner's equation theta'' = -p^2 (sin(+-alpha - theta) + a/g cos(+-alpha - theta)) with impacts,
-- solved by Runge-Kutta steps.
local G = 9.81
local SURE = 1.2 -- a block that tilts further has overturned [rad]

local function find_block(p)
  local alpha = math.rad(p.alpha)
  return 2 * p.radius * math.sin(alpha), 2 * p.radius * math.cos(alpha), alpha, math.sqrt(3 * G / (4 * p.radius))
end

-- Returns true if the block overturns by Housner's equation. frequency, a: angular frequency [rad/s] and
-- amplitude [m/s2] of the pulse.
local function overturns(p, frequency, a)
  local _, _, alpha, rate = find_block(p)
  local r, period = 1 - 1.5 * math.sin(alpha) ^ 2, 2 * math.pi / frequency
  if a <= G * math.tan(alpha) then return false end
  local t, side, tilt, spin = math.asin(G * math.tan(alpha) / a) / frequency, -1, 0, 0
  local h, stop = 1e-2 / rate, period + 8 / rate
  local function acceleration(at, angle)
    local ground = at < period and a * math.sin(frequency * at) or 0
    return -rate ^ 2 * (math.sin(side * alpha - angle) + ground / G * math.cos(side * alpha - angle))
  end
  while t < stop do
    local k1 = acceleration(t, tilt)
    local k2 = acceleration(t + h / 2, tilt + h / 2 * spin)
    local k3 = acceleration(t + h / 2, tilt + h / 2 * spin + h * h / 4 * k1)
    local k4 = acceleration(t + h, tilt + h * spin + h * h / 2 * k2)
    local next, faster = tilt + h * spin + h * h / 6 * (k1 + k2 + k3), spin + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    if next * side < 0 then
      local share = tilt / (tilt - next)
      if t > period and math.abs(spin) < 1e-3 * rate then return false end
      t, spin, side = t + math.max(share, 0.05) * h, (spin + share * (faster - spin)) * r, -side
      tilt = 1e-12 * side
    else
      t, tilt, spin = t + h, next, faster
    end
    if math.abs(tilt) > SURE then return true end
  end
  return false
end

-- Returns the smallest amplitude at which the block overturns, within 3e-4.
local function find_amplitude(p, frequency)
  local least = G * math.tan(math.rad(p.alpha))
  local high = least
  while not overturns(p, frequency, high) do
    high = 1.05 * high
  end
  local low = high / 1.05
  while high - low > 3e-4 * high do
    local middle = (low + high) / 2
    if overturns(p, frequency, middle) then
      high = middle
    else
      low = middle
    end
  end
  return high
end

-- Places the block on the ground, at rest, for a trial.
local function begin_trial(w)
  local s = w.state
  s.amplitude, s.since = (s.low + s.high) / 2, w:time()
  for _, name in ipairs { "block", "ground" } do
    local body = w:find(name)
    body:set_position(0, 0, name == "block" and s.height / 2 or -0.5)
    body:set_orientation(1, 0, 0, 0)
    body:set_velocity(0, 0, 0)
    body:set_spin(0, 0, 0)
  end
end

return {
  title = "overturning spectrum of a rocking block",
  params = {
    alpha = { default = 18.435, doc = "angle of the diagonal to the vertical, degrees" },
    radius = 1.607,
    frequency = { default = 3, doc = "frequency of the pulse over the block's p" },
    dt = 1e-3,
  },
  world = function(p)
    return { gravity = { 0, 0, -G }, dt = p.dt, plane = { 0, 1, 0 }, stepper = "second_order" }
  end,
  setup = function(w, p)
    local width, height, _, rate = find_block(p)
    w:pair { "default", "default", mu = 5 }
    w:box { name = "ground", kind = "kinematic", size = { 200, 1, 1 }, position = { 0, 0, -0.5 } }
    w:box { name = "block", size = { width, 0.5, height }, position = { 0, 0, height / 2 } }
    local s = w.state
    s.height, s.rate = height, rate
    s.exact = find_amplitude(p, p.frequency * rate)
    s.low, s.high = 0.9 * s.exact, 1.1 * s.exact
    begin_trial(w)
  end,
  before_step = function(w, p)
    local s, omega = w.state, p.frequency * w.state.rate
    local function way(t) -- displacement of the ground at time t of the pulse [m]
      t = math.min(math.max(t, 0), 2 * math.pi / omega)
      return s.amplitude / omega * (t - math.sin(omega * t) / omega)
    end
    local t = w:time() - s.since
    w:find("ground"):set_velocity((way(t + w:dt()) - way(t)) / w:dt(), 0, 0)
  end,
  after_step = function(w, p)
    local s, q = w.state, { w:find("block"):orientation() }
    local has_overturned = math.abs(2 * math.atan(q[3], q[1])) > SURE
    if not has_overturned and w:time() - s.since < 2 * math.pi / (p.frequency * s.rate) + 8 / s.rate then return end
    s[has_overturned and "high" or "low"] = s.amplitude
    s.is_done = s.high - s.low < 1e-3 * s.high
    if not s.is_done then begin_trial(w) end
  end,
  stop = function(w) return w.state.is_done end,
  report = function(w)
    return {
      { "smallest amplitude", (w.state.low + w.state.high) / 2, "m/s2" },
      { "Housner's equation", w.state.exact, "m/s2" },
    }
  end,
}
