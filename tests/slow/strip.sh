#!/bin/bash
# The channel of Preclik, Eibl and Rüde (2017) without its obstacle. As many grains leave as come in, so fraction times mean speed is that of the
# inflow: 4 x 20 grains of 0.47 mm radius every 0.94 ms in a strip of 4 mm. The paper's channel has a fraction of 0.572 and a speed of 0.84 m/s.
. "$(dirname "$0")/../support/cli.sh"
"$scree" run -q -o strip "$source/scenes/bench/strip.lua" dt=1e-4 >out 2>err || fail "$(cat err)"
value() { grep "^$1" out | sed 's/.*\] *//'; }
awk -v f="$(value 'volume fraction')" -v v="$(value 'mean speed')" 'BEGIN {
  inflow = 100 * 20 * 4 * 4 / 3 * atan2(0, -1) * 0.47e-3 ^ 3 / (4e-3 * 20e-3 * 0.94e-3)
  exit !(f * v / inflow > 0.985 && f * v / inflow < 1.015 && f / 57.2 > 0.97 && f / 57.2 < 1.03 && v / 0.84 > 0.97 && v / 0.84 < 1.03) }' ||
  fail "$(cat out)"
[ $failed = 0 ] && cat out
exit $failed
