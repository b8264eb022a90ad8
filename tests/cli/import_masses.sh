#!/usr/bin/env bash
# scree import: masses of links follow the rules of MJCF and URDF. Expected values are computed by hand.
. "$(dirname "$0")/../support/import.sh"

# Two boxes of 2 x 2 x 2 m overlap by half: MJCF sums 8 kg and 8 kg. The union would have 12 kg.
cat >sum.xml <<'X'
<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="b" pos="0 0 5"><freejoint/>
      <geom type="box" size="1 1 1" density="1"/>
      <geom type="box" size="1 1 1" pos="1 0 0" mass="8"/>
      <geom type="sphere" size="3" mass="0"/>
      <geom type="sphere" size="3" density="0"/>
    </body>
    <body name="given" pos="9 0 5"><freejoint/>
      <inertial pos="0 0 1" mass="3" diaginertia="1 2 2.5"/>
      <geom size="0.5" mass="0"/><geom size="0.5" mass="7"/>
    </body>
  </worldbody>
</mujoco>
X
import sum.xml
try "overlapping geoms" <<'LUA'
near(made.bodies.b:mass(), 16)
local x, y, z = made.bodies.b:position()
near(x, 0.5) near(y, 0) near(z, 5)
-- a cube of side 2 and mass 8 has 8 (2^2 + 2^2) / 12 about each axis; each centre lies 0.5 from the common one
local I = { made.bodies.b:inertia() }
near(I[1], 2 * 16 / 3) near(I[4], 2 * (16 / 3 + 8 * 0.25)) near(I[6], 2 * (16 / 3 + 8 * 0.25))
near(I[2], 0) near(I[3], 0) near(I[5], 0)
near(made.bodies.given:mass(), 3)
LUA

# A mesh has the mass of its geom. The tetrahedron has the volume 1/6 and the centre (1/4, 1/4, 1/4).
cat >tet.obj <<'X'
v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
X
cat >mesh.xml <<'X'
<mujoco><asset><mesh name="tet" file="tet.obj"/></asset><worldbody>
  <body name="b"><freejoint/><geom type="mesh" mesh="tet" mass="3"/><geom size="0.1" mass="1"/></body>
  <body name="c" pos="5 0 0"><freejoint/><geom type="mesh" mesh="tet" density="12"/></body>
</worldbody></mujoco>
X
import mesh.xml
try "mass of a mesh" <<'LUA'
near(made.bodies.b:mass(), 4)
near((made.bodies.b:position()), 3 / 4 * 1 / 4)
near(made.bodies.c:mass(), 2)
LUA

# inertiafromgeom="true" replaces <inertial>; boundmass and boundinertia are least values; settotalmass scales all.
cat >rules.xml <<'X'
<mujoco><compiler inertiafromgeom="true" boundmass="2" boundinertia="0.5" settotalmass="30"/><worldbody>
  <body name="a"><freejoint/><inertial pos="0 0 1" mass="3" diaginertia="1 1 1"/><geom type="box" size="1 1 1" mass="8"/></body>
  <body name="b" pos="5 0 0"><freejoint/><geom type="box" size="0.5 0.5 1" euler="0 0 45" mass="1"/></body>
</worldbody></mujoco>
X
import rules.xml
try "rules of masses" <<'LUA'
near(made.bodies.a:mass(), 8 * 3) near(made.bodies.b:mass(), 2 * 3)
local x, y, z = made.bodies.a:position()
near(z, 0)
local I = { made.bodies.a:inertia() }
near(I[1], 16 / 3 * 3)
-- b: 1 (1 + 4) / 12 is below 0.5, (1 + 1) / 12, too
I = { made.bodies.b:inertia() }
near(I[1], 0.5 * 3) near(I[4], 0.5 * 3) near(I[6], 0.5 * 3)
LUA

# A hand-made model: links without masses keep the union of their shapes, also beside a welded link with a mass.
cat >model.lua <<'LUA'
local box = { type = "box", size = { 1, 1, 1 }, density = 6 }
local moved = { type = "box", size = { 1, 1, 1 }, density = 6, position = { 0.5, 0, 0 } }
return { base = "free", links = {
  { name = "alone", shapes = { box, moved } },
  { name = "heavy", mass = 2, inertia = { 1, 0, 0, 1, 0, 1 } }, { name = "plain", shapes = { box, moved } },
  { name = "light", mass = 0, shapes = { box } },
}, joints = {
  { name = "j", type = "free", parent = "alone", child = "heavy", position = { 4, 0, 0 } },
  { name = "k", type = "fixed", parent = "heavy", child = "plain" },
  { name = "l", type = "fixed", parent = "heavy", child = "light" },
} }
LUA
try "links of a model" <<'LUA'
near(made.bodies.alone:mass(), 9)
near(made.bodies.heavy:mass(), 11)
LUA

