#!/usr/bin/env bash
# scree export --format stl: walls at the times of grains: a file where they moved, and a collection with every time.
. "$(dirname "$0")/../support/cli.sh"
fail() { stop "$@"; }
cat > scene.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, dt = 1e-2 },
  setup = function(w)
    w:sphere { radius = 0.1, position = { 0, 0, 1 } }
    w.state.wall = w:box { name = "wall", kind = "kinematic", size = { 1, 1, 0.1 } }
    w:find("wall"):set_velocity(0, 0, -1)
  end,
  before_step = function(w) if w:steps() == 2 then w:find("wall"):set_velocity(0, 0, 0) end end,
  output = { trajectory = { steps = 1 } },
  stop = { steps = 6 },
}
LUA
"$scree" run -q -o run scene.lua > /dev/null || fail "run"
"$scree" export run -q --format vtp -o out && "$scree" export run -q --format stl -o out || fail "export"
times() { grep -o 'timestep="[^"]*"' "$1"; }
[ "$(times out/frame.pvd | wc -l)" = 7 ] || fail "7 frames"
[ "$(times out/frame.pvd)" = "$(times out/frame_walls.pvd)" ] || fail "walls and grains have different times"
# the wall moves in two steps: three files, and the last one holds until the end
[ "$(cd out && ls ./*.stl | wc -l)" = 3 ] && [ "$(cd out && ls frame_walls_*.vtp | wc -l)" = 3 ] || fail "files: $(ls out)"
[ "$(grep -c frame_walls_000002.vtp out/frame_walls.pvd)" = 5 ] || fail "collection: $(cat out/frame_walls.pvd)"
for file in $(grep -o 'frame_walls_[0-9]*.vtp' out/frame_walls.pvd); do [ -f "out/$file" ] || fail "there is no $file"; done
has out/frame_walls_000000.vtp 'NumberOfPolys="12"'
# contacts that were not kept: what to do is said
"$scree" export run --format csv --contacts -o none 2> err.txt
[ $? = 2 ] || fail "contacts that are not there were exported"
has err.txt 'fields = { "position", "contacts" }'
[ -e none ] && fail "a mistake left files"
exit 0
