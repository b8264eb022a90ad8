#!/usr/bin/env bash
# A bonded block that hits a floor and loses bonds, stopped before, while and after they break and resumed, equals the straight run in every bit.
. "$(dirname "$0")/../support/cli.sh"

cat > scene.lua <<'LUA'
return {
  params = { stop = -1 },
  world = { gravity = { 0, 0, -9.81 }, dt = 2e-4 },
  setup = function(w)
    w:pair { "default", "default", mu = 0.4 }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 0, 26 do
      w:sphere { radius = 0.01, position = { 0.02 * (i % 3), 0.02 * (i // 3 % 3), 0.012 + 0.02 * (i // 9) }, velocity = { 0.3, 0, -2 }, group = 1 }
    end
    w:bond { group = 1, distance = "1 um", young = 1e8, damping = 1e-4, strength = { tension = "20 kPa", shear = "30 kPa", bending = "40 kPa", twist = "5 kPa" } }
  end,
  after_step = function(w, p)
    if w:steps() == p.stop then os.execute "kill -TERM $PPID" end
  end,
  report = function(w)
    local seen = {}
    for _, b in ipairs(w:broken_joints()) do seen[#seen + 1] = ("%s %.17g %.17g %d"):format(b.cause, b.force, b.time, b.joint) end
    io.open("broken.txt", "w"):write(table.concat(seen, "\n")):close()
    return { { "broken", #seen, "" } }
  end,
  output = { trajectory = { every = 0.002, precision = "exact", fields = { "position", "orientation", "velocity", "spin", "contacts" } } },
  stop = { steps = 150 },
}
LUA
"$scree" run scene.lua -o straight --quiet --trust --threads 1 > out.txt 2>&1 || stop "the straight run: $(cat out.txt)"
mv broken.txt straight.txt
[ "$(wc -l < straight.txt)" -gt 5 ] || stop "too few broke: $(cat straight.txt)"
[ "$(cut -d ' ' -f 1 straight.txt | sort -u | wc -l)" -gt 1 ] || stop "one cause alone: $(cat straight.txt)"
for at in 3 40 90; do
  "$scree" run scene.lua -o part_$at --quiet --trust --threads 2 stop=$at > out.txt 2>&1
  [ $? = 75 ] || stop "no stop after step $at: $(cat out.txt)"
  "$scree" resume part_$at --quiet --trust --threads 1 > out.txt 2>&1 || stop "resume after step $at: $(cat out.txt)"
  [ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' "part_$at/run.json")" ] || stop "after step $at: another hash"
  cmp straight.txt broken.txt > diff.txt || stop "after step $at: $(cat diff.txt)"
  "$scree" diff straight/trajectory.scree "part_$at/trajectory.scree" > diff.txt || stop "after step $at: $(cat diff.txt)"
done
echo "restarts of a bonded block equal the straight run"
