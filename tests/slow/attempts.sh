#!/usr/bin/env bash
# Attempts on the sandbox that use all the time of the engine's verbs or of the watchdog (tests/cli/sandbox/slow.txt); cli/attempts.sh has some of each kind.
. "$(dirname "$0")/../support/cli.sh"
python3 "$source/tests/support/attempts.py" "$scree" "0.02:16:$source/tests/cli/sandbox/slow.txt" || failed=1
exit $failed
