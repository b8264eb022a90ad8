"""CPU time of calls from Python beside those from Lua: the same calls in the same scene, best of 9 rounds.

usage: PYTHON tests/bench/calls.py [BALLS ...]   (a Python that has the package scree; nothing else should run)"""

import math
import pathlib
import subprocess
import sys
import time

import scree

ROUNDS = 9


def make_world(balls):
    """Returns a world of balls that rest on the ground without touching each other."""
    side = math.ceil(math.sqrt(balls))
    w = scree.World(gravity=(0, 0, -9.81), dt=1e-3)
    w.halfspace(normal=(0, 0, 1))
    for i in range(balls):
        w.sphere(radius=0.1, position=(0.25 * (i % side), 0.25 * (i // side), 0.1))
    w.step(10)
    return w


def time_call(work, calls):
    """Returns the least CPU time of a call over the rounds [us]."""
    best = math.inf
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(calls):
            work()
        best = min(best, (time.process_time() - start) / calls)
    return best * 1e6


def main():
    """Prints a table for each number of balls."""
    script = pathlib.Path(__file__).with_suffix(".lua")
    for balls in map(int, sys.argv[1:] or (10, 64, 1000)):
        listed = subprocess.run([scree.program(), "lua", "--trust", script, str(balls)], check=True, text=True, stdout=subprocess.PIPE)
        lua = dict(line.split(",") for line in listed.stdout.splitlines())
        w = make_world(balls)
        state, ball = w.save(), w.body_of(2)
        works = {"w.step()": w.step, "w.step(100)": lambda: w.step(100), "w.save()": w.save,  # pylint: disable=cell-var-from-loop
                 "w.restore(state)": lambda: w.restore(state), "w.restore(w.save())": lambda: w.restore(w.save()),  # pylint: disable=cell-var-from-loop
                 "ball.position()": ball.position, "w.time()": w.time}
        print(f"| {balls} balls | Lua [us] | Python [us] | ratio |\n|---|---|---|---|")
        for name, work in works.items():
            python, other = time_call(work, 20 if name == "w.step(100)" else 2000), float(lua[name])
            print(f"| `{name}` | {other:.2f} | {python:.2f} | {python / other:.2f} |", flush=True)


if __name__ == "__main__":
    main()
