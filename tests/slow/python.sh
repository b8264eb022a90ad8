#!/usr/bin/env bash
# The tests of the Python package with every stock scene, 100000 random calls, and the memory of 100000 states and 1000000 steps.
# arguments: program, source folder, build folder
SCREE_ALL_SCENES=1 SCREE_FUZZ_CALLS=100000 SCREE_ROUNDS=100000 exec bash "$2/tests/python/package.sh" "$@"
