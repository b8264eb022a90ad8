#!/usr/bin/env bash
# scree import: actuators, friction, excluded and explicit pairs, equalities, mimic joints, keyframes, sites and sensors. Expected values are computed by
# hand, by the rules of MuJoCo.
. "$(dirname "$0")/../support/import.sh"
gravity=model.gravity

# Actuators. Each slider moves 2 kg without gravity, so its acceleration is the force over 2 kg.
slider() { echo "<body name='$1' pos='0 $2 0'><joint name='$1' type='slide' axis='1 0 0'/><geom size='0.1' mass='2'/></body>"; }
{
  echo '<mujoco><option gravity="0 0 0"/><default><motor gear="3"/></default><worldbody>'
  n=0
  for name in motor bounded position velocity general double left right; do
    slider $name $n
    n=$((n + 1))
  done
  cat <<'X'
</worldbody><tendon><fixed name="both"><joint joint="left" coef="1"/><joint joint="right" coef="-2"/></fixed></tendon>
<actuator>
  <motor name="motor" joint="motor"/>
  <motor name="bounded" joint="bounded" gear="1" ctrlrange="-1 1" forcerange="-4 0.5"/>
  <position name="position" joint="position" gear="1" kp="200" kv="40" forcerange="-50 50"/>
  <velocity name="velocity" joint="velocity" gear="1" kv="100"/>
  <general name="general" joint="general" gear="2" gainprm="7" biastype="affine" biasprm="1 -50 -20"/>
  <motor name="one" joint="double" gear="1"/><motor name="two" joint="double" gear="1"/>
  <motor name="cord" tendon="both" gear="1"/>
  <muscle name="muscle" joint="motor"/>
  <general name="lazy" joint="motor" dyntype="integrator"/>
</actuator></mujoco>
X
} >act.xml
import act.xml
has err '<muscle name="muscle">: scree has no such actuator'
has err '<general name="lazy">: dyntype integrator'
has err '2 warnings'
try "actuators" <<'LUA'
local inputs = { motor = 0.5, bounded = 9, position = 0.1, velocity = 0.3, general = 1, one = 1, two = 2, cord = 4 }
robot.control(made, inputs)
w:step()
near(made.joints.motor:effort(), 1.5)
near(made.joints.bounded:effort(), 0.5) -- input 1, force 0.5
near(made.joints.double:effort(), 3)
near(made.joints.left:effort(), 4) near(made.joints.right:effort(), -8)
near(made.joints.motor:speed(), 1.5 / 2 * 1e-3)
robot.control(made, { bounded = -9 })
w:step()
near(made.joints.bounded:effort(), -1)
near(made.joints.motor:speed(), 1.5 / 2 * 2e-3) -- other inputs stay
-- the largest force of the position servo is 50 N: 200 * 0.1 is below
w:step(4000)
local q = robot.positions(made)
near(q.position, 0.1, 1e-6)
near(made.joints.velocity:speed(), 0.3, 1e-6)
near(q.general, (7 + 1) / 50 / 2, 1e-4) -- 7 + 1 - 50 * 2 q = 0
robot.control(made, { position = 9 })
w:step()
near(made.joints.position:effort(), 50, 1e-6)
local fine, why = pcall(robot.control, made, { motr = 1 })
assert(not fine and why:find 'there is no actuator "motr"; did you mean "motor"?', why)
fine, why = pcall(robot.control, made, { motor = 0 / 0 })
assert(not fine and why:find "motor must be a finite number", why)
LUA

# Armature: a slider of 2 kg with a rotor of 3 kg falls with 2 g / 5; two crossed hinges have one armature each. With dampratio the servo counts the rotor.
cat >rotor.xml <<'X'
<mujoco><compiler angle="radian"/><option gravity="0 0 -10"/><default><joint armature="3"/></default><worldbody>
  <body name="s"><joint name="s" type="slide"/><geom size="0.1" mass="2"/></body>
  <body name="u" pos="5 0 0"><joint name="u1" axis="0 0 1"/><joint name="u2" axis="0 1 0" armature="7"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
  <body name="d" pos="9 0 0"><joint name="d" axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
  <body name="b" pos="7 0 0"><joint name="b" type="ball"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
  <body name="f" pos="8 0 0"><joint type="free"/><geom size="0.1"/></body>
