#!/bin/bash
# The shared library exports the functions and tables of the public headers and nothing else. Its soname has the version of the project.
# Installed with its component, pkg-config and find_package(scree) lead to it.
. "$(dirname "$0")/../support/cli.sh"
build=$3
library=$(ls "$build"/libscree.so.*.*.* 2>/dev/null | head -1)
[ -n "$library" ] || stop "no libscree.so in $build"
export LC_ALL=C

# Every public header opens and closes the visibility of its declarations.
for header in "$source"/engine/include/scree/*.h "$source"/lua/include/scree/*.h; do
  case $header in */scree.h | */version.h) continue ;; esac
  [ "$(grep -cE '^#pragma GCC visibility (push\(default\)|pop)$' "$header")" = 2 ] || fail "$header lacks the visibility of its declarations"
done

version=$(sed -n 's/^project(scree VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
[ "$(basename "$library")" = "libscree.so.$version" ] || fail "$library is not of version $version"
command -v nm >/dev/null && command -v objdump >/dev/null || skip "the rest: binutils is not installed"
objdump -p "$library" | grep -q "SONAME *libscree\.so\.${version%.*}$" || fail "the soname is not libscree.so.${version%.*}"

# sanitizers and counts of coverage add symbols
grep -qE '^SCREE_(SANITIZE:.*=.|COVERAGE:.*=ON)' "$build/CMakeCache.txt" && skip "the rest: a build for tests"
if command -v python3 >/dev/null; then
  PYTHONDONTWRITEBYTECODE=1 python3 "$source/tests/support/exports.py" "$source/engine/include/scree" "$source/lua/include/scree" | sort >public
  nm -D --defined-only "$library" | awk '{ print $3 }' | sort >exported
  [ "$(wc -l <public)" -gt 300 ] || fail "the headers have $(wc -l <public) names"
  diff public exported >difference || fail "declared (<) or exported (>) alone: $(cat difference)"
fi

# cmake compares times of files alone, and both variants of scree.pc are of one second
cmake --install "$build" --prefix "$work/first" >log 2>&1 && find first -name scree.pc -delete && cmake --install "$build" --prefix "$work/first" --component shared >log 2>&1 ||
  stop "cmake --install: $(tail -3 log)"
mv first moved
folder=$(dirname "$(find "$work/moved" -name scree.pc)")
sed -n '/^```c$/,/^```$/p' "$source/docs/library.md" | sed '/^```/d' >ten.c
if command -v pkg-config >/dev/null; then
  export PKG_CONFIG_PATH=$folder
  pkg-config --libs scree | grep -q -- -lz && fail "users of the shared library link its libraries: $(pkg-config --libs scree)"
  cc ten.c -o ten $(pkg-config --cflags --libs scree) || fail "pkg-config does not say enough"
  objdump -p ten | grep -q 'NEEDED *libscree' || fail "the program is not linked to the shared library"
  [ "$(LD_LIBRARY_PATH=$(dirname "$folder") ./ten)" = 0.003 ] || fail "the program of ten lines"
fi
mkdir user && cat >user/CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.20)
project(user C)
find_package(scree REQUIRED)
add_executable(ten ../ten.c)
target_link_libraries(ten PRIVATE scree::scree)
CMAKE
cmake -S user -B user/build -DCMAKE_PREFIX_PATH="$work/moved" >log 2>&1 && cmake --build user/build >>log 2>&1 || stop "find_package: $(tail -5 log)"
[ "$(user/build/ten)" = 0.003 ] || fail "the program of find_package"
exit $failed
