#!/bin/bash
# scree solve: every law through every solver that admits it on stored problems (a pile, a chain, a house of cards, Painleve's rod, towers with
# 100 times the weight on top, a wall of boxes) reaches the common residual; JSON is whole, errors carry their exit codes.
. "$(dirname "$0")/../support/cli.sh"
fail() { stop "$@"; }
for law in coulomb max_dissipation cone polyhedral frictionless; do
  mkdir -p "$work/$law"
  "$scree" lua --trust "$source/scenes/bench/problems.lua" "$work/$law" $law || fail "problems for $law"
done
# relative residual of a law's problem by a solver, at most `limit`
check() { # law problem limit solver options...
  law=$1 problem=$2 limit=$3 solver=$4
  shift 4
  out=$("$scree" solve "$work/$law/$problem.prob" --solver $solver --tolerance 1e-8 --json "$@"); code=$?
  [ $code -le 1 ] || fail "$law $problem $solver: exit $code"
  case $code$out in 0*'"converged": true'*|1*'"converged": false'*) ;; *) fail "$law $problem $solver: exit $code, but $out" ;; esac
  echo "$out" | awk -v what="$law $problem $solver" -v limit="$limit" '
    function value(name) { match($0, "\"" name "\": [^,]*"); return substr($0, RSTART + length(name) + 4, RLENGTH - length(name) - 4) + 0 }
    { if (!(value("residual") <= limit * value("scale"))) { print what ": residual " value("residual") " of scale " value("scale"); exit 1 } }' || fail "$law $problem $solver"
}
laws="coulomb max_dissipation cone polyhedral frictionless"
easy="heap stack rope painleve"
redundant="cards tower wall"
for problem in $easy; do
  for law in $laws; do
    limit=2e-8
    [ $problem = rope ] && limit=1e-3 # its contacts are redundant with its joints
    for solver in nbgs pgs; do check $law $problem $limit $solver --iterations 10000; done
  done
  for law in coulomb cone frictionless; do
    limit=2e-8
    [ $problem = rope ] && limit=1e-3
    for solver in apgd spg; do check $law $problem $limit $solver --iterations 10000; done
    check $law $problem 1e-7 newton --iterations 400
    check $law $problem 2e-8 auto
  done
  for law in polyhedral frictionless; do check $law $problem 1e-7 lemke; done
done
# redundant contacts: first-order methods crawl, direct ones do not
for problem in $redundant; do
  for law in $laws; do check $law $problem 2e-2 nbgs --iterations 9000; done
  for law in coulomb cone frictionless; do for solver in apgd spg; do check $law $problem 0.2 $solver --iterations 3000; done; done
  check frictionless $problem 1e-7 lemke
  [ $problem = wall ] || check polyhedral $problem 1e-7 lemke # the wall: slow/lemke.sh
done
for problem in cards tower wall; do for law in coulomb cone frictionless; do check $law $problem 2e-6 newton --iterations 400; done; done
"$scree" solve "$work/cone/stack.prob" --solver ipm 2>err >/dev/null || fail "ipm"
grep -q 'solver ipm is newton now' err || fail "the former name is not told: $(cat err)"
# a planar problem keeps its plane in the file: lemke is exact with two directions
cat > planar.lua <<'LUA'
local scree = require "scree"
local w = scree.world { plane = { 0, 1, 0 }, solver = { iterations = 500 } }
w:pair { "default", "default", law = "coulomb", mu = 0.4 }
w:halfspace { normal = { 0, 0, 1 } }
for i = 0, 7 do w:capsule { radius = 0.05, length = 0.1, position = { 0.07 * (i % 3), 0, 0.1 + 0.11 * i }, orientation = { 0.6, 0, 0.8, 0 }, velocity = { 0, 0, -2 } } end
w:step(300)
w:dump_problem(arg[1])
LUA
"$scree" lua --trust planar.lua "$work/coulomb/planar.prob" || fail "planar problem"
for solver in nbgs pgs apgd spg lemke newton; do check coulomb planar 2e-7 $solver --iterations 10000; done
# what a solver does not take it refuses
for pair in "apgd polyhedral" "spg max_dissipation" "newton max_dissipation" "newton polyhedral"; do
  set -- $pair
  "$scree" solve "$work/$2/heap.prob" --solver $1 >/dev/null 2>&1; [ $? = 2 ] || fail "$1 must refuse $2"
done
"$scree" solve "$work/coulomb/heap.prob" --solver nbsg >/dev/null 2>&1; [ $? = 2 ] || fail "unknown solver"
"$scree" solve >/dev/null 2>&1; [ $? = 2 ] || fail "no operand"
"$scree" solve "$work/none.prob" >/dev/null 2>&1; [ $? = 4 ] || fail "missing file"
head -c 300 "$work/coulomb/heap.prob" >"$work/cut.prob"
"$scree" solve "$work/cut.prob" >/dev/null 2>&1; [ $? = 4 ] || fail "damaged file"
"$scree" solve --table "$work/coulomb/stack.prob" | grep -q "^| lemke |" || fail "table"
"$scree" solve --history "$work/coulomb/stack.prob" | grep -q "^ *1  " || fail "history"
"$scree" solve "$work/coulomb/tower.prob" --iterations 3 >/dev/null; [ $? = 1 ] || fail "what is not solved must say so"
# FCLib: written, read and solved, with the same answer for its own error; where HDF5 is missing, in words
cat > boxes.lua <<"LUA"
local scree = require "scree"
local w = scree.world {}
w:halfspace { normal = { 0, 0, 1 } }
for i = 1, 4 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0.01 * i, 0, 0.1 * i - 0.05 }, mass = i } end
w:step(3)
w:dump_problem(arg[1] .. "/boxes.hdf5")
LUA
"$scree" lua --trust boxes.lua "$work" > boxes.txt 2>&1; code=$?
if [ $code != 0 ]; then
  grep -q "need the HDF5 library" boxes.txt || fail "FCLib: $(cat boxes.txt)"
else
  "$scree" solve "$work/boxes.hdf5" --solver newton --json | grep -q '"contacts": 16.*"converged": true' || fail "FCLib"
  "$scree" solve "$work/boxes.hdf5" --solver pgs --iterations 100000 --tolerance 1e-4 > /dev/null || fail "FCLib by sweeps"
  head -c 2000 "$work/boxes.hdf5" >"$work/cut.hdf5"
  "$scree" solve "$work/cut.hdf5" >/dev/null 2>&1; [ $? = 4 ] || fail "damaged FCLib"
fi
echo "solve: all laws and solvers agree"
