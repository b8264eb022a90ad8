#!/usr/bin/env bash
# Imported MJCF models move as in MuJoCo: a free fall, pendulums, rotors, springs, servos and ropes move for 100 steps of 2 ms. MuJoCo integrates with a fifth
# of the step and by Runge-Kutta; the errors of scree are those of its own step. Skipped unless the environment variable SCREE_MUJOCO names a folder with
# node_modules/mujoco-js (npm install mujoco-js). SCREE_ROBOTS: folders of MJCF files, such as clones of github.com/google-deepmind/mujoco, for the same test.
. "$(dirname "$0")/../support/import.sh"
command -v node >/dev/null || skip "no node"
[ -n "${SCREE_MUJOCO-}" ] || skip "SCREE_MUJOCO names no folder with node_modules/mujoco-js"
[ -d "$SCREE_MUJOCO/node_modules/mujoco-js" ] || skip "no node_modules/mujoco-js in $SCREE_MUJOCO (npm install mujoco-js)"
mkdir models
model() { echo "<mujoco><compiler angle='radian'/><worldbody>$2</worldbody>${3-}</mujoco>" >"models/$1.xml"; }
arm='<inertial pos="0.3 0.1 -0.2" mass="2" fullinertia="0.2 0.3 0.4 0.02 -0.03 0.01"/>'
model fall "<body name='a' pos='0 0 9'><freejoint/>$arm</body>"
model pendulum "<body name='a'><joint axis='0 1 0'/>$arm</body>"
model double "<body name='a'><joint axis='0 1 0'/>$arm<body name='b' pos='0.5 0 -0.1'><joint axis='1 0 0.5' pos='0 0.1 0'/>$arm</body></body>"
model rotor "<body name='a'><joint axis='0 1 0' armature='0.7'/>$arm<body name='b' pos='0.5 0 -0.1'><joint axis='1 0 0.5' armature='0.3'/>$arm</body></body>"
model chain "<body name='a'><joint type='slide' axis='1 0 0' armature='2'/><joint axis='0 0 1'/><joint axis='0 1 0'/>$arm<body name='b' pos='0 0 -1'><joint type='ball'/>$arm</body></body>"
model spring "<body name='a'><joint axis='0 1 0' stiffness='20' springref='0.5' damping='0.3'/>$arm<body name='b' pos='0.5 0 0'><joint type='slide' axis='1 0 0' stiffness='90' damping='1' ref='0.1'/>$arm</body></body>"
model cross "<body name='a'><joint name='x' axis='1 0 0' damping='0.1' armature='0.1'/><joint axis='0 1 0' stiffness='3'/>$arm</body>"
model servo "<body name='a'><joint name='j' axis='0 1 0'/>$arm</body>" '<actuator><position joint="j" kp="60" kv="5"/></actuator>'
model free_chain "<body name='a' pos='0 0 9'><freejoint/>$arm<body name='b' pos='0.5 0 0'><joint axis='0 1 1' stiffness='30' springref='1'/>$arm</body></body>"
balls() { echo "<body name='a' pos='0 0 3'><joint $1/>$arm<body name='b' pos='0.4 0 -1'><joint type='ball' stiffness='4'/>$arm</body></body>"; }
model ball "$(balls "type='ball' stiffness='9' damping='0.3'")"
model ball_rotor "$(balls "type='ball' armature='0.7'")"
model drag "$(balls "type='free' damping='3'")"
sites="<site name='g' pos='0.3 1 0.5'/>"
segment() { echo "<site site='$1'/><site site='$2'/>"; }
model rope "$sites<body name='a'><joint axis='0 1 0' pos='0.1 0 0.4'/>$arm<site name='s' pos='0.5 0 0.1'/><site name='u' pos='0.2 0.3 0.1'/></body>
  <body name='b' pos='1 1 0'><joint axis='1 1 0' pos='0.1 0 0.4'/>$arm<site name='t' pos='0.5 0 0.3'/></body>" "<tendon>
  <spatial name='r' stiffness='50' damping='2' springlength='0.4'>$(segment s t)</spatial>
  <spatial name='q' stiffness='90' damping='1'>$(segment s u)<pulley divisor='2'/>$(segment s u)<site site='g'/></spatial>
  <spatial name='v'>$(segment s t)<site site='g'/></spatial></tendon>
  <actuator><general tendon='v' biastype='affine' biasprm='-7 0 0'/><position tendon='r' kp='30' kv='2' gear='1.5'/></actuator>"
model drum "$sites<body name='a' pos='0 0 3'><freejoint/>$arm<site name='s' pos='0.5 0 0.1'/></body>" \
  "<tendon><spatial armature='3' stiffness='40' springlength='1'>$(segment s g)</spatial></tendon>"
cd "$SCREE_MUJOCO" || stop "no folder $SCREE_MUJOCO"
MOST=1e-4 bash "$source/tests/bench/peers/robots/motion.sh" "$scree" "$work/models" >"$work/out" 2>&1 || fail "$(cat "$work/out")"
cat "$work/out"
grep -q '^| no contacts: bodies, joints, springs, dampers, actuators | 14 ' "$work/out" || fail "not all models are compared"
if [ -n "${SCREE_ROBOTS-}" ]; then
  # shellcheck disable=SC2086 # a list of folders
  bash "$source/tests/bench/peers/robots/motion.sh" "$scree" $SCREE_ROBOTS >"$work/out" || fail "$(cat "$work/out")"
  cat "$work/out"
  # of models without contacts and limits, 95 % agree to 1e-3
  awk -F'|' '/^. no contacts: bodies/ { seen = 1; if ($6 < 0.95 * $3) bad = 1 } END { exit !seen || bad }' "$work/out" ||
    fail "fewer than 95 % of the models without contacts move as in MuJoCo"
fi
exit $failed
