--- Sensors of a model: values in the present state, by name.

local actuators = require "scree.robot.actuators"
local frames = require "scree.robot.frames"
local tendons = require "scree.robot.tendons"
local quaternion = require "scree.math.quaternion"
local vector = require "scree.math.vector"
local turn, compose = quaternion.turn, quaternion.compose
local frame_of_link, velocity_at = frames.of_link, frames.velocity_at
local sensors = {}

local function back(q, v) return turn(quaternion.inverse(q), v) end

-- Returns frame, body and site of what a sensor measures, or of its reference: { site = } or { body = link, centre = }. With
-- `centre` the frame lies at the centre of mass of the link, in the axes of its inertia.
local function frame_of(made, of)
  local site = of.site and made.model.sites[of.site]
  local frame, body = frame_of_link(made, site and site.link or of.body)
  if site then return compose(frame, site), body, site end
  return of.centre and compose(frame, made.centres[of.body] or frames.HERE) or frame, body
end

local function spin_of(body) return body and { body:spin() } or { 0, 0, 0 } end

-- Returns whether a point in the axes of a site lies in the site.
local function is_inside(site, p)
  local s, x, y, z = site.size, p[1], p[2], p[3]
  local a = s[1] or 0.005
  local b = s[2] or a
  local c = s[3] or b
  if site.type == "box" then return math.abs(x) <= a and math.abs(y) <= b and math.abs(z) <= c end
  if site.type == "ellipsoid" then return (x / a) ^ 2 + (y / b) ^ 2 + (z / c) ^ 2 <= 1 end
  if site.type == "cylinder" then return x * x + y * y <= a * a and math.abs(z) <= b end
  local over = site.type == "capsule" and math.max(math.abs(z) - b, 0) or z
  return x * x + y * y + over * over <= a * a
end

local kinds = {}

--- Returns the position of a joint by name, counted from the zero of the model.
function sensors.position_of(made, name)
  local first, second = made.joints[name]:position()
  return made.start[name] + (made.second[name] and second or first)
end

local function speed_of(made, name)
  local first, second = made.joints[name]:speed()
  return made.second[name] and second or first
end

function kinds.jointpos(_, made, s) return sensors.position_of(made, s.joint) + (made.refs[s.joint] or 0) end
function kinds.jointvel(_, made, s) return speed_of(made, s.joint) end

-- Returns the present position, counted as in the file, and the speed of a joint.
local function state_of(made, name)
  return sensors.position_of(made, name) + (made.refs[name] or 0), speed_of(made, name)
end

-- Returns the present length of a tendon and its rate.
local function tendon_state(made, name)
  return tendons.state(made, name, function(joint) return state_of(made, joint) end)
end

function kinds.tendonpos(_, made, s) return (tendon_state(made, s.tendon)) end
function kinds.tendonvel(_, made, s) return select(2, tendon_state(made, s.tendon)) end

-- Returns the present length and speed of an actuator: sums of gear * position over what it acts on.
local function actuator_state(made, a)
  local length, speed = 0, 0
  for _, on in ipairs(a.on) do
    local l, v
    if on.tendon then
      l, v = tendon_state(made, on.tendon)
    else
      l, v = state_of(made, on.joint)
    end
    length, speed = length + on.gear * l, speed + on.gear * v
  end
  return length, speed
end

function kinds.actuatorpos(_, made, s) return (actuator_state(made, made.actuator_of[s.actuator])) end
function kinds.actuatorvel(_, made, s) return select(2, actuator_state(made, made.actuator_of[s.actuator])) end

-- Returns the force of an actuator in the present state.
local function actuator_force(made, a)
  local input = actuators.clamp(made.inputs[a.name], a.input)
  local length, speed = actuator_state(made, a)
  return actuators.clamp(a.gain * input + a.bias[1] + a.bias[2] * length + a.bias[3] * speed, a.force)
end

function kinds.actuatorfrc(_, made, s) return actuator_force(made, made.actuator_of[s.actuator]) end

-- Returns the sum of the forces of all actuators of a tendon, within the bound of the tendon.
function kinds.tendonactuatorfrc(_, made, s)
  local sum, bound = 0, made.tendons[s.tendon].tendon.effort
  for _, a in ipairs(made.model.actuators or {}) do
    if a.on[1] and a.on[1].tendon == s.tendon then sum = sum + actuator_force(made, a) end
  end
  return actuators.clamp(sum, bound and { -bound, bound })
