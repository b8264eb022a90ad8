"""Prints one line of JSON for each URDF file of a list: [file, numbers] in the pose in which all joints are at 0, by Python's own XML parser.
Masses, frames and limits follow from the elements alone; the links that hang on no joint are fixed.

numbers: mass, centre and inertia about the origin {xx, xy, xz, yy, yz, zz} of the links that move, and of all links; number of moving bodies
(links welded to each other are one body), of links and of degrees of freedom; limits, efforts and speeds of joints, number of mimics.
`fault` is what forbids to simulate the model as it is written, or null. A file that is no URDF has { error }."""
import json
import math
import os
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


def follows(joint, joints):
    """Returns whether a joint that moves follows a joint that exists and moves."""
    mimic = joint.find("mimic")
    moving = {other.get("name") for other in joints if other.get("type") != "fixed"}
    return mimic is not None and joint.get("name") in moving and mimic.get("joint") in moving


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
            "mimics": sum(follows(joint, joints) for joint in joints)}


def is_impossible(tensor):
    """Returns whether no body has an inertia: then tr/2 - I, the second moments of its mass, has a negative eigenvalue."""
    half = sum(tensor[i][i] for i in range(3)) / 2
    a = [[(half if i == j else 0) - tensor[i][j] for j in range(3)] for i in range(3)]
    slack = 1e-6 * abs(half)
    for i in range(3):
        a[i][i] += slack
    minor = a[0][0] * a[1][1] - a[0][1] ** 2
    minors = [minor, a[0][0] * a[2][2] - a[0][2] ** 2, a[1][1] * a[2][2] - a[1][2] ** 2]
    whole = (a[0][0] * minors[2] - a[0][1] * (a[0][1] * a[2][2] - a[1][2] * a[0][2]) + a[0][2] * (a[0][1] * a[1][2] - a[1][1] * a[0][2]))
    return min(a[0][0], a[1][1], a[2][2]) < 0 or min(minors) < 0 or whole < 0


def has_mesh(file, mesh):
    """Returns whether the file of a mesh exists: of a package, in a folder above the model."""
    name, folder = mesh.get("filename"), os.path.dirname(file)
    if "://" not in name:
        return os.path.exists(os.path.join(folder, name))
    inner = name.split("://")[1].lstrip("/")
    while True:
        if any(os.path.exists(os.path.join(folder, path)) for path in (inner, inner.partition("/")[2])):
            return True
        if folder in ("", "/"):
            return False
        folder = os.path.dirname(folder)


def find_fault(file, links, joints):
    for name, link in links.items():
        own = inertial(link)
        if own and is_impossible(own[2]):
            return "impossible moments of inertia"
        for mesh in link.iterfind("collision/geometry/mesh"):
            if len(floats(mesh.get("scale"), (1, 1, 1))) != 3:
                return "malformed scale"
            if not has_mesh(file, mesh):
                return "missing mesh"
    below = {name: [] for name in links}
    for joint in joints:
        below[joint.find("parent").get("link")].append((joint.get("type"), joint.find("child").get("link")))

    def welded(name):
        return [name] + [x for kind, child in below[name] if kind == "fixed" for x in welded(child)]

    for joint in joints:
        group = welded(joint.find("child").get("link"))
        masses = [own for own in (inertial(links[name]) for name in group) if own]
        leaf = not any(kind != "fixed" for name in group for kind, _ in below[name])
        has_shapes = any(links[name].find("collision") is not None for name in group)
        if joint.get("type") != "fixed" and not masses and (leaf or has_shapes):
            return "moves without a mass"
        if joint.get("type") != "fixed" and leaf and masses and not any(x for own in masses for row in own[2] for x in row):
            return "moves without a moment of inertia"
    return None


def read(file):
    root = ET.fromstring(open(file, encoding="utf-8", errors="replace").read().strip())
    if root.tag != "robot":
        raise ValueError("the root element is " + root.tag)
    links = {link.get("name"): link for link in root.findall("link")}
    if not links:
        raise ValueError("it has no links")
    joints = root.findall("joint")
    return {**measure_masses(links, joints), **measure_joints(joints), "fault": find_fault(file, links, joints)}


for line in open(sys.argv[1]):
    file = line.rstrip("\n")
    try:
        result = read(file)
    except Exception as e:
        result = {"error": f"{type(e).__name__}: {e}"[:200]}
    print(json.dumps([file, result]))
