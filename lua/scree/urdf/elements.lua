--- The elements of URDF, and what scree does with them. `tools/robots.lua` writes this table to
--- docs/robots.md.

local elements = require("scree.robot.elements").new "URDF"

local function add(path, status, yes, note) elements:add(path, status, { yes = yes, note = note }) end

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
add("joint", "supported", "name type", "type planar: two sliders and a hinge, NAME/x, NAME/y and NAME/turn")
add("joint/origin", "supported", "xyz rpy")
add("joint/parent", "supported", "link")
add("joint/child", "supported", "link")
add("joint/axis", "supported", "xyz")
add("joint/limit", "partly", "lower upper effort velocity", "effort bounds the actuator of the joint; velocity is only stored as `speed`; not of the types planar, floating and spherical")
add("joint/dynamics", "partly", "damping friction", "not of the types planar and floating")
add("joint/mimic", "partly", "joint multiplier offset", "joints that share a link, directly or through other joints that follow")
add("joint/calibration", "unseen", "rising falling reference_position")
add("joint/safety_controller", "refused", "", "controllers are scripts")
add("material", "unseen", "name")
add("transmission", "refused", "", "each joint with an effort has an actuator")
add("gazebo", "refused", "reference", "settings of Gazebo")
add("sensor", "refused", "", "URDF has no common sensors")
add("mujoco", "partly", "", "only balanceinertia of its compiler")

--- Calls leave(node, why) for each element and attribute of a robot that this table refuses or does not know.
--- <robot> itself may have any attributes. The children of <mujoco> are for other programs.
function elements.check_robot(robot, leave)
  for _, c in ipairs(robot) do
    local check = c.tag == "mujoco" and elements.check or elements.check_tree
    check(elements, c, c.tag, leave)
  end
end

return elements
