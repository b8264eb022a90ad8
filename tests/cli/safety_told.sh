#!/usr/bin/env bash
# Compares scree safety with closed forms for a block that slides with constant acceleration. The factors of the trials must follow from doubling,
# halving and bisection around the known factor. Displacement, growth and criterion of each trial must be those of the block. JSON, text and
# safety.csv must agree.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"

cat > slope.lua <<'LUA'
return {
  params = { angle = 30, mu = 0.8, late = false },
  world = function(p) return { gravity = { 10 * math.sin(math.rad(p.angle)), 0, -10 * math.cos(math.rad(p.angle)) }, dt = 1e-3 } end,
  setup = function(w, p)
    w:pair { "default", "default", mu = p.mu }
    w:halfspace { normal = { 0, 0, 1 } }
    w:box { size = { 1, 1, 0.2 }, position = { 0, 0, 0.1 } }
  end,
  before_step = function(w, p) if p.late and w:steps() == 300 then w:find("a"):remove() end end,
  stop = { time = 0.5 },
}
LUA
sed -i 's/w:box { size/w:box { name = "a", size/' slope.lua
cat > judge.py <<'PYTHON'
import csv, json, math, subprocess, sys
scree = sys.argv[1]
radius = math.sqrt(0.5 ** 2 + 0.5 ** 2 + 0.1 ** 2)


def call(*words):
    done = subprocess.run([scree, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def search(name, angle, mu, *options, accuracy=0.002, growth=1.5, displacement=0.5, time=0.5, settle=0.0):
    """Compares a search with its closed form. Bodies that slide fail; those that stick stand."""
    exact = mu / math.tan(math.radians(angle))
    words = ["safety", "slope.lua", f"angle={angle}", f"mu={mu}", "-o", name, *options]
    code, text, error = call(*words)
    again, told, quiet = call(*words, "--json", "-q")
    assert code == again == 0 and quiet == "", (code, error, quiet)
    told = json.loads(told)
    rows = list(csv.reader(open(name + "/safety.csv")))
    assert rows[0] == ["factor", "failed", "displacement", "growth", "criterion"] and len(rows) - 1 == len(told["trials"])
    # the factors of the trials, in the order of the trials
    low, high, tried = 0.0, math.inf, []

    def attempt(f):
        nonlocal low, high
        tried.append(f)
        if f > exact: high = f
        else: low = f
    attempt(1.0)
    f = 2.0
    while math.isinf(high): attempt(f); f *= 2
    f = 0.5
    while low == 0: attempt(f); f /= 2
    while high / low > 1 + accuracy: attempt(math.sqrt(low * high))
    assert [round(t["factor"] / f, 6) for t, f in zip(told["trials"], tried)] == [1] * len(tried) == [1] * len(told["trials"]), (told["trials"], tried)
    assert abs(told["stands"] / low - 1) < 1e-12 and abs(told["fails"] / high - 1) < 1e-12 and abs(told["factor"] / math.sqrt(low * high) - 1) < 1e-12 and told["reduce"] == "friction"
    lines = error.split("\n")[:-1]
    assert len(lines) == len(tried)
    for line, row, trial, f in zip(lines, rows[1:], told["trials"], tried):
        a = max(0, 10 * (math.sin(math.radians(angle)) - mu / f * math.cos(math.radians(angle))))
        way = lambda t: 0.5 * a * t * t / radius
        assert trial["failed"] == (f > exact), trial
        assert float(row[0]) == f or abs(float(row[0]) / f - 1) < 1e-15
        assert row[1] == str(int(trial["failed"])) and row[4] == trial["criterion"]
        for cell, value in ((row[2], trial["displacement"]), (row[3], trial["growth"])):
            assert value is None and cell == "nan" or float(cell) == value or abs(float(cell) / value - 1) < 1e-5, (row, trial)
        end = way(time) - way(settle) if settle == 0 else None
        if settle == 0 and a:
            # the trial ends at the first of 64 comparisons at which the block has moved far enough
            early = [way(time * k / 64) for k in range(1, 65) if way(time * k / 64) > displacement]
            if early:
                assert trial["criterion"] == "displacement" and abs(trial["displacement"] / early[0] - 1) < 0.05, (trial, early[0], f)
            elif growth:
                assert trial["criterion"] == "motion grows" and abs(trial["displacement"] / end - 1) < 0.03 + 2e-4 / end, (trial, end)
                if end > 0.01: assert abs(trial["growth"] - 3) < 0.1, trial
            else: assert not trial["failed"]
        elif settle == 0: assert trial["criterion"] == "" and trial["displacement"] < 1e-3, trial
        assert line == "scree safety: F = %.5g %s%s (moved by %.3g radii)" % (f, "fails: " if trial["failed"] else "stands", trial["criterion"], trial["displacement"]) or abs(
            float(line.rsplit("by ", 1)[1].split()[0]) / trial["displacement"] - 1) < 6e-3, (line, trial)
    assert text == "factor of safety %.4g (friction; stands at %.5g, fails at %.5g; %d trials)\n" % (told["factor"], low, high, len(tried)), text


search("plain", 30, 0.8, "--accuracy", "0.02", accuracy=0.02)
search("low", 35, 0.2, "--accuracy", "0.02", accuracy=0.02)
search("high", 10, 1.3, "--accuracy", "0.1", "--time", "0.25", accuracy=0.1, time=0.25)
search("far", 30, 0.8, "--displacement", "0.02", "--accuracy", "0.05", accuracy=0.05, displacement=0.02)
# with the limit 3.5 a growth of 3 is no failure, so only the displacement fails; --growth 0 ignores the growth
code, text, error = call("safety", "slope.lua", "--growth", "3.5", "--accuracy", "0.05", "-q", "--json", "-o", "more")
told = json.loads(text)
assert code == 0 and {t["criterion"] for t in told["trials"]} == {"", "displacement"}, told
needed = 0.5 * radius / (0.5 * 0.5 ** 2)  # acceleration at which the block moves half a radius in 0.5 s
exact = 0.8 * math.cos(math.radians(30)) / (math.sin(math.radians(30)) - needed / 10)
assert abs(told["factor"] / exact - 1) < 0.05, (told["factor"], exact)
off = json.loads(call("safety", "slope.lua", "--growth", "0", "--accuracy", "0.05", "-q", "--json", "-o", "off")[1])
assert off["factor"] == told["factor"], off
# the scene fails if it removes a body
code, text, error = call("safety", "slope.lua", "late=true", "-o", "gone")
assert code == 1 and "the scene fails for all F down to 0.000976562: more friction does not hold it, or its bodies settle; try --settle" in error, error
assert set(row["criterion"] for row in csv.DictReader(open("gone/safety.csv"))) == {"a body is lost"}
# invalid numbers
for words, said in ((("--accuracy", "1"), "[1e-9, 1)"), (("--accuracy", "1e-10"), "[1e-9, 1)"), (("--settle", "-1"), "at least 0, not -1"), (("--growth", "-1"), "at least 0, not -1"),
                    (("--settle", "0.5"), "not below the time of a trial, 0.5 s"), (("--displacement", "0"), "greater than 0"), (("--reduce", "mu"), "friction, cohesion or both"),
                    (("--time", "0"), "greater than 0")):
    code, text, error = call("safety", "slope.lua", "-o", "no", *words)
    assert code == 2 and said in error, (words, code, error)
PYTHON
python3 judge.py "$scree" || fail "scree safety"
[ -e no ] && fail "refused calls write nothing"
exit $failed
