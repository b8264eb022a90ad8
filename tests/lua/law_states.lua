-- Laws with states count the slip of a step once, with every stepper: a box slides over a floor whose friction falls with its slip. The test compares
-- speed and distance with the equation of motion. A law in Lua sums dt over its calls of refresh.
local scree = require "scree"

local G, PEAK, MU, DISTANCE, SPEED, TIME = 10, 0.5, 0.1, 0.2, 1.5, 0.2

scree.law.define {
  name = "counted",
  base = "coulomb",
  params = { mu = MU, mu_peak = PEAK, distance = { default = DISTANCE, min = 1e-9 } },
  state = { "slip", "time" },
  refresh = function(p, s, c)
    s.slip = s.slip + c.slip_speed * c.dt
    s.time = s.time + c.dt
    -- friction ends if the calls of refresh add up to more than the time of the run
    p.mu = s.time > 1.01 * TIME and 0 or math.max(p.mu, p.mu_peak + (p.mu - p.mu_peak) * s.slip / p.distance)
  end,
}

-- Returns speed and distance after TIME, by the midpoint rule.
local function exact()
  local function slowing(s) return -G * math.max(MU, PEAK + (MU - PEAK) * s / DISTANCE) end
  local v, s, n = SPEED, 0, 20000
  local h = TIME / n
  for _ = 1, n do
    local middle = v + h / 2 * slowing(s)
    local a = slowing(s + h / 2 * v)
    s, v = s + h * middle, v + h * a
  end
  return v, s
end

local function slide(def, dt, pair)
  local w = scree.world { gravity = { 0, 0, -G }, dt = dt, stepper = def.stepper, substeps = def.substeps, solver = { tolerance = 1e-11 } }
  pair[1], pair[2] = "default", "default"
  w:pair(pair)
  w:halfspace { normal = { 0, 0, 1 } }
  local b = w:box { size = { 1, 1, 0.002 }, mass = 2, position = { 0, 0, 0.001 }, velocity = { 0.6 * SPEED, 0.8 * SPEED, 0 } }
  w:step(math.floor(TIME / dt + 0.5))
  local x, y = b:position()
  local vx, vy = b:velocity()
  return 0.6 * vx + 0.8 * vy, 0.6 * x + 0.8 * y
end

local speed, way = exact()
for _, def in ipairs { {}, { substeps = 2 }, { stepper = "second_order" }, { stepper = "stewart_trinkle" } } do
  for _, law in ipairs { "weakening_slip", "counted" } do
    local errors, name = {}, law .. ", " .. (def.stepper or "semi_implicit")
    for i, dt in ipairs { 2e-3, 5e-4 } do
      local v, s = slide(def, dt, law == "counted" and { law = law } or { mu = MU, mu_static = PEAK, weakening_slip = DISTANCE })
      errors[i] = math.abs(v / speed - 1) + math.abs(s / way - 1)
    end
    assert(errors[1] < 0.03 and errors[2] < errors[1] / 3, name .. ": errors " .. errors[1] .. " and, with a quarter of the step, " .. errors[2])
  end
end