end

-- Returns the frame of a sensor, relative to its reference if it has one.
local function relative_frame(made, s)
  local frame = frame_of(made, s)
  if not s.reference then return frame end
  local ref = frame_of(made, s.reference)
  return {
    position = back(ref.orientation, vector.sub(frame.position, ref.position)),
    orientation = quaternion.multiply(quaternion.inverse(ref.orientation), frame.orientation),
  }
end

function kinds.framepos(_, made, s) return relative_frame(made, s).position end
function kinds.framequat(_, made, s) return relative_frame(made, s).orientation end
for i, letter in ipairs { "x", "y", "z" } do
  local axis = { i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0 }
  kinds["frame" .. letter .. "axis"] = function(_, made, s) return turn(relative_frame(made, s).orientation, axis) end
end

-- Returns the ball joint of a sensor, and frames and bodies of its child and its parent.
local function ball_of(made, s)
  local joint = made.ball_joints[s.joint]
  local child, body = frame_of_link(made, joint.child)
  local parent, base = frame_of_link(made, joint.parent)
  return joint, child, parent, body, base
end

-- Returns the orientation of the child of a ball joint, relative to its orientation at the position 0.
function kinds.ballquat(_, made, s)
  local joint, child, parent = ball_of(made, s)
  local zero = compose(parent, { orientation = joint.orientation or { 1, 0, 0, 0 } }).orientation
  return quaternion.multiply(quaternion.inverse(zero), child.orientation)
end

-- Returns the angular velocity of the child relative to the parent, in the axes of the child.
function kinds.ballangvel(_, made, s)
  local _, child, _, body, base = ball_of(made, s)
  return back(child.orientation, vector.sub(spin_of(body), spin_of(base)))
end

-- Returns the torque or force of all actuators of a joint: the mean over the last step.
function kinds.jointactuatorfrc(_, made, s)
  local first, second = made.joints[s.joint]:effort()
  return made.second[s.joint] and second or first
end

-- Returns velocity and angular velocity of a sensor's frame, as seen from its reference if it has one.
local function relative_motion(made, s)
  local frame, body = frame_of(made, s)
  local v, spin = velocity_at(body, frame.position), spin_of(body)
  if not s.reference then return v, spin end
  local ref, base = frame_of(made, s.reference)
  local carried = velocity_at(base, frame.position)
  return back(ref.orientation, vector.sub(v, carried)), back(ref.orientation, vector.sub(spin, spin_of(base)))
end

function kinds.framelinvel(_, made, s) return (relative_motion(made, s)) end
function kinds.frameangvel(_, made, s) return select(2, relative_motion(made, s)) end
function kinds.gyro(_, made, s)
  local frame, body = frame_of(made, s)
  return back(frame.orientation, spin_of(body))
end
function kinds.velocimeter(_, made, s)
  local frame, body = frame_of(made, s)
  return back(frame.orientation, velocity_at(body, frame.position))
end

-- Returns the sum of the normal forces of those contacts of the site's body that lie in the volume of the
-- site.
function kinds.touch(w, made, s)
  local frame, body, site = frame_of(made, s)
  local sum = 0
  for _, c in ipairs(body and w:contacts() or {}) do
    if c.body1 == body or c.body2 == body then
      local p, o = c.point, frame.position
      if is_inside(site, back(frame.orientation, { p[1] - o[1], p[2] - o[2], p[3] - o[3] })) then
        local n, j = c.normal, c.impulse
        sum = sum + math.abs(n[1] * j[1] + n[2] * j[2] + n[3] * j[3]) / w:dt()
      end
    end
  end
  return sum
end

