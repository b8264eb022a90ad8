#!/usr/bin/env bash
# scree doctor names what is there and what is missing, with what brings it.
. "$(dirname "$0")/../support/cli.sh"
said=$("$scree" doctor) || fail "exit code $?"
for word in scree lua yaml zlib system cpu lanes threads memory files "writing   works here"; do
  grep -q "^$word" <<< "$said" || fail "no line begins with $word: $said"
done
said=$(PATH=/nowhere SCREE_THREE_JS=/nowhere/three.js "$scree" doctor)
for part in gnuplot ffmpeg three.js; do
  grep -q "^missing   $part: .*(Debian: " <<< "$said" || fail "$part is missing, and that is not said: $said"
  grep -q "^parts.*$part" <<< "$said" && fail "$part is missing, and named as there: $said"
done
mkdir -p doctor && printf '#!/bin/sh\n' > doctor/gnuplot && chmod +x doctor/gnuplot
PATH=/nowhere:$PWD/doctor "$scree" doctor | grep -q '^parts.*gnuplot' || fail "gnuplot in the second folder of PATH was not found"
said=$(cd /proc && "$scree" doctor); code=$?
[ $code -eq 4 ] && grep -q 'does NOT work' <<< "$said" || fail "a folder nobody can write to: exit code $code: $said"
said=$("$scree" doctor who 2>&1); code=$?
[ $code -eq 2 ] && grep -q "no operands, not 'who'" <<< "$said" || fail "an operand: exit code $code: $said"
exit $failed
