--- Keys of models. robot.build refuses all other keys, because they are probably misspelt. lua/meta/scree/robot.lua describes them.

local scree = require "scree"
local vector = require "scree.math.vector"
local keys = {}

--- Allowed keys, by the name of the class that describes them.
keys.known = {
  RobotModel = { "name", "base", "links", "joints", "mass_total", "mass_min", "inertia_min", "ground", "gravity", "dt",
    "materials", "pairs", "actuators", "sensors", "sites", "poses", "magnetic", "loops", "tendons", "left_out" },
  RobotLink = { "name", "mass", "avoids", "overlaps", "centre", "inertia", "inertia_orientation", "shapes" },
  RobotJoint = { "name", "type", "parent", "child", "position", "orientation", "anchor", "axis", "axis2", "limits",
    "friction", "damping", "stiffness", "rest", "armature", "second", "springdamper", "mimic", "ref", "collide", "effort",
    "speed" },
  RobotActuator = { "name", "on", "gain", "bias", "input", "force", "damping_ratio" },
  RobotSensor = { "name", "type", "site", "body", "centre", "joint", "actuator", "tendon", "reference", "volume", "cutoff" },
  RobotLoop = { "name", "type", "a", "b", "at", "at_b", "orientation", "orientation_b" },
  RobotTendon = { "name", "points", "joints", "limits", "stiffness", "rest", "damping", "friction", "armature", "effort" },
  RobotSite = { "link", "position", "orientation", "type", "size" },
  RobotPose = { "joints", "turns", "frames", "inputs" },
}

-- Required keys, by class.
local REQUIRED = {
  RobotLink = { "name" },
  RobotJoint = { "name", "type", "parent", "child" },
  RobotActuator = { "name", "on" },
  RobotSensor = { "name", "type" },
  RobotLoop = { "name", "type", "a", "b" },
  RobotTendon = { "name" },
  RobotSite = { "link" },
}

-- Keys of tables that are values in the tables above.
local SECOND = { "name", "limits", "friction", "damping", "stiffness", "rest", "armature", "ref", "effort" }
local MIMIC = { "joint", "ratio", "offset" }
local ON = { "joint", "tendon", "gear" }
local REFERENCE = { "site", "body", "centre" }
local POINT = { "link", "position", "divisor" }
local TERM = { "joint", "coef" }

-- Keys of models whose values are numbers.
local NUMBERS = { "mass", "friction", "damping", "stiffness", "rest", "armature", "ref", "effort", "speed", "gain", "ratio",
  "offset", "coef", "divisor", "gear", "cutoff", "damping_ratio", "mass_total", "mass_min", "inertia_min", "dt" }
-- Keys of models whose values are lists of finite numbers, with the length of each list.
local LISTS = { position = 3, orientation = 4, centre = 3, inertia = 6, inertia_orientation = 4, anchor = 3, axis = 3,
  axis2 = 3, at = 3, at_b = 3, orientation_b = 4, bias = 3, springdamper = 2, gravity = 3, magnetic = 3 }

-- Raises an error unless the numbers and lists of numbers of a table have the right types.
local function check_values(entry, place)
  for _, key in ipairs(NUMBERS) do
    local value = entry[key]
    if value ~= nil and (type(value) ~= "number" or value ~= value) then
      error(("%s.%s must be a number, not %s"):format(place, key, type(value) == "number" and "NaN" or "a " .. type(value)))
    end
  end
  for key, count in pairs(LISTS) do
    if type(entry[key]) ~= "nil" and type(entry[key]) ~= "boolean" then
      vector.check(entry[key], place .. "." .. key, count)
    end
  end
end

-- Checks the tables of a list, or the named tables of a table. required: keys that each of them needs.
local function check_all(list, known, what, required)
  if list == nil then return end
  if type(list) ~= "table" then error(what .. " must be a table, not a " .. type(list)) end
  for key, entry in pairs(list) do
    local name = type(entry) == "table" and entry.name or key
    local place = what .. "." .. tostring(name)
    scree.check_keys(entry, known, place)
    check_values(entry, place)
    for _, needed in ipairs(required or {}) do
      if entry[needed] == nil then error(("%s.%s is missing"):format(place, needed)) end
    end
  end
end

--- Raises an error for a key of a model that robot.build does not know.
function keys.check(model)
  scree.check_keys(model, keys.known.RobotModel, "model")
  check_values(model, "model")
  for list, class in pairs {
    links = "RobotLink",
    joints = "RobotJoint",
    actuators = "RobotActuator",
    sensors = "RobotSensor",
    loops = "RobotLoop",
    tendons = "RobotTendon",
    sites = "RobotSite",
    poses = "RobotPose",
  } do
    check_all(model[list], keys.known[class], "model." .. list, REQUIRED[class])
  end
  for _, joint in ipairs(model.joints or {}) do
    local what = "model.joints." .. tostring(joint.name)
    check_all({ second = joint.second }, SECOND, what)
    check_all({ mimic = joint.mimic }, MIMIC, what, { "joint" })
  end
  for _, actuator in ipairs(model.actuators or {}) do
    local what = ("model.actuators.%s.on"):format(actuator.name)
    check_all(actuator.on, ON, what)
    for i, on in ipairs(actuator.on) do
      if not on.joint and not on.tendon then error(("%s.%d needs a joint or a tendon"):format(what, i)) end
    end
  end
  for _, sensor in ipairs(model.sensors or {}) do
    check_all({ reference = sensor.reference }, REFERENCE, ("model.sensors.%s"):format(sensor.name))
  end
  for _, tendon in ipairs(model.tendons or {}) do
    check_all(tendon.points, POINT, ("model.tendons.%s.points"):format(tendon.name), { "link" })
    check_all(tendon.joints, TERM, ("model.tendons.%s.joints"):format(tendon.name), { "joint" })
  end
end

return keys
