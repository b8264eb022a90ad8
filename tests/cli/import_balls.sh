#!/usr/bin/env bash
# scree import: springs, dampers, friction and armatures of ball and free joints of MJCF. Expected values are closed forms.
. "$(dirname "$0")/../support/import.sh"
gravity=model.gravity

ball='<inertial pos="0 0 0" mass="2" diaginertia="0.4 0.4 0.4"/>'
cat >balls.xml <<X
<mujoco><option gravity="0 0 -10"/><worldbody>
<body name="spring"><joint name="spring" type="ball" stiffness="3" damping="5"/>$ball</body>
<body name="rotor" pos="3 0 0"><joint type="ball" armature="0.6" damping="2"/>$ball</body>
<body name="drag" pos="6 0 5"><joint type="free" damping="4"/>$ball</body>
</worldbody><keyframe><key name="turned" qpos="0.540302305868 0.841470984808 0 0  1 0 0 0  6 0 5 1 0 0 0"/></keyframe></mujoco>
X
import balls.xml
grep -q warning err && fail "warnings: $(cat err)"
# The spring pulls to the position 0, in whatever pose it starts, and its torque is k times the angle of 2 rad.
try "ball and free joints" 'pose = "turned"' <<'LUA'
made.bodies.rotor:set_spin(1, 2, 3)
made.bodies.drag:set_spin(0, 0, 7)
w:step()
near(made.joints.spring:torque(), -3 * 2 + 5 * 6e-3 / 0.4, 0.01)
w:step(499)
local rate = math.exp(-2 * 0.5 / (0.4 + 0.6)) -- spin of a rotor
local x, y, z = made.bodies.rotor:spin()
near(x, rate, 1e-3) near(y, 2 * rate, 1e-3) near(z, 3 * rate, 1e-3)
x, y, z = made.bodies.drag:velocity()
near(z, -10 * 2 / 4 * (1 - math.exp(-4 * 0.5 / 2)), 1e-2)
x, y, z = made.bodies.drag:spin()
near(z, 7 * math.exp(-4 * 0.5 / 0.4), 1e-2)
w:step(10000)
near(math.abs((made.bodies.spring:orientation())), 1, 1e-6)
LUA

# What scree cannot represent is a warning with the line; with --strict an error.
cat >left.xml <<X
<mujoco><worldbody><body name="a"><joint name="h"/>$ball
<body name="b"><joint name="b" type="ball" armature="0.6"/>$ball</body>
<body name="c"><joint name="c" type="ball" frictionloss="0.6" range="0 30" limited="true"/>$ball</body>
<body name="d"><joint name="d" type="ball" springdamper="1 1"/>$ball</body></body>
<body name="e"><joint name="e" type="free" armature="1" stiffness="2" frictionloss="3" springdamper="1 1"/>$ball</body>
</worldbody></mujoco>
X
import left.xml
has err 'left.xml:2: <joint name="b">: attribute armature of a ball joint whose parent moves'
has err 'left.xml:3: <joint name="c">: its range'
has err 'left.xml:3: <joint name="c">: frictionloss of a ball joint: the bound is equal in all directions'
has err 'left.xml:4: <joint name="d">: attribute springdamper of a ball joint'
for key in armature stiffness frictionloss springdamper; do has err "left.xml:5: <joint name=\"e\">: attribute $key of a free joint"; done
has err '8 warnings'
"$scree" import left.xml --strict --table >out 2>err && fail "--strict accepts warnings"

cat >hand.lua <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local function link(name) return { name = name, mass = 1, inertia = { 1, 0, 0, 1, 0, 1 } } end
local function model(base)
  return { name = "m", base = base, links = { link "a", link "b" }, joints = { { name = "j", type = "ball", parent = "a", child = "b", armature = 1 } } }
end
assert(robot.build(scree.world {}, model()))
local fine, why = pcall(robot.build, scree.world {}, model "free")
assert(not fine and why:find('joint "j": the armature of a ball joint needs a parent that does not move', 1, true), why)
LUA
"$scree" lua hand.lua >out 2>&1 || fail "hand: $(cat out)"
exit $failed
