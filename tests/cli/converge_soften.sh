#!/usr/bin/env bash
# scree converge and scree sweep report in which runs rigid contacts became springs (solver.soften).
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"

# 60 balls on each other: contacts become springs with 30 to 40 sweeps. auto makes no springs with fewer sweeps. Forces of rigid contacts
# balance with 60 sweeps.
cat > pile.lua <<'LUA'
return {
  params = { iterations = 30, count = 60, more = 0, soften = true, softness = 0, steps = 520, seed = 1 },
  world = function(p) return { dt = 1e-3, solver = { iterations = p.iterations, soften = p.soften, softness = p.softness } } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.3 }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 0, p.count - 1 + p.more * (p.seed % 2) do w:sphere { name = "ball" .. i, radius = 0.01, density = 2500, position = { 0, 0, 0.01 + 0.02 * i } } end
  end,
  output = { trajectory = false, series = false },
  stop = function(w, p) return w:steps() >= p.steps end,
  report = function(w) return { { "height", select(3, w:find("ball9"):position()), "m" } } end,
}
LUA
# Compares results.csv with the run.json of each run.
cat > judge.py <<'PYTHON'
import csv, json, sys
rows = list(csv.DictReader(open(sys.argv[1] + "/results.csv")))
for row in rows:
    solver = json.load(open("%s/%04d/run.json" % (sys.argv[1], int(row["run"]))))["report"]["solver"]
    assert row["softened"] == str(solver["softened"]), (row, solver)
assert len(rows) == int(sys.argv[2])
print(sum(row["softened"] != "0" for row in rows))
PYTHON
# Prints the table of springs in the JSON of scree converge; "none" if there is none.
cat > table.py <<'PYTHON'
import json, sys
table = json.load(open(sys.argv[1]))
print(" ".join("%s=%.3g" % item for item in table["softened"].items()) if "softened" in table else "none")
PYTHON
# converge NAME SETTINGS: runs scree converge in the folder NAME; text in out, JSON in json
converge() {
  "$scree" converge pile.lua -o "$@" > out 2> err
  "$scree" converge pile.lua -o "$@" --json > json 2> err || [ $? = 1 ] || fail "$*: $(cat err)"
}

converge own
[ "$(python3 table.py json)" = 'own=1 dt/2=1 sweeps x4=0' ] || fail "own: $(python3 table.py json)"
has out 'Rigid contacts became springs (solver.soften): own 3 of 3 seeds, dt/2 3 of 3, sweeps x4 0 of 3.'
has out 'The change by sweeps x4 includes this difference between contacts.'
has out 'With solver = { softness = 0.01 }, or with soften = false, all runs have equal contacts.'
has out 'In own runs contacts became springs. Therefore softness 0.01 changes only the first steps. To try stiffness x4 and /4, set solver = { softness = 0.01 }.'
[ "$(python3 judge.py own 12)" = 6 ] || fail "own: results.csv"
# with the settings that converge advises, all runs have equal contacts, and converge varies the stiffness
converge soft softness=0.01
[ "$(python3 table.py json)" = none ] && ! grep -q springs out || fail "soft: $(cat out)"
has out 'stiffness x4'

# too few sweeps for springs: four times the sweeps allow springs
converge few iterations=10
[ "$(python3 table.py json)" = 'own=0 dt/2=0 sweeps x4=1' ] || fail "few: $(python3 table.py json)"
has out 'Rigid contacts became springs (solver.soften): own 0 of 3 seeds, dt/2 0 of 3, sweeps x4 3 of 3.'
has out 'The change by sweeps x4 includes this difference between contacts.'
grep -q 'In own runs' out && fail "few: own contacts stay rigid: $(cat out)"

# contacts become springs with all settings, so contacts do not differ; converge does not vary the stiffness
converge all count=200
[ "$(python3 table.py json)" = 'own=1 dt/2=1 sweeps x4=1' ] || fail "all: $(python3 table.py json)"
grep -q 'difference between contacts' out && fail "all: contacts do not differ: $(cat out)"
has out 'In own runs contacts became springs.'

# springs at some seeds
converge some iterations=60 more=60
[ "$(python3 table.py json)" = 'own=0.667 dt/2=0.667 sweeps x4=0' ] || fail "some: $(python3 table.py json)"
has out 'own 2 of 3 seeds, dt/2 2 of 3, sweeps x4 0 of 3.'

# a sweep says how many of its runs have springs
printf 'scree: 1\nscene: pile.lua\nsweep: {grid: {params.iterations: [10, 30, 60]}}\n' > exp.yaml
"$scree" sweep exp.yaml -o swept > out 2> err || fail "sweep: $(cat err)"
has out 'in 1 of 3 runs rigid contacts became springs (solver.soften): see the column softened of results.csv'
[ "$(python3 judge.py swept 3)" = 1 ] || fail "swept: results.csv"
sed -i 's/10, 30, 60/10, 60/' exp.yaml
"$scree" sweep exp.yaml -o still > out 2> err || fail "sweep: $(cat err)"
! grep -q springs out || fail "a sweep without springs: $(cat out)"
exit $failed
