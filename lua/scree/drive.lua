-- Drives: the speed of a motor, or of a kinematic body such as a wall, follows a function of time or a table.
-- drive:update sets the speed before each step.
--
--   local drive = require "scree.drive"
--   setup = function(w, p) crank = drive.new(joint, { { 0, 0 }, { 1, 5 } }, 20) end
--   before_step = function(w) crank:update(w) end
local scree = require "scree"
local vector = require "scree.math.vector"
local drive = {}
-- Joint types with a motor. TURNS: the first free direction is a rotation. SLIDES: it is a displacement.
local TURNS = { hinge = true, universal = true, ball = true }
local SLIDES = { slider = true, cylindrical = true, distance = true }
drive.__index = drive

-- Returns the value at time t of a list of { time, value } with rising times: linear between the entries,
-- constant before the first and after the last one.
function drive.at(list, t)
  scree.check_type(list, "table", "drive.at", "of { time, value } first", 1)
  scree.check_type(t, "number", "drive.at", "second")
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

-- positions and weights of the Gauss-Legendre rule with five points, without the middle
local POINTS =
  { { 0.53846931010568309, 0.47862867049936647 / 2 }, { 0.90617984593866399, 0.23692688505618909 / 2 } }

-- Returns f(t). Raises an error unless f(t) is a finite number.
local function speed_at(f, t)
  local speed = f(t)
  if type(speed) ~= "number" or not (math.abs(speed) < math.huge) then
    local given = type(speed) == "number" and tostring(speed) or "a " .. type(speed)
    error(("drive: the target must return a finite number at %g s, not %s"):format(t, given))
  end
  return speed
end

-- Returns the mean of a function from t to t + dt by the Gauss-Legendre rule.
local function function_mean(f, t, dt)
  local middle, sum = t + dt / 2, 0
  local value = speed_at(f, middle)
  for _, point in ipairs(POINTS) do
    for side = -1, 1, 2 do
      sum = sum + point[2] * (speed_at(f, middle + side * point[1] * dt / 2) - value)
    end
  end
  return value + sum
end

-- Returns the target with quantities converted to numbers. Raises an error unless the target is a function,
-- or a table whose times rise. turns: the speeds are those of rotations.
local function check_target(target, turns)
  if type(target) == "table" then
    target = scree.quantity(target, { "s", turns and "rad/s" or "m/s" }, "drive.target")
  end
  if type(target) == "table" then
    if #target == 0 then error("drive: the table of { time, speed } is empty", 3) end
    for i, entry in ipairs(target) do
      vector.check(entry, ("drive: entry %d of { time, speed }"):format(i), 2)
    end
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

-- Returns a drive of a joint. joint: a hinge, slider or cylindrical joint. target: a function of time or a
-- list of { time, speed }. force: largest force [N] or torque [N m], unlimited by default.
function drive.new(joint, target, force)
  scree.check_type(joint, "joint", "drive.new", "first")
  local kind = joint:type()
  if not (TURNS[kind] or SLIDES[kind]) then
    error(("drive: the joint must be a hinge, slider, cylindrical, universal, ball or distance joint, not a %s joint"):format(kind))
  end
  local turns = not SLIDES[kind]
  target = check_target(target, turns)
  force = scree.quantity(force, turns and "N m" or "N", "drive.force")
  if force ~= nil and not (type(force) == "number" and force >= 0) then
    error(("drive: the force must be a number, at least 0, not %s"):format(tostring(force)))
  end
  return setmetatable({ joint = joint, target = target, force = force or math.huge }, drive)
end

-- Returns a drive of a body. body: a kinematic body, or a fixed body whose surface moves. direction:
-- direction of the motion, or the axis of rotation if turn is true. target: a function of time or a list of {
-- time, speed }. The velocity is speed * direction [m/s, or rad/s if turn].
function drive.body(body, direction, target, turn)
  scree.check_type(body, "body", "drive.body", "first")
  scree.check_type(direction, "table", "drive.body", "second")
  target = check_target(target, turn)
  vector.check(direction, "drive: the direction")
  return setmetatable({ body = body, direction = direction, target = target, turn = turn }, drive)
end

function drive:update(w)
  scree.check_type(self, "table", "drive.update", "of drive.new or drive.body first", "target")
  scree.check_type(w, "world", "drive.update", "second")
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
