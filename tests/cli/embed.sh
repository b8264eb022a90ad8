#!/bin/bash
# Programs that link the shared library run scenes without the command line: the C program and the Python program of docs/embedding.md
# reach the hash of `scree run`, and embed.c checks stops, ends, refusals and signal handlers.
. "$(dirname "$0")/../support/cli.sh"
build=$3
library=$build/libscree.so
[ -e "$library" ] || stop "no libscree.so in $build"
grep -qE '^SCREE_(SANITIZE:.*=.|COVERAGE:.*=ON)' "$build/CMakeCache.txt" && skip "a build for tests"
command -v cc >/dev/null || skip "cc is not installed"

# Prints the block of docs/embedding.md in this language.
print_block() { sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$source/docs/embedding.md" | sed '/^```/d'; }
compile() {
  cc -std=c11 -D_GNU_SOURCE -Wall -Werror -I"$source/engine/include" -I"$source/lua/include" "$1" -o "$2" -L"$build" -lscree -lm -Wl,-rpath,"$build" ||
    stop "$1 does not compile"
}
print_block c >run.c
print_block python >run.py
compile run.c run
compile "$source/tests/cli/embed.c" embed

mkdir scenes
cat >scenes/ball.lua <<'LUA'
return {
  params = { height = 0.5 },
  world = { dt = 1e-3 },
  setup = function(w, p)
    w:sphere { name = "ball", radius = 0.05, position = { 0, 0, p.height } }
    w.state.calls = 0
  end,
  after_step = function(w) w.state.calls = w.state.calls + 1 end,
  output = { series = { every = 0.01, values = function(w)
    local _, _, z = w:find("ball"):position()
    return { height = { z, "m" } }
  end } },
  stop = { time = 0.1 },
  report = function(w) return { { "calls", w.state.calls }, { "state", "done" } } end,
}
LUA
# Writes a scene of a falling ball with these keys: NAME KEYS
write_scene() {
  cat >"scenes/$1" <<LUA
return {
  world = { dt = 1e-3 },
  setup = function(w, p)
    w:sphere { radius = 0.05 }
    w.state.calls = 0
  end,
  after_step = function(w)
    $2
  end,
  $3
}
LUA
}
write_scene condition.lua "" 'stop = { time = 1 }, stop_when = "max_speed > 0.5 m/s",'
write_scene broken.lua 'w.state.calls = w.state.calls + 1; if w.state.calls == 3 then error "oh" end' "stop = { time = 1 },"
write_scene column.lua "" 'stop = { time = 1 }, stop_when = "max_sped > 0.5 m/s",'
write_scene endless.lua "while true do end" "stop = { time = 1 },"
for kind in 'return 5' 'return { time = 1 }' 'w.state.calls = w.state.calls + 1; return { a = w.state.calls < 3 and 1 or "b" }'; do
  n=$((${n:-0} + 1))
  write_scene "values$n.lua" "" "stop = { time = 1 }, output = { series = { every = 0.01, values = function(w) $kind end } },"
done
./embed "$source/lua" "$work/scenes" >out 2>err || fail "embed.c: $(cat err)"
[ -s out ] || [ -s err ] && fail "the library prints: $(cat out err)"

# Compares the hash of a program with that of `scree run`: SCENE PARAMETERS ...
compare_hashes() {
  local scene=$1 name
  name=$(basename "$1" .lua)
  shift
  "$scree" run "$scene" "$@" -o "$work/$name" --quiet >log 2>&1 || stop "scree run $scene: $(cat log)"
  local hash
  hash=$(sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' "$work/$name/run.json")
  [ ${#hash} = 16 ] || stop "run.json of $scene has no hash"
  ./run "$scene" "$source/lua" "$@" >"$name.out" 2>&1 || fail "run.c with $scene: $(tail -1 "$name.out")"
  tail -1 "$name.out" | grep -q "hash $hash\$" || fail "$scene: scree run has the hash $hash, the program: $(tail -1 "$name.out")"
  [ "$(($(wc -l <"$work/$name/series.csv") - 1))" = "$(tail -1 "$name.out" | sed 's/ rows.*//')" ] || fail "$scene: the numbers of rows differ"
  [ $# = 0 ] || return
  command -v python3 >/dev/null || skip "the rest: python3 is not installed"
  [ "$(python3 run.py "$library" "$scene" "$source/lua")" = "$hash" ] || fail "$scene: another hash by Python"
}
compare_hashes "$source/scenes/hello.lua"
grep -q '^way = ' hello.out || fail "the figures of the report: $(cat hello.out)"
compare_hashes "$source/scenes/four_balls.lua" h=0.005
compare_hashes "$source/scenes/heap.lua" count=20 disc=4
exit $failed
