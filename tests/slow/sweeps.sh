#!/usr/bin/env bash
# Runs all cases of tests of which the quick tests run only a part: Lua tests that use tests/lua/lib/sweep.lua, and restarts.
# arguments: program, source folder, build folder
scree=$1 bad=0
cd "$2" || exit 1
for test in $(grep -lE 'require "sweep"' tests/lua/*.lua); do
  "$scree" lua --trust "$test" whole || { echo "FAILED: $test"; bad=1; }
done
SCREE_RESTARTS=20 bash tests/cli/restart.sh "$@" || { echo "FAILED: restarts"; bad=1; }
exit $bad
