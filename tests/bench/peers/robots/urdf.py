"""Prints one line of JSON for each URDF file of a list: [file, numbers] in the pose in which all joints are at 0, by Python's own XML parser.
Masses, frames and limits follow from the elements alone; the links that hang on no joint are fixed.

numbers: mass, centre and inertia about the origin {xx, xy, xz, yy, yz, zz} of the links that move, and of all links; number of moving bodies
(links welded to each other are one body), of links and of degrees of freedom; limits, efforts and speeds of joints, number of mimics.
A file that is no URDF has { error }."""
import json
import math
import sys
import xml.etree.ElementTree as ET

FREEDOM = {"revolute": 1, "continuous": 1, "prismatic": 1, "fixed": 0, "floating": 6, "planar": 3, "spherical": 3}
IDENTITY = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def floats(text, default):
    return [float(word) for word in text.split()] if text is not None else list(default)


def product(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def transposed(a):
    return [list(row) for row in zip(*a)]


def applied(a, v):
    return [sum(a[i][k] * v[k] for k in range(3)) for i in range(3)]


def rotation(r, p, y):
    cr, sr, cp, sp, cy, sy = math.cos(r), math.sin(r), math.cos(p), math.sin(p), math.cos(y), math.sin(y)
    return product([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]],
                   product([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]], [[1, 0, 0], [0, cr, -sr], [0, sr, cr]]))


def origin(node):
    o = node.find("origin")
    if o is None:
        return IDENTITY, [0.0, 0.0, 0.0]
    return rotation(*floats(o.get("rpy"), (0, 0, 0))), floats(o.get("xyz"), (0, 0, 0))


def placed(frame, inner):
    (a, p), (b, q) = frame, inner
    return product(a, b), [x + y for x, y in zip(p, applied(a, q))]


def inertial(link):
    """Returns mass, frame and tensor of a link, or None if it states no mass."""
    node = link.find("inertial")
    mass = float(node.find("mass").get("value")) if node is not None else 0
    if not mass:
        return None
    xx, xy, xz, yy, yz, zz = (float(node.find("inertia").get(key, 0)) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    return mass, origin(node), [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]


def total(masses, prefix):
    """Returns mass, centre and inertia about the origin of a list of (mass, frame, tensor)."""
    mass = sum(m for m, _, _ in masses)
    centre, t = [0.0] * 3, [[0.0] * 3 for _ in range(3)]
    for m, (turn, p), tensor in masses:
        placed_tensor = product(product(turn, tensor), transposed(turn))
        for i in range(3):
            centre[i] += m * p[i] / mass
            for j in range(3):
                t[i][j] += placed_tensor[i][j] + m * ((i == j) * sum(x * x for x in p) - p[i] * p[j])
    return {prefix + "mass": mass, prefix + "centre": centre,
            prefix + "inertia": [t[0][0], t[0][1], t[0][2], t[1][1], t[1][2], t[2][2]]}


def measure_masses(links, joints):
    """Returns masses of the links that move and of all links, and the number of moving bodies, in the pose with all joints at 0."""
    below = {name: [] for name in links}
    for joint in joints:
        below[joint.find("parent").get("link")].append(joint)
    roots = set(links) - {joint.find("child").get("link") for joint in joints}
    moving, fixed, bodies = [], [], 0
    waiting = [(name, (IDENTITY, [0.0, 0.0, 0.0]), False) for name in roots]
    while waiting:
        name, frame, moves = waiting.pop()
        own = inertial(links[name])
        if own:
            (moving if moves else fixed).append((own[0], placed(frame, own[1]), own[2]))
        for joint in below[name]:
            is_weld = joint.get("type") == "fixed"
            bodies += not is_weld
            waiting.append((joint.find("child").get("link"), placed(frame, origin(joint)), moves or not is_weld))
    return {**total(moving, ""), **total(moving + fixed, "all_"), "bodies": bodies, "links": len(links)}


def measure_joints(joints):
    limits, efforts, speeds = [], [], []
    for joint in joints:
        limit, kind = joint.find("limit"), joint.get("type")
        if limit is None:
            continue
        efforts += [float(limit.get("effort"))] if limit.get("effort") else []
        speeds += [float(limit.get("velocity"))] if limit.get("velocity") else []
        pair = [float(limit.get("lower", 0)), float(limit.get("upper", 0))]
        if kind in ("revolute", "prismatic") and pair[0] <= pair[1]:
            limits.append(pair)
    return {"dof": sum(FREEDOM[joint.get("type")] for joint in joints), "limits": limits, "efforts": efforts, "speeds": speeds,
            "mimics": sum(joint.find("mimic") is not None for joint in joints)}


def read(file):
    root = ET.fromstring(open(file, encoding="utf-8", errors="replace").read().strip())
    if root.tag != "robot":
        raise ValueError("the root element is " + root.tag)
    links = {link.get("name"): link for link in root.findall("link")}
    if not links:
        raise ValueError("it has no links")
    joints = root.findall("joint")
    return {**measure_masses(links, joints), **measure_joints(joints)}


for line in open(sys.argv[1]):
    file = line.rstrip("\n")
    try:
        result = read(file)
    except Exception as e:
        result = {"error": f"{type(e).__name__}: {e}"[:200]}
    print(json.dumps([file, result]))
