#!/usr/bin/env bash
# Cylinders of bonded balls have the strength of theory where there is one, and bear more pressure than pull; an agglomerate breaks the more the faster it hits.
. "$(dirname "$0")/../support/cli.sh"
figure() { awk -F '  +' -v name="$1" 'index($0, name " [") == 1 || index($0, name "  ") == 1 { print $2 }' out.txt; }
holds() { awk "BEGIN { exit !($1) }" || stop "$2: $1: $(cat out.txt)"; }
go() { "$scree" run "$source/scenes/$1.lua" -o run --force --quiet "${@:2}" > out.txt 2>&1 || stop "$*: $(cat out.txt)"; }
go bonded_cylinder
theory=$(figure 'of rows that bear what one bond does')
holds "$(figure 'strength of the cylinder') > 0.995 * $theory && $(figure 'strength of the cylinder') < 1.005 * $theory" "strength of rows"
holds "$(figure 'strain there') > 0.48 && $(figure 'strain there') < 0.51" "strain of rows, 0.5 % by theory"
go bonded_cylinder sample=random speed=0.05
pull=$(figure 'strength of the cylinder') stiff=$(figure 'stiffness at its start')
go bonded_cylinder sample=random speed=0.05 load=compression
holds "$(figure 'strength of the cylinder') > 2 * $pull" "a random cylinder bears more pressure than pull"
holds "$(figure 'stiffness at its start') > 0.95 * $stiff && $(figure 'stiffness at its start') < 1.05 * $stiff" "one stiffness either way"
last=-1
for speed in 2 6 12; do
  go bonded_impact speed=$speed
  holds "$(figure broken) > $last + 5 || ($speed == 2 && $(figure broken) < 5)" "share of bonds broken at $speed m/s"
  last=$(figure broken)
done
holds "$(figure 'largest piece') < 50" "it flies to pieces at 12 m/s"
echo "strength and breaking of bonded samples are as they should be"
