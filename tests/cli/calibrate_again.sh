#!/usr/bin/env bash
# Compares scree calibrate with a second implementation in Python, for figures in closed form: the points that both methods try, the estimate, its
# covariance, and the numbers of calibrate.csv and of the output. The methods are those of Nelder and Mead 1965 and of Hansen's tutorial 2016.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"

cat > figures.lua <<'LUA'
return {
  params = { x = 1, y = 0, z = 0, hole = 9, seed = 1 },
  world = { dt = 1 },
  setup = function(w) w:sphere { radius = 1 } end,
  output = { trajectory = false, series = false },
  stop = { steps = 1 },
  report = function(w, p)
    local a = p.x > p.hole and 0 / 0 or math.exp(p.x) + 0.3 * p.y + 0.01 * math.sin(p.seed)
    return { { "a", a }, { "b, twice", 2 * (p.x * p.y - p.z) + 0.02 * p.x * math.sin(p.seed) }, { "c", (p.x - 1) ^ 2 + 3 * p.y + p.z * p.z + 0.003 * p.z * p.seed ^ 2 } }
  end,
}
LUA
cat > again.py <<'PYTHON'
import csv, json, math, sys
folder, method, seeds, first_seed, budget, tolerance, step, hole = sys.argv[1], sys.argv[2], *map(float, sys.argv[3:9])
seeds = int(seeds)
vary, targets = json.loads(sys.argv[9]), json.loads(sys.argv[10])
n, names, order = len(vary), list(vary), list(targets)
low, high = [v[0] for v in vary.values()], [v[1] for v in vary.values()]
start = [(v[2] - v[0]) / (v[1] - v[0]) if len(v) > 2 else 0.5 for v in vary.values()]
tried, batch, failed = [], 0, 0  # (batch, x, values, means, spreads, error)


def figures(x, seed):
    p = {"params.x": 1, "params.y": 0, "params.z": 0, **{name: low[i] + (high[i] - low[i]) * x[i] for i, name in enumerate(names)}}
    x, y, z = p["params.x"], p["params.y"], p["params.z"]
    found = {"a": math.nan if x > hole else math.exp(x) + 0.3 * y + 0.01 * math.sin(seed), "b, twice": 2 * (x * y - z) + 0.02 * x * math.sin(seed),
             "c": (x - 1) ** 2 + 3 * y + z * z + 0.003 * z * seed ** 2}
    return [found[name] for name in order]


