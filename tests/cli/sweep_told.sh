#!/usr/bin/env bash
# Tests scree sweep: order of the points from grids, ranges, parallel lists, exclusions and repetitions; --only; errors. Compares results.csv and the
# table with the run.json of each run.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"

cat > scene.lua <<'LUA'
return {
  params = { a = 1.5, b = 2, word = "x", list = { 1, 2 }, on = false, length = { default = 0.1, unit = "m" }, seed = 1 },
  world = { dt = 1e-3, gravity = { 0, 0, -10 } },
  setup = function(w, p)
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 2 do w:sphere { radius = 0.1, position = { i, 0, 0.1 + 0.01 * p.a } } end
  end,
  output = { trajectory = false, series = false },
  stop = { steps = 40 },
  report = function(w, p)
    local figures = { { "sum, of both", p.a + p.b, "m" }, { "word", p.word .. ' "q"' }, { "seed", nil } }
    figures[3] = { "seed of the run", w:seed(), p.b == 2 and "one" or "two" }
    if p.b > 2 then figures[4] = { "only some", p.b } end
    return figures
  end,
}
LUA
sed -i 's/w:seed()/p.seed/' scene.lua
cat > judge.py <<'PYTHON'
import csv, itertools, json, math, subprocess, sys
scree = sys.argv[1]


