#!/usr/bin/env bash
# The last words of a run: how far forces are from balance. A tower that creeps ends with a warning that says what helps, a dense flow at
# its defaults and a tower with solver auto do not; bodies in each other are an error; run.json and the series have the figures, a
# resumed run has those of the whole, and so has one on two ranks.
. "$(dirname "$0")/../support/cli.sh"

cat > tower.lua <<'LUA'
return {
  params = { solver = "nbgs", iterations = 20, top = 100, sink = 0 },
  world = function(p)
    return { gravity = { 0, 0, -9.81 }, dt = 1e-3, erp = p.sink > 0 and 0 or 0.8, solver = { name = p.solver, iterations = p.iterations } }
  end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.5 }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 5 do w:box { size = { 0.1, 0.1, 0.1 }, position = { 0, 0, (0.1 - p.sink) * i - 0.05 }, mass = i == 5 and p.top or 1 } end
  end,
  output = { trajectory = false, series = { every = 0.05 } },
  stop = { time = 0.3 },
}
LUA

# the figure of a run, in per cent
percent() { sed -n 's/^forces balance to \(.*\) % of the load that they carry$/\1/p' "$1"; }
below() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && a + 0 < b + 0) }' || fail "$3: '$1' is not below $2"; }

"$scree" run --progress none -o creeps tower.lua >out 2>err || fail "creeps: $(cat err)"
has err 'scree: warning: forces are off by'
has err 'solver = { name = "auto" }'
below 1 "$(percent out)" "creeps"
[ "$(tail -1 out)" = 'written to creeps' ] || fail "last line: $(tail -1 out)"
grep -q '"unbalanced_mean": 0\.[01]' creeps/run.json || fail "run.json has no figure"
has creeps/run.json '"solver": {"name": "nbgs", "untouched": 0, "sweeps": 0,'
head -1 creeps/series.csv | grep -q ',unbalanced,overlap$' || fail "columns: $(head -1 creeps/series.csv)"

"$scree" run --progress none -o stands tower.lua solver=auto iterations=50 >out 2>err || fail "stands: $(cat err)"
! grep -q warning err || fail "stands: $(cat err)"
below "$(percent out)" 1e-3 "stands"
grep -qE '"solver": \{"name": "auto", "untouched": [0-9]+, "sweeps": [0-9]+, "momentum": 0, "newton": [1-9]' stands/run.json || fail "stands: run.json"

# -q leaves out the figure, not the warning
"$scree" run -q -o silent tower.lua >out 2>err || fail "silent: $(cat err)"
[ -z "$(percent out)" ] && has err 'scree: warning: forces are off by' || fail "-q says: $(cat out err)"

# a dense flow with the paper's steps of 10 us
"$scree" run --progress none -o flow "$source/scenes/channel.lua" time=0.004 scale=0.2 dt=1e-5 iterations=100 >out 2>err || fail "flow: $(cat err)"
! grep -q 'warning\|error' err || fail "flow: $(cat err)"
below "$(percent out)" 1 "flow"

# bodies that have passed into each other
"$scree" run --progress none -o deep tower.lua sink=0.04 >out 2>err
[ $? = 5 ] || fail "deep: $(cat err)"
has err 'scree: error: the run is invalid: bodies have passed into each other'
# the cause names the mean share of the load by which forces are off
awk 'match($0, /"unbalanced_mean": [^,]*/) { mean = substr($0, RSTART + 19, RLENGTH - 19) } END { printf "too few sweeps, or too long a step: forces are off by %.2g %% of the load\n", 100 * mean }' \
  deep/run.json > cause
has err "$(cat cause)"

# stopped and resumed: the same figures
figures() { sed -n 's/.*\("unbalanced": .*"overlap_max": [^,]*\).*\("solver": {[^}]*}\).*/\1 \2/p' "$1"; }
"$scree" run --progress none -o half --final-checkpoint tower.lua solver=auto iterations=50 --time 0.15 >/dev/null 2>err || fail "half: $(cat err)"
"$scree" resume half --progress none --until 0.3 >/dev/null 2>err || fail "resume: $(cat err)"
[ -n "$(figures half/run.json)" ] && [ "$(figures half/run.json)" = "$(figures stands/run.json)" ] ||
  fail "resumed: $(figures half/run.json) against $(figures stands/run.json)"
exit $failed
