#!/usr/bin/env bash
# scree plot: tables of a run, of measurements and of a sweep, snapshots; files and terminal; mistakes.
. "$(dirname "$0")/../support/cli.sh"
command -v gnuplot > /dev/null || skip "gnuplot is not installed"
fail() { stop "$@"; }

cp "$2/scenes/pile.lua" .

# a gnuplot that draws and then fails
mkdir false
printf '#!/bin/sh\ncat > /dev/null\necho picture\nexit 3\n' > false/gnuplot
chmod +x false/gnuplot
printf 'a,b\n1,2\n2,3\n' > two.csv
PATH="$work/false:$PATH" "$scree" plot two.csv b -x a -o false.png > out.txt 2>&1 && fail "the exit code of gnuplot is lost"
grep -q "gnuplot failed (exit code 3)" out.txt || fail "a gnuplot that fails: $(cat out.txt)"
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
# frames of a run share window and colours; any direction, any field; force chains
cat > fall.lua <<'LUA'
return {
  world = { gravity = { 0, 0, -9.81 }, dt = 1e-3 },
  setup = function(w)
    w:halfspace { normal = { 0, 0, 1 } }
    for k = 1, 40 do w:sphere { radius = 0.01, position = { 0.025 * k, 0, 0.01 } } end
    w:sphere { radius = 0.02, position = { 0.5, 0, 0.1 } }
  end,
  output = { trajectory = { every = 0.05, fields = { "position", "velocity", "contacts" } } },
  stop = { time = 0.5 },
}
LUA
"$scree" run -q -o fall fall.lua > /dev/null || fail "fall"
labels() { grep -o '<text>[^<]*' "$1" | sed 's/<text> *//' | grep -v '^frame'; }
for frame in 0 4 10; do "$scree" plot fall snapshot --view xz --frame $frame -o fall$frame.svg || fail "frame $frame"; done
[ "$(labels fall0.svg | wc -l)" -ge 8 ] && [ "$(labels fall0.svg)" = "$(labels fall4.svg)" ] && [ "$(labels fall4.svg)" = "$(labels fall10.svg)" ] || fail "axes or colours change from frame to frame"
[ "$(head -c 400 fall0.svg | grep -o 'viewBox="[^"]*"')" = "$(head -c 400 fall10.svg | grep -o 'viewBox="[^"]*"')" ] || fail "sizes change"
# labels of the short axis keep apart
grep -o 'translate([^)]*)"[^>]*text-anchor="end"' fall0.svg | sed 's/translate([^,]*,\([^)]*\)).*/\1/' | sort -n |
  awk 'NR > 1 && $1 - last < 12 { bad = 1 } { last = $1 } END { exit bad || NR < 2 }' || fail "labels of a flat scene overlap"
