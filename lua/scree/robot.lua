--- Machines described by links and joints. `scree import` writes such a description from URDF and MJCF files.
---
---   local robot = require "scree.robot"
---   local arm = robot.build(w, require "arm", { position = { 0, 0, 0.5 } })
---   arm.joints.elbow:position()

local scree = require "scree"
local actuators = require "scree.robot.actuators"
local frames = require "scree.robot.frames"
local inertia = require "scree.robot.inertia"
local keys = require "scree.robot.keys"
local loops = require "scree.robot.loops"
local mass = require "scree.robot.mass"
local names_of = require "scree.robot.names"
local sensors = require "scree.robot.sensors"
local source = require "scree.robot.source"
local tendons = require "scree.robot.tendons"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local turn, compose = quaternion.turn, quaternion.compose
local about, joint_frame = frames.about, frames.of_joint
local robot = {}

-- ---- links that are welded together become one body ----

local function placed_shape(shape, frame)
  local copy = {}
  for key, value in pairs(shape) do
    copy[key] = value
  end
  local at = compose(frame, shape)
  copy.position, copy.orientation = at.position, at.orientation
  if shape.normal then
    copy.normal, copy.orientation = turn(frame.orientation, shape.normal), nil
  end
  return copy
end

-- ---- building ----

local function index(model)
  local link, child_of, joints_of, roots = {}, {}, {}, {}
  for _, l in ipairs(model.links) do
    if link[l.name] then error(("model: there are two links %q"):format(l.name)) end
    link[l.name], joints_of[l.name] = l, {}
  end
  for _, j in ipairs(model.joints or {}) do
    for _, side in ipairs { "parent", "child" } do
      if not link[j[side]] then
        error(("model: joint %q: there is no link %q"):format(j.name, tostring(j[side])))
      end
    end
    if child_of[j.child] then
      error(
        ("model: link %q is the child of two joints, %q and %q"):format(
          j.child,
          child_of[j.child].name,
          j.name
        ))
    end
    child_of[j.child] = j
    table.insert(joints_of[j.parent], j)
  end
  for _, l in ipairs(model.links) do
    if not child_of[l.name] then roots[#roots + 1] = l end
  end
  if #roots == 0 then error("model: its joints form a circle; no link is the first") end
  return link, joints_of, roots, child_of
end

-- Adds a link, and all links welded to it, to `into`. Adds their shapes and lumps (scree.robot.mass) in the
-- frame of the first link, and their movable joints with the frames of the links at which the joints start.
local function gather(link, joints_of, name, frame, into, lumps)
  local l = link[name]
  for _, shape in ipairs(l.shapes or {}) do
    table.insert(into.shapes, placed_shape(shape, frame))
  end
  if lumps[name] then into.lump = mass.add(into.lump, mass.placed(lumps[name], frame)) end
  if l.mass or l.overlaps == "sum" then
    into.states_mass = true
  elseif #(l.shapes or {}) > 0 then
    table.insert(into.unions, { shapes = l.shapes, frame = frame })
  end
  table.insert(into.links, { name = name, frame = frame })
  for _, joint in ipairs(joints_of[name]) do
    if joint.type == "fixed" then
      gather(link, joints_of, joint.child, compose(frame, joint_frame(joint, {})), into, lumps)
    else
      table.insert(into.leaving, { joint = joint, frame = frame })
    end
  end
  return into
end

-- A link without a mass gets this share of the mass that it carries. The results of mechanisms differ by
-- about this share from the results with massless links.
local MASSLESS_SHARE = 1e-8

-- A principal moment of inertia below this share of the smallest moment that a link may have counts as 0.
-- Rotated inertias have such values instead of 0 because of rounding errors.
local ZERO_MOMENT = 1e-4

-- Returns the lump of a link and all links that hang on it by joints, in the frame of the link, with the
-- joints at 0. place: { link =, joints_of =, lumps = } of the model.
local function carried(w, place, options, name)
  local l = place.link[name]
  local sum = place.lumps[name]
  if not sum and not l.mass and l.overlaps ~= "sum" and #(l.shapes or {}) > 0 then
    sum = mass.of_union(w, l.shapes, options.material)
  end
  for _, joint in ipairs(place.joints_of[name]) do
    local lump = joint.type ~= "free" and carried(w, place, options, joint.child)
    if lump then sum = mass.add(sum, mass.placed(lump, joint_frame(joint, {}))) end
  end
  return sum
end

-- Returns an inertia of a link in which no moment is 0, because a rotation about every axis needs one. A
-- moment of 0 becomes MASSLESS_SHARE of the largest moment, about the link's joint, of all that hangs on the
-- link.
local function settle_moments(w, group, lump, options, place)
  local name = group.links[1].name
  local possible, settled = inertia.check(lump.inertia)
  if not possible then
    error(
      ("model: link %q: no body has its moments of inertia: one is more than the sum of the two others"):format(name))
  end
  local joint = place.joint_above[name]
  local all = carried(w, place, options, name) or lump
  local bound = MASSLESS_SHARE * mass.largest_moment(all, joint and joint.anchor or { 0, 0, 0 })
  if bound == 0 then error(("model: link %q moves and has a mass, but its inertia is 0"):format(name)) end
  local moments = mass.principal(settled)
  local is_singular = math.min(moments[1], moments[2], moments[3]) < ZERO_MOMENT * bound
  return is_singular and mass.raise_moments(settled, bound) or settled
end

-- Returns the inertia of a group with the armature of the ball joint above it. If the parent does not move, the armature acts
-- as an inertia of the child that is equal about all axes.
local function with_rotor(group, I, place)
  local name = group.links[1].name
  local joint = place.joint_above[name]
  local rotor = joint and joint.type == "ball" and joint.armature or 0
  if rotor == 0 then return I end
  if place.joint_above[frames.weld_root(place.joint_above, joint.parent)] or place.is_free then
    error(("model: joint %q: the armature of a ball joint needs a parent that does not move"):format(joint.name))
  end
  return { I[1] + rotor, I[2], I[3], I[4] + rotor, I[5], I[6] + rotor }
end

-- Sets mass, centre and inertia of def. If no link of the group states a mass, the body gets the mass of the
-- union of its shapes.
local function weigh(w, group, options, def, place)
  local lump = group.lump
  if group.states_mass then
    for _, union in ipairs(group.unions) do
      local own = mass.of_union(w, union.shapes, options.material)
      lump = mass.add(lump, mass.placed(own, union.frame))
    end
    if not lump then
      lump = carried(w, place, options, group.links[1].name)
      lump = lump and mass.scale(lump, MASSLESS_SHARE)
    end
    if not lump then error(("model: link %q moves, but has no mass"):format(group.links[1].name)) end
    def.mass, def.centre, def.inertia = lump.mass, lump.centre, settle_moments(w, group, lump, options, place)
    def.inertia = with_rotor(group, def.inertia, place)
  elseif #group.shapes == 0 then
    error(("model: link %q moves, but has neither mass nor a shape"):format(group.links[1].name))
  end
end

-- Returns whether a group without a parent is fixed: all its links state that they have no mass.
local function is_massless(group) return group.states_mass and not group.lump and #group.unions == 0 end

local function make_body(w, group, frame, options, fixed, place)
  local def = {
    position = frame.position,
    orientation = frame.orientation,
    shapes = {},
    group = options.group,
  }
  for i, shape in ipairs(group.shapes) do
    def.shapes[i] = mass.plain_shape(shape, options.material)
  end
  if fixed then
    if #group.shapes == 0 then return nil end
    def.kind = "fixed"
  else
    weigh(w, group, options, def, place)
  end
  return w:body(def)
end

local makers =
  { hinge = "hinge", slider = "slider", ball = "ball", universal = "universal", cylindrical = "cylindrical" }

-- Copies limits, friction, damping, armature and spring of a free direction to def. Positions in def count
-- from q. actuator: servo or motor of the direction, or nil.
local function acts(joint, q, def, actuator)
  if joint.limits then def.limits = { joint.limits[1] - q, joint.limits[2] - q } end
  for _, key in ipairs { "friction", "damping", "stiffness", "armature" } do
    if joint[key] and joint[key] < 0 then
      error(("model: joint %q: %s must not be negative, but is %g"):format(joint.name, key, joint[key]))
    end
    if joint[key] and joint[key] > 0 then def[key] = joint[key] end
  end
  if def.stiffness then def.rest = (joint.rest or 0) - q end
  for key, value in pairs(actuator or {}) do
    def[key] = value
  end
  return def
end

-- Returns a copy of a joint whose spring and damper follow from `springdamper`, a time constant and a damping
-- ratio. reflected: inertia of all links below the joint, with the joints at 0.
local function damped(joint, reflected)
  if not joint.springdamper then return joint end
  local copy, time, ratio = {}, joint.springdamper[1], joint.springdamper[2]
  for key, value in pairs(joint) do
    copy[key] = value
  end
  if time > 0 and ratio > 0 then
    copy.stiffness, copy.damping = reflected / (time * time * ratio * ratio), 2 * reflected / time
  end
  return copy
end

-- Adds the spring and damper of a ball joint to def. The spring pulls to the position 0, by the rotation vector. frame: frame
-- of the child.
local function add_ball_spring(joint, start, frame, def)
  if (joint.stiffness or 0) == 0 then
    def.turn_damping = joint.damping
    return
  end
  local q = frame.orientation
  local turned = start.turn and quaternion.multiply(q, quaternion.inverse(start.turn)) or q
  def.turn_servo = {
    orientation = quaternion.multiply(turned, quaternion.inverse(q)),
    stiffness = joint.stiffness,
    damping = joint.damping,
  }
end

-- Adds the damper of a free joint, which acts at the origin of the child's frame.
local function damp_free_body(w, joint, child, frame)
  if (joint.damping or 0) == 0 then return end
  w:fixed { a = child, at = frame.position, damping = joint.damping, turn_damping = joint.damping, collide = true }
end

local function make_joint(w, joint, child, parent, frame, start, drives)
  local verb = makers[joint.type]
  if not verb then
    error(("model: joint %q: there is no type %q"):format(joint.name, tostring(joint.type)))
  end
  local def = { a = child, b = parent, at = compose(frame, { position = joint.anchor }).position }
  if joint.collide then def.collide = true end
  if joint.axis then def.axis = turn(frame.orientation, joint.axis) end
  if joint.axis2 then
    -- axis2 is fixed in the parent, so the rotation about `axis` does not move it
    local back = about(joint.axis, -(start.q or 0))
    def.axis_b = turn(frame.orientation, turn(back, joint.axis2))
  end
  if joint.type == "ball" then
    def.friction = joint.friction
    add_ball_spring(joint, start, frame, def)
  else
    acts(joint, start.q or 0, def, drives[joint.name])
    if joint.second then def.second = acts(joint.second, start.second or 0, {}, drives[joint.second.name]) end
  end
  return w[verb](w, def)
end

-- Prevents contacts of two bodies. Bodies connected by a joint do not collide, so the function adds a rope of
-- unlimited length.
local function separate(w, a, b)
  if not a or not b or a == b then return end
  w:distance { a = a, b = b, at = { a:position() }, at_b = { b:position() }, limits = { 0, 1e100 } }
end

-- Adds the materials and pairs of a model, except those that the world already has.
local function add_materials(w, model)
  for _, name in ipairs(model.materials or {}) do
    if not pcall(w.get_pair, w, name, name) then w:material { name = name } end
  end
  for _, pair in ipairs(model.pairs or {}) do
    w:pair(pair)
  end
end

-- Returns a function that returns the start position of a joint as a table with q, second, turn or frame.
local function starts(model, options)
  local pose, by_name = model.poses and model.poses[options.pose] or {}, {}
  if options.pose and not pose.joints then
    local hint = names_of.hint(options.pose, model.poses or {})
    error(("robot.build: the model has no pose %q%s"):format(tostring(options.pose), hint), 3)
  end
  for _, joint in ipairs(model.joints or {}) do
    by_name[joint.name] = joint
  end
  local function position(joint, name)
    local q = (options.joints or {})[name] or pose.joints and pose.joints[name]
    if q then return q end
    local mimic, limits = joint.mimic, joint.limits
    if mimic and by_name[mimic.joint] then
      return (mimic.offset or 0) + mimic.ratio * position(by_name[mimic.joint], mimic.joint)
    end
    local is_one = joint.type == "hinge" or joint.type == "slider"
    if is_one and limits and (limits[1] > 0 or limits[2] < 0) then return (limits[1] + limits[2]) / 2 end
    return 0
  end
  return function(joint)
    return {
      q = position(joint, joint.name),
      second = joint.second and joint.second.name and position(joint.second, joint.second.name),
      turn = joint.type == "ball" and pose.turns and pose.turns[joint.name] or nil,
      frame = joint.type == "free" and pose.frames and pose.frames[joint.child] or nil,
    }
  end
end

local function check_joints(model, joints)
  local known = {}
  for _, joint in ipairs(model.joints or {}) do
    known[joint.name] = true
    if joint.second and joint.second.name then known[joint.second.name] = true end
  end
  if joints ~= nil then scree.check_type(joints, "table", "robot.build", "as joints") end
  for name, position in pairs(joints or {}) do
    if not known[name] then
      error(("robot.build: joints.%s: the model has no such joint%s"):format(tostring(name), names_of.hint(name, known)), 3)
    end
    if type(position) ~= "number" or not (math.abs(position) < math.huge) then
      error(("robot.build: joints.%s must be a finite number, not a %s"):format(name, type(position)))
    end
  end
end

local OPTIONS = { "position", "orientation", "base", "joints", "material", "group", "pose" }

-- Returns the inertia that a hinge [kg m2] or slider [kg] moves: that of all links behind it, with the joints
-- at 0, and its armature.
local function reflected_inertia(w, place, options, joint, is_second)
  local lump = joint.axis and carried(w, place, options, joint.child)
  local rotor = (is_second and joint.second or joint).armature or 0
  if not lump then return rotor end
  if joint.type == "slider" then return lump.mass + rotor end
  local n, d = is_second and joint.axis2 or joint.axis, vector.sub(lump.centre, joint.anchor or { 0, 0, 0 })
  local along, I = vector.dot(d, n), lump.inertia
  local own = n[1] * (I[1] * n[1] + 2 * (I[2] * n[2] + I[3] * n[3])) + n[2] * (I[4] * n[2] + 2 * I[5] * n[3])
    + I[6] * n[3] * n[3]
  return own + rotor + lump.mass * (d[1] ^ 2 + d[2] ^ 2 + d[3] ^ 2 - along ^ 2)
end

-- Returns the frames of the centres of mass of links, in the axes of their inertias, by name.
local function centres_of(link, lumps)
  local all = {}
  for name, lump in pairs(lumps) do
    all[name] = { position = lump.centre, orientation = link[name].inertia_orientation or { 1, 0, 0, 0 } }
  end
  return all
end

--- Adds the bodies and joints of a model to a world. Links that are welded to each other become one body. The
--- first link is fixed unless options.base is "free". options.joints: positions of joints by name;
--- options.pose: name of a pose of the model. Other joints start at 0, or in the middle of their limits if
--- these exclude 0. Returns { bodies = by link, joints = by name, start = position of each joint at its
--- creation }. joint:position() counts from that start.
function robot.build(w, model, options)
  scree.check_type(w, "world", "robot.build", "first")
  scree.check_type(model, "table", "robot.build", "of a model second", "links")
  options = options or {}
  scree.check_keys(options, OPTIONS, "robot.build")
  if options.base and options.base ~= "fixed" and options.base ~= "free" then
    error(('robot.build: base must be "fixed" or "free", not %q'):format(tostring(options.base)), 2)
  end
  if options.position ~= nil then vector.check(options.position, "robot.build: position") end
  if options.orientation ~= nil then vector.check(options.orientation, "robot.build: orientation", 4) end
  keys.check(model)
  local link, joints_of, roots, joint_above = index(model)
  local made = { bodies = {}, joints = {}, start = {}, frames = {}, second = {}, model = model }
  check_joints(model, options.joints)
  local start_of = starts(model, options)
  local is_free = (options.base or model.base) == "free"
  local place = { link = link, joints_of = joints_of, joint_above = joint_above, is_free = is_free }
  add_materials(w, model)
  place.lumps = mass.of_model(w, model, options.material)
  made.centres = centres_of(link, place.lumps)
  local function reflected(joint, is_second) return reflected_inertia(w, place, options, joint, is_second) end
  local drives = actuators.prepare(model, made, start_of, reflected, options.pose)
  local function put(name, frame, fixed, is_root)
    local group = gather(
      link,
      joints_of,
      name,
      { position = { 0, 0, 0 }, orientation = { 1, 0, 0, 0 } },
      { shapes = {}, links = {}, leaving = {}, unions = {} },
      place.lumps
    )
    local body = make_body(w, group, frame, options, fixed or is_root and is_massless(group), place)
    for _, l in ipairs(group.links) do
      made.bodies[l.name], made.frames[l.name] = body, compose(frame, l.frame)
    end
    for _, leaving in ipairs(group.leaving) do
      local joint, start = leaving.joint, start_of(leaving.joint)
      local at = compose(compose(frame, leaving.frame), joint_frame(joint, start))
      local child = put(joint.child, at, false)
      if joint.type == "free" then
        damp_free_body(w, joint, child, at)
      else
        local plain = damped(joint, joint.springdamper and reflected(joint))
        made.joints[joint.name] = make_joint(w, plain, child, body, at, start, drives)
        made.start[joint.name] = start.q
        if joint.second and joint.second.name then
          local name = joint.second.name
          made.joints[name], made.second[name] = made.joints[joint.name], true
          made.start[name] = start.second
        end
      end
    end
    return body
  end
  local base =
    { position = options.position or { 0, 0, 0 }, orientation = options.orientation or { 1, 0, 0, 0 } }
  for _, root in ipairs(roots) do
    put(root.name, base, not is_free, true)
  end
  for _, l in ipairs(model.links) do
    for _, other in ipairs(l.avoids or {}) do
      separate(w, made.bodies[l.name], made.bodies[other])
    end
  end
  loops.build(w, model, made)
  frames.prepare(made)
  tendons.build(w, model, made, drives)
  sensors.prepare(made, joint_above, joints_of)
  return made
end

--- Returns the positions of all joints by name, counted from the zero of the model.
function robot.positions(made)
  scree.check_type(made, "table", "robot.positions", "of robot.build first", "model")
  local all = {}
  for name in pairs(made.start) do
    all[name] = sensors.position_of(made, name)
  end
  return all
end

--- Returns the text of a Lua file with a model: a scene that builds it, or the model alone if options.table.
--- options.from: name of the file that the model was read from.
function robot.source(model, options)
  scree.check_type(model, "table", "robot.source", "of a model first", "links")
  scree.check_type(options, "table", "robot.source", "of options second", "from")
  return source.write(model, options)
end

--- Sets control inputs of actuators by name. Inputs that are not named do not change. An input acts until the
--- next call.
function robot.control(made, inputs)
  scree.check_type(made, "table", "robot.control", "of robot.build first", "model")
  scree.check_type(inputs, "table", "robot.control", "of inputs second")
  actuators.control(made, inputs)
end

--- Returns the values of all sensors of the model by name, in the present state.
function robot.sense(w, made)
  scree.check_type(w, "world", "robot.sense", "first")
  scree.check_type(made, "table", "robot.sense", "of robot.build second", "model")
  return sensors.read(w, made)
end

return robot
