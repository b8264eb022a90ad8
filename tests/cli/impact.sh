#!/bin/bash
# The scenes about impacts run and say what they should.
. "$(dirname "$0")/../support/cli.sh"
set -e
fail() { stop "$@"; }

"$scree" run -q -o ico "$source/scenes/icosahedron_tetrahedron.lua" > ico.txt
grep -q '^4a .*csr  *c 0.0439641064  s 0.0714553788  r 0.1012118593' ico/events.txt || fail "events of figure 4a"
grep -q '^10a .*lcsr  *lcsr  *csr  *c 0.5086888340  s 0.8376868633  r 0.9941334727' ico/events.txt || fail "events of figure 10a"
[ "$(grep -c 'breaks the impact-solution condition' ico/events.txt)" = 1 ] || fail "only figure 4d breaks the condition"
"$scree" run -q -o cradle "$source/scenes/cradle.lua" > cradle.txt
grep -Eq 'share of the start +(1|0.9999999999|1.0000000000)' cradle.txt || fail "the cradle keeps its energy: $(cat cradle.txt)"
"$scree" run -q -o soft "$source/scenes/cradle.lua" e=0.8 moving=2 > soft.txt
grep -Eq 'share of the start +0\.[0-8]' soft.txt || fail "with e below 1 the cradle loses energy: $(cat soft.txt)"
"$scree" run -q -o bowling "$source/scenes/bowling.lua" > bowling.txt
grep -Eq 'pins down +([1-9]|10)$' bowling.txt || fail "no pin fell: $(cat bowling.txt)"
echo "impact scenes: right"
