"""Prints how many models of MuJoCo scree builds, how many agree to 1e-6, and what differs in the others."""
import json
import sys

mujoco, scree = ({file: r for file, r in map(json.loads, open(name))} for name in sys.argv[1:3])


def near(a, b):
    return abs(a - b) <= 1e-6 * max(1, abs(b))


def differences(s, m):
    if abs(s["mass"] - m["mass"]) > 1e-6 * m["mass"]:
        yield f"mass {s['mass']:.6g} {m['mass']:.6g}"
    if not all(map(near, s["centre"], m["centre"])):
        yield "centre"
    for key in "bodies", "dof":
        if s[key] != m[key]:
            yield f"{key} {s[key]} {m[key]}"
    a, b = sorted(s["limits"]), sorted(m["limits"])
    if len(a) != len(b) or not all(near(x, y) for p, q in zip(a, b) for x, y in zip(p, q)):
        yield "limits"


loaded = {file: r for file, r in mujoco.items() if "error" not in r}
built = [file for file in loaded if "error" not in scree.get(file, {"error": 1})]
agree = 0
for file in loaded:
    if file not in built:
        print(file, scree.get(file, {"error": "not imported"})["error"][:120])
        continue
    wrong = list(differences(scree[file], loaded[file]))
    agree += not wrong
    if wrong:
        print(file, "; ".join(wrong))
print(f"MuJoCo loads {len(loaded)} of {len(mujoco)} models; scree builds {len(built)}, and {agree} agree ({agree / max(1, len(loaded)):.1%})")
