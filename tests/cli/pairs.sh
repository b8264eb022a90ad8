#!/usr/bin/env bash
# What pairs of hulls, of shapes and meshes and of bodies of several parts remember is not in checkpoints: a run that is stopped and resumed equals the straight run in every bit, with one thread and two,
# and where contacts move with their bodies through substeps.
. "$(dirname "$0")/../support/cli.sh"

cat > scene.lua <<'LUA'
local scree = require "scree"
local points = {}
for i = 1, 14 do points[i] = { math.sin(1.7 * i), 0.9 * math.cos(2.3 * i), math.sin(3.1 * i + 1) } end
local function ground(n, a)
  local p, t = {}, {}
  for i = 0, n do
    for k = 0, n do p[#p + 1] = { (i - n / 2) * a, (k - n / 2) * a, 0.3 * math.sin(2 * i) * math.cos(3 * k) } end
  end
  for i = 0, n - 1 do
    for k = 1, n do
      local c = i * (n + 1) + k
      t[#t + 1] = { c, c + n + 1, c + 1 }
      t[#t + 1] = { c + n + 1, c + n + 2, c + 1 }
    end
  end
  return { points = p, triangles = t }
end
return {
  params = { stop = -1, substeps = 1 },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = 1 / 120, substeps = p.substeps, reuse_contacts = p.substeps > 1, solver = { iterations = 10 } } end,
  setup = function(w)
    w:pair { "default", "default", mu = 0.5 }
    w:mesh(ground(16, 1))
    local hull = { type = "hull", geometry = scree.geometry.hull { points = points } }
    local kinds = { { hull }, { hull, { type = "box", size = { 1, 1, 1 }, position = { 1.2, 0, 0 } } }, { { type = "box", size = { 1, 1, 2 } } } }
    for i = 0, 119 do
      w:body { shapes = kinds[1 + i % 3], position = { i % 5 * 2.6 - 5, i // 5 % 5 * 2.6 - 5, 2 + i // 25 * 2.6 }, orientation = { math.cos(i), math.sin(i), 0, 0.3 } }
    end
  end,
  after_step = function(w, p)
    if w:steps() == p.stop then os.execute "kill -TERM $PPID" end
  end,
  stop = { steps = 240 },
}
LUA
"$scree" run scene.lua -o straight --quiet --trust --threads 1 > out.txt 2>&1 || stop "the straight run: $(cat out.txt)"
same() { [ "$(grep '"hash"' "${2:-straight}/run.json")" = "$(grep '"hash"' "$1/run.json")" ] || stop "$1: another hash"; }
"$scree" run scene.lua -o two --quiet --trust --threads 2 > out.txt 2>&1 || stop "two threads: $(cat out.txt)"
same two
for at in 90 151 217; do
  "$scree" run scene.lua -o part_$at --quiet --trust --threads $((1 + at % 2)) stop=$at > out.txt 2>&1
  [ $? = 75 ] || stop "no stop after step $at: $(cat out.txt)"
  "$scree" resume part_$at --quiet --trust --threads 1 > out.txt 2>&1 || stop "resume after step $at: $(cat out.txt)"
  same part_$at
done
"$scree" run scene.lua -o parts --quiet --trust --threads 1 substeps=2 > out.txt 2>&1 || stop "substeps: $(cat out.txt)"
[ "$(grep '"hash"' straight/run.json)" = "$(grep '"hash"' parts/run.json)" ] && stop "substeps change nothing"
"$scree" run scene.lua -o parts_117 --quiet --trust --threads 2 substeps=2 stop=117 > out.txt 2>&1
[ $? = 75 ] || stop "no stop among substeps: $(cat out.txt)"
"$scree" resume parts_117 --quiet --trust --threads 1 > out.txt 2>&1 || stop "resume of substeps: $(cat out.txt)"
same parts_117 parts
echo "what pairs remember changes no restart"
