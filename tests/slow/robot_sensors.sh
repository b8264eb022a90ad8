#!/usr/bin/env bash
# Sensors of imported MJCF models have the values of MuJoCo, at the start to rounding and after 100 steps of 2 ms to 1e-4: frames of sites, bodies, centres of
# mass and geoms, absolute and relative to each other, their velocities, energies, angular momenta, tendons. Skipped unless the environment variable
# SCREE_MUJOCO names a folder with node_modules/mujoco-js (npm install mujoco-js).
. "$(dirname "$0")/../support/import.sh"
command -v node >/dev/null || skip "no node"
[ -n "${SCREE_MUJOCO-}" ] || skip "SCREE_MUJOCO names no folder with node_modules/mujoco-js"
[ -d "$SCREE_MUJOCO/node_modules/mujoco-js" ] || skip "no node_modules/mujoco-js in $SCREE_MUJOCO (npm install mujoco-js)"
# sensors KIND: lines of all sensors of frames
sensors() {
  for object in "site bs" "xbody b" "body a" "body c" "geom ag" "geom cg" "xbody world" "geom wg" "body world" "site af"; do
    for kind in framepos framequat framexaxis frameyaxis framezaxis framelinvel frameangvel; do
      case "$kind $object" in framequat*"body c" | frame?axis*"body c") continue ;; esac # MuJoCo computes these axes
      bound="cutoff='1.5'"
      case $kind in framequat | frame?axis) bound= ;; esac
      echo "<$kind name='$kind $object' objtype='${object% *}' objname='${object#* }'/>"
      for reference in "site cs" "xbody b" "body a" "geom ag" "site ref"; do
        echo "<$kind name='$kind $object of $reference' objtype='${object% *}' objname='${object#* }' reftype='${reference% *}' refname='${reference#* }' $bound/>"
      done
    done
  done
  for site in as af; do
    for object in "site bs" "xbody b" "body a" "geom ag" "site ref" "xbody a"; do
      echo "<insidesite name='inside $site $object' site='$site' objtype='${object% *}' objname='${object#* }'/>"
    done
  done
}
{
  cat <<'X'
<mujoco><compiler angle="radian"/><option magnetic="0.3 -0.5 0.2"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
<site name="ref" pos="1 2 3" euler="0.3 0.4 0.5"/><geom name="wg" size="0.1 0.1 0.1" pos="3 2 1" euler="0.1 0.2 0.3" type="box"/>
<body name="a" pos="0 0 1" euler="0.3 0 0.2"><joint name="h" axis="0 1 0.3" pos="0.1 0 0.4" armature="0.2" stiffness="3"/>
  <inertial pos="0.3 0.1 -0.2" mass="2" diaginertia="0.2 0.3 0.4" euler="0.2 0.1 0.5"/><geom name="ag" type="capsule" size="0.1" fromto="0.1 0.2 0.3 1 0.2 0.5"/>
  <site name="as" type="box" size="0.3 0.4 0.5" pos="0.2 0 0.1" euler="0.5 0.1 0"/><site name="af" type="capsule" size="0.3" fromto="0.1 0.2 0.3 1 0.2 0.5"/>
  <body name="b" pos="0.4 0 -1"><joint name="bb" type="ball" stiffness="4"/><inertial pos="0.3 0.1 -0.2" mass="1.5" fullinertia="0.2 0.3 0.4 0.02 -0.03 0.01"/>
    <site name="bs" pos="0.3 0 0" euler="1 1 1"/></body></body>
<body name="c" pos="2 0 2"><freejoint/><geom name="cg" type="box" size="0.1 0.2 0.3" mass="1" pos="0.3 0.1 0"/><geom size="0.2" mass="2" pos="0.2 0.4 0.3"/>
  <site name="cs" pos="0.2 0.1 0.3"/></body>
<body name="d" pos="-2 0 2"><joint type="ball" armature="0.5"/><inertial pos="0.3 0.1 -0.2" mass="1.5" fullinertia="0.2 0.3 0.4 0.02 -0.03 0.01"/></body>
</worldbody><tendon><spatial name="t" armature="0.4" stiffness="20" springlength="1"><site site="as"/><site site="ref"/></spatial></tendon>
<sensor><magnetometer name="field" site="bs"/><subtreeangmom name="La" body="a"/><subtreeangmom name="Ld" body="d"/><subtreeangmom name="Lw" body="world"/>
<e_kinetic name="kinetic"/><e_potential name="potential"/><subtreecom name="com" body="a"/><subtreelinvel name="drift" body="a"/>
<tendonvel name="rate" tendon="t"/><tendonpos name="length" tendon="t" cutoff="1"/><jointvel name="speed" joint="h"/>
X
  sensors
  echo "</sensor></mujoco>"
} >sensors.xml
import sensors.xml
grep -q warning err && fail "warnings: $(cat err)"
cp "$source"/tests/bench/peers/robots/{sensors,files}.mjs "$SCREE_MUJOCO" || stop "cannot write to $SCREE_MUJOCO"
for run in "0 1e-12" "100 1e-4"; do
  "$scree" lua --trust --callback-time 100 "$source/tests/bench/peers/robots/sensors.lua" model.lua ${run% *} >ours || fail "scree: $(cat ours)"
  (cd "$SCREE_MUJOCO" && node sensors.mjs "$work/sensors.xml" ${run% *}) >theirs 2>err || fail "MuJoCo: $(tail -3 err)"
  python3 "$source/tests/bench/peers/robots/sensors.py" theirs ours ${run#* } || fail "sensors after ${run% *} steps"
done
rm -f "$SCREE_MUJOCO/sensors.mjs"
exit $failed
