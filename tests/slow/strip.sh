#!/bin/bash
# The channel of Preclik, Eibl and Rüde (2017) without its obstacle: volume fraction and mean speed of the paper (0.572; 0.84 m/s from its inflow
# of 65 x 20 grains every 0.94 ms and its 246992 grains on 15 cm) within 2 %.
. "$(dirname "$0")/../support/cli.sh"
"$scree" run -q -o strip "$source/scenes/bench/strip.lua" dt=1e-4 >out 2>err || fail "$(cat err)"
value() { grep "^$1" out | sed 's/.*\] *//'; }
awk -v f="$(value 'volume fraction')" -v v="$(value 'mean speed')" \
  'BEGIN { exit !(f / 57.2 > 0.98 && f / 57.2 < 1.02 && v / 0.84 > 0.98 && v / 0.84 < 1.02) }' || fail "$(cat out)"
[ $failed = 0 ] && cat out
exit $failed
