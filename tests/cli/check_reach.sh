#!/usr/bin/env bash
# The step that check advises: by the height of a fall, by the spin of a driven body, by motions given as functions and tables. A run with the
# advised step is valid. check --steps reports invalid runs, and a sweep says which lines are of the base point.
. "$(dirname "$0")/../support/cli.sh"

# number NAME: a member of the JSON of check
number() { python3 -c 'import json, sys; print(json.load(open("out"))[sys.argv[1]])' "$1"; }
# is NAME VALUE TOLERANCE
is() { python3 -c 'import sys; a, b, t = map(float, sys.argv[1:]); sys.exit(abs(a - b) > t * abs(b))' "$(number "$1")" "$2" "$3" || fail "$1 is not $2: $(cat out)"; }

cat > fall.lua <<'LUA'
return {
  params = { dt = 1e-3, height = 0.5, how = "none", v = 5 },
  world = { dt = 1e-3, gravity = { 0, 0, -9.81 } },
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.3 }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 10 do w:sphere { radius = 0.01, position = { 0.03 * i, 0, p.height + 0.01 } } end
    local def = { name = "paddle", kind = "kinematic", size = { 0.2, 0.02, 0.02 }, position = { 5, 5, 5 } }
    if p.how == "spin" then def.spin = { 0, 0, p.v / (0.01 * 102 ^ 0.5) } end -- half the diagonal
    if p.how == "function" then def.kind = nil def.velocity = function(t) return t > 0.5 and p.v or 0, 0, 0 end end
    if p.how == "table" then def.kind = nil def.velocity = { { 0, { 0, 0, 0 } }, { 0.4, { 0, -p.v, 0 } }, { 0.5, { 0, 0, 0 } } } end
    if p.how ~= "none" then w:box(def) end
    w:set_dt(p.dt)
  end,
  stop = { time = 1 },
}
LUA
# a fall of 0.5 m ends with sqrt(2 g h) = 3.132 m/s; a quarter of the radius a step needs 0.798 ms
"$scree" check --json fall.lua > out 2> err || fail "check: $(cat err)"
is largest_fall 0.5 1e-6; is assumed_speed 3.1320919 1e-6; is advised_dt 7.98188e-4 1e-4
dt=$(number advised_dt)
"$scree" check fall.lua > out 2> err
has out 'advice            bodies may reach 3.13 m/s (a fall of 0.5 m) and move 0.31 times the smallest radius in a step (at most 0.25); take dt <= 0.00079 s'
"$scree" run fall.lua dt="$dt" -o advised > out 2> err || fail "a run with the advised step: $(cat out err)"
"$scree" check fall.lua height=0.2 > out 2> err; has out 'fall.lua: fine'
# a driven body: its spin times its bounding radius, a function of time, a table
for how in spin function table; do
  "$scree" check --json fall.lua how=$how > out 2> err || fail "$how: $(cat err)"
  is assumed_speed 5 1e-3
  "$scree" check fall.lua how=$how > out 2> err
  has out 'bodies may reach 5 m/s (the largest speed of the surface of "paddle") and move 0.5 times'
done
"$scree" check --json fall.lua how=function v=1 > out 2> err; is assumed_speed 3.1320919 1e-6

# the lowest point of other bodies where no half-space lies below: with the orientation (0.8, 0.4, 0.4, 0.2) the axes of a body reach 0.48, 0.8 and
# 0.36 down. A ball 1 m above the origin over a slope falls (0.8 - 0.1) / 0.8. Down is where gravity points.
lowest() { # height of the fall, gravity, bodies
  printf 'return { world = { dt = 1e-4, gravity = { %s } }, setup = function(w) %s end, stop = { time = 1 } }\n' "$2" "$3" > low.lua
  "$scree" check --json low.lua > out 2> err || fail "check of $3: $(cat err)"
  is largest_fall "$1" 1e-9
}
ball='w:sphere { radius = 0.01, position = { 0, 0, 0.01 } }' down='0, 0, -9.81' turned='orientation = { 0.8, 0.4, 0.4, 0.2 }'
lowest 1.316 "$down" "$ball w:box { kind = 'fixed', size = { 0.2, 0.4, 0.6 }, position = { 3, 0, -1 }, $turned }"
lowest 2 "$down" "$ball w:mesh { kind = 'fixed', points = { { 5, 0, -2 }, { 6, 0, -1 }, { 5, 1, -1 } }, triangles = { { 1, 2, 3 } } }"
lowest 6 '9.81, 0, 0' "$ball w:mesh { kind = 'fixed', points = { { 5, 0, -2 }, { 6.01, 0, -1 }, { 5, 1, -1 } }, triangles = { { 1, 2, 3 } } }"
lowest 0.875 "$down" "w:sphere { radius = 0.1, position = { 0, 0, 1 } } w:halfspace { normal = { 0.6, 0, 0.8 } }"

# check --steps reports an invalid run as run does
cat > bad.lua <<'LUA'
return {
  params = { gap = 0.01, jump = 37 },
  world = { dt = 1e-3, gravity = { 0, 0, 0 } },
  setup = function(w, p)
    w:pair { "default", "default", mu = 0.3 }
    w:sphere { name = "one", radius = 0.01, position = { 0, 0, 0 } }
    w:sphere { radius = 0.01, position = { 0.02 + p.gap, 0, 0 } }
  end,
  before_step = function(w, p) if w:steps() == p.jump then w:find("one"):set_position(p.gap + 0.012, 0, 0) end end,
  stop = { steps = 100 },
}
LUA
"$scree" run bad.lua -o bad > out 2> err; [ $? = 5 ] || fail "bad.lua is valid: $(cat out err)"
grep 'the run is invalid' err > words
"$scree" check --steps 50 bad.lua > out 2> err; [ $? = 2 ] || fail "check --steps of an invalid run: $(cat out err)"
has err "$(cat words)"
grep -q ': fine' out && fail "an invalid run is fine: $(cat out)"
"$scree" check --steps 50 --json bad.lua > out 2> err; [ $? = 2 ] || fail "check --steps --json: $(cat out err)"
python3 -c 'import json; d = json.load(open("out")); assert not d["fine"] and "passed into each other" in d["message"]' || fail "--json: $(cat out)"
"$scree" check --steps 50 bad.lua jump=0 > out 2> err || fail "a valid run: $(cat out err)"

# a sweep: values are checked, the scene is that of the base point
printf 'scree: 1\nscene: bad.lua\noutput: {dir: swept}\nparams: {gap: 0.001}\nsweep: {grid: {params.gap: [0.001, 0.002]}}\n' > gaps.yaml
"$scree" check gaps.yaml > out 2> err || fail "check of a sweep: $(cat err)"
has out '2 runs: the parameters of all are valid; the lines above are of the experiment without swept values'
exit $failed
