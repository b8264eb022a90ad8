#!/usr/bin/env bash
# scree import: sensors of MJCF with references, objects of all types and cut-offs; energies, angular momenta, magnetometers. Expected values are computed by
# hand. tests/slow/robot_sensors.sh compares such sensors with MuJoCo.
. "$(dirname "$0")/../support/import.sh"
gravity=model.gravity

cat >frames.xml <<'X'
<mujoco><option gravity="0 0 -10" magnetic="1 2 3"/><worldbody><geom name="plate" type="box" size="1 1 1" pos="0 0 -9" euler="90 0 0"/><site name="origin" pos="1 0 0" euler="0 0 90"/>
<site name="line" type="capsule" size="0.1" fromto="0 0 0 0 0 -2"/>
<body name="top" pos="0 0 2"><joint name="top" axis="0 0 1" armature="3"/><inertial pos="1 0 0" mass="2" diaginertia="0.2 0.3 0.4" euler="0 0 90"/>
  <geom name="ball" size="0.1" pos="2 0 0" contype="0" conaffinity="0"/><site name="tip" pos="1 0 0"/><site name="room" type="box" size="0.5 0.5 0.5" pos="2 0 0"/></body>
<body name="spring" pos="0 5 0"><joint name="spring" type="slide" stiffness="8" springref="0.5"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
</worldbody><sensor>
<magnetometer name="field" site="origin"/>
<framepos name="tip" objtype="site" objname="tip" reftype="site" refname="origin"/><framelinvel name="tip speed" objtype="site" objname="tip" reftype="xbody" refname="top"/>
<framepos name="centre" objtype="body" objname="top"/><framequat name="axes" objtype="body" objname="top"/>
<framepos name="ball" objtype="geom" objname="ball"/><framezaxis name="plate" objtype="geom" objname="plate"/><framezaxis name="line" objtype="site" objname="line"/>
<framelinvel name="ball speed" objtype="geom" objname="ball"/><framelinvel name="slow" objtype="geom" objname="ball" cutoff="2.5"/>
<frameangvel name="spin" objtype="site" objname="origin" reftype="body" refname="top"/>
<insidesite name="in" site="room" objtype="geom" objname="ball"/><insidesite name="out" site="room" objtype="xbody" objname="top"/>
<subtreeangmom name="L" body="top"/><subtreeangmom name="all" body="world"/><e_kinetic name="kinetic"/><e_potential name="potential"/><jointvel name="bound" joint="top" cutoff="1"/>
</sensor></mujoco>
X
import frames.xml
grep -q warning err && fail "warnings: $(cat err)"
try "sensors of frames" <<'LUA'
made.bodies.top:set_spin(0, 0, 3) made.bodies.top:set_velocity(0, 3, 0)
local s = robot.sense(w, made)
local function same(name, x, y, z, q)
  for i, value in ipairs { x, y, z, q } do assert(math.abs(s[name][i] - value) < 1e-12, name .. ": " .. s[name][i] .. " is not " .. value) end
end
same("field", 2, -1, 3)
same("tip", 0, 0, 2) -- seen from a frame at (1, 0, 0)
same("tip speed", 0, 0, 0)
same("centre", 1, 0, 2) same("axes", math.sqrt(0.5), 0, 0, math.sqrt(0.5))
same("ball", 2, 0, 2) same("plate", 0, -1, 0)
same("line", 0, 0, 1) -- from the second point of fromto to the first
same("ball speed", 0, 6, 0) same("slow", 0, 2.5, 0)
same("spin", 0, 0, -3)
near(s["in"], 1) near(s.out, 0) near(s.bound, 1)
same("L", 0, 0, 0.4 * 3)
-- of both bodies about their common centre of mass: reduced mass 2 / 3, at (1, -5, 2) from each other, with the velocity (0, 3, 0)
same("all", -2 / 3 * (2 * 3), 0, 0.4 * 3 + 2 / 3 * (1 * 3))
near(s.kinetic, (2 * 9 + (0.4 + 3) * 9) / 2)
near(s.potential, 2 * 10 * 2 + 8 * 0.5 ^ 2 / 2)
LUA

cat >left.xml <<'X'
<mujoco><worldbody><geom size="0.1"/><body name="b"><freejoint/><geom name="a" size="0.1 0.2 0.3" type="box"/></body></worldbody><sensor>
<framequat name="axes" objtype="body" objname="b"/>
<framepos name="of" objtype="xbody" objname="b" reftype="body" refname="b"/>
<framepos name="eye" objtype="camera" objname="b"/>
<insidesite name="in" site="none" objtype="xbody" objname="b"/>
<distance name="far" geom1="a" geom2="a"/>
<framepos name="fine" objtype="body" objname="b"/>
<framepos name="bare"/><framepos name="nameless" objtype="body"/><insidesite name="siteless" objtype="xbody" objname="b"/>
<framepos name="half" objtype="body" objname="b" refname="b"/><framepos name="geomless" objtype="geom"/></sensor></mujoco>
X
import left.xml
has err 'left.xml:2: <framequat name="axes">: objtype body: the axes of inertia of body "b" are not in the file'
has err 'left.xml:3: <framepos name="of">: objtype body: the axes of inertia'
has err 'left.xml:4: <framepos name="eye">: objtype "camera": site, geom, body and xbody are known'
has err 'left.xml:5: <insidesite name="in">: there is no site "none"'
has err 'left.xml:6: <distance name="far">: scree measures no distances of geoms'
has err 'left.xml:8: <framepos name="bare">: it names no objtype: site, geom, body and xbody are known'
has err 'left.xml:8: <framepos name="nameless">: it names no body'
has err 'left.xml:8: <insidesite name="siteless">: it names no site'
has err 'left.xml:9: <framepos name="half">: it names no reftype: site, geom, body and xbody are known'
has err 'left.xml:9: <framepos name="geomless">: it names no geom'
has err '10 warnings'
exit $failed
