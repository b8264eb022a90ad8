#!/bin/bash
# A frame of 250 047 grains in the browser: within five seconds from the click to the picture's buffers.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
(cd "$source/tests/support" && python3 -c "import browser, sys; sys.exit(not browser.find())") || skip "chromium is not installed (tools/test --browser installs it)"
cat > big.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    for i = 1, 63 do
      for j = 1, 63 do
        for k = 1, 63 do w:sphere { radius = 0.05, position = { 0.11 * i + 0.01 * (k % 2), 0.11 * j, 0.11 * k } } end
      end
    end
  end,
  output = { trajectory = { every = 0.001 }, series = false },
  stop = { steps = 2 },
}
LUA
"$scree" run big.lua --trust -q -o big > /dev/null || stop "run"
timeout 600 python3 - "$scree" "$source" <<'PYTHON' || failed=$?
import subprocess, sys
sys.path.insert(0, sys.argv[2] + "/tests/support")
import browser
served = subprocess.Popen([sys.argv[1], "view", "--no-open", "big"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
address = served.stdout.readline().strip()
if not address:
    said = served.stderr.read()
    print("skipped: built without libmicrohttpd" if "no HTTP server" in said else "FAILED: scree view ends: " + said)
    sys.exit(77 if "no HTTP server" in said else 1)
with browser.Browser(640, 420) as chromium:
    page = chromium.open(address + "#frame=0")
    page.wait("document.body.dataset.ready == '1'", 120)
    page.value("viewer.store.kept.clear()")
    seconds = page.value("(async () => { const began = performance.now(); await viewer.goTo(1); viewer.draw(); return (performance.now() - began) / 1000; })()")
    print(f"{page.value('viewer.frame.count')} bodies in {seconds:.2f} s")
    right = seconds < 5 and page.value("viewer.frame.count") == 63 ** 3 and not page.errors()
served.terminate()
sys.exit(0 if right else "FAILED: too slow, or not all, or with errors")
PYTHON
exit $failed
