#!/usr/bin/env bash
# A table shaken by a recorded motion and a drum on a moving pivot, in the sandbox: a run that stops and is resumed equals the straight run in every bit.
. "$(dirname "$0")/../support/cli.sh"
printf 'time [ms];x [mm];a [gal]\n0;0;0\n50;3,5;120\n100;-2;-300\n150;1;80\n300;0;0\n' > shake.csv
cat > scene.lua <<'LUA'
local motion = require "scree.motion"
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", mu = 0.4 }
    local plate = w:box { kind = "kinematic", name = "plate", size = { 1, 1, 0.1 }, position = { 0, 0, -0.05 } }
    local bar = w:box { kind = "kinematic", size = { 0.2, 0.05, 0.05 }, position = { 0, 0, 0.3 } }
    w:fill { region = { min = { -0.1, -0.1, 0 }, max = { 0.1, 0.1, 0.1 } }, spacing = 0.04, radius = 0.018 }
    motion.create(w, { body = plate, file = "shake.csv", interpolation = "cubic", columns = { ay = "a" }, correction = "quadratic" })
    motion.create(w, { body = bar, rotate = { axis = { 0, 1, 0 }, pivot = { 0, 0, 0.2 }, rate = "30 rpm" },
      translate = { amplitude = { 0, 0, "5 mm" }, frequency = 20 } })
  end,
  before_step = function(w) motion.update(w) end,
  output = { series = { every = 0.01, values = function(w) local x, y = w:find("plate"):position() return { x = x, y = y } end } },
  stop = { time = 0.2 },
}
LUA
"$scree" run scene.lua -o straight --quiet --threads 1 > out.txt 2>&1 || stop "the straight run: $(cat out.txt)"
# the table at 0.1 s, and at its last time: x of the file in metres
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) { if ($k == "time") t = k; if ($k == "x") x = k } next }
  $t > 0.0999 && $t < 0.1001 { seen = 1; if ($x < -0.002 - 1e-15 || $x > -0.002 + 1e-15) exit 1 } END { exit !seen }' straight/series.csv ||
  stop "x at 0.1 s is not that of the table: $(cat straight/series.csv)"
for at in 0.035 0.1; do
  rm -rf part
  "$scree" run scene.lua -o part --quiet --threads 1 --time $at --final-checkpoint > out.txt 2>&1 || stop "a run of $at s: $(cat out.txt)"
  "$scree" resume part --until 0.2 --quiet --threads 2 > out.txt 2>&1 || stop "resume after $at s: $(cat out.txt)"
  [ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' part/run.json)" ] || stop "resumed after $at s: another hash"
done
# a wrong row is named when the scene is checked
printf 'time,x,a\n0,0,0\n1,2,3\n1,3,4\n' > shake.csv
"$scree" check scene.lua > out.txt 2>&1 && stop "a table whose times do not rise is accepted"
grep -q 'shake.csv:4: the time 1 s is not after 1 s' out.txt || stop "the message lacks file and line: $(cat out.txt)"
# blocks that leave the domain: the run ends well, their columns are nan, and their number is printed once
cat > lost.lua <<'LUA'
local motion = require "scree.motion"
return {
  world = { gravity = { 0, 0, -10 }, dt = 1e-2, domain = { min = { -9, -9, -1 }, max = { 9, 9, 9 } } },
  setup = function(w)
    w:box { name = "table", kind = "kinematic", size = { 1, 1, 0.1 }, position = { 5, 5, -0.05 } }
    for k, height in ipairs { 0.5, 2, 8 } do w:box { name = "b" .. k, size = { 0.2, 0.2, 0.2 }, position = { 0, k, height } } end
  end,
  output = { series = { every = 0.1, values = function(w) return motion.displacements(w, { "b1", "b2", "b3" }, "table") end } },
  stop = { time = 1 },
}
LUA
"$scree" run lost.lua -o lost --quiet > out.txt 2>&1 || stop "blocks that leave end the run: $(cat out.txt)"
[ "$(grep -c "displacements: warning: 1 of 4 bodies is gone at 0.6 s" out.txt)" = 1 ] || stop "the first block that leaves: $(cat out.txt)"
[ "$(grep -c "displacements: warning: 2 of 4 bodies are gone at 0.8 s" out.txt)" = 1 ] || stop "the second block that leaves: $(cat out.txt)"
awk -F, 'NR == 1 { for (k = 1; k <= NF; k++) { if ($k == "b1_z [m]") gone = k; if ($k == "b3_z [m]") stays = k } }
  END { exit !(NR == 12 && $gone == "nan" && $stays < -4.9 && $stays > -5.6) }' lost/series.csv ||
  stop "displacements of lost blocks: $(cat lost/series.csv)"
echo "resumed motions equal the straight run"
