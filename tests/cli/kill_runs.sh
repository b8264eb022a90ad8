#!/usr/bin/env bash
# Whole runs killed at random moments and resumed lose no finished frame and end as the undisturbed run; slow/kill_runs.sh kills 200 times.
# arguments: program, source folder
. "$2/tests/support/cli.sh"
. "$2/tests/support/kill_runs.sh"
kill_runs "$1" 4 1 || { echo FAILED; exit 1; }
