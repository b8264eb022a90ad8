--- Actuators of a model: servos and motors of joints with inputs by name.
---
--- The force of an actuator is gain * input + bias[1] + bias[2] * length + bias[3] * speed, with length = sum
--- of gear * position over its joints. The torque on a joint is gear * force. All actuators of a joint
--- together are one servo with the stiffness -sum gear^2 bias[2] and the damping -sum gear^2 bias[3], or a
--- motor if both are 0.

local names_of = require "scree.robot.names"
local tendons = require "scree.robot.tendons"
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

-- Returns the free directions of a model by name: { joint =, direction = (table with ref and effort), key = "q" or
-- "second" }. Each segment of a tendon that varies has the entry { direction = }.
local function directions_of(model)
  local all, split = {}, model.tendons and tendons.splitter(model)
  for _, joint in ipairs(model.joints or {}) do
    all[joint.name] = { joint = joint, direction = joint, key = "q" }
    if joint.second and joint.second.name then
      all[joint.second.name] = { joint = joint, direction = joint.second, key = "second" }
    end
  end
  for _, tendon in ipairs(model.tendons or {}) do
    local _, constant = tendons.lengths(split(tendon))
    for i, segment in ipairs(tendons.varying(split(tendon))) do
      -- the position of the segment is its distance: the length of the rope is scale * (position + ref)
      local effort = tendon.effort and segment.scale * tendon.effort
      all[tendons.key(tendon.name, i)] = { direction = { ref = constant / segment.scale, effort = effort } }
    end
  end
  return all
end

-- Returns the directions on which a tendon acts, by name of the tendon: lists of { name =, gear = }.
local function tendon_parts(model)
  local all, split = {}, model.tendons and tendons.splitter(model)
  for _, tendon in ipairs(model.tendons or {}) do
    local list = {}
    for i, segment in ipairs(tendons.varying(split(tendon))) do
      list[i] = { name = tendons.key(tendon.name, i), gear = segment.scale }
    end
    for _, term in ipairs(tendon.joints or {}) do
      list[#list + 1] = { name = term.joint, gear = term.coef }
    end
    all[tendon.name] = list
  end
  return all
end

--- Returns a table that maps the name of each free direction with actuators to { name =, parts = {{actuator =, gear =}} },
--- and a list of these names.
function actuators.by_direction(model)
  local entries, names, parts_of = {}, {}, tendon_parts(model)
  for _, a in ipairs(model.actuators or {}) do
    for _, on in ipairs(a.on) do
      local parts = on.tendon and parts_of[on.tendon] or { { name = on.joint, gear = 1 } }
      if on.tendon and not parts_of[on.tendon] then
        error(("model: actuator %q acts on tendon %q, which does not exist"):format(a.name, on.tendon))
      end
      for _, part in ipairs(parts) do
        if not entries[part.name] then
          entries[part.name], names[#names + 1] = { name = part.name, parts = {} }, part.name
        end
        table.insert(entries[part.name].parts, { actuator = a, gear = on.gear * part.gear })
      end
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
  local entries, names = actuators.by_direction(model)
  local drives, directions = {}, directions_of(model)
  made.inputs, made.actuated = {}, entries
  local inputs = pose and model.poses[pose].inputs or {}
  for _, a in ipairs(model.actuators or {}) do
    made.inputs[a.name] = inputs[a.name] or 0
  end
  for _, name in ipairs(names) do
    local entry, found = entries[name], directions[name]
    if not found then error(("model: an actuator acts on joint %q, which does not exist"):format(name)) end
    local joint, direction = found.joint, found.direction
    entry.joint, entry.is_second = joint and joint.name, found.key == "second"
    add_gains(entry, direction, reflected, joint)
    local feed = feed_of(entry, made.inputs)
    if entry.is_servo then
      drives[name] = {
        servo = {
          position = entry.stiffness > 0 and -(direction.ref or 0) - (joint and start_of(joint)[found.key] or 0) or nil,
          stiffness = entry.stiffness,
          damping = entry.damping,
          feed = feed,
          force = entry.bound < math.huge and entry.bound or nil,
        },
      }
    elseif feed ~= 0 or entry.is_second or not joint then
      drives[name] = { motor = { force = feed } } -- the first input adds the motors of other joints
    end
  end
  return drives
end

--- Sets inputs by name. Raises an error at the caller of robot.control for an unknown name or a value that is
--- not a number.
function actuators.control(made, inputs)
  for name, value in pairs(inputs) do
    if made.inputs[name] == nil then
      local hint = names_of.hint(name, made.inputs)
      error(("robot.control: there is no actuator %q%s"):format(tostring(name), hint), 3)
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
      local feed, second = feed_of(entry, made.inputs), entry.is_second or nil
      local joint = entry.joint and made.joints[entry.joint] or made.cords[entry.name]
      if joint and entry.is_servo then
        joint:servo { feed = feed, second = second }
      elseif second then
        joint:set_motor { force = feed, second = true }
      elseif joint then -- no joint: both ends of the segment are fixed
        joint:set_force(feed)
      end
    end
  end
end

return actuators
