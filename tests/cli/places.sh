#!/usr/bin/env bash
# Mistakes in scenes: the message has the line of the scene, not of a bundled module. The exit code is the one of a wrong value.
. "$(dirname "$0")/../support/cli.sh"

# Runs the scene of the standard input. Its message must be `scree: ` and the text; the exit code must be CODE.
says() { # CODE TEXT
  cat > scene.lua
  rm -rf out
  local code=0
  "$scree" run scene.lua -o out -q > /dev/null 2> said || code=$?
  [ "$code" = "$1" ] || fail "exit code $code, not $1: $(cat said)"
  [ "$1" = 0 ] || grep -qF "scree: $2" said || grep -qF "scree $2" said || fail "'$2' is not in: $(cat said)"
  [ "$1" != 2 ] || [ ! -e out ] || fail "a scene that is refused leaves files: $2"
}

# ---- bundled modules raise errors at the line of the scene, at any depth, also if the scene has a list `measure` ----
says 2 "scene.lua:4: obstacle.drum.turn must be a list of { time, rate }" <<'LUA'
return {
  world = { dt = 1e-3 },
  setup = function(w)
    require("scree.obstacle").drum(w, { radius = 1, length = 1, turn = { 1, 2 } })
  end,
  measure = { { name = "z", type = "coordination" } },
  stop = { steps = 1 },
}
LUA
says 2 "scene.lua:4: bond.distance: '1 N' has the wrong dimension" <<'LUA'
return {
  world = { dt = 1e-3 },
  setup = function(w)
    w:bond { distance = "1 N" }
  end,
  stop = { steps = 1 },
}
LUA
says 2 "scene.lua:3: model: joint \"x\": there is no link \"b\"" <<'LUA'
return {
  world = { dt = 1e-3 }, stop = { steps = 1 }, setup = function(w)
    require("scree.robot").build(w, { links = { { name = "a" } }, joints = { { name = "x", type = "hinge", parent = "a", child = "b" } } })
  end,
}
LUA
says 3 "wrong value in before_step: scene.lua:3: motion.remove: the body has no motion" <<'LUA'
return {
  world = { dt = 1e-3 }, stop = { steps = 1 }, setup = function(w) w:sphere { name = "a", radius = 1, kind = "kinematic" } end,
  before_step = function(w) require("scree.motion").remove(w, w:find "a") end,
}
LUA
# calls of error in the scene itself are script errors
says 3 "script error in setup: scene.lua:1: my own" <<'LUA'
local function refuse() error("my own", 1) end
return { world = { dt = 1e-3 }, stop = { steps = 1 }, setup = function(w)
  refuse()
end }
LUA

# ---- the list `measure` is checked before the run, at the line of each entry ----
measure() { # measure CODE TEXT ENTRY
  says "$1" "$2" <<LUA
return {
  world = { dt = 1e-3 }, stop = { steps = 1 },
  measure = {
    { name = "z", type = "coordination" },
    $3,
  },
}
LUA
}
measure 2 "scene.lua:5: measure[2].evry is not a known key; did you mean 'every'?" '{ name = "a", type = "fabric", evry = 1 }'
measure 2 "scene.lua:5: measure[2].every must be greater than 0, not 0" '{ name = "a", type = "fabric", every = 0 }'
measure 2 "scene.lua:5: measure[2].start must be at least 0, not -1" '{ name = "a", type = "fabric", start = -1 }'
measure 2 "scene.lua:5: measure[2].name: 'z' is taken" '{ name = "z", type = "fabric" }'
measure 2 "scene.lua:5: measure[2].cells[2] must be at least 1, not 0" '{ name = "p", type = "profile", cells = { 1, 0 }, region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } } }'
measure 2 "scene.lua:5: measure[2].region.max[1] must not be less than min[1]: -1 < 1" '{ name = "p", type = "count", region = { min = { 1, 0, 0 }, max = { -1, 0, 0 } } }'
says 2 "scene.lua:3: after_step must be a function, not a number" <<LUA
return { world = { dt = 1e-3 }, stop = { steps = 1 },
  measure = { { type = "coordination", name = "z", start = "1 ms" } },
  after_step = 3 }
LUA
says 2 "scene.lua:1: measure must be a list of tables" <<LUA
return { world = { dt = 1e-3 }, stop = { steps = 1 }, measure = { type = "coordination", name = "z" } }
LUA
says 2 "scene.lua:2: every must be a list: the key 'time' is not expected" <<LUA
return { world = { dt = 1e-3 }, stop = { steps = 1 },
  every = { time = 1 } }
LUA
says 2 "scene.lua:2: every[1].time or steps must be given, one of them" <<LUA
return { world = { dt = 1e-3 },
  every = { { call = print } },
  stop = { time = 1 } }
LUA

