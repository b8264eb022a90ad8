-- Drives that follow time: the speed of a motor, or of a driven plane or wall, from a function or a table, brought up to date before each step.
--   local drive = require "scree.drive"
--   setup = function(w, p) crank = drive.new(joint, { { 0, 0 }, { 1, 5 } }, 20) end
--   before_step = function(w) crank:update(w) end
local scree = require "scree"
local drive = {}
local SPEED = { "s", "rad/s, m/s" }
drive.__index = drive

-- Value at t of a list of { time, value } in rising order: linear between entries, constant beyond them.
function drive.at(list, t)
  if t <= list[1][1] then return list[1][2] end
  for i = 2, #list do
    local a, b = list[i - 1], list[i]
    if t <= b[1] then return a[2] + (b[2] - a[2]) * (t - a[1]) / (b[1] - a[1]) end
  end
  return list[#list][2]
end

-- Returns the exact mean of a list { time, speed } from t to t + dt.
local function list_mean(list, t, dt)
  local stop = t + dt
  local sum = math.max(0, math.min(stop, list[1][1]) - t) * list[1][2]
  for i = 2, #list do
    local from, to = math.max(t, list[i - 1][1]), math.min(stop, list[i][1])
    if to > from then sum = sum + (to - from) * drive.at(list, from + (to - from) / 2) end
  end
  return (sum + math.max(0, stop - math.max(t, list[#list][1])) * list[#list][2]) / (stop - t)
end

-- Returns the mean of a function from t to t + dt by the Gauss-Legendre rule with five points.
local POINTS =
  { { 0.53846931010568309, 0.47862867049936647 / 2 }, { 0.90617984593866399, 0.23692688505618909 / 2 } }
local function function_mean(f, t, dt)
  local middle, sum = t + dt / 2, 0
  local value = f(middle)
  for _, point in ipairs(POINTS) do
    for side = -1, 1, 2 do
      sum = sum + point[2] * (f(middle + side * point[1] * dt / 2) - value)
    end
  end
  return value + sum
end

-- The target with its quantities as numbers; refuses what is neither a function nor a rising table.
local function check_target(target)
  if type(target) == "table" then target = scree.quantity(target, SPEED, "drive.target") end
  if type(target) == "table" then
    if #target == 0 then error("drive: the table of { time, speed } is empty", 3) end
    for i = 2, #target do
      if not (target[i][1] > target[i - 1][1]) then
        error("drive: times must rise, entry " .. i .. " does not", 3)
      end
    end
  elseif type(target) ~= "function" then
    error("drive: the target must be a function of time or a table of { time, speed }", 3)
  end
  return target
end

-- joint: a hinge, slider or cylindrical joint; target: function of time or list of { time, speed }; force: largest force or torque.
function drive.new(joint, target, force)
  target = check_target(target)
  force = scree.quantity(force, "N, N m", "drive.force")
  return setmetatable({ joint = joint, target = target, force = force or math.huge }, drive)
end

-- body: a kinematic body, such as a plane or a wall, or a fixed one whose surface is to run; direction: of its motion, or the axis it turns about where turn is true; target: function of
-- time or list of { time, speed }, speed in lengths of direction per second (radians where it turns).
function drive.body(body, direction, target, turn)
  target = check_target(target)
  if type(direction) ~= "table" or #direction ~= 3 then
    error("drive: the direction must be three numbers", 2)
  end
  return setmetatable({ body = body, direction = direction, target = target, turn = turn }, drive)
end

function drive:update(w)
  local mean = type(self.target) == "function" and function_mean or list_mean
  local speed = mean(self.target, w:time(), w:dt())
  if self.joint then return self.joint:set_motor { speed = speed, force = self.force } end
  local d = self.direction
  local runs = self.body:kind() == "fixed"
  local set = self.turn and (runs and self.body.set_surface_spin or self.body.set_spin)
    or runs and self.body.set_surface_velocity or self.body.set_velocity
  set(self.body, speed * d[1], speed * d[2], speed * d[3])
end

return drive
