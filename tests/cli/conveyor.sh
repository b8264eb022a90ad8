#!/bin/bash
# The belts carry what is fed: the mass fed is the rate times the time, all of it is still there, and two threads give the figures of one.
. "$(dirname "$0")/../support/cli.sh"
for threads in 1 2; do
  "$scree" run -q -t 0.6 -j $threads -o "$work/$threads" "$source/scenes/conveyor.lua" rate=1 speed=0.8 > out.txt 2>&1 || stop "$(cat out.txt)"
done
cmp "$work/1/series.csv" "$work/2/series.csv" || fail "two threads give other figures"
awk '$1 == "fed" { fed = $NF } $1 == "waiting" { waiting = $NF } $1 == "grains" { grains = $NF }
  END { exit !(fed + waiting > 0.599 && fed + waiting < 0.602 && waiting < 0.015 && grains > 250) }' out.txt || fail "figures: $(cat out.txt)"
exit $failed
