-- A Ferris wheel of buckets. A motor turns the wheel. Six buckets hang on it by hinges with friction and
-- carry grains once around. No grain is lost, the axle carries the whole weight, and the motor needs almost
-- no torque, because the wheel is balanced.
local ARM, BUCKETS, RADIUS = 0.35, 6, 0.012
local WIDTH, HEIGHT, WALL = 0.12, 0.1, 0.012

-- Adds a bucket: a floor and four sides. Its origin is the pivot above the middle of the floor.
local function bucket(w, k, x, z)
  local half, plates = WIDTH / 2, {}
  plates[1] =
    { type = "box", size = { WIDTH + 2 * WALL, WIDTH + 2 * WALL, WALL }, position = { 0, 0, -HEIGHT } }
  for _, side in ipairs { -1, 1 } do
    table.insert(plates, {
      type = "box",
      size = { WALL, WIDTH + 2 * WALL, HEIGHT },
      position = { side * (half + WALL / 2), 0, -(HEIGHT - WALL) / 2 },
    })
    table.insert(plates, {
      type = "box",
      size = { WIDTH, WALL, HEIGHT },
      position = { 0, side * (half + WALL / 2), -(HEIGHT - WALL) / 2 },
    })
  end
  return w:body { name = "bucket" .. k, position = { x, 0, z }, shapes = plates, group = 1 }
end

-- Adds layers of grains on the floor of the bucket whose pivot is at (x, z).
local function load(w, x, z, count)
  local spacing, side = 2.1 * RADIUS, 4
  for n = 0, count - 1 do
    w:sphere {
      radius = RADIUS,
      position = {
        x + spacing * (n % side - 1.5),
        spacing * (n // side % side - 1.5),
        z - HEIGHT + WALL / 2 + RADIUS + spacing * (n // (side * side)),
      },
      group = 2,
    }
  end
end

local function weight(w) return w:view("mass"):sum() * 9.81 end
-- Returns the number of grains that are still in the buckets.
local function aboard(w)
  local n = 0
  local position, radius = w:view "position", w:view "radius"
  for row = 1, #position do
    local x, y, z = position:get(row)
    if radius[row] == RADIUS and x * x + z * z < (ARM + WIDTH + HEIGHT) ^ 2 and math.abs(y) < WIDTH then
      n = n + 1
    end
  end
  return n
end

return {
  title = "Ferris wheel of buckets",
  params = { speed = 1.5, grains = 32, friction = 0.02, mu = 0.5, dt = 1e-3, time = 4.6 },
  world = function(p)
    return {
      gravity = { 0, 0, -9.81 },
      dt = p.dt,
      solver = { name = "nbgs", iterations = 60, tolerance = 1e-4 },
    }
  end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    local wheel = w:cylinder {
      name = "wheel",
      radius = 0.1,
      length = 0.02,
      mass = 2,
      position = { 0, 0.15, 0 },
      orientation = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 },
    }
    w.state.axle =
      w:hinge { a = wheel, at = { 0, 0.15, 0 }, axis = { 0, 1, 0 }, motor = { speed = p.speed } }
    for k = 1, BUCKETS do
      local a = 2 * math.pi * k / BUCKETS
      local x, z = ARM * math.cos(a), ARM * math.sin(a)
      w:hinge {
        a = bucket(w, k, x, z),
        b = wheel,
        at = { x, 0, z },
        axis = { 0, 1, 0 },
        friction = p.friction,
      }
      load(w, x, z, p.grains)
    end
    w.state.sum, w.state.torque, w.state.steps = 0, 0, 0
  end,
  after_step = function(w)
    local s = w.state
    if w:time() < 0.4 then return end
    s.sum, s.torque, s.steps =
      s.sum + select(3, s.axle:force()), s.torque + select(2, s.axle:torque()), s.steps + 1
  end,
  stop = function(w, p) return w:time() >= p.time - p.dt / 2 end,
  output = {
    trajectory = { every = 0.05 },
    series = {
      every = 0.01,
      values = function(w)
        return { torque = select(2, w.state.axle:torque()), lift = select(3, w.state.axle:force()) }
      end,
    },
  },
  report = function(w, p)
    local s = w.state
    return {
      { "turn of the wheel", s.axle:position() / (2 * math.pi) },
      { "grains aboard", aboard(w) },
      { "of", BUCKETS * p.grains },
      { "mean force on the axle", s.sum / s.steps, "N" },
      { "weight", weight(w), "N" },
      { "mean torque of the motor", s.torque / s.steps, "N m" },
    }
  end,
}
