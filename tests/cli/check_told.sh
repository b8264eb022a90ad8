#!/usr/bin/env bash
# Compares the output of scree check with closed forms, as text and as JSON, for a scene of balls and a wall.
. "$(dirname "$0")/../support/cli.sh"
command -v python3 > /dev/null || skip "python3 is not installed"

cat > balls.lua <<'LUA'
return {
  params = { dusts = 7, materials = 7, overlap = 0.002, touch = 2, move = 1, law = "coulomb" },
  world = { dt = 1 / 1024, gravity = { 0, 0, 0 } },
  setup = function(w, p)
    for i = 1, p.materials do w:material { name = "m" .. i } end
    w:pair { "m2", "m2", law = p.law }
    w:box { name = "wall", kind = "fixed", size = { 1, 1, 0.25 }, position = { 0, 0, -50 }, material = "m1" }
    for i = 1, p.dusts do
      w:sphere { name = i ~= 3 and "dust " .. i or nil, radius = 0.5, position = { 3 * i, 0, 0 }, velocity = { 0, 0, 1024 * i * p.move }, material = "m" .. (i - 1) % p.materials + 1 }
    end
    w:sphere { radius = 0.25, position = { -5, 0, 0 }, material = "m1" }
    w:sphere { name = "rest", radius = 0.5, position = { -5, 0, 0.75 - p.overlap }, material = "m1" }
    for i = 2, p.touch do w:sphere { radius = 0.5, position = { -5, 0, 0.75 - p.overlap + (1 - p.overlap) * (i - 1) }, material = "m1" } end
  end,
  output = { trajectory = false },
  stop = { steps = 512 },
}
LUA
for precision in 'precision = 1e-3' 'precision = "1e-3 d"' ''; do
  for frames in 'every = 0.125' 'steps = 200' 'every = 0.3'; do
    name="$(echo "$precision$frames" | tr -dc 'a-z0-9')"
    sed "s/trajectory = false/trajectory = { $precision ${precision:+,} $frames }/" balls.lua > "$name.lua"
  done
done

cat > judge.py <<'PYTHON'
import glob, json, math, subprocess, sys
scree = sys.argv[1]


def call(*words, code=0):
    done = subprocess.run([scree, *words], capture_output=True, text=True)
    assert done.returncode == code, (words, done)
    return done.stdout


def near(a, b, what):
    assert (a is None) == (b is None) and (a is None or abs(a - b) <= 1e-9 * abs(b)), (what, a, b)


