"""Prints how far the bodies of imported MJCF models are from those of MuJoCo after 100 steps without controls.
Usage: motion.py MUJOCO SCREE [MOST]: lines of motion.mjs and of measure.lua LIST motion; largest error of the first class.

The error of a model is the largest distance of the origins of equal bodies at the end. It counts relative to the largest distance that a body of the
model moves, or to the way of a free fall in this time if that is larger. Models belong to the first class of CLASSES that fits."""
import json
import math
import statistics
import sys

mujoco, scree = ({file: r for file, r in map(json.loads, open(path))} for path in sys.argv[1:3])

SOFT = {"frictionloss", "equality", "tendon"}  # of MuJoCo: soft constraints

# name, run without or with contacts, condition on the numbers of motion.mjs (r, run) and on the warnings of `scree import` (w)
CLASSES = (
    ("no contacts: bodies, joints, springs, dampers, actuators", "free", lambda r, run, w: not r["other"] and not w and not run["limits"]),
    ("no contacts: limits of joints act", "free", lambda r, run, w: not r["other"] and not w),
    ("no contacts: friction loss, equalities, limits of tendons", "free", lambda r, run, w: not set(r["other"]) - SOFT and not w),
    ("no contacts: parts that `scree import` lists as warnings", "free", lambda r, run, w: w > 0),
    ("no contacts: other", "free", lambda r, run, w: True),
    ("contacts", "full", lambda r, run, w: run["contacts"] and not set(r["other"]) - SOFT and not w),
    ("contacts and warnings", "full", lambda r, run, w: run["contacts"]),
)


def distance(a, b):
    return math.dist(a, b) if all(x is not None for x in a + b) else math.inf


def error_of(ours, theirs, fall):
    common = [name for name in theirs["bodies"] if name in ours["bodies"]]
    if not common:
        return None
    scale = max(fall, *(distance(*theirs["bodies"][name]) for name in common)) or 1
    worst = max(common, key=lambda name: distance(ours["bodies"][name][1], theirs["bodies"][name][1]))
    return distance(ours["bodies"][worst][1], theirs["bodies"][worst][1]) / scale, theirs["doubt"] / scale, worst


found = {name: [] for name, _, _ in CLASSES}
for file, theirs in mujoco.items():
    ours = scree.get(file)
    if "error" in theirs or not ours or "error" in ours:
        continue
    for kind in "free", "full":
        name = next((n for n, k, fits in CLASSES if k == kind and fits(theirs, theirs[kind], ours["warnings"])), None)
        result = error_of(ours[kind], theirs[kind], theirs["fall"]) if name else None
        if result:
            found[name].append((*result, file))
print("| class | models | median error | 90 % | within 1e-3 | within 1e-2 | within 0.1 |\n|---|---|---|---|---|---|---|")
for name, results in found.items():
    errors = sorted(result[0] for result in results)
    if not errors:
        continue
    share = [sum(e <= bound for e in errors) for bound in (1e-3, 1e-2, 0.1)]
    print(f"| {name} | {len(errors)} | {statistics.median(errors):.1e} | {errors[int(0.9 * (len(errors) - 1))]:.1e} | {share[0]} | {share[1]} | {share[2]} |")
for name, results in found.items():
    print(f"\n{name}: error, error of MuJoCo by its step, body")
    for error, doubt, body, file in sorted(results, reverse=True):
        if error > 1e-3:
            print(f"  {error:.1e} {doubt:.1e} {body} {file} {','.join(mujoco[file]['other'])}")
worst = max((e for e, _, _, _ in found[CLASSES[0][0]]), default=0)
if len(sys.argv) > 3 and worst > float(sys.argv[3]):
    sys.exit(f"the largest error of the first class is {worst:.1e}")
