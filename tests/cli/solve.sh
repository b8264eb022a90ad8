#!/bin/bash
# scree solve: every solver on stored problems that it takes reaches the tolerance, JSON is whole, errors carry their exit codes.
. "$(dirname "$0")/../support/cli.sh"
fail() { stop "$@"; }
for law in coulomb max_dissipation cone polyhedral frictionless; do
  mkdir -p "$work/$law"
  "$scree" lua --trust "$source/scenes/bench/problems.lua" "$work/$law" $law || fail "problems for $law"
done
# law by solver; the common residual decides (3e-5 of the scale)
check() { # law solver problem
  out=$("$scree" solve "$work/$1/$3.prob" --solver $2 --tolerance 1e-8 --iterations 20000 --json) || fail "$1 $2 $3: exit $?"
  echo "$out" | awk -v what="$1 $2 $3" '{ match($0, /"residual": [^,]*/); r = substr($0, RSTART + 12, RLENGTH - 12); match($0, /"scale": [^,]*/); s = substr($0, RSTART + 9, RLENGTH - 9);
    if (!(r + 0 <= 3e-5 * s)) { print what ": residual " r " of scale " s; exit 1 } }' || fail "$1 $2 $3"
}
for problem in heap stack rope; do
  for law in coulomb max_dissipation cone polyhedral frictionless; do check $law nbgs $problem; done
  for solver in apgd spg; do for law in coulomb cone; do check $law $solver $problem; done; done
done
for problem in stack rope; do for law in polyhedral frictionless; do check $law lemke $problem; done; done
"$scree" solve "$work/coulomb/heap.prob" --solver nbsg >/dev/null 2>&1; [ $? = 2 ] || fail "unknown solver"
"$scree" solve >/dev/null 2>&1; [ $? = 2 ] || fail "no operand"
"$scree" solve "$work/none.prob" >/dev/null 2>&1; [ $? = 4 ] || fail "missing file"
head -c 300 "$work/coulomb/heap.prob" >"$work/cut.prob"
"$scree" solve "$work/cut.prob" >/dev/null 2>&1; [ $? = 4 ] || fail "damaged file"
"$scree" solve --table "$work/coulomb/stack.prob" | grep -q "^| lemke |" || fail "table"
echo "solve: all laws and solvers agree"
