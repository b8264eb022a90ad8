#!/usr/bin/env bash
# Lua tests of which the quick tests take only a part (tests/lua/lib/sweep.lua), with all their cases.
# arguments: program, source folder
scree=$1
cd "$2" || exit 1
bad=0
for test in $(grep -lE 'require "sweep"' tests/lua/*.lua); do
  "$scree" lua --trust "$test" whole || { echo "FAILED: $test"; bad=1; }
done
exit $bad
