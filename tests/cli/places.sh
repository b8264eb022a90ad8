#!/usr/bin/env bash
# Mistakes in scenes: the message has the line of the scene, not of a bundled module, and the exit code is that of a
# wrong value.
. "$(dirname "$0")/../support/cli.sh"

# Runs the scene of the standard input. Its message must be `scree: ` and the text; the exit code must be CODE.
says() { # CODE TEXT
  cat > scene.lua
  rm -rf out
  local code=0
  "$scree" run scene.lua -o out -q > /dev/null 2> said || code=$?
  [ "$code" = "$1" ] || fail "exit code $code, not $1: $(cat said)"
  grep -qF "scree: $2" said || fail "'$2' is not in: $(cat said)"
  [ "$1" != 2 ] || [ ! -e out ] || fail "a scene that is refused leaves files: $2"
}

# ---- bundled modules raise errors at the line of the scene, at any depth, also behind a list `measure` ----
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
# errors of the scene itself are errors of its script
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
exit $failed
