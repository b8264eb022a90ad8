#!/usr/bin/env bash
# scenes/car_on_grains.lua: it drives, stays upright, its struts work and no grain leaves the bed.
. "$(dirname "$0")/../support/cli.sh"
figure() { awk -F '  +' -v name="$1" 'index($0, name " [") == 1 || index($0, name "  ") == 1 { print $2 }' out; }
holds() { awk -v a="$1" 'BEGIN { exit !(a != "" && ('"$2"')) }' || { echo "FAILED: $3: $1"; cat out; exit 1; }; }
"$scree" run "$source/scenes/car_on_grains.lua" -o run --force --quiet >out 2>&1 || { cat out; exit 1; }
holds "$(figure way)" 'a > 1' "the car drives on grains"
holds "$(figure aside)" 'a > -0.5 && a < 0.5' "within its bed"
holds "$(figure upright)" 'a > 0.95' "the car stays upright"
holds "$(figure height)" 'a > 0.5 && a < 0.75' "it stands on the bed"
holds "$(figure 'largest travel of a strut')" 'a > 0.005 && a < 0.2' "struts work"
