-- A column of drums with a capital in an earthquake. The ground follows an accelerogram: a file (record=FILE
-- with columns time, ax, ay), or a sum of sines with random phases in an envelope. The series has the motion
-- of the ground, and the motion of the capital relative to the ground. scenes/blocks/column.yaml scales the
-- accelerogram to find a fragility curve.
local masonry = require "scree.masonry"
local motion = require "scree.motion"

local STEP, DURATION = 0.01, 8

-- Returns a list of accelerations with the peak 1: sines of random phase from 0.4 to 5 Hz, in an envelope
-- that rises for 1.5 s, stays for 3 s and decays.
local function make_record()
  local sines, list, peak = {}, {}, 0
  for i = 1, 24 do
    sines[i] = { 0.4 * (5 / 0.4) ^ math.random(), 2 * math.pi * math.random(), 0.3 + 0.7 * math.random() }
  end
  for i = 0, math.floor(DURATION / STEP) do
    local t, a = i * STEP, 0
    local envelope = t < 1.5 and t / 1.5 or t < 4.5 and 1 or math.exp(4.5 - t)
    for _, s in ipairs(sines) do
      a = a + s[3] * math.sin(2 * math.pi * s[1] * t + s[2])
    end
    list[i + 1] = a * envelope
    peak = math.max(peak, math.abs(list[i + 1]))
  end
  for i, a in ipairs(list) do
    list[i] = a / peak
  end
  return list
end

-- Returns the horizontal distance of the capital from its place on the ground, and its height.
local function find_drift(w)
  local ground = w:find "ground"
  local x, y, z = w:find("drum" .. w.state.drums + 1):position()
  local gx, gy = ground:position()
  return math.sqrt((x - gx) ^ 2 + (y - gy) ^ 2), z
end

return {
  title = "column of drums in an earthquake",
  params = {
    record = { default = "", doc = "file with columns time, ax and ay; without it a motion from the seed" },
    scale = { default = 3, min = 0, doc = "peak acceleration of the motion [m/s2], or factor of the file" },
    drums = { default = 5, whole = true, min = 1, max = 20 },
    radius = { default = 0.4, unit = "m" },
    height = { default = 4, unit = "m" },
    mu = 0.7,
    dt = { default = 1e-3, unit = "s" },
  },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    local ground = w:box { name = "ground", kind = "kinematic", size = { 12, 12, 1 }, position = { 0, 0, -0.5 } }
    local r = p.radius
    masonry.column(w, {
      radius = r,
      top_radius = 0.85 * r,
      height = p.height,
      drums = p.drums,
      sides = 16,
      density = 2500,
      name = "drum",
    })
    w:box {
      name = "drum" .. p.drums + 1,
      size = { 2.4 * r, 2.4 * r, 0.6 * r },
      position = { 0, 0, p.height + 0.3 * r },
      density = 2500,
    }
    w.state.drums, w.state.most, w.state.top = p.drums, 0, p.height
    local def = { body = ground, correction = "mean", scale = p.scale }
    if p.record == "" then
      def.interval, def.ax, def.ay = STEP, make_record(), make_record()
      def.stop = DURATION
    else
      def.file = p.record
    end
    motion.create(w, def)
  end,
  before_step = function(w) motion.update(w) end,
  every = {
    { time = 0.01, call = function(w) w.state.most = math.max(w.state.most, (find_drift(w))) end },
  },
  output = {
    trajectory = { every = 0.04 },
    series = {
      every = 0.01,
      values = function(w)
        local way, velocity, acceleration = motion.now(w, w:find "ground")
        local x, y = w:find("drum" .. w.state.drums + 1):position()
        return {
          ground_x = { way[1], "m" },
          ground_speed = { velocity[1], "m/s" },
          ground_acceleration = { acceleration[1], "m/s2" },
          capital_x = { x - way[1], "m" },
          capital_y = { y - way[2], "m" },
        }
      end,
    },
  },
  stop = { time = 10 },
  report = function(w)
    local drift, z = find_drift(w)
    return {
      { "fallen", z < w.state.top and 1 or 0 },
      { "largest drift", w.state.most, "m" },
      { "drift", drift, "m" },
    }
  end,
}
