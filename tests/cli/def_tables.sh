#!/bin/bash
# The C program of docs/library.md that fills definitions by their tables reaches the hash of the same scene in Lua.
. "$(dirname "$0")/../support/cli.sh"
build=$3
grep -qE '^SCREE_(SANITIZE:.*=.|COVERAGE:.*=ON)' "$build/CMakeCache.txt" && skip "a build for tests"
[ -e "$build/libscree.so" ] || skip "no libscree.so in $build"
command -v cc >/dev/null || skip "cc is not installed"

sed -n '/^```c tables$/,/^```$/p' "$source/docs/library.md" | sed '/^```/d' >tables.c
cc -std=c11 -Wall -Werror -I"$source/engine/include" tables.c -o tables -L"$build" -lscree -Wl,-rpath,"$build" || stop "the program does not compile"

cat >tables.lua <<'LUA'
local w = scree.world {}
w:pair { "default", "default", law = "coulomb", mu = 0.3, restitution = 0.4 }
local function box(x, kind) return w:box { size = { 1, 0.2, 0.2 }, position = { x, 0, 2 }, kind = kind } end
w:hinge { a = box(0), b = box(1.2, "fixed"), at = { 0.6, 0, 2 }, axis = { 0, 1, 0 }, friction = 5, break_force = 1e5 }
w:fill { region = { min = { -0.6, -0.6, 2.5 }, max = { 0.6, 0.6, 3.5 } }, spacing = 0.25, radius = 0.1 }
w:step(400)
print(w:hash())
LUA
./tables >c || fail "the program: $(cat c)"
"$scree" lua tables.lua >lua || fail "the scene in Lua"
cmp -s c lua || fail "the hash from C is $(cat c), from Lua $(cat lua)"
# other values of the keys change the hash, so each of them reaches the world
for key in 'mu = 0.3/mu = 0.31' 'restitution = 0.4/restitution = 0.5' 'friction = 5/friction = 6' 'spacing = 0.25/spacing = 0.26' 'radius = 0.1 /radius = 0.09 '; do
  sed "s/$key/" tables.lua >other.lua
  cmp -s tables.lua other.lua && fail "the scene has no $key"
  "$scree" lua other.lua | cmp -s - c && fail "$key changes nothing"
done
exit 0
