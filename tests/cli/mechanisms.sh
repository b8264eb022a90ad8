#!/bin/bash
# The mechanism scenes against what they must show: kinematics of linkages, closed forms of drives, balances of force and momentum, a grip that does
# not creep, the lift of the cone law, the events of the rod; and a run that is resumed with joints has the bits of one that was not stopped.
. "$(dirname "$0")/../support/cli.sh"
# figure NAME: its value in the last run's table
figure() { awk -F '  +' -v name="$1" 'index($0, name " [") == 1 || index($0, name "  ") == 1 { print $2 }' out; }
run() { "$scree" run "$source/scenes/$1.lua" "${@:2}" -o run --force --quiet >out 2>&1 || { cat out; exit 1; }; }
holds() { awk -v a="$1" 'BEGIN { exit !(a != "" && ('"$2"')) }' || { echo "FAILED: $3: $1"; cat out; exit 1; }; }
run slider_crank
holds "$(figure 'largest departure from the kinematics')" 'a < 1e-9' slider-crank
run four_bar
holds "$(figure 'largest departure from the kinematics')" 'a < 1e-12' "four-bar linkage under load"
holds "$(figure 'strokes that met the block')" 'a == 3' "strokes of the paddle"
run hoist
holds "$(figure acceleration)" "a > $(figure 'by the formula') - 1e-5 && a < $(figure 'by the formula') + 1e-5" "acceleration of the hoist"
holds "$(figure 'torque at speed')" "a > $(figure 'weight at the motor') - 1e-5 && a < $(figure 'weight at the motor') + 1e-5" "torque of the hoist"
run double_pendulum dt=4e-4 time=1
coarse=$(figure 'largest distance from the exact motion')
run double_pendulum dt=1e-4 time=1
holds "$(figure 'largest distance from the exact motion')" "$coarse / a > 14 && $coarse / a < 18" "order of the double pendulum"
holds "$(figure 'error of the hinges')" 'a < 1e-12' "hinges of the double pendulum"
run bulldozer time=0.05 dt=1e-3
holds "$(figure 'momentum less what motor and walls gave')" 'a < 1e-10 && a > -1e-10' "momentum of blade and grains"
holds "$(figure momentum)" 'a > 0.5' "the blade pushes"
run ferris_wheel time=0.8 grains=16
holds "$(figure 'grains aboard')" 'a == 96' "grains in the buckets"
holds "$(figure 'mean force on the axle')" "a / $(figure weight) > 0.95 && a / $(figure weight) < 1.05" "weight on the axle"
run rod_table
holds "$(figure 'largest error of these')" 'a < 1e-3' "velocities after the rod's impact"
holds "$(figure 'first contact')" 'a > 0.384818 && a < 0.386818' "the rod's first contact"
run gripper
holds "$(figure creep)" 'a < 1e-6' "creep of the grip"
holds "$(figure height)" 'a > 0.22 && a < 0.24' "lifted"
run gripper force=5
holds "$(figure height)" 'a < 0.06' "a weak grip must not lift"
for shape in block sphere; do
  for solver in nbgs apgd spg; do
    run bowling_artifact shape=$shape solver=$solver
    holds "$(figure height)" "a > 0.99 * $(figure 'mu dt s') && a < 1.01 * $(figure 'mu dt s') && a > 0.2" "lift of a $shape under cone by $solver"
    holds "$(figure 'largest difference in the run')" 'a < 1e-6' "lift of a $shape all the time by $solver"
    holds "$(figure slip)" "a > 0.99 * $(figure 'slip by Coulomb') && a < 1.01 * $(figure 'slip by Coulomb')" "slip of a $shape under cone"
    run bowling_artifact law=coulomb shape=$shape solver=$solver
    holds "$(figure height)" 'a < 1e-6 && a > -1e-6' "no lift of a $shape under coulomb by $solver"
  done
  run bowling_artifact law=max_dissipation shape=$shape solver=nbgs
  holds "$(figure 'largest difference in the run')" 'a < 1e-6' "no lift of a $shape under max_dissipation"
done
run four_balls h=0.000625
holds "$(figure landing)" 'a > 0.42735 && a < 0.42935' "landing of the thrown ball"
holds "$(figure collision)" 'a > 0.58121 && a < 0.58321' "collision of the balls"
# joints keep impulses, turns and motors over a stop and a restart; so do handles in w.state and in locals of the scene
for scene in hoist four_bar gripper; do
  hold=$([ $scene = gripper ] && echo hold=0.2)
  "$scree" run "$source/scenes/$scene.lua" $hold -o whole --force --quiet >out 2>&1 || { cat out; exit 1; }
  end=$(sed -n 's/.*"report": {"time": \([^,]*\),.*/\1/p' whole/run.json)
  "$scree" run "$source/scenes/$scene.lua" $hold -o parts --force --quiet --time "$(awk -v t="$end" 'BEGIN { printf "%.17g", t / 2 }')" --final-checkpoint >out 2>&1 || { cat out; exit 1; }
  "$scree" resume parts --quiet --until "$end" >out 2>&1 || { cat out; exit 1; }
  cmp whole/series.csv parts/series.csv && [ "$(grep '"hash"' whole/run.json)" = "$(grep '"hash"' parts/run.json)" ] || { echo "FAILED: $scene resumed differs"; exit 1; }
done
echo "mechanisms: all figures hold"
