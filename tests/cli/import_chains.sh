#!/usr/bin/env bash
# scree import: several joints of one MJCF body, and links without a mass between two joints. A link without a mass
# weighs 1e-8 of what it carries. The tolerances are those of the steps.
. "$(dirname "$0")/../support/import.sh"
# try NAME: runs the Lua code of the standard input with `model`, `scree`, `robot`, and `near` with an absolute tolerance
try() {
  {
    cat <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local model = require "model"
local function near(a, b, within) assert(math.abs(a - b) <= within, a .. " is not " .. b) end
LUA
    cat
  } >try.lua
  run_try "$1"
}

# A root on two slides and a hinge: flies on a parabola in the plane, turns at a constant rate, falls onto the ground.
cat >root.xml <<'X'
<mujoco><compiler angle="radian"/><worldbody>
  <geom type="plane" size="9 9 1"/>
  <body name="torso" pos="0 0 2">
    <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1" range="-9 9"/>
    <joint name="turn" axis="0 1 0" damping="0"/>
    <geom type="sphere" size="0.2" mass="5"/>
    <body name="leg" pos="0 0 -0.3"><joint name="hip" axis="0 1 0" pos="0 0 0.3"/><geom size="0.2" mass="1"/></body>
  </body>
</worldbody></mujoco>
X
import root.xml
[ -s err ] && fail "something is left out: $(cat err)"
try "a root of three joints" <<'LUA'
local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 } }
local made = robot.build(w, model)
for _, name in ipairs { "x", "z", "turn", "hip" } do assert(made.joints[name], name) end
near(made.bodies.torso:mass(), 5, 1e-12)
made.bodies.torso:set_spin(0, 2, 0)
for _, name in ipairs { "torso", "leg" } do made.bodies[name]:set_velocity(0.5, 0, 0) end
made.bodies.leg:set_velocity(0.5 - 0.6, 0, 0) -- the leg turns with the torso about its centre
made.bodies.leg:set_spin(0, 2, 0)
w:step(300)
local q = robot.positions(made)
-- the common centre of mass keeps its horizontal velocity (5 * 0.5 - 0.1) / 6 and falls by g t^2 / 2
local x, _, z = made.bodies.torso:position()
local X, _, Z = made.bodies.leg:position()
near((5 * x + X) / 6, 0.4 * 0.3, 1e-6)
near((5 * z + Z) / 6, 2 - 0.3 / 6 - 9.81 * 0.3 ^ 2 / 2, 2e-3)
near(q.x, x, 1e-9) near(q.z, z - 2, 1e-9)
w:step(700)
x, _, z = made.bodies.torso:position()
assert(z > 0.19, "the torso fell through the ground: " .. z)
LUA

# Three hinges in one point move like a ball joint while no limit acts, and keep names and limits.
cat >hinges.xml <<'X'
<mujoco><compiler angle="radian"/><worldbody><body name="b" pos="0 0 1">
  <joint name="p" axis="1 0 0" range="-1 1"/><joint name="q" axis="0 1 0"/><joint name="r" axis="0 0 1"/>
  <inertial pos="0.1 0.05 -0.3" mass="1" diaginertia="0.01 0.02 0.015"/>
</body></worldbody></mujoco>
X
import hinges.xml
[ -s err ] && fail "something is left out: $(cat err)"
try "three hinges" <<'LUA'
local w = scree.world { dt = 2e-4, gravity = { 0, 0, -9.81 } }
local made = robot.build(w, model)
local free = w:body { mass = 1, centre = { 0.1, 0.05, -0.3 }, inertia = { 0.01, 0, 0, 0.02, 0, 0.015 }, shapes = {}, position = { 5, 0, 1 } }
w:ball { a = free, at = { 5, 0, 1 } }
w:step(1250)
local x, y, z = made.bodies.b:position()
local X, Y, Z = free:position()
near(x, X - 5, 1e-8) near(y, Y, 1e-8) near(z, Z, 1e-8)
assert(math.abs(x - 0.1) > 0.01, "nothing moved")
for _ = 1, 600 do
  made.bodies.b:apply { torque = { 20, 0, 0 } }
  w:step()
  assert(made.joints.p:position() < 1 + 1e-6, "the limit of p")
end
near(made.joints.p:position(), 1, 0.2)
LUA

# Each attribute without a meaning is listed once.
sed 's/name="p"/name="p" margin="1"/' hinges.xml >margin.xml
"$scree" import margin.xml --table -o margin.lua >out 2>err
[ "$(grep -c 'margin.xml:2: <joint name="p">: attribute margin' err)" = 1 ] || fail "margin: $(cat err)"

# A body with several joints does not touch its parent, if that moves.
cat >inside.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody><body name="a"><freejoint/><geom size="0.5"/>
  <body name="b"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1"/><geom size="0.5" pos="0.2 0 0"/></body>
</body></worldbody></mujoco>
X
import inside.xml
try "a parent that moves" <<'LUA'
local w = scree.world { dt = 1e-3, gravity = { 0, 0, 0 } }
local made = robot.build(w, model)
w:step(10)
assert(#w:contacts() == 0)
LUA

# URDF: a link without a mass between two joints. With a shape it is refused.
cat >between.urdf <<'X'
<robot name="r"><link name="base"/><link name="cross"/>
  <link name="arm"><inertial><origin xyz="0 0 -1"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="cross"/><axis xyz="1 0 0"/></joint>
  <joint name="k" type="continuous"><parent link="cross"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>
X
import between.urdf
try "a link between two joints" <<'LUA'
local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 } }
local made = robot.build(w, model, { joints = { k = 0.5 } })
near(made.bodies.arm:mass(), 2, 1e-12)
-- period of small swings: 2 pi sqrt(I / (m g l)) with I = 1 + 2 * 1; the time of a quarter has 1.7 % more at 0.5 rad
local t = 0
while made.joints.k:position() + 0.5 > 0 do w:step() t = t + 1e-3 end
local quarter = math.pi / 2 * math.sqrt(3 / (2 * 9.81))
near(t, quarter * (1 + 0.5 ^ 2 / 16 + 11 / 3072 * 0.5 ^ 4), 1.5e-3)
LUA
sed 's|<link name="cross"/>|<link name="cross"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>|' between.urdf >shaped.urdf
"$scree" import shaped.urdf --table -o shaped.lua >out 2>&1
[ $? -eq 2 ] || fail "a colliding link without a mass: another exit code"
has out 'shaped.urdf:1: <link name="cross"> moves, but has no mass'
exit $failed
