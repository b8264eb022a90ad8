#!/usr/bin/env bash
# Scenes in a periodic cell under mpirun: a sheared sample measured, drawn from and stopped on two ranks, and the example of the docs.
# arguments: program, source folder, build folder
scree=$1 source=$2 build=$3
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_hwloc_base_binding_policy=none \
  OMPI_MCA_btl=vader,self OMPI_MCA_mpi_yield_when_idle=1
work=$(mktemp -d "$build/mpi-cell.XXXX"); trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
fail() { echo "mpi cell: $*"; exit 1; }
run() { timeout 600 mpirun -n "$@"; }

cat > scene.lua <<'LUA'
return {
  world = { gravity = { 0, 0, 0 }, dt = 2e-3, correction = "velocity", cell = { size = { 0.06, 0.06, 0.06 }, periodic = { true, true, true } },
    solver = { iterations = 500, tolerance = 1e-10 } },
  setup = function(w)
    w:pair { "default", "default", mu = 0.4 }
    w:pack { fraction = 0.25, radius = 0.005, radius_max = 0.006 }
    w:cell():set_velocity_gradient { { 0, 5, 0 }, { 0, 0, 0 }, { 0, 0, 0 } }
  end,
  every = { { steps = 20, call = function(w)
    local whole = w:stress {}
    w.state.fields = w:fields { cells = { 2, 2, 2 }, width = 0.04 }.density
    w.state.whole, w.state.rdf, w.state.all = whole.xy, w:rdf { reach = 0.03, bins = 10 }.g, w:cell():stress()[1][2]
  end } },
  output = { trajectory = { steps = 20, precision = "exact", fields = { "position", "velocity", "contacts" } },
    series = { steps = 20, values = function(w)
      local s = w:cell():stress()
      return { tilt = w:cell():matrix()[1][2], sxy = s[1][2], syy = s[2][2] }
    end } },
  measure = { { name = "msd", type = "displacement" } },
  stop = { steps = 80 },
  report = function(w) return { { "grains", w:count() }, { "left", w:count { region = { max = { 0.03, 1, 1 } } } },
    { "whole", w.state.whole }, { "cell", w.state.all }, { "rdf", w.state.rdf[5] }, { "density", w.state.fields[1] } } end,
}
LUA
"$scree" run scene.lua -o one -q > one.txt || fail "one rank: $(cat one.txt)"
run 2 "$scree" run scene.lua -o two -q > two.txt || fail "two ranks: $(cat two.txt)"
near() { awk -v a="$1" -v b="$2" -v share="$3" 'BEGIN { d = a - b; if (d < 0) d = -d; if (a < 0) a = -a; exit !(a > 0 && d <= share * a) }'; }
figure() { sed -n "s/^$2 *//p" "$1.txt"; }
for name in grains left whole cell rdf density; do
  near "$(figure one $name)" "$(figure two $name)" 1e-5 || fail "$name: $(figure one $name) on one rank, $(figure two $name) on two"
done
near "$(figure one whole)" "$(figure two cell)" 1e-5 || fail "w:stress is not the cell's: $(cat two.txt)"
column() { awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next } { print $at }' "$1/series.csv"; }
[ "$(column one tilt)" = "$(column two tilt)" ] || fail "the cell of two ranks goes another way"
column two tilt | awk '$1 > last { last = $1 } $1 < last { down = 1 } END { exit !down }' || fail "the cell was never remapped: $(column two tilt)"
# frames, contacts and their images are those of one rank
for name in one two; do "$scree" export --format csv --contacts -o "$name-csv" "$name" > /dev/null || fail "export of $name"; done
[ "$(grep '^0,' one-csv/frame.csv)" = "$(grep '^0,' two-csv/frame.csv)" ] || fail "the first frame"
images() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["frame"], $at["body1"], $at["body2"], $at["ix"], $at["iy"], $at["iz"] }' "$1-csv/frame_contacts.csv" | sort; }
images one | awk '$4 || $5 || $6 { n++ } END { exit !(n > 10) }' || fail "no contacts across the faces: $(images one | head -3)"
[ "$(images one)" = "$(images two)" ] || fail "contacts: $(diff <(images one) <(images two) | head -4)"
for format in vtp dump; do "$scree" export two --format $format -o $format > out.txt 2>&1 || fail "export $format: $(cat out.txt)"; done
"$scree" plot two snapshot -o two-plot.txt > /dev/null && [ -s two-plot.txt ] || fail "a snapshot"

# a stop in the middle of the shear, then on with one rank and with two
run 2 "$scree" run scene.lua -o stopped -q --wall 1e-9 > /dev/null 2>&1
[ -s stopped/checkpoint.scree ] || fail "no checkpoint"
cp -r stopped again
"$scree" resume stopped -q > resumed.txt || fail "resumed on one rank"
run 2 "$scree" resume again -q > again.txt || fail "resumed on two ranks"
for name in resumed again; do near "$(figure one whole)" "$(figure $name whole)" 1e-5 || fail "$name: $(cat $name.txt)"; done

# the example of the docs, shortened: a cell that stress drives
for n in 1 2; do run $n "$scree" run "$source/scenes/shear_cell.lua" compress=20 time=0.08 -o "shear$n" -q > "shear$n.txt" 2>&1 || fail "$(cat "shear$n.txt")"; done
near "$(column shear1 volume | tail -1)" "$(column shear2 volume | tail -1)" 1e-6 || fail "volumes: $(tail -n 2 shear1/series.csv shear2/series.csv)"
echo "mpi cell: fine"
