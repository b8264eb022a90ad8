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
exit $failed
