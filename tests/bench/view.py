#!/usr/bin/env python3
"""Measures scree view in headless Chromium.  usage: view.py PROGRAM RUN [--picture FILE]

Prints CPU seconds (user and system) of the server and of all processes of the browser, the memory of the
browser and the cost of a frame while the page plays. Wall time depends on what else runs on the machine.
"""
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import browser

TICKS = os.sysconf("SC_CLK_TCK")


def read_stat(pid):
    """Returns the fields of /proc/PID/stat behind the name of the program, or None."""
    try:
        return open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    except OSError:
        return None


def list_tree(root):
    """Returns a process and all its descendants."""
    children = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        stat = read_stat(pid)
        if stat:
            children.setdefault(int(stat[1]), []).append(int(pid))
    found = [root]
    for pid in found:
        found += children.get(pid, [])
    return found


def sum_cpu(root):
    """Returns the CPU seconds of a process and of its descendants, those that ended included."""
    stats = [stat for stat in map(read_stat, list_tree(root)) if stat]
    return sum(int(stat[k]) for stat in stats for k in (11, 12, 13, 14)) / TICKS


def sum_memory(root, name):
    """Returns the memory of a process tree in MB: Pss counts shared pages once, Rss counts them for each process."""
    total = 0
    for pid in list_tree(root):
        try:
            total += sum(int(line.split()[1]) for line in open(f"/proc/{pid}/smaps_rollup") if line.startswith(name + ":"))
        except OSError:
            pass
    return total / 1024


def peak_memory(pid):
    return next(int(line.split()[1]) for line in open(f"/proc/{pid}/status") if line.startswith("VmHWM")) / 1024


class Meter:
    """CPU seconds of server and browser since the last call of lap."""

    def __init__(self, server, chromium):
        self.roots = server.pid, chromium.process.pid
        self.lap()

    def lap(self):
        now, before = [sum_cpu(root) for root in self.roots] + [time.time()], getattr(self, "last", [0, 0, 0])
        self.last = now
        return [a - b for a, b in zip(now, before)]


SETTLED = "window.viewer && document.body.dataset.ready == '1' && !viewer.resized && !viewer.dirty && viewer.stage.ratio == 1"
PLAY = """(async () => {
  viewer.change({speed: 60});
  const from = viewer.state.frame, last = viewer.times.length - 1;
  viewer.play();
  await new Promise((done) => { const wait = () => viewer.state.frame >= last ? done() : setTimeout(wait, 20); wait(); });
  viewer.playing = false;
  return last - from;
})()"""


def main():
    program, run = sys.argv[1:3]
    server = subprocess.Popen([program, "view", "--no-open", run], stdout=subprocess.PIPE, text=True)
    address = server.stdout.readline().strip()
    with browser.Browser(1000, 700) as chromium:
        chromium.open("about:blank#start").value("1")
        time.sleep(2)
        own = sum_memory(chromium.process.pid, "Pss"), sum_memory(chromium.process.pid, "Rss")
        meter = Meter(server, chromium)
        print(f"browser alone: CPU {sum_cpu(chromium.process.pid):.2f} s, memory {own[0]:.0f} MB (Rss {own[1]:.0f} MB)")
        page = chromium.open("about:blank#page")
        page.call("Network.disable")  # which would keep a copy of every answer
        meter.lap()
        page.call("Page.navigate", url=address + "#frame=0")
        page.wait("location.href != 'about:blank#page' && Boolean(document.body)", 60)
        page.value(f"new Promise((done) => {{ const wait = () => {SETTLED} ? done() : setTimeout(wait, 100); wait(); }})")
        page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        served, drawn, wall = meter.lap()
        page.value("new Promise((done) => setTimeout(done, 1000))")
        memory = [sum_memory(chromium.process.pid, name) for name in ("Pss", "Rss")]
        print(f"first picture of {page.value('viewer.frame.count')} bodies: server CPU {served:.2f} s, browser CPU {drawn:.2f} s, "
              f"memory {memory[0]:.0f} MB (Rss {memory[1]:.0f} MB), wall {wall:.1f} s")
        if "--picture" in sys.argv:
            open(sys.argv[sys.argv.index("--picture") + 1], "wb").write(page.picture())
        meter.lap()
        page.value("viewer.store.kept.clear(), viewer.store.bytes = 0")
        frames = page.value(PLAY)
        served, drawn, wall = meter.lap()
        print(f"play: {frames} frames, each server CPU {served / frames:.3f} s, browser CPU {drawn / frames:.3f} s, wall {wall / frames:.2f} s; "
              f"memory {sum_memory(chromium.process.pid, 'Pss'):.0f} MB; server's peak {peak_memory(server.pid):.0f} MB")
        if page.errors():
            print("errors:", page.errors()[:3])
    server.terminate()
    server.wait()


main()
