--- The elements and attributes of MJCF, and what scree does with them. The reader warns of everything that
--- this table does not contain or marks as refused. `tools/robots.lua` writes it to docs/robots.md.

local elements = require("scree.robot.elements").new "MJCF"
elements.default_paths = {} -- path of the element to which a default applies, by tag of the default

local POSE = "pos quat axisangle xyaxes zaxis euler "

local function add(...) elements:add(...) end

-- Adds a row without attributes for each path in a text.
local function add_all(paths, status, note)
  for path in paths:gmatch "%S+" do
    add(path, status, { note = note })
  end
end

-- ---- settings ----

add("mujoco", "supported", { yes = "model" })
add("include", "supported", { yes = "file prefix" })
add("compiler", "partly", {
  yes = "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq meshdir "
    .. "assetdir inertiafromgeom inertiagrouprange",
  unseen = "discardvisual texturedir usethread fusestatic saveinertial convexhull exactmeshinertia alignfree conflict",
})
add("compiler/lengthrange", "unseen", {
  unseen = "mode useexisting uselimit accel maxforce timeconst timestep inttotal interval tolrange",
  note = "for muscles",
})
add("option", "partly", {
  yes = "timestep gravity magnetic",
  unseen = "impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance mpr_tolerance sleep_tolerance cone jacobian solver "
    .. "iterations ls_iterations noslip_iterations ccd_iterations mpr_iterations sdf_iterations sdf_initpoints apirate "
    .. "collision",
  no = "wind density viscosity o_margin o_solref o_solimp o_friction integrator=Euler actuatorgroupdisable",
  note = "settings of MuJoCo's solvers are not needed",
})
add("option/flag", "partly", {
  yes = "gravity contact",
  unseen = "warmstart refsafe sensor midphase eulerdamp autoreset nativeccd island multiccd energy fwdinv invdiscrete sleep "
    .. "diagexact sensornoise",
  no = "constraint=enable equality=enable frictionloss=enable limit=enable passive=enable spring=enable damper=enable "
    .. "clampctrl=enable filterparent=enable actuation=enable override=disable",
})
add_all("size statistic visual", "unseen", "memory, statistics and pictures")
add("default", "supported", { yes = "class" })
add_all("extension extension/plugin", "refused", "plugins are code of MuJoCo")
add_all("custom custom/numeric custom/text custom/tuple", "unseen", "data for other programs")

-- ---- assets ----

add("asset", "supported", {})
add_all("asset/texture asset/material asset/skin asset/material/layer asset/skin/bone", "unseen")
add("asset/mesh", "partly", {
  yes = "name class file vertex face scale refpos refquat",
  unseen = "normal texcoord smoothnormal material content_type",
  no = "maxhullvert=-1 inertia=convex builtin params",
  note = "becomes its convex hull; STL, OBJ and PLY",
})
add("asset/mesh/plugin", "refused", { note = "plugins are code of MuJoCo" })
add("asset/hfield", "partly", {
  yes = "name nrow ncol size elevation",
  no = "file content_type",
  note = "heights of files are refused",
})
add("asset/model", "supported", { yes = "name file", unseen = "content_type" })

-- ---- bodies ----

add("worldbody", "supported", {})
add("frame", "supported", { yes = POSE .. "childclass name" })
add("replicate", "supported", { yes = "count offset euler sep childclass" })
add("body", "partly", {
  yes = POSE .. "name childclass mocap sleep",
  unseen = "user simple",
  no = "gravcomp",
})
add("body/inertial", "supported", { yes = POSE .. "mass diaginertia fullinertia" })
add("body/joint", "partly", {
  yes = "name class type pos axis limited range stiffness springref springdamper damping frictionloss ref "
    .. "actuatorfrcrange actuatorfrclimited armature",
  unseen = "group user",
  no = "solreflimit solimplimit solreffriction solimpfriction actuatorgravcomp=false margin",
  note = "limits and friction are rigid; ball and free joints have fewer attributes",
})
add("body/freejoint", "supported", { yes = "name", unseen = "group align" })
add("body/geom", "partly", {
  yes = POSE .. "name class type size fromto mass density mesh contype conaffinity condim friction priority group hfield",
  unseen = "rgba material user",
  no = "shellinertia=false solmix=1 solref solimp margin gap surfacevel adhesion fitscale=1 fluidshape=none fluidcoef",
  note = "contacts are rigid; type sdf is refused",
})
add("body/geom/plugin", "refused", { note = "plugins are code of MuJoCo" })
add("body/attach", "supported", { yes = "model body frame prefix" })
add("body/site", "supported", { yes = POSE .. "name class type size fromto", unseen = "group material rgba user" })
add_all("body/camera body/light", "unseen")
add_all("body/plugin", "refused", "plugins are code of MuJoCo")
add_all("body/composite body/flexcomp deformable deformable/flex deformable/skin", "refused", "bodies are rigid")

