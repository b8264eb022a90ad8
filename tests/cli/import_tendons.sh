#!/usr/bin/env bash
# scree import: tendons of MJCF. Expected values are computed by hand, by the rules of MuJoCo: the length of a rope is the sum of its segments, behind a
# pulley divided by its divisor; a force along the rope acts on the ends of each segment.
. "$(dirname "$0")/../support/import.sh"
gravity=model.gravity

# slider NAME Y: 2 kg on a slider along z, with a site at its centre; an anchor site of the world lies 1 m above it.
slider() {
  echo "<site name='over_$1' pos='0 $2 1'/><body name='$1' pos='0 $2 0'><joint name='$1' type='slide' axis='0 0 1'/><geom size='0.1' mass='2' contype='0' conaffinity='0'/>
<site name='$1'/><site name='top_$1' pos='0 0 0.25'/></body>"
}
rope() { echo "<spatial name='$1' ${2-}><site site='over_$1'/><site site='$1'/></spatial>"; }

# One segment: spring, damper, limit, friction, armature, pulley, motor and servo. Gravity -10.
{
  echo '<mujoco><option gravity="0 0 -10"/><worldbody>'
  n=0
  for name in spring auto limit friction drum pulley motor servo both; do
    slider $name $n
    n=$((n + 1))
  done
  echo '</worldbody><tendon>'
  rope spring 'stiffness="400" damping="80" springlength="0.8"'
  rope auto 'stiffness="400" damping="80"'
  rope limit 'range="0 1.5"'
  rope friction 'frictionloss="15"'
  rope drum 'armature="3"'
  rope motor
  rope servo
  cat <<'X'
<spatial name="pulley" stiffness="400" damping="80" springlength="1.4">
  <site site="over_pulley"/><site site="over_motor"/><pulley divisor="4"/><site site="top_pulley"/><site site="pulley"/><pulley divisor="2"/><site site="over_pulley"/><site site="pulley"/>
</spatial>
<spatial name="both"><site site="over_both"/><site site="both"/><site site="over_servo"/></spatial>
<fixed name="sum"><joint joint="motor" coef="2"/><joint joint="drum" coef="-1"/></fixed>
</tendon>
<actuator>
  <motor name="motor" tendon="motor" gear="-2"/>
  <position name="servo" tendon="servo" kp="1000" kv="200" gear="2"/>
  <motor name="both" tendon="both" gear="3"/>
</actuator>
<sensor>
  <tendonpos name="spring" tendon="spring"/><tendonpos name="pulley" tendon="pulley"/><tendonvel name="drum" tendon="drum"/><tendonpos name="sum" tendon="sum"/>
  <tendonactuatorfrc name="force" tendon="motor"/><actuatorpos name="servo" actuator="servo"/><tendonpos name="both" tendon="both"/>
</sensor></mujoco>
X
} >ropes.xml
import ropes.xml
[ "$(cat err)" ] && ! grep -q links err && fail "warnings: $(cat err)"
try "ropes of one segment" <<'LUA'
local seen = robot.sense(w, made)
near(seen.pulley, 6 - 5 + 0.25 / 4 + 0.5) near(seen.spring, 1) near(seen.sum, 0)
near(seen.both, 1 + math.sqrt(1 + 1))
robot.control(made, { motor = 10, both = 2 })
w:step(100)
-- (2 kg) a = 20 N up - 20 N; the rope is pulled with gear * force = -20 N
local function speed(name) return made.joints[name]:speed() end
near(speed "motor", 0.1 * (20 - 20) / 2)
near(speed "drum", -0.1 * 20 / 5, 1e-6)
seen = robot.sense(w, made)
near(seen.drum, 0.1 * 20 / 5, 1e-6) near(seen.force, 10)
near(speed "friction", -0.1 * (20 - 15) / 2, 1e-6)
-- a motor on two segments pushes the ends of both: 6 N down from the first, 6 N (1, 1)/sqrt(2) from the second
local w2 = scree.world { dt = 1e-6, gravity = { 0, 0, -10 } }
local made2 = robot.build(w2, model)
robot.control(made2, { both = 2 })
w2:step()
near(made2.joints.both:speed() * 1e6, -10 - (6 + 6 / math.sqrt(2)) / 2, 1e-6)
w:step(8000)
seen = robot.sense(w, made)
near(seen.spring, 0.8 + 20 / 400, 1e-6) -- k (L - L0) = m g
near(robot.positions(made).auto, -20 / 400, 1e-6)
near(robot.positions(made).limit, -0.5, 1e-6)
-- k (L - L0) / 2 = m g, dL / dz = -1 / 2
near(seen.pulley, 1.4 + 2 * 20 / 400, 1e-6)
-- the servo's length is 2 L and its force -1000 * 2 L; on the load 2 * 2000 L = 20 N
near(seen.servo, 2 * 20 / 4000, 1e-5)
LUA