for view in -xz zy 30,20; do "$scree" plot fall snapshot "--view=$view" --color z -o view.svg || fail "view $view"; has view.svg "z [m]"; done
"$scree" plot fall snapshot --view xx -o view.svg 2> err.txt
[ $? = 2 ] || fail "a view along no direction was drawn"
"$scree" plot fall snapshot --color contacts --range 0:10 -o field.svg || fail "contacts"
labels field.svg | grep -qx 10 || fail "the range that was asked for"
"$scree" plot fall chains --view xz -o chains.svg || fail "chains"
has chains.svg "rgb(163,  38,  56)"
"$scree" plot run chains -o x.svg 2> err.txt
[ $? = 2 ] || fail "chains without contacts were drawn"
has err.txt 'fields = ...'
# cracks: an arch below its smallest thickness opens at five hinges; a block that slides slips by its way; no contacts, no cracks
cat > arch.lua <<'LUA'
local masonry = require "scree.masonry"
return {
  world = { dt = 1e-3, gravity = { 0, 0, -9.81 }, plane = { 0, 1, 0 } },
  setup = function(w)
    w:pair { "default", "default", mu = 0.8 }
    masonry.arch(w, { radius = 1, thickness = 0.1, depth = 0.3, voussoirs = 16, density = 2000 })
  end,
  output = { trajectory = { every = 0.02, fields = { "position", "orientation", "contacts" } } },
  stop = { time = 0.3 },
}
LUA
"$scree" run -q -o arch arch.lua > /dev/null || fail "arch"
"$scree" plot arch cracks --view xz -o arch.svg || fail "cracks"
labels arch.svg | grep -qx "open: 5" || fail "five hinges: $(labels arch.svg)"
labels arch.svg | grep -qx "closed: 12" || fail "the other faces are closed: $(labels arch.svg)"
"$scree" plot arch cracks --view xz --frame 1 -o arch1.svg || fail "cracks of a frame"
labels arch1.svg | grep -qx "closed: 17" || fail "all faces are closed at first: $(labels arch1.svg)"
# a tolerance above the largest opening closes all faces
"$scree" plot arch cracks --view xz --tolerance 1 -o arch2.svg || fail "a tolerance"
labels arch2.svg | grep -qx "closed: 17" || fail "the tolerance has no effect: $(labels arch2.svg)"
# frames that begin after the arch has fallen have the same faces
sed 's/every = 0.02/every = 0.3/' arch.lua > coarse.lua
"$scree" run -q -o coarse coarse.lua > /dev/null || fail "coarse"
"$scree" plot coarse cracks --view xz -o coarse.svg 2> err.txt || fail "cracks of coarse frames"
labels coarse.svg > coarse.txt
grep -qx "open: 5" coarse.txt && grep -qx "closed: 12" coarse.txt || fail "faces of coarse frames: $(cat coarse.txt err.txt)"
[ "$(grep -o 'largest opening [0-9.]* mm' coarse.svg)" = "$(grep -o 'largest opening [0-9.]* mm' arch.svg)" ] || fail "openings of coarse frames"
cat > slide.lua <<'LUA'
return {
  world = { dt = 1e-3, gravity = { 6, 0, -10 } },
  setup = function(w)
    w:pair { "default", "default", mu = 0.5 }
    w:box { kind = "fixed", size = { 4, 2, 1 }, position = { 0, 0, -0.5 } }
    w:box { size = { 0.5, 0.5, 0.2 }, position = { -1, 0, 0.1 } }
  end,
  output = { trajectory = { every = 0.01, fields = { "position", "orientation", "contacts" } } },
  stop = { time = 1 },
}
LUA
"$scree" run -q -o slide slide.lua > /dev/null || fail "slide"
"$scree" plot slide cracks --view xz -o slide.svg || fail "cracks of a block that slides"
labels slide.svg | grep -qx "slipped: 1" || fail "slip"
grep -qE 'largest slip (499|500|501) mm' slide.svg || fail "slip of a t^2/2 = 0.5 m: $(grep -o 'largest[^<]*' slide.svg)"
# blocks that fall have no faces in frame 0: the frame of the faces is named
sed -e 's/{ -1, 0, 0.1 }/{ -1, 0, 0.6 }/' -e 's/{ 6, 0, -10 }/{ 0, 0, -10 }/' -e 's/every = 0.01/every = 0.5/' slide.lua > drop.lua
"$scree" run -q -o drop drop.lua > /dev/null || fail "drop"
"$scree" plot drop cracks -o drop.svg 2> err.txt || fail "cracks of a block that falls"
has err.txt "these are from frame 1 at 0.5 s"
"$scree" plot fall cracks -o x.svg 2> err.txt
[ $? = 2 ] || fail "cracks without orientations were drawn"
has err.txt '"orientation"'
# a fragility curve has the largest likelihood, by a search over a grid in python; mistakes
python3 - > expected.txt <<'PY' || fail "the table of a sweep"
import math, random
random.seed(3)
rows = []
for x in (1, 1.5, 2, 2.5, 3, 3.5, 4, 5):
    for seed in range(12):
        p = 0.5 * math.erfc(-math.log(x / 2.7) / 0.35 / math.sqrt(2))
        rows.append((x, seed, int(random.random() < p)))
def write(name, pick):
    with open(name, "w") as f:
        f.write("run,state,params.scale,seed,wall_seconds,hash,fallen\n")
        for i, (x, seed, y) in enumerate(rows):
            f.write("%d,completed,%g,%d,1,a,%d\n" % (i + 1, x, seed, pick(x, y)))
write("fragile.csv", lambda x, y: y)
rows, every = [r for r in rows if r[0] <= 2.5], rows
write("short.csv", lambda x, y: y)
rows = every
write("none.csv", lambda x, y: 0)
write("sharp.csv", lambda x, y: x > 2.7)
write("large.csv", lambda x, y: 2 * y)
def likelihood(m, s):
    return sum(math.log(0.5 * math.erfc((-1 if y else 1) * math.log(x / m) / s / math.sqrt(2))) for x, _, y in rows)
best = max((likelihood(m / 1000, s / 1000), m / 1000, s / 1000) for m in range(2500, 3500, 2) for s in range(200, 600, 2))
print(best[1], best[2])
PY
"$scree" plot fragile.csv fallen --fit lognormal -o fragile.svg > found.txt || fail "a fragility curve"
read -r median spread < expected.txt
awk -v m="$median" -v s="$spread" '{ gsub(",", ""); exit !(($2 - m) ^ 2 < 0.003 ^ 2 && ($7 - s) ^ 2 < 0.003 ^ 2) }' found.txt || fail "median $median, spread $spread: $(cat found.txt)"
has fragile.svg "median $(awk '{ print $2 }' found.txt)"
"$scree" plot fragile.csv fallen --fit lognormal -o x.svg 2>&1 | grep -q warning && fail "shares from 0 to 1 warn"
awk -F, 'NR == 3 { OFS = ","; $NF = "nan" } 1' fragile.csv > gap.csv
"$scree" plot gap.csv fallen --fit lognormal -o x.svg 2>&1 | grep -q "1 of .* runs failed or have no value of 'fallen'" ||
  fail "a run without a value is left out silently"
