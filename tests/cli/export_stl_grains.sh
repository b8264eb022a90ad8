#!/bin/bash
# STL files with --grains: at most 3 kB per round grain of any shape in large beds. Surfaces are closed and have the right volumes. Memory does
# not grow with the files.
. "$(dirname "$0")/../support/cli.sh"

cat >bed.lua <<'LUA'
return {
  params = { n = 1200, shape = "sphere", steps = 1 },
  world = { gravity = { 0, 0, 0 }, dt = 1e-3 },
  setup = function(w, p)
    w:cylinder { radius = 5, length = 0.1, position = { 0, 0, -9 }, kind = "fixed" }
    for i = 0, p.n - 1 do
      local at = { i % 20, i // 20 % 20, i // 400 }
      if p.shape == "capsule" then w:capsule { radius = 0.2, length = 0.3, position = at }
      elseif p.shape == "cylinder" then w:cylinder { radius = 0.2, length = 0.3, position = at }
      elseif p.shape == "ellipsoid" then w:ellipsoid { size = { 0.4, 0.6, 0.5 }, position = at }
      elseif p.shape == "box" then w:box { size = { 0.4, 0.3, 0.2 }, position = at }
      elseif p.shape == "clump" then
        w:body { shapes = { { type = "sphere", radius = 0.2, position = { -0.3, 0, 0 } }, { type = "sphere", radius = 0.1, position = { 0.1, 0, 0 } } },
          position = at }
      else w:sphere { radius = 0.2, position = at, velocity = { 0, 0, 1 } } end
    end
  end,
  output = { trajectory = { every = 1e-3 } },
  stop = { steps = function(p) return p.steps end },
}
LUA
cat >check.py <<'PY'
import collections, math, struct, sys
path, grains, least, most, shape = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
data = open(path, "rb").read()
count = struct.unpack_from("<I", data, 80)[0]
assert len(data) == 84 + 50 * count, (len(data), count)
edges, volume = collections.Counter(), 0
for i in range(count):
    t = struct.unpack_from("<12fH", data, 84 + 50 * i)
    n, A, B, C = t[:3], t[3:6], t[6:9], t[9:12]
    u, v = [b - a for a, b in zip(A, B)], [c - a for a, c in zip(A, C)]
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    assert sum(p * q for p, q in zip(n, cross)) > 0.99 * math.dist(cross, (0, 0, 0))  # the normal agrees with the order of the corners
    for p, q in ((A, B), (B, C), (C, A)): edges[tuple(x + 0.0 for x in p), tuple(x + 0.0 for x in q)] += 1
    volume += (A[0] * (B[1] * C[2] - B[2] * C[1]) + A[1] * (B[2] * C[0] - B[0] * C[2]) + A[2] * (B[0] * C[1] - B[1] * C[0])) / 6
assert all(n == 1 and edges.get((q, p)) == 1 for (p, q), n in edges.items()), "not closed"
ball, rod = 4 / 3 * math.pi * 0.2 ** 3, math.pi * 0.04 * 0.3
exact = {"capsule": ball + rod, "cylinder": rod, "ellipsoid": math.pi / 6 * 0.4 * 0.6 * 0.5, "box": 0.4 * 0.3 * 0.2, "clump": ball * 9 / 8}
ratio = volume / grains / exact.get(shape, ball)
per = (len(data) - 84) / grains
print(f"{shape}: {per:.0f} bytes per grain, {ratio:.4f} of its volume")
assert least < ratio < 1.0001 and per <= most
PY
for shape in sphere capsule cylinder ellipsoid box; do
  "$scree" run -q -o $shape bed.lua shape=$shape >out 2>&1 || stop "$shape: $(cat out)"
  "$scree" export -q $shape -f stl --grains --frames -1 -o $shape >out 2>&1 || fail "$shape: $(cat out)"
  least=0.75
  [ $shape = sphere ] && least=0.81
  [ $shape = box ] && least=0.9999
  python3 check.py $shape/frame_grains_000000.stl 1200 $least 3000 $shape || fail "$shape"
  cmp -s $shape/frame_000000.stl sphere/frame_000000.stl || fail "the walls depend on the grains"
done
"$scree" run -q -o clump bed.lua shape=clump >out 2>&1 || fail "$(cat out)"
"$scree" export -q clump -f stl --grains --frames -1 -o clump && python3 check.py clump/frame_grains_000000.stl 1200 0.81 6000 clump || fail "clump"

# frames with few grains have more triangles per grain; --detail sets the number of sides
"$scree" run -q -o few bed.lua n=50 >out 2>&1 || fail "$(cat out)"
"$scree" export -q few -f stl --grains --frames -1 -o few && python3 check.py few/frame_grains_000000.stl 50 0.985 120000 sphere || fail "50 balls"
"$scree" export -q few -f stl --grains --frames -1 --detail 16 -o few && python3 check.py few/frame_grains_000000.stl 50 0.96 16000 sphere || fail "16 sides"
"$scree" export -q few -f stl --grains --frames -1 --detail 8 -o few && python3 check.py few/frame_grains_000000.stl 50 0.81 3000 sphere || fail "8 sides"
# without the option there are no grains, and other formats refuse it
"$scree" export -q few -f stl --frames -1 -o walls && [ ! -e walls/frame_grains_000000.stl ] || fail "grains without --grains"
"$scree" export -q few -f ply --grains -o x >out 2>&1 && fail "ply takes grains"
has out "grains is for stl, not for ply"

# sanitizers keep freed memory for a while
grep -q '^SCREE_SANITIZE:.*=.' "$3/CMakeCache.txt" && { [ $failed = 0 ] && skip "the rest: a build for tests"; exit 1; }
# each frame has a file. Memory for ten times the grains grows by less than a third of the growth of the file. Ten times the frames need no more memory
cat >peak.py <<'PY'
import os, resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
PY
"$scree" run -q -o large bed.lua n=12000 steps=9 >out 2>&1 || fail "$(cat out)"
small=$(python3 peak.py "$scree" export -q sphere -f stl --grains --frames -1 -o sphere)
large=$(python3 peak.py "$scree" export -q large -f stl --grains --frames -1 -o large)
frames=$(python3 peak.py "$scree" export -q large -f stl --grains -o many)
[ "$(ls many/frame_grains_*.stl | wc -l)" = 10 ] || fail "$(ls many)"
more=$(($(stat -c %s large/frame_grains_000000.stl) - $(stat -c %s sphere/frame_grains_000000.stl)))
echo "memory [bytes]: 1200 grains $small, 12000 grains $large, ten frames $frames; files differ by $more"
[ $((3 * (large - small))) -lt $more ] || fail "memory grows with the file"
[ $((frames - large)) -lt $((more / 10)) ] || fail "memory grows with the frames"
exit $failed
