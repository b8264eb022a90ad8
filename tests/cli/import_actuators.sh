#!/usr/bin/env bash
# scree import: all actuators of MJCF share the defaults of their class, whatever the kind of the default. The expected values are those of MuJoCo 3.3.8
# (actuator_gear, actuator_ctrlrange, actuator_forcerange, actuator_gainprm, actuator_biasprm).
. "$(dirname "$0")/../support/import.sh"
gravity=model.gravity

# case DEFAULT ACTUATOR LUA: the actuator `a` of the model fulfils the Lua condition
case_of() {
  echo "<mujoco><default>$1</default><worldbody><body><joint name='j'/><geom size='0.1'/></body></worldbody><actuator>$2</actuator></mujoco>" >act.xml
  import act.xml
  grep -q warning err && fail "$1 $2: $(cat err)"
  try "$1 $2" <<LUA
local a = model.actuators[1]
local b, gear = a.bias, a.on[1].gear
assert($3, require("scree.robot").source(model, { from = "act.xml", table = true }))
LUA
}
affine="gainprm='7' biastype='affine' biasprm='1 -2 -3'"
case_of "<motor gear='3' ctrlrange='-1 2'/>" "<position joint='j'/>" 'gear == 3 and a.input[2] == 2 and a.gain == 1 and b[2] == -1'
case_of "<general gear='3' ctrlrange='-1 2' forcerange='-3 3'/>" "<motor joint='j'/>" 'gear == 3 and a.input[1] == -1 and a.force[2] == 3 and a.gain == 1 and b[2] == 0'
case_of "<position kp='50' kv='3'/>" "<position joint='j'/>" 'a.gain == 50 and b[2] == -50 and b[3] == -3'
case_of "<position kp='50'/>" "<general joint='j'/>" 'a.gain == 50 and b[2] == -50 and b[3] == 0'
case_of "<position kp='50'/>" "<motor joint='j'/>" 'a.gain == 1 and b[2] == 0'
case_of "<position kp='50' kv='3'/>" "<velocity joint='j'/>" 'a.gain == 50 and b[2] == 0 and b[3] == -50'
case_of "<velocity kv='3'/>" "<position joint='j'/>" 'a.gain == 3 and b[2] == -3 and b[3] == -3'
case_of "<velocity kv='3'/>" "<general joint='j'/>" 'a.gain == 3 and b[3] == -3'
case_of "<general $affine/>" "<motor joint='j'/>" 'a.gain == 1 and b[1] == 0 and b[2] == 0 and b[3] == 0'
case_of "<general $affine/>" "<velocity joint='j'/>" 'a.gain == 7 and b[1] == 0 and b[2] == 0 and b[3] == -7'
case_of "<general $affine/>" "<position joint='j' kp='5'/>" 'a.gain == 5 and b[1] == 1 and b[2] == -5 and b[3] == -3'
case_of "<general $affine/>" "<general joint='j' biasprm='4'/>" 'a.gain == 7 and b[1] == 4 and b[2] == -2 and b[3] == -3'
case_of "<position kp='50'/><general gear='2'/>" "<position joint='j'/>" 'gear == 2 and a.gain == 50'
case_of "<general gear='2'/><motor gear='3'/>" "<general joint='j'/>" 'gear == 3 and a.gain == 1'
case_of "<position kv='5' kp='3'/>" "<position joint='j' kp='9'/>" 'a.gain == 9 and b[2] == -9 and b[3] == -5'
case_of "<position dampratio='1' kp='4'/>" "<general joint='j'/>" 'a.gain == 4 and b[2] == -4 and b[3] == 0 and a.damping_ratio == 1'
case_of "<position kv='1' kp='4'/>" "<position joint='j' dampratio='1'/>" 'a.gain == 4 and b[3] == 0 and a.damping_ratio == 1'
case_of "<general gainprm='5' biasprm='0 -5 1' biastype='affine'/>" "<general joint='j'/>" 'a.damping_ratio == 1 and b[3] == 0'
case_of "<motor gear='3'/><default class='c'><position kp='7'/></default>" "<general class='c' joint='j'/>" 'gear == 3 and a.gain == 7 and b[2] == -7'
case_of "<muscle/>" "<motor joint='j'/>" 'a.gain == 1 and b[2] == 0'

# left DEFAULT ACTUATOR TEXT: the actuator is left out
left() {
  echo "<mujoco><default>$1</default><worldbody><body><joint name='j'/><geom size='0.1'/></body></worldbody>
<actuator>$2</actuator></mujoco>" >left.xml
  import left.xml
  has err "left.xml:2: $3"
}
left "<muscle/>" "<general joint='j'/>" '<general>: default of <muscle>'
left "<damper kv='3'/>" "<position joint='j' kp='1'/>" '<position>: default of <damper>'
left "<general dyntype='filter'/>" "<position joint='j'/>" '<position>: dyntype filter'
left "<position timeconst='0.2'/>" "<general joint='j'/>" '<general>: timeconst of a default'
left "" "<position joint='j' timeconst='0.2'/>" '<position>: attribute timeconst'
left "" "<position joint='j' inheritrange='1'/>" '<position>: inheritrange without a range'
left "" "<general joint='j' gainprm='2' biastype='affine' biasprm='0 3'/>" '<general>: a stiffness or damping below 0'

# refused ACTUATOR TEXT: an actuator that cannot be meant is an error with its name and line
refused() {
  echo "<mujoco><worldbody><site name='s'/><body><joint name='j'/><geom size='0.1'/></body></worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>
<actuator>$1</actuator></mujoco>" >bad.xml
  "$scree" import bad.xml --table >out 2>err && fail "$1: no error"
  has err "bad.xml:2: $2"
}
for key in forcerange ctrlrange; do
  refused "<motor name='m' joint='j' $key='1 -1'/>" "<motor name=\"m\">: $key: the lower limit is above the upper one"
  refused "<motor joint='j' $key='1 -1'/>" "<motor>: $key: the lower limit is above the upper one"
  case_of "" "<motor joint='j' $key='1 -1' ${key%range}limited='false'/>" 'not a.force and not a.input'
done
case_of "" "<motor joint='j' forcerange='0 0' ctrlrange='2 2'/>" 'not a.force and not a.input'
refused "<motor name='m' joint='j' tendon='t'/>" '<motor name="m">: joint and tendon exclude each other'
refused "<general name='m' site='s' tendon='t'/>" '<general name="m">: tendon and site exclude each other'
exit $failed
