#!/bin/bash
# Compatible forces from the scene to the exports: the beam's 2, 6, 2 in the report, in the trajectory and in what is exported; the
# pyramid against the penalty stepper; a scene's wrong keys; the warning about a step too large for the springs.
. "$(dirname "$0")/../support/cli.sh"

# near NAME VALUE TOLERANCE FILE: the key figure is near the value
near() {
  awk -v name="$1" -v want="$2" -v tolerance="$3" 'index($0, name) == 1 { found = 1; d = $NF - want; if (d < 0) d = -d; if (d > tolerance) exit 1 } END { if (!found) exit 1 }' "$4" ||
    fail "$1 is not near $2 in: $(cat "$4")"
}

"$scree" run -q -o beam "$source/scenes/beam.lua" >out 2>&1 || fail "beam: $(cat out)"
near "left support" 2 1e-9 out
near "middle support" 6 1e-9 out
"$scree" run -q -o beam1 "$source/scenes/beam.lua" middle=1 >out 2>&1 || fail "beam: $(cat out)"
near "left support" 3.33333 1e-4 out

# the last frame's contacts carry the same forces, the earlier ones the solver's way down
"$scree" export -q beam/trajectory.scree -f csv --contacts -o csv || fail "export"
awk -F, 'NR == 1 { if ($NF != "compatible_z") exit 1; next } $1 == 10 { sum += $NF; if ($NF > 5.99999 && $NF < 6.00001) six = 1; if ($NF > 1.99999 && $NF < 2.00001) two++ }
         END { exit !(six && two == 2 && sum > 9.99999 && sum < 10.00001) }' csv/frame_contacts.csv || fail "forces in csv: $(tail -3 csv/frame_contacts.csv)"
"$scree" export -q beam/trajectory.scree -f npz --contacts --frames -1:-1:1 -o npz || fail "export npz"
grep -qa contact_compatible npz/*.npz || fail "no contact_compatible in npz"
"$scree" export -q beam/trajectory.scree -f vtp --contacts --frames -1:-1:1 -o vtp || fail "export vtp"
grep -qa 'Name="compatible_n"' vtp/*contacts*.vtp || fail "no compatible_n in vtp"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/tools" python3 - beam/trajectory.scree <<'PY' || fail "Python reader"
import sys, scree_reader
frame = list(scree_reader.Trajectory(sys.argv[1]))[-1]
assert sorted(round(f[2], 6) for f in frame.contacts["force"]) == [2, 2, 6], frame.contacts
PY

# the same shares from a function of the materials alone, where the pairs have equal stiffness
sed 's/forces = { compatible = "hooke" }/forces = { compatible = "hooke", stiffness = function(c) return (c.material1 == "middle" or c.material2 == "middle") and 3 or 1 end }/' \
  "$source/scenes/beam.lua" >function.lua
"$scree" run -q -o function function.lua middle=1 >out 2>&1 || fail "a function of the materials: $(cat out)"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$source/tools" python3 - function/trajectory.scree <<'PY' || fail "the shares of a function of the materials"
import sys, scree_reader
frame = list(scree_reader.Trajectory(sys.argv[1]))[-1]
assert sorted(round(f[2], 6) for f in frame.contacts["force"]) == [2, 2, 6], frame.contacts
PY

# the pyramid, small: compatible forces equal the penalty stepper's, Gauss-Seidel's do not
for model in hooke hertz species; do
  "$scree" run -q -o "pyramid-$model" "$source/scenes/pyramid.lua" n=6 model=$model order=random reference=true >out 2>&1 || fail "pyramid: $(cat out)"
  near "floor error, compatible" 0 1e-5 out
  awk '/^floor error of the solver/ { exit !($NF > 0.05) }' out || fail "Gauss-Seidel finds the forces? $(cat out)"
  near "floor force - weight" 0 1e-5 out
done

# wrong keys and values
wrong() { # wrong TEXT FORCES
  cat >wrong.lua <<LUA
return { world = {}, setup = function(w) w:sphere { radius = 1 } end, forces = $2, stop = { steps = 1 } }
LUA
  "$scree" run -q -o wrong --force wrong.lua >out 2>&1
  [ $? = 2 ] || [ $? = 3 ] || fail "$2 is taken"
  grep -qF -- "$1" out || fail "no '$1' in: $(cat out)"
}
wrong "compatible" '{ compatible = "hook" }'
wrong "stiffness" '{ compatible = "hooke", stifness = 3 }'
wrong "stiffness" '{ compatible = "hooke", stiffness = -1 }'
wrong "no_such" '{ compatible = "hooke", stiffness = { { "default", "no_such", 1 } } }'
wrong "forces.compatible is missing" '{}'

# a step too large for the springs
cat >large.lua <<'LUA'
return { world = { stepper = "penalty", dt = 1e-2 }, stop = { steps = 3 }, setup = function(w)
  w:pair { "default", "default", law = "hooke", stiffness = 1e6 }
  w:halfspace { normal = { 0, 0, 1 } }
  w:sphere { radius = 0.1, position = { 0, 0, 1 } }
end }
LUA
"$scree" run -q -o large large.lua >out 2>&1 || fail "large: $(cat out)"
grep -q "warning: the step 0.01 s" out || fail "no warning in: $(cat out)"
exit $failed
