#!/usr/bin/env bash
# The tests of the Python package with every stock scene and 100000 random calls.
# arguments: program, source folder, build folder
SCREE_ALL_SCENES=1 SCREE_FUZZ_CALLS=100000 exec bash "$2/tests/python/package.sh" "$@"
