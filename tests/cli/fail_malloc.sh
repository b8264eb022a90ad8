#!/usr/bin/env bash
# Loading, running and saving with allocations that fail: support/fail_malloc.sh; slow/fail_malloc.sh tries every one.
# arguments: program, source folder, build folder
. "$2/tests/support/cli.sh"
. "$2/tests/support/fail_malloc.sh"
fail_malloc "$1" "$3/tests/libfail_malloc.so" 197 307 || { echo FAILED; exit 1; }
fail_malloc_commands "$1" "$3/tests/libfail_malloc.so" 12 || { echo FAILED; exit 1; }
