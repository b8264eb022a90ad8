#!/bin/bash
# Scripts from strangers: every probe below must end within its time with a clear error, reach nothing outside, and leave the run's files intact.
# Each probe runs as a plain script and, where it makes sense, inside a callback of a scene. One line per probe: name, expected text, code.
. "$(dirname "$0")/../support/cli.sh"

# CPU seconds are capped by the shell too: a probe that hangs is killed, and counts as a failure. The caps of scree itself are set low,
# so that the whole list is quick.
run() { ( ulimit -t 10; timeout 300 "$scree" "$@" ) >out 2>err; }

probe() {
  local name=$1 expected=$2 code=$3
  printf '%s\n' "$code" > "$name.lua"
  run lua --callback-time "$seconds" --memory 24 "$name.lua"
  local status=$?
  [ $status = 3 ] || fail "$name: exit code $status instead of 3: $(head -c 300 err)"
  grep -qE -- "$expected" err || fail "$name: no '$expected' in: $(head -c 300 err)"
  [ "$(wc -c < err)" -lt 20000 ] || fail "$name: an error text of $(wc -c < err) bytes"
}
# Probes of the memory cap get more time, so that a slow build reaches the cap first.
seconds=0.005
time_up='CPU time in one call'
stuck='CPU time in one call and does not come back'
too_much='MiB of memory'

# ---- loops that try to outlive the budget ----
probe loop "$time_up" 'while true do end'
probe pcall_loop "$time_up" 'while true do pcall(function() while true do end end) end'
probe pcall_swallow "$time_up" 'pcall(function() while true do end end) print("survived")'
probe xpcall_handler "$time_up" 'local function f() while true do end end while true do xpcall(f, function() f() end) end'
probe xpcall_recursive "$time_up" 'local f f = function() xpcall(function() while true do end end, f) f() end f()'
probe coroutine_loop "$time_up" 'while true do coroutine.wrap(function() while true do end end)() end'
probe coroutine_swallow "$time_up" 'while true do local co = coroutine.create(function() while true do end end) coroutine.resume(co) end'
probe coroutine_many "$time_up" 'while true do local co = coroutine.create(function() coroutine.yield() end) coroutine.resume(co) coroutine.close(co) end'
probe coroutine_nested 'C stack overflow|CPU time' 'local function f() return coroutine.wrap(f)() end f()'
probe close_loop "$time_up" 'local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end'
probe close_in_coroutine "$time_up" 'local co = coroutine.create(function() local x <close> = setmetatable({}, { __close = function() while true do end end }) coroutine.yield() end) coroutine.resume(co) coroutine.close(co)'
probe index_loop "$time_up|loop" 'local t = {} setmetatable(t, { __index = function(t, k) return t[k + 1] end }) while true do pcall(function() return t[1] end) end'
probe call_itself '__call must be a function' 'local t = {} setmetatable(t, { __call = t }) t()'
probe call_pair '__call must be a function' 'local a, b = {}, {} setmetatable(a, { __call = b }) setmetatable(b, { __call = a }) a()'
# the watchdog: Lua walks this chain without a hook
probe call_chain "$stuck" 'local t, m = {}, {} setmetatable(t, m) m.__call = t t()'
probe call_chain_pair "$stuck" 'local a, b, m, n = {}, {}, {}, {} setmetatable(a, m) setmetatable(b, n) m.__call = b n.__call = a pcall(a)'
probe gc_finalizer '__gc' 'setmetatable({}, { __gc = function() while true do end end })'
probe tostring_loop "$time_up" 'print(setmetatable({}, { __tostring = function() while true do end end }))'
probe error_object "$time_up" 'error(setmetatable({}, { __tostring = function() while true do end end }))'
probe recursion 'stack overflow|MiB|CPU time' 'local function f() return 1 + f() end f()'
probe recursion_pcall 'stack overflow|CPU time|MiB|error in error' 'local function f() return pcall(f) end while true do f() end'

