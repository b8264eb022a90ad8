-- A double pendulum of two bars. The report compares it with its equations of motion, which the scene
-- integrates by the Runge-Kutta method with a quarter of the step. The hinges have rounding errors
-- only; the error of the motion is of second order in dt. The second bar turns over the top.
--
--   scree run scenes/double_pendulum.lua dt=1e-5
local L, D, M, G = 1, 0.05, 1, 9.81
local I = M * (L * L + D * D) / 12

-- Returns the time derivative of the state s = (a, b, a', b'). a and b are the angles of the bars from the
-- downward vertical. Their accelerations solve a system of two equations with the mass matrix (p, c; c, q).
local function rate(s)
  local c, d = 0.5 * M * L * L * math.cos(s[1] - s[2]), 0.5 * M * L * L * math.sin(s[1] - s[2])
  local p, q = I + 1.25 * M * L * L, I + 0.25 * M * L * L
  local f = -d * s[4] ^ 2 - 1.5 * M * G * L * math.sin(s[1])
  local g = d * s[3] ^ 2 - 0.5 * M * G * L * math.sin(s[2])
  local det = p * q - c * c
  return { s[3], s[4], (q * f - c * g) / det, (p * g - c * f) / det }
end

local function shifted(s, h, k)
  return { s[1] + h * k[1], s[2] + h * k[2], s[3] + h * k[3], s[4] + h * k[4] }
end

local function runge_kutta(s, h)
  local a = rate(s)
  local b = rate(shifted(s, h / 2, a))
  local c = rate(shifted(s, h / 2, b))
  local d = rate(shifted(s, h, c))
  for k = 1, 4 do
    s[k] = s[k] + h / 6 * (a[k] + 2 * b[k] + 2 * c[k] + d[k])
  end
end

local function energy(w)
  local r = w:report()
  return r.kinetic + r.potential
end

return {
  title = "double pendulum",
  params = { dt = 1e-4, time = 2 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt } end,
  setup = function(w)
    -- both bars start horizontal, along +x
    local first = w:box { name = "first", size = { L, D, D }, position = { L / 2, 0, 0 }, mass = M }
    local second = w:box { name = "second", size = { L, D, D }, position = { 1.5 * L, 0, 0 }, mass = M }
    w:hinge { a = first, at = { 0, 0, 0 }, axis = { 0, 1, 0 } }
    w:hinge { a = second, b = first, at = { L, 0, 0 }, axis = { 0, 1, 0 } }
    w.state.exact, w.state.start, w.state.off, w.state.drift =
      { math.pi / 2, math.pi / 2, 0, 0 }, energy(w), 0, 0
  end,
  after_step = function(w, p)
    local s = w.state
    for _ = 1, 4 do
      runge_kutta(s.exact, p.dt / 4)
    end
    local x, _, z = w:find("second"):position()
    local a, b = s.exact[1], s.exact[2]
    local ex, ez = L * math.sin(a) + L / 2 * math.sin(b), -L * math.cos(a) - L / 2 * math.cos(b)
    s.off = math.max(s.off, math.sqrt((x - ex) ^ 2 + (z - ez) ^ 2))
    s.drift = math.max(s.drift, math.abs(energy(w) - s.start))
  end,
  output = {
    trajectory = { every = 0.02 },
    series = {
      every = 0.01,
      values = function(w)
        local x, _, z = w:find("second"):position()
        return { x = x, z = z, energy = energy(w) }
      end,
    },
  },
  stop = function(w, p) return w:time() >= p.time - p.dt / 2 end,
  report = function(w)
    local s = w.state
    return {
      { "largest distance from the exact motion", s.off, "m" },
      { "largest change of energy", s.drift, "J" },
      { "error of the hinges", w:joints_report().error, "m" },
    }
  end,
}
