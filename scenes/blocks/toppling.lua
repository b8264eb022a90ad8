-- A block on a slope that is steeper than width/height. It topples about its lower edge if friction holds,
-- and slides if width/height is large. psi: slope; tan(alpha) = width/height; R: half of the diagonal.
--   toppling: spin^2 = 3 g/(2 R) (cos(psi - alpha) - cos(psi - alpha + tilt))
--   sliding:  speed = g (sin(psi) - mu cos(psi)) t
local G = 9.81

-- Returns the tilt of a toppling block after the time t, by Runge-Kutta steps.
local function find_tilt(rate, angle, t)
  local n, tilt, spin = 1000, 0, 0
  local h = t / n
  local function acceleration(x) return rate * math.sin(angle + x) end
  for _ = 1, n do
    local k1 = acceleration(tilt)
    local k2 = acceleration(tilt + h / 2 * spin)
    local k3 = acceleration(tilt + h / 2 * spin + h * h / 4 * k1)
    local k4 = acceleration(tilt + h * spin + h * h / 2 * k2)
    tilt, spin = tilt + h * spin + h * h / 6 * (k1 + k2 + k3), spin + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
  end
  return tilt
end

return {
  title = "toppling and sliding of a block",
  params = { width = 10, height = 25, angle = 30, mu = 0.84, time = 1, dt = 1e-3 },
  world = function(p)
    local psi = math.rad(p.angle)
    return { gravity = { G * math.sin(psi), 0, -G * math.cos(psi) }, dt = p.dt, stepper = "second_order" }
  end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:box { kind = "fixed", size = { 400, 40, 4 }, position = { 0, 0, -2 } }
    w:box { name = "block", size = { p.width, p.width, p.height }, position = { 0, 0, p.height / 2 }, density = 2000 }
  end,
  stop = function(w, p) return w:time() > p.time * (1 - 1e-9) end,
  report = function(w, p)
    local block, psi = w:find "block", math.rad(p.angle)
    local alpha, R = math.atan(p.width, p.height), 0.5 * math.sqrt(p.width ^ 2 + p.height ^ 2)
    if math.tan(psi) > p.width / p.height then
      local q = { block:orientation() }
      local exact = find_tilt(0.75 * G / R, psi - alpha, w:time())
      return { { "tilt", 2 * math.atan(q[3], q[1]), "rad" }, { "pendulum", exact, "rad" } }
    end
    local exact = math.max(0, G * (math.sin(psi) - p.mu * math.cos(psi))) * w:time()
    return { { "speed", (block:velocity()), "m/s" }, { "g (sin - mu cos) t", exact, "m/s" } }
  end,
}
