#!/bin/bash
# PLY files of large beds: at most 3 kB per round grain of any shape, closed surfaces, walls at full resolution; the key --detail.
. "$(dirname "$0")/../support/cli.sh"

cat >bed.lua <<'LUA'
return {
  params = { n = 1200, shape = "capsule" },
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = function(w, p)
    w:cylinder { radius = 5, length = 0.1, position = { 0, 0, -9 }, kind = "fixed" }
    for i = 0, p.n - 1 do
      local at = { i % 20, i // 20 % 20, i // 400 }
      if p.shape == "capsule" then w:capsule { radius = 0.2, length = 0.3, position = at }
      elseif p.shape == "cylinder" then w:cylinder { radius = 0.2, length = 0.3, position = at }
      elseif p.shape == "cone" then w:cone { radius = 0.2, length = 0.3, position = at }
      elseif p.shape == "ellipsoid" then w:ellipsoid { size = { 0.4, 0.6, 0.5 }, position = at }
      elseif p.shape == "superellipsoid" then w:superellipsoid { size = { 0.4, 0.6, 0.5 }, e1 = 0.5, e2 = 0.5, position = at }
      else w:sphere { radius = 0.2, position = at } end
    end
  end,
  output = { trajectory = { every = 1 } },
  stop = { steps = 1 },
}
LUA
cat >check.py <<'PY'
import collections, math, struct, sys
path, grains, sides, shape = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
data = open(path, "rb").read()
end = data.index(b"end_header\n") + 11
count = {l.split()[1]: int(l.split()[2]) for l in data[:end].decode().split("\n") if l.startswith("element")}
assert f"other round grains with {sides} sides" in data[:end].decode(), data[:end]
vertex = [struct.unpack_from("<3f", data, end + 12 * i) for i in range(count["vertex"])]
edges, volume, faces = collections.defaultdict(int), collections.defaultdict(float), collections.Counter()
for i in range(count["face"]):
    three, a, b, c, body = struct.unpack_from("<B3iI", data, end + 12 * count["vertex"] + 22 * i)
    faces[body] += 1
    for p, q in ((a, b), (b, c), (c, a)): edges[p, q] += 1
    A, B, C = vertex[a], vertex[b], vertex[c]
    volume[body] += (A[0] * (B[1] * C[2] - B[2] * C[1]) + A[1] * (B[2] * C[0] - B[0] * C[2]) + A[2] * (B[0] * C[1] - B[1] * C[0])) / 6
assert all(n == 1 and edges.get((q, p)) == 1 for (p, q), n in edges.items())  # closed, all triangles face out
ball, rod = 4 / 3 * math.pi * 0.2 ** 3, math.pi * 0.04 * 0.3
exact = {"capsule": ball + rod, "cylinder": rod, "cone": rod / 3, "ellipsoid": math.pi / 6 * 0.4 * 0.6 * 0.5, "sphere": ball}.get(shape)
wall = volume.pop(0)
assert abs(wall / (math.pi * 25 * 0.1) - 1) < 0.004 and faces[0] == 4 * 48, (wall, faces[0])  # 48 sides
per = (len(data) - 512) / grains
print(shape, sides, round(per), min(volume.values()) / exact if exact else "")
assert len(volume) == grains and per <= (3000 if sides == 8 else 10000 if sides == 16 else 70000), per
if exact: assert all({8: 0.75, 16: 0.93, 48: 0.985}[sides] < v / exact < 1.001 for v in volume.values()), min(volume.values()) / exact
PY
for shape in capsule cylinder cone ellipsoid superellipsoid sphere; do
  "$scree" run -q -o $shape bed.lua shape=$shape >out 2>&1 || fail "$shape: $(cat out)"
  "$scree" export -q $shape -f ply --frames -1 -o $shape >out 2>&1 || fail "$shape: $(cat out)"
  python3 check.py $shape/frame_000000.ply 1200 8 $shape || fail "$shape"
done
"$scree" run -q -o some bed.lua n=200 >out 2>&1 || fail "$(cat out)"
"$scree" export -q some -f ply --frames -1 -o some && python3 check.py some/frame_000000.ply 200 16 capsule || fail "200 grains"
"$scree" run -q -o few bed.lua n=50 >out 2>&1 || fail "$(cat out)"
"$scree" export -q few -f ply --frames -1 -o few && python3 check.py few/frame_000000.ply 50 48 capsule || fail "50 grains"
"$scree" export -q few -f ply --frames -1 --detail 8 -o few && python3 check.py few/frame_000000.ply 50 8 capsule || fail "detail 8"
for detail in 7 50 -8 10; do
  "$scree" export -q few -f ply --detail $detail -o x >out 2>&1
  [ $? = 2 ] || [ $? = 3 ] || fail "detail $detail is taken: $(cat out)"
  has out "detail must be a multiple of 4 from 8 to 48"
done
"$scree" export -q few -f csv --detail 8 -o x >out 2>&1 && fail "detail of csv is taken"
has out "csv has no triangles"
exit $failed
