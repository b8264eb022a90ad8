#!/usr/bin/env bash
# Tests the output of scree info, diff and solve. Text and JSON must have equal numbers. The numbers must equal those of a motion in closed form, of
# files and of other commands.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"

# ball i starts at x = i and moves along y
cat > balls.lua <<'LUA'
return {
  title = "two \"balls\"",
  params = { every = 0.25, speed = 1, radius = 0.1, n = 2, cell = 0, precise = 0, shape = "", box = 0 },
  world = function(p)
    return { gravity = { 0, 0, 0 }, dt = 0.0625, cell = p.cell > 0 and { size = { 8, 9, 10 }, periodic = { true, true, p.cell > 1 } } or nil }
  end,
  setup = function(w, p)
    if p.cell > 0 then w:cell():set_matrix { { 8, 1, 0 }, { 0.5, 9, 0 }, { 0.25, 0.125, 10 } } end
    for i = 1, p.n do w:sphere { radius = i == 2 and p.radius or 0.1, mass = 1, position = { 3 * i, 0, 0 }, velocity = { 0, i == 2 and p.speed or 1, 0 } } end
    if p.box > 0 then w:box { size = { 1, p.box, 1 }, mass = 1, position = { 20, 0, 0 } } end
  end,
  output = function() end,
  stop = { time = 1 },
}
LUA
sed -i 's/  output = .*/  output = { trajectory = { every = EVERY } },/' balls.lua
for run in "A 0.25" "B 0.25 speed=2" "C 0.25 n=3" "D 0.25 radius=0.2" "E 0.5 speed=0.5" "F 0.375" "G 0.25 cell=1" "H 0.25 cell=2" "I 0.25 box=1" "J 0.25 box=2" "K 5 speed=3"; do
  set -- $run
  sed "s/EVERY/$2/" balls.lua > "$1.lua"
  "$scree" run "$1.lua" -q -o "$1" "${@:3}" > out 2>&1 || stop "run $1: $(cat out)"
done

cat > judge.py <<'PYTHON'
import json, os, subprocess, sys
scree = sys.argv[1]


def call(*words):
    done = subprocess.run([scree, *words], capture_output=True, text=True)
    assert done.stderr == "", (words, done.stderr)
    return done.returncode, done.stdout


# ---- diff ----
times = {name: [step * every for step in range(int(1 / every) + 1)] for name, every in
         {"A": 0.25, "B": 0.25, "C": 0.25, "D": 0.25, "E": 0.5, "F": 0.375, "I": 0.25, "J": 0.25, "K": 5}.items()}
times["F"].append(1.0)  # the last state has a frame, too
times["K"] = [0.0, 1.0]


def line(lead, d):
    words = lead + "frame %d" % d["frame"] + (" (%d in B)" % d["frame_b"] if d["frame_b"] != d["frame"] else "")
    words += ", body %d" % d["body"] if d["body"] else ""
    words += ", " + d["field"]
    if d["field"] == "body":
        return words + ": only in " + ("A" if d["a"] > 0 else "B")
    if d["field"] == "shape":
        return words + (": differs" if d["component"] else ": another number of shapes")
    if d["field"] in ("position", "orientation", "velocity", "spin"):
        words += "[%d]" % (d["component"] + 1)
    return words + ": %.17g, %.17g, apart by %.3g" % (d["a"], d["b"], abs(d["a"] - d["b"]))


def diff(a, b, first, largest, differences, *options):
    """Checks scree diff of two runs. first, largest: (frame, frame_b, body, field, component, a, b)."""
    code, text = call("diff", a, b, *options)
    again, words = call("diff", a, b, "--json", *options)
    told, both = json.loads(words), sorted(set(times[a]) & set(times[b]))
    keys = ("frame", "frame_b", "body", "field", "component", "a", "b")
    as_dict = lambda d: d and dict(zip(keys, d))
    same = not differences and times[a] == times[b]
    assert told == {"same": same, "frames_a": len(times[a]), "frames_b": len(times[b]), "compared": len(both), "differences": differences, "softened_a": 0, "softened_b": 0,
                    "first": as_dict(first), "largest": [as_dict(d) for d in largest]}, (a, b, told)
    assert code == again == (0 if same else 1), (a, b, code)
    if same:
        expected = ["same: %d frames" % len(both)]
    else:
        expected = ["frames: %d in A, %d in B, %d of the same time" % (len(times[a]), len(times[b]), len(both))] if not len(times[a]) == len(times[b]) == len(both) else []
        if not differences:
            expected += ["the %d frames that both have are the same" % len(both) if both else "no frame of A has the time of a frame of B"]
        else:
            expected += [line("first:   ", told["first"])] + [line("largest: ", d) for d in told["largest"]]
            expected += ["%d values differ in %d frames compared" % (differences, len(both))]
    assert text.split("\n")[:-1] == expected, (text, expected)


