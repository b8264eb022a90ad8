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
# libraries that are opened when they are needed: the program does not link them, and names those that cannot be opened
ldd "$scree" | grep -E 'libhdf5|libmicrohttpd|libassimp' && fail "the program links a library that it should open when it needs it"
mkdir -p damaged
for library in $(grep -aoE 'lib(hdf5[a-z_]*|microhttpd|assimp)\.so\.[0-9]+' "$scree" | sort -u); do
  echo 'no library' > "damaged/$library"
  case $library in libhdf5*) part=HDF5 ;; libmicro*) part=HTTP ;; *) part=assimp ;; esac
  said=$(LD_LIBRARY_PATH=$PWD/damaged "$scree" doctor)
  grep -q "^missing   $part: .*(Debian: " <<< "$said" || fail "$library is damaged, and that is not said: $said"
  grep -q "^missing   $part: .*build again" <<< "$said" && fail "$library is damaged, but scree need not be built again: $said"
  grep -q "^parts.*$part" <<< "$said" && fail "$library is damaged, and named as there: $said"
done
if ls damaged | grep -q hdf5; then
  printf '\211HDF\r\n\032\n' > problem.hdf5
  said=$(LD_LIBRARY_PATH=$PWD/damaged "$scree" solve problem.hdf5 2>&1); code=$?
  [ $code -eq 1 ] && grep -q 'FCLib files need the HDF5 library: .*damaged/libhdf5' <<< "$said" || fail "solve without HDF5: exit code $code: $said"
fi
said=$(cd /proc && "$scree" doctor); code=$?
[ $code -eq 4 ] && grep -q 'does NOT work' <<< "$said" || fail "a folder nobody can write to: exit code $code: $said"
said=$("$scree" doctor who 2>&1); code=$?
[ $code -eq 2 ] && grep -q "no operands, not 'who'" <<< "$said" || fail "an operand: exit code $code: $said"
exit $failed
