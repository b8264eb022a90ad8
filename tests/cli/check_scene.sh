#!/usr/bin/env bash
# What check says about a scene before it runs: undefined pairs of materials, sizes, the fastest body, and --steps.
. "$(dirname "$0")/../support/cli.sh"

cat > scene.lua <<'LUA'
return {
  params = { column = "height", wrong = 0 },
  world = { dt = 1e-3 },
  setup = function(w)
    w:material { name = "steel", density = 7800 }
    w:material { name = "glass", density = 2500 }
    w:material { name = "spare", density = 1000 }
    w:pair { "steel", "glass", mu = 0.3, restitution = 0.5 }
    w:halfspace { normal = { 0, 0, 1 }, material = "glass" }
    w:sphere { radius = 0.01, position = { 0, 0, 0.0098 }, material = "steel", name = "low" }
    w:sphere { radius = 0.03, position = { 1, 0, 1 }, velocity = { 0, 0, -2 }, material = "steel", name = "quick" }
  end,
  every = { { time = 5, call = function(w, p) if p.wrong == 1 then error "late callback" end w.state.seen = true end } },
  output = { series = { every = 0.001, values = function(w) return { height = 1 } end } },
  stop = { time = 10 },
  report = function(w, p, out)
    assert(w.state.seen and w:steps() == 3)
    out:write("note.txt", "x")
    if p.wrong == 2 then error("there is no column " .. p.column) end
    return { { "speed", 1, "m/s" } }
  end,
}
LUA
"$scree" check scene.lua > out 2> err || fail "check: $(cat err)"
has out 'undefined pair    "steel", "steel": law coulomb, mu 0.5, restitution 0 are used'
[ "$(grep -c 'undefined pair' out)" = 1 ] || fail "pairs that are defined or not in use: $(cat out)"
has out 'radii             0.01 m to 0.03 m'
has out 'fastest           "quick": its surface moves at up to 2 m/s, 0.002 m in a step, 0.2 of the smallest radius'
has out 'the largest 0.0002 m, 0.02 of the smallest radius'
"$scree" check --json scene.lua > out 2> err || fail "check --json: $(cat err)"
python3 - <<'PYTHON' || fail "check --json: $(cat out)"
import json
d = json.load(open("out"))
assert d["undefined_pairs"] == [{"a": "steel", "b": "steel", "law": "coulomb", "mu": 0.5, "restitution": 0}], d
assert abs(d["smallest_radius"] - 0.01) < 1e-12 and abs(d["largest_radius"] - 0.03) < 1e-12, d
assert abs(d["largest_way"] - 0.002) < 1e-4 and abs(d["largest_way_over_radius"] - 0.2) < 1e-2, d
PYTHON

# nothing is listed once the pair is defined, also if it is the first of all
printf 'return { world = { dt = 1e-3 }, stop = { steps = 1 }, setup = function(w) %s w:halfspace { normal = { 0, 0, 1 } } w:sphere { radius = 1, position = { 0, 0, 1 } } end }\n' \
  'w:pair { "default", "default", mu = 0.5 }' > defined.lua
"$scree" check defined.lua > out 2> err && ! grep -q undefined out || fail "a pair that is defined: $(cat out err)"
sed 's/w:pair {[^}]*}//' defined.lua > undefined.lua
"$scree" check undefined.lua > out 2> err && has out 'undefined pair    "default", "default": law coulomb, mu 0.5, restitution 0'

# --steps: callbacks and the report run once, in a folder that goes away
mkdir temporary && export TMPDIR=$PWD/temporary
"$scree" check --steps 3 scene.lua > out 2> err || fail "--steps: $(cat err)"
has out 'tried             3 steps, all callbacks and the report, which has 1 figure'
"$scree" check --steps 3 scene.lua wrong=1 > out 2> err; [ $? = 2 ] || fail "a callback that fails: $(cat out err)"
has err 'late callback'
"$scree" check --steps 3 --json scene.lua wrong=2 > out 2> err; [ $? = 2 ] || fail "a report that fails: $(cat out err)"
has err 'there is no column height'
python3 -c 'import json; d = json.load(open("out")); assert not d["fine"] and "no column height" in d["message"]' || fail "--json of a failed report: $(cat out)"
[ -z "$(ls temporary)" ] && [ ! -e runs ] || fail "files are left: $(ls temporary)"
exit $failed
