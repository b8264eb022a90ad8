--- The sections <actuator> and <keyframe> of MJCF.

local actuators = require "scree.robot.actuators"
local quaternion = require "scree.math.quaternion"
local control = {}

-- ---- actuators ----

-- Functions that set the law of an actuator (gain, bias, gaintype, biastype, dyntype) from an element, by the name of the
-- element. A bias[3] above 0 beside bias[2] = -gain is a damping ratio.
local SETTERS = {}

function SETTERS.motor(law)
  law.gain, law.gaintype, law.biastype, law.dyntype, law.other, law.is_filtered = 1, "fixed", "none", "none", nil, nil
end

function SETTERS.position(law, reader, node, a)
  if a.kv and a.dampratio then reader:fail(node, "kv and dampratio exclude each other") end
  law.gain = reader:number(node, a, "kp", law.gain)
  law.bias[2], law.gaintype, law.biastype = -law.gain, "fixed", "affine"
  if a.kv then law.bias[3] = -reader:magnitude(node, a, "kv") end
  if a.dampratio then law.bias[3] = reader:magnitude(node, a, "dampratio") end
  law.is_filtered = law.is_filtered or (reader:number(node, a, "timeconst", 0) > 0)
end

function SETTERS.velocity(law, reader, node, a)
  law.gain = reader:number(node, a, "kv", law.gain)
  law.bias, law.gaintype, law.biastype, law.dyntype = { 0, 0, -law.gain }, "fixed", "affine", "none"
end

function SETTERS.general(law, reader, node, a)
  for _, key in ipairs { "dyntype", "gaintype", "biastype" } do
    law[key] = a[key] or law[key]
  end
  law.gain = a.gainprm and reader:numbers(node, a.gainprm, 1, 10, "gainprm")[1] or law.gain
  for i, x in ipairs(a.biasprm and reader:numbers(node, a.biasprm, 1, 10, "biasprm") or {}) do
    if i <= 3 then law.bias[i] = x end
  end
end

-- Returns gain and bias {b0, b1, b2} of an actuator: its force is gain * input + b0 + b1 * length + b2 * speed. Also returns its
-- damping ratio, if it has one instead of b2. Returns nil after a warning. steps: reader:actuator_steps.
local function law_of(reader, node, steps)
  local law = { gain = 1, bias = { 0, 0, 0 }, gaintype = "fixed", biastype = "none", dyntype = "none" }
  for _, step in ipairs(steps) do
    if SETTERS[step.tag] then
      SETTERS[step.tag](law, reader, step, step.attr)
    else
      law.other = step.tag
    end
  end
  if law.other then return reader:leave(node, ("default of <%s>"):format(law.other)) end
  if law.dyntype ~= "none" then return reader:leave(node, "dyntype " .. law.dyntype) end
  if law.is_filtered and node.tag == "general" then return reader:leave(node, "timeconst of a default") end
  if law.gaintype ~= "fixed" then return reader:leave(node, "gaintype " .. law.gaintype) end
  if law.biastype == "none" then return law.gain, { 0, 0, 0 } end
  if law.biastype ~= "affine" then return reader:leave(node, "biastype " .. law.biastype) end
  local ratio = law.bias[3] > 0 and law.bias[2] == -law.gain and law.bias[3] or nil
  return law.gain, { law.bias[1], law.bias[2], ratio and 0 or law.bias[3] }, ratio
end

local TARGETS = { "joint", "jointinparent", "tendon", "site", "body", "cranksite" }

-- Refuses an actuator that acts on several things.
local function refuse_targets(reader, node, a)
  local first
  for _, key in ipairs(TARGETS) do
    if first and a[key] then reader:fail(node, ("%s and %s exclude each other"):format(first, key)) end
    first = a[key] and key or first
  end
end

-- Returns what an actuator acts on: a list of { joint = or tendon =, gear = }, the description of the joint or tendon, and the
-- number of directions that move with it. Returns nil after a warning.
local function transmission(reader, node, a, state)
  refuse_targets(reader, node, a)
  local gear = a.gear and reader:numbers(node, a.gear, 1, 6, "gear")[1] or 1
  local name = a.joint or a.jointinparent
  if name then
    local joint = state.directions[name]
    if not joint then return reader:leave(node, ("there is no hinge or slider %q"):format(name)) end
    return { { joint = name, gear = gear } }, joint, 1
  end
  local tendon = state.tendons[a.tendon or ""]
  if not tendon then
    return reader:leave(node, a.tendon and ("tendon %q is left out"):format(a.tendon) or "it does not act on a joint")
  end
  if tendon.effort and math.abs(gear) ~= 1 then
    reader:leave(node, "the actuatorfrcrange of its tendon counts behind the gear")
  end
  return { { tendon = a.tendon, gear = gear } }, tendon, tendon.joints and #tendon.joints or state.segments[a.tendon]
end

-- Returns whether the force of an actuator depends on position or speed.
local function is_servo(bias) return bias[2] ~= 0 or bias[3] ~= 0 end