-- Returns the force and the torque that the joint above the site's body exerts on this body, in the axes of
-- the site.
local function load(made, s)
  local frame, _, site = frame_of(made, s)
  local joint = made.joint_above[site.link]
  if joint and joint.type == "fixed" then
    error(("model: sensor %q: link %q is welded to its parent"):format(s.name, site.link))
  end
  local handle = joint and made.joints[joint.name]
  if not handle then return { 0, 0, 0 }, { 0, 0, 0 } end
  local force, torque = { handle:force() }, { handle:torque() }
  local link = frame_of_link(made, joint.child)
  local at = compose(link, { position = joint.anchor or { 0, 0, 0 } }).position
  local r = vector.sub(at, frame.position)
  torque = {
    torque[1] + r[2] * force[3] - r[3] * force[2],
    torque[2] + r[3] * force[1] - r[1] * force[3],
    torque[3] + r[1] * force[2] - r[2] * force[1],
  }
  return back(frame.orientation, force), back(frame.orientation, torque)
end

function kinds.force(_, made, s) return (load(made, s)) end
function kinds.torque(_, made, s) return select(2, load(made, s)) end

-- Returns the distance to the next surface along z of the site; -1 if there is none.
function kinds.rangefinder(w, made, s)
  local frame, body = frame_of(made, s)
  local hit = w:ray { from = frame.position, direction = turn(frame.orientation, { 0, 0, 1 }), without = body }
  return hit and hit.distance or -1
end

-- The magnetic field of the model, in the axes of the site.
function kinds.magnetometer(_, made, s)
  return back(frame_of(made, s).orientation, made.model.magnetic or { 0, -0.5, 0 })
end

-- 1 if a frame lies in the volume of a site, else 0.
function kinds.insidesite(_, made, s)
  local frame, _, site = frame_of(made, { site = s.volume })
  local p = vector.sub(frame_of(made, s).position, frame.position)
  return is_inside(site, back(frame.orientation, p)) and 1 or 0
end

