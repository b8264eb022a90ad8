# Tests of scree import source this file instead of cli.sh. It skips the test in a build without expat.
. "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
echo "<robot/>" >probe.urdf
"$scree" import probe.urdf 2>&1 | grep -q "built without" && skip "built without expat"
gravity='{ 0, 0, 0 }' # of the world of `try`, as Lua code

# import FILE: writes model.lua, out and err. import_scene FILE: model.lua is a scene that builds the model.
import() { import_scene "$1" --table; }
import_scene() { "$scree" import "$@" -o model.lua >out 2>err || fail "$1: exit $?: $(cat err)"; }
# run_try NAME [OPTION]: runs try.lua. NAME: beginning of the message of a failure.
run_try() { "$scree" lua ${2-} try.lua >out 2>&1 || fail "$1: $(cat out)"; }
# try NAME [BUILD]: runs the Lua code of the standard input with the imported `model`, the world `w`, `made` by robot.build, `near` and `at`.
# BUILD: options of robot.build.
try() {
  {
    cat <<LUA
local scree, robot = require "scree", require "scree.robot"
local model = require "model"
local w = scree.world { dt = 1e-3, gravity = $gravity }
local made = robot.build(w, model, { ${2-} })
local function near(a, b, within) assert(math.abs(a - b) < (within or 1e-9) * math.max(1, math.abs(b)), a .. " is not " .. b) end
local function at(name, x, y, z)
  local X, Y, Z = made.bodies[name]:position()
  near(X, x) near(Y, y) near(Z, z)
end
LUA
    cat
  } >try.lua
  run_try "$1"
}
