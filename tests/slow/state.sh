#!/usr/bin/env bash
# 100 000 pairs of w:save and w:restore do not make the process grow (tests/lua/state.lua with more pairs).
# arguments: program, source folder
cd "$2" && SCREE_STATE_PAIRS=100000 "$1" lua --trust --callback-time 1000 tests/lua/state.lua
