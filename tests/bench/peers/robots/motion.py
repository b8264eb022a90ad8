"""Prints how far the bodies of imported MJCF models are from those of MuJoCo after 100 steps without controls.
Usage: motion.py MUJOCO SCREE: lines of motion.mjs and of measure.lua LIST motion.

The error of a model is the largest distance of the origins of equal bodies at the end, over the largest distance that a body of the model
moves; a model that rests counts with 1 mm. Models belong to the first class of CLASSES that fits."""
import json
import math
import statistics
import sys

mujoco, scree = ({file: r for file, r in map(json.loads, open(path))} for path in sys.argv[1:3])

# name, run without or with contacts, condition on the numbers of motion.mjs
CLASSES = (
    ("no contacts: rigid bodies, joints, springs, servos", "free", lambda r, run: not r["other"] and not run["limits"]),
    ("no contacts: limits of joints act", "free", lambda r, run: not r["other"]),
    ("no contacts: friction loss or equalities", "free", lambda r, run: not set(r["other"]) - {"frictionloss", "equality"}),
    ("no contacts: tendons, fluids, cloth, activation", "free", lambda r, run: True),
    ("contacts", "full", lambda r, run: run["contacts"] and not r["other"]),
    ("contacts and friction loss, equalities, tendons, ...", "full", lambda r, run: run["contacts"]),
)


def distance(a, b):
    return math.dist(a, b) if all(x is not None for x in a + b) else math.inf


def error_of(ours, theirs):
    common = [name for name in theirs["bodies"] if name in ours["bodies"]]
    if not common:
        return None
    moved = max(distance(*theirs["bodies"][name]) for name in common)
    worst = max(common, key=lambda name: distance(ours["bodies"][name][1], theirs["bodies"][name][1]))
    scale = moved if moved > 1e-6 else 1e-3
    return distance(ours["bodies"][worst][1], theirs["bodies"][worst][1]) / scale, theirs["doubt"] / scale, worst


found = {name: [] for name, _, _ in CLASSES}
for file, theirs in mujoco.items():
    ours = scree.get(file)
    if "error" in theirs or not ours or "error" in ours:
        continue
    for kind in "free", "full":
        name = next((n for n, k, fits in CLASSES if k == kind and fits(theirs, theirs[kind])), None)
        result = error_of(ours[kind], theirs[kind]) if name else None
        if result:
            found[name].append((*result, file))
print("| class | models | median error | 90 % | within 1e-3 | within 1e-2 |\n|---|---|---|---|---|---|")
for name, results in found.items():
    errors = sorted(e for e, _, _, _ in results)
    if not errors:
        continue
    share = [sum(e <= bound for e in errors) for bound in (1e-3, 1e-2)]
    print(f"| {name} | {len(errors)} | {statistics.median(errors):.1e} | {errors[int(0.9 * (len(errors) - 1))]:.1e} | {share[0]} | {share[1]} |")
for name, results in found.items():
    print(f"\n{name}: error, error of MuJoCo by its step, body")
    for error, doubt, body, file in sorted(results, reverse=True):
        if error > 1e-3:
            print(f"  {error:.1e} {doubt:.1e} {body} {file} {','.join(mujoco[file]['other'])}")