-- Returns the moving bodies of a link and of all links behind it, each once, with a name of a link of each.
local function bodies_of_subtree(made, link)
  local list, seen = {}, {}
  local function visit(name)
    local body = made.bodies[name]
    if body and not seen[body:id()] and body:mass() < math.huge then
      seen[body:id()] = true
      list[#list + 1] = { body = body, link = name }
    end
    for _, joint in ipairs(made.joints_below[name]) do
      visit(joint.child)
    end
  end
  visit(link)
  return list
end

-- Returns the mean of a vector over the masses of a link and all links behind it; nil if they have no mass.
local function mean_over_subtree(made, link, vector_of)
  local sum, total = { 0, 0, 0 }, 0
  for _, entry in ipairs(bodies_of_subtree(made, link)) do
    local m = entry.body:mass()
    sum, total = vector.add(sum, vector.scale(m, { vector_of(entry.body) })), total + m
  end
  return total > 0 and vector.scale(1 / total, sum) or nil
end

-- Returns the centre of mass of a link and all links behind it. kinds.subtreelinvel returns the velocity of
-- this centre.
function kinds.subtreecom(_, made, s)
  local function position(body) return body:position() end
  return mean_over_subtree(made, s.body, position) or frame_of(made, s).position
end
function kinds.subtreelinvel(_, made, s)
  return mean_over_subtree(made, s.body, function(body) return body:velocity() end) or { 0, 0, 0 }
end

-- Returns the angular momentum of a body about its centre of mass. rotor: inertia about each axis that does not count.
local function own_momentum(body, rotor)
  local q, I = { body:orientation() }, { body:inertia() }
  local u = back(q, { body:spin() })
  return turn(q, {
    (I[1] - rotor) * u[1] + I[2] * u[2] + I[3] * u[3],
    I[2] * u[1] + (I[4] - rotor) * u[2] + I[5] * u[3],
    I[3] * u[1] + I[5] * u[2] + (I[6] - rotor) * u[3],
  })
end

-- Angular momentum of a link and all links behind it about their centre of mass.
function kinds.subtreeangmom(w, made, s)
  local centre, drift = kinds.subtreecom(w, made, s), kinds.subtreelinvel(w, made, s)
  local sum = { 0, 0, 0 }
  for _, entry in ipairs(bodies_of_subtree(made, s.body)) do
    local body = entry.body
    local joint = made.joint_above[frames.weld_root(made.joint_above, entry.link)]
    local r, v = vector.sub({ body:position() }, centre), vector.sub({ body:velocity() }, drift)
    local own = own_momentum(body, joint and joint.type == "ball" and joint.armature or 0)
    sum = vector.add(sum, vector.add(own, vector.scale(body:mass(), vector.cross(r, v))))
  end
  return sum
end

-- Returns the moving bodies of the model, each once.
local function all_bodies(made)
  local list, seen = {}, {}
  for _, link in ipairs(made.model.links) do
    local body = made.bodies[link.name]
    if body and not seen[body:id()] and body:mass() < math.huge then
      seen[body:id()] = true
      list[#list + 1] = body
    end
  end
  return list
end

-- Calls action(handle, name) for each joint of the tree and each joint of a rope.
local function each_joint(made, action)
  for _, joint in ipairs(made.model.joints or {}) do
    if made.joints[joint.name] then action(made.joints[joint.name], joint) end
  end
  for _, handle in pairs(made.cords) do
    action(handle)
  end
end

-- Kinetic energy of the model and of the rotors behind its joints.
function kinds.e_kinetic(_, made)
  local sum = 0
  for _, body in ipairs(all_bodies(made)) do
    local v = { body:velocity() }
    sum = sum + (body:mass() * vector.dot(v, v) + vector.dot({ body:spin() }, own_momentum(body, 0))) / 2
  end
  for _, joint in ipairs(made.model.joints or {}) do
    local first, second = 0, 0
    if joint.axis and made.joints[joint.name] then first, second = made.joints[joint.name]:speed() end
    sum = sum + (joint.armature or 0) * first ^ 2 / 2
    if joint.second then sum = sum + (joint.second.armature or 0) * second ^ 2 / 2 end
  end
  for _, tendon in ipairs(made.model.tendons or {}) do
    if tendon.armature then sum = sum + tendon.armature * kinds.tendonvel(nil, made, { tendon = tendon.name }) ^ 2 / 2 end
  end
  return sum
end

-- Potential energy of the model: of gravity, from the origin, and of the springs of joints and tendons.
function kinds.e_potential(w, made)
  local sum, g = 0, { w:gravity() }
  for _, body in ipairs(all_bodies(made)) do
    sum = sum - body:mass() * vector.dot(g, { body:position() })
  end
  each_joint(made, function(handle, joint)
    if joint and joint.type == "ball" and joint.stiffness then
      local turned = kinds.ballquat(nil, made, { joint = joint.name })
      sum = sum + joint.stiffness * (2 * math.acos(math.min(1, math.abs(turned[1])))) ^ 2 / 2
    else
      sum = sum + handle:energy()
    end
  end)
  return sum
end

function kinds.clock(w) return w:time() end

--- Adds the tables that sensors need to the result of robot.build, in the start pose. joint_above: joint of
--- each link with its parent. joints_below: list of joints of each link with its children.
function sensors.prepare(made, joint_above, joints_below)
  made.refs, made.actuator_of, made.joint_above, made.joints_below = {}, {}, joint_above, joints_below
  made.ball_joints = {}
  for _, joint in ipairs(made.model.joints or {}) do
    if joint.type == "ball" then made.ball_joints[joint.name] = joint end
    made.refs[joint.name] = joint.ref
    if joint.second and joint.second.name then made.refs[joint.second.name] = joint.second.ref end
  end
  for _, a in ipairs(made.model.actuators or {}) do
    made.actuator_of[a.name] = a
  end
end

-- Sensors whose values have no bound, and those that are not negative.
local UNBOUNDED = { framequat = true, ballquat = true, framexaxis = true, frameyaxis = true, framezaxis = true }
local POSITIVE = { touch = true, rangefinder = true, insidesite = true }

-- Returns a value within the bound `cutoff` of a sensor.
local function bounded(s, value)
  if not s.cutoff or UNBOUNDED[s.type] then return value end
  local range = { POSITIVE[s.type] and -math.huge or -s.cutoff, s.cutoff }
  if type(value) == "number" then return actuators.clamp(value, range) end
  local list = {}
  for i, x in ipairs(value) do
    list[i] = actuators.clamp(x, range)
  end
  return list
end

--- Returns the values of all sensors by name.
function sensors.read(w, made)
  local values = {}
  for _, s in ipairs(made.model.sensors or {}) do
    local kind = kinds[s.type]
    if not kind then error(("model: sensor %q: there is no type %q"):format(s.name, tostring(s.type))) end
    values[s.name] = bounded(s, kind(w, made, s))
  end
  return values
end

return sensors
