#!/usr/bin/env bash
# scree import: which geoms of an MJCF file touch each other, and what its option element changes.
. "$(dirname "$0")/../support/import.sh"
try() {
  cat >try.lua
  run_try "$1" --trust
}

# Pairs of balls of radius 0.5 at a distance of 0.8, in rows 10 m apart, with all masks from 0 to 3.
# Two geoms touch if (contype1 & conaffinity2) or (contype2 & conaffinity1) is not 0.
{
  echo '<mujoco><worldbody>'
  row=0
  for c1 in 0 1 2 3; do for a1 in 0 1 2; do for c2 in 1 2 6; do for a2 in 0 1 3; do
    echo "<body name='a$row' pos='0 $((10 * row)) 0'><freejoint/><geom size='0.5' mass='1' contype='$c1' conaffinity='$a1'/></body>"
    echo "<body name='b$row' pos='0.8 $((10 * row)) 0'><freejoint/><geom size='0.5' mass='1' contype='$c2' conaffinity='$a2'/></body>"
    echo "$row $(((c1 & a2) || (c2 & a1)))" >>wanted
    row=$((row + 1))
  done; done; done; done
  echo '</worldbody></mujoco>'
} >masks.xml
import masks.xml
try "masks of contacts" <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local w = scree.world { dt = 1e-9, gravity = { 0, 0, 0 } }
local made = robot.build(w, require "model")
w:step()
local touching, rows, both = {}, 0, { 0, 0 }
for _, c in ipairs(w:contacts()) do
  touching[math.tointeger(c.point[2] // 10 + (c.point[2] % 10 > 5 and 1 or 0))] = 1
end
for line in io.lines "wanted" do
  local row, wanted = line:match "(%d+) (%d)"
  assert((touching[tonumber(row)] or 0) == tonumber(wanted), "row " .. line)
  local k = tonumber(wanted) + 1
  rows, both[k] = rows + 1, both[k] + 1
end
assert(rows == 108 and both[1] > 20 and both[2] > 20)
LUA

# A body whose parent does not move touches it; MJCF excludes only pairs of parent and child that move.
cat >ground.xml <<'X'
<mujoco><worldbody>
  <geom type="plane" size="9 9 1"/>
  <body name="post"><geom name="p" type="box" size="0.1 0.1 0.1" pos="5 0 0"/>
  <body name="foot" pos="0 0 1"><joint type="slide" axis="0 0 1"/><geom size="0.1" mass="1"/>
    <body name="toe"><joint name="j" type="hinge" axis="0 1 0" pos="0 0 0"/><geom size="0.05" pos="0.1 0 0" mass="1"/></body></body></body>
</worldbody></mujoco>
X
import ground.xml
try "a foot on a rail" <<'LUA'
local scree, robot = require "scree", require "scree.robot"
local w = scree.world { dt = 1e-3, gravity = { 0, 0, -9.81 } }
local made = robot.build(w, require "model")
w:step(1000)
local _, _, z = made.bodies.foot:position()
assert(math.abs(z - 0.1) < 1e-3, "the foot stands on the plane, not at " .. z)
LUA

# option: gravity and time step
cat >option.xml <<'X'
<mujoco><option gravity="0 0 -1.62" timestep="0.004"/>
<option integrator="RK4" wind="1 0 0" density="1.2" viscosity="0"/>
<worldbody><body name="b" gravcomp="1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>
X
import_scene option.xml
for text in 'option.xml:2: <option>: attribute integrator' 'option.xml:2: <option>: attribute wind' 'option.xml:2: <option>: attribute density' \
  'option.xml:3: <body name="b">: attribute gravcomp'; do has err "$text"; done
grep -q viscosity err && fail "a viscosity of 0 is listed"
try "gravity and time step" <<'LUA'
local scene = require "model"
assert(scene.world.gravity[1] == 0 and scene.world.gravity[3] == -1.62 and scene.world.dt == 0.004)
LUA
printf '<mujoco><option gravity="0 0 -5"><flag gravity="disable" contact="disable" energy="enable" limit="disable"/></option>\n%s' \
  '<worldbody><body name="a"><freejoint/><geom size="0.5"/></body><body name="b" pos="0.5 0 0"><freejoint/><geom size="0.5"/></body></worldbody></mujoco>' >flag.xml
import_scene flag.xml
has err 'flag.xml:1: <flag>: attribute limit'
grep -q "attribute energy" err && fail "an output flag is listed"
try "flags" <<'LUA'
local scree = require "scree"
local scene = require "model"
assert(scene.world.gravity[3] == 0 and scene.world.dt == 0.002)
local w = scree.world(scene.world)
scene.setup(w)
w:step()
assert(#w:contacts() == 0)
LUA
exit $failed
