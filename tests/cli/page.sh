#!/usr/bin/env bash
# Decodes the data of scree view and of html exports in Python. Bodies, shapes, geometries, motion, contacts, cells and tables must equal those of
# the scene and of a csv export. Quantised numbers must have the requested precision. Histories, samples and times of the server must be rows of
# the frames.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"
ls /usr/share/javascript/three/three.min.js > /dev/null 2>&1 || skip "libjs-three is not installed"

cat > scene.lua <<'LUA'
return {
  title = 'a "page" <of> all shapes',
  params = { cell = false, far = 0 },
  world = function(p) return { gravity = { 0, 0, -10 }, dt = 1e-3, cell = p.cell and { size = { 40, 50, 60 }, periodic = { true, true, false }, origin = { -1, -2, -3 } } or nil } end,
  setup = function(w, p)
    local f = p.far
    w:material { name = "other", density = 500 }
    w:halfspace { normal = { 0, 0, 1 }, position = { f, 0, 0 } }
    for i = 1, 3 do
      w:sphere { radius = 0.1 * i, position = { f + 2 * i, 0, 0.1 * i }, velocity = { 0.1 * i, 0.2, 0 }, spin = { 1, i, -1 }, group = i - 2, mass = i, material = "other" }
    end
    w:box { size = { 0.2, 0.3, 0.4 }, position = { f, 1, 5 }, orientation = { 0.8, 0.4, 0.4, 0.2 }, kind = "kinematic", spin = { 0, 0, 1 }, group = 7000000000 }
    w:capsule { radius = 0.1, length = 0.3, position = { f, 2, 5 }, mass = 1 }
    w:body { shapes = { { type = "sphere", radius = 0.08, position = { 0.03, 0, 0 } }, { type = "sphere", radius = 0.07, position = { -0.03, 0, 0 } } }, position = { f, 3, 5 } }
    w:mesh { points = { { 0, 4, -1 }, { 1, 4, -1 }, { 0, 5, -1 } }, triangles = { { 1, 2, 3 } }, position = { f, 0, 0 } }
    w:hull { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, position = { f + 2, 3, 5 }, mass = 1 }
    w:hull { points = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, position = { f + 5, 3, 5 }, mass = 1 }
    w:superellipsoid { size = { 0.2, 0.4, 0.6 }, e1 = 0.4, e2 = 0.7, position = { f + 3, 8, 5 }, mass = 1 }
  end,
  before_step = function(w) if w:steps() == 150 then w:sphere { radius = 0.05, position = { 5, 5, 5 } } end end,
  output = { trajectory = { every = 0.01, fields = { "position", "orientation", "velocity", "spin", "contacts" } }, series = { every = 0.05 } },
  stop = { time = 0.25 },
}
LUA
for run in plain "far far=5000" "cell cell=true"; do
  set -- $run
  "$scree" run scene.lua -q -o "$1" "${@:2}" > out 2>&1 || stop "run: $(cat out)"
  printf 'a,b\n1,2\n' > "$1/b.csv"
  touch "$1/x.csv.part" "$1/.hidden.csv" "$1/odd name.csv"
  "$scree" export -q "$1" --format csv -o "csv-$1" && "$scree" export -q "$1" --format html --contacts -o "$1.html" > out 2>&1 || stop "export: $(cat out)"
done
"$scree" export -q plain --format html --frames 1:-2:3 --fields velocity --precision 1e-3 -o some.html || fail "a part of the frames"

cat > judge.py <<'PYTHON'
import base64, csv, http.client, json, math, re, struct, subprocess, sys, zlib
scree = sys.argv[1]
KINDS = {1: ("B", 1), 2: ("I", 4), 3: ("i", 4), 4: ("f", 4), 5: ("d", 8)}


def near(a, b, tolerance, what):
    assert len(a) == len(b), (what, len(a), len(b))
    for x, y in zip(a, b):
        assert x == y or abs(x - y) <= tolerance * max(1, abs(y)) or math.isinf(x) and math.isinf(y), (what, x, y)