def call(*words):
    done = subprocess.run([scree, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def shown(value):
    if isinstance(value, bool): return "true" if value else "false"
    if isinstance(value, list): return "[" + ", ".join(shown(v) for v in value) + "]"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15: return "%d" % value
    return value if isinstance(value, str) else "%.17g" % value


def yaml(value):
    return json.dumps(value)


def experiment(grid, zipped, exclude=(), repeat=1, seed=None):
    text = "scree: 1\nscene: scene.lua\n" + (f"seed: {seed}\n" if seed is not None else "") + "sweep:\n"
    if grid: text += "  grid: {" + ", ".join(f"{k}: {given}" for k, (given, _) in grid.items()) + "}\n"
    if zipped: text += "  zip: {" + ", ".join(f"{k}: {given}" for k, (given, _) in zipped.items()) + "}\n"
    if exclude: text += "  exclude: [" + ", ".join("{" + ", ".join(f"{k}: {yaml(v)}" for k, v in rule.items()) + "}" for rule in exclude) + "]\n"
    if repeat > 1: text += f"  repeat: {repeat}\n"
    open("exp.yaml", "w").write(text)
    points = []
    for values in itertools.product(*(list(enumerate(values)) for _, values in grid.values()), range(len(next(iter(zipped.values()))[1]) if zipped else 1), range(repeat)):
        point = {k: v[1] for k, v in zip(grid, values)}
        point.update({k: values_of[values[-2]] for k, (_, values_of) in zipped.items()})
        if repeat > 1: point["seed"] = (1 if seed is None else seed) + values[-1]
        if not any(rule and all(k in point and point[k] == v for k, v in rule.items()) for rule in exclude): points.append(point)
    return points


linear = lambda a, b, n: [a + i / (n - 1) * (b - a) for i in range(n)]
log = lambda a, b, n: [a * (b / a) ** (i / (n - 1)) for i in range(n)]
given = lambda values: (yaml(values), values)


def near(cell, value):
    if cell == shown(value): return True
    try: return isinstance(value, float) and abs(float(cell) - value) <= 1e-15 * abs(value)
    except ValueError: return False


cases = [
    dict(grid={"params.a": given([1, 2.5, 3]), "params.word": given(["x", "y z"])}, zipped={}),
    dict(grid={"params.a": given([1, 2])}, zipped={"params.b": given([3, 4, 5]), "params.on": given([True, False, True])}, repeat=2),
    dict(grid={}, zipped={"params.a": given([1, 2]), "params.list": given([[1, 2], [3, 4.5]])}),
    dict(grid={"params.a": ("{linear: [1, 2, 5]}", linear(1, 2, 5)), "params.b": ("{log: [1, 100, 3]}", log(1, 100, 3))}, zipped={}),
    dict(grid={"params.a": ("{range: [1, 2, 0.25]}", [1, 1.25, 1.5, 1.75, 2]), "params.b": ("{range: [3, 6]}", [3, 4, 5, 6])}, zipped={}, exclude=[{"params.a": 1.25, "params.b": 4}, {"params.b": 6}]),
    dict(grid={"params.a": ("{range: [2, 1, -0.5]}", [2, 1.5, 1])}, zipped={}, repeat=3, seed=7),
    dict(grid={"params.on": given([True, False]), "params.word": given(["x", "y"])}, zipped={}, exclude=[{"params.on": True, "params.word": "y"}, {"params.on": False, "params.word": "z"}]),
    dict(grid={"params.a": ("{range: [0.1, 0.7, 0.1]}", [0.1 + i * 0.1 for i in range(7)])}, zipped={}),
    dict(grid={"params.a": given([7])}, zipped={}, repeat=2, exclude=[{"seed": 1}]),
]
for case in cases:
    points = experiment(**case)
    code, text, error = call("sweep", "exp.yaml", "--dry-run")
    assert code == 0, error
    lines = text.split("\n")[:-1]
    names = list(points[0])
    assert lines[0] == "%-6s %-10s %8s" % ("run", "state", "seconds") + "".join("  %-14s" % name for name in names), lines[0]
    assert len(lines) == len(points) + 1, (text, points)
    for number, (line, point) in enumerate(zip(lines[1:], points), 1):
        assert line.startswith("%04d   %-10s %8.1f  " % (number, "waiting", 0)), line
        at, rest = 0, line[26:].rstrip()
        for k, name in enumerate(names):
            cell = rest[2:] if k == len(names) - 1 else rest[2:16]
            if len(shown(point[name])) <= 14 or k == len(names) - 1: assert near(cell.rstrip() if cell.rstrip() else cell, point[name]), (line, name, cell, point)
            else: break
            rest = rest[16:]

# ---- errors ----
for text, words in (("grid: {params.a: []}", "expected a list of values"), ("grid: {params.a: 3}", "expected a list of values"), ("grid: [1]", "sweep.grid: expected a map of path: values"),
                    ("grid: {params.a: {linear: [1, 2, 1]}}", "expected a list of values, {range"), ("grid: {params.a: {linear: [1, 2]}}", "{linear: [a, b, n]}"),
                    ("grid: {params.a: {log: [0, 1, 3]}}", "{log"), ("grid: {params.a: {log: [1, -1, 3]}}", "{log"), ("grid: {params.a: {range: [1, 2, 0]}}", "{range"),
                    ("grid: {params.a: {range: [2, 1]}}", "{range"), ("grid: {params.a: {rnge: [2, 1]}}", "{range"), ("grid: {params.a: {range: [1, x]}}", "{range"),
                    ("grid: {params.a: {range: [1]}}", "{range"), ("grid: {params.a: {range: [1, 2, 1, 1]}}", "{range"),
                    ("zip: {params.a: [1, 2], params.b: [1]}", "sweep.zip.params.b has 1 values where params.a has 2"), ("grid: {a: [1]}", "did you mean 'params.a'"),
                    ("grid: {sweep.jobs: [1]}", "sweep.jobs cannot be swept"), ("grid: {params.a: [1]}\n  exclude: {params.a: 1}", "sweep.exclude: expected a list of maps"),
                    ("grid: {params.a: [1]}\n  exclude: [{params.a: 1}]", "every point is excluded"), ("grid: {params.c: [1]}", "params.c is not a parameter"),
                    ("grid: {params.a: {linear: [1, 2, 1e9]}}", "{linear")):
    open("bad.yaml", "w").write("scree: 1\nscene: scene.lua\nsweep:\n  " + text + "\n")
    code, out, error = call("sweep", "bad.yaml", "--dry-run")
    assert code == 2 and words in error and "bad.yaml:" in error, (text, code, error)

# ---- results ----
points = experiment({"params.a": given([1, 2.5]), "params.b": given([2, 3])}, {}, repeat=2)
code, text, error = call("sweep", "exp.yaml", "-o", "out", "-j", "2")
assert code == 0, error
assert "the figure 'seed of the run' is in one in some runs and in two in others; its column has no unit" in error, error


def compare(states):
    rows = list(csv.reader(open("out/results.csv")))
    assert rows[0] == ["run", "state", "params.a", "params.b", "seed", "wall_seconds", "hash", "unbalanced_mean", "overlap_max", "residual_max", "crossed", "bodies_lost", "softened",
                       "sum, of both", "word", "seed of the run", "only some"], rows[0]
    assert len(rows) == 9
    for k, (row, point) in enumerate(zip(rows[1:], points)):
        assert row[:2] == [str(k + 1), states[k]], (row, states[k])
        assert [float(v) for v in row[2:5]] == [point["params.a"], point["params.b"], point["seed"]], (row, point)
        if states[k] in ("skipped", "waiting"):
            assert row[5:] == [""] * 12, row
            continue
        told = json.load(open(f"out/{k + 1:04d}/run.json"))
        report, figures = told["report"], {f["name"]: f["value"] for f in told["figures"]}
        assert float(row[5]) == told["wall_seconds"] and row[6] == told["hash"]
        assert [float(v) for v in row[7:13]] == [report["unbalanced_mean"], report["overlap_max"], report["largest_relative_residual"], report["crossed"], report["bodies_lost"], report["solver"]["softened"]], (row, report)
        assert told["parameters"]["a"] == point["params.a"] and told["parameters"]["b"] == point["params.b"] and told["seed"] == point["seed"]
        assert float(row[13]) == figures["sum, of both"] == point["params.a"] + point["params.b"] and row[14] == figures["word"] == 'x "q"' and float(row[15]) == point["seed"]
        assert row[16] == (shown(figures["only some"]) if point["params.b"] > 2 else "") and ("only some" in figures) == (point["params.b"] > 2)
    return rows


rows = compare(["completed"] * 8)
lines = text.rstrip("\n").split("\n")
at = next(i for i, line in enumerate(lines) if line.startswith("run    state"))
assert lines[at].split() == ["run", "state", "seconds", "params.a", "params.b", "seed"]
for line, row in zip(lines[at + 1:], rows[1:]):
    cells = line.split()
    assert cells[0] == "%04d" % int(row[0]) and cells[1] == "completed" and float(cells[2]) >= 0 and cells[3:] == row[2:5], (line, row)
assert lines[at + 9].endswith(" s of wall time in all runs; written to out"), lines
assert not any("left out" in line for line in lines)

# --only
for only, wanted in (("2", {2}), ("1-3,5", {1, 2, 3, 5}), ("8,1", {1, 8}), ("4-4", {4})):
    code, text, error = call("sweep", "exp.yaml", "-o", "part" + only, "--only", only)
    assert code == 0, error
    states = [row[1] for row in list(csv.reader(open(f"part{only}/results.csv")))[1:]]
    assert states == ["completed" if k in wanted else "skipped" for k in range(1, 9)], (only, states)
for only in ("0", "9", "3-2", "7-9", "x", "1-", "1,x", "-1"):
    code, text, error = call("sweep", "exp.yaml", "-o", "never", "--only=" + only)
    assert code == 2 and ("runs are numbered 1 to 8" in error or "--only takes numbers" in error), (only, code, error)
for jobs, fine in (("1", 1), ("1024", 1), ("1025", 0), ("-1", 0)):
    code, text, error = call("sweep", "exp.yaml", "--dry-run", "-j", jobs)
    assert (code == 0) == bool(fine), (jobs, code, error)
# a folder with results is not overwritten
code, text, error = call("sweep", "exp.yaml", "-o", "out")
assert code == 2 and "out/results.csv exists already; --resume goes on, --force overwrites" in error, error
PYTHON
python3 judge.py "$scree" || fail "what a sweep tells"
[ -e never ] && fail "refused calls write nothing"
exit $failed