# ---- results of callbacks: the line of the callback, and the name that is wrong ----
returns() { # returns CODE TEXT CALLBACK: the callback stands in line 3
  says "$1" "$2" <<LUA
return {
  world = { dt = 1e-3 }, stop = { steps = 1 }, setup = function(w) w:sphere { radius = 1 } end,
  $3,
}
LUA
}
values='output = { series = { every = 1e-3, values = function(w)'
returns 3 "run: scene.lua:3: output.series.values must return a table" "$values return 5 end } }"
returns 3 "run: scene.lua:3: output.series.values must not return 'kinetic': the series has a column with this name" "$values return { kinetic = 5 } end } }"
returns 3 "run: scene.lua:3: output.series.values must not return 'a,b': a name has 1 to 63 bytes without comma or quote" "$values return { ['a,b'] = 5 } end } }"
returns 3 "run: scene.lua:3: output.series.values must return a table with names as keys, not a number" "$values return { 1, 2 } end } }"
returns 3 "run: scene.lua:3: output.series.values must return a number as 'a' every time, not a string" "$values return { a = 'x' } end } }"
returns 3 "run: scene.lua:3: report must return a list of tables {name, value, unit}" "report = function() return 5 end"
returns 3 "run: scene.lua:3: report: entry 1, 'a', of the list has a unit that is not a text" "report = function() return { { 'a', 1, 5 } } end"
returns 3 "wrong value in stop: scene.lua:3: stop must return true, false or nothing, not a number" "stop = function() return 0 end"

# ---- laws: parameters and tables of the script ----
law() { # law CODE TEXT PARAMS REFRESH
  says "$1" "$2" <<LUA
require("scree").law.define { name = "mine", base = "coulomb", params = { $3 }, state = { "slip" },
  refresh = function(p, s, c) $4 end }
return {
  world = { dt = 1e-3, gravity = { 0, 0, -10 } }, stop = { steps = 2 },
  setup = function(w)
    w:pair { "default", "default", law = "mine" }
    w:halfspace { normal = { 0, 0, 1 } }
    w:sphere { radius = 0.1, position = { 0, 0, 0.1 } }
  end,
}
LUA
}
law 2 "scene.lua:1: law.params.peak.default must lie in [-1e+300, 1], not 5" "peak = { default = 5, max = 1 }" ""
law 2 "scene.lua:1: law.params.peak: min 2 is above max 0" "peak = { default = 1, min = 2, max = 0 }" ""
law 2 "scene.lua:1: law.params.mu.default must be at least 0, not -1" "mu = -1" ""
says 2 'scene.lua:1: law.state must be a list of names, such as { "slip" }' <<LUA
require("scree").law.define { name = "mine", base = "coulomb", state = { slip = 0 }, refresh = print }
LUA
law 3 "step 1: law 'mine': scene.lua:2: s has no 'slp'; did you mean 'slip'?" "" "s.slp = 1"
law 3 "step 1: law 'mine': scene.lua:2: p has no 'Mu'; did you mean 'mu'?" "" "p.Mu = 1"
law 3 "step 1: law 'mine': scene.lua:2: c has no 'slipspeed'; did you mean 'slip_speed'?" "" "s.slip = c.slipspeed"
law 3 "step 1: law 'mine': scene.lua:2: refresh left p.mu as nil" "" "p.mu = nil"
law 0 "" "" "c.point, c.slip = nil, 5" # the lists are filled again for the next contact

# ---- names of modules and of their functions ----
script() { # script CODE TEXT LINE
  local code=0
  echo "$3" > script.lua
  "$scree" lua script.lua > /dev/null 2> said || code=$?
  [ "$code" = "$1" ] || fail "exit code $code, not $1: $(cat said)"
  [ "$1" = 0 ] || grep -qF "$2" said || fail "'$2' is not in: $(cat said)"
}
script 3 "script.lua:1: module 'scree.obstacles' not found: neither in ., ./lib nor in the bundled library; did you mean 'scree.obstacle'?" 'require "scree.obstacles"'
script 3 "bundled library; did you mean 'scree.obstacle'?" 'require "obstacle"'
script 3 "script.lua:1: scree.obstacle has no 'hoper'; did you mean 'hopper'?" 'require("scree.obstacle").hoper {}'

# ---- units of limits and precision, bounds of parameters, names of solvers ----
limits() { # limits CODE TEXT TYPE LIMITS
  script "$1" "$2" "local w = scree.world {} local a = w:sphere { radius = 1 } local j = w:$3 { a = a, at = { 0, 0, 0 }, axis = { 0, 0, 1 }, limits = $4 }"
}
limits 0 "" hinge '{ "-50 deg", 1 }'
limits 0 "" slider '{ "-50 mm", math.huge }'
limits 2 "hinge.limits[1]: '-50 mm' has the wrong dimension" hinge '{ "-50 mm", 1 }'
limits 2 "slider.limits[2]: '50 deg' has the wrong dimension" slider '{ 0, "50 deg" }'
limits 2 "slider.limits must be two numbers, {lower, upper}" slider '{ 0 }'
script 2 "script.lua:1: world.solver.name: unknown solver \"NBGS\"; did you mean \"nbgs\"?" 'scree.world { solver = { name = "NBGS" } }'
precision='output = { trajectory = { every = 1e-3, precision ='
returns 0 "" "$precision '0.1 mm' } }"
returns 0 "" "$precision '1e-4 d' } }"
returns 2 "scene.lua:3: output.trajectory.precision must be \"exact\", a length, or like \"1e-4 d\", not '1 s'" "$precision '1 s' } }"
returns 2 "scene.lua:3: output.trajectory.precision must be \"exact\", a length, or like \"1e-4 d\", not '-1 mm'" "$precision '-1 mm' } }"
returns 2 "scene.lua:3: output.trajectory.precision must be \"exact\", a length, or like \"1e-4 d\", not '1'" "$precision '1' } }"
returns 2 "scene.lua:3: params.n: min 20 is above max 1" "params = { n = { default = 5, min = 20, max = 1 } }"
returns 3 "wrong value in report: scene.lua:3: out:write takes a name and a text (call it with a colon)" "report = function(w, p, out) out.write('a.txt', 'x') end"
exit $failed