-- ---- constraints ----

add("contact", "supported", {})
add("contact/pair", "partly", {
  yes = "name class geom1 geom2 condim friction",
  no = "solref solreffriction solimp gap margin adhesion",
})
add("contact/exclude", "supported", { yes = "name body1 body2" })
add("equality", "supported", {})
add("equality/connect", "partly", {
  yes = "name class active body1 body2 anchor site1 site2",
  no = "solref solimp",
  note = "rigid",
})
add("equality/weld", "partly", {
  yes = "name class active body1 body2 anchor site1 site2 relpose torquescale",
  no = "solref solimp",
  note = "rigid; torquescale 0 holds the point only, other values have no effect",
})
add("equality/joint", "partly", {
  yes = "name class active joint1 joint2 polycoef",
  no = "solref solimp",
  note = "hinges and sliders that share a link; linear; rigid",
})
add_all(
  "equality/tendon equality/flex equality/flexvert equality/flexstrain equality/distance",
  "refused",
  "scree has no such constraint"
)
add("tendon", "partly", {})
add("tendon/fixed", "partly", {
  yes = "name class",
  unseen = "group user width material rgba",
  no = "limited=false actuatorfrclimited=auto range actuatorfrcrange solreflimit solimplimit solreffriction solimpfriction "
    .. "frictionloss springlength=-1 margin stiffness damping armature",
  note = "for actuators and sensors only",
})
add("tendon/fixed/joint", "supported", { yes = "joint coef" })
add("tendon/spatial", "partly", {
  yes = "name class limited range springlength stiffness damping frictionloss armature actuatorfrclimited actuatorfrcrange",
  unseen = "group width material rgba user",
  no = "solreflimit solimplimit solreffriction solimpfriction margin",
  note = "limits and friction are rigid; ropes of which several segments change their lengths only transmit forces of motors",
})
add("tendon/spatial/site", "supported", { yes = "site" })
add("tendon/spatial/pulley", "supported", { yes = "divisor" })
add("tendon/spatial/geom", "refused", { note = "ropes do not wrap around geoms; the tendon is left out" })

-- ---- actuators, sensors, keyframes ----