speed = (0, 0, 2, "velocity", 1, 1.0, 2.0)
diff("A", "A", None, [], 0)
diff("A", "B", speed, [(4, 4, 2, "position", 1, 1.0, 2.0), speed], 4 + 5)
diff("A", "B", None, [], 0, "--tolerance", "0.5")
diff("A", "B", speed, [(4, 4, 2, "position", 1, 1.0, 2.0), speed], 2 + 5, "-t", "0.1")  # 0.1 of the largest coordinate is 0.6 m
diff("A", "C", *[(0, 0, 3, "body", 0, 0.0, 1.0)] * 1, [(0, 0, 3, "body", 0, 0.0, 1.0)], 5)
diff("C", "A", *[(0, 0, 3, "body", 0, 1.0, 0.0)] * 1, [(0, 0, 3, "body", 0, 1.0, 0.0)], 5)
slow = (0, 0, 2, "velocity", 1, 2.0, 0.5)
diff("B", "E", slow, [(4, 2, 2, "position", 1, 2.0, 0.5), slow], 2 + 3)
diff("A", "F", None, [], 0)
diff("A", "K", (0, 0, 2, "velocity", 1, 1.0, 3.0), [(4, 1, 2, "position", 1, 1.0, 3.0), (0, 0, 2, "velocity", 1, 1.0, 3.0)], 1 + 2)
shape = (0, 0, 3, "shape", 1, 0.0, 1.0)
code, text = call("diff", "I", "J", "--json")
told = json.loads(text)
assert code == 1 and told["first"]["field"] == "radius" and {d["field"] for d in told["largest"]} == {"radius", "shape"}, told
assert call("diff", "I", "J")[1].split("\n")[:-1] == [line("first:   ", told["first"])] + [line("largest: ", d) for d in told["largest"]] + [
    "%d values differ in 5 frames compared" % told["differences"]]

# ---- info ----
for name, frames, last, most, cell in (("A", 5, 1, 2, ""), ("C", 5, 1, 3, ""), ("G", 5, 1, 2, "x, y"), ("H", 5, 1, 2, "x, y, z"), ("F", 4, 1, 2, "")):
    size = os.path.getsize(name + "/trajectory.scree")
    told, meta = json.loads(call("info", name, "--json")[1]), json.load(open(name + "/run.json"))
    assert told["meta"] == meta and told.pop("meta")
    assert told == {"file": name, "frames": frames, "bytes": size, "complete": True, "lost_bytes": 0, "damaged_chunks": 0, "damage": "",
                    "bytes_per_body_and_frame": size / (frames * most), "fields": "position, orientation, velocity, spin", "precision": 0,
                    "first_time": 0, "last_time": last, "most_bodies": most}, told
    unit = "%.3g kB" % (size / 1000)
    expected = ['title      two \\', f"scene      {name}.lua", "seed       1", "started    " + meta["started"], f"file       {name}, {unit}",
                f"frames     {frames}, from 0 s to {last} s", f"bodies     at most {most}; {size / (frames * most):.1f} bytes per body and frame",
                "fields     position, orientation, velocity, spin", "precision  exact"]
    expected += [f"cell       edges (8, 0.5, 0.25), (1, 9, 0.125), (0, 0, 10) m, periodic along {cell}"] if cell else []
    found = call("info", name)[1].split("\n")[:-1]
    assert found[1:] == expected[1:] + ["state      complete"] and found[0].startswith("title      two "), (found, expected)
assert call("info", "A", "--source")[1] == open("A.lua").read()

