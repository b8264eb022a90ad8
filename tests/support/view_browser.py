#!/usr/bin/env python3
"""The page of scree view in a real browser.  usage: view_browser.py PROGRAM SOURCE WORK [--store]

WORK holds the runs channel and shapes and the scene live.lua. --store writes the picture of the channel that others are compared with.
"""
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser
import png

program, source, work = sys.argv[1:4]
stored = os.path.join(source, "tests", "support", "view_channel.png")
failed = []


def check(right, what):
    if not right:
        failed.append(what)
        print("FAILED:", what)


class Served:
    """scree view of a run; the address is in .address."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen([program, *arguments], stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def settle(page):
    """Waits until what was asked for is drawn."""
    page.value("new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)), 60))")
    page.wait("!viewer.resized && !viewer.dirty && viewer.stage.ratio == 1")
    page.value("new Promise((done) => requestAnimationFrame(done))")


def picture(page):
    settle(page)
    return png.read(page.picture(0.5))


def clean(page, what):
    check(not page.errors(), f"{what}: errors in the console: {page.errors()[:2]}")
    strangers = [a for a in page.fetched() if not a.startswith(("http://127.0.0.1:", "data:", "blob:", "file:"))]
    check(not strangers, f"{what}: the page asked elsewhere: {strangers[:2]}")


def channel(chromium):
    with Served("view", "--no-open", os.path.join(work, "channel")) as served:
        page = chromium.open(served.address + "#plain=1&walls=0.2&frame=2")
        page.wait("document.body.dataset.ready == '1'")
        shot = picture(page)
        if "--store" in sys.argv:
            open(stored, "wb").write(page.picture(0.5))
        mean, far = png.difference(shot, png.read(open(stored, "rb").read()))
        check(mean < 4 and far < 0.02, f"the channel looks otherwise than stored: {mean:.1f} of 255 in the mean, {100 * far:.1f} % of the squares")
        print(f"channel: {mean:.2f} of 255 from the stored picture, {100 * far:.1f} % of the squares differ")
        if mean >= 4 or far >= 0.02:
            open(os.path.join(work, "channel-now.png"), "wb").write(page.picture())

        # colours: another field, an expression, a mistake in one
        page.value("viewer.change({color: 'z'})")
        other = picture(page)
        check(png.difference(shot, other)[0] > 2, "colour by z looks like colour by speed")
        page.value("viewer.change({color: 'math.sqrt(vx^2 + vy^2 + vz^2)'})")
        check(abs(page.value("viewer.field.values(viewer.frame)[100] - FIELDS.speed.of(viewer.frame, 100)")) < 1e-6, "an expression is not what it says")
        page.value("viewer.change({color: 'speed +'})")
        check("missing" in page.value("viewer.trouble"), "a broken expression is not told")
        page.value("viewer.change({color: 'speed'})")

        # cut, whole bodies and through them; groups and kinds
        drawn = "[...viewer.stage.batches.values()].reduce((sum, batch) => sum + batch.count, 0)"
        everything = page.value(drawn)
        page.value("viewer.change({cut: [-1, 1, 0.004, 1, -1, 1]})")
        check(0 < page.value(drawn) < everything - 100, "a cut takes no bodies away")
        halves = picture(page)
        page.value("viewer.change({slice: true})")
        apart = png.difference(halves, picture(page), 4)[0]
        check(apart > 0.03, f"a cut through bodies looks like one by centres: {apart:.2f} of 255")
        page.value("viewer.change({cut: null, slice: false, hiddenKinds: [0]})")
        check(page.value(drawn) < 50, "free bodies that are hidden are drawn")
        page.value("viewer.change({hiddenKinds: []})")

        # picking: the body under the mouse, its card, letting go
        page.call("Emulation.setFocusEmulationEnabled", enabled=True)
        page.click(320, 190)
        page.wait("viewer.state.chosen > 0")
        row = page.value("viewer.frame.roster.find(viewer.state.chosen)")
        near = page.value(f"""(() => {{ const p = new THREE.Vector3(...viewer.frame.position.subarray(3 * {row}, 3 * {row} + 3)).project(viewer.stage.camera);
          return Math.hypot((p.x + 1) / 2 * viewer.stage.width - 320, (1 - p.y) / 2 * viewer.stage.height - 190); }})()""")
        check(near < 14, f"the body that was picked is {near:.0f} pixels away")
        check(page.value("!document.querySelector('#card').hidden && document.querySelector('#card table').rows.length > 5"), "no card of the picked body")
        page.wait("viewer.card.rows.length > 0 && viewer.card.rows.every((row) => row[11] == 1)")
        page.key("Escape")
        page.wait("document.querySelector('#card').hidden")

        # mouse and keys
        before = page.value("viewer.eye.text ? '' : viewer.eye.texts().join()")
        page.drag(300, 200, 360, 230)
        check(page.value("viewer.eye.texts().join()") != before, "a drag does not turn")
        page.wheel(320, 200, -200)
        page.key("r")
        page.key("?", "Slash")
        page.wait("document.querySelector('#help').open")
        page.value("document.querySelector('#help').close()")
        page.key("l")
        page.wait("document.body.dataset.theme == 'light'")
        check(sum(picture(page)[2][0][:30]) / 30 > 230, "light is not light")
        page.key("l")

        # time: play to the end, a step back, plots
        page.value("viewer.goTo(0)")
        page.value("viewer.change({speed: 30})")
        page.key(" ", "Space")
        page.wait("!viewer.playing && viewer.state.frame == viewer.times.length - 1")
        page.key("ArrowLeft")
        page.wait("viewer.state.frame == viewer.times.length - 2")
        page.value("viewer.change({plots: true, trails: 2})")
        page.wait("document.querySelectorAll('#plots canvas').length >= 2")
        check(page.value("viewer.trailStrips.batch.count") > 100, "no trails")

        # the address tells all; another page shows the same
        page.value("viewer.change({trails: 0, plots: false, color: 'z', map: 'magma'})")
        page.wait("location.hash.includes('palette=magma') && location.hash.includes('frame=')")
        again = chromium.open(served.address + page.value("location.hash"))
        again.wait("document.body.dataset.ready == '1'")
        mean, far = png.difference(picture(page), picture(again))
        check(mean < 0.5, f"the address leads to another picture: {mean:.2f} of 255")
        check(page.value("viewer.picture().toDataURL().length") > 20000, "a saved picture is empty")
        clean(page, "channel")
        clean(again, "channel again")


def shapes(chromium):
    with Served("view", "--no-open", os.path.join(work, "shapes")) as served:
        page = chromium.open(served.address + "#plain=1&color=group&frame=3&walls=0.1&axes=0")
        page.wait("document.body.dataset.ready == '1'")
        page.value("viewer.stage.settled()")
        page.value("viewer.show()")
        shot = picture(page)
        colours = page.value("GROUP_COLOURS.map(hexColour)")
        for group, name in enumerate(["capsule", "box", "cylinder", "cone", "ellipsoid", "hull", "body of three shapes"]):
            found = png.count(shot, colours[group])
            check(found > 15, f"the {name} is not seen: {found} pixels of its colour")
        check(page.value("viewer.stage.batches.get('planes').count") == 1, "no plane")
        check(page.value("[...viewer.stage.batches].some(([key, batch]) => key.startsWith('8/') && batch.count == 1)"), "no mesh")
        page.value("viewer.change({forces: true, spots: true})")
        page.wait("viewer.forceStrips.batch.count > 5")
        check(page.value("FIELD_NAMES.every((name) => findField(name).values(viewer.frame).some(isFinite))"), "a field without numbers")
        if "--look" in sys.argv:
            open("/tmp/shapes.png", "wb").write(page.picture())
        clean(page, "shapes")


def html(chromium):
    """A page that opens from disk shows what the server's does."""
    run = os.path.join(work, "channel")
    for name, more, most in [("all.html", [], 5e6), ("few.html", ["--frames", "::2", "--precision", "1e-4", "--fields", "position"], 1.5e6)]:
        file = os.path.join(work, name)
        check(subprocess.run([program, "export", run, "--format", "html", "-o", file, "-q", *more]).returncode == 0, "export to " + name)
        check(os.path.getsize(file) < most, f"{name} has {os.path.getsize(file)} bytes")
        page = chromium.open("file://" + file + "#plain=1&walls=0.2&frame=" + ("2" if name == "all.html" else "1&color=none"))
        page.wait("document.body.dataset.ready == '1'")
        if name == "all.html":
            mean, far = png.difference(picture(page), png.read(open(stored, "rb").read()))
            check(mean < 4 and far < 0.02, f"the page from disk looks otherwise: {mean:.1f} of 255")
            page.value("viewer.goTo(0)")
            page.value("viewer.goTo(1)")
            page.value("viewer.change({plots: true})")
            page.wait("document.querySelectorAll('#plots canvas').length >= 2")
        else:
            check(page.value("viewer.times.length") == 2, "every second frame of three is two")
            check(page.value("viewer.frame.position.length > 1500"), "positions of the second frame")
        strangers = [a for a in page.fetched() if not a.startswith(("file:", "data:", "blob:"))]
        check(not strangers and not page.errors(), f"{name}: {strangers[:2]} {page.errors()[:2]}")