local ACTUATOR = "name class ctrlrange ctrllimited forcerange forcelimited gear joint jointinparent tendon "
local ACTUATOR_UNSEEN = "group user lengthrange cranklength nsample"
local ACTUATOR_NO = "site refsite body slidersite cranksite interp delay damping armature "
add("actuator", "supported", {})
add("actuator/motor", "partly", {
  yes = ACTUATOR,
  unseen = ACTUATOR_UNSEEN,
  no = ACTUATOR_NO,
  note = "on hinges and sliders; also through fixed tendons",
})
add("actuator/position", "partly", {
  yes = ACTUATOR .. "kp kv dampratio inheritrange",
  unseen = ACTUATOR_UNSEEN,
  no = ACTUATOR_NO .. "timeconst",
  note = "on hinges and sliders",
})
add("actuator/velocity", "partly", {
  yes = ACTUATOR .. "kv",
  unseen = ACTUATOR_UNSEEN,
  no = ACTUATOR_NO,
  note = "on hinges and sliders",
})
add("actuator/general", "partly", {
  yes = ACTUATOR .. "gaintype biastype gainprm biasprm dyntype",
  unseen = ACTUATOR_UNSEEN .. " dynprm",
  no = ACTUATOR_NO .. "actlimited=auto actrange actdim actearly=false input velrange ffrange",
  note = "fixed gain and affine bias, without activation; on hinges and sliders",
})
add_all(
  "actuator/intvelocity actuator/orientation actuator/pid actuator/cylinder actuator/muscle actuator/adhesion "
    .. "actuator/dcmotor actuator/damper actuator/plugin",
  "refused",
  "scree has no such actuator"
)
local FRAME = "objtype objname reftype refname"
local CENTRE = "centres of mass, geoms and sites; of objtype body with fullinertia or geoms no orientation"
add("sensor", "partly", { note = "without noise and delay" })
for name, row in pairs {
  touch = { "site" },
  velocimeter = { "site" },
  gyro = { "site" },
  force = { "site" },
  torque = { "site" },
  magnetometer = { "site" },
  rangefinder = { "site", no = "camera data" },
  jointpos = { "joint" },
  jointvel = { "joint" },
  jointactuatorfrc = { "joint" },
  ballquat = { "joint" },
  ballangvel = { "joint" },
  actuatorpos = { "actuator" },
  actuatorvel = { "actuator" },
  actuatorfrc = { "actuator" },
  framepos = { FRAME, note = CENTRE },
  framequat = { FRAME, note = CENTRE },
  framexaxis = { FRAME, note = CENTRE },
  frameyaxis = { FRAME, note = CENTRE },
  framezaxis = { FRAME, note = CENTRE },
  framelinvel = { FRAME, note = CENTRE },
  frameangvel = { FRAME, note = CENTRE },
  insidesite = { "site objtype objname", note = CENTRE },
  tendonpos = { "tendon" },
  tendonvel = { "tendon" },
  tendonactuatorfrc = { "tendon" },
  subtreecom = { "body" },
  subtreelinvel = { "body" },
  subtreeangmom = { "body" },
  e_potential = { "" },
  e_kinetic = { "" },
  clock = { "" },
} do
  add("sensor/" .. name, row.note and "partly" or "supported", {
    yes = "name user nsample cutoff " .. row[1],
    no = "noise interp delay interval " .. (row.no or ""),
    note = row.note,
  })
end
for paths, note in pairs {
  ["sensor/accelerometer sensor/framelinacc sensor/frameangacc"] = "scree has no accelerations at an instant; differences of velocities replace them",
  ["sensor/jointlimitpos sensor/jointlimitvel sensor/jointlimitfrc sensor/tendonlimitpos sensor/tendonlimitvel sensor/tendonlimitfrc"] = "limits are rigid",
  ["sensor/distance sensor/normal sensor/fromto"] = "scree measures no distances of geoms",
  ["sensor/contact sensor/tactile"] = "w:contacts lists contacts and their impulses",
  ["sensor/camprojection"] = "scree has no cameras in models",
  ["sensor/user sensor/plugin"] = "sensors of other programs",
} do
  add_all(paths, "refused", note)
end
add("keyframe", "supported", {})
add("keyframe/key", "partly", { yes = "name qpos ctrl", unseen = "time", no = "qvel act mpos mquat" })

table.sort(elements.list, function(a, b) return a.path < b.path end)

for _, tag in ipairs { "joint", "geom", "site", "camera", "light" } do
  elements.default_paths[tag] = "body/" .. tag
end
elements.default_paths.mesh, elements.default_paths.material = "asset/mesh", "asset/material"
elements.default_paths.pair, elements.default_paths.equality = "contact/pair", "equality/connect"
elements.default_paths.tendon = "tendon/spatial"
for path in pairs(elements.rows) do
  local tag = path:match "^actuator/(%w+)$"
  if tag then elements.default_paths[tag] = path end
end

--- Returns whether a path has no attributes that could change the motion.
function elements.is_visual(path) return elements.rows[path].status == "unseen" or elements.rows[path].status == "refused" end

return elements
