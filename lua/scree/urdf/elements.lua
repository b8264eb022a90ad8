--- The elements of URDF, and what scree does with them. `tools/robots.lua` writes this table to docs/robots.md.

local elements = { rows = {}, list = {} }

-- Adds a row. status: supported, partly, refused, or unseen (no effect on the motion). yes: names of attributes.
local function add(path, status, yes, note)
  local row = { path = path, status = status, attributes = {}, note = note }
  for word in yes:gmatch "%S+" do
    row.attributes[word] = "supported"
  end
  elements.rows[path], elements.list[#elements.list + 1] = row, row
end

add("robot", "supported", "name version")
add("link", "supported", "name")
add("link/inertial", "supported", "")
add("link/inertial/origin", "supported", "xyz rpy")
add("link/inertial/mass", "supported", "value")
add("link/inertial/inertia", "supported", "ixx ixy ixz iyy iyz izz")
add("link/collision", "supported", "name")
add("link/collision/origin", "supported", "xyz rpy")
add("link/collision/geometry", "supported", "")
add("link/collision/geometry/box", "supported", "size")
add("link/collision/geometry/sphere", "supported", "radius")
add("link/collision/geometry/cylinder", "supported", "radius length")
add("link/collision/geometry/capsule", "supported", "radius length")
add("link/collision/geometry/mesh", "partly", "filename scale", "becomes its convex hull; STL, OBJ, PLY, glTF, COLLADA")
add("link/collision/material", "unseen", "name")
add("link/collision/verbose", "unseen", "value")
add("link/collision/contact_coefficients", "refused", "", "friction belongs to pairs of materials")
add("link/visual", "unseen", "name", "only what collides is drawn")
add("link/contact", "refused", "", "friction belongs to pairs of materials")
add("link/self_collision_checking", "refused", "", "links of one robot collide, except neighbours")
add("joint", "partly", "name type", "type planar becomes a weld")
add("joint/origin", "supported", "xyz rpy")
add("joint/parent", "supported", "link")
add("joint/child", "supported", "link")
add("joint/axis", "supported", "xyz")
add("joint/limit", "partly", "lower upper effort velocity", "effort bounds the actuator of the joint; velocity is only stored as `speed`")
add("joint/dynamics", "supported", "damping friction")
add("joint/mimic", "partly", "joint multiplier offset", "two hinges, or a hinge and a slider, of neighbours")
add("joint/calibration", "unseen", "rising falling reference_position")
add("joint/safety_controller", "refused", "", "controllers are scripts")
add("material", "unseen", "name")
add("transmission", "refused", "", "each joint with an effort has an actuator")
add("gazebo", "refused", "reference", "settings of Gazebo")
add("sensor", "refused", "", "URDF has no common sensors")
add("mujoco", "partly", "", "only balanceinertia of its compiler")

-- Returns the path of a child: elements below <visual> and the like have no rows.
local function below(path, tag) return path == "robot" and tag or path .. "/" .. tag end

--- Calls leave(node, why) for each element and attribute that this table refuses or does not know.
function elements.check(node, path, leave)
  local row = elements.rows[path]
  if not row then return leave(node, "URDF has no such element here") end
  if row.status == "refused" then return leave(node, row.note) end
  if row.status == "unseen" then return end
  local keys = {}
  for key in pairs(node.attr) do
    if not row.attributes[key] then keys[#keys + 1] = key end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    if path ~= "robot" then leave(node, "unknown attribute " .. key) end
  end
  for _, c in ipairs(node) do
    if path ~= "mujoco" then elements.check(c, below(path, c.tag), leave) end
  end
end

return elements
