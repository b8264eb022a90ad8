#!/bin/bash
# The mechanism scenes against what they must show: kinematics of the slider-crank, a grip that does not creep, the lift of the cone law.
. "$(dirname "$0")/../support/cli.sh"
# figure NAME: its value in the last run's table
figure() { awk -F '  +' -v name="$1" 'index($0, name " [") == 1 { print $2 }' out; }
run() { "$scree" run "$source/scenes/$1.lua" "${@:2}" -o run --force --quiet >out 2>&1 || { cat out; exit 1; }; }
holds() { awk -v a="$1" 'BEGIN { exit !(a != "" && ('"$2"')) }' || { echo "FAILED: $3: $1"; cat out; exit 1; }; }
run slider_crank
holds "$(figure 'largest departure from the kinematics')" 'a < 1e-9' slider-crank
run gripper
holds "$(figure creep)" 'a < 1e-6' "creep of the grip"
holds "$(figure height)" 'a > 0.22 && a < 0.24' "lifted"
run gripper force=5
holds "$(figure height)" 'a < 0.06' "a weak grip must not lift"
for solver in nbgs apgd spg; do
  run bowling_artifact solver=$solver
  lift=$(figure 'mu dt s')
  holds "$(figure height)" "a > 0.99 * $lift && a < 1.01 * $lift" "lift under cone by $solver"
  run bowling_artifact law=coulomb solver=$solver
  holds "$(figure height)" 'a < 1e-6 && a > -1e-6' "no lift under coulomb by $solver"
done
run bowling_artifact law=max_dissipation solver=nbgs
holds "$(figure height)" 'a < 1e-6 && a > -1e-6' "no lift under max_dissipation"
run four_balls h=0.000625
holds "$(figure landing)" 'a > 0.42735 && a < 0.42935' "landing of the thrown ball"
holds "$(figure collision)" 'a > 0.58121 && a < 0.58321' "collision of the balls"
echo "mechanisms: all figures hold"