"$scree" plot short.csv fallen --fit lognormal -o x.svg > out.txt 2> err.txt || fail "a short range of shares: $(cat err.txt)"
has err.txt "not from below 0.2 to above 0.8"
has err.txt "sweep larger x"
while IFS='|' read -r table text; do
  "$scree" plot "$table" fallen --fit lognormal -o x.svg > out.txt 2> err.txt && fail "$table has a curve"
  has err.txt "$text"
done <<'CASES'
none.csv|all values are 0
sharp.csv|the spread is not known
large.csv|needs values from 0 to 1
CASES
"$scree" plot fragile.csv fallen --fit normal -o x.svg 2> err.txt
[ $? = 2 ] || fail "an unknown curve was fitted"
has err.txt "--fit is lognormal"
"$scree" plot run kinetic --fit lognormal -o x.svg 2> err.txt
[ $? = 2 ] || fail "a run has a fragility curve"
# a bed at rest: the bar does not magnify rounding
sed -e 's/, { name/ {/' -e 's/w:sphere { radius = 0.02.*//' fall.lua > rest.lua
"$scree" run -q -o rest rest.lua > /dev/null || fail "rest"
"$scree" plot rest snapshot -o rest.svg || fail "rest"
[ "$(labels rest.svg | wc -l)" -ge 8 ] || fail "labels of a bed at rest"
labels rest.svg | grep -E 'e-(0[6-9]|[1-9])' && fail "the bar of a bed at rest shows rounding"
# repeats of a sweep: the 95 % interval of the mean of 1 and 3 is 2 +- 12.7
printf 'point,state,a,wall_seconds,y\n1,done,1,1,1\n2,done,1,1,3\n3,done,2,1,1\n4,done,2,1,3\n' > results.csv
"$scree" plot results.csv y -o band.svg || fail "band"
labels band.svg | grep -qx -- '-15' && labels band.svg | grep -qx 15 || fail "the 95 % band: $(labels band.svg | tr '\n' ' ')"
sed 's/dir: run/dir: swept/' exp.yaml > sweep.yaml
echo 'sweep: {grid: {params.mu: [0.2, 0.4], params.law: [coulomb, max_dissipation]}, repeat: 2}' >> sweep.yaml
"$scree" sweep sweep.yaml > out.txt 2>&1 || fail "sweep: $(cat out.txt)"
"$scree" plot swept "kinetic energy" -o sweep.svg || fail "results"
has sweep.svg "law = max_dissipation"
# several runs in one panel: a legend of runs, or of runs and columns, over the column's axis; one curve for each
labels_of() { grep -o '<text>[^<]*' "$1" | sed 's/<text> *//'; }
curves_of() { grep -o 'id="gnuplot_plot_[0-9]*[a-z]*' "$1" | sort -u | wc -l; }
"$scree" plot fall/ rest max_speed -o overlay.svg || fail "two runs in a panel"
for words in fall rest 'max_speed [m/s]' 'time [s]'; do labels_of overlay.svg | grep -qxF "$words" || fail "no '$words' in $(labels_of overlay.svg | tr '\n' ' ')"; done
[ "$(curves_of overlay.svg)" = 2 ] || fail "$(curves_of overlay.svg) curves of two runs"
"$scree" plot fall rest shapes/series.csv kinetic,work max_speed -o overlay.svg || fail "three runs in two panels"
for words in 'fall: kinetic' 'rest: work' 'shapes/series.csv: work' 'shapes/series.csv' '[J]'; do labels_of overlay.svg | grep -qxF "$words" || fail "no '$words' in $(labels_of overlay.svg | tr '\n' ' ')"; done
[ "$(curves_of overlay.svg)" = 9 ] || fail "$(curves_of overlay.svg) curves of three runs"
refused() {
  words=$1
  shift
  "$scree" "$@" -o x.svg > out.txt 2> err.txt
  [ $? = 2 ] || fail "not refused: $*"
  has err.txt "$words"
}
refused 'what of them?' plot fall rest
refused 'snapshot shows one run, not 2' plot fall rest snapshot
refused 'swept/results.csv is the table of a sweep' plot fall swept kinetic
refused 'run/field.csv is the table of a grid' plot run run field:solid
refused "there is no column 'kinetik'; did you mean 'kinetic'?" plot fall rest kinetik
refused "there is no column 'crack'; did you mean 'cracks'?" plot fall crack
refused "there is no column 'snapshots'; did you mean 'snapshot'?" plot fall snapshots
refused "there is no column 'chins'" plot fall kinetic --x chins
grep -q 'did you mean' err.txt && fail "--x takes no picture: $(cat err.txt)"
refused "there is no column 'energi'; did you mean 'energy'?" plot fall energi
printf 'time,height [m]\n0,1\n1,2\n' > metres.csv
printf 'time,height [mm]\n0,1\n1,2\n' > millimetres.csv
refused "metres.csv has 'height [m]' and millimetres.csv has 'height [mm]'" plot metres.csv millimetres.csv height
PATH=/nowhere "$scree" plot run kinetic > out.txt 2> err.txt
[ $? = 1 ] || fail "without gnuplot"
has err.txt "gnuplot-nox"
echo "figures are drawn"
