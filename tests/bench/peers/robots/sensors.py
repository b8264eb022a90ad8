"""Compares values of sensors of MuJoCo and scree. Usage: sensors.py MUJOCO SCREE MOST: files with one JSON object, lists of numbers by name of the sensor.
Prints the number of sensors and the largest error, relative for values above 1. An error above MOST ends with 1. Quaternions of opposite sign are equal."""
import json
import sys

theirs, ours = (json.load(open(path)) for path in sys.argv[1:3])
most = float(sys.argv[3])
if set(theirs) != set(ours):
    sys.exit(f"sensors of one program only: {sorted(set(theirs) ^ set(ours))}")
errors = []
for name, values in theirs.items():
    own = ours[name]
    if "quat" in name and sum(a * b for a, b in zip(values, own)) < 0:
        own = [-x for x in own]
    errors.append((max(abs(a - b) / max(1, abs(a)) for a, b in zip(values, own, strict=True)), name))
errors.sort(reverse=True)
print(f"{len(errors)} sensors, largest error {errors[0][0]:.1e} ({errors[0][1]})")
if not errors[0][0] <= most:
    sys.exit("\n".join(f"{error:.1e} {name}" for error, name in errors[:10]))