def spread(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else 0.0


def measure(places):
    global batch, failed
    batch += 1
    for x in places:
        runs = [figures(x, first_seed + k) for k in range(seeds)]
        failed += sum(math.isnan(run[0]) for run in runs)
        values = list(zip(*runs))
        means = [sum(v) / seeds for v in values]
        error = sum(((m - targets[name][0]) / targets[name][1]) ** 2 for m, name in zip(means, order))
        tried.append((batch, list(x), values, means, [spread(v) for v in values], math.inf if math.isnan(error) else error))
    return [place[5] for place in tried[-len(places):]]


used = 0


def judge(places):
    """Returns the errors at points inside and outside the unit cube."""
    global used
    used += len(places)
    inside = [[min(max(v, 0), 1) for v in x] for x in places]
    outside = [sum((a - b) ** 2 for a, b in zip(x, y)) for x, y in zip(places, inside)]
    return [e * (1 + o) + 100 * o for e, o in zip(measure(inside), outside)]


def nelder_mead():
    corners = [list(start) for _ in range(n + 1)]
    for k in range(n):
        corners[k + 1][k] += 0.25 if start[k] + 0.25 <= 1 else -0.25
    errors, last = judge(corners), math.inf
    while True:
        errors, corners = map(list, zip(*sorted(zip(errors, corners), key=lambda pair: pair[0])))
        size = max(abs(a - b) for corner in corners[1:] for a, b in zip(corner, corners[0]))
        if last - errors[0] < 0.01 and errors[-1] - errors[0] < 0.01 or size < tolerance:
            return True
        if used >= budget:
            return False
        last = errors[0]
        centre = [sum(corner[i] for corner in corners[:-1]) / n for i in range(n)]
        moves = [[c + reach * (c - w) for c, w in zip(centre, corners[-1])] for reach in (1, 2, 0.5, -0.5)]
        found = judge(moves)
        best = found.index(min(found))
        if found[best] < errors[-1]:
            corners[-1], errors[-1] = moves[best], found[best]
        else:
            corners = [corners[0]] + [[0.5 * (a + b) for a, b in zip(corner, corners[0])] for corner in corners[1:]]
            errors[1:] = judge(corners[1:])


def normals():
    """Marsaglia's polar method over splitmix64."""
    state, mask = 1, (1 << 64) - 1
    while True:
        u = []
        for _ in range(2):
            state = (state + 0x9E3779B97F4A7C15) & mask
            z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
            u.append(((z ^ (z >> 31)) >> 11) * 2.0 ** -52 - 1)
        s = u[0] ** 2 + u[1] ** 2
        if 0 < s < 1:
            yield u[0] * math.sqrt(-2 * math.log(s) / s)


def cholesky(a):
    m = len(a)
    l = [[0.0] * m for _ in range(m)]
    for i in range(m):
        for k in range(i + 1):
            rest = a[i][k] - sum(l[i][j] * l[k][j] for j in range(k))
            l[i][k] = math.sqrt(rest) if i == k else rest / l[k][k]
    return l


def cma_es():
    """Hansen, arXiv:1604.00772, table 1 and figure 6, with positive weights and a Cholesky factor."""
    lam = 4 + math.floor(3 * math.log(n))
    mu = lam // 2
    w = [math.log(mu + 0.5) - math.log(k + 1) for k in range(mu)]
    w = [v / sum(w) for v in w]
    mueff = 1 / sum(v * v for v in w)
    cc, cs = (4 + mueff / n) / (n + 4 + 2 * mueff / n), (mueff + 2) / (n + mueff + 5)
    c1 = 2 / ((n + 1.3) ** 2 + mueff)
    cmu = min(1 - c1, 2 * (mueff - 2 + 1 / mueff) / ((n + 2) ** 2 + mueff))
    damps = 1 + 2 * max(0, math.sqrt((mueff - 1) / (n + 1)) - 1) + cs
    chi = math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n))
    mean, sigma, pc, ps = list(start), 0.25, [0.0] * n, [0.0] * n
    C = [[float(i == j) for j in range(n)] for i in range(n)]
    draw, least, generation = normals(), math.inf, 0
    while used < budget:
        L = cholesky(C)
        z = [[next(draw) for _ in range(n)] for _ in range(lam)]
        y = [[sum(L[i][j] * zk[j] for j in range(i + 1)) for i in range(n)] for zk in z]
        errors = judge([[m + sigma * v for m, v in zip(mean, yk)] for yk in y])
        rank = sorted(range(lam), key=lambda k: errors[k])
        flat = abs(least - errors[rank[0]]) < 0.01 and errors[rank[-1]] - errors[rank[0]] < 0.01
        least = min(least, errors[rank[0]])
        generation += 1
        yw = [sum(w[k] * y[rank[k]][i] for k in range(mu)) for i in range(n)]
        zw = [sum(w[k] * z[rank[k]][i] for k in range(mu)) for i in range(n)]
        mean = [m + sigma * v for m, v in zip(mean, yw)]
        ps = [(1 - cs) * p + math.sqrt(cs * (2 - cs) * mueff) * v for p, v in zip(ps, zw)]
        length = math.sqrt(sum(p * p for p in ps))
        h = length / math.sqrt(1 - (1 - cs) ** (2 * generation)) < (1.4 + 2 / (n + 1)) * chi
        pc = [(1 - cc) * p + h * math.sqrt(cc * (2 - cc) * mueff) * v for p, v in zip(pc, yw)]
        C = [[(1 - c1 - cmu + (0 if h else c1 * cc * (2 - cc))) * C[i][j] + c1 * pc[i] * pc[j]
              + cmu * sum(w[k] * y[rank[k]][i] * y[rank[k]][j] for k in range(mu)) for j in range(n)] for i in range(n)]
        sigma *= math.exp(cs / damps * (length / chi - 1))
        if flat or sigma * math.sqrt(max(C[i][i] for i in range(n))) < tolerance:
            return True
    return False


