-- A six-axis arm follows a joint trajectory, picks up a box, turns, and puts the box down. Servos move the
-- joints; inverse dynamics adds the torques that the trajectory needs.
--
-- The model comes from a URDF: `scree import --table` converted arm/arm.urdf to lib/arm_model.lua.
local robot = require "scree.robot"
local kinematics = require "scree.kinematics"
local NAMES = { "turn", "lift", "bend", "roll", "pitch", "spin" }
local model = require "arm_model"

-- Returns joint angles that place the tip, pointing down, at the distance r and the height z [m]. The
-- shoulder is at 0.3 m, the two links are 0.4 m long, hand and tool are 0.12 m long.
local function reach(turn, r, z)
  local up = z + 0.12 - 0.3
  local half, lean = math.acos(math.sqrt(r * r + up * up) / 0.8), math.atan(r, up)
  return { turn, lean - half, 2 * half, 0, math.pi - lean - half, 0 }
end

local SIDE, TOP = 0.06, 0.0605
local path = { -- time, angles
  { 0.5, reach(0, 0.5, 0.25) },
  { 1.3, reach(0, 0.5, TOP) },
  { 1.6, reach(0, 0.5, TOP) },
  { 2.3, reach(0, 0.45, 0.3) },
  { 3.5, reach(1.4, 0.45, 0.3) },
  { 4.3, reach(1.4, 0.5, TOP) },
  { 4.6, reach(1.4, 0.5, TOP) },
  { 5.4, reach(1.4, 0.45, 0.3) },
}
local GRIP, RELEASE = 1.45, 4.45

-- Returns angles, speeds and accelerations of the joints at time t. Between two points of the path each angle
-- is a quintic polynomial that starts and ends at rest.
local function at(t)
  local before, after = path[1], path[#path]
  for k = 1, #path - 1 do
    if t >= path[k][1] and t < path[k + 1][1] then
      before, after = path[k], path[k + 1]
    end
  end
  if t < path[1][1] then after = before end
  if t >= path[#path][1] then before = after end
  local span = after[1] - before[1]
  local s = span > 0 and (t - before[1]) / span or 0
  local p, v, a =
    s * s * s * (10 + s * (6 * s - 15)), 30 * s * s * (1 - s) ^ 2, 60 * s * (1 - s) * (1 - 2 * s)
  local q, q1, q2 = {}, {}, {}
  for i = 1, 6 do
    local d = after[2][i] - before[2][i]
    q[i], q1[i], q2[i] =
      before[2][i] + p * d, span > 0 and v * d / span or 0, span > 0 and a * d / span ^ 2 or 0
  end
  return q, q1, q2
end

local made, arm
return {
  title = "arm",
  params = { stiffness = 2000, damping = 60, rate = 500, dt = 1e-3, time = 5.6 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = p.dt } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.5 }
    w:halfspace { normal = { 0, 0, 1 } }
    local start = {}
    for i, name in ipairs(NAMES) do
      start[name] = path[1][2][i]
    end
    made = robot.build(w, model, { joints = start })
    w:box { name = "box", size = { SIDE, SIDE, SIDE }, mass = 0.4, position = { 0.5, 0, SIDE / 2 } }
    for i, name in ipairs(NAMES) do
      made.joints[name]:servo {
        stiffness = p.stiffness,
        damping = p.damping,
        force = ({ 150, 150, 80, 30, 30, 15 })[i],
      }
    end
    arm = kinematics.of_robot(made, NAMES)
  end,
  before_step = function(w, p)
    local q, v, a = at(w:time() + w:dt())
    if kinematics.due(w, p.rate) then arm:apply(arm:inverse_dynamics(w, a)) end
    arm:servo(q, v)
    local box, s = w:find("box"), w.state
    if w:time() >= GRIP and not s.grip and not s.done then
      s.grip = w:fixed { a = box, b = made.bodies.tool, at = { box:position() } }
    elseif w:time() >= RELEASE and s.grip then
      s.grip:remove()
      s.grip, s.done = nil, true
    end
  end,
  after_step = function(w)
    local s, now, q = w.state, arm:positions(), at(w:time())
    for i = 1, 6 do
      s.off = math.max(s.off or 0, math.abs(now[i] - q[i]))
    end
    s.torque = math.max(s.torque or 0, math.abs(made.joints.lift:effort()))
  end,
  output = { trajectory = { every = 0.02 }, series = { every = 0.02 } },
  stop = function(w, p) return w:time() >= p.time end,
  report = function(w)
    local x, y, z = w:find("box"):position()
    return {
      { "largest error of an angle", w.state.off, "rad" },
      { "largest torque of the lift", w.state.torque, "N m" },
      { "box off its place", math.sqrt((x - 0.5 * math.cos(1.4)) ^ 2 + (y - 0.5 * math.sin(1.4)) ^ 2), "m" },
      { "height of the box", z, "m" },
    }
  end,
}