def stop(chromium):
    """A run that shows itself is stopped from its page, with a checkpoint."""
    folder = os.path.join(work, "stopped")
    run = subprocess.Popen([program, "run", os.path.join(work, "live.lua"), "--trust", "-q", "-o", folder, "--time", "100", "--view", "--no-open"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    page = chromium.open(run.stdout.readline().strip())
    page.wait("document.body.dataset.ready == '1' && !document.querySelector('#stop').hidden")
    page.value("document.querySelector('#stop').click()")
    page.wait("!viewer.live")
    check(os.path.exists(os.path.join(folder, "checkpoint.scree")), "no checkpoint of the run that was stopped")
    check(page.value("document.querySelector('#notice').hidden"), "a notice after the stop: " + str(page.value("document.querySelector('#notice').textContent")))
    run.send_signal(2)
    check(run.wait(300) == 75, f"the run that was stopped ends with {run.returncode}")
    run.stdout.close()
    run.stderr.close()


def lost(chromium):
    """One grain that is far away does not count for box and colours; it is told; r fits the frame shown."""
    with Served("view", "--no-open", os.path.join(work, "lost")) as served:
        page = chromium.open(served.address + "#plots=1")
        page.wait("document.body.dataset.ready == '1'")
        check(page.value("viewer.bounds.extent") < 1.5, f"a lost grain widens the view: {page.value('viewer.bounds.extent')} m")
        page.value("viewer.goTo(viewer.times.length - 1)")
        settle(page)
        check(page.value("viewer.far") == "1 of 10 bodies is far away and not shown", f"a lost grain is not told: {page.value('viewer.far')}")
        check(page.value("viewer.range[1]") < 5, f"a lost grain stretches the colours: {page.value('viewer.range')}")
        if "--look" in sys.argv:
            open(os.path.join(work, "lost-now.png"), "wb").write(page.picture())
        page.value("viewer.bounds = {low: [0, 0, 0], high: [99, 99, 99], middle: [50, 50, 50], extent: 80}")
        page.key("r")
        check(page.value("viewer.bounds.extent") < 1.5, "r does not fit the frame shown")
        # ranges of many bodies come from several frames
        page.value("viewer.about.most_bodies = 1e6, viewer.change({frame: 0, color: 'z'}).then(() => viewer.goTo(0))")
        page.value("viewer.range.of = null, viewer.goTo(0)")
        check(page.value("viewer.range[0]") < 0.07, f"the colours of many bodies come from one frame: {page.value('viewer.range')}")
        check("own [s]" in page.value("viewer.tables.columns"), f"the plots leave out the scene's own columns: {page.value('viewer.tables.columns')}")
        check(page.value("viewer.tables.columns.map((name) => viewer.tables.label(name))") == ["kinetic [J]", "residual [m/s]", "own [s]"],
              f"the plots have no units: {page.value('viewer.tables.columns.map((name) => viewer.tables.label(name))')}")
        clean(page, "lost")


def live(chromium):
    folder = os.path.join(work, "live")
    go, file = os.path.join(work, "go"), os.path.join(folder, "trajectory.scree")
    run = subprocess.Popen([program, "run", os.path.join(work, "live.lua"), "go=" + go, "--trust", "-q", "-o", folder], stdout=subprocess.DEVNULL)
    while run.poll() is None and (not os.path.exists(file) or os.path.getsize(file) < 4096):
        time.sleep(0.002)
    with Served("view", "--no-open", folder) as served:
        page = chromium.open(served.address + "#plots=1")
        page.wait("document.body.dataset.ready == '1'")
        check(page.value("viewer.live"), "a run that goes on is not live")
        first = page.value("viewer.times.length")
        check(first < 90, "the run was at its end before it could be watched: %d frames" % first)
        page.wait("!document.querySelector('#live').hidden")  # the sign that the run goes on
        open(go, "w").close()
        page.wait(f"viewer.times.length >= {first} + 5 && viewer.state.frame > 0")
        check(run.wait(300) == 0, "the run that was watched failed")
        page.wait("!viewer.live")
        check(page.value("viewer.times.length") == 101, "frames are missing at the end: %s" % page.value("viewer.times.length"))
        page.wait("viewer.tables.table.columns.time.length > 50")
        clean(page, "live")


with browser.Browser(640, 420) as chromium:
    for part in (channel, html, shapes, lost, live, stop):
        began = time.time()
        part(chromium)
        print(f"{part.__name__}: {time.time() - began:.1f} s")
sys.exit(1 if failed else 0)
