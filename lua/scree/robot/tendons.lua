--- Tendons of a model: ropes through points of links, and sums of joint positions.
---
--- The length of a rope is the sum of scale * distance over its segments, which connect consecutive points. A force f
--- along the rope pulls the ends of each segment with scale * f. Segments between links that are welded to each other
--- have a constant length. Each other segment that a force acts on becomes a distance joint. Limits, springs, dampers,
--- friction, armatures and servos need the length of the whole rope. They therefore act only on ropes of which one
--- segment changes its length.

local frames = require "scree.robot.frames"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local tendons = {}

local function at(frame, point) return quaternion.compose(frame, { position = point.position }).position end

local function no_start() return {} end

--- Returns a function that returns the segments of a rope: a list of { from =, to = (points), scale =, varies =, length = }.
--- A segment varies if its links are not welded to each other. Its length is that in the pose of start_of (frames.of_model);
--- default: with all joints at 0. A point with a `divisor` starts a new part of the rope behind a pulley, whose length counts
--- divided by it.
function tendons.splitter(model, start_of)
  local above, frame_of = frames.joints_above(model), frames.of_model(model, start_of or no_start)
  return function(tendon)
    local list, scale = {}, 1
    for i, point in ipairs(tendon.points or {}) do
      local last = tendon.points[i - 1]
      if not frame_of[point.link] then
        error(("model: tendon %q: there is no link %q"):format(tendon.name, tostring(point.link)))
      end
      if point.divisor then
        if not (point.divisor > 0) then error(("model: tendon %q: a divisor must be above 0"):format(tendon.name)) end
        scale = 1 / point.divisor
      elseif last then
        local d = vector.sub(at(frame_of[point.link], point), at(frame_of[last.link], last))
        list[#list + 1] = {
          from = last,
          to = point,
          scale = scale,
          varies = frames.weld_root(above, last.link) ~= frames.weld_root(above, point.link),
          length = math.sqrt(vector.dot(d, d)),
        }
      end
    end
    return list
  end
end

--- Returns the sum of scale * length over segments, and that over segments that do not vary.
function tendons.lengths(segments)
  local all, constant = 0, 0
  for _, s in ipairs(segments) do
    all = all + s.scale * s.length
    if not s.varies then constant = constant + s.scale * s.length end
  end
  return all, constant
end

--- Returns the segments that vary.
function tendons.varying(segments)
  local list = {}
  for _, s in ipairs(segments) do
    if s.varies then list[#list + 1] = s end
  end
  return list
end

--- Returns the key of varying segment i of a tendon, in tables of actuators, drives and joints.
function tendons.key(name, i) return ("tendon %s, segment %d"):format(name, i) end

--- Keys of a tendon that need the length of the whole rope.
tendons.PASSIVE = { "limits", "stiffness", "damping", "friction", "armature" }

-- Returns the first of these keys that a tendon has, or nil.
local function passive_key(tendon)
  for _, key in ipairs(tendons.PASSIVE) do
    if tendon[key] and tendon[key] ~= 0 then return key end
  end
end

-- Returns the keys of the distance joint of the only varying segment. Length of the rope: constant + scale * distance.
local function passive_keys(tendon, segment, constant)
  local s, def = segment.scale, {}
  if tendon.limits then
    def.limits = { math.max(0, (tendon.limits[1] - constant) / s), (tendon.limits[2] - constant) / s }
    if def.limits[2] < def.limits[1] then
      error(("model: tendon %q: the constant part of its length, %g, exceeds its limits"):format(tendon.name, constant))
    end
  end
  if tendon.stiffness then
    def.stiffness, def.rest = s * s * tendon.stiffness, ((tendon.rest or 0) - constant) / s
  end
  def.damping = tendon.damping and s * s * tendon.damping
  def.friction = tendon.friction and s * tendon.friction
  def.armature = tendon.armature and s * s * tendon.armature
  return def
end

-- Adds the distance joint of a segment to a world, unless both ends are fixed. keys: limits, spring, servo, motor and so
-- on. Returns the joint or nil.
local function add_joint(w, made, segment, keys)
  local from, to = segment.from, segment.to
  local function moves(point)
    local body = made.bodies[point.link]
    return body and body:mass() < math.huge
  end
  if not moves(from) then
    from, to = to, from
  end
  if not moves(from) then return nil end
  keys.a, keys.b = made.bodies[from.link], made.bodies[to.link]
  keys.at, keys.at_b = at(made.frames[from.link], from), at(made.frames[to.link], to)
  keys.collide = true
  return w:distance(keys)
end

--- Adds the ropes of a model to a world. drives: { servo = } or { motor = } by key of the segment. made: bodies that
--- robot.build has made. Sets made.tendons, { tendon =, segments = } by name, and made.cords, the distance joints by key of
--- the segment.
function tendons.build(w, model, made, drives)
  made.tendons, made.cords = {}, {}
  local split = tendons.splitter(model)
  for _, tendon in ipairs(model.tendons or {}) do
    if made.tendons[tendon.name] then error(("model: there are two tendons %q"):format(tendon.name)) end
    local segments = split(tendon)
    made.tendons[tendon.name] = { tendon = tendon, segments = segments }
    local varying, key = tendons.varying(segments), passive_key(tendon)
    local _, constant = tendons.lengths(segments)
    if key and #varying > 1 then
      error(("model: tendon %q: %s needs a rope of which one segment changes its length, not %d"):format(tendon.name, key, #varying))
    end
    for i, segment in ipairs(varying) do
      local drive = drives[tendons.key(tendon.name, i)]
      local keys = key and passive_keys(tendon, segment, constant) or drive and {}
      for name, value in pairs(drive or {}) do
        keys[name] = value
      end
      if keys then made.cords[tendons.key(tendon.name, i)] = add_joint(w, made, segment, keys) end
    end
  end
end

-- Returns the present length of a rope and its rate.
local function rope_state(made, segments)
  local length, speed = 0, 0
  for _, s in ipairs(segments) do
    local frame1, body1 = frames.of_link(made, s.from.link)
    local frame2, body2 = frames.of_link(made, s.to.link)
    local p, q = at(frame1, s.from), at(frame2, s.to)
    local d = vector.sub(q, p)
    local distance = math.sqrt(vector.dot(d, d))
    length = length + s.scale * distance
    if distance > 0 then
      local v = vector.sub(frames.velocity_at(body2, q), frames.velocity_at(body1, p))
      speed = speed + s.scale * vector.dot(v, d) / distance
    end
  end
  return length, speed
end

--- Returns the present length of a tendon and its rate. state_of(joint): position, in the file's units with `ref`, and speed
--- of a joint.
function tendons.state(made, name, state_of)
  local entry = made.tendons[name]
  if entry.tendon.points then return rope_state(made, entry.segments) end
  local length, speed = 0, 0
  for _, term in ipairs(entry.tendon.joints) do
    local position, rate = state_of(term.joint)
    length, speed = length + term.coef * position, speed + term.coef * rate
  end
  return length, speed
end

return tendons
