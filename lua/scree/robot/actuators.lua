--- Actuators of a model: servos and motors of joints with inputs by name.
---
--- The force of an actuator is gain * input + bias[1] + bias[2] * length + bias[3] * speed, with length = sum
--- of gear * position over its joints. The torque on a joint is gear * force. All actuators of a joint
--- together are one servo with the stiffness -sum gear^2 bias[2] and the damping -sum gear^2 bias[3], or a
--- motor if both are 0.

local actuators = {}

--- Returns x within a range. Without a range x does not change.
function actuators.clamp(x, range) return range and math.max(range[1], math.min(range[2], x)) or x end
local clamp = actuators.clamp

-- Returns the torque that the input of an actuator exerts on one of its joints. entry: all actuators of the
-- joint (actuators.by_joint). part: one of them. The bounds of `force` apply only if the entry is not a
-- servo, because servos have bounds of their own.
local function torque_of(entry, part, inputs)
  local a = part.actuator
  local force = a.gain * clamp(inputs[a.name], a.input) + a.bias[1]
  if not entry.is_servo then force = clamp(force, a.force) end
  return part.gear * force
end

-- Returns the sum of the torques that all inputs exert on the joint of an entry.
local function feed_of(entry, inputs)
  local sum = 0
  for _, part in ipairs(entry.parts) do
    sum = sum + torque_of(entry, part, inputs)
  end
  if not entry.is_servo and entry.effort then sum = clamp(sum, { -entry.effort, entry.effort }) end
  return sum
end

--- Returns a table that maps the name of each joint with actuators to { parts = {{actuator =, gear =}} }, and
--- a list of these names.
function actuators.by_joint(model)
  local entries, names = {}, {}
  for _, a in ipairs(model.actuators or {}) do
    for _, on in ipairs(a.on) do
      if not entries[on.joint] then
        entries[on.joint], names[#names + 1] = { parts = {} }, on.joint
      end
      table.insert(entries[on.joint].parts, { actuator = a, gear = on.gear })
    end
  end
  return entries, names
end

-- Computes stiffness, damping and bound of an entry. direction: description of the joint's free direction.
-- reflected(joint, is_second): returns the inertia that the direction moves.
local function add_gains(entry, direction, reflected, joint)
  local stiffness, damping, bound = 0, 0, 0
  for _, part in ipairs(entry.parts) do
    local a, g2 = part.actuator, part.gear * part.gear
    stiffness, damping = stiffness - g2 * a.bias[2], damping - g2 * a.bias[3]
    if a.damping_ratio then
      damping = damping + 2 * a.damping_ratio * math.sqrt(-g2 * a.bias[2] * reflected(joint, entry.is_second))
    end
    local range = a.force
    bound = bound + (range and math.abs(part.gear) * math.max(-range[1], range[2]) or math.huge)
  end
  entry.stiffness, entry.damping, entry.effort = stiffness, damping, direction.effort
  entry.bound = math.min(bound, direction.effort or math.huge)
  entry.is_servo = stiffness > 0 or damping > 0
end

--- Returns the drives of joints with actuators, { servo = ... } or { motor = ... }, by name of the joint or
--- direction. Sets made.inputs and made.actuated. start_of(joint): returns the start position of a joint.
--- reflected(joint): returns the inertia that the joint moves.
function actuators.prepare(model, made, start_of, reflected, pose)
  local entries, names = actuators.by_joint(model)
  local drives, directions = {}, {}
  made.inputs, made.actuated = {}, entries
  local inputs = pose and model.poses[pose].inputs or {}
  for _, a in ipairs(model.actuators or {}) do
    made.inputs[a.name] = inputs[a.name] or 0
  end
  for _, joint in ipairs(model.joints or {}) do
    directions[joint.name] = { joint, joint, "q" }
    if joint.second and joint.second.name then directions[joint.second.name] = { joint, joint.second, "second" } end
  end
  for _, name in ipairs(names) do
    local entry, found = entries[name], directions[name]
    if not found then error(("model: an actuator acts on joint %q, which does not exist"):format(name), 0) end
    local joint, direction = found[1], found[2]
    entry.joint, entry.is_second = joint.name, found[3] == "second"
    add_gains(entry, direction, reflected, joint)
    local feed = feed_of(entry, made.inputs)
    if entry.is_servo then
      drives[name] = {
        servo = {
          position = entry.stiffness > 0 and -(direction.ref or 0) - (start_of(joint)[found[3]] or 0) or nil,
          stiffness = entry.stiffness,
          damping = entry.damping,
          feed = feed,
          force = entry.bound < math.huge and entry.bound or nil,
        },
      }
    elseif feed ~= 0 or entry.is_second then
      drives[name] = { motor = { force = feed } } -- other joints get their motor from robot.control
    end
  end
  return drives
end

-- Returns the known name that has the longest common beginning with a wrong name.
local function nearest(name, known)
  local best, most = nil, -1
  for other in pairs(known) do
    local n = 0
    while n < #name and name:sub(n + 1, n + 1) == other:sub(n + 1, n + 1) do
      n = n + 1
    end
    if n > most or (n == most and other < best) then
      best, most = other, n
    end
  end
  return best
end

--- Sets inputs by name. Raises an error at the caller of robot.control for an unknown name or a value that is
--- not a number.
function actuators.control(made, inputs)
  for name, value in pairs(inputs) do
    if made.inputs[name] == nil then
      local known = nearest(tostring(name), made.inputs)
      error(
        ("robot.control: there is no actuator %q%s"):format(
          tostring(name),
          known and ("; did you mean %q?"):format(known) or ""
        ),
        3
      )
    end
    if type(value) ~= "number" or value ~= value or math.abs(value) == math.huge then
      error(("robot.control: %s must be a finite number"):format(name), 3)
    end
  end
  for name, value in pairs(inputs) do
    made.inputs[name] = value
  end
  for _, entry in pairs(made.actuated) do
    local changed = false
    for _, part in ipairs(entry.parts) do
      changed = changed or inputs[part.actuator.name] ~= nil
    end
    if changed then
      local feed, joint, second = feed_of(entry, made.inputs), made.joints[entry.joint], entry.is_second or nil
      if entry.is_servo then
        joint:servo { feed = feed, second = second }
      elseif second then
        joint:set_motor { force = feed, second = true }
      else
        joint:set_force(feed)
      end
    end
  end
end

return actuators
