-- Gears that mesh by contact alone. A driven pinion turns a wheel, and loose pinions fall into a tray.
--
-- Each gear is one body of convex hulls: a prism and teeth with involute side faces. The tray is a closed
-- mesh, gears/tray.stl. The report says by how many teeth the wheel lags behind the pinion.
local scree = require "scree"

local MODULE = 4e-3 -- pitch diameter over the number of teeth [m]
local WIDTH = 5 -- width of a tooth [modules]
local PRESSURE = math.rad(20) -- pressure angle of the involute
local ADDENDUM, DEDENDUM = 0.8, 1.1 -- height of a tooth above and below the pitch circle [modules]
local BACKLASH = 0.05 -- play of a tooth in its gap [modules]

-- Returns half the angle that a tooth fills at the radius `at`. r: pitch radius. Above the base circle the
-- side face is the involute of the base circle; below it the angle is constant.
local function half_angle(teeth, r, at)
  local base = r * math.cos(PRESSURE)
  local roll = math.acos(math.min(1, base / at))
  return math.pi / (2 * teeth) - BACKLASH * MODULE / (2 * r) + (math.tan(PRESSURE) - PRESSURE)
    - (math.tan(roll) - roll)
end

-- Returns the corners of a tooth that points along x. The origin is the centre of the gear.
local function tooth_points(teeth, r)
  local points, low, high = {}, r - DEDENDUM * MODULE - 0.1 * MODULE, r + ADDENDUM * MODULE
  for i = 0, 8 do
    local at = low + (high - low) * i / 8
    local half = half_angle(teeth, r, at)
    for _, side in ipairs { -half, half } do
      for _, z in ipairs { -0.5, 0.5 } do
        points[#points + 1] = { at * math.cos(side), at * math.sin(side), z * WIDTH * MODULE }
      end
    end
  end
  return points
end

-- Returns the shapes of a gear about the z axis, rotated by the angle `turn`, and its pitch radius.
local function gear(teeth, turn)
  local r = teeth * MODULE / 2
  local root, shapes, prism = r - DEDENDUM * MODULE, {}, {}
  local tooth = scree.geometry.hull { points = tooth_points(teeth, r) }
  for i = 0, 2 * teeth - 1 do
    local angle = turn + math.pi * i / teeth
    for _, z in ipairs { -0.5, 0.5 } do
      prism[#prism + 1] = { root * math.cos(angle), root * math.sin(angle), z * WIDTH * MODULE }
    end
  end
  shapes[1] = { type = "hull", points = prism, material = "steel" }
  for i = 0, teeth - 1 do
    local angle = turn + 2 * math.pi * i / teeth
    shapes[#shapes + 1] = {
      type = "hull",
      geometry = tooth,
      material = "steel",
      orientation = { math.cos(angle / 2), 0, 0, math.sin(angle / 2) },
    }
  end
  return shapes, r
end

-- Adds the rotation of a body about the y axis in this step to its total angle in w.state. Call it every
-- step.
local function follow(w, name)
  local _, spin = w:find(name):spin()
  w.state[name] = (w.state[name] or 0) + spin * w:dt()
end

return {
  title = "gears",
  -- pinion, wheel: number of teeth; speed of the pinion [rad/s]; load: friction of the wheel's hinge [N m]
  params = { pinion = 12, wheel = 18, speed = 20, load = 0.05, loose = 3, mu = 0.15 },
  world = { gravity = { 0, 0, -9.81 }, dt = 2e-4, solver = { iterations = 60 } },
  setup = function(w, p)
    w:material { name = "steel", density = 7800 }
    w:pair { "steel", "steel", mu = p.mu, restitution = 0.3 }
    -- gears stand upright: this orientation rotates their z axis onto -y
    local upright = { math.sqrt(0.5), math.sqrt(0.5), 0, 0 }
    local drive, r1 = gear(p.pinion, 0)
    -- the wheel has a gap where the pinion has a tooth
    local driven, r2 = gear(p.wheel, math.pi * (1 + 1 / p.wheel))
    local high, apart = 0.3, r1 + r2
    local pinion =
      w:body { name = "pinion", shapes = drive, position = { 0, 0, high }, orientation = upright }
    local wheel =
      w:body { name = "wheel", shapes = driven, position = { apart, 0, high }, orientation = upright }
    w:hinge { a = pinion, at = { 0, 0, high }, axis = { 0, 1, 0 }, motor = { speed = p.speed } }
    w:hinge { a = wheel, at = { apart, 0, high }, axis = { 0, 1, 0 }, friction = p.load }
    w:mesh { name = "tray", file = "gears/tray.stl", solid = true, material = "steel" }
    for k = 1, p.loose do
      local shapes = gear(8, 0.3 * k)
      w:body {
        name = "loose" .. k,
        shapes = shapes,
        position = { 0.01 * k, -0.02 * k, 0.03 * k + 0.02 },
        orientation = { math.cos(k), math.sin(k), 0, 0 },
        spin = { 3, 5, -k },
      }
    end
  end,
  after_step = function(w)
    follow(w, "pinion")
    follow(w, "wheel")
  end,
  output = {
    trajectory = { every = 0.005 },
    series = {
      every = 0.01,
      values = function(w) return { pinion = w.state.pinion or 0, wheel = w.state.wheel or 0 } end,
    },
  },
  stop = { time = 1 },
  report = function(w, p)
    local teeth = 2 * math.pi / p.pinion
    local lag = (w.state.pinion + w.state.wheel * p.wheel / p.pinion) / teeth
    local lowest = math.huge
    for k = 1, p.loose do
      local _, _, z = w:find("loose" .. k):position()
      lowest = math.min(lowest, z)
    end
    return {
      { "turns of the pinion", w.state.pinion / (2 * math.pi) },
      { "turns of the wheel", w.state.wheel / (2 * math.pi) },
      { "wheel out of step, in teeth", lag },
      { "lowest loose gear above the tray's floor", 1000 * (lowest - 0.01), "mm" },
      { "largest penetration", 1e6 * w:report().penetration, "um" },
    }
  end,
}
