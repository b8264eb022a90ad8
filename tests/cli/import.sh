#!/bin/bash
# scree import: a URDF arm and an MJCF model become scenes that run, with masses, frames, axes and limits that are known; what is not understood is
# listed with its line; wrong files are refused with file and line.
. "$(dirname "$0")/../support/import.sh"
cat >arm.urdf <<'X'
<?xml version="1.0"?>
<robot name="arm">
  <link name="base"><collision><origin xyz="0 0 0.05"/><geometry><cylinder radius="0.1" length="0.1"/></geometry></collision></link>
  <link name="upper">
    <inertial><origin xyz="0 0 0.25"/><mass value="2"/><inertia ixx="0.04" ixy="0" ixz="0" iyy="0.04" iyz="0" izz="0.002"/></inertial>
    <visual><geometry><mesh filename="package://arm/upper.dae"/></geometry></visual>
    <collision><origin xyz="0 0 0.25"/><geometry><box size="0.06 0.06 0.5"/></geometry></collision>
  </link>
  <link name="fore"><inertial><origin xyz="0 0 0.2" rpy="0 0 1.5707963267948966"/><mass value="1"/>
    <inertia ixx="0.02" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
  <link name="tool"><inertial><mass value="0.5"/><inertia ixx="1e-4" ixy="0" ixz="0" iyy="1e-4" iyz="0" izz="1e-4"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/>
    <limit lower="0.5" upper="1.5" effort="50" velocity="3"/><dynamics friction="0.25"/></joint>
  <joint name="elbow" type="continuous"><parent link="upper"/><child link="fore"/><origin xyz="0 0 0.5" rpy="0.5 0 0"/><axis xyz="0 2 0"/></joint>
  <joint name="weld" type="fixed"><parent link="fore"/><child link="tool"/><origin xyz="0 0 0.4"/></joint>
  <transmission name="t1"/>
</robot>
X
"$scree" import arm.urdf -o arm.lua >out 2>err || fail "a URDF arm: exit $?: $(cat err)"
has out "4 links, 3 joints in arm.lua"
has err 'arm.urdf:16: <transmission name="t1">'
"$scree" check arm.lua >out 2>&1 || fail "the scene of the arm: $(cat out)"
"$scree" run -q arm.lua -o run || fail "the arm does not run"
"$scree" import --table arm.urdf -o table.lua >/dev/null 2>&1 || fail "--table"
cat >look.lua <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
local made = robot.build(w, require "table", { joints = { elbow = math.pi / 2 } })
local function near(a, b) assert(math.abs(a - b) < 1e-12, a .. " is not " .. b) end
-- the shoulder cannot stand at 0: it starts in the middle of its limits, and the upper arm leans by as much
near(made.start.shoulder, 1)
local x, y, z = made.bodies.upper:position()
near(x, 0.25 * math.sin(1)) near(z, 0.1 + 0.25 * math.cos(1))
assert(made.bodies.tool == made.bodies.fore)
near(made.bodies.fore:mass(), 1.5)
-- mass and centre of two welded links: (1 * 0.2 + 0.5 * 0.4) / 1.5 along z of the fore arm
local I = { made.bodies.fore:inertia() }
local c = (0.2 + 0.2) / 1.5
near(I[1], 0.01 + (c - 0.2) ^ 2 + 1e-4 + 0.5 * (0.4 - c) ^ 2)
near(I[4], 0.02 + (c - 0.2) ^ 2 + 1e-4 + 0.5 * (0.4 - c) ^ 2)
near(I[6], 0.01 + 1e-4)
LUA
"$scree" lua look.lua >out 2>&1 || fail "the arm is not the file's: $(cat out)"

cat >model.xml <<'X'
<mujoco model="two">
  <compiler angle="degree"/>
  <default><joint damping="1"/><default class="thin"><geom type="capsule" size="0.02"/></default></default>
  <worldbody>
    <light pos="0 0 3"/>
    <geom type="plane" size="1 1 0.1"/>
    <body name="rod" pos="0 0 1">
      <joint name="swing" axis="0 1 0" range="-90 45"/>
      <geom class="thin" fromto="0 0 0 0 0 -0.4" mass="0.3"/>
      <body name="end" pos="0 0 -0.4" euler="0 90 0"><joint name="push" type="slide" axis="1 0 0"/><geom size="0.05"/></body>
    </body>
    <body name="loose" pos="1 0 0.5"><freejoint/><geom type="box" size="0.1 0.2 0.3"/></body>
  </worldbody>
  <actuator><motor joint="swing" name="m"/></actuator>