</worldbody><actuator><motor name="m1" joint="u1"/><motor name="m2" joint="u2"/><position name="p" joint="d" kp="100" dampratio="1"/></actuator></mujoco>
X
import rotor.xml
has err '<joint>: attribute armature of a free joint'
has err '1 warning'
try "armature" <<'LUA'
robot.control(made, { m1 = 8, m2 = 8 })
w:step()
near(made.joints.s:speed(), -1e-3 * 2 * 10 / 5)
local second, first = made.joints.u1:speed()
near(first, 1e-3 * 8 / 4, 1e-6) near(second, 1e-3 * 8 / 8, 1e-6)
-- k = 100, J = 4: q = 1 - (1 + 5 t) exp(-5 t)
robot.control(made, { p = 1 })
w:step(400)
near(robot.positions(made).d, 1 - 3 * math.exp(-2), 2e-3)
LUA

# A position and a velocity servo of one joint are one servo: their bounds cannot be kept apart.
cat >bounds.xml <<'X'
<mujoco><worldbody><body><joint name="j"/><geom size="0.1"/></body></worldbody><actuator>
<position name="p" joint="j" kp="5" forcerange="-1 1"/><velocity name="v" joint="j"/></actuator></mujoco>
X
import bounds.xml
has err 'bounds.xml:2: <position name="p">: forcerange: all actuators of a joint share one bound'
has err '1 warning'

# springdamper makes a spring with this time constant.
cat >spring.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="b"><joint name="j" axis="0 1 0" springdamper="0.2 1" ref="30" springref="30"/><inertial pos="0 0 2" mass="3" diaginertia="1 1 1"/></body>
</worldbody></mujoco>
X
import spring.xml
try "springdamper" 'joints = { j = 0.1 }' <<'LUA'
-- inertia about the axis: 1 + 3 * 4 = 13; k = 13 / 0.2^2; critical damping: q = 0.1 (1 + 5 t) exp(-5 t)
near(made.joints.j:energy(), 0.5 * 13 / 0.04 * 0.01)
w:step(200)
near(robot.positions(made).j, 0.1 * 2 * math.exp(-1), 5e-3)
LUA

cat >ratio.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="b"><joint name="j" axis="0 1 0"/><inertial pos="0 0 2" mass="3" diaginertia="1 1 1"/></body>
  <body name="u" pos="5 0 0"><joint name="u1" axis="0 0 1"/><joint name="u2" axis="0 1 0"/><inertial pos="0 0 2" mass="3" diaginertia="1 1 1"/></body>
</worldbody><actuator><position name="a" joint="j" kp="52" gear="2" dampratio="1"/><position name="b" joint="u1" kp="25" dampratio="1"/></actuator></mujoco>
X
import ratio.xml
[ -s err ] && fail "dampratio: $(cat err)"
try "dampratio" 'joints = { j = 0.1, u1 = 0.1 }' <<'LUA'
-- stiffness 4 * 52 = 208 with the inertia 13: the rate is 4/s. The second hinge moves 1 kg m2 with 25 N m/rad: 5/s.
w:step(250)
local q = robot.positions(made)
near(q.j, 0.1 * 2 * math.exp(-1), 5e-3)
near(q.u1, 0.1 * (1 + 1.25) * math.exp(-1.25), 5e-3)
LUA

# Friction per geom: the larger value counts, or that of the higher priority. A box on a slope of 30 degrees slides below tan 30 = 0.577.
{
  echo '<mujoco><option gravity="4.905 0 -8.4957"/><worldbody><geom name="floor" type="plane" size="1 1 1" friction="0.4"/>'
  n=0
  for f in 'friction="0.5"' 'friction="0.7"' 'friction="0.1" priority="1"' 'friction="0.1"' 'condim="1"'; do
    echo "<body name='b$n' pos='0 $n 0.1'><freejoint/><geom type='box' size='0.1 0.1 0.1' $f/></body>"
    n=$((n + 1))
  done
  echo '</worldbody></mujoco>'
} >friction.xml
import friction.xml
[ -s err ] && fail "friction: $(cat err)"
try "friction" <<'LUA'
w:step(200)
local function speed(mu) return mu > 0.577 and 0 or 0.2 * (4.905 - mu * 8.4957) end
-- condim="1" has the larger condim of the plane, 3, and the default friction 1
for i, mu in ipairs { 0.5, 0.7, 0.1, 0.4, 1 } do
  near((made.bodies["b" .. i - 1]:velocity()), speed(mu), 1e-6)
