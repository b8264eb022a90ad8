#!/bin/bash
# The channel, small and short: it runs from end to end, with both laws side by side, and the flow is what it should be.
. "$(dirname "$0")/../support/cli.sh"

"$scree" run -q -o both "$source/scenes/channel.lua" law=both scale=0.2 iterations=30 dt=1e-4 time=0.012 >out 2>err || fail "$(cat err)"
grep -qE '^law +coulomb +max_dissipation$' out || fail "no table of both laws: $(cat out)"
for law in coulomb max_dissipation; do
  for file in trajectory.scree series.csv run.json fields.csv; do [ -s "both/$law/$file" ] || fail "both/$law/$file is missing"; done
  if command -v gnuplot >/dev/null; then [ -s "both/$law/channel.png" ] || fail "no picture"; fi
done

# figures from a stored frame
"$scree" lua --trust "$source/scenes/channel_frames.lua" both/coulomb scale=0.2 >frame 2>err || fail "$(cat err)"
awk '/^grains/ { n = $2 } END { exit !(n > 1000) }' frame || fail "no grains in the frame: $(cat frame)"
if command -v gnuplot >/dev/null; then [ -s both/coulomb/frame.png ] || fail "no picture of the frame"; fi
"$scree" lua --trust "$source/scenes/channel_frames.lua" both/coulomb size=1 >/dev/null 2>err && fail "an unknown word is taken"
grep -q "unknown word 'size'" err || fail "$(cat err)"

# what a step costs at a stored frame
"$scree" lua --trust "$source/scenes/bench/channel_frame.lua" both/coulomb scale=0.2 warm=2 steps=3 >cost 2>err || fail "$(cat err)"
awk '/^grains, contacts/ { n = $3 } /^seconds per step/ { s = $4 } END { exit !(n > 1000 && s > 0) }' cost || fail "no cost of a step: $(cat cost)"
"$scree" lua --trust "$source/scenes/bench/channel_frame.lua" both/coulomb thread=1 >/dev/null 2>err && fail "an unknown word is taken"
grep -q "unknown word 'thread'" err || fail "$(cat err)"

# figures of a row by name
figures() { grep "^$1" out | sed 's/.*\]//; s/^[a-z ]*//'; }
read -r grains_coulomb grains_max <<<"$(figures 'average grains')"
awk -v a="$grains_coulomb" -v b="$grains_max" 'BEGIN { exit !(a > 100 && b > 100 && a / b > 0.8 && a / b < 1.25) }' || fail "grains: $grains_coulomb $grains_max"
read -r deep _ <<<"$(figures 'largest penetration / radius')"
awk -v a="$deep" 'BEGIN { exit !(a >= 0 && a < 40) }' || fail "penetration of $deep % of the radius"

# one law gives the other's bits for spheres
[ "$(grep -o '"hash": "[0-9a-f]*"' both/coulomb/run.json)" = "$(grep -o '"hash": "[0-9a-f]*"' both/max_dissipation/run.json)" ] || fail "the laws differ for spheres"

# without the obstacle: what enters leaves, so fraction times speed is that of the inflow, but for a millimetre at both ends. The flow compacts.
"$scree" run -q -o free "$source/scenes/channel.lua" obstacle=false scale=0.2 iterations=15 dt=1e-4 time=0.05 >out 2>err || fail "$(cat err)"
read -r fraction <<<"$(figures 'volume fraction')"
read -r speed <<<"$(figures 'mean speed along the channel')"
awk -v f="$fraction" -v v="$speed" 'BEGIN { pi = atan2(0, -1); laid = 400 / 3 * pi * 0.47 ^ 3 / 0.94
  exit !(f * v / laid > 0.94 && f * v / laid < 1.02 && v < 0.93) }' || fail "fraction $fraction % and speed $speed m/s without the obstacle"

# the same seed gives the same bits, another does not
hash_of() { grep -o '"hash": "[0-9a-f]*"' "$1/run.json"; }
for run in "a seed=1" "b seed=1" "c seed=2"; do
  set -- $run
  "$scree" run -q -o "$1" "$source/scenes/channel.lua" scale=0.1 dt=1e-4 iterations=10 time=0.005 "$2" >/dev/null 2>err || fail "$(cat err)"
done
[ "$(hash_of a)" = "$(hash_of b)" ] || fail "the same seed gives another hash"
[ "$(hash_of a)" != "$(hash_of c)" ] || fail "another seed gives the same hash"

# other grains flow too, and no deeper into each other than the spheres' solver allows
for shape in capsule icosahedron; do
  "$scree" run -q -o "$shape" "$source/scenes/channel.lua" shape=$shape scale=0.1 dt=1e-4 iterations=10 time=0.01 >shaped 2>err || fail "$shape: $(cat err)"
  awk '/average grains/ { grains = $NF } /largest penetration \/ radius/ { for (i = 1; i <= NF; i++) if ($i + 0 == $i) deep = $i }
       END { exit !(grains > 100 && deep >= 0 && deep < 40) }' shaped || fail "$shape: $(cat shaped)"
done
if "$scree" run -q -o cube "$source/scenes/channel.lua" shape=cube >/dev/null 2>err; then fail "cubes ran"; fi
grep -q "shape must be" err || fail "no word about the shape: $(cat err)"
[ $failed = 0 ] && cat out
exit $failed