-- Adds an actuator to the model and returns it. Returns nil after a warning.
local function read_actuator(reader, node, state)
  if not reader:check(node, "actuator/" .. node.tag) then return end
  local steps, a = reader:actuator_steps(node)
  local on, target, directions = transmission(reader, node, a, state)
  if not on then return end
  local gain, bias, ratio = law_of(reader, node, steps)
  if not gain then return end
  local follows = is_servo(bias)
  if directions > 1 and follows then
    return reader:leave(node, "its force depends on the length of a tendon of several joints or segments")
  end
  if ratio and on[1].tendon then return reader:leave(node, "dampratio on a tendon") end
  if bias[2] > 0 or bias[3] > 0 then return reader:leave(node, "a stiffness or damping below 0") end
  local force = reader:range(node, a, "forcerange", "forcelimited")
  if force and follows and force[1] ~= -force[2] then
    reader:leave(node, "forcerange: the larger bound counts for both directions")
  end
  local input = reader:range(node, a, "ctrlrange", "ctrllimited")
  local inherits = node.tag == "position" and reader:magnitude(node, a, "inheritrange") or 0
  if inherits > 0 and not target.limits then reader:leave(node, "inheritrange without a range to inherit") end
  if inherits > 0 and target.limits then
    local mid, half = (target.limits[1] + target.limits[2]) / 2, (target.limits[2] - target.limits[1]) / 2
    half = half * inherits
    input = { mid - half + (target.ref or 0), mid + half + (target.ref or 0) }
  end
  local list = state.model.actuators or {}
  state.model.actuators = list
  local made = {
    name = reader:name("actuator", a.name, ("actuator_%d"):format(#list + 1)),
    on = on,
    gain = gain,
    bias = bias,
    input = input,
    force = force,
    damping_ratio = ratio,
  }
  list[#list + 1] = made
  return made
end

-- Warns of bounds of single actuators. All actuators of a joint become one servo, which has only one bound:
-- the sum of their bounds.
local function check_bounds(reader, state, nodes)
  local on, names = actuators.by_direction(state.model)
  for _, name in ipairs(names) do
    local parts, follows = on[name].parts, false
    for _, part in ipairs(parts) do
      follows = follows or is_servo(part.actuator.bias)
    end
    for _, part in ipairs(#parts > 1 and follows and parts or {}) do
      local a = part.actuator
      if a.force then reader:leave(nodes[a.name], "forcerange: all actuators of a joint share one bound, the sum of all") end
    end
  end
end

-- ---- keyframes ----

local SIZES = { free = 7, ball = 4, hinge = 1, slider = 1 }

-- Returns the pose of an element <key>: positions of `joints`, `frames` of free joints, `turns` of ball
-- joints, and `inputs` of actuators, each by name.
local function read_key(reader, node, state)
  reader:check(node, "keyframe/key")
  local a, pose, total = node.attr, { joints = {} }, 0
  for _, joint in ipairs(state.model.order) do
    total = total + SIZES[joint.type]
  end
  local q, at = a.qpos and reader:numbers(node, a.qpos, 0, 1000000, "qpos"), 1
  if q and #q ~= total then
    return reader:leave(node, ("qpos has %d numbers, the model %d"):format(#q, total))
  end
  for _, joint in ipairs(q and state.model.order or {}) do
    local v = { table.unpack(q, at, at + SIZES[joint.type] - 1) }
    at = at + SIZES[joint.type]
    if joint.type == "free" then
      pose.frames = pose.frames or {}
      pose.frames[joint.link] =
        { position = { v[1], v[2], v[3] }, orientation = quaternion.normalised { v[4], v[5], v[6], v[7] } }
    elseif joint.type == "ball" then
      pose.turns = pose.turns or {}
      pose.turns[joint.name] = quaternion.normalised(v)
    else
      pose.joints[joint.name] = v[1] - (joint.ref or 0)
    end
  end
  local inputs = a.ctrl and reader:numbers(node, a.ctrl, 0, 1000000, "ctrl") or {}
  for i, input in ipairs(inputs) do
    local name = state.inputs[i]
    if name then
      pose.inputs = pose.inputs or {}
      pose.inputs[name] = input
    elseif input ~= 0 then
      reader:leave(node, ("ctrl of actuator %d, which is left out"):format(i))
    end
  end
  local poses = state.model.poses or {}
  state.model.poses = poses
  poses[reader:name("keyframe", a.name, ("key_%d"):format(state.keys))] = pose
end

local function each(tree, tag, action)
  for _, section in ipairs(tree) do
    for _, c in ipairs(section.tag == tag and section or {}) do
      action(c)
    end
  end
end

--- Sets tables that the sections need, by name: state.directions of hinges and sliders, state.balls, state.links.
function control.index(state)
  state.directions, state.links, state.balls = {}, {}, {}
  for _, joint in ipairs(state.model.joints) do
    if joint.type == "ball" then state.balls[joint.name] = joint end
    if joint.axis then state.directions[joint.name] = joint end
    if joint.second then state.directions[joint.second.name] = joint.second end
  end
  for _, link in ipairs(state.model.links) do
    state.links[link.name] = link
  end
end

--- Reads the sections, after control.index. The model gets `actuators` and `poses`.
function control.read(reader, tree, state)
  state.actuators, state.inputs = {}, {}
  local number, nodes = 0, {}
  each(tree, "actuator", function(c)
    number = number + 1
    local made = read_actuator(reader, c, state)
    if made then
      state.actuators[made.name], state.inputs[number], nodes[made.name] = made, made.name, c
    end
  end)
  check_bounds(reader, state, nodes)
  state.keys = 0
  each(tree, "keyframe", function(c)
    state.keys = state.keys + 1
    if c.tag == "key" then
      read_key(reader, c, state)
    else
      reader:check(c, "keyframe/" .. c.tag)
    end
  end)
end

return control