def solve(a, b):
    """Gaussian elimination."""
    m = [list(row) + [v] for row, v in zip(a, b)]
    for i in range(len(m)):
        p = max(range(i, len(m)), key=lambda k: abs(m[k][i]))
        m[i], m[p] = m[p], m[i]
        for k in range(len(m)):
            if k != i:
                m[k] = [u - m[k][i] / m[i][i] * v for u, v in zip(m[k], m[i])]
    return [m[i][-1] / m[i][i] for i in range(len(m))]


converged = nelder_mead() if method == "nelder_mead" else cma_es()
best = min(tried, key=lambda place: place[5])
sides = []
for i in range(n):
    for sign in 1, -1:
        sides.append(list(best[1]))
        sides[-1][i] = min(max(best[1][i] + sign * step, 0), 1)
measure(sides)
sides = tried[-2 * n:]
sigma = [targets[name][1] for name in order]
J = [[(sides[2 * i][3][t] - sides[2 * i + 1][3][t]) / sigma[t] / (sides[2 * i][1][i] - sides[2 * i + 1][1][i]) for i in range(n)] for t in range(len(order))]
noise = [sum(place[4][t] ** 2 for place in [best] + sides) / (2 * n + 1) / seeds / sigma[t] ** 2 for t in range(len(order))]
H = [[sum(row[i] * row[j] for row in J) for j in range(n)] for i in range(n)]
lever = [solve(H, row) for row in J]
covariance = [[sum((1 + noise[t]) * lever[t][i] * lever[t][j] for t in range(len(order))) for j in range(n)] for i in range(n)]
newton = solve(H, [-sum(J[t][i] * (best[3][t] - targets[order[t]][0]) / sigma[t] for t in range(len(order))) for i in range(n)])
measure([[min(max(x + d, 0), 1) for x, d in zip(best[1], newton)]])
best = min(tried, key=lambda place: place[5])


def near(a, b, tolerance=1e-9):
    a = math.nan if a is None else float(a)
    return math.isnan(a) and math.isnan(b) or a == b or abs(a - b) <= tolerance * max(abs(b), 1e-3)


# the points in the order of the search, with the digits of calibrate.csv
rows = list(csv.reader(open(folder + "/calibrate.csv")))
assert rows[0] == ["batch"] + names + [c for name in order for c in (name, name + " spread")] + ["error"], rows[0]
for row, (number, x, values, means, spreads, error) in zip(rows[1:], tried):
    assert int(row[0]) == number, (row, number, x)
    assert all(near(row[1 + i], low[i] + (high[i] - low[i]) * x[i], 1e-8) for i in range(n)), (row, x)
    assert all(near(row[1 + n + 2 * t], means[t], 1e-8) for t in range(len(order))), (row, means)
    assert all(near(row[2 + n + 2 * t], spreads[t], 6e-3) for t in range(len(order)) if math.isfinite(spreads[t])), (row, spreads)
    assert near(row[-1], error, 6e-6), (row, error)
assert len(rows) - 1 == len(tried), (len(rows) - 1, len(tried))

told = json.load(open(folder + ".json"))
value = [low[i] + (high[i] - low[i]) * best[1][i] for i in range(n)]
uncertainty = [math.sqrt(covariance[i][i]) * (high[i] - low[i]) for i in range(n)]
bound = [x < tolerance or x > 1 - tolerance for x in best[1]]
errors = [math.sqrt(v) * s if seeds > 1 else math.nan for v, s in zip(noise, sigma)]
correlation = [[covariance[i][j] / math.sqrt(covariance[i][i] * covariance[j][j]) for j in range(n)] for i in range(n)]
for i, p in enumerate(told["parameters"]):
    assert p["path"] == names[i] and near(p["value"], value[i]) and near(p["uncertainty"], uncertainty[i], 1e-6), (p, value[i], uncertainty[i])
    assert p["is_at_bound"] == bound[i] and p["has_influence"] and not p["is_uncertain"], p
for t, f in enumerate(told["figures"]):
    assert f["name"] == order[t] and near(f["value"], best[3][t]) and near(f["error"], errors[t], 1e-6), (f, best[3][t], errors[t])
    assert [f["target"], f["sigma"]] == targets[order[t]], f
assert len(told["parameters"]) == n and len(told["figures"]) == len(order)
assert all(near(told["correlation"][i][j], correlation[i][j], 1e-6) for i in range(n) for j in range(n)), (told["correlation"], correlation)
assert near(told["error"], best[5], 1e-7) and told["places"] == len(tried) and told["seeds"] == seeds
assert told["failed_runs"] == failed and told["converged"] == converged, (told, failed, converged)
if "--bound" in sys.argv:
    assert any(bound) and not all(bound), bound