# ---- loops inside C functions ----
probe table_move "$time_up" 'table.move({}, 1, 1 << 40, 2)'
probe table_concat "$time_up|MiB" 'table.concat(setmetatable({}, { __index = tostring }), "", 1, 1 << 50)'
probe table_insert "$time_up" 'table.insert(setmetatable({}, { __len = function() return 1 << 50 end }), 1, 0)'
probe table_remove "$time_up" 'table.remove(setmetatable({}, { __len = function() return 1 << 50 end }), 1)'
probe table_sort "$time_up|MiB|too big|nil" 'table.sort(setmetatable({}, { __len = function() return (1 << 31) - 2 end, __index = type }))'
probe table_unpack 'too many results' 'table.unpack({}, 1, 1 << 30)'
probe sort_order "$time_up" 'local t = {} for i = 1, 1000 do t[i] = i end while true do pcall(table.sort, t, function() return true end) end'
probe pattern_minus "$time_up" '("x"):rep(100000):find(".-.-.-.-b")'
probe pattern_star "$time_up" '("a"):rep(30):find(("a*"):rep(12) .. "b")'
probe pattern_gsub "$time_up" '("a"):rep(30):gsub(("a*"):rep(12) .. "b", "")'
probe pattern_gmatch "$time_up" 'for _ in ("a"):rep(30):gmatch(("a*"):rep(12) .. "b") do end'
probe pattern_optional "$time_up" '("a"):rep(40):match(("a?"):rep(40) .. ("a"):rep(40) .. "b")'
probe pattern_deep 'too complex' '("a"):rep(300):find(("a*"):rep(250))'
probe format_width 'invalid conversion|too long|format' 'string.format("%99999d", 1)'
probe pairs_big "$time_up|MiB" 'local t = {} for i = 1, 2e5 do t["k" .. i] = i end while true do for k in pairs(t) do break end end'

# ---- memory ----
seconds=3
probe rep_bomb "$too_much|too large" '("x"):rep(1e9)'
probe rep_overflow 'too large|MiB' '("x"):rep(1 << 62)'
probe doubling "$too_much" 'local s = "x" while true do s = s .. s end'
probe table_bomb "$too_much" 'local t = {} while true do t[#t + 1] = {} end'
probe concat_bomb "$too_much" 'local t, s = {}, ("x"):rep(1e6) for i = 1, 1e6 do t[i] = s end return table.concat(t)'
probe format_bomb "$too_much" 'local s = ("x"):rep(1e7) return string.format("%s%s%s%s%s%s%s%s", s, s, s, s, s, s, s, s)'
probe gsub_bomb "$too_much|CPU" 'local s = ("a"):rep(1e6) return s:gsub("a", ("b"):rep(1e4))'
probe pack_bomb "$too_much|out of|too" 'return string.pack("!16 i16", 1), ("x"):rep(1e9)'
probe error_text "$too_much|x" 'error(("x"):rep(5e6))'
probe closure_bomb "$too_much" 'local t = {} while true do t = { t, function() return t end } end'
probe coroutine_bomb "$too_much|CPU" 'local t = {} while true do t[#t + 1] = coroutine.create(function() end) end'
probe parens 'overflow|limit|nested' 'assert(load(("("):rep(100000) .. "1" .. (")"):rep(100000)))'
probe braces 'overflow|limit|nested' 'assert(load("return " .. ("{"):rep(100000) .. ("}"):rep(100000)))'
probe load_large 'more than 4 MiB' 'load(("x=1 "):rep(2000000))'
seconds=0.06
probe load_reader "$time_up|4 MiB" 'load(function() return "x=1 " end)'
probe print_flood "$time_up|64 MiB" 'local s = ("x"):rep(1e6) while true do print(s) end'

seconds=0.15

# ---- the engine as an accomplice ----
probe fill_bomb 'half of this machine' 'scree.world{}:fill { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 1.1e-3, radius = 1e-4 }'
seconds=0.005
probe fill_nothing "$time_up|$too_much" 'local w = scree.world{} while true do w:fill { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, spacing = 0.01, radius = 1e-4, keep_out = {} } end'
seconds=0.05
probe world_bomb 'worlds at a time' 'local t = {} while true do t[#t + 1] = scree.world{} end'
probe profile_bomb 'MiB of memory' 'local w = scree.world{} for i = 1, 100 do w:profile { region = { min = { 0, 0, 0 }, max = { 1, 1, 1 } }, cells = { 10000, 9999, 1 } } end'
probe hull_bomb 'at most 10000 make a hull' 'local p = {} for i = 1, 20000 do p[i] = { i % 31, i % 37, i % 41 } end scree.geometry.hull { points = p }'
for i in {1..10001}; do echo "v $((i % 31)) $((i % 37)) $i"; done > large.obj
echo 'f 1 2 3' >> large.obj
probe hull_file 'large.obj: 10001 points: at most 10000 make a hull here .--trust lifts' 'scree.geometry.hull { file = "large.obj" }'
seconds=0.005
# Each call takes long, so the script itself does not reach its own time limit.
probe engine_time 'verbs of the engine used more than 50 times 0.005 s' 'local g = scree.geometry.hull { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } } while true do g:spheres { count = 4096, deviation = 1e-300, smallest = 1e-300, samples = 20000 } end'
probe measure_pcall "$time_up" 'local w = scree.world{} w:sphere { radius = 1 } while true do pcall(w.rdf, w, { region = { min = { 0, 0, 0 }, max = { 9, 9, 9 } }, reach = 3, bins = 1000000 }) end'
if command -v gnuplot > /dev/null; then
  seconds=3
  probe plot_flood 'at most 64 figures' 'while true do scree.plot { panels = { { series = { { x = { 1, 2 }, y = { 1, 2 } } } } } } end'
