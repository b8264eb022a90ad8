#!/usr/bin/env bash
# Declared measurements of every kind against values known beforehand: five spheres of 1 kg and diameter 1 m rest in a column, a
# sixth falls beside them. Declared in YAML and in the scene they give the same files.
. "$(dirname "$0")/../support/cli.sh"

cat > column.lua <<'LUA'
return {
  world = { dt = 1e-3, gravity = { 0, 0, -10 }, solver = { iterations = 400, tolerance = 1e-12 } },
  setup = function(w)
    w:halfspace { name = "floor", normal = { 0, 0, 1 } }
    for i = 1, 5 do w:sphere { radius = 0.5, position = { 0.5, 0.5, i - 0.5 }, density = 6 / math.pi } end
    w:sphere { radius = 0.5, position = { 10, 0.5, 2.1 }, density = 6 / math.pi }
  end,
  output = { series = { every = 0.1 } },
  stop = { time = 0.2 },
}
LUA
cat > column.yaml <<'YAML'
scree: 1
scene: column.lua
measure:
  - {name: z, type: coordination, region: {max: [2, 2, 9]}}
  - {name: load, type: force, body: floor}
  - {name: low, type: count, region: {max: [2, 2, 2]}}
  - {name: core, type: stress, region: {min: [0, 0, -1 mm], max: [1, 1, 5]}, group: 0}
  - {name: down, type: flow, region: {point: [0, 0, 2], normal: [0, 0, -1]}}
  - {name: slab, type: flow, region: {min: [9, 0, 1.95], max: [11, 1, 2.05]}}
  - {name: field, type: profile, region: {min: [0, 0, 0], max: [1, 1, 5]}, cells: [1, 1, 5]}
  - {name: near, type: rdf, region: {min: [0, 0, 0], max: [1, 1, 5]}, reach: 1.6, bins: 2}
  - {name: f, type: force_distribution, reach: 2, bins: 5}
  - {name: grains, type: sizes, high: 1, bins: 4}
  - {name: grade, type: grading, sieves: [0.5, 2], target: {by: mass, passing: [[0.5, 0], [2, 1]]}}
YAML
"$scree" run column.yaml -q -o yaml > out.txt 2>&1 || stop "$(cat out.txt)"

# near WHAT VALUE EXPECTED TOLERANCE
near() { awk -v a="$2" -v b="$3" -v t="$4" 'BEGIN { exit !(a != "" && a - b <= t && b - a <= t) }' || fail "$1 is $2, not $3"; }
# cell FILE COLUMN ROW: rows from 1, the last where there is none
cell() { awk -F, -v name="$2" -v row="${3:-0}" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } c { v = $c } NR == row + 1 { exit } END { print v }' "yaml/$1.csv"; }
# columns TOLERANCE, then NAME VALUE in turn: the last row of the series
columns() {
  local tolerance=$1; shift
  while [ $# -gt 0 ]; do near "$1" "$(cell series "$1")" "$2" "$tolerance"; shift 2; done
}

columns 1e-9 bodies 7 contacts 5 penetration 0 mean_penetration 0
# 200 steps of free fall: v = g t, height 2.1 - g t^2 / 2
columns 1e-6 kinetic 2 momentum_x 0 momentum_z -2 max_speed 2 potential 144
# five carrying contacts between two ends each, one of them with the floor; the top sphere has one
columns 1e-9 z_grains 5 z_mean 1.8 z_loaded 2 low_grains 2
# the whole column weighs on the floor, at (0.5, 0.5)
columns 1e-6 load_x 0 load_y 0 load_z -50 load_torque_x -25 load_torque_y 25 load_torque_z 0
# forces times branches, the one of the floor from the point of contact: (50/2 + 40 + 30 + 20 + 10) J over 5.001 m3
columns 1e-5 core_zz 24.995001 core_xx 0 core_xz 0 core_pressure 8.331667
# the sixth falls through the plane; it is in the slab from sqrt(2 0.05/g) to sqrt(2 0.15/g)
near "down_inside at the start" "$(cell series down_inside 1)" 4 0
# in the last interval of 0.1 s
columns 1e-6 down_inside 3 down_entered 0 down_left 1 down_mass_left 1 down_rate_left 10 down_mass_entered 0 down_rate_entered 0
near "down_rate_left before" "$(cell series down_rate_left 2)" 0 0
columns 2e-3 slab_entered 1 slab_left 1 slab_residence 0.073205
for i in 1 2 3 4 5; do
  near count "$(cell field count $i)" 1 0
  near solid "$(cell field solid $i)" 0.5235987756 1e-9
  near velocity "$(cell field velocity_z $i)" 0 1e-9
  near spin "$(cell field spin_x $i)" 0 1e-9
  # 10 to 50 N, 30 N the mean: one contact in each bin
  near density "$(cell f density $i)" 0.5 1e-9
done
# four pairs at a distance of 1 m, one sphere a cubic metre: 2 * 4 / (5 * 4/3 pi (1.6^3 - 0.8^3))
near "g near" "$(cell near g 1)" 0 0
near "g at 1.2 m" "$(cell near g 2)" 0.1065774 1e-6
for i in 1 2 3 4; do near number "$(cell grains number $i)" $((i == 3 ? 6 : 0)) 0; near mass "$(cell grains mass $i)" $((i == 3 ? 6 : 0)) 1e-9; done

# the same list in the scene
sed '$d' column.lua > scene.lua
cat >> scene.lua <<'LUA'
  measure = {
    { name = "z", type = "coordination", region = { max = { 2, 2, 9 } } },
    { name = "load", type = "force", body = "floor" },
    { name = "low", type = "count", region = { max = { 2, 2, 2 } } },
    { name = "core", type = "stress", region = { min = { 0, 0, -1e-3 }, max = { 1, 1, 5 } } },
    { name = "down", type = "flow", region = { point = { 0, 0, 2 }, normal = { 0, 0, -1 } } },
    { name = "slab", type = "flow", region = { min = { 9, 0, 1.95 }, max = { 11, 1, 2.05 } } },
    { name = "field", type = "profile", region = { min = { 0, 0, 0 }, max = { 1, 1, 5 } }, cells = { 1, 1, 5 } },
    { name = "near", type = "rdf", region = { min = { 0, 0, 0 }, max = { 1, 1, 5 } }, reach = 1.6, bins = 2 },
    { name = "f", type = "force_distribution", reach = 2, bins = 5 },
    { name = "grains", type = "sizes", high = 1, bins = 4 },
    { name = "grade", type = "grading", sieves = { 0.5, 2 }, target = { by = "mass", passing = { { 0.5, 0 }, { 2, 1 } } } },
  },
}
LUA
"$scree" run scene.lua -q -o lua > out.txt 2>&1 || stop "$(cat out.txt)"
for file in series field near f grains grade; do cmp yaml/$file.csv lua/$file.csv || fail "$file.csv differs"; done
exit $failed
