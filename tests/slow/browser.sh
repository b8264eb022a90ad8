#!/bin/bash
# A frame of 250 047 grains in the browser: within five seconds from the click to the picture's buffers. What is sent and
# drawn: 24 bytes a body, only balls in sight, points from a distance; the picture is that of all balls drawn exactly.
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
import png
failed = []


def check(right, what):
    if not right:
        failed.append(what)
        print("FAILED:", what)


def picture(page):
    page.wait("!viewer.resized && !viewer.dirty && !viewer.playing && viewer.stage.ratio == 1", 120)
    page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return png.read(page.picture())


def compare(page, change, most, what):
    """The picture as it is and after a change of how the same balls are drawn."""
    before = picture(page)
    page.value(f"(() => {{ {change}; viewer.dirty = true; }})()")
    mean, far = png.difference(before, picture(page), 4)
    check(mean < most and far < 0.01, f"{what}: {mean:.2f} of 255 apart, {100 * far:.2f} % of the squares")
    print(f"{what}: {mean:.3f} of 255 apart, {100 * far:.3f} % of the squares")


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
    count = page.value("viewer.frame.count")
    check(seconds < 5 and count == 63 ** 3, f"{count} bodies in {seconds:.2f} s")

    # positions and velocities as single precision numbers, a head and the names of columns
    sent = page.value("viewer.source.get(`frame?number=1&fields=${viewer.fields()}&roster=${viewer.source.latest}`).then((a) => a.arrayBuffer()).then((b) => b.byteLength)")
    check(24 * count <= sent < 24 * count + 1000, f"{sent / count:.2f} bytes a body")
    check(page.value("viewer.frame.spin === null && viewer.frame.turn === null"), "the page holds fields that it does not show")

    # the balls at the surface of a block of 63 x 63 x 63, seen from a corner, and some behind gaps
    balls = "viewer.stage.batches.get('balls')"
    picture(page)
    drawn, calls = page.value(f"[{balls}.drawn, viewer.stage.renderer.info.render.calls]")
    print(f"{drawn} balls are drawn in {calls} calls")
    check(3 * 63 ** 2 <= drawn < 0.25 * count, f"{drawn} of {count} balls are drawn")
    check(calls <= 2, f"{calls} calls draw balls of one kind")
    check(page.value(f"{balls}.count") == count, "balls that are hidden are not counted")
    compare(page, f"{balls}.show.whole = true, {balls}.seenFrom = ''", 0.02, "without the hidden balls")

    # from a distance balls are points; near by they are exact
    page.value("viewer.show()")
    check(not page.value(f"{balls}.isPoints"), "balls of several pixels are points")
    page.value("viewer.eye.zoom(8), viewer.dirty = true")
    picture(page)
    check(page.value(f"{balls}.isPoints"), "balls of less than a pixel are no points")
    compare(page, f"{balls}.see = function (camera, pixels) {{ Cloud.prototype.see.call(this, camera, pixels); this.showAs(false); }}", 3, "points instead of balls")
    page.value(f"delete {balls}.see, viewer.eye.zoom(1 / 8), viewer.dirty = true")
    picture(page)
    check(not page.value(f"{balls}.isPoints"), "balls stay points near by")

    # a picked body comes with all its numbers; the fields of the next frame follow
    page.value("(viewer.pickAt(viewer.stage.width / 2, viewer.stage.height / 2), 0)")
    page.wait("viewer.state.chosen > 0 && viewer.frame.spin && viewer.frame.velocity", 60)
    check(page.value("[...document.querySelectorAll('#card td')].some((cell) => cell.textContent == 'spin [rad/s]')"), "the card has no spin")
    check(not page.errors(), f"errors: {page.errors()[:2]}")
served.terminate()
sys.exit(1 if failed else 0)
PYTHON
exit $failed
