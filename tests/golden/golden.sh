#!/usr/bin/env bash
# The golden scenes end in the stored states, with any number of threads and any width of SIMD; and changes.md has a reason for the stored hashes.
# arguments: program, source folder
scree=$1 golden=$2/tests/golden changes=$2/tests/golden/changes.md
bad=0

# Runs the scenes as one combination wants them and compares; $3: SIMD width, $4: threads.
compare() {
  found=$(SCREE_SIMD=$1 "$scree" lua --trust "$golden/run.lua" "threads=$2") || { echo "$1, $2 threads: the scenes did not run"; bad=1; return; }
  difference=$(diff <(grep -v '^#' "$golden/hashes.txt") <(echo "$found")) && return
  echo "states differ from tests/golden/hashes.txt with SCREE_SIMD=$1 and $2 threads (< stored, > found):"
  echo "$difference"
  bad=1
}
compare scalar 1
compare avx2 3
compare avx512 8

# A commit that changes hashes.txt adds a line to changes.md with the digest and the reason.
digest=$(sha256sum "$golden/hashes.txt" | cut -c 1-12)
if ! grep -q -- "^- golden $digest: ..........*" "$changes"; then
  echo "tests/golden/changes.md has no line '- golden $digest: what changed the results'"
  bad=1
fi
[ $bad = 0 ] || echo "if results were meant to change: tests/golden/update 'what changed them'"
exit $bad
