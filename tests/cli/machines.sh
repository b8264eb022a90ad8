#!/usr/bin/env bash
# Machines of springs, servos and limits: an arm from a URDF picks up a box and puts it down, a ragdoll comes to rest within its limits, a car drives over hills, a clock goes.
. "$(dirname "$0")/../support/cli.sh"
figure() { awk -F '  +' -v name="$1" 'index($0, name " [") == 1 || index($0, name "  ") == 1 { print $2 }' out; }
run() { "$scree" run "$source/scenes/$1.lua" "${@:2}" -o run --force --quiet >out 2>&1 || { cat out; exit 1; }; }
holds() { awk -v a="$1" 'BEGIN { exit !(a != "" && ('"$2"')) }' || { echo "FAILED: $3: $1"; cat out; exit 1; }; }
run arm
holds "$(figure 'largest error of an angle')" 'a < 3e-3' "the arm follows its path"
holds "$(figure 'largest torque of the lift')" 'a < 150' "within the torque of its servos"
holds "$(figure 'box off its place')" 'a < 1e-3' "the box is where it was to go"
holds "$(figure 'height of the box')" 'a > 0.0299 && a < 0.0301' "and stands"
run ragdoll time=2.5
holds "$(figure 'largest twist')" 'a < 0.8 + 1e-6' "twist within its limits"
holds "$(figure 'largest swing')" 'a < 1.4 + 1e-6' "swing within its limits"
holds "$(figure 'error of the joints')" 'a < 1e-9' "joints of the ragdoll"
holds "$(figure 'largest speed at the end')" 'a < 1e-3' "the ragdoll comes to rest"
run ragdoll hold=3000 time=2.5
holds "$(figure 'largest turn from the pose')" 'a < 0.1' "servos hold the ragdoll's pose"
holds "$(figure 'largest speed at the end')" 'a < 1e-3' "and it comes to rest"
run car time=2
holds "$(figure speed)" 'a > 2 && a < 2.8' "speed of the car"
holds "$(figure upright)" 'a > 0.95' "the car stays upright"
holds "$(figure 'largest travel of a strut')" 'a > 0.005 && a < 0.2' "struts work"
run clock time=5.3
holds "$(figure periods)" 'a == 4' "the clock goes"
holds "$(figure 'teeth passed')" 'a > 3.99 && a < 4.01' "a tooth a period"
holds "$(figure departure)" 'a > -1e-3 && a < 1e-3' "period of the clock"
run clock time=5.3 torque=0
holds "$(figure swing)" 'a < 3.8' "without its torque it runs down"
echo "arm, ragdoll, car and clock"