fi
# one account of memory: Lua's and the engine's together; slow builds need their time to get there
seconds=20
probe contacts_bomb "$too_much" 'local w = scree.world { dt = 1e-3 } for i = 1, 6000 do w:box { size = { 0.2, 0.2, 0.2 }, position = { 1e-6 * i, 0, 0 } } end w:step()'
probe bodies_bomb "$too_much" 'local w = scree.world{} while true do w:sphere { radius = 0.1 } end'
probe worlds_and_bodies "$too_much" 'local t = {} for i = 1, 60 do t[i] = scree.world{} t[i]:fill { region = { min = { 0, 0, 0 }, max = { 30, 30, 30 } }, spacing = 1, radius = 0.4 } end'
probe joints_bomb "$too_much" 'local w = scree.world{} local a, b = w:sphere { radius = 0.1 }, w:sphere { radius = 0.1 } while true do w:ball { a = a, b = b, at = { 0, 0, 0 } } end'
probe hulls_bomb "$too_much" 'local t, p = {}, {} for i = 1, 200 do p[i] = { math.random(), math.random(), math.random() } end while true do t[#t + 1] = scree.geometry.hull { points = p } end'
probe lemke_bomb 'dense tables of [0-9]+ rows each way: [0-9]+ MiB.*MiB of memory' 'local w = scree.world { dt = 1e-3, solver = { name = "lemke" } } for i = 1, 2000 do w:sphere { radius = 0.5, position = { 0.99 * i, 0, 0 } } end w:step()'
cat > dropped.lua <<'LUA'
local p = {}
for i = 1, 150 do p[i] = { math.random(), math.random(), math.random() } end
for _ = 1, 1000 do scree.geometry.hull { points = p } end
LUA
run lua --memory 12 --callback-time 20 dropped.lua || fail "hulls that are dropped: $(cat err)"
seconds=0.15
echo 'for i = 1, 2000 do scree.world{} end' > worlds.lua
run lua --callback-time 5 worlds.lua || fail "worlds that are dropped: $(cat err)"

# ---- ways out ----
probe dofile 'undefined global' 'dofile("/etc/passwd")'
probe loadfile 'undefined global' 'loadfile("/etc/passwd")'
probe io_open 'undefined global' 'io.open("/etc/passwd")'
probe io_popen 'undefined global' 'io.popen("id")'
probe os_execute 'undefined global' 'os.execute("id")'
probe os_remove 'undefined global' 'os.remove("/tmp/x")'
probe os_exit 'undefined global' 'os.exit(0)'
probe debug_library 'undefined global' 'debug.getregistry()'
probe package_loadlib 'undefined global' 'package.loadlib("/lib/x86_64-linux-gnu/libc.so.6", "system")'
probe collectgarbage 'undefined global' 'collectgarbage("stop")'
probe string_dump "string has no 'dump'" 'string.dump(function() end)'
probe bytecode 'text' 'assert(load("\27Lua\84\0\25\147\13\10\26\10", "x", "b"))'
probe bytecode_mode 'text|binary' 'assert(load("\27Lua\84\0\25\147\13\10\26\10", "x", "bt"))'
probe require_path 'not a module name' 'require "../../../etc/passwd"'
probe require_absolute 'not a module name' 'require "/etc/passwd"'
probe require_c 'not found' 'require "socket.core"'
probe string_metatable 'index a boolean|attempt to index' 'getmetatable("").__index = function() return print end'
probe string_rewire 'read-only' 'string.format = print'
probe rawset_library 'read-only' 'rawset(string, "format", print)'
probe setmetatable_library 'protected' 'setmetatable(math, { __index = function() return 1 end })'
probe builtin_rewire 'built in' 'pcall = function() end'
probe world_metatable 'attempt to index a boolean' 'getmetatable(scree.world{}).__gc = nil'
probe address '%p is not available' 'return ("%p"):format({})'

# the same through coroutines
probe coroutine_io 'undefined global' 'coroutine.wrap(function() io.popen("id") end)()'
probe coroutine_pattern "$time_up" 'coroutine.wrap(function() ("a"):rep(30):find(("a*"):rep(12) .. "b") end)()'
seconds=3
probe coroutine_bomb_inside "$too_much" 'coroutine.wrap(function() local s = "x" while true do s = s .. s end end)()'

