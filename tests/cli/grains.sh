#!/usr/bin/env bash
# Grains from files: the examples of docs/grains-from-files.md, scree import, the sandbox, overlaps in check and run, and round trips through exports.
. "$(dirname "$0")/../support/cli.sh"

# Examples of the page write the files that they read, so they run with trust.
awk '/^```lua$/ { file = "example-" NR ".lua"; next } /^```/ { file = ""; next } file { print > file }' "$source/docs/grains-from-files.md"
count=0
for script in example-*.lua; do
  "$scree" lua --trust "$script" > out 2>&1 || fail "$script: $(cat out)"
  count=$((count + 1))
done
[ $count = 2 ] || fail "$count examples"

# a scene of a file, and what check says of it: two balls 0.25 mm deep in each other, a third one free
printf 'x [mm];y [mm];z [mm];d [mm]\n0;0;10;19,5\n19,5;0;10;20\n60;0;10;20\n' > soft.csv
"$scree" import soft.csv -o soft.lua --density 2500 > out || fail "import: $(cat out)"
has out '3 grains of a text file in soft.lua'
has soft.lua 'columns of the file: x, y, z, d'
has soft.lua 'file = "soft.csv"'
"$scree" check soft.lua > out 2> err || fail "check: $(cat out err)"
has out 'bodies            3, of which 3 move'
has out 'initial overlaps  1, the largest 0.00025 m'
has out 'the mean 0.00025 m'
"$scree" run -q soft.lua -o soft > out 2> err || fail "run: $(cat err)"
has err 'note: bodies overlap at the start in 1 place, at most by 0.00025 m, in the mean by 0.00025 m'
"$scree" check --json soft.lua > out 2> err || fail "check --json: $(cat err)"
has out '"mean_overlap": 0.00025'
"$scree" import soft.csv --columns x=1,y=2,z=3,radius=4 > table.lua 2> err || fail "import --columns: $(cat err)"
has table.lua 'columns = { radius = 4, x = 1, y = 2, z = 3 },'
"$scree" import soft.csv --columns x=1,dia=2 > out 2> err && fail "a field that is none"
has err "did you mean 'diameter'?"
"$scree" import soft.csv --table > out 2> err && fail "--table of grains"
has err 'is for robots'
echo '<robot name="r"><link name="a"/></robot>' > r.urdf
"$scree" import r.urdf > out 2> err || grep -q 'XML library' err || fail "a robot is still one: $(cat err)"

# the sandbox reads files in the folder of the script only
mkdir -p inside
cat > inside/out.lua <<'LUA'
local scree = require "scree"
print(pcall(scree.read_grains, { file = "../soft.csv" }))
print(pcall(scree.read_grains, { file = "link.csv" }))
LUA
ln -s ../soft.csv inside/link.csv
(cd inside && "$scree" lua out.lua) > out 2>&1
has out 'a script in the sandbox reads files in or below its own folder'
has out 'leads out of the folder it lies in'

# what scree exports comes back: positions and velocities to the digits of each format, all bits of CSV and NPZ
cat > made.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    w:insert { region = { min = { 0, 0, 0.1 }, max = { 0.3, 0.3, 0.3 } }, count = 50, radius = 0.01, radius_max = 0.02, velocity = { 0.1, 0.2, 0 }, group = 3 }
  end,
  output = { trajectory = { every = 0.01 } },
  stop = { steps = 20 },
}
LUA
"$scree" run -q made.lua -o made > out 2> err || fail "made: $(cat err)"
for format in csv npz dump xyz gsd vtp; do
  "$scree" export made --format $format -o back-$format > out 2>&1 || fail "export $format: $(cat out)"
done
cat > back.lua <<'LUA'
local scree = require "scree"
local function files(folder)
  local out = {}
  for name in io.popen("ls " .. folder):lines() do if name:match "%.csv$" or name:match "%.npz$" or name:match "%.gz$" or name:match "%.gsd$" or name:match "%.vtp$" then out[#out + 1] = folder .. "/" .. name end end
  table.sort(out)
  return out
end
local t = scree.open "made/trajectory.scree"
local last = t:frame(-1)
for format, digits in pairs { csv = 0, npz = 0, dump = 1e-8, xyz = 1e-8, gsd = 1e-6, vtp = 1e-6 } do
  local list = files("back-" .. format)
  local w = scree.world {}
  local n, info = w:read_grains { file = list[#list] }
  assert(n == 50, ("%s: %d grains, %d left out"):format(format, n, info.left_out))
  local x, r, ids = w:view "position":totable(), w:view "radius":totable(), w:view "source_id":totable()
  local row = {}
  for i, id in ipairs(last.id) do row[id] = i end
  for i = 1, 50 do
    local k = assert(row[math.tointeger(ids[i])], format)
    assert(math.abs(r[i] - last.radius[k]) <= digits * last.radius[k], format .. ": radius")
    for c = -2, 0 do assert(math.abs(x[3 * i + c] - last.position[3 * k + c]) <= digits, ("%s: position %.17g %.17g"):format(format, x[3 * i + c], last.position[3 * k + c])) end
  end
end
LUA
"$scree" lua --trust back.lua > out 2>&1 || fail "round trips: $(cat out; ls back-*)"
exit $failed
