#!/usr/bin/env bash
# Whole runs killed at random moments and resumed lose no finished frame and end as the undisturbed run; slow/kill_runs.sh kills 200 times.
# arguments: program, source folder
set -u
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
. "$2/tests/support/kill_runs.sh"
kill_runs "$1" 4 1 || { echo FAILED; exit 1; }
