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
# the whole table, as text, CSV and JSON, is computed again from the figures of the runs
cat >again.lua <<'X'
return {
  params = { softness = 0.02 },
  world = function(p) return { gravity = { 0, 0, -10 }, dt = 1e-3, solver = { name = "nbgs", iterations = 7, tolerance = 0, softness = p.softness } } end,
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { name = "ball", radius = 0.1, position = { 0, 0, 0.1 } }
    for i = 1, 9 do w:sphere { radius = 0.1, position = { 1, 0, 0.2 * i - 0.1 } } end
  end,
  stop = { time = 0.004 },
  report = function(w)
    local a, b, c, d = w:random(), w:random(), w:random(), w:random()
    local dt, depth, sweeps = w:dt() / 1e-3, 0.1 - select(3, w:find("ball"):position()), w:report().iterations
    return {
      { "chance", 1 + a }, { "step, surely", 1 + dt * (0.5 + 0.1 * b) }, { "step, unsurely", -1 + dt * (b - 0.5) }, { "step, hardly", 1 + dt * (0.006 + 1e-4 * a) },
      { "sweeps", 5 + sweeps * (0.1 + 0.02 * c) }, { "few sweeps", 10 - sweeps * (1e-4 + 1e-5 * d) }, { "depth \"", depth * 1e6 * (1 + 0.02 * d), "um" },
      { "two", dt * 2 + sweeps / 8 }, { "none", 0 * a }, { "around 0", (a - 0.5) * 1e-3 * dt }, { "word", "word" }, { "a name of more than 28 characters", dt * 1e-3 },
    }
  end,
}
X
cat >again.py <<'P'
import csv, json, math, sys
folder, bound, seeds, t = sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
rows = list(csv.DictReader(open(folder + "/results.csv")))
settings = {"own": (1, 1, 1), "dt/2": (0.5, 1, 1), "sweeps x4": (1, 4, 1), "stiffness x4": (1, 1, 0.25), "stiffness /4": (1, 1, 4)}
advice = {"dt/2": "a smaller dt", "sweeps x4": "more iterations of the solver", "stiffness x4": "a smaller solver.softness",
          "stiffness /4": "a smaller solver.softness"}
own = (1e-3, 7, 0.02)
if folder == "rigid":
    settings = {**{name: settings[name] for name in ("own", "dt/2", "sweeps x4")}, "softness 0.01": (1, 1, 1)}
    advice["softness 0.01"] = "solver.softness, with which forces are unique"
    own = (1e-3, 7, 0)


def values(setting, figure):
    dt, sweeps, softness = (x * y for x, y in zip(settings[setting], own))
    softness = 0.01 if setting == "softness 0.01" else softness
    found = [row for row in rows if math.isclose(float(row["run.dt"]), dt) and int(row["solver.iterations"]) == sweeps
             and math.isclose(float(row["solver.softness"]), softness, abs_tol=1e-12)]
    assert sorted(int(row["seed"]) for row in found) == list(range(1, seeds + 1)), (setting, found)
    return [float(row[figure] or "nan") for row in sorted(found, key=lambda row: int(row["seed"]))]


def measure(list):
    mean = sum(list) / len(list)
    return mean, math.sqrt(sum((x - mean) ** 2 for x in list) / (len(list) - 1) / len(list))


assert len(rows) == seeds * len(settings)
names = [name for name in rows[0] if name not in ("word", "seed", "run", "state", "run.dt", "solver.iterations", "solver.softness", "wall_seconds", "hash",
                                                 "overlap_max", "residual_max", "crossed", "bodies_lost", "softened")]