# ---- solve ----
names = ["heap.prob", "chain.prob"]
for name in names:
    code, text = call("solve", name, "--json", "-s", "nbgs", "-t", "1e-6")
    told = json.loads(text)
    assert told["file"] == name and told["solver"] == "nbgs" and code == 0 and told["converged"] and told["error"] <= 1e-6, told
    assert (told["bodies"], told["contacts"], told["joint_rows"]) == {"heap.prob": (13, 12, 0), "chain.prob": (6, 1, 12)}[name], told
    assert "history" not in told and told["start_residual"] > told["residual"] >= 0 and told["scale"] > 0 and told["seconds"] >= 0, told
    # with fewer iterations the solver reports that it did not converge; the history has the residuals of runs with 1, 2, 4, ... iterations
    code, text = call("solve", name, "--json", "-s", "nbgs", "-t", "1e-6", "--history")
    trace = json.loads(text)
    assert code == 0 and trace["iterations"] == told["iterations"] and trace["residual"] == told["residual"] and trace["history"][-1] == [told["iterations"], told["residual"]]
    expected, most = [], 1
    while most < told["iterations"]:
        code, text = call("solve", name, "--json", "-s", "nbgs", "-t", "1e-6", "-i", str(most))
        part = json.loads(text)
        assert code == 1 and not part["converged"] and part["iterations"] == most and part["error"] > 1e-6, part
        expected.append([most, part["residual"]])
        most *= 2
    assert trace["history"][:-1] == expected, (trace, expected)
    assert len(expected) > 2, trace
    # the text
    code, text = call("solve", name, "-s", "nbgs", "-t", "1e-6", "--history")
    lines = text.split("\n")[:-1]
    assert code == 0 and lines[0] == "%s: %d bodies, %d contacts, %d joint rows, velocity scale %.3g m/s" % (
        name, told["bodies"], told["contacts"], told["joint_rows"], told["scale"]), lines
    head, seconds = lines[1].rsplit(", ", 1)
    assert head == "nbgs: %d iterations, error %.3g, residual %.3g m/s (start %.3g)" % (
        told["iterations"], told["error"], told["residual"], told["start_residual"]) and seconds.endswith(" s") and float(seconds[:-2]) >= 0, lines
    assert lines[2:] == ["  %8d  %.6g" % tuple(pair) for pair in trace["history"]], lines
    code, text = call("solve", name, "-s", "nbgs", "-t", "1e-6", "-i", "2")
    assert code == 1 and text.split("\n")[2:] == ["the tolerance 1e-06 was not reached", ""], text
    # the table: a cell for each solver and tolerance, with the iterations of single calls
    code, text = call("solve", name, "--table", "-i", "500")
    lines = text.split("\n")
    assert code == 0 and lines[:5] == ["", name, "", "| solver | 1e-4 | 1e-6 | 1e-8 |", "|---|---|---|---|"] and lines[-1] == "", lines
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in lines[5:-1]]
    solvers = [row[0] for row in rows]
    listed = call("solve", "--help")[1].split("Solvers: ")[1].split(";")[0].replace("\n", " ").split(", ")
    assert solvers == listed and len(solvers) > 6, (solvers, listed)
    for row in rows:
        for tolerance, cell in zip((1e-4, 1e-6, 1e-8), row[1:]):
            done = subprocess.run([scree, "solve", name, "--json", "-s", row[0], "-t", str(tolerance), "-i", "500"], capture_output=True, text=True)
            single = json.loads(done.stdout) if done.returncode < 2 else {"error": 1}
            if single["error"] > 1.01 * tolerance:
                assert cell == "-", (row, single)
            else:
                iterations, time = cell.split(", ")
                assert int(iterations) == single["iterations"] and time.endswith(" ms") and float(time[:-3]) >= 0, (row, single)
# warm: the impulses in the file are the solution of the step; two files: two objects, and the exit code is that of the file that does not converge
cold, warm = (json.loads(call("solve", "heap.prob", "--json", "-s", "nbgs", "-t", "1e-6", *more)[1]) for more in ((), ("--warm",)))
assert warm["start_residual"] < 0.1 * cold["start_residual"], (warm, cold)
for order in names, names[::-1]:
    done = subprocess.run([scree, "solve", *order, "--json", "-s", "nbgs", "-t", "1e-6", "-i", "200"], capture_output=True, text=True)
    objects = [json.loads(text) for text in done.stdout.split("\n")[:-1]]
    assert [o["file"] for o in objects] == order and done.returncode == (0 if all(o["converged"] for o in objects) else 1), objects
# invalid numbers
for words in ("-t -1", "-i 0", "--threads 2000", "--directions 1"):
    done = subprocess.run([scree, "solve", "heap.prob", *words.split()], capture_output=True, text=True)
    assert done.returncode == 2, (words, done)
for words in ("-t 0 -i 1", "-i 1", "--threads 1", "--directions 2"):
    done = subprocess.run([scree, "solve", "heap.prob", *words.split()], capture_output=True, text=True)
    assert done.returncode < 2, (words, done)
PYTHON

cat > problems.lua <<'LUA'
local scree = require "scree"
local w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3, solver = { iterations = 100 } }
w:pair { "default", "default", mu = 0.4 }
w:halfspace { normal = { 0, 0, 1 } }
for i = 1, 12 do w:sphere { radius = 0.1, position = { 0, 0, 0.2 * i - 0.1 }, velocity = { 0, 0, -0.1 } } end
w:step(20)
w:dump_problem "heap.prob"
w = scree.world { gravity = { 0, 0, -10 }, dt = 1e-3 }
w:halfspace { normal = { 0, 0, 1 } }
local last
for i = 1, 5 do
  local b = w:sphere { radius = 0.1, position = { 0.3 * i, 0, i == 1 and 0.1 or 0.3 }, mass = i }
  if last then w:ball { a = last, b = b, at = { 0.3 * i - 0.15, 0, 0.25 } } end
  last = b
end
w:step(2)
w:dump_problem "chain.prob"
LUA
"$scree" lua --trust problems.lua > out 2>&1 || stop "problems: $(cat out)"
python3 judge.py "$scree" || fail "what is told"
exit $failed
