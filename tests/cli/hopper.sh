#!/bin/bash
# The hopper runs with every kind of grain, none leaves through its walls, and two threads give the figures of one.
. "$(dirname "$0")/../support/cli.sh"
set -e
for grain in icosahedron capsule ellipsoid sphere; do
  "$scree" run -q -t 0.06 -o "$work/$grain" "$source/scenes/hopper.lua" grain=$grain width=7 outlet=4 fill=0.02 >"$work/out"
  poured=$(awk '/grains poured/ { print $NF }' "$work/out")
  [ "$poured" -gt 50 ] || { echo "FAILED: $poured grains of $grain"; exit 1; }
done
for threads in 1 2; do
  "$scree" run -q -t 0.04 -j $threads -o "$work/$threads" "$source/scenes/hopper.lua" grain=capsule width=12 fill=0.04 >/dev/null
done
cmp "$work/1/series.csv" "$work/2/series.csv"
if "$scree" run -q -o "$work/none" "$source/scenes/hopper.lua" grain=cube 2>"$work/error"; then echo "FAILED: a cube was poured"; exit 1; fi
grep -q "grain must be" "$work/error"