# Bodies on a rope still collide; a pose does not change the rest length of a spring.
cat >touch.xml <<'X'
<mujoco><option gravity="0 0 -10"/><worldbody><geom name="floor" type="plane" size="1 1 1"/><site name="ground"/>
<body name="b" pos="0 0 0.5"><freejoint/><geom size="0.1" mass="1"/><site name="s"/></body>
<body name="arm" pos="5 0 0"><joint name="j" axis="0 1 0" springref="90"/><geom size="0.1" mass="1" pos="1 0 0"/><site name="tip" pos="1 0 0"/></body><site name="post" pos="5 0 2"/>
</worldbody><tendon><spatial name="t" range="0 9"><site site="ground"/><site site="s"/></spatial>
<spatial name="u" stiffness="3"><site site="post"/><site site="tip"/></spatial></tendon>
<keyframe><key name="k" qpos="0 0 0.5 1 0 0 0 0.3"/></keyframe></mujoco>
X
import touch.xml
try "contacts of bodies on ropes" 'pose = "k"' <<'LUA'
near(model.tendons[2].rest, 3, 1e-12) -- at 90 degrees the tip is 1 m below the hinge, and the post 2 m above
w:step(3000)
near(select(3, made.bodies.b:position()), 0.1, 1e-4)
LUA

