#!/usr/bin/env bash
# The tables of attempts on the sandbox (sandbox/*.txt): none runs on, takes much more than its cap, reaches what lies outside or dies.
. "$(dirname "$0")/../support/cli.sh"
tables="$source/tests/cli/sandbox"
# Caps are set low, so that the whole list is quick: one tick (20 ms) of the script, a quarter of a second of verbs of the engine. Attempts on memory get more time.
python3 "$source/tests/support/attempts.py" "$scree" "0.005:24:$tables/loops.txt" "0.005:24:$tables/inside_c.txt" "0.005:24:$tables/ways_out.txt" \
  "0.1:8:$tables/memory.txt" "0.005:16:$tables/features.txt" || failed=1
exit $failed
