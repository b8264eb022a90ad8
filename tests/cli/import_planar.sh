#!/usr/bin/env bash
# scree import: joints of the types planar and floating of URDF. Expected values are closed forms.
. "$(dirname "$0")/../support/import.sh"
gravity='{ 0, 0, -10 }'

box='<inertial><mass value="2"/><inertia ixx="0.4" iyy="0.4" izz="0.4"/></inertial>'
cat >planar.urdf <<X
<robot name="r"><link name="base"/><link name="flat">$box</link><link name="steep">$box</link><link name="free">$box</link><link name="hand">$box</link>
<joint name="flat" type="planar"><parent link="base"/><child link="flat"/><origin xyz="1 2 3"/><axis xyz="0 0 2"/></joint>
<joint name="steep" type="planar"><parent link="base"/><child link="steep"/><origin xyz="0 0 5" rpy="0 0 1.5707963267948966"/><axis xyz="0 1 0"/></joint>
<joint name="free" type="floating"><parent link="flat"/><child link="free"/><origin xyz="0 0 4"/></joint>
<joint name="wrist" type="revolute"><parent link="flat"/><child link="hand"/><origin xyz="1 0 0"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="5" velocity="1"/></joint>
</robot>
X
import planar.urdf
grep -q warning err && fail "warnings: $(cat err)"
try "planar and floating joints" <<'LUA'
at("flat", 1, 2, 3) at("steep", 0, 0, 5) at("free", 1, 2, 7)
local flat, steep, free = made.bodies.flat, made.bodies.steep, made.bodies.free
steep:set_velocity(0, 3, 0) steep:set_spin(4, 0, 0) -- the axis is -x of the world
w:step(100)
at("flat", 1, 2, 3)
near(select(3, free:velocity()), -1) -- falls
near(select(3, free:position()), 7 - 0.05, 1e-3)
near(select(2, steep:position()), 0.3, 1e-6) near(select(3, steep:velocity()), -1, 1e-6) near(select(1, steep:spin()), 4)
near(select(1, steep:position()), 0)
flat:apply { force = { 0, 6, 7 }, torque = { 1, 1, 0 } } -- of both links, 4 kg
w:step()
near(select(3, flat:velocity()), 0) near(select(1, flat:spin()), 0) near(select(2, flat:spin()), 0)
assert(select(2, flat:velocity()) > 1e-4)
local q = robot.positions(made)
near(q["steep/x"] ^ 2 + q["steep/y"] ^ 2, 0.3 ^ 2 + (5 - select(3, steep:position())) ^ 2, 1e-2)
near(math.abs(q["steep/turn"]), 0.4, 1e-2)
LUA

# What these joints do not have is a warning; a link without a mass an error.
cat >left.urdf <<X
<robot name="r"><link name="base"/><link name="a">$box</link><link name="b">$box</link><link name="c">$box</link>
<joint name="p" type="planar"><parent link="base"/><child link="a"/>
<limit lower="-1" upper="1" effort="3" velocity="2"/>
<dynamics damping="1" friction="2"/></joint>
<joint name="f" type="floating"><parent link="base"/><child link="b"/>
<limit effort="0" velocity="0"/><dynamics damping="1"/></joint>
<joint name="s" type="spherical"><parent link="base"/><child link="c"/><limit lower="-1" upper="1" effort="0" velocity="0"/></joint></robot>
X
import left.urdf
has err 'left.urdf:3: <limit>: joint p: limits of a planar joint'
has err 'left.urdf:3: <limit>: joint p: effort of a planar joint'
has err 'left.urdf:4: <dynamics>: joint p: damping of a planar joint'
has err 'left.urdf:4: <dynamics>: joint p: friction of a planar joint'
has err 'left.urdf:6: <dynamics>: joint f: damping of a floating joint'
has err 'left.urdf:7: <limit>: joint s: limits of a spherical joint'
has err '6 warnings'
for type in planar floating; do
  echo "<robot name='r'><link name='base'/>
<link name='a'/><joint name='j' type='$type'><parent link='base'/><child link='a'/></joint></robot>" >bad.urdf
  "$scree" import bad.urdf --table >out 2>err && fail "$type: a link without a mass moves"
  has err 'bad.urdf:2: <link name="a"> moves, but has no mass'
done
echo "<robot name='r'><link name='base'/><link name='a'>$box</link>
<joint name='j' type='plnar'><parent link='base'/><child link='a'/></joint></robot>" >bad.urdf
"$scree" import bad.urdf --table >out 2>err && fail "an unknown type of joint"
has err 'bad.urdf:2: <joint> "j": there is no type "plnar"; did you mean "planar"?'

# Names of the parts of a planar joint must not be those of other joints or links, whichever comes first.
planar='<joint name="j" type="planar"><parent link="base"/><child link="a"/></joint>'
other='<joint name="j/x" type="continuous"><parent link="a"/><child link="b"/></joint>'
printf '<robot name="r"><link name="base"/><link name="a">%s</link><link name="b">%s</link>\n%s\n%s</robot>' "$box" "$box" "$planar" "$other" >bad.urdf
"$scree" import bad.urdf --table >out 2>err && fail "a joint has the name of a part of a planar joint"
has err 'bad.urdf:3: <joint>: joint "j/x" exists already, as a part of "j", in line 2'
printf '<robot name="r"><link name="base"/><link name="a">%s</link><link name="b">%s</link>\n%s\n%s</robot>' "$box" "$box" "$other" "$planar" >bad.urdf
"$scree" import bad.urdf --table >out 2>err && fail "a part of a planar joint has the name of a joint"
has err 'bad.urdf:3: <joint>: joint "j/x", a part of "j", exists already, in line 2'
printf '<robot name="r"><link name="base"/><link name="a">%s</link>\n<link name="a/j/y">%s</link>\n%s</robot>' "$box" "$box" "$planar" >bad.urdf
"$scree" import bad.urdf --table >out 2>err && fail "a part of a planar joint has the name of a link"
has err 'bad.urdf:3: <joint>: link "a/j/y", a part of "j", exists already, in line 2'
exit $failed
