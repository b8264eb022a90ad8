#!/usr/bin/env bash
# The golden scenes end in the stored states whichever compiler built scree and however hard it optimised, and with threads where a world
# would not use them by itself.
# arguments: program, source folder, build folder
set -u
scree=$1 source=$2 folder=$3/golden
golden=$source/tests/golden bad=0 checked=0 skipped=0

# $1: what is compared; the rest: the command that prints names and hashes
compare() {
  local what=$1; shift
  local found; found=$("$@" 2>&1) || { echo "$what: the scenes did not run: $found"; bad=1; return; }
  if difference=$(diff <(grep -v '^#' "$golden/hashes.txt" | grep -wF "$(cut -f 1 <<< "$found")") <(echo "$found")); then checked=$((checked + 1))
  else echo "$what: states differ from tests/golden/hashes.txt (< stored, > found)"; echo "$difference"; bad=1; fi
}

# compilers and levels; the flags come last, so they hold for every file
build() {
  cmake -S "$source" -B "$1" -DCMAKE_BUILD_TYPE=Golden -DCMAKE_C_COMPILER="$2" -DCMAKE_C_FLAGS="$3" -DSCREE_TESTS=OFF -DSCREE_MPI=OFF -DSCREE_WERROR=OFF > "$1.log" 2>&1 &&
    cmake --build "$1" --target scree -j"$(nproc)" >> "$1.log" 2>&1
}
mkdir -p "$folder"
for compiler in gcc clang; do
  command -v $compiler > /dev/null || { echo "skipped: no $compiler here"; skipped=77; continue; }
  for flags in "-O0" "-O2" "-O3" "-O3 -march=native"; do
    name=$compiler$(echo "$flags" | tr -d ' =')
    build "$folder/$name" $compiler "$flags" || { echo "$name did not build:"; tail -20 "$folder/$name.log"; bad=1; continue; }
    for simd in scalar avx2 avx512; do compare "$compiler $flags, $simd" env SCREE_SIMD=$simd "$folder/$name/scree" lua --trust "$golden/run.lua"; done
  done
done

# small scenes in threads too, however few their contacts: one of each bucket of contacts, and what adds and removes bodies
few="spheres capsules polydisperse in_and_out law_coulomb law_lua_refresh bouncing boxes joints"
for pair in "avx512 2" "avx2 4" "scalar 8"; do
  compare "${pair% *}, ${pair#* } threads" env SCREE_SIMD="${pair% *}" "$scree" lua --trust "$golden/run.lua" threads="${pair#* }" share=0 $few
done

for pair in "avx2 2" "avx512 4"; do
  compare "${pair% *}, ${pair#* } threads, all scenes" env SCREE_SIMD="${pair% *}" "$scree" lua --trust "$golden/run.lua" threads="${pair#* }"
done

echo "$checked combinations agree"
[ $bad = 0 ] && exit $skipped
exit $bad
