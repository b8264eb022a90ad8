-- Hertz's law against closed forms: the rebound of a pair for three steps, and the solitary wave in a chain of touching balls.
local scree = require "scree"
local check = require "check"

-- ---- the rebound of a pair ----

-- Returns 1 - rebound speed / approach speed, and dt over the duration of the collision.
local function collide(dt)
  local R, v, E = 0.01, 1, 1e9
  local w = scree.world { gravity = { 0, 0, 0 }, dt = dt }
  w:pair { "default", "default", mu = 0, young = E, stiffness_law = "hertz" }
  local a = w:sphere { radius = R, position = { -R, 0, 0 }, velocity = { v / 2, 0, 0 }, density = 2500 }
  local b = w:sphere { radius = R, position = { R, 0, 0 }, velocity = { -v / 2, 0, 0 }, density = 2500 }
  repeat w:step() until b:position() - a:position() > 2 * R
  local depth = (5 * (a:mass() / 2) * v ^ 2 / (4 * 4 / 3 * (E / 2) * math.sqrt(R / 2))) ^ 0.4
  return 1 - (b:velocity() - a:velocity()) / v, dt / (2.94327 * depth / v) -- duration: Johnson 1985, 11.4
end

-- The step has the force k x^(1/2) (x + dt v) with x before the step. The part k x^(1/2) dt v damps: with the speed of the closed form it
-- removes dt v0/depth B(3/5, 3/2) = 3.712 dt/duration of the speed, B(3/5, 3/2) = 1.26114.
do
  local last
  for _, dt in ipairs { 1.6e-6, 4e-7, 1e-7 } do
    local loss, share = collide(dt)
    print(("rebound: dt/duration %.3e, 1 - e %.5f, over closed form %.4f, order %.3f"):format(share, loss, loss / (3.712 * share),
      last and math.log(last / loss) / math.log(4) or 0))
    check.within(loss / (3.712 * share), 1, 4 * share + 2e-3, "loss of speed of a Hertz pair")
    if last then check.within(math.log(last / loss) / math.log(4), 1, 0.05, "order of the rebound of a Hertz pair") end
    last = loss
  end
end

-- ---- the solitary wave ----

local R, RHO, E, NU, N = 0.0132, 7780, 203e9, 0.3, 22 -- steel balls of Coste, Falcon & Fauve (1997)
local D, MASS = 2 * R, RHO * 4 / 3 * math.pi * R ^ 3
local K = 4 / 3 * E / (2 * (1 - NU ^ 2)) * math.sqrt(R / 2)

-- Feeds the overlaps of a step. Keeps time and height of the first peak of each contact, by the parabola through three samples.
local function find_peaks(peaks, time, dt, overlaps)
  for i, d in ipairs(overlaps) do
    local p = peaks[i] or { last = 0, before = 0 }
    peaks[i] = p
    if not p.time and p.last > p.before and p.last > d and p.last > 1e-8 then
      local bend, slope = p.before - 2 * p.last + d, p.before - d
      p.time, p.height = time - dt + dt * slope / (2 * bend), p.last - slope ^ 2 / (8 * bend)
    end
    p.before, p.last = p.last, d
  end
end

-- Returns the speed of the wave over contacts 10 to 14, and the largest force there.
local function read_wave(peaks) return 4 * D / (peaks[14].time - peaks[10].time), K * peaks[12].height ^ 1.5 end

local function run_engine(v0, dt)
  local w, balls, peaks = scree.world { gravity = { 0, 0, 0 }, dt = dt, solver = { tolerance = 1e-8, iterations = 200 } }, {}, {}
  w:pair { "default", "default", mu = 0, young = E, poisson = NU, stiffness_law = "hertz" }
  for i = 1, N do balls[i] = w:sphere { radius = R, density = RHO, position = { D * (i - 1), 0, 0 }, velocity = { i == 1 and v0 or 0, 0, 0 } } end
  repeat
    w:step()
    local overlaps, x = {}, balls[1]:position()
    for i = 1, N - 1 do
      local y = balls[i + 1]:position()
      overlaps[i], x = D - (y - x), y
    end
    find_peaks(peaks, w:time(), dt, overlaps)
  until peaks[16] and peaks[16].time
  return read_wave(peaks)
end

-- The equations of motion of the chain, m x'' = K (overlaps)^(3/2), by Runge and Kutta's method.
local function run_reference(v0, dt)
  local x, v, peaks, time = {}, {}, {}, 0
  for i = 1, N do x[i], v[i] = 0, i == 1 and v0 or 0 end
  local function accelerate(x)
    local out = {}
    for i = 1, N do out[i] = 0 end
    for i = 1, N - 1 do
      local a = K / MASS * math.max(0, x[i] - x[i + 1]) ^ 1.5
      out[i], out[i + 1] = out[i] - a, out[i + 1] + a
    end
    return out
  end
  local function add(a, b, h)
    local out = {}
    for i = 1, N do out[i] = a[i] + h * b[i] end
    return out
  end
  repeat
    local a1 = accelerate(x)
    local v2 = add(v, a1, dt / 2)
    local a2 = accelerate(add(x, v, dt / 2))
    local v3 = add(v, a2, dt / 2)
    local a3 = accelerate(add(x, v2, dt / 2))
    local v4 = add(v, a3, dt)
    local a4 = accelerate(add(x, v3, dt))
    for i = 1, N do
      x[i] = x[i] + dt / 6 * (v[i] + 2 * v2[i] + 2 * v3[i] + v4[i])
      v[i] = v[i] + dt / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i])
    end
    time = time + dt
    local overlaps = {}
    for i = 1, N - 1 do overlaps[i] = x[i] - x[i + 1] end
    find_peaks(peaks, time, dt, overlaps)
  until peaks[16] and peaks[16].time
  return read_wave(peaks)
end

-- Nesterenko's speed in the limit of long waves, as Coste, Falcon & Fauve print it. Their a is the diameter D. With F = K d^(3/2) it equals
-- sqrt(4/5) D (K^(2/3) F^(1/3)/MASS)^(1/2).
local function predict(force) return 0.6802 * (2 * E / (D * RHO ^ 1.5 * (1 - NU ^ 2))) ^ (1 / 3) * force ^ (1 / 6) end
check.within(predict(100) / (math.sqrt(0.8) * D * math.sqrt(K ^ (2 / 3) * 100 ^ (1 / 3) / MASS)), 1, 1e-4, "two forms of Nesterenko's speed")

local speeds, forces = {}, {}
for n, v0 in ipairs { 0.1, 3 } do
  local speed, force = run_engine(v0, 4e-8)
  local exact, exact_force = run_reference(v0, 1e-7)
  local theory, chain = speed / predict(force), speed / exact * (exact_force / force) ^ (1 / 6)
  print(("wave: impact %g m/s, force %.1f N (chain %.1f), speed %.2f m/s, over Nesterenko's %.4f, over the chain's %.5f"):format(v0, force,
    exact_force, speed, theory, chain))
  check.within(theory, 1, 0.02, "speed of the solitary wave over Nesterenko's") -- the limit of long waves; the wave is five balls long
  check.within(chain, 1, 2e-3, "speed of the solitary wave over that of the equations of motion")
  check.within(force / exact_force, 1, 0.03, "force of the solitary wave over that of the equations of motion")
  speeds[n], forces[n] = speed, force
end
local exponent = math.log(speeds[2] / speeds[1]) / math.log(forces[2] / forces[1])
print(("wave: speed grows as force^%.5f"):format(exponent))
check.within(exponent, 1 / 6, 5e-4, "exponent of the speed of the solitary wave")
