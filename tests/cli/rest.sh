#!/usr/bin/env bash
# A wall at rest beside grains that settle: stopped at any step and resumed, on one thread or two, it ends in the same bits.
. "$(dirname "$0")/../support/cli.sh"

cat > scene.lua <<'LUA'
return {
  params = { stop = -1 },
  world = { dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", mu = 0.5 }
    w:halfspace { normal = { 0, 0, 1 } }
    for z = 0, 3 do
      for x = 0, 3 do w:box { size = { 0.2, 0.1, 0.08 }, position = { 0.2 * x + (z % 2) * 0.1, 0, 0.08 * (z + 0.5) } } end
    end
    for i = 0, 29 do w:sphere { radius = 0.02, position = { 0.045 * (i % 3), 1 + 0.045 * (i // 3 % 3), 0.03 + 0.05 * (i // 9) } } end
  end,
  after_step = function(w, p) if w:steps() == p.stop then os.execute "kill -TERM $PPID" end end,
  output = { trajectory = { every = 0.01, precision = "exact" } },
  stop = { steps = 120 },
}
LUA

"$scree" run scene.lua -o straight --quiet --trust --threads 1 > out.txt 2>&1 || stop "the straight run: $(cat out.txt)"
for at in 1 2 57; do
  "$scree" run scene.lua -o part_$at --quiet --trust --threads 1 stop=$at > out.txt 2>&1 && stop "the run did not stop after step $at"
  "$scree" resume part_$at --quiet --trust --threads 2 > out.txt 2>&1 || stop "resume after step $at: $(cat out.txt)"
  [ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' part_$at/run.json)" ] || stop "stopped after step $at: another hash"
done
echo "a wall at rest resumes in the same bits"
