#!/bin/bash
# Cost of scree view for large runs: first picture and play, in headless Chromium without a graphics processor.
# usage: tests/bench/view.sh [PROGRAM [BODIES ...]]; by default build/release/scree and 250000 bodies.
# Runs are made in the folder $VIEW_RUNS (default: /tmp/scree-bench-view) and stay there.
set -e
bench=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "${1:-$bench/../../build/release/scree}")
shift || true
[ $# -gt 0 ] || set -- 250000
mkdir -p "${VIEW_RUNS:=/tmp/scree-bench-view}"
cd "$VIEW_RUNS"
cat > grains.lua <<'LUA'
-- n grains of 2 mm in a box that leans by 20 degrees; one frame a step
return {
  title = "many grains",
  params = { n = 1000 },
  world = { dt = 1e-3, gravity = { 3.4, 0, -9.2 }, solver = { iterations = 3, tolerance = 1e-3 } },
  setup = function(w, p)
    local s = 2.3e-3
    local L = math.ceil((p.n / 0.5) ^ (1 / 3)) * s -- twice as wide as high
    w:halfspace { normal = { 0, 0, 1 } }
    w:halfspace { normal = { 1, 0, 0 } }
    w:halfspace { normal = { -1, 0, 0 }, position = { L, 0, 0 } }
    w:halfspace { normal = { 0, 1, 0 } }
    w:halfspace { normal = { 0, -1, 0 }, position = { 0, L, 0 } }
    w:fill {
      region = { min = { 0, 0, 0 }, max = { L, L, 2 * L } }, spacing = s, radius = 0.9e-3, radius_max = 1.1e-3, limit = p.n,
      jitter = 0.1, density = 2500, velocity = { 0.1, 0, -0.1 },
    }
  end,
  output = { trajectory = { steps = 1, precision = "1e-4 d" }, series = { steps = 1 } },
  stop = { steps = 20 },
}
LUA
for n in "$@"; do
  [ -d "grains$n" ] || "$program" run grains.lua --trust "n=$n" -q -o "grains$n" > /dev/null
  python3 "$bench/view.py" "$program" "grains$n"
done
