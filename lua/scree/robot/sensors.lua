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

-- Returns frame, body and site of a sensor.
local function frame_of(made, sensor)
  local site = sensor.site and made.model.sites[sensor.site]
  local frame, body = frame_of_link(made, site and site.link or sensor.body)
  return site and compose(frame, site) or frame, body, site
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

function kinds.framepos(_, made, s) return frame_of(made, s).position end
function kinds.framequat(_, made, s) return frame_of(made, s).orientation end
for i, letter in ipairs { "x", "y", "z" } do
  local axis = { i == 1 and 1 or 0, i == 2 and 1 or 0, i == 3 and 1 or 0 }
  kinds["frame" .. letter .. "axis"] = function(_, made, s) return turn(frame_of(made, s).orientation, axis) end
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

function kinds.framelinvel(_, made, s)
  local frame, body = frame_of(made, s)
  return velocity_at(body, frame.position)
end
function kinds.frameangvel(_, made, s)
  local _, body = frame_of(made, s)
  return spin_of(body)
end
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
    error(("model: sensor %q: link %q is welded to its parent"):format(s.name, site.link), 0)
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

-- Returns the mean of a vector, weighted by mass, over a link and all links behind it; nil if they have no
-- mass.
local function mean_over_subtree(made, link, vector_of)
  local sum, total, seen = { 0, 0, 0 }, 0, {}
  local function visit(name)
    local body = made.bodies[name]
    if body and not seen[body:id()] and body:mass() < math.huge then
      seen[body:id()] = true
      local m, x = body:mass(), { vector_of(body) }
      total = total + m
      for i = 1, 3 do
        sum[i] = sum[i] + m * x[i]
      end
    end
    for _, joint in ipairs(made.joints_below[name]) do
      visit(joint.child)
    end
  end
  visit(link)
  return total > 0 and { sum[1] / total, sum[2] / total, sum[3] / total } or nil
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

--- Returns the values of all sensors by name.
function sensors.read(w, made)
  local values = {}
  for _, s in ipairs(made.model.sensors or {}) do
    local kind = kinds[s.type]
    if not kind then error(("model: sensor %q: there is no type %q"):format(s.name, tostring(s.type)), 0) end
    values[s.name] = kind(w, made, s)
  end
  return values
end

return sensors
