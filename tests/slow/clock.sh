#!/usr/bin/env bash
# The clock of scenes/clock.lua goes for a minute: a tooth a period, at the period of its pendulum, with a swing that stays.
. "$(dirname "$0")/../support/cli.sh"
figure() { awk -F '  +' -v name="$1" 'index($0, name " [") == 1 || index($0, name "  ") == 1 { print $2 }' out; }
holds() { awk -v a="$1" 'BEGIN { exit !(a != "" && ('"$2"')) }' || { echo "FAILED: $3: $1"; cat out; exit 1; }; }
"$scree" run "$source/scenes/clock.lua" time=62 -o run --force --quiet >out 2>&1 || { cat out; exit 1; }
holds "$(figure periods)" 'a == 60' "a minute"
holds "$(figure 'teeth passed')" 'a > 59.99 && a < 60.01' "a tooth a period"
holds "$(figure departure)" 'a > -1e-3 && a < 1e-3' "its period"
holds "$(figure swing)" 'a > 3.8 && a < 4.8' "its swing"