</mujoco>
X
"$scree" import model.xml --table -o two.lua >out 2>err || fail "an MJCF model: exit $?: $(cat err)"
has out "4 links, 3 joints"
cat >look.lua <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local w = scree.world { dt = 1e-3 }
local made = robot.build(w, require "two")
local function near(a, b) assert(math.abs(a - b) < 1e-9, a .. " is not " .. b) end
near(made.bodies.rod:mass(), 0.3)
near(made.bodies.loose:mass(), 1000 * 0.2 * 0.4 * 0.6)
local _, _, z = made.bodies["end"]:position()
near(z, 0.6)
w:step(2000)
-- the loose box lies on the plane, and the slider, whose axis points down, has left
_, _, z = made.bodies.loose:position()
assert(math.abs(z - 0.3) < 1e-3, z)
assert(made.joints.push:position() > 0.1)
LUA
"$scree" lua look.lua >out 2>&1 || fail "the model is not the file's: $(cat out)"

# what people's files have: two hinges of one body with limits and springs, ghosts with a mass, defaults that mean nothing here
cat >people.xml <<'X'
<mujoco model="people">
  <compiler angle="degree"/>
  <default><joint damping="0.5" armature="0.1"/></default>
  <worldbody>
    <body name="lamp" pos="0 0 1">
      <joint name="pan" axis="0 0 1" range="-20 30" damping="2"/><joint name="tilt" axis="0 1 0" range="-40 50" stiffness="20" springref="10"/>
      <geom type="box" size="0.05 0.05 0.2" mass="1"/><geom type="sphere" size="0.1" pos="0 0 0.31" mass="3" contype="0" conaffinity="0"/>
      <body name="head" pos="0 0 0.4">
        <joint name="twist" type="hinge" axis="0 0 1" damping="0.3"/>
        <inertial pos="0 0 0" mass="0.2" diaginertia="1e-3 1e-3 1e-3"/><geom size="0.05" contype="0" conaffinity="0"/>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="cord"><joint joint="pan" coef="1"/></fixed></tendon>
  <equality><joint joint1="pan" joint2="tilt"/></equality>
</mujoco>
X
"$scree" import people.xml --table -o people.lua >out 2>err || fail "an MJCF model of people: exit $?: $(cat err)"
has err 'people.xml:15: <joint>: only hinges and sliders can be coupled'
has err '1 warning'
cat >look.lua <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
local made = robot.build(w, require "people")
local function near(a, b, within) assert(math.abs(a - b) < (within or 1e-9), a .. " is not " .. b) end
near(made.bodies.lamp:mass(), 4)
near(made.bodies.head:mass(), 0.2)
local pan, twist = made.joints.pan, made.joints.twist
assert(pan:type() == "universal")
near(pan:energy(), 20 * math.rad(10) ^ 2 / 2)
-- axis of the child first: tilt to its spring's rest; pan, which goes with the ground, to its limit
w:step(6000)
near((pan:position()), math.rad(10), 0.01)
made.bodies.lamp:apply { torque = { 0, 0, 5 } }
for _ = 1, 3000 do
  made.bodies.lamp:apply { torque = { 0, 0, 5 } }
  w:step()
end
local tilt, turned = pan:position()
near(turned, math.rad(30), 1e-6)
-- a wheel of 1e-3 kg m2 and its rotor of 0.1 kg m2 are slowed by a damper: exp(-0.3 t / 0.101)
made.bodies.head:set_spin(0, 0, 1)
local before = twist:speed()
w:step(5)
assert(twist:speed() < 0.99 * before and twist:speed() > 0.975 * before, "damping of a hinge")
LUA
"$scree" lua look.lua >out 2>&1 || fail "the model of people is not the file's: $(cat out)"

