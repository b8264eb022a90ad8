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

# the whole scene of a file: comments, cell, frame, unit and columns; and what it makes
printf 'ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\nITEM: ATOMS id x y z radius\n1 7 7 7 1\nITEM: TIMESTEP\n5\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS xy xz yz pp pp ff\n0 2500 250\n0 3750 250\n-1000 3000 750\nITEM: ATOMS id type x y z radius\n4 iron 500 1000 2000 100\n9 sand 1500 2500 2500 200\n' >two.dump
"$scree" import two.dump --unit mm --density 2500 -o two.lua >out 2>&1 || fail "import: $(cat out)"
cat >two.want <<'LUA'
-- Grains of two.dump, read by scree as lammps-dump.
-- 2 grains, radii 0.1 m to 0.2 m; frame 2 of 2
-- columns of the file: id, type, x, y, z, radius
-- read: x, y, z, radius, id, type
-- types: iron, sand
return {
  world = {
    gravity = { 0, 0, -9.81 },
    cell = { origin = { 0, 0, -1 }, size = { 2, 3.010398645, 4.077376608 }, periodic = { true, true, false } },
  },
  setup = function(w)
    w:cell():set_matrix { { 2, 0.25, 0.25 }, { 0, 3, 0.75 }, { 0, 0, 4 } }
    w:read_grains {
      file = "two.dump",
      format = "lammps-dump",
      frame = 2,
      unit = "mm",
      density = 2500,
    }
  end,
  stop = { time = 1 },
}
LUA
diff two.want two.lua >out || fail "the scene of a dump: $(cat out)"
"$scree" import two.dump --frame 1 --columns ' x = 4, y=y ,z=3,radius=5' >one.lua 2>err || fail "import: $(cat err)"
cat >one.want <<'LUA'
-- Grains of two.dump, read by scree as lammps-dump.
-- 1 grains, radii 1 m to 1 m; frame 1 of 2
-- columns of the file: id, x, y, z, radius
-- read: x, y, z, radius, id
-- The file has no density: give density = ... or a material.
return {
  world = {
    gravity = { 0, 0, -9.81 },
    cell = { origin = { 0, 0, 0 }, size = { 9, 9, 9 }, periodic = { true, true, true } },
  },
  setup = function(w)
    w:read_grains {
      file = "WORK/two.dump",
      format = "lammps-dump",
      frame = 1,
      columns = { radius = 5, x = 4, y = "y", z = 3 },
    }
  end,
  stop = { time = 1 },
}
LUA
sed "s|WORK/|$(pwd -P)/|" one.want | diff - one.lua >out || sed "s|WORK/||" one.want | diff - one.lua >out || fail "the scene of a frame: $(cat out)"
has err '1 grains of a lammps-dump file'
# a box without periodic edges, masses, clumps, walls of scree's own files, and a file behind a mark of byte order
printf '\xef\xbb\xbf\n <x> y z r mass clump kind\n0 1 2 3 4 5 0\n0 9 2 3 4 6 1\n' >odd.txt
"$scree" import odd.txt >odd.lua 2>err && fail "XML: $(cat odd.lua)"
printf '\xef\xbb\xbfx y z r mass clump kind\n0 1 2 3 4 5 0\n0 9 2 3 4 6 1\n' >odd.txt
mkdir -p deep
"$scree" import odd.txt -o deep/odd.lua >out 2>err || fail "import: $(cat err)"
has deep/odd.lua '-- left out: 1 rows that are walls'
has deep/odd.lua '-- Rows of the same clump become one body.'
has deep/odd.lua "file = \"$(pwd -P)/odd.txt\","
grep -q 'has no density\|frame =' deep/odd.lua && fail "of a file with masses: $(cat deep/odd.lua)"
printf '2 0.5 -1 -2 -3 9 8 6\n1 2 3 .1 .2 .3 .5 0 0 0 4 5 6 3\n4 5 6 .4 .5 .6 1 0 0 0 7 8 9 2\n' >flow.data
"$scree" import flow.data -o flow.lua >out 2>err || fail "import: $(cat err)"
has flow.lua '  -- box of the file: origin { -1, -2, -3 }, size { 10, 10, 9 }; no walls come with it'
grep -q 'cell' flow.lua && fail "a cell without periodic edges: $(cat flow.lua)"
"$scree" import two.dump --columns x >out 2>err && fail "columns without a name"
has err '--columns: "x" is not FIELD=COLUMN'
"$scree" import nowhere.csv >out 2>err && fail "a file that does not exist"
has err 'nowhere.csv: No such file'

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
