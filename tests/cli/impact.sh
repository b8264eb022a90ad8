#!/bin/bash
# The scenes about impacts run and say what they should.
. "$(dirname "$0")/../support/cli.sh"
set -e
fail() { stop "$@"; }

"$scree" run -q -o ico "$source/scenes/icosahedron_tetrahedron.lua" > ico.txt
grep -q '^4a .*csr  *c 0.0439641064  s 0.0714553788  r 0.1012118593' ico/events.txt || fail "events of figure 4a"
grep -q '^10a .*lcsr  *lcsr  *csr  *c 0.5086888340  s 0.8376868633  r 0.9941334727' ico/events.txt || fail "events of figure 10a"
[ "$(grep -c 'breaks the impact-solution condition' ico/events.txt)" = 1 ] || fail "only figure 4d breaks the condition"
# the bodies in the world take the impulse that their bare problem has
awk '/in the world/ { world = $0; sub(/.*world */, "", world) } /bare problem/ { bare = $0; sub(/.*cr */, "", bare) } END { exit !(world != "" && world == bare) }' ico.txt || fail "world and bare problem differ: $(cat ico.txt)"
"$scree" run -q -o cradle "$source/scenes/cradle.lua" > cradle.txt
grep -Eq 'share of the start +(1|0.9999999999|1.0000000000)' cradle.txt || fail "the cradle keeps its energy: $(cat cradle.txt)"
"$scree" run -q -o soft "$source/scenes/cradle.lua" e=0.8 moving=2 > soft.txt
grep -Eq 'share of the start +0\.[0-8]' soft.txt || fail "with e below 1 the cradle loses energy: $(cat soft.txt)"
"$scree" run -q -o bowling "$source/scenes/bowling.lua" > bowling.txt
# the impulse of the printed pin and ball differs from the printed impulse by 1 %
grep -q 'pin and ball: impulse .*(0.720[0-9]*, -0.020[0-9]*, 2.558[0-9]*) ' bowling.txt || fail "impulse of pin and ball: $(cat bowling.txt)"
grep -Eq 'difference from the print +1\.[01][0-9] %$' bowling.txt || fail "difference from the print: $(cat bowling.txt)"
grep -Eq 'pins down +([1-9]|10)$' bowling.txt || fail "no pin fell: $(cat bowling.txt)"
"$scree" run -q -t 0.2 -o gears "$source/scenes/gears.lua" > gears.txt
awk '/turns of the pinion/ { pinion = $NF } /out of step/ { lag = $NF } /tray/ { high = $NF }
     END { exit !(pinion > 0.636 && pinion < 0.637 && lag > -0.1 && lag < 0.1 && high > 9.9) }' gears.txt || fail "gears slip or fall through the tray: $(cat gears.txt)"
echo "impact scenes: right"