if "--failed" in sys.argv:
    assert failed > 0
assert converged != ("--open" in sys.argv), told

# the output has the numbers of calibrate.csv with fewer digits
short = lambda x: "-" if math.isnan(x) else "%.3g" % x
lines = ["%-28s %14s %12s" % ("parameter", "value", "+-")]
lines += ["%-28s %14.6g %12s" % (names[i], told["parameters"][i]["value"], short(told["parameters"][i]["uncertainty"])) + ("  at its bound" if bound[i] else "")
          for i in range(n)]
lines += ["", "%-28s %14s %12s %14s %12s" % ("figure", "value", "+-", "target", "sigma")]
lines += ["%-28s %14.6g %12s %14.6g %12.3g" % (f["name"], f["value"], short(math.nan if f["error"] is None else f["error"]), f["target"], f["sigma"])
          for f in told["figures"]]
lines += [f"The errors of {names[j]} and {names[i]} go together: correlation {told['correlation'][i][j]:.2f}." for i in range(n) for j in range(i)
          if abs(correlation[i][j]) > 0.9]
lines += ["error %.4g for %d targets after %d places with %d seeds" % (told["error"], len(order), len(tried), seeds)
          + ("" if converged else "; the search has not converged: a larger budget")]
lines += [f"{failed} runs have no figures"] * (failed > 0)
assert open(folder + ".txt").read().split("\n")[:-1] == lines, (open(folder + ".txt").read(), lines)
assert open(folder + ".err").read().split("\n")[-2] == "scree calibrate: %d places, least error %.4g" % (len(tried), best[5]), open(folder + ".err").read()
PYTHON

# usage: again NAME METHOD SEEDS FIRST-SEED BUDGET TOLERANCE STEP HOLE VARY TARGETS [--bound] [--failed] [--open]
again() {
  printf 'scree: 1\nscene: figures.lua\nseed: %s\nparams: {hole: %s}\ncalibrate: {vary: %s, targets: %s, method: %s, seeds: %s, budget: %s, tolerance: %s, step: %s}\n' \
    "$4" "$8" "$9" "${10}" "$2" "$3" "$5" "$6" "$7" > "$1.yaml"
  "$scree" calibrate "$1.yaml" -o "$1" > "$1.txt" 2> "$1.err"
  local code=$? expected=0
  [[ " $* " = *" --open "* ]] && expected=1
  [ $code = $expected ] || fail "$1: exit code $code: $(cat "$1.txt" "$1.err")"
  "$scree" calibrate "$1.yaml" -o "$1" --json -q > "$1.json" 2> err || [ $expected = 1 ] || fail "$1: --json: $(cat err)"
  [ -s err ] && fail "$1: --quiet: $(cat err)"
  python3 again.py "$@" || fail "$1: $(head -50 "$1.txt")"
}
again simplex nelder_mead 2 5 60 0.05 0.05 9 '{"params.x": [0, 2, 0.3], "params.y": [-1, 1]}' '{"a": [3, 0.02], "c": [0.5, 0.1]}'
again bound nelder_mead 1 1 16 0.001 0.02 0.9 '{"params.y": [-1, 1, 0.9], "params.x": [0.5, 2, 0.6]}' '{"a": [2, 0.1], "b, twice": [9, 1]}' --bound --failed --open
again three nelder_mead 1 2 16 0.01 0.02 9 '{"params.x": [0, 2], "params.z": [0, 1, 1], "params.y": [-1, 1]}' '{"a": [3, 0.1], "b, twice": [-1, 0.1], "c": [1, 0.1]}' --open
again pair cma_es 1 1 60 0.2 0.05 9 '{"params.y": [-1, 1, -0.5], "params.x": [0, 2]}' '{"a": [3, 0.5], "c": [1, 0.5]}'
again cma cma_es 1 1 28 0.01 0.05 9 '{"params.x": [0, 2], "params.y": [-1, 1, -0.5], "params.z": [0, 1]}' '{"a": [3, 0.2], "b, twice": [-0.5, 0.2], "c": [0.7, 0.3]}' --open
exit $failed
