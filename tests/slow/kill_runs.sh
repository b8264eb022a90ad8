#!/usr/bin/env bash
# 200 kills of whole runs at random moments.
# arguments: program, source folder
. "$2/tests/support/cli.sh"
. "$2/tests/support/kill_runs.sh"
kill_runs "$1" 200 2 || { echo FAILED; exit 1; }
