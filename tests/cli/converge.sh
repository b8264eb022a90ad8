#!/usr/bin/env bash
# scree converge: too few sweeps and a figure that follows the step are found; the advice makes the scene converge.
# arguments: program, source folder
scree=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
fail() { echo "$1"; cat out err 2>/dev/null; exit 1; }
cat >stack.lua <<'X'
return {
  params = { iterations = 3, seed = 1, note = "" },
  world = function(p) return { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { name = "nbgs", iterations = p.iterations, tolerance = 0 } } end,
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 12 do w:sphere { radius = 0.1, position = { 0, 0, 0.2 * i - 0.1 }, mass = 1 + 0.01 * w:random() } end
  end,
  stop = { time = 0.1 },
  report = function(w) return { { "balls", w:count {} }, { "ten steps", 10 * w:dt(), "s" } } end,
}
X
"$scree" converge stack.lua -o few >out 2>err
[ $? = 1 ] || fail "a scene with too few sweeps counts as converged"
grep -q '^unbalanced_mean.*not converged: more iterations' out || fail "the balance of forces is not named"
grep -q '^balls .* converged$' out || fail "the number of balls has converged"
grep -q '^ten steps.*not converged: a smaller dt' out || fail "a figure that follows the step is not named"
# half the step halves the figure: 0.01 s - 0.005 s
grep -q '^ten steps *0.01 *0  *-0.005' out || fail "the change by half the step is wrong"
grep -q 'all take at most about' err || fail "the cost is not announced"
[ "$(wc -l <few/results.csv)" = 13 ] || fail "four settings with three seeds are twelve runs"
cp out first
"$scree" converge stack.lua -o few >out 2>err
cmp -s out first || fail "a second call differs"
grep -q 'completed after' err && fail "a second call runs again"
"$scree" converge stack.lua iterations=300 note='a: "b"' -o many --json >out 2>err
python3 - out <<'X' || fail "with more sweeps the forces must balance"
import json, sys
table = json.load(open(sys.argv[1]))
verdict = {f["name"]: f["converged"] for f in table["figures"]}
assert verdict == {"unbalanced_mean": True, "balls": True, "ten steps": False}, verdict
assert table["seeds"] == 3 and not table["converged"]
X
grep -q '^  iterations: 300$' many/converge.yaml && grep -q '^  note: "a: ..b.."$' many/converge.yaml || fail "numbers of the command line stay numbers, texts get quotes: $(cat many/converge.yaml)"
[ -s many/converge.csv ] || fail "converge.csv is missing"
# names and advice with commas stay one cell: soft contacts let the ball sink by 0.01 g dt^2
cat >rest.lua <<'X'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-2 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { name = "ball", radius = 0.1, position = { 0, 0, 0.1 } }
  end,
  stop = { time = 1 },
  report = function(w) return { { "depth, of the \"ball\"", 0.1 - select(3, w:find("ball"):position()), "m" } } end,
}
X
"$scree" converge rest.lua -o rest >out 2>err
[ $? = 1 ] || fail "a figure that follows the softness counts as converged"
python3 - rest/converge.csv <<'X' || fail "rows of converge.csv differ in length: $(cat rest/converge.csv)"
import csv, sys
head, balance, depth = csv.reader(open(sys.argv[1]))
assert len(head) == len(balance) == len(depth), (head, balance, depth)
assert depth[0] == 'depth, of the "ball"' and depth[-1].startswith("not converged: solver.softness, "), depth
assert abs(float(depth[head.index("change by softness 0.01")]) / (0.01 * 9.81 * 1e-4) - 1) < 0.01, depth
X
# an experiment, and what is refused
printf 'scree: 1\nscene: stack.lua\nparams: {iterations: 300}\n' >one.yaml
"$scree" converge one.yaml --bound 2 -o exp >out 2>err || fail "an experiment with wide bounds has not converged"
printf 'scree: 1\nscene: stack.lua\nsweep: {grid: {params.iterations: [1, 2]}}\n' >two.yaml
"$scree" converge two.yaml -o no >out 2>err; [ $? = 2 ] || fail "a sweep must be refused"
"$scree" converge stack.lua --seeds 2 -o no >out 2>err; [ $? = 2 ] || fail "two seeds must be refused"
"$scree" converge stack.lua iteratoins=2 -o no >out 2>err; [ $? = 2 ] && grep -q iterations err || fail "a wrong parameter must be refused"
"$scree" converge >out 2>err; [ $? = 2 ] || fail "a missing scene must be refused"
[ -e no/converge.yaml ] && fail "refused calls must write nothing"
exit 0
