--- The section <tendon> of MJCF.

local names = require "scree.robot.names"
local tendons = require "scree.robot.tendons"
local section = {}

-- Names of MJCF of the keys of scree.robot.tendons that need the length of the whole rope.
local ATTRIBUTES =
  { limits = "range", stiffness = "stiffness", damping = "damping", friction = "frictionloss", armature = "armature" }

-- Refuses a <spatial> with a part of less than two sites. Pulleys separate the parts. A pulley may come first.
local function refuse_short_parts(reader, node)
  local count, pulley, behind = 0, nil, "a pulley needs at least two sites behind it"
  for i, c in ipairs(node) do
    if c.tag ~= "pulley" then
      count = count + 1
    else
      if i > 1 and count < 2 then reader:fail(node, pulley and behind or "a rope needs at least two sites before a pulley") end
      count, pulley = 0, c
    end
  end
  if count < 2 then reader:fail(node, pulley and behind or "a rope needs at least two sites") end
end

-- Returns the points of a <spatial>, or nil after a warning.
local function read_points(reader, node, state)
  refuse_short_parts(reader, node)
  local points, divisor, complete = {}, nil, true
  for _, c in ipairs(node) do
    if not reader:check(c, "tendon/spatial/" .. c.tag) then
      complete = false
    elseif c.tag == "pulley" then
      divisor = reader:number(c, c.attr, "divisor", 1)
      if divisor <= 0 then reader:fail(c, "divisor must be above 0") end
    else
      local site = state.model.sites[c.attr.site or ""]
      if not site then return reader:leave(node, names.no("site", c.attr.site) .. ", so it is left out") end
      points[#points + 1] = { link = site.link, position = site.position, divisor = divisor }
      divisor = nil
    end
  end
  if not complete then return reader:leave(node, "it wraps around geoms, so it is left out") end
  return points
end

-- Returns one number that is not negative, or nil: without the attribute, or after a warning of a polynomial.
local function magnitude(reader, node, a, key)
  if a[key] and #reader:numbers(node, a[key], 1, 10, key) > 1 then
    return reader:leave(node, ("attribute %s: a polynomial"):format(key))
  end
  return reader:magnitude(node, a, key)
end

-- Sets the spring of a rope. Its rest length is by default the length at the rest positions of all joints.
local function read_spring(reader, node, a, tendon, state)
  tendon.stiffness = magnitude(reader, node, a, "stiffness")
  if not tendon.stiffness or tendon.stiffness == 0 then return end
  local rest = a.springlength and reader:numbers(node, a.springlength, 1, 2, "springlength") or { -1 }
  if rest[2] and rest[2] ~= rest[1] then
    reader:leave(node, "stiffness with two numbers of springlength: a spring without force between them")
    tendon.stiffness = nil
    return
  end
  tendon.rest = rest[1]
  if rest[1] < 0 then
    local function rests(joint) return { q = joint.rest, second = joint.second and joint.second.rest } end
    tendon.rest = tendons.lengths(tendons.splitter(state.model, rests)(tendon))
  end
end

-- Removes what needs the length of the whole rope if several segments change their lengths.
local function drop_passive(reader, node, tendon, count)
  for _, key in ipairs(count > 1 and tendons.PASSIVE or {}) do
    local value = tendon[key]
    if value and value ~= 0 then
      reader:leave(node, ("%s: %d segments of the tendon change their lengths, and scree couples one"):format(ATTRIBUTES[key], count))
    end
    tendon[key] = nil
  end
end

-- Returns the rope of a <spatial>, or nil after a warning.
local function read_rope(reader, node, name, state)
  local a = reader:attributes(node, nil, "tendon")
  local points = read_points(reader, node, state)
  if not points then return end
  local tendon = { name = name, points = points }
  local count = #tendons.varying(tendons.splitter(state.model)(tendon))
  local range = reader:range(node, a, "range", "limited")
  if range and range[2] < 0 then
    reader:fail(node, "range: the upper limit must not be below 0, because lengths are not")
  end
  tendon.limits = range
  tendon.damping, tendon.friction = magnitude(reader, node, a, "damping"), reader:magnitude(node, a, "frictionloss")
  tendon.armature = reader:magnitude(node, a, "armature")
  read_spring(reader, node, a, tendon, state)
  local force = reader:range(node, a, "actuatorfrcrange", "actuatorfrclimited")
  if force then
    tendon.effort = math.max(-force[1], force[2])
    if force[1] ~= -force[2] then reader:leave(node, "actuatorfrcrange: the larger bound counts for both directions") end
  end
  drop_passive(reader, node, tendon, count)
  state.segments[name] = count
  return tendon
end

-- Returns the sum of joint positions of a <fixed>, or nil after a warning.
local function read_sum(reader, node, name, state)
  -- attributes of defaults have no effect on sums, either
  reader:check(setmetatable({ attr = reader:attributes(node, nil, "tendon") }, { __index = node }), "tendon/fixed")
  local terms = {}
  for _, c in ipairs(node) do
    if reader:check(c, "tendon/fixed/" .. c.tag) then
      local joint = c.attr.joint
      if not state.directions[joint or ""] then
        return reader:leave(node, names.no("hinge or slider", joint) .. ", so it is left out")
      end
      terms[#terms + 1] = { joint = joint, coef = reader:number(c, c.attr, "coef", 1) }
    end
  end
  return { name = name, joints = terms }
end

--- Reads the section. The model gets `tendons`. state.tendons has them by name, state.segments the numbers of segments of
--- ropes that change their lengths. Needs state.directions.
function section.read(reader, tree, state)
  state.tendons, state.segments = {}, {}
  local read, list = { spatial = read_rope, fixed = read_sum }, {}
  for _, part in ipairs(tree) do
    for _, c in ipairs(part.tag == "tendon" and part or {}) do
      if reader:check(c, "tendon/" .. c.tag) then
        local name = reader:name("tendon", c.attr.name, ("tendon_%d"):format(#list + 1))
        local tendon = read[c.tag](reader, c, name, state)
        list[#list + 1] = tendon
        if tendon then state.tendons[tendon.name] = tendon end
      end
    end
  end
  if #list > 0 then state.model.tendons = list end
end

return section