assert len(names) == 12 and names[0] == "unbalanced_mean"
told, text = json.load(open("json")), open("out").read().rstrip("\n").split("\n")
table = list(csv.reader(open(folder + "/converge.csv")))
changed = [name for name in settings if name != "own"]
assert table[0] == ["figure", "value", "error"] + [c for name in changed for c in ("change by " + name, "its error")] + ["change not excluded", "verdict"]
assert text[0] == "%-28s %12s %9s" % ("figure", "value", "+-") + "".join(" %22s" % name for name in changed) + "  verdict", text[0]
assert len(told["figures"]) == len(table) - 1 == len(text) - 2 == 12
near = lambda a, b, tolerance: abs(float(a) - b) <= tolerance * abs(b) + 1e-15
verdicts = set()
for name, figure, line, words in zip(names, told["figures"], table[1:], text[1:]):
    mean, error = measure(values("own", name))
    balance = name == "unbalanced_mean"
    limit, worst, most, sure = 0.01 if balance else bound * abs(mean), None, 1, 0
    for k, change in enumerate(changed):
        d, e = measure([x - y for x, y in zip(values(change, name), values("own", name))])
        excess = (-d if balance else abs(d)) / (max(t * e, limit) or math.nan)
        if excess > most: worst, most = change, excess
        sure = max(sure, abs(d) + t * e)
        assert near(figure["changes"][change]["change"], d, 1e-8) and near(figure["changes"][change]["error"], e, 6e-3), (name, change)
        assert near(line[3 + 2 * k], d, 1e-5) and near(line[4 + 2 * k], e, 6e-3), (name, change)
        # the text has the digits of the JSON, rounded
        at = 51 + 23 * k
        a, b = figure["changes"][change]["change"], figure["changes"][change]["error"]
        assert words[at:at + 23] == " %+11.3g +-%8.2g" % (a, b) or near(words[at:at + 12], a, 6e-3) and near(words[at + 15:at + 23], b, 6e-2), (name, words[at:at + 23], a, b)
    verdict = ("not converged: " + advice[worst] if worst else "converged" if not sure or balance else
               "converged to %.2g %%" % (100 * sure / abs(mean)) if mean else "converged to %.2g" % sure)
    verdicts.add(worst or verdict[:13])
    assert line[0] == figure["name"] == name and words[:28].rstrip() == name[:28].rstrip(), (name, line, words)
    assert near(figure["value"], mean, 1e-14) and near(line[1], mean, 1e-8) and words[28:41] == " %12.6g" % mean, (name, figure, words)
    assert near(figure["error"], error, 1e-9) and near(line[2], error, 6e-3) and words[41:51] == " %9.2g" % error, (name, figure, words[41:51])
    assert near(line[-2], sure, 6e-3) and line[-1] == verdict and words[51 + 23 * len(changed):] == "  " + verdict, (name, line, words, verdict)
    assert figure["converged"] == (not worst) and figure["advice"] == advice.get(worst, ""), figure
assert text[-1] == f"A change counts if it is above {bound:g} of the figure and above {t:.1f} standard errors ({seeds} seeds).", text[-1]
assert told["seeds"] == seeds and not told["converged"]
assert verdicts >= {"dt/2", "sweeps x4", "converged to "} | ({"stiffness /4"} if folder == "soft" else set()), verdicts
P
"$scree" converge again.lua -o soft --seeds 4 >out 2>err; [ $? = 1 ] || fail "soft: exit code"
sed -n '/settings with/{s/.*converge: //;s/; the first run.*//;p}' err | grep -qx '5 settings with 4 seeds' || fail "number of settings"
"$scree" converge again.lua -o soft --seeds 4 --json >json 2>err; [ $? = 1 ] || fail "soft: exit code"
python3 again.py soft 0.01 4 3.182446 || fail "the table of soft contacts"
"$scree" converge again.lua softness=0 -o rigid --bound 0.2 -j 2 >out 2>err; [ $? = 1 ] || fail "rigid: exit code"
"$scree" converge again.lua softness=0 -o rigid --bound 0.2 --json >json 2>err
python3 again.py rigid 0.2 3 4.302653 || fail "the table of rigid contacts"
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
