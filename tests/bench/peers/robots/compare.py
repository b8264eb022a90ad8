"""Prints how many models of an independent reader scree builds, how many agree to 1e-6, and what differs in the others.
Usage: compare.py NAME READER SCREE. NAME: of the reader. READER, SCREE: files of lines [file, numbers]; only numbers of both are compared."""
import json
import sys

name = sys.argv[1]
reader, scree = ({file: r for file, r in map(json.loads, open(path))} for path in sys.argv[2:4])


def near(a, b, scale=1.0):
    return abs(a - b) <= 1e-6 * max(scale, abs(b))


def are_near(a, b, scale):
    if isinstance(a, list):
        return len(a) == len(b) and all(are_near(x, y, scale) for x, y in zip(a, b))
    return near(a, b, scale)


def differences(s, m):
    for key in m:
        if key not in s:
            continue
        a, b = s[key], m[key]
        is_set = key in ("limits", "efforts", "speeds")
        # masses and moments count relative to the largest, because they may be small
        scale = max(map(abs, b)) if key.endswith("inertia") else b if key.endswith("mass") else 1
        if is_set:
            a, b = sorted(a), sorted(b)
        if not are_near(a, b, scale):
            yield f"{key} {a} {b}"[:150]


loaded = {file: r for file, r in reader.items() if "error" not in r}
built = [file for file in loaded if "error" not in scree.get(file, {"error": 1})]
agree = faults = 0
for file in loaded:
    if file not in built:
        faults += bool(loaded[file].get("fault"))
        fault = f" ({name}: {loaded[file]['fault']})" if loaded[file].get("fault") else ""
        print(file, scree.get(file, {"error": "not imported"})["error"][:200] + fault)
        continue
    wrong = list(differences(scree[file], loaded[file]))
    agree += not wrong
    if wrong:
        print(file, "; ".join(wrong))
print(f"{name} loads {len(loaded)} of {len(reader)} models; scree builds {len(built)} of these, and {agree} agree.")
if faults:
    print(f"{name} finds a fault in {faults} of the {len(loaded) - len(built)} that scree refuses.")
