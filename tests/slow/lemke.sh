#!/bin/bash
# Lemke's method is exact on a wall of boxes with polyhedral friction, whose dense tables make it slow; cli/solve.sh has the smaller problems.
. "$(dirname "$0")/../support/cli.sh"
"$scree" lua --trust "$source/scenes/bench/problems.lua" "$work" polyhedral || stop "the problems"
"$scree" solve wall.prob --solver lemke --tolerance 1e-8 --json > out || stop "not converged: $(cat out)"
has out '"converged": true'
exit $failed