# What scree cannot represent is named with its line, and an error with --strict.
cat >left.xml <<'X'
<mujoco><default><tendon damping="2"/></default><worldbody><geom name="g" size="0.1" contype="0" conaffinity="0"/><site name="a"/><site name="b" pos="1 0 0"/>
<body name="x" pos="0 0 1"><joint name="j" type="slide"/><geom size="0.1" mass="1"/><site name="x"/></body></worldbody><tendon>
<spatial name="wrap"><site site="a"/><geom geom="g"/><site site="x"/></spatial>
<spatial name="via" stiffness="5" range="0 3" solreflimit="-3 -4"><site site="a"/><site site="x"/><site site="b"/></spatial>
<spatial name="band" stiffness="5" springlength="0 0.5" damping="0"><site site="a"/><site site="x"/></spatial>
<fixed name="sum" stiffness="7"><joint joint="j" coef="1"/></fixed></tendon>
<actuator>
<motor name="m" tendon="wrap"/>
<position name="p" tendon="via" kp="3"/></actuator></mujoco>
X
import left.xml
has err 'left.xml:3: <geom>: ropes do not wrap around geoms'
has err 'left.xml:3: <spatial name="wrap">: it wraps around geoms, so it is left out'
has err 'left.xml:4: <spatial name="via">: attribute solreflimit'
for key in stiffness range damping; do has err "left.xml:4: <spatial name=\"via\">: $key: 2 segments of the tendon change their lengths"; done
has err 'left.xml:5: <spatial name="band">: stiffness with two numbers of springlength'
has err 'left.xml:6: <fixed name="sum">: attribute stiffness'
has err 'left.xml:6: <fixed name="sum">: attribute damping'
has err 'left.xml:8: <motor name="m">: tendon "wrap" is left out'
has err 'left.xml:9: <position name="p">: its force depends on the length of a tendon'
has err '11 warnings'
try "a model with tendons that are left out" <<'LUA'
assert(#model.tendons == 3 and not model.actuators)
LUA
"$scree" import left.xml --strict --table -o strict.lua >out 2>err && fail "--strict writes a model without a tendon"
has err '11 warnings, and --strict: nothing was written'
[ -e strict.lua ] && fail "--strict has written a file"

# Invalid tendons name file and line.
for bad in '<spatial range="2 1"><site site="a"/><site site="x"/></spatial>:the lower limit is above' \
  '<spatial name="t" range="-2 -1"><site site="a"/><site site="x"/></spatial>:<spatial name="t">: range: the upper limit must not be below 0, because lengths are not' \
  '<spatial name="t"/>:<spatial name="t">: a rope needs at least two sites' \
  '<spatial name="t"><site site="a"/></spatial>:<spatial name="t">: a rope needs at least two sites' \
  '<spatial name="t"><site site="a"/><site site="x"/><pulley divisor="2"/></spatial>:<spatial name="t">: a pulley needs at least two sites behind it' \
  '<spatial name="t"><site site="a"/><site site="x"/><pulley divisor="2"/><pulley divisor="2"/><site site="a"/><site site="x"/></spatial>:<spatial name="t">: a pulley needs at least two sites behind it' \
  '<spatial name="t"><site site="a"/><pulley divisor="2"/><site site="a"/><site site="x"/></spatial>:<spatial name="t">: a rope needs at least two sites before a pulley' \
  '<spatial damping="-1"><site site="a"/><site site="x"/></spatial>:damping must not be negative' '<spatial><pulley divisor="0"/><site site="a"/><site site="x"/></spatial>:divisor must be above 0'; do
  cat >bad.xml <<X
<mujoco><worldbody><site name="a"/><body><joint name="j" type="slide"/><geom size="0.1"/><site name="x"/></body></worldbody>
<tendon>${bad%%:*}</tendon></mujoco>
X
  "$scree" import bad.xml --table >out 2>err && fail "$bad: no error"
  has err 'bad.xml:2: '
  has err "${bad#*:}"
done

# Names that do not exist, such as those of replicated sites, leave the tendon out.
cat >names.xml <<'X'
<mujoco><worldbody><site name="a"/><body><joint name="j" type="slide"/><geom size="0.1"/></body></worldbody><tendon>
<spatial name="s"><site site="a"/><site site="nowhere"/></spatial>
<fixed name="f"><joint joint="j" coef="1"/><joint joint="nowhere" coef="1"/></fixed>
<spatial name="p" damping="1 2"><site site="a"/><site site="a"/></spatial>
<spatial name="q"><site/><site site="a"/></spatial><fixed name="g"><joint coef="1"/></fixed></tendon></mujoco>
X
import names.xml
has err 'names.xml:2: <spatial name="s">: there is no site "nowhere", so it is left out'
has err 'names.xml:3: <fixed name="f">: there is no hinge or slider "nowhere", so it is left out'
has err 'names.xml:4: <spatial name="p">: attribute damping: a polynomial'
has err 'names.xml:5: <spatial name="q">: it names no site, so it is left out'
has err 'names.xml:5: <fixed name="g">: it names no hinge or slider, so it is left out'
has err '5 warnings'

# Models written by hand.
cat >hand.lua <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local function model(tendon)
  return { name = "m", links = { { name = "base" }, { name = "a", mass = 1, inertia = { 1, 0, 0, 1, 0, 1 } } }, tendons = { tendon },
    joints = { { name = "j", type = "slider", parent = "base", child = "a", axis = { 0, 0, 1 } } } }
end
local function refused(tendon, word)
  local fine, why = pcall(robot.build, scree.world {}, model(tendon))
  assert(not fine and tostring(why):find(word, 1, true), tostring(why))
end
local here = { 0, 0, 0 }
refused({ name = "t", points = { { link = "base", position = here }, { link = "b", position = here } } }, 'tendon "t": there is no link "b"')
refused({ name = "t", damping = 1, points = { { link = "base", position = here }, { link = "a", position = here }, { link = "base", position = here } } },
  'tendon "t": damping needs a rope of which one segment changes its length, not 2')
refused({ name = "t", limits = { 0, 1 }, points = { { link = "base", position = here }, { link = "base", position = { 2, 0, 0 } }, { link = "a", position = here } } },
  'tendon "t": the constant part of its length, 2, exceeds its limits')
LUA
"$scree" lua hand.lua >out 2>&1 || fail "hand: $(cat out)"
exit $failed