def check(dusts=7, materials=7, overlap=0.002, touch=2, move=1, law="coulomb", scene="balls.lua", frames=0, bytes=104, steps=512, tried=0):
    dt, end, movers = 1 / 1024, steps / 1024, dusts + 1 + touch
    words = [f"dusts={dusts}", f"materials={materials}", f"overlap={overlap}", f"touch={touch}", f"move={move}", f"law={law}"]
    more = ["--steps", str(tried)] if tried else []
    told, text = json.loads(call("check", "--json", scene, *words, *more)), call("check", scene, *words, *more)
    speed, narrow = 1024.0 * dusts * move, 0.25
    reach = speed
    fast = sum(1 for i in range(1, dusts + 1) if i * move > narrow + 0.25)
    expected = {"fine": True, "bodies": movers + 1, "grains": movers, "overlaps": touch if overlap > 0 else 0, "frames": frames, "homeless_gears": 0, "too_fast": fast,
                "thinnest_wall": 0.25 if fast else None, "fastest_way": dusts * move if fast else None, "dt": dt, "end": end,
                "advised_dt": 0.25 * narrow / reach if reach else None, "assumed_speed": reach, "largest_fall": 0, "overlap_share": max(overlap, 0) / narrow,
                "memory_bytes": 900 * (movers + 1) + 1e6, "disk_bytes": frames * (movers + 1) * bytes, "smallest_radius": narrow, "largest_radius": 0.5}
    for key, value in expected.items():
        if isinstance(value, float) or value is None: near(told[key], value, key)
        else: assert told[key] == value, (key, told[key], value)
    near(told["deepest_overlap"], max(overlap, 0) if abs(overlap) > 0 else 0, "deepest_overlap")
    if overlap > 0: near(told["mean_overlap"], overlap, "mean_overlap")
    if dusts and move:
        near(told["largest_speed"], speed, "largest_speed")
        near(told["largest_way"], speed * dt, "way")
        near(told["largest_way_over_radius"], speed * dt / narrow, "way over radius")
    assert told.get("tried_steps") == (tried or None)
    assert told["start"] == told["questions"] == told["meshes"] == []
    names = [f"m{i}" for i in range(1, materials + 1)]
    used = ["m1"] + [n for n in names[1:] if dusts >= int(n[1:])]
    pairs = [(a, b) for i, a in enumerate(used) for b in used[i:] if (a, b) != ("m2", "m2") and (a != b or a == "m1" or sum((i - 1) % materials == names.index(a) for i in range(1, dusts + 1)) > 1)]
    given = [(p["a"], p["b"]) for p in told["undefined_pairs"]]
    assert given == pairs[:20], (given, pairs)
    assert all(p == {"a": p["a"], "b": p["b"], "law": "coulomb", "mu": 0.5, "restitution": 0} for p in told["undefined_pairs"])

    lines, notes = [], 0
    if reach * dt / narrow > 0.25:
        why = "the fastest body"
        limit = 0.0625 / reach
        unit = 10.0 ** (math.floor(math.log10(limit)) - 1)
        lines.append(f"  advice            bodies may reach {reach:.3g} m/s ({why}) and move {reach * dt / narrow:.2g} times the smallest radius in a step (at most 0.25); "
                     f"take dt <= {math.floor(limit / unit * (1 + 1e-12)) * unit:.2g} s")
    if fast:
        small = f"body {dusts + 2}"
        label = lambda i: "body 4" if i == 3 else f'"dust {i}"'
        list_of = ", ".join(f"{label(i)} {i * move:.3g} m where 0.5 m are safe" for i in range(dusts, max(dusts - 5, dusts - fast), -1)) + (", ..." if fast > 5 else "")
        lines.append(f"  advice            {fast} {'body goes' if fast == 1 else 'bodies go'} further in a step than half the width of {small} and the thinnest wall (0.25 m, \"wall\"): "
                     f"{list_of}; what they strike may pass through walls: take dt <= {dt * 0.5 / (dusts * move):.2g} s, or fast = true for the bodies that must not pass, as {small} (docs/fast.md)")
    if overlap / narrow > 0.1:
        lines.append(f"  advice            bodies overlap at the start in {touch} {'place' if touch == 1 else 'places'}, at most by {overlap:.3g} m; {overlap / narrow:.2g} of half the "
                     f"smaller body's width is more than 0.1, and they are pushed apart; the mean overlap is {overlap:.3g} m")
    notes = len(lines)
    head = [f"{scene}: {notes} note{'' if notes == 1 else 's'}" if notes else f"{scene}: fine", f"  bodies            {movers + 1}, of which {movers} move",
            f"  step              {dt:.6g} s, {steps} steps to {end:g} s"]
    lines += ["  radii             0.25 m to 0.5 m (bounding radii of the bodies that move)"]
    if dusts and move:
        fastest = "body 4" if dusts == 3 else f'"dust {dusts}"'
        lines.append(f"  fastest           {fastest}: its surface moves at up to {speed:.3g} m/s, {speed * dt:.3g} m in a step, {speed * dt / narrow:.2g} of the smallest radius")
    lines += [f'  undefined pair    "{a}", "{b}": law coulomb, mu 0.5, restitution 0 are used; w:pair defines others' for a, b in pairs[:20]]
    lines += [f"  undefined pair    {len(pairs) - 20} more"] * (len(pairs) > 20)
    overlaps = f"  initial overlaps  {expected['overlaps']}"
    if overlap > 0:
        overlaps += f", the largest {overlap:.3g} m, {overlap / narrow:.2g} of the smallest radius, {overlap / narrow:.2g} of the half width of the smaller of two; the mean {overlap:.3g} m"
    lines.append(overlaps)
    if tried:
        lines.append(f"  tried             {tried} {'step' if tried == 1 else 'steps'}, all callbacks and the report, which has 0 figures")
    lines.append(f"  memory            about {expected['memory_bytes'] / 1e6:.3g} MB")
    if frames:
        lines.append(f"  disk              about {expected['disk_bytes'] / 1e6:.3g} MB in {frames} frames")
    assert text.split("\n")[:-1] == head + lines, (text, "\n".join(head + lines))


check()
check(dusts=3, materials=3, overlap=0.125)
check(dusts=1, materials=2, touch=1, overlap=0.5)
check(dusts=0, materials=2, overlap=0.0234375, touch=3)
check(dusts=0, materials=2, overlap=-0.01, tried=1)
check(dusts=2, materials=2, overlap=-0.01, move=0.0625, tried=2)
check(dusts=2, materials=2, overlap=-0.01, move=0.25)
check(dusts=6, materials=4, move=0.25, overlap=-0.01)
for path in sorted(set(glob.glob("*.lua")) - {"balls.lua"}):
    # the first and the last state also have frames
    frames = 2 + (4 if "0125" in path else 2 if "200" in path else 1)
    check(dusts=0, materials=2, overlap=-0.01, scene=path, frames=frames, bytes=20 if "precision" in path else 104)
PYTHON
python3 judge.py "$scree" || fail "scree check"
exit $failed
