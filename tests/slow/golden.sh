#!/usr/bin/env bash
# The golden scenes end in the stored states whichever compiler built scree and however hard it optimised; and in one build with every
# combination of threads and SIMD, all scenes threaded.
# arguments: program, source folder, build folder
set -u
scree=$1 source=$2 folder=$3/golden
golden=$source/tests/golden bad=0 checked=0

# $1: what is compared; the rest: the command that prints names and hashes
compare() {
  local what=$1; shift
  if difference=$(diff <(grep -v '^#' "$golden/hashes.txt") <("$@" 2>&1)); then checked=$((checked + 1))
  else echo "$what: states differ from tests/golden/hashes.txt (< stored, > found)"; echo "$difference"; bad=1; fi
}

# every scene in threads, however few its contacts
for simd in scalar avx2 avx512; do
  for threads in 2 4 8; do compare "$simd, $threads threads" env SCREE_SIMD=$simd "$scree" lua --trust "$golden/run.lua" threads=$threads share=0; done
done

# compilers and levels; the flags come last, so they hold for every file
build() {
  cmake -S "$source" -B "$1" -DCMAKE_BUILD_TYPE=Golden -DCMAKE_C_COMPILER="$2" -DCMAKE_C_FLAGS="$3" -DSCREE_TESTS=OFF -DSCREE_MPI=OFF > "$1.log" 2>&1 &&
    cmake --build "$1" --target scree -j"$(nproc)" >> "$1.log" 2>&1
}
mkdir -p "$folder"
for compiler in gcc clang; do
  command -v $compiler > /dev/null || { echo "skipped: no $compiler here"; continue; }
  for flags in "-O0" "-O2" "-O3" "-O3 -march=native"; do
    name=$compiler$(echo "$flags" | tr -d ' =')
    build "$folder/$name" $compiler "$flags" || { echo "$name did not build:"; tail -20 "$folder/$name.log"; bad=1; continue; }
    for simd in scalar avx2 avx512; do compare "$compiler $flags, $simd" env SCREE_SIMD=$simd "$folder/$name/scree" lua --trust "$golden/run.lua"; done
  done
done
echo "$checked combinations agree"
exit $bad