# a module of its own folder is found; a link out of it cannot be named
mkdir -p lib && echo 'return { answer = 42 }' > lib/own.lua
echo 'assert(require("own").answer == 42) assert(require("own") == require("own"))' > requires.lua
run lua requires.lua || fail "require from lib/: $(cat err)"
echo 'return require "circle"' > circle.lua
run lua circle.lua; grep -q 'requires itself' err || fail "a circle of modules: $(cat err)"
echo 'for _ = 1, 2 do local ok, why = pcall(require, "absent") assert(not ok and why:match "not found", why) end' > twice.lua
run lua twice.lua || fail "a module that is not found twice: $(cat err)"
echo 'error "broken"' > broken.lua
echo 'for _ = 1, 2 do local ok, why = pcall(require, "broken") assert(not ok and why:match "broken$", why) end' > requires.lua
run lua requires.lua || fail "a module that fails twice: $(cat err)"

# ---- trust opens io and os, nothing else ----
echo 'assert(io.open("trusted.lua"):read(1) == "a" and os.getenv("PATH") and collectgarbage("count") > 0)' > trusted.lua
run lua --trust trusted.lua || fail "--trust: $(cat err)"
echo 'debug.getregistry()' > trusted.lua
run lua --trust trusted.lua && fail "--trust opens debug"

# ---- inside a scene: exit code 3, whole frames in the trajectory ----
scene() {
  local name=$1 expected=$2 code=$3
  cat > "$name.lua" <<SCENE
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w, p) w:sphere { radius = 0.1 } end,
  after_step = function(w, p) if w:steps() == 50 then $code end end,
  output = { trajectory = { every = 0.01 }, series = { every = 0.01 } },
  stop = { time = 0.1 },
}
SCENE
  run run --callback-time "$seconds" --memory 24 -o "$name" "$name.lua"
  local status=$?
  [ $status = 3 ] || fail "$name: exit code $status instead of 3: $(head -c 300 err)"
  grep -qE -- "$expected" err || fail "$name: no '$expected' in: $(head -c 300 err)"
  grep -q "$name.lua:4" err || grep -q -e MiB -e 'come back' err || fail "$name: no line of the scene in: $(head -c 300 err)"
  grep -q '"status": "failed"' "$name/run.json" || fail "$name: run.json does not say failed"
  # time 0 and every hundredth up to the error
  [ "$(wc -l < "$name/series.csv")" -ge 6 ] || fail "$name: series.csv lacks rows"
  run info --json "$name/trajectory.scree" || fail "$name: scree info: $(cat err)"
  grep -qE '"frames": *[5-9]' out || fail "$name: frames are missing: $(cat out)"
}
if "$scree" --help | grep -q '^  info'; then
  seconds=0.06
  scene scene_loop "$time_up" 'while true do end'
  scene scene_pcall "$time_up" 'while true do pcall(function() while true do end end) end'
  seconds=3
  scene scene_memory "$too_much" 'local t = {} while true do t[#t + 1] = {} end'
  scene scene_error 'attempt to index a nil value' 'local x = nil; x.y = 1'
  scene scene_step 'must not step' 'w:step()'
  scene scene_restore 'must not restore' 'w:restore(w:save())'
  # other worlds of a callback may be stepped and restored; the run goes on
  scene scene_other 'this is the end' 'local o = require("scree").world { dt = w:dt() } o:restore(w:save()) o:step(3) w:clone():step(2) error("this is the end")'
  # the watchdog ends the process: files hold what was finished, run.json says why
  seconds=0.06
  scene scene_stuck "$stuck" 'local t, m = {}, {} setmetatable(t, m) m.__call = t pcall(t)'
  grep -q '"trouble": "the script used more than 0.06 s of CPU time' scene_stuck/run.json || fail "run.json does not say why"
fi

# ---- a step that does not end: hours of sweeps ----
cat > endless.lua <<'SCENE'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3, solver = { iterations = 1e9, tolerance = 1e-300 } },
  setup = function(w)
    w:pair { "default", "default", law = "coulomb", mu = 0.8 }
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 0, 19 do w:box { size = { 1, 1, 1 }, position = { 0.3 * (i % 3), 0, 0.5 + 0.999 * i } } end
  end,
  output = { trajectory = { every = 0.01 } },
  stop = { time = 0.1 },
}
SCENE
run run --callback-time 0.005 -o endless endless.lua
[ $? = 3 ] && grep -q 'a step used more than 50 times 0.005 s of CPU time' err || fail "a step that does not end: $(head -c 300 err)"
grep -q '"trouble": "a step used more than 50 times 0.005 s' endless/run.json || fail "run.json does not say that a step did not end"
run info --json endless/trajectory.scree && grep -q '"frames": *1' out || fail "the frame before a step that does not end: $(cat out)"

[ $failed = 0 ] && echo "all probes contained"
exit $failed
