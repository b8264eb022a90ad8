#!/bin/bash
# cmake --install: the C program of docs/library.md builds against an installed copy with what pkg-config says alone, CMake finds the package, the installed
# program runs a scene with its own library, also after the tree has moved; the man page names every command.
. "$(dirname "$0")/../support/cli.sh"
build=$3
fail() { stop "$@"; }
prefix=$work/first
cmake --install "$build" --prefix "$prefix" >"$work/log" 2>&1 || fail "cmake --install: $(tail -3 "$work/log")"
mv "$prefix" "$work/moved" && prefix=$work/moved

[ -x "$prefix/bin/scree" ] || fail "no program"
out=$(env -u SCREE_HOME "$prefix/bin/scree" run "$prefix/share/scree/scenes/hello.lua" -o "$work/run") || fail "the installed program: $out"
[ -s "$work/run/trajectory.scree" ] || fail "no trajectory"
cat >"$work/library.lua" <<'LUA'
print(type(require("scree.obstacle")))
LUA
env -u SCREE_HOME "$prefix/bin/scree" lua "$work/library.lua" | grep -q table || fail "the installed library"

page=$prefix/share/man/man1/scree.1
for command in run resume check sweep info export plot diff solve lua schema doctor bench; do
  grep -q "^\.SS $command\$" "$page" || fail "the man page lacks $command"
done

# a library with sanitizers or with counts of coverage asks more of its users
grep -qE '^SCREE_(SANITIZE:.*=.|COVERAGE:.*=ON)' "$build/CMakeCache.txt" && skip "the rest: a build for tests"
command -v pkg-config >/dev/null || skip "the rest: pkg-config is not installed"
sed -n '/^```c$/,/^```$/p' "$source/docs/library.md" | sed '/^```/d' >"$work/ten.c"
folder=$(dirname "$(find "$prefix" -name scree.pc)")
cc "$work/ten.c" -o "$work/ten" $(PKG_CONFIG_PATH=$folder pkg-config --cflags --libs scree) || fail "pkg-config does not say enough"
"$work/ten" >"$work/time" || fail "the program of ten lines: $(cat "$work/time")"
grep -q '^0\.00' "$work/time" || fail "three steps end at $(cat "$work/time")"

mkdir "$work/user" && cat >"$work/user/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(scree REQUIRED)
add_executable(ten ../ten.c)
target_link_libraries(ten PRIVATE scree::engine)
CMAKE
cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 && cmake --build "$work/user/build" >>"$work/log" 2>&1 ||
  fail "find_package: $(tail -5 "$work/log")"
[ "$("$work/user/build/ten")" = "$(cat "$work/time")" ] || fail "find_package's program says something else"