def decode(data, memory):
    """Returns head and columns of a frame. memory: quanta of the previous frame."""
    mark, version, time, step, number, roster, x, y, z, bodies, shapes, contacts, columns = struct.unpack_from("<4sIdqqQ3d4I", data)
    found, at = {}, 80
    for _ in range(columns):
        name, kind, components, packed, zero, rows, size, quantum = struct.unpack_from("<16sBBBBIQd", data, at)
        letter, width = KINDS[kind]
        count = rows * components
        assert size == count * width and zero == 0, (name, size, count, width)
        values = list(struct.unpack_from(f"<{count}{letter}", data, at + 40))
        name = name.rstrip(b"\0").decode()
        if packed:
            planes, now = data[at + 40:at + 40 + 4 * count], []
            for i in range(count):
                rest = sum(planes[b * count + i] << 8 * b for b in range(4))
                rest = (rest >> 1) ^ -(rest & 1)
                guess = memory[name][i] if packed == 2 else 0 if i < components else now[i - components]
                now.append(guess + rest)
            memory[name] = now
            values = [v * quantum for v in now]
        assert data[at + 40 + size:at + 40 + (size + 7) // 8 * 8].strip(b"\0") == b""
        found[name] = (components, values, packed, quantum)
        at += 40 + (size + 7) // 8 * 8
    assert at == len(data) and version == 1, (at, len(data))
    return dict(mark=mark, time=time, step=step, number=number, roster=roster, origin=(x, y, z), bodies=bodies, shapes=shapes, contacts=contacts), found


def table(run):
    frames = {}
    for row in csv.DictReader(open(f"csv-{run}/frame.csv")):
        frames.setdefault(int(row["frame"]), []).append(row)
    return [frames[k] for k in sorted(frames)]


def pick(rows, *names):
    return [float(row[name]) for row in rows for name in names]


MOTION = {"position": ("x", "y", "z"), "turn": ("qw", "qx", "qy", "qz"), "velocity": ("vx", "vy", "vz"), "spin": ("wx", "wy", "wz")}


def check_roster(rows, c, far, types):
    n = len(rows)
    assert [a + (b << 32) for a, b in zip(c["id"][1][::2], c["id"][1][1::2])] == [int(row["id"]) for row in rows]
    assert c["group"][1] == pick(rows, "group") and c["kind"][1] == [int(row["kind"]) for row in rows]
    near(c["radius"][1], pick(rows, "radius"), 1e-6, "radius")
    near(c["mass"][1], pick(rows, "mass"), 1e-6, "mass")
    # half-space, three balls, box, capsule, two balls of a body, mesh, hulls, superellipsoid, and later a ball
    assert c["ball"][1] == [0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0] + [1] * (n - 11), c["ball"]
    bodies = [0, 4, 5, 6, 6, 7, 8, 9, 10]
    kinds = ["halfspace", "box", "capsule", "sphere", "sphere", "mesh", "hull", "hull", "superellipsoid"]
    assert c["shape.body"][1] == bodies and [types[t] for t in c["shape.type"][1]] == kinds, (c["shape.body"], c["shape.type"])
    assert c["shape.geometry"][1] == [-1, -1, -1, -1, -1, 0, 1, 1, 2], c["shape.geometry"]
    near(c["shape.radius"][1][2:5], [0.1, 0.08, 0.07], 1e-6, "shape.radius")
    near(c["shape.length"][1][2:3], [0.3], 1e-6, "shape.length")
    near(c["shape.size"][1][3:6], [0.2, 0.3, 0.4], 1e-6, "shape.size")
    near(c["shape.size"][1][24:27], [0.2, 0.4, 0.6], 1e-6, "shape.size")
    near(c["shape.normal"][1][0:3], [0, 0, 1], 0, "shape.normal")
    # the two balls of a body are 0.06 m apart, with their centre of mass between
    a, b = c["shape.position"][1][9:12], c["shape.position"][1][12:15]
    near([a[0] - b[0], a[1], a[2], b[1], b[2]], [0.06, 0, 0, 0, 0], 1e-6, "shape.position")
    assert a[0] > 0 > b[0]
    assert c["shape.turn"][1] == [1, 0, 0, 0] * 6 + c["shape.turn"][1][24:32] + [1, 0, 0, 0], c["shape.turn"]


def check_contacts(rows, h, c, origin):
    """Checks that the forces of the half-space carry the weights of the bodies on it."""
    assert c["contact.bodies"][0] == 2 and len(c["contact.gap"][1]) == h["contacts"] == 3, h
    for k in range(3):
        one, two = c["contact.bodies"][1][2 * k:2 * k + 2]
        force = c["contact.force"][1][3 * k + 2]
        ball = max(one, two)
        assert min(one, two) == 0 and 1 <= ball <= 3
        assert abs(abs(force) / (10 * float(rows[ball]["mass"])) - 1) < 1e-3 and (force > 0) == (one == ball), (ball, force)
        point = [a + b for a, b in zip(c["contact.point"][1][3 * k:3 * k + 3], origin)]
        assert abs(point[0] - float(rows[ball]["x"])) < 2e-3 and abs(point[2]) < 1e-3, point
        assert abs(c["contact.gap"][1][k]) < 1e-3


def check_page(file, run, chosen, fields, precision, contacts):
    text = open(file).read()
    data = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)[1])
    frames, memory, about, last, roster = table(run), {}, data["about"], None, None
    assert data["fresh_every"] == 16 and len(data["frames"]) == len(chosen) == len(data["times"])
    size = subprocess.run([scree, "info", run, "--json"], capture_output=True, text=True)
    told = json.loads(size.stdout)
    assert about["name"] == run and about["frames"] == told["frames"] == len(frames) and about["complete"] and about["bytes"] == told["bytes"] and about["lost_bytes"] == 0
    assert about["most_bodies"] == told["most_bodies"] == 12 and about["fields"] == 31 and not about["can_stop"] and about["tables"] == ["b.csv", "series.csv"], about
    assert json.loads(about["meta"])["title"] == 'a "page" <of> all shapes' and "scree " + about["scree"] == subprocess.run([scree, "--version"], capture_output=True, text=True).stdout.strip()
    series = open(run + "/series.csv").readline().strip().split(",")
    assert about["report"] == series[:len(about["report"])] and len(about["units"]) == len(about["report"]) and about["units"][0] == "s", about
    assert {name: zlib.decompress(base64.b64decode(packed)).decode() for name, packed in data["tables"].items()} == {
        name: open(f"{run}/{name}").read() for name in ("b.csv", "series.csv")}
    speeds = {"velocity": 0, "spin": 0}
    radii = [float(row["radius"]) for k in chosen for row in frames[k] if row["kind"] == "0"]
    for k in chosen:
        for row in frames[k]:
            for name in speeds:
                if row["kind"] == "0":
                    speeds[name] = max(speeds[name], *(abs(float(row[c])) for c in MOTION[name]))
    precision = precision or sum(radii) / len(radii) / 50
    quanta = {"position": 2 * precision, "turn": min(max(precision / max(radii), 1e-5), 0.02), "velocity": speeds["velocity"] / 500, "spin": speeds["spin"] / 500}
    for k, (number, packed) in enumerate(zip(chosen, data["frames"])):
        h, c = decode(zlib.decompress(base64.b64decode(packed)), memory)
        rows = frames[number]
        assert (h["mark"], h["number"], h["bodies"], h["shapes"]) == (b"SCVF", k, len(rows), len(rows) + 1), h
        assert abs(h["time"] - float(rows[0]["time"])) < 1e-12 and h["step"] == int(rows[0]["step"]) and abs(data["times"][k] - h["time"]) < 1e-9
        far = 5000 if run == "far" else 0
        ends = pick(frames[chosen[0]], "x")
        near(h["origin"], [(min(ends) + max(ends)) / 2 if far else 0, 0, 0], 1e-12, "origin")
        fresh = k % 16 == 0
        assert ("id" in c) == (fresh or h["roster"] != roster), (k, sorted(c))
        if "id" in c: check_roster(rows, c, far, about["shapes"])
        for name, columns in MOTION.items():
            assert (name in c) == (name in fields), (name, sorted(c))
            if name not in fields: continue
            components, values, how, quantum = c[name]
            assert how == (1 if fresh or len(rows) != last else 2) and abs(quantum / quanta[name] - 1) < 1e-9, (name, k, how, quantum, quanta[name])
            shift = [h["origin"][i % 3] if name == "position" else 0 for i in range(components * len(rows))]
            expected = [v - s for v, s in zip(pick(rows, *columns), shift)]
            assert all(abs(a - b) <= 0.5001 * quantum for a, b in zip(values, expected)), (name, k)
            assert len(values) == len(expected)
        assert ("contact.bodies" in c) == (contacts and number > 0) and h["contacts"] == (3 if contacts and number > 0 else 0), (number, sorted(c))
        if contacts and number > 0: check_contacts(rows, h, c, h["origin"])
        assert ("cell.matrix" in c) == (run == "cell")
        if run == "cell":
            assert c["cell.matrix"][1] == [40, 0, 0, 0, 50, 0, 0, 0, 60] and c["cell.origin"][1] == [-1, -2, -3] and c["cell.periodic"][1] == [1, 1, 0]
            assert c["cell.gradient"][1] == [0] * 9
        assert "shape.now" not in c
        last, roster = len(rows), h["roster"]
    geometries = [decode(zlib.decompress(base64.b64decode(packed)), {})[1] for packed in data["geometries"]]
    assert [len(g["triangles"][1]) // 3 for g in geometries][:2] == [1, 4] and len(geometries) == 3, geometries
    assert geometries[0]["points"][1] == [0, 4, -1, 1, 4, -1, 0, 5, -1] or run != "plain", geometries[0]
    # the hull has the edges of its four points; the superellipsoid reaches half its size along each axis
    points = geometries[1]["points"][1]
    lengths = sorted(math.dist(points[3 * i:3 * i + 3], points[3 * j:3 * j + 3]) for i in range(4) for j in range(i))
    near(lengths, [1, 1, 1] + [math.sqrt(2)] * 3, 1e-6, "hull")
    points = geometries[2]["points"][1]
    near([max(points[k::3]) for k in range(3)], [0.1, 0.2, 0.3], 0.02, "superellipsoid")
    return data


check_page("plain.html", "plain", range(26), ("position", "turn", "velocity", "spin"), 0, True)
check_page("far.html", "far", range(26), ("position", "turn", "velocity", "spin"), 0, True)
check_page("cell.html", "cell", range(26), ("position", "turn", "velocity", "spin"), 0, True)
check_page("some.html", "plain", range(1, 25, 3), ("position", "velocity"), 1e-3, False)

# ---- the server ----
for run in ("plain", "far", "cell"):
    server = subprocess.Popen([scree, "view", run, "--no-open"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    line = server.stdout.readline()
    if not line and "no HTTP server" in server.stderr.read():
        break
    address = re.fullmatch(r"http://127\.0\.0\.1:(\d+)(/[0-9a-f]{32})\n", line)
    link = http.client.HTTPConnection("127.0.0.1", int(address[1]), timeout=120)

    def ask(path):
        link.request("GET", address[2] + "/" + path)
        answer = link.getresponse()
        assert answer.status == 200, (path, answer.status)
        return answer.read()

    frames = table(run)
    for fields, names in ((1, ()), (3, ("turn",)), (5, ("velocity",)), (9, ("spin",)), (15, ("turn", "velocity", "spin")), (17, ())):
        for number in (0, 16, 25):
            h, c = decode(ask(f"frame?number={number}&fields={fields}"), {})
            rows = frames[number]
            check_roster(rows, c, 0, json.loads(ask("about"))["shapes"])
            for name, columns in MOTION.items():
                assert (name in c) == (name == "position" or name in names), (name, fields)
                if name in c:
                    shift = [h["origin"][i % 3] if name == "position" else 0 for i in range(len(c[name][1]))]
                    near([a + b for a, b in zip(c[name][1], shift)], pick(rows, *columns), 1e-6, name)
            assert ("shape.now" in c) == (not fields & 2)
            if not fields & 2:
                near(c["shape.now"][1], pick([rows[i] for i in c["shape.body"][1]], *MOTION["turn"]), 1e-6, "shape.now")
            if fields & 16 and number: check_contacts(rows, h, c, h["origin"])
            assert (h["contacts"] > 0) == (fields == 17 and number > 0)
            again = decode(ask(f"frame?number={number}&fields={fields}&roster={h['roster']:x}"), {})[1]
            assert "id" not in again and again["position"] == c["position"]
    times = ask("times?from=3")
    near(struct.unpack(f"<{len(times) // 8}d", times), [float(rows[0]["time"]) for rows in frames[3:]], 1e-12, "times")
    assert len(ask("times")) == 8 * 26
    for body in (2, 12):
        for start, count, step in ((0, 26, 1), (1, 4, 3), (20, 100, 2)):
            data = ask(f"history?body={body:x}&from={start}&count={count}&step={step}")
            found = [struct.unpack_from("<12d", data, at) for at in range(0, len(data), 96)]
            numbers = list(range(start, 26, step))[:count]
            assert [int(row[0]) for row in found] == numbers, (found, numbers)
            for row, number in zip(found, numbers):
                own = [r for r in frames[number] if int(r["id"]) == body]
                assert abs(row[1] - float(frames[number][0]["time"])) < 1e-12
                if own: near(row[2:], pick(own, "x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz") + [1], 1e-12, "history")
                else: assert all(math.isnan(v) for v in row[2:11]) and row[11] == 0, row
    for most in (1, 4, 5, 11, 12, 100):
        for number in (20, 25):
            h, c = decode(ask(f"sample?number={number}&fields=15&most={most}"), {})
            key = h["number"]
            assert key == 25 if number == 25 else key <= 20
            stride = max(1, -(-len(frames[key]) // most))
            rows = frames[key][::stride]
            assert h["bodies"] == len(rows) <= most and c["group"][1] == pick(rows, "group") and c["kind"][1] == [int(r["kind"]) for r in rows]
            near(c["mass"][1], pick(rows, "mass"), 1e-6, "mass of a sample")
            for name, columns in MOTION.items():
                shift = [h["origin"][i % 3] if name == "position" else 0 for i in range(len(c[name][1]))]
                near([a + b for a, b in zip(c[name][1], shift)], pick(rows, *columns), 1e-6, name + " of a sample")
    for number, triangles in enumerate((1, 4)):
        h, c = decode(ask(f"geometry?number={number}"), {})
        assert h["mark"] == b"SCVG" and len(c["triangles"][1]) == 3 * triangles
    server.send_signal(2)
    assert server.wait(120) == 0
PYTHON
python3 judge.py "$scree" || fail "the data of the page"
exit $failed
