-- Drives that follow time: a motor's target speed from a function or a table, brought up to date before each step.
--   local drive = require "scree.drive"
--   setup = function(w, p) crank = drive.new(joint, { { 0, 0 }, { 1, 5 } }, 20) end
--   before_step = function(w) crank:update(w) end
local drive = {}
drive.__index = drive

-- Value at t of a list of { time, value } in rising order: linear between entries, constant beyond them.
local function interpolate(list, t)
  if t <= list[1][1] then return list[1][2] end
  for i = 2, #list do
    local a, b = list[i - 1], list[i]
    if t <= b[1] then return a[2] + (b[2] - a[2]) * (t - a[1]) / (b[1] - a[1]) end
  end
  return list[#list][2]
end

-- joint: a hinge, slider or cylindrical joint; target: function of time or list of { time, speed }; force: largest force or torque.
function drive.new(joint, target, force)
  if type(target) == "table" then
    if #target == 0 then error("drive: the table of { time, speed } is empty", 2) end
    for i = 2, #target do
      if not (target[i][1] > target[i - 1][1]) then error("drive: times must rise, entry " .. i .. " does not", 2) end
    end
  elseif type(target) ~= "function" then
    error("drive: the target must be a function of time or a table of { time, speed }", 2)
  end
  return setmetatable({ joint = joint, target = target, force = force or math.huge }, drive)
end

function drive:update(w)
  local t = w:time() + w:dt()
  local speed = type(self.target) == "function" and self.target(t) or interpolate(self.target, t)
  self.joint:set_motor { speed = speed, force = self.force }
end

return drive
