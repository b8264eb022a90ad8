#!/usr/bin/env bash
# Loading, running and saving with allocations that fail: support/fail_malloc.sh; slow/fail_malloc.sh tries every one.
# arguments: program, source folder, build folder
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
library=$3/tests/libfail_malloc.so
[ -e "$library" ] || { echo "sanitizers have an allocator of their own: nothing to do"; exit 0; }
. "$2/tests/support/fail_malloc.sh"
fail_malloc "$1" "$library" 97 149 || { echo FAILED; exit 1; }
