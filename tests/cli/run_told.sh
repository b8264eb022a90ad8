#!/usr/bin/env bash
# Tests the output of scree run: parameters in the help with units, bounds and choices; errors about wrong values; the table of figures. Compares
# run.json with the scene, its files and the report of the run.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"

echo 'return { gravity = { 0, 0, -9.81 } }' > part.lua
cat > scene.lua <<'LUA'
local part = require "part"
return {
  title = 'two "pendulums"',
  params = {
    plain = 0.5, count = 3, text = "a word", on = true, off = false, list = { 1, 2.5, "x" },
    width = { default = "60 mm", unit = "m", min = 0.01, max = 1, doc = "width of the outlet" },
    least = { default = 2, min = 1, doc = "at least one" }, most = { default = 2, max = 7 },
    number = { default = 4, whole = true, min = 0, max = 9, doc = "whole" },
    law = { default = "coulomb", choices = { "coulomb", "cone", "max_dissipation" }, doc = "law of friction" },
    sizes = { default = { 1, 2 }, max = 3 },
    angle = { default = "90 deg", unit = "rad" }, pure = { default = 1, unit = "", doc = "no unit" },
  },
  world = { gravity = part.gravity, dt = 1e-3, solver = { name = "nbgs", iterations = 20, tolerance = 1e-3 }, domain = { min = { -5, -5, -5 }, max = { 5, 5, 5 } } },
  view = { azimuth = 30, caption = "a \"view\"" },
  setup = function(w, p)
    w:halfspace { normal = { 0, 0, 1 } }
    local a = w:sphere { name = "a", radius = 0.1, position = { 0, 0, 1.5 } }
    local b = w:box { size = { 0.2, 0.2, 0.2 }, position = { 0.5, 0, 1.5 } }
    w:hinge { a = a, at = { 0, 0, 2 }, axis = { 0, 1, 0 } }
    w:ball { a = a, b = b, at = { 0.25, 0, 1.5 } }
    for i = 1, 4 do w:sphere { radius = 0.1, position = { 2, 0, 0.1 + 0.1999 * (i - 1) } } end
    w:sphere { radius = 0.1, position = { 4.95, 0, 3 }, velocity = { 9, 0, 0 } }
  end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } },
  stop = { time = 0.1 },
  report = function(w, p)
    local figures, r = { { "nothing", 0 / 0 }, { "a \"word\"", "text, with comma" }, { "length", 0.25, "m" }, { "large", 1.5e300 } }, w:report()
    for _, name in ipairs { "time", "step", "bodies", "contacts", "iterations", "residual", "kinetic", "potential", "dissipated", "penetration", "mean_penetration", "max_speed",
      "unbalanced", "overlap", "overlap_max_", "bodies_lost_", "crossed_" } do
      local key = name:gsub("_$", "")
      figures[#figures + 1] = { "r." .. key, r[key] }
    end
    for _, name in ipairs { "untouched", "sweeps", "momentum", "newton", "unfit", "dear", "moving", "again", "gaining", "steps", "capped" } do figures[#figures + 1] = { "s." .. name, r.solved[name] } end
    return figures
  end,
}
LUA
cat > judge.py <<'PYTHON'
import csv, hashlib, json, math, os, re, socket, subprocess, sys
scree = sys.argv[1]


def call(*words):
    done = subprocess.run([scree, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


# ---- parameters in the help ----
shown = [("angle=1.570796327 rad", "", ""), ("count=3", "", ""), ("law=coulomb", "law of friction", " (coulomb, cone, max_dissipation)"),
         ("least=2", "at least one", " (at least 1)"), ("list=1,2.5,x", "", ""), ("most=2", "", " (at most 7)"), ("number=4", "whole", " (0 to 9)"), ("off=false", "", ""),
         ("on=true", "", ""), ("plain=0.5", "", ""), ("pure=1", "no unit", ""), ("sizes=1,2", "", " (at most 3)"), ("text=a word", "", ""),
         ("width=0.06 m", "width of the outlet", " (0.01 to 1)")]
lines = ["parameters of scene.lua:"] + ["  %-26s%s%s%s" % (left, " " if doc else "", doc, rest) for left, doc, rest in shown] + [""]
for words in ("run", "scene.lua", "--help"), ("run", "--help", "scene.lua"), ("run", "-h", "scene.lua"):
    code, text, error = call(*words)
    assert code == 0 and error == "" and text.startswith("\n".join(lines) + "\n") and "usage: scree run" in text, (code, text, error)
code, text, error = call("run", "--help")
assert code == 0 and "parameters of" not in text
open("bare.lua", "w").write("return { world = {}, setup = function(w) w:sphere { radius = 1 } end }")
assert call("run", "bare.lua", "--help")[1].startswith("parameters of bare.lua: none but seed\n\nusage:"), call("run", "bare.lua", "--help")

# ---- values that are refused ----
for value, words in (("width=2", "at most 1 m, not 2"), ("width=1 mm", "at least 0.01 m, not 0.001"), ("least=0.5", "at least 1, not 0.5"), ("most=7.5", "at most 7, not 7.5"),
                     ("number=1.5", "whole number, not 1.5"), ("number=10", "at most 9, not 10"), ("law=cuolomb", "must be one of coulomb, cone, max_dissipation, not 'cuolomb'"),
                     ("sizes=1,4", "at most 3, not 4"), ("width=1 s", "length"), ("conut=1", "did you mean 'count'"), ("on=7", "on")):
    code, text, error = call("check", "scene.lua", value)
    assert code == 2 and words in error, (value, code, error)
for value in ("width=1 m", "width=10 mm", "width=0.01", "least=1", "most=7", "number=0", "number=9", "law=cone", "sizes=3,3", "angle=180 deg", "pure=2", "on=false", "text=other", "list=7,8"):
    assert call("check", "scene.lua", value)[0] == 0, (value, call("check", "scene.lua", value))

# ---- run.json ----
words = ["run", "scene.lua", "-q", "-o", "out", "width=70 mm", "law=cone", "count=5"]
code, text, error = call(*words)
assert code == 0, error
told = json.load(open("out/run.json"))
assert told["scree"] == call("--version")[1].split()[1] and told["status"] == "completed" and told["title"] == 'two "pendulums"' and told["scene"] == "scene.lua"
assert told["sources"] == [{"path": path, "bytes": os.path.getsize(path), "sha256": hashlib.sha256(open(path, "rb").read()).hexdigest()} for path in ("scene.lua", "part.lua")] or \
    told["sources"] == [{"path": path, "bytes": os.path.getsize(path[2:] if path[:2] == "./" else path), "sha256": hashlib.sha256(open(path, "rb").read()).hexdigest()} for path in ("scene.lua", "./part.lua")], told["sources"]
assert told["parameters"] == {"angle": math.pi / 2, "count": 5, "law": "cone", "least": 2, "list": [1, 2.5, "x"], "most": 2, "number": 4, "off": False, "on": True, "plain": 0.5, "pure": 1,
                              "seed": 1, "sizes": [1, 2], "text": "a word", "width": 0.07}, told["parameters"]
assert told["view"]["azimuth"] == 30 and told["view"]["caption"] == 'a "view"', told["view"]
assert told["seed"] == 1 and told["host"] == socket.gethostname() and os.path.realpath(told["folder"]) == os.path.realpath(os.getcwd())
assert told["command"] == "scree " + " ".join(words) and told["compiler"] and told["ranks"] == 1 and told["threads"] >= 1
assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", told["started"]) and told["started"] <= told["written"] and told["wall_seconds"] >= 0
assert told["gravity"] == [0, 0, -9.81] and "invalid" not in told and "trouble" not in told
hinge, ball = told["joints"]
near = lambda a, b: all(abs(x - y) < 1e-3 for x, y in zip(a, b))
assert (hinge["type"], ball["type"]) == ("hinge", "ball") and sorted((hinge["a"], hinge["b"])) == [0, 2] and sorted((ball["a"], ball["b"])) == [2, 3], told["joints"]
# points in the axes of each body; the ground has those of the world
assert near(hinge["at"], [0, 0, 0.5]) and near(hinge["axis"], [0, 1, 0]) and near(hinge["at_b"], [0, 0, 2]), hinge
assert near(ball["at"], [0.25, 0, 0]) and near(ball["at_b"], [-0.25, 0, 0]), ball
figures = {f["name"]: f for f in told["figures"]}
names = [f["name"] for f in told["figures"]]
assert names[:4] == ["nothing", 'a "word"', "length", "large"] and figures["nothing"]["value"] is None and figures['a "word"']["value"] == "text, with comma"
assert figures["length"] == {"name": "length", "value": 0.25, "unit": "m"} and figures["large"]["value"] == 1.5e300
for name, figure in figures.items():
    if name.startswith("r."): assert told["report"][name[2:]] == figure["value"], (name, told["report"], figure)
    if name.startswith("s."): assert told["report"]["solver"][name[2:]] == figure["value"], (name, told["report"], figure)
report = told["report"]
assert report["step"] == 100 and abs(report["time"] - 0.1) < 1e-12 and report["bodies"] == 7 and report["bodies_lost"] == 1 and report["contacts"] > 0 and report["solver"]["name"] == "nbgs"
assert report["overlap_most"] == report["overlap_max"] > 0 and 0 <= report["mean_relative_residual"] <= report["largest_relative_residual"]
last = list(csv.DictReader(open("out/series.csv")))[-1]
for name in ("step", "bodies", "contacts", "kinetic", "potential", "penetration", "max_speed"):
    assert abs(float(last[name]) - report[name]) <= 1e-8 * abs(report[name]), (name, last[name], report[name])
assert set(told["stage_seconds"]) == {"broad", "narrow", "assemble", "solve", "integrate", "lua", "output"} and all(v >= 0 for v in told["stage_seconds"].values())
assert re.fullmatch("[0-9a-f]{16}", told["hash"])

# ---- the table of figures ----
lines = text.rstrip("\n").split("\n")
wide = max(len(n) + (len(f["unit"]) + 3 if f["unit"] else 0) for n, f in figures.items())
table = []
for n, f in figures.items():
    label = n + (f" [{f['unit']}]" if f["unit"] else "")
    value = "-" if f["value"] is None else f["value"] if isinstance(f["value"], str) else "%.6g" % f["value"]
    table.append("%-*s %16s" % (wide + 2, label, value))
at = lines.index(table[0])
assert lines[at:at + len(table)] == table, (lines, table)
assert "1 body left the domain (world.domain)" in lines and lines[-1] == "written to out", lines
# without --quiet: the balance of forces, and the head of the progress
code, text, error = call("run", "scene.lua", "-o", "loud", "--force")
loud = json.load(open("loud/run.json"))
assert code == 0 and error.startswith('two "pendulums": 8 bodies, dt 0.001 s, seed 1, %d thread%s\n' % (loud["threads"], "" if loud["threads"] == 1 else "s")), error
r = loud["report"]
share = ["forces balance to %.2g %% of the load that they carry" % (100 * r["unbalanced_mean"])] if r["unbalanced_mean"] > 0 else []
share += ["in the worst step they were off by %.2g %%" % (100 * r["unbalanced_most"])] if r["unbalanced_most"] > max(0.01, r["unbalanced_mean"]) else []
share += ["%.3g %% of the steps used up all sweeps allowed (solver.iterations)" % (100 * r["solver"]["capped"] / r["solver"]["steps"])] if r["unbalanced_mean"] > 1e-3 and r["solver"]["capped"] else []
assert [line for line in text.split("\n") if line.startswith(("forces", "in the worst")) or "sweeps allowed" in line] == share and share, (text, share)
assert loud["hash"] == told["hash"]  # the parameters of the first run change no motion
PYTHON
python3 judge.py "$scree" || fail "what a run tells"
exit $failed
