#!/usr/bin/env bash
# A run that searches for compatible forces with friction in a bed that has none (the search takes minutes), with any number of steps
# allowed, ends soon after the first interrupt, with a checkpoint.
. "$(dirname "$0")/../support/cli.sh"

cat > bed.lua <<'LUA'
return {
  params = { seed = 2 }, -- a bed without compatible forces
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:pair { "default", "default", mu = 0.5 }
    w:halfspace { normal = { 0, 0, 1 } }
    for _, n in ipairs { { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } } do w:halfspace { normal = n, point = { -0.02 * n[1], -0.02 * n[2], 0 } } end
    w:fill { region = { min = { -0.02, -0.02, 0 }, max = { 0.02, 0.02, 0.06 } }, spacing = 6.2e-3, radius = 2e-3, radius_max = 3e-3, jitter = { 0.1, 0, 0.1 } }
  end,
  every = { { steps = 1, call = function(w) print("step " .. w:steps()) end } },
  output = { trajectory = { steps = 200 }, series = false },
  forces = { compatible = "hooke", stiffness = 1, friction = "coulomb", iterations = 1000000 },
  stop = { steps = 300 },
}
LUA
# stdbuf brings a library of its own, which a sanitizer has to bear
export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0
stdbuf -oL "$scree" run --progress none -o stopped bed.lua >out 2>err &
run=$!
wait_for $run grep -q 'step 200$' out || stop "the run did not come to step 200: $(tail -1 out) $(cat err)"
sleep 1 # into the search; it may come before, too
kill -INT $run
wait $run
code=$?
[ $code = 75 ] || fail "the exit code is $code: $(cat err)"
has err 'stopped by a signal at 0.2 s'
has err 'scree resume stopped'
exit $failed
