#!/usr/bin/env bash
# scree import: what used to stop a file from loading. Files of several parts, worlds in which nothing moves, meshes that are mirrored, fitted or
# elsewhere, impossible inertias. Expected values are computed by hand.
. "$(dirname "$0")/../support/import.sh"
tet() { printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n'; }

# include: elements of another file take the place of the element; defaults count, too.
mkdir -p parts
echo '<mujocoinclude><default><geom density="500"/></default></mujocoinclude>' >parts/defaults.xml
printf '\n  <mujocoinclude>\n<body name="leaf" pos="0 0 3"><freejoint/><geom type="box" size="1 1 1"/>\n<camera/><bend/></body></mujocoinclude>' >parts/leaf.xml
cat >whole.xml <<'X'
<mujoco><include file="parts/defaults.xml"/><worldbody><include file="parts/leaf.xml"/></worldbody></mujoco>
X
import whole.xml
has err 'parts/leaf.xml:4: <bend>: MJCF has no such element here'
has err '1 warning'
try "include" <<'LUA'
near(made.bodies.leaf:mass(), 4000)
at("leaf", 0, 0, 3)
LUA
echo '<mujoco><include file="loop.xml"/></mujoco>' >loop.xml
"$scree" import loop.xml -o no.lua >out 2>&1
[ $? -eq 2 ] || fail "a circle of files: $(cat out)"
has out 'circle of files'
sed 's/leaf.xml/none.xml/' whole.xml >none.xml
"$scree" import none.xml -o no.lua >out 2>&1 && fail "a missing include is accepted"
has out 'parts/none.xml: No such file'

# frame: poses add up; a joint and a fromto geom turn with the frame.
cat >frames.xml <<'X'
<mujoco><worldbody>
  <frame pos="1 0 0" euler="0 0 90"><frame pos="1 0 0">
    <body name="a" pos="0 1 0"><freejoint/><geom size="0.1" mass="1"/></body>
  </frame></frame>
  <body name="b" pos="0 0 5"><frame pos="0 0 -1" euler="0 0 90">
    <joint name="j" type="slide" axis="1 0 0"/><geom type="capsule" size="0.1" fromto="0 0 0 2 0 0" mass="1"/></frame></body>
</worldbody></mujoco>
X
import frames.xml
try "frames" <<'LUA'
-- (1,0,0) + Rz(90) ((1,0,0) + (0,1,0)) = (1,0,0) + (-1,1,0)
at("a", 0, 1, 0)
at("b", 0, 1, 4)
made.bodies.b:apply { force = { 0, 1, 0 } }
w:step()
assert(made.joints.j:speed() > 0, "the axis turned with its frame")
LUA

# replicate: MuJoCo 3.3.8 places the copies of this file at these points.
cat >copies.xml <<'X'
<mujoco><worldbody><replicate count="4" offset="1 0 0" euler="0 0 90" sep="-">
  <body name="r"><freejoint name="f"/><geom size="0.1" mass="1"/></body></replicate></worldbody></mujoco>
X
import copies.xml
try "replicate" <<'LUA'
at("r-0", 0, 0, 0) at("r-1", 1, 0, 0) at("r-2", 1, 1, 0) at("r-3", 0, 1, 0)
LUA

sed 's/count="4"/count="1e9"/' copies.xml >many.xml
"$scree" import many.xml -o no.lua >out 2>&1 && fail "a thousand million copies are accepted"
has out 'count must be a whole number from 0 to'

# attach: a body of another model, in radians and with a class of its own, twice.
cat >limb.xml <<'X'
<mujoco model="limb"><compiler angle="radian"/><default><geom density="10"/><default class="thin"><geom size="0.5"/></default></default>
<worldbody><body name="limb"><joint name="hip" axis="0 1 0" range="-1 1"/><geom type="box" size="1 1 1"/>
  <body name="foot" pos="0 0 -2"><joint name="ankle"/><geom class="thin" mass="3"/></body></body></worldbody>
<actuator><motor name="push" joint="hip"/></actuator></mujoco>
X
cat >attach.xml <<'X'
<mujoco><asset><model name="limb" file="limb.xml"/></asset><worldbody>
  <frame pos="0 0 5"><attach model="limb" body="limb" prefix="left_"/></frame>
  <frame pos="9 0 5"><attach model="limb" body="limb" prefix="right_"/></frame></worldbody></mujoco>
X
import attach.xml
[ -s err ] && fail "attach: $(cat err)"
try "attach" <<'LUA'
near(made.bodies.left_limb:mass(), 80)
near(made.bodies.right_foot:mass(), 3)
at("right_foot", 9, 0, 3)
robot.control(made, { left_push = 5 })
w:step()
assert(made.joints.left_hip:speed() > 0 and made.joints.right_hip:speed() == 0)
made.bodies.left_limb:apply { torque = { 0, 4e4, 0 } }
for _ = 1, 3000 do w:step() end
near(made.joints.left_hip:position(), 1, 1e-6)
LUA

echo '<mujoco><asset><model name="m" file="self.xml"/></asset><worldbody><attach model="m" prefix="p"/></worldbody></mujoco>' >self.xml
"$scree" import self.xml -o no.lua >out 2>&1 && fail "a model that attaches itself is accepted"
has out 'too many files, or a circle of files'

# A world in which nothing moves is a scene.
echo '<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><geom type="box" size="1 1 1"/></body></worldbody></mujoco>' >still.xml
"$scree" import still.xml -o still.lua >out 2>err || fail "a world at rest: $(cat err)"
"$scree" check still.lua >out 2>&1 || fail "a world at rest: $(cat out)"

# Blanks before the document; the line of an error counts them.
printf ' \n\n<?xml version="1.0"?>\n<robot name="r"><link name="a"/>\n<transmission name="t"/></robot>' >blank.urdf
import blank.urdf
has err 'blank.urdf:5: <transmission name="t">'

# A box fitted to a mesh has the inertia of the mesh; fitaabb: its extents. The mesh is a box of 2 x 4 x 6 m.
printf 'v -1 -2 -3\nv 1 -2 -3\nv -1 2 -3\nv 1 2 -3\nv -1 -2 3\nv 1 -2 3\nv -1 2 3\nv 1 2 3\nf 1 3 2\nf 2 3 4\nf 5 6 7\nf 6 8 7\nf 1 2 5\nf 2 6 5\nf 3 7 4\nf 4 7 8\nf 1 5 3\nf 3 5 7\nf 2 4 6\nf 4 8 6\n' >brick.obj
for setting in 'angle="radian"' 'fitaabb="true"'; do
  cat >fit.xml <<X
<mujoco><compiler $setting/><asset><mesh name="brick" file="brick.obj"/></asset><worldbody>
  <body name="b"><freejoint/><geom type="box" mesh="brick" pos="0 0 7" density="1"/></body></worldbody></mujoco>
X
  import fit.xml
  try "a box fitted to a mesh, $setting" <<'LUA'
near(made.bodies.b:mass(), 48)
at("b", 0, 0, 7)
-- 48 (4^2 + 6^2) / 12 and so on
local I = { made.bodies.b:inertia() }
near(I[1], 208) near(I[4], 160) near(I[6], 80)
LUA
done

# Mirrored and stretched meshes: a tetrahedron has its centre at a quarter of its edges.
tet >tet.obj
cat >mirror.xml <<'X'
<mujoco><asset><mesh name="m" file="tet.obj" scale="1 -2 3"/><mesh name="v" vertex="0 0 0 1 0 0 0 1 0 0 0 1" refpos="1 0 0"/></asset><worldbody>
  <body name="a"><freejoint/><geom type="mesh" mesh="m" density="1"/></body>
  <body name="b"><freejoint/><geom type="mesh" mesh="v" density="6"/></body></worldbody></mujoco>
X
import mirror.xml
[ -s err ] && fail "mirrored meshes: $(cat err)"
try "a mirrored mesh" <<'LUA'
near(made.bodies.a:mass(), 1)
at("a", 0.25, -0.5, 0.75)
near(made.bodies.b:mass(), 1)
at("b", -0.75, 0.25, 0.25)
LUA

# package:// is found in folders above the file and by --package. Meshes outside the folder of the scene are copied.
mkdir -p ws/arm_description/urdf ws/arm_description/meshes ws/extra/meshes elsewhere
tet >ws/arm_description/meshes/t.obj
tet | sed 's/1/2/' >ws/extra/meshes/t.obj
cat >ws/arm_description/urdf/arm.urdf <<'X'
<robot name="arm"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>
  <collision><geometry><mesh filename="package://arm_description/meshes/t.obj" scale="-1 1 1"/></geometry></collision></link></robot>
X
"$scree" import ws/arm_description/urdf/arm.urdf -o elsewhere/arm.lua >out 2>err || fail "a package above the file: $(cat err)"
has out '1 meshes copied'
[ -e elsewhere/arm_meshes/1_t.obj ] || fail "the mesh is not beside the scene: $(ls -R elsewhere)"
"$scree" check elsewhere/arm.lua >out 2>&1 || fail "the scene does not find its mesh: $(cat out)"
sed 's/arm_description/other/' ws/arm_description/urdf/arm.urdf >ws/other.urdf
"$scree" import ws/other.urdf -o elsewhere/other.lua >out 2>&1 && fail "an unknown package is accepted"
has out 'other.urdf:2: <mesh>: package://other/meshes/t.obj'
has out '--package other=DIR'
"$scree" import ws/other.urdf --package other=ws/extra -o elsewhere/other.lua >out 2>&1 || fail "--package: $(cat out)"
cmp -s elsewhere/other_meshes/1_t.obj ws/extra/meshes/t.obj || fail "--package: another mesh"
"$scree" import ws/other.urdf --package other -o elsewhere/no.lua >out 2>&1 && fail "--package without a folder is accepted"
has out 'NAME=DIR is needed'
cp ws/arm_description/urdf/arm.urdf ws/arm.urdf
"$scree" import ws/arm.urdf -o ws/arm.lua >out 2>err || fail "a package below the file: $(cat err)"
[ -e ws/arm_meshes ] && fail "a mesh below the scene was copied"
"$scree" check ws/arm.lua >out 2>&1 || fail "a mesh below the scene: $(cat out)"

# Inertias. The moments of "hand" are impossible, but its sum with the arm is not. balanceinertia gives the mean.
cat >hand.urdf <<'X'
<robot name="r"><link name="base"/>
  <link name="arm"><inertial><mass value="9"/><inertia ixx="9" iyy="9" izz="9"/></inertial></link>
  <link name="hand"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="2.5"/></inertial></link>
  <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint>
  <joint name="k" type="fixed"><parent link="arm"/><child link="hand"/></joint></robot>
X
import hand.urdf
has err 'hand.urdf:3: <inertia>: link "hand": no body has such moments'
try "a sum of moments" <<'LUA'
local I = { made.bodies.arm:inertia() }
near(I[1], 10) near(I[6], 11.5)
LUA
sed 's/type="fixed"/type="continuous"/' hand.urdf >bad.urdf
"$scree" import bad.urdf -o no.lua >out 2>&1 && fail "an impossible hand is accepted"
has out 'bad.urdf:3: <inertia> link "hand": no body has such moments'
sed 's/<link name="base"/<mujoco><compiler balanceinertia="true"\/><\/mujoco>&/' bad.urdf >mean.urdf
import mean.urdf
try "balanceinertia" <<'LUA'
local I = { made.bodies.hand:inertia() }
near(I[1], 1.5) near(I[4], 1.5) near(I[6], 1.5)
LUA

# lower above upper: no limits, and a warning.
sed 's/type="continuous"/type="revolute"/; s|<child link="arm"/>|&<limit lower="1" upper="-1"/>|' hand.urdf >limit.urdf
import limit.urdf
has err 'limit.urdf:4: <limit>: joint j: lower is above upper, so there are no limits'
try "no limits" <<'LUA'
assert(not model.joints[1].limits)
LUA

# --strict: a warning is an error, and nothing is written.
"$scree" import limit.urdf --strict -o strict.lua >out 2>&1
[ $? -eq 2 ] || fail "--strict accepts warnings"
has out '2 warnings, and --strict: nothing was written'
[ -e strict.lua ] && fail "--strict wrote a file"
"$scree" import attach.xml --strict -o strict.lua >out 2>&1 || fail "--strict without warnings: $(cat out)"
# A URDF robot is a tree with one root and different names.
refuse_tree() {
  cat >tree.urdf
  "$scree" import tree.urdf -o tree.lua >out 2>&1
  [ $? -eq 2 ] || fail "$1: exit code of: $(cat out)"
  has out "$1"
}
link='<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
joint() { echo "<joint name='$1' type='fixed'><parent link='$2'/><child link='$3'/></joint>"; }
links="<robot name='r'><link name='a'>$link<link name='b'>$link"
echo "$links$(joint j a a)</robot>" | refuse_tree 'link "a" carries itself'
echo "$links$(joint j a b)$(joint k b a)</robot>" | refuse_tree 'carries itself'
echo "$links</robot>" | refuse_tree 'link "b" hangs on no joint'
echo "$links<link name='b'>$link$(joint j a b)</robot>" | refuse_tree 'link "b" exists already'
echo "$links<link name='c'>$link$(joint j a b)$(joint j a c)</robot>" | refuse_tree 'joint "j" exists already'

# No file is replaced by what is made from it.
cp limit.urdf own.urdf
"$scree" import own.urdf -o own.urdf >out 2>&1
[ $? -eq 2 ] && cmp -s limit.urdf own.urdf || fail "import replaced its own file: $(cat out)"
exit $failed
