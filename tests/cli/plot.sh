#!/usr/bin/env bash
# scree plot: tables of a run, of measurements and of a sweep, snapshots; files and terminal; mistakes.
. "$(dirname "$0")/../support/cli.sh"
command -v gnuplot > /dev/null || { echo "gnuplot is not installed"; exit 0; }
fail() { stop "$@"; }

cp "$2/scenes/pile.lua" .
cat > exp.yaml <<'YAML'
scree: 1
scene: pile.lua
params: {height: 15 mm}
run: {until: 20 ms, dt: 1 ms}
output: {dir: run, every: 10 ms, series: 2 ms}
measure:
  - {name: g, type: rdf, region: {min: [0, 0, 0], max: [60 mm, 60 mm, 30 mm]}, reach: 20 mm, bins: 10}
  - {name: field, type: profile, region: {min: [0, 0, 0], max: [60 mm, 60 mm, 30 mm]}, cells: [6, 6, 1]}
YAML
"$scree" run exp.yaml --quiet > /dev/null || fail "run"
"$scree" plot run --list > out.txt || fail "list"
has out.txt "g (10 rows): r g"
"$scree" plot run energy g:g field:solid field:velocity_x snapshot -o all.png --columns 2 --title "a pile" || fail "png"
[ "$(head -c 4 all.png | tail -c 3)" = PNG ] || fail "not a PNG"
"$scree" plot run kinetic,potential --log y -o energy.svg || fail "svg"
has energy.svg "<svg"
has energy.svg "time [s]"
"$scree" plot run/series.csv kinetic > out.txt || fail "terminal"
has out.txt "time"
"$scree" plot run kinetik > out.txt 2> err.txt
[ $? = 2 ] || fail "an unknown column was drawn"
has err.txt "did you mean 'kinetic'?"
"$scree" plot run kinetic -o x.pdf 2> err.txt
[ $? = 2 ] || fail "an unknown kind of picture was drawn"
"$scree" plot run snapshot --frame 99 2> err.txt
[ $? = 2 ] || fail "a missing frame was drawn"
has err.txt "has frames 0 to"
# shapes are drawn by their silhouettes: a box turned by 45 degrees is sqrt(2) wide, what is fixed is grey
cat > box.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 } },
  setup = function(w)
    local turned = { math.cos(math.pi / 8), 0, 0, math.sin(math.pi / 8) }
    w:body { shapes = { { type = "box", size = { 2, 2, 2 } } }, orientation = turned }
    w:capsule { radius = 1, length = 1, position = { 5, 0, 0 } }
    w:cylinder { radius = 1, length = 1, position = { 8, 0, 0 }, kind = "fixed" }
  end,
  stop = { steps = 1 },
}
LUA
"$scree" run box.lua --quiet -o shapes > /dev/null || fail "a box"
"$scree" plot shapes snapshot -o shapes.svg || fail "silhouettes"
# a mesh seen from its edge has no area, but a line
cat > edge.lua <<'LUA'
return {
  world = {},
  setup = function(w)
    w:mesh { points = { { -1, -1, 0 }, { 1, -1, 0 }, { 1, 1, 0 } }, triangles = { { 1, 2, 3 } } }
    w:sphere { radius = 0.1, position = { 0, 0, 1 } }
  end,
  stop = { steps = 1 },
}
LUA
"$scree" run -q -o edge edge.lua > out.txt 2>&1 && "$scree" plot edge snapshot --view xz -o edge.svg || fail "edge"
grep -q "path stroke='rgb(168, 168, 168)'" edge.svg || fail "a mesh seen from its edge is not drawn"
has shapes.svg "214, 214, 214"
[ "$(grep -c '<polygon' shapes.svg)" -ge 3 ] || fail "polygons are missing"
sed 's/dir: run/dir: swept/' exp.yaml > sweep.yaml
echo 'sweep: {grid: {params.mu: [0.2, 0.4], params.law: [coulomb, max_dissipation]}, repeat: 2}' >> sweep.yaml
"$scree" sweep sweep.yaml > out.txt 2>&1 || fail "sweep: $(cat out.txt)"
"$scree" plot swept "kinetic energy" -o sweep.svg || fail "results"
has sweep.svg "law = max_dissipation"
PATH=/nowhere "$scree" plot run kinetic > out.txt 2> err.txt
[ $? = 1 ] || fail "without gnuplot"
has err.txt "gnuplot-nox"
echo "figures are drawn"
