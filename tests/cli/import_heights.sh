#!/usr/bin/env bash
# scree import: height fields of MJCF, and models whose text is large.
. "$(dirname "$0")/../support/import.sh"
gravity='{ 0, 0, -10 }'

# A slope: balls rest on the heights of the file. The first row of an elevation is the far side (+y).
cat >slope.xml <<'X'
<mujoco><asset><hfield name="h" nrow="3" ncol="2" size="2 3 4 1" elevation="1 1  0 0  0.5 0.5"/><hfield name="flat" nrow="201" ncol="201" size="30 30 5 1"/></asset>
<worldbody><geom type="hfield" hfield="h"/><geom type="hfield" hfield="flat" pos="50 0 1"/>
<body name="low" pos="0 0 1.2"><joint type="slide" axis="0 0 1"/><geom size="0.5"/></body>
<body name="high" pos="0 2.999 5"><joint type="slide" axis="0 0 1"/><geom size="0.1"/></body>
<body name="near" pos="0 -2.999 5"><joint type="slide" axis="0 0 1"/><geom size="0.1"/></body>
<body name="plain" pos="40 20 2"><joint type="slide" axis="0 0 1"/><geom size="0.5"/></body></worldbody></mujoco>
X
import slope.xml
[ "$(wc -c <model.lua)" -lt 4000 ] || fail "a flat height field takes $(wc -c <model.lua) bytes"
try "height fields" <<'LUA'
w:step(1500)
local function z(name) return (select(3, made.bodies[name]:position())) end
near(z "plain", 1.5, 1e-4)
-- between the slopes 4 / 3 and 2 / 3 a ball on the z axis touches the steeper one
near(z "low", 0.5 * math.sqrt(1 + (4 / 3) ^ 2), 1e-3)
assert(z "high" > 4 and z "high" < 4.2 and z "near" > 2 and z "near" < 2.2)
LUA

# Sizes that are not above 0 are errors, as are height fields and planes that move.
# refused SIZE JOINT GEOM TEXT
refused() {
  echo "<mujoco><asset>
<hfield name='h' nrow='2' ncol='2' size='$1' elevation='0 0 1 1'/></asset><worldbody><body name='b'>$2
<geom name='g' $3/></body></worldbody></mujoco>" >bad.xml
  "$scree" import bad.xml --table >out 2>err && fail "$1 $2 $3: no error"
  has err "$4"
}
field="type='hfield' hfield='h'"
for size in '-1 1 1 1' '1 0 1 1' '1 1 -1 1' '1 1 1 0'; do
  refused "$size" "" "$field" 'bad.xml:2: <hfield name="h">: size must be above 0, but is '
done
for joint in "<freejoint/>" "<joint type='slide'/>"; do
  refused '1 1 1 1' "$joint" "$field mass='1'" 'bad.xml:3: <geom name="g">: a height field needs a body that does not move, and "b" moves'
  refused '1 1 1 1' "$joint" "type='plane' size='1 1 1'" 'bad.xml:3: <geom name="g">: a plane needs a body that does not move, and "b" moves'
done
echo "<mujoco><asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1'/></asset><worldbody><body><body><geom $field/><geom type='plane' size='1 1 1'/></body></body>
<geom type='hfield'/></worldbody></mujoco>" >welded.xml
import welded.xml
echo "<mujoco><worldbody><body><joint/><geom size='1'/><body name='b'>
<geom name='g' type='plane' size='1 1 1'/></body></body></worldbody></mujoco>" >carried.xml
"$scree" import carried.xml --table >out 2>carried && fail "a plane on a moving parent"
has carried 'carried.xml:2: <geom name="g">: a plane needs a body that does not move, and "b" moves'
has err 'welded.xml:2: <geom>: it names no height field'
has err '1 warning'

# A field of 201 x 201 heights is a scene of less than 1 MiB, and runs.
awk 'BEGIN { printf "<mujoco><asset><hfield name=\"h\" nrow=\"201\" ncol=\"201\" size=\"9 9 1 1\" elevation=\""; for (i = 0; i < 201 * 201; i++) printf "%.3f ", (i * 7919 % 1000) / 1000
  print "\"/></asset><worldbody><geom type=\"hfield\" hfield=\"h\"/><body pos=\"0 0 3\"><freejoint/><geom size=\"0.5\"/></body></worldbody></mujoco>" }' >rough.xml
import_scene rough.xml
[ "$(wc -c <model.lua)" -lt 1048576 ] || fail "201 x 201 heights take $(wc -c <model.lua) bytes"
sed -i 's/stop = { time = 1 }/stop = { time = 0.02 }/' model.lua
"$scree" run model.lua >out 2>&1 || fail "a scene with a height field: $(cat out)"

# A model that is too large to be read again is refused, not written.
awk 'BEGIN { printf "<mujoco><asset><mesh name=\"m\" vertex=\""; for (i = 0; i < 400000; i++) printf "%.9f %.9f %.9f ", i / 4e5, (i * 7919 % 1000) / 1000, (i % 13) / 13
  print "\"/></asset><worldbody><geom type=\"mesh\" mesh=\"m\"/></worldbody></mujoco>" }' >huge.xml
"$scree" import huge.xml -o huge.lua >out 2>err && fail "a scene of $(wc -c <huge.lua) bytes is written"
has err 'MiB of Lua, and scree reads scenes of at most 16 MiB; nothing was written'
[ -e huge.lua ] && fail "a file that is too large is written"
cat >hand.lua <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local function model(shape) return { name = "m", links = { { name = "base", mass = 0, shapes = { shape } } } } end
for _, size in ipairs { { 0, 1 }, { 1, -1 }, { 0 / 0, 1 } } do
  local fine, why = pcall(robot.build, scree.world {}, model { type = "heights", rows = 2, columns = 2, size = size })
  assert(not fine and tostring(why):find("a height field needs sizes above 0", 1, true), why)
end
for _, bad in ipairs { { rows = 1, columns = 5 }, { rows = 2, columns = 2, heights = { 1, 2, 3 } } } do
  bad.type, bad.size = "heights", { 1, 1 }
  local fine, why = pcall(robot.build, scree.world {}, model(bad))
  assert(not fine and tostring(why):find("a height field needs at least 2 rows", 1, true), why)
end
LUA
"$scree" lua hand.lua >out 2>&1 || fail "hand: $(cat out)"
exit $failed
