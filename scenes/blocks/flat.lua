-- A flat arch between abutments that move apart. Its thrust falls to the smallest thrust that balances its
-- weight. The arch then has hinges (mu = 0.6) or slides (mu = 0.3). The report compares the thrust with the
-- static theorem (lib/limit.lua).
local masonry = require "scree.masonry"
local limit = require "lib.limit"

local G, DENSITY, DEPTH = 9.81, 2000, 0.3

-- Returns blocks and joints of the arch. The last block is the right abutment.
local function find_arch(p)
  local n, blocks, joints = p.voussoirs, {}, {}
  local spread = 1 + p.height * math.tan(math.rad(p.skew)) / (p.span / 2)
  local function ends(k)
    local x = p.span * (k / n - 0.5)
    return { x, 0 }, { x * spread, p.height }
  end
  for i = 1, n do
    local a, b = ends(i - 1)
    local c, d = ends(i)
    local area, centre = limit.polygon { a, b, d, c }
    blocks[i] = { area = area, centre = centre }
  end
  blocks[n + 1] = { area = 0, centre = { p.span, p.height / 2 } }
  for k = 0, n do
    local low, high = ends(k)
    local x, z = high[1] - low[1], high[2] - low[2]
    local length = math.sqrt(x ^ 2 + z ^ 2)
    joints[k + 1] = { k + 1, k, ends = { low, high }, normal = { z / length, -x / length } }
  end
  return blocks, joints
end

-- Returns the smallest thrust [N]. The right abutment moves along x only: vertical forces at two points
-- balance it.
local function find_thrust(p)
  local blocks, joints = find_arch(p)
  local weights, last, free = limit.weights(blocks), #blocks, {}
  local x, z = table.unpack(blocks[last].centre)
  for _, at in ipairs { { x, z }, { x + 1, z } } do
    free[#free + 1], free[#free + 2] = { last, at, { 0, 1 } }, { last, at, { 0, -1 } }
  end
  local most = 100 * p.span ^ 2
  weights[last] = { last, { x, z }, { -most, 0 } }
  -- The force `most` presses on the abutment. limit.factor returns the largest force by which this force may
  -- decrease.
  return (most - limit.factor(blocks, joints, p.mu, weights, { { last, { x, z }, { 1, 0 } } }, free)) * DENSITY * G * DEPTH
end

return {
  title = "flat arch between abutments that give way",
  params = { span = 2, height = 0.2, voussoirs = 9, skew = 26.57, mu = 0.6, speed = 1e-4, dt = 1e-3 },
  world = function(p) return { gravity = { 0, 0, -G }, dt = p.dt, plane = { 0, 1, 0 } } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    masonry.flat_arch(w, {
      span = p.span,
      height = p.height,
      depth = DEPTH,
      voussoirs = p.voussoirs,
      skew = math.rad(p.skew),
      density = DENSITY,
      supports = "kinematic",
      name = "flat",
    })
  end,
  before_step = function(w, p)
    w:find("flat_support1"):set_velocity(-p.speed, 0, 0)
    w:find("flat_support2"):set_velocity(p.speed, 0, 0)
  end,
  stop = { time = 1 },
  report = function(w, p)
    return {
      { "thrust", w:forces_on(w:find "flat_support2")[1], "N" },
      { "static theorem", find_thrust(p), "N" },
    }
  end,
}