# the name of a file gives the scene no code
evil=$'arm\nerror "code from a name" --.urdf'
cp arm.urdf "$evil"
"$scree" import "$evil" -o evil.lua >out 2>&1 || fail "a name of two lines: $(cat out)"
"$scree" check evil.lua >out 2>&1 || fail "the name of a file became code: $(cat out)"

# refused, with file and line
refuse() { # text, message
  printf '%s' "$1" >bad.xml
  "$scree" import bad.xml -o bad.lua >out 2>&1
  [ $? -eq 2 ] || fail "accepted or another exit code: $1"
  has out "$2"
  [ ! -e bad.lua ] || { fail "a file was written for: $1" && rm bad.lua; }
}
refuse '<robot name="r"><link name="a"></robot>' "bad.xml:1: mismatched tag"
refuse '<sdf/>' "bad.xml:1: the root element is <sdf>"
refuse '<robot/>' "has no links"
refuse '<robot><link name="a"/><joint name="j" type="fixed"><parent link="a"/><child link="c"/></joint></robot>' 'there is no link "c"'
impossible='<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3"/></inertial></link>'
refuse "<robot><link name='w'/>$impossible<joint name='j' type='continuous'><parent link='w'/><child link='a'/></joint></robot>" 'link "a": no body has such moments'
refuse '<robot><link name="a"><inertial><mass value="x"/><inertia/></inertial></link></robot>' '"x" is not a number'
arm() { echo "<robot><link name='w'/><link name='a'><inertial><mass value='${1-1}'/><inertia ixx='1' iyy='1' izz='1'/></inertial>${3-}</link>
<joint name='j' type='${4-revolute}'><parent link='w'/><child link='a'/>${2-}</joint></robot>"; }
hit() { echo "<collision><geometry><$1/></geometry></collision>"; }
refuse "$(arm -1)" 'bad.xml:1: <mass> of link "a": value must not be negative, but is -1'
refuse "$(arm 1 '<dynamics damping="-0.5"/>')" 'bad.xml:2: <dynamics> of joint "j": damping must not be negative, but is -0.5'
refuse "$(arm 1 '<dynamics friction="-2"/>')" 'bad.xml:2: <dynamics> of joint "j": friction must not be negative, but is -2'
refuse "$(arm 1 '<limit effort="-3" velocity="1"/>')" 'bad.xml:2: <limit> of joint "j": effort must not be negative, but is -3'
refuse "$(arm 1 '<limit effort="3" velocity="-1"/>')" 'bad.xml:2: <limit> of joint "j": velocity must not be negative, but is -1'
refuse "$(arm 1 '' "$(hit 'box size="1 0 1"')")" 'bad.xml:1: <box> of link "a": size must be above 0, but is 0'
refuse "$(arm 1 '' "$(hit 'sphere radius="-1"')")" 'bad.xml:1: <sphere> of link "a": radius must be above 0, but is -1'
refuse "$(arm 1 '' "$(hit 'cylinder radius="1" length="-2"')")" 'bad.xml:1: <cylinder> of link "a": length must be above 0, but is -2'
refuse "$(arm 1 '' "$(hit 'capsule length="1"')")" '<capsule> needs the attribute radius'
# names of MJCF
twin() { echo "<mujoco><worldbody><body name='a'><joint name='j'/><geom name='g' size='1'/><site name='s'/>$1</body></worldbody>
${2-}</mujoco>"; }
refuse "$(twin '<body name="a"><geom size="1"/></body>')" 'bad.xml:1: <body name="a">: there is another body "a", in bad.xml:1'
refuse "$(twin '<body name="world"><geom size="1"/></body>')" 'there is another body "world"'
refuse "$(twin '<joint name="j"/>')" 'there is another joint "j"'
refuse "$(twin '<geom name="g" size="1"/>')" 'there is another geom "g"'
refuse "$(twin '<site name="s"/>')" 'there is another site "s"'
refuse "$(twin '' '<actuator><motor name="m" joint="j"/><position name="m" joint="j"/></actuator>')" 'bad.xml:2: <position name="m">: there is another actuator "m", in bad.xml:2'
refuse "$(twin '' '<sensor><jointpos name="p" joint="j"/><jointvel name="p" joint="j"/></sensor>')" 'there is another sensor "p"'
refuse "$(twin '' '<asset><mesh name="t" vertex="0 0 0"/><mesh name="t" vertex="0 0 0"/></asset>')" 'there is another mesh "t"'
refuse "$(twin '' '<keyframe><key name="k"/><key name="k"/></keyframe>')" 'there is another keyframe "k"'
# Elements without a name get one that is free. The file's own names stay, also those that scree would make.
cat >names.xml <<'X'
<mujoco><worldbody><body pos="1 0 0"><joint type="slide"/><geom size="1"/></body>
<body name="body_1" pos="2 0 0"><joint name="body_1_joint" type="slide"/><geom size="1"/></body>
<body name="a" pos="3 0 0"><joint name="x"/><joint name="y" type="slide"/><geom size="1"/></body>
<body name="a/x" pos="4 0 0"><joint name="body_5_joint_1"/><geom size="1"/></body>
<body pos="5 0 0"><joint axis="1 0 0"/><joint type="slide"/><geom size="1"/></body></worldbody>
<actuator><motor joint="x"/><motor name="actuator_1" joint="y"/></actuator>
<sensor><jointpos joint="x"/><jointpos name="sensor_1" joint="y"/></sensor>
<tendon><fixed><joint joint="x" coef="1"/></fixed><fixed name="tendon_1"><joint joint="y" coef="1"/></fixed></tendon>
<keyframe><key/><key name="key_1"/></keyframe></mujoco>
X
import names.xml
try "free names" <<'LUA'
at("body_1", 2, 0, 0) at("body_1_2", 1, 0, 0) at("a", 3, 0, 0) at("a/x", 4, 0, 0) at("body_5", 5, 0, 0)
for _, name in ipairs { "body_1_joint", "body_1_2_joint", "x", "y", "body_5_joint_1", "body_5_joint_1_2", "body_5_joint_2" } do
  assert(made.joints[name], "no joint " .. name)
end
assert(made.joints.body_5_joint_1:bodies() == made.bodies["a/x"])
local function names(list) local all = {} for i, entry in ipairs(list) do all[i] = entry.name end return table.concat(all, " ") end
assert(names(model.actuators) == "actuator_1_2 actuator_1", names(model.actuators))
assert(names(model.sensors) == "sensor_1_2 sensor_1" and names(model.tendons) == "tendon_1_2 tendon_1")
assert(model.poses.key_1 and model.poses.key_1_2)
LUA
refuse "<mujoco><worldbody><replicate count='400'><replicate count='300'><geom size='1'/></replicate></replicate></worldbody></mujoco>" \
  'bad.xml:1: <replicate>: all replicates together make more than 50000 elements'
# numbers of MJCF
refuse "$(twin '<body><joint damping="-1"/><geom size="1"/></body>')" 'bad.xml:1: <joint>: damping must not be negative, but is -1'
refuse "$(twin '<body><joint frictionloss="-1"/><geom size="1"/></body>')" 'frictionloss must not be negative, but is -1'
refuse "$(twin '<geom size="-1"/>')" 'size must be above 0, but is -1'
refuse "$(twin '<geom size="1" mass="-1"/>')" 'mass must not be negative, but is -1'
refuse "$(twin '<geom size="1" density="-1"/>')" 'density must not be negative, but is -1'
refuse "$(twin '<inertial mass="-1" pos="0 0 0" diaginertia="1 1 1"/>')" 'mass must not be negative, but is -1'
refuse '<!DOCTYPE r [<!ENTITY a "aaaa">]><robot name="&a;"/>' "declares entities"
refuse '<mujoco><worldbody><body><geom type="capsule" size="1"/></body></worldbody></mujoco>' "size needs 2 numbers"
"$scree" import nothing.urdf >out 2>&1; [ $? -eq 4 ] || fail "a missing file has another exit code"
"$scree" import /dev/zero >out 2>&1; [ $? -eq 4 ] || fail "/dev/zero has another exit code"
exit $failed
