#!/bin/bash
# The page of scree view in headless Chromium: what it draws, plays, picks, cuts, colours; a run that goes on; nothing is fetched from elsewhere.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
(cd "$source/tests/support" && python3 -c "import browser, sys; sys.exit(not browser.find())") || skip "chromium is not installed (tools/test --browser installs it)"
ls /usr/share/javascript/three/three.min.js > /dev/null 2>&1 || skip "libjs-three is not installed"

cat > shapes.lua <<'LUA'
return {
  title = "every shape",
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    local turned = { math.cos(0.6), math.sin(0.6), 0, 0 }
    w:halfspace { normal = { 0, 0, 1 }, group = 100 }
    w:capsule { radius = 0.03, length = 0.08, position = { 0.2, 0, 0.2 }, group = 0, orientation = turned }
    w:box { size = { 0.1, 0.07, 0.05 }, position = { 0.4, 0, 0.2 }, group = 1 }
    w:cylinder { radius = 0.04, length = 0.09, position = { 0, 0.2, 0.2 }, group = 2, orientation = turned }
    w:cone { radius = 0.04, length = 0.09, position = { 0.2, 0.2, 0.2 }, group = 3 }
    w:ellipsoid { size = { 0.12, 0.08, 0.05 }, position = { 0.4, 0.2, 0.2 }, group = 4 }
    w:hull {
      points = { { 0.05, 0.05, 0.05 }, { -0.05, -0.05, 0.05 }, { -0.05, 0.05, -0.05 }, { 0.05, -0.05, -0.05 } },
      position = { 0, 0, 0.2 }, group = 5,
    }
    w:body {
      shapes = {
        { type = "sphere", radius = 0.03, position = { 0.03, 0, 0 } }, { type = "sphere", radius = 0.03, position = { -0.03, 0, 0 } },
        { type = "box", size = { 0.02, 0.02, 0.15 } },
      },
      position = { 0.2, 0.4, 0.2 }, group = 6,
    }
    w:mesh {
      points = { { -0.2, -0.1, 0 }, { 0.2, -0.1, 0 }, { 0.2, 0.1, 0.1 }, { -0.2, 0.1, 0.1 } }, triangles = { { 1, 2, 3 }, { 1, 3, 4 } },
      position = { 0.2, 0.6, 0 }, group = 100,
    }
  end,
  output = { trajectory = { every = 0.1, fields = { "position", "orientation", "velocity", "spin", "contacts" } } },
  stop = { time = 0.4 },
}
LUA
# a run that waits at its 20th step until the file of its parameter is there; without one it takes its time
cat > live.lua <<'LUA'
return {
  params = { go = "" },
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    for i = 1, 30 do w:sphere { radius = 0.05, position = { 0.07 * (i % 5), 0.07 * (i // 5), 0.1 + 0.02 * i } } end
  end,
  after_step = function(w, p)
    if p.go == "" then os.execute "sleep 0.02" end
    while p.go ~= "" and w:steps() == 20 and not io.open(p.go) do os.execute "sleep 0.05" end
  end,
  output = { trajectory = { every = 0.001 }, series = { every = 0.001 } },
  stop = { time = 0.1 },
}
LUA
# one of ten grains falls off a table; a column of its own for the plots
cat > lost.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:box { kind = "fixed", size = { 1, 1, 0.1 }, position = { 0, 0, -0.05 } }
    for k = 0, 8 do w:sphere { radius = 0.05, position = { 0.2 * (k % 3 - 1), 0.2 * (k // 3 - 1), 0.1 } } end
    w:sphere { radius = 0.05, position = { 0.7, 0, 0.1 } }
  end,
  output = { trajectory = { every = 0.1 }, series = { every = 0.1, values = function(w) return { own = { w:time(), "s" } } end } },
  stop = { time = 2 },
}
LUA
"$scree" run lost.lua -q -o lost > /dev/null || stop "run of a lost grain"
"$scree" run shapes.lua -q -o shapes > /dev/null || stop "run of shapes"
"$scree" run "$source/scenes/channel.lua" scale=0.1 time=0.02 seed=2 -q -o channel > /dev/null || stop "run of the channel"
"$scree" view --no-open shapes > out.txt 2> err.txt & pid=$!
wait_for $pid grep -q . out.txt err.txt
kill $pid 2> /dev/null
wait $pid
if grep -q "no HTTP server" err.txt; then skip "built without libmicrohttpd"; fi
timeout 1100 python3 "$source/tests/support/view_browser.py" "$scree" "$source" "$work" || failed=1
[ -f channel-now.png ] && cp channel-now.png "${3:-/tmp}/"
exit $failed
