#!/usr/bin/env bash
# The tables of attempts on the sandbox (sandbox/*.txt): none runs on, takes much more than its cap, reaches what lies outside or dies.
. "$(dirname "$0")/../support/cli.sh"
tables="$source/tests/cli/sandbox"
attempts() { python3 "$source/tests/support/attempts.py" "$scree" "$@" || failed=1; }
# Caps are set low, so that the whole list is quick. Attempts on memory get more time. Verbs of the engine that loop run 50 times the cap.
attempts 0.05 24 "$tables/loops.txt" "$tables/inside_c.txt" "$tables/ways_out.txt"
attempts 0.1 16 "$tables/memory.txt"
attempts 0.03 16 "$tables/features.txt"
exit $failed
