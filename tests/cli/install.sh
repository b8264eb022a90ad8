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
export LD_LIBRARY_PATH=${folder%/pkgconfig} # of the shared library, if the build installs it
cc "$work/ten.c" -o "$work/ten" $(PKG_CONFIG_PATH=$folder pkg-config --cflags --libs scree) || fail "pkg-config does not say enough"
"$work/ten" >"$work/time" || fail "the program of ten lines: $(cat "$work/time")"
grep -q '^0\.00' "$work/time" || fail "three steps end at $(cat "$work/time")"

# parts of the library that need HDF5 and dlopen; bonds, rays and ranks are in scree.h
cat >"$work/parts.c" <<'C'
#include <scree/scree.h>
#include <stdio.h>
int main(void) {
  scree_world_def def = scree_world_defaults();
  scree_problem_result result;
  scree_error error = {0};
  scree_file_def file = {.path = "none.gltf", .scale = 1};
  const scree_glue glue = scree_glue_defaults();
  const scree_ray ray = {.reach = glue.radius};
  if (scree_problem_solve("none.hdf5", &def.solver, 1, 0, &result, &error) != SCREE_E_IO) return puts(error.text), 1;
  return scree_geometry_mesh_file(&file, &error) || ray.reach != 1 || scree_dist_defaults().imbalance != 1.1;
}
C
cc "$work/parts.c" -o "$work/parts" $(PKG_CONFIG_PATH=$folder pkg-config --cflags --libs scree) && "$work/parts" || fail "pkg-config lacks a library"

# no function dies of a null pointer or an index that does not exist
command -v python3 >/dev/null || skip "the rest: python3 is not installed"
python3 "$source/tests/support/arguments.py" "$prefix/include/scree" >"$work/arguments.c" || fail "arguments.py"
cc -w "$work/arguments.c" -o "$work/arguments" $(PKG_CONFIG_PATH=$folder pkg-config --cflags --libs scree) || fail "the calls do not compile"
(cd "$work" && ./arguments) >"$work/log" 2>&1 || fail "bad arguments: $(cat "$work/log")"

grep -rnE '/lib[a-z0-9_]*\.(so|a)\b' "$(dirname "$folder")"/cmake/scree/*.cmake | grep -v _IMPORT_PREFIX && fail "the CMake package names libraries by absolute paths"
mkdir "$work/user" && cat >"$work/user/CMakeLists.txt" <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(scree REQUIRED)
add_executable(ten ../ten.c)
add_executable(parts ../parts.c)
target_link_libraries(ten PRIVATE scree::engine)
target_link_libraries(parts PRIVATE scree::engine)
CMAKE
cmake -S "$work/user" -B "$work/user/build" -DCMAKE_PREFIX_PATH="$prefix" >"$work/log" 2>&1 && cmake --build "$work/user/build" >>"$work/log" 2>&1 ||
  fail "find_package: $(tail -5 "$work/log")"
[ "$("$work/user/build/ten")" = "$(cat "$work/time")" ] || fail "find_package's program says something else"