# URDF: a link without <inertial> has no mass of its own, whatever collides. A first link of mass 0 is fixed.
cat >slide.urdf <<'X'
<robot name="r">
  <link name="base"><inertial><mass value="0.0"/><inertia ixx="0" ixy="0" ixz="0" iyy="0" iyz="0" izz="0"/></inertial>
    <collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="cart"><inertial><mass value="10"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="pad"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
  <link name="bob"><inertial><origin xyz="0 0 -1"/><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <joint name="rail" type="prismatic"><parent link="base"/><child link="cart"/><axis xyz="1 0 0"/><limit lower="-1" upper="1"/></joint>
  <joint name="glue" type="fixed"><parent link="cart"/><child link="pad"/><origin xyz="0 0 1"/></joint>
  <joint name="neck" type="spherical"><parent link="cart"/><child link="bob"/><origin xyz="0 0 -0.5"/></joint>
</robot>
X
import slide.urdf
grep -q spherical err && fail "a ball joint is listed: $(cat err)"
try "a URDF slider" <<'LUA'
near(made.bodies.cart:mass(), 10)
near(made.bodies.bob:mass(), 2)
local x, y, z = made.bodies.cart:position()
near(z, 0)
assert(made.joints.rail:type() == "slider" and made.joints.neck:type() == "ball")
local free = robot.build(w, model, { base = "free", position = { 9, 0, 0 } })
assert(free.bodies.base:mass() == math.huge, "a base of mass 0 is fixed")
LUA
cat >plane.urdf <<'X'
<robot name="plane"><link name="p"><inertial><mass value=".0"/><inertia ixx="0" iyy="0" izz="0"/></inertial>
  <collision><origin xyz="0 0 -5"/><geometry><box size="30 30 10"/></geometry></collision></link></robot>
X
import plane.urdf
try "a URDF plane" <<'LUA'
assert(robot.build(w, model, { base = "free" }).bodies.p:mass() == math.huge)
LUA
cat >light.urdf <<'X'
<robot name="r"><link name="base"/>
  <link name="wheel"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <joint name="axle" type="continuous"><parent link="base"/><child link="wheel"/></joint></robot>
X
"$scree" import light.urdf --table -o light.lua >out 2>&1
[ $? -eq 2 ] || fail "a wheel without a mass: another exit code"
has out 'light.urdf:2: <link name="wheel"> moves, but has no mass'

# A moment of inertia of 0 becomes 1e-8 of what hangs on the link; without such links it is refused. The second arm is a point mass on a rod.
cat >points.urdf <<'X'
<robot name="r"><link name="base"/>
  <link name="hip"><inertial><mass value="2"/><inertia ixx="0" iyy="0" izz="0"/></inertial></link>
  <link name="leg"><inertial><origin xyz="0 0 -1"/><mass value="3"/><inertia ixx="0.25" iyy="0.25" izz="0.25"/></inertial></link>
  <link name="bob"><inertial><origin xyz="0 0 -2"/><mass value="3"/><inertia ixx="0" iyy="0" izz="0"/></inertial></link>
  <joint name="a" type="continuous"><parent link="base"/><child link="hip"/><axis xyz="1 0 0"/></joint>
  <joint name="b" type="continuous"><parent link="hip"/><child link="leg"/><axis xyz="0 1 0"/></joint>
  <joint name="c" type="continuous"><parent link="base"/><child link="bob"/><axis xyz="0 1 0"/></joint></robot>
X
import points.urdf
has err 'points.urdf:2: <inertia>: link "hip" moves, but a moment of inertia is 0'
has err '2 warnings'
try "moments of 0" 'joints = { b = 1, c = 1 }' <<'LUA'
near(made.bodies.hip:inertia(), 1e-8 * 3.25, 1e-6)
local w = scree.world { dt = 1e-4, gravity = { 0, 0, -10 } }
local made = robot.build(w, model, { joints = { b = 1, c = 1 } })
w:step()
near(made.joints.b:speed(), -1e-4 * 3 * 10 * math.sin(1) / 3.25, 1e-4)
near(made.joints.c:speed(), -1e-4 * 10 / 2 * math.sin(1), 1e-4)
LUA
sed '/name="b"/d; /"leg"/d' points.urdf >point.urdf
"$scree" import point.urdf --table -o point.lua >out 2>&1
[ $? -eq 2 ] || fail "a point mass on its axis: another exit code"
has out 'point.urdf:2: <inertia> link "hip" moves, but a moment of inertia is 0'

# --balance-inertia: impossible moments become their mean.
cat >odd.urdf <<'X'
<robot name="r"><link name="base"/>
  <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="2" izz="6"/></inertial></link>
  <joint name="a" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>
X
"$scree" import odd.urdf --table -o model.lua >out 2>&1 && fail "impossible moments are taken"
has out 'odd.urdf:2: <inertia> link "arm": no body has such moments'
import_scene odd.urdf --table --balance-inertia
try "balanced moments" <<'LUA'
local xx, xy, xz, yy, yz, zz = made.bodies.arm:inertia()
near(xx, 3) near(yy, 3) near(zz, 3) near(xy, 0)
LUA
exit $failed