end
LUA

# exclude, and an explicit pair of geoms whose masks do not touch, with a friction of its own.
cat >pairs.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="a"><freejoint/><geom name="ga" size="0.5"/></body><body name="b" pos="0.8 0 0"><freejoint/><geom name="gb" size="0.5"/></body>
  <body name="c" pos="0 9 0"><freejoint/><geom name="gc" size="0.5" contype="0" conaffinity="0"/></body>
  <body name="d" pos="0.8 9 0"><freejoint/><geom name="gd" size="0.5"/></body>
  <body name="e" pos="0 9.8 0"><freejoint/><geom name="ge" size="0.5" contype="0" conaffinity="0"/></body>
</worldbody><contact><exclude body1="a" body2="b"/><pair geom1="gc" geom2="gd" friction="0.3 0.3 0.1 0.1 0.1" margin="0.1"/>
<exclude body1="a" body2="nobody"/></contact></mujoco>
X
import pairs.xml
has err 'pairs.xml:6: <pair>: attribute margin'
has err 'pairs.xml:7: <exclude>: there is no such body'
try "pairs" <<'LUA'
w:step()
local list = w:contacts()
assert(#list == 1, #list .. " contacts")
local c = list[1]
assert((c.body1 == made.bodies.c) ~= (c.body2 == made.bodies.c))
assert(w:get_pair(c.material1, c.material2).mu == 0.3)
LUA

# Equalities: a ring of two rods that are connected, a weld, and a finger that follows another.
cat >equal.xml <<'X'
<mujoco><option gravity="0 0 -9.81"/><worldbody>
  <body name="p" pos="0 0 5"><joint name="p" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 1 0 0" mass="1" contype="0" conaffinity="0"/></body>
  <body name="q" pos="0 0 4"><joint name="q" axis="0 1 0"/><geom type="capsule" size="0.05" fromto="0 0 0 1 0 0" mass="1" contype="0" conaffinity="0"/></body>
  <body name="loose" pos="5 0 5"><freejoint/><geom size="0.1" mass="1"/></body>
  <body name="f" pos="0 0 9"><joint name="f" axis="0 1 0"/><inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
  <body name="g" pos="0 3 9"><joint name="g" axis="0 -1 0"/><inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
  <body name="s" pos="0 6 9"><joint name="s" type="slide" axis="0 0 1"/><geom size="0.1" mass="1"/></body>
</worldbody><equality>
  <weld name="hold" body1="loose"/><weld body1="loose" body2="p" active="false"/>
  <joint joint1="g" joint2="f" polycoef="0.2 -2"/><joint joint1="s" joint2="f" polycoef="0 0.5"/>
  <joint joint1="p" joint2="q" polycoef="0 1 1"/><joint joint1="p" joint2="loose"/><tendon tendon1="t"/>
</equality></mujoco>
X
import equal.xml
has err 'equal.xml:11: <joint>: polycoef is not linear'
has err 'equal.xml:11: <joint>: there is no such joint'
has err 'equal.xml:11: <tendon>: scree has no such constraint'
has err '3 warnings'
try "equalities" <<'LUA'
near(made.bodies.loose:mass(), 1)
for _ = 1, 300 do
  w:step()
  local q = robot.positions(made)
  near(q.g, 0.2 - 2 * q.f, 1e-8)
  near(q.s, 0.5 * q.f, 1e-8)
end
assert(math.abs(robot.positions(made).f) > 0.05)
local x, y, z = made.bodies.loose:position()
near(x, 5) near(z, 5)
LUA
cat >bar.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="p"><joint name="p" axis="0 1 0"/><inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
  <body name="q" pos="0 0 -1"><joint name="q" axis="0 1 0"/><inertial pos="0.5 0 0" mass="1" diaginertia="0.1 0.1 0.1"/></body>
  <body name="bar" pos="1 0 0"><freejoint/><inertial pos="0 0 -0.5" mass="1" diaginertia="0.1 0.1 0.1"/></body>
</worldbody><equality><connect body1="bar" body2="p" anchor="0 0 0"/><connect body1="bar" body2="q" anchor="0 0 -1"/></equality>
<actuator><motor name="m" joint="p"/></actuator></mujoco>
X
import bar.xml
try "connect" <<'LUA'
robot.control(made, { m = 1 })
for _ = 1, 500 do
  w:step()
  local q = robot.positions(made)
  near(q.p, q.q, 1e-8) -- a parallelogram
end
assert(robot.positions(made).p > 0.05)
LUA

# URDF: mimic of a finger next to its driver, with offset; through another joint that follows (jc, jf); of sliders of one link and of neighbours. jg and jd
# share no link. A weld follows nothing. Effort bounds the actuator of the joint.
link() { echo "<link name='$1'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial></link>"; }
joint() { echo "<joint name='j$3' type='$1'><parent link='$2'/><child link='$3'/><origin xyz='1 0 0'/><axis xyz='0 0 1'/>${4-}</joint>"; }
{
  echo '<robot name="r"><link name="palm"/>'
  for name in a b c d e f g h s t u v; do link $name; done
  joint continuous palm a '<limit effort="2" velocity="1"/>'
  joint continuous palm b '<mimic joint="ja" multiplier="-3" offset="0.5"/>'
  joint continuous a c '<mimic joint="jb"/>'
  joint continuous c d
  joint continuous d e '<mimic joint="jd" multiplier="0.5"/>'
  joint continuous b f '<mimic joint="jc" multiplier="2" offset="0.1"/>'
  joint continuous b g '<mimic joint="jd"/>'
  joint fixed b h '<mimic joint="jb"/>'
  joint prismatic e s '<limit lower="-9" upper="9"/>'
  joint prismatic e t '<limit lower="-9" upper="9"/><mimic joint="js" multiplier="-2" offset="0.3"/>'
  joint prismatic t u '<limit lower="-9" upper="9"/><mimic joint="js"/>'
  joint prismatic palm v '<limit lower="-9" upper="9"/><mimic joint="ja" multiplier="0.5"/>'
  echo '</robot>'
} >grip.urdf
import grip.urdf
has err 'grip.urdf:20: <mimic>: of joint jg: scree couples only joints that share a link, directly or through other joints that follow'
has err '1 warning'
try "mimic" <<'LUA'
near(robot.positions(made).jb, 0.5)
robot.control(made, { ja = 9 })
w:step()
near(made.joints.ja:effort(), 2)
made.bodies.d:set_spin(0, 0, 1)
made.bodies.s:set_velocity(0, 0, 1)
for _ = 1, 200 do
  w:step()
  local q = robot.positions(made)
  near(q.jb, 0.5 - 3 * q.ja, 1e-7)
  near(q.jc, q.jb, 1e-7)
  near(q.jf, 0.1 + 2 * q.jc, 1e-7)
  near(q.je, 0.5 * q.jd, 1e-6)
  near(q.jt, 0.3 - 2 * q.js, 1e-7)
  near(q.ju, q.js, 1e-7)
  near(q.jv, 0.5 * q.ja, 1e-7)
end
local q = robot.positions(made)
assert(math.abs(q.jd) > 0.003 and math.abs(q.ja) > 1e-4 and math.abs(q.js) > 0.01)
LUA
# Two sliders of 1 and 3 kg, coupled 1 to -2: a force F on the first one accelerates 1 + 4 * 3 kg.
cat >rails.xml <<'X'
<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="a"><joint name="a" type="slide" axis="1 0 0"/><geom size="0.1" mass="1"/></body>
  <body name="b" pos="0 1 0"><joint name="b" type="slide" axis="0 0 1"/><geom size="0.1" mass="3"/></body>
</worldbody><equality><joint joint1="b" joint2="a" polycoef="0 -2"/></equality><actuator><motor name="m" joint="a"/></actuator></mujoco>
X
import rails.xml
try "coupled sliders" <<'LUA'
robot.control(made, { m = 26 })
w:step(1000)
near(made.joints.a:speed(), 2, 1e-6)
near(made.joints.b:speed(), -4, 1e-6)
LUA

# More sensors, in a pose and with velocities computed by hand. The ball joint is turned by 90 degrees about z from a frame that is turned about x.
cat >more.xml <<'X'
<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>
  <body name="b" euler="1.5707963267948966 0 0"><joint type="ball" name="ball"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><site name="s"/></body>
  <body name="u" pos="9 0 0"><joint name="u" axis="0 0 1"/><inertial pos="0 2 0" mass="2" diaginertia="1 1 1"/>
    <body name="v" pos="0 4 0"><joint name="v" axis="0 0 1"/><inertial pos="0 0 0" mass="6" diaginertia="1 1 1"/></body></body>
</worldbody><actuator><motor name="m" joint="u" gear="3"/><motor name="n" joint="u"/></actuator><sensor>
  <ballquat name="q" joint="ball"/><ballangvel name="w" joint="ball"/><framexaxis name="x" objtype="site" objname="s"/>
  <frameyaxis name="y" objtype="xbody" objname="b"/><framezaxis name="z" objtype="site" objname="s"/><subtreelinvel name="p" body="u"/>
  <jointactuatorfrc name="f" joint="u"/><ballquat name="none" joint="u"/></sensor>
<keyframe><key name="k" qpos="0.70710678118654752 0 0 0.70710678118654752 0 0"/></keyframe></mujoco>
X
import more.xml
has err '<ballquat name="none">: there is no joint "u"'
has err '1 warning'
try "more sensors" 'pose = "k"' <<'LUA'
made.bodies.b:set_spin(0, 0, 3)
made.bodies.u:set_spin(0, 0, 0.5) made.bodies.u:set_velocity(-1, 0, 0)
made.bodies.v:set_spin(0, 0, 0.5) made.bodies.v:set_velocity(-2, 0, 0)
local s = robot.sense(w, made)
local function is(v, ...) for i, x in ipairs { ... } do near(v[i], x) end end
is(s.q, math.sqrt(0.5), 0, 0, math.sqrt(0.5))
-- axes of the body: x was (1,0,0) of its frame, now its y, which is z of the world; y is now -x; z stays -y
is(s.x, 0, 0, 1) is(s.y, -1, 0, 0) is(s.z, 0, -1, 0)
is(s.w, 3, 0, 0) -- z of the world is x of the body
is(s.p, -(2 * 1 + 6 * 2) / 8, 0, 0)
robot.control(made, { m = 2, n = 1 })
w:step()
near(robot.sense(w, made).f, 7)
LUA

# Keyframes: a free body, a ball joint, a hinge with ref, two crossed hinges, inputs.
cat >keys.xml <<'X'
<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>
  <body name="free" pos="0 0 1"><freejoint/><geom size="0.1"/></body>
  <body name="ball" pos="5 0 0"><joint type="ball" name="ball"/><inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/></body>
  <body name="h" pos="9 0 0"><joint name="h" axis="0 0 1" ref="0.5"/><inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/></body>
  <body name="u" pos="0 9 0"><joint name="u1" axis="0 0 1"/><joint name="u2" axis="0 1 0"/><inertial pos="1 0 0" mass="1" diaginertia="1 1 1"/></body>
</worldbody><actuator><position name="hold" joint="h" kp="50" kv="20"/></actuator><keyframe>
  <key name="home" qpos="1 2 3 0 0 0 2  0.70710678118654752 0 0 0.70710678118654752  1.5  0.3 0.4" ctrl="1.5"/>
  <key name="short" qpos="1"/><key name="moving" qvel="1 0 0 0 0 0 0 0 0 0 0 0"/></keyframe></mujoco>
X
import keys.xml
has err '<key name="short">: qpos has 1 numbers, the model 14'
has err '<key name="moving">: attribute qvel'
try "a keyframe" 'pose = "home"' <<'LUA'
at("free", 1, 2, 3)
at("ball", 5, 1, 0)
at("h", 9 + math.cos(1), math.sin(1), 0)
at("u", math.cos(0.4) * math.cos(0.3), 9 + math.cos(0.4) * math.sin(0.3), -math.sin(0.4))
local q = robot.positions(made)
near(q.u1, 0.3) near(q.u2, 0.4) near(q.h, 1)
w:step(100)
q = robot.positions(made)
near(q.u1, 0.3) near(q.u2, 0.4) near(q.h, 1) -- the servo is at its target, 1.5 in the file
made.bodies.u:apply { torque = { 0, 0, 1 } }
w:step(10)
assert(robot.positions(made).u1 > 0.3 and made.joints.u1 == made.joints.u2)
local fine, why = pcall(robot.build, w, model, { pose = "hom" })
assert(not fine and why:find 'the model has no pose "hom"', why)
LUA

# Sensors. A box of 2 kg stands on the floor and carries a pendulum arm; its rangefinder looks along x to a wall.
cat >sense.xml <<'X'
<mujoco><compiler angle="radian"/><option gravity="0 0 -10"/><worldbody>
  <geom type="plane" size="1 1 1"/><geom type="box" size="0.1 9 9" pos="4.1 0 0"/>
  <body name="box" pos="0 0 0.5"><joint name="up" type="slide" axis="0 0 1"/><geom type="box" size="0.5 0.5 0.5" mass="2"/>
    <site name="sole" type="box" size="0.6 0.6 0.1" pos="0 0 -0.5"/><site name="eye" pos="0.2 0 0.3" zaxis="1 0 0"/>
    <body name="arm" pos="0 0 2"><joint name="swing" axis="0 1 0"/><inertial pos="0 0 -0.5" mass="1" diaginertia="0.1 0.1 0.1"/>
      <site name="tip" pos="0 0 -1" euler="0 0 1.5707963267948966"/><body name="stuck"><site name="stuck"/></body></body></body>
</worldbody><actuator><position name="hold" joint="swing" kp="40" kv="10"/></actuator><sensor>
  <touch name="touch" site="sole"/><rangefinder name="range" site="eye"/><jointpos name="angle" joint="swing"/><jointvel joint="swing"/>
  <framepos name="at" objtype="site" objname="tip"/><gyro name="gyro" site="tip"/><velocimeter name="speed" site="tip"/><force name="force" site="tip"/>
  <actuatorfrc name="effort" actuator="hold"/><subtreecom name="com" body="box"/><clock name="clock"/>
  <torque name="torque" site="tip" noise="0.1"/><accelerometer site="tip"/><framepos objtype="geom" objname="g"/><gyro site="none"/><force site="stuck"/>
  <force name="bare"/><rangefinder name="view" camera="c"/><touch name="odd" joint="swing"/></sensor></mujoco>
X
import sense.xml
for text in '<torque name="torque">: attribute noise' '<accelerometer>: scree has no accelerations at an instant' '<framepos>: there is no geom "g"' '<gyro>: there is no site "none"' \
  '<force>: the body of its site is welded to its parent' '<force name="bare">: it names no site' '<rangefinder name="view">: it names no site' \
  '<touch name="odd">: it names no site'; do
  has err "$text"
done
try "sensors" <<'LUA'
w:step(500)
local s = robot.sense(w, made)
near(s.touch, 30, 1e-6)
near(s.range, 3.8, 1e-6)
near(s.angle, 0, 1e-6)
near(s.at[3], 1.5, 1e-5) near(s.at[1], 0, 1e-6)
near(s.force[3], 10, 1e-6) -- the joint carries the arm of 1 kg
near(s.com[3], (2 * 0.5 + 2) / 3, 1e-5)
near(s.clock, 0.5)
robot.control(made, { hold = 1 })
w:step(1)
s = robot.sense(w, made)
near(s.effort, 40 * (1 - s.angle) - 10 * made.joints.swing:speed(), 1e-6)
-- the site is turned by 90 degrees about z: its y is -x, so the spin about y is about its x
local spin = made.joints.swing:speed()
assert(spin > 0.01)
near(s.gyro[1], spin, 1e-6) near(s.gyro[2], 0, 1e-6)
near(s.speed[2], spin, 1e-4) -- the tip, 1 m below the hinge, moves by -spin along x, which is +y of the site
near(s.sensor_4, spin)
LUA
# The same motion as in MuJoCo 3.3.8 with a step of 1e-5 s: after 0.2 s, an arm with springs, ref, servos with gears, and all its sensors.
cat >motion.xml <<'X'
<mujoco><compiler angle="radian"/><option gravity="1 0 -10" timestep="0.0002"/><worldbody>
  <body name="a" pos="0 0 2"><joint name="ja" axis="0 1 0.2" ref="0.3" stiffness="3" springref="0.1" damping="0.4"/><geom type="capsule" size="0.05" fromto="0 0 0 0 0 -0.5" mass="1"/>
   <body name="b" pos="0 0 -0.5" euler="0.2 0.1 0"><joint name="jb" axis="1 0 0" pos="0 0 0.1"/><geom type="box" size="0.05 0.1 0.2" pos="0.1 0 -0.2" mass="2"/>
     <site name="s" pos="0.1 0.2 -0.3" euler="0.3 0.4 0.5"/>
     <body name="c" pos="0 0.2 -0.3"><joint name="jc" type="slide" axis="0 1 0.5"/><geom size="0.1" mass="0.7"/></body></body></body>
</worldbody><actuator>
<position name="pa" joint="ja" kp="60" kv="6" gear="2"/><motor name="mb" joint="jb" gear="3" ctrlrange="-1 1"/><general name="gc" joint="jc" gainprm="50" biastype="affine" biasprm="2 -50 -4"/>
</actuator><sensor><jointpos name="ja" joint="ja"/><jointpos name="jb" joint="jb"/><jointpos name="jc" joint="jc"/><gyro name="g" site="s"/><velocimeter name="v" site="s"/><force name="f" site="s"/><torque name="t" site="s"/>
<actuatorfrc name="ea" actuator="pa"/><actuatorpos name="pp" actuator="pa"/><framepos name="fp" objtype="site" objname="s"/><framequat name="fq" objtype="site" objname="s"/><framelinvel name="fl" objtype="site" objname="s"/><frameangvel name="fa" objtype="site" objname="s"/><subtreecom name="com" body="a"/></sensor></mujoco>
X
import motion.xml
[ -s err ] && fail "motion: $(cat err)"
try "the motion of MuJoCo" <<'LUA'
local expected = {
  ja = { 0.64578 },
  jb = { -0.05711 },
  jc = { 0.04869 },
  g = { 0.30288, 0.99483, -0.36625 },
  v = { -0.70647, 0.17328, -0.48861 },
  f = { 7.90440, 10.17730, 30.47402 },
  t = { -3.30737, 3.74019, -0.70541 },
  ea = { -6.09056 },
  pp = { 1.29156 },
  fp = { -0.20978, 0.23189, 1.24650 },
  fq = { 0.85168, 0.30478, 0.34080, 0.25615 },
  fl = { -0.84920, -0.16830, 0.13567 },
  fa = { -0.30440, 1.00073, 0.34849 },
  com = { -0.16520, 0.06093, 1.43169 },
}
robot.control(made, { pa = 1.4, mb = 2, gc = 0.1 })
w:step(200)
local seen = robot.sense(w, made)
for name, list in pairs(expected) do
  local v = type(seen[name]) == "table" and seen[name] or { seen[name] }
  local size = 0
  for _, x in ipairs(list) do size = size + x * x end
  for i, x in ipairs(list) do
    -- steps of 1 ms; forces are means over the last step
    assert(math.abs(v[i] - x) < 5e-3 * math.sqrt(size) + 1e-3, ("%s[%d] is %g, not %g"):format(name, i, v[i], x))
  end
end
LUA
exit $failed
