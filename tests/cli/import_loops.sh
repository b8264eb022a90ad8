#!/usr/bin/env bash
# scree import: equalities of MJCF that close loops: connect and weld between bodies and between sites. Expected values are closed forms.
. "$(dirname "$0")/../support/import.sh"
gravity=model.gravity

# Sites: a free body on a point of the world swings as a pendulum; a weld of sites places the body's site onto the other site, in its orientation.
cat >sites.xml <<'X'
<mujoco><option gravity="0 0 -10"/><worldbody>
<site name="peg" pos="0 0 1"/><site name="post" pos="3 0 1" euler="0 0 90"/><site name="pin" pos="6 0 1"/>
<body name="swing" pos="0 0 1"><freejoint/><inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/><site name="eye"/></body>
<body name="held" pos="3 0 1" euler="0 0 90"><freejoint/><inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/><site name="grip"/></body>
<body name="loose" pos="6 0 1"><freejoint/><inertial pos="0.5 0 0" mass="2" diaginertia="0.1 0.1 0.1"/><site name="ring"/></body>
</worldbody><equality><connect name="swing" site1="eye" site2="peg"/><weld name="held" site1="post" site2="grip"/>
<weld name="point" site1="ring" site2="pin" torquescale="0"/></equality>
<keyframe><key name="apart" qpos="0.2 0 1 1 0 0 0  3 0.1 1 1 0 0 0  6 0 1 1 0 0 0"/></keyframe></mujoco>
X
import sites.xml
[ "$(cat err)" ] && grep -q warning err && fail "warnings: $(cat err)"
try "equalities of sites" <<'LUA'
w:step(10)
for _, name in ipairs { "swing", "loose" } do -- q'' = m g l / (I + m l^2)
  local _, rate = made.bodies[name]:spin()
  near(rate, 0.01 * 2 * 10 * 0.5 / (0.1 + 2 * 0.25), 1e-4)
end
near(select(2, made.loops.held:torque()), 0, 1e-6)
near(math.abs(select(1, made.loops.held:torque())), 2 * 10 * 0.5, 1e-6) -- the weld carries the moment of the weight
near(select(3, made.loops.held:force()) ^ 2, 20 ^ 2, 1e-6)
at("held", 3, 0.5, 1)
LUA
try "equalities of sites that are apart at the start" 'pose = "apart"' <<'LUA'
w:step(2)
local function origin(name) -- of the body's frame
  local b = made.bodies[name]
  local q, p = { b:orientation() }, { b:position() }
  local d = require("scree.math.quaternion").turn(q, { 0.5, 0, 0 })
  return p[1] - d[1], p[2] - d[2], p[3] - d[3]
end
local x, y, z = origin "swing"
near(x, 0, 1e-6) near(y, 0, 1e-6) near(z, 1, 1e-6)
x, y, z = origin "held"
near(x, 3, 1e-6) near(y, 0, 1e-6) near(z, 1, 1e-6)
at("held", 3, 0.5, 1) -- in the orientation of the post
for _, b in pairs(made.bodies) do assert(b:velocity() == b:velocity() and math.abs(b:velocity()) < 1) end
LUA

# Bodies: anchors count at qpos0, whatever the pose; relpose replaces the pose at qpos0. The bodies still collide.
cat >bodies.xml <<'X'
<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>
<body name="a"><joint name="a" axis="0 1 0"/><geom size="0.1" pos="1 0 0" mass="1"/></body>
<body name="b" pos="1 0 1"><freejoint/><geom size="0.1" mass="1"/></body>
<body name="c" pos="0 5 0"><freejoint/><geom size="0.1" mass="1"/></body>
<body name="d" pos="0 6 0"><freejoint/><geom size="0.1" mass="1"/></body>
<body name="e" pos="0 9 0"><freejoint/><geom size="0.1" mass="1"/></body>
<body name="f" pos="0.3 9 0"><freejoint/><geom size="0.1" mass="1"/></body>
</worldbody><equality><weld name="a" body1="a" body2="b"/><weld name="rel" body1="c" body2="d" anchor="0 0 0.5" relpose="0 2 0 0.7071067811865476 0 0 0.7071067811865476"/>
<connect name="far" body1="e" body2="f" anchor="0.15 0 0"/></equality>
<keyframe><key name="k" qpos="0.5 1 0 1 1 0 0 0  0 5 0 1 0 0 0  0 6 0 1 0 0 0  0 9 0 1 0 0 0  0.3 9 0 1 0 0 0"/></keyframe></mujoco>
X
import bodies.xml
try "welds" 'pose = "k"' <<'LUA'
local quaternion = require "scree.math.quaternion"
assert(made.joints.a:position() and made.loops.a:force()) -- the hinge keeps its name
w:step(3)
local q = robot.positions(made).a
-- b is 1 m right and above the hinge at 0; at q it has turned with a
at("b", math.cos(q) + math.sin(q), 0, math.cos(q) - math.sin(q))
local c, d = made.bodies.c, made.bodies.d
local qc, qd = { c:orientation() }, { d:orientation() }
local turned = quaternion.multiply(quaternion.inverse(qc), qd)
near(math.abs(turned[4]), math.sqrt(0.5), 1e-6) near(math.abs(turned[1]), math.sqrt(0.5), 1e-6)
local function point(body, p)
  local x, r = { body:position() }, quaternion.turn({ body:orientation() }, p)
  return { x[1] + r[1], x[2] + r[2], x[3] + r[3] }
end
local one, two = point(c, { 0, 2, 0 }), point(d, { 0, 0, 0.5 })
for i = 1, 3 do near(one[i], two[i], 1e-6) end
-- e and f are joined at a point between them, and collide when they fold
for _ = 1, 2000 do
  made.bodies.e:apply { torque = { 0, 0, 0.1 } }
  made.bodies.f:apply { torque = { 0, 0, -0.1 } }
  w:step()
end
local x, y, z = made.bodies.e:position()
local X, Y, Z = made.bodies.f:position()
local far = math.sqrt((x - X) ^ 2 + (y - Y) ^ 2 + (z - Z) ^ 2)
assert(far > 0.2 - 1e-4 and far < 0.2 + 1e-3, far)
LUA

for bad in '<connect site1="s"/>:site1 and site2 are needed' \
  '<weld site1="s" site2="t" body1="b"/>:sites exclude body1' '<weld site1="s" site2="t" torquescale="-1"/>:torquescale must not be negative'; do
  echo "<mujoco><worldbody><site name='t'/><body name='b'><freejoint/><geom size='0.1'/><site name='s'/></body></worldbody>
<equality>${bad%%:*}</equality></mujoco>" >bad.xml
  "$scree" import bad.xml --table >out 2>err && fail "$bad: no error"
  has err 'bad.xml:2: '
  has err "${bad#*:}"
done
echo "<mujoco><worldbody><body name='b'><freejoint/><geom size='0.1'/><site name='s'/></body></worldbody>
<equality><weld site1='s' site2='nowhere'/></equality></mujoco>" >names.xml
import names.xml
has err 'names.xml:2: <weld>: there is no site "nowhere"'
has err '1 warning'
exit $failed
